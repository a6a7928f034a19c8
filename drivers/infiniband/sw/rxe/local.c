// SPDX-License-Identifier: GPL-2.0
/*
 * Local road: a destination GID that belongs to a device of this module in
 * the same network namespace needs no wire.  The requester owns the peer's
 * receive side for the time of a burst and the responder takes the payload by
 * reference: one copy, memory to memory, no ICRC.  Whatever the wire's rules
 * would drop is dropped here and found out by the requester's timer.
 *
 * A burst by reference is never queued: if the peer's receive side is busy,
 * the sender parks on its list of waiters and is run again when the side is
 * let go (engine.c).
 *
 * If a tap listens on the sender's interface, packets are built instead, shown
 * to it and put into the peer's inbox (RXE_ROAD_PACKET, tx.c).
 */
#include "rxe.h"
#include "trace.h"

/* Entry of a destination GID that is on this host, or NULL. Under RCU. */
static struct rxe_gid_entry *rxe_local_peer(struct rxe_dev *dev, const struct rxe_path *path)
{
	struct rxe_gid_entry *from;

	if (!READ_ONCE(rxe_local))
		return NULL;
	from = rxe_gid_of_path(dev, path);
	if (!from)
		return NULL;
	return rxe_gid_find(from->net, &path->dgid, from->ndev);
}

/**
 * rxe_local_datagram() - is a datagram's destination on this host?
 * @qp: the sender
 * @path: where it goes
 */
bool rxe_local_datagram(struct rxe_qp *qp, const struct rxe_path *path)
{
	bool local;

	rcu_read_lock();
	local = rxe_local_peer(qp->dev, path);
	rcu_read_unlock();
	return local;
}

/**
 * rxe_road_pick() - the road a connected QP's next packets take
 * @qp: send side owned; nothing unacknowledged, or everything to be sent again
 */
enum rxe_road rxe_road_pick(struct rxe_qp *qp)
{
	if (!rxe_local_datagram(qp, &qp->path))
		return RXE_ROAD_WIRE;
	return rxe_tx_tapped(qp->dev, &qp->path) ? RXE_ROAD_PACKET : RXE_ROAD_REF;
}

/* The destination QP, with a reference; what is wrong is counted as on a wire. */
static struct rxe_qp *rxe_local_qp(struct rxe_qp *qp, u32 qpn)
{
	struct rxe_gid_entry *to;
	struct rxe_qp *peer = NULL;

	rcu_read_lock();
	to = rxe_local_peer(qp->dev, &qp->path);
	if (to && netif_running(to->ndev))
		peer = rxe_qp_get(to->dev, qpn);
	if (!to)
		rxe_drop(qp->dev, RXE_DROP_GID);
	else if (!peer)
		rxe_drop(to->dev, netif_running(to->ndev) ? RXE_DROP_QPN : RXE_DROP_PORT);
	rcu_read_unlock();
	return peer;
}

/* What rx.c checks of a packet, as far as it can be wrong here. */
static enum rxe_drop rxe_local_check(struct rxe_qp *qp, struct rxe_qp *peer)
{
	if (peer->transport != qp->transport)
		return RXE_DROP_TRANSPORT;
	if (memcmp(&peer->path.dgid, &qp->path.sgid, sizeof(union ib_gid)) ||
	    memcmp(&peer->path.sgid, &qp->path.dgid, sizeof(union ib_gid)))
		return RXE_DROP_ADDR;
	return RXE_DROP_NONE;
}

static void rxe_park_leave(struct rxe_qp *qp, struct rxe_qp *peer)
{
	bool listed;

	spin_lock_bh(&peer->rx.park_lock);
	listed = !list_empty(&qp->tx.park_node);
	list_del_init(&qp->tx.park_node);
	spin_unlock_bh(&peer->rx.park_lock);
	if (listed)
		rxe_ref_put(qp->ref);
	qp->tx.parked_on = NULL;
}

/* False: the peer is being destroyed. */
static bool rxe_park_join(struct rxe_qp *qp, struct rxe_qp *peer)
{
	bool open;

	spin_lock_bh(&peer->rx.park_lock);
	open = !peer->rx.closed;
	if (open) {
		refcount_inc(&qp->ref->count);
		qp->tx.parked_on = peer;
		list_add_tail(&qp->tx.park_node, &peer->rx.parked);
	}
	spin_unlock_bh(&peer->rx.park_lock);
	return open;
}

/* How a try for a peer's receive side ended. */
enum rxe_taken {
	RXE_TAKEN,
	RXE_PARKED,	/* with the caller's reference to the peer */
	RXE_GONE,	/* the peer is being destroyed */
};

/* Own the peer's receive side, or wait for it. */
static enum rxe_taken rxe_take_rx(struct rxe_qp *qp, struct rxe_qp *peer)
{
	if (rxe_side_tryown(&peer->rx.side))
		return RXE_TAKEN;
	if (!rxe_park_join(qp, peer))
		return RXE_GONE;
	if (!rxe_side_tryown_waiting(&peer->rx.side))
		return RXE_PARKED;
	rxe_park_leave(qp, peer);	/* it became free meanwhile */
	return RXE_TAKEN;
}

