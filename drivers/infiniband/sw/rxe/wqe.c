// SPDX-License-Identifier: GPL-2.0
/*
 * Work requests in the rings.
 *
 * A user's ring is in memory the user may write to at any time, so an entry is
 * copied to private memory first, every byte of it once, and the copy is
 * checked and used; barrier() keeps the compiler from going back to the ring.
 * What the stock library gets wrong is put right here and nowhere else:
 *
 *  - dma.length is not the sum of the SGEs (wr_set_sge_list of rdma-core 44
 *    and 56): the sum is taken anew;
 *  - inline data without IBV_SEND_INLINE and without SGEs
 *    (wr_set_inline_data): told by a length that no SGE accounts for;
 *  - FLUSH's length is in dma.length only;
 *  - a bind request names the whole new rkey, of which 8 bits count.
 *
 * Kernel consumers' work requests go through the same form.
 */
#include <linux/nospec.h>

#include "rxe.h"

/* How the type-specific part of a work request looks. */
enum rxe_wr_form {
	WR_NONE,		/* no such opcode */
	WR_SEND,
	WR_RDMA,
	WR_ATOMIC,
	WR_FLUSH,
	WR_ATOMIC_WRITE,
	WR_BIND_MW,
	WR_LOCAL_INV,
	WR_REG_MR,		/* holds a pointer: kernel consumers only */
};

/* Which QPs an opcode is for. */
enum {
	WR_RC = BIT(0),
	WR_UC = BIT(1),
	WR_UD = BIT(2),
};

/**
 * struct rxe_wr_op - one row per opcode of a send work request
 * @form: enum rxe_wr_form
 * @msg: enum rxe_msg, NONE for a local operation
 * @on: which QPs may do it (IBA table 28; SEND with invalidate on UC has no
 *	opcode on the wire)
 * @may_inline: the data may be in the work request
 */
struct rxe_wr_op {
	u8 form;
	u8 msg;
	u8 on;
	bool may_inline;
};

static const struct rxe_wr_op rxe_wr_ops[] = {
	[IB_WR_RDMA_WRITE]		= { WR_RDMA, RXE_MSG_WRITE, WR_RC | WR_UC, true },
	[IB_WR_RDMA_WRITE_WITH_IMM]	= { WR_RDMA, RXE_MSG_WRITE_IMM, WR_RC | WR_UC, true },
	[IB_WR_SEND]			= { WR_SEND, RXE_MSG_SEND, WR_RC | WR_UC | WR_UD, true },
	[IB_WR_SEND_WITH_IMM]		= { WR_SEND, RXE_MSG_SEND_IMM, WR_RC | WR_UC | WR_UD,
					    true },
	[IB_WR_SEND_WITH_INV]		= { WR_SEND, RXE_MSG_SEND_INV, WR_RC, true },
	[IB_WR_RDMA_READ]		= { WR_RDMA, RXE_MSG_READ, WR_RC },
	[IB_WR_ATOMIC_CMP_AND_SWP]	= { WR_ATOMIC, RXE_MSG_CMP_SWAP, WR_RC },
	[IB_WR_ATOMIC_FETCH_AND_ADD]	= { WR_ATOMIC, RXE_MSG_FETCH_ADD, WR_RC },
	[IB_WR_FLUSH]			= { WR_FLUSH, RXE_MSG_FLUSH, WR_RC },
	[IB_WR_ATOMIC_WRITE]		= { WR_ATOMIC_WRITE, RXE_MSG_ATOMIC_WRITE, WR_RC },
	[IB_WR_BIND_MW]			= { WR_BIND_MW, RXE_MSG_NONE, WR_RC | WR_UC },
	[IB_WR_LOCAL_INV]		= { WR_LOCAL_INV, RXE_MSG_NONE, WR_RC | WR_UC },
	[IB_WR_REG_MR]			= { WR_REG_MR, RXE_MSG_NONE, WR_RC | WR_UC },
};

static const struct rxe_wr_op rxe_wr_no_op;

static u8 rxe_wr_transport(const struct rxe_qp *qp)
{
	switch (qp->transport) {
	case RXE_RC:
		return WR_RC;
	case RXE_UC:
		return WR_UC;
	default:
		return WR_UD;
	}
}

