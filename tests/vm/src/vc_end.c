// SPDX-License-Identifier: GPL-2.0
/* One end: its device, its objects, and the side channel to the other end. */
#include "vc.h"
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void say(struct end *e, const char *kind, const char *fmt, va_list ap)
{
	char text[512];

	vsnprintf(text, sizeof(text), fmt, ap);
	fprintf(stderr, "verbs_check: %s%s: %s: %s\n", kind,
		e->initiator ? "initiator" : "target", e->what ?: "set-up", text);
}

/* The other end sees the side channel close and stops too. */
void fail(struct end *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(e, "FAIL: ", fmt, ap);
	va_end(ap);
	exit(1);
}

void note(struct end *e, const char *fmt, ...)
{
	va_list ap;

	if (!e->o->verbose)
		return;
	va_start(ap, fmt);
	say(e, "", fmt, ap);
	va_end(ap);
}

void chan_put(struct end *e, const void *p, size_t n)
{
	if (write(e->fd, p, n) != (ssize_t)n)
		fail(e, "side channel: write: %s", strerror(errno));
}

void chan_get(struct end *e, void *p, size_t n)
{
	struct pollfd pfd = { .fd = e->fd, .events = POLLIN };
	uint8_t *at = p;

	while (n) {
		ssize_t got;

		if (poll(&pfd, 1, e->o->deadline * 1000) == 0)
			fail(e, "side channel: the other end is silent for %d s",
			     e->o->deadline);
		got = read(e->fd, at, n);
		if (got <= 0)
			fail(e, "side channel: the other end stopped");
		at += got;
		n -= got;
	}
}

void barrier(struct end *e)
{
	char c = 'b';

	chan_put(e, &c, 1);
	chan_get(e, &c, 1);
}

