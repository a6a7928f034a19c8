/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_NET_FLOW_H
#define COMPAT_NET_FLOW_H

#include_next <net/flow.h>

/* Initialiser of a struct flowi4 for a TOS byte, of which only the DSCP counts. */
#ifdef HAVE_FLOWI4_DSCP
#define COMPAT_FL4_TOS(tos) .flowi4_dscp = inet_dsfield_to_dscp(tos)
#else
#define COMPAT_FL4_TOS(tos) .flowi4_tos = inet_dscp_to_dsfield(inet_dsfield_to_dscp(tos))
#endif

#endif /* COMPAT_NET_FLOW_H */