/* The row of an opcode that any 32 bits may pose as; WR_NONE if it is none for this QP. */
static const struct rxe_wr_op *rxe_wr_op(const struct rxe_qp *qp, u32 opcode)
{
	const struct rxe_wr_op *op;

	if (opcode >= ARRAY_SIZE(rxe_wr_ops))
		return &rxe_wr_no_op;
	op = &rxe_wr_ops[array_index_nospec(opcode, ARRAY_SIZE(rxe_wr_ops))];
	if (!(op->on & rxe_wr_transport(qp)) || (op->form == WR_REG_MR && qp->user))
		return &rxe_wr_no_op;
	return op;
}

/**
 * rxe_swr_bytes() - size of a private send descriptor
 * @max_sge: SGEs it must hold
 * @max_inline: bytes of inline data it must hold
 */
size_t rxe_swr_bytes(u32 max_sge, u32 max_inline)
{
	size_t data = max_t(size_t, max_sge * sizeof(struct rxe_sge), max_inline);

	/* an ATOMIC WRITE carries 8 bytes on every RC QP */
	data = max_t(size_t, data, sizeof(__le64));
	return ALIGN(offsetof(struct rxe_swr, sge) + data, 8);
}

/* Bytes of SGEs or inline data that fit both the ring's slot and the descriptor. */
static size_t rxe_swr_room(const struct rxe_qp *qp)
{
	return min((1ul << qp->tx.ring.shift) - sizeof(struct rxe_send_wqe),
		   qp->tx.swr_bytes - offsetof(struct rxe_swr, sge));
}

static u32 rxe_sge_sum(const struct rxe_sge *sge, u32 num_sge)
{
	u64 sum = 0;

	while (num_sge--)
		sum += sge++->length;
	/* anything above 2 GiB is refused by who uses it */
	return min_t(u64, sum, U32_MAX);
}

static u8 rxe_swr_copy_inline(struct rxe_qp *qp, const struct rxe_send_wqe *slot, u32 length,
			      struct rxe_swr *swr)
{
	swr->length = length;
	if (length > qp->max_inline || length > rxe_swr_room(qp))
		return IB_WC_LOC_LEN_ERR;
	memcpy(swr->inl, slot->dma.inline_data, length);
	swr->inline_data = true;
	return IB_WC_SUCCESS;
}

static u8 rxe_swr_copy_sges(struct rxe_qp *qp, const struct rxe_send_wqe *slot, u32 num_sge,
			    struct rxe_swr *swr)
{
	if (num_sge > qp->attr.cap.max_send_sge ||
	    num_sge > rxe_swr_room(qp) / sizeof(struct rxe_sge))
		return IB_WC_LOC_QP_OP_ERR;
	memcpy(swr->sge, slot->dma.sge, num_sge * sizeof(struct rxe_sge));
	barrier();
	swr->num_sge = num_sge;
	swr->length = rxe_sge_sum(swr->sge, num_sge);
	return IB_WC_SUCCESS;
}

static u8 rxe_swr_copy_data(struct rxe_qp *qp, const struct rxe_wr_op *op,
			    const struct rxe_send_wqe *slot, const struct rxe_dma_info *dma,
			    struct rxe_swr *swr)
{
	bool inl = swr->flags & IB_SEND_INLINE || (!dma->num_sge && dma->length);

	if (op->may_inline && inl)
		return rxe_swr_copy_inline(qp, slot, dma->length, swr);
	return rxe_swr_copy_sges(qp, slot, dma->num_sge, swr);
}

static u8 rxe_swr_ud(struct rxe_qp *qp, const struct rxe_send_wr *wr, struct rxe_swr *swr)
{
	int err;

	swr->ud.qpn = wr->wr.ud.remote_qpn & RXE_QPN_MASK;
	swr->ud.qkey = wr->wr.ud.remote_qkey;
	/* C9-47 (10.2.5): with bit 31 set, the QP's own */
	if (swr->ud.qkey & BIT(31))
		swr->ud.qkey = qp->qkey;
	swr->ud.pkey_index = wr->wr.ud.pkey_index;
	if (wr->wr.ud.ah_num)
		err = rxe_ah_path(qp, wr->wr.ud.ah_num, &swr->ud.path);
	else
		err = rxe_path_from_user_av(qp->dev, &wr->wr.ud.av, &swr->ud.path);
	return err ? IB_WC_LOC_QP_OP_ERR : IB_WC_SUCCESS;
}

static void rxe_swr_atomic(const struct rxe_send_wr *wr, struct rxe_swr *swr)
{
	swr->atomic.va = wr->wr.atomic.remote_addr;
	swr->atomic.rkey = wr->wr.atomic.rkey;
	swr->atomic.compare_add = wr->wr.atomic.compare_add;
	swr->atomic.swap = wr->wr.atomic.swap;
}

