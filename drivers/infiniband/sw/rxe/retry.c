// SPDX-License-Identifier: GPL-2.0
/*
 * Retry: one timer per QP, the window, and going back.
 *
 * The timer holds the earliest of the QP's deadlines:
 *   retry_at   something is unacknowledged (local ACK timeout, 9.7.6.1.3)
 *   rnr_at     the peer had no receive (RNR timer, 9.7.5.2.8)
 *   idle_at    the send queue has been empty for long enough to give its
 *              snapshot memory back
 *   flush_at   (receive side) a user's QP in ERR: look at its receive ring,
 *              since receives posted now are announced by nothing
 * Progress only writes a deadline.  The timer is started anew only to fire
 * earlier; a firing that comes before its deadline arms it again.
 *
 * All but the timer function run as owner of the send side, BH off.
 */
#include "rxe.h"
#include "trace.h"

enum {
	RXE_CWND_START	= 128,		/* packets */
	RXE_CWND_STEP	= 64,
	RXE_CWND_BYTES	= 8 << 20,
	RXE_CWND_MAX	= 512,		/* packets; half of netdev_max_backlog */
	RXE_BACKOFF_MAX	= 2,		/* up to 4 times the timeout: C9-141 */
	RXE_IDLE_NS	= NSEC_PER_SEC,
};

static u64 rxe_ack_timeout(struct rxe_qp *qp)
{
	u64 ns = rxe_ack_timeout_to_ns(qp->attr.timeout);

	return ns << min_t(u32, qp->tx.backoff, RXE_BACKOFF_MAX);
}

/**
 * rxe_retry_started() - something is unacknowledged
 * @qp: send side owned
 */
void rxe_retry_started(struct rxe_qp *qp)
{
	if (!qp->tx.retry_at && qp->attr.timeout)
		qp->tx.retry_at = ktime_get_ns() + rxe_ack_timeout(qp);
}

static void rxe_cwnd_grow(struct rxe_qp *qp, u32 acked)
{
	struct rxe_send *tx = &qp->tx;
	u32 max = min_t(u32, RXE_CWND_BYTES >> qp->mtu_shift, RXE_CWND_MAX);

	if (tx->cwnd < RXE_CWND_START) {
		tx->cwnd = min_t(u32, tx->cwnd + acked, RXE_CWND_START);
		return;
	}
	tx->cwnd_acked += acked;
	if (tx->cwnd_acked < tx->cwnd)
		return;
	tx->cwnd_acked = 0;
	tx->cwnd = min(tx->cwnd + RXE_CWND_STEP, max);
}

/**
 * rxe_retry_progress() - an answer made progress
 * @qp: send side owned
 * @acked: packets newly acknowledged
 *
 * Counters are armed again (9.7.6.1.3), the window grows.
 */
void rxe_retry_progress(struct rxe_qp *qp, u32 acked)
{
	struct rxe_send *tx = &qp->tx;

	tx->retry_left = qp->attr.retry_cnt;
	tx->rnr_left = qp->attr.rnr_retry;
	tx->backoff = 0;
	tx->gap = false;
	if (tx->road != RXE_ROAD_REF)
		rxe_cwnd_grow(qp, acked);
	if (tx->una == tx->psn_high) {
		tx->retry_at = 0;
	} else {
		tx->retry_at = 0;
		rxe_retry_started(qp);
	}
}

/**
 * rxe_retry_alive() - answers come, if not the one that is waited for
 * @qp: send side owned
 *
 * What was sent before going back is still arriving; the timer is for silence.
 */
void rxe_retry_alive(struct rxe_qp *qp)
{
	qp->tx.retry_at = 0;
	rxe_retry_started(qp);
}

/**
 * rxe_retry_rewind() - put the cursor on the oldest unacknowledged packet
 * @qp: send side owned
 *
 * Local operations are not done again: they stay DONE.
 */
void rxe_retry_rewind(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;
	u32 seq, next = tx->next;
	bool found = false;

	for (seq = tx->tail; seq != tx->head; seq++) {
		struct rxe_swr *swr = rxe_swr_at(tx, seq);

		if (swr->state == RXE_SWR_NEW)
			break;
		if (swr->state == RXE_SWR_DONE)
			continue;
		if (!found)
			next = seq;
		found = true;
		swr->state = RXE_SWR_SENDING;
	}
	tx->next = found ? next : seq;
	tx->psn = tx->una;
}

static void rxe_retry_give_up(struct rxe_qp *qp, enum ib_wc_status status, enum rxe_counter which)
{
	struct rxe_send *tx = &qp->tx;

	rxe_count(qp->dev, which, 1);
	/* nothing begun: it waits for a route; that is the one to fail */
	if (tx->tail != tx->head)
		rxe_comp_fail(qp, rxe_swr_at(tx, tx->next != tx->head && tx->una == tx->psn_high ?
					     tx->next : tx->tail), status);
}

/* One retry less, or the end. */
static bool rxe_retry_spend(struct rxe_qp *qp)
{
	if (qp->tx.retry_left) {
		qp->tx.retry_left--;
		return true;
	}
	rxe_retry_give_up(qp, IB_WC_RETRY_EXC_ERR, RXE_CNT_RETRY_EXCEEDED);
	return false;
}

/**
 * rxe_retry_seq_nak() - the peer missed a packet, or an answer was lost
 * @qp: send side owned; what came before is acknowledged
 */
void rxe_retry_seq_nak(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;

	tx->n_seq_nak++;
	trace_rxe_retry(qp, "nak", tx->una);
	if (!rxe_retry_spend(qp))
		return;
	tx->cwnd = max(tx->cwnd / 2, 1u);
	tx->cwnd_acked = 0;
	tx->retry_at = 0;
	rxe_retry_rewind(qp);
}

