/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints: /sys/kernel/tracing/events/rxe.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rxe

#if !defined(RXE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RXE_TRACE_H

#include <linux/tracepoint.h>

#include "rxe.h"

#ifndef RXE_TRACE_HELPERS
#define RXE_TRACE_HELPERS
static inline const char *rxe_trace_dev(const struct rxe_dev *dev)
{
	return dev ? dev_name(&dev->ib.dev) : "-";
}
#endif

#define rxe_show_qp_state(s) __print_symbolic(s, \
	{ IB_QPS_RESET, "RESET" }, { IB_QPS_INIT, "INIT" }, { IB_QPS_RTR, "RTR" }, \
	{ IB_QPS_RTS, "RTS" }, { IB_QPS_SQD, "SQD" }, { IB_QPS_SQE, "SQE" }, \
	{ IB_QPS_ERR, "ERR" })

#define rxe_show_drop(w) __print_symbolic(w, \
	{ RXE_DROP_SHORT, "short" }, { RXE_DROP_OPCODE, "opcode" }, \
	{ RXE_DROP_TVER, "tver" }, { RXE_DROP_PAD, "pad" }, \
	{ RXE_DROP_PAYLOAD, "payload" }, { RXE_DROP_ICRC, "icrc" }, \
	{ RXE_DROP_GID, "gid" }, { RXE_DROP_QPN, "qpn" }, { RXE_DROP_STATE, "state" }, \
	{ RXE_DROP_TRANSPORT, "transport" }, { RXE_DROP_ADDR, "addr" }, \
	{ RXE_DROP_PKEY, "pkey" }, { RXE_DROP_QKEY, "qkey" }, { RXE_DROP_QUEUE, "queue" }, \
	{ RXE_DROP_PSN, "psn" }, { RXE_DROP_MSG, "msg" }, { RXE_DROP_PORT, "port" }, \
	{ RXE_DROP_NOMEM, "nomem" }, { RXE_DROP_MCAST, "mcast" })

/* A packet; opcodes are printed as numbers, which is what captures filter on. */
DECLARE_EVENT_CLASS(rxe_packet,
		    TP_PROTO(const struct rxe_dev *dev, u32 qpn, const struct rxe_pkt *pkt),
		    TP_ARGS(dev, qpn, pkt),
		    TP_STRUCT__entry(__string(dev, rxe_trace_dev(dev))
				     __field(u32, qpn)
				     __field(u32, dqpn)
				     __field(u32, psn)
				     __field(u32, payload)
				     __field(u8, opcode)
				     __field(u8, ackreq)
				     __field(u8, se)),
		    TP_fast_assign(compat_assign_str(dev, rxe_trace_dev(dev));
				   __entry->qpn = qpn;
				   __entry->dqpn = pkt->dqpn;
				   __entry->psn = pkt->psn;
				   __entry->payload = pkt->payload;
				   __entry->opcode = pkt->opcode;
				   __entry->ackreq = pkt->ackreq;
				   __entry->se = pkt->se;),
		    TP_printk("%s qpn=%u opcode=%#04x dqpn=%u psn=%#08x payload=%u%s%s",
			      __get_str(dev), __entry->qpn, __entry->opcode, __entry->dqpn,
			      __entry->psn, __entry->payload,
			      __entry->ackreq ? " ackreq" : "", __entry->se ? " se" : "")
);

DEFINE_EVENT(rxe_packet, rxe_tx,
	     TP_PROTO(const struct rxe_dev *dev, u32 qpn, const struct rxe_pkt *pkt),
	     TP_ARGS(dev, qpn, pkt)
);

DEFINE_EVENT(rxe_packet, rxe_rx,
	     TP_PROTO(const struct rxe_dev *dev, u32 qpn, const struct rxe_pkt *pkt),
	     TP_ARGS(dev, qpn, pkt)
);

