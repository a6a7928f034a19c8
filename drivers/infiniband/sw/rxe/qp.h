/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The QP, its requester and its responder.
 */
#ifndef RXE_QP_H
#define RXE_QP_H

/* What the requester waits for; shown by rdma resource show qp -dd. */
enum rxe_wait {
	RXE_WAIT_NONE,		/* nothing to send */
	RXE_WAIT_PSN,		/* window full */
	RXE_WAIT_RD_ATOMIC,
	RXE_WAIT_FENCE,
	RXE_WAIT_RNR,
	RXE_WAIT_DRAIN,		/* SQD */
	RXE_WAIT_PEER,		/* parked on a busy receive side */
	RXE_WAIT_FAULT,		/* ODP */
	RXE_WAIT_KEY,		/* an invalidated key is still in use */
	RXE_WAIT_ROAD,		/* change of road: unacknowledged first */
	RXE_WAIT_ROUTE,		/* no route or address now: the timer tries again */
};

/* The send side: requester and completer.  All of it is the side owner's. */
struct rxe_send {
	struct rxe_side side;
	struct rxe_ring ring;
	spinlock_t post_lock;		/* irqsave; kernel producers only */

	/* snapshots: a window [tail, head) of WQE sequence numbers */
	struct rxe_swr **chunk;		/* RXE_SEND_DEPTH / RXE_SEND_CHUNK pointers */
	u32 swr_bytes;
	u32 tail;			/* oldest not completed */
	u32 next;			/* being sent, or next to be */
	u32 head;			/* next to be snapshotted */

	u32 psn;			/* of the next packet to send: the cursor, in WQE @next */
	u32 psn_high;			/* of the next never sent; resending: @psn is before it */
	u32 una;			/* oldest unacknowledged */
	u32 ssn;
	u32 msn_seen;			/* of the last AETH, for credits */
	u32 credit_limit;		/* SSN limit by credits; ~0: none */
	u32 cwnd;			/* packets */
	u32 cwnd_acked;
	u32 rd_atomic;			/* outstanding READ/atomic */
	u8 wait;			/* enum rxe_wait */
	u8 road;			/* enum rxe_road in use */
	u8 retry_left;
	u8 rnr_left;
	bool gap;			/* answered an out-of-order response by going back once */
	bool draining;			/* SQD asked for SQ_DRAINED */
	struct rxe_route route;

	u64 retry_at;			/* deadlines, ktime ns; 0: none */
	u64 rnr_at;
	u64 idle_at;			/* give back snapshot memory */
	u32 backoff;			/* timeouts in a row */

	struct rxe_qp *parked_on;	/* reference held */
	struct list_head park_node;	/* under parked_on->rx.park_lock */

	u64 n_sent, n_retry, n_rnr, n_timeout, n_seq_nak;	/* for rdma statistic qp */
};

/* Replay record of one READ, atomic, FLUSH or ATOMIC WRITE (resp_replay.c). */
struct rxe_replay {
	u8 msg;
	u32 first_psn;
	u32 last_psn;
	u64 va;			/* READ */
	u32 rkey;
	u32 length;
	u32 msn;
	u64 orig;		/* atomic */
};

/* The receive side: the responder. All of it is the side owner's. */
struct rxe_recv {
	struct rxe_side side;
	struct rxe_ring ring;		/* unless SRQ */
	spinlock_t post_lock;		/* irqsave; kernel producers only */
	u32 max_sge;

	u32 psn;			/* expected */
	u32 msn;
	bool nak_sent;			/* a sequence NAK is out */
	bool drop_msg;			/* UC: until the next First or Only */
	u8 msg;				/* message under way, RXE_MSG_NONE: none */
	u32 msg_len;			/* bytes received of it */
	u64 va;				/* WRITE under way: next address ... */
	u32 rkey;
	u32 resid;			/* ... and bytes to come */
	bool have_rwr;
	struct rxe_rwr *rwr;

	struct rxe_replay *replay;	/* ring of max_dest_rd_atomic */
	u32 replay_size;
	u32 replay_head;
	bool reading;			/* a READ is being answered by packets: */
	bool read_first;		/* its next packet is a First or Only */
	bool read_dup;			/* it was asked for before */
	u8 read_via;
	struct rxe_replay read;		/* what is still to be sent of it */

	bool ack_due;			/* acknowledge @psn - 1 at the end of the turn */
	u8 ack_via;
	u8 error;			/* enum ib_wc_status for the receive in use, with a NAK */
	bool comm_est;
	bool last_wqe;			/* LAST_WQE_REACHED was raised */
	struct rxe_route route;

	spinlock_t park_lock;		/* BH */
	struct list_head parked;	/* senders waiting for this side */
	bool closed;			/* being destroyed: nobody parks here */

	u64 flush_at;			/* ERR: next look at a user's ring */
	u32 flush_delay;

	u64 n_rcvd, n_dup, n_seq, n_rnr;	/* for rdma statistic qp */
};

struct rxe_qp {
	struct ib_qp ib;
	struct rxe_dev *dev;
	struct rxe_ref *ref;		/* in dev->qps */
	enum ib_qp_state state;		/* written with both sides owned; READ_ONCE elsewhere */
	bool user;
	bool sq_sig_all;
	u8 transport;			/* enum rxe_transport */
	u8 mtu_shift;
	u32 mtu;
	u16 pkey_index;
	u32 qkey;
	u32 dqpn;
	u16 sport;
	u32 max_inline;
	struct rxe_path path;		/* RC, UC */
	struct ib_qp_attr attr;		/* as last set, for query_qp; QP's mutex */
	struct mutex mutex;		/* modify and destroy */
	struct rxe_cq *scq;
	struct rxe_cq *rcq;
	struct rxe_srq *srq;