static void rxe_swr_flush(const struct rxe_send_wr *wr, u32 length, struct rxe_swr *swr)
{
	swr->flush.va = wr->wr.flush.remote_addr;
	swr->flush.rkey = wr->wr.flush.rkey;
	swr->flush.type = wr->wr.flush.type;
	swr->flush.level = wr->wr.flush.level;
	swr->length = length;
}

static void rxe_swr_bind(const struct rxe_send_wr *wr, struct rxe_swr *swr)
{
	swr->mw.addr = wr->wr.mw.addr;
	swr->mw.length = wr->wr.mw.length;
	swr->mw.mr_lkey = wr->wr.mw.mr_lkey;
	swr->mw.mw_rkey = wr->wr.mw.mw_rkey;
	swr->mw.rkey = (wr->wr.mw.mw_rkey & ~0xffu) | (wr->wr.mw.rkey & 0xff);
	swr->mw.access = wr->wr.mw.access;
}

static u8 rxe_swr_atomic_write(const struct rxe_send_wqe *slot, u32 length, struct rxe_swr *swr)
{
	swr->length = length;
	if (length != sizeof(swr->atomic_wr[0]))
		return IB_WC_LOC_LEN_ERR;
	memcpy(swr->atomic_wr, slot->dma.atomic_wr, sizeof(swr->atomic_wr[0]));
	swr->inline_data = true;
	return IB_WC_SUCCESS;
}

/* The rest of a snapshot: @w is a private copy, @slot has the data only. */
static u8 rxe_swr_decode(struct rxe_qp *qp, const struct rxe_wr_op *op,
			 const struct rxe_send_wqe *w, const struct rxe_send_wqe *slot,
			 struct rxe_swr *swr)
{
	u8 status;

	switch (op->form) {
	case WR_SEND:
		if (qp->transport == RXE_UD) {
			status = rxe_swr_ud(qp, &w->wr, swr);
			if (status)
				return status;
		}
		return rxe_swr_copy_data(qp, op, slot, &w->dma, swr);
	case WR_RDMA:
		swr->rdma.va = w->wr.wr.rdma.remote_addr;
		swr->rdma.rkey = w->wr.wr.rdma.rkey;
		return rxe_swr_copy_data(qp, op, slot, &w->dma, swr);
	case WR_ATOMIC:
		rxe_swr_atomic(&w->wr, swr);
		status = rxe_swr_copy_data(qp, op, slot, &w->dma, swr);
		if (!status && swr->length != sizeof(u64))
			status = IB_WC_LOC_LEN_ERR;
		return status;
	case WR_FLUSH:
		rxe_swr_flush(&w->wr, w->dma.length, swr);
		return IB_WC_SUCCESS;
	case WR_ATOMIC_WRITE:
		swr->rdma.va = w->wr.wr.rdma.remote_addr;
		swr->rdma.rkey = w->wr.wr.rdma.rkey;
		return rxe_swr_atomic_write(slot, w->dma.length, swr);
	case WR_BIND_MW:
		rxe_swr_bind(&w->wr, swr);
		return IB_WC_SUCCESS;
	case WR_LOCAL_INV:
		return IB_WC_SUCCESS;
	case WR_REG_MR:
		swr->reg.mr = rxe_mr(w->wr.wr.reg.mr);
		swr->reg.key = w->wr.wr.reg.key;
		swr->reg.access = w->wr.wr.reg.access;
		return IB_WC_SUCCESS;
	}
	return IB_WC_LOC_QP_OP_ERR;
}

/**
 * rxe_swr_snapshot() - copy a send WQE from the ring and check it
 * @qp: QP
 * @offset: the entry's distance from the ring's consumer index
 * @swr: rxe_swr_bytes() large; filled. @swr->status is IB_WC_SUCCESS, or why
 *	 the work request is to be completed in error: LOC_QP_OP_ERR (opcode
 *	 unknown or not for this QP, too many SGEs, no such AH) or LOC_LEN_ERR
 *	 (inline data or an atomic of wrong length).  wr_id, flags and an opcode
 *	 below 256 are valid in any case.
 *
 * Keys, message length and remote addresses are for the requester and the
 * responder to judge.
 *
 * Context: owner of the send side.
 */
