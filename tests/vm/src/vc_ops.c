// SPDX-License-Identifier: GPL-2.0
/* Operations that succeed: what arrives must be what was sent, nothing more. */
#include "vc.h"
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BATCH	16

struct op {
	enum ibv_wr_opcode code;
	enum ibv_wc_opcode done;
	const char *name;
	bool recv;			/* takes a receive at the target */
	bool imm;
	bool remote;			/* names the target's memory */
};

static const struct op op_send = {
	IBV_WR_SEND, IBV_WC_SEND, "SEND", .recv = true };
static const struct op op_send_imm = {
	IBV_WR_SEND_WITH_IMM, IBV_WC_SEND, "SEND_IMM", .recv = true, .imm = true };
static const struct op op_write = {
	IBV_WR_RDMA_WRITE, IBV_WC_RDMA_WRITE, "WRITE", .remote = true };
static const struct op op_write_imm = {
	IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WC_RDMA_WRITE, "WRITE_IMM",
	.recv = true, .imm = true, .remote = true };
static const struct op op_read = {
	IBV_WR_RDMA_READ, IBV_WC_RDMA_READ, "READ", .remote = true };

/* One message: the same values are drawn at both ends. */
struct msg {
	const struct op *op;
	struct layout src;
	struct layout dst;
	uint32_t size;
	uint32_t span;			/* bytes of the buffer that may be touched */
	uint32_t imm;
	uint64_t id;
	int flags;
};

static uint32_t span(struct end *e, uint32_t size)
{
	uint32_t n = size + 256 + VC_MAX_SGE * 66;

	return n < e->len ? n : e->len;
}

static bool is_read(const struct msg *m)
{
	return m->op->code == IBV_WR_RDMA_READ;
}

static void msg_draw(struct end *e, struct msg *m, const struct op *op,
		     uint32_t size, int flags)
{
	memset(m, 0, sizeof(*m));
	m->op = op;
	m->size = size;
	m->span = span(e, size);
	m->flags = flags;
	m->id = rnd(e);
	m->imm = rnd(e);
	if (op->code == IBV_WR_RDMA_READ) {
		layout_one(e, &m->src, size);
		layout_split(e, &m->dst, size, VC_MAX_SGE);
	} else {
		layout_split(e, &m->src, size, VC_MAX_SGE);
		if (op->remote)
			layout_one(e, &m->dst, size);
		else
			layout_split(e, &m->dst, size, VC_MAX_SGE);
	}
}

/* Whether the bytes to be moved start out here. */
static bool is_source(struct end *e, const struct msg *m)
{
	return e->initiator != is_read(m);
}

static void msg_prepare(struct end *e, const struct msg *m)
{
	data_guard(e, 0, m->span);
	if (is_source(e, m))
		data_fill(e, &m->src, m->id);
	if (!e->initiator && m->op->recv)
		post_recv(e, m->op->remote ? NULL : &m->dst, m->id);
}

static void msg_wr(struct end *e, const struct msg *m, struct ibv_send_wr *wr,
		   struct ibv_sge *sge)
{
	const struct layout *far = is_read(m) ? &m->src : &m->dst;

	memset(wr, 0, sizeof(*wr));
	wr->wr_id = m->id;
	wr->opcode = m->op->code;
	wr->send_flags = m->flags;
	wr->sg_list = sge;
	wr->num_sge = layout_sge(e, is_read(m) ? &m->dst : &m->src, sge);
	if (!m->size && (m->id & 1))
		wr->num_sge = 0;
	wr->imm_data = htonl(m->imm);
	if (m->op->remote) {
		wr->wr.rdma.remote_addr = e->peer.addr + far->p[0].off;
		wr->wr.rdma.rkey = e->peer.rkey;
	}
}

/* Inline data is taken at the post: what is written there later stays here. */
static void scribble(struct end *e, const struct msg *m)
{
	int k;

	for (k = 0; k < m->src.n; k++)
		memset(e->buf + m->src.p[k].off, 0xee, m->src.p[k].len);
}

