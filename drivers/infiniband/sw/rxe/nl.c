// SPDX-License-Identifier: GPL-2.0
/*
 * What `rdma resource show -dd` tells of an object.  Values are read without
 * owning a side: each is one that was true, though not all at once.
 */
#include <net/netlink.h>
#include <rdma/restrack.h>
#include <uapi/rdma/rdma_netlink.h>

#include "rxe.h"

static const char *const rxe_wait_names[] = {
	[RXE_WAIT_NONE] = "none",
	[RXE_WAIT_PSN] = "window",
	[RXE_WAIT_RD_ATOMIC] = "rd_atomic",
	[RXE_WAIT_FENCE] = "fence",
	[RXE_WAIT_RNR] = "rnr",
	[RXE_WAIT_DRAIN] = "drain",
	[RXE_WAIT_PEER] = "peer",
	[RXE_WAIT_FAULT] = "fault",
	[RXE_WAIT_KEY] = "key",
	[RXE_WAIT_ROAD] = "road",
	[RXE_WAIT_ROUTE] = "route",
};

static const char *const rxe_road_names[] = {
	[RXE_ROAD_NONE] = "none",
	[RXE_ROAD_WIRE] = "wire",
	[RXE_ROAD_PACKET] = "local_packet",
	[RXE_ROAD_REF] = "local",
};

static const char *rxe_name(const char *const *names, unsigned int n, unsigned int i)
{
	return i < n && names[i] ? names[i] : "?";
}

struct rxe_nl_u64 {
	const char *name;
	u64 value;
};

static int rxe_nl_put(struct sk_buff *msg, const struct rxe_nl_u64 *v, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (rdma_nl_put_driver_u64(msg, v[i].name, v[i].value))
			return -EMSGSIZE;
	return 0;
}

static int rxe_nl_send(struct sk_buff *msg, const struct rxe_send *tx)
{
	const struct rxe_nl_u64 v[] = {
		{ "sq_psn", READ_ONCE(tx->psn) },
		{ "sq_una", READ_ONCE(tx->una) },
		{ "ssn", READ_ONCE(tx->ssn) },
		{ "cwnd", READ_ONCE(tx->cwnd) },
		{ "rd_atomic", READ_ONCE(tx->rd_atomic) },
		{ "retry_left", READ_ONCE(tx->retry_left) },
		{ "rnr_left", READ_ONCE(tx->rnr_left) },
		{ "sent", READ_ONCE(tx->n_sent) },
		{ "resent", READ_ONCE(tx->n_retry) },
		{ "rnr", READ_ONCE(tx->n_rnr) },
		{ "timeouts", READ_ONCE(tx->n_timeout) },
		{ "seq_naks", READ_ONCE(tx->n_seq_nak) },
	};

	if (rdma_nl_put_driver_string(msg, "wait",
				      rxe_name(rxe_wait_names, ARRAY_SIZE(rxe_wait_names),
					       READ_ONCE(tx->wait))) ||
	    rdma_nl_put_driver_string(msg, "path",
				      rxe_name(rxe_road_names, ARRAY_SIZE(rxe_road_names),
					       READ_ONCE(tx->road))) ||
	    rdma_nl_put_driver_u32_hex(msg, "credit_limit", READ_ONCE(tx->credit_limit)))
		return -EMSGSIZE;
	return rxe_nl_put(msg, v, ARRAY_SIZE(v));
}

static int rxe_nl_recv(struct sk_buff *msg, const struct rxe_recv *rx)
{
	const struct rxe_nl_u64 v[] = {
		{ "rq_psn", READ_ONCE(rx->psn) },
		{ "msn", READ_ONCE(rx->msn) },
		{ "rcvd", READ_ONCE(rx->n_rcvd) },
		{ "duplicates", READ_ONCE(rx->n_dup) },
		{ "out_of_seq", READ_ONCE(rx->n_seq) },
		{ "rnr_sent", READ_ONCE(rx->n_rnr) },
		{ "inbox", atomic_read(&rx->side.inbox_len) },
	};

	return rxe_nl_put(msg, v, ARRAY_SIZE(v));
}

static int rxe_nl_end(struct sk_buff *msg, struct nlattr *nest, int err)
{
	if (err)
		nla_nest_cancel(msg, nest);
	else
		nla_nest_end(msg, nest);
	return err;
}

int rxe_fill_res_qp_entry(struct sk_buff *msg, struct ib_qp *ib)
{
	struct rxe_qp *qp = rxe_qp(ib);
	struct nlattr *nest;
	int err;

	nest = nla_nest_start(msg, RDMA_NLDEV_ATTR_DRIVER);
	if (!nest)
		return -EMSGSIZE;
	err = rxe_nl_send(msg, &qp->tx);
	if (!err)
		err = rxe_nl_recv(msg, &qp->rx);
	return rxe_nl_end(msg, nest, err);
}

int rxe_fill_res_cq_entry(struct sk_buff *msg, struct ib_cq *ib)
{
	struct rxe_cq *cq = rxe_cq(ib);
	const struct rxe_nl_u64 v[] = {
		{ "slots", cq->ring.mask },
		{ "index", READ_ONCE(cq->ring.index) },
		{ "armed", READ_ONCE(cq->notify) },
		{ "overflown", READ_ONCE(cq->dead) },
	};
	struct nlattr *nest;

	nest = nla_nest_start(msg, RDMA_NLDEV_ATTR_DRIVER);
	if (!nest)
		return -EMSGSIZE;
	return rxe_nl_end(msg, nest, rxe_nl_put(msg, v, ARRAY_SIZE(v)));
}

static const char *const rxe_mr_type_names[] = {
	[RXE_MR_DMA] = "dma",
	[RXE_MR_USER] = "user",
	[RXE_MR_FAST] = "fast_reg",
	[RXE_MR_ODP] = "odp",
};

int rxe_fill_res_mr_entry(struct sk_buff *msg, struct ib_mr *ib)
{
	struct rxe_mr *mr = rxe_mr(ib);
	const struct rxe_nl_u64 v[] = {
		{ "valid", READ_ONCE(mr->valid) },
		{ "windows", atomic_read(&mr->num_mw) },
	};
	struct nlattr *nest;
	int err;

	nest = nla_nest_start(msg, RDMA_NLDEV_ATTR_DRIVER);
	if (!nest)
		return -EMSGSIZE;
	err = rdma_nl_put_driver_string(msg, "type",
					rxe_name(rxe_mr_type_names,
						 ARRAY_SIZE(rxe_mr_type_names), mr->type));
	if (!err)
		err = rdma_nl_put_driver_u32_hex(msg, "access", READ_ONCE(mr->access));
	if (!err)
		err = rxe_nl_put(msg, v, ARRAY_SIZE(v));
	return rxe_nl_end(msg, nest, err);
}
