// SPDX-License-Identifier: GPL-2.0
/*
 * Packets out: a burst becomes packets, headers by hand and ICRC included, that
 * take the wire or, shown to taps, go straight to a device of this host.
 *
 * Nothing about a packet may outlive the module: no destructor, no callback, no
 * pointer to anything of ours.  What the stack drops is a loss like any other.
 */
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/unaligned.h>
#include <net/addrconf.h>
#include <net/inet_dscp.h>
#include <net/ip.h>
#include <net/ip6_route.h>
#include <net/ipv6.h>
#include <net/route.h>
#include <net/udp.h>

#include "rxe.h"
#include "trace.h"

/* --- memory of packets ------------------------------------------------------- */

/*
 * Pages that packets are cut from, a ring of them on each CPU.  A page whose
 * packets have all been freed when its turn comes is used again, so memory is
 * neither allocated nor zeroed per packet as long as no more than the ring is
 * under way.
 */
#define RXE_FRAG_ORDER	3
#define RXE_FRAG_BYTES	(PAGE_SIZE << RXE_FRAG_ORDER)
#define RXE_FRAG_PAGES	8
/* References taken at once; a page is renewed when they are used up. */
#define RXE_FRAG_REFS	1024

struct rxe_frag {
	struct page *page;
	unsigned int off;
	unsigned int refs;	/* ours: those not given to packets */
};

struct rxe_frags {
	struct rxe_frag frag[RXE_FRAG_PAGES];
	unsigned int cur;
};

static DEFINE_PER_CPU(struct rxe_frags, rxe_frags);	/* BH off */

/* Give up our references; is it ours alone, to be used again? */
static bool rxe_frag_is_free(struct rxe_frag *f)
{
	if (!f->page || !page_ref_sub_and_test(f->page, f->refs))
		return false;
	/* Reserve memory must not be kept. */
	if (likely(!page_is_pfmemalloc(f->page)))
		return true;
	set_page_count(f->page, 1);
	__free_pages(f->page, RXE_FRAG_ORDER);
	return false;
}

static bool rxe_frag_renew(struct rxe_frag *f)
{
	gfp_t gfp = GFP_ATOMIC | __GFP_COMP | __GFP_NOWARN | __GFP_NORETRY;

	if (!rxe_frag_is_free(f))
		f->page = alloc_pages(gfp, RXE_FRAG_ORDER);
	if (!f->page)
		return false;
	set_page_count(f->page, RXE_FRAG_REFS);
	f->refs = RXE_FRAG_REFS;
	f->off = 0;
	return true;
}

static void *rxe_frag_alloc(unsigned int size)
{
	struct rxe_frags *frags = this_cpu_ptr(&rxe_frags);
	struct rxe_frag *f = &frags->frag[frags->cur];
	void *p;

	if (!f->page || f->off + size > RXE_FRAG_BYTES || f->refs == 1) {
		frags->cur = (frags->cur + 1) % RXE_FRAG_PAGES;
		f = &frags->frag[frags->cur];
		if (!rxe_frag_renew(f))
			return NULL;
	}
	p = page_address(f->page) + f->off;
	f->off += size;
	f->refs--;
	return p;
}

/**
 * rxe_tx_exit() - give the pages back
 *
 * Context: no packets are built any more; some may still be in the stack, each
 * with a reference to its page.
 */
void rxe_tx_exit(void)
{
	unsigned int cpu, i;

	for_each_possible_cpu(cpu) {
		struct rxe_frag *f = per_cpu_ptr(&rxe_frags, cpu)->frag;

		for (i = 0; i < RXE_FRAG_PAGES; i++, f++)
			if (f->page)
				__page_frag_cache_drain(f->page, f->refs);
	}
}

/* A packet with @len bytes put; all of it linear, none of it zeroed. */
static struct sk_buff *rxe_tx_alloc(unsigned int headroom, unsigned int len)
{
	unsigned int size = SKB_DATA_ALIGN(headroom + len) +
			    SKB_DATA_ALIGN(sizeof(struct skb_shared_info));
	struct sk_buff *skb;
	void *p;

