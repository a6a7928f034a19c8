// SPDX-License-Identifier: GPL-2.0
/*
 * Packets in: from UDP or from the local road to the inbox of a QP's side.
 *
 * In this order: whose address (so that drops are counted where they can be
 * seen), length and headers, ICRC, QP number, and what the QP thinks of it.
 * What is refused is counted, traced and freed; nothing is answered or printed.
 * The payload stays where it is, in pages or not; only headers are copied.
 */
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/unaligned.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <rdma/ib_mad.h>

#include "rxe.h"
#include "trace.h"

#define RXE_NO_VLAN 0xffff

static void rxe_rx_drop(struct rxe_dev *dev, u32 qpn, struct sk_buff *skb, enum rxe_drop why)
{
	if (dev)
		rxe_drop(dev, why);
	trace_rxe_drop(dev, qpn, why);
	kfree_skb(skb);
}

/* --- addresses ------------------------------------------------------------------ */

static void rxe_rx_gids(const struct sk_buff *skb, union ib_gid *sgid, union ib_gid *dgid)
{
	const struct ipv6hdr *ip6h = ipv6_hdr(skb);
	const struct iphdr *iph = ip_hdr(skb);

	if (RXE_SKB_CB(skb)->ipv4) {
		ipv6_addr_set_v4mapped(iph->saddr, (struct in6_addr *)sgid->raw);
		ipv6_addr_set_v4mapped(iph->daddr, (struct in6_addr *)dgid->raw);
	} else {
		memcpy(sgid->raw, &ip6h->saddr, sizeof(sgid->raw));
		memcpy(dgid->raw, &ip6h->daddr, sizeof(dgid->raw));
	}
}

static bool rxe_rx_is_mcast(const struct sk_buff *skb)
{
	if (RXE_SKB_CB(skb)->ipv4)
		return ipv4_is_multicast(ip_hdr(skb)->daddr);
	return ipv6_addr_is_multicast(&ipv6_hdr(skb)->daddr);
}

/**
 * rxe_rx_addr_ok() - is this packet from the QP's peer, to the QP's address?
 * @qp: the QP
 * @skb: the packet
 *
 * Anybody is, of a datagram QP. Context: any.
 */
bool rxe_rx_addr_ok(const struct rxe_qp *qp, const struct sk_buff *skb)
{
	union ib_gid sgid, dgid;

	if (qp->transport == RXE_UD)
		return true;
	rxe_rx_gids(skb, &sgid, &dgid);
	return !memcmp(&sgid, &qp->path.dgid, sizeof(sgid)) &&
	       !memcmp(&dgid, &qp->path.sgid, sizeof(dgid));
}

/**
 * rxe_rx_grh() - the 40 bytes in front of a UD message
 * @skb: the packet
 * @grh: filled
 *
 * The IPv6 header, or the IPv4 header behind 20 zero bytes (IBTA A17.4.5.1).
 * Context: any.
 */
void rxe_rx_grh(const struct sk_buff *skb, u8 grh[RXE_GRH_BYTES])
{
	if (RXE_SKB_CB(skb)->ipv4) {
		memset(grh, 0, RXE_GRH_BYTES - sizeof(struct iphdr));
		memcpy(grh + RXE_GRH_BYTES - sizeof(struct iphdr), ip_hdr(skb),
		       sizeof(struct iphdr));
	} else {
		memcpy(grh, ipv6_hdr(skb), sizeof(struct ipv6hdr));
	}
}

/**
 * rxe_rx_wc() - where a UD message came from, as far as a completion tells
 * @skb: the packet
 * @wc: filled in addition to what it has
 *
 * Context: any.
 */
void rxe_rx_wc(const struct sk_buff *skb, struct ib_wc *wc)
{
	const struct rxe_skb_cb *cb = RXE_SKB_CB(skb);

	wc->wc_flags |= IB_WC_GRH | IB_WC_WITH_NETWORK_HDR_TYPE;
	wc->network_hdr_type = cb->ipv4 ? RDMA_NETWORK_IPV4 : RDMA_NETWORK_IPV6;
	if (cb->has_mac) {
		wc->wc_flags |= IB_WC_WITH_SMAC;
		ether_addr_copy(wc->smac, eth_hdr(skb)->h_source);
	}
	if (cb->vlan != RXE_NO_VLAN) {
		wc->wc_flags |= IB_WC_WITH_VLAN;
		wc->vlan_id = cb->vlan;
	}
}

/* --- the door ------------------------------------------------------------------- */

