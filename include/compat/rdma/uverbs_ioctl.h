/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_RDMA_UVERBS_IOCTL_H
#define COMPAT_RDMA_UVERBS_IOCTL_H

#include_next <rdma/uverbs_ioctl.h>

#ifndef HAVE_IB_RESPOND_UDATA
#include <linux/uaccess.h>

/* Trailing bytes that this kernel does not know must be zero. */
static inline int compat_udata_in(struct ib_udata *udata, void *req, size_t size,
				  size_t min_size)
{
	if (udata->inlen < min_size)
		return -EINVAL;
	if (udata->inlen > size &&
	    !ib_is_udata_cleared(udata, size, udata->inlen - size))
		return -EOPNOTSUPP;
	if (!size)
		return 0;
	memset(req, 0, size);
	return ib_copy_from_udata(req, udata, min(size, udata->inlen));
}

static inline int compat_respond(struct ib_udata *udata, const void *src, size_t len)
{
	size_t n = min(len, udata->outlen);

	if (ib_copy_to_udata(udata, (void *)src, n))
		return -EFAULT;
	if (udata->outlen > n && clear_user(udata->outbuf + n, udata->outlen - n))
		return -EFAULT;
	return 0;
}

#define ib_copy_validate_udata_in(_udata, _req, _end_member) \
	compat_udata_in(_udata, &(_req), sizeof(_req), \
			offsetofend(typeof(_req), _end_member))
#define ib_respond_udata(_udata, _rep) compat_respond(_udata, &(_rep), sizeof(_rep))

static inline int ib_is_udata_in_empty(struct ib_udata *udata)
{
	if (!udata || !udata->inlen)
		return 0;
	return compat_udata_in(udata, NULL, 0, 0);
}

static inline int ib_respond_empty_udata(struct ib_udata *udata)
{
	if (udata && udata->outlen && clear_user(udata->outbuf, udata->outlen))
		return -EFAULT;
	return 0;
}

static inline int ib_no_udata_io(struct ib_udata *udata)
{
	return ib_is_udata_in_empty(udata) ?: ib_respond_empty_udata(udata);
}
#endif

#endif /* COMPAT_RDMA_UVERBS_IOCTL_H */
