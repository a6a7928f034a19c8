// SPDX-License-Identifier: GPL-2.0
/*
 * Memory windows, type 1 and type 2B (IBA 10.6.7).
 *
 * What a peer sees through a window is a struct rxe_mr of its own, with its own
 * key, count, bounds and rights over the blocks of the MR it is bound to.  So
 * taking a window away waits for the bursts through it and not for those
 * through the MR or other windows.  An MR with windows stays: it counts them.
 *
 * Only users have windows (the kernel's API has none), so an MR to be bound to
 * is one of a process.
 */
#include "rxe.h"

/* LOCAL_WRITE means nothing here, but programs give it. */
#define RXE_MW_ACCESS	(IB_ACCESS_LOCAL_WRITE | RXE_ACCESS_REMOTE | RXE_ACCESS_FLUSH | \
			 IB_ZERO_BASED | IB_ACCESS_OPTIONAL)

/**
 * rxe_alloc_mw() - ib_device_ops.alloc_mw
 * @ib: type, PD and device are set
 * @udata: unused
 *
 * Return: 0, -EINVAL (no such type), -ENOMEM.
 */
int rxe_alloc_mw(struct ib_mw *ib, struct ib_udata *udata)
{
	struct rxe_mw *mw = rxe_mw(ib);
	struct rxe_mr *mr;
	int err;

	if (ib->type != IB_MW_TYPE_1 && ib->type != IB_MW_TYPE_2)
		return -EINVAL;
	mr = kzalloc_obj(*mr, GFP_KERNEL_ACCOUNT);
	if (!mr)
		return -ENOMEM;
	rxe_ref_init(&mr->ref, mr);
	spin_lock_init(&mr->lock);
	mr->dev = rxe_dev(ib->device);
	mr->pd = ib->pd;
	mr->is_mw = true;
	mr->mw_type2 = ib->type == IB_MW_TYPE_2;
	err = rxe_key_alloc(mr);
	if (err) {
		kfree(mr);
		return err;
	}
	mw->mr = mr;
	ib->rkey = mr->key;
	return 0;
}

/* Let go of the MR; the window is not valid and no burst goes through it. */
static void rxe_mw_unbind(struct rxe_mr *mw)
{
	if (mw->parent)
		atomic_dec(&mw->parent->num_mw);
	mw->parent = NULL;
	mw->length = 0;
	mw->access = 0;
	memset(&mw->map, 0, sizeof(mw->map));
}

/**
 * rxe_dealloc_mw() - ib_device_ops.dealloc_mw
 * @ib: window, bound or not
 *
 * Waits for copies under way through it.
 */
int rxe_dealloc_mw(struct ib_mw *ib)
{
	struct rxe_mr *mw = rxe_mw(ib)->mr;

	WRITE_ONCE(mw->valid, false);
	rxe_key_remove(mw);
	/* a bind under way holds a reference: wait, then take away what it made */
	rxe_mr_gone(mw, "memory window");
	/* an invalidation that found it by number may be under way */
	spin_lock_bh(&mw->lock);
	rxe_mw_unbind(mw);
	spin_unlock_bh(&mw->lock);
	kfree_rcu(mw, ref.rcu);
	return 0;
}

/* What does not depend on the MR (C10-72, o10-36.2.2, o10-37.2.30, o10-37.2.40). */
static int rxe_bind_check_mw(const struct rxe_qp *qp, const struct rxe_swr *swr,
			     const struct rxe_mr *mw)
{
	if (mw->pd != qp->ib.pd || swr->mw.access & ~RXE_MW_ACCESS)
		return -EINVAL;
	if (!mw->mw_type2)
		return swr->mw.access & IB_ZERO_BASED ? -EINVAL : 0;
	/* type 2: free, and never bound to nothing */
	return mw->parent || !swr->mw.length ? -EINVAL : 0;
}

/*
 * What the MR must allow (C10-72 to C10-75).  A window may give rights to peers
 * that the MR itself does not give: that is what windows are for.  Only the
 * write rights need a local one, and a promise to flush needs memory that was
 * checked for it.
 */
static int rxe_bind_check_mr(const struct rxe_qp *qp, const struct rxe_swr *swr,
			     const struct rxe_mr *mr)
{
	u32 access = swr->mw.access;

	if (mr->is_mw || mr->pd != qp->ib.pd || !(mr->access & IB_ACCESS_MW_BIND))
		return -EINVAL;
	if (mr->type != RXE_MR_USER && mr->type != RXE_MR_ODP)
		return -EINVAL;
	if (access & (IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_ATOMIC) &&
	    !(mr->access & IB_ACCESS_LOCAL_WRITE))
		return -EINVAL;
	if (access & ~mr->access & RXE_ACCESS_FLUSH)
		return -EINVAL;
	return rxe_mr_covers(mr, swr->mw.addr, swr->mw.length) ? 0 : -EINVAL;
}

