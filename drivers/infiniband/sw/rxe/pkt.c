// SPDX-License-Identifier: GPL-2.0
/*
 * Headers to struct rxe_pkt and back.  Parsing is the only place that reads
 * headers from the wire, so all checks that need no QP are here.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#include "wire.h"

/* Byte 1 of the BTH. */
#define BTH_SE		0x80
#define BTH_MIGREQ	0x40
#define BTH_PAD_SHIFT	4
#define BTH_PAD_MASK	0x03
#define BTH_TVER	0x0f
/* Byte 4. */
#define BTH_FECN	0x80
#define BTH_BECN	0x40
/* Byte 8. */
#define BTH_ACKREQ	0x80

/* The last byte of the FETH. */
#define FETH_SEL_SHIFT	4
#define FETH_SEL_MASK	0x03
#define FETH_PLT_MASK	0x0f

/* Names of enum rxe_drop, for counters and traces. */
const char *const rxe_drop_names[RXE_DROP_NUM] = {
	[RXE_DROP_NONE]		= "none",
	[RXE_DROP_SHORT]	= "short",
	[RXE_DROP_OPCODE]	= "opcode",
	[RXE_DROP_TVER]		= "tver",
	[RXE_DROP_PAD]		= "pad",
	[RXE_DROP_PAYLOAD]	= "payload",
	[RXE_DROP_ICRC]		= "icrc",
	[RXE_DROP_GID]		= "gid",
	[RXE_DROP_QPN]		= "qpn",
	[RXE_DROP_STATE]	= "state",
	[RXE_DROP_TRANSPORT]	= "transport",
	[RXE_DROP_ADDR]		= "addr",
	[RXE_DROP_PKEY]		= "pkey",
	[RXE_DROP_QKEY]		= "qkey",
	[RXE_DROP_QUEUE]	= "queue",
	[RXE_DROP_PSN]		= "psn",
	[RXE_DROP_MSG]		= "msg",
	[RXE_DROP_PORT]		= "port",
	[RXE_DROP_NOMEM]	= "nomem",
	[RXE_DROP_MCAST]	= "mcast",
};

static void get_bth(struct rxe_pkt *pkt, const u8 *p)
{
	pkt->opcode = p[0];
	pkt->se = p[1] & BTH_SE;
	pkt->migreq = p[1] & BTH_MIGREQ;
	pkt->pad = p[1] >> BTH_PAD_SHIFT & BTH_PAD_MASK;
	pkt->pkey = get_unaligned_be16(p + 2);
	pkt->fecn = p[4] & BTH_FECN;
	pkt->becn = p[4] & BTH_BECN;
	pkt->dqpn = get_unaligned_be32(p + 4) & RXE_QPN_MASK;
	pkt->ackreq = p[8] & BTH_ACKREQ;
	pkt->psn = get_unaligned_be32(p + 8) & RXE_PSN_MASK;
}

static u8 *put_bth(const struct rxe_pkt *pkt, u8 *p)
{
	u8 pad = -pkt->payload & BTH_PAD_MASK;

	/* 24 bits each; the bytes above are written last */
	put_unaligned_be32(pkt->dqpn, p + 4);
	put_unaligned_be32(pkt->psn, p + 8);
	p[0] = pkt->opcode;
	p[1] = (pkt->se ? BTH_SE : 0) | (pkt->migreq ? BTH_MIGREQ : 0) | pad << BTH_PAD_SHIFT;
	put_unaligned_be16(pkt->pkey, p + 2);
	p[4] = (pkt->fecn ? BTH_FECN : 0) | (pkt->becn ? BTH_BECN : 0);
	p[8] = pkt->ackreq ? BTH_ACKREQ : 0;
	return p + RXE_BTH_BYTES;
}

static const u8 *get_deth(struct rxe_pkt *pkt, const u8 *p)
{
	pkt->qkey = get_unaligned_be32(p);
	pkt->sqpn = get_unaligned_be32(p + 4) & RXE_QPN_MASK;
	return p + RXE_DETH_BYTES;
}

static u8 *put_deth(const struct rxe_pkt *pkt, u8 *p)
{
	put_unaligned_be32(pkt->qkey, p);
	put_unaligned_be32(pkt->sqpn & RXE_QPN_MASK, p + 4);
	return p + RXE_DETH_BYTES;
}

