// SPDX-License-Identifier: GPL-2.0
/*
 * Shared receive queues.
 *
 * A ring like a receive queue's; its consumers are the receive sides of many
 * QPs, so its consumer half has a lock.
 */
#include "rxe.h"

/* Entries copied with interrupts off during a resize. */
#define RXE_SRQ_COPY_BATCH	32

static u32 rxe_srq_slot_bytes(u32 max_sge)
{
	return sizeof(struct rxe_recv_wqe) + max_sge * sizeof(struct rxe_sge);
}

static void rxe_srq_limit_event(struct work_struct *work)
{
	struct rxe_srq *srq = container_of(work, struct rxe_srq, limit_work);
	struct ib_event event = {
		.device = srq->ib.device,
		.event = IB_EVENT_SRQ_LIMIT_REACHED,
		.element.srq = &srq->ib,
	};

	if (srq->ib.event_handler)
		srq->ib.event_handler(&event, srq->ib.srq_context);
}

/**
 * rxe_srq_take() - take the next receive WQE
 * @srq: SRQ
 * @rwr: room for @srq->max_sge SGEs; filled as by rxe_rwr_snapshot()
 *
 * Raises IB_EVENT_SRQ_LIMIT_REACHED, once per arming, when fewer than the limit
 * are left (IBA 10.2.9.2).
 *
 * Context: any.
 * Return: 0, -ENOENT (none), -EINVAL (malformed; rwr->wr_id is valid).
 */
int rxe_srq_take(struct rxe_srq *srq, struct rxe_rwr *rwr)
{
	unsigned long flags;
	int err;

	spin_lock_irqsave(&srq->lock, flags);
	err = rxe_rwr_snapshot(&srq->ring, srq->max_sge, rwr);
	if (err != -ENOENT && srq->limit && rxe_ring_filled(&srq->ring) < srq->limit) {
		srq->limit = 0;
		rxe_queue_work(&srq->limit_work);
	}
	spin_unlock_irqrestore(&srq->lock, flags);
	return err;
}

static int rxe_srq_check_init(const struct ib_srq_init_attr *init, const struct ib_udata *udata)
{
	if (init->srq_type != IB_SRQT_BASIC)
		return -EOPNOTSUPP;
	if (!init->attr.max_wr || init->attr.max_wr > RXE_MAX_WR ||
	    init->attr.max_sge > RXE_MAX_SRQ_SGE || init->attr.srq_limit > init->attr.max_wr)
		return -EINVAL;
	if (udata && udata->outlen < sizeof(struct rxe_create_srq_resp))
		return -EINVAL;
	return 0;
}

static int rxe_srq_number(struct rxe_srq *srq)
{
	int err = xa_alloc_cyclic(&srq->dev->srqs, &srq->num, srq, XA_LIMIT(1, RXE_MAX_OBJ),
				  &srq->dev->next_srq, GFP_KERNEL);

	return min(err, 0);
}

static int rxe_srq_init(struct rxe_srq *srq, struct ib_srq_init_attr *init, struct ib_udata *udata,
			struct mminfo *mi)
{
	spin_lock_init(&srq->lock);
	spin_lock_init(&srq->post_lock);
	mutex_init(&srq->modify_mutex);
	INIT_WORK(&srq->limit_work, rxe_srq_limit_event);
	srq->dev = rxe_dev(srq->ib.device);
	srq->max_sge = max_t(u32, init->attr.max_sge, 1);
	srq->limit = init->attr.srq_limit;
	return rxe_ring_init(&srq->ring, srq->dev, init->attr.max_wr,
			     rxe_srq_slot_bytes(srq->max_sge), udata, mi);
}

/**
 * rxe_create_srq() - ib_device_ops.create_srq
 * @ib: zeroed but for what the core sets
 * @init: type must be basic; attributes are updated to what was made
 * @udata: NULL for a kernel consumer
 *
 * Return: 0, -EOPNOTSUPP (type), -EINVAL, -ENOMEM, -EFAULT.
 */