static void check_wc(struct end *e, const struct msg *m, struct ibv_wc *wc)
{
	if (wc->wr_id != m->id)
		fail(e, "completion of another wr_id");
	if (wc->opcode != m->op->done)
		fail(e, "completion opcode %d, should be %d", wc->opcode,
		     m->op->done);
	if (is_read(m) && wc->byte_len != m->size)
		fail(e, "completion byte_len %u, should be %u", wc->byte_len,
		     m->size);
}

static void check_recv_wc(struct end *e, const struct msg *m, struct ibv_wc *wc,
			  uint32_t extra)
{
	enum ibv_wc_opcode want = m->op->remote ? IBV_WC_RECV_RDMA_WITH_IMM :
						  IBV_WC_RECV;

	if (wc->wr_id != m->id)
		fail(e, "receive completion of another wr_id");
	if (wc->opcode != want)
		fail(e, "receive completion opcode %d, should be %d",
		     wc->opcode, want);
	if (wc->byte_len != m->size + extra)
		fail(e, "receive byte_len %u, should be %u", wc->byte_len,
		     m->size + extra);
	if (!!(wc->wc_flags & IBV_WC_WITH_IMM) != m->op->imm)
		fail(e, "receive wc_flags 0x%x", wc->wc_flags);
	if (m->op->imm && ntohl(wc->imm_data) != m->imm)
		fail(e, "immediate 0x%x, should be 0x%x", ntohl(wc->imm_data),
		     m->imm);
}

/*
 * A WRITE tells the other end nothing, and over UC its completion only says that
 * it was sent: it may still be on its way when the initiator says that it is done.
 */
static void await_data(struct end *e, const struct layout *l, uint64_t id)
{
	double end = now() + e->o->deadline;

	while (!data_matches(e, l, id) && now() < end)
		usleep(1000);
}

static void msg_check(struct end *e, const struct msg *m)
{
	const struct layout *here = is_source(e, m) ? &m->src : &m->dst;
	struct ibv_wc wc;

	if (!e->initiator && m->op->recv) {
		poll_ok(e, e->rcq, &wc);
		check_recv_wc(e, m, &wc, 0);
	}
	if (e->initiator && (m->flags & IBV_SEND_INLINE))
		return;
	if (e->qp->qp_type == IBV_QPT_UC && !e->initiator && !m->op->recv)
		await_data(e, here, m->id);
	data_check(e, here, m->id, is_source(e, m) ? "source" : "destination");
	guard_check(e, here, 0, m->span, "around");
}

static void one(struct end *e, const struct op *op, uint32_t size, int flags)
{
	struct ibv_sge sge[VC_MAX_SGE];
	struct ibv_send_wr wr;
	char what[128];
	struct ibv_wc wc;
	struct msg m;

	msg_draw(e, &m, op, size, flags | IBV_SEND_SIGNALED);
	snprintf(what, sizeof(what), "%s of %u bytes, %d to %d pieces%s%s",
		 op->name, size, m.src.n, m.dst.n,
		 flags & IBV_SEND_INLINE ? ", inline" : "",
		 flags & IBV_SEND_FENCE ? ", fence" : "");
	e->what = what;
	msg_prepare(e, &m);
	barrier(e);
	if (e->initiator) {
		msg_wr(e, &m, &wr, sge);
		post(e, &wr);
		if (flags & IBV_SEND_INLINE)
			scribble(e, &m);
		poll_ok(e, e->scq, &wc);
		check_wc(e, &m, &wc);
	}
	barrier(e);
	msg_check(e, &m);
	barrier(e);
	e->what = NULL;
}

/* Every size, and as many random ones between. */
static void all_sizes(struct end *e, const struct op *op, int flags)
{
	uint32_t limit = flags & IBV_SEND_INLINE ? 64 : 0;
	int i;

	for (i = 0; i < e->o->nsizes; i++) {
		uint32_t size = e->o->sizes[i];

		if (!limit || size <= limit)
			one(e, op, size, flags);
		if (size > 1)
			one(e, op, rnd_below(e, limit && size > limit ?
					     limit + 1 : size), flags);
	}
}

static void each_loop(struct end *e, const struct op *op, int flags)
{
	int i;

	for (i = 0; i < e->o->loops; i++)
		all_sizes(e, op, flags);
}

