// SPDX-License-Identifier: GPL-2.0
/*
 * Sides and who runs them.
 *
 * A QP has a send side and a receive side.  A side has one owner at a time;
 * ownership is tried for, never waited for, except by a process that changes
 * or destroys the QP.  Work runs where it arrived: in the post_send system
 * call, the receive softirq, the timer.  Who finds a side owned leaves a mark
 * and goes; the owner looks at the marks again as it lets go, in one atomic
 * step, so that no mark is lost and a side is never touched after it was let
 * go (it may be freed then).
 *
 * Nothing nests: a side kicked from within an engine goes on this CPU's run
 * list, which the outermost frame works off under one budget.  What is left
 * then goes to a worker, one work item per side.  So the depth of the stack
 * is fixed whatever QPs talk to each other, and a system call that starts
 * others' work gives the CPU back after about 50 us.
 *
 * Callers with interrupts off (the MAD layer and CM post that way) only mark;
 * a tasklet runs the side.
 *
 * Lock order: caller's locks, send side, receive side, SRQ, CQ, inbox.
 */
#include <linux/sched/clock.h>

#include "rxe.h"

enum {
	RXE_TURN_NS	= 50 * NSEC_PER_USEC,
	RXE_TURN_BYTES	= 1 << 20,
	RXE_TURN_PKTS	= 256,		/* below netdev_max_backlog */
	RXE_TURN_FREE	= 16,		/* looks at the budget before the clock counts */
	RXE_ITERS	= 2,
};

/**
 * struct rxe_cpu - what one CPU's engine frame works on
 * @inside: a frame of this CPU is running sides; BH are off all that time
 * @run: sides to run, all owned by this list
 * @irq: sides kicked with interrupts off, for ...
 * @tasklet: which runs them
 * @iter: cursors of the frame; too large for the stack
 */
struct rxe_cpu {
	bool inside;
	struct list_head run;
	struct llist_head irq;
	struct tasklet_struct tasklet;
	struct rxe_iter iter[RXE_ITERS];
};

static DEFINE_PER_CPU(struct rxe_cpu, rxe_cpu);
static struct workqueue_struct *rxe_wq;		/* any CPU */
static struct workqueue_struct *rxe_wire_wq;	/* this CPU */

/* Sides as lockdep knows them: two classes, taken by trying but by processes. */
#ifdef CONFIG_DEBUG_LOCK_ALLOC
static struct lockdep_map rxe_side_map[2] = {
	STATIC_LOCKDEP_MAP_INIT("rxe_send_side", &rxe_side_map[0]),
	STATIC_LOCKDEP_MAP_INIT("rxe_receive_side", &rxe_side_map[1]),
};

static void rxe_side_acquired(struct rxe_side *side, bool tried)
{
	lock_acquire(&rxe_side_map[side->is_rx], 0, tried, 0, 1, NULL, _THIS_IP_);
}

static void rxe_side_released(bool is_rx)
{
	lock_release(&rxe_side_map[is_rx], _THIS_IP_);
}
#else
static void rxe_side_acquired(struct rxe_side *side, bool tried) {}
static void rxe_side_released(bool is_rx) {}
#endif

/**
 * rxe_scratch_iter() - a cursor for the engine frame that runs on this CPU
 * @which: 0: the requester's and completer's own; 1: the responder's, or the
 *	   completer's second
 *
 * Context: inside an engine (BH off).
 */
struct rxe_iter *rxe_scratch_iter(unsigned int which)
{
	return &this_cpu_ptr(&rxe_cpu)->iter[which];
}

/**
 * rxe_over_budget() - has this turn used up what it may?
 * @b: the turn's budget
 *
 * The first few looks do not ask for the time: a small exchange is finished
 * where it began on a slow machine too, where a worker might wait for a CPU
 * that somebody polls on.
 */
bool rxe_over_budget(struct rxe_budget *b)
{
	if (b->bytes <= 0 || b->packets <= 0)
		return true;
	if (b->free) {
		b->free--;
		return false;
	}
	return local_clock() > b->deadline;
}

