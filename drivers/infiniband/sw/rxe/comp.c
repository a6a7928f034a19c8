// SPDX-License-Identifier: GPL-2.0
/*
 * Completer: takes answers, completes send work requests in order.
 *
 * An acknowledgement for PSN p is one for everything up to p, except READs and
 * atomics, which only their own answers complete: one that jumps over an
 * unanswered READ means that the answer was lost, and the requester goes back
 * to it (IBTA 9.9.2.4.1, 9.7.5.1.2; wire-and-protocol D.7).
 *
 * Everything here runs as owner of the send side, BH off.
 */
#include "rxe.h"
#include "trace.h"

static enum ib_wc_opcode rxe_wc_opcode(const struct rxe_swr *swr)
{
	switch (swr->opcode) {
	case IB_WR_RDMA_WRITE:
	case IB_WR_RDMA_WRITE_WITH_IMM:
		return IB_WC_RDMA_WRITE;
	case IB_WR_RDMA_READ:
	case IB_WR_RDMA_READ_WITH_INV:
		return IB_WC_RDMA_READ;
	case IB_WR_ATOMIC_CMP_AND_SWP:
		return IB_WC_COMP_SWAP;
	case IB_WR_ATOMIC_FETCH_AND_ADD:
		return IB_WC_FETCH_ADD;
	case IB_WR_LOCAL_INV:
		return IB_WC_LOCAL_INV;
	case IB_WR_REG_MR:
		return IB_WC_REG_MR;
	case IB_WR_BIND_MW:
		return IB_WC_BIND_MW;
	case IB_WR_FLUSH:
		return IB_WC_FLUSH;
	case IB_WR_ATOMIC_WRITE:
		return IB_WC_ATOMIC_WRITE;
	default:
		return IB_WC_SEND;
	}
}

/* Completion of one WQE; unsignaled ones complete silently unless they failed (10.7.3.1). */
static int rxe_comp_post(struct rxe_qp *qp, const struct rxe_swr *swr, enum ib_wc_status status)
{
	struct ib_wc wc = {
		.wr_id = swr->wr_id,
		.status = status,
		.opcode = rxe_wc_opcode(swr),
		.byte_len = swr->length,
		.qp = &qp->ib,
		.port_num = 1,
	};

	trace_rxe_comp(qp, swr->wr_id, status);
	if (!status && wc.opcode == IB_WC_SEND)
		rxe_count(qp->dev, RXE_CNT_RDMA_SENDS, 1);
	if (!status && !qp->sq_sig_all && !(swr->flags & IB_SEND_SIGNALED))
		return 0;
	return rxe_cq_post(qp->scq, &wc, status != IB_WC_SUCCESS);
}

/* RC dies of any error; UC and UD keep their receive side (IBTA 10.3.1.6). */
static void rxe_send_error(struct rxe_qp *qp)
{
	if (qp->transport == RXE_RC ||
	    cmpxchg(&qp->state, IB_QPS_RTS, IB_QPS_SQE) != IB_QPS_RTS)
		rxe_qp_error(qp);
	else
		rxe_kick(&qp->tx.side, RXE_MARK_STATE);
}

/**
 * rxe_comp_advance() - complete what is done, in order
 * @qp: send side owned
 */
void rxe_comp_advance(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;
	bool failed = false, overflow = false;

	while (tx->tail != tx->head) {
		struct rxe_swr *swr = rxe_swr_at(tx, tx->tail);

		if (swr->state != RXE_SWR_DONE)
			break;
		failed |= swr->status != IB_WC_SUCCESS;
		if (rxe_swr_is_rdatom(swr) && tx->rd_atomic)
			tx->rd_atomic--;
		tx->tail++;
		rxe_ring_consume(&tx->ring, 1);
		overflow |= rxe_comp_post(qp, swr, swr->status) != 0;
		if (failed)
			break;
	}
	if ((s32)(tx->next - tx->tail) < 0)
		tx->next = tx->tail;
	if (overflow)
		rxe_qp_error(qp);
	else if (failed)
		rxe_send_error(qp);
}

/**
 * rxe_comp_fail() - a work request failed
 * @qp: send side owned
 * @swr: the one; those before it that are not done are flushed
 * @status: why
 */
void rxe_comp_fail(struct rxe_qp *qp, struct rxe_swr *swr, enum ib_wc_status status)
{
	struct rxe_send *tx = &qp->tx;
	struct rxe_swr *before;

	while (tx->tail != tx->head && (before = rxe_swr_at(tx, tx->tail)) != swr) {
		if (before->state != RXE_SWR_DONE)
			before->status = IB_WC_WR_FLUSH_ERR;
		rxe_ring_consume(&tx->ring, 1);
		rxe_comp_post(qp, before, before->status);
		tx->tail++;
	}
	swr->status = status;
	swr->state = RXE_SWR_DONE;
	rxe_comp_advance(qp);
}

