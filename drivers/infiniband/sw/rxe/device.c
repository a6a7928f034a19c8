// SPDX-License-Identifier: GPL-2.0
/*
 * A device: made on a netdev by `rdma link add`, gone with that netdev, with
 * `rdma link delete` or with the module.
 *
 * Whoever comes first starts the unregistration; the core fences the others
 * (ib_device's unregistration_lock) and calls rxe_dealloc_driver() once, when
 * no object of the device is left.  Until then the device holds its netdev, so
 * that `ip link delete` returns only when link and sockets are gone.
 */
#include <linux/etherdevice.h>
#include <linux/random.h>
#include <linux/rtnetlink.h>
#include <net/addrconf.h>
#include <rdma/rdma_netlink.h>

#include "rxe.h"

static DEFINE_MUTEX(rxe_add_mutex);		/* one device per netdev */
static DEFINE_SPINLOCK(rxe_devs_lock);		/* writers of rxe_devs */
static LIST_HEAD(rxe_devs);			/* RCU */

/* Bytes of IP, UDP, BTH, extension headers and ICRC that the netdev's MTU must
 * hold beside the payload; the figure of other implementations (1500: 1024).
 */
#define RXE_HDR_ROOM 80

/**
 * rxe_dev_set_mtu() - follow the netdev's MTU
 * @dev: the device
 * @ndev_mtu: bytes
 *
 * The active MTU is the largest of the five of IBTA 9.4 that fits; 256 always
 * counts as fitting. Context: any.
 */
void rxe_dev_set_mtu(struct rxe_dev *dev, unsigned int ndev_mtu)
{
	enum ib_mtu mtu = IB_MTU_256;

	while (mtu < IB_MTU_4096 && ib_mtu_enum_to_int(mtu + 1) + RXE_HDR_ROOM <= ndev_mtu)
		mtu++;
	WRITE_ONCE(dev->mtu, mtu);
}

static void rxe_dev_dispatch(struct rxe_dev *dev, enum ib_event_type type)
{
	struct ib_event event = {
		.device = &dev->ib,
		.element.port_num = 1,
		.event = type,
	};

	ib_dispatch_event(&event);
}

/**
 * rxe_dev_port_update() - follow the netdev's state
 * @dev: the device
 *
 * Counts a port that went down and, where the core does not do it, tells the
 * consumers. Context: process; called under RTNL by netdev events, without it
 * once, before the device has users.
 */
void rxe_dev_port_update(struct rxe_dev *dev)
{
	enum ib_port_state state = ib_get_curr_port_state(dev->ndev);

	if (xchg(&dev->port_state, state) == state)
		return;
	if (state != IB_PORT_ACTIVE)
		rxe_count(dev, RXE_CNT_LINK_DOWNED, 1);
	if (!compat_core_reports_port_state())
		rxe_dev_dispatch(dev, state == IB_PORT_ACTIVE ? IB_EVENT_PORT_ACTIVE :
								IB_EVENT_PORT_ERR);
}

/**
 * rxe_dev_of_netdev() - the device bound to a netdev, or to what a VLAN is on
 * @ndev: the netdev
 *
 * Context: RCU. Return: NULL if there is none; valid inside the section.
 */
struct rxe_dev *rxe_dev_of_netdev(const struct net_device *ndev)
{
	const struct net_device *real = is_vlan_dev(ndev) ? vlan_dev_real_dev(ndev) : ndev;
	struct rxe_dev *dev;

	list_for_each_entry_rcu(dev, &rxe_devs, list)
		if (dev->ndev == ndev || dev->ndev == real)
			return dev;
	return NULL;
}

/*
 * CM tells nodes apart by GUID, so an interface without an address (tun), or
 * with the one all such interfaces share (lo), gets a random one.
 */
static void rxe_dev_init_guid(struct rxe_dev *dev, struct net_device *ndev)
{
	u8 mac[ETH_ALEN] = {};

	if (ndev->addr_len >= ETH_ALEN)
		memcpy(mac, ndev->dev_addr, ETH_ALEN);
	if (is_zero_ether_addr(mac))
		eth_random_addr(mac);
	addrconf_addr_eui48((u8 *)&dev->ib.node_guid, mac);
}

/* Members that rxe_dealloc_driver() relies on, before anything can fail. */
static void rxe_dev_init_tables(struct rxe_dev *dev)
{
	INIT_LIST_HEAD(&dev->list);
	xa_init_flags(&dev->qps, XA_FLAGS_ALLOC);
	xa_init_flags(&dev->keys, XA_FLAGS_ALLOC);
	xa_init_flags(&dev->srqs, XA_FLAGS_ALLOC1);
	xa_init_flags(&dev->ahs, XA_FLAGS_ALLOC1 | XA_FLAGS_LOCK_IRQ);
	dev->next_qpn = RXE_MIN_QPN + get_random_u32_below(RXE_MAX_QPN - RXE_MIN_QPN);
	dev->next_key = 1 + get_random_u32_below(RXE_MAX_MR - 1);
	spin_lock_init(&dev->mcast_lock);
	INIT_LIST_HEAD(&dev->mcast_groups);
	spin_lock_init(&dev->atomic_lock);
}

static void rxe_dev_init_ib(struct ib_device *ib)
{
	ib->node_type = RDMA_NODE_IB_CA;
	ib->phys_port_cnt = 1;
	ib->num_comp_vectors = num_online_cpus();
	ib->local_dma_lkey = 0;
	ib->link_ops = &rxe_link_ops;
	strscpy(ib->node_desc, "rxe", sizeof(ib->node_desc));
	ib->uverbs_cmd_mask |= BIT_ULL(IB_USER_VERBS_CMD_POST_SEND) |
			       BIT_ULL(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ);
}

