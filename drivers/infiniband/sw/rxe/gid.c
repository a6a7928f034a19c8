// SPDX-License-Identifier: GPL-2.0
/*
 * Which addresses are ours: a copy of the core's GID tables that packets can
 * look at.  The core's own functions take a lock and references per look-up
 * and search the table from its beginning.
 *
 * One hash over all devices, keyed by namespace and GID, and one array per
 * device, both fed by the core through rxe_add_gid() and rxe_del_gid().
 */
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <net/ipv6.h>

#include "rxe.h"

#define RXE_GID_HASH_BITS 10

static DEFINE_HASHTABLE(rxe_gids, RXE_GID_HASH_BITS);	/* RCU */
static DEFINE_SPINLOCK(rxe_gids_lock);			/* writers; BH */

static u32 rxe_gid_key(const struct net *net, const union ib_gid *gid)
{
	return jhash2((const u32 *)gid->raw, sizeof(gid->raw) / sizeof(u32), net_hash_mix(net));
}

static bool rxe_gid_is_link_local(const union ib_gid *gid)
{
	return ipv6_addr_type((const struct in6_addr *)gid->raw) & IPV6_ADDR_LINKLOCAL;
}

/**
 * rxe_gid_find_ifindex() - whose address is this?
 * @net: namespace in which it was seen
 * @gid: IPv4 addresses in the mapped form
 * @ifindex: of the interface in whose scope it was seen; matters for link-local
 *	addresses only
 *
 * Context: RCU. Return: the entry, valid inside the section, or NULL.
 */
struct rxe_gid_entry *rxe_gid_find_ifindex(struct net *net, const union ib_gid *gid, int ifindex)
{
	bool scoped = rxe_gid_is_link_local(gid);
	struct rxe_gid_entry *e;

	hash_for_each_possible_rcu(rxe_gids, e, node, rxe_gid_key(net, gid)) {
		if (e->net != net || memcmp(&e->gid, gid, sizeof(*gid)))
			continue;
		if (!scoped || e->ndev->ifindex == ifindex)
			return e;
	}
	return NULL;
}

/**
 * rxe_gid_find() - the same, with the scope given by a netdev
 * @net: network namespace
 * @gid: the address
 * @ndev: whose scope counts for link-local addresses
 */
struct rxe_gid_entry *rxe_gid_find(struct net *net, const union ib_gid *gid,
				   const struct net_device *ndev)
{
	return rxe_gid_find_ifindex(net, gid, ndev->ifindex);
}

static bool rxe_gid_is(const struct rxe_gid_entry *e, const union ib_gid *gid)
{
	return e && !memcmp(&e->gid, gid, sizeof(*gid));
}

/**
 * rxe_gid_of_path() - the source address of a path, as it stands now
 * @dev: the device
 * @path: the path
 *
 * An address that was removed and added again may have another index than the
 * one the QP was given; it is looked for by value then.
 * Context: RCU. Return: the entry, or NULL: the address is gone.
 */
struct rxe_gid_entry *rxe_gid_of_path(struct rxe_dev *dev, const struct rxe_path *path)
{
	struct rxe_gid_entry *e;
	unsigned int i;

	if (likely(path->sgid_index < RXE_GID_TBL_LEN)) {
		e = rcu_dereference(dev->gids[path->sgid_index]);
		if (likely(rxe_gid_is(e, &path->sgid)))
			return e;
	}
	for (i = 0; i < RXE_GID_TBL_LEN; i++) {
		e = rcu_dereference(dev->gids[i]);
		if (rxe_gid_is(e, &path->sgid))
			return e;
	}
	return NULL;
}

static struct rxe_gid_entry *rxe_gid_new(const struct ib_gid_attr *attr)
{
	struct rxe_gid_entry *e = kzalloc_obj(*e);

	if (!e)
		return NULL;
	e->gid = attr->gid;
	e->dev = rxe_dev(attr->device);
	e->index = attr->index;
	rcu_read_lock();
	e->ndev = rcu_dereference(attr->ndev);
	netdev_hold(e->ndev, &e->tracker, GFP_ATOMIC);
	e->net = dev_net(e->ndev);
	rcu_read_unlock();
	return e;
}

/**
 * rxe_add_gid() - the core adds an entry to a port's table
 * @attr: attributes as the core has them
 * @context: the core's place for the entry
 *
 * Context: process. Return: 0 or -ENOMEM.
 */
int rxe_add_gid(const struct ib_gid_attr *attr, void **context)
{
	struct rxe_gid_entry *e;

	if (WARN_ON_ONCE(attr->index >= RXE_GID_TBL_LEN))
		return -EINVAL;
	e = rxe_gid_new(attr);
	if (!e)
		return -ENOMEM;

	spin_lock_bh(&rxe_gids_lock);
	hash_add_rcu(rxe_gids, &e->node, rxe_gid_key(e->net, &e->gid));
	rcu_assign_pointer(e->dev->gids[e->index], e);
	spin_unlock_bh(&rxe_gids_lock);
	*context = e;
	return 0;
}

/* The netdev is held until no reader looks at the entry any more. */
static void rxe_gid_free(struct rcu_head *rcu)
{
	struct rxe_gid_entry *e = container_of(rcu, struct rxe_gid_entry, rcu);

	netdev_put(e->ndev, &e->tracker);
	kfree(e);
}

/**
 * rxe_del_gid() - the core takes an entry out
 * @attr: attributes as the core has them
 * @context: the core's place for the entry
 *
 * Context: process. @attr->ndev may be gone already (6.1). Return: 0.
 */
int rxe_del_gid(const struct ib_gid_attr *attr, void **context)
{
	struct rxe_gid_entry *e = *context;

	if (!e)
		return 0;
	spin_lock_bh(&rxe_gids_lock);
	hash_del_rcu(&e->node);
	if (rcu_access_pointer(e->dev->gids[e->index]) == e)
		RCU_INIT_POINTER(e->dev->gids[e->index], NULL);
	spin_unlock_bh(&rxe_gids_lock);
	*context = NULL;
	call_rcu(&e->rcu, rxe_gid_free);
	return 0;
}
