// SPDX-License-Identifier: GPL-2.0
/* pkt.c: bytes of each opcode, what is refused and why, and garbage. */
#include <linux/kernel.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fuzz_pkt.h"
#include "ktap.h"
#include "rand.h"
#include "ref_pkt.h"

#define ROUNDS	200

static void test_build(void)
{
	u8 expected[64], built[64];
	struct rxe_pkt pkt;
	size_t i, len;
	int round;

	for (i = 0; i < ARRAY_SIZE(ref_opcodes); i++)
		for (round = 0; round < ROUNDS; round++) {
			ref_random(&ref_opcodes[i], &pkt);
			pkt.pad = ~pkt.pad;	/* not read */
			memset(built, 0xff, sizeof(built));
			memset(expected, 0xff, sizeof(expected));
			len = ref_build(&ref_opcodes[i], &pkt, expected);
			EXPECT_EQ_AT(ref_opcodes[i].name, rxe_pkt_build(&pkt, built), len);
			EXPECT_EQ_AT(ref_opcodes[i].name,
				     memcmp(built, expected, sizeof(built)), 0);
		}
}

static void test_build_clips(void)
{
	struct rxe_pkt pkt = {
		.opcode = 0x64, .dqpn = 0xab000001, .psn = 0xcd000002, .sqpn = 0xef000003,
	};
	u8 bth[64];

	EXPECT_EQ(rxe_pkt_build(&pkt, bth), 20);
	EXPECT_EQ(bth[4], 0);
	EXPECT_EQ(bth[8], 0);
	EXPECT_EQ(bth[16], 0);
	pkt = (struct rxe_pkt) { .opcode = 0x11, .syndrome = 0x60, .msn = 0xab000001 };
	EXPECT_EQ(rxe_pkt_build(&pkt, bth), 16);
	EXPECT_EQ(bth[12], 0x60);
	pkt = (struct rxe_pkt) { .opcode = 0x1c, .flush_sel = 0xfd, .flush_plt = 0xf2 };
	EXPECT_EQ(rxe_pkt_build(&pkt, bth), 32);
	EXPECT_EQ(bth[15], 0x12);
}

static void test_build_unknown(void)
{
	struct rxe_pkt pkt = { .opcode = 0x15 };
	u8 bth[64] = { 0 };

	EXPECT_EQ(rxe_pkt_build(&pkt, bth), 0);
	EXPECT_EQ(bth[0], 0);
}

static void compare_bth(const char *name, const struct rxe_pkt *a, const struct rxe_pkt *b)
{
	EXPECT_EQ_AT(name, a->opcode, b->opcode);
	EXPECT_EQ_AT(name, a->pad, b->pad);
	EXPECT_EQ_AT(name, a->payload, b->payload);
	EXPECT_EQ_AT(name, a->se, b->se);
	EXPECT_EQ_AT(name, a->migreq, b->migreq);
	EXPECT_EQ_AT(name, a->ackreq, b->ackreq);
	EXPECT_EQ_AT(name, a->fecn, b->fecn);
	EXPECT_EQ_AT(name, a->becn, b->becn);
	EXPECT_EQ_AT(name, a->pkey, b->pkey);
	EXPECT_EQ_AT(name, a->dqpn, b->dqpn);
	EXPECT_EQ_AT(name, a->psn, b->psn);
}

/* The fields that the opcode has. */
static void compare(const struct ref_opcode *ref, const struct rxe_pkt *a,
		    const struct rxe_pkt *b)
{
	const char *letter;

	compare_bth(ref->name, a, b);
	for (letter = ref->headers; *letter; letter++)
		EXPECT_EQ_AT(ref->name, ref_field(a, *letter), ref_field(b, *letter));
}

/* Exactly the bytes that may be read, so that ASan sees one more. */
static enum rxe_drop parse(struct rxe_pkt *pkt, const u8 *bth, size_t avail, size_t len)
{
	u8 *heap = malloc(avail ?: 1);
	enum rxe_drop drop;

	memcpy(heap, bth, avail);
	drop = rxe_pkt_parse(pkt, heap, avail, len);
	free(heap);
	return drop;
}

static void test_parse(void)
{
	struct rxe_pkt pkt, seen;
	u8 bth[512] = { 0 };
	size_t i, len;
	int round;

	for (i = 0; i < ARRAY_SIZE(ref_opcodes); i++)
		for (round = 0; round < ROUNDS; round++) {
			ref_random(&ref_opcodes[i], &pkt);
			len = ref_build(&ref_opcodes[i], &pkt, bth);
			len += pkt.payload + pkt.pad + 4;
			EXPECT_EQ_AT(ref_opcodes[i].name,
				     parse(&seen, bth, len > 40 ? 40 : len, len), RXE_DROP_NONE);
			compare(&ref_opcodes[i], &seen, &pkt);
		}
}