	p = rxe_frag_alloc(size);
	if (likely(p)) {
		skb = napi_build_skb(p, size);
		if (unlikely(!skb))
			page_frag_free(p);
	} else {
		skb = alloc_skb(headroom + len, GFP_ATOMIC | __GFP_NOWARN);
	}
	if (unlikely(!skb))
		return NULL;
	skb_reserve(skb, headroom);
	skb_put(skb, len);
	return skb;
}

/* --- where to ------------------------------------------------------------------ */

/**
 * struct rxe_out - what all packets of a burst have in common
 * @dev: the sender
 * @net: of @ndev
 * @ndev: of the source address
 * @peer: device that gets it on the local road ...
 * @peer_ndev: ... and the netdev of its address
 * @dst: route on the wire
 * @path: where to
 * @headroom: for link-layer headers
 * @ip_len: of the IP header, bytes
 * @mcast: @path leads to a group
 * @hdr: IP and UDP headers, without lengths
 */
struct rxe_out {
	struct rxe_dev *dev;
	struct net *net;
	struct net_device *ndev;
	struct rxe_dev *peer;
	struct net_device *peer_ndev;
	struct dst_entry *dst;
	const struct rxe_path *path;
	unsigned int headroom;
	unsigned int ip_len;
	bool mcast;
	u8 hdr[sizeof(struct ipv6hdr) + sizeof(struct udphdr)] __aligned(4);
};

static __be32 rxe_gid_v4(const union ib_gid *gid)
{
	return ((const struct in6_addr *)gid->raw)->s6_addr32[3];
}

static bool rxe_path_is_mcast(const struct rxe_path *path)
{
	if (path->ipv4)
		return ipv4_is_multicast(rxe_gid_v4(&path->dgid));
	return path->dgid.raw[0] == 0xff;
}

/**
 * rxe_route_drop() - forget a cached route
 * @route: the cache
 *
 * Context: owner of the side that has it.
 */
void rxe_route_drop(struct rxe_route *route)
{
	dst_release(route->dst);
	route->dst = NULL;
}

static bool rxe_route_fits(const struct rxe_route *route, const struct rxe_path *path)
{
	return route->flow_label == path->flow_label && route->tclass == path->tclass &&
	       !memcmp(&route->dgid, &path->dgid, sizeof(path->dgid)) &&
	       !memcmp(&route->sgid, &path->sgid, sizeof(path->sgid));
}

/*
 * Packets leave by the interface of their source address, even if the routing
 * table knows a better one.  An address of this host is an exception: only lo
 * leads there, unless it is the interface's own.
 */
static struct dst_entry *rxe_route4(const struct rxe_out *o, __be16 sport)
{
	struct flowi4 fl = {
		COMPAT_FL4_TOS(o->path->tclass),
		.flowi4_proto = IPPROTO_UDP,
		.saddr = rxe_gid_v4(&o->path->sgid),
		.daddr = rxe_gid_v4(&o->path->dgid),
		.fl4_sport = sport,
		.fl4_dport = htons(RXE_UDP_PORT),
	};
	struct rtable *rt;

	if (inet_addr_type(o->net, fl.daddr) != RTN_LOCAL)
		fl.flowi4_oif = o->ndev->ifindex;
	rt = ip_route_output_flow(o->net, &fl, NULL);
	return IS_ERR(rt) ? NULL : &rt->dst;
}

static struct dst_entry *rxe_route6(const struct rxe_out *o, __be16 sport)
{
	struct flowi6 fl = {
		.flowlabel = ip6_make_flowinfo(o->path->tclass,
					       htonl(o->path->flow_label)),
		.flowi6_proto = IPPROTO_UDP,
		.fl6_sport = sport,
		.fl6_dport = htons(RXE_UDP_PORT),
	};
	struct dst_entry *dst;