/* First WQE begun and not done: the one that holds the oldest unacknowledged PSN. */
static struct rxe_swr *rxe_comp_oldest(struct rxe_send *tx)
{
	u32 seq;

	for (seq = tx->tail; seq != tx->head; seq++) {
		struct rxe_swr *swr = rxe_swr_at(tx, seq);

		if (swr->state == RXE_SWR_NEW)
			return NULL;
		if (swr->state != RXE_SWR_DONE)
			return swr;
	}
	return NULL;
}

/* PSN of the next answer to a READ; of any other request, its first. */
static u32 rxe_swr_answer_psn(const struct rxe_qp *qp, const struct rxe_swr *swr)
{
	u32 pkts = swr->msg == RXE_MSG_READ ? swr->done >> qp->mtu_shift : 0;

	return rxe_psn_add(swr->first_psn, pkts);
}

/* Mark done what an acknowledgement of everything before @psn covers; the new una. */
static u32 rxe_ack_walk(struct rxe_qp *qp, u32 psn)
{
	struct rxe_send *tx = &qp->tx;
	struct rxe_swr *swr;

	while ((swr = rxe_comp_oldest(tx))) {
		if (rxe_swr_is_rdatom(swr))
			return rxe_swr_answer_psn(qp, swr);
		if (rxe_psn_diff(swr->last_psn, psn) >= 0)
			return rxe_psn_diff(psn, swr->first_psn) > 0 ? psn : swr->first_psn;
		swr->state = RXE_SWR_DONE;
	}
	return tx->psn_high;
}

/*
 * una moved. If an acknowledgement overtook the cursor (we are going back and
 * the first copy arrived after all), nothing more of that is sent again.
 */
static void rxe_ack_set(struct rxe_qp *qp, u32 una)
{
	struct rxe_send *tx = &qp->tx;
	s32 acked = rxe_psn_diff(una, tx->una);

	if (acked <= 0)
		return;
	tx->una = una;
	if (rxe_psn_diff(una, tx->psn) > 0)
		rxe_retry_rewind(qp);
	rxe_retry_progress(qp, acked);
}

/* Acknowledge everything before @psn. */
static void rxe_ack_before(struct rxe_qp *qp, u32 psn)
{
	rxe_ack_set(qp, rxe_ack_walk(qp, psn));
	rxe_comp_advance(qp);
}

static void rxe_comp_credits(struct rxe_send *tx, u8 syndrome, u32 msn)
{
	u8 code = syndrome & ~RXE_AETH_TYPE;

	tx->msn_seen = msn;
	if ((syndrome & RXE_AETH_TYPE) != RXE_AETH_ACK)
		return;
	if (code == RXE_AETH_CREDIT_NONE)
		tx->credit_limit = ~0u;
	else
		tx->credit_limit = rxe_psn_add(msn, rxe_credit_decode(code));
}

/* The peer refuses the request that holds @psn, for good. */
static void rxe_comp_refused(struct rxe_qp *qp, u8 syndrome)
{
	struct rxe_swr *swr = rxe_comp_oldest(&qp->tx);
	enum ib_wc_status status;

	switch (syndrome) {
	case RXE_NAK_INV_REQ:
		status = IB_WC_REM_INV_REQ_ERR;
		break;
	case RXE_NAK_REM_ACCESS:
		status = IB_WC_REM_ACCESS_ERR;
		break;
	case RXE_NAK_REM_OP:
		status = IB_WC_REM_OP_ERR;
		break;
	default:
		return;		/* reserved: dropped */
	}
	if (swr)
		rxe_comp_fail(qp, swr, status);
}

/* It jumped an unanswered READ or atomic: go back to that, once. */
static void rxe_comp_gap(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;

	if (tx->gap) {
		rxe_retry_alive(qp);
		return;
	}
	tx->gap = true;
	rxe_count(qp->dev, RXE_CNT_COMP_RETRY, 1);
	rxe_retry_seq_nak(qp);
}

static bool rxe_syndrome_known(u8 syndrome)
{
	switch (syndrome & RXE_AETH_TYPE) {
	case RXE_AETH_ACK:
	case RXE_AETH_RNR:
		return true;
	case RXE_AETH_NAK:
		return syndrome <= RXE_NAK_REM_OP;
	default:
		return false;
	}
}

