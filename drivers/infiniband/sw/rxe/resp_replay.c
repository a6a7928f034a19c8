// SPDX-License-Identifier: GPL-2.0
/*
 * READs, and requests that come twice.
 *
 * A READ, atomic, FLUSH or ATOMIC WRITE leaves a record, so that a request
 * that comes again gets the same answer: a READ is read again from where it is
 * asked for, an atomic is not executed again (IBTA 9.7.5.1, 9.4.5).  There are
 * max_dest_rd_atomic records, the oldest is used again.
 *
 * A READ is answered in bursts, each of which looks its key up again; while it
 * is answered by packets, requests behind it wait in the inbox.
 * Runs as owner of the receive side, BH off.
 */
#include "rxe.h"
#include "trace.h"

/**
 * rxe_replay_new() - record a request
 * @rx: receive side owned; has at least one record
 * @b: the request
 * @npkts: number of PSNs its answer takes
 */
struct rxe_replay *rxe_replay_new(struct rxe_recv *rx, const struct rxe_burst *b, u32 npkts)
{
	struct rxe_replay *rec = &rx->replay[rx->replay_head];

	rx->replay_head = (rx->replay_head + 1) % rx->replay_size;
	rec->msg = b->msg;
	rec->first_psn = b->pkt.psn;
	rec->last_psn = rxe_psn_add(b->pkt.psn, npkts - 1);
	rec->va = b->pkt.va;
	rec->rkey = b->pkt.rkey;
	rec->length = b->pkt.dmalen;
	rec->msn = rx->msn;
	return rec;
}

static const struct rxe_replay *rxe_replay_find(const struct rxe_recv *rx, u32 psn)
{
	u32 i;

	for (i = 0; i < rx->replay_size; i++) {
		const struct rxe_replay *rec = &rx->replay[i];

		if (rec->msg && rxe_psn_diff(psn, rec->first_psn) >= 0 &&
		    rxe_psn_diff(psn, rec->last_psn) <= 0)
			return rec;
	}
	return NULL;
}

/* Part of a READ that we know, from a packet boundary on? */
static bool rxe_replay_part(const struct rxe_qp *qp, const struct rxe_replay *rec,
			    const struct rxe_pkt *pkt)
{
	u32 off = (u32)rxe_psn_diff(pkt->psn, rec->first_psn) << qp->mtu_shift;

	return pkt->rkey == rec->rkey && pkt->va == rec->va + off && off <= rec->length &&
	       pkt->dmalen <= rec->length - off;
}

static enum rxe_verdict rxe_replay_read(struct rxe_qp *qp, const struct rxe_replay *rec,
					struct rxe_burst *b, struct rxe_reply *reply)
{
	struct rxe_replay part = *rec;

	if (!rxe_replay_part(qp, rec, &b->pkt))
		return RXE_V_DROP;
	part.first_psn = b->pkt.psn;
	part.va = b->pkt.va;
	part.length = b->pkt.dmalen;
	return rxe_read_answer(qp, &part, b, reply, true);
}

static enum rxe_verdict rxe_replay_saved(const struct rxe_replay *rec, struct rxe_reply *reply)
{
	bool atomic = rec->msg == RXE_MSG_CMP_SWAP || rec->msg == RXE_MSG_FETCH_ADD;

	reply->msg = atomic ? RXE_MSG_ATOMIC_ACK : RXE_MSG_READ_RESP;
	reply->syndrome = RXE_AETH_ACK | RXE_AETH_CREDIT_NONE;
	reply->psn = rec->first_psn;
	reply->msn = rec->msn;
	reply->orig = rec->orig;
	return RXE_V_ANSWER;
}

/**
 * rxe_replay() - answer a request that was seen before
 * @qp: receive side owned
 * @b: the request
 * @reply: filled unless the answer is a plain acknowledgement or none
 *
 * Errors in duplicates are never answered.
 */
enum rxe_verdict rxe_replay(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply)
{
	const struct rxe_replay *rec;

	if (b->via != RXE_ROAD_REF) {	/* there it is how a long READ goes on */
		qp->rx.n_dup++;
		rxe_count(qp->dev, RXE_CNT_DUP_REQ, 1);
	}
	switch (b->msg) {
	case RXE_MSG_READ:
	case RXE_MSG_CMP_SWAP:
	case RXE_MSG_FETCH_ADD:
	case RXE_MSG_FLUSH:
	case RXE_MSG_ATOMIC_WRITE:
		break;
	default:
		return RXE_V_DUP;
	}
	rec = rxe_replay_find(&qp->rx, b->pkt.psn);
	if (!rec || rec->msg != b->msg)
		return RXE_V_DROP;
	if (b->msg == RXE_MSG_READ)
		return rxe_replay_read(qp, rec, b, reply);
	return rxe_replay_saved(rec, reply);
}

/* Open a cursor on what the peer reads. */
static enum rxe_verdict rxe_read_open(struct rxe_qp *qp, const struct rxe_replay *rec, u32 len)
{
	int err = rxe_iter_remote(rxe_scratch_iter(1), qp, &qp->rx.side, rec->rkey, rec->va, len,
				  IB_ACCESS_REMOTE_READ);

	if (err == -EAGAIN)
		return RXE_V_WAIT;
	return err ? RXE_V_NAK_ACCESS : RXE_V_OK;
}

