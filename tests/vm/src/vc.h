/* SPDX-License-Identifier: GPL-2.0 */
/* verbs_check: what its parts share. See verbs_check.c for what it does. */
#ifndef VC_H
#define VC_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VC_MAX_SGE	8
#define VC_MAX_SIZES	64
#define VC_GRH		40
#define VC_DEPTH	64
#define VC_QKEY		0x11223344

struct opts {
	const char *dev;
	const char *dev2;		/* the target's, when not the same */
	int gid;
	int gid2;
	int port;
	int mtu;			/* bytes, 0: the port's active one */
	uint64_t seed;
	int loops;
	int deadline;			/* seconds for anything to happen */
	int timeout;			/* RC local ACK timeout exponent */
	bool loss;			/* the link loses packets */
	bool events;			/* sleep for completions, do not spin */
	bool verbose;
	uint32_t sizes[VC_MAX_SIZES];
	int nsizes;
};

/* What one end tells the other, in host order: both are this machine. */
struct peer {
	uint32_t qpn;
	uint32_t psn;
	uint32_t rkey;
	uint32_t pad;
	uint64_t addr;
	union ibv_gid gid;
};

struct end {
	const struct opts *o;
	bool initiator;
	int fd;				/* side channel to the other end */
	uint64_t rng;			/* drawn from alike at both ends */
	const char *what;		/* the case under way, for messages */

	struct ibv_context *ctx;
	struct ibv_device_attr attr;
	struct ibv_port_attr pattr;
	struct ibv_pd *pd;
	struct ibv_comp_channel *chan;
	struct ibv_cq *scq;
	struct ibv_cq *rcq;
	struct ibv_srq *srq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	uint8_t *buf;
	size_t len;
	uint32_t max_inline;
	struct peer me;
	struct peer peer;
};

/* How a QP pair is to be made; zero means the usual. */
struct qp_opts {
	enum ibv_qp_type type;
	bool srq;
	int rnr_retry;			/* -1: 0 */
	int timeout;
	int retry_cnt;
	int access;			/* -1: none */
	uint32_t dest_qpn;		/* not the peer's */
	uint32_t recv_wr;
};

/* Pieces of one message inside a buffer, in the message's order. */
struct layout {
	int n;
	struct {
		uint32_t off;
		uint32_t len;
	} p[VC_MAX_SGE];
};

struct group {
	const char *name;
	void (*run)(struct end *e);
	const char *help;
};

extern const struct group groups_ops[];
extern const struct group groups_err[];

/* vc_data.c */
uint64_t rnd(struct end *e);
uint32_t rnd_below(struct end *e, uint32_t n);
uint32_t layout_one(struct end *e, struct layout *l, uint32_t size);
void layout_split(struct end *e, struct layout *l, uint32_t size, int max);
void layout_shift(struct layout *l, uint32_t by);
void data_guard(struct end *e, uint32_t from, uint32_t len);
void data_fill(struct end *e, const struct layout *l, uint64_t id);
void data_check(struct end *e, const struct layout *l, uint64_t id,
		const char *where);
bool data_matches(struct end *e, const struct layout *l, uint64_t id);
void guard_check(struct end *e, const struct layout *l, uint32_t from,
		 uint32_t len, const char *where);
int layout_sge(struct end *e, const struct layout *l, struct ibv_sge *sge);

/* vc_end.c */
void fail(struct end *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));
void note(struct end *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void chan_put(struct end *e, const void *p, size_t n);
void chan_get(struct end *e, void *p, size_t n);
void barrier(struct end *e);
void end_open(struct end *e);
void end_close(struct end *e);
void qp_make(struct end *e, const struct qp_opts *q);
void qp_drop(struct end *e);
void qp_pair(struct end *e, const struct qp_opts *q);
int qp_init(struct end *e, const struct qp_opts *q);
int qp_rtr(struct end *e, const struct qp_opts *q);
int qp_rts(struct end *e, const struct qp_opts *q);
enum ibv_qp_state qp_state(struct end *e);
struct ibv_ah *ah_make(struct end *e, const union ibv_gid *to);
uint32_t path_mtu(struct end *e);
void post(struct end *e, struct ibv_send_wr *wr);
void post_recv(struct end *e, const struct layout *l, uint64_t id);
void poll_any(struct end *e, struct ibv_cq *cq, struct ibv_wc *wc);
void poll_ok(struct end *e, struct ibv_cq *cq, struct ibv_wc *wc);
bool take_event(struct end *e, int ms);
bool poll_for(struct end *e, struct ibv_cq *cq, struct ibv_wc *wc, int ms);
double now(void);

#endif