static const u8 *get_feth(struct rxe_pkt *pkt, const u8 *p)
{
	pkt->flush_sel = p[3] >> FETH_SEL_SHIFT & FETH_SEL_MASK;
	pkt->flush_plt = p[3] & FETH_PLT_MASK;
	return p + RXE_FETH_BYTES;
}

static u8 *put_feth(const struct rxe_pkt *pkt, u8 *p)
{
	memset(p, 0, 3);
	p[3] = (pkt->flush_sel & FETH_SEL_MASK) << FETH_SEL_SHIFT |
	       (pkt->flush_plt & FETH_PLT_MASK);
	return p + RXE_FETH_BYTES;
}

static const u8 *get_reth(struct rxe_pkt *pkt, const u8 *p)
{
	pkt->va = get_unaligned_be64(p);
	pkt->rkey = get_unaligned_be32(p + 8);
	pkt->dmalen = get_unaligned_be32(p + 12);
	return p + RXE_RETH_BYTES;
}

static u8 *put_reth(const struct rxe_pkt *pkt, u8 *p)
{
	put_unaligned_be64(pkt->va, p);
	put_unaligned_be32(pkt->rkey, p + 8);
	put_unaligned_be32(pkt->dmalen, p + 12);
	return p + RXE_RETH_BYTES;
}

static const u8 *get_atomic(struct rxe_pkt *pkt, const u8 *p)
{
	pkt->va = get_unaligned_be64(p);
	pkt->rkey = get_unaligned_be32(p + 8);
	pkt->swap_add = get_unaligned_be64(p + 12);
	pkt->compare = get_unaligned_be64(p + 20);
	return p + RXE_ATOMIC_BYTES;
}

static u8 *put_atomic(const struct rxe_pkt *pkt, u8 *p)
{
	put_unaligned_be64(pkt->va, p);
	put_unaligned_be32(pkt->rkey, p + 8);
	put_unaligned_be64(pkt->swap_add, p + 12);
	put_unaligned_be64(pkt->compare, p + 20);
	return p + RXE_ATOMIC_BYTES;
}

static const u8 *get_aeth(struct rxe_pkt *pkt, const u8 *p)
{
	pkt->syndrome = p[0];
	pkt->msn = get_unaligned_be32(p) & RXE_PSN_MASK;
	return p + RXE_AETH_BYTES;
}

static u8 *put_aeth(const struct rxe_pkt *pkt, u8 *p)
{
	put_unaligned_be32((u32)pkt->syndrome << 24 | (pkt->msn & RXE_PSN_MASK), p);
	return p + RXE_AETH_BYTES;
}

static const u8 *get_atomack(struct rxe_pkt *pkt, const u8 *p)
{
	pkt->orig = get_unaligned_be64(p);
	return p + RXE_ATOMACK_BYTES;
}

static u8 *put_atomack(const struct rxe_pkt *pkt, u8 *p)
{
	put_unaligned_be64(pkt->orig, p);
	return p + RXE_ATOMACK_BYTES;
}

static const u8 *get_imm(struct rxe_pkt *pkt, const u8 *p)
{
	memcpy(&pkt->imm, p, RXE_IMM_BYTES);
	return p + RXE_IMM_BYTES;
}

static u8 *put_imm(const struct rxe_pkt *pkt, u8 *p)
{
	memcpy(p, &pkt->imm, RXE_IMM_BYTES);
	return p + RXE_IMM_BYTES;
}

static const u8 *get_ieth(struct rxe_pkt *pkt, const u8 *p)
{
	pkt->inv_rkey = get_unaligned_be32(p);
	return p + RXE_IETH_BYTES;
}

static u8 *put_ieth(const struct rxe_pkt *pkt, u8 *p)
{
	put_unaligned_be32(pkt->inv_rkey, p);
	return p + RXE_IETH_BYTES;
}

/* In the order of enum rxe_hdr, which is that of the wire. */
static void get_extensions(struct rxe_pkt *pkt, const u8 *p, u16 hdrs)
{
	if (hdrs & RXE_HDR_DETH)
		p = get_deth(pkt, p);
	if (hdrs & RXE_HDR_FETH)
		p = get_feth(pkt, p);
	if (hdrs & RXE_HDR_RETH)
		p = get_reth(pkt, p);
	if (hdrs & RXE_HDR_ATOMIC)
		p = get_atomic(pkt, p);
	if (hdrs & RXE_HDR_AETH)
		p = get_aeth(pkt, p);
	if (hdrs & RXE_HDR_ATOMACK)
		p = get_atomack(pkt, p);
	if (hdrs & RXE_HDR_IMM)
		p = get_imm(pkt, p);
	if (hdrs & RXE_HDR_IETH)
		p = get_ieth(pkt, p);
}