static void open_device(struct end *e, const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	int i;

	if (!list)
		fail(e, "ibv_get_device_list: %s", strerror(errno));
	for (i = 0; list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			e->ctx = ibv_open_device(list[i]);
	ibv_free_device_list(list);
	if (!e->ctx)
		fail(e, "no device %s", name);
}

/* The largest message, its gaps, and room for a second one in halves. */
static size_t buffer_size(struct end *e)
{
	uint32_t max = 1 << 20;
	int i;

	for (i = 0; i < e->o->nsizes; i++)
		if (e->o->sizes[i] > max)
			max = e->o->sizes[i];
	return ((size_t)max + 8192) & ~4095UL;
}

static void make_buffer(struct end *e)
{
	int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
		     IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC |
		     IBV_ACCESS_MW_BIND;

	e->len = buffer_size(e);
	e->buf = aligned_alloc(4096, e->len);
	if (!e->buf)
		fail(e, "no memory");
	data_guard(e, 0, e->len);
	e->mr = ibv_reg_mr(e->pd, e->buf, e->len, access);
	if (!e->mr)
		fail(e, "ibv_reg_mr: %s", strerror(errno));
}

void end_open(struct end *e)
{
	const struct opts *o = e->o;
	bool second = !e->initiator && o->dev2;
	int gid = second ? o->gid2 : o->gid;

	open_device(e, second ? o->dev2 : o->dev);
	if (ibv_query_device(e->ctx, &e->attr))
		fail(e, "ibv_query_device: %s", strerror(errno));
	if (ibv_query_port(e->ctx, o->port, &e->pattr))
		fail(e, "ibv_query_port: %s", strerror(errno));
	if (ibv_query_gid(e->ctx, o->port, gid, &e->me.gid))
		fail(e, "ibv_query_gid %d: %s", gid, strerror(errno));
	e->pd = ibv_alloc_pd(e->ctx);
	e->chan = ibv_create_comp_channel(e->ctx);
	if (!e->pd || !e->chan)
		fail(e, "PD or channel: %s", strerror(errno));
	e->scq = ibv_create_cq(e->ctx, 4 * VC_DEPTH, NULL, e->chan, 0);
	e->rcq = ibv_create_cq(e->ctx, 4 * VC_DEPTH, NULL, e->chan, 0);
	if (!e->scq || !e->rcq)
		fail(e, "ibv_create_cq: %s", strerror(errno));
	make_buffer(e);
}

static void must(struct end *e, const char *what, int rc)
{
	if (rc)
		fail(e, "%s: %s", what, strerror(rc > 0 ? rc : -rc));
}

/* Every destroy has to succeed: a leak shows here first. */
void end_close(struct end *e)
{
	qp_drop(e);
	must(e, "ibv_dereg_mr", ibv_dereg_mr(e->mr));
	must(e, "ibv_destroy_cq", ibv_destroy_cq(e->scq));
	must(e, "ibv_destroy_cq", ibv_destroy_cq(e->rcq));
	must(e, "ibv_destroy_comp_channel", ibv_destroy_comp_channel(e->chan));
	must(e, "ibv_dealloc_pd", ibv_dealloc_pd(e->pd));
	must(e, "ibv_close_device", ibv_close_device(e->ctx));
	free(e->buf);
}

void qp_make(struct end *e, const struct qp_opts *q)
{
	struct ibv_srq_init_attr sa = {
		.attr = { .max_wr = VC_DEPTH, .max_sge = VC_MAX_SGE },
	};
	struct ibv_qp_init_attr ia = {
		.send_cq = e->scq,
		.recv_cq = e->rcq,
		.qp_type = q->type ?: IBV_QPT_RC,
		.cap = {
			.max_send_wr = VC_DEPTH,
			.max_recv_wr = q->recv_wr ?: VC_DEPTH,
			.max_send_sge = VC_MAX_SGE,
			.max_recv_sge = VC_MAX_SGE,
			.max_inline_data = 64,
		},
	};

	if (q->srq) {
		e->srq = ibv_create_srq(e->pd, &sa);
		if (!e->srq)
			fail(e, "ibv_create_srq: %s", strerror(errno));
		ia.srq = e->srq;
	}
	e->qp = ibv_create_qp(e->pd, &ia);
	if (!e->qp)
		fail(e, "ibv_create_qp: %s", strerror(errno));
	if (ia.cap.max_inline_data < 64)
		fail(e, "asked for 64 bytes inline, got %u",
		     ia.cap.max_inline_data);
	e->max_inline = ia.cap.max_inline_data;
}

static void drain(struct ibv_cq *cq)
{
	struct ibv_wc wc;

	while (ibv_poll_cq(cq, 1, &wc) > 0)
		;
}

void qp_drop(struct end *e)
{
	if (e->qp)
		must(e, "ibv_destroy_qp", ibv_destroy_qp(e->qp));
	e->qp = NULL;
	if (e->srq)
		must(e, "ibv_destroy_srq", ibv_destroy_srq(e->srq));
	e->srq = NULL;
	drain(e->scq);
	drain(e->rcq);
}

uint32_t path_mtu(struct end *e)
{
	uint32_t active = 128 << e->pattr.active_mtu;

	return e->o->mtu && (uint32_t)e->o->mtu < active ? (uint32_t)e->o->mtu : active;
}

static enum ibv_mtu mtu_code(uint32_t mtu)
{
	enum ibv_mtu code = IBV_MTU_256;

	while ((128U << code) < mtu)
		code++;
	return code;
}

static struct ibv_ah_attr path_to(struct end *e, const union ibv_gid *to)
{
	bool second = !e->initiator && e->o->dev2;

	return (struct ibv_ah_attr) {
		.is_global = 1,
		.port_num = e->o->port,
		.grh = {
			.dgid = *to,
			.sgid_index = second ? e->o->gid2 : e->o->gid,
			.hop_limit = 64,
		},
	};
}

struct ibv_ah *ah_make(struct end *e, const union ibv_gid *to)
{
	struct ibv_ah_attr attr = path_to(e, to);
	struct ibv_ah *ah = ibv_create_ah(e->pd, &attr);

	if (!ah)
		fail(e, "ibv_create_ah: %s", strerror(errno));
	return ah;
}

int qp_init(struct end *e, const struct qp_opts *q)
{
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_INIT,
		.port_num = e->o->port,
		.qkey = VC_QKEY,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
			IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC |
			IBV_ACCESS_LOCAL_WRITE,
	};
	int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;

	if (q->access)
		a.qp_access_flags = q->access < 0 ? 0 : q->access;
	mask |= q->type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
	return ibv_modify_qp(e->qp, &a, mask);
}

int qp_rtr(struct end *e, const struct qp_opts *q)
{
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = mtu_code(path_mtu(e)),
		.dest_qp_num = q->dest_qpn ?: e->peer.qpn,
		.rq_psn = e->peer.psn,
		.max_dest_rd_atomic = 8,
		.min_rnr_timer = 12,
		.ah_attr = path_to(e, &e->peer.gid),
	};
	int mask = IBV_QP_STATE;

	if (q->type != IBV_QPT_UD)
		mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			IBV_QP_RQ_PSN;
	if (q->type != IBV_QPT_UD && q->type != IBV_QPT_UC)
		mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	return ibv_modify_qp(e->qp, &a, mask);
}

int qp_rts(struct end *e, const struct qp_opts *q)
{
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_RTS,
		.sq_psn = e->me.psn,
		.timeout = q->timeout ?: e->o->timeout,
		.retry_cnt = q->retry_cnt ?: 7,
		.rnr_retry = q->rnr_retry < 0 ? 0 : q->rnr_retry ?: 7,
		.max_rd_atomic = 8,
	};
	int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;

	if (q->type != IBV_QPT_UD && q->type != IBV_QPT_UC)
		mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			IBV_QP_MAX_QP_RD_ATOMIC;
	return ibv_modify_qp(e->qp, &a, mask);
}

