// SPDX-License-Identifier: GPL-2.0
/*
 * States of a QP: modify and query.
 *
 * A change is checked and everything it needs is allocated first; then both
 * sides are owned and the change is made, which cannot fail.  Which transitions
 * and attributes are legal is ib_modify_qp_is_ok()'s table (IBTA 11.2.5.2).
 */
#include "rxe.h"
#include "trace.h"

/* What a modify needs before it may begin. */
struct rxe_modify {
	enum ib_qp_state old;
	enum ib_qp_state new;
	struct rxe_path path;
	struct rxe_replay *replay;
};

static bool rxe_attr_ok(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	if (mask & IB_QP_PORT && attr->port_num != 1)
		return false;
	if (mask & IB_QP_PKEY_INDEX && attr->pkey_index)
		return false;
	if (mask & IB_QP_MAX_QP_RD_ATOMIC && attr->max_rd_atomic > RXE_MAX_RD_ATOMIC)
		return false;
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC && attr->max_dest_rd_atomic > RXE_MAX_RD_ATOMIC)
		return false;
	if (mask & IB_QP_PATH_MTU && (attr->path_mtu < IB_MTU_256 || attr->path_mtu > qp->dev->mtu))
		return false;
	if (mask & IB_QP_TIMEOUT && attr->timeout > 31)
		return false;
	if (mask & IB_QP_MIN_RNR_TIMER && attr->min_rnr_timer > 31)
		return false;
	if (mask & IB_QP_RETRY_CNT && attr->retry_cnt > 7)
		return false;
	if (mask & IB_QP_RNR_RETRY && attr->rnr_retry > 7)
		return false;
	if (mask & IB_QP_DEST_QPN && attr->dest_qp_num > RXE_QPN_MASK)
		return false;
	return !(mask & (IB_QP_ALT_PATH | IB_QP_PATH_MIG_STATE)) ||
	       (!(mask & IB_QP_ALT_PATH) && attr->path_mig_state == IB_MIG_MIGRATED);
}

/* Check all, allocate all. */
static int rxe_modify_prepare(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask,
			      struct rxe_modify *m)
{
	m->old = qp->state;
	m->new = mask & IB_QP_STATE ? attr->qp_state : m->old;
	if (mask & IB_QP_CUR_STATE && attr->cur_qp_state != m->old)
		return -EINVAL;
	if (!ib_modify_qp_is_ok(m->old, m->new, qp->ib.qp_type, mask) ||
	    !rxe_attr_ok(qp, attr, mask))
		return -EINVAL;
	if (mask & IB_QP_AV) {
		int err = rxe_path_from_attr(qp->dev, &attr->ah_attr, &m->path);

		if (err)
			return err;
	}
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC && attr->max_dest_rd_atomic) {
		m->replay = kvcalloc(attr->max_dest_rd_atomic, sizeof(*m->replay),
				     GFP_KERNEL_ACCOUNT);
		if (!m->replay)
			return -ENOMEM;
	}
	return 0;
}

/* The new records replace the old; m->replay holds what is to be freed. */
static void rxe_commit_replay(struct rxe_qp *qp, const struct ib_qp_attr *attr,
			      struct rxe_modify *m)
{
	struct rxe_recv *rx = &qp->rx;

	swap(rx->replay, m->replay);
	rx->replay_size = attr->max_dest_rd_atomic;
	rx->replay_head = 0;
	qp->attr.max_dest_rd_atomic = attr->max_dest_rd_atomic;
}

static void rxe_commit_retry(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	struct ib_qp_attr *a = &qp->attr;

	if (mask & IB_QP_TIMEOUT)
		a->timeout = attr->timeout;
	if (mask & IB_QP_RETRY_CNT)
		qp->tx.retry_left = a->retry_cnt = attr->retry_cnt;
	if (mask & IB_QP_RNR_RETRY)
		qp->tx.rnr_left = a->rnr_retry = attr->rnr_retry;
	if (mask & IB_QP_MIN_RNR_TIMER)
		a->min_rnr_timer = attr->min_rnr_timer;
	if (mask & IB_QP_MAX_QP_RD_ATOMIC)
		a->max_rd_atomic = attr->max_rd_atomic;
}

static void rxe_commit_psns(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	struct rxe_send *tx = &qp->tx;

	if (mask & IB_QP_RQ_PSN)
		qp->rx.psn = qp->attr.rq_psn = attr->rq_psn & RXE_PSN_MASK;
	if (mask & IB_QP_SQ_PSN) {
		qp->attr.sq_psn = attr->sq_psn & RXE_PSN_MASK;
		tx->psn = tx->psn_high = tx->una = qp->attr.sq_psn;
	}
}

static void rxe_commit_path(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask,
			    const struct rxe_path *path)
{
	if (mask & IB_QP_AV)
		qp->path = *path;
	if (mask & IB_QP_PATH_MTU) {
		qp->attr.path_mtu = attr->path_mtu;
		qp->mtu = ib_mtu_enum_to_int(attr->path_mtu);
		qp->mtu_shift = ilog2(qp->mtu);
	}
	if (mask & IB_QP_DEST_QPN)
		qp->dqpn = qp->attr.dest_qp_num = attr->dest_qp_num;
	if (mask & (IB_QP_AV | IB_QP_DEST_QPN))
		qp->sport = rdma_get_udp_sport(qp->path.flow_label, qp->ib.qp_num, qp->dqpn);
}

