// SPDX-License-Identifier: GPL-2.0
/*
 * Completion queues.
 *
 * A user polls the ring in its own memory: entries there are struct
 * ib_uverbs_wc.  A kernel consumer's ring holds struct ib_wc.  Both ends are
 * counted by numbers that run on.  A user's consumer index is looked at only
 * when the ring seems full, so that posting does not take the cache line that
 * the poller writes, and is believed only as far as our own count goes
 * (rdma-core 44 may leave it one past the producer, which is no overflow).
 *
 * The handler never runs where a completion is added: that is inside an engine
 * or in the call chain of a verb (Documentation/infiniband/core_locking.rst).
 * A tasklet runs it, once per arm, with nothing held, so that it may poll,
 * arm again and post.
 */
#include "rxe.h"

/* Entries copied with interrupts off during a resize. */
#define RXE_CQ_COPY_BATCH	64

#define RXE_CQE_USER_BYTES	64

/*
 * A page holds that many.  Programs that shrink their CQ while completions are
 * on their way (pyverbs' test_resize_cq) live on the spare ones.
 */
#define RXE_CQ_MIN		31

static struct rxe_dev *rxe_cq_dev(const struct rxe_cq *cq)
{
	return rxe_dev(cq->ib.device);
}

static u32 rxe_cqe_bytes(bool user)
{
	BUILD_BUG_ON(sizeof(struct ib_uverbs_wc) > RXE_CQE_USER_BYTES);
	return user ? RXE_CQE_USER_BYTES : sizeof(struct ib_wc);
}

static int rxe_cq_ring(struct rxe_cq *cq, struct rxe_ring *ring, u32 cqe, struct ib_udata *udata,
		       struct mminfo *mi)
{
	return rxe_ring_init(ring, rxe_cq_dev(cq), max_t(u32, cqe, RXE_CQ_MIN),
			     rxe_cqe_bytes(udata), udata, mi);
}

/*
 * How far has the user read?  The index is one of mask + 1 numbers; what it
 * stands for lies between what was seen last and what was produced.
 */
static void rxe_cq_look(struct rxe_cq *cq)
{
	u32 there = cq->ring.index - cq->consumed;
	u32 more;

	lockdep_assert_held(&cq->lock);
	if (!cq->ring.user)
		return;
	/* pairs with the library's store of the index after it read the entry */
	more = (smp_load_acquire(&cq->ring.buf->consumer_index) - cq->consumed) & cq->ring.mask;
	cq->consumed += min(more, there);
}

static bool rxe_cq_full(struct rxe_cq *cq)
{
	if (likely(cq->ring.index - cq->consumed < cq->ring.mask))
		return false;
	rxe_cq_look(cq);
	return cq->ring.index - cq->consumed >= cq->ring.mask;
}

/*
 * libibverbs numbers the flags of a completion otherwise than the kernel does:
 * IBV_WC_WITH_INV is bit 3, and bit 2, the kernel's WITH_INVALIDATE, is there a
 * good checksum.  What has no number there stays here.
 */
static u32 rxe_wc_user_flags(int flags)
{
	u32 user = flags & (IB_WC_GRH | IB_WC_WITH_IMM);

	return flags & IB_WC_WITH_INVALIDATE ? user | BIT(3) : user;
}

static void rxe_cqe_to_user(struct ib_uverbs_wc *u, const struct ib_wc *wc)
{
	u->wr_id = wc->wr_id;
	u->status = wc->status;
	u->opcode = wc->opcode;
	u->vendor_err = wc->vendor_err;
	u->byte_len = wc->byte_len;
	u->ex.imm_data = wc->ex.imm_data;
	u->qp_num = wc->qp->qp_num;
	u->src_qp = wc->src_qp;
	u->wc_flags = rxe_wc_user_flags(wc->wc_flags);
	u->pkey_index = wc->pkey_index;
	u->slid = ib_lid_cpu16(wc->slid);
	u->sl = wc->sl;
	u->dlid_path_bits = wc->dlid_path_bits;
	u->port_num = wc->port_num;
	u->reserved = 0;
}

static void rxe_cq_write(struct rxe_cq *cq, const struct ib_wc *wc)
{
	void *slot = rxe_ring_at(&cq->ring, 0);

	if (!cq->ring.user) {
		*(struct ib_wc *)slot = *wc;
		cq->ring.index++;
		return;
	}
	rxe_cqe_to_user(slot, wc);
	cq->ring.index++;
	/* pairs with the library's load of the index before it reads the entry */
	smp_store_release(&cq->ring.buf->producer_index, cq->ring.index & cq->ring.mask);
}

static bool rxe_cq_wants_event(struct rxe_cq *cq, bool solicited)
{
	return cq->notify & IB_CQ_NEXT_COMP || (cq->notify & IB_CQ_SOLICITED && solicited);
}

/* IBA 11.6.3.2: a CQ error event; the CQ is of no use any more. */
static void rxe_cq_overflow(struct rxe_cq *cq)
{
	cq->dead = true;
	rxe_queue_work(&cq->error_work);
}