/* ICRC of bytes that may lie in any form a packet has. */
static bool rxe_rx_crc_paged(struct sk_buff *skb, unsigned int off, unsigned int len, u32 *crc)
{
	struct skb_seq_state seq;
	unsigned int done = 0, n;
	const u8 *p;

	skb_prepare_seq_read(skb, off, off + len, &seq);
	while ((n = skb_seq_read(done, &p, &seq))) {
		n = min(n, len - done);
		*crc = rxe_icrc_update(*crc, p, n);
		done += n;
		if (done == len) {
			skb_abort_seq_read(&seq);
			break;
		}
	}
	/* Less than all is read of memory that only a device can see. */
	return done == len;
}

static bool rxe_rx_crc(struct sk_buff *skb, unsigned int off, unsigned int len, u32 *crc)
{
	if (!len)
		return true;
	if (off + len > skb_headlen(skb))
		return rxe_rx_crc_paged(skb, off, len, crc);
	*crc = rxe_icrc_update(*crc, skb->data + off, len);
	return true;
}

/* IBTA 7.8.1 and A17.3.3; nothing may stand between IP, UDP and BTH. */
static bool rxe_rx_icrc_ok(struct sk_buff *skb, const void *bth)
{
	const struct rxe_skb_cb *cb = RXE_SKB_CB(skb);
	unsigned int ip_len = cb->ipv4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	unsigned int covered = cb->len - RXE_ICRC_BYTES;
	__le32 icrc;
	u32 crc;

	if (skb_network_header_len(skb) != ip_len)
		return false;
	crc = rxe_icrc_start(skb_network_header(skb), skb_transport_header(skb), bth);
	if (!rxe_rx_crc(skb, cb->off + RXE_BTH_BYTES, covered - RXE_BTH_BYTES, &crc))
		return false;
	if (skb_copy_bits(skb, cb->off + covered, &icrc, sizeof(icrc)))
		return false;
	return icrc == rxe_icrc_finish(crc);
}

static const void *rxe_rx_bth(const struct sk_buff *skb, unsigned int *avail, void *buf)
{
	const struct rxe_skb_cb *cb = RXE_SKB_CB(skb);

	*avail = min_t(unsigned int, cb->len, RXE_MAX_HDR_BYTES);
	return skb_header_pointer(skb, cb->off, *avail, buf);
}

static enum rxe_drop rxe_rx_check(struct sk_buff *skb, struct rxe_pkt *pkt)
{
	u8 buf[RXE_MAX_HDR_BYTES] __aligned(4);
	unsigned int avail;
	enum rxe_drop why;
	const void *bth;

	bth = rxe_rx_bth(skb, &avail, buf);
	if (!bth)
		return RXE_DROP_SHORT;
	why = rxe_pkt_parse(pkt, bth, avail, RXE_SKB_CB(skb)->len);
	if (why)
		return why;
	return rxe_rx_icrc_ok(skb, bth) ? RXE_DROP_NONE : RXE_DROP_ICRC;
}

/* --- the QP ---------------------------------------------------------------------- */

/* IBTA 10.9.2: equal but for the membership bit, which one of them must have. */
static bool rxe_pkey_ok(u16 a, u16 b)
{
	return ((a ^ b) & 0x7fff) == 0 && (a & 0x7fff) && ((a | b) & 0x8000);
}

/* In RTR there is nothing of ours that a response could be to. */
static bool rxe_rx_state_ok(enum ib_qp_state state, bool request)
{
	return rxe_state_receives(state) && (request || state != IB_QPS_RTR);
}

static enum rxe_drop rxe_rx_ud_ok(const struct rxe_qp *qp, const struct rxe_pkt *pkt)
{
	u32 qkey = qp->ib.qp_num == 1 ? IB_QP1_QKEY : qp->qkey;

	return pkt->qkey == qkey ? RXE_DROP_NONE : RXE_DROP_QKEY;
}

static enum rxe_drop rxe_rx_admit(const struct rxe_qp *qp, const struct sk_buff *skb,
				  const struct rxe_pkt *pkt)
{
	bool request = rxe_opcodes[pkt->opcode].flags & RXE_OP_REQUEST;

	if ((pkt->opcode & RXE_TRANSPORT_MASK) != qp->transport)
		return RXE_DROP_TRANSPORT;
	if (!rxe_rx_state_ok(READ_ONCE(qp->state), request))
		return RXE_DROP_STATE;
	if (!rxe_pkey_ok(pkt->pkey, RXE_DEFAULT_PKEY))
		return RXE_DROP_PKEY;
	if (!rxe_rx_addr_ok(qp, skb))
		return RXE_DROP_ADDR;
	return qp->transport == RXE_UD ? rxe_rx_ud_ok(qp, pkt) : RXE_DROP_NONE;
}

