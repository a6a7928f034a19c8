// SPDX-License-Identifier: GPL-2.0
/*
 * raw_target: an RC, a UC and a UD QP whose peer does not exist, for a script
 * that plays the peer with packets of its own making. What it may touch is
 * guarded, and it says on request whether that is intact.
 *
 * usage: raw_target DEV GID-INDEX PEER-GID RECEIVES
 * prints:	rc QPN uc QPN ud QPN rkey KEY addr ADDRESS len LENGTH
 * on "check":	intact|touched OFFSET, and the RC QP's state
 * on "recvs":	the statuses of the receives completed so far
 */
#include "vc.h"
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PEER_QPN	0x1234
#define PEER_PSN	0x100

static struct opts o = { .port = 1, .timeout = 14, .deadline = 10 };
static struct ibv_qp *rc;

static struct ibv_qp *make(struct end *e, enum ibv_qp_type type, int recvs)
{
	struct qp_opts q = { .type = type };
	struct ibv_sge sge = { (uintptr_t)e->buf + 65536, 4096, e->mr->lkey };
	struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };
	struct ibv_qp *qp;
	int i;

	e->qp = NULL;
	qp_make(e, &q);
	if (qp_init(e, &q) || qp_rtr(e, &q) || qp_rts(e, &q))
		fail(e, "modify QP: %s", strerror(errno));
	for (i = 0; i < recvs; i++, sge.addr += 4096)
		if (ibv_post_recv(e->qp, &wr, &bad))
			fail(e, "post receive");
	qp = e->qp;
	e->qp = NULL;
	return qp;
}

static void check(struct end *e)
{
	struct ibv_qp_init_attr ia;
	struct ibv_qp_attr a;
	size_t i;

	ibv_query_qp(rc, &a, IBV_QP_STATE, &ia);
	for (i = 0; i < 65536; i++)
		if (e->buf[i] != (uint8_t)(0xa5 ^ (i * 13 + (i >> 8) * 7)))
			break;
	printf("%s %zu state %d\n", i < 65536 ? "touched" : "intact", i,
	       a.qp_state);
}

static void recvs(struct end *e)
{
	struct ibv_wc wc;

	while (ibv_poll_cq(e->rcq, 1, &wc) > 0)
		printf("%d ", wc.status);
	printf(".\n");
}

int main(int argc, char **argv)
{
	struct end e = { .o = &o, .initiator = true };
	char line[64];

	if (argc != 5)
		return 2;
	o.dev = argv[1];
	o.gid = atoi(argv[2]);
	if (inet_pton(AF_INET6, argv[3], &e.peer.gid) != 1)
		return 2;
	e.peer.qpn = PEER_QPN;
	e.peer.psn = PEER_PSN;
	e.me.psn = PEER_PSN;
	end_open(&e);
	rc = make(&e, IBV_QPT_RC, atoi(argv[4]));
	printf("rc %u", rc->qp_num);
	printf(" uc %u", make(&e, IBV_QPT_UC, atoi(argv[4]))->qp_num);
	printf(" ud %u", make(&e, IBV_QPT_UD, atoi(argv[4]))->qp_num);
	printf(" rkey %u addr %llu len %zu\n", e.mr->rkey,
	       (unsigned long long)(uintptr_t)e.buf, e.len);
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		if (!strcmp(line, "check\n"))
			check(&e);
		else if (!strcmp(line, "recvs\n"))
			recvs(&e);
		fflush(stdout);
	}
	return 0;
}
