/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory shared with users, and what lies in it: mmap.c, ring.c, wqe.c, cq.c,
 * srq.c.
 */
#ifndef RXE_SHM_H
#define RXE_SHM_H

/**
 * struct rxe_shm - pages shared with one user process, or private to the kernel
 * @entry: only if @user
 * @pages: all of them
 * @npages: number of these
 * @va: where the kernel sees them
 * @user: shared
 *
 * Reference counted, since a mapping may outlive the object.
 */
struct rxe_shm {
	struct rdma_user_mmap_entry entry;
	struct page **pages;
	unsigned int npages;
	void *va;
	bool user;
};

struct rxe_shm *rxe_shm_alloc(struct ib_udata *udata, size_t size, struct mminfo *mi);
void rxe_shm_free(struct rxe_shm *shm);
int rxe_mmap(struct ib_ucontext *uctx, struct vm_area_struct *vma);
void rxe_mmap_free(struct rdma_user_mmap_entry *entry);

/**
 * struct rxe_ring - a ring of rxe_queue_buf form
 * @shm: its memory
 * @buf: the same, by its form
 * @mask: slots - 1, ours, not the shared one
 * @shift: log2 of bytes per slot, ours
 * @index: our own index (consumer of SQ, RQ, SRQ; producer of a CQ), runs on;
 *	   the copy in the shared header is masked, and write-only for us
 * @kernel_producer: kernel users of SQ, RQ, SRQ: theirs; runs on
 * @user: shared with a process
 */
struct rxe_ring {
	struct rxe_shm *shm;
	struct rxe_queue_buf *buf;
	u32 mask;
	u32 shift;
	u32 index;
	u32 kernel_producer;
	bool user;
};

/* Capacity mask >= slots_wanted; GFP_KERNEL_ACCOUNT. */
int rxe_ring_init(struct rxe_ring *ring, struct rxe_dev *dev, u32 slots_wanted, u32 slot_bytes,
		  struct ib_udata *udata, struct mminfo *mi);
void rxe_ring_free(struct rxe_ring *ring);
/* SQ, RQ, SRQ: entries to consume; the peer's index is read once and masked. */
u32 rxe_ring_filled(struct rxe_ring *ring);
void *rxe_ring_at(struct rxe_ring *ring, u32 offset);	/* slot of index + offset */
void rxe_ring_consume(struct rxe_ring *ring, u32 n);	/* advance and publish */
/* Producer's half, for kernel users of SQ, RQ, SRQ; caller holds the queue's lock. */
void *rxe_ring_produce_slot(struct rxe_ring *ring);	/* NULL: full */
void rxe_ring_produce(struct rxe_ring *ring);
void rxe_ring_reset(struct rxe_ring *ring);	/* QP to RESET */
/* For a resize. */
void rxe_ring_copy(struct rxe_ring *to, const struct rxe_ring *from, u32 first, u32 n);

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
	u8 status;		/* enum ib_wc_status: bad at the snapshot, or failed later */
	u8 msg;			/* enum rxe_msg; NONE for local operations */
	bool inline_data;
	u16 num_sge;
	u32 length;		/* bytes of payload (READ: to be read) */
	u32 first_psn;
	u32 last_psn;
	u32 done;		/* READ: bytes received in order; RC: bytes handed to a road */
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

/* cq.c */
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

static inline struct rxe_cq *rxe_cq(struct ib_cq *ib)
{
	return container_of(ib, struct rxe_cq, ib);
}

/* Add a completion. -EOVERFLOW: the CQ is in error (the QP must go to error). Any context. */
int rxe_cq_post(struct rxe_cq *cq, const struct ib_wc *wc, bool solicited);
int rxe_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr,
		  struct uverbs_attr_bundle *attrs);
int rxe_destroy_cq(struct ib_cq *ib, struct ib_udata *udata);
int rxe_resize_cq(struct ib_cq *ib, unsigned int cqe, struct ib_udata *udata);
int rxe_poll_cq(struct ib_cq *ib, int num_entries, struct ib_wc *wc);
int rxe_peek_cq(struct ib_cq *ib, int wc_cnt);
int rxe_req_notify_cq(struct ib_cq *ib, enum ib_cq_notify_flags flags);

/* srq.c */
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

static inline struct rxe_srq *rxe_srq(struct ib_srq *ib)
{
	return container_of(ib, struct rxe_srq, ib);
}

/* As rxe_rwr_snapshot(); raises the limit event. */
int rxe_srq_take(struct rxe_srq *srq, struct rxe_rwr *rwr);
int rxe_create_srq(struct ib_srq *ib, struct ib_srq_init_attr *init, struct ib_udata *udata);
int rxe_modify_srq(struct ib_srq *ib, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		   struct ib_udata *udata);
int rxe_query_srq(struct ib_srq *ib, struct ib_srq_attr *attr);
int rxe_destroy_srq(struct ib_srq *ib, struct ib_udata *udata);
int rxe_post_srq_recv(struct ib_srq *ib, const struct ib_recv_wr *wr,
		      const struct ib_recv_wr **bad);

#endif /* RXE_SHM_H */
