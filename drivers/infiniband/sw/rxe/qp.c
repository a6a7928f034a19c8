// SPDX-License-Identifier: GPL-2.0
/*
 * Queue pairs: make, query, post, destroy.  States are in qp_state.c.
 */
#include "rxe.h"
#include "trace.h"

/**
 * rxe_qp_get() - the QP of a number
 * @dev: device
 * @qpn: QP number
 *
 * Context: under RCU.
 * Return: the QP with a reference, to be put with rxe_qp_put(), or NULL.
 */
struct rxe_qp *rxe_qp_get(struct rxe_dev *dev, u32 qpn)
{
	struct rxe_ref *ref = xa_load(&dev->qps, qpn);

	return ref && rxe_ref_get(ref) ? ref->obj : NULL;
}

/**
 * rxe_qp_put() - give a reference back
 * @qp: the QP; not to be touched after
 *
 * Context: any.
 */
void rxe_qp_put(struct rxe_qp *qp)
{
	rxe_ref_put(qp->ref);
}

static void rxe_qp_event_work(struct work_struct *work)
{
	struct rxe_qp *qp = container_of(work, struct rxe_qp, event_work);
	struct ib_event ev = { .device = qp->ib.device, .element.qp = &qp->ib };
	unsigned int bit;

	for_each_set_bit(bit, &qp->events, BITS_PER_LONG) {
		clear_bit(bit, &qp->events);
		ev.event = bit;
		if (qp->ib.event_handler)
			qp->ib.event_handler(&ev, qp->ib.qp_context);
	}
}

/**
 * rxe_qp_event() - raise an affiliated event
 * @qp: a side owned
 * @event: below BITS_PER_LONG
 *
 * The handler is a consumer's and may post or poll, so it is called from a
 * work item with nothing held.
 */
void rxe_qp_event(struct rxe_qp *qp, enum ib_event_type event)
{
	set_bit(event, &qp->events);
	rxe_queue_work(&qp->event_work);
}

/**
 * rxe_qp_error() - the QP goes to ERR
 * @qp: a side owned
 *
 * Both sides flush what they have when they run next.
 */
void rxe_qp_error(struct rxe_qp *qp)
{
	enum ib_qp_state old = xchg(&qp->state, IB_QPS_ERR);

	if (old == IB_QPS_ERR)
		return;
	trace_rxe_qp_state(qp, old, IB_QPS_ERR);
	rxe_kick(&qp->tx.side, RXE_MARK_STATE);
	rxe_kick(&qp->rx.side, RXE_MARK_STATE);
}

/* --- create ------------------------------------------------------------------- */

static int rxe_qp_transport(enum ib_qp_type type)
{
	switch (type) {
	case IB_QPT_RC:
		return RXE_RC;
	case IB_QPT_UC:
		return RXE_UC;
	case IB_QPT_UD:
	case IB_QPT_GSI:
		return RXE_UD;
	default:
		return -EOPNOTSUPP;
	}
}

static int rxe_qp_check_init(struct rxe_dev *dev, const struct ib_qp_init_attr *init, bool user)
{
	const struct ib_qp_cap *cap = &init->cap;
	int transport = rxe_qp_transport(init->qp_type);

	if (transport < 0 || init->create_flags)
		return -EOPNOTSUPP;
	if (init->qp_type == IB_QPT_GSI && (user || init->port_num != 1))
		return -EINVAL;
	if (!init->send_cq || !init->recv_cq)
		return -EINVAL;
	if (cap->max_send_wr > RXE_MAX_WR || cap->max_send_sge > RXE_MAX_SGE ||
	    cap->max_inline_data > RXE_MAX_INLINE)
		return -EINVAL;
	if (!init->srq && (cap->max_recv_wr > RXE_MAX_WR || cap->max_recv_sge > RXE_MAX_SGE))
		return -EINVAL;
	return 0;
}

