/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The halves of a QP, who runs them and for how long (engine.c).
 */
#ifndef RXE_ENGINE_H
#define RXE_ENGINE_H

/* Marks: why a side should run.  All of them in one word with the owner's bit. */
enum {
	RXE_MARK_POST	= BIT(0),	/* send WQEs posted */
	RXE_MARK_INBOX	= BIT(1),	/* packets in the inbox */
	RXE_MARK_TIMER	= BIT(2),	/* the QP's timer fired */
	RXE_MARK_STATE	= BIT(3),	/* QP state or attributes changed */
	RXE_MARK_WAITER	= BIT(4),	/* a sender is parked on this receive side */
	RXE_MARK_WAKE	= BIT(5),	/* go on: unparked; a fault or an invalidation is through */
	RXE_MARK_WANTED	= BIT(6),	/* a process waits in rxe_side_own() */
	RXE_SIDE_OWNED	= BIT(31),	/* queued to run, or running, or owned by a process */
};

/**
 * struct rxe_side - the send or the receive half of a QP
 * @state: marks and RXE_SIDE_OWNED
 * @is_rx: the receive half
 * @on_wire: the owner's: what it sends passes through the IP stack
 * @node: on a CPU's run list
 * @irq_node: kicked with interrupts off
 * @work: out of budget
 * @inbox: sk_buff.ll_node, newest first
 * @inbox_len: packets in @inbox and @todo
 * @todo: taken from the inbox, in order; the owner's
 * @faults: page faults waited for (mr_odp.c)
 * @bad_odp: one of them failed, for that MR ...
 * @bad_addr: ... at that address
 *
 * One owner at a time.  rxe_kick() sets marks and, if nobody owns the side,
 * runs it here and now (or queues it: see engine.c).  Ownership is given up in
 * one atomic step that fails while a mark is set, so that no mark is lost and
 * the side is not touched after it was let go.
 */
struct rxe_side {
	atomic_t state;
	bool is_rx;
	bool on_wire;
	struct list_head node;
	struct llist_node irq_node;
	struct work_struct work;
	struct llist_head inbox;
	atomic_t inbox_len;
	struct sk_buff_head todo;
	atomic_t faults;
	const struct rxe_odp *bad_odp;
	u64 bad_addr;
};

/* What one turn may still use up. */
struct rxe_budget {
	int bytes;
	int packets;
	int free;			/* looks that do not ask for the time */
	u64 deadline;			/* local_clock() ns */
};

/* What a side says at the end of a turn. */
enum rxe_turn {
	RXE_IDLE,	/* nothing to do until a mark is set */
	RXE_MORE,	/* budget or share used up; go on soon */
	RXE_LATER,	/* waits for another CPU's burst to end: go on in a worker */
};

void rxe_queue_work(struct work_struct *work);
int rxe_engine_init(void);
void rxe_engine_exit(void);
void rxe_side_init(struct rxe_side *side, bool is_rx);
/* Any context. */
void rxe_kick(struct rxe_side *side, u32 mark);
/* Only a running send side, of a receive side ... */
bool rxe_side_tryown(struct rxe_side *side);
/* ... that is about to park there ... */
bool rxe_side_tryown_waiting(struct rxe_side *side);
/* ... and back; what was marked is run. */
void rxe_side_release(struct rxe_side *side);
/* Processes: may sleep; disown may be followed by a run; close instead of it at destroy. */
void rxe_side_own(struct rxe_side *side);
void rxe_side_disown(struct rxe_side *side);
void rxe_side_close(struct rxe_side *side);
/* Owner: take all marks. */
u32 rxe_side_marks(struct rxe_side *side);
/* False: full; skb still the caller's. */
bool rxe_inbox_add(struct rxe_side *side, struct sk_buff *skb);
/* Owner; pop drops what peek gave, freeing it. */
struct sk_buff *rxe_inbox_peek(struct rxe_side *side);
void rxe_inbox_pop(struct rxe_side *side);
void rxe_inbox_purge(struct rxe_side *side);
bool rxe_over_budget(struct rxe_budget *b);
/* This CPU's, for the engine frame under way. */
struct rxe_iter *rxe_scratch_iter(unsigned int which);

#endif /* RXE_ENGINE_H */