static struct rxe_side *rxe_rx_side(struct rxe_qp *qp, const struct rxe_pkt *pkt)
{
	if (rxe_opcodes[pkt->opcode].flags & RXE_OP_REQUEST)
		return &qp->rx.side;
	return &qp->tx.side;
}

static void rxe_rx_queue(struct rxe_qp *qp, struct sk_buff *skb, const struct rxe_pkt *pkt)
{
	enum rxe_drop why = rxe_rx_admit(qp, skb, pkt);
	struct rxe_side *side = rxe_rx_side(qp, pkt);

	if (likely(!why)) {
		if (likely(rxe_inbox_add(side, skb))) {
			rxe_kick(side, RXE_MARK_INBOX);
			return;
		}
		why = RXE_DROP_QUEUE;
	}
	rxe_rx_drop(qp->dev, pkt->dqpn, skb, why);
}

void rxe_rx_to_qp(struct rxe_dev *dev, u32 qpn, struct sk_buff *skb, const struct rxe_pkt *pkt)
{
	struct rxe_qp *qp = rxe_qp_get(dev, qpn);

	if (!qp) {
		rxe_rx_drop(dev, qpn, skb, RXE_DROP_QPN);
		return;
	}
	rxe_rx_queue(qp, skb, pkt);
	rxe_qp_put(qp);
}

static void rxe_rx_deliver(struct rxe_dev *dev, struct sk_buff *skb)
{
	union ib_gid sgid, dgid;
	enum rxe_drop why;
	struct rxe_pkt pkt;

	why = rxe_rx_check(skb, &pkt);
	if (unlikely(why)) {
		rxe_rx_drop(dev, 0, skb, why);
		return;
	}
	rxe_count(dev, RXE_CNT_RCVD_PKTS, 1);
	rxe_count(dev, RXE_CNT_RCVD_BYTES, RXE_SKB_CB(skb)->len);
	trace_rxe_rx(dev, pkt.dqpn, &pkt);

	if (unlikely(rxe_opcodes[pkt.opcode].msg == RXE_MSG_CNP)) {
		/* Congestion control is not there yet (cc.c). */
		rxe_rx_drop(dev, pkt.dqpn, skb, RXE_DROP_OPCODE);
	} else if (rxe_rx_is_mcast(skb) && pkt.dqpn == RXE_MULTICAST_QPN) {
		rxe_rx_gids(skb, &sgid, &dgid);
		rxe_mcast_deliver(dev, &dgid, skb, &pkt);
	} else {
		rxe_rx_to_qp(dev, pkt.dqpn, skb, &pkt);
	}
}

/* --- the device -------------------------------------------------------------------- */

/* What is known of the interface now: the packet won't hold on to it. */
static void rxe_rx_cb(struct sk_buff *skb, u8 via)
{
	struct rxe_skb_cb cb = {
		.off = sizeof(struct udphdr),
		.len = skb->len - sizeof(struct udphdr),
		.via = via,
		.ipv4 = ip_hdr(skb)->version == 4,
		.vlan = RXE_NO_VLAN,
	};

	if (cb.ipv4)
		cb.ce = INET_ECN_is_ce(ip_hdr(skb)->tos);
	else
		cb.ce = INET_ECN_is_ce(ipv6_get_dsfield(ipv6_hdr(skb)));
	if (skb->dev->type == ARPHRD_ETHER && skb_mac_header_was_set(skb))
		cb.has_mac = skb_mac_header_len(skb) == ETH_HLEN;
	*RXE_SKB_CB(skb) = cb;
}

/* The VLAN is that of the address, by whatever way the packet came. */
static void rxe_rx_set_vlan(struct sk_buff *skb, const struct net_device *ndev)
{
	if (is_vlan_dev(ndev))
		RXE_SKB_CB(skb)->vlan = vlan_dev_vlan_id(ndev);
}

/* It may wait in an inbox: nothing of the stack's may wait with it. */
static void rxe_rx_detach(struct sk_buff *skb)
{
	skb_orphan(skb);
	skb_dst_drop(skb);
	skb->dev = NULL;
}

static bool rxe_rx_port_open(const struct net_device *ndev)
{
	return netif_running(ndev);
}

/* The device whose address the packet was sent to; NULL and why if none. */
static struct rxe_dev *rxe_rx_find_dev(struct sk_buff *skb, int ifindex, enum rxe_drop *why)
{
	struct net *net = dev_net(skb->dev);
	struct rxe_gid_entry *e;
	union ib_gid sgid, dgid;
	struct rxe_dev *dev;