/**
 * rxe_unpark() - stop waiting for a peer's receive side
 * @qp: send side owned
 */
void rxe_unpark(struct rxe_qp *qp)
{
	struct rxe_qp *peer = qp->tx.parked_on;

	if (!peer)
		return;
	rxe_park_leave(qp, peer);
	rxe_qp_put(peer);
}

static struct rxe_qp *rxe_parked_pop(struct rxe_recv *rx, struct list_head *woken)
{
	struct rxe_qp *qp;

	spin_lock_bh(&rx->park_lock);
	qp = list_first_entry_or_null(woken, struct rxe_qp, tx.park_node);
	if (qp)
		list_del_init(&qp->tx.park_node);
	spin_unlock_bh(&rx->park_lock);
	return qp;
}

/**
 * rxe_parked_wake() - run the senders that wait for a receive side
 * @qp: whose receive side was let go; the caller holds a reference
 *
 * Those that park again meanwhile wait for the next time.  A sender may leave
 * @woken by itself (rxe_unpark), under the lock that guards the list it is on.
 */
void rxe_parked_wake(struct rxe_qp *qp)
{
	struct rxe_qp *sender;
	LIST_HEAD(woken);

	spin_lock_bh(&qp->rx.park_lock);
	list_splice_init(&qp->rx.parked, &woken);
	spin_unlock_bh(&qp->rx.park_lock);
	while ((sender = rxe_parked_pop(&qp->rx, &woken))) {
		rxe_kick(&sender->tx.side, RXE_MARK_WAKE);
		rxe_qp_put(sender);
	}
}

/* The peer's side is ours: have it done. */
static int rxe_local_deliver(struct rxe_qp *qp, struct rxe_qp *peer, struct rxe_burst *b,
			     struct rxe_reply *reply)
{
	enum rxe_drop why = rxe_local_check(qp, peer);

	if (why) {
		rxe_drop(peer->dev, why);
		return 0;
	}
	switch (rxe_resp_ref(peer, b, reply)) {
	case RXE_V_WAIT:
		return -EBUSY;
	case RXE_V_LATER:
		return -EINPROGRESS;
	default:
		return 0;
	}
}

static void rxe_local_count_one(struct rxe_dev *from, struct rxe_dev *to, u32 npkts, u64 bytes)
{
	rxe_count(from, RXE_CNT_SENT_PKTS, npkts);
	rxe_count(from, RXE_CNT_SENT_BYTES, bytes);
	rxe_count(to, RXE_CNT_RCVD_PKTS, npkts);
	rxe_count(to, RXE_CNT_RCVD_BYTES, bytes);
}

/* Counted as the packets that they stand for, there and back. */
static void rxe_local_count(struct rxe_qp *qp, struct rxe_qp *peer, const struct rxe_burst *b,
			    const struct rxe_reply *reply)
{
	struct rxe_burst back;

	rxe_local_count_one(qp->dev, peer->dev, b->msg == RXE_MSG_READ ? 1 : b->npkts,
			    rxe_burst_bytes(qp, b));
	if (!reply->msg)
		return;
	back.msg = reply->msg;
	back.starts = back.ends = true;
	back.len = reply->read;
	back.npkts = rxe_num_packets(reply->read, qp->mtu_shift);
	rxe_local_count_one(peer->dev, qp->dev, back.npkts, rxe_burst_bytes(peer, &back));
}

/* The peer waits for pages: so does the sender, until the side was run for them. */
static int rxe_local_wait(struct rxe_qp *qp, struct rxe_qp *peer)
{
	bool parked = rxe_park_join(qp, peer);

	/* not marked as a waiter: letting go is no news, the kick after the fault is */
	rxe_side_release(&peer->rx.side);
	if (!parked)
		rxe_qp_put(peer);
	return parked ? -EBUSY : 0;
}

/**
 * rxe_local_send() - send a burst by reference
 * @qp: RC or UC; send side owned
 * @b: the burst
 * @reply: zeroed; the answer, if there is one
 *
 * Return: 0, delivered or dropped; -EBUSY: parked, to be sent again when the
 * side is run next; -EINPROGRESS: to be sent again soon.
 */
int rxe_local_send(struct rxe_qp *qp, struct rxe_burst *b, struct rxe_reply *reply)
{
	struct rxe_qp *peer = rxe_local_qp(qp, b->pkt.dqpn);
	enum rxe_taken taken;
	int err;

	if (!peer)
		return 0;
	taken = rxe_take_rx(qp, peer);
	if (taken == RXE_PARKED)
		return -EBUSY;
	if (taken == RXE_GONE) {
		rxe_drop(peer->dev, RXE_DROP_QPN);
		rxe_qp_put(peer);
		return 0;
	}
	err = rxe_local_deliver(qp, peer, b, reply);
	if (err == -EBUSY)
		return rxe_local_wait(qp, peer);
	if (!err)
		rxe_local_count(qp, peer, b, reply);
	rxe_side_release(&peer->rx.side);
	rxe_qp_put(peer);
	return err;
}