int rxe_create_srq(struct ib_srq *ib, struct ib_srq_init_attr *init, struct ib_udata *udata)
{
	struct rxe_create_srq_resp resp = {};
	struct rxe_srq *srq = rxe_srq(ib);
	int err;

	err = rxe_srq_check_init(init, udata);
	if (err)
		return err;
	err = rxe_srq_init(srq, init, udata, &resp.mi);
	if (err)
		return err;
	err = rxe_srq_number(srq);
	if (err)
		goto err_ring;
	if (udata) {
		resp.srq_num = srq->num;
		err = ib_copy_to_udata(udata, &resp, sizeof(resp));
		if (err)
			goto err_number;
	}
	init->attr.max_wr = srq->ring.mask;
	init->attr.max_sge = srq->max_sge;
	return 0;

err_number:
	xa_erase(&srq->dev->srqs, srq->num);
err_ring:
	rxe_ring_free(&srq->ring);
	return err;
}

/* Copy some of what is not taken yet. True: all. Numbers run on, see ring.c. */
static bool rxe_srq_copy_some(struct rxe_srq *srq, struct rxe_ring *to, u32 *done)
{
	u32 end, n;

	lockdep_assert_held(&srq->lock);
	end = srq->ring.index + rxe_ring_filled(&srq->ring);
	if ((s32)(srq->ring.index - *done) > 0)
		*done = srq->ring.index;
	/* a user may turn its producer index back */
	if ((s32)(end - *done) <= 0)
		return true;
	n = min_t(u32, end - *done, RXE_SRQ_COPY_BATCH);
	rxe_ring_copy(to, &srq->ring, *done, n);
	*done += n;
	return *done == end;
}

static void rxe_srq_switch(struct rxe_srq *srq, struct rxe_ring *to, u32 end)
{
	lockdep_assert_held(&srq->post_lock);
	lockdep_assert_held(&srq->lock);
	to->index = srq->ring.index;
	to->kernel_producer = end;
	/* not mapped yet: mmap orders these before whatever the user reads */
	WRITE_ONCE(to->buf->consumer_index, to->index & to->mask);
	WRITE_ONCE(to->buf->producer_index, end & to->mask);
	swap(srq->ring, *to);
}

static int rxe_srq_move(struct rxe_srq *srq, struct rxe_ring *to, u32 max_wr)
{
	u32 done = READ_ONCE(srq->ring.index);
	unsigned long flags;
	bool all = false;
	int err = 0;

	while (!all && !err) {
		spin_lock_irqsave(&srq->post_lock, flags);
		spin_lock(&srq->lock);
		if (rxe_ring_filled(&srq->ring) > max_wr) {
			err = -EINVAL;
		} else {
			all = rxe_srq_copy_some(srq, to, &done);
			if (all)
				rxe_srq_switch(srq, to, done);
		}
		spin_unlock(&srq->lock);
		spin_unlock_irqrestore(&srq->post_lock, flags);
		cond_resched();
	}
	return err;
}

/* The library gives the address of a struct mminfo instead of a response buffer. */
static int rxe_srq_tell_user(struct ib_udata *udata, const struct mminfo *mi)
{
	struct rxe_modify_srq_cmd cmd;

	if (udata->inlen < sizeof(cmd))
		return -EINVAL;
	if (ib_copy_from_udata(&cmd, udata, sizeof(cmd)))
		return -EFAULT;
	if (copy_to_user(u64_to_user_ptr(cmd.mmap_info_addr), mi, sizeof(*mi)))
		return -EFAULT;
	return 0;
}

static int rxe_srq_resize(struct rxe_srq *srq, u32 max_wr, struct ib_udata *udata)
{
	struct rxe_ring ring = {};
	struct mminfo mi = {};
	int err;

	err = rxe_ring_init(&ring, srq->dev, max_wr, rxe_srq_slot_bytes(srq->max_sge), udata, &mi);
	if (err)
		return err;
	if (udata)
		err = rxe_srq_tell_user(udata, &mi);
	if (!err)
		err = rxe_srq_move(srq, &ring, max_wr);
	rxe_ring_free(&ring);
	return err;
}

