// SPDX-License-Identifier: GPL-2.0
/*
 * Responder: what becomes of a request.
 *
 * A request is checked in the order PSN, operation, length, resources, keys
 * (wire-and-protocol D.6) by functions that return a verdict; here the verdict
 * becomes an answer, a completion, an event, a change of state.
 *
 * Requests come as packets from the inbox (rxe_rx_run), or as bursts by
 * reference from a requester on this host that owns this side for the time of
 * the call (rxe_resp_ref).  Everything runs as owner of the receive side, BH off.
 */
#include "rxe.h"
#include "trace.h"

enum {
	RXE_FLUSH_MIN	= 10 * NSEC_PER_MSEC,
	RXE_FLUSH_MAX	= NSEC_PER_SEC,
};

/**
 * rxe_resp_post() - complete a receive
 * @qp: receive side owned
 * @wc: status, length and flags; the rest is filled here
 * @solicited: the sender asked for a solicited event
 */
void rxe_resp_post(struct rxe_qp *qp, struct ib_wc *wc, bool solicited)
{
	wc->wr_id = qp->rx.rwr->wr_id;
	wc->qp = &qp->ib;
	wc->port_num = 1;
	qp->rx.have_rwr = false;
	trace_rxe_comp(qp, wc->wr_id, wc->status);
	if (rxe_cq_post(qp->rcq, wc, solicited || wc->status))
		rxe_qp_error(qp);
}

/**
 * rxe_resp_receive() - have a receive WQE for the message under way
 * @qp: receive side owned
 */
enum rxe_verdict rxe_resp_receive(struct rxe_qp *qp)
{
	struct rxe_recv *rx = &qp->rx;
	int err;

	if (rx->have_rwr)
		return RXE_V_OK;
	if (qp->srq)
		err = rxe_srq_take(qp->srq, rx->rwr);
	else
		err = rxe_rwr_snapshot(&rx->ring, rx->max_sge, rx->rwr);
	if (err == -ENOENT)
		return RXE_V_RNR;
	rx->have_rwr = true;
	if (!err)
		return RXE_V_OK;
	rx->error = IB_WC_LOC_QP_OP_ERR;
	return RXE_V_NAK_OP;
}

static enum rxe_msg rxe_msg_class(u8 msg)
{
	switch (msg) {
	case RXE_MSG_SEND_IMM:
	case RXE_MSG_SEND_INV:
		return RXE_MSG_SEND;
	case RXE_MSG_WRITE_IMM:
		return RXE_MSG_WRITE;
	default:
		return msg;
	}
}

/* RC: expected, early or seen before (IBTA 9.7.4). */
static enum rxe_verdict rxe_check_psn(struct rxe_qp *qp, struct rxe_burst *b)
{
	struct rxe_recv *rx = &qp->rx;
	s32 diff = rxe_psn_diff(b->pkt.psn, rx->psn);

	if (diff > 0) {
		rx->n_seq++;
		rxe_count(qp->dev, RXE_CNT_OUT_OF_SEQ_REQ, 1);
		if (rx->nak_sent)
			return RXE_V_DROP;
		rx->nak_sent = true;
		return RXE_V_NAK_SEQ;
	}
	if (diff < 0)
		return RXE_V_DUP;
	rx->nak_sent = false;
	return RXE_V_OK;
}

/* UC: a gap ends the message under way; its receive WQE is used again (9.8.2.2). */
static enum rxe_verdict rxe_check_uc(struct rxe_qp *qp, struct rxe_burst *b)
{
	struct rxe_recv *rx = &qp->rx;

	if (b->pkt.psn != rx->psn) {
		rx->psn = b->pkt.psn;
		rx->drop_msg = rx->msg != RXE_MSG_NONE || !b->starts;
		rx->msg = RXE_MSG_NONE;
	}
	if (b->starts) {
		rx->drop_msg = false;
		rx->msg = RXE_MSG_NONE;
	}
	if (!rx->drop_msg)
		return RXE_V_OK;
	rx->psn = rxe_psn_add(rx->psn, b->npkts);
	return RXE_V_DROP;
}

/* First, Middle, Last and Only in their order; one message at a time (C9-16). */
static enum rxe_verdict rxe_check_op(struct rxe_qp *qp, struct rxe_burst *b)
{
	enum rxe_msg msg = rxe_msg_class(b->msg);

	if (b->starts ? qp->rx.msg != RXE_MSG_NONE : qp->rx.msg != msg)
		return RXE_V_NAK_INV;
	if (qp->transport == RXE_UC && msg != RXE_MSG_SEND && msg != RXE_MSG_WRITE)
		return RXE_V_NAK_INV;
	return RXE_V_OK;
}

