/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The objects of the provider and who may touch what.
 *
 * Prototypes stand under the name of the file that holds them, in the order in
 * which a work request travels; calls go downwards only, except through the
 * kick of a side (engine.c).
 */
#ifndef RXE_H
#define RXE_H

#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/refcount.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/dst.h>
#include <rdma/ib_verbs.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_addr.h>
#include <rdma/uverbs_ioctl.h>
#include <rdma/rdma_user_rxe.h>

#include "compat.h"
#include "wire.h"

struct rxe_dev;
struct rxe_qp;
struct rxe_mr;
struct rxe_pd;
struct rxe_ns;
struct rxe_iter;
struct rxe_burst;

#ifndef RXE_VERSION		/* the build may give a more precise one */
#define RXE_VERSION "0.1"
#endif

/* Limits announced to users (device.c) and used for bounds. */
enum {
	RXE_MAX_SGE		= 32,
	RXE_MAX_INLINE		= 512,		/* bytes */
	RXE_MAX_WR		= 1 << 20,
	RXE_MAX_CQE		= (1 << 22),
	RXE_MAX_SRQ_SGE		= 27,
	RXE_MAX_RD_ATOMIC	= 128,
	RXE_MAX_FAST_REG_PAGES	= 512,
	RXE_GID_TBL_LEN		= 1024,
	RXE_MIN_QPN		= 16,
	RXE_MAX_QPN		= (1 << 24) - 2,
	RXE_MAX_OBJ		= 1 << 20,
	RXE_MAX_MR		= (1 << 24) - 1,
	RXE_MAX_AH		= (1 << 20) - 1,
	RXE_MAX_MCAST_GRP	= 8192,
	RXE_MAX_MCAST_QP	= 1024,
	RXE_SEND_DEPTH		= 64,		/* send WQEs snapshotted at a time */
	RXE_SEND_CHUNK		= 8,		/* ... allocated this many at a time */
	RXE_INBOX_MAX		= 16384,	/* packets waiting for one side */
	RXE_BURST_BYTES		= 65536,	/* most payload of one burst */
	RXE_READ_PKTS		= 256,		/* most answer packets of one READ request of ours */
	RXE_VENDOR_ID		= 0xffffff,
};

/* --- ref.c: objects found by number --------------------------------------- */

/**
 * struct rxe_ref - entry of a number table (QPN, key)
 *
 * ib_core frees its objects at once after destroy, so what RCU readers find
 * must be memory of our own: this.  A reader takes a reference with
 * refcount_inc_not_zero(); destroy removes the number, drops the table's own
 * reference and waits, without a time limit, for the readers (it says so once
 * in the log after 10 s).  rxe_ref_kill() may sleep.
 */
struct rxe_ref {
	refcount_t count;
	void *obj;
	struct completion *done;	/* of who waits in rxe_ref_kill() */
	struct rcu_head rcu;
};

void rxe_ref_init(struct rxe_ref *ref, void *obj);
bool rxe_ref_get(struct rxe_ref *ref);		/* under RCU */
void rxe_ref_put(struct rxe_ref *ref);		/* any context */
void rxe_ref_wait(struct rxe_ref *ref, const char *what, u32 id);	/* drop the first reference, wait for the rest */

/* --- addresses --------------------------------------------------------------- */

/**
 * struct rxe_path - where packets of a QP or AH go; plain data, copied freely
 * @sgid_index: entry of the device's GID table ...
 * @sgid: ... and what stood there; an entry that holds something else now
 *	  is looked for anew, and the packet is dropped if there is none
 */
