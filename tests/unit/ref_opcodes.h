/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The opcodes once more, by hand and in another notation, to compare the
 * driver's table with. A header is a string with one letter for each byte:
 *
 *	V address  R rkey  L DMA length  S swap or add  C compare
 *	Y syndrome  M MSN  O original value  Q Q_Key  P source QPN
 *	I immediate  K key to invalidate  F flush flags  . reserved
 *
 * Flags: F first, L last, q request, p payload, w receive WQE, a resource of
 * READ and atomics.
 */
#ifndef UNIT_REF_OPCODES_H
#define UNIT_REF_OPCODES_H

#include "wire.h"

struct ref_opcode {
	u8 opcode;
	const char *flags;
	enum rxe_msg msg;
	const char *headers;
	const char *name;
};

#define RETH	"VVVVVVVVRRRRLLLL"
#define ATOMIC	"VVVVVVVVRRRRSSSSSSSSCCCCCCCC"

static const struct ref_opcode ref_opcodes[] = {
	{ 0x00, "Fqpw",  RXE_MSG_SEND,	"", "RC SEND First" },
	{ 0x01, "qpw",   RXE_MSG_SEND,	"", "RC SEND Middle" },
	{ 0x02, "Lqpw",  RXE_MSG_SEND,	"", "RC SEND Last" },
	{ 0x03, "Lqpw",  RXE_MSG_SEND_IMM, "IIII", "RC SEND Last with Immediate" },
	{ 0x04, "FLqpw", RXE_MSG_SEND,	"", "RC SEND Only" },
	{ 0x05, "FLqpw", RXE_MSG_SEND_IMM, "IIII", "RC SEND Only with Immediate" },
	{ 0x06, "Fqp",   RXE_MSG_WRITE,	RETH, "RC RDMA WRITE First" },
	{ 0x07, "qp",    RXE_MSG_WRITE,	"", "RC RDMA WRITE Middle" },
	{ 0x08, "Lqp",   RXE_MSG_WRITE,	"", "RC RDMA WRITE Last" },
	{ 0x09, "Lqpw",  RXE_MSG_WRITE_IMM, "IIII", "RC RDMA WRITE Last with Immediate" },
	{ 0x0a, "FLqp",  RXE_MSG_WRITE,	RETH, "RC RDMA WRITE Only" },
	{ 0x0b, "FLqpw", RXE_MSG_WRITE_IMM, RETH "IIII", "RC RDMA WRITE Only with Immediate" },
	{ 0x0c, "FLqa",  RXE_MSG_READ,	RETH, "RC RDMA READ Request" },
	{ 0x0d, "Fp",    RXE_MSG_READ_RESP, "YMMM", "RC RDMA READ Response First" },
	{ 0x0e, "p",     RXE_MSG_READ_RESP, "", "RC RDMA READ Response Middle" },
	{ 0x0f, "Lp",    RXE_MSG_READ_RESP, "YMMM", "RC RDMA READ Response Last" },
	{ 0x10, "FLp",   RXE_MSG_READ_RESP, "YMMM", "RC RDMA READ Response Only" },
	{ 0x11, "FL",    RXE_MSG_ACK,	"YMMM", "RC Acknowledge" },
	{ 0x12, "FL",    RXE_MSG_ATOMIC_ACK, "YMMMOOOOOOOO", "RC ATOMIC Acknowledge" },
	{ 0x13, "FLqa",  RXE_MSG_CMP_SWAP, ATOMIC, "RC CmpSwap" },
	{ 0x14, "FLqa",  RXE_MSG_FETCH_ADD, ATOMIC, "RC FetchAdd" },
	{ 0x16, "Lqpw",  RXE_MSG_SEND_INV, "KKKK", "RC SEND Last with Invalidate" },
	{ 0x17, "FLqpw", RXE_MSG_SEND_INV, "KKKK", "RC SEND Only with Invalidate" },
	{ 0x1c, "FLqa",  RXE_MSG_FLUSH,	"...F" RETH, "RC FLUSH" },
	{ 0x1d, "FLqpa", RXE_MSG_ATOMIC_WRITE, RETH, "RC ATOMIC WRITE" },

	{ 0x20, "Fqpw",  RXE_MSG_SEND,	"", "UC SEND First" },
	{ 0x21, "qpw",   RXE_MSG_SEND,	"", "UC SEND Middle" },
	{ 0x22, "Lqpw",  RXE_MSG_SEND,	"", "UC SEND Last" },
	{ 0x23, "Lqpw",  RXE_MSG_SEND_IMM, "IIII", "UC SEND Last with Immediate" },
	{ 0x24, "FLqpw", RXE_MSG_SEND,	"", "UC SEND Only" },
	{ 0x25, "FLqpw", RXE_MSG_SEND_IMM, "IIII", "UC SEND Only with Immediate" },
	{ 0x26, "Fqp",   RXE_MSG_WRITE,	RETH, "UC RDMA WRITE First" },
	{ 0x27, "qp",    RXE_MSG_WRITE,	"", "UC RDMA WRITE Middle" },
	{ 0x28, "Lqp",   RXE_MSG_WRITE,	"", "UC RDMA WRITE Last" },
	{ 0x29, "Lqpw",  RXE_MSG_WRITE_IMM, "IIII", "UC RDMA WRITE Last with Immediate" },
	{ 0x2a, "FLqp",  RXE_MSG_WRITE,	RETH, "UC RDMA WRITE Only" },
	{ 0x2b, "FLqpw", RXE_MSG_WRITE_IMM, RETH "IIII", "UC RDMA WRITE Only with Immediate" },

	{ 0x64, "FLqpw", RXE_MSG_SEND,	"QQQQ.PPP", "UD SEND Only" },
	{ 0x65, "FLqpw", RXE_MSG_SEND_IMM, "QQQQ.PPPIIII", "UD SEND Only with Immediate" },

	{ 0x81, "FL",    RXE_MSG_CNP,	"................", "CNP" },
};

#undef RETH
#undef ATOMIC

#endif
