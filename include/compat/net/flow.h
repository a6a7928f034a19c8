/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_NET_FLOW_H
#define COMPAT_NET_FLOW_H

#include_next <net/flow.h>

#ifndef HAVE_FLOWI4_DSCP
/* A plain u8 there, whose ECN bits must be clear: dscp_t's are. */
#define flowi4_dscp flowi4_tos
#endif

#endif /* COMPAT_NET_FLOW_H */