struct rxe_path {
	union ib_gid sgid;	/* IPv4 as ::ffff:a.b.c.d */
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

/**
 * struct rxe_gid_entry - a GID of one of our devices, in a hash over all of them
 * @ndev: the netdev whose address it is (a VLAN, bond, ... above the bound
 *	  one, perhaps), held; put after a grace period from del_gid
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

/* --- device -------------------------------------------------------------------- */

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

/* --- engine.c: sides ------------------------------------------------------------- */

/* Marks: why a side should run.  All of them in one word with the owner's bit. */
enum {
	RXE_MARK_POST	= BIT(0),	/* send WQEs posted */
	RXE_MARK_INBOX	= BIT(1),	/* packets in the inbox */
	RXE_MARK_TIMER	= BIT(2),	/* the QP's timer fired */
	RXE_MARK_STATE	= BIT(3),	/* QP state or attributes changed */
	RXE_MARK_WAITER	= BIT(4),	/* a sender is parked on this receive side */
	RXE_MARK_WAKE	= BIT(5),	/* a parked side may go on; a fault or an invalidation is through */
	RXE_MARK_WANTED	= BIT(6),	/* a process waits in rxe_side_own() */
	RXE_SIDE_OWNED	= BIT(31),	/* queued to run, or running, or owned by a process */
};

/**
 * struct rxe_side - the send or the receive half of a QP
 *
 * One owner at a time.  rxe_kick() sets marks and, if nobody owns the side,
 * runs it here and now (or queues it: see engine.c).  Ownership is given up in
 * one atomic step that fails while a mark is set, so that no mark is lost and
 * the side is not touched after it was let go.
 */
struct rxe_side {
	atomic_t state;
	bool is_rx;
	bool on_wire;			/* the owner's: what it sends passes through the IP stack */
	struct list_head node;		/* on a CPU's run list */
	struct llist_node irq_node;	/* kicked with interrupts off */
	struct work_struct work;	/* out of budget */
	struct llist_head inbox;	/* sk_buff.ll_node, newest first */
	atomic_t inbox_len;
	struct sk_buff_head todo;	/* taken from the inbox, in order; the owner's */
	atomic_t faults;		/* page faults waited for (mr_odp.c) */
	const struct rxe_odp *bad_odp;	/* one of them failed, for that MR ... */
	u64 bad_addr;			/* ... at that address */
};

/* What one turn may still use up. */
struct rxe_budget {
	int bytes;
	int packets;
	int free;			/* looks that do not ask for the time */
	u64 deadline;			/* local_clock() ns */
};

/* What a side says at the end of a turn. */
enum rxe_turn {
	RXE_IDLE,	/* nothing to do until a mark is set */
	RXE_MORE,	/* budget or share used up; go on soon */
	RXE_LATER,	/* waits for another CPU's burst to end: go on in a worker */
};

void rxe_side_init(struct rxe_side *side, bool is_rx);
void rxe_kick(struct rxe_side *side, u32 mark);		/* any context */
bool rxe_side_tryown(struct rxe_side *side);		/* only a running send side, of a receive side */
void rxe_side_release(struct rxe_side *side);		/* ... and back; what was marked is run */
void rxe_side_own(struct rxe_side *side);		/* may sleep */
bool rxe_side_tryown_waiting(struct rxe_side *side);	/* ... about to park there */
void rxe_side_close(struct rxe_side *side);		/* instead of disown, at destroy */
void rxe_side_disown(struct rxe_side *side);		/* may be followed by a run */
u32 rxe_side_marks(struct rxe_side *side);		/* owner: take all marks */
bool rxe_inbox_add(struct rxe_side *side, struct sk_buff *skb);	/* false: full; skb still the caller's */
struct sk_buff *rxe_inbox_peek(struct rxe_side *side);	/* owner */
void rxe_inbox_pop(struct rxe_side *side);		/* owner: drop what peek gave, freeing it */
void rxe_inbox_purge(struct rxe_side *side);		/* owner */
bool rxe_over_budget(struct rxe_budget *b);
struct rxe_iter *rxe_scratch_iter(unsigned int which);	/* this CPU's, for the engine frame under way */
int rxe_engine_init(void);
void rxe_engine_exit(void);

/* --- memory shared with users: mmap.c, ring.c, wqe.c, cq.c ------------------------- */

/**
 * struct rxe_shm - pages shared with one user process, or private to the kernel
 *
 * Reference counted, since a mapping may outlive the object.
 */
struct rxe_shm {
	struct rdma_user_mmap_entry entry;	/* only if user */
	struct page **pages;
	unsigned int npages;
	void *va;
	bool user;
};

/**
 * struct rxe_ring - a ring of rxe_queue_buf form
 * @index: our own index (consumer of SQ, RQ, SRQ; producer of a CQ); the copy
 *	   in the shared header is write-only for us
 */
struct rxe_ring {
	struct rxe_shm *shm;
	struct rxe_queue_buf *buf;
	u32 mask;			/* slots - 1, ours, not the shared one */
	u32 shift;			/* log2 of bytes per slot, ours */
	u32 index;			/* runs on; masked in the shared header only */
	u32 kernel_producer;		/* kernel users of SQ, RQ, SRQ: theirs; runs on */
	bool user;
};

struct rxe_shm *rxe_shm_alloc(struct ib_udata *udata, size_t size, struct mminfo *mi);
void rxe_shm_free(struct rxe_shm *shm);
int rxe_mmap(struct ib_ucontext *uctx, struct vm_area_struct *vma);
void rxe_mmap_free(struct rdma_user_mmap_entry *entry);

int rxe_ring_init(struct rxe_ring *ring, struct rxe_dev *dev, u32 slots_wanted, u32 slot_bytes,
		  struct ib_udata *udata, struct mminfo *mi);	/* capacity mask >= slots_wanted; GFP_KERNEL_ACCOUNT */
void rxe_ring_free(struct rxe_ring *ring);
u32 rxe_ring_filled(struct rxe_ring *ring);	/* SQ/RQ/SRQ: entries to consume; peer's index read once, masked */
void *rxe_ring_at(struct rxe_ring *ring, u32 offset);	/* slot of index + offset */
void rxe_ring_consume(struct rxe_ring *ring, u32 n);	/* advance and publish */
/* producer's half, for kernel users of SQ/RQ/SRQ; caller holds the queue's lock */
void *rxe_ring_produce_slot(struct rxe_ring *ring);	/* NULL: full */
void rxe_ring_produce(struct rxe_ring *ring);
void rxe_ring_reset(struct rxe_ring *ring);	/* QP to RESET */
void rxe_ring_copy(struct rxe_ring *to, const struct rxe_ring *from, u32 first, u32 n);	/* resize */

/* A receive WQE, copied and checked. */
struct rxe_rwr {
	u64 wr_id;
	u32 length;		/* sum of the SGEs */
	u32 num_sge;
	struct rxe_sge sge[];	/* max_recv_sge of the QP or SRQ */
};

enum rxe_swr_state {
	RXE_SWR_NEW,		/* not begun */
	RXE_SWR_SENDING,	/* part of it is sent */
	RXE_SWR_SENT,		/* all sent (or done locally); waits for its answer */
	RXE_SWR_DONE,		/* completed, waits for those before it */
};

/* A send WQE, copied, checked, private; the ring slot is not read again. */
struct rxe_swr {
	u64 wr_id;
	u32 opcode;		/* enum ib_wr_opcode */
	u32 flags;		/* IB_SEND_* */
	u8 state;		/* enum rxe_swr_state */
	u8 status;		/* enum ib_wc_status: found bad at the snapshot, or failed later */
	u8 msg;			/* enum rxe_msg; NONE for local operations */
	bool inline_data;
	u16 num_sge;
	u32 length;		/* bytes of payload (READ: to be read) */
	u32 first_psn;
	u32 last_psn;
	u32 done;		/* READ: bytes received in order; RC request: bytes handed to a road */
	u32 ssn;
	__be32 imm;
	u32 inv_rkey;
	union {
		struct {
			u64 va;
			u32 rkey;
		} rdma;
		struct {
			u64 va;
			u32 rkey;
			u64 compare_add;
			u64 swap;
		} atomic;
		struct {
			u64 va;
			u32 rkey;
			u8 type;	/* placement type bits, IB_FLUSH_* as on the wire */
			u8 level;	/* selectivity: 0 range, 1 MR */
		} flush;
		struct {
			struct rxe_path path;
			u32 qpn;
			u32 qkey;
			u16 pkey_index;
		} ud;
		struct {
			u64 addr;
			u64 length;
			u32 mr_lkey;
			u32 mw_rkey;	/* present key */
			u32 rkey;	/* new key */
			u32 access;
		} mw;
		struct {
			struct rxe_mr *mr;
			u32 key;
			u32 access;
		} reg;
	};
	union {
		DECLARE_FLEX_ARRAY(struct rxe_sge, sge);	/* num_sge */
		DECLARE_FLEX_ARRAY(u8, inl);			/* length */
		DECLARE_FLEX_ARRAY(__le64, atomic_wr);		/* ATOMIC WRITE: 8 bytes as given */
	};
};

/* wqe.c: bytes of a struct rxe_swr with its SGEs or inline data */
size_t rxe_swr_bytes(u32 max_sge, u32 max_inline);
/* Copy and check the ring's entry at offset; sets @swr->status when it is bad. */
void rxe_swr_snapshot(struct rxe_qp *qp, u32 offset, struct rxe_swr *swr);
/* Kernel post: write one work request to the ring in the shared form. */
int rxe_swr_post(struct rxe_qp *qp, const struct ib_send_wr *wr);
/* Snapshot the next receive WQE and consume it. 0, -ENOENT: none, -EINVAL: bad (wr_id valid) */
int rxe_rwr_snapshot(struct rxe_ring *rq, u32 max_sge, struct rxe_rwr *rwr);
int rxe_rwr_post(struct rxe_ring *rq, u32 max_sge, const struct ib_recv_wr *wr);

struct rxe_cq {
	struct ib_cq ib;
	spinlock_t lock;		/* irqsave; ring, notify, state */
	struct rxe_ring ring;
	u32 consumed;			/* consumer's number; of a user: as last seen */
	u8 notify;			/* enum ib_cq_notify_flags, 0: not armed */
	bool dead;			/* overflown */
	struct mutex resize_mutex;	/* one resize at a time */
	struct tasklet_struct tasklet;	/* runs the handler */
	struct work_struct error_work;	/* IB_EVENT_CQ_ERR */
};

/* Add a completion. -EOVERFLOW: the CQ is in error (the QP must go to error). Any context. */
int rxe_cq_post(struct rxe_cq *cq, const struct ib_wc *wc, bool solicited);
int rxe_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr, struct uverbs_attr_bundle *attrs);
int rxe_destroy_cq(struct ib_cq *ib, struct ib_udata *udata);
int rxe_resize_cq(struct ib_cq *ib, unsigned int cqe, struct ib_udata *udata);
int rxe_poll_cq(struct ib_cq *ib, int num_entries, struct ib_wc *wc);
int rxe_peek_cq(struct ib_cq *ib, int wc_cnt);
int rxe_req_notify_cq(struct ib_cq *ib, enum ib_cq_notify_flags flags);