/* A NAK of any kind, which acknowledges everything before its PSN. */
static void rxe_comp_nak(struct rxe_qp *qp, u32 psn, u8 syndrome)
{
	rxe_ack_before(qp, psn);
	trace_rxe_nak(qp, psn, syndrome);
	if (qp->tx.una != psn) {
		rxe_comp_gap(qp);
		return;
	}
	if (qp->tx.rnr_at)
		return;		/* what follows a request that is to wait anyway */
	if ((syndrome & RXE_AETH_TYPE) == RXE_AETH_RNR) {
		rxe_count(qp->dev, RXE_CNT_RCV_RNR, 1);
		rxe_retry_rnr(qp, syndrome & ~RXE_AETH_TYPE);
	} else if (syndrome == RXE_NAK_PSN_SEQ) {
		rxe_count(qp->dev, RXE_CNT_RCV_SEQ_ERR, 1);
		rxe_retry_seq_nak(qp);
	} else {
		rxe_comp_refused(qp, syndrome);
	}
}

/* An AETH for @psn, on a packet or by reference.  Ghosts and duplicates change nothing. */
static void rxe_comp_aeth(struct rxe_qp *qp, u32 psn, u8 syndrome, u32 msn)
{
	struct rxe_send *tx = &qp->tx;
	u32 next = rxe_psn_add(psn, 1);

	if (rxe_psn_diff(psn, tx->una) < 0 || rxe_psn_diff(psn, tx->psn_high) >= 0 ||
	    !rxe_syndrome_known(syndrome))
		return;
	rxe_comp_credits(tx, syndrome, msn);
	if ((syndrome & RXE_AETH_TYPE) != RXE_AETH_ACK) {
		rxe_comp_nak(qp, psn, syndrome);
		return;
	}
	rxe_ack_before(qp, next);
	if (rxe_psn_diff(next, tx->una) > 0)
		rxe_comp_gap(qp);
}

/* The READ, atomic ... that an answer with @psn belongs to; NULL: not now. */
static struct rxe_swr *rxe_comp_match(struct rxe_qp *qp, u32 psn)
{
	struct rxe_send *tx = &qp->tx;
	struct rxe_swr *swr;

	if (rxe_psn_diff(psn, tx->una) < 0 || rxe_psn_diff(psn, tx->psn_high) >= 0)
		return NULL;
	rxe_ack_before(qp, psn);
	if (tx->una != psn) {
		rxe_comp_gap(qp);
		return NULL;
	}
	swr = rxe_comp_oldest(tx);
	return swr && rxe_swr_is_rdatom(swr) ? swr : NULL;
}

/* An answer is complete. */
static void rxe_comp_answered(struct rxe_qp *qp, struct rxe_swr *swr)
{
	swr->state = RXE_SWR_DONE;
	rxe_ack_set(qp, rxe_psn_add(swr->last_psn, 1));
	rxe_comp_advance(qp);
}

/* Put answer bytes where the work request wants them. 0, or the verdict was given. */
static int rxe_comp_place(struct rxe_qp *qp, struct rxe_swr *swr, struct rxe_iter *src, u32 off,
			  u32 len)
{
	struct rxe_iter *dst = rxe_scratch_iter(1);
	int err;

	if (!len)
		return 0;
	err = rxe_iter_sges(dst, qp, &qp->tx.side, swr->sge, swr->num_sge, off, len,
			    IB_ACCESS_LOCAL_WRITE);
	if (!err) {
		err = rxe_iter_copy(dst, src, len);
		rxe_iter_close(dst);
	}
	if (err == -EAGAIN) {
		rxe_retry_started(qp);	/* counts as lost: the timer asks again */
		return err;
	}
	if (err)
		rxe_comp_fail(qp, swr, IB_WC_LOC_PROT_ERR);
	return err;
}

/*
 * What the next READ response packet must look like (IBTA 9.7.4.1.1); a Last may
 * come before the end, since a READ is asked for in pieces.
 */
static bool rxe_read_resp_fits(const struct rxe_qp *qp, const struct rxe_swr *swr,
			       const struct rxe_burst *b)
{
	u32 left = swr->length - swr->done;

	if (left > qp->mtu)
		return b->len == qp->mtu;
	return b->ends && b->len == left;
}

static void rxe_comp_read_resp(struct rxe_qp *qp, struct rxe_burst *b)
{
	struct rxe_swr *swr = rxe_comp_match(qp, b->pkt.psn);
	u32 psn = rxe_psn_add(b->pkt.psn, 1);

	if (!swr)
		return;
	if (swr->msg == RXE_MSG_FLUSH || swr->msg == RXE_MSG_ATOMIC_WRITE) {
		rxe_comp_answered(qp, swr);
		return;
	}
	if (swr->msg != RXE_MSG_READ || !rxe_read_resp_fits(qp, swr, b)) {
		rxe_comp_fail(qp, swr, IB_WC_BAD_RESP_ERR);
		return;
	}
	if (rxe_comp_place(qp, swr, b->data, swr->done, b->len))
		return;
	swr->done += b->len;
	if (swr->done == swr->length)
		rxe_comp_answered(qp, swr);
	else
		rxe_ack_set(qp, psn);
}

