// SPDX-License-Identifier: GPL-2.0
/*
 * Rings.
 *
 * The layout (struct rxe_queue_buf and slots of a power of two) is the user
 * ABI's; kernel users get the same, so that there is one reader.  What we work
 * with is private: mask, slot size and our own index.  From a user's ring only
 * the other side's index is read, once each time, and masked: it says how many
 * entries there are and nothing else.
 *
 * Memory order: a producer's index is read with acquire and published with
 * release, so that entries are seen whole; a consumer's likewise, so that a
 * slot is not written again before it was read.  The library does the same.
 *
 * Our own indices are plain numbers that run on; only what stands in the shared
 * header is masked, as the ABI wants it.  So a number names an entry whatever
 * the size of the ring, which is what a resize needs.
 */
#include "rxe.h"

static size_t rxe_ring_bytes(u32 slots, u32 shift)
{
	u64 bytes = sizeof(struct rxe_queue_buf) + ((u64)slots << shift);

	return PAGE_ALIGN(bytes);
}

/*
 * One slot stays free: full and empty must differ.  mminfo.size has 32 bits.
 * A slot is at least a cache line.
 */
static int rxe_ring_geometry(u32 slots_wanted, u32 slot_bytes, u32 *slots, u32 *shift)
{
	if (!slot_bytes || slot_bytes > PAGE_SIZE || slots_wanted > RXE_MAX_CQE)
		return -EINVAL;
	*slots = max_t(u32, roundup_pow_of_two(slots_wanted + 1), 2);
	*shift = order_base_2(max_t(u32, slot_bytes, L1_CACHE_BYTES));
	if (sizeof(struct rxe_queue_buf) + ((u64)*slots << *shift) > U32_MAX - PAGE_SIZE)
		return -EINVAL;
	return 0;
}

/**
 * rxe_ring_init() - make a ring
 * @ring: filled, indices at zero
 * @dev: device
 * @slots_wanted: entries it must hold; @ring->mask tells how many it does hold
 * @slot_bytes: size of an entry, rounded up to a power of two
 * @udata: of the verb, NULL for a kernel user
 * @mi: for a user: what to mmap; may be NULL for a kernel user
 *
 * Memory is charged to the caller's cgroup.
 *
 * Context: may sleep.
 * Return: 0, -EINVAL (too large), -ENOMEM, -EINTR.
 */
int rxe_ring_init(struct rxe_ring *ring, struct rxe_dev *dev, u32 slots_wanted, u32 slot_bytes,
		  struct ib_udata *udata, struct mminfo *mi)
{
	struct rxe_shm *shm;
	u32 slots, shift;
	int err;

	err = rxe_ring_geometry(slots_wanted, slot_bytes, &slots, &shift);
	if (err)
		return err;
	shm = rxe_shm_alloc(udata, rxe_ring_bytes(slots, shift), mi);
	if (IS_ERR(shm))
		return PTR_ERR(shm);

	ring->shm = shm;
	ring->buf = shm->va;
	ring->mask = slots - 1;
	ring->shift = shift;
	ring->index = 0;
	ring->kernel_producer = 0;
	ring->user = udata;
	/* for the user to read; we never do */
	WRITE_ONCE(ring->buf->log2_elem_size, shift);
	WRITE_ONCE(ring->buf->index_mask, ring->mask);
	return 0;
}

/**
 * rxe_ring_free() - undo rxe_ring_init()
 * @ring: one that was never made (all zero) is allowed
 *
 * Context: may sleep.
 */
void rxe_ring_free(struct rxe_ring *ring)
{
	rxe_shm_free(ring->shm);
	ring->shm = NULL;
	ring->buf = NULL;
}

/**
 * rxe_ring_reset() - forget all entries
 * @ring: SQ or RQ of a QP that goes to RESET; no producer is active
 *
 * A user's library starts again at zero as well.  Entries are left as they
 * are: a user may be writing to them.
 */
void rxe_ring_reset(struct rxe_ring *ring)
{
	WRITE_ONCE(ring->index, 0);
	WRITE_ONCE(ring->kernel_producer, 0);
	WRITE_ONCE(ring->buf->producer_index, 0);
	WRITE_ONCE(ring->buf->consumer_index, 0);
}

/* The producer's index; a user's may be any number. */
static u32 rxe_ring_producer(struct rxe_ring *ring)
{
	if (!ring->user)
		/* pairs with rxe_ring_produce() */
		return smp_load_acquire(&ring->kernel_producer);
	/* pairs with the library's store of the index after the entry */
	return smp_load_acquire(&ring->buf->producer_index);
}

/**
 * rxe_ring_filled() - how many entries wait to be consumed
 * @ring: SQ, RQ or SRQ
 *
 * Context: the ring's consumer.
 */
u32 rxe_ring_filled(struct rxe_ring *ring)
{
	return (rxe_ring_producer(ring) - ring->index) & ring->mask;
}

/* Slot by number; numbers run on and are masked here. */
static void *rxe_ring_slot(const struct rxe_ring *ring, u32 n)
{
	return ring->buf->data + ((size_t)(n & ring->mask) << ring->shift);
}

/**
 * rxe_ring_at() - the entry that many after the oldest (SQ, RQ, SRQ) or after the next
 *		   to be produced (CQ)
 * @ring: ring
 * @offset: 0 is our own index
 */
void *rxe_ring_at(struct rxe_ring *ring, u32 offset)
{
	return rxe_ring_slot(ring, ring->index + offset);
}

/**
 * rxe_ring_consume() - the oldest entries are done with
 * @ring: SQ, RQ or SRQ
 * @n: at most rxe_ring_filled()
 *
 * Context: the ring's consumer.
 */
void rxe_ring_consume(struct rxe_ring *ring, u32 n)
{
	u32 index = ring->index + n;

	/* pairs with rxe_ring_produce_slot() */
	smp_store_release(&ring->index, index);
	if (ring->user)
		/* pairs with the library's load of the index before it writes the slot */
		smp_store_release(&ring->buf->consumer_index, index & ring->mask);
}

/**
 * rxe_ring_produce_slot() - where a kernel user's next entry goes
 * @ring: SQ, RQ or SRQ of a kernel user
 *
 * Context: the queue's post lock held.
 * Return: the slot, NULL if the ring is full.
 */
void *rxe_ring_produce_slot(struct rxe_ring *ring)
{
	/* pairs with rxe_ring_consume() */
	if (ring->kernel_producer - smp_load_acquire(&ring->index) >= ring->mask)
		return NULL;
	return rxe_ring_slot(ring, ring->kernel_producer);
}

/**
 * rxe_ring_produce() - publish the entry just written
 * @ring: as above
 *
 * Context: the queue's post lock held.
 */
void rxe_ring_produce(struct rxe_ring *ring)
{
	/* pairs with rxe_ring_producer() */
	smp_store_release(&ring->kernel_producer, ring->kernel_producer + 1);
}

/**
 * rxe_ring_copy() - copy entries to another ring, for a resize
 * @to: ring with slots of the same size
 * @from: ring
 * @first: number of the first entry, which it keeps
 * @n: entries
 *
 * What a user writes to @from meanwhile is copied as it comes; it is judged
 * when it is used.
 */
void rxe_ring_copy(struct rxe_ring *to, const struct rxe_ring *from, u32 first, u32 n)
{
	for (; n--; first++)
		memcpy(rxe_ring_slot(to, first), rxe_ring_slot(from, first), 1ul << to->shift);
}