static void rxe_qp_init(struct rxe_qp *qp, struct rxe_dev *dev, const struct ib_qp_init_attr *init)
{
	qp->dev = dev;
	qp->state = IB_QPS_RESET;
	qp->transport = rxe_qp_transport(init->qp_type);
	qp->sq_sig_all = init->sq_sig_type == IB_SIGNAL_ALL_WR;
	qp->scq = rxe_cq(init->send_cq);
	qp->rcq = rxe_cq(init->recv_cq);
	qp->srq = init->srq ? rxe_srq(init->srq) : NULL;
	qp->mtu = ib_mtu_enum_to_int(dev->mtu);
	qp->mtu_shift = ilog2(qp->mtu);
	qp->attr.port_num = 1;
	qp->attr.path_mtu = dev->mtu;
	mutex_init(&qp->mutex);
	INIT_WORK(&qp->event_work, rxe_qp_event_work);
	spin_lock_init(&qp->tx.post_lock);
	spin_lock_init(&qp->rx.post_lock);
	spin_lock_init(&qp->rx.park_lock);
	INIT_LIST_HEAD(&qp->rx.parked);
	INIT_LIST_HEAD(&qp->tx.park_node);
	rxe_side_init(&qp->tx.side, false);
	rxe_side_init(&qp->rx.side, true);
	rxe_timer_setup(qp);
	rxe_tx_reset(qp);
	rxe_rx_reset(qp);
}

static int rxe_qp_alloc_sq(struct rxe_qp *qp, struct ib_qp_cap *cap, struct ib_udata *udata,
			   struct mminfo *mi)
{
	struct rxe_send *tx = &qp->tx;
	u32 data = max_t(u32, cap->max_send_sge * sizeof(struct rxe_sge), cap->max_inline_data);
	int err;

	err = rxe_ring_init(&tx->ring, qp->dev, cap->max_send_wr,
			    sizeof(struct rxe_send_wqe) + data, udata, mi);
	if (err)
		return err;
	cap->max_send_wr = tx->ring.mask;
	cap->max_inline_data = min_t(u32, (1u << tx->ring.shift) - sizeof(struct rxe_send_wqe),
				     RXE_MAX_INLINE);
	qp->max_inline = cap->max_inline_data;
	tx->swr_bytes = rxe_swr_bytes(cap->max_send_sge, cap->max_inline_data);
	tx->chunk = kcalloc(RXE_SEND_DEPTH / RXE_SEND_CHUNK, sizeof(*tx->chunk),
			    GFP_KERNEL_ACCOUNT);
	if (!tx->chunk)
		return -ENOMEM;
	tx->chunk[0] = kmalloc(RXE_SEND_CHUNK * tx->swr_bytes, GFP_KERNEL_ACCOUNT);
	return tx->chunk[0] ? 0 : -ENOMEM;
}

static int rxe_qp_alloc_rq(struct rxe_qp *qp, struct ib_qp_cap *cap, struct ib_udata *udata,
			   struct mminfo *mi)
{
	struct rxe_recv *rx = &qp->rx;
	int err;

	if (qp->srq) {
		rx->max_sge = qp->srq->max_sge;
		cap->max_recv_wr = cap->max_recv_sge = 0;
	} else {
		rx->max_sge = cap->max_recv_sge;
		err = rxe_ring_init(&rx->ring, qp->dev, cap->max_recv_wr,
				    sizeof(struct rxe_recv_wqe) +
				    rx->max_sge * sizeof(struct rxe_sge), udata, mi);
		if (err)
			return err;
		cap->max_recv_wr = rx->ring.mask;
	}
	rx->rwr = kzalloc(struct_size(rx->rwr, sge, rx->max_sge), GFP_KERNEL_ACCOUNT);
	return rx->rwr ? 0 : -ENOMEM;
}

