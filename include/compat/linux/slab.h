/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPAT_LINUX_SLAB_H
#define COMPAT_LINUX_SLAB_H

#include_next <linux/slab.h>

#ifndef HAVE_KZALLOC_OBJ
#include <linux/overflow.h>

#define compat_gfp_(gfp, ...) gfp
#define compat_gfp(...) compat_gfp_(__VA_ARGS__ __VA_OPT__(,) GFP_KERNEL)

#define kmalloc_obj(P, ...) \
	((typeof(P) *)kmalloc(sizeof(typeof(P)), compat_gfp(__VA_ARGS__)))
#define kzalloc_obj(P, ...) \
	((typeof(P) *)kzalloc(sizeof(typeof(P)), compat_gfp(__VA_ARGS__)))
#define kmalloc_objs(P, n, ...) \
	((typeof(P) *)kmalloc_array(n, sizeof(typeof(P)), compat_gfp(__VA_ARGS__)))
#define kzalloc_objs(P, n, ...) \
	((typeof(P) *)kcalloc(n, sizeof(typeof(P)), compat_gfp(__VA_ARGS__)))
#define kvzalloc_objs(P, n, ...) \
	((typeof(P) *)kvcalloc(n, sizeof(typeof(P)), compat_gfp(__VA_ARGS__)))
#define kzalloc_flex(P, member, n, ...) \
	((typeof(P) *)kzalloc(struct_size((typeof(P) *)NULL, member, n), \
			      compat_gfp(__VA_ARGS__)))
#define kvzalloc_flex(P, member, n, ...) \
	((typeof(P) *)kvzalloc(struct_size((typeof(P) *)NULL, member, n), \
			       compat_gfp(__VA_ARGS__)))
#endif

#endif /* COMPAT_LINUX_SLAB_H */