static void with_qp(struct end *e, enum ibv_qp_type type, bool srq)
{
	struct qp_opts q = { .type = type, .srq = srq };

	qp_pair(e, &q);
}

static void rc_send(struct end *e)
{
	with_qp(e, IBV_QPT_RC, false);
	each_loop(e, &op_send, 0);
	each_loop(e, &op_send_imm, 0);
}

static void rc_write(struct end *e)
{
	with_qp(e, IBV_QPT_RC, false);
	each_loop(e, &op_write, 0);
	each_loop(e, &op_write_imm, 0);
}

static void rc_read(struct end *e)
{
	with_qp(e, IBV_QPT_RC, false);
	each_loop(e, &op_read, 0);
	each_loop(e, &op_read, IBV_SEND_FENCE);
}

static void rc_inline(struct end *e)
{
	with_qp(e, IBV_QPT_RC, false);
	each_loop(e, &op_send, IBV_SEND_INLINE);
	each_loop(e, &op_send_imm, IBV_SEND_INLINE);
	each_loop(e, &op_write, IBV_SEND_INLINE);
	each_loop(e, &op_write_imm, IBV_SEND_INLINE | IBV_SEND_FENCE);
}

static void uc_all(struct end *e)
{
	with_qp(e, IBV_QPT_UC, false);
	each_loop(e, &op_send, 0);
	each_loop(e, &op_send_imm, 0);
	each_loop(e, &op_write, 0);
	each_loop(e, &op_write_imm, 0);
	each_loop(e, &op_send, IBV_SEND_INLINE);
}

static void srq_all(struct end *e)
{
	with_qp(e, IBV_QPT_RC, true);
	each_loop(e, &op_send, 0);
	each_loop(e, &op_send_imm, 0);
	each_loop(e, &op_write_imm, 0);
}

/* Atomics: the target's word is followed here in a model. */

static uint64_t *word(struct end *e)
{
	return (uint64_t *)(e->buf + 4096);
}

static uint64_t atomic_step(struct end *e, uint64_t value, bool swap)
{
	struct layout sink = { .n = 1, .p[0] = { .len = 8 } };
	struct ibv_send_wr wr = { .send_flags = IBV_SEND_SIGNALED };
	bool hit = rnd(e) & 1;
	uint64_t a = rnd(e), b = rnd(e), old;
	struct ibv_sge sge;
	struct ibv_wc wc;

	sink.p[0].off = 64 + rnd_below(e, 99);
	data_guard(e, 0, 256);
	wr.sg_list = &sge;
	wr.num_sge = layout_sge(e, &sink, &sge);
	wr.opcode = swap ? IBV_WR_ATOMIC_CMP_AND_SWP : IBV_WR_ATOMIC_FETCH_AND_ADD;
	wr.wr.atomic.remote_addr = e->peer.addr + 4096;
	wr.wr.atomic.rkey = e->peer.rkey;
	wr.wr.atomic.compare_add = swap && hit ? value : a;
	wr.wr.atomic.swap = b;
	post(e, &wr);
	poll_ok(e, e->scq, &wc);
	if (wc.byte_len != 8 ||
	    wc.opcode != (swap ? IBV_WC_COMP_SWAP : IBV_WC_FETCH_ADD))
		fail(e, "completion opcode %d, byte_len %u", wc.opcode,
		     wc.byte_len);
	memcpy(&old, e->buf + sink.p[0].off, 8);
	if (old != value)
		fail(e, "returned 0x%llx, the word was 0x%llx",
		     (unsigned long long)old, (unsigned long long)value);
	guard_check(e, &sink, 0, 256, "around the returned value");
	if (!swap)
		return value + a;
	return hit ? b : value;
}

static void rc_atomic(struct end *e)
{
	uint64_t value = 0x0123456789abcdefULL;
	int i;

	with_qp(e, IBV_QPT_RC, false);
	e->what = "atomics";
	data_guard(e, 4096, 64);
	*word(e) = value;
	barrier(e);
	if (e->initiator) {
		for (i = 0; i < 64 * e->o->loops; i++)
			value = atomic_step(e, value, rnd(e) & 1);
		chan_put(e, &value, 8);
	} else {
		struct layout l = { .n = 1, .p[0] = { 4096, 8 } };

		chan_get(e, &value, 8);
		if (*word(e) != value)
			fail(e, "the word is 0x%llx, should be 0x%llx",
			     (unsigned long long)*word(e),
			     (unsigned long long)value);
		guard_check(e, &l, 4096, 64, "around the word");
	}
	barrier(e);
}

