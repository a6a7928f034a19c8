// SPDX-License-Identifier: GPL-2.0
/*
 * Timer and credit codes. Both tables are, from code 1 on, powers of two and
 * one and a half times these; that rule, and not a second table, is what is
 * compared.
 */
#include <linux/kernel.h>

#include "ktap.h"
#include "wire.h"

static u32 steps(unsigned int code)
{
	if (code < 4)
		return code;
	return code & 1 ? 3u << (code / 2 - 1) : 1u << code / 2;
}

static void test_rnr(void)
{
	unsigned int code;

	EXPECT_EQ(rxe_rnr_code_to_us(0), 655360);
	EXPECT_EQ(rxe_rnr_code_to_us(1), 10);
	EXPECT_EQ(rxe_rnr_code_to_us(12), 640);
	EXPECT_EQ(rxe_rnr_code_to_us(25), 61440);
	EXPECT_EQ(rxe_rnr_code_to_us(31), 491520);
	for (code = 1; code < 32; code++)
		EXPECT_EQ_AT("RNR code", rxe_rnr_code_to_us(code), 10 * steps(code));
	for (code = 32; code < 256; code++)
		EXPECT_EQ(rxe_rnr_code_to_us(code), rxe_rnr_code_to_us(code % 32));
}

static void test_timeout(void)
{
	unsigned int code;

	EXPECT_EQ(rxe_ack_timeout_to_ns(0), 0);
	EXPECT_EQ(rxe_ack_timeout_to_ns(1), 8192);
	EXPECT_EQ(rxe_ack_timeout_to_ns(14), 67108864);
	EXPECT_EQ(rxe_ack_timeout_to_ns(31), 8796093022208ull);
	for (code = 1; code < 32; code++)
		EXPECT_EQ(rxe_ack_timeout_to_ns(code), 4096ull << code);
	for (code = 32; code < 256; code++)
		EXPECT_EQ(rxe_ack_timeout_to_ns(code), rxe_ack_timeout_to_ns(code % 32));
}

static void test_credit_decode(void)
{
	unsigned int code;

	EXPECT_EQ(rxe_credit_decode(0), 0);
	EXPECT_EQ(rxe_credit_decode(5), 6);
	EXPECT_EQ(rxe_credit_decode(30), 32768);
	EXPECT_EQ(rxe_credit_decode(31), ~0u);
	for (code = 0; code < 31; code++)
		EXPECT_EQ_AT("credit code", rxe_credit_decode(code), steps(code));
	for (code = 32; code < 256; code++)
		EXPECT_EQ(rxe_credit_decode(code), rxe_credit_decode(code % 32));
}

static u8 ref_credit_encode(u32 credits)
{
	u8 code = 30;

	while (steps(code) > credits)
		code--;
	return code;
}

static void test_credit_encode(void)
{
	u32 credits;

	for (credits = 0; credits < 100000; credits++)
		EXPECT_EQ(rxe_credit_encode(credits), ref_credit_encode(credits));
	EXPECT_EQ(rxe_credit_encode(1u << 31), 30);
	EXPECT_EQ(rxe_credit_encode(~0u), 30);
}

static void test_syndromes(void)
{
	EXPECT_EQ(RXE_AETH_TYPE, 7 << 5);
	EXPECT_EQ(RXE_AETH_ACK, 0 << 5);
	EXPECT_EQ(RXE_AETH_RNR, 1 << 5);
	EXPECT_EQ(RXE_AETH_NAK, 3 << 5);
	EXPECT_EQ(RXE_AETH_CREDIT_NONE, 31);
	EXPECT_EQ(RXE_NAK_PSN_SEQ, 0x60);
	EXPECT_EQ(RXE_NAK_INV_REQ, 0x61);
	EXPECT_EQ(RXE_NAK_REM_ACCESS, 0x62);
	EXPECT_EQ(RXE_NAK_REM_OP, 0x63);
}

static void test_limits(void)
{
	EXPECT_EQ(RXE_UDP_PORT, 4791);
	EXPECT_EQ(RXE_MULTICAST_QPN, (1 << 24) - 1);
	EXPECT_EQ(RXE_QPN_MASK, (1 << 24) - 1);
	EXPECT_EQ(RXE_DEFAULT_PKEY, 65535);
	EXPECT_EQ(RXE_MAX_MSG, 1ull << 31);
	EXPECT_EQ(RXE_MAX_HDR_BYTES, 40);
	EXPECT_EQ(RXE_GRH_BYTES, 40);
	EXPECT_EQ(RXE_TRANSPORT_MASK, 7 << 5);
}

static const struct ktap_case cases[] = {
	{ "RNR timer", test_rnr },
	{ "local ACK timeout", test_timeout },
	{ "credits of a code", test_credit_decode },
	{ "code of credits", test_credit_encode },
	{ "syndromes", test_syndromes },
	{ "other constants", test_limits },
};

KTAP_MAIN(cases)
