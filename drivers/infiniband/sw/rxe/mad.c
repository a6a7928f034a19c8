// SPDX-License-Identifier: GPL-2.0
/*
 * Performance management: the port counters that the core reads by MAD to fill
 * /sys/class/infiniband/X/ports/1/counters (IBTA 16.1).
 */
#include <rdma/ib_mad.h>
#include <rdma/ib_pma.h>

#include "rxe.h"

/* Attributes of this class start here in the MAD's data (IBTA 16.1.1). */
#define RXE_PMA_DATA 40

/* A counter that is full stays there (IBTA 16.1.3.5). */
static u64 rxe_pma_read(struct ib_device *ib, unsigned int which, u64 max)
{
	return min(rxe_count_read(rxe_dev(ib), which), max);
}

static void rxe_pma_info(struct ib_class_port_info *info)
{
	info->base_version = IB_MGMT_BASE_VERSION;
	info->class_version = 1;
	info->capability_mask = IB_PMA_CLASS_CAP_EXT_WIDTH;
}

/* Data is counted in units of four bytes. */
static void rxe_pma_counters(struct ib_device *ib, struct ib_pma_portcounters *pma)
{
	pma->link_downed_counter = rxe_pma_read(ib, RXE_CNT_LINK_DOWNED, U8_MAX);
	pma->port_rcv_errors = cpu_to_be16(rxe_pma_read(ib, RXE_CNT_DROP + RXE_DROP_ICRC,
							U16_MAX));
	pma->port_xmit_discards = cpu_to_be16(rxe_pma_read(ib, RXE_CNT_SEND_ERR, U16_MAX));
	pma->port_xmit_data = cpu_to_be32(min_t(u64, U32_MAX,
						rxe_pma_read(ib, RXE_CNT_SENT_BYTES,
							     U64_MAX) / 4));
	pma->port_rcv_data = cpu_to_be32(min_t(u64, U32_MAX,
					       rxe_pma_read(ib, RXE_CNT_RCVD_BYTES,
							    U64_MAX) / 4));
	pma->port_xmit_packets = cpu_to_be32(rxe_pma_read(ib, RXE_CNT_SENT_PKTS, U32_MAX));
	pma->port_rcv_packets = cpu_to_be32(rxe_pma_read(ib, RXE_CNT_RCVD_PKTS, U32_MAX));
}

static void rxe_pma_counters_ext(struct ib_device *ib, struct ib_pma_portcounters_ext *pma)
{
	struct rxe_dev *dev = rxe_dev(ib);

	pma->port_xmit_data = cpu_to_be64(rxe_count_read(dev, RXE_CNT_SENT_BYTES) / 4);
	pma->port_rcv_data = cpu_to_be64(rxe_count_read(dev, RXE_CNT_RCVD_BYTES) / 4);
	pma->port_xmit_packets = cpu_to_be64(rxe_count_read(dev, RXE_CNT_SENT_PKTS));
	pma->port_rcv_packets = cpu_to_be64(rxe_count_read(dev, RXE_CNT_RCVD_PKTS));
}

static int rxe_pma_get(struct ib_device *ib, const struct ib_mad *in, struct ib_mad *out)
{
	void *data = out->data + RXE_PMA_DATA;

	switch (in->mad_hdr.attr_id) {
	case IB_PMA_CLASS_PORT_INFO:
		rxe_pma_info(data);
		break;
	case IB_PMA_PORT_COUNTERS:
		rxe_pma_counters(ib, data);
		break;
	case IB_PMA_PORT_COUNTERS_EXT:
		rxe_pma_counters_ext(ib, data);
		break;
	default:
		out->mad_hdr.status = cpu_to_be16(IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB);
	}
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}

/**
 * rxe_process_mad() - a MAD to this port, from the core or from the network
 * @ib: the device
 * @flags: as the core gives them
 * @port: port number, from 1
 * @wc: where it came from; NULL: from this host
 * @grh: of the request, or NULL
 * @in: the request
 * @out: the answer
 * @out_size: not changed
 * @out_pkey_index: not changed
 *
 * Context: process. Return: IB_MAD_RESULT_*; SUCCESS alone leaves the MAD to
 * the agents.
 */
int rxe_process_mad(struct ib_device *ib, int flags, u32 port, const struct ib_wc *wc,
		    const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out,
		    size_t *out_size, u16 *out_pkey_index)
{
	if (port != 1)
		return IB_MAD_RESULT_FAILURE;
	if (in->mad_hdr.mgmt_class != IB_MGMT_CLASS_PERF_MGMT ||
	    in->mad_hdr.method != IB_MGMT_METHOD_GET)
		return IB_MAD_RESULT_SUCCESS;
	memset(out, 0, sizeof(*out));
	return rxe_pma_get(ib, in, out);
}
