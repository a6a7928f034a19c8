// SPDX-License-Identifier: GPL-2.0
/*
 * One row for each BTH opcode, and the way back from a message to its opcodes.
 * Code elsewhere asks the row; it doesn't compare opcodes.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/types.h>

#include "wire.h"

/* The low five bits of an opcode; the transport is above. */
enum {
	SEND_FIRST	= 0x00,
	SEND_MIDDLE	= 0x01,
	SEND_LAST	= 0x02,
	SEND_LAST_IMM	= 0x03,
	SEND_ONLY	= 0x04,
	SEND_ONLY_IMM	= 0x05,
	WRITE_FIRST	= 0x06,
	WRITE_MIDDLE	= 0x07,
	WRITE_LAST	= 0x08,
	WRITE_LAST_IMM	= 0x09,
	WRITE_ONLY	= 0x0a,
	WRITE_ONLY_IMM	= 0x0b,
	READ_REQUEST	= 0x0c,
	READ_RESP_FIRST	= 0x0d,
	READ_RESP_MIDDLE = 0x0e,
	READ_RESP_LAST	= 0x0f,
	READ_RESP_ONLY	= 0x10,
	ACKNOWLEDGE	= 0x11,
	ATOMIC_ACK	= 0x12,
	CMP_SWAP	= 0x13,
	FETCH_ADD	= 0x14,
	SEND_LAST_INV	= 0x16,
	SEND_ONLY_INV	= 0x17,
	FLUSH		= 0x1c,
	ATOMIC_WRITE	= 0x1d,
	NO_OP		= 0x1f,		/* no transport has it */

	CNP		= 0x01,		/* of RXE_CC */
};

#define FIRST		RXE_OP_FIRST
#define MIDDLE		0
#define LAST		RXE_OP_LAST
#define ONLY		(RXE_OP_FIRST | RXE_OP_LAST)

#define SEND_FLAGS	(RXE_OP_REQUEST | RXE_OP_PAYLOAD | RXE_OP_RWQE)
#define WRITE_FLAGS	(RXE_OP_REQUEST | RXE_OP_PAYLOAD)
#define FETCH_FLAGS	(RXE_OP_REQUEST | RXE_OP_RDATOM)

#define HDR_BYTES(hdrs)							\
	(RXE_BTH_BYTES +						\
	 ((hdrs) & RXE_HDR_DETH ? RXE_DETH_BYTES : 0) +			\
	 ((hdrs) & RXE_HDR_FETH ? RXE_FETH_BYTES : 0) +			\
	 ((hdrs) & RXE_HDR_RETH ? RXE_RETH_BYTES : 0) +			\
	 ((hdrs) & RXE_HDR_ATOMIC ? RXE_ATOMIC_BYTES : 0) +		\
	 ((hdrs) & RXE_HDR_AETH ? RXE_AETH_BYTES : 0) +			\
	 ((hdrs) & RXE_HDR_ATOMACK ? RXE_ATOMACK_BYTES : 0) +		\
	 ((hdrs) & RXE_HDR_IMM ? RXE_IMM_BYTES : 0) +			\
	 ((hdrs) & RXE_HDR_IETH ? RXE_IETH_BYTES : 0) +			\
	 ((hdrs) & RXE_HDR_CNP ? RXE_CNP_BYTES : 0))

static_assert(HDR_BYTES(RXE_HDR_ATOMIC) == RXE_MAX_HDR_BYTES);

#define ROW(_opcode, _name, _msg, _hdrs, _flags)			\
	[_opcode] = {							\
		.name = _name,						\
		.hdrs = _hdrs,						\
		.flags = RXE_OP_VALID | (_flags),			\
		.msg = RXE_MSG_##_msg,					\
		.hdr_bytes = HDR_BYTES(_hdrs) +				\
			BUILD_BUG_ON_ZERO(HDR_BYTES(_hdrs) > RXE_MAX_HDR_BYTES), \
	}