TRACE_EVENT(rxe_drop,
	    TP_PROTO(const struct rxe_dev *dev, u32 qpn, enum rxe_drop why),
	    TP_ARGS(dev, qpn, why),
	    TP_STRUCT__entry(__string(dev, rxe_trace_dev(dev))
			     __field(u32, qpn)
			     __field(u32, why)),
	    TP_fast_assign(compat_assign_str(dev, rxe_trace_dev(dev));
			   __entry->qpn = qpn;
			   __entry->why = why;),
	    TP_printk("%s qpn=%u why=%s", __get_str(dev), __entry->qpn,
		      rxe_show_drop(__entry->why))
);

/* Sending again: what made it so, and from which PSN. */
TRACE_EVENT(rxe_retry,
	    TP_PROTO(const struct rxe_qp *qp, const char *kind, u32 psn),
	    TP_ARGS(qp, kind, psn),
	    TP_STRUCT__entry(__string(dev, rxe_trace_dev(qp->dev))
			     __string(kind, kind)
			     __field(u32, qpn)
			     __field(u32, psn)
			     __field(u32, retry_left)
			     __field(u32, rnr_left)),
	    TP_fast_assign(compat_assign_str(dev, rxe_trace_dev(qp->dev));
			   compat_assign_str(kind, kind);
			   __entry->qpn = qp->ib.qp_num;
			   __entry->psn = psn;
			   __entry->retry_left = qp->tx.retry_left;
			   __entry->rnr_left = qp->tx.rnr_left;),
	    TP_printk("%s qpn=%u kind=%s psn=%#08x retry_left=%u rnr_left=%u",
		      __get_str(dev), __entry->qpn, __get_str(kind), __entry->psn,
		      __entry->retry_left, __entry->rnr_left)
);

/* A NAK, sent by the responder or received by the requester. */
TRACE_EVENT(rxe_nak,
	    TP_PROTO(const struct rxe_qp *qp, u32 psn, u8 syndrome),
	    TP_ARGS(qp, psn, syndrome),
	    TP_STRUCT__entry(__string(dev, rxe_trace_dev(qp->dev))
			     __field(u32, qpn)
			     __field(u32, psn)
			     __field(u8, syndrome)),
	    TP_fast_assign(compat_assign_str(dev, rxe_trace_dev(qp->dev));
			   __entry->qpn = qp->ib.qp_num;
			   __entry->psn = psn;
			   __entry->syndrome = syndrome;),
	    TP_printk("%s qpn=%u psn=%#08x syndrome=%#04x", __get_str(dev),
		      __entry->qpn, __entry->psn, __entry->syndrome)
);

TRACE_EVENT(rxe_qp_state,
	    TP_PROTO(const struct rxe_qp *qp, enum ib_qp_state from, enum ib_qp_state to),
	    TP_ARGS(qp, from, to),
	    TP_STRUCT__entry(__string(dev, rxe_trace_dev(qp->dev))
			     __field(u32, qpn)
			     __field(u32, from)
			     __field(u32, to)),
	    TP_fast_assign(compat_assign_str(dev, rxe_trace_dev(qp->dev));
			   __entry->qpn = qp->ib.qp_num;
			   __entry->from = from;
			   __entry->to = to;),
	    TP_printk("%s qpn=%u %s->%s", __get_str(dev), __entry->qpn,
		      rxe_show_qp_state(__entry->from),
		      rxe_show_qp_state(__entry->to))
);

TRACE_EVENT(rxe_comp,
	    TP_PROTO(const struct rxe_qp *qp, u64 wr_id, int status),
	    TP_ARGS(qp, wr_id, status),
	    TP_STRUCT__entry(__string(dev, rxe_trace_dev(qp->dev))
			     __field(u32, qpn)
			     __field(u64, wr_id)
			     __field(int, status)),
	    TP_fast_assign(compat_assign_str(dev, rxe_trace_dev(qp->dev));
			   __entry->qpn = qp->ib.qp_num;
			   __entry->wr_id = wr_id;
			   __entry->status = status;),
	    TP_printk("%s qpn=%u wr_id=%#llx status=%d", __get_str(dev),
		      __entry->qpn, __entry->wr_id, __entry->status)
);

#endif /* RXE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
