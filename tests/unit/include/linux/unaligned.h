/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UNIT_LINUX_UNALIGNED_H
#define UNIT_LINUX_UNALIGNED_H

#include <linux/types.h>

static inline u64 unit_get_be(const u8 *p, int bytes)
{
	u64 v = 0;

	while (bytes--)
		v = v << 8 | *p++;
	return v;
}

static inline void unit_put_be(u64 v, u8 *p, int bytes)
{
	for (; bytes--; v >>= 8)
		p[bytes] = v;
}

#define get_unaligned_be16(p)		((u16)unit_get_be((const u8 *)(p), 2))
#define get_unaligned_be32(p)		((u32)unit_get_be((const u8 *)(p), 4))
#define get_unaligned_be64(p)		unit_get_be((const u8 *)(p), 8)
#define put_unaligned_be16(v, p)	unit_put_be(v, (u8 *)(p), 2)
#define put_unaligned_be32(v, p)	unit_put_be(v, (u8 *)(p), 4)
#define put_unaligned_be64(v, p)	unit_put_be(v, (u8 *)(p), 8)

#endif
