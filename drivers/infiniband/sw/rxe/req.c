// SPDX-License-Identifier: GPL-2.0
/*
 * Requester: takes work requests from the send queue and turns them into
 * bursts.
 *
 * The send WQEs under way are private copies, numbered 0, 1, 2 ... since the
 * queue was last empty: those in [tail, head) exist, tail is the oldest not
 * completed, next the one the cursor is in.  The cursor is a PSN (tx->psn).
 * New packets move it and psn_high on; going back (retry.c) moves only the
 * cursor, and what it passes again is sent again.
 *
 * Everything here runs as owner of the send side, BH off.
 */
#include "rxe.h"
#include "trace.h"

/* Verdicts of one step. */
enum rxe_step {
	STEP_GO,	/* something was sent or done; look for more */
	STEP_STOP,	/* tx->wait says why */
	STEP_LATER,	/* as RXE_LATER */
};

/**
 * rxe_swr_at() - the private copy of a send WQE
 * @tx: send side
 * @seq: its number, in [tail, head)
 */
struct rxe_swr *rxe_swr_at(struct rxe_send *tx, u32 seq)
{
	u32 i = seq % RXE_SEND_DEPTH;

	return (void *)tx->chunk[i / RXE_SEND_CHUNK] + (i % RXE_SEND_CHUNK) * tx->swr_bytes;
}

/**
 * rxe_swr_is_local() - does this work request send nothing?
 * @swr: LOCAL_INV, REG_MR, BIND_MW: true
 */
bool rxe_swr_is_local(const struct rxe_swr *swr)
{
	return swr->msg == RXE_MSG_NONE;
}

/**
 * rxe_swr_is_rdatom() - does it take a responder resource and its own answer?
 * @swr: READ, atomics, FLUSH, ATOMIC WRITE: true
 */
bool rxe_swr_is_rdatom(const struct rxe_swr *swr)
{
	switch (swr->msg) {
	case RXE_MSG_READ:
	case RXE_MSG_CMP_SWAP:
	case RXE_MSG_FETCH_ADD:
	case RXE_MSG_FLUSH:
	case RXE_MSG_ATOMIC_WRITE:
		return true;
	}
	return false;
}

/* Does a request of this kind carry its length as payload? */
static bool rxe_swr_has_payload(const struct rxe_swr *swr)
{
	return !rxe_swr_is_rdatom(swr) || swr->msg == RXE_MSG_ATOMIC_WRITE;
}

static enum rxe_step rxe_wait_for(struct rxe_send *tx, enum rxe_wait why)
{
	tx->wait = why;
	return STEP_STOP;
}

/* Memory for WQE number head; grows in chunks, given back when idle (retry.c). */
static bool rxe_swr_room(struct rxe_send *tx)
{
	struct rxe_swr **chunk;

	if (tx->head - tx->tail == RXE_SEND_DEPTH)
		return false;
	if (tx->head == tx->tail)
		tx->tail = tx->next = tx->head = 0;	/* back to the chunk that is always there */
	chunk = &tx->chunk[tx->head % RXE_SEND_DEPTH / RXE_SEND_CHUNK];
	if (!*chunk)
		*chunk = kmalloc(RXE_SEND_CHUNK * tx->swr_bytes,
				 GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT);
	return *chunk;
}

/* The WQE at the cursor, from the ring if need be. */
static struct rxe_swr *rxe_req_current(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;
	struct rxe_swr *swr;

	if (tx->next != tx->head)
		return rxe_swr_at(tx, tx->next);
	if (rxe_ring_filled(&tx->ring) <= tx->head - tx->tail || !rxe_swr_room(tx))
		return NULL;
	swr = rxe_swr_at(tx, tx->head);
	rxe_swr_snapshot(qp, tx->head - tx->tail, swr);
	swr->state = RXE_SWR_NEW;
	swr->done = 0;
	tx->head++;
	return swr;
}

/* Packets the window still lets out; by reference there is nothing to be lost in. */
static u32 rxe_req_room(struct rxe_send *tx)
{
	u32 out = rxe_psn_diff(tx->psn, tx->una);

	if (tx->road == RXE_ROAD_REF)
		return U32_MAX;
	return out < tx->cwnd ? tx->cwnd - out : 0;
}

/* End-to-end credits (IBTA 9.7.7.2): without any, one request at a time may probe. */
static bool rxe_req_credit(struct rxe_send *tx, const struct rxe_swr *swr)
{
	if (tx->credit_limit == ~0u || tx->psn == tx->una)
		return true;
	return rxe_psn_diff(swr->ssn, tx->credit_limit) <= 0;
}