/* Payload of First and Middle is the path MTU, of Last 1 to MTU, of Only 0 to MTU (C9-92). */
static enum rxe_verdict rxe_check_len(struct rxe_qp *qp, struct rxe_burst *b)
{
	u32 last = b->len - ((b->npkts - 1) << qp->mtu_shift);
	enum rxe_msg msg = rxe_msg_class(b->msg);

	if (msg != RXE_MSG_SEND && msg != RXE_MSG_WRITE)
		return RXE_V_OK;
	if (!b->ends)
		return last == qp->mtu ? RXE_V_OK : RXE_V_NAK_INV;
	if (last > qp->mtu || (!b->starts && !last))
		return RXE_V_NAK_INV;
	return RXE_V_OK;
}

static bool rxe_resp_state_ok(struct rxe_qp *qp)
{
	return rxe_state_receives(READ_ONCE(qp->state));
}

/* First valid packet in RTR (IBTA 11.6.3.2). */
static void rxe_resp_established(struct rxe_qp *qp)
{
	if (likely(qp->rx.comm_est))
		return;
	qp->rx.comm_est = true;
	if (READ_ONCE(qp->state) == IB_QPS_RTR)
		rxe_qp_event(qp, IB_EVENT_COMM_EST);
}

static enum rxe_verdict rxe_resp_judge(struct rxe_qp *qp, struct rxe_burst *b,
				       struct rxe_reply *reply)
{
	enum rxe_verdict v;

	v = qp->transport == RXE_RC ? rxe_check_psn(qp, b) : rxe_check_uc(qp, b);
	if (v == RXE_V_DUP)
		return rxe_replay(qp, b, reply);
	rxe_resp_established(qp);
	v = v ?: rxe_check_op(qp, b);
	v = v ?: rxe_check_len(qp, b);
	return v ?: rxe_exec(qp, b, reply);
}

static void rxe_reply_aeth(struct rxe_qp *qp, struct rxe_reply *reply, u8 syndrome, u32 psn)
{
	reply->msg = RXE_MSG_ACK;
	reply->syndrome = syndrome;
	reply->psn = psn;
	reply->msn = qp->rx.msn;
}

/* The request is refused for good: the receive in use completes, or an event tells (C9-222.1). */
static void rxe_resp_refuse(struct rxe_qp *qp, struct rxe_burst *b, enum rxe_verdict v)
{
	struct rxe_recv *rx = &qp->rx;
	struct ib_wc wc = { .status = rx->error ?: IB_WC_REM_INV_REQ_ERR };

	if (rx->have_rwr && (rx->error || rxe_msg_class(b->msg) == RXE_MSG_SEND))
		rxe_resp_post(qp, &wc, true);
	else if (v == RXE_V_NAK_ACCESS)
		rxe_qp_event(qp, IB_EVENT_QP_ACCESS_ERR);
	else
		rxe_qp_event(qp, IB_EVENT_QP_REQ_ERR);
	rx->error = 0;
	rxe_qp_error(qp);
}

/* UC and UD drop what RC would refuse, unless a receive of ours is at fault. */
static void rxe_resp_unrefused(struct rxe_qp *qp, struct rxe_burst *b)
{
	struct rxe_recv *rx = &qp->rx;

	rxe_drop(qp->dev, RXE_DROP_MSG);
	rx->drop_msg = true;
	rx->msg = RXE_MSG_NONE;
	rx->psn = rxe_psn_add(b->pkt.psn, b->npkts);
	if (rx->error)
		rxe_resp_refuse(qp, b, RXE_V_NAK_OP);
}

/* From a verdict to an answer. */
static void rxe_resp_conclude(struct rxe_qp *qp, struct rxe_burst *b, enum rxe_verdict v,
			      struct rxe_reply *reply)
{
	static const u8 syndrome[] = {
		[RXE_V_NAK_SEQ]		= RXE_NAK_PSN_SEQ,
		[RXE_V_NAK_INV]		= RXE_NAK_INV_REQ,
		[RXE_V_NAK_ACCESS]	= RXE_NAK_REM_ACCESS,
		[RXE_V_NAK_OP]		= RXE_NAK_REM_OP,
	};