static void rxe_qp_free(struct rxe_qp *qp)
{
	int i;

	rxe_route_drop(&qp->tx.route);
	rxe_route_drop(&qp->rx.route);
	rxe_ring_free(&qp->tx.ring);
	rxe_ring_free(&qp->rx.ring);
	for (i = 0; qp->tx.chunk && i < RXE_SEND_DEPTH / RXE_SEND_CHUNK; i++)
		kfree(qp->tx.chunk[i]);
	kfree(qp->tx.chunk);
	kfree(qp->rx.rwr);
	kvfree(qp->rx.replay);
	if (qp->ref)
		kfree_rcu(qp->ref, rcu);
}

static int rxe_qp_respond(struct ib_udata *udata, struct rxe_create_qp_resp *resp)
{
	if (!udata)
		return 0;
	return ib_copy_to_udata(udata, resp, sizeof(*resp));
}

/* From here on packets find the QP; QP 1 is the GSI's (IBTA 3.5.10). */
static int rxe_qp_publish(struct rxe_qp *qp, struct rxe_dev *dev, enum ib_qp_type type)
{
	u32 qpn = 1;
	int err;

	rxe_ref_init(qp->ref, qp);
	if (type == IB_QPT_GSI) {
		qp->ib.qp_num = qpn;
		return xa_insert(&dev->qps, qpn, qp->ref, GFP_KERNEL);
	}
	/* the number is ours before the entry can be found */
	err = xa_alloc_cyclic(&dev->qps, &qpn, NULL, XA_LIMIT(RXE_MIN_QPN, RXE_MAX_QPN),
			      &dev->next_qpn, GFP_KERNEL);
	if (err < 0)
		return err;
	qp->ib.qp_num = qpn;
	return xa_err(xa_store(&dev->qps, qpn, qp->ref, GFP_KERNEL));
}

static int rxe_qp_build(struct rxe_qp *qp, struct ib_qp_init_attr *init, struct ib_udata *udata)
{
	struct rxe_create_qp_resp resp = {};
	int err;

	qp->ref = kzalloc_obj(*qp->ref, GFP_KERNEL_ACCOUNT);
	if (!qp->ref)
		return -ENOMEM;
	err = rxe_qp_alloc_sq(qp, &init->cap, udata, &resp.sq_mi) ?:
	      rxe_qp_alloc_rq(qp, &init->cap, udata, &resp.rq_mi) ?:
	      rxe_qp_respond(udata, &resp);
	if (err)
		return err;
	qp->attr.cap = init->cap;
	return rxe_qp_publish(qp, qp->dev, init->qp_type);
}

/**
 * rxe_create_qp() - ib_device_ops.create_qp
 * @ib: zeroed, of rxe_qp's size
 * @init: what is wanted; capabilities are replaced by what was given
 * @udata: the user's, or NULL
 *
 * Return: 0, -EOPNOTSUPP (type or flags), -EINVAL (limits), -ENOMEM, -EFAULT.
 */
int rxe_create_qp(struct ib_qp *ib, struct ib_qp_init_attr *init, struct ib_udata *udata)
{
	struct rxe_dev *dev = rxe_dev(ib->device);
	struct rxe_qp *qp = rxe_qp(ib);
	int err;

	if (udata && udata->outlen < sizeof(struct rxe_create_qp_resp))
		return -EINVAL;
	err = rxe_qp_check_init(dev, init, udata);
	if (err)
		return err;
	qp->user = udata;
	rxe_qp_init(qp, dev, init);
	err = rxe_qp_build(qp, init, udata);
	if (err)
		rxe_qp_free(qp);
	return err;
}

/* --- destroy ------------------------------------------------------------------ */

/* Nobody parks on this QP from now on, and who is parked goes. */
static void rxe_qp_close_park(struct rxe_qp *qp)
{
	spin_lock_bh(&qp->rx.park_lock);
	qp->rx.closed = true;
	spin_unlock_bh(&qp->rx.park_lock);
	rxe_parked_wake(qp);
}