/* A list of mixed operations in one post, few of them signaled. */

static const struct op *const mix_ops[] = {
	&op_send, &op_send_imm, &op_write, &op_write_imm, &op_read,
};

#define SLOT	32768

static void mix_draw(struct end *e, struct msg *m)
{
	int i;

	for (i = 0; i < BATCH; i++) {
		uint32_t size = rnd_below(e, rnd(e) & 1 ? 20000 : 600);
		int flags = rnd(e) & 1 ? IBV_SEND_SIGNALED : 0;

		if (rnd(e) % 8 == 0)
			flags |= IBV_SEND_FENCE;
		msg_draw(e, &m[i], mix_ops[rnd_below(e, 5)], size, flags);
		layout_shift(&m[i].src, i * SLOT);
		layout_shift(&m[i].dst, i * SLOT);
	}
	m[BATCH - 1].flags |= IBV_SEND_SIGNALED;
}

static void mix_prepare(struct end *e, const struct msg *m)
{
	int i;

	data_guard(e, 0, BATCH * SLOT);
	for (i = 0; i < BATCH; i++) {
		if (is_source(e, &m[i]))
			data_fill(e, &m[i].src, m[i].id);
		if (!e->initiator && m[i].op->recv)
			post_recv(e, m[i].op->remote ? NULL : &m[i].dst, m[i].id);
	}
}

static void mix_go(struct end *e, const struct msg *m)
{
	static struct ibv_sge sge[BATCH][VC_MAX_SGE];
	struct ibv_send_wr wr[BATCH];
	struct ibv_wc wc;
	int i;

	for (i = 0; i < BATCH; i++) {
		msg_wr(e, &m[i], &wr[i], sge[i]);
		wr[i].next = i + 1 < BATCH ? &wr[i + 1] : NULL;
	}
	post(e, wr);
	for (i = 0; i < BATCH; i++) {
		if (!(m[i].flags & IBV_SEND_SIGNALED))
			continue;
		poll_ok(e, e->scq, &wc);
		check_wc(e, &m[i], &wc);
	}
}

static void mix_check(struct end *e, const struct msg *m)
{
	struct ibv_wc wc;
	int i;

	for (i = 0; i < BATCH; i++) {
		const struct layout *here = is_source(e, &m[i]) ? &m[i].src :
								  &m[i].dst;

		if (!e->initiator && m[i].op->recv) {
			poll_ok(e, e->rcq, &wc);
			check_recv_wc(e, &m[i], &wc, 0);
		}
		data_check(e, here, m[i].id, m[i].op->name);
		guard_check(e, here, i * SLOT, SLOT, m[i].op->name);
	}
	if (poll_for(e, e->scq, &wc, 0))
		fail(e, "a completion more than was asked for");
}

static void rc_mix(struct end *e)
{
	struct msg m[BATCH];
	int i;

	with_qp(e, IBV_QPT_RC, false);
	for (i = 0; i < 8 * e->o->loops; i++) {
		e->what = "mixed list";
		mix_draw(e, m);
		mix_prepare(e, m);
		barrier(e);
		if (e->initiator)
			mix_go(e, m);
		barrier(e);
		mix_check(e, m);
		barrier(e);
	}
}

/* A fenced WRITE passes on what the READ before it fetched (IBA 10.8.3.3). */

