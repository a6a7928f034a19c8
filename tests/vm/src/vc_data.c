// SPDX-License-Identifier: GPL-2.0
/* Contents: random but known to both ends, with guard bytes around. */
#include "vc.h"
#include <string.h>

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

uint64_t rnd(struct end *e)
{
	e->rng += 0x9e3779b97f4a7c15ULL;
	return mix(e->rng);
}

uint32_t rnd_below(struct end *e, uint32_t n)
{
	return n ? rnd(e) % n : 0;
}

static uint8_t content(uint64_t id, uint32_t i)
{
	return mix(id + i / 8) >> (i % 8 * 8);
}

static uint8_t guard(uint32_t i)
{
	return 0xa5 ^ (i * 13 + (i >> 8) * 7);
}

/* One piece at a random, mostly odd, place. */
uint32_t layout_one(struct end *e, struct layout *l, uint32_t size)
{
	l->n = 1;
	l->p[0].off = 64 + rnd_below(e, 128);
	l->p[0].len = size;
	return l->p[0].off;
}

/* Up to max pieces with gaps, some of them possibly of one byte. */
void layout_split(struct end *e, struct layout *l, uint32_t size, int max)
{
	uint32_t off = 64 + rnd_below(e, 128);
	int want = 1 + rnd_below(e, max);

	l->n = 0;
	do {
		uint32_t len = size;

		if (l->n + 1 < want && size > 1)
			len = 1 + rnd_below(e, size - 1);
		l->p[l->n].off = off;
		l->p[l->n].len = len;
		l->n++;
		off += len + 1 + rnd_below(e, 64);
		size -= len;
	} while (size);
}

void layout_shift(struct layout *l, uint32_t by)
{
	int i;

	for (i = 0; i < l->n; i++)
		l->p[i].off += by;
}

void data_guard(struct end *e, uint32_t from, uint32_t len)
{
	uint32_t i;

	for (i = from; i < from + len; i++)
		e->buf[i] = guard(i);
}

void data_fill(struct end *e, const struct layout *l, uint64_t id)
{
	uint32_t at = 0, i;
	int k;

	for (k = 0; k < l->n; k++)
		for (i = 0; i < l->p[k].len; i++)
			e->buf[l->p[k].off + i] = content(id, at++);
}

static bool piece_differs(struct end *e, const struct layout *l, int k,
			  uint32_t at, uint64_t id, uint32_t *where)
{
	uint32_t i;

	for (i = 0; i < l->p[k].len; i++)
		if (e->buf[l->p[k].off + i] != content(id, at + i)) {
			*where = i;
			return true;
		}
	return false;
}

bool data_matches(struct end *e, const struct layout *l, uint64_t id)
{
	uint32_t at = 0, where;
	int k;

	for (k = 0; k < l->n; k++) {
		if (piece_differs(e, l, k, at, id, &where))
			return false;
		at += l->p[k].len;
	}
	return true;
}

void data_check(struct end *e, const struct layout *l, uint64_t id,
		const char *where)
{
	uint32_t at = 0, i;
	int k;

	for (k = 0; k < l->n; k++) {
		if (piece_differs(e, l, k, at, id, &i))
			fail(e, "%s: byte %u of the message (piece %d of %d, offset %u): is %02x, should be %02x",
			     where, at + i, k, l->n, i,
			     e->buf[l->p[k].off + i], content(id, at + i));
		at += l->p[k].len;
	}
}

/* Everything in [from, from + len) outside the pieces is as data_guard left it. */
void guard_check(struct end *e, const struct layout *l, uint32_t from,
		 uint32_t len, const char *where)
{
	uint32_t i = from;
	int k = 0;

	while (i < from + len) {
		if (l && k < l->n && i == l->p[k].off) {
			i += l->p[k++].len;
			continue;
		}
		if (e->buf[i] != guard(i))
			fail(e, "%s: guard byte at %u overwritten: is %02x, should be %02x",
			     where, i, e->buf[i], guard(i));
		i++;
	}
}

int layout_sge(struct end *e, const struct layout *l, struct ibv_sge *sge)
{
	int k;

	for (k = 0; k < l->n; k++) {
		sge[k].addr = (uintptr_t)e->buf + l->p[k].off;
		sge[k].length = l->p[k].len;
		sge[k].lkey = e->mr->lkey;
	}
	return l->n;
}