static void rxe_comp_atomic(struct rxe_qp *qp, u32 psn, u64 orig)
{
	struct rxe_swr *swr = rxe_comp_match(qp, psn);
	struct rxe_iter src;

	if (!swr)
		return;
	if (swr->msg != RXE_MSG_CMP_SWAP && swr->msg != RXE_MSG_FETCH_ADD) {
		rxe_comp_fail(qp, swr, IB_WC_BAD_RESP_ERR);
		return;
	}
	rxe_iter_linear(&src, &orig, sizeof(orig));
	if (!rxe_comp_place(qp, swr, &src, 0, sizeof(orig)))
		rxe_comp_answered(qp, swr);
}

/**
 * rxe_comp_packet() - a response packet
 * @qp: send side owned; RTS or SQD
 * @b: the packet, decoded
 */
void rxe_comp_packet(struct rxe_qp *qp, struct rxe_burst *b)
{
	const struct rxe_pkt *pkt = &b->pkt;

	if (qp->transport != RXE_RC) {
		rxe_drop(qp->dev, RXE_DROP_TRANSPORT);
		return;
	}
	switch (b->msg) {
	case RXE_MSG_ACK:
		rxe_comp_aeth(qp, pkt->psn, pkt->syndrome, pkt->msn);
		break;
	case RXE_MSG_READ_RESP:
		rxe_comp_read_resp(qp, b);
		break;
	case RXE_MSG_ATOMIC_ACK:
		rxe_comp_atomic(qp, pkt->psn, pkt->orig);
		break;
	}
}

/* A piece of a READ is in its place; what is missing is asked for next. */
static void rxe_comp_read_ref(struct rxe_qp *qp, const struct rxe_reply *reply)
{
	struct rxe_swr *swr = rxe_comp_match(qp, reply->psn);

	if (!swr)
		return;
	swr->done += reply->read;
	if (swr->msg != RXE_MSG_READ || swr->done == swr->length) {
		rxe_comp_answered(qp, swr);
		return;
	}
	rxe_ack_set(qp, rxe_swr_answer_psn(qp, swr));
	rxe_retry_rewind(qp);
}

/**
 * rxe_comp_reply() - the answer to a burst by reference
 * @qp: send side owned
 * @reply: the answer
 */
void rxe_comp_reply(struct rxe_qp *qp, const struct rxe_reply *reply)
{
	switch (reply->msg) {
	case RXE_MSG_ACK:
		rxe_comp_aeth(qp, reply->psn, reply->syndrome, reply->msn);
		break;
	case RXE_MSG_READ_RESP:
		rxe_comp_read_ref(qp, reply);
		break;
	case RXE_MSG_ATOMIC_ACK:
		rxe_comp_atomic(qp, reply->psn, reply->orig);
		break;
	}
}

/* The snapshots first, then what is still in the ring. */
static struct rxe_swr *rxe_flush_next(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;
	struct rxe_swr *swr;

	if (tx->tail != tx->head)
		return rxe_swr_at(tx, tx->tail++);
	if (!rxe_ring_filled(&tx->ring))
		return NULL;
	swr = rxe_swr_at(tx, 0);
	rxe_swr_snapshot(qp, 0, swr);
	swr->state = RXE_SWR_NEW;
	tx->tail = tx->head = 1;
	return swr;
}

/**
 * rxe_comp_flush() - complete all send work requests with WR_FLUSH_ERR
 * @qp: send side owned; in ERR or SQE
 * @budget: of this turn
 *
 * Return: true if the budget ended it.
 */
bool rxe_comp_flush(struct rxe_qp *qp, struct rxe_budget *budget)
{
	struct rxe_send *tx = &qp->tx;
	struct rxe_swr *swr;

	tx->retry_at = tx->rnr_at = 0;
	tx->rd_atomic = 0;
	while ((swr = rxe_flush_next(qp))) {
		enum ib_wc_status status = IB_WC_WR_FLUSH_ERR;

		/* its own error, if it did not come to its turn before */
		if (swr->state == RXE_SWR_DONE && swr->status)
			status = swr->status;
		rxe_ring_consume(&tx->ring, 1);
		rxe_comp_post(qp, swr, status);
		budget->packets--;
		if (rxe_over_budget(budget))
			return true;
	}
	tx->tail = tx->next = tx->head = 0;
	tx->una = tx->psn = tx->psn_high;
	return false;
}
