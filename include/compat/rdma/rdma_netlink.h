/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_RDMA_RDMA_NETLINK_H
#define COMPAT_RDMA_RDMA_NETLINK_H

#include_next <rdma/rdma_netlink.h>

/* Initialiser of rdma_link_ops.dellink, where there is one. */
#ifdef HAVE_RDMA_LINK_DELLINK
#define COMPAT_LINK_DELLINK(fn) .dellink = (fn),
#else
#define COMPAT_LINK_DELLINK(fn)
#endif

#endif /* COMPAT_RDMA_RDMA_NETLINK_H */