/*
 * May a WQE not yet begun be begun?  Order rules of IBTA 10.8.3.3 (fence) and
 * 9.7.3.3 (outstanding READ and atomics).  LOCAL_INV waits for all before it:
 * they may still read or write the memory it takes away.
 */
static enum rxe_wait rxe_req_may_begin(struct rxe_qp *qp, const struct rxe_swr *swr)
{
	struct rxe_send *tx = &qp->tx;

	if (READ_ONCE(qp->state) == IB_QPS_SQD)
		return RXE_WAIT_DRAIN;
	if (swr->flags & IB_SEND_FENCE && tx->rd_atomic)
		return RXE_WAIT_FENCE;
	if (swr->opcode == IB_WR_LOCAL_INV && tx->tail != tx->next)
		return RXE_WAIT_FENCE;
	if (rxe_swr_is_rdatom(swr) && tx->rd_atomic >= qp->attr.max_rd_atomic)
		return RXE_WAIT_RD_ATOMIC;
	return RXE_WAIT_NONE;
}

/* What can be known to be wrong only now; the rest wqe.c found. */
static enum ib_wc_status rxe_req_check(struct rxe_qp *qp, const struct rxe_swr *swr)
{
	if (swr->status)
		return swr->status;
	if (swr->length > RXE_MAX_MSG ||
	    rxe_num_packets(swr->length, qp->mtu_shift) > RXE_PSN_MASK / 4)
		return IB_WC_LOC_LEN_ERR;
	if (qp->transport == RXE_UD && swr->length > qp->mtu)
		return IB_WC_LOC_LEN_ERR;
	if (rxe_swr_is_rdatom(swr) && !qp->attr.max_rd_atomic)
		return IB_WC_LOC_QP_OP_ERR;
	return IB_WC_SUCCESS;
}

/* First packet of a WQE: its PSNs and sequence number are fixed from now on. */
static void rxe_req_begin(struct rxe_qp *qp, struct rxe_swr *swr)
{
	struct rxe_send *tx = &qp->tx;
	u32 npkts = 1;

	if (rxe_swr_has_payload(swr) || swr->msg == RXE_MSG_READ)
		npkts = rxe_num_packets(swr->length, qp->mtu_shift);
	swr->first_psn = tx->psn;
	swr->last_psn = rxe_psn_add(tx->psn, npkts - 1);
	tx->ssn = rxe_psn_add(tx->ssn, 1);
	swr->ssn = tx->ssn;
	swr->state = RXE_SWR_SENDING;
	if (rxe_swr_is_rdatom(swr))
		tx->rd_atomic++;
}

/* Headers that are the same for all packets of a message. */
static void rxe_req_headers(struct rxe_qp *qp, const struct rxe_swr *swr, struct rxe_burst *b)
{
	struct rxe_pkt *pkt = &b->pkt;

	b->msg = swr->msg;
	pkt->pkey = RXE_DEFAULT_PKEY;
	pkt->migreq = true;	/* as hardware does: known-faults H2 */
	pkt->dqpn = qp->dqpn;
	pkt->psn = qp->tx.psn;
	pkt->se = swr->flags & IB_SEND_SOLICITED;
	pkt->imm = swr->imm;
	pkt->inv_rkey = swr->inv_rkey;
	switch (swr->msg) {
	case RXE_MSG_CMP_SWAP:
		pkt->compare = swr->atomic.compare_add;
		pkt->swap_add = swr->atomic.swap;
		break;
	case RXE_MSG_FETCH_ADD:
		pkt->compare = 0;
		pkt->swap_add = swr->atomic.compare_add;
		break;
	case RXE_MSG_FLUSH:
		pkt->flush_sel = swr->flush.level;
		pkt->flush_plt = swr->flush.type;
		break;
	}
	/* va and rkey are the first members of each of those */
	pkt->va = swr->rdma.va;
	pkt->rkey = swr->rdma.rkey;
	pkt->dmalen = swr->length;
}

/* Where a request's payload comes from, or where a READ's answer goes to. */
static int rxe_req_open(struct rxe_qp *qp, struct rxe_swr *swr, struct rxe_iter *it,
			u32 skip, u32 len, int access)
{
	if (swr->inline_data || swr->msg == RXE_MSG_ATOMIC_WRITE) {
		rxe_iter_linear(it, swr->inl + skip, len);
		return 0;
	}
	return rxe_iter_sges(it, qp, &qp->tx.side, swr->sge, swr->num_sge, skip, len, access);
}