	/* With IPv6 off at boot there are GIDs of its form but no tables. */
	if (!IS_ENABLED(CONFIG_IPV6) || !ipv6_mod_enabled())
		return NULL;
	memcpy(&fl.saddr, o->path->sgid.raw, sizeof(fl.saddr));
	memcpy(&fl.daddr, o->path->dgid.raw, sizeof(fl.daddr));
	if (ipv6_addr_type(&fl.daddr) & (IPV6_ADDR_LINKLOCAL | IPV6_ADDR_MULTICAST) ||
	    !ipv6_chk_addr(o->net, &fl.daddr, NULL, 0))
		fl.flowi6_oif = o->ndev->ifindex;
	dst = ip6_dst_lookup_flow(o->net, NULL, &fl, NULL);
	if (IS_ERR(dst))
		return NULL;
	if (!dst->error)
		return dst;
	dst_release(dst);
	return NULL;
}

static int rxe_route_find(struct rxe_route *route, const struct rxe_out *o, __be16 sport)
{
	const struct rxe_path *path = o->path;

	rxe_route_drop(route);
	route->dst = path->ipv4 ? rxe_route4(o, sport) : rxe_route6(o, sport);
	if (!route->dst)
		return -EHOSTUNREACH;
	route->cookie = path->ipv4 ? 0 : rt6_get_cookie(dst_rt6_info(route->dst));
	route->sgid = path->sgid;
	route->dgid = path->dgid;
	route->flow_label = path->flow_label;
	route->tclass = path->tclass;
	return 0;
}

static int rxe_out_wire(struct rxe_out *o, struct rxe_route *route, __be16 sport)
{
	int err;

	if (!route->dst || !rxe_route_fits(route, o->path) ||
	    !dst_check(route->dst, route->cookie)) {
		err = rxe_route_find(route, o, sport);
		if (err)
			return err;
	}
	o->dst = route->dst;
	o->headroom = LL_RESERVED_SPACE(dst_dev(o->dst));
	o->mcast = rxe_path_is_mcast(o->path);
	return 0;
}

static int rxe_out_local(struct rxe_out *o)
{
	struct rxe_gid_entry *to = rxe_gid_find(o->net, &o->path->dgid, o->ndev);

	if (!to)
		return -EHOSTUNREACH;
	o->peer = to->dev;
	o->peer_ndev = to->ndev;
	o->headroom = LL_RESERVED_SPACE(o->ndev);
	return 0;
}

static void rxe_out_ip4(struct rxe_out *o)
{
	struct iphdr *iph = (struct iphdr *)o->hdr;

	/* The ID stays 0, as it may with DF set (RFC 6864). */
	*iph = (struct iphdr) {
		.version = IPVERSION,
		.ihl = sizeof(*iph) / 4,
		.tos = o->path->tclass,
		.frag_off = htons(IP_DF),
		.ttl = o->path->hop_limit ?: 1,
		.protocol = IPPROTO_UDP,
		.saddr = rxe_gid_v4(&o->path->sgid),
		.daddr = rxe_gid_v4(&o->path->dgid),
	};
	o->ip_len = sizeof(*iph);
}

static void rxe_out_ip6(struct rxe_out *o)
{
	struct ipv6hdr *ip6h = (struct ipv6hdr *)o->hdr;

	ip6_flow_hdr(ip6h, o->path->tclass, htonl(o->path->flow_label));
	ip6h->nexthdr = IPPROTO_UDP;
	ip6h->hop_limit = o->path->hop_limit ?: 1;
	memcpy(&ip6h->saddr, o->path->sgid.raw, sizeof(ip6h->saddr));
	memcpy(&ip6h->daddr, o->path->dgid.raw, sizeof(ip6h->daddr));
	o->ip_len = sizeof(*ip6h);
}

static void rxe_out_headers(struct rxe_out *o, __be16 sport)
{
	struct udphdr *udph;

	if (o->path->ipv4)
		rxe_out_ip4(o);
	else
		rxe_out_ip6(o);
	udph = (struct udphdr *)(o->hdr + o->ip_len);
	udph->source = sport;
	udph->dest = htons(RXE_UDP_PORT);
	udph->check = 0;	/* the ICRC covers more */
}

