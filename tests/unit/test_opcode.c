// SPDX-License-Identifier: GPL-2.0
/* opcode.c against ref_opcodes.h. */
#include <linux/kernel.h>
#include <string.h>

#include "ktap.h"
#include "ref_opcodes.h"

static const struct {
	char letter;
	u8 flag;
} flag_letters[] = {
	{ 'F', RXE_OP_FIRST }, { 'L', RXE_OP_LAST }, { 'q', RXE_OP_REQUEST },
	{ 'p', RXE_OP_PAYLOAD }, { 'w', RXE_OP_RWQE }, { 'a', RXE_OP_RDATOM },
};

static const struct {
	char letter;
	u16 hdr;
} hdr_letters[] = {
	{ 'Q', RXE_HDR_DETH }, { 'F', RXE_HDR_FETH }, { 'L', RXE_HDR_RETH },
	{ 'S', RXE_HDR_ATOMIC }, { 'Y', RXE_HDR_AETH }, { 'O', RXE_HDR_ATOMACK },
	{ 'I', RXE_HDR_IMM }, { 'K', RXE_HDR_IETH },
};

static const enum rxe_transport transports[] = { RXE_RC, RXE_UC, RXE_UD, RXE_CC };

static u8 ref_flags(const struct ref_opcode *ref)
{
	u8 flags = RXE_OP_VALID;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flag_letters); i++)
		if (strchr(ref->flags, flag_letters[i].letter))
			flags |= flag_letters[i].flag;
	return flags;
}

static u16 ref_hdrs(const struct ref_opcode *ref)
{
	u16 hdrs = strlen(ref->headers) == RXE_CNP_BYTES && ref->headers[0] == '.' &&
		   !strchr(ref->headers, 'F') ? RXE_HDR_CNP : 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hdr_letters); i++)
		if (strchr(ref->headers, hdr_letters[i].letter))
			hdrs |= hdr_letters[i].hdr;
	return hdrs;
}

static const struct ref_opcode *ref_find(int opcode)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ref_opcodes); i++)
		if (ref_opcodes[i].opcode == opcode)
			return &ref_opcodes[i];
	return NULL;
}

static void test_rows(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ref_opcodes); i++) {
		const struct ref_opcode *ref = &ref_opcodes[i];
		const struct rxe_opcode *row = &rxe_opcodes[ref->opcode];

		EXPECT_EQ_AT(ref->name, row->flags, ref_flags(ref));
		EXPECT_EQ_AT(ref->name, row->msg, ref->msg);
		EXPECT_EQ_AT(ref->name, row->hdrs, ref_hdrs(ref));
		EXPECT_EQ_AT(ref->name, row->hdr_bytes, 12 + strlen(ref->headers));
		EXPECT_EQ_AT(ref->name, !row->name || strcmp(row->name, ref->name), 0);
		EXPECT(row->hdr_bytes <= RXE_MAX_HDR_BYTES);
	}
}

static void test_unknown_rows(void)
{
	static const struct rxe_opcode none;
	int opcode;

	for (opcode = 0; opcode < 256; opcode++)
		if (!ref_find(opcode))
			EXPECT(!memcmp(&rxe_opcodes[opcode], &none, sizeof(none)));
}

static void test_encode_round_trip(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ref_opcodes); i++) {
		const struct ref_opcode *ref = &ref_opcodes[i];
		bool first = strchr(ref->flags, 'F');
		bool last = strchr(ref->flags, 'L');

		EXPECT_EQ_AT(ref->name, ref->opcode,
			     rxe_opcode_encode(ref->opcode & 0xe0, ref->msg, first, last));
	}
}

/* The start of a message with a special end is the start of a plain one. */
static enum rxe_msg plain(enum rxe_msg msg)
{
	switch (msg) {
	case RXE_MSG_SEND_IMM:
	case RXE_MSG_SEND_INV:
		return RXE_MSG_SEND;
	case RXE_MSG_WRITE_IMM:
		return RXE_MSG_WRITE;
	default:
		return msg;
	}
}

static bool transport_has(enum rxe_transport transport, enum rxe_msg msg)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ref_opcodes); i++)
		if ((ref_opcodes[i].opcode & 0xe0) == transport && ref_opcodes[i].msg == msg)
			return true;
	return false;
}

static int ref_encode(enum rxe_transport transport, enum rxe_msg msg, bool first, bool last)
{
	size_t i;

	if (!transport_has(transport, msg))
		return -1;
	for (i = 0; i < ARRAY_SIZE(ref_opcodes); i++) {
		const struct ref_opcode *ref = &ref_opcodes[i];

		if ((ref->opcode & 0xe0) == transport && ref->msg == (last ? msg : plain(msg)) &&
		    !!strchr(ref->flags, 'F') == first && !!strchr(ref->flags, 'L') == last)
			return ref->opcode;
	}
	return -1;
}

static void compare_encode(enum rxe_transport transport, enum rxe_msg msg,
			   bool first, bool last)
{
	EXPECT_EQ(rxe_opcode_encode(transport, msg, first, last),
		  ref_encode(transport, msg, first, last));
}

static void test_encode_all(void)
{
	unsigned int msg, place;
	size_t t;

	for (t = 0; t < ARRAY_SIZE(transports); t++)
		for (msg = 0; msg <= RXE_MSG_CNP; msg++)
			for (place = 0; place < 4; place++)
				compare_encode(transports[t], msg, place & 2, place & 1);
}

static void test_encode_nonsense(void)
{
	EXPECT_EQ(rxe_opcode_encode(RXE_RC, RXE_MSG_CNP + 1, true, true), -1);
	EXPECT_EQ(rxe_opcode_encode(RXE_RC, (enum rxe_msg)-1, true, true), -1);
	EXPECT_EQ(rxe_opcode_encode(0x40, RXE_MSG_SEND, true, true), -1);
	EXPECT_EQ(rxe_opcode_encode(RXE_RC, RXE_MSG_NONE, true, true), -1);
	/* UC has no SEND with invalidate, so it has not the start of one */
	EXPECT_EQ(rxe_opcode_encode(RXE_UC, RXE_MSG_SEND_INV, true, false), -1);
}

static const struct ktap_case cases[] = {
	{ "each opcode has its row", test_rows },
	{ "other opcodes have none", test_unknown_rows },
	{ "encode gives back each opcode", test_encode_round_trip },
	{ "encode of each message and place", test_encode_all },
	{ "encode of nonsense", test_encode_nonsense },
};

KTAP_MAIN(cases)
