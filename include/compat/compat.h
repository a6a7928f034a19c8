/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between kernels and has no header of its own to wrap.
 *
 * Code under drivers/ is written to the newest kernel's interfaces; headers
 * here of the same name as a kernel header are found first, include that with
 * #include_next and add what it lacks.  HAVE_X come from Kbuild.compat.
 */
#ifndef COMPAT_H
#define COMPAT_H

#include <linux/module.h>
#include <linux/slab.h>

#ifdef HAVE_IMPORT_NS_STRING
#define COMPAT_IMPORT_NS(ns) MODULE_IMPORT_NS(#ns)
#else
#define COMPAT_IMPORT_NS(ns) MODULE_IMPORT_NS(ns)
#endif

/* The source of a string in a trace event: named once or twice. */
#ifdef HAVE_ASSIGN_STR_SRC
#define compat_assign_str(dst, src) __assign_str(dst, src)
#else
#define compat_assign_str(dst, ...) __assign_str(dst)
#endif

#endif /* COMPAT_H */
