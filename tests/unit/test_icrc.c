// SPDX-License-Identifier: GPL-2.0
/* The ICRC: frames of others, what it covers and what not, and the copy. */
#include <linux/kernel.h>
#include <stdlib.h>
#include <string.h>

#include "ktap.h"
#include "rand.h"
#include "wire.h"

/* From the IP header to the ICRC. */
struct vector {
	const char *name;
	const char *hex;
};

static const struct vector vectors[] = {
	{ "CNP of a ConnectX-4 Lx",
	  "45c2003c718c4000401191610a0011010a001201000012b700280000"
	  "8100ffff400001180000000000000000000000000000000000000000"
	  "82fd002a" },
	{ "UC SEND Only over IPv4, 2 bytes of pad",
	  "450100400478400040110000c0a80007c0a80007c00012b7002c0000"
	  "2460ffff000000d300cf17104630818be28935d90e9a95505401be88"
	  "5e50000078f353f3" },
	{ "UC SEND Only over IPv6, 2 bytes of pad",
	  "6e21face002c11ff2022000000000000000000000000102320230000"
	  "000000000000000000001024c00012b7002c00002460ffff000000d3"
	  "00cf17104630818be28935d90e9a95505401be885e5000003e5b743b" },
};

static size_t unhex(u8 *p, const char *hex)
{
	char byte[3] = "";
	size_t n = 0;

	for (; *hex; hex += 2) {
		memcpy(byte, hex, 2);
		p[n++] = strtoul(byte, NULL, 16);
	}
	return n;
}

static bool is_ipv6(const u8 *frame)
{
	return frame[0] >> 4 == 6;
}

/* As a receiver does it. @len is without ICRC. */
static u32 frame_icrc(const u8 *frame, size_t len, bool ipv6)
{
	size_t udp = ipv6 ? 40 : 20;
	u32 crc = rxe_icrc_start(frame, frame + udp, frame + udp + 8);

	crc = rxe_icrc_update(crc, frame + udp + 20, len - udp - 20);
	return ~crc;
}

/* Bit by bit, with the polynomial as in the standard. */
static u32 slow_crc(u32 crc, const u8 *p, size_t len)
{
	int bit;

	while (len--)
		for (crc ^= *p++, bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	return crc;
}

static void test_vectors(void)
{
	u8 frame[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		size_t len = unhex(frame, vectors[i].hex) - 4;
		u32 crc = ~frame_icrc(frame, len, is_ipv6(frame));
		__le32 icrc = rxe_icrc_finish(crc);

		EXPECT_EQ_AT(vectors[i].name, memcmp(&icrc, frame + len, 4), 0);
	}
}

/* Offsets from the IP header of bits that routers may change. */
static bool masked_ipv4(unsigned int byte)
{
	return byte == 1 || byte == 8 || byte == 10 || byte == 11 ||	/* IP */
	       byte == 26 || byte == 27 ||				/* UDP checksum */
	       byte == 32;						/* BTH */
}

static bool masked_ipv6(unsigned int byte, unsigned int bit)
{
	return (byte == 0 && bit < 4) || (byte >= 1 && byte <= 3) || byte == 7 ||
	       byte == 46 || byte == 47 || byte == 52;
}

static void flip_each_bit(const char *name, u8 *frame, size_t len)
{
	bool ipv6 = is_ipv6(frame);
	u32 before = frame_icrc(frame, len, ipv6);
	unsigned int i;

	for (i = 0; i < len * 8; i++) {
		bool masked = ipv6 ? masked_ipv6(i / 8, i % 8) : masked_ipv4(i / 8);

		frame[i / 8] ^= 1 << i % 8;
		EXPECT_EQ_AT(name, frame_icrc(frame, len, ipv6) == before, masked);
		frame[i / 8] ^= 1 << i % 8;
	}
}

static void test_masks(void)
{
	u8 frame[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		size_t len = unhex(frame, vectors[i].hex) - 4;

		flip_each_bit(vectors[i].name, frame, len);
	}
}

static void test_update_in_pieces(void)
{
	u8 data[300];
	size_t cut;
	u32 whole;

	rand_fill(data, sizeof(data));
	whole = rxe_icrc_update(0x12345678, data, sizeof(data));
	EXPECT_EQ(whole, slow_crc(0x12345678, data, sizeof(data)));
	for (cut = 0; cut <= sizeof(data); cut++) {
		u32 crc = rxe_icrc_update(0x12345678, data, cut);

		EXPECT_EQ(rxe_icrc_update(crc, data + cut, sizeof(data) - cut), whole);
	}
}

/* The heap, so that ASan sees one byte too many. */
static void copy_once(size_t len)
{
	u8 *src = malloc(len ?: 1), *dst = malloc(len + 1);

	rand_fill(src, len);
	dst[len] = 0xa5;
	EXPECT_EQ_AT("crc of the copy", rxe_icrc_copy(len, dst, src, len),
		     slow_crc(len, src, len));
	EXPECT_EQ_AT("bytes copied", memcmp(dst, src, len), 0);
	EXPECT_EQ_AT("byte behind", dst[len], 0xa5);
	free(src);
	free(dst);
}

static void test_copy(void)
{
	size_t len;

	for (len = 0; len < 100; len++)
		copy_once(len);
	for (len = 512; len <= 16384; len *= 2) {
		copy_once(len - 1);
		copy_once(len);
		copy_once(len + 1);
		copy_once(3 * len + 17);
	}
}

/* On the wire it is little endian, whatever the machine is. */
static void test_finish(void)
{
	__le32 icrc = rxe_icrc_finish(~0x2a00fd82u);

	EXPECT_EQ(memcmp(&icrc, "\x82\xfd\x00\x2a", 4), 0);
}

static const struct ktap_case cases[] = {
	{ "frames of others", test_vectors },
	{ "each bit counts unless masked", test_masks },
	{ "update in pieces", test_update_in_pieces },
	{ "copy", test_copy },
	{ "byte order", test_finish },
};

KTAP_MAIN(cases)
