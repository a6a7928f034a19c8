// SPDX-License-Identifier: GPL-2.0
/*
 * The network's side of a device: the sockets of its namespace, and what
 * happens to its netdev.
 *
 * Each namespace that has a device has two sockets on UDP port 4791 (IPv4, and
 * IPv6 only), made with the first device and closed with the last; without a
 * device no port is open.  struct rxe_ns lives on when its namespace is gone
 * but a device is still being taken down (the device of a physical interface
 * that fell back to init_net).
 */
#include <linux/netdevice.h>
#include <net/netns/generic.h>
#include <net/sock.h>
#include <net/udp_tunnel.h>

#include "rxe.h"

/**
 * struct rxe_ns - what we have in a network namespace
 * @net: not held; not to be followed once @dead
 * @ref: one of the namespace, one of each device
 * @lock: of what follows
 * @users: devices that need the sockets
 * @dead: the namespace has gone
 * @sk4: NULL: closed
 * @sk6: NULL: closed, or no IPv6 here
 * @rcu: for kfree_rcu()
 */
struct rxe_ns {
	struct net *net;
	refcount_t ref;
	struct mutex lock;		/* all below */
	unsigned int users;
	bool dead;
	struct sock __rcu *sk4;
	struct sock __rcu *sk6;
	struct rcu_head rcu;
};

struct rxe_ns_slot {
	struct rxe_ns *ns;
};

static unsigned int rxe_net_id;

/* Called by UDP in softirq, under RCU, skb at the UDP header; it is ours. */
static int rxe_encap_rcv(struct sock *sk, struct sk_buff *skb)
{
	rxe_rx_packet(skb, NULL);
	return 0;
}

static struct sock *rxe_sock_open(struct net *net, int family)
{
	struct udp_port_cfg port = {
		.family = family,
		.local_udp_port = htons(RXE_UDP_PORT),
		.ipv6_v6only = family == AF_INET6,
	};
	struct udp_tunnel_sock_cfg cfg = {
		.encap_type = 1,
		.encap_rcv = rxe_encap_rcv,
	};
	struct socket *sock;
	int err;

	err = udp_sock_create(net, &port, &sock);
	if (err)
		return ERR_PTR(err);
	setup_udp_tunnel_sock(net, sock->sk, &cfg);
	return sock->sk;
}

static void rxe_sock_close(struct sock __rcu **slot, struct rxe_ns *ns)
{
	struct sock *sk = rcu_replace_pointer(*slot, NULL, lockdep_is_held(&ns->lock));

	if (sk)
		udp_tunnel_sock_release(sk);
}

static void rxe_ns_close(struct rxe_ns *ns)
{
	lockdep_assert_held(&ns->lock);
	rxe_sock_close(&ns->sk4, ns);
	rxe_sock_close(&ns->sk6, ns);
}

/* A host without IPv6 (module or boot parameter) still has IPv4. */
static bool rxe_is_no_ipv6(int err)
{
	return err == -EAFNOSUPPORT || err == -EPFNOSUPPORT;
}

static int rxe_ns_open(struct rxe_ns *ns)
{
	struct sock *sk;

	lockdep_assert_held(&ns->lock);
	sk = rxe_sock_open(ns->net, AF_INET);
	if (IS_ERR(sk))
		return PTR_ERR(sk);
	rcu_assign_pointer(ns->sk4, sk);

	sk = rxe_sock_open(ns->net, AF_INET6);
	if (!IS_ERR(sk)) {
		rcu_assign_pointer(ns->sk6, sk);
	} else if (!rxe_is_no_ipv6(PTR_ERR(sk))) {
		rxe_ns_close(ns);
		return PTR_ERR(sk);
	}
	return 0;
}

static void rxe_ns_unref(struct rxe_ns *ns)
{
	if (refcount_dec_and_test(&ns->ref))
		kfree_rcu(ns, rcu);
}

static int rxe_ns_hold(struct rxe_ns *ns)
{
	int err = 0;

	mutex_lock(&ns->lock);
	if (ns->dead)
		err = -ENODEV;
	else if (!ns->users)
		err = rxe_ns_open(ns);
	if (!err)
		ns->users++;
	mutex_unlock(&ns->lock);
	return err;
}