	struct hrtimer timer;		/* soft */
	spinlock_t timer_lock;		/* BH; timer_armed and the timer's start */
	u64 timer_armed;		/* its expiry, ns; 0: not armed */

	unsigned long events;		/* BIT(enum ib_event_type) to be raised */
	struct work_struct event_work;

	struct rxe_send tx;
	struct rxe_recv rx;
};

/* Does a QP in this state take requests (IBTA 10.3.1)? */
static inline bool rxe_state_receives(enum ib_qp_state state)
{
	switch (state) {
	case IB_QPS_RTR:
	case IB_QPS_RTS:
	case IB_QPS_SQD:
	case IB_QPS_SQE:
		return true;
	default:
		return false;
	}
}

static inline struct rxe_qp *rxe_qp(struct ib_qp *ib)
{
	return container_of(ib, struct rxe_qp, ib);
}

/* qp.c */
struct rxe_qp *rxe_qp_get(struct rxe_dev *dev, u32 qpn);	/* under RCU; takes a reference */
void rxe_qp_put(struct rxe_qp *qp);
/* Any context; raised from a work item. */
void rxe_qp_event(struct rxe_qp *qp, enum ib_event_type event);
/* Owner of a side: QP to ERR, the other side is told. */
void rxe_qp_error(struct rxe_qp *qp);
int rxe_create_qp(struct ib_qp *ib, struct ib_qp_init_attr *init, struct ib_udata *udata);
int rxe_modify_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask, struct ib_udata *udata);
int rxe_query_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask, struct ib_qp_init_attr *init);
int rxe_destroy_qp(struct ib_qp *ib, struct ib_udata *udata);
int rxe_post_send(struct ib_qp *ib, const struct ib_send_wr *wr, const struct ib_send_wr **bad);
int rxe_post_recv(struct ib_qp *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);

/* req.c: requester */
enum rxe_turn rxe_tx_run(struct rxe_side *side, struct rxe_budget *budget);
struct rxe_swr *rxe_swr_at(struct rxe_send *tx, u32 seq);
bool rxe_swr_is_local(const struct rxe_swr *swr);
bool rxe_swr_is_rdatom(const struct rxe_swr *swr);

/* req_local.c: work requests that send nothing. -EAGAIN: not yet; otherwise swr->status is set */
int rxe_req_local(struct rxe_qp *qp, struct rxe_swr *swr);

/* retry.c: timer, window, going back */
void rxe_timer_setup(struct rxe_qp *qp);
void rxe_timer_update(struct rxe_qp *qp);
void rxe_tx_timer(struct rxe_qp *qp);
void rxe_retry_progress(struct rxe_qp *qp, u32 acked);
void rxe_retry_started(struct rxe_qp *qp);
void rxe_retry_rewind(struct rxe_qp *qp);
void rxe_retry_seq_nak(struct rxe_qp *qp);
void rxe_retry_rnr(struct rxe_qp *qp, u8 code);
void rxe_tx_reset(struct rxe_qp *qp);
void rxe_tx_idle(struct rxe_qp *qp);
void rxe_retry_alive(struct rxe_qp *qp);

/* local.c: the road that needs no wire */
enum rxe_road rxe_road_pick(struct rxe_qp *qp);
bool rxe_local_datagram(struct rxe_qp *qp, const struct rxe_path *path);
int rxe_local_send(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply);
void rxe_unpark(struct rxe_qp *qp);
void rxe_parked_wake(struct rxe_qp *qp);

/* comp.c: completer */
void rxe_comp_packet(struct rxe_qp *qp, struct rxe_burst *b);
void rxe_comp_reply(struct rxe_qp *qp, const struct rxe_reply *reply);
void rxe_comp_advance(struct rxe_qp *qp);
void rxe_comp_fail(struct rxe_qp *qp, struct rxe_swr *swr, enum ib_wc_status status);
bool rxe_comp_flush(struct rxe_qp *qp, struct rxe_budget *budget);

/* resp.c: responder */
enum rxe_turn rxe_rx_run(struct rxe_side *side, struct rxe_budget *budget);
enum rxe_verdict rxe_resp_ref(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply);
void rxe_resp_post(struct rxe_qp *qp, struct ib_wc *wc, bool solicited);
void rxe_resp_send(struct rxe_qp *qp, const struct rxe_reply *reply, u8 via);
void rxe_rx_reset(struct rxe_qp *qp);

/* resp_exec.c: what requests do */
enum rxe_verdict rxe_exec(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply);
enum rxe_verdict rxe_exec_datagram(struct rxe_qp *qp, struct rxe_burst *b);
enum rxe_verdict rxe_resp_receive(struct rxe_qp *qp);

/* resp_replay.c: READ, and what must be answered the same twice */
struct rxe_replay *rxe_replay_new(struct rxe_recv *rx, const struct rxe_burst *b, u32 npkts);
enum rxe_verdict rxe_replay(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply);
enum rxe_verdict rxe_read_answer(struct rxe_qp *qp, const struct rxe_replay *rec,
				 struct rxe_burst *b, struct rxe_reply *reply, bool dup);
enum rxe_turn rxe_read_more(struct rxe_qp *qp, struct rxe_budget *budget);

#endif /* RXE_QP_H */
