// SPDX-License-Identifier: GPL-2.0
/*
 * What requests do to memory.
 *
 * Each function checks before it changes anything, so that a verdict other
 * than OK leaves the QP as it was and the request can come again.
 * Runs as owner of the receive side, BH off.
 */
#include "rxe.h"
#include "trace.h"

static bool rxe_qp_allows(const struct rxe_qp *qp, int access)
{
	return (qp->attr.qp_access_flags & access) == access;
}

static enum rxe_verdict rxe_remote_verdict(int err)
{
	if (err == -EAGAIN)
		return RXE_V_WAIT;
	return err ? RXE_V_NAK_ACCESS : RXE_V_OK;
}

/* Bytes of a request to where an open cursor points. */
static enum rxe_verdict rxe_exec_copy(struct rxe_iter *dst, struct rxe_burst *b)
{
	int err = rxe_iter_copy(dst, b->data, b->len);

	rxe_iter_close(dst);
	return err ? RXE_V_LATER : RXE_V_OK;
}

/* Into the receive in use, after what it holds already. */
static enum rxe_verdict rxe_exec_into_receive(struct rxe_qp *qp, struct rxe_burst *b)
{
	struct rxe_iter *dst = rxe_scratch_iter(1);
	struct rxe_recv *rx = &qp->rx;
	u32 off = b->starts ? 0 : rx->msg_len;
	int err;

	if ((u64)off + b->len > rx->rwr->length) {
		rx->error = IB_WC_LOC_LEN_ERR;
		return RXE_V_NAK_INV;
	}
	if (!b->len)
		return RXE_V_OK;
	err = rxe_iter_sges(dst, qp, &rx->side, rx->rwr->sge, rx->rwr->num_sge, off, b->len,
			    IB_ACCESS_LOCAL_WRITE);
	if (err == -EAGAIN)
		return RXE_V_WAIT;
	if (err) {
		rx->error = IB_WC_LOC_PROT_ERR;
		return RXE_V_NAK_OP;
	}
	return rxe_exec_copy(dst, b);
}

/* The key goes before the data is announced, and only once no burst uses it. */
static enum rxe_verdict rxe_exec_invalidate(struct rxe_qp *qp, struct rxe_burst *b)
{
	int err;

	if (!b->ends || b->msg != RXE_MSG_SEND_INV)
		return RXE_V_OK;
	err = rxe_key_invalidate(qp, b->pkt.inv_rkey, true);
	if (err == -EAGAIN)
		return RXE_V_LATER;
	return err ? RXE_V_NAK_ACCESS : RXE_V_OK;
}

static void rxe_exec_received(struct rxe_qp *qp, struct rxe_burst *b, enum ib_wc_opcode opcode)
{
	struct ib_wc wc = {
		.opcode = opcode,
		.byte_len = qp->rx.msg_len,
		.src_qp = qp->dqpn,
	};

	if (b->msg == RXE_MSG_SEND_IMM || b->msg == RXE_MSG_WRITE_IMM) {
		wc.wc_flags = IB_WC_WITH_IMM;
		wc.ex.imm_data = b->pkt.imm;
	} else if (b->msg == RXE_MSG_SEND_INV) {
		wc.wc_flags = IB_WC_WITH_INVALIDATE;
		wc.ex.invalidate_rkey = b->pkt.inv_rkey;
	}
	rxe_count(qp->dev, RXE_CNT_RDMA_RECVS, 1);
	rxe_resp_post(qp, &wc, b->pkt.se);
}

/* What a burst of SEND or WRITE did is done: count it. */
static void rxe_exec_advance(struct rxe_qp *qp, struct rxe_burst *b, enum rxe_msg msg)
{
	struct rxe_recv *rx = &qp->rx;

	rx->msg_len = b->starts ? b->len : rx->msg_len + b->len;
	rx->psn = rxe_psn_add(rx->psn, b->npkts);
	rx->msg = b->ends ? RXE_MSG_NONE : msg;
	if (b->ends)
		rx->msn = rxe_psn_add(rx->msn, 1);
}

static enum rxe_verdict rxe_exec_send(struct rxe_qp *qp, struct rxe_burst *b)
{
	enum rxe_verdict v;

	v = rxe_resp_receive(qp);
	v = v ?: rxe_exec_into_receive(qp, b);
	v = v ?: rxe_exec_invalidate(qp, b);
	if (v)
		return v;
	rxe_exec_advance(qp, b, RXE_MSG_SEND);
	if (b->ends)
		rxe_exec_received(qp, b, IB_WC_RECV);
	return RXE_V_OK;
}