	if (qp->transport != RXE_RC) {
		if (v >= RXE_V_RNR && v <= RXE_V_NAK_OP)
			rxe_resp_unrefused(qp, b);
		return;
	}
	switch (v) {
	case RXE_V_OK:
	case RXE_V_DUP:
		rxe_reply_aeth(qp, reply, RXE_AETH_ACK | RXE_AETH_CREDIT_NONE,
			       rxe_psn_add(qp->rx.psn, -1));
		break;
	case RXE_V_RNR:
		qp->rx.nak_sent = true;		/* what was sent behind it needs none of its own */
		qp->rx.n_rnr++;
		rxe_count(qp->dev, RXE_CNT_SND_RNR, 1);
		rxe_reply_aeth(qp, reply, RXE_AETH_RNR | qp->attr.min_rnr_timer, b->pkt.psn);
		break;
	case RXE_V_NAK_SEQ:
		rxe_reply_aeth(qp, reply, RXE_NAK_PSN_SEQ, qp->rx.psn);
		break;
	case RXE_V_NAK_INV:
	case RXE_V_NAK_ACCESS:
	case RXE_V_NAK_OP:
		rxe_reply_aeth(qp, reply, syndrome[v], b->pkt.psn);
		rxe_resp_refuse(qp, b, v);
		break;
	case RXE_V_DROP:
		rxe_drop(qp->dev, RXE_DROP_PSN);
		break;
	default:
		break;
	}
}

static enum rxe_verdict rxe_resp_request(struct rxe_qp *qp, struct rxe_burst *b,
					 struct rxe_reply *reply)
{
	enum rxe_verdict v;

	if (!rxe_resp_state_ok(qp)) {
		rxe_drop(qp->dev, RXE_DROP_STATE);
		return RXE_V_DROP;
	}
	v = rxe_resp_judge(qp, b, reply);
	if (v == RXE_V_WAIT || v == RXE_V_LATER)
		return v;
	qp->rx.n_rcvd += b->npkts;
	rxe_resp_conclude(qp, b, v, reply);
	return v;
}

/**
 * rxe_resp_ref() - a burst by reference from a requester on this host
 * @qp: RC or UC; receive side owned by the caller (local.c)
 * @b: the burst; @b->data and @b->sink are the requester's memory
 * @reply: zeroed; filled with the answer, if there is one
 *
 * Return: the verdict; RXE_V_WAIT and RXE_V_LATER mean that nothing was done.
 */
enum rxe_verdict rxe_resp_ref(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply)
{
	return rxe_resp_request(qp, b, reply);
}

/**
 * rxe_resp_send() - send an answer without payload as a packet
 * @qp: RC; receive side owned
 * @reply: the answer
 * @via: road it takes
 */
void rxe_resp_send(struct rxe_qp *qp, const struct rxe_reply *reply, u8 via)
{
	struct rxe_burst b = {
		.msg = reply->msg,
		.starts = true,
		.ends = true,
		.via = via,
		.npkts = 1,
	};

	b.pkt.pkey = RXE_DEFAULT_PKEY;
	b.pkt.migreq = true;
	b.pkt.dqpn = qp->dqpn;
	b.pkt.psn = reply->psn;
	b.pkt.syndrome = reply->syndrome;
	b.pkt.msn = reply->msn;
	b.pkt.orig = reply->orig;
	rxe_tx_burst(qp, &qp->rx.route, &qp->path, &b);
}

static void rxe_resp_send_due(struct rxe_qp *qp)
{
	struct rxe_recv *rx = &qp->rx;
	struct rxe_reply reply = {};

	if (!rx->ack_due)
		return;
	rx->ack_due = false;
	rxe_reply_aeth(qp, &reply, RXE_AETH_ACK | RXE_AETH_CREDIT_NONE, rxe_psn_add(rx->psn, -1));
	rxe_resp_send(qp, &reply, rx->ack_via);
}

/* Plain acknowledgements wait for the end of the turn: one covers many. */
static void rxe_resp_answer(struct rxe_qp *qp, struct rxe_burst *b, enum rxe_verdict v,
			    const struct rxe_reply *reply)
{
	if (v == RXE_V_OK || v == RXE_V_DUP) {
		if (b->pkt.ackreq || v == RXE_V_DUP) {
			if (qp->rx.ack_due)
				rxe_count(qp->dev, RXE_CNT_ACK_DEFERRED, 1);
			qp->rx.ack_due = true;
			qp->rx.ack_via = b->via;
		}
		return;
	}
	if (!reply->msg)
		return;
	if (v >= RXE_V_RNR && v <= RXE_V_NAK_OP)
		trace_rxe_nak(qp, reply->psn, reply->syndrome);
	qp->rx.ack_due = false;		/* any answer acknowledges what was before it */
	rxe_resp_send(qp, reply, b->via);
}

static enum rxe_verdict rxe_resp_packet(struct rxe_qp *qp, struct sk_buff *skb)
{
	struct rxe_reply reply = {};
	struct rxe_iter data;
	struct rxe_burst b;
	enum rxe_verdict v;

	rxe_rx_decode(qp, skb, &b, &data);
	if (qp->transport == RXE_UD)
		return rxe_exec_datagram(qp, &b);
	v = rxe_resp_request(qp, &b, &reply);
	if (qp->transport == RXE_RC)
		rxe_resp_answer(qp, &b, v, &reply);
	return v;
}