/* Port by which switches spread flows; a UD QP has as many as it has peers. */
static __be16 rxe_out_sport(const struct rxe_qp *qp, const struct rxe_path *path,
			    const struct rxe_burst *b)
{
	if (qp->transport == RXE_UD)
		return htons(rdma_get_udp_sport(path->flow_label, qp->ib.qp_num, b->pkt.dqpn));
	return htons(qp->sport);
}

static int rxe_out_init(struct rxe_out *o, struct rxe_qp *qp, struct rxe_route *route,
			const struct rxe_path *path, const struct rxe_burst *b)
{
	struct rxe_gid_entry *from = rxe_gid_of_path(qp->dev, path);
	__be16 sport = rxe_out_sport(qp, path, b);
	int err;

	if (!from)
		return -EHOSTUNREACH;
	o->dev = qp->dev;
	o->net = from->net;
	o->ndev = from->ndev;
	o->path = path;
	o->dst = NULL;
	o->mcast = false;
	err = b->via == RXE_ROAD_PACKET ? rxe_out_local(o) : rxe_out_wire(o, route, sport);
	if (!err)
		rxe_out_headers(o, sport);
	return err;
}

/* --- packets ------------------------------------------------------------------ */

static unsigned int rxe_burst_npkts(const struct rxe_burst *b)
{
	/* A READ request takes the PSNs of its answer. */
	return b->msg == RXE_MSG_READ ? 1 : b->npkts;
}

static u32 rxe_tx_payload(const struct rxe_qp *qp, const struct rxe_burst *b, unsigned int i,
			  int opcode)
{
	/* Of a READ request, @len is what its answer will have. */
	if (!(rxe_opcodes[opcode].flags & RXE_OP_PAYLOAD))
		return 0;
	if (b->npkts <= 1)
		return b->len;
	return min_t(u32, b->len - i * qp->mtu, qp->mtu);
}

/* Headers of packet @i of the burst. */
static bool rxe_tx_pkt(const struct rxe_qp *qp, const struct rxe_burst *b, unsigned int i,
		       struct rxe_pkt *pkt)
{
	bool first = b->starts && i == 0;
	bool last = b->ends && i == rxe_burst_npkts(b) - 1;
	int opcode = rxe_opcode_encode(qp->transport, b->msg, first, last);

	if (WARN_ON_ONCE(opcode < 0))
		return false;
	*pkt = b->pkt;
	pkt->opcode = opcode;
	pkt->psn = rxe_psn_add(b->pkt.psn, i);
	pkt->payload = rxe_tx_payload(qp, b, i, opcode);
	pkt->pad = -pkt->payload & 3;
	/* Asked of the message's end, and of the burst's last packet. */
	pkt->se &= last;
	pkt->ackreq &= i == rxe_burst_npkts(b) - 1;
	return true;
}

static unsigned int rxe_pkt_bytes(const struct rxe_pkt *pkt)
{
	return rxe_opcodes[pkt->opcode].hdr_bytes + pkt->payload + pkt->pad + RXE_ICRC_BYTES;
}

/**
 * rxe_burst_bytes() - bytes from BTH to ICRC of a burst's packets
 * @qp: the QP
 * @b: the burst
 *
 * For counters; the same whether the packets are made or not.
 */
u64 rxe_burst_bytes(const struct rxe_qp *qp, const struct rxe_burst *b)
{
	unsigned int i, n = rxe_burst_npkts(b);
	struct rxe_pkt pkt;
	u64 bytes;

	if (!n || !rxe_tx_pkt(qp, b, 0, &pkt))
		return 0;
	bytes = rxe_pkt_bytes(&pkt);
	if (n == 1)
		return bytes;
	/* What lies between the first and the last is all alike. */
	i = n - 1;
	if (rxe_tx_pkt(qp, b, i, &pkt))
		bytes += rxe_pkt_bytes(&pkt);
	if (n > 2 && rxe_tx_pkt(qp, b, 1, &pkt))
		bytes += (u64)(n - 2) * rxe_pkt_bytes(&pkt);
	return bytes;
}