/* Bits a later standard may use are no reason to drop, and are not seen. */
static void test_parse_ignores_reserved(void)
{
	struct rxe_pkt pkt, seen;
	u8 bth[64] = { 0 };

	pkt = (struct rxe_pkt) { .opcode = 0x64, .dqpn = 1, .psn = 2, .sqpn = 3 };
	rxe_pkt_build(&pkt, bth);
	bth[4] |= 0x3f;
	bth[8] |= 0x7f;
	bth[16] = 0xff;
	EXPECT_EQ(parse(&seen, bth, 24, 24), RXE_DROP_NONE);
	EXPECT(!seen.fecn && !seen.becn && !seen.ackreq);
	EXPECT_EQ(seen.dqpn, 1);
	EXPECT_EQ(seen.psn, 2);
	EXPECT_EQ(seen.sqpn, 3);

	pkt = (struct rxe_pkt) { .opcode = 0x1c, .flush_sel = 1, .flush_plt = 2 };
	rxe_pkt_build(&pkt, bth);
	memset(bth + 12, 0xff, 3);
	bth[15] |= 0xc0;
	EXPECT_EQ(parse(&seen, bth, 36, 36), RXE_DROP_NONE);
	EXPECT_EQ(seen.flush_sel, 1);
	EXPECT_EQ(seen.flush_plt, 2);
}

/* A packet of @opcode with @body bytes of payload and pad, and @pad of pad. */
static enum rxe_drop try_body(u8 opcode, size_t body, u8 pad)
{
	size_t len = rxe_opcodes[opcode].hdr_bytes + body + 4;
	u8 bth[1024] = { opcode, pad << 4 };
	struct rxe_pkt pkt;

	return parse(&pkt, bth, len, len);
}

static void test_short(void)
{
	size_t i, len, hdrs;

	for (i = 0; i < ARRAY_SIZE(ref_opcodes); i++) {
		u8 bth[64] = { ref_opcodes[i].opcode };
		struct rxe_pkt pkt;

		hdrs = 12 + strlen(ref_opcodes[i].headers);
		for (len = 0; len < hdrs + 4; len++) {
			EXPECT_EQ_AT(ref_opcodes[i].name, parse(&pkt, bth, len, len),
				     RXE_DROP_SHORT);
			/* less at hand than was promised */
			if (len < hdrs)
				EXPECT_EQ_AT(ref_opcodes[i].name, parse(&pkt, bth, len, 512),
					     RXE_DROP_SHORT);
		}
	}
}

static void test_unknown_opcodes(void)
{
	bool known[256] = { false };
	struct rxe_pkt pkt;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ref_opcodes); i++)
		known[ref_opcodes[i].opcode] = true;
	for (i = 0; i < 256; i++) {
		u8 bth[64] = { i };

		if (!known[i])
			EXPECT_EQ(parse(&pkt, bth, 64, 64), RXE_DROP_OPCODE);
	}
}

static void test_version(void)
{
	struct rxe_pkt pkt;
	int version;

	for (version = 0; version < 16; version++) {
		u8 bth[64] = { 0x04, version };

		EXPECT_EQ(parse(&pkt, bth, 16, 16),
			  version ? RXE_DROP_TVER : RXE_DROP_NONE);
	}
}

static void test_pad(void)
{
	size_t body;
	u8 pad;

	for (body = 0; body < 20; body++)
		for (pad = 0; pad < 4; pad++)
			EXPECT_EQ(try_body(0x04, body, pad),
				  body % 4 || (!body && pad) ? RXE_DROP_PAD : RXE_DROP_NONE);
	/* pad where there may be no payload */
	EXPECT_EQ(try_body(0x11, 0, 1), RXE_DROP_PAD);
	EXPECT_EQ(try_body(0x0c, 4, 3), RXE_DROP_PAYLOAD);
}

/* With payload: refused for these, and taken for all others. */
static bool must_be_empty(u8 opcode)
{
	switch (opcode) {
	case 0x0c:	/* READ request */
	case 0x11:	/* acknowledgements */
	case 0x12:
	case 0x13:	/* atomics */
	case 0x14:
	case 0x81:	/* CNP */
		return true;
	default:
		return false;
	}
}