struct rxe_srq {
	struct ib_srq ib;
	struct rxe_dev *dev;
	spinlock_t lock;		/* irqsave; consumer half of the ring, limit */
	spinlock_t post_lock;		/* irqsave; kernel producers; taken before @lock */
	struct rxe_ring ring;
	u32 max_sge;
	u32 limit;			/* 0: disarmed */
	u32 num;
	struct mutex modify_mutex;	/* one resize at a time */
	struct work_struct limit_work;	/* IB_EVENT_SRQ_LIMIT_REACHED */
};

int rxe_srq_take(struct rxe_srq *srq, struct rxe_rwr *rwr);	/* as rxe_rwr_snapshot(); raises the limit event */
int rxe_create_srq(struct ib_srq *ib, struct ib_srq_init_attr *init, struct ib_udata *udata);
int rxe_modify_srq(struct ib_srq *ib, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		   struct ib_udata *udata);
int rxe_query_srq(struct ib_srq *ib, struct ib_srq_attr *attr);
int rxe_destroy_srq(struct ib_srq *ib, struct ib_udata *udata);
int rxe_post_srq_recv(struct ib_srq *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);

/* --- keys: mr.c, mr_odp.c, mw.c ------------------------------------------------------- */

enum rxe_mr_type {
	RXE_MR_DMA,	/* all of kernel memory; kernel users only */
	RXE_MR_USER,	/* pinned */
	RXE_MR_FAST,	/* IB_MR_TYPE_MEM_REG */
	RXE_MR_ODP,	/* not pinned, see mr_odp.c */
};

/**
 * struct rxe_map - where a registration's memory is
 * @blocks: kernel address of each block
 * @shift: log2 of bytes per block; a block is contiguous
 * @offset: of the first byte, from the start of the first block; ODP: its
 *	    address in the process
 */
struct rxe_map {
	void **blocks;
	u32 nblocks;
	u32 shift;
	u64 offset;
	struct ib_umem *umem;
	struct rxe_odp *odp;
};

/**
 * struct rxe_mr - what a key leads to: a memory region, or what a window shows of one
 * @ref: taken for a burst; all below may change only while it counts just the
 *	 table's reference and @valid is false (see rxe_mr_enter())
 * @pd: owner
 * @valid: false: free (fast registration), unbound (window), being destroyed
 * @key: present key
 * @waiter: side to be kicked when the last burst is through; holds its QP
 * @num_mw: windows bound to it; RXE_MW_FROZEN: none may be
 * @next: fast registration: what map_mr_sg() gave and REG_MR will take over
 * @is_mw: a window's: @ib is not used
 * @mw_type2: type 2B
 * @mw_qpn: type 2B: bound through that QP
 * @lock: window: bind and invalidate
 * @parent: window: MR it is bound to, which can't go before
 */
struct rxe_mr {
	struct ib_mr ib;
	struct rxe_ref ref;
	struct rxe_dev *dev;
	struct ib_pd *pd;
	u8 type;			/* enum rxe_mr_type */
	bool valid;
	bool is_mw;
	bool mw_type2;
	u32 key;
	u32 access;
	u64 iova;
	u64 length;
	struct rxe_map map;
	struct rxe_side *waiter;

	atomic_t num_mw;
	u32 max_blocks;			/* fast registration */
	struct rxe_map next;