/**
 * rxe_cq_post() - add a completion
 * @cq: CQ
 * @wc: the completion; @wc->qp is valid
 * @solicited: counts for a CQ armed for solicited events (errors always do)
 *
 * Context: any.
 * Return: 0; -EOVERFLOW: the CQ is full, or was once: it takes nothing any
 * more, IB_EVENT_CQ_ERR was raised, and the QP must go to error.
 */
int rxe_cq_post(struct rxe_cq *cq, const struct ib_wc *wc, bool solicited)
{
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&cq->lock, flags);
	if (unlikely(cq->dead)) {
		err = -EOVERFLOW;
	} else if (unlikely(rxe_cq_full(cq))) {
		rxe_cq_overflow(cq);
		err = -EOVERFLOW;
	} else {
		rxe_cq_write(cq, wc);
		if (rxe_cq_wants_event(cq, solicited || wc->status != IB_WC_SUCCESS)) {
			cq->notify = 0;
			tasklet_schedule(&cq->tasklet);
		}
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	return err;
}

static void rxe_cq_notify(struct tasklet_struct *t)
{
	struct rxe_cq *cq = from_tasklet(cq, t, tasklet);

	if (cq->ib.comp_handler)
		cq->ib.comp_handler(&cq->ib, cq->ib.cq_context);
}

static void rxe_cq_error(struct work_struct *work)
{
	struct rxe_cq *cq = container_of(work, struct rxe_cq, error_work);
	struct ib_event event = {
		.device = cq->ib.device,
		.event = IB_EVENT_CQ_ERR,
		.element.cq = &cq->ib,
	};

	if (cq->ib.event_handler)
		cq->ib.event_handler(&event, cq->ib.cq_context);
}

static int rxe_cq_check_attr(struct ib_cq *ib, const struct ib_cq_init_attr *attr,
			     struct ib_udata *udata)
{
	if (attr->flags)
		return -EOPNOTSUPP;
	if (!attr->cqe || attr->cqe > RXE_MAX_CQE)
		return -EINVAL;
	if ((u32)attr->comp_vector >= ib->device->num_comp_vectors)
		return -EINVAL;
	if (udata && udata->outlen < sizeof(struct rxe_create_cq_resp))
		return -EINVAL;
	return 0;
}

/**
 * rxe_create_cq() - ib_device_ops.create_cq
 * @ib: zeroed but for what the core sets
 * @attr: entries wanted, completion vector
 * @attrs: NULL for a kernel consumer
 *
 * Return: 0, -EINVAL, -EOPNOTSUPP (flags), -ENOMEM, -EFAULT.
 */
int rxe_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr,
		  struct uverbs_attr_bundle *attrs)
{
	struct ib_udata *udata = attrs ? &attrs->driver_udata : NULL;
	struct rxe_create_cq_resp resp = {};
	struct rxe_cq *cq = rxe_cq(ib);
	int err;

	err = rxe_cq_check_attr(ib, attr, udata);
	if (err)
		return err;
	spin_lock_init(&cq->lock);
	mutex_init(&cq->resize_mutex);
	tasklet_setup(&cq->tasklet, rxe_cq_notify);
	INIT_WORK(&cq->error_work, rxe_cq_error);

	err = rxe_cq_ring(cq, &cq->ring, attr->cqe, udata, &resp.mi);
	if (err)
		return err;
	if (udata) {
		err = ib_copy_to_udata(udata, &resp, sizeof(resp));
		if (err)
			goto err_ring;
	}
	ib->cqe = cq->ring.mask;
	return 0;

err_ring:
	rxe_ring_free(&cq->ring);
	return err;
}

/**
 * rxe_destroy_cq() - ib_device_ops.destroy_cq
 * @ib: CQ no QP uses any more
 * @udata: unused
 *
 * The handler does not run after this returned.
 */
int rxe_destroy_cq(struct ib_cq *ib, struct ib_udata *udata)
{
	struct rxe_cq *cq = rxe_cq(ib);

	tasklet_kill(&cq->tasklet);
	cancel_work_sync(&cq->error_work);
	rxe_ring_free(&cq->ring);
	return 0;
}

/* Copy some of what is not read yet. @done: number up to which it is copied. True: all. */
static bool rxe_cq_copy_some(struct rxe_cq *cq, struct rxe_ring *to, u32 *done)
{
	u32 n;

	lockdep_assert_held(&cq->lock);
	if ((s32)(cq->consumed - *done) > 0)
		*done = cq->consumed;
	n = min_t(u32, cq->ring.index - *done, RXE_CQ_COPY_BATCH);
	rxe_ring_copy(to, &cq->ring, *done, n);
	*done += n;
	return *done == cq->ring.index;
}

