// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses: between the verbs' attributes, the user ABI's vectors and struct
 * rxe_path; and address handles.
 *
 * A UD work request names its handle by number.  The number leads to an entry
 * that RCU readers may look at after the handle was destroyed, which can't wait
 * for them: destroy_ah() may be called in atomic context.
 */
#include <net/ipv6.h>

#include "rxe.h"

struct rxe_av_entry {
	struct ib_pd *pd;	/* compared, not followed */
	struct rxe_path path;
	struct rcu_head rcu;
};

static bool rxe_gid_is_v4(const union ib_gid *gid)
{
	return ipv6_addr_v4mapped((const struct in6_addr *)gid->raw);
}

/* Both ends are of one family, and there is someone to send to. */
static int rxe_path_finish(struct rxe_path *path)
{
	path->ipv4 = rxe_gid_is_v4(&path->sgid);
	if (rxe_gid_is_v4(&path->dgid) != path->ipv4)
		return -EINVAL;
	if (ipv6_addr_any((const struct in6_addr *)path->dgid.raw))
		return -EINVAL;
	path->flow_label &= 0xfffff;
	return 0;
}

static int rxe_path_sgid(struct rxe_dev *dev, unsigned int index, union ib_gid *sgid)
{
	struct rxe_gid_entry *e;
	int err = -EINVAL;

	if (index >= RXE_GID_TBL_LEN)
		return -EINVAL;
	rcu_read_lock();
	e = rcu_dereference(dev->gids[index]);
	if (e) {
		*sgid = e->gid;
		err = 0;
	}
	rcu_read_unlock();
	return err;
}

/**
 * rxe_path_from_attr() - where an AH or a QP's primary path leads
 * @dev: the device
 * @attr: attributes as the core has them
 * @path: filled
 *
 * RoCE has no address without a GRH (IBTA A16.4.3). Context: any.
 * Return: 0 or -EINVAL.
 */
int rxe_path_from_attr(struct rxe_dev *dev, const struct rdma_ah_attr *attr, struct rxe_path *path)
{
	const struct ib_global_route *grh = rdma_ah_read_grh(attr);
	int err = 0;

	if (attr->type != RDMA_AH_ATTR_TYPE_ROCE || rdma_ah_get_port_num(attr) != 1)
		return -EINVAL;
	if (!(rdma_ah_get_ah_flags(attr) & IB_AH_GRH))
		return -EINVAL;

	memset(path, 0, sizeof(*path));
	if (grh->sgid_attr)
		path->sgid = grh->sgid_attr->gid;
	else
		err = rxe_path_sgid(dev, grh->sgid_index, &path->sgid);
	if (err)
		return err;
	path->sgid_index = grh->sgid_attr ? grh->sgid_attr->index : grh->sgid_index;
	path->dgid = grh->dgid;
	path->flow_label = grh->flow_label;
	path->tclass = grh->traffic_class;
	path->hop_limit = grh->hop_limit;
	memcpy(path->dmac, attr->roce.dmac, ETH_ALEN);
	return rxe_path_finish(path);
}

/**
 * rxe_path_to_attr() - the same backwards, for queries
 * @path: the path
 * @attr: filled
 */
void rxe_path_to_attr(const struct rxe_path *path, struct rdma_ah_attr *attr)
{
	union ib_gid dgid = path->dgid;

	memset(attr, 0, sizeof(*attr));
	attr->type = RDMA_AH_ATTR_TYPE_ROCE;
	rdma_ah_set_port_num(attr, 1);
	rdma_ah_set_grh(attr, &dgid, path->flow_label, path->sgid_index, path->hop_limit,
			path->tclass);
	memcpy(attr->roce.dmac, path->dmac, ETH_ALEN);
}

/**
 * rxe_path_from_user_av() - the address that a user put into a work request
 * @dev: the device
 * @av: the vector
 * @path: filled
 *
 * @av is a copy in kernel memory, of which nothing is trusted. Context: any.
 * Return: 0 or -EINVAL.
 */
int rxe_path_from_user_av(struct rxe_dev *dev, const struct rxe_av *av, struct rxe_path *path)
{
	if (av->port_num != 1)
		return -EINVAL;
	memset(path, 0, sizeof(*path));
	path->sgid_index = av->grh.sgid_index;
	if (rxe_path_sgid(dev, path->sgid_index, &path->sgid))
		return -EINVAL;
	memcpy(path->dgid.raw, av->grh.dgid.raw, sizeof(path->dgid.raw));
	path->flow_label = av->grh.flow_label;
	path->tclass = av->grh.traffic_class;
	path->hop_limit = av->grh.hop_limit;
	memcpy(path->dmac, av->dmac, ETH_ALEN);
	return rxe_path_finish(path);
}

static struct rxe_ah *rxe_ah(struct ib_ah *ib)
{
	return container_of(ib, struct rxe_ah, ib);
}

static struct rxe_av_entry *rxe_av_new(struct ib_ah *ib, struct rdma_ah_attr *attr, gfp_t gfp)
{
	struct rxe_av_entry *e = kzalloc_obj(*e, gfp);
	int err;

	if (!e)
		return ERR_PTR(-ENOMEM);
	e->pd = ib->pd;
	err = rxe_path_from_attr(rxe_dev(ib->device), attr, &e->path);
	if (!err)
		return e;
	kfree(e);
	return ERR_PTR(err);
}

