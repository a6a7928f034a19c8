// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes are parsed without a bad access, and what is taken for a packet is
 * one: building it again gives the same bytes, reserved ones aside. An entry
 * for libFuzzer, and for test_pkt.c. The first two bytes choose how much of the
 * packet is at hand; the rest is the packet.
 */
#include <linux/kernel.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_pkt.h"
#include "wire.h"

#define MUST(cond)	do { if (!(cond)) abort(); } while (0)

static void clear_reserved(u8 *bth)
{
	const struct rxe_opcode *op = &rxe_opcodes[bth[0]];
	u8 *ext = bth + RXE_BTH_BYTES;

	bth[4] &= 0xc0;
	bth[8] &= 0x80;
	if (op->hdrs & RXE_HDR_DETH)
		ext[4] = 0;
	if (op->hdrs & RXE_HDR_FETH) {
		memset(ext, 0, 3);
		ext[3] &= 0x3f;
	}
	if (op->hdrs & RXE_HDR_CNP)
		memset(ext, 0, RXE_CNP_BYTES);
}

static void check_taken(const struct rxe_pkt *pkt, const u8 *bth, size_t len)
{
	const struct rxe_opcode *op = &rxe_opcodes[bth[0]];
	u8 seen[RXE_MAX_HDR_BYTES], built[RXE_MAX_HDR_BYTES];

	MUST(op->flags & RXE_OP_VALID);
	MUST(op->hdr_bytes + pkt->payload + pkt->pad + RXE_ICRC_BYTES == len);
	memcpy(seen, bth, op->hdr_bytes);
	clear_reserved(seen);
	MUST(rxe_pkt_build(pkt, built) == op->hdr_bytes);
	MUST(!memcmp(seen, built, op->hdr_bytes));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	size_t len, avail;
	struct rxe_pkt pkt;
	enum rxe_drop drop;
	u8 *bth;

	if (size < 2)
		return 0;
	len = size - 2;
	avail = len > RXE_MAX_HDR_BYTES ? RXE_MAX_HDR_BYTES : len;
	avail += (data[0] | data[1] << 8) % (len - avail + 1);
	bth = malloc(avail ?: 1);
	memcpy(bth, data + 2, avail);
	memset(&pkt, 0xcc, sizeof(pkt));
	/* not all patterns are a bool */
	pkt.se = pkt.migreq = pkt.ackreq = pkt.fecn = pkt.becn = false;
	drop = rxe_pkt_parse(&pkt, bth, avail, len);
	if (drop == RXE_DROP_NONE)
		check_taken(&pkt, bth, len);
	MUST(drop <= RXE_DROP_PAYLOAD);
	free(bth);
	return 0;
}
