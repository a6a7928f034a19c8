/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Members of ib_device_ops whose arguments or names changed.  rxe_X() have the
 * newest form; an older kernel calls them through the functions here, and
 * COMPAT_OPS is the initialiser of these members.
 */
#ifndef COMPAT_OPS_H
#define COMPAT_OPS_H

#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>

#ifdef HAVE_CREATE_CQ_ATTRS
#define compat_create_cq rxe_create_cq
#else
/* Every udata is embedded in an attribute bundle there, too. */
static int compat_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr,
			    struct ib_udata *udata)
{
	return rxe_create_cq(ib, attr, udata ? rdma_udata_to_uverbs_attr_bundle(udata) : NULL);
}
#endif

#ifdef HAVE_RESIZE_USER_CQ
#define COMPAT_RESIZE_CQ .resize_user_cq = rxe_resize_cq,
#else
/* Kernel users may call it as well there; the driver has nothing for them. */
static int compat_resize_cq(struct ib_cq *ib, int cqe, struct ib_udata *udata)
{
	if (cqe < 0)
		return -EINVAL;
	return udata ? rxe_resize_cq(ib, cqe, udata) : -EOPNOTSUPP;
}

#define COMPAT_RESIZE_CQ .resize_cq = compat_resize_cq,
#endif

#ifdef HAVE_REG_MR_DMAH
#define compat_reg_user_mr rxe_reg_user_mr
#else
static struct ib_mr *compat_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 iova,
					int access, struct ib_udata *udata)
{
	return rxe_reg_user_mr(pd, start, length, iova, access, NULL, udata);
}
#endif

#define COMPAT_OPS \
	.create_cq = compat_create_cq, \
	COMPAT_RESIZE_CQ \
	.reg_user_mr = compat_reg_user_mr

#endif /* COMPAT_OPS_H */