/* One copy, memory to memory. */
static enum rxe_verdict rxe_read_ref(struct rxe_qp *qp, const struct rxe_replay *rec,
				     struct rxe_burst *b, struct rxe_reply *reply)
{
	u32 len = b->sink ? min(b->sink->left, rec->length) : 0;
	enum rxe_verdict v;
	int err;

	if (len) {
		v = rxe_read_open(qp, rec, len);
		if (v)
			return v;
		err = rxe_iter_copy(b->sink, rxe_scratch_iter(1), len);
		rxe_iter_close(rxe_scratch_iter(1));
		if (err)
			return RXE_V_LATER;
	}
	reply->msg = RXE_MSG_READ_RESP;
	reply->syndrome = RXE_AETH_ACK | RXE_AETH_CREDIT_NONE;
	reply->psn = rec->first_psn;
	reply->msn = rec->msn;
	reply->read = len;
	return RXE_V_ANSWER;
}

/**
 * rxe_read_answer() - answer a READ request, or a part of one
 * @qp: receive side owned
 * @rec: what to read
 * @b: the request
 * @reply: by reference: filled; by packets: left empty, rxe_read_more() sends
 * @dup: it was asked for before: errors are not answered
 */
enum rxe_verdict rxe_read_answer(struct rxe_qp *qp, const struct rxe_replay *rec,
				 struct rxe_burst *b, struct rxe_reply *reply, bool dup)
{
	struct rxe_recv *rx = &qp->rx;

	if (b->via == RXE_ROAD_REF)
		return rxe_read_ref(qp, rec, b, reply);
	rx->reading = true;
	rx->read_first = true;
	rx->read_dup = dup;
	rx->read_via = b->via;
	rx->side.on_wire = b->via == RXE_ROAD_WIRE;
	rx->read = *rec;
	rx->ack_due = false;
	return RXE_V_ANSWER;
}

/* The key went while the READ was answered. */
static void rxe_read_refused(struct rxe_qp *qp)
{
	struct rxe_reply reply = {
		.msg = RXE_MSG_ACK,
		.syndrome = RXE_NAK_REM_ACCESS,
		.psn = qp->rx.read.first_psn,
		.msn = qp->rx.msn,
	};

	qp->rx.reading = false;
	if (qp->rx.read_dup)
		return;
	rxe_resp_send(qp, &reply, qp->rx.read_via);
	rxe_qp_event(qp, IB_EVENT_QP_ACCESS_ERR);
	rxe_qp_error(qp);
}

static void rxe_read_shape(struct rxe_qp *qp, struct rxe_burst *b)
{
	struct rxe_recv *rx = &qp->rx;
	struct rxe_replay *rec = &rx->read;

	b->msg = RXE_MSG_READ_RESP;
	b->via = rx->read_via;
	b->starts = rx->read_first;
	b->len = min_t(u32, rec->length, RXE_BURST_BYTES);
	b->ends = b->len == rec->length;
	b->npkts = rxe_num_packets(b->len, qp->mtu_shift);
	b->pkt.pkey = RXE_DEFAULT_PKEY;
	b->pkt.migreq = true;
	b->pkt.dqpn = qp->dqpn;
	b->pkt.psn = rec->first_psn;
	b->pkt.syndrome = RXE_AETH_ACK | RXE_AETH_CREDIT_NONE;
	b->pkt.msn = rec->msn;
}

/* A burst went out: what is left starts behind it. */
static void rxe_read_sent(struct rxe_qp *qp, const struct rxe_burst *b)
{
	struct rxe_recv *rx = &qp->rx;

	rx->read.first_psn = rxe_psn_add(rx->read.first_psn, b->npkts);
	rx->read.va += b->len;
	rx->read.length -= b->len;
	rx->read_first = false;
	rx->reading = !b->ends;
}

static enum rxe_verdict rxe_read_burst(struct rxe_qp *qp, struct rxe_burst *b)
{
	enum rxe_verdict v;
	int err;

	rxe_read_shape(qp, b);
	if (b->len) {
		v = rxe_read_open(qp, &qp->rx.read, b->len);
		if (v)
			return v;
		b->data = rxe_scratch_iter(1);
	}
	err = rxe_tx_burst(qp, &qp->rx.route, &qp->path, b);
	if (b->data)
		rxe_iter_close(b->data);
	if (err == -EAGAIN)
		return RXE_V_LATER;
	return err ? RXE_V_DROP : RXE_V_OK;
}

/**
 * rxe_read_more() - go on with the answer to a READ by packets
 * @qp: receive side owned; rx.reading
 * @budget: of this turn
 *
 * Return: RXE_IDLE with rx.reading false: all sent, or given up for the
 * requester to ask again; RXE_IDLE with rx.reading: pages are being fetched.
 */
enum rxe_turn rxe_read_more(struct rxe_qp *qp, struct rxe_budget *budget)
{
	while (qp->rx.reading) {
		struct rxe_burst b = {};

		switch (rxe_read_burst(qp, &b)) {
		case RXE_V_OK:
			rxe_read_sent(qp, &b);
			break;
		case RXE_V_WAIT:
			return RXE_IDLE;
		case RXE_V_LATER:
			return RXE_LATER;
		case RXE_V_DROP:
			qp->rx.reading = false;
			break;
		default:
			rxe_read_refused(qp);
		}
		budget->bytes -= b.len;
		budget->packets -= b.npkts;
		if (qp->rx.reading && rxe_over_budget(budget))
			return RXE_MORE;
	}
	return RXE_IDLE;
}