/* Bytes of the message before the cursor. */
static u32 rxe_req_offset(struct rxe_qp *qp, const struct rxe_swr *swr)
{
	return (u32)rxe_psn_diff(qp->tx.psn, swr->first_psn) << qp->mtu_shift;
}

/* Build packets.  Nobody tells when a page that went is back: try again soon. */
static int rxe_req_packets(struct rxe_qp *qp, const struct rxe_path *path, struct rxe_burst *b)
{
	int err = rxe_tx_burst(qp, &qp->tx.route, path, b);

	return err == -EAGAIN ? -EINPROGRESS : err;
}

/* Give the burst to its road. */
static int rxe_req_hand_over(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply)
{
	if (b->via == RXE_ROAD_REF)
		return rxe_local_send(qp, b, reply);
	return rxe_req_packets(qp, &qp->path, b);
}

/* By reference the answer is here; one that brought nothing is waited for as if lost. */
static void rxe_req_answered(struct rxe_qp *qp, const struct rxe_reply *reply)
{
	struct rxe_send *tx = &qp->tx;

	if (!reply->msg)
		return;
	rxe_comp_reply(qp, reply);
	if (tx->una != tx->psn_high && !tx->rnr_at)
		rxe_retry_started(qp);
}

/* A burst went out: move the cursor.  By reference its answer is here already. */
static void rxe_req_sent(struct rxe_qp *qp, struct rxe_swr *swr, struct rxe_burst *b, bool answered)
{
	struct rxe_send *tx = &qp->tx;

	tx->psn = rxe_psn_add(tx->psn, b->npkts);
	tx->n_sent += b->msg == RXE_MSG_READ ? 1 : b->npkts;
	if (rxe_psn_diff(tx->psn, tx->psn_high) > 0)
		tx->psn_high = tx->psn;
	else if (!answered)
		tx->n_retry++;
	if (rxe_psn_diff(tx->psn, swr->last_psn) > 0) {
		swr->state = RXE_SWR_SENT;
		tx->next++;
	}
	if (qp->transport == RXE_RC && !answered)
		rxe_retry_started(qp);
}

/* UC has no acknowledgement: sent is done (IBTA 9.8.1). */
static void rxe_req_unacked_done(struct rxe_qp *qp, struct rxe_swr *swr)
{
	struct rxe_send *tx = &qp->tx;

	tx->una = tx->psn;
	if (swr->state == RXE_SWR_SENT) {
		swr->state = RXE_SWR_DONE;
		rxe_comp_advance(qp);
	}
}

/* Errors of a road: what became of the burst? */
static enum rxe_step rxe_req_failed(struct rxe_qp *qp, struct rxe_swr *swr, int err)
{
	switch (err) {
	case -EBUSY:
		return rxe_wait_for(&qp->tx, RXE_WAIT_PEER);
	case -EINPROGRESS:
		qp->tx.wait = RXE_WAIT_KEY;
		return STEP_LATER;
	case -EAGAIN:
		return rxe_wait_for(&qp->tx, RXE_WAIT_FAULT);
	case -EACCES:
		rxe_comp_fail(qp, swr, IB_WC_LOC_PROT_ERR);
		return STEP_GO;
	default:	/* no route, no memory: a loss, which the timer mends */
		rxe_retry_started(qp);
		return rxe_wait_for(&qp->tx, RXE_WAIT_ROUTE);
	}
}

/*
 * The largest burst that the message, the window and the burst limit allow.
 * The last packet asks for an acknowledgement: the message ends, or the window
 * is full, or it is time for one.
 */
static void rxe_req_shape(struct rxe_qp *qp, const struct rxe_swr *swr, u32 room,
			  struct rxe_burst *b)
{
	u32 off = rxe_req_offset(qp, swr);
	u32 togo = rxe_psn_diff(swr->last_psn, qp->tx.psn) + 1;

	b->starts = off == 0;
	b->npkts = min3(togo, room, (u32)RXE_BURST_BYTES >> qp->mtu_shift);
	b->ends = b->npkts == togo;
	b->len = b->ends ? swr->length - off : b->npkts << qp->mtu_shift;
	b->pkt.ackreq = qp->transport == RXE_RC;
}

/* SEND, WRITE and ATOMIC WRITE over RC and UC. */
static enum rxe_step rxe_req_payload(struct rxe_qp *qp, struct rxe_swr *swr, u32 room,
				     struct rxe_burst *b)
{
	struct rxe_iter *it = rxe_scratch_iter(0);
	struct rxe_reply reply = {};
	int err;

