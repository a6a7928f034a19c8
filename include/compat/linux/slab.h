/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_LINUX_SLAB_H
#define COMPAT_LINUX_SLAB_H

#include_next <linux/slab.h>

/* sparse does not know the __VA_OPT__ in the kernel's own. */
#if !defined(HAVE_KZALLOC_OBJ) || defined(__CHECKER__)
#include <linux/overflow.h>

#undef kmalloc_obj
#undef kzalloc_obj
#undef kmalloc_objs
#undef kzalloc_objs
#undef kvzalloc_objs
#undef kzalloc_flex
#undef kvzalloc_flex

/* The flags given, or GFP_KERNEL. */
#define compat_gfp_second(none, gfp, ...) ((none) | (gfp))
#define compat_gfp(...) compat_gfp_second(0, ##__VA_ARGS__, GFP_KERNEL)

#define kmalloc_obj(P, ...) kmalloc(sizeof(typeof(P)), compat_gfp(__VA_ARGS__))
#define kzalloc_obj(P, ...) kzalloc(sizeof(typeof(P)), compat_gfp(__VA_ARGS__))
#define kmalloc_objs(P, n, ...) \
	kmalloc_array(n, sizeof(typeof(P)), compat_gfp(__VA_ARGS__))
#define kzalloc_objs(P, n, ...) \
	kcalloc(n, sizeof(typeof(P)), compat_gfp(__VA_ARGS__))
#define kvzalloc_objs(P, n, ...) \
	kvcalloc(n, sizeof(typeof(P)), compat_gfp(__VA_ARGS__))
#define kzalloc_flex(P, member, n, ...) \
	kzalloc(struct_size_t(typeof(P), member, n), compat_gfp(__VA_ARGS__))
#define kvzalloc_flex(P, member, n, ...) \
	kvzalloc(struct_size_t(typeof(P), member, n), compat_gfp(__VA_ARGS__))
#endif

#endif /* COMPAT_LINUX_SLAB_H */