	spinlock_t lock;		/* BH */
	u32 mw_qpn;
	struct rxe_mr *parent;
};

struct rxe_mw {
	struct ib_mw ib;
	struct rxe_mr *mr;		/* outlives this by a grace period */
};

#define RXE_ACCESS_REMOTE	(IB_ACCESS_REMOTE_READ | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_ATOMIC)
#define RXE_ACCESS_FLUSH	(IB_ACCESS_FLUSH_GLOBAL | IB_ACCESS_FLUSH_PERSISTENT)

/**
 * rxe_mr_local() - the MR behind an lkey, for [addr, addr + len)
 * @access: IB_ACCESS_LOCAL_WRITE or 0
 *
 * Return: the MR with a reference, to be put with rxe_mr_put(), or an error
 * pointer: -EACCES (key, PD, bounds or right).  Zero length is the caller's
 * business (needs no key).
 */
struct rxe_mr *rxe_mr_local(struct rxe_dev *dev, struct rxe_pd *pd, u32 lkey, u64 addr, u64 len, int access);
/* The MR behind an rkey, of an MR or a window, for a peer's access through @qp. @len 0: key and rights only. */
struct rxe_mr *rxe_mr_remote(struct rxe_qp *qp, u32 rkey, u64 va, u64 len, int access);
void rxe_mr_put(struct rxe_mr *mr);
/* Address and contiguous length in the MR at va; MR is not ODP. Checked range only. */
void *rxe_mr_at(struct rxe_mr *mr, u64 va, u64 *contig);
/* FLUSH (Annex A19) of a checked range, or all. */
void rxe_mr_flush(struct rxe_mr *mr, u64 va, u64 len, bool whole, bool persistent);

/* Take a key away: LOCAL_INV (@remote false) and SEND with invalidate.
 * 0: gone and unused; -EAGAIN: gone, a burst still uses it: call again, the
 * QP's send (@remote: receive) side is kicked with WAKE; other: refused.
 */
int rxe_key_invalidate(struct rxe_qp *qp, u32 key, bool remote);
int rxe_mr_fast_reg(struct rxe_qp *qp, struct rxe_mr *mr, u32 key, u32 access);	/* REG_MR; -EAGAIN as above */
int rxe_mw_bind(struct rxe_qp *qp, struct rxe_swr *swr);			/* BIND_MW; -EAGAIN as above */

/* mr.c for mw.c, iter.c and mr_odp.c */
int rxe_key_alloc(struct rxe_mr *mr);		/* a number and a random low byte */
void rxe_key_remove(struct rxe_mr *mr);
struct rxe_mr *rxe_mr_enter(struct rxe_dev *dev, u32 key);
bool rxe_mr_leave(struct rxe_mr *mr, unsigned int own, struct rxe_qp *qp, bool rx);
void rxe_mr_gone(struct rxe_mr *mr, const char *what);
bool rxe_mr_covers(const struct rxe_mr *mr, u64 va, u64 len);

/* verbs */
struct ib_mr *rxe_get_dma_mr(struct ib_pd *pd, int access);
struct ib_mr *rxe_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access,
			      struct ib_dmah *dmah, struct ib_udata *udata);
struct ib_mr *rxe_rereg_user_mr(struct ib_mr *ib, int flags, u64 start, u64 length, u64 iova,
				int access, struct ib_pd *pd, struct ib_udata *udata);
int rxe_dereg_mr(struct ib_mr *ib, struct ib_udata *udata);
struct ib_mr *rxe_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_num_sg);
int rxe_map_mr_sg(struct ib_mr *ib, struct scatterlist *sgl, int nents, unsigned int *offset);
int rxe_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		  struct ib_sge *sge, u32 num_sge, struct uverbs_attr_bundle *attrs);
int rxe_alloc_mw(struct ib_mw *ib, struct ib_udata *udata);
int rxe_dealloc_mw(struct ib_mw *ib);
int rxe_mw_invalidate(struct rxe_qp *qp, struct rxe_mr *mw, bool remote);

/* mr_odp.c */
int rxe_odp_init(void);
void rxe_odp_exit(void);
int rxe_odp_create(struct rxe_map *map, struct rxe_dev *dev, u64 start, u64 length, int access);
void rxe_odp_destroy(struct rxe_odp *odp);
int rxe_odp_ready(struct rxe_odp *odp, struct rxe_qp *qp, struct rxe_side *side, u64 addr, u64 len, bool write);
void rxe_odp_lock_slow(struct rxe_odp *a, struct rxe_odp *b);
void rxe_odp_unlock_slow(struct rxe_odp *a, struct rxe_odp *b);
/* Keep the pages of up to two of them where they are. Either may be NULL. */
static inline void rxe_odp_lock(struct rxe_odp *a, struct rxe_odp *b)
{
	if (unlikely(a || b))
		rxe_odp_lock_slow(a, b);
}

static inline void rxe_odp_unlock(struct rxe_odp *a, struct rxe_odp *b)
{
	if (unlikely(a || b))
		rxe_odp_unlock_slow(a, b);
}

void *rxe_odp_at(struct rxe_odp *odp, u64 addr, bool write);

struct rxe_pd {
	struct ib_pd ib;
};

struct rxe_ucontext {
	struct ib_ucontext ib;
};

struct rxe_ah {
	struct ib_ah ib;
	u32 num;			/* in dev->ahs; what a UD WQE names it by */
};

/* --- iter.c: cursors over bytes ---------------------------------------------------------- */

enum rxe_iter_kind {
	RXE_ITER_NONE,
	RXE_ITER_SGE,		/* SGEs of a WQE, each through its MR */
	RXE_ITER_MR,		/* a range of one MR: what a peer named */
	RXE_ITER_LINEAR,	/* kernel memory */
	RXE_ITER_SKB,		/* payload of a packet, paged or not */
};

/**
 * struct rxe_iter - a cursor over bytes in memory
 *
 * Opened by one of rxe_iter_*(), which looks up and checks all keys it needs
 * and holds the MRs until rxe_iter_close(): never across a wait.
 */
