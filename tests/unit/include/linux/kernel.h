/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UNIT_LINUX_KERNEL_H
#define UNIT_LINUX_KERNEL_H

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#endif
