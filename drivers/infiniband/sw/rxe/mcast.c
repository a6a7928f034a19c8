// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast: which QPs of a device are members of which groups.
 *
 * The first member of a group joins it on the bound netdev, as a host does
 * (IGMP, MLD and the interface's filter), the last one leaves it.  Delivery
 * walks the members under RCU.  A member is known by its QP number: a QP that
 * is being destroyed is just not found.
 */
#include <linux/igmp.h>
#include <linux/inetdevice.h>
#include <linux/rculist.h>
#include <linux/rtnetlink.h>
#include <net/addrconf.h>

#include "rxe.h"
#include "trace.h"

enum rxe_join {
	RXE_JOIN_FILTER,	/* the interface's filter only */
	RXE_JOIN_IGMP,
	RXE_JOIN_MLD,
};

struct rxe_mcast_member {
	struct list_head list;
	u32 qpn;
	struct rcu_head rcu;
};

/**
 * struct rxe_mcast_group - a group with members
 * @list: in dev->mcast_groups
 * @mgid: the group's address
 * @members: struct rxe_mcast_member, RCU
 * @num_members: their number
 * @join: how it was joined
 * @in_dev: on which IGMP joined; compared, not followed
 * @rcu: for kfree_rcu()
 */
struct rxe_mcast_group {
	struct list_head list;		/* dev->mcast_groups, RCU */
	union ib_gid mgid;
	struct list_head members;	/* RCU */
	unsigned int num_members;
	enum rxe_join join;
	const struct in_device *in_dev;
	struct rcu_head rcu;
};

/* Attach and detach, of all devices; taken before RTNL. */
static DEFINE_MUTEX(rxe_mcast_mutex);

static struct in6_addr *rxe_mgid6(union ib_gid *mgid)
{
	return (struct in6_addr *)mgid->raw;
}

/* --- joining --------------------------------------------------------------------- */

static void rxe_mcast_mac(union ib_gid *mgid, u8 mac[ETH_ALEN])
{
	struct in6_addr *addr = rxe_mgid6(mgid);

	if (ipv6_addr_v4mapped(addr))
		ip_eth_mc_map(addr->s6_addr32[3], mac);
	else
		ipv6_eth_mc_map(addr, mac);
}

static bool rxe_join_igmp(struct rxe_mcast_group *g, struct net_device *ndev)
{
	struct in_device *in_dev = __in_dev_get_rtnl(ndev);

	if (!ipv6_addr_v4mapped(rxe_mgid6(&g->mgid)) || !in_dev)
		return false;
	ip_mc_inc_group(in_dev, rxe_mgid6(&g->mgid)->s6_addr32[3]);
	g->in_dev = in_dev;
	g->join = RXE_JOIN_IGMP;
	return true;
}

static bool rxe_join_mld(struct rxe_mcast_group *g, struct net_device *ndev)
{
	if (!IS_ENABLED(CONFIG_IPV6) || ipv6_addr_v4mapped(rxe_mgid6(&g->mgid)))
		return false;
	if (ipv6_dev_mc_inc(ndev, rxe_mgid6(&g->mgid)))
		return false;
	g->join = RXE_JOIN_MLD;
	return true;
}

static int rxe_mcast_join(struct rxe_dev *dev, struct rxe_mcast_group *g)
{
	struct net_device *ndev = dev->ndev;
	u8 mac[ETH_ALEN];
	int err = 0;

	rtnl_lock();
	if (ndev->reg_state != NETREG_REGISTERED) {
		err = -ENODEV;
	} else if (!rxe_join_igmp(g, ndev) && !rxe_join_mld(g, ndev)) {
		/* The interface does not speak that family (yet). */
		rxe_mcast_mac(&g->mgid, mac);
		g->join = RXE_JOIN_FILTER;
		err = dev_mc_add(ndev, mac);
	}
	rtnl_unlock();
	return err;
}

/* An interface that goes has left its groups by itself. */
static void rxe_mcast_leave(struct rxe_dev *dev, struct rxe_mcast_group *g)
{
	struct net_device *ndev = dev->ndev;
	u8 mac[ETH_ALEN];

	rtnl_lock();
	switch (g->join) {
	case RXE_JOIN_IGMP:
		if (g->in_dev == __in_dev_get_rtnl(ndev))
			ip_mc_dec_group(__in_dev_get_rtnl(ndev),
					rxe_mgid6(&g->mgid)->s6_addr32[3]);
		break;
	case RXE_JOIN_MLD:
		if (IS_ENABLED(CONFIG_IPV6))
			ipv6_dev_mc_dec(ndev, rxe_mgid6(&g->mgid));
		break;
	case RXE_JOIN_FILTER:
		rxe_mcast_mac(&g->mgid, mac);
		dev_mc_del(ndev, mac);
		break;
	}
	rtnl_unlock();
}

/* --- groups and members -------------------------------------------------------------- */

/* RCU or rxe_mcast_mutex */
static struct rxe_mcast_group *rxe_mcast_find(struct rxe_dev *dev, const union ib_gid *mgid)
{
	struct rxe_mcast_group *g;

	list_for_each_entry_rcu(g, &dev->mcast_groups, list, lockdep_is_held(&rxe_mcast_mutex))
		if (!memcmp(&g->mgid, mgid, sizeof(*mgid)))
			return g;
	return NULL;
}

static struct rxe_mcast_member *rxe_mcast_member(struct rxe_mcast_group *g, u32 qpn)
{
	struct rxe_mcast_member *m;

	list_for_each_entry(m, &g->members, list)
		if (m->qpn == qpn)
			return m;
	return NULL;
}

static struct rxe_mcast_group *rxe_mcast_new(struct rxe_dev *dev, const union ib_gid *mgid)
{
	struct rxe_mcast_group *g;
	int err;

	if (dev->num_mcast_groups >= RXE_MAX_MCAST_GRP)
		return ERR_PTR(-ENOMEM);
	g = kzalloc_obj(*g, GFP_KERNEL_ACCOUNT);
	if (!g)
		return ERR_PTR(-ENOMEM);
	g->mgid = *mgid;
	INIT_LIST_HEAD(&g->members);
	err = rxe_mcast_join(dev, g);
	if (err) {
		kfree(g);
		return ERR_PTR(err);
	}
	dev->num_mcast_groups++;
	list_add_tail_rcu(&g->list, &dev->mcast_groups);
	return g;
}

static void rxe_mcast_put(struct rxe_dev *dev, struct rxe_mcast_group *g)
{
	if (g->num_members)
		return;
	list_del_rcu(&g->list);
	dev->num_mcast_groups--;
	rxe_mcast_leave(dev, g);
	kfree_rcu(g, rcu);
}

static int rxe_mcast_add(struct rxe_mcast_group *g, u32 qpn)
{
	struct rxe_mcast_member *m;

	if (rxe_mcast_member(g, qpn))
		return 0;
	if (g->num_members >= RXE_MAX_MCAST_QP)
		return -ENOMEM;
	m = kzalloc_obj(*m, GFP_KERNEL_ACCOUNT);
	if (!m)
		return -ENOMEM;
	m->qpn = qpn;
	g->num_members++;
	list_add_tail_rcu(&m->list, &g->members);
	return 0;
}

/**
 * rxe_attach_mcast() - a QP becomes a member (IBTA 11.3.1)
 * @ib: the QP
 * @gid: of the group
 * @lid: ignored (IBTA A17.5.6)
 *
 * Context: process. Return: 0, also if it is one already; -ENOMEM: limits;
 * -ENODEV: the interface goes.
 */
int rxe_attach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	struct rxe_dev *dev = rxe_dev(ib->device);
	struct rxe_mcast_group *g;
	int err;

	mutex_lock(&rxe_mcast_mutex);
	g = rxe_mcast_find(dev, gid) ?: rxe_mcast_new(dev, gid);
	err = PTR_ERR_OR_ZERO(g);
	if (!err) {
		err = rxe_mcast_add(g, ib->qp_num);
		rxe_mcast_put(dev, g);
	}
	mutex_unlock(&rxe_mcast_mutex);
	return err;
}