struct rxe_iter {
	u8 kind;		/* enum rxe_iter_kind */
	u8 nmr;			/* entries of @mr in use; some may be NULL */
	u8 first;		/* SGE of mr[0] */
	u8 cur;			/* SGE */
	bool write;
	u32 left;		/* bytes */
	u32 avail;		/* of them contiguous at @ptr; 0: to be found */
	u64 pos;		/* offset in SGE, or va in MR, or offset in skb */
	void *ptr;
	struct rxe_odp *odp;	/* @ptr is an address in the process of this ... */
	const struct rxe_sge *sge;
	struct sk_buff *skb;
	struct rxe_mr *mr[RXE_MAX_SGE];
};

/* Bytes [skip, skip + len) of the SGEs. 0, -EACCES, -EAGAIN (pages missing: @side is kicked with WAKE). */
int rxe_iter_sges(struct rxe_iter *it, struct rxe_qp *qp, struct rxe_side *side, const struct rxe_sge *sge,
		  u32 num_sge, u32 skip, u32 len, int access);
/* A peer's range; 0, -EACCES, -EAGAIN. */
int rxe_iter_remote(struct rxe_iter *it, struct rxe_qp *qp, struct rxe_side *side, u32 rkey, u64 va, u32 len,
		    int access);
void rxe_iter_linear(struct rxe_iter *it, void *p, u32 len);
void rxe_iter_skb(struct rxe_iter *it, struct sk_buff *skb, u32 off, u32 len);
void rxe_iter_close(struct rxe_iter *it);
/* Copy len bytes; both advance. 0 or -EAGAIN (an ODP page went: do the burst again).
 * Aligned pieces of 2, 4, 8 bytes are single stores; the last 8 bytes come last.
 */
int rxe_iter_copy(struct rxe_iter *dst, struct rxe_iter *src, u32 len);
/* Eight aligned bytes at the cursor, atomically; the value before in *orig. 0 or -EAGAIN. */
int rxe_iter_cmp_swap(struct rxe_iter *it, u64 compare, u64 swap, u64 *orig);
int rxe_iter_fetch_add(struct rxe_iter *it, u64 add, u64 *orig);
/* Copy to a packet being built, with the ICRC of what was copied. */
int rxe_iter_copy_crc(void *dst, struct rxe_iter *src, u32 len, u32 *crc);

/* --- QP ------------------------------------------------------------------------------------ */

/* What the requester waits for; shown by rdma resource show qp -dd. */
enum rxe_wait {
	RXE_WAIT_NONE,		/* nothing to send */
	RXE_WAIT_PSN,		/* window full */
	RXE_WAIT_RD_ATOMIC,
	RXE_WAIT_FENCE,
	RXE_WAIT_RNR,
	RXE_WAIT_DRAIN,		/* SQD */
	RXE_WAIT_PEER,		/* parked on a busy receive side */
	RXE_WAIT_FAULT,		/* ODP */
	RXE_WAIT_KEY,		/* an invalidated key is still in use */
	RXE_WAIT_ROAD,		/* change of road: unacknowledged first */
	RXE_WAIT_ROUTE,		/* no route or address now: the timer tries again */
};

/* The send side: requester and completer.  All of it is the side owner's. */
struct rxe_send {
	struct rxe_side side;
	struct rxe_ring ring;
	spinlock_t post_lock;		/* irqsave; kernel producers only */

	/* snapshots: a window [tail, head) of WQE sequence numbers */
	struct rxe_swr **chunk;		/* RXE_SEND_DEPTH / RXE_SEND_CHUNK pointers */
	u32 swr_bytes;
	u32 tail;			/* oldest not completed */
	u32 next;			/* being sent, or next to be */
	u32 head;			/* next to be snapshotted */

	u32 psn;			/* of the next packet to send: the cursor, in WQE @next */
	u32 psn_high;			/* of the next packet never sent; @psn is before it while resending */
	u32 una;			/* oldest unacknowledged */
	u32 ssn;
	u32 msn_seen;			/* of the last AETH, for credits */
	u32 credit_limit;		/* SSN limit by credits; ~0: none */
	u32 cwnd;			/* packets */
	u32 cwnd_acked;
	u32 rd_atomic;			/* outstanding READ/atomic */
	u8 wait;			/* enum rxe_wait */
	u8 road;			/* enum rxe_road in use */
	u8 retry_left;
	u8 rnr_left;
	bool gap;			/* answered an out-of-order response by going back once */
	bool draining;			/* SQD asked for SQ_DRAINED */
	struct rxe_route route;

	u64 retry_at;			/* deadlines, ktime ns; 0: none */
	u64 rnr_at;
	u64 idle_at;			/* give back snapshot memory */
	u32 backoff;			/* timeouts in a row */

	struct rxe_qp *parked_on;	/* reference held */
	struct list_head park_node;	/* under parked_on->rx.park_lock */

	u64 n_sent, n_retry, n_rnr, n_timeout, n_seq_nak;	/* for rdma statistic qp */
};

/* Replay record of one READ, atomic, FLUSH or ATOMIC WRITE (resp_replay.c). */
struct rxe_replay {
	u8 msg;
	u32 first_psn;
	u32 last_psn;
	u64 va;			/* READ */
	u32 rkey;
	u32 length;
	u32 msn;
	u64 orig;		/* atomic */
};

/* The receive side: the responder. All of it is the side owner's. */
struct rxe_recv {
	struct rxe_side side;
	struct rxe_ring ring;		/* unless SRQ */
	spinlock_t post_lock;		/* irqsave; kernel producers only */
	u32 max_sge;

	u32 psn;			/* expected */
	u32 msn;
	bool nak_sent;			/* a sequence NAK is out */
	bool drop_msg;			/* UC: until the next First or Only */
	u8 msg;				/* message under way, RXE_MSG_NONE: none */
	u32 msg_len;			/* bytes received of it */
	u64 va;				/* WRITE under way: next address ... */
	u32 rkey;
	u32 resid;			/* ... and bytes to come */
	bool have_rwr;
	struct rxe_rwr *rwr;