/* What RC and UC have in common. */
#define CONNECTED_ROWS(t)						\
	ROW(RXE_##t | SEND_FIRST, #t " SEND First",			\
	    SEND, 0, FIRST | SEND_FLAGS),				\
	ROW(RXE_##t | SEND_MIDDLE, #t " SEND Middle",			\
	    SEND, 0, MIDDLE | SEND_FLAGS),				\
	ROW(RXE_##t | SEND_LAST, #t " SEND Last",			\
	    SEND, 0, LAST | SEND_FLAGS),				\
	ROW(RXE_##t | SEND_LAST_IMM, #t " SEND Last with Immediate",	\
	    SEND_IMM, RXE_HDR_IMM, LAST | SEND_FLAGS),			\
	ROW(RXE_##t | SEND_ONLY, #t " SEND Only",			\
	    SEND, 0, ONLY | SEND_FLAGS),				\
	ROW(RXE_##t | SEND_ONLY_IMM, #t " SEND Only with Immediate",	\
	    SEND_IMM, RXE_HDR_IMM, ONLY | SEND_FLAGS),			\
	ROW(RXE_##t | WRITE_FIRST, #t " RDMA WRITE First",		\
	    WRITE, RXE_HDR_RETH, FIRST | WRITE_FLAGS),			\
	ROW(RXE_##t | WRITE_MIDDLE, #t " RDMA WRITE Middle",		\
	    WRITE, 0, MIDDLE | WRITE_FLAGS),				\
	ROW(RXE_##t | WRITE_LAST, #t " RDMA WRITE Last",		\
	    WRITE, 0, LAST | WRITE_FLAGS),				\
	ROW(RXE_##t | WRITE_LAST_IMM, #t " RDMA WRITE Last with Immediate", \
	    WRITE_IMM, RXE_HDR_IMM, LAST | WRITE_FLAGS | RXE_OP_RWQE),	\
	ROW(RXE_##t | WRITE_ONLY, #t " RDMA WRITE Only",		\
	    WRITE, RXE_HDR_RETH, ONLY | WRITE_FLAGS),			\
	ROW(RXE_##t | WRITE_ONLY_IMM, #t " RDMA WRITE Only with Immediate", \
	    WRITE_IMM, RXE_HDR_RETH | RXE_HDR_IMM,			\
	    ONLY | WRITE_FLAGS | RXE_OP_RWQE)

/*
 * All opcodes, annex A19's among them; rows that aren't listed have no flags.
 * The answer to a FLUSH or ATOMIC WRITE is a READ Response Only without payload.
 */
const struct rxe_opcode rxe_opcodes[256] = {
	CONNECTED_ROWS(RC),
	ROW(RXE_RC | READ_REQUEST, "RC RDMA READ Request",
	    READ, RXE_HDR_RETH, ONLY | FETCH_FLAGS),
	ROW(RXE_RC | READ_RESP_FIRST, "RC RDMA READ Response First",
	    READ_RESP, RXE_HDR_AETH, FIRST | RXE_OP_PAYLOAD),
	ROW(RXE_RC | READ_RESP_MIDDLE, "RC RDMA READ Response Middle",
	    READ_RESP, 0, MIDDLE | RXE_OP_PAYLOAD),
	ROW(RXE_RC | READ_RESP_LAST, "RC RDMA READ Response Last",
	    READ_RESP, RXE_HDR_AETH, LAST | RXE_OP_PAYLOAD),
	ROW(RXE_RC | READ_RESP_ONLY, "RC RDMA READ Response Only",
	    READ_RESP, RXE_HDR_AETH, ONLY | RXE_OP_PAYLOAD),
	ROW(RXE_RC | ACKNOWLEDGE, "RC Acknowledge",
	    ACK, RXE_HDR_AETH, ONLY),
	ROW(RXE_RC | ATOMIC_ACK, "RC ATOMIC Acknowledge",
	    ATOMIC_ACK, RXE_HDR_AETH | RXE_HDR_ATOMACK, ONLY),
	ROW(RXE_RC | CMP_SWAP, "RC CmpSwap",
	    CMP_SWAP, RXE_HDR_ATOMIC, ONLY | FETCH_FLAGS),
	ROW(RXE_RC | FETCH_ADD, "RC FetchAdd",
	    FETCH_ADD, RXE_HDR_ATOMIC, ONLY | FETCH_FLAGS),
	ROW(RXE_RC | SEND_LAST_INV, "RC SEND Last with Invalidate",
	    SEND_INV, RXE_HDR_IETH, LAST | SEND_FLAGS),
	ROW(RXE_RC | SEND_ONLY_INV, "RC SEND Only with Invalidate",
	    SEND_INV, RXE_HDR_IETH, ONLY | SEND_FLAGS),
	ROW(RXE_RC | FLUSH, "RC FLUSH",
	    FLUSH, RXE_HDR_FETH | RXE_HDR_RETH, ONLY | FETCH_FLAGS),
	ROW(RXE_RC | ATOMIC_WRITE, "RC ATOMIC WRITE",
	    ATOMIC_WRITE, RXE_HDR_RETH, ONLY | FETCH_FLAGS | RXE_OP_PAYLOAD),

	CONNECTED_ROWS(UC),

	ROW(RXE_UD | SEND_ONLY, "UD SEND Only",
	    SEND, RXE_HDR_DETH, ONLY | SEND_FLAGS),
	ROW(RXE_UD | SEND_ONLY_IMM, "UD SEND Only with Immediate",
	    SEND_IMM, RXE_HDR_DETH | RXE_HDR_IMM, ONLY | SEND_FLAGS),

	ROW(RXE_CC | CNP, "CNP",
	    CNP, RXE_HDR_CNP, ONLY),
};

