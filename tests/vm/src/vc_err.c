// SPDX-License-Identifier: GPL-2.0
/* Operations that fail: with which status, and what becomes of the rest. */
#include "vc.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#define NONE	-1

enum key { KEY_GOOD, KEY_BAD, KEY_OTHER_PD, KEY_READONLY };

struct err_case {
	const char *name;
	enum ibv_wr_opcode op;
	uint32_t size;
	enum key rkey;
	enum key lkey;
	int64_t far;			/* remote offset; -1: wraps around */
	int64_t near;			/* local offset */
	int recv;			/* size of the posted receive, or NONE */
	enum key recv_key;
	struct qp_opts q;		/* of the pair */
	int target_access;		/* of the target's QP, 0: the usual */
	int status;			/* of the first send */
	int recv_status;		/* at the target, or NONE */
};

/* Keys that are wrong in one way each. */
struct keys {
	struct ibv_pd *pd;
	struct ibv_mr *other;
	struct ibv_mr *readonly;
};

static void keys_make(struct end *e, struct keys *k)
{
	int all = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
		  IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;

	k->pd = ibv_alloc_pd(e->ctx);
	k->other = ibv_reg_mr(k->pd, e->buf, e->len, all);
	k->readonly = ibv_reg_mr(e->pd, e->buf, e->len, 0);
	if (!k->other || !k->readonly)
		fail(e, "ibv_reg_mr: %s", strerror(errno));
}

static void keys_drop(struct end *e, struct keys *k)
{
	if (ibv_dereg_mr(k->other) || ibv_dereg_mr(k->readonly) ||
	    ibv_dealloc_pd(k->pd))
		fail(e, "keys: %s", strerror(errno));
}

static uint32_t key(struct end *e, struct keys *k, enum key which)
{
	switch (which) {
	case KEY_BAD:
		return e->mr->lkey ^ 0x5a;
	case KEY_OTHER_PD:
		return k->other->lkey;
	case KEY_READONLY:
		return k->readonly->lkey;
	default:
		return e->mr->lkey;
	}
}

