/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UNIT_UAPI_LAYOUT_H
#define UNIT_UAPI_LAYOUT_H

struct layout {
	const char *what;	/* "struct" or "struct.member" */
	unsigned int offset;	/* 0 for a struct */
	unsigned int size;	/* 0 for arrays without end */
};

/* Of the repository's header, and of the system's; the last has no name. */
extern const struct layout layout_ours[];
extern const struct layout layout_system[];

#endif