static int rxe_dev_init(struct rxe_dev *dev, struct net_device *ndev)
{
	rxe_dev_init_tables(dev);
	rxe_dev_init_ib(&dev->ib);
	ib_set_device_ops(&dev->ib, &rxe_device_ops);
	rxe_dev_init_guid(dev, ndev);
	rxe_dev_set_mtu(dev, READ_ONCE(ndev->mtu));
	netdev_hold(ndev, &dev->ndev_tracker, GFP_KERNEL);
	dev->ndev = ndev;
	dev->port_state = ib_get_curr_port_state(ndev);

	dev->stats = alloc_percpu(struct rxe_stats);
	dev->gids = kvzalloc_objs(*dev->gids, RXE_GID_TBL_LEN);
	if (!dev->stats || !dev->gids)
		return -ENOMEM;

	dev->ns = rxe_ns_get(dev_net(ndev));
	if (IS_ERR(dev->ns))
		return PTR_ERR(dev->ns);
	return ib_device_set_netdev(&dev->ib, ndev, 1);
}

static int rxe_dev_register(struct rxe_dev *dev, const char *name)
{
	int err;

	spin_lock(&rxe_devs_lock);
	list_add_tail_rcu(&dev->list, &rxe_devs);
	spin_unlock(&rxe_devs_lock);

	err = ib_register_device(&dev->ib, name, NULL);
	/* A name in use: say it as for a netdev in use. */
	return err == -ENFILE ? -EEXIST : err;
}

/*
 * The netdev may have gone, or changed its namespace, before the notifier
 * could find a device for it. RTNL orders this after that event.
 */
static void rxe_device_catch_up(struct net_device *ndev, struct net *net)
{
	struct ib_device *ib;

	rtnl_lock();
	ib = ib_device_get_by_netdev(ndev, RDMA_DRIVER_RXE);
	if (ib) {
		if (ndev->reg_state != NETREG_REGISTERED || dev_net(ndev) != net) {
			ib_unregister_device_queued(ib);
		} else {
			rxe_dev_set_mtu(rxe_dev(ib), ndev->mtu);
			rxe_dev_port_update(rxe_dev(ib));
		}
		ib_device_put(ib);
	}
	rtnl_unlock();
}

static bool rxe_netdev_in_use(struct net_device *ndev)
{
	struct rxe_dev *dev;
	bool in_use = false;

	rcu_read_lock();
	list_for_each_entry_rcu(dev, &rxe_devs, list)
		in_use |= dev->ndev == ndev;
	rcu_read_unlock();
	return in_use;
}

static int rxe_device_add_locked(const char *name, struct net_device *ndev)
{
	struct net *net = dev_net(ndev);
	struct rxe_dev *dev;
	int err;

	if (rxe_netdev_in_use(ndev))
		return -EEXIST;

	dev = ib_alloc_device_with_net(rxe_dev, ib, net);
	if (!dev)
		return -ENOMEM;
	ib_mark_name_assigned_by_user(&dev->ib);

	err = rxe_dev_init(dev, ndev);
	if (!err)
		err = rxe_dev_register(dev, name);
	if (err) {
		ib_dealloc_device(&dev->ib);
		return err;
	}
	/* From here on @dev may be gone at any time. */
	rxe_device_catch_up(ndev, net);
	return 0;
}

/**
 * rxe_device_add() - make a device on a netdev
 * @name: of the device, given by the user
 * @ndev: held by the caller
 *
 * Context: process, without RTNL. Return: 0; -EEXIST: the netdev has a device,
 * or the name is taken; -EADDRINUSE: UDP port 4791 is; or another error.
 */
int rxe_device_add(const char *name, struct net_device *ndev)
{
	int err;

	mutex_lock(&rxe_add_mutex);
	err = rxe_device_add_locked(name, ndev);
	mutex_unlock(&rxe_add_mutex);
	return err;
}

/**
 * rxe_enable_driver() - the core is about to show the device to its clients
 * @ib: the device
 */
int rxe_enable_driver(struct ib_device *ib)
{
	rxe_dev_port_update(rxe_dev(ib));
	return 0;
}

static void rxe_dev_check_empty(struct rxe_dev *dev)
{
	WARN_ON(!xa_empty(&dev->qps));
	WARN_ON(!xa_empty(&dev->keys));
	WARN_ON(!xa_empty(&dev->ahs));
	WARN_ON(!xa_empty(&dev->srqs));
	WARN_ON(!list_empty(&dev->mcast_groups));
	xa_destroy(&dev->qps);
	xa_destroy(&dev->keys);
	xa_destroy(&dev->ahs);
	xa_destroy(&dev->srqs);
}

/**
 * rxe_dealloc_driver() - last call for a device, registered or not
 * @ib: the device
 *
 * All objects and GIDs are gone, so packets no longer find it; those that just
 * did are waited for. The core frees the memory of the device itself.
 * Context: process; may be a worker that netdev removal waits for, hence
 * without RTNL.
 */
void rxe_dealloc_driver(struct ib_device *ib)
{
	struct rxe_dev *dev = rxe_dev(ib);

	if (!list_empty(&dev->list)) {
		spin_lock(&rxe_devs_lock);
		list_del_rcu(&dev->list);
		spin_unlock(&rxe_devs_lock);
	}
	if (!IS_ERR_OR_NULL(dev->ns))
		rxe_ns_put(dev->ns);
	synchronize_net();

	rxe_dev_check_empty(dev);
	kvfree(dev->gids);
	free_percpu(dev->stats);
	netdev_put(dev->ndev, &dev->ndev_tracker);
}
