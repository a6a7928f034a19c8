/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * What is on the wire: packet headers, opcodes, PSN arithmetic, timer and
 * credit codes.  Nothing here knows kernel objects; opcode.c, pkt.c and icrc.c
 * are compiled in user space too, by tests/unit.
 *
 * Sources: IBTA Architecture Vol. 1 ch. 9, Annex A17 (RoCE v2), Annex A19
 * (memory placement extensions); layouts as in include/rdma/ib_pack.h.
 */
#ifndef RXE_WIRE_H
#define RXE_WIRE_H

#include <asm/byteorder.h>
#include <linux/types.h>

#define RXE_UDP_PORT		4791
#define RXE_PSN_MASK		0xffffffu
#define RXE_QPN_MASK		0xffffffu
#define RXE_MULTICAST_QPN	0xffffffu
#define RXE_DEFAULT_PKEY	0xffff
#define RXE_MAX_MSG		0x80000000u	/* bytes, C9-94 */

#define RXE_BTH_BYTES		12
#define RXE_ICRC_BYTES		4
#define RXE_GRH_BYTES		40
#define RXE_DETH_BYTES		8
#define RXE_FETH_BYTES		4
#define RXE_RETH_BYTES		16
#define RXE_ATOMIC_BYTES	28
#define RXE_AETH_BYTES		4
#define RXE_ATOMACK_BYTES	8
#define RXE_IMM_BYTES		4
#define RXE_IETH_BYTES		4
#define RXE_CNP_BYTES		16
/* BTH and the longest run of extension headers */
#define RXE_MAX_HDR_BYTES	(RXE_BTH_BYTES + RXE_ATOMIC_BYTES)

/* What a message does, whatever its transport and number of packets. */
enum rxe_msg {
	RXE_MSG_NONE,
	RXE_MSG_SEND,
	RXE_MSG_SEND_IMM,
	RXE_MSG_SEND_INV,
	RXE_MSG_WRITE,
	RXE_MSG_WRITE_IMM,
	RXE_MSG_READ,
	RXE_MSG_READ_RESP,
	RXE_MSG_CMP_SWAP,
	RXE_MSG_FETCH_ADD,
	RXE_MSG_FLUSH,
	RXE_MSG_ATOMIC_WRITE,
	RXE_MSG_ACK,
	RXE_MSG_ATOMIC_ACK,
	RXE_MSG_CNP,
};

enum rxe_transport {
	RXE_RC = 0x00,
	RXE_UC = 0x20,
	RXE_UD = 0x60,
	RXE_CC = 0x80,		/* CNP */
};

#define RXE_TRANSPORT_MASK	0xe0

/* Extension headers, in the order in which they follow the BTH. */
enum rxe_hdr {
	RXE_HDR_DETH	= 1 << 0,
	RXE_HDR_FETH	= 1 << 1,
	RXE_HDR_RETH	= 1 << 2,
	RXE_HDR_ATOMIC	= 1 << 3,
	RXE_HDR_AETH	= 1 << 4,
	RXE_HDR_ATOMACK	= 1 << 5,
	RXE_HDR_IMM	= 1 << 6,
	RXE_HDR_IETH	= 1 << 7,
	RXE_HDR_CNP	= 1 << 8,	/* 16 reserved bytes */
};

enum rxe_opflag {
	RXE_OP_VALID	= 1 << 0,
	RXE_OP_FIRST	= 1 << 1,	/* starts a message: First or Only */
	RXE_OP_LAST	= 1 << 2,	/* ends a message: Last or Only */
	RXE_OP_REQUEST	= 1 << 3,	/* for the responder; else for the send side */
	RXE_OP_PAYLOAD	= 1 << 4,	/* may carry payload */
	/* needs a receive WQE, and uses it up if LAST: SEND, end of WRITE with immediate */
	RXE_OP_RWQE	= 1 << 5,
	/* needs a responder resource: READ, atomics, ATOMIC WRITE, FLUSH */
	RXE_OP_RDATOM	= 1 << 6,
};

/**
 * struct rxe_opcode - one row per BTH opcode
 * @name: as in the IBTA's table, for traces and tests; NULL if not valid
 * @hdrs: RXE_HDR_* that follow the BTH
 * @flags: RXE_OP_*
 * @msg: enum rxe_msg; a First or Middle of SEND/WRITE is RXE_MSG_SEND/WRITE
 *	 (whether it ends with immediate or invalidate is known at its end only)
 * @hdr_bytes: length of BTH and extension headers
 */
struct rxe_opcode {
	const char *name;
	__u16 hdrs;
	__u8 flags;
	__u8 msg;
	__u8 hdr_bytes;
};

extern const struct rxe_opcode rxe_opcodes[256];

/* The opcode of one packet of a message, or -1 if that transport has none. */
int rxe_opcode_encode(enum rxe_transport transport, enum rxe_msg msg, bool first, bool last);

/*
 * The headers of one packet, decoded, in host byte order.  Only the members
 * named by the opcode's header list mean anything.
 */