static void fence_chain(struct end *e, uint32_t size)
{
	struct layout from = { .n = 1, .p[0] = { 128, size } };
	struct layout to = { .n = 1, .p[0] = { 512 * 1024 + 64, size } };
	uint64_t id = rnd(e);

	data_guard(e, 0, e->len);
	if (!e->initiator)
		data_fill(e, &from, id);
	barrier(e);
	if (e->initiator) {
		struct ibv_sge sge = { (uintptr_t)e->buf + 128, size,
				       e->mr->lkey };
		struct ibv_send_wr wr[2] = {
			{ .opcode = IBV_WR_RDMA_READ, .next = &wr[1] },
			{ .opcode = IBV_WR_RDMA_WRITE, .send_flags =
				IBV_SEND_FENCE | IBV_SEND_SIGNALED },
		};
		struct ibv_wc wc;

		wr[0].sg_list = wr[1].sg_list = &sge;
		wr[0].num_sge = wr[1].num_sge = 1;
		wr[0].wr.rdma.rkey = wr[1].wr.rdma.rkey = e->peer.rkey;
		wr[0].wr.rdma.remote_addr = e->peer.addr + from.p[0].off;
		wr[1].wr.rdma.remote_addr = e->peer.addr + to.p[0].off;
		post(e, wr);
		poll_ok(e, e->scq, &wc);
		barrier(e);
	} else {
		barrier(e);
		data_check(e, &to, id, "READ, then fenced WRITE");
	}
	barrier(e);
}

static void rc_fence(struct end *e)
{
	static const uint32_t sizes[] = { 1, 8, 1025, 4096, 70000, 500000 };
	unsigned int i;

	with_qp(e, IBV_QPT_RC, false);
	e->what = "fence";
	for (i = 0; i < 6; i++)
		fence_chain(e, sizes[i]);
}

/* A type 2 window: bound, used, invalidated by the peer's SEND, refused. */

static uint32_t mw_bind(struct end *e, struct ibv_mw *mw)
{
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_BIND_MW, .send_flags = IBV_SEND_SIGNALED,
		.bind_mw = {
			.mw = mw, .rkey = ibv_inc_rkey(mw->rkey),
			.bind_info = {
				.mr = e->mr, .addr = (uintptr_t)e->buf + 4096,
				.length = 4096,
				.mw_access_flags = IBV_ACCESS_REMOTE_WRITE,
			},
		},
	};
	struct ibv_wc wc;

	post(e, &wr);
	poll_ok(e, e->scq, &wc);
	return wr.bind_mw.rkey;
}

static void mw_target(struct end *e)
{
	struct layout l = { .n = 1, .p[0] = { 4200, 100 } };
	struct ibv_mw *mw = ibv_alloc_mw(e->pd, IBV_MW_TYPE_2);
	struct ibv_wc wc;
	uint32_t rkey;

	if (!mw)
		fail(e, "ibv_alloc_mw: %s", strerror(errno));
	rkey = mw_bind(e, mw);
	data_guard(e, 0, 16384);
	post_recv(e, NULL, 7);
	chan_put(e, &rkey, 4);
	poll_ok(e, e->rcq, &wc);
	if (!(wc.wc_flags & IBV_WC_WITH_INV) || wc.invalidated_rkey != rkey)
		fail(e, "receive wc_flags 0x%x, rkey 0x%x, should be 0x%x",
		     wc.wc_flags, wc.invalidated_rkey, rkey);
	data_check(e, &l, 1, "WRITE through the window");
	guard_check(e, &l, 0, 16384, "around");
	barrier(e);
	barrier(e);
	guard_check(e, &l, 0, 16384, "after the window was taken away");
	qp_drop(e);
	if (ibv_dealloc_mw(mw))
		fail(e, "ibv_dealloc_mw: %s", strerror(errno));
}

static void mw_initiator(struct end *e)
{
	struct layout l = { .n = 1, .p[0] = { 64, 100 } };
	struct ibv_sge sge;
	struct ibv_send_wr wr[2] = {
		{ .opcode = IBV_WR_RDMA_WRITE, .next = &wr[1],
		  .sg_list = &sge, .num_sge = 1 },
		{ .opcode = IBV_WR_SEND_WITH_INV, .send_flags =
			IBV_SEND_SIGNALED },
	};
	struct ibv_wc wc;
	uint32_t rkey;

	data_fill(e, &l, 1);
	layout_sge(e, &l, &sge);
	chan_get(e, &rkey, 4);
	wr[0].wr.rdma.rkey = rkey;
	wr[0].wr.rdma.remote_addr = e->peer.addr + 4200;
	wr[1].invalidate_rkey = rkey;
	post(e, wr);
	poll_ok(e, e->scq, &wc);
	barrier(e);
	wr[0].next = NULL;
	wr[0].send_flags = IBV_SEND_SIGNALED;
	wr[0].wr.rdma.remote_addr += 200;
	post(e, wr);
	poll_any(e, e->scq, &wc);
	if (wc.status != IBV_WC_REM_ACCESS_ERR)
		fail(e, "WRITE through an invalidated window: %s",
		     ibv_wc_status_str(wc.status));
	barrier(e);
}