static void rxe_commit_attrs(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask,
			     struct rxe_modify *m)
{
	if (mask & IB_QP_ACCESS_FLAGS)
		qp->attr.qp_access_flags = attr->qp_access_flags;
	if (mask & IB_QP_PKEY_INDEX)
		qp->pkey_index = attr->pkey_index;
	if (mask & IB_QP_QKEY)
		qp->qkey = qp->attr.qkey = attr->qkey;
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		rxe_commit_replay(qp, attr, m);
	rxe_commit_retry(qp, attr, mask);
	rxe_commit_psns(qp, attr, mask);
	rxe_commit_path(qp, attr, mask, &m->path);
}

/* Everything posted is gone without a completion (IBTA 10.3.1.1). */
static void rxe_commit_reset(struct rxe_qp *qp)
{
	rxe_unpark(qp);
	rxe_inbox_purge(&qp->tx.side);
	rxe_inbox_purge(&qp->rx.side);
	rxe_tx_reset(qp);
	rxe_rx_reset(qp);
	rxe_ring_reset(&qp->tx.ring);
	if (!qp->srq)
		rxe_ring_reset(&qp->rx.ring);
}

static void rxe_commit_state(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask,
			     const struct rxe_modify *m)
{
	if (!(mask & IB_QP_STATE))
		return;
	if (m->new == IB_QPS_RESET)
		rxe_commit_reset(qp);
	if (m->new == IB_QPS_SQD && m->old == IB_QPS_RTS)
		qp->tx.draining = mask & IB_QP_EN_SQD_ASYNC_NOTIFY && attr->en_sqd_async_notify;
	WRITE_ONCE(qp->state, m->new);
	trace_rxe_qp_state(qp, m->old, m->new);
}

/* Own both sides, change, let both look at what changed. */
static int rxe_modify_commit(struct rxe_qp *qp, const struct ib_qp_attr *attr, int mask,
			     struct rxe_modify *m)
{
	int err = 0;

	rxe_side_own(&qp->tx.side);
	rxe_side_own(&qp->rx.side);
	if (qp->state != m->old && m->new != IB_QPS_ERR && m->new != IB_QPS_RESET) {
		err = -EINVAL;		/* an error came first */
	} else {
		rxe_commit_attrs(qp, attr, mask, m);
		rxe_commit_state(qp, attr, mask, m);
	}
	rxe_kick(&qp->tx.side, RXE_MARK_STATE);
	rxe_kick(&qp->rx.side, RXE_MARK_STATE);
	rxe_side_disown(&qp->rx.side);
	rxe_side_disown(&qp->tx.side);
	return err;
}

/**
 * rxe_modify_qp() - ib_device_ops.modify_qp
 * @ib: the QP
 * @attr: attributes
 * @mask: IB_QP_*: which of them
 * @udata: unused
 *
 * Return: 0, -EINVAL (transition or attribute), -EOPNOTSUPP (mask), -ENOMEM;
 * on error nothing was changed.
 */
int rxe_modify_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	struct rxe_qp *qp = rxe_qp(ib);
	struct rxe_modify m = {};
	int err;

	if (mask & ~IB_QP_ATTR_STANDARD_BITS)
		return -EOPNOTSUPP;
	mutex_lock(&qp->mutex);
	err = rxe_modify_prepare(qp, attr, mask, &m) ?:
	      rxe_modify_commit(qp, attr, mask, &m);
	mutex_unlock(&qp->mutex);
	kvfree(m.replay);
	return err;
}

/**
 * rxe_query_qp() - ib_device_ops.query_qp
 * @ib: the QP
 * @attr: filled
 * @mask: unused, all is filled
 * @init: filled
 *
 * PSNs are those of now: rq_psn the expected, sq_psn the next to be sent.
 */
int rxe_query_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask, struct ib_qp_init_attr *init)
{
	struct rxe_qp *qp = rxe_qp(ib);

	mutex_lock(&qp->mutex);
	*attr = qp->attr;
	attr->qp_state = attr->cur_qp_state = READ_ONCE(qp->state);
	attr->pkey_index = qp->pkey_index;
	attr->rq_psn = READ_ONCE(qp->rx.psn);
	attr->sq_psn = READ_ONCE(qp->tx.psn);
	attr->path_mig_state = IB_MIG_MIGRATED;
	attr->sq_draining = READ_ONCE(qp->tx.draining);
	if (qp->transport != RXE_UD)
		rxe_path_to_attr(&qp->path, &attr->ah_attr);
	mutex_unlock(&qp->mutex);

	init->event_handler = ib->event_handler;
	init->qp_context = ib->qp_context;
	init->send_cq = ib->send_cq;
	init->recv_cq = ib->recv_cq;
	init->srq = ib->srq;
	init->cap = attr->cap;
	init->sq_sig_type = qp->sq_sig_all ? IB_SIGNAL_ALL_WR : IB_SIGNAL_REQ_WR;
	init->qp_type = ib->qp_type;
	if (attr->qp_state == IB_QPS_ERR && qp->user)
		rxe_kick(&qp->rx.side, RXE_MARK_POST);
	return 0;
}