	struct rxe_replay *replay;	/* ring of max_dest_rd_atomic */
	u32 replay_size;
	u32 replay_head;
	bool reading;			/* a READ is being answered by packets: */
	bool read_first;		/* its next packet is a First or Only */
	bool read_dup;			/* it was asked for before */
	u8 read_via;
	struct rxe_replay read;		/* what is still to be sent of it */

	bool ack_due;			/* a plain acknowledgement of @psn - 1, at the end of the turn */
	u8 ack_via;
	u8 error;			/* enum ib_wc_status for the receive in use, with a NAK */
	bool comm_est;
	bool last_wqe;			/* LAST_WQE_REACHED was raised */
	struct rxe_route route;

	spinlock_t park_lock;		/* BH */
	struct list_head parked;	/* senders waiting for this side */
	bool closed;			/* being destroyed: nobody parks here */

	u64 flush_at;			/* ERR: next look at a user's ring */
	u32 flush_delay;

	u64 n_rcvd, n_dup, n_seq, n_rnr;	/* for rdma statistic qp */
};

struct rxe_qp {
	struct ib_qp ib;
	struct rxe_dev *dev;
	struct rxe_ref *ref;		/* in dev->qps */
	enum ib_qp_state state;		/* written with both sides owned; READ_ONCE elsewhere */
	bool user;
	bool sq_sig_all;
	u8 transport;			/* enum rxe_transport */
	u8 mtu_shift;
	u32 mtu;
	u16 pkey_index;
	u32 qkey;
	u32 dqpn;
	u16 sport;
	u32 max_inline;
	struct rxe_path path;		/* RC, UC */
	struct ib_qp_attr attr;		/* as last set, for query_qp; QP's mutex */
	struct mutex mutex;		/* modify and destroy */
	struct rxe_cq *scq;
	struct rxe_cq *rcq;
	struct rxe_srq *srq;

	struct hrtimer timer;		/* soft */
	spinlock_t timer_lock;		/* BH; timer_armed and the timer's start */
	u64 timer_armed;		/* its expiry, ns; 0: not armed */

	unsigned long events;		/* BIT(enum ib_event_type) to be raised */
	struct work_struct event_work;

	struct rxe_send tx;
	struct rxe_recv rx;
};

static inline struct rxe_qp *rxe_qp(struct ib_qp *ib) { return container_of(ib, struct rxe_qp, ib); }
static inline struct rxe_cq *rxe_cq(struct ib_cq *ib) { return container_of(ib, struct rxe_cq, ib); }
static inline struct rxe_srq *rxe_srq(struct ib_srq *ib) { return container_of(ib, struct rxe_srq, ib); }
static inline struct rxe_pd *rxe_pd(struct ib_pd *ib) { return container_of(ib, struct rxe_pd, ib); }
static inline struct rxe_mr *rxe_mr(struct ib_mr *ib) { return container_of(ib, struct rxe_mr, ib); }
static inline struct rxe_mw *rxe_mw(struct ib_mw *ib) { return container_of(ib, struct rxe_mw, ib); }

/* --- bursts: what requester, roads and responder hand each other ------------------------------ */

/* How packets come and go. */
enum rxe_road {
	RXE_ROAD_NONE,
	RXE_ROAD_WIRE,		/* through the IP stack */
	RXE_ROAD_PACKET,	/* local, as packets: shown to taps, then handed to the peer's inbox */
	RXE_ROAD_REF,		/* local, payload by reference */
};

/**
 * struct rxe_burst - consecutive packets of one message
 * @pkt: headers of the first packet; opcodes of all follow from @msg, @starts,
 *	 @ends and the transport (rxe_opcode_encode()); @pkt.ackreq is asked of the last
 * @npkts: packets, PSNs pkt.psn .. pkt.psn + npkts - 1 (READ request: one packet,
 *	   though its answer takes npkts PSNs)
 * @len: payload bytes over all packets
 * @data: where the payload is (NULL if @len is 0)
 */
struct rxe_burst {
	struct rxe_pkt pkt;
	u8 msg;
	bool starts;
	bool ends;
	u8 via;			/* enum rxe_road */
	u32 npkts;
	u32 len;
	struct rxe_iter *data;
	struct rxe_iter *sink;	/* READ by reference: where the answer goes */
	struct sk_buff *skb;	/* received: the packet (headers for GRH, addresses) */
	const struct rxe_path *path;	/* by reference: the sender's addresses */
};

/**
 * struct rxe_reply - a responder's answer to a burst by reference
 * @msg: RXE_MSG_ACK, RXE_MSG_ATOMIC_ACK, RXE_MSG_READ_RESP, or NONE (dropped)
 * @read: bytes placed in the sink
 */
struct rxe_reply {
	u8 msg;
	u8 syndrome;
	u32 psn;
	u32 msn;
	u64 orig;
	u32 read;
};

/* What the responder makes of a request (resp.c says what follows from each). */
enum rxe_verdict {
	RXE_V_OK,		/* executed; acknowledge if asked */
	RXE_V_ANSWER,		/* executed; the reply is filled */
	RXE_V_DUP,		/* SEND or WRITE seen before: acknowledge again */
	RXE_V_DROP,
	RXE_V_RNR,
	RXE_V_NAK_SEQ,
	RXE_V_NAK_INV,
	RXE_V_NAK_ACCESS,
	RXE_V_NAK_OP,
	RXE_V_WAIT,		/* pages are being fetched; the side is kicked then */
	RXE_V_LATER,		/* a key is still in use, or a page went: again soon */
};

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

/* qp.c */
struct rxe_qp *rxe_qp_get(struct rxe_dev *dev, u32 qpn);	/* under RCU; takes a reference */
void rxe_qp_put(struct rxe_qp *qp);
void rxe_qp_event(struct rxe_qp *qp, enum ib_event_type event);	/* any context; raised from a work item */
void rxe_qp_error(struct rxe_qp *qp);		/* owner of a side: QP to ERR, the other side is told */
int rxe_create_qp(struct ib_qp *ib, struct ib_qp_init_attr *init, struct ib_udata *udata);
int rxe_modify_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask, struct ib_udata *udata);
int rxe_query_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask, struct ib_qp_init_attr *init);
int rxe_destroy_qp(struct ib_qp *ib, struct ib_udata *udata);
int rxe_post_send(struct ib_qp *ib, const struct ib_send_wr *wr, const struct ib_send_wr **bad);
int rxe_post_recv(struct ib_qp *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);

