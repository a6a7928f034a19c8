/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What requester, roads and responder hand each other.
 */
#ifndef RXE_BURST_H
#define RXE_BURST_H

/* How packets come and go. */
enum rxe_road {
	RXE_ROAD_NONE,
	RXE_ROAD_WIRE,		/* through the IP stack */
	RXE_ROAD_PACKET,	/* local, as packets: shown to taps, then to the peer's inbox */
	RXE_ROAD_REF,		/* local, payload by reference */
};

/**
 * struct rxe_burst - consecutive packets of one message
 * @pkt: headers of the first packet; opcodes of all follow from @msg, @starts,
 *	 @ends and the transport (rxe_opcode_encode()); @pkt.ackreq is asked of the last
 * @msg: enum rxe_msg
 * @starts: it begins the message
 * @ends: it ends the message
 * @via: enum rxe_road
 * @npkts: packets, PSNs pkt.psn .. pkt.psn + npkts - 1 (READ request: one packet,
 *	   though its answer takes npkts PSNs)
 * @len: payload bytes over all packets
 * @data: where the payload is (NULL if @len is 0)
 * @sink: READ by reference: where the answer goes
 * @skb: received: the packet (headers for GRH, addresses)
 * @path: by reference: the sender's addresses
 */
struct rxe_burst {
	struct rxe_pkt pkt;
	u8 msg;
	bool starts;
	bool ends;
	u8 via;
	u32 npkts;
	u32 len;
	struct rxe_iter *data;
	struct rxe_iter *sink;
	struct sk_buff *skb;
	const struct rxe_path *path;
};

/**
 * struct rxe_reply - a responder's answer to a burst by reference
 * @msg: RXE_MSG_ACK, RXE_MSG_ATOMIC_ACK, RXE_MSG_READ_RESP, or NONE (dropped)
 * @syndrome: of the AETH
 * @psn: answered
 * @msn: of the AETH
 * @orig: atomic: the value before
 * @read: bytes placed in the sink
 */
struct rxe_reply {
	u8 msg;
	u8 syndrome;
	u32 psn;
	u32 msn;
	u64 orig;
	u32 read;
};

/* What the responder makes of a request (resp.c says what follows from each). */
enum rxe_verdict {
	RXE_V_OK,		/* executed; acknowledge if asked */
	RXE_V_ANSWER,		/* executed; the reply is filled */
	RXE_V_DUP,		/* SEND or WRITE seen before: acknowledge again */
	RXE_V_DROP,
	RXE_V_RNR,
	RXE_V_NAK_SEQ,
	RXE_V_NAK_INV,
	RXE_V_NAK_ACCESS,
	RXE_V_NAK_OP,
	RXE_V_WAIT,		/* pages are being fetched; the side is kicked then */
	RXE_V_LATER,		/* a key is still in use, or a page went: again soon */
};

#endif /* RXE_BURST_H */