static void rc_inv(struct end *e)
{
	with_qp(e, IBV_QPT_RC, false);
	e->what = "SEND with invalidate";
	if (!(e->attr.device_cap_flags & (IBV_DEVICE_MEM_WINDOW_TYPE_2A |
					  IBV_DEVICE_MEM_WINDOW_TYPE_2B)))
		fail(e, "the device says it has no type 2 windows");
	if (e->initiator)
		mw_initiator(e);
	else
		mw_target(e);
	barrier(e);
}

/* UD: 40 bytes of GRH, then the message. */

static void check_grh(struct end *e)
{
	const uint8_t *grh = e->buf + 2048;
	bool v4 = !memcmp(e->me.gid.raw, "\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
	const uint8_t *src = e->peer.gid.raw, *dst = e->me.gid.raw;

	if (v4 && (grh[20] >> 4 != 4 || grh[29] != 17 ||
		   memcmp(grh + 32, src + 12, 4) || memcmp(grh + 36, dst + 12, 4)))
		fail(e, "GRH area: no IPv4 header between the two addresses at 20");
	if (!v4 && (grh[0] >> 4 != 6 || memcmp(grh + 8, src, 16) ||
		    memcmp(grh + 24, dst, 16)))
		fail(e, "GRH area: no IPv6 header between the two addresses");
}

static void ud_recv_post(struct end *e, const struct msg *m)
{
	struct layout l = { .n = 1, .p[0] = { 2048, VC_GRH } };
	int k;

	for (k = 0; k < m->dst.n && l.n < VC_MAX_SGE; k++)
		l.p[l.n++] = m->dst.p[k];
	post_recv(e, &l, m->id);
}

static void ud_target(struct end *e, const struct msg *m)
{
	struct ibv_wc wc;

	poll_ok(e, e->rcq, &wc);
	check_recv_wc(e, m, &wc, VC_GRH);
	if (!(wc.wc_flags & IBV_WC_GRH) || wc.src_qp != e->peer.qpn)
		fail(e, "wc_flags 0x%x, src_qp %u, should be %u", wc.wc_flags,
		     wc.src_qp, e->peer.qpn);
	check_grh(e);
	data_check(e, &m->dst, m->id, "destination");
	guard_check(e, &m->dst, 8192, m->span, "around");
	guard_check(e, NULL, 2048 + VC_GRH, 1024, "after the GRH");
}

static void ud_initiator(struct end *e, const struct msg *m, struct ibv_ah *ah)
{
	struct ibv_sge sge[VC_MAX_SGE];
	struct ibv_send_wr wr;
	struct ibv_wc wc;

	msg_wr(e, m, &wr, sge);
	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = e->peer.qpn;
	wr.wr.ud.remote_qkey = VC_QKEY;
	post(e, &wr);
	poll_ok(e, e->scq, &wc);
	check_wc(e, m, &wc);
}

static void ud_one(struct end *e, const struct op *op, uint32_t size,
		   struct ibv_ah *ah, int flags)
{
	char what[128];
	struct msg m;

	msg_draw(e, &m, op, size, flags | IBV_SEND_SIGNALED);
	layout_split(e, &m.dst, size, VC_MAX_SGE - 1);
	layout_shift(&m.dst, 8192);
	snprintf(what, sizeof(what), "UD %s of %u bytes%s", op->name, size,
		 flags & IBV_SEND_INLINE ? ", inline" : "");
	e->what = what;
	data_guard(e, 0, 8192 + m.span);
	if (e->initiator)
		data_fill(e, &m.src, m.id);
	else
		ud_recv_post(e, &m);
	barrier(e);
	if (e->initiator)
		ud_initiator(e, &m, ah);
	else
		ud_target(e, &m);
	barrier(e);
	e->what = NULL;
}

static void ud_all(struct end *e)
{
	struct ibv_ah *ah;
	int i, n;

	with_qp(e, IBV_QPT_UD, false);
	ah = ah_make(e, &e->peer.gid);
	for (n = 0; n < e->o->loops; n++)
		for (i = 0; i < e->o->nsizes; i++) {
			uint32_t size = e->o->sizes[i] % (path_mtu(e) + 1);

			ud_one(e, &op_send, size, ah, 0);
			ud_one(e, &op_send_imm, size, ah, 0);
			if (size <= 64)
				ud_one(e, &op_send, size, ah, IBV_SEND_INLINE);
		}
	ud_one(e, &op_send, path_mtu(e), ah, 0);
	if (ibv_destroy_ah(ah))
		fail(e, "ibv_destroy_ah");
}

/*
 * Unreliable services on a link that loses: what arrives is whole and in
 * order, each message carrying its own number.
 */
#define LOSSY_SLOTS	16
#define LOSSY_SIZE	3000
#define LOSSY_ROUNDS	12
#define LOSSY_COUNT	(LOSSY_ROUNDS * LOSSY_SLOTS)

struct lossy {
	uint32_t size;
	uint32_t extra;			/* bytes of GRH */
	uint64_t base;
	int got;
	int64_t last;
};

static struct layout lossy_slot(struct end *e, uint32_t n, uint32_t size,
				uint32_t extra)
{
	struct layout l = { .n = 1 };

	(void)e;
	l.p[0].off = 4096 + n % LOSSY_SLOTS * 8192;
	l.p[0].len = size + extra;
	return l;
}

/* Message number in the first 4 bytes, contents that follow from it. */
static void lossy_take(struct end *e, struct lossy *s, struct ibv_wc *wc)
{
	struct layout l = lossy_slot(e, wc->wr_id, s->size, s->extra);
	uint32_t n;

	memcpy(&n, e->buf + l.p[0].off + s->extra, 4);
	if (wc->byte_len != s->size + s->extra)
		fail(e, "message %u: byte_len %u, should be %u", n,
		     wc->byte_len, s->size + s->extra);
	if (n >= LOSSY_COUNT || (int64_t)n <= s->last)
		fail(e, "message %u after %lld", n, (long long)s->last);
	s->last = n;
	s->got++;
	l.p[0].off += s->extra + 4;
	l.p[0].len = s->size - 4;
	data_check(e, &l, s->base + n * 1000003ULL, "message on a losing link");
	l = lossy_slot(e, wc->wr_id, s->size, s->extra);
	post_recv(e, &l, wc->wr_id);
}

/* One round: what of it has come when nothing more does. */
static void lossy_take_round(struct end *e, struct lossy *s)
{
	int wait = e->o->loss ? 100 : e->o->deadline * 1000, n;
	struct ibv_wc wc;

	for (n = 0; n < LOSSY_SLOTS && poll_for(e, e->rcq, &wc, wait); n++) {
		if (wc.status != IBV_WC_SUCCESS)
			fail(e, "receive: %s", ibv_wc_status_str(wc.status));
		lossy_take(e, s, &wc);
	}
	if (n < LOSSY_SLOTS && !e->o->loss)
		fail(e, "%d of %d messages came on a link without loss", n,
		     LOSSY_SLOTS);
}

static void lossy_target(struct end *e, struct lossy *s)
{
	int i;

	for (i = 0; i < LOSSY_ROUNDS; i++) {
		barrier(e);
		lossy_take_round(e, s);
		barrier(e);
	}
	if (s->got < LOSSY_COUNT / 2)
		fail(e, "only %d of %d messages came", s->got, LOSSY_COUNT);
	note(e, "%d of %d messages came", s->got, LOSSY_COUNT);
}

static void lossy_send(struct end *e, struct lossy *s, struct ibv_ah *ah,
		       uint32_t n)
{
	struct layout l = { .n = 1, .p[0] = { 4100, s->size - 4 } };
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND, .num_sge = 1,
				  .send_flags = IBV_SEND_SIGNALED };
	struct ibv_sge sge = { (uintptr_t)e->buf + 4096, s->size,
			       e->mr->lkey };
	struct ibv_wc wc;

	memcpy(e->buf + 4096, &n, 4);
	data_fill(e, &l, s->base + n * 1000003ULL);
	wr.sg_list = &sge;
	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = e->peer.qpn;
	wr.wr.ud.remote_qkey = VC_QKEY;
	post(e, &wr);
	poll_ok(e, e->scq, &wc);
}