static void rxe_tx_lengths(const struct rxe_out *o, void *ip, unsigned int udp_len)
{
	struct udphdr *udph = ip + o->ip_len;

	memcpy(ip, o->hdr, o->ip_len + sizeof(*udph));
	if (o->path->ipv4)
		((struct iphdr *)ip)->tot_len = htons(o->ip_len + udp_len);
	else
		((struct ipv6hdr *)ip)->payload_len = htons(udp_len);
	udph->len = htons(udp_len);
}

/* Write all of the packet from the IP header on; the payload is copied once. */
static int rxe_tx_fill(const struct rxe_out *o, void *ip, const struct rxe_pkt *pkt,
		       struct rxe_iter *data)
{
	void *bth = ip + o->ip_len + sizeof(struct udphdr);
	unsigned int hdr_bytes;
	__le32 icrc;
	void *p;
	u32 crc;
	int err;

	rxe_tx_lengths(o, ip, sizeof(struct udphdr) + rxe_pkt_bytes(pkt));
	hdr_bytes = rxe_pkt_build(pkt, bth);
	crc = rxe_icrc_start(ip, ip + o->ip_len, bth);
	crc = rxe_icrc_update(crc, bth + RXE_BTH_BYTES, hdr_bytes - RXE_BTH_BYTES);
	p = bth + hdr_bytes;
	if (pkt->payload) {
		err = rxe_iter_copy_crc(p, data, pkt->payload, &crc);
		if (err)
			return err;
		p += pkt->payload;
	}
	memset(p, 0, pkt->pad);
	crc = rxe_icrc_update(crc, p, pkt->pad);
	icrc = rxe_icrc_finish(crc);
	memcpy(p + pkt->pad, &icrc, sizeof(icrc));
	return 0;
}

static struct sk_buff *rxe_tx_build(const struct rxe_out *o, const struct rxe_pkt *pkt,
				    struct rxe_iter *data)
{
	unsigned int len = o->ip_len + sizeof(struct udphdr) + rxe_pkt_bytes(pkt);
	struct sk_buff *skb = rxe_tx_alloc(o->headroom, len);
	int err;

	if (!skb)
		return ERR_PTR(-ENOMEM);
	err = rxe_tx_fill(o, skb->data, pkt, data);
	if (err) {
		kfree_skb(skb);
		return ERR_PTR(err);
	}
	skb_reset_network_header(skb);
	skb_set_transport_header(skb, o->ip_len);
	skb->protocol = o->path->ipv4 ? htons(ETH_P_IP) : htons(ETH_P_IPV6);
	return skb;
}

/* --- roads ---------------------------------------------------------------------- */

/* Members on this host get the packet here, as the socket does not loop it back. */
static void rxe_tx_mcast_local(const struct rxe_out *o, const struct sk_buff *skb)
{
	struct sk_buff *copy;

	if (!rxe_mcast_joined(o->dev, &o->path->dgid))
		return;
	/* The stack goes on to write to the headers of the original. */
	copy = skb_copy(skb, GFP_ATOMIC);
	if (!copy) {
		rxe_drop(o->dev, RXE_DROP_NOMEM);
		return;
	}
	if (o->path->ipv4)
		ip_send_check(ip_hdr(copy));
	copy->dev = o->ndev;
	rxe_rx_local(o->dev, copy);
}

static void rxe_tx_wire(const struct rxe_out *o, struct sk_buff *skb)
{
	struct sock *sk = NULL;
	int err;

	if (o->mcast) {
		rxe_tx_mcast_local(o, skb);
		sk = rxe_ns_sk(o->dev->ns, o->path->ipv4);
	}
	skb->dev = dst_dev(o->dst);
	skb->priority = rt_tos2priority(o->path->tclass);
	/* The caller's side holds the route; the stack takes its own if it must. */
	skb_dst_set_noref(skb, o->dst);
	if (o->path->ipv4)
		err = ip_local_out(o->net, sk, skb);
	else
		err = ip6_local_out(o->net, sk, skb);
	if (unlikely(net_xmit_eval(err)))
		rxe_count(o->dev, RXE_CNT_SEND_ERR, 1);
}

