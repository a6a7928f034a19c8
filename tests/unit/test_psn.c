// SPDX-License-Identifier: GPL-2.0
/* Sequence numbers are on a circle of 2^24. */
#include <linux/kernel.h>

#include "ktap.h"
#include "rand.h"
#include "wire.h"

static void test_add(void)
{
	EXPECT_EQ(rxe_psn_add(0, 1), 1);
	EXPECT_EQ(rxe_psn_add(0xffffff, 1), 0);
	EXPECT_EQ(rxe_psn_add(0xfffffe, 5), 3);
	EXPECT_EQ(rxe_psn_add(5, -1), 4);
	EXPECT_EQ(rxe_psn_add(0, -1), 0xffffff);
	EXPECT_EQ(rxe_psn_add(0x123456, 0x1000000), 0x123456);
}

static void test_diff_edges(void)
{
	EXPECT_EQ(rxe_psn_diff(7, 7), 0);
	EXPECT_EQ(rxe_psn_diff(8, 7), 1);
	EXPECT_EQ(rxe_psn_diff(7, 8), -1);
	EXPECT_EQ(rxe_psn_diff(0, 0xffffff), 1);
	EXPECT_EQ(rxe_psn_diff(0xffffff, 0), -1);
	EXPECT_EQ(rxe_psn_diff(0x7fffff, 0), 0x7fffff);
	EXPECT_EQ(rxe_psn_diff(0x800000, 0), -0x800000);
	EXPECT_EQ(rxe_psn_diff(0, 0x800000), -0x800000);
	EXPECT_EQ(rxe_psn_diff(0, 0x800001), 0x7fffff);
}

/* What lies above 24 bits must not count. */
static void test_diff_ignores_high_bits(void)
{
	EXPECT_EQ(rxe_psn_diff(0xff000001, 0x00000000), 1);
	EXPECT_EQ(rxe_psn_diff(0x00000000, 0x55000001), -1);
}

static void test_diff_inverts_add(void)
{
	int i;

	for (i = 0; i < 1000000; i++) {
		u32 psn = rand_next() & RXE_PSN_MASK;
		s32 n = (s32)rand_below(1 << 24) - (1 << 23);

		EXPECT_EQ(rxe_psn_diff(rxe_psn_add(psn, n), psn), n);
	}
}

static void test_num_packets(void)
{
	u32 shift, len;

	for (shift = 8; shift <= 12; shift++) {
		EXPECT_EQ(rxe_num_packets(0, shift), 1);
		for (len = 1; len < 20000; len++)
			EXPECT_EQ(rxe_num_packets(len, shift), 1 + (len - 1) / (1u << shift));
		EXPECT_EQ(rxe_num_packets(RXE_MAX_MSG, shift), RXE_MAX_MSG >> shift);
		EXPECT_EQ(rxe_num_packets(~0u, shift), 1u << (32 - shift));
	}
}

static const struct ktap_case cases[] = {
	{ "psn add", test_add },
	{ "psn difference at the edges", test_diff_edges },
	{ "psn difference of 24 bits only", test_diff_ignores_high_bits },
	{ "psn difference inverts add", test_diff_inverts_add },
	{ "number of packets", test_num_packets },
};

KTAP_MAIN(cases)