/**
 * rxe_retry_rnr() - the peer had no receive posted
 * @qp: send side owned; what came before is acknowledged
 * @code: RNR timer code of the NAK
 *
 * rnr_retry 7 never ends (IBTA 9.7.5.2.8).
 */
void rxe_retry_rnr(struct rxe_qp *qp, u8 code)
{
	struct rxe_send *tx = &qp->tx;

	tx->n_rnr++;
	trace_rxe_retry(qp, "rnr", tx->una);
	if (!tx->rnr_left) {
		rxe_retry_give_up(qp, IB_WC_RNR_RETRY_EXC_ERR, RXE_CNT_RNR_RETRY_EXCEEDED);
		return;
	}
	if (qp->attr.rnr_retry != 7)
		tx->rnr_left--;
	tx->retry_at = 0;
	tx->rnr_at = ktime_get_ns() + rxe_rnr_code_to_us(code) * (u64)NSEC_PER_USEC;
	rxe_retry_rewind(qp);
}

static void rxe_retry_timeout(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;

	tx->retry_at = 0;
	if (tx->una == tx->psn_high && tx->wait != RXE_WAIT_ROUTE)
		return;
	tx->n_timeout++;
	trace_rxe_retry(qp, "timeout", tx->una);
	rxe_count(qp->dev, RXE_CNT_COMP_RETRY, 1);
	if (!rxe_retry_spend(qp))
		return;
	tx->backoff++;
	tx->road = RXE_ROAD_NONE;	/* everything is sent again: by any road */
	tx->cwnd = 1;
	tx->cwnd_acked = 0;
	tx->gap = false;
	rxe_retry_rewind(qp);
}

/* Chunk 0 stays: one WQE can always be snapshotted. */
static void rxe_tx_shrink(struct rxe_send *tx)
{
	int i;

	tx->idle_at = 0;
	if (tx->head != tx->tail)
		return;
	for (i = 1; i < RXE_SEND_DEPTH / RXE_SEND_CHUNK; i++) {
		kfree(tx->chunk[i]);
		tx->chunk[i] = NULL;
	}
}

/**
 * rxe_tx_timer() - the timer fired: which deadlines passed?
 * @qp: send side owned; RTS or SQD
 */
void rxe_tx_timer(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;
	u64 now = ktime_get_ns();

	if (tx->rnr_at && now >= tx->rnr_at)
		tx->rnr_at = 0;
	if (tx->retry_at && now >= tx->retry_at)
		rxe_retry_timeout(qp);
	if (tx->idle_at && now >= tx->idle_at)
		rxe_tx_shrink(tx);
}

/**
 * rxe_tx_idle() - nothing to send: set when to give memory back
 * @qp: send side owned
 */
void rxe_tx_idle(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;

	if (tx->head == tx->tail && tx->chunk[1] && !tx->idle_at)
		tx->idle_at = ktime_get_ns() + RXE_IDLE_NS;
}

static u64 rxe_earlier(u64 a, u64 b)
{
	if (!a || !b)
		return a ?: b;
	return min(a, b);
}

/**
 * rxe_timer_update() - arm the timer for the QP's earliest deadline
 * @qp: a side owned
 */
void rxe_timer_update(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;
	u64 at;

	at = rxe_earlier(READ_ONCE(tx->retry_at), READ_ONCE(tx->rnr_at));
	at = rxe_earlier(at, READ_ONCE(tx->idle_at));
	at = rxe_earlier(at, READ_ONCE(qp->rx.flush_at));
	if (!at || (READ_ONCE(qp->timer_armed) && at >= READ_ONCE(qp->timer_armed)))
		return;
	spin_lock_bh(&qp->timer_lock);
	if (!qp->timer_armed || at < qp->timer_armed) {
		WRITE_ONCE(qp->timer_armed, at);
		hrtimer_start(&qp->timer, ns_to_ktime(at), HRTIMER_MODE_ABS_SOFT);
	}
	spin_unlock_bh(&qp->timer_lock);
}

static enum hrtimer_restart rxe_timer_fired(struct hrtimer *timer)
{
	struct rxe_qp *qp = container_of(timer, struct rxe_qp, timer);

	spin_lock_bh(&qp->timer_lock);
	WRITE_ONCE(qp->timer_armed, 0);
	spin_unlock_bh(&qp->timer_lock);
	if (READ_ONCE(qp->rx.flush_at))
		rxe_kick(&qp->rx.side, RXE_MARK_TIMER);
	rxe_kick(&qp->tx.side, RXE_MARK_TIMER);
	return HRTIMER_NORESTART;
}

/**
 * rxe_timer_setup() - for a new QP
 * @qp: the QP
 */
void rxe_timer_setup(struct rxe_qp *qp)
{
	spin_lock_init(&qp->timer_lock);
	hrtimer_setup(&qp->timer, rxe_timer_fired, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
}

/**
 * rxe_tx_reset() - requester state of a QP in RESET
 * @qp: send side owned, or not yet known to anybody
 */
void rxe_tx_reset(struct rxe_qp *qp)
{
	struct rxe_send *tx = &qp->tx;

	tx->tail = tx->next = tx->head = 0;
	tx->psn = tx->psn_high = tx->una = 0;
	tx->ssn = tx->msn_seen = 0;
	tx->credit_limit = ~0u;
	tx->cwnd = RXE_CWND_START;
	tx->cwnd_acked = 0;
	tx->rd_atomic = 0;
	tx->wait = RXE_WAIT_NONE;
	tx->road = RXE_ROAD_NONE;
	tx->gap = tx->draining = false;
	tx->retry_at = tx->rnr_at = tx->idle_at = 0;
	tx->backoff = 0;
}