static void rxe_srq_arm(struct rxe_srq *srq, u32 limit)
{
	unsigned long flags;

	spin_lock_irqsave(&srq->lock, flags);
	srq->limit = limit;
	spin_unlock_irqrestore(&srq->lock, flags);
}

/**
 * rxe_modify_srq() - ib_device_ops.modify_srq
 * @ib: SRQ; may be in use
 * @attr: new size and limit
 * @mask: IB_SRQ_MAX_WR, IB_SRQ_LIMIT
 * @udata: NULL for a kernel consumer
 *
 * No receive posted before the call is lost by a resize.
 *
 * Return: 0, -EINVAL (size or limit out of range, or more posted than would
 * fit), -ENOMEM, -EFAULT.
 */
int rxe_modify_srq(struct ib_srq *ib, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		   struct ib_udata *udata)
{
	struct rxe_srq *srq = rxe_srq(ib);
	u32 max_wr;
	int err = 0;

	if (mask & ~(IB_SRQ_MAX_WR | IB_SRQ_LIMIT))
		return -EINVAL;
	if (mask & IB_SRQ_MAX_WR && (!attr->max_wr || attr->max_wr > RXE_MAX_WR))
		return -EINVAL;

	mutex_lock(&srq->modify_mutex);
	max_wr = mask & IB_SRQ_MAX_WR ? attr->max_wr : srq->ring.mask;
	if (mask & IB_SRQ_LIMIT && attr->srq_limit > max_wr)
		err = -EINVAL;
	if (!err && mask & IB_SRQ_MAX_WR)
		err = rxe_srq_resize(srq, max_wr, udata);
	if (!err && mask & IB_SRQ_LIMIT)
		rxe_srq_arm(srq, attr->srq_limit);
	mutex_unlock(&srq->modify_mutex);
	return err;
}

/**
 * rxe_query_srq() - ib_device_ops.query_srq
 * @ib: SRQ
 * @attr: filled; a limit that was reached reads 0
 */
int rxe_query_srq(struct ib_srq *ib, struct ib_srq_attr *attr)
{
	struct rxe_srq *srq = rxe_srq(ib);
	unsigned long flags;

	spin_lock_irqsave(&srq->lock, flags);
	attr->max_wr = srq->ring.mask;
	attr->max_sge = srq->max_sge;
	attr->srq_limit = srq->limit;
	spin_unlock_irqrestore(&srq->lock, flags);
	return 0;
}

/**
 * rxe_destroy_srq() - ib_device_ops.destroy_srq
 * @ib: SRQ no QP uses any more
 * @udata: unused
 */
int rxe_destroy_srq(struct ib_srq *ib, struct ib_udata *udata)
{
	struct rxe_srq *srq = rxe_srq(ib);

	xa_erase(&srq->dev->srqs, srq->num);
	cancel_work_sync(&srq->limit_work);
	rxe_ring_free(&srq->ring);
	return 0;
}

/**
 * rxe_post_srq_recv() - ib_device_ops.post_srq_recv, for kernel consumers
 * @ib: SRQ
 * @wr: list of receive requests
 * @bad: the first that was not taken
 *
 * Context: any.
 * Return: 0, -ENOMEM (full), -EINVAL.
 */
int rxe_post_srq_recv(struct ib_srq *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	struct rxe_srq *srq = rxe_srq(ib);
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&srq->post_lock, flags);
	for (; wr; wr = wr->next) {
		err = rxe_rwr_post(&srq->ring, srq->max_sge, wr);
		if (err) {
			*bad = wr;
			break;
		}
	}
	spin_unlock_irqrestore(&srq->post_lock, flags);
	return err;
}