static void rxe_cq_switch(struct rxe_cq *cq, struct rxe_ring *to)
{
	lockdep_assert_held(&cq->lock);
	to->index = cq->ring.index;
	/* not mapped yet: mmap orders these before whatever the user reads */
	WRITE_ONCE(to->buf->consumer_index, cq->consumed & to->mask);
	WRITE_ONCE(to->buf->producer_index, to->index & to->mask);
	swap(cq->ring, *to);
	cq->ib.cqe = cq->ring.mask;
}

/*
 * Entries keep their numbers.  They are copied in batches, as a full CQ of
 * 4 Mi entries takes longer than interrupts may be off; what is added meanwhile
 * goes to the old ring and is copied in the next batch.
 */
static int rxe_cq_move(struct rxe_cq *cq, struct rxe_ring *to, u32 cqe)
{
	unsigned long flags;
	bool all = false;
	u32 done;
	int err = 0;

	spin_lock_irqsave(&cq->lock, flags);
	rxe_cq_look(cq);
	done = cq->consumed;
	while (!all) {
		if (cq->ring.index - cq->consumed > cqe) {
			err = -EINVAL;
			break;
		}
		all = rxe_cq_copy_some(cq, to, &done);
		if (all) {
			rxe_cq_switch(cq, to);
			break;
		}
		spin_unlock_irqrestore(&cq->lock, flags);
		cond_resched();
		spin_lock_irqsave(&cq->lock, flags);
		rxe_cq_look(cq);
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	return err;
}

/**
 * rxe_resize_cq() - ib_device_ops.resize_user_cq (resize_cq)
 * @ib: CQ; may be in use
 * @cqe: entries it must hold from now on
 * @udata: NULL for a kernel consumer
 *
 * The library holds its CQ lock meanwhile, and maps the new ring afterwards.
 * No completion is lost.
 *
 * Return: 0, -EINVAL (too large, or fewer than are in it now), -ENOMEM, -EFAULT.
 */
int rxe_resize_cq(struct ib_cq *ib, unsigned int cqe, struct ib_udata *udata)
{
	struct rxe_resize_cq_resp resp = {};
	struct rxe_cq *cq = rxe_cq(ib);
	struct rxe_ring ring = {};
	int err;

	if (!cqe || cqe > RXE_MAX_CQE)
		return -EINVAL;
	if (udata && udata->outlen < sizeof(resp))
		return -EINVAL;
	err = rxe_cq_ring(cq, &ring, cqe, udata, &resp.mi);
	if (err)
		return err;
	/* what may fail comes before the switch */
	if (udata)
		err = ib_copy_to_udata(udata, &resp, sizeof(resp));
	if (!err) {
		mutex_lock(&cq->resize_mutex);
		err = rxe_cq_move(cq, &ring, cqe);
		mutex_unlock(&cq->resize_mutex);
	}
	rxe_ring_free(&ring);
	return err;
}

/**
 * rxe_poll_cq() - ib_device_ops.poll_cq, for kernel consumers
 * @ib: CQ
 * @num_entries: room in @wc
 * @wc: filled
 *
 * Context: any.
 * Return: completions taken.
 */
int rxe_poll_cq(struct ib_cq *ib, int num_entries, struct ib_wc *wc)
{
	struct rxe_cq *cq = rxe_cq(ib);
	unsigned long flags;
	int n = 0;

	spin_lock_irqsave(&cq->lock, flags);
	while (n < num_entries && cq->consumed != cq->ring.index) {
		wc[n++] = *(struct ib_wc *)rxe_ring_at(&cq->ring, cq->consumed - cq->ring.index);
		cq->consumed++;
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	return n;
}

/**
 * rxe_peek_cq() - ib_device_ops.peek_cq
 * @ib: CQ
 * @wc_cnt: how many to look for
 *
 * Return: completions there, at most @wc_cnt.
 */
int rxe_peek_cq(struct ib_cq *ib, int wc_cnt)
{
	struct rxe_cq *cq = rxe_cq(ib);
	unsigned long flags;
	u32 there;

	spin_lock_irqsave(&cq->lock, flags);
	rxe_cq_look(cq);
	there = cq->ring.index - cq->consumed;
	spin_unlock_irqrestore(&cq->lock, flags);
	return min_t(u32, there, max(wc_cnt, 0));
}

/**
 * rxe_req_notify_cq() - ib_device_ops.req_notify_cq: run the handler once more
 * @ib: CQ
 * @flags: for any, or for a solicited or failed completion; arming for any
 *	   outlives arming for solicited ones
 *
 * Context: any.
 * Return: 1 if asked to report missed events and there are completions, else 0.
 */
int rxe_req_notify_cq(struct ib_cq *ib, enum ib_cq_notify_flags flags)
{
	struct rxe_cq *cq = rxe_cq(ib);
	unsigned long irq;
	int missed = 0;

	spin_lock_irqsave(&cq->lock, irq);
	cq->notify |= flags & IB_CQ_SOLICITED_MASK;
	if (flags & IB_CQ_REPORT_MISSED_EVENTS) {
		rxe_cq_look(cq);
		missed = cq->ring.index != cq->consumed;
	}
	spin_unlock_irqrestore(&cq->lock, irq);
	return missed;
}