/* req.c: requester */
enum rxe_turn rxe_tx_run(struct rxe_side *side, struct rxe_budget *budget);
struct rxe_swr *rxe_swr_at(struct rxe_send *tx, u32 seq);
bool rxe_swr_is_local(const struct rxe_swr *swr);
bool rxe_swr_is_rdatom(const struct rxe_swr *swr);

/* req_local.c: work requests that send nothing. -EAGAIN: not yet; otherwise swr->status is set */
int rxe_req_local(struct rxe_qp *qp, struct rxe_swr *swr);

/* retry.c: timer, window, going back */
void rxe_timer_setup(struct rxe_qp *qp);
void rxe_timer_update(struct rxe_qp *qp);
void rxe_tx_timer(struct rxe_qp *qp);
void rxe_retry_progress(struct rxe_qp *qp, u32 acked);
void rxe_retry_started(struct rxe_qp *qp);
void rxe_retry_rewind(struct rxe_qp *qp);
void rxe_retry_seq_nak(struct rxe_qp *qp);
void rxe_retry_rnr(struct rxe_qp *qp, u8 code);
void rxe_tx_reset(struct rxe_qp *qp);
void rxe_tx_idle(struct rxe_qp *qp);
void rxe_retry_alive(struct rxe_qp *qp);

/* local.c: the road that needs no wire */
enum rxe_road rxe_road_pick(struct rxe_qp *qp);
bool rxe_local_datagram(struct rxe_qp *qp, const struct rxe_path *path);
int rxe_local_send(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply);
void rxe_unpark(struct rxe_qp *qp);
void rxe_parked_wake(struct rxe_qp *qp);

/* comp.c: completer */
void rxe_comp_packet(struct rxe_qp *qp, struct rxe_burst *b);
void rxe_comp_reply(struct rxe_qp *qp, const struct rxe_reply *reply);
void rxe_comp_advance(struct rxe_qp *qp);
void rxe_comp_fail(struct rxe_qp *qp, struct rxe_swr *swr, enum ib_wc_status status);
bool rxe_comp_flush(struct rxe_qp *qp, struct rxe_budget *budget);

/* resp.c: responder */
enum rxe_turn rxe_rx_run(struct rxe_side *side, struct rxe_budget *budget);
enum rxe_verdict rxe_resp_ref(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply);
void rxe_resp_post(struct rxe_qp *qp, struct ib_wc *wc, bool solicited);
void rxe_rx_reset(struct rxe_qp *qp);

/* resp_exec.c: what requests do */
enum rxe_verdict rxe_exec(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply);
enum rxe_verdict rxe_exec_datagram(struct rxe_qp *qp, struct rxe_burst *b);
enum rxe_verdict rxe_resp_receive(struct rxe_qp *qp);

/* resp_replay.c: READ, and what must be answered the same twice */
struct rxe_replay *rxe_replay_new(struct rxe_recv *rx, const struct rxe_burst *b, u32 npkts);
enum rxe_verdict rxe_replay(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply);
enum rxe_verdict rxe_read_answer(struct rxe_qp *qp, const struct rxe_replay *rec, struct rxe_burst *b,
				 struct rxe_reply *reply, bool dup);
enum rxe_turn rxe_read_more(struct rxe_qp *qp, struct rxe_budget *budget);

/* av.c */
int rxe_path_from_attr(struct rxe_dev *dev, const struct rdma_ah_attr *attr, struct rxe_path *path);
void rxe_path_to_attr(const struct rxe_path *path, struct rdma_ah_attr *attr);
/* The AH of a UD WQE: copies its path under RCU. PD must match. 0 or -EINVAL. */
int rxe_ah_path(struct rxe_qp *qp, u32 ah_num, struct rxe_path *path);
/* Path from the rxe_av a library of old writes into the WQE (ah_num 0). */
int rxe_path_from_user_av(struct rxe_dev *dev, const struct rxe_av *av, struct rxe_path *path);

/* gid.c: which addresses are ours */
struct rxe_gid_entry *rxe_gid_find(struct net *net, const union ib_gid *gid, const struct net_device *ndev); /* RCU */
struct rxe_gid_entry *rxe_gid_find_ifindex(struct net *net, const union ib_gid *gid, int ifindex); /* RCU */
struct rxe_gid_entry *rxe_gid_of_path(struct rxe_dev *dev, const struct rxe_path *path);	/* RCU */
int rxe_add_gid(const struct ib_gid_attr *attr, void **context);
int rxe_del_gid(const struct ib_gid_attr *attr, void **context);

/* netdev.c: sockets of a namespace, events of netdevs */
int rxe_netdev_init(void);
void rxe_netdev_exit(void);
struct rxe_ns *rxe_ns_get(struct net *net);	/* may sleep; error pointer */
void rxe_ns_put(struct rxe_ns *ns);		/* may sleep */
struct sock *rxe_ns_sk(struct rxe_ns *ns, bool ipv4);	/* RCU; may be NULL */

/* device.c */
int rxe_device_add(const char *name, struct net_device *ndev);
void rxe_dev_set_mtu(struct rxe_dev *dev, unsigned int ndev_mtu);
void rxe_dev_port_update(struct rxe_dev *dev);
struct rxe_dev *rxe_dev_of_netdev(const struct net_device *ndev);	/* RCU */
void rxe_dealloc_driver(struct ib_device *ib);
int rxe_enable_driver(struct ib_device *ib);
extern const struct ib_device_ops rxe_device_ops;	/* verbs.c */
extern struct rdma_link_ops rxe_link_ops;		/* main.c */
extern bool rxe_local;		/* main.c: parameter "local" */
int rxe_query_device(struct ib_device *ib, struct ib_device_attr *attr, struct ib_udata *udata);
int rxe_query_port(struct ib_device *ib, u32 port, struct ib_port_attr *attr);