/* Operations by message, and by place in it: Middle, Last, First, Only. */
#define SINGLE(op)	{ NO_OP, NO_OP, NO_OP, op }

static const u8 operations[][4] = {
	[RXE_MSG_NONE]		= SINGLE(NO_OP),
	[RXE_MSG_SEND]		= { SEND_MIDDLE, SEND_LAST, SEND_FIRST, SEND_ONLY },
	[RXE_MSG_SEND_IMM]	= { SEND_MIDDLE, SEND_LAST_IMM, SEND_FIRST, SEND_ONLY_IMM },
	[RXE_MSG_SEND_INV]	= { SEND_MIDDLE, SEND_LAST_INV, SEND_FIRST, SEND_ONLY_INV },
	[RXE_MSG_WRITE]		= { WRITE_MIDDLE, WRITE_LAST, WRITE_FIRST, WRITE_ONLY },
	[RXE_MSG_WRITE_IMM]	= { WRITE_MIDDLE, WRITE_LAST_IMM, WRITE_FIRST, WRITE_ONLY_IMM },
	[RXE_MSG_READ]		= SINGLE(READ_REQUEST),
	[RXE_MSG_READ_RESP]	= { READ_RESP_MIDDLE, READ_RESP_LAST,
				    READ_RESP_FIRST, READ_RESP_ONLY },
	[RXE_MSG_CMP_SWAP]	= SINGLE(CMP_SWAP),
	[RXE_MSG_FETCH_ADD]	= SINGLE(FETCH_ADD),
	[RXE_MSG_FLUSH]		= SINGLE(FLUSH),
	[RXE_MSG_ATOMIC_WRITE]	= SINGLE(ATOMIC_WRITE),
	[RXE_MSG_ACK]		= SINGLE(ACKNOWLEDGE),
	[RXE_MSG_ATOMIC_ACK]	= SINGLE(ATOMIC_ACK),
	[RXE_MSG_CNP]		= SINGLE(CNP),
};

static const struct rxe_opcode *row_of(enum rxe_transport transport, u8 operation)
{
	return &rxe_opcodes[(transport & RXE_TRANSPORT_MASK) | operation];
}

/* A transport that has a message has it in one packet, at least. */
static bool has_message(enum rxe_transport transport, enum rxe_msg msg)
{
	const struct rxe_opcode *row = row_of(transport, operations[msg][3]);

	return (row->flags & RXE_OP_VALID) && row->msg == msg;
}

/**
 * rxe_opcode_encode() - find the opcode of one packet of a message
 * @transport: of the QP
 * @msg: the whole message
 * @first: the packet starts the message
 * @last: the packet ends it
 *
 * A message with immediate or invalidate looks like one without until its end.
 *
 * Return: the opcode, or -1 if that transport has none.
 */
int rxe_opcode_encode(enum rxe_transport transport, enum rxe_msg msg, bool first, bool last)
{
	const struct rxe_opcode *row;

	if (msg >= ARRAY_SIZE(operations) || !has_message(transport, msg))
		return -1;
	row = row_of(transport, operations[msg][2 * first + last]);
	return row->flags & RXE_OP_VALID ? (int)(row - rxe_opcodes) : -1;
}