	rxe_req_shape(qp, swr, room, b);
	err = rxe_req_open(qp, swr, it, rxe_req_offset(qp, swr), b->len, 0);
	if (err)
		return rxe_req_failed(qp, swr, err);
	b->data = it;
	err = rxe_req_hand_over(qp, b, &reply);
	rxe_iter_close(it);
	if (err && (qp->transport == RXE_RC || err == -EBUSY || err == -EAGAIN ||
		    err == -EINPROGRESS))
		return rxe_req_failed(qp, swr, err);
	rxe_req_sent(qp, swr, b, reply.msg);
	if (qp->transport == RXE_UC)
		rxe_req_unacked_done(qp, swr);
	else
		rxe_req_answered(qp, &reply);
	return STEP_GO;
}

/*
 * A READ on the wire is asked for in pieces that end at multiples of
 * RXE_READ_PKTS packets from its start, so that the peer never has more under
 * way than a window and a lost answer costs a piece at most.  To the peer they
 * are READs of their own, with PSNs and addresses that follow each other.  One
 * that broke off asks for the rest of its piece (wire-and-protocol D.7).
 */
static void rxe_req_read_shape(struct rxe_qp *qp, struct rxe_swr *swr, struct rxe_burst *b)
{
	u32 off = rxe_req_offset(qp, swr);
	u32 piece = RXE_READ_PKTS - (off >> qp->mtu_shift) % RXE_READ_PKTS;

	b->pkt.va += off;
	b->pkt.dmalen -= off;
	if (b->via == RXE_ROAD_REF || b->npkts <= piece)
		return;
	b->npkts = piece;
	b->pkt.dmalen = piece << qp->mtu_shift;
}

/* READ, atomics, FLUSH: one request packet, whose answer takes npkts PSNs. */
static void rxe_req_rdatom_shape(struct rxe_qp *qp, struct rxe_swr *swr, struct rxe_burst *b)
{
	b->starts = true;
	b->ends = true;
	b->npkts = rxe_psn_diff(swr->last_psn, qp->tx.psn) + 1;
	b->pkt.ackreq = true;
	if (swr->msg == RXE_MSG_READ)
		rxe_req_read_shape(qp, swr, b);
}

/* Is there room for the answer, and a resource at the peer for one more request? */
static bool rxe_req_rdatom_fits(struct rxe_qp *qp, const struct rxe_swr *swr,
				const struct rxe_burst *b, u32 room)
{
	struct rxe_send *tx = &qp->tx;

	if (tx->psn == tx->una || b->via == RXE_ROAD_REF)
		return true;
	if (tx->psn != swr->first_psn && tx->rd_atomic >= qp->attr.max_rd_atomic)
		return false;
	return b->npkts <= room;
}

/*
 * The answer's first bytes must have a place to go before it is asked for: a
 * bad key fails here, missing pages are fetched here, and by reference this is
 * the cursor the responder copies a READ's data to.
 */
static int rxe_req_open_sink(struct rxe_qp *qp, struct rxe_swr *swr, struct rxe_iter *it)
{
	u32 off = swr->msg == RXE_MSG_READ ? rxe_req_offset(qp, swr) : 0;
	u32 len = min_t(u32, swr->length - off, RXE_BURST_BYTES);

	if (swr->msg == RXE_MSG_FLUSH)
		len = 0;
	return rxe_req_open(qp, swr, it, off, len, IB_ACCESS_LOCAL_WRITE);
}

static enum rxe_step rxe_req_rdatom(struct rxe_qp *qp, struct rxe_swr *swr, u32 room,
				    struct rxe_burst *b)
{
	struct rxe_iter *it = rxe_scratch_iter(0);
	struct rxe_reply reply = {};
	int err;

	rxe_req_rdatom_shape(qp, swr, b);
	if (!rxe_req_rdatom_fits(qp, swr, b, room))
		return rxe_wait_for(&qp->tx, RXE_WAIT_PSN);
	err = rxe_req_open_sink(qp, swr, it);
	if (err)
		return rxe_req_failed(qp, swr, err);
	if (swr->msg == RXE_MSG_READ)
		b->sink = it;
	err = rxe_req_hand_over(qp, b, &reply);
	rxe_iter_close(it);
	if (err)
		return rxe_req_failed(qp, swr, err);
	rxe_req_sent(qp, swr, b, reply.msg);
	b->len = reply.read;		/* for the budget */
	rxe_req_answered(qp, &reply);
	return STEP_GO;
}

