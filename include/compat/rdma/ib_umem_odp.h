/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_RDMA_IB_UMEM_ODP_H
#define COMPAT_RDMA_IB_UMEM_ODP_H

#include <linux/hmm.h>
#include_next <rdma/ib_umem_odp.h>

#ifdef HAVE_ODP_PFN_LIST_MAP
static inline unsigned long compat_odp_pfn(const struct ib_umem_odp *umem, size_t index)
{
	return umem->map.pfn_list[index];
}

static inline u64 compat_odp_access(bool write)
{
	return write ? HMM_PFN_WRITE : 0;
}
#else
static inline unsigned long compat_odp_pfn(const struct ib_umem_odp *umem, size_t index)
{
	return umem->pfn_list[index];
}

static inline u64 compat_odp_access(bool write)
{
	return ODP_READ_ALLOWED_BIT | (write ? ODP_WRITE_ALLOWED_BIT : 0);
}
#endif

#endif /* COMPAT_RDMA_IB_UMEM_ODP_H */
