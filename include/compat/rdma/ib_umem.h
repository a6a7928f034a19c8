/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_RDMA_IB_UMEM_H
#define COMPAT_RDMA_IB_UMEM_H

#include_next <rdma/ib_umem.h>

#ifndef HAVE_IB_UMEM_GET_VA
static inline struct ib_umem *ib_umem_get_va(struct ib_device *device, unsigned long addr,
					     size_t size, int access)
{
	return ib_umem_get(device, addr, size, access);
}
#endif

#ifndef HAVE_IB_UMEM_CHECK_REREG
/* More rights than the pages were pinned for need another pinning. */
static inline int ib_umem_check_rereg(struct ib_umem *umem, int flags, int new_access)
{
	if (umem && (flags & IB_MR_REREG_ACCESS) && !(flags & IB_MR_REREG_TRANS) &&
	    !umem->writable && ib_access_writable(new_access))
		return -EACCES;
	return 0;
}
#endif

#endif /* COMPAT_RDMA_IB_UMEM_H */