/* A datagram: its own path, one packet, done when sent. */
static enum rxe_step rxe_req_ud(struct rxe_qp *qp, struct rxe_swr *swr, struct rxe_burst *b)
{
	struct rxe_send *tx = &qp->tx;
	struct rxe_iter *it = rxe_scratch_iter(0);
	int err;

	err = rxe_req_open(qp, swr, it, 0, swr->length, 0);
	if (err)
		return rxe_req_failed(qp, swr, err);
	b->via = rxe_local_datagram(qp, &swr->ud.path) ? RXE_ROAD_PACKET : RXE_ROAD_WIRE;
	tx->side.on_wire = b->via == RXE_ROAD_WIRE;
	b->pkt.dqpn = swr->ud.qpn;
	b->pkt.qkey = swr->ud.qkey;
	b->pkt.sqpn = qp->ib.qp_num;
	b->starts = true;
	b->ends = true;
	b->npkts = 1;
	b->len = swr->length;
	b->data = it;
	err = rxe_req_packets(qp, &swr->ud.path, b);
	rxe_iter_close(it);
	if (err == -EINPROGRESS)
		return rxe_req_failed(qp, swr, err);
	/* a datagram that finds no route or memory is lost, as on any wire */
	rxe_req_sent(qp, swr, b, false);
	rxe_req_unacked_done(qp, swr);
	return STEP_GO;
}

/* RC and UC: window, credits, road, burst. */
static enum rxe_step rxe_req_connected(struct rxe_qp *qp, struct rxe_swr *swr, struct rxe_burst *b)
{
	struct rxe_send *tx = &qp->tx;
	u32 room = U32_MAX;

	if (tx->una == tx->psn_high || tx->road == RXE_ROAD_NONE)
		tx->road = rxe_road_pick(qp);
	if (qp->transport == RXE_RC)
		room = rxe_req_room(tx);
	if (!room || !rxe_req_credit(tx, swr))
		return rxe_wait_for(tx, RXE_WAIT_PSN);
	b->via = tx->road;
	tx->side.on_wire = b->via == RXE_ROAD_WIRE;
	if (rxe_swr_has_payload(swr))
		return rxe_req_payload(qp, swr, room, b);
	return rxe_req_rdatom(qp, swr, room, b);
}

static enum rxe_step rxe_req_send(struct rxe_qp *qp, struct rxe_swr *swr, struct rxe_budget *budget)
{
	struct rxe_burst b = {};
	enum rxe_step step;

	if (swr->state == RXE_SWR_NEW) {
		if (rxe_swr_is_rdatom(swr) || swr->msg != RXE_MSG_NONE)
			rxe_req_begin(qp, swr);
	}
	rxe_req_headers(qp, swr, &b);
	if (qp->transport == RXE_UD)
		step = rxe_req_ud(qp, swr, &b);
	else
		step = rxe_req_connected(qp, swr, &b);
	budget->bytes -= b.len;
	budget->packets -= b.msg == RXE_MSG_READ ? 1 : b.npkts;
	return step;
}

/* Local operations complete in order, but at once. */
static enum rxe_step rxe_req_do_local(struct rxe_qp *qp, struct rxe_swr *swr)
{
	if (rxe_req_local(qp, swr) == -EAGAIN) {
		qp->tx.wait = RXE_WAIT_KEY;
		return STEP_LATER;
	}
	swr->state = RXE_SWR_DONE;
	qp->tx.next++;
	rxe_comp_advance(qp);
	return STEP_GO;
}

/* One WQE not begun. */
static enum rxe_step rxe_req_new(struct rxe_qp *qp, struct rxe_swr *swr, struct rxe_budget *budget)
{
	enum ib_wc_status bad = rxe_req_check(qp, swr);
	enum rxe_wait why;

	if (bad) {
		/* what is before it may still succeed, nothing after it will */
		swr->status = bad;
		swr->state = RXE_SWR_DONE;
		rxe_comp_advance(qp);
		return rxe_wait_for(&qp->tx, RXE_WAIT_FENCE);
	}
	why = rxe_req_may_begin(qp, swr);
	if (why)
		return rxe_wait_for(&qp->tx, why);
	if (rxe_swr_is_local(swr))
		return rxe_req_do_local(qp, swr);
	return rxe_req_send(qp, swr, budget);
}

