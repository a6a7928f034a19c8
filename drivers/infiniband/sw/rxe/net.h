/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses and packets: av.c, gid.c, netdev.c, tx.c, rx.c, mcast.c.
 */
#ifndef RXE_NET_H
#define RXE_NET_H

/**
 * struct rxe_path - where packets of a QP or AH go; plain data, copied freely
 * @sgid: what stood in entry @sgid_index; if that holds something else now, the
 *	  address is looked for anew, and the packet is dropped if there is none;
 *	  IPv4 as ::ffff:a.b.c.d
 * @dgid: the peer's
 * @flow_label: of the GRH
 * @sgid_index: entry of the device's GID table
 * @ipv4: both are IPv4
 * @tclass: of the GRH
 * @hop_limit: of the GRH
 * @dmac: the next hop, as the core resolved it or a user gave it
 */
struct rxe_path {
	union ib_gid sgid;
	union ib_gid dgid;
	u32 flow_label;
	u16 sgid_index;
	u8 ipv4;
	u8 tclass;
	u8 hop_limit;
	u8 dmac[ETH_ALEN];
};

/* A route in use by one side; owned by it.  One entry, keyed by the path. */
struct rxe_route {
	struct dst_entry *dst;
	u32 cookie;
	union ib_gid sgid;
	union ib_gid dgid;
	u32 flow_label;
	u8 tclass;
};

/* av.c */
struct rxe_ah {
	struct ib_ah ib;
	u32 num;			/* in dev->ahs; what a UD WQE names it by */
};

int rxe_path_from_attr(struct rxe_dev *dev, const struct rdma_ah_attr *attr,
		       struct rxe_path *path);
void rxe_path_to_attr(const struct rxe_path *path, struct rdma_ah_attr *attr);
/* The AH of a UD WQE: copies its path under RCU. PD must match. 0 or -EINVAL. */
int rxe_ah_path(struct rxe_qp *qp, u32 ah_num, struct rxe_path *path);
/* Path from the rxe_av a library of old writes into the WQE (ah_num 0). */
int rxe_path_from_user_av(struct rxe_dev *dev, const struct rxe_av *av, struct rxe_path *path);
int rxe_create_ah(struct ib_ah *ib, struct rdma_ah_init_attr *init, struct ib_udata *udata);
int rxe_modify_ah(struct ib_ah *ib, struct rdma_ah_attr *attr);
int rxe_query_ah(struct ib_ah *ib, struct rdma_ah_attr *attr);
int rxe_destroy_ah(struct ib_ah *ib, u32 flags);

/**
 * struct rxe_gid_entry - a GID of one of our devices, in a hash over all of them
 * @node: in the hash
 * @gid: the address
 * @dev: whose GID it is
 * @ndev: the netdev whose address it is (a VLAN, bond, ... above the bound
 *	  one, perhaps), held; put after a grace period from del_gid
 * @tracker: of @ndev's reference
 * @net: namespace of @ndev
 * @index: in the device's GID table
 * @rcu: frees it
 *
 * Keyed by (net, gid, and for link-local addresses ndev).  RCU.
 */
struct rxe_gid_entry {
	struct hlist_node node;
	union ib_gid gid;
	struct rxe_dev *dev;
	struct net_device *ndev;
	netdevice_tracker tracker;
	struct net *net;
	u16 index;
	struct rcu_head rcu;
};

/* gid.c: which addresses are ours; found under RCU */
struct rxe_gid_entry *rxe_gid_find(struct net *net, const union ib_gid *gid,
				   const struct net_device *ndev);
struct rxe_gid_entry *rxe_gid_find_ifindex(struct net *net, const union ib_gid *gid, int ifindex);
struct rxe_gid_entry *rxe_gid_of_path(struct rxe_dev *dev, const struct rxe_path *path);
int rxe_add_gid(const struct ib_gid_attr *attr, void **context);
int rxe_del_gid(const struct ib_gid_attr *attr, void **context);

/* netdev.c: sockets of a namespace, events of netdevs */
int rxe_netdev_init(void);
void rxe_netdev_exit(void);
struct rxe_ns *rxe_ns_get(struct net *net);	/* may sleep; error pointer */
void rxe_ns_put(struct rxe_ns *ns);		/* may sleep */
struct sock *rxe_ns_sk(struct rxe_ns *ns, bool ipv4);	/* RCU; may be NULL */

/* tx.c: packets out */
/* Build the packets of a burst and send them; by the owner of the side of @route. */
int rxe_tx_burst(struct rxe_qp *qp, struct rxe_route *route, const struct rxe_path *path,
		 struct rxe_burst *b);
void rxe_route_drop(struct rxe_route *route);
/* Is a tap listening where this path leaves? */
bool rxe_tx_tapped(struct rxe_dev *dev, const struct rxe_path *path);
/*
 * Bytes a burst has, or would have, as packets: BTH to ICRC; what sent_bytes
 * and rcvd_bytes count.
 */
u64 rxe_burst_bytes(const struct rxe_qp *qp, const struct rxe_burst *b);
void rxe_tx_exit(void);

/* Received packets: sk_buff.cb */
struct rxe_skb_cb {
	u16 off;		/* of the BTH from skb->data */
	u16 len;		/* BTH to ICRC, bytes */
	u8 via;			/* RXE_ROAD_WIRE or RXE_ROAD_PACKET */
	u8 ipv4;
	u8 ce;			/* congestion experienced */
	u8 has_mac;		/* there is an Ethernet header */
	u16 vlan;		/* id, or 0xffff */
};

#define RXE_SKB_CB(skb) ((struct rxe_skb_cb *)(skb)->cb)

/* rx.c: packets in */
/* skb at the UDP header; consumed. */
int rxe_rx_packet(struct sk_buff *skb, struct rxe_dev *dev);
/*
 * A packet of the local road, skb at the IP header, skb->dev the netdev of the
 * destination address, for a QP of @dev; consumed. RCU.
 */
void rxe_rx_local(struct rxe_dev *dev, struct sk_buff *skb);
/* Decode a packet from an inbox into a burst of one packet; @data opened on its payload. */
void rxe_rx_decode(struct rxe_qp *qp, struct sk_buff *skb, struct rxe_burst *b,
		   struct rxe_iter *data);
/*
 * Hand a checked packet to one QP, which takes it or has it counted as dropped;
 * consumed. RCU.
 */
void rxe_rx_to_qp(struct rxe_dev *dev, u32 qpn, struct sk_buff *skb, const struct rxe_pkt *pkt);
bool rxe_rx_addr_ok(const struct rxe_qp *qp, const struct sk_buff *skb);
void rxe_rx_grh(const struct sk_buff *skb, u8 grh[RXE_GRH_BYTES]);
/* What a UD completion says besides: IB_WC_WITH_SMAC, _WITH_VLAN, network_hdr_type. */
void rxe_rx_wc(const struct sk_buff *skb, struct ib_wc *wc);

/* mcast.c */
/* A clone for each member; skb consumed. RCU. */
void rxe_mcast_deliver(struct rxe_dev *dev, const union ib_gid *mgid, struct sk_buff *skb,
		       const struct rxe_pkt *pkt);
bool rxe_mcast_joined(struct rxe_dev *dev, const union ib_gid *mgid);	/* RCU */
int rxe_attach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid);
int rxe_detach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid);

#endif /* RXE_NET_H */
