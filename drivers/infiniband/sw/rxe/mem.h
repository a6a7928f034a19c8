/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys and the memory behind them: mr.c, mr_odp.c, mw.c, iter.c.
 */
#ifndef RXE_MEM_H
#define RXE_MEM_H

enum rxe_mr_type {
	RXE_MR_DMA,	/* all of kernel memory; kernel users only */
	RXE_MR_USER,	/* pinned */
	RXE_MR_FAST,	/* IB_MR_TYPE_MEM_REG */
	RXE_MR_ODP,	/* not pinned, see mr_odp.c */
};

/**
 * struct rxe_map - where a registration's memory is
 * @blocks: kernel address of each block
 * @nblocks: number of these
 * @shift: log2 of bytes per block; a block is contiguous
 * @offset: of the first byte, from the start of the first block; ODP: its
 *	    address in the process
 * @umem: pinned pages of a process, or NULL
 * @odp: table of its pages that are not pinned, or NULL
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
 * @ib: the core's half
 * @ref: taken for a burst; all below may change only while it counts just the
 *	 table's reference and @valid is false (see rxe_mr_enter())
 * @dev: device
 * @pd: owner
 * @type: enum rxe_mr_type
 * @valid: false: free (fast registration), unbound (window), being destroyed
 * @is_mw: a window's: @ib is not used
 * @mw_type2: type 2B
 * @key: present key
 * @access: IB_ACCESS_*
 * @iova: address of the first byte as work requests and peers name it
 * @length: bytes
 * @map: where they are
 * @waiter: side to be kicked when the last burst is through; holds its QP
 * @num_mw: windows bound to it; RXE_MW_FROZEN: none may be
 * @max_blocks: fast registration: most blocks of a mapping
 * @next: fast registration: what map_mr_sg() gave and REG_MR will take over
 * @lock: window: bind and invalidate (BH)
 * @mw_qpn: type 2B: bound through that QP
 * @parent: window: MR it is bound to, which can't go before
 */
struct rxe_mr {
	struct ib_mr ib;
	struct rxe_ref ref;
	struct rxe_dev *dev;
	struct ib_pd *pd;
	u8 type;
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
	u32 max_blocks;
	struct rxe_map next;

	spinlock_t lock;		/* of bind and invalidate; BH */
	u32 mw_qpn;
	struct rxe_mr *parent;
};

struct rxe_mw {
	struct ib_mw ib;
	struct rxe_mr *mr;		/* outlives this by a grace period */
};

static inline struct rxe_mr *rxe_mr(struct ib_mr *ib)
{
	return container_of(ib, struct rxe_mr, ib);
}

static inline struct rxe_mw *rxe_mw(struct ib_mw *ib)
{
	return container_of(ib, struct rxe_mw, ib);
}

#define RXE_ACCESS_REMOTE	(IB_ACCESS_REMOTE_READ | IB_ACCESS_REMOTE_WRITE | \
				 IB_ACCESS_REMOTE_ATOMIC)
#define RXE_ACCESS_FLUSH	(IB_ACCESS_FLUSH_GLOBAL | IB_ACCESS_FLUSH_PERSISTENT)

/* The MR behind an lkey, for [addr, addr + len); to be put with rxe_mr_put(). */
struct rxe_mr *rxe_mr_local(struct rxe_dev *dev, struct rxe_pd *pd, u32 lkey, u64 addr, u64 len,
			    int access);
/*
 * The MR behind an rkey, of an MR or a window, for a peer's access through @qp.
 * @len 0: key and rights only.
 */
struct rxe_mr *rxe_mr_remote(struct rxe_qp *qp, u32 rkey, u64 va, u64 len, int access);
void rxe_mr_put(struct rxe_mr *mr);
/* Address and contiguous length in the MR at va; MR is not ODP. Checked range only. */
void *rxe_mr_at(struct rxe_mr *mr, u64 va, u64 *contig);
/* FLUSH (Annex A19) of a checked range, or all. */
void rxe_mr_flush(struct rxe_mr *mr, u64 va, u64 len, bool whole, bool persistent);
/*
 * Take a key away: LOCAL_INV (@remote false) and SEND with invalidate.
 * 0: gone and unused; -EAGAIN: gone, a burst still uses it: call again, the
 * QP's send (@remote: receive) side is kicked with WAKE; other: refused.
 */
int rxe_key_invalidate(struct rxe_qp *qp, u32 key, bool remote);
/* REG_MR and BIND_MW; -EAGAIN as above. */
int rxe_mr_fast_reg(struct rxe_qp *qp, struct rxe_mr *mr, u32 key, u32 access);
int rxe_mw_bind(struct rxe_qp *qp, struct rxe_swr *swr);