static enum rxe_step rxe_req_step(struct rxe_qp *qp, struct rxe_budget *budget)
{
	struct rxe_send *tx = &qp->tx;
	struct rxe_swr *swr;

	if (tx->rnr_at)
		return rxe_wait_for(tx, RXE_WAIT_RNR);
	swr = rxe_req_current(qp);
	if (!swr)
		return rxe_wait_for(tx, RXE_WAIT_NONE);
	switch (swr->state) {
	case RXE_SWR_NEW:
		return rxe_req_new(qp, swr, budget);
	case RXE_SWR_DONE:
		if (swr->status)
			return rxe_wait_for(tx, RXE_WAIT_FENCE);
		tx->next++;	/* going back passed a local operation */
		return STEP_GO;
	default:
		return rxe_req_send(qp, swr, budget);
	}
}

static bool rxe_tx_may_send(struct rxe_qp *qp)
{
	enum ib_qp_state state = READ_ONCE(qp->state);

	return state == IB_QPS_RTS || state == IB_QPS_SQD;
}

/* In SQD, once everything begun is complete (IBTA 10.3.1.5). */
static void rxe_req_drained(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;
	struct rxe_swr *swr;

	if (READ_ONCE(qp->state) != IB_QPS_SQD || !tx->draining)
		return;
	swr = tx->tail != tx->head ? rxe_swr_at(tx, tx->tail) : NULL;
	if (swr && swr->state != RXE_SWR_NEW)
		return;
	tx->draining = false;
	rxe_qp_event(qp, IB_EVENT_SQ_DRAINED);
}

static enum rxe_turn rxe_req_run(struct rxe_qp *qp, struct rxe_budget *budget)
{
	enum rxe_step step = STEP_GO;

	while (step == STEP_GO) {
		if (rxe_over_budget(budget))
			return RXE_MORE;
		if (!rxe_tx_may_send(qp))
			return RXE_IDLE;
		step = rxe_req_step(qp, budget);
	}
	rxe_req_drained(qp);
	return step == STEP_LATER ? RXE_LATER : RXE_IDLE;
}

/* Packets for the completer.  False: some are left, for another turn. */
static bool rxe_tx_inbox(struct rxe_qp *qp, struct rxe_budget *budget)
{
	struct rxe_iter *it = rxe_scratch_iter(0);
	struct rxe_burst b;
	struct sk_buff *skb;

	while (rxe_tx_may_send(qp) && (skb = rxe_inbox_peek(&qp->tx.side))) {
		if (rxe_over_budget(budget))
			return false;
		budget->packets--;
		budget->bytes -= skb->len;
		rxe_rx_decode(qp, skb, &b, it);
		rxe_comp_packet(qp, &b);
		rxe_inbox_pop(&qp->tx.side);
	}
	return true;
}

/* ERR and SQE: everything is flushed (IBTA 10.3.1.7); RESET and INIT: nothing is there. */
static enum rxe_turn rxe_tx_run_stopped(struct rxe_qp *qp, enum ib_qp_state state,
					struct rxe_budget *budget)
{
	rxe_inbox_purge(&qp->tx.side);
	if (state != IB_QPS_ERR && state != IB_QPS_SQE)
		return RXE_IDLE;
	rxe_unpark(qp);
	return rxe_comp_flush(qp, budget) ? RXE_MORE : RXE_IDLE;
}

/**
 * rxe_tx_run() - one turn of a send side
 * @side: the send side of a QP, owned by the caller
 * @budget: what this turn may use up
 *
 * Context: engine, BH off.
 */
enum rxe_turn rxe_tx_run(struct rxe_side *side, struct rxe_budget *budget)
{
	struct rxe_qp *qp = container_of(side, struct rxe_qp, tx.side);
	u32 marks = rxe_side_marks(side);
	enum ib_qp_state state = READ_ONCE(qp->state);
	enum rxe_turn turn;

	if (state != IB_QPS_RTS && state != IB_QPS_SQD)
		return rxe_tx_run_stopped(qp, state, budget);
	rxe_unpark(qp);
	turn = rxe_tx_inbox(qp, budget) ? RXE_IDLE : RXE_MORE;
	if (marks & RXE_MARK_TIMER && rxe_tx_may_send(qp))
		rxe_tx_timer(qp);
	if (turn == RXE_IDLE)
		turn = rxe_req_run(qp, budget);
	rxe_tx_idle(qp);
	rxe_timer_update(qp);
	if (READ_ONCE(qp->state) == IB_QPS_ERR)
		return RXE_MORE;
	return turn;
}