static void qp_swap_info(struct end *e)
{
	e->me.qpn = e->qp->qp_num;
	/* Near the wrap every other time. */
	e->me.psn = rand() & 1 ? 0xfffff0 | (rand() & 0xf) : rand() & 0xffffff;
	e->me.rkey = e->mr->rkey;
	e->me.addr = (uintptr_t)e->buf;
	chan_put(e, &e->me, sizeof(e->me));
	chan_get(e, &e->peer, sizeof(e->peer));
}

/* A fresh, connected QP at both ends. */
void qp_pair(struct end *e, const struct qp_opts *q)
{
	qp_drop(e);
	qp_make(e, q);
	qp_swap_info(e);
	must(e, "modify to INIT", qp_init(e, q));
	must(e, "modify to RTR", qp_rtr(e, q));
	must(e, "modify to RTS", qp_rts(e, q));
	barrier(e);
}

enum ibv_qp_state qp_state(struct end *e)
{
	struct ibv_qp_init_attr ia;
	struct ibv_qp_attr a;

	if (ibv_query_qp(e->qp, &a, IBV_QP_STATE, &ia))
		fail(e, "ibv_query_qp: %s", strerror(errno));
	return a.qp_state;
}

void post(struct end *e, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;
	int rc = ibv_post_send(e->qp, wr, &bad);

	if (rc)
		fail(e, "ibv_post_send: %s (bad_wr is wr_id %llu)",
		     strerror(rc), (unsigned long long)bad->wr_id);
}

void post_recv(struct end *e, const struct layout *l, uint64_t id)
{
	struct ibv_sge sge[VC_MAX_SGE];
	struct ibv_recv_wr *bad, wr = { .wr_id = id, .sg_list = sge };
	int rc;

	wr.num_sge = l ? layout_sge(e, l, sge) : 0;
	rc = e->srq ? ibv_post_srq_recv(e->srq, &wr, &bad) :
		      ibv_post_recv(e->qp, &wr, &bad);
	if (rc)
		fail(e, "post receive: %s", strerror(rc));
}

/* One event of the channel, or none within ms. */
bool take_event(struct end *e, int ms)
{
	struct pollfd pfd = { .fd = e->chan->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *ctx;

	if (poll(&pfd, 1, ms) <= 0)
		return false;
	if (ibv_get_cq_event(e->chan, &cq, &ctx))
		fail(e, "ibv_get_cq_event: %s", strerror(errno));
	ibv_ack_cq_events(cq, 1);
	return true;
}

static int poll_once(struct end *e, struct ibv_cq *cq, struct ibv_wc *wc)
{
	int n = ibv_poll_cq(cq, 1, wc);

	if (n < 0)
		fail(e, "ibv_poll_cq: %d", n);
	return n;
}

/* Armed and still empty: what comes now has to raise an event. */
static bool sleep_for(struct end *e, struct ibv_cq *cq, struct ibv_wc *wc,
		      double end)
{
	while (!take_event(e, 500)) {
		if (poll_once(e, cq, wc)) {
			if (!take_event(e, e->o->deadline * 500))
				fail(e, "a completion came, but no event");
			return true;
		}
		if (now() > end)
			return false;
	}
	return poll_once(e, cq, wc);
}

bool poll_for(struct end *e, struct ibv_cq *cq, struct ibv_wc *wc, int ms)
{
	double end = now() + ms / 1e3;

	do {
		if (poll_once(e, cq, wc))
			return true;
		if (!e->o->events || ms < 500)
			continue;
		if (ibv_req_notify_cq(cq, 0))
			fail(e, "ibv_req_notify_cq: %s", strerror(errno));
		if (poll_once(e, cq, wc) || sleep_for(e, cq, wc, end))
			return true;
	} while (now() < end);
	return poll_once(e, cq, wc);
}

void poll_any(struct end *e, struct ibv_cq *cq, struct ibv_wc *wc)
{
	if (!poll_for(e, cq, wc, e->o->deadline * 1000))
		fail(e, "no %s completion within %d s",
		     cq == e->scq ? "send" : "receive", e->o->deadline);
}

void poll_ok(struct end *e, struct ibv_cq *cq, struct ibv_wc *wc)
{
	poll_any(e, cq, wc);
	if (wc->status != IBV_WC_SUCCESS)
		fail(e, "%s completion of wr_id %llu: %s (vendor 0x%x)",
		     cq == e->scq ? "send" : "receive",
		     (unsigned long long)wc->wr_id,
		     ibv_wc_status_str(wc->status), wc->vendor_err);
	if (wc->qp_num != e->qp->qp_num)
		fail(e, "completion names QP %u, not %u", wc->qp_num,
		     e->qp->qp_num);
}