void rxe_swr_snapshot(struct rxe_qp *qp, u32 offset, struct rxe_swr *swr)
{
	const struct rxe_send_wqe *slot = rxe_ring_at(&qp->tx.ring, offset);
	const struct rxe_wr_op *op;
	struct rxe_send_wqe w;

	memcpy(&w, slot, sizeof(w));
	barrier();
	op = rxe_wr_op(qp, w.wr.opcode);

	memset(swr, 0, offsetof(struct rxe_swr, sge));
	swr->wr_id = w.wr.wr_id;
	swr->opcode = op->form == WR_NONE ? IB_WR_SEND : w.wr.opcode;
	swr->flags = w.wr.send_flags & (IB_SEND_FENCE | IB_SEND_SIGNALED | IB_SEND_SOLICITED |
					IB_SEND_INLINE);
	swr->state = RXE_SWR_NEW;
	swr->msg = op->msg;
	swr->imm = w.wr.ex.imm_data;
	swr->inv_rkey = w.wr.ex.invalidate_rkey;
	swr->status = rxe_swr_decode(qp, op, &w, slot, swr);
}

/* --- kernel consumers --- */

static int rxe_post_inline(struct rxe_qp *qp, const struct ib_send_wr *wr, struct rxe_send_wqe *w)
{
	u32 off = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++) {
		const struct ib_sge *sge = &wr->sg_list[i];

		if (sge->length > qp->max_inline - off)
			return -EINVAL;
		/* inline data is named by its kernel address, whatever the DMA mapping */
		memcpy(w->dma.inline_data + off, (void *)(uintptr_t)sge->addr, sge->length);
		off += sge->length;
	}
	w->dma.length = off;
	w->dma.num_sge = 0;
	return 0;
}

static int rxe_post_data(struct rxe_qp *qp, const struct rxe_wr_op *op, const struct ib_send_wr *wr,
			 struct rxe_send_wqe *w)
{
	if (wr->num_sge < 0 || wr->num_sge > qp->attr.cap.max_send_sge)
		return -EINVAL;
	if (wr->send_flags & IB_SEND_INLINE && op->may_inline)
		return rxe_post_inline(qp, wr, w);

	BUILD_BUG_ON(sizeof(struct ib_sge) != sizeof(struct rxe_sge));
	w->dma.num_sge = wr->num_sge;
	w->dma.length = 0;
	memcpy(w->dma.sge, wr->sg_list, wr->num_sge * sizeof(struct ib_sge));
	return 0;
}

static void rxe_post_ud(const struct ib_ud_wr *ud, struct rxe_send_wr *w)
{
	w->wr.ud.remote_qpn = ud->remote_qpn;
	w->wr.ud.remote_qkey = ud->remote_qkey;
	w->wr.ud.pkey_index = ud->pkey_index;
	/* the AH may be gone when the snapshot is made: by number, not by address */
	w->wr.ud.ah_num = container_of(ud->ah, struct rxe_ah, ib)->num;
}

static void rxe_post_rdma(const struct ib_rdma_wr *rdma, struct rxe_send_wr *w)
{
	w->wr.rdma.remote_addr = rdma->remote_addr;
	w->wr.rdma.rkey = rdma->rkey;
}

static void rxe_post_atomic(const struct ib_atomic_wr *atomic, struct rxe_send_wr *w)
{
	w->wr.atomic.remote_addr = atomic->remote_addr;
	w->wr.atomic.compare_add = atomic->compare_add;
	w->wr.atomic.swap = atomic->swap;
	w->wr.atomic.rkey = atomic->rkey;
}

static int rxe_post_atomic_write(struct rxe_qp *qp, const struct ib_send_wr *wr,
				 struct rxe_send_wqe *w)
{
	if (!(wr->send_flags & IB_SEND_INLINE) || wr->num_sge != 1 ||
	    wr->sg_list[0].length != sizeof(__le64))
		return -EINVAL;
	rxe_post_rdma(rdma_wr(wr), &w->wr);
	memcpy(w->dma.atomic_wr, (void *)(uintptr_t)wr->sg_list[0].addr, sizeof(__le64));
	w->dma.length = sizeof(__le64);
	w->dma.num_sge = 0;
	return 0;
}