/**
 * rxe_destroy_qp() - ib_device_ops.destroy_qp
 * @ib: the QP
 * @udata: unused
 *
 * Owns both sides for good: no burst touches memory any more, no timer or
 * packet can start one.  Then waits for those who found the QP by its number.
 */
int rxe_destroy_qp(struct ib_qp *ib, struct ib_udata *udata)
{
	struct rxe_qp *qp = rxe_qp(ib);

	xa_erase(&qp->dev->qps, ib->qp_num);
	rxe_side_own(&qp->tx.side);
	rxe_side_own(&qp->rx.side);
	WRITE_ONCE(qp->state, IB_QPS_RESET);
	rxe_side_close(&qp->rx.side);
	rxe_side_close(&qp->tx.side);
	hrtimer_cancel(&qp->timer);
	rxe_unpark(qp);
	rxe_qp_close_park(qp);
	rxe_ref_wait(qp->ref, "QP", ib->qp_num);
	cancel_work_sync(&qp->event_work);
	rxe_inbox_purge(&qp->tx.side);
	rxe_inbox_purge(&qp->rx.side);
	rxe_qp_free(qp);
	return 0;
}

/* --- post --------------------------------------------------------------------- */

static int rxe_post_send_kernel(struct rxe_qp *qp, const struct ib_send_wr *wr,
				const struct ib_send_wr **bad)
{
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&qp->tx.post_lock, flags);
	for (; wr; wr = wr->next) {
		err = rxe_swr_post(qp, wr);
		if (err) {
			*bad = wr;
			break;
		}
	}
	spin_unlock_irqrestore(&qp->tx.post_lock, flags);
	return err;
}

/**
 * rxe_post_send() - ib_device_ops.post_send, and a user's doorbell
 * @ib: the QP
 * @wr: work requests of a kernel consumer; a user's are in the ring already
 * @bad: the first one refused; those before it are executed
 *
 * Sends in this context, unless another owns the send side or interrupts are
 * off.  Return: 0, -EINVAL (state, or a work request), -ENOMEM (queue full).
 */
int rxe_post_send(struct ib_qp *ib, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	struct rxe_qp *qp = rxe_qp(ib);
	enum ib_qp_state state = READ_ONCE(qp->state);
	int err = 0;

	if (state == IB_QPS_RESET || state == IB_QPS_INIT || state == IB_QPS_RTR) {
		if (bad)
			*bad = wr;
		return -EINVAL;
	}
	if (!qp->user)
		err = rxe_post_send_kernel(qp, wr, bad);
	if (state == IB_QPS_ERR && qp->user)
		rxe_kick(&qp->rx.side, RXE_MARK_POST);
	rxe_kick(&qp->tx.side, RXE_MARK_POST);
	return err;
}

/**
 * rxe_post_recv() - ib_device_ops.post_recv, kernel consumers only
 * @ib: the QP
 * @wr: work requests
 * @bad: the first one refused
 *
 * Return: 0, -EINVAL (state, SRQ, too many SGEs), -ENOMEM (queue full).
 */
int rxe_post_recv(struct ib_qp *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	struct rxe_qp *qp = rxe_qp(ib);
	enum ib_qp_state state = READ_ONCE(qp->state);
	unsigned long flags;
	int err = 0;

	if (qp->user || qp->srq || state == IB_QPS_RESET) {
		*bad = wr;
		return -EINVAL;
	}
	spin_lock_irqsave(&qp->rx.post_lock, flags);
	for (; wr; wr = wr->next) {
		err = rxe_rwr_post(&qp->rx.ring, qp->rx.max_sge, wr);
		if (err) {
			*bad = wr;
			break;
		}
	}
	spin_unlock_irqrestore(&qp->rx.post_lock, flags);
	/* pairs with rxe_side_marks(): the flush sees the receive, or this sees ERR */
	smp_mb();
	if (READ_ONCE(qp->state) == IB_QPS_ERR)
		rxe_kick(&qp->rx.side, RXE_MARK_POST);
	return err;
}