static bool is_atomic(const struct err_case *c)
{
	return c->op == IBV_WR_ATOMIC_CMP_AND_SWP ||
	       c->op == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

static void expect(struct end *e, struct ibv_cq *cq, int status, uint64_t id)
{
	struct ibv_wc wc;

	poll_any(e, cq, &wc);
	if (wc.wr_id != id)
		fail(e, "%s completion of wr_id %llu, should be %llu (%s)",
		     cq == e->scq ? "send" : "receive",
		     (unsigned long long)wc.wr_id, (unsigned long long)id,
		     ibv_wc_status_str(wc.status));
	if ((int)wc.status != status)
		fail(e, "%s completion %llu: '%s', should be '%s'",
		     cq == e->scq ? "send" : "receive", (unsigned long long)id,
		     ibv_wc_status_str(wc.status), ibv_wc_status_str(status));
}

static void expect_state(struct end *e, enum ibv_qp_state want)
{
	enum ibv_qp_state is = qp_state(e);

	if (is != want)
		fail(e, "QP state %d, should be %d", is, want);
}

static void aim(struct end *e, const struct err_case *c, struct ibv_send_wr *wr,
		uint32_t rkey)
{
	uint64_t far = c->far < 0 ? -(uint64_t)1024 : e->peer.addr + c->far;

	if (is_atomic(c)) {
		wr->wr.atomic.remote_addr = far;
		wr->wr.atomic.rkey = rkey;
	} else {
		wr->wr.rdma.remote_addr = far;
		wr->wr.rdma.rkey = rkey;
	}
}

/* The bad request and two good ones behind it, which are flushed. */
static void err_initiator(struct end *e, const struct err_case *c,
			  struct keys *k, uint32_t rkey)
{
	struct ibv_sge sge = { (uintptr_t)e->buf + c->near, c->size,
			       key(e, k, c->lkey) };
	struct ibv_send_wr wr[3] = {
		{ .wr_id = 1, .opcode = c->op, .next = &wr[1],
		  .send_flags = IBV_SEND_SIGNALED, .sg_list = &sge, .num_sge = 1 },
		{ .wr_id = 2, .opcode = IBV_WR_RDMA_WRITE, .next = &wr[2] },
		{ .wr_id = 3, .opcode = IBV_WR_RDMA_WRITE,
		  .send_flags = IBV_SEND_SIGNALED },
	};

	aim(e, c, &wr[0], rkey);
	post(e, wr);
	expect(e, e->scq, c->status, 1);
	if (c->status == IBV_WC_SUCCESS) {
		expect(e, e->scq, IBV_WC_SUCCESS, 3);
		return;
	}
	/* An unsignaled one that fails is told about too (IBA 10.7.3.1). */
	expect(e, e->scq, IBV_WC_WR_FLUSH_ERR, 2);
	expect(e, e->scq, IBV_WC_WR_FLUSH_ERR, 3);
	expect_state(e, IBV_QPS_ERR);
	wr[2].wr_id = 4;
	post(e, &wr[2]);
	expect(e, e->scq, IBV_WC_WR_FLUSH_ERR, 4);
}

static void err_target_posts(struct end *e, const struct err_case *c,
			     struct keys *k)
{
	struct ibv_sge sge = { (uintptr_t)e->buf + 65536, c->recv,
			       key(e, k, c->recv_key) };
	struct ibv_recv_wr *bad, wr[2] = {
		{ .wr_id = 11, .sg_list = &sge, .num_sge = 1, .next = &wr[1] },
		{ .wr_id = 12 },
	};

	if (c->recv != NONE && ibv_post_recv(e->qp, wr, &bad))
		fail(e, "ibv_post_recv");
}

static void err_target_checks(struct end *e, const struct err_case *c)
{
	if (c->recv != NONE && c->recv_status != NONE) {
		expect(e, e->rcq, c->recv_status, 11);
		expect(e, e->rcq, IBV_WC_WR_FLUSH_ERR, 12);
		expect_state(e, IBV_QPS_ERR);
	}
	guard_check(e, NULL, 0, 65536, "memory of a refused request");
}

static void err_run(struct end *e, const struct err_case *c)
{
	struct qp_opts q = c->q;
	struct keys k;
	uint32_t rkey;

	e->what = c->name;
	if (!e->initiator) {
		q.access = c->target_access;
		q.dest_qpn = 0;
	}
	qp_pair(e, &q);
	keys_make(e, &k);
	data_guard(e, 0, 131072);
	rkey = key(e, &k, c->rkey);
	if (!e->initiator) {
		err_target_posts(e, c, &k);
		chan_put(e, &rkey, 4);
	} else {
		chan_get(e, &rkey, 4);
		err_initiator(e, c, &k, rkey);
	}
	barrier(e);
	if (!e->initiator)
		err_target_checks(e, c);
	barrier(e);
	qp_drop(e);
	keys_drop(e, &k);
	e->what = NULL;
}

#define W	IBV_WR_RDMA_WRITE
#define R	IBV_WR_RDMA_READ
#define S	IBV_WR_SEND
#define FA	IBV_WR_ATOMIC_FETCH_AND_ADD
#define ACCESS	IBV_WC_REM_ACCESS_ERR
#define NO_RQ	.recv = NONE, .recv_status = NONE

static const struct err_case err_remote[] = {
	{ "WRITE, bad rkey", W, 100, .rkey = KEY_BAD, .status = ACCESS, NO_RQ },
	{ "WRITE of 8 packets, bad rkey", W, 30000, .rkey = KEY_BAD,
	  .status = ACCESS, NO_RQ },
	{ "READ, bad rkey", R, 100, .rkey = KEY_BAD, .near = 65536,
	  .status = ACCESS, NO_RQ },
	{ "FETCH_ADD, bad rkey", FA, 8, .rkey = KEY_BAD, .near = 65536,
	  .status = ACCESS, NO_RQ },
	{ "WRITE, rkey of another PD", W, 100, .rkey = KEY_OTHER_PD,
	  .status = ACCESS, NO_RQ },
	{ "READ, rkey of another PD", R, 100, .rkey = KEY_OTHER_PD,
	  .near = 65536, .status = ACCESS, NO_RQ },
	{ "WRITE to memory without REMOTE_WRITE", W, 100, .rkey = KEY_READONLY,
	  .status = ACCESS, NO_RQ },
	{ "READ of memory without REMOTE_READ", R, 100, .rkey = KEY_READONLY,
	  .near = 65536, .status = ACCESS, NO_RQ },
	{ "FETCH_ADD on memory without REMOTE_ATOMIC", FA, 8,
	  .rkey = KEY_READONLY, .near = 65536, .status = ACCESS, NO_RQ },
	{ "WRITE beyond the end", W, 100, .far = 1LL << 30, .status = ACCESS,
	  NO_RQ },
	{ "WRITE whose address wraps", W, 4096, .far = -1, .status = ACCESS,
	  NO_RQ },
	{ "READ whose address wraps", R, 4096, .far = -1, .near = 65536,
	  .status = ACCESS, NO_RQ },
	{ "WRITE, the QP allows none", W, 100, .target_access = -1,
	  .status = IBV_WC_REM_INV_REQ_ERR, NO_RQ },
	{ "READ, the QP allows none", R, 100, .target_access = -1,
	  .near = 65536, .status = IBV_WC_REM_INV_REQ_ERR, NO_RQ },
	{ "WRITE of 0 bytes, bad rkey", W, 0, .rkey = KEY_BAD,
	  .status = IBV_WC_SUCCESS, NO_RQ },
	{ "READ of 0 bytes, bad rkey", R, 0, .rkey = KEY_BAD,
	  .status = IBV_WC_SUCCESS, NO_RQ },
	{ }
};

static const struct err_case err_local[] = {
	{ "SEND, bad lkey", S, 100, .lkey = KEY_BAD,
	  .status = IBV_WC_LOC_PROT_ERR, NO_RQ },
	{ "SEND, lkey of another PD", S, 100, .lkey = KEY_OTHER_PD,
	  .status = IBV_WC_LOC_PROT_ERR, NO_RQ },
	{ "WRITE, bad lkey", W, 100, .lkey = KEY_BAD,
	  .status = IBV_WC_LOC_PROT_ERR, NO_RQ },
	{ "WRITE from beyond the memory region", W, 100, .near = 1LL << 30,
	  .status = IBV_WC_LOC_PROT_ERR, NO_RQ },
	{ "READ, bad lkey", R, 100, .lkey = KEY_BAD, .near = 65536,
	  .status = IBV_WC_LOC_PROT_ERR, NO_RQ },
	{ "READ into memory without LOCAL_WRITE", R, 100, .lkey = KEY_READONLY,
	  .near = 65536, .status = IBV_WC_LOC_PROT_ERR, NO_RQ },
	{ "FETCH_ADD, bad lkey", FA, 8, .lkey = KEY_BAD, .far = 70000 & ~7,
	  .near = 65536, .status = IBV_WC_LOC_PROT_ERR, NO_RQ },
	{ }
};

static const struct err_case err_recv[] = {
	{ "SEND, receive too small", S, 200, .recv = 100,
	  .status = IBV_WC_REM_INV_REQ_ERR,
	  .recv_status = IBV_WC_LOC_LEN_ERR },
	{ "SEND of 8 packets, receive too small", S, 30000, .recv = 20000,
	  .status = IBV_WC_REM_INV_REQ_ERR,
	  .recv_status = IBV_WC_LOC_LEN_ERR },
	{ "SEND, receive with a bad lkey", S, 100, .recv = 100,
	  .recv_key = KEY_BAD, .status = IBV_WC_REM_OP_ERR,
	  .recv_status = IBV_WC_LOC_PROT_ERR },
	{ "SEND, receive without LOCAL_WRITE", S, 100, .recv = 100,
	  .recv_key = KEY_READONLY, .status = IBV_WC_REM_OP_ERR,
	  .recv_status = IBV_WC_LOC_PROT_ERR },
	{ "SEND, receive in memory of another PD", S, 100, .recv = 100,
	  .recv_key = KEY_OTHER_PD, .status = IBV_WC_REM_OP_ERR,
	  .recv_status = IBV_WC_LOC_PROT_ERR },
	{ "SEND, no receive, rnr_retry 0", S, 100, .q.rnr_retry = -1,
	  .status = IBV_WC_RNR_RETRY_EXC_ERR, NO_RQ },
	{ "SEND, no receive, rnr_retry 2", S, 100, .q.rnr_retry = 2,
	  .status = IBV_WC_RNR_RETRY_EXC_ERR, NO_RQ },
	{ }
};

static const struct err_case err_lost[] = {
	{ "WRITE to a QP number that does not exist", W, 100,
	  .q = { .dest_qpn = 0xabcdef, .timeout = 8, .retry_cnt = 2 },
	  .status = IBV_WC_RETRY_EXC_ERR, NO_RQ },
	{ "READ from a QP number that does not exist", R, 100, .near = 65536,
	  .q = { .dest_qpn = 0xabcdef, .timeout = 8, .retry_cnt = 2 },
	  .status = IBV_WC_RETRY_EXC_ERR, NO_RQ },
	{ "SEND to a QP number that does not exist", S, 5000,
	  .q = { .dest_qpn = 0xabcdef, .timeout = 8, .retry_cnt = 2 },
	  .status = IBV_WC_RETRY_EXC_ERR, NO_RQ },
	{ }
};

static void err_table(struct end *e, const struct err_case *c)
{
	for (; c->name; c++)
		err_run(e, c);
}

static void run_remote(struct end *e)
{
	err_table(e, err_remote);
}

static void run_local(struct end *e)
{
	err_table(e, err_local);
}

static void run_recv(struct end *e)
{
	err_table(e, err_recv);
}

static void run_lost(struct end *e)
{
	err_table(e, err_lost);
}

/* States: what may be posted, and what becomes of it. */

static int try_send(struct end *e, uint64_t id)
{
	struct ibv_send_wr *bad, wr = {
		.wr_id = id, .opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};

	return ibv_post_send(e->qp, &wr, &bad);
}

static int try_recv(struct end *e, uint64_t id)
{
	struct ibv_recv_wr *bad, wr = { .wr_id = id };

	return ibv_post_recv(e->qp, &wr, &bad);
}

static void want(struct end *e, const char *what, int got, int errno_wanted)
{
	if (got < 0)
		got = -got;
	if (got != errno_wanted)
		fail(e, "%s: %s, should be %s", what, strerror(got),
		     strerror(errno_wanted));
}

static int to_state(struct end *e, enum ibv_qp_state s)
{
	struct ibv_qp_attr a = { .qp_state = s };

	return ibv_modify_qp(e->qp, &a, IBV_QP_STATE);
}

/*
 * The library has moved the ring's producer before the kernel refuses, so what
 * was posted in vain may come out flushed.
 */
static void expect_past_stale(struct end *e, uint64_t id)
{
	struct ibv_wc wc;

	do {
		poll_any(e, e->scq, &wc);
		if (wc.status != IBV_WC_WR_FLUSH_ERR)
			fail(e, "send completion %llu in ERR: %s",
			     (unsigned long long)wc.wr_id,
			     ibv_wc_status_str(wc.status));
	} while (wc.wr_id == 1);
	if (wc.wr_id != id)
		fail(e, "send completion %llu, should be %llu",
		     (unsigned long long)wc.wr_id, (unsigned long long)id);
}

static void states_alone(struct end *e, const struct qp_opts *q)
{
	want(e, "post_send in RESET", try_send(e, 1), EINVAL);
	want(e, "post_recv in RESET", try_recv(e, 1), EINVAL);
	want(e, "RESET to RTR", qp_rtr(e, q), EINVAL);
	want(e, "RESET to RTS", qp_rts(e, q), EINVAL);
	want(e, "RESET to INIT", qp_init(e, q), 0);
	want(e, "post_send in INIT", try_send(e, 1), EINVAL);
	want(e, "post_recv in INIT", try_recv(e, 1), 0);
	want(e, "INIT to RTS", qp_rts(e, q), EINVAL);
	want(e, "INIT to RTR", qp_rtr(e, q), 0);
	want(e, "post_send in RTR", try_send(e, 1), EINVAL);
	want(e, "post_recv in RTR", try_recv(e, 2), 0);
	want(e, "RTR to RTS", qp_rts(e, q), 0);
	want(e, "RTS to ERR", to_state(e, IBV_QPS_ERR), 0);
	expect(e, e->rcq, IBV_WC_WR_FLUSH_ERR, 1);
	expect(e, e->rcq, IBV_WC_WR_FLUSH_ERR, 2);
	want(e, "post_send in ERR", try_send(e, 5), 0);
	expect_past_stale(e, 5);
	want(e, "post_recv in ERR", try_recv(e, 6), 0);
	expect(e, e->rcq, IBV_WC_WR_FLUSH_ERR, 6);
	want(e, "ERR to RESET", to_state(e, IBV_QPS_RESET), 0);
	want(e, "RESET to INIT again", qp_init(e, q), 0);
}

static void run_states(struct end *e)
{
	struct qp_opts q = { .type = IBV_QPT_RC };

	e->what = "QP states";
	qp_pair(e, &q);
	qp_drop(e);
	barrier(e);
	if (e->initiator) {
		qp_make(e, &q);
		/* Some number that is no QP of ours. */
		q.dest_qpn = 0x123456;
		states_alone(e, &q);
	}
	barrier(e);
}

/* Posts that the library or the kernel refuses at once. */

static int post_sges(struct end *e, int n, uint32_t len, int flags)
{
	struct ibv_send_wr *bad, wr = {
		.opcode = IBV_WR_RDMA_WRITE, .num_sge = n,
		.send_flags = flags | IBV_SEND_SIGNALED,
	};
	struct ibv_sge sge[64];
	int i;

	for (i = 0; i < n; i++)
		sge[i] = (struct ibv_sge) { (uintptr_t)e->buf, len,
					    e->mr->lkey };
	wr.sg_list = sge;
	wr.wr.rdma.remote_addr = e->peer.addr;
	wr.wr.rdma.rkey = e->peer.rkey;
	return ibv_post_send(e->qp, &wr, &bad);
}

static int post_unaligned(struct end *e)
{
	struct ibv_sge sge = { (uintptr_t)e->buf, 8, e->mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD, .num_sge = 1,
		.sg_list = &sge, .send_flags = IBV_SEND_SIGNALED,
		.wr.atomic = { .remote_addr = e->peer.addr + 4097,
			       .rkey = e->peer.rkey },
	};

	return ibv_post_send(e->qp, &wr, &bad);
}

static int fill_recv(struct end *e)
{
	int n, rc;

	for (n = 0; n < 4096; n++) {
		rc = try_recv(e, n);
		if (rc)
			return rc;
	}
	return 0;
}

static void run_posts(struct end *e)
{
	struct qp_opts q = { .type = IBV_QPT_RC };
	struct ibv_wc wc;

	e->what = "posts";
	qp_pair(e, &q);
	if (e->initiator) {
		want(e, "64 SGEs", post_sges(e, 64, 1, 0), EINVAL);
		want(e, "inline beyond the maximum",
		     post_sges(e, 1, e->max_inline + 1, IBV_SEND_INLINE), EINVAL);
		want(e, "atomic on an unaligned address", post_unaligned(e),
		     EINVAL);
		want(e, "receives without end", fill_recv(e), ENOMEM);
		want(e, "a good post after all that", post_sges(e, 1, 8, 0), 0);
		poll_ok(e, e->scq, &wc);
	}
	barrier(e);
}

/* UD: a failed send stops the send queue only, and it can be mended. */

static void ud_send(struct end *e, struct ibv_ah *ah, uint64_t id,
		    uint32_t lkey, uint32_t qkey)
{
	struct ibv_sge sge = { (uintptr_t)e->buf, 64, lkey };
	struct ibv_send_wr wr = {
		.wr_id = id, .opcode = IBV_WR_SEND, .sg_list = &sge,
		.num_sge = 1, .send_flags = IBV_SEND_SIGNALED,
		.wr.ud = { ah, e->peer.qpn, qkey },
	};

	post(e, &wr);
}

static void sqe_initiator(struct end *e)
{
	struct ibv_ah *ah = ah_make(e, &e->peer.gid);
	struct ibv_qp_attr a = { .qp_state = IBV_QPS_RTS };

	/* The wrong Q_Key goes out well and is dropped over there. */
	ud_send(e, ah, 1, e->mr->lkey, VC_QKEY + 1);
	expect(e, e->scq, IBV_WC_SUCCESS, 1);
	ud_send(e, ah, 2, e->mr->lkey ^ 0x5a, VC_QKEY);
	expect(e, e->scq, IBV_WC_LOC_PROT_ERR, 2);
	expect_state(e, IBV_QPS_SQE);
	ud_send(e, ah, 3, e->mr->lkey, VC_QKEY);
	expect(e, e->scq, IBV_WC_WR_FLUSH_ERR, 3);
	want(e, "SQE to RTS", ibv_modify_qp(e->qp, &a, IBV_QP_STATE), 0);
	ud_send(e, ah, 4, e->mr->lkey, VC_QKEY);
	expect(e, e->scq, IBV_WC_SUCCESS, 4);
	if (ibv_destroy_ah(ah))
		fail(e, "ibv_destroy_ah");
}

static void run_sqe(struct end *e)
{
	struct qp_opts q = { .type = IBV_QPT_UD };
	struct layout l = { .n = 1, .p[0] = { 4096, 104 } };
	struct ibv_wc wc;

	e->what = "UD errors";
	qp_pair(e, &q);
	if (!e->initiator)
		post_recv(e, &l, 21);
	barrier(e);
	if (e->initiator)
		sqe_initiator(e);
	barrier(e);
	if (!e->initiator)
		expect(e, e->rcq, IBV_WC_SUCCESS, 21);
	if (!e->initiator && poll_for(e, e->rcq, &wc, 20))
		fail(e, "a second message came");
	barrier(e);
}

/* Attributes that cannot be. */

static void bad_objects(struct end *e)
{
	struct ibv_qp_init_attr ia = {
		.send_cq = e->scq, .recv_cq = e->rcq, .qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};
	struct ibv_ah_attr aa = { .port_num = 1 };

	ia.cap.max_send_wr = e->attr.max_qp_wr + 1;
	if (ibv_create_qp(e->pd, &ia))
		fail(e, "create_qp with max_send_wr beyond the maximum");
	ia.cap.max_send_wr = 1;
	ia.cap.max_send_sge = e->attr.max_sge + 1;
	if (ibv_create_qp(e->pd, &ia))
		fail(e, "create_qp with max_send_sge beyond the maximum");
	ia.cap.max_send_sge = 1;
	ia.cap.max_inline_data = 1 << 20;
	if (ibv_create_qp(e->pd, &ia))
		fail(e, "create_qp with 1 MiB inline");
	if (ibv_create_cq(e->ctx, e->attr.max_cqe + 1, NULL, NULL, 0))
		fail(e, "create_cq beyond the maximum");
	if (ibv_reg_mr(e->pd, e->buf, 4096, IBV_ACCESS_REMOTE_WRITE))
		fail(e, "reg_mr with REMOTE_WRITE but not LOCAL_WRITE");
	if (ibv_reg_mr(e->pd, (void *)0x1000, 4096, IBV_ACCESS_LOCAL_WRITE))
		fail(e, "reg_mr of memory that is not there");
	if (ibv_create_ah(e->pd, &aa))
		fail(e, "create_ah without GRH");
	aa.is_global = 1;
	aa.grh.dgid = e->me.gid;
	aa.grh.sgid_index = e->pattr.gid_tbl_len;
	if (ibv_create_ah(e->pd, &aa))
		fail(e, "create_ah with a GID index beyond the table");
}

static int modify_one(struct end *e, int mask, struct ibv_qp_attr a)
{
	return ibv_modify_qp(e->qp, &a, mask);
}

static void bad_modify(struct end *e, const struct qp_opts *q)
{
	struct ibv_qp_attr a = { .qp_state = IBV_QPS_INIT };
	int init = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
		   IBV_QP_ACCESS_FLAGS;

	a.port_num = 7;
	want(e, "INIT on port 7", modify_one(e, init, a), EINVAL);
	a.port_num = 1;
	a.pkey_index = 9;
	want(e, "INIT with P_Key index 9", modify_one(e, init, a), EINVAL);
	want(e, "INIT without a port", modify_one(e, init & ~IBV_QP_PORT, a),
	     EINVAL);
	want(e, "INIT", qp_init(e, q), 0);
	want(e, "RTR", qp_rtr(e, q), 0);
	want(e, "RTS", qp_rts(e, q), 0);
	expect_state(e, IBV_QPS_RTS);
	a.qp_state = 42;
	want(e, "state 42", modify_one(e, IBV_QP_STATE, a), EINVAL);
	a.qp_state = IBV_QPS_RTS;
	want(e, "RTS with a path MTU", modify_one(e, IBV_QP_STATE |
						  IBV_QP_PATH_MTU, a), EINVAL);
	expect_state(e, IBV_QPS_RTS);
}

static void run_attrs(struct end *e)
{
	struct qp_opts q = { .type = IBV_QPT_RC };

	e->what = "attributes";
	qp_pair(e, &q);
	qp_drop(e);
	barrier(e);
	if (e->initiator) {
		bad_objects(e);
		qp_make(e, &q);
		bad_modify(e, &q);
	}
	barrier(e);
}

/* Asynchronous events (IBA 11.6.3). */

static void expect_event(struct end *e, enum ibv_event_type want_type)
{
	struct pollfd pfd = { .fd = e->ctx->async_fd, .events = POLLIN };
	enum ibv_event_type type;
	struct ibv_async_event ev;
	double end = now() + e->o->deadline;

	do {
		if (poll(&pfd, 1, (end - now()) * 1e3) <= 0)
			fail(e, "no event '%s' within %d s",
			     ibv_event_type_str(want_type), e->o->deadline);
		if (ibv_get_async_event(e->ctx, &ev))
			fail(e, "ibv_get_async_event: %s", strerror(errno));
		type = ev.event_type;
		note(e, "event '%s'", ibv_event_type_str(type));
		ibv_ack_async_event(&ev);
	} while (type != want_type);
}

/* The target's QP gets its first packet in RTR, then one it must refuse. */
static void event_access(struct end *e)
{
	struct qp_opts q = { .type = IBV_QPT_RC };
	struct ibv_send_wr wr = { .wr_id = 1, .opcode = IBV_WR_RDMA_WRITE,
				  .num_sge = 1, .send_flags = IBV_SEND_SIGNALED };
	struct ibv_sge sge = { (uintptr_t)e->buf, 8, e->mr->lkey };

	qp_pair(e, &q);
	wr.sg_list = &sge;
	wr.wr.rdma.remote_addr = e->peer.addr;
	wr.wr.rdma.rkey = e->peer.rkey ^ 0x5a;
	if (e->initiator) {
		post(e, &wr);
		expect(e, e->scq, IBV_WC_REM_ACCESS_ERR, 1);
	} else {
		expect_event(e, IBV_EVENT_QP_ACCESS_ERR);
	}
	barrier(e);
}

static void event_srq(struct end *e)
{
	struct qp_opts q = { .type = IBV_QPT_RC, .srq = true };
	struct ibv_srq_attr limit = { .srq_limit = 2 };
	struct ibv_send_wr wr = { .wr_id = 1, .opcode = IBV_WR_SEND,
				  .send_flags = IBV_SEND_SIGNALED };
	int i;

	qp_pair(e, &q);
	for (i = 0; !e->initiator && i < 3; i++)
		post_recv(e, NULL, i);
	if (!e->initiator && ibv_modify_srq(e->srq, &limit, IBV_SRQ_LIMIT))
		fail(e, "ibv_modify_srq: %s", strerror(errno));
	barrier(e);
	for (i = 0; e->initiator && i < 3; i++) {
		post(e, &wr);
		expect(e, e->scq, IBV_WC_SUCCESS, 1);
	}
	barrier(e);
	if (!e->initiator) {
		expect_event(e, IBV_EVENT_SRQ_LIMIT_REACHED);
		want(e, "RTS to ERR", to_state(e, IBV_QPS_ERR), 0);
		expect_event(e, IBV_EVENT_QP_LAST_WQE_REACHED);
	}
	barrier(e);
}

static void event_drained(struct end *e)
{
	struct qp_opts q = { .type = IBV_QPT_RC };
	struct ibv_qp_attr a = { .qp_state = IBV_QPS_SQD,
				 .en_sqd_async_notify = 1 };
	struct ibv_wc wc;

	qp_pair(e, &q);
	if (e->initiator) {
		want(e, "RTS to SQD", ibv_modify_qp(e->qp, &a, IBV_QP_STATE |
			IBV_QP_EN_SQD_ASYNC_NOTIFY), 0);
		expect_event(e, IBV_EVENT_SQ_DRAINED);
		want(e, "post_send in SQD", post_sges(e, 1, 8, 0), 0);
		if (poll_for(e, e->scq, &wc, 50))
			fail(e, "a send was executed in SQD");
		want(e, "SQD to RTS", to_state(e, IBV_QPS_RTS), 0);
		poll_any(e, e->scq, &wc);
		want(e, "the send after SQD", wc.status, IBV_WC_SUCCESS);
	}
	barrier(e);
}

static void run_events(struct end *e)
{
	e->what = "refused WRITE";
	event_access(e);
	e->what = "SRQ events";
	event_srq(e);
	e->what = "SQD";
	event_drained(e);
}

const struct group groups_err[] = {
	{ "err-remote", run_remote, "bad rkeys, addresses, permissions" },
	{ "err-local", run_local, "bad lkeys" },
	{ "err-recv", run_recv, "missing, short and bad receives" },
	{ "err-lost", run_lost, "a peer that does not exist" },
	{ "err-states", run_states, "posts and transitions in every state" },
	{ "err-posts", run_posts, "posts that are refused" },
	{ "err-ud", run_sqe, "UD errors and SQE" },
	{ "err-attrs", run_attrs, "impossible attributes" },
	{ "err-events", run_events, "asynchronous events" },
	{ }
};