	*why = RXE_DROP_NONE;
	if (unlikely(rxe_rx_is_mcast(skb))) {
		rxe_rx_set_vlan(skb, skb->dev);
		dev = rxe_dev_of_netdev(skb->dev);
		*why = dev ? RXE_DROP_NONE : RXE_DROP_GID;
		return dev;
	}
	rxe_rx_gids(skb, &sgid, &dgid);
	e = rxe_gid_find_ifindex(net, &dgid, ifindex);
	if (unlikely(!e)) {
		*why = RXE_DROP_GID;
		return rxe_dev_of_netdev(skb->dev);
	}
	rxe_rx_set_vlan(skb, e->ndev);
	if (unlikely(!rxe_rx_port_open(e->ndev)))
		*why = RXE_DROP_PORT;
	return e->dev;
}

/* Of link-local traffic to ourselves lo is the device but not the scope. */
static int rxe_rx_ifindex(const struct sk_buff *skb)
{
	if (IS_ENABLED(CONFIG_IPV6) && ip_hdr(skb)->version == 6)
		return inet6_iif(skb);
	return skb->dev->ifindex;
}

static void rxe_rx_wire(struct sk_buff *skb)
{
	int ifindex = rxe_rx_ifindex(skb);	/* in the part of cb used next */
	struct rxe_dev *dev;
	enum rxe_drop why;

	rxe_rx_cb(skb, RXE_ROAD_WIRE);
	dev = rxe_rx_find_dev(skb, ifindex, &why);
	rxe_rx_detach(skb);
	if (likely(!why))
		rxe_rx_deliver(dev, skb);
	else
		rxe_rx_drop(dev, 0, skb, why);
}

static void rxe_rx_road(struct sk_buff *skb, struct rxe_dev *dev)
{
	bool open = rxe_rx_port_open(skb->dev);

	rxe_rx_cb(skb, RXE_ROAD_PACKET);
	rxe_rx_set_vlan(skb, skb->dev);
	rxe_rx_detach(skb);
	if (likely(open))
		rxe_rx_deliver(dev, skb);
	else
		rxe_rx_drop(dev, 0, skb, RXE_DROP_PORT);
}

/**
 * rxe_rx_packet() - a packet has come
 * @skb: at its UDP header; headers up to there are linear; its netdev is where
 *	 it came in, or that of the destination address; consumed
 * @dev: whose it is if that is known, which makes it one of the local road
 *
 * Context: BH off. What it brings about may run here: see rxe_kick().
 * Return: 0.
 */
int rxe_rx_packet(struct sk_buff *skb, struct rxe_dev *dev)
{
	rcu_read_lock();
	if (dev)
		rxe_rx_road(skb, dev);
	else
		rxe_rx_wire(skb);
	rcu_read_unlock();
	return 0;
}

void rxe_rx_local(struct rxe_dev *dev, struct sk_buff *skb)
{
	skb_pull(skb, skb_transport_offset(skb));
	rxe_rx_packet(skb, dev);
}

/* --- for the engines ---------------------------------------------------------------- */

/**
 * rxe_rx_decode() - a packet from an inbox, as a burst of one
 * @qp: the QP
 * @skb: the packet
 * @b: filled
 * @data: opened on its payload; to be closed by the caller
 *
 * The packet was checked at the door, so parsing it again finds the same.
 * Context: owner of the side it was queued for.
 */
void rxe_rx_decode(struct rxe_qp *qp, struct sk_buff *skb, struct rxe_burst *b,
		   struct rxe_iter *data)
{
	const struct rxe_skb_cb *cb = RXE_SKB_CB(skb);
	u8 buf[RXE_MAX_HDR_BYTES] __aligned(4);
	const struct rxe_opcode *op;
	unsigned int avail;
	const void *bth = rxe_rx_bth(skb, &avail, buf);

	memset(b, 0, sizeof(*b));
	if (WARN_ON_ONCE(!bth || rxe_pkt_parse(&b->pkt, bth, avail, cb->len)))
		return;
	op = &rxe_opcodes[b->pkt.opcode];
	b->msg = op->msg;
	b->starts = op->flags & RXE_OP_FIRST;
	b->ends = op->flags & RXE_OP_LAST;
	b->via = cb->via;
	b->npkts = 1;
	b->len = b->pkt.payload;
	b->skb = skb;
	b->data = data;
	rxe_iter_skb(data, skb, cb->off + op->hdr_bytes, b->len);
}