/* tx.c: packets out */
/**
 * rxe_tx_burst() - build the packets of a burst and send them
 * @route: route cache of the calling side; context: owner of that side, BH off
 *
 * Payload is read from @b->data. Packets lost locally count as sent.
 * Return: 0; -EHOSTUNREACH: no source address or route now (nothing sent);
 * -EAGAIN: an ODP page went, send the burst again; -ENOMEM: nothing or part sent.
 */
int rxe_tx_burst(struct rxe_qp *qp, struct rxe_route *route, const struct rxe_path *path, struct rxe_burst *b);
void rxe_route_drop(struct rxe_route *route);
/* Is a tap listening where this path leaves? */
bool rxe_tx_tapped(struct rxe_dev *dev, const struct rxe_path *path);
/* Bytes a burst has, or would have, as packets: BTH to ICRC; what sent_bytes and rcvd_bytes count. */
u64 rxe_burst_bytes(const struct rxe_qp *qp, const struct rxe_burst *b);
void rxe_tx_exit(void);

/* rx.c: packets in */
int rxe_rx_packet(struct sk_buff *skb, struct rxe_dev *dev);	/* skb at the UDP header; consumes it */
/* A packet of the local road, skb at the IP header, skb->dev the netdev of the
 * destination address, for a QP of @dev; consumed. RCU.
 */
void rxe_rx_local(struct rxe_dev *dev, struct sk_buff *skb);
/* Decode a packet from an inbox into a burst of one packet; data iter opened on its payload. */
void rxe_rx_decode(struct rxe_qp *qp, struct sk_buff *skb, struct rxe_burst *b, struct rxe_iter *data);
/* Hand a checked packet to one QP, which takes it or has it counted as dropped; consumed. RCU. */
void rxe_rx_to_qp(struct rxe_dev *dev, u32 qpn, struct sk_buff *skb, const struct rxe_pkt *pkt);
bool rxe_rx_addr_ok(const struct rxe_qp *qp, const struct sk_buff *skb);
void rxe_rx_grh(const struct sk_buff *skb, u8 grh[RXE_GRH_BYTES]);
/* What a UD completion says besides: IB_WC_WITH_SMAC, _WITH_VLAN, network_hdr_type. */
void rxe_rx_wc(const struct sk_buff *skb, struct ib_wc *wc);

/* mcast.c */
void rxe_mcast_deliver(struct rxe_dev *dev, const union ib_gid *mgid, struct sk_buff *skb,
		       const struct rxe_pkt *pkt);	/* a clone for each member; skb consumed; RCU */
bool rxe_mcast_joined(struct rxe_dev *dev, const union ib_gid *mgid);	/* RCU */
int rxe_attach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid);
int rxe_detach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid);

/* av.c */
int rxe_create_ah(struct ib_ah *ib, struct rdma_ah_init_attr *init, struct ib_udata *udata);
int rxe_modify_ah(struct ib_ah *ib, struct rdma_ah_attr *attr);
int rxe_query_ah(struct ib_ah *ib, struct rdma_ah_attr *attr);
int rxe_destroy_ah(struct ib_ah *ib, u32 flags);

/* mad.c */
int rxe_process_mad(struct ib_device *ib, int flags, u32 port, const struct ib_wc *wc,
		    const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out,
		    size_t *out_size, u16 *out_pkey_index);

/* nl.c */
int rxe_fill_res_qp_entry(struct sk_buff *msg, struct ib_qp *ib);
int rxe_fill_res_cq_entry(struct sk_buff *msg, struct ib_cq *ib);
int rxe_fill_res_mr_entry(struct sk_buff *msg, struct ib_mr *ib);

/* cq.c, srq.c, mr.c, mw.c, mmap.c: what the table of verbs.c names */
int rxe_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr, struct uverbs_attr_bundle *attrs);
int rxe_destroy_cq(struct ib_cq *ib, struct ib_udata *udata);
int rxe_resize_cq(struct ib_cq *ib, unsigned int cqe, struct ib_udata *udata);
int rxe_poll_cq(struct ib_cq *ib, int num, struct ib_wc *wc);
int rxe_peek_cq(struct ib_cq *ib, int cnt);
int rxe_req_notify_cq(struct ib_cq *ib, enum ib_cq_notify_flags flags);
int rxe_create_srq(struct ib_srq *ib, struct ib_srq_init_attr *init, struct ib_udata *udata);
int rxe_modify_srq(struct ib_srq *ib, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		   struct ib_udata *udata);
int rxe_query_srq(struct ib_srq *ib, struct ib_srq_attr *attr);
int rxe_destroy_srq(struct ib_srq *ib, struct ib_udata *udata);
int rxe_post_srq_recv(struct ib_srq *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);
struct ib_mr *rxe_get_dma_mr(struct ib_pd *ib, int access);
struct ib_mr *rxe_reg_user_mr(struct ib_pd *ib, u64 start, u64 length, u64 iova, int access,
			      struct ib_dmah *dmah, struct ib_udata *udata);
struct ib_mr *rxe_rereg_user_mr(struct ib_mr *ib, int flags, u64 start, u64 length, u64 iova,
				int access, struct ib_pd *pd, struct ib_udata *udata);
int rxe_dereg_mr(struct ib_mr *ib, struct ib_udata *udata);
struct ib_mr *rxe_alloc_mr(struct ib_pd *ib, enum ib_mr_type type, u32 max_num_sg);
int rxe_map_mr_sg(struct ib_mr *ib, struct scatterlist *sg, int nents, unsigned int *offset);
int rxe_advise_mr(struct ib_pd *ib, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		  struct ib_sge *sg, u32 num_sge, struct uverbs_attr_bundle *attrs);
int rxe_alloc_mw(struct ib_mw *ib, struct ib_udata *udata);
int rxe_dealloc_mw(struct ib_mw *ib);

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

#endif /* RXE_H */
