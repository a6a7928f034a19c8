// SPDX-License-Identifier: GPL-2.0
/* The user ABI, against the system's header and against numbers. */
#include <stdlib.h>
#include <string.h>

#include "ktap.h"
#include "uapi_layout.h"

/* As wanted by the library; the members that old headers lack are here only. */
static const struct layout known[] = {
	{ "struct rxe_av", 0, 88 },
	{ "struct rxe_send_wr", 0, 144 },
	{ "struct rxe_send_wr.wr_id", 0, 8 },
	{ "struct rxe_send_wr.opcode", 12, 4 },
	{ "struct rxe_send_wr.send_flags", 16, 4 },
	{ "struct rxe_send_wr.ex.imm_data", 20, 4 },
	{ "struct rxe_send_wr.wr.rdma.remote_addr", 24, 8 },
	{ "struct rxe_send_wr.wr.rdma.rkey", 32, 4 },
	{ "struct rxe_send_wr.wr.atomic.swap", 40, 8 },
	{ "struct rxe_send_wr.wr.atomic.rkey", 48, 4 },
	{ "struct rxe_send_wr.wr.flush.remote_addr", 24, 8 },
	{ "struct rxe_send_wr.wr.flush.length", 32, 4 },
	{ "struct rxe_send_wr.wr.flush.rkey", 36, 4 },
	{ "struct rxe_send_wr.wr.flush.type", 40, 1 },
	{ "struct rxe_send_wr.wr.flush.level", 41, 1 },
	{ "struct rxe_send_wr.wr.ud.ah_num", 36, 4 },
	{ "struct rxe_send_wr.wr.ud.av", 56, 88 },
	{ "struct rxe_send_wr.wr.mw.access", 52, 4 },
	{ "struct rxe_send_wqe", 0, 208 },
	{ "struct rxe_send_wqe.iova", 152, 8 },
	{ "struct rxe_send_wqe.has_rd_atomic", 180, 4 },
	{ "struct rxe_send_wqe.dma", 184, 24 },
	{ "struct rxe_send_wqe.dma.sge", 208, 0 },
	{ "struct rxe_dma_info.atomic_wr", 24, 0 },
	{ "struct rxe_sge", 0, 16 },
	{ "struct rxe_recv_wqe", 0, 40 },
	{ "struct rxe_recv_wqe.dma", 16, 24 },
	{ "struct rxe_queue_buf.producer_index", 128, 4 },
	{ "struct rxe_queue_buf.consumer_index", 256, 4 },
	{ "struct rxe_queue_buf.data", 384, 0 },
	{ "struct mminfo", 0, 16 },
	{ "struct rxe_create_ah_resp", 0, 8 },
	{ "struct rxe_create_cq_resp", 0, 16 },
	{ "struct rxe_resize_cq_resp", 0, 16 },
	{ "struct rxe_create_qp_resp", 0, 32 },
	{ "struct rxe_create_srq_resp", 0, 24 },
	{ "struct rxe_modify_srq_cmd", 0, 8 },
	{ NULL, 0, 0 },
};

static const struct layout *find(const struct layout *in, const char *what)
{
	for (; in->what; in++)
		if (!strcmp(in->what, what))
			return in;
	return NULL;
}

static void compare_with(const struct layout *theirs)
{
	for (; theirs->what; theirs++) {
		const struct layout *ours = find(layout_ours, theirs->what);

		EXPECT_EQ_AT(theirs->what, !!ours, 1);
		if (!ours)
			continue;
		EXPECT_EQ_AT(theirs->what, ours->offset, theirs->offset);
		EXPECT_EQ_AT(theirs->what, ours->size, theirs->size);
	}
}

static void test_system(void)
{
	compare_with(layout_system);
}

static void test_known(void)
{
	compare_with(known);
}

/* A table that lost its rows would agree with all. */
static void test_tables(void)
{
	size_t ours = 0, theirs = 0;

	while (layout_ours[ours].what)
		ours++;
	while (layout_system[theirs].what)
		theirs++;
	EXPECT(theirs > 100);
	EXPECT(ours >= theirs);
}

static const struct ktap_case cases[] = {
	{ "same layout as the system's header", test_system },
	{ "layout in numbers", test_known },
	{ "number of members", test_tables },
};

KTAP_MAIN(cases)