/**
 * rxe_ns_get() - a device comes to a namespace
 * @net: alive, by the caller's netdev
 *
 * Opens the sockets for the first one. Context: process.
 * Return: to be given back with rxe_ns_put(), or an error pointer.
 */
struct rxe_ns *rxe_ns_get(struct net *net)
{
	struct rxe_ns_slot *slot = net_generic(net, rxe_net_id);
	struct rxe_ns *ns = slot->ns;
	int err;

	refcount_inc(&ns->ref);
	err = rxe_ns_hold(ns);
	if (!err)
		return ns;
	rxe_ns_unref(ns);
	return ERR_PTR(err);
}

/**
 * rxe_ns_put() - it leaves
 * @ns: the namespace's state
 *
 * Closes the sockets after the last one. Context: process. The caller waits
 * for a grace period before it frees what packets are looked up in.
 */
void rxe_ns_put(struct rxe_ns *ns)
{
	mutex_lock(&ns->lock);
	if (!--ns->users)
		rxe_ns_close(ns);
	mutex_unlock(&ns->lock);
	rxe_ns_unref(ns);
}

/**
 * rxe_ns_sk() - one of the sockets, as the sender of packets that have none
 * @ns: the namespace's state
 * @ipv4: or IPv6
 *
 * Multicast is not looped back to senders with MC_LOOP off, as these have it.
 * Context: RCU. Return: NULL if there is none.
 */
struct sock *rxe_ns_sk(struct rxe_ns *ns, bool ipv4)
{
	return ipv4 ? rcu_dereference(ns->sk4) : rcu_dereference(ns->sk6);
}

static int __net_init rxe_net_init(struct net *net)
{
	struct rxe_ns_slot *slot = net_generic(net, rxe_net_id);
	struct rxe_ns *ns = kzalloc_obj(*ns);

	if (!ns)
		return -ENOMEM;
	ns->net = net;
	refcount_set(&ns->ref, 1);
	mutex_init(&ns->lock);
	slot->ns = ns;
	return 0;
}

/* Sockets don't hold their namespace, so they have to go now. */
static void __net_exit rxe_net_exit(struct net *net)
{
	struct rxe_ns_slot *slot = net_generic(net, rxe_net_id);
	struct rxe_ns *ns = slot->ns;

	mutex_lock(&ns->lock);
	ns->dead = true;
	rxe_ns_close(ns);
	mutex_unlock(&ns->lock);
	rxe_ns_unref(ns);
}

static struct pernet_operations rxe_net_ops = {
	.init = rxe_net_init,
	.exit = rxe_net_exit,
	.id = &rxe_net_id,
	.size = sizeof(struct rxe_ns_slot),
};

static void rxe_netdev_changed(struct rxe_dev *dev, struct net_device *ndev, unsigned long event)
{
	switch (event) {
	case NETDEV_UNREGISTER:
		/* RTNL is held and unregistration may need it: by a worker. */
		ib_unregister_device_queued(&dev->ib);
		break;
	case NETDEV_CHANGEMTU:
		rxe_dev_set_mtu(dev, ndev->mtu);
		break;
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
		rxe_dev_port_update(dev);
		break;
	}
}

static int rxe_netdev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *ndev = netdev_notifier_info_to_dev(ptr);
	struct ib_device *ib = ib_device_get_by_netdev(ndev, RDMA_DRIVER_RXE);

	if (ib) {
		rxe_netdev_changed(rxe_dev(ib), ndev, event);
		ib_device_put(ib);
	}
	return NOTIFY_DONE;
}

static struct notifier_block rxe_netdev_notifier = {
	.notifier_call = rxe_netdev_event,
};

/**
 * rxe_netdev_init() - follow namespaces and netdevs
 *
 * Return: 0 or an error.
 */
int rxe_netdev_init(void)
{
	int err;

	err = register_pernet_subsys(&rxe_net_ops);
	if (err)
		return err;
	err = register_netdevice_notifier(&rxe_netdev_notifier);
	if (err)
		unregister_pernet_subsys(&rxe_net_ops);
	return err;
}

/**
 * rxe_netdev_exit() - no device is left; nothing of ours is called afterwards
 */
void rxe_netdev_exit(void)
{
	unregister_netdevice_notifier(&rxe_netdev_notifier);
	unregister_pernet_subsys(&rxe_net_ops);
	synchronize_net();
}