/**
 * rxe_detach_mcast() - a QP leaves a group (IBTA 11.3.2)
 * @ib: the QP
 * @gid: of the group
 * @lid: ignored
 *
 * Context: process. Return: 0, or -EINVAL: it is no member.
 */
int rxe_detach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	struct rxe_dev *dev = rxe_dev(ib->device);
	struct rxe_mcast_member *m = NULL;
	struct rxe_mcast_group *g;

	mutex_lock(&rxe_mcast_mutex);
	g = rxe_mcast_find(dev, gid);
	if (g)
		m = rxe_mcast_member(g, ib->qp_num);
	if (m) {
		list_del_rcu(&m->list);
		kfree_rcu(m, rcu);
		g->num_members--;
		rxe_mcast_put(dev, g);
	}
	mutex_unlock(&rxe_mcast_mutex);
	return m ? 0 : -EINVAL;
}

/* --- delivery --------------------------------------------------------------------------- */

/**
 * rxe_mcast_joined() - does the group have members on this device?
 * @dev: the device
 * @mgid: the group's address
 *
 * Context: RCU.
 */
bool rxe_mcast_joined(struct rxe_dev *dev, const union ib_gid *mgid)
{
	return rxe_mcast_find(dev, mgid);
}

/**
 * rxe_mcast_deliver() - a packet for each member
 * @dev: the device
 * @mgid: the group's address
 * @skb: checked, its control block filled; consumed
 * @pkt: its headers
 *
 * Context: RCU, BH off.
 */
void rxe_mcast_deliver(struct rxe_dev *dev, const union ib_gid *mgid, struct sk_buff *skb,
		       const struct rxe_pkt *pkt)
{
	struct rxe_mcast_group *g = rxe_mcast_find(dev, mgid);
	struct rxe_mcast_member *m;
	struct sk_buff *copy;

	if (!g) {
		rxe_drop(dev, RXE_DROP_MCAST);
		trace_rxe_drop(dev, pkt->dqpn, RXE_DROP_MCAST);
		kfree_skb(skb);
		return;
	}
	list_for_each_entry_rcu(m, &g->members, list) {
		copy = skb_clone(skb, GFP_ATOMIC);
		if (copy)
			rxe_rx_to_qp(dev, m->qpn, copy, pkt);
		else
			rxe_drop(dev, RXE_DROP_NOMEM);
	}
	consume_skb(skb);
}
