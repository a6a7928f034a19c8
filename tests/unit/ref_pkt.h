/* SPDX-License-Identifier: GPL-2.0 */
/* Packets by the letters of ref_opcodes.h, without the driver's help. */
#ifndef UNIT_REF_PKT_H
#define UNIT_REF_PKT_H

#include <string.h>

#include "rand.h"
#include "ref_opcodes.h"

static inline u64 ref_field(const struct rxe_pkt *pkt, char letter)
{
	switch (letter) {
	case 'V':
		return pkt->va;
	case 'R':
		return pkt->rkey;
	case 'L':
		return pkt->dmalen;
	case 'S':
		return pkt->swap_add;
	case 'C':
		return pkt->compare;
	case 'Y':
		return pkt->syndrome;
	case 'M':
		return pkt->msn;
	case 'O':
		return pkt->orig;
	case 'Q':
		return pkt->qkey;
	case 'P':
		return pkt->sqpn;
	case 'I':
		return __be32_to_cpu(pkt->imm);
	case 'K':
		return pkt->inv_rkey;
	case 'F':
		return pkt->flush_sel * 16 + pkt->flush_plt;
	default:
		return 0;
	}
}

/* @pkt as the bytes it must have; the number of these. */
static inline size_t ref_build(const struct ref_opcode *ref, const struct rxe_pkt *pkt, u8 *p)
{
	size_t len = strlen(ref->headers), i, end;
	const u8 bth[12] = {
		ref->opcode,
		pkt->se * 0x80 + pkt->migreq * 0x40 + (4 - pkt->payload % 4) % 4 * 0x10,
		pkt->pkey / 256, pkt->pkey % 256,
		pkt->fecn * 0x80 + pkt->becn * 0x40,
		pkt->dqpn / 65536, pkt->dqpn / 256 % 256, pkt->dqpn % 256,
		pkt->ackreq * 0x80,
		pkt->psn / 65536, pkt->psn / 256 % 256, pkt->psn % 256,
	};

	memcpy(p, bth, sizeof(bth));
	memset(p + 12, 0, len);
	for (i = 0; i < len; i++) {
		if (ref->headers[i] == '.')
			continue;
		/* each letter stands for the next lower byte */
		for (end = i; end + 1 < len && ref->headers[end + 1] == ref->headers[i];)
			end++;
		p[12 + i] = ref_field(pkt, ref->headers[i]) >> 8 * (end - i);
	}
	return 12 + len;
}

/* Whether and how much payload an opcode may carry in these tests. */
static inline u32 ref_payload(const struct ref_opcode *ref)
{
	if (!strchr(ref->flags, 'p'))
		return 0;
	if (ref->msg == RXE_MSG_ATOMIC_WRITE)
		return 8;
	return strchr(ref->flags, 'L') ? rand_below(64) : 256;
}

static inline void ref_random(const struct ref_opcode *ref, struct rxe_pkt *pkt)
{
	*pkt = (struct rxe_pkt) {
		.opcode = ref->opcode,
		.payload = ref_payload(ref),
		.se = rand_below(2), .migreq = rand_below(2), .ackreq = rand_below(2),
		.fecn = rand_below(2), .becn = rand_below(2),
		.pkey = rand_next(), .dqpn = rand_below(1 << 24), .psn = rand_below(1 << 24),
		.va = rand_next(), .rkey = rand_next(), .dmalen = rand_next(),
		.swap_add = rand_next(), .compare = rand_next(),
		.syndrome = rand_next(), .msn = rand_below(1 << 24), .orig = rand_next(),
		.qkey = rand_next(), .sqpn = rand_below(1 << 24),
		.imm = (__be32)rand_next(), .inv_rkey = rand_next(),
		.flush_sel = rand_below(4), .flush_plt = rand_below(16),
	};
	pkt->pad = -pkt->payload & 3;
}

#endif