static struct rxe_qp *rxe_side_qp(struct rxe_side *side)
{
	if (side->is_rx)
		return container_of(side, struct rxe_qp, rx.side);
	return container_of(side, struct rxe_qp, tx.side);
}

/*
 * The rest of a budget.  A side that sends on the wire goes on where it is:
 * packets wait in this CPU's queues, and those sent from another CPU would
 * overtake them.
 */
static void rxe_side_defer(struct rxe_side *side)
{
	if (side->on_wire)
		queue_work_on(smp_processor_id(), rxe_wire_wq, &side->work);
	else
		queue_work(rxe_wq, &side->work);
}

/*
 * Give up ownership unless a mark asks for another turn.  A process that waits
 * for the side gets it whatever the marks: it runs them when it is through.
 */
static bool rxe_side_letgo(struct rxe_side *side)
{
	struct rxe_qp *qp = rxe_side_qp(side);
	struct rxe_ref *parked = NULL;
	u32 keep, s = atomic_read(&side->state);

	do {
		u32 marks = s & ~(u32)(RXE_SIDE_OWNED | RXE_MARK_WANTED | RXE_MARK_WAITER);

		if (marks && !(s & RXE_MARK_WANTED)) {
			if (parked)
				rxe_ref_put(parked);
			return false;
		}
		if (s & RXE_MARK_WAITER && !parked) {
			/* qp must live until those parked on it are woken */
			parked = qp->ref;
			refcount_inc(&parked->count);
		}
		keep = marks;
	/* full barrier: wake_up_var() looks for waiters after it */
	} while (!atomic_try_cmpxchg(&side->state, &s, keep));

	if (s & RXE_MARK_WANTED)
		wake_up_var(&side->state);
	if (parked) {
		rxe_parked_wake(qp);
		rxe_ref_put(parked);
	}
	return true;
}

/* Another turn is due, now or after others: never let a waiting process starve. */
static void rxe_side_again(struct rxe_side *side, struct rxe_cpu *cpu, enum rxe_turn turn)
{
	if (atomic_read(&side->state) & RXE_MARK_WANTED) {
		atomic_or(RXE_MARK_WAKE, &side->state);
		if (rxe_side_letgo(side))
			return;
	}
	if (turn == RXE_LATER)
		rxe_side_defer(side);
	else
		list_add_tail(&side->node, &cpu->run);
}

static void rxe_side_run(struct rxe_side *side, struct rxe_cpu *cpu, struct rxe_budget *b)
{
	enum rxe_turn turn;

	rxe_side_acquired(side, true);
	turn = side->is_rx ? rxe_rx_run(side, b) : rxe_tx_run(side, b);
	rxe_side_released(side->is_rx);
	if (turn == RXE_IDLE && rxe_side_letgo(side))
		return;
	rxe_side_again(side, cpu, turn);
}

/* The outermost frame of this CPU: BH off, not inside. */
static void rxe_cpu_run(struct rxe_cpu *cpu)
{
	struct rxe_budget b = {
		.bytes = RXE_TURN_BYTES,
		.packets = RXE_TURN_PKTS,
		.free = RXE_TURN_FREE,
		.deadline = local_clock() + RXE_TURN_NS,
	};
	struct rxe_side *side;

	cpu->inside = true;
	while ((side = list_first_entry_or_null(&cpu->run, struct rxe_side, node))) {
		list_del_init(&side->node);
		if (rxe_over_budget(&b))
			rxe_side_defer(side);
		else
			rxe_side_run(side, cpu, &b);
	}
	cpu->inside = false;
}

/* Run an owned side here, or on the list of the frame we are inside of. */
static void rxe_side_start(struct rxe_side *side)
{
	struct rxe_cpu *cpu;

	local_bh_disable();
	cpu = this_cpu_ptr(&rxe_cpu);
	list_add_tail(&side->node, &cpu->run);
	if (!cpu->inside)
		rxe_cpu_run(cpu);
	local_bh_enable();
}

static void rxe_side_dispatch(struct rxe_side *side)
{
	unsigned long flags;

	if (!in_hardirq() && !irqs_disabled()) {
		rxe_side_start(side);
		return;
	}
	local_irq_save(flags);
	llist_add(&side->irq_node, this_cpu_ptr(&rxe_cpu.irq));
	tasklet_schedule(this_cpu_ptr(&rxe_cpu.tasklet));
	local_irq_restore(flags);
}