/* mr.c for mw.c, iter.c and mr_odp.c */
int rxe_key_alloc(struct rxe_mr *mr);		/* a number and a random low byte */
void rxe_key_remove(struct rxe_mr *mr);
struct rxe_mr *rxe_mr_enter(struct rxe_dev *dev, u32 key);
bool rxe_mr_leave(struct rxe_mr *mr, unsigned int own, struct rxe_qp *qp, bool rx);
void rxe_mr_gone(struct rxe_mr *mr, const char *what);
bool rxe_mr_covers(const struct rxe_mr *mr, u64 va, u64 len);

/* mw.c for mr.c */
int rxe_mw_invalidate(struct rxe_qp *qp, struct rxe_mr *mw, bool remote);

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

/* mr_odp.c */
int rxe_odp_init(void);
void rxe_odp_exit(void);
int rxe_odp_create(struct rxe_map *map, struct rxe_dev *dev, u64 start, u64 length, int access);
void rxe_odp_destroy(struct rxe_odp *odp);
int rxe_odp_ready(struct rxe_odp *odp, struct rxe_qp *qp, struct rxe_side *side, u64 addr,
		  u64 len, bool write);
void *rxe_odp_at(struct rxe_odp *odp, u64 addr, bool write);
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

/* iter.c: cursors over bytes */
enum rxe_iter_kind {
	RXE_ITER_NONE,
	RXE_ITER_SGE,		/* SGEs of a WQE, each through its MR */
	RXE_ITER_MR,		/* a range of one MR: what a peer named */
	RXE_ITER_LINEAR,	/* kernel memory */
	RXE_ITER_SKB,		/* payload of a packet, paged or not */
};

/**
 * struct rxe_iter - a cursor over bytes in memory
 * @kind: enum rxe_iter_kind
 * @nmr: entries of @mr in use; some may be NULL
 * @first: SGE of @mr[0]
 * @cur: SGE
 * @write: they will be written
 * @left: bytes
 * @avail: of them contiguous at @ptr; 0: to be found
 * @pos: offset in SGE, or va in MR, or offset in skb
 * @ptr: address of the next byte
 * @odp: @ptr is an address in the process of this
 * @sge: SGEs of the WQE
 * @skb: packet
 * @mr: held
 *
 * Opened by one of rxe_iter_*(), which looks up and checks all keys it needs
 * and holds the MRs until rxe_iter_close(): never across a wait.
 */
struct rxe_iter {
	u8 kind;
	u8 nmr;
	u8 first;
	u8 cur;
	bool write;
	u32 left;
	u32 avail;
	u64 pos;
	void *ptr;
	struct rxe_odp *odp;
	const struct rxe_sge *sge;
	struct sk_buff *skb;
	struct rxe_mr *mr[RXE_MAX_SGE];
};

/*
 * Bytes [skip, skip + len) of the SGEs. 0, -EACCES, -EAGAIN (pages missing:
 * @side is kicked with WAKE).
 */
int rxe_iter_sges(struct rxe_iter *it, struct rxe_qp *qp, struct rxe_side *side,
		  const struct rxe_sge *sge, u32 num_sge, u32 skip, u32 len, int access);
/* A peer's range; 0, -EACCES, -EAGAIN. */
int rxe_iter_remote(struct rxe_iter *it, struct rxe_qp *qp, struct rxe_side *side, u32 rkey,
		    u64 va, u32 len, int access);
void rxe_iter_linear(struct rxe_iter *it, void *p, u32 len);
void rxe_iter_skb(struct rxe_iter *it, struct sk_buff *skb, u32 off, u32 len);
void rxe_iter_close(struct rxe_iter *it);
/*
 * Copy len bytes; both advance. 0 or -EAGAIN (an ODP page went: do the burst
 * again). Aligned pieces of 2, 4, 8 bytes are single stores; the last 8 bytes
 * come last.
 */
int rxe_iter_copy(struct rxe_iter *dst, struct rxe_iter *src, u32 len);
/* Eight aligned bytes at the cursor, atomically; the value before in *orig. 0 or -EAGAIN. */
int rxe_iter_cmp_swap(struct rxe_iter *it, u64 compare, u64 swap, u64 *orig);
int rxe_iter_fetch_add(struct rxe_iter *it, u64 add, u64 *orig);
/* Copy to a packet being built, with the ICRC of what was copied. */
int rxe_iter_copy_crc(void *dst, struct rxe_iter *src, u32 len, u32 *crc);

#endif /* RXE_MEM_H */
