// SPDX-License-Identifier: GPL-2.0
/*
 * gen_pcap FILE.pcap FILE.json: packets of each opcode, built by the driver's
 * code, and their fields one JSON object a line, for test_wire.py.
 */
#include <linux/kernel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref_pkt.h"

#define ROUNDS	8

struct frame {
	u8 bytes[600];
	size_t len;
};

static u8 *append(struct frame *frame, size_t len)
{
	u8 *p = frame->bytes + frame->len;

	frame->len += len;
	return p;
}

static void be16(u8 *p, unsigned int v)
{
	p[0] = v >> 8;
	p[1] = v;
}

static u8 *add_ipv4(struct frame *frame, size_t udp_bytes)
{
	u8 *p = append(frame, 20);

	rand_fill(p, 20);
	p[0] = 0x45;
	be16(p + 2, 20 + udp_bytes);
	be16(p + 6, 0x4000);
	p[9] = 17;
	p[12] = p[16] = 10;
	return p;
}

static u8 *add_ipv6(struct frame *frame, size_t udp_bytes)
{
	u8 *p = append(frame, 40);

	rand_fill(p, 40);
	p[0] = 0x60 | (p[0] & 15);
	be16(p + 4, udp_bytes);
	p[6] = 17;
	be16(p + 8, 0xfd00);
	be16(p + 24, 0xfd00);
	return p;
}

static void add_ether(struct frame *frame, bool ipv6)
{
	u8 *p = append(frame, 14);

	rand_fill(p, 14);
	p[0] = p[6] = 2;
	be16(p + 12, ipv6 ? 0x86dd : 0x0800);
}

static u8 *add_udp(struct frame *frame, size_t udp_bytes)
{
	u8 *p = append(frame, 8);

	be16(p, 0xc000 | rand_below(1 << 14));
	be16(p + 2, RXE_UDP_PORT);
	be16(p + 4, udp_bytes);
	be16(p + 6, 0);
	return p;
}

static void make_frame(struct frame *frame, const struct rxe_pkt *pkt, bool ipv6)
{
	unsigned int hdrs = rxe_opcodes[pkt->opcode].hdr_bytes;
	size_t udp_bytes = 8 + hdrs + pkt->payload + pkt->pad + 4;
	u8 *iph, *udph, *bth, *body, payload[512];
	__le32 icrc;
	u32 crc;

	frame->len = 0;
	add_ether(frame, ipv6);
	iph = ipv6 ? add_ipv6(frame, udp_bytes) : add_ipv4(frame, udp_bytes);
	udph = add_udp(frame, udp_bytes);
	bth = append(frame, hdrs);
	rxe_pkt_build(pkt, bth);
	rand_fill(payload, pkt->payload);
	memset(payload + pkt->payload, 0, pkt->pad);
	body = append(frame, pkt->payload + pkt->pad);
	crc = rxe_icrc_start(iph, udph, bth);
	crc = rxe_icrc_update(crc, bth + 12, hdrs - 12);
	crc = rxe_icrc_copy(crc, body, payload, pkt->payload + pkt->pad);
	icrc = rxe_icrc_finish(crc);
	memcpy(append(frame, 4), &icrc, 4);
}

static void write_frame(FILE *pcap, const struct frame *frame)
{
	const u32 header[4] = { 0, 0, frame->len, frame->len };

	fwrite(header, sizeof(header), 1, pcap);
	fwrite(frame->bytes, frame->len, 1, pcap);
}

static void write_fields(FILE *json, const struct ref_opcode *ref, const struct rxe_pkt *pkt)
{
	fprintf(json, "{\"name\": \"%s\", \"headers\": \"%s\", \"opcode\": %u, \"pad\": %u,"
		"\"payload\": %u, \"se\": %u, \"migreq\": %u, \"ackreq\": %u, \"fecn\": %u,"
		"\"becn\": %u, \"pkey\": %u, \"dqpn\": %u, \"psn\": %u",
		ref->name, ref->headers, pkt->opcode, pkt->pad, pkt->payload, pkt->se,
		pkt->migreq, pkt->ackreq, pkt->fecn, pkt->becn, pkt->pkey, pkt->dqpn, pkt->psn);
	fprintf(json, ", \"va\": %llu, \"rkey\": %u, \"dmalen\": %u, \"swap_add\": %llu,"
		"\"compare\": %llu, \"syndrome\": %u, \"msn\": %u, \"orig\": %llu, \"qkey\": %u,"
		"\"sqpn\": %u, \"imm\": %u, \"inv_rkey\": %u, \"flush\": %u}\n",
		(unsigned long long)pkt->va, pkt->rkey, pkt->dmalen,
		(unsigned long long)pkt->swap_add, (unsigned long long)pkt->compare,
		pkt->syndrome, pkt->msn, (unsigned long long)pkt->orig, pkt->qkey, pkt->sqpn,
		__be32_to_cpu(pkt->imm), pkt->inv_rkey, pkt->flush_sel << 4 | pkt->flush_plt);
}

static void write_all(FILE *pcap, FILE *json)
{
	struct frame frame;
	struct rxe_pkt pkt;
	size_t i;
	int round;

	for (i = 0; i < ARRAY_SIZE(ref_opcodes); i++)
		for (round = 0; round < ROUNDS; round++) {
			ref_random(&ref_opcodes[i], &pkt);
			make_frame(&frame, &pkt, round & 1);
			write_frame(pcap, &frame);
			write_fields(json, &ref_opcodes[i], &pkt);
		}
}

int main(int argc, char **argv)
{
	/* magic, version 2.4, zone, accuracy, longest packet, Ethernet */
	static const u32 header[6] = { 0xa1b2c3d4, 2 | 4 << 16, 0, 0, 65535, 1 };
	FILE *pcap, *json;

	if (argc != 3)
		return 2;
	pcap = fopen(argv[1], "wb");
	json = fopen(argv[2], "w");
	if (!pcap || !json)
		return 1;
	fwrite(header, sizeof(header), 1, pcap);
	write_all(pcap, json);
	return fclose(pcap) || fclose(json);
}