/* RETH of a WRITE: the whole range must be granted before its first byte is placed. */
static enum rxe_verdict rxe_exec_write_begin(struct rxe_qp *qp, struct rxe_burst *b)
{
	const struct rxe_pkt *pkt = &b->pkt;
	struct rxe_mr *mr;

	if (!rxe_qp_allows(qp, IB_ACCESS_REMOTE_WRITE) || pkt->dmalen > RXE_MAX_MSG)
		return RXE_V_NAK_INV;
	if (b->len == pkt->dmalen)
		return RXE_V_OK;	/* checked when placed; no key for no bytes (C9-88) */
	mr = rxe_mr_remote(qp, pkt->rkey, pkt->va, pkt->dmalen, IB_ACCESS_REMOTE_WRITE);
	if (IS_ERR(mr))
		return RXE_V_NAK_ACCESS;
	rxe_mr_put(mr);
	return RXE_V_OK;
}

static enum rxe_verdict rxe_exec_write_place(struct rxe_qp *qp, struct rxe_burst *b, u32 rkey,
					     u64 va)
{
	struct rxe_iter *dst = rxe_scratch_iter(1);
	enum rxe_verdict v;

	if (!b->len)
		return RXE_V_OK;
	v = rxe_remote_verdict(rxe_iter_remote(dst, qp, &qp->rx.side, rkey, va, b->len,
					       IB_ACCESS_REMOTE_WRITE));
	return v ?: rxe_exec_copy(dst, b);
}

static enum rxe_verdict rxe_exec_write(struct rxe_qp *qp, struct rxe_burst *b)
{
	struct rxe_recv *rx = &qp->rx;
	u64 va = b->starts ? b->pkt.va : rx->va;
	u32 rkey = b->starts ? b->pkt.rkey : rx->rkey;
	u32 resid = b->starts ? b->pkt.dmalen : rx->resid;
	enum rxe_verdict v = RXE_V_OK;

	if (b->starts)
		v = rxe_exec_write_begin(qp, b);
	if (!v && (b->ends ? b->len != resid : b->len >= resid))
		v = RXE_V_NAK_INV;
	if (!v && b->ends && b->msg == RXE_MSG_WRITE_IMM)
		v = rxe_resp_receive(qp);
	v = v ?: rxe_exec_write_place(qp, b, rkey, va);
	if (v)
		return v;
	rx->va = va + b->len;
	rx->rkey = rkey;
	rx->resid = resid - b->len;
	rxe_exec_advance(qp, b, RXE_MSG_WRITE);
	if (b->ends && b->msg == RXE_MSG_WRITE_IMM)
		rxe_exec_received(qp, b, IB_WC_RECV_RDMA_WITH_IMM);
	return RXE_V_OK;
}

/* One request that needs a replay record is executed: the PSNs of its answer are used up. */
static struct rxe_replay *rxe_exec_recorded(struct rxe_qp *qp, struct rxe_burst *b)
{
	struct rxe_recv *rx = &qp->rx;
	u32 npkts = b->msg == RXE_MSG_READ ? rxe_num_packets(b->pkt.dmalen, qp->mtu_shift) : 1;

	rx->psn = rxe_psn_add(rx->psn, npkts);
	rx->msn = rxe_psn_add(rx->msn, 1);
	return rxe_replay_new(rx, b, npkts);
}

static enum rxe_verdict rxe_exec_read(struct rxe_qp *qp, struct rxe_burst *b,
				      struct rxe_reply *reply)
{
	const struct rxe_pkt *pkt = &b->pkt;
	struct rxe_mr *mr;

	if (!rxe_qp_allows(qp, IB_ACCESS_REMOTE_READ) || pkt->dmalen > RXE_MAX_MSG ||
	    !qp->rx.replay_size)
		return RXE_V_NAK_INV;
	if (pkt->dmalen) {
		mr = rxe_mr_remote(qp, pkt->rkey, pkt->va, pkt->dmalen, IB_ACCESS_REMOTE_READ);
		if (IS_ERR(mr))
			return RXE_V_NAK_ACCESS;
		rxe_mr_put(mr);
	}
	return rxe_read_answer(qp, rxe_exec_recorded(qp, b), b, reply, false);
}