static void rxe_irq_tasklet(struct tasklet_struct *t)
{
	struct rxe_cpu *cpu = from_tasklet(cpu, t, tasklet);
	struct llist_node *all = llist_reverse_order(llist_del_all(&cpu->irq));
	struct rxe_side *side, *next;

	llist_for_each_entry_safe(side, next, all, irq_node)
		rxe_side_start(side);
}

static void rxe_side_work(struct work_struct *work)
{
	rxe_side_start(container_of(work, struct rxe_side, work));
}

/**
 * rxe_kick() - there is something to do for a side
 * @side: of a QP that the caller keeps alive until this returns
 * @mark: RXE_MARK_*
 *
 * Runs the side in this context if it is free, or leaves the mark to its
 * owner.  Context: any; with interrupts off nothing is run here.
 */
void rxe_kick(struct rxe_side *side, u32 mark)
{
	if (!(atomic_fetch_or(mark | RXE_SIDE_OWNED, &side->state) & RXE_SIDE_OWNED))
		rxe_side_dispatch(side);
}

/**
 * rxe_side_marks() - take the marks of a side one owns
 * @side: the side
 *
 * Full barrier: what the marks announced is seen after it.
 * Return: RXE_MARK_* that were set.
 */
u32 rxe_side_marks(struct rxe_side *side)
{
	const u32 keep = RXE_SIDE_OWNED | RXE_MARK_WANTED | RXE_MARK_WAITER;

	return atomic_fetch_and(keep, &side->state) & ~keep;
}

/**
 * rxe_side_tryown() - take a receive side for a burst by reference
 * @side: the peer's receive side
 *
 * Context: owner of one send side, inside an engine.
 * Return: true if it was free; to be given back with rxe_side_release().
 */
bool rxe_side_tryown(struct rxe_side *side)
{
	if (atomic_fetch_or(RXE_SIDE_OWNED, &side->state) & RXE_SIDE_OWNED)
		return false;
	rxe_side_acquired(side, true);
	return true;
}

/**
 * rxe_side_tryown_waiting() - the last try of a sender about to park
 * @side: the peer's receive side, on whose list the sender is
 *
 * Context and return: as rxe_side_tryown(); if false, the side's owner sees
 * the waiter as it lets go.
 */
bool rxe_side_tryown_waiting(struct rxe_side *side)
{
	u32 old = atomic_fetch_or(RXE_MARK_WAITER | RXE_SIDE_OWNED, &side->state);

	if (old & RXE_SIDE_OWNED)
		return false;
	rxe_side_acquired(side, true);
	return true;
}

/**
 * rxe_side_release() - give back what rxe_side_tryown() took
 * @side: the side
 *
 * Context: inside an engine, whose outermost frame runs what was marked.
 */
void rxe_side_release(struct rxe_side *side)
{
	rxe_side_released(side->is_rx);
	if (!rxe_side_letgo(side))
		rxe_side_start(side);
}

static bool rxe_side_own_or_want(struct rxe_side *side)
{
	u32 old = atomic_fetch_or(RXE_SIDE_OWNED | RXE_MARK_WANTED, &side->state);

	if (old & RXE_SIDE_OWNED)
		return false;
	atomic_andnot(RXE_MARK_WANTED, &side->state);
	return true;
}

/**
 * rxe_side_own() - own a side from process context
 * @side: the side
 *
 * Waits for the turn under way, at most.  One process at a time per QP
 * (qp->mutex).  Context: may sleep; no side owned but the send side before the
 * receive side of one QP.
 */
void rxe_side_own(struct rxe_side *side)
{
	wait_var_event(&side->state, rxe_side_own_or_want(side));
	rxe_side_acquired(side, false);
}

/**
 * rxe_side_disown() - end rxe_side_own()
 * @side: the side
 *
 * Runs what was marked meanwhile, in this context.
 */
void rxe_side_disown(struct rxe_side *side)
{
	rxe_side_released(side->is_rx);
	if (!rxe_side_letgo(side))
		rxe_side_dispatch(side);
}