/*
 * On lo, libpcap discards what goes out, since it comes in as well; so taps
 * there get it as incoming, for another host, which IP does not look at.
 */
static void rxe_tx_show_lo(struct net_device *ndev, struct sk_buff *skb)
{
	struct sk_buff *shown = skb_clone(skb, GFP_ATOMIC);

	if (!shown)
		return;
	skb_reset_mac_header(shown);
	skb_pull(shown, skb_network_offset(shown));
	shown->dev = ndev;
	shown->pkt_type = PACKET_OTHERHOST;
	netif_rx(shown);
}

/* Show a packet of the local road to who listens on the sender's interface. */
static void rxe_tx_show(const struct rxe_out *o, struct sk_buff *skb)
{
	struct net_device *ndev = o->ndev;
	int ll = dev_hard_header(skb, ndev, ntohs(skb->protocol), o->path->dmac,
				 ndev->dev_addr, skb->len);

	if (ll < 0)
		return;
	skb->dev = ndev;
	if (ndev->flags & IFF_LOOPBACK)
		rxe_tx_show_lo(ndev, skb);
	else
		dev_queue_xmit_nit(skb, ndev);
	skb_pull(skb, skb_network_offset(skb));
}

static void rxe_tx_local(const struct rxe_out *o, struct sk_buff *skb)
{
	if (o->path->ipv4)
		ip_send_check(ip_hdr(skb));
	if (dev_nit_active(o->ndev))
		rxe_tx_show(o, skb);
	skb->dev = o->peer_ndev;
	rxe_rx_local(o->peer, skb);
}

static int rxe_tx_one(struct rxe_qp *qp, const struct rxe_out *o, const struct rxe_burst *b,
		      unsigned int i)
{
	struct sk_buff *skb;
	struct rxe_pkt pkt;

	if (!rxe_tx_pkt(qp, b, i, &pkt))
		return -EINVAL;
	skb = rxe_tx_build(o, &pkt, b->data);
	if (IS_ERR(skb))
		return PTR_ERR(skb);
	trace_rxe_tx(qp->dev, qp->ib.qp_num, &pkt);
	if (o->dst)
		rxe_tx_wire(o, skb);
	else
		rxe_tx_local(o, skb);
	return 0;
}

/**
 * rxe_tx_burst() - build the packets of a burst and send them
 * @qp: sender
 * @route: route cache of the calling side
 * @path: where to
 * @b: the burst; its payload is read from @b->data
 *
 * Packets lost locally count as sent.
 *
 * Context: owner of the side, BH off.
 * Return: 0; -EHOSTUNREACH: no source address or route now (nothing sent);
 * -EAGAIN: an ODP page went, send the burst again; -ENOMEM: nothing or part
 * sent.
 */
int rxe_tx_burst(struct rxe_qp *qp, struct rxe_route *route, const struct rxe_path *path,
		 struct rxe_burst *b)
{
	unsigned int i, n = rxe_burst_npkts(b);
	struct rxe_out o;
	int err;

	rcu_read_lock();
	err = rxe_out_init(&o, qp, route, path, b);
	for (i = 0; !err && i < n; i++)
		err = rxe_tx_one(qp, &o, b, i);
	rcu_read_unlock();
	if (likely(!err)) {
		rxe_count(qp->dev, RXE_CNT_SENT_PKTS, n);
		rxe_count(qp->dev, RXE_CNT_SENT_BYTES, rxe_burst_bytes(qp, b));
	}
	return err;
}

/**
 * rxe_tx_tapped() - does someone capture where this path leaves?
 * @dev: the device
 * @path: the path
 *
 * Asked once per burst. Context: any.
 */
bool rxe_tx_tapped(struct rxe_dev *dev, const struct rxe_path *path)
{
	struct rxe_gid_entry *from;
	bool tapped;

	rcu_read_lock();
	from = rxe_gid_of_path(dev, path);
	tapped = from && dev_nit_active(from->ndev);
	rcu_read_unlock();
	return tapped;
}