/*
 * Look the MR up and count one more window on it, which then keeps it.
 * Returns NULL for a bind of length zero.
 */
static struct rxe_mr *rxe_bind_parent(struct rxe_qp *qp, const struct rxe_swr *swr)
{
	struct rxe_mr *mr;
	int err;

	if (!swr->mw.length)
		return NULL;
	mr = rxe_mr_enter(qp->dev, swr->mw.mr_lkey);
	if (!mr)
		return ERR_PTR(-EINVAL);
	err = rxe_bind_check_mr(qp, swr, mr);
	/* fails when the MR is being deregistered or changed */
	if (!err && !atomic_inc_unless_negative(&mr->num_mw))
		err = -EINVAL;
	rxe_mr_put(mr);
	return err ? ERR_PTR(err) : mr;
}

static void rxe_bind_commit(struct rxe_qp *qp, const struct rxe_swr *swr, struct rxe_mr *mw,
			    struct rxe_mr *parent)
{
	lockdep_assert_held(&mw->lock);
	rxe_mw_unbind(mw);
	mw->key = swr->mw.rkey;
	if (!parent)
		return;
	mw->parent = parent;
	mw->type = parent->type;
	mw->map = parent->map;
	mw->map.offset += swr->mw.addr - parent->iova;
	mw->iova = swr->mw.access & IB_ZERO_BASED ? 0 : swr->mw.addr;
	mw->length = swr->mw.length;
	mw->access = swr->mw.access;
	mw->mw_qpn = qp->ib.qp_num;
	/* pairs with rxe_mr_enter() */
	smp_store_release(&mw->valid, true);
}

static int rxe_bind_locked(struct rxe_qp *qp, const struct rxe_swr *swr, struct rxe_mr *mw)
{
	struct rxe_mr *parent;
	int err;

	lockdep_assert_held(&mw->lock);
	if (mw->key != swr->mw.mw_rkey)
		return -EINVAL;
	err = rxe_bind_check_mw(qp, swr, mw);
	if (err)
		return err;
	parent = rxe_bind_parent(qp, swr);
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	/* references: the table's and rxe_mw_bind()'s */
	if (!rxe_mr_leave(mw, 2, qp, false)) {
		if (parent)
			atomic_dec(&parent->num_mw);
		return -EAGAIN;
	}
	rxe_bind_commit(qp, swr, mw, parent);
	return 0;
}

/* The window behind a key, bound or not, with a reference. */
static struct rxe_mr *rxe_mw_get(struct rxe_dev *dev, u32 key)
{
	struct rxe_mr *mw;

	rcu_read_lock();
	mw = xa_load(&dev->keys, key >> 8);
	if (mw && (!mw->is_mw || !rxe_ref_get(&mw->ref)))
		mw = NULL;
	rcu_read_unlock();
	return mw;
}

/**
 * rxe_mw_bind() - execute a bind request
 * @qp: RC or UC
 * @swr: its mw part; mw.rkey is the whole new key
 *
 * A type 1 window may be bound already: its old key is taken away at once,
 * whether or not the new binding is complete.  Length zero unbinds it.
 *
 * Context: owner of the send side.
 * Return: 0; -EAGAIN: a burst still goes through the old binding: call again,
 * the send side is kicked; -EINVAL: refused (complete with MW_BIND_ERR).
 */
int rxe_mw_bind(struct rxe_qp *qp, struct rxe_swr *swr)
{
	struct rxe_mr *mw = rxe_mw_get(qp->dev, swr->mw.mw_rkey);
	int err;

	if (!mw)
		return -EINVAL;
	spin_lock_bh(&mw->lock);
	err = rxe_bind_locked(qp, swr, mw);
	spin_unlock_bh(&mw->lock);
	rxe_mr_put(mw);
	return err;
}

/**
 * rxe_mw_invalidate() - invalidate a type 2 window
 * @qp: QP
 * @mw: window with the right key and PD; under RCU
 * @remote: asked by the peer
 *
 * Only type 2, and only through the QP it was bound by (o10-37.2.26).
 *
 * Return: as rxe_key_invalidate().
 */
int rxe_mw_invalidate(struct rxe_qp *qp, struct rxe_mr *mw, bool remote)
{
	int err = 0;

	spin_lock_bh(&mw->lock);
	if (!mw->mw_type2 || !mw->parent || mw->mw_qpn != qp->ib.qp_num)
		err = -EINVAL;
	else if (!rxe_mr_leave(mw, 1, qp, remote))
		err = -EAGAIN;
	else
		rxe_mw_unbind(mw);
	spin_unlock_bh(&mw->lock);
	return err;
}
