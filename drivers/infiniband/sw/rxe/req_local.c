// SPDX-License-Identifier: GPL-2.0
/*
 * Work requests that send nothing: LOCAL_INV, REG_MR, BIND_MW.
 *
 * They are executed when the requester comes to them, in order, once: going
 * back for a retransmission never does them again.  One that takes a key away
 * is complete only when no burst uses its memory any more.
 */
#include "rxe.h"

/**
 * rxe_req_local() - execute a local operation
 * @qp: send side owned
 * @swr: the work request; its status is set
 *
 * Return: 0; -EAGAIN: the key is gone but still in use, call again.
 */
int rxe_req_local(struct rxe_qp *qp, struct rxe_swr *swr)
{
	enum ib_wc_status bad = IB_WC_LOC_QP_OP_ERR;
	int err;

	switch (swr->opcode) {
	case IB_WR_LOCAL_INV:
		err = rxe_key_invalidate(qp, swr->inv_rkey, false);
		break;
	case IB_WR_REG_MR:
		err = rxe_mr_fast_reg(qp, swr->reg.mr, swr->reg.key, swr->reg.access);
		break;
	case IB_WR_BIND_MW:
		err = rxe_mw_bind(qp, swr);
		bad = IB_WC_MW_BIND_ERR;
		break;
	default:
		err = -EINVAL;
	}
	if (err == -EAGAIN)
		return err;
	swr->status = err ? bad : IB_WC_SUCCESS;
	return 0;
}
