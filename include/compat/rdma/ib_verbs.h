/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_RDMA_IB_VERBS_H
#define COMPAT_RDMA_IB_VERBS_H

#include_next <rdma/ib_verbs.h>

#ifndef HAVE_IB_VIRT_DMA_TO_PTR
static inline void *ib_virt_dma_to_ptr(u64 dma_addr)
{
	return (void *)(uintptr_t)dma_addr;
}

static inline struct page *ib_virt_dma_to_page(u64 dma_addr)
{
	return virt_to_page(ib_virt_dma_to_ptr(dma_addr));
}
#endif

#ifndef HAVE_IB_CURR_PORT_STATE
static inline enum ib_port_state ib_get_curr_port_state(struct net_device *ndev)
{
	return netif_running(ndev) && netif_carrier_ok(ndev) ? IB_PORT_ACTIVE : IB_PORT_DOWN;
}
#endif

#ifndef HAVE_IB_DEVICE_NAME_MARK
static inline void ib_mark_name_assigned_by_user(struct ib_device *ib)
{
}
#endif

#ifndef HAVE_IB_ALLOC_DEVICE_NET
/* All devices are born in init_net there. */
#define ib_alloc_device_with_net(drv_struct, member, net) \
	((void)(net), ib_alloc_device(drv_struct, member))
#endif

#ifndef HAVE_REG_MR_DMAH
struct ib_dmah;
#endif

/* Does the core tell consumers of a port that its netdev went up or down? */
static inline bool compat_core_reports_port_state(void)
{
#ifdef HAVE_REPORT_PORT_EVENT
	return true;
#else
	return false;
#endif
}

#ifndef HAVE_IB_WR_FLUSH
/*
 * Numbers of the wire and the user ABI that a core without FLUSH and ATOMIC
 * WRITE has no names for.  It refuses the FLUSH access bits when an MR is
 * registered, so FLUSH is not announced there; ATOMIC WRITE needs none.
 */
#define IB_UVERBS_WR_FLUSH		14
#define IB_UVERBS_WR_ATOMIC_WRITE	15
#define IB_WR_FLUSH			IB_UVERBS_WR_FLUSH
#define IB_WR_ATOMIC_WRITE		IB_UVERBS_WR_ATOMIC_WRITE
#define IB_UVERBS_WC_FLUSH		8
#define IB_UVERBS_WC_ATOMIC_WRITE	9
#define IB_WC_FLUSH			IB_UVERBS_WC_FLUSH
#define IB_WC_ATOMIC_WRITE		IB_UVERBS_WC_ATOMIC_WRITE
#define IB_ACCESS_FLUSH_GLOBAL		BIT(8)
#define IB_ACCESS_FLUSH_PERSISTENT	BIT(9)
#define IB_FLUSH_GLOBAL			BIT(0)
#define IB_FLUSH_PERSISTENT		BIT(1)
#define IB_FLUSH_RANGE			0
#define IB_FLUSH_MR			1
#define IB_DEVICE_FLUSH_GLOBAL		0ULL
#define IB_DEVICE_FLUSH_PERSISTENT	0ULL
#define IB_DEVICE_ATOMIC_WRITE		BIT_ULL(40)
#endif

#ifndef HAVE_IB_ODP_FLUSH
/* Not announced: no name for it in the user ABI of that kernel. */
#define IB_ODP_SUPPORT_FLUSH		0
#define IB_ODP_SUPPORT_ATOMIC_WRITE	0
#endif

#endif /* COMPAT_RDMA_IB_VERBS_H */