static int rxe_post_form(struct rxe_qp *qp, const struct rxe_wr_op *op, const struct ib_send_wr *wr,
			 struct rxe_send_wqe *w)
{
	switch (op->form) {
	case WR_SEND:
		if (qp->transport == RXE_UD) {
			if (!ud_wr(wr)->ah)
				return -EINVAL;
			rxe_post_ud(ud_wr(wr), &w->wr);
		}
		return rxe_post_data(qp, op, wr, w);
	case WR_RDMA:
		rxe_post_rdma(rdma_wr(wr), &w->wr);
		return rxe_post_data(qp, op, wr, w);
	case WR_ATOMIC:
		rxe_post_atomic(atomic_wr(wr), &w->wr);
		return rxe_post_data(qp, op, wr, w);
	case WR_ATOMIC_WRITE:
		return rxe_post_atomic_write(qp, wr, w);
	case WR_LOCAL_INV:
		return 0;
	case WR_REG_MR:
		w->wr.wr.reg.mr = reg_wr(wr)->mr;
		w->wr.wr.reg.key = reg_wr(wr)->key;
		w->wr.wr.reg.access = reg_wr(wr)->access;
		return 0;
	}
	/* FLUSH and BIND_MW have no form for kernel consumers */
	return -EINVAL;
}

/**
 * rxe_swr_post() - write a kernel consumer's work request to the send ring
 * @qp: QP of a kernel consumer
 * @wr: one work request; ->next is not looked at
 *
 * Context: tx.post_lock held.
 * Return: 0, -ENOMEM (ring full), -EINVAL (not for this QP, too many SGEs, too
 * much inline data).
 */
int rxe_swr_post(struct rxe_qp *qp, const struct ib_send_wr *wr)
{
	const struct rxe_wr_op *op = rxe_wr_op(qp, wr->opcode);
	struct rxe_send_wqe *w;
	int err;

	lockdep_assert_held(&qp->tx.post_lock);
	w = rxe_ring_produce_slot(&qp->tx.ring);
	if (!w)
		return -ENOMEM;
	w->wr.wr_id = wr->wr_id;
	w->wr.opcode = wr->opcode;
	w->wr.send_flags = wr->send_flags;
	w->wr.ex.imm_data = wr->ex.imm_data;
	w->dma.num_sge = 0;
	w->dma.length = 0;
	err = rxe_post_form(qp, op, wr, w);
	if (err)
		return err;
	rxe_ring_produce(&qp->tx.ring);
	return 0;
}

/* --- receive queues --- */

/**
 * rxe_rwr_snapshot() - copy the next receive WQE, check it and consume it
 * @rq: RQ or SRQ
 * @max_sge: what @rwr has room for
 * @rwr: filled
 *
 * Keys are checked when the memory is used.
 *
 * Context: owner of the receive side, or the SRQ's lock.
 * Return: 0; -ENOENT: none posted; -EINVAL: too many SGEs, @rwr->wr_id is valid.
 */
int rxe_rwr_snapshot(struct rxe_ring *rq, u32 max_sge, struct rxe_rwr *rwr)
{
	const struct rxe_recv_wqe *slot;
	int err = -EINVAL;
	u32 num_sge;

	if (!rxe_ring_filled(rq))
		return -ENOENT;
	slot = rxe_ring_at(rq, 0);
	rwr->wr_id = READ_ONCE(slot->wr_id);
	rwr->num_sge = 0;
	rwr->length = 0;
	num_sge = READ_ONCE(slot->dma.num_sge);
	if (num_sge > max_sge ||
	    sizeof(*slot) + num_sge * sizeof(struct rxe_sge) > 1ul << rq->shift)
		goto consume;
	memcpy(rwr->sge, slot->dma.sge, num_sge * sizeof(struct rxe_sge));
	barrier();
	rwr->num_sge = num_sge;
	rwr->length = rxe_sge_sum(rwr->sge, num_sge);
	err = 0;
consume:
	rxe_ring_consume(rq, 1);
	return err;
}

/**
 * rxe_rwr_post() - write a kernel consumer's receive request to a ring
 * @rq: RQ or SRQ of a kernel consumer
 * @max_sge: of the queue
 * @wr: one request; ->next is not looked at
 *
 * Context: the queue's post lock held.
 * Return: 0, -ENOMEM (full), -EINVAL (too many SGEs).
 */
int rxe_rwr_post(struct rxe_ring *rq, u32 max_sge, const struct ib_recv_wr *wr)
{
	struct rxe_recv_wqe *w;

	if (wr->num_sge < 0 || wr->num_sge > max_sge)
		return -EINVAL;
	w = rxe_ring_produce_slot(rq);
	if (!w)
		return -ENOMEM;
	w->wr_id = wr->wr_id;
	w->dma.num_sge = wr->num_sge;
	memcpy(w->dma.sge, wr->sg_list, wr->num_sge * sizeof(struct ib_sge));
	rxe_ring_produce(rq);
	return 0;
}