static void put_extensions(const struct rxe_pkt *pkt, u8 *p, u16 hdrs)
{
	if (hdrs & RXE_HDR_DETH)
		p = put_deth(pkt, p);
	if (hdrs & RXE_HDR_FETH)
		p = put_feth(pkt, p);
	if (hdrs & RXE_HDR_RETH)
		p = put_reth(pkt, p);
	if (hdrs & RXE_HDR_ATOMIC)
		p = put_atomic(pkt, p);
	if (hdrs & RXE_HDR_AETH)
		p = put_aeth(pkt, p);
	if (hdrs & RXE_HDR_ATOMACK)
		p = put_atomack(pkt, p);
	if (hdrs & RXE_HDR_IMM)
		p = put_imm(pkt, p);
	if (hdrs & RXE_HDR_IETH)
		p = put_ieth(pkt, p);
	if (hdrs & RXE_HDR_CNP)
		memset(p, 0, RXE_CNP_BYTES);
}

static enum rxe_drop check_bth(const u8 *bth)
{
	if (!(rxe_opcodes[bth[0]].flags & RXE_OP_VALID))
		return RXE_DROP_OPCODE;
	return bth[1] & BTH_TVER ? RXE_DROP_TVER : RXE_DROP_NONE;
}

/*
 * What can be said without the path MTU: C9-92 and, for ATOMIC WRITE, oA19-28
 * are checked by the QP.  Neither is a FLUSH with payload dropped here, since
 * the responder has to refuse it by a NAK (oA19-2).
 */
static enum rxe_drop check_payload(const struct rxe_pkt *pkt, const struct rxe_opcode *op)
{
	if (pkt->payload && !(op->flags & RXE_OP_PAYLOAD) && op->msg != RXE_MSG_FLUSH)
		return RXE_DROP_PAYLOAD;
	if (!pkt->payload && !(op->flags & RXE_OP_LAST))
		return RXE_DROP_PAYLOAD;
	return RXE_DROP_NONE;
}

/* @body: payload and pad */
static enum rxe_drop get_length(struct rxe_pkt *pkt, const struct rxe_opcode *op, size_t body)
{
	if (body % 4 || body < pkt->pad)
		return RXE_DROP_PAD;
	pkt->payload = body - pkt->pad;
	return check_payload(pkt, op);
}

/**
 * rxe_pkt_parse() - decode BTH and extension headers
 * @pkt: filled
 * @bth: the packet from the BTH on; @avail bytes may be read there
 * @avail: at least min(@len, RXE_MAX_HDR_BYTES)
 * @len: UDP payload: BTH to ICRC, in bytes
 *
 * Return: RXE_DROP_NONE, or why the packet can't be one; @pkt is undefined then.
 */
enum rxe_drop rxe_pkt_parse(struct rxe_pkt *pkt, const void *bth, size_t avail, size_t len)
{
	const struct rxe_opcode *op;
	enum rxe_drop drop;

	if (len < RXE_BTH_BYTES + RXE_ICRC_BYTES || avail < RXE_BTH_BYTES)
		return RXE_DROP_SHORT;
	drop = check_bth(bth);
	if (drop)
		return drop;
	op = &rxe_opcodes[*(const u8 *)bth];
	if (len < op->hdr_bytes + RXE_ICRC_BYTES || avail < op->hdr_bytes)
		return RXE_DROP_SHORT;
	get_bth(pkt, bth);
	get_extensions(pkt, bth + RXE_BTH_BYTES, op->hdrs);
	return get_length(pkt, op, len - op->hdr_bytes - RXE_ICRC_BYTES);
}

/**
 * rxe_pkt_build() - write BTH and extension headers
 * @pkt: what to write; @pkt->pad is derived from @pkt->payload, not read
 * @bth: room for rxe_opcodes[pkt->opcode].hdr_bytes
 *
 * Return: bytes written; 0 if there is no such opcode.
 */
unsigned int rxe_pkt_build(const struct rxe_pkt *pkt, void *bth)
{
	const struct rxe_opcode *op = &rxe_opcodes[pkt->opcode];

	if (!(op->flags & RXE_OP_VALID))
		return 0;
	put_extensions(pkt, put_bth(pkt, bth), op->hdrs);
	return op->hdr_bytes;
}
