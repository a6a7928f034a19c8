// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a port: sums over CPUs of what rxe_count() and rxe_drop() add.
 *
 * The first ones have the names that tools know; then, as dropped_*, one for
 * each reason for which a packet may be refused.
 */
#include "rxe.h"

#define RXE_DROP_DESC(why, text) \
	[RXE_CNT_DROP + RXE_DROP_##why].name = "dropped_" text

static const struct rdma_stat_desc rxe_stat_descs[RXE_CNT_NUM] = {
	[RXE_CNT_SENT_PKTS].name = "sent_pkts",
	[RXE_CNT_RCVD_PKTS].name = "rcvd_pkts",
	[RXE_CNT_DUP_REQ].name = "duplicate_request",
	[RXE_CNT_OUT_OF_SEQ_REQ].name = "out_of_seq_request",
	[RXE_CNT_RCV_RNR].name = "rcvd_rnr_err",
	[RXE_CNT_SND_RNR].name = "send_rnr_err",
	[RXE_CNT_RCV_SEQ_ERR].name = "rcvd_seq_err",
	[RXE_CNT_ACK_DEFERRED].name = "ack_deferred",
	[RXE_CNT_RETRY_EXCEEDED].name = "retry_exceeded_err",
	[RXE_CNT_RNR_RETRY_EXCEEDED].name = "retry_rnr_exceeded_err",
	[RXE_CNT_COMP_RETRY].name = "completer_retry_err",
	[RXE_CNT_SEND_ERR].name = "send_err",
	[RXE_CNT_LINK_DOWNED].name = "link_downed",
	[RXE_CNT_RDMA_SENDS].name = "rdma_sends",
	[RXE_CNT_RDMA_RECVS].name = "rdma_recvs",
	[RXE_CNT_SENT_BYTES].name = "sent_bytes",
	[RXE_CNT_RCVD_BYTES].name = "rcvd_bytes",
	RXE_DROP_DESC(NONE, "other"),
	RXE_DROP_DESC(SHORT, "short"),
	RXE_DROP_DESC(OPCODE, "opcode"),
	RXE_DROP_DESC(TVER, "tver"),
	RXE_DROP_DESC(PAD, "pad"),
	RXE_DROP_DESC(PAYLOAD, "payload"),
	RXE_DROP_DESC(ICRC, "icrc"),
	RXE_DROP_DESC(GID, "gid"),
	RXE_DROP_DESC(QPN, "qpn"),
	RXE_DROP_DESC(STATE, "state"),
	RXE_DROP_DESC(TRANSPORT, "transport"),
	RXE_DROP_DESC(ADDR, "addr"),
	RXE_DROP_DESC(PKEY, "pkey"),
	RXE_DROP_DESC(QKEY, "qkey"),
	RXE_DROP_DESC(QUEUE, "queue"),
	RXE_DROP_DESC(PSN, "psn"),
	RXE_DROP_DESC(MSG, "msg"),
	RXE_DROP_DESC(PORT, "port"),
	RXE_DROP_DESC(NOMEM, "nomem"),
	RXE_DROP_DESC(MCAST, "mcast"),
};

/**
 * rxe_count_read() - the present value of a counter
 * @dev: the device
 * @which: enum rxe_counter, or RXE_CNT_DROP + enum rxe_drop
 *
 * Context: any.
 */
u64 rxe_count_read(struct rxe_dev *dev, unsigned int which)
{
	unsigned int cpu;
	u64 sum = 0;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(dev->stats, cpu)->cnt[which]);
	return sum;
}

struct rdma_hw_stats *rxe_alloc_hw_port_stats(struct ib_device *ib, u32 port)
{
	return rdma_alloc_hw_stats_struct(rxe_stat_descs, RXE_CNT_NUM,
					  RDMA_HW_STATS_DEFAULT_LIFESPAN);
}

int rxe_get_hw_stats(struct ib_device *ib, struct rdma_hw_stats *stats, u32 port, int index)
{
	unsigned int i;

	if (!port || !stats)
		return -EINVAL;
	for (i = 0; i < RXE_CNT_NUM; i++)
		stats->value[i] = rxe_count_read(rxe_dev(ib), i);
	return RXE_CNT_NUM;
}
