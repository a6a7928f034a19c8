/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Objects found by number, the device, its counters, and what has no state of
 * its own (ref.c, device.c, main.c, stats.c, verbs.c, mad.c, nl.c).
 */
#ifndef RXE_DEV_H
#define RXE_DEV_H

/**
 * struct rxe_ref - entry of a number table (QPN, key)
 * @count: references; the table's own is the first
 * @obj: what the number leads to
 * @done: of who waits in rxe_ref_wait()
 * @rcu: for who frees it
 *
 * ib_core frees its objects at once after destroy, so what RCU readers find
 * must be memory of our own: this.  A reader takes a reference with
 * rxe_ref_get(); destroy removes the number, drops the table's own reference
 * and waits, without a time limit, for the readers (it says so once in the log
 * after 10 s).
 */
struct rxe_ref {
	refcount_t count;
	void *obj;
	struct completion *done;
	struct rcu_head rcu;
};

void rxe_ref_init(struct rxe_ref *ref, void *obj);
bool rxe_ref_get(struct rxe_ref *ref);		/* under RCU */
void rxe_ref_put(struct rxe_ref *ref);		/* any context */
/* Drop the first reference, wait for the rest; may sleep. */
void rxe_ref_wait(struct rxe_ref *ref, const char *what, u32 id);

enum rxe_counter {	/* names and order of in-tree rxe first (stats.c) */
	RXE_CNT_SENT_PKTS,
	RXE_CNT_RCVD_PKTS,
	RXE_CNT_DUP_REQ,
	RXE_CNT_OUT_OF_SEQ_REQ,
	RXE_CNT_RCV_RNR,
	RXE_CNT_SND_RNR,
	RXE_CNT_RCV_SEQ_ERR,
	RXE_CNT_ACK_DEFERRED,
	RXE_CNT_RETRY_EXCEEDED,
	RXE_CNT_RNR_RETRY_EXCEEDED,
	RXE_CNT_COMP_RETRY,
	RXE_CNT_SEND_ERR,
	RXE_CNT_LINK_DOWNED,
	RXE_CNT_RDMA_SENDS,
	RXE_CNT_RDMA_RECVS,
	RXE_CNT_SENT_BYTES,
	RXE_CNT_RCVD_BYTES,
	RXE_CNT_DROP,		/* + enum rxe_drop */
	RXE_CNT_NUM = RXE_CNT_DROP + RXE_DROP_NUM,
};

struct rxe_stats {
	u64 cnt[RXE_CNT_NUM];
};

struct rxe_dev {
	struct ib_device ib;
	struct list_head list;		/* of all devices, RCU (device.c) */
	struct net_device *ndev;	/* bound netdev, held as long as the device lives */
	netdevice_tracker ndev_tracker;
	struct rxe_ns *ns;		/* sockets of ndev's namespace (netdev.c) */
	enum ib_mtu mtu;		/* active; follows the netdev */
	enum ib_port_state port_state;
	struct rxe_stats __percpu *stats;

	struct xarray qps;		/* QPN -> struct rxe_ref of a QP */
	u32 next_qpn;
	struct rxe_qp __rcu *gsi;	/* QPN 1 is in @qps as well */
	struct xarray keys;		/* key >> 8 -> struct rxe_mr, RCU */
	u32 next_key;
	struct xarray ahs;		/* ah_num -> struct rxe_av_entry, RCU */
	u32 next_ah;
	struct xarray srqs;		/* SRQ number, for restrack only */
	u32 next_srq;

	struct rxe_gid_entry __rcu **gids;	/* by GID table index, RCU */

	spinlock_t mcast_lock;		/* groups and members; BH safe */
	struct list_head mcast_groups;	/* struct rxe_mcast_group, RCU (mcast.c) */
	u32 num_mcast_groups;

	spinlock_t atomic_lock;		/* orders FLUSH and the like; atomics use cmpxchg */
};

static inline struct rxe_dev *rxe_dev(struct ib_device *ib)
{
	return container_of(ib, struct rxe_dev, ib);
}

void rxe_dev_set_mtu(struct rxe_dev *dev, unsigned int ndev_mtu);
void rxe_dev_port_update(struct rxe_dev *dev);
struct rxe_dev *rxe_dev_of_netdev(const struct net_device *ndev);	/* RCU */
int rxe_device_add(const char *name, struct net_device *ndev);
void rxe_dealloc_driver(struct ib_device *ib);
int rxe_enable_driver(struct ib_device *ib);
int rxe_query_device(struct ib_device *ib, struct ib_device_attr *attr, struct ib_udata *udata);
int rxe_query_port(struct ib_device *ib, u32 port, struct ib_port_attr *attr);

extern const struct ib_device_ops rxe_device_ops;	/* verbs.c */
extern struct rdma_link_ops rxe_link_ops;		/* main.c */
extern bool rxe_local;					/* main.c: parameter "local" */

/* stats.c */
static inline void rxe_count(struct rxe_dev *dev, unsigned int which, u64 n)
{
	this_cpu_add(dev->stats->cnt[which], n);
}

static inline void rxe_drop(struct rxe_dev *dev, enum rxe_drop why)
{
	rxe_count(dev, RXE_CNT_DROP + why, 1);
}

u64 rxe_count_read(struct rxe_dev *dev, unsigned int which);	/* sum over CPUs */
struct rdma_hw_stats *rxe_alloc_hw_port_stats(struct ib_device *ib, u32 port);
int rxe_get_hw_stats(struct ib_device *ib, struct rdma_hw_stats *stats, u32 port, int index);

struct rxe_pd {
	struct ib_pd ib;
};

static inline struct rxe_pd *rxe_pd(struct ib_pd *ib)
{
	return container_of(ib, struct rxe_pd, ib);
}

struct rxe_ucontext {
	struct ib_ucontext ib;
};

/* mad.c */
int rxe_process_mad(struct ib_device *ib, int flags, u32 port, const struct ib_wc *wc,
		    const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out,
		    size_t *out_size, u16 *out_pkey_index);

/* nl.c */
int rxe_fill_res_qp_entry(struct sk_buff *msg, struct ib_qp *ib);
int rxe_fill_res_cq_entry(struct sk_buff *msg, struct ib_cq *ib);
int rxe_fill_res_mr_entry(struct sk_buff *msg, struct ib_mr *ib);

#endif /* RXE_DEV_H */
