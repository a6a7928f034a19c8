// SPDX-License-Identifier: GPL-2.0
/*
 * The invariant CRC of RoCE v2 (IBTA Annex A17): that of Ethernet, over all
 * that routers leave alone.  What they may change counts as ones.
 */
#include <linux/crc32.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>

#include "wire.h"

#define IPV4_BYTES	20
#define IPV6_BYTES	40
#define UDP_BYTES	8

/* Where eight bytes of ones, which stand for the LRH, bring a CRC from ~0. */
#define ICRC_SEED	0xdebb20e3u

/*
 * Bytes copied and then summed at a time: few enough to be in the first-level
 * cache still, many enough that vector code pays off.
 */
#define COPY_BYTES	2048

/* Type of service, time to live, header checksum. */
static size_t mask_ipv4(u8 *dst, const void *iph)
{
	memcpy(dst, iph, IPV4_BYTES);
	dst[1] = 0xff;
	dst[8] = 0xff;
	memset(dst + 10, 0xff, 2);
	return IPV4_BYTES;
}

/* Traffic class and flow label, hop limit. */
static size_t mask_ipv6(u8 *dst, const void *iph)
{
	memcpy(dst, iph, IPV6_BYTES);
	dst[0] |= 0x0f;
	memset(dst + 1, 0xff, 3);
	dst[7] = 0xff;
	return IPV6_BYTES;
}

/* The checksum. */
static size_t mask_udp(u8 *dst, const void *udph)
{
	memcpy(dst, udph, UDP_BYTES);
	memset(dst + 6, 0xff, 2);
	return UDP_BYTES;
}

/* FECN, BECN and the six reserved bits beside them. */
static size_t mask_bth(u8 *dst, const void *bth)
{
	memcpy(dst, bth, RXE_BTH_BYTES);
	dst[4] = 0xff;
	return RXE_BTH_BYTES;
}

/**
 * rxe_icrc_start() - begin with pseudo LRH and masked IP, UDP and BTH headers
 * @iph: IPv4 or IPv6 header, told apart by the version; IPv4 options are
 *	 refused by the caller
 * @udph: UDP header
 * @bth: BTH
 *
 * The masked headers are laid out on the stack to be summed in one go: a call
 * has a price of its own, that of using vector registers.
 *
 * Return: the CRC so far, for rxe_icrc_update() and rxe_icrc_copy().
 */
u32 rxe_icrc_start(const void *iph, const void *udph, const void *bth)
{
	u8 run[IPV6_BYTES + UDP_BYTES + RXE_BTH_BYTES];
	size_t len;

	if (*(const u8 *)iph >> 4 == 6)
		len = mask_ipv6(run, iph);
	else
		len = mask_ipv4(run, iph);
	len += mask_udp(run + len, udph);
	len += mask_bth(run + len, bth);
	return crc32_le(ICRC_SEED, run, len);
}

/**
 * rxe_icrc_update() - go on with what follows the BTH
 * @crc: so far
 * @p: extension headers, payload or pad
 * @len: its bytes
 *
 * Return: the CRC so far.
 */
u32 rxe_icrc_update(u32 crc, const void *p, size_t len)
{
	return crc32_le(crc, p, len);
}

/**
 * rxe_icrc_copy() - copy, and go on with the bytes copied
 * @crc: so far
 * @dst: where to
 * @src: where from; may change meanwhile, the CRC is that of @dst
 * @len: bytes
 *
 * Return: the CRC so far.
 */
u32 rxe_icrc_copy(u32 crc, void *dst, const void *src, size_t len)
{
	while (len) {
		size_t n = min_t(size_t, len, COPY_BYTES);

		memcpy(dst, src, n);
		crc = crc32_le(crc, dst, n);
		dst += n;
		src += n;
		len -= n;
	}
	return crc;
}
