// SPDX-License-Identifier: GPL-2.0
/*
 * Sizes and offsets of the user ABI as the header UAPI_HEADER has them, in a
 * table called LAYOUT. Built once for each header: the structs of both have
 * the same names.
 */
#include <stddef.h>
#include UAPI_HEADER

#include "uapi_layout.h"

#define S_(s)		{ #s, 0, sizeof(s) }
#define M_(s, m, n)	{ #s "." #m, offsetof(s, m), n }
#define S(s)		S_(s)
#define M(s, m)		M_(s, m, sizeof(((s *)0)->m))
#define A(s, m)		M_(s, m, 0)	/* flexible array */

#define AV	struct rxe_av
#define GRH	struct rxe_global_route
#define WR	struct rxe_send_wr
#define DMA	struct rxe_dma_info
#define SWQE	struct rxe_send_wqe
#define RWQE	struct rxe_recv_wqe
#define BUF	struct rxe_queue_buf

const struct layout LAYOUT[] = {
	S(union rxe_gid), M(union rxe_gid, raw), M(union rxe_gid, global.subnet_prefix),
	M(union rxe_gid, global.interface_id),

	S(GRH), M(GRH, dgid), M(GRH, flow_label), M(GRH, sgid_index), M(GRH, hop_limit),
	M(GRH, traffic_class),

	S(AV), M(AV, port_num), M(AV, network_type), M(AV, dmac), M(AV, grh),
	M(AV, sgid_addr), M(AV, sgid_addr._sockaddr_in), M(AV, sgid_addr._sockaddr_in6),
	M(AV, dgid_addr), M(AV, dgid_addr._sockaddr_in), M(AV, dgid_addr._sockaddr_in6),

	S(WR), M(WR, wr_id), M(WR, reserved), M(WR, opcode), M(WR, send_flags),
	M(WR, ex.imm_data), M(WR, ex.invalidate_rkey), M(WR, wr),
	M(WR, wr.rdma), M(WR, wr.rdma.remote_addr), M(WR, wr.rdma.rkey),
	M(WR, wr.rdma.reserved),
	M(WR, wr.atomic), M(WR, wr.atomic.remote_addr), M(WR, wr.atomic.compare_add),
	M(WR, wr.atomic.swap), M(WR, wr.atomic.rkey), M(WR, wr.atomic.reserved),
	M(WR, wr.ud), M(WR, wr.ud.remote_qpn), M(WR, wr.ud.remote_qkey),
	M(WR, wr.ud.pkey_index), M(WR, wr.ud.reserved), M(WR, wr.ud.ah_num),
	M(WR, wr.ud.pad), M(WR, wr.ud.av),
	M(WR, wr.mw), M(WR, wr.mw.addr), M(WR, wr.mw.length), M(WR, wr.mw.mr_lkey),
	M(WR, wr.mw.mw_rkey), M(WR, wr.mw.rkey), M(WR, wr.mw.access),
#ifdef HAVE_FLUSH
	M(WR, wr.flush), M(WR, wr.flush.remote_addr), M(WR, wr.flush.length),
	M(WR, wr.flush.rkey), M(WR, wr.flush.type), M(WR, wr.flush.level),
#endif

	S(struct rxe_sge), M(struct rxe_sge, addr), M(struct rxe_sge, length),
	M(struct rxe_sge, lkey),

	S(DMA), M(DMA, length), M(DMA, resid), M(DMA, cur_sge), M(DMA, num_sge),
	M(DMA, sge_offset), M(DMA, reserved), A(DMA, inline_data), A(DMA, sge),
#ifdef HAVE_ATOMIC_WR
	A(DMA, atomic_wr),
#endif

	S(SWQE), M(SWQE, wr), M(SWQE, status), M(SWQE, state), M(SWQE, iova), M(SWQE, mask),
	M(SWQE, first_psn), M(SWQE, last_psn), M(SWQE, ack_length), M(SWQE, ssn),
	M(SWQE, has_rd_atomic), M(SWQE, dma), A(SWQE, dma.sge),

	S(RWQE), M(RWQE, wr_id), M(RWQE, reserved), M(RWQE, padding), M(RWQE, dma),
	A(RWQE, dma.sge),

	S(BUF), M(BUF, log2_elem_size), M(BUF, index_mask), M(BUF, pad_1),
	M(BUF, producer_index), M(BUF, pad_2), M(BUF, consumer_index), M(BUF, pad_3),
	A(BUF, data),

	S(struct mminfo), M(struct mminfo, offset), M(struct mminfo, size),
	M(struct mminfo, pad),
	S(struct rxe_create_ah_resp), M(struct rxe_create_ah_resp, ah_num),
	M(struct rxe_create_ah_resp, reserved),
	S(struct rxe_create_cq_resp), M(struct rxe_create_cq_resp, mi),
	S(struct rxe_resize_cq_resp), M(struct rxe_resize_cq_resp, mi),
	S(struct rxe_create_qp_resp), M(struct rxe_create_qp_resp, rq_mi),
	M(struct rxe_create_qp_resp, sq_mi),
	S(struct rxe_create_srq_resp), M(struct rxe_create_srq_resp, mi),
	M(struct rxe_create_srq_resp, srq_num), M(struct rxe_create_srq_resp, reserved),
	S(struct rxe_modify_srq_cmd), M(struct rxe_modify_srq_cmd, mmap_info_addr),

	/* constants, as a size */
	{ "RXE_NETWORK_TYPE_IPV4", 0, RXE_NETWORK_TYPE_IPV4 },
	{ "RXE_NETWORK_TYPE_IPV6", 0, RXE_NETWORK_TYPE_IPV6 },
	{ NULL, 0, 0 },
};