static void lossy_initiator(struct end *e, struct lossy *s, struct ibv_ah *ah)
{
	uint32_t n;

	for (n = 0; n < LOSSY_COUNT; n++) {
		lossy_send(e, s, ah, n);
		if (n % LOSSY_SLOTS == LOSSY_SLOTS - 1) {
			barrier(e);
			barrier(e);
		}
	}
}

static void lossy(struct end *e, enum ibv_qp_type type)
{
	struct lossy s = { .last = -1 };
	struct ibv_ah *ah = NULL;
	uint32_t n;

	with_qp(e, type, false);
	e->what = type == IBV_QPT_UD ? "UD, numbered" : "UC, numbered";
	s.extra = type == IBV_QPT_UD ? VC_GRH : 0;
	s.size = type == IBV_QPT_UD ? path_mtu(e) : LOSSY_SIZE;
	s.base = rnd(e);
	for (n = 0; n < LOSSY_SLOTS && !e->initiator; n++) {
		struct layout l = lossy_slot(e, n, s.size, s.extra);

		post_recv(e, &l, n);
	}
	if (type == IBV_QPT_UD)
		ah = ah_make(e, &e->peer.gid);
	barrier(e);
	if (e->initiator)
		lossy_initiator(e, &s, ah);
	else
		lossy_target(e, &s);
	if (ah)
		ibv_destroy_ah(ah);
}