struct rxe_pkt {
	__u8 opcode;
	__u8 pad;		/* bytes */
	bool se;
	bool migreq;
	bool ackreq;
	bool fecn;
	bool becn;
	__u16 pkey;
	__u32 dqpn;
	__u32 psn;
	__u32 payload;		/* bytes, without pad */
	/* RETH, AtomicETH */
	__u64 va;
	__u32 rkey;
	__u32 dmalen;
	__u64 swap_add;
	__u64 compare;
	/* AETH, AtomicAckETH */
	__u8 syndrome;
	__u32 msn;
	__u64 orig;
	/* DETH */
	__u32 qkey;
	__u32 sqpn;
	__be32 imm;
	__u32 inv_rkey;		/* IETH */
	__u8 flush_sel;		/* FETH: 0 range, 1 whole MR */
	__u8 flush_plt;		/* FETH: bit 0 global visibility, bit 1 persistence */
};

/* Why a packet is refused at the door; each has a counter and a trace name. */
enum rxe_drop {
	RXE_DROP_NONE,
	RXE_DROP_SHORT,		/* shorter than its headers and ICRC */
	RXE_DROP_OPCODE,	/* no such opcode */
	RXE_DROP_TVER,		/* BTH transport version not 0 */
	RXE_DROP_PAD,		/* pad but no payload, or length not a multiple of 4 */
	RXE_DROP_PAYLOAD,	/* payload where the opcode has none, or none where it must */
	RXE_DROP_ICRC,
	RXE_DROP_GID,		/* destination address is no GID of ours */
	RXE_DROP_QPN,		/* no such QP */
	RXE_DROP_STATE,		/* QP does not take packets in its state */
	RXE_DROP_TRANSPORT,	/* opcode of another transport than the QP's */
	RXE_DROP_ADDR,		/* not from the QP's peer */
	RXE_DROP_PKEY,
	RXE_DROP_QKEY,
	RXE_DROP_QUEUE,		/* the QP's inbox is full */
	RXE_DROP_PSN,		/* duplicate or out of sequence, dropped by rule */
	RXE_DROP_MSG,		/* UC/UD: rest of a broken message, no receive, too long */
	RXE_DROP_PORT,		/* port down */
	RXE_DROP_NOMEM,
	RXE_DROP_MCAST,		/* no member of that group */
	RXE_DROP_NUM,
};

extern const char *const rxe_drop_names[RXE_DROP_NUM];

enum rxe_drop rxe_pkt_parse(struct rxe_pkt *pkt, const void *bth, size_t avail, size_t len);
unsigned int rxe_pkt_build(const struct rxe_pkt *pkt, void *bth);

/* ICRC (icrc.c).  A CRC in progress is kept uninverted, as crc32_le() takes it. */
__u32 rxe_icrc_start(const void *iph, const void *udph, const void *bth);
__u32 rxe_icrc_update(__u32 crc, const void *p, size_t len);
__u32 rxe_icrc_copy(__u32 crc, void *dst, const void *src, size_t len);

/* The four bytes as they stand on the wire, least significant first. */
static inline __le32 rxe_icrc_finish(__u32 crc)
{
	return (__force __le32)__cpu_to_le32(~crc);
}

/* PSN arithmetic, modulo 2^24 (IBTA 9.7.2). */
static inline __u32 rxe_psn_add(__u32 psn, __u32 n)
{
	return (psn + n) & RXE_PSN_MASK;
}

/* Distance from b to a, in -2^23 .. 2^23-1: negative if a is before b. */
static inline __s32 rxe_psn_diff(__u32 a, __u32 b)
{
	return (__s32)((a - b) << 8) >> 8;
}

/* AETH syndromes (wire-and-protocol D.5). */
#define RXE_AETH_TYPE		0xe0
#define RXE_AETH_ACK		0x00
#define RXE_AETH_RNR		0x20
#define RXE_AETH_NAK		0x60
#define RXE_AETH_CREDIT_NONE	0x1f
#define RXE_NAK_PSN_SEQ		0x60
#define RXE_NAK_INV_REQ		0x61
#define RXE_NAK_REM_ACCESS	0x62
#define RXE_NAK_REM_OP		0x63

/* Number of packets of a message of len bytes; an empty one takes one packet. */
static inline __u32 rxe_num_packets(__u32 len, __u32 mtu_shift)
{
	return len ? (__u32)(((__u64)len + (1u << mtu_shift) - 1) >> mtu_shift) : 1;
}

/* Timer and credit codes (codes.c). */
__u32 rxe_rnr_code_to_us(__u8 code);
__u64 rxe_ack_timeout_to_ns(__u8 timeout);	/* 0 is "no timer" */
__u32 rxe_credit_decode(__u8 code);		/* RXE_AETH_CREDIT_NONE gives ~0u, "unlimited" */
__u8 rxe_credit_encode(__u32 credits);		/* largest code that promises no more */

#endif /* RXE_WIRE_H */
