/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UNIT_LINUX_BUILD_BUG_H
#define UNIT_LINUX_BUILD_BUG_H

#define unit_static_assert(e, message, ...)	_Static_assert(e, message)
#undef static_assert
#define static_assert(e, ...)	unit_static_assert(e, ##__VA_ARGS__, #e)
#define BUILD_BUG_ON_ZERO(e)	((int)sizeof(struct { int:(-!!(e)); }))

#endif