static void uc_lossy(struct end *e)
{
	lossy(e, IBV_QPT_UC);
}

static void ud_lossy(struct end *e)
{
	lossy(e, IBV_QPT_UD);
}

/* A CQ armed for solicited events sleeps through the others. */

static void solicit_send(struct end *e, int flags)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND,
				  .send_flags = flags | IBV_SEND_SIGNALED };
	struct ibv_wc wc;

	post(e, &wr);
	poll_ok(e, e->scq, &wc);
}

static void rc_solicited(struct end *e)
{
	struct ibv_wc wc;

	with_qp(e, IBV_QPT_RC, false);
	e->what = "solicited event";
	if (!e->initiator) {
		post_recv(e, NULL, 1);
		post_recv(e, NULL, 2);
		ibv_req_notify_cq(e->rcq, 1);
	}
	barrier(e);
	if (e->initiator)
		solicit_send(e, 0);
	barrier(e);
	if (!e->initiator && take_event(e, 50))
		fail(e, "a SEND without the solicited bit raised the event");
	barrier(e);
	if (e->initiator)
		solicit_send(e, IBV_SEND_SOLICITED);
	else if (!take_event(e, e->o->deadline * 1000))
		fail(e, "no event from a solicited SEND");
	barrier(e);
	if (!e->initiator) {
		poll_ok(e, e->rcq, &wc);
		poll_ok(e, e->rcq, &wc);
	}
	barrier(e);
}

const struct group groups_ops[] = {
	{ "rc-send", rc_send, "RC SEND, with and without immediate" },
	{ "rc-write", rc_write, "RC WRITE, with and without immediate" },
	{ "rc-read", rc_read, "RC READ" },
	{ "rc-inline", rc_inline, "RC inline SEND and WRITE" },
	{ "rc-atomic", rc_atomic, "compare-and-swap, fetch-and-add" },
	{ "rc-mix", rc_mix, "lists of mixed operations" },
	{ "rc-fence", rc_fence, "READ, then a fenced WRITE of it" },
	{ "rc-inv", rc_inv, "memory window, SEND with invalidate" },
	{ "rc-solicited", rc_solicited, "solicited events" },
	{ "srq", srq_all, "RC with a shared receive queue" },
	{ "uc", uc_all, "UC SEND and WRITE" },
	{ "ud", ud_all, "UD SEND, with GRH" },
	{ "uc-numbered", uc_lossy, "UC, losses allowed" },
	{ "ud-numbered", ud_lossy, "UD, losses allowed" },
	{ }
};