/* Callers may have interrupts off, so the array never waits for memory. */
static int rxe_av_insert(struct rxe_dev *dev, struct rxe_av_entry *e, u32 *num)
{
	unsigned long flags;
	int err;

	xa_lock_irqsave(&dev->ahs, flags);
	err = __xa_alloc_cyclic(&dev->ahs, num, e, XA_LIMIT(1, RXE_MAX_AH), &dev->next_ah,
				GFP_ATOMIC);
	xa_unlock_irqrestore(&dev->ahs, flags);
	return err < 0 ? err : 0;
}

static struct rxe_av_entry *rxe_av_replace(struct rxe_dev *dev, u32 num, struct rxe_av_entry *e)
{
	struct rxe_av_entry *old;
	unsigned long flags;

	xa_lock_irqsave(&dev->ahs, flags);
	old = e ? __xa_store(&dev->ahs, num, e, GFP_ATOMIC) : __xa_erase(&dev->ahs, num);
	xa_unlock_irqrestore(&dev->ahs, flags);
	return old;
}

/* A library too old to take a number gets by with vectors of its own. */
static int rxe_ah_respond(struct rxe_ah *ah, struct ib_udata *udata)
{
	struct rxe_create_ah_resp resp = { .ah_num = ah->num };

	if (!udata || udata->outlen < sizeof(resp))
		return 0;
	return ib_respond_udata(udata, resp);
}

/**
 * rxe_create_ah() - create_ah and create_user_ah
 * @ib: the handle
 * @init: initial attributes
 * @udata: driver's part of the command, NULL for kernel users
 *
 * Context: atomic unless @init->flags has RDMA_CREATE_AH_SLEEPABLE.
 * Return: 0; -EINVAL: no RoCE address; -ENOMEM, -EBUSY: too many; -EFAULT.
 */
int rxe_create_ah(struct ib_ah *ib, struct rdma_ah_init_attr *init, struct ib_udata *udata)
{
	gfp_t gfp = init->flags & RDMA_CREATE_AH_SLEEPABLE ? GFP_KERNEL_ACCOUNT : GFP_ATOMIC;
	struct rxe_dev *dev = rxe_dev(ib->device);
	struct rxe_ah *ah = rxe_ah(ib);
	struct rxe_av_entry *e;
	int err;

	e = rxe_av_new(ib, init->ah_attr, gfp);
	if (IS_ERR(e))
		return PTR_ERR(e);
	err = rxe_av_insert(dev, e, &ah->num);
	if (err) {
		kfree(e);
		return err;
	}
	err = rxe_ah_respond(ah, udata);
	if (err)
		rxe_destroy_ah(ib, 0);
	return err;
}

/**
 * rxe_modify_ah() - later work requests go elsewhere
 * @ib: the handle
 * @attr: attributes as the core has them
 *
 * Context: any. Return: 0, -EINVAL or -ENOMEM.
 */
int rxe_modify_ah(struct ib_ah *ib, struct rdma_ah_attr *attr)
{
	struct rxe_av_entry *e, *old;

	e = rxe_av_new(ib, attr, GFP_ATOMIC);
	if (IS_ERR(e))
		return PTR_ERR(e);
	/* Storing over an entry needs no memory, so it cannot fail. */
	old = rxe_av_replace(rxe_dev(ib->device), rxe_ah(ib)->num, e);
	kfree_rcu(old, rcu);
	return 0;
}

/**
 * rxe_query_ah() - the address as it was given
 * @ib: the handle
 * @attr: filled
 */
int rxe_query_ah(struct ib_ah *ib, struct rdma_ah_attr *attr)
{
	struct rxe_av_entry *e;

	rcu_read_lock();
	e = xa_load(&rxe_dev(ib->device)->ahs, rxe_ah(ib)->num);
	if (e)
		rxe_path_to_attr(&e->path, attr);
	rcu_read_unlock();
	return e ? 0 : -EINVAL;
}

/**
 * rxe_destroy_ah() - the number is free at once; nobody is waited for
 * @ib: the handle
 * @flags: as the core gives them
 *
 * Context: any. Return: 0.
 */
int rxe_destroy_ah(struct ib_ah *ib, u32 flags)
{
	struct rxe_av_entry *e = rxe_av_replace(rxe_dev(ib->device), rxe_ah(ib)->num, NULL);

	if (e)
		kfree_rcu(e, rcu);
	return 0;
}

/**
 * rxe_ah_path() - the address behind a number in a work request
 * @qp: the QP
 * @ah_num: from the user, unchecked
 * @path: filled
 *
 * Handles of another PD do not count (IBTA 10.2.3). Context: any.
 * Return: 0 with a copy in @path, or -EINVAL.
 */
int rxe_ah_path(struct rxe_qp *qp, u32 ah_num, struct rxe_path *path)
{
	struct rxe_av_entry *e;
	int err = -EINVAL;

	rcu_read_lock();
	e = xa_load(&qp->dev->ahs, ah_num);
	if (e && e->pd == qp->ib.pd) {
		*path = e->path;
		err = 0;
	}
	rcu_read_unlock();
	return err;
}