/* Without payload: First and Middle, but not the READ request and its kind. */
static bool must_be_filled(u8 opcode)
{
	static const u8 opcodes[] = {
		0x00, 0x01, 0x06, 0x07, 0x0d, 0x0e, 0x20, 0x21, 0x26, 0x27,
	};

	return memchr(opcodes, opcode, sizeof(opcodes));
}

static void test_payload(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ref_opcodes); i++) {
		const struct ref_opcode *ref = &ref_opcodes[i];

		EXPECT_EQ_AT(ref->name, try_body(ref->opcode, 256, 0),
			     must_be_empty(ref->opcode) ? RXE_DROP_PAYLOAD : RXE_DROP_NONE);
		EXPECT_EQ_AT(ref->name, try_body(ref->opcode, 0, 0),
			     must_be_filled(ref->opcode) ? RXE_DROP_PAYLOAD : RXE_DROP_NONE);
	}
}

/* What the responder has to see, to refuse it by a NAK. */
static void test_payload_for_nak(void)
{
	EXPECT_EQ(try_body(0x1c, 4, 0), RXE_DROP_NONE);
	EXPECT_EQ(try_body(0x1d, 0, 0), RXE_DROP_NONE);
	EXPECT_EQ(try_body(0x1d, 4, 0), RXE_DROP_NONE);
	EXPECT_EQ(try_body(0x1d, 8, 1), RXE_DROP_NONE);
	EXPECT_EQ(try_body(0x1d, 16, 0), RXE_DROP_NONE);
	EXPECT_EQ(try_body(0x02, 0, 0), RXE_DROP_NONE);
	EXPECT_EQ(try_body(0x08, 0, 0), RXE_DROP_NONE);
}

/* Counters are called after the reasons. */
#define REASON(reason)	[RXE_DROP_##reason] = #reason

static const char *const reasons[] = {
	REASON(NONE), REASON(SHORT), REASON(OPCODE), REASON(TVER), REASON(PAD),
	REASON(PAYLOAD), REASON(ICRC), REASON(GID), REASON(QPN), REASON(STATE),
	REASON(TRANSPORT), REASON(ADDR), REASON(PKEY), REASON(QKEY), REASON(QUEUE),
	REASON(PSN), REASON(MSG), REASON(PORT), REASON(NOMEM), REASON(MCAST),
};

static void test_drop_names(void)
{
	size_t i;

	EXPECT_EQ(ARRAY_SIZE(reasons), RXE_DROP_NUM);
	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		EXPECT_EQ_AT(reasons[i], !rxe_drop_names[i] ||
			     strcasecmp(rxe_drop_names[i], reasons[i]), 0);
}

/* fuzz_pkt.c aborts if something is wrong. */
static void test_garbage_of_each_length(void)
{
	u8 data[2 + 600];
	size_t len;
	int round;

	for (len = 0; len <= 600; len++)
		for (round = 0; round < 50; round++) {
			rand_fill(data, 2 + len);
			LLVMFuzzerTestOneInput(data, 2 + len);
		}
}

static void test_damaged_packets(void)
{
	u8 data[2 + 512] = { 0 };
	struct rxe_pkt pkt;
	size_t len;
	int round;

	for (round = 0; round < 200000; round++) {
		const struct ref_opcode *ref = &ref_opcodes[rand_below(ARRAY_SIZE(ref_opcodes))];

		ref_random(ref, &pkt);
		len = ref_build(ref, &pkt, data + 2) + pkt.payload + pkt.pad + 4;
		rand_fill(data, 2);
		if (rand_below(2))
			data[2 + rand_below(len)] ^= 1 << rand_below(8);
		if (rand_below(4) == 0)
			len = rand_below(len + 8);
		LLVMFuzzerTestOneInput(data, 2 + len);
	}
}

static const struct ktap_case cases[] = {
	{ "build: bytes of each opcode", test_build },
	{ "build: nothing leaves its field", test_build_clips },
	{ "build: unknown opcode", test_build_unknown },
	{ "parse: fields of each opcode", test_parse },
	{ "parse: reserved bits", test_parse_ignores_reserved },
	{ "parse: too short", test_short },
	{ "parse: unknown opcodes", test_unknown_opcodes },
	{ "parse: transport version", test_version },
	{ "parse: pad", test_pad },
	{ "parse: payload", test_payload },
	{ "parse: payload that needs a NAK", test_payload_for_nak },
	{ "drop names", test_drop_names },
	{ "garbage of each length", test_garbage_of_each_length },
	{ "damaged packets", test_damaged_packets },
};

KTAP_MAIN(cases)
