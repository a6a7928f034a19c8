/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The objects of the provider and who may touch what: all of it, in the order
 * in which the headers need each other.
 *
 * Prototypes stand under the name of the file that holds them; calls go
 * downwards only, in the order in which a work request travels, except through
 * the kick of a side (engine.c).
 */
#ifndef RXE_H
#define RXE_H

#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/refcount.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/dst.h>
#include <rdma/ib_verbs.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_addr.h>
#include <rdma/uverbs_ioctl.h>
#include <rdma/rdma_user_rxe.h>

#include "compat.h"
#include "wire.h"

struct rxe_dev;
struct rxe_qp;
struct rxe_mr;
struct rxe_pd;
struct rxe_ns;
struct rxe_iter;
struct rxe_burst;

#ifndef RXE_VERSION		/* the build may give a more precise one */
#define RXE_VERSION "0.1"
#endif

/* Limits announced to users (device.c) and used for bounds. */
enum {
	RXE_MAX_SGE		= 32,
	RXE_MAX_INLINE		= 512,		/* bytes */
	RXE_MAX_WR		= 1 << 20,
	RXE_MAX_CQE		= (1 << 22),
	RXE_MAX_SRQ_SGE		= 27,
	RXE_MAX_RD_ATOMIC	= 128,
	RXE_MAX_FAST_REG_PAGES	= 512,
	RXE_GID_TBL_LEN		= 1024,
	RXE_MIN_QPN		= 16,
	RXE_MAX_QPN		= (1 << 24) - 2,
	RXE_MAX_OBJ		= 1 << 20,
	RXE_MAX_MR		= (1 << 24) - 1,
	RXE_MAX_AH		= (1 << 20) - 1,
	RXE_MAX_MCAST_GRP	= 8192,
	RXE_MAX_MCAST_QP	= 1024,
	RXE_SEND_DEPTH		= 64,		/* send WQEs snapshotted at a time */
	RXE_SEND_CHUNK		= 8,		/* ... allocated this many at a time */
	RXE_INBOX_MAX		= 16384,	/* packets waiting for one side */
	RXE_BURST_BYTES		= 65536,	/* most payload of one burst */
	RXE_READ_PKTS		= 256,		/* most answer packets of one READ we ask */
	RXE_VENDOR_ID		= 0xffffff,
};

#include "dev.h"
#include "net.h"
#include "engine.h"
#include "shm.h"
#include "mem.h"
#include "burst.h"
#include "qp.h"

#endif /* RXE_H */