static void rxe_exec_reply(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply, u8 msg,
			   u64 orig)
{
	struct rxe_replay *rec = rxe_exec_recorded(qp, b);

	rec->orig = orig;
	rec->msn = qp->rx.msn;
	reply->msg = msg;
	reply->syndrome = RXE_AETH_ACK | RXE_AETH_CREDIT_NONE;
	reply->psn = b->pkt.psn;
	reply->msn = qp->rx.msn;
	reply->orig = orig;
}

static enum rxe_verdict rxe_exec_atomic(struct rxe_qp *qp, struct rxe_burst *b,
					struct rxe_reply *reply)
{
	struct rxe_iter *it = rxe_scratch_iter(1);
	const struct rxe_pkt *pkt = &b->pkt;
	enum rxe_verdict v;
	u64 orig;
	int err;

	if (!rxe_qp_allows(qp, IB_ACCESS_REMOTE_ATOMIC) || pkt->va & 7 || !qp->rx.replay_size)
		return RXE_V_NAK_INV;
	err = rxe_iter_remote(it, qp, &qp->rx.side, pkt->rkey, pkt->va, sizeof(u64),
			      IB_ACCESS_REMOTE_ATOMIC);
	v = rxe_remote_verdict(err);
	if (v)
		return v;
	if (b->msg == RXE_MSG_CMP_SWAP)
		err = rxe_iter_cmp_swap(it, pkt->compare, pkt->swap_add, &orig);
	else
		err = rxe_iter_fetch_add(it, pkt->swap_add, &orig);
	rxe_iter_close(it);
	if (err)
		return RXE_V_LATER;
	rxe_exec_reply(qp, b, reply, RXE_MSG_ATOMIC_ACK, orig);
	return RXE_V_ANSWER;
}

/* Annex A19: eight aligned bytes, stored as one. */
static enum rxe_verdict rxe_exec_atomic_write(struct rxe_qp *qp, struct rxe_burst *b,
					      struct rxe_reply *reply)
{
	enum rxe_verdict v;

	if (!rxe_qp_allows(qp, IB_ACCESS_REMOTE_WRITE) || b->len != sizeof(u64) ||
	    b->pkt.va & 7 || !qp->rx.replay_size)
		return RXE_V_NAK_INV;	/* oA19-28 */
	v = rxe_exec_write_place(qp, b, b->pkt.rkey, b->pkt.va);
	if (v)
		return v;
	rxe_exec_reply(qp, b, reply, RXE_MSG_READ_RESP, 0);
	return RXE_V_ANSWER;
}

static int rxe_flush_access(const struct rxe_pkt *pkt)
{
	int access = 0;

	if (pkt->flush_plt & IB_FLUSH_GLOBAL)
		access |= IB_ACCESS_FLUSH_GLOBAL;
	if (pkt->flush_plt & IB_FLUSH_PERSISTENT)
		access |= IB_ACCESS_FLUSH_PERSISTENT;
	return access;
}

/* Annex A19: what was written before is visible, or persistent, when this is answered. */
static enum rxe_verdict rxe_exec_flush(struct rxe_qp *qp, struct rxe_burst *b,
				       struct rxe_reply *reply)
{
	const struct rxe_pkt *pkt = &b->pkt;
	int access = rxe_flush_access(pkt);
	struct rxe_mr *mr;

	if (!access || !rxe_qp_allows(qp, access) || b->len || pkt->flush_sel > IB_FLUSH_MR ||
	    pkt->dmalen > RXE_MAX_MSG || !qp->rx.replay_size)
		return RXE_V_NAK_INV;	/* oA19-2 */
	/* unlike READ and WRITE, a FLUSH of no bytes checks its key */
	mr = rxe_mr_remote(qp, pkt->rkey, pkt->va, pkt->flush_sel == IB_FLUSH_MR ? 0 : pkt->dmalen,
			   access);
	if (IS_ERR(mr))
		return RXE_V_NAK_ACCESS;
	rxe_mr_flush(mr, pkt->va, pkt->dmalen, pkt->flush_sel == IB_FLUSH_MR,
		     pkt->flush_plt & IB_FLUSH_PERSISTENT);
	rxe_mr_put(mr);
	rxe_exec_reply(qp, b, reply, RXE_MSG_READ_RESP, 0);
	return RXE_V_ANSWER;
}

