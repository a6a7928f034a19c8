// SPDX-License-Identifier: GPL-2.0
/* Numbers that go over the wire, or come from the user, as five-bit codes. */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/types.h>

#include "wire.h"

#define CODE_MASK	0x1f
#define CREDIT_MAX_CODE	(RXE_AETH_CREDIT_NONE - 1)

/* IBTA table 45, in microseconds. */
static const u32 rnr_us[] = {
	655360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1280, 1920,
	2560, 3840, 5120, 7680, 10240, 15360, 20480, 30720,
	40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520,
};

static_assert(ARRAY_SIZE(rnr_us) == CODE_MASK + 1);

/* IBTA table 46. */
static const u16 credits_of[] = {
	0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768,
	1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768,
};

static_assert(ARRAY_SIZE(credits_of) == CREDIT_MAX_CODE + 1);

/**
 * rxe_rnr_code_to_us() - how long an RNR NAK asks to wait
 * @code: low five bits of the syndrome, or min_rnr_timer; the rest is ignored
 *
 * Return: microseconds.
 */
u32 rxe_rnr_code_to_us(u8 code)
{
	return rnr_us[code & CODE_MASK];
}

/**
 * rxe_ack_timeout_to_ns() - Local ACK Timeout in plain units
 * @timeout: of the QP's attributes; five bits
 *
 * Return: 4.096 us * 2^timeout in nanoseconds, or 0, which is "no timer".
 */
u64 rxe_ack_timeout_to_ns(u8 timeout)
{
	timeout &= CODE_MASK;
	return timeout ? 4096ull << timeout : 0;
}

/**
 * rxe_credit_decode() - how many receives an ACK announces
 * @code: low five bits of the syndrome; the rest is ignored
 *
 * Return: end-to-end credits; ~0 if the responder doesn't tell.
 */
u32 rxe_credit_decode(u8 code)
{
	code &= CODE_MASK;
	return code > CREDIT_MAX_CODE ? ~0u : credits_of[code];
}

/**
 * rxe_credit_encode() - announce receives
 * @credits: receive WQEs that are there
 *
 * From 2 on, code 2n stands for 2^n and the next one for one and a half times
 * that: the code is at hand without a search.
 *
 * Return: the largest code that promises no more than @credits.
 */
u8 rxe_credit_encode(u32 credits)
{
	u8 code;

	if (credits >= credits_of[CREDIT_MAX_CODE])
		return CREDIT_MAX_CODE;
	if (credits < 2)
		return credits;
	code = 2 * (fls(credits) - 1);
	return code + (credits >= credits_of[code + 1]);
}