/**
 * rxe_side_close() - a side that one owns will never be let go
 * @side: the side of a QP being destroyed
 */
void rxe_side_close(struct rxe_side *side)
{
	rxe_side_released(side->is_rx);
}

/**
 * rxe_inbox_add() - leave a packet for a side
 * @side: of a QP the caller holds a reference to
 * @skb: the packet; the side's from now on, if taken
 *
 * The caller kicks the side with RXE_MARK_INBOX.  Context: any.
 * Return: false if the inbox is full; the packet is still the caller's.
 */
bool rxe_inbox_add(struct rxe_side *side, struct sk_buff *skb)
{
	if (atomic_inc_return(&side->inbox_len) > RXE_INBOX_MAX) {
		atomic_dec(&side->inbox_len);
		return false;
	}
	llist_add(&skb->ll_node, &side->inbox);
	return true;
}

/**
 * rxe_inbox_peek() - the oldest packet of an inbox
 * @side: owned by the caller
 *
 * Return: the packet, still in the inbox, or NULL.
 */
struct sk_buff *rxe_inbox_peek(struct rxe_side *side)
{
	struct llist_node *node;
	struct sk_buff *skb, *next;

	if (skb_queue_empty(&side->todo) && !llist_empty(&side->inbox)) {
		node = llist_reverse_order(llist_del_all(&side->inbox));
		llist_for_each_entry_safe(skb, next, node, ll_node)
			__skb_queue_tail(&side->todo, skb);
	}
	return skb_peek(&side->todo);
}

/**
 * rxe_inbox_pop() - free the oldest packet, which was dealt with
 * @side: owned by the caller
 */
void rxe_inbox_pop(struct rxe_side *side)
{
	atomic_dec(&side->inbox_len);
	consume_skb(__skb_dequeue(&side->todo));
}

/**
 * rxe_inbox_purge() - free all packets of an inbox
 * @side: owned by the caller
 */
void rxe_inbox_purge(struct rxe_side *side)
{
	while (rxe_inbox_peek(side))
		rxe_inbox_pop(side);
}

/**
 * rxe_side_init() - a new side: free, nothing to do
 * @side: the side
 * @is_rx: receive side
 */
void rxe_side_init(struct rxe_side *side, bool is_rx)
{
	atomic_set(&side->state, 0);
	side->is_rx = is_rx;
	INIT_LIST_HEAD(&side->node);
	INIT_WORK(&side->work, rxe_side_work);
	init_llist_head(&side->inbox);
	atomic_set(&side->inbox_len, 0);
	__skb_queue_head_init(&side->todo);
}

/**
 * rxe_queue_work() - run something where it may sleep, on any CPU
 * @work: of an object whose destruction cancels it
 *
 * On a queue that makes progress when memory is short: storage waits for the
 * events that are raised there.  Context: any.
 */
void rxe_queue_work(struct work_struct *work)
{
	queue_work(rxe_wq, work);
}

/**
 * rxe_engine_init() - at module load
 *
 * Return: 0 or -ENOMEM.
 */
int rxe_engine_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct rxe_cpu *c = per_cpu_ptr(&rxe_cpu, cpu);

		INIT_LIST_HEAD(&c->run);
		init_llist_head(&c->irq);
		tasklet_setup(&c->tasklet, rxe_irq_tasklet);
	}
	rxe_wq = alloc_workqueue("rxe_wq", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	if (!rxe_wq)
		return -ENOMEM;
	rxe_wire_wq = alloc_workqueue("rxe_wire_wq", WQ_PERCPU | WQ_MEM_RECLAIM, 0);
	if (rxe_wire_wq)
		return 0;
	destroy_workqueue(rxe_wq);
	return -ENOMEM;
}

/**
 * rxe_engine_exit() - at module unload; no device is left
 */
void rxe_engine_exit(void)
{
	int cpu;

	destroy_workqueue(rxe_wire_wq);
	destroy_workqueue(rxe_wq);
	for_each_possible_cpu(cpu)
		tasklet_kill(&per_cpu_ptr(&rxe_cpu, cpu)->tasklet);
}