/**
 * rxe_exec() - execute a request that is in sequence
 * @qp: RC or UC; receive side owned
 * @b: the request
 * @reply: filled for READ, atomics, FLUSH, ATOMIC WRITE
 *
 * Return: OK or ANSWER, and the QP's counters moved on; anything else, and
 * nothing was changed.
 */
enum rxe_verdict rxe_exec(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply)
{
	switch (b->msg) {
	case RXE_MSG_SEND:
	case RXE_MSG_SEND_IMM:
	case RXE_MSG_SEND_INV:
		return rxe_exec_send(qp, b);
	case RXE_MSG_WRITE:
	case RXE_MSG_WRITE_IMM:
		return rxe_exec_write(qp, b);
	case RXE_MSG_READ:
		return rxe_exec_read(qp, b, reply);
	case RXE_MSG_CMP_SWAP:
	case RXE_MSG_FETCH_ADD:
		return rxe_exec_atomic(qp, b, reply);
	case RXE_MSG_ATOMIC_WRITE:
		return rxe_exec_atomic_write(qp, b, reply);
	case RXE_MSG_FLUSH:
		return rxe_exec_flush(qp, b, reply);
	default:
		return RXE_V_NAK_INV;
	}
}

static void rxe_datagram_received(struct rxe_qp *qp, struct rxe_burst *b, enum ib_wc_status status)
{
	struct ib_wc wc = {
		.status = status,
		.opcode = IB_WC_RECV,
		.byte_len = b->len + RXE_GRH_BYTES,
		.src_qp = b->pkt.sqpn,
		.wc_flags = IB_WC_GRH,
		.pkey_index = qp->pkey_index,
	};

	if (b->msg == RXE_MSG_SEND_IMM) {
		wc.wc_flags |= IB_WC_WITH_IMM;
		wc.ex.imm_data = b->pkt.imm;
	}
	rxe_rx_wc(b->skb, &wc);
	if (!status)
		rxe_count(qp->dev, RXE_CNT_RDMA_RECVS, 1);
	rxe_resp_post(qp, &wc, b->pkt.se);
}

/* GRH area, then payload (wire-and-protocol D.4). */
static int rxe_datagram_place(struct rxe_qp *qp, struct rxe_burst *b)
{
	struct rxe_iter *dst = rxe_scratch_iter(1);
	struct rxe_recv *rx = &qp->rx;
	u8 grh[RXE_GRH_BYTES];
	struct rxe_iter src;
	int err;

	err = rxe_iter_sges(dst, qp, &rx->side, rx->rwr->sge, rx->rwr->num_sge, 0,
			    b->len + RXE_GRH_BYTES, IB_ACCESS_LOCAL_WRITE);
	if (err)
		return err;
	rxe_rx_grh(b->skb, grh);
	rxe_iter_linear(&src, grh, sizeof(grh));
	err = rxe_iter_copy(dst, &src, sizeof(grh));
	if (!err && b->len)
		err = rxe_iter_copy(dst, b->data, b->len);
	rxe_iter_close(dst);
	return err ? -EINPROGRESS : 0;
}

/**
 * rxe_exec_datagram() - a datagram for a UD or GSI QP
 * @qp: receive side owned
 * @b: the packet
 *
 * Without a receive it is dropped; one too large for its receive completes
 * that with LOC_LEN_ERR (10.8.3.2), the QP goes on.
 */
enum rxe_verdict rxe_exec_datagram(struct rxe_qp *qp, struct rxe_burst *b)
{
	struct rxe_recv *rx = &qp->rx;
	enum ib_wc_status status = IB_WC_SUCCESS;
	int err;

	switch (rxe_resp_receive(qp)) {
	case RXE_V_OK:
		break;
	case RXE_V_RNR:
		rxe_drop(qp->dev, RXE_DROP_MSG);
		return RXE_V_DROP;
	default:
		status = rx->error;
	}
	rx->error = 0;
	if (!status && b->len + RXE_GRH_BYTES > rx->rwr->length)
		status = IB_WC_LOC_LEN_ERR;
	if (!status) {
		err = rxe_datagram_place(qp, b);
		if (err == -EAGAIN)
			return RXE_V_WAIT;
		if (err == -EINPROGRESS)
			return RXE_V_LATER;	/* a page went meanwhile */
		if (err)
			status = IB_WC_LOC_PROT_ERR;
	}
	rx->n_rcvd++;
	rxe_datagram_received(qp, b, status);
	if (status && status != IB_WC_LOC_LEN_ERR)
		rxe_qp_error(qp);
	return RXE_V_OK;
}
