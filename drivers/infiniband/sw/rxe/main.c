// SPDX-License-Identifier: GPL-2.0
/*
 * The module: what is set up once, and taken down in the reverse order.
 */
#include <linux/if_vlan.h>
#include <linux/module.h>
#include <rdma/rdma_netlink.h>

#include "rxe.h"

bool rxe_local = true;
module_param_named(local, rxe_local, bool, 0644);
MODULE_PARM_DESC(local, "Hand traffic between devices of this host over directly, not through the IP stack (default: Y)");

/*
 * GIDs of a VLAN belong to the device on the interface below it, so a device
 * of its own would never get one.
 */
static int rxe_newlink(const char *name, struct net_device *ndev)
{
	if (is_vlan_dev(ndev))
		return -EPERM;
	return rxe_device_add(name, ndev);
}

/* Deletion needs no help: the sockets go in rxe_dealloc_driver(). */
struct rdma_link_ops rxe_link_ops = {
	.type = "rxe",
	.newlink = rxe_newlink,
};

static int __init rxe_init(void)
{
	int err;

	err = rxe_engine_init();
	if (err)
		return err;
	err = rxe_odp_init();
	if (err)
		goto err_engine;
	err = rxe_netdev_init();
	if (err)
		goto err_odp;
	rdma_link_register(&rxe_link_ops);
	pr_info("rdma_rxe: version " RXE_VERSION ", out-of-tree\n");
	return 0;

err_odp:
	rxe_odp_exit();
err_engine:
	rxe_engine_exit();
	return err;
}

static void __exit rxe_exit(void)
{
	rdma_link_unregister(&rxe_link_ops);
	ib_unregister_driver(RDMA_DRIVER_RXE);
	rxe_netdev_exit();
	rxe_odp_exit();
	rxe_engine_exit();
	/* Callbacks of call_rcu() are code of this module. */
	rcu_barrier();
	rxe_tx_exit();
}

/* After the network's own initcalls, if built in. */
late_initcall(rxe_init);
module_exit(rxe_exit);

MODULE_DESCRIPTION("Software RDMA over Converged Ethernet, version 2");
MODULE_AUTHOR("soft-roce authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_VERSION);
MODULE_ALIAS_RDMA_LINK("rxe");
