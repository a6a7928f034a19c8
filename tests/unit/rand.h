/* SPDX-License-Identifier: GPL-2.0 */
/* Random numbers that are the same in each run (xorshift64*). */
#ifndef UNIT_RAND_H
#define UNIT_RAND_H

#include <linux/types.h>

static u64 rand_state = 0x9e3779b97f4a7c15ull;

static inline u64 rand_next(void)
{
	rand_state ^= rand_state >> 12;
	rand_state ^= rand_state << 25;
	rand_state ^= rand_state >> 27;
	return rand_state * 0x2545f4914f6cdd1dull;
}

static inline u32 rand_below(u32 limit)
{
	return (rand_next() >> 32) % limit;
}

static inline void rand_fill(void *p, size_t len)
{
	u8 *s = p;

	while (len--)
		*s++ = rand_next() >> 56;
}

#endif