static enum rxe_turn rxe_resp_inbox(struct rxe_qp *qp, struct rxe_budget *budget)
{
	struct rxe_side *side = &qp->rx.side;
	enum rxe_turn turn = RXE_IDLE;
	struct sk_buff *skb;

	while (turn == RXE_IDLE && rxe_resp_state_ok(qp) && (skb = rxe_inbox_peek(side))) {
		enum rxe_verdict v = rxe_resp_packet(qp, skb);

		budget->packets--;
		budget->bytes -= skb->len;
		if (v == RXE_V_WAIT)
			return RXE_IDLE;	/* kicked when the pages are there */
		if (v == RXE_V_LATER)
			return RXE_LATER;
		rxe_inbox_pop(side);
		if (qp->rx.reading)
			turn = rxe_read_more(qp, budget);
		if (qp->rx.reading)
			return turn;
		if (rxe_over_budget(budget))
			turn = RXE_MORE;
	}
	return turn;
}

/* A QP with SRQ has nothing to flush; it tells that no receive is in use (10.3.1.7). */
static bool rxe_flush_one(struct rxe_qp *qp)
{
	struct ib_wc wc = { .status = IB_WC_WR_FLUSH_ERR };
	struct rxe_recv *rx = &qp->rx;

	if (!rx->have_rwr && qp->srq)
		return false;
	if (!rx->have_rwr && rxe_rwr_snapshot(&rx->ring, rx->max_sge, rx->rwr) == -ENOENT)
		return false;
	rxe_resp_post(qp, &wc, true);
	return true;
}

/* Users post receives without telling anybody: look again, less and less often. */
static void rxe_flush_again(struct rxe_qp *qp, bool found)
{
	struct rxe_recv *rx = &qp->rx;

	if (!qp->user || qp->srq)
		return;
	if (found || !rx->flush_delay)
		rx->flush_delay = RXE_FLUSH_MIN;
	else
		rx->flush_delay = min_t(u32, rx->flush_delay * 2, RXE_FLUSH_MAX);
	WRITE_ONCE(rx->flush_at, ktime_get_ns() + rx->flush_delay);
	rxe_timer_update(qp);
}

static enum rxe_turn rxe_rx_flush(struct rxe_qp *qp, struct rxe_budget *budget)
{
	struct rxe_recv *rx = &qp->rx;
	bool found = false;

	rx->reading = rx->ack_due = false;
	while (rxe_flush_one(qp)) {
		found = true;
		budget->packets--;
		if (rxe_over_budget(budget))
			return RXE_MORE;
	}
	if (qp->srq && !rx->last_wqe) {
		rx->last_wqe = true;
		rxe_qp_event(qp, IB_EVENT_QP_LAST_WQE_REACHED);
	}
	rxe_flush_again(qp, found);
	return RXE_IDLE;
}

/**
 * rxe_rx_run() - one turn of a receive side
 * @side: the receive side of a QP, owned by the caller
 * @budget: what this turn may use up
 *
 * Context: engine, BH off.
 */
enum rxe_turn rxe_rx_run(struct rxe_side *side, struct rxe_budget *budget)
{
	struct rxe_qp *qp = container_of(side, struct rxe_qp, rx.side);
	enum rxe_turn turn = RXE_IDLE;

	/* pages came: for a packet here, or for a sender that waits by reference */
	if (rxe_side_marks(side) & RXE_MARK_WAKE && !list_empty_careful(&qp->rx.parked))
		atomic_or(RXE_MARK_WAITER, &side->state);
	if (rxe_resp_state_ok(qp)) {
		if (qp->rx.reading)
			turn = rxe_read_more(qp, budget);
		if (turn == RXE_IDLE && !qp->rx.reading)
			turn = rxe_resp_inbox(qp, budget);
		rxe_resp_send_due(qp);
	}
	if (rxe_resp_state_ok(qp))
		return turn;
	rxe_inbox_purge(side);
	if (READ_ONCE(qp->state) == IB_QPS_ERR)
		return rxe_rx_flush(qp, budget);
	return RXE_IDLE;
}

/**
 * rxe_rx_reset() - responder state of a QP in RESET
 * @qp: receive side owned, or not yet known to anybody
 */
void rxe_rx_reset(struct rxe_qp *qp)
{
	struct rxe_recv *rx = &qp->rx;

	rx->psn = rx->msn = 0;
	rx->nak_sent = rx->drop_msg = false;
	rx->msg = RXE_MSG_NONE;
	rx->have_rwr = false;
	rx->reading = rx->ack_due = false;
	rx->comm_est = rx->last_wqe = false;
	rx->error = 0;
	rx->replay_head = 0;
	WRITE_ONCE(rx->flush_at, 0);
	rx->flush_delay = 0;
	if (rx->replay)
		memset(rx->replay, 0, rx->replay_size * sizeof(*rx->replay));
}
