// SPDX-License-Identifier: GPL-2.0
/*
 * Cursors over bytes, and the copies between them.
 *
 * One loop serves every copy of the provider: from SGEs, MRs, packets or plain
 * memory to SGEs, MRs or plain memory.  It goes in chunks that are contiguous
 * at both ends; with one SGE in one block at each end that is a single pass.
 *
 * Stores that programs rely on, as HCAs give them: aligned pieces of 2, 4 and 8
 * bytes are single stores, and the last 8 bytes of a copy are stored after all
 * others (programs poll the last byte of a WRITE).
 */
#include <linux/mm.h>
#include <linux/unaligned.h>

#include "rxe.h"

/* --- finding the next chunk --- */

/* Contiguous blocks are taken together. */
static void rxe_iter_fill_blocks(struct rxe_iter *it, struct rxe_mr *mr, u64 va, u32 want)
{
	u64 contig, more;

	it->ptr = rxe_mr_at(mr, va, &contig);
	while (contig < want) {
		void *p = rxe_mr_at(mr, va + contig, &more);

		if (p != it->ptr + contig)
			break;
		contig += more;
	}
	it->avail = min_t(u64, contig, want);
}

static void rxe_iter_fill_mr(struct rxe_iter *it, struct rxe_mr *mr, u64 va, u32 want)
{
	u64 addr;

	it->odp = mr->map.odp;
	if (likely(!it->odp)) {
		rxe_iter_fill_blocks(it, mr, va, want);
		return;
	}
	addr = va - mr->iova + mr->map.offset;
	it->ptr = (void *)(uintptr_t)addr;
	it->avail = min_t(u64, want, PAGE_SIZE - offset_in_page(addr));
}

static void rxe_iter_fill_sge(struct rxe_iter *it)
{
	const struct rxe_sge *sge = &it->sge[it->cur];

	while (it->pos >= sge->length) {
		it->pos -= sge->length;
		it->cur++;
		sge++;
	}
	rxe_iter_fill_mr(it, it->mr[it->cur - it->first], sge->addr + it->pos,
			 min_t(u64, it->left, sge->length - it->pos));
}

/* Bytes of a packet from @off on that lie together; 0 if it ends before. */
static u32 rxe_skb_frag(struct sk_buff *skb, u32 off, void **p)
{
	int i;

	if (off < skb_headlen(skb)) {
		*p = skb->data + off;
		return skb_headlen(skb) - off;
	}
	off -= skb_headlen(skb);
	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++) {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];
		u32 size = skb_frag_size(frag);

		if (off < size) {
			*p = skb_frag_address(frag) + off;
			return size - off;
		}
		off -= size;
	}
	return 0;
}

static void rxe_iter_fill_skb(struct rxe_iter *it)
{
	u32 off = it->pos, n, end;
	struct sk_buff *f;

	n = rxe_skb_frag(it->skb, off, &it->ptr);
	if (!n) {
		end = skb_pagelen(it->skb);
		skb_walk_frags(it->skb, f) {
			if (off - end < f->len) {
				n = rxe_skb_frag(f, off - end, &it->ptr);
				break;
			}
			end += f->len;
		}
	}
	it->avail = min(n, it->left);
}

static void rxe_iter_fill(struct rxe_iter *it)
{
	switch (it->kind) {
	case RXE_ITER_SGE:
		rxe_iter_fill_sge(it);
		break;
	case RXE_ITER_MR:
		rxe_iter_fill_mr(it, it->mr[0], it->pos, it->left);
		break;
	case RXE_ITER_SKB:
		rxe_iter_fill_skb(it);
		break;
	case RXE_ITER_LINEAR:
		it->avail = it->left;
		break;
	}
}

static void rxe_iter_advance(struct rxe_iter *it, u32 n)
{
	it->ptr += n;
	it->avail -= n;
	it->left -= n;
	it->pos += n;
}

/* --- opening and closing --- */

static void rxe_iter_init(struct rxe_iter *it, enum rxe_iter_kind kind, u32 len)
{
	it->kind = kind;
	it->nmr = 0;
	it->first = 0;
	it->cur = 0;
	it->write = false;
	it->left = len;
	it->avail = 0;
	it->pos = 0;
	it->ptr = NULL;
	it->odp = NULL;
}

/**
 * rxe_iter_close() - let go of all MRs
 * @it: cursor; may be closed already
 */
void rxe_iter_close(struct rxe_iter *it)
{
	while (it->nmr) {
		struct rxe_mr *mr = it->mr[--it->nmr];

		if (mr)
			rxe_mr_put(mr);
	}
	it->kind = RXE_ITER_NONE;
	it->left = 0;
	it->avail = 0;
}

/* The pages of an ODP MR must be there before a burst begins. */
static int rxe_iter_resident(struct rxe_mr *mr, struct rxe_qp *qp, struct rxe_side *side, u64 va,
			     u32 len, bool write)
{
	if (likely(!mr->map.odp))
		return 0;
	return rxe_odp_ready(mr->map.odp, qp, side, va - mr->iova + mr->map.offset, len, write);
}

/* Find the SGE @skip is in: its index; @skip becomes the offset in it. */
static u32 rxe_sge_seek(const struct rxe_sge *sge, u32 num_sge, u64 *skip)
{
	u32 i = 0;

	while (i < num_sge && *skip >= sge[i].length)
		*skip -= sge[i++].length;
	return i;
}

/* Receives from an SRQ are of its PD, which need not be the QP's (IBTA 10.2.9.1). */
static struct rxe_pd *rxe_sge_pd(const struct rxe_qp *qp, const struct rxe_side *side)
{
	if (side->is_rx && qp->srq)
		return rxe_pd(qp->srq->ib.pd);
	return rxe_pd(qp->ib.pd);
}

static int rxe_iter_add_sge(struct rxe_iter *it, struct rxe_qp *qp, struct rxe_side *side,
			    const struct rxe_sge *sge, u64 off, u32 len, int access)
{
	struct rxe_mr *mr;

	if (it->nmr == ARRAY_SIZE(it->mr))
		return -EACCES;
	if (!len) {
		it->mr[it->nmr++] = NULL;
		return 0;
	}
	/* all of the SGE is checked, not only this burst's part (C10-58) */
	mr = rxe_mr_local(qp->dev, rxe_sge_pd(qp, side), sge->lkey, sge->addr, sge->length, access);
	if (IS_ERR(mr))
		return PTR_ERR(mr);
	it->mr[it->nmr++] = mr;
	return rxe_iter_resident(mr, qp, side, sge->addr + off, len, access);
}

/**
 * rxe_iter_sges() - open a cursor on bytes [skip, skip + len) of SGEs
 * @it: cursor
 * @qp: whose SGEs they are
 * @side: to be kicked with RXE_MARK_WAKE when missing pages are there
 * @sge: private copy; must stay until the cursor is closed
 * @num_sge: of these
 * @skip: bytes to leave out
 * @len: bytes
 * @access: IB_ACCESS_LOCAL_WRITE to write, 0 to read
 *
 * Looks up the SGEs that the bytes are in.
 *
 * Context: owner of @side, BH off.
 * Return: 0; -EACCES: key, PD, bounds or right of an SGE, or the SGEs are too
 * short; -EAGAIN: pages are missing, try again when kicked.  The cursor needs
 * no close after an error.
 */
int rxe_iter_sges(struct rxe_iter *it, struct rxe_qp *qp, struct rxe_side *side,
		  const struct rxe_sge *sge, u32 num_sge, u32 skip, u32 len, int access)
{
	u64 off = skip;
	u32 i, n;
	int err;

	rxe_iter_init(it, RXE_ITER_SGE, len);
	it->write = access;
	it->sge = sge;
	i = rxe_sge_seek(sge, num_sge, &off);
	it->first = i;
	it->cur = i;
	it->pos = off;
	for (; len; len -= n, i++, off = 0) {
		if (i == num_sge) {
			err = -EACCES;
			goto err_close;
		}
		n = min_t(u64, len, sge[i].length - off);
		err = rxe_iter_add_sge(it, qp, side, &sge[i], off, n, access);
		if (err)
			goto err_close;
	}
	return 0;

err_close:
	rxe_iter_close(it);
	return err;
}

/* Atomics need aligned memory, not only an aligned name (zero-based windows). */
static bool rxe_iter_aligned(struct rxe_iter *it)
{
	rxe_iter_fill(it);
	return IS_ALIGNED((uintptr_t)it->ptr, sizeof(u64)) && it->avail >= sizeof(u64);
}

/**
 * rxe_iter_remote() - open a cursor on what a peer named
 * @it: cursor
 * @qp: QP the peer's request came to
 * @side: as rxe_iter_sges()
 * @rkey: key of an MR or window
 * @va: address
 * @len: bytes, not 0
 * @access: IB_ACCESS_REMOTE_READ, _WRITE or _ATOMIC
 *
 * Context and return: as rxe_iter_sges().
 */
int rxe_iter_remote(struct rxe_iter *it, struct rxe_qp *qp, struct rxe_side *side, u32 rkey, u64 va,
		    u32 len, int access)
{
	struct rxe_mr *mr;
	int err;

	rxe_iter_init(it, RXE_ITER_MR, len);
	mr = rxe_mr_remote(qp, rkey, va, len, access);
	if (IS_ERR(mr)) {
		rxe_iter_close(it);
		return PTR_ERR(mr);
	}
	it->mr[it->nmr++] = mr;
	it->pos = va;
	it->write = access & (IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_ATOMIC);
	if (access & IB_ACCESS_REMOTE_ATOMIC && !rxe_iter_aligned(it))
		err = -EACCES;
	else
		err = rxe_iter_resident(mr, qp, side, va, len, it->write);
	if (err)
		rxe_iter_close(it);
	return err;
}

/**
 * rxe_iter_linear() - open a cursor on kernel memory
 * @it: cursor
 * @p: memory
 * @len: bytes
 */
void rxe_iter_linear(struct rxe_iter *it, void *p, u32 len)
{
	rxe_iter_init(it, RXE_ITER_LINEAR, len);
	it->ptr = p;
	it->avail = len;
}

/**
 * rxe_iter_skb() - open a cursor on a packet
 * @it: cursor
 * @skb: must stay until the cursor is closed; paged or not
 * @off: first byte, from skb->data
 * @len: bytes; @off + @len is at most skb->len
 */
void rxe_iter_skb(struct rxe_iter *it, struct sk_buff *skb, u32 off, u32 len)
{
	rxe_iter_init(it, RXE_ITER_SKB, len);
	it->skb = skb;
	it->pos = off;
}

/* --- copying --- */

/* One store for 1, 2, 4 or 8 aligned bytes; false if it takes more. */
static bool rxe_store_one(void *d, const void *s, u32 n)
{
	if (n > sizeof(u64) || !is_power_of_2(n) || !IS_ALIGNED((uintptr_t)d, n))
		return false;
	switch (n) {
	case 1:
		WRITE_ONCE(*(u8 *)d, *(const u8 *)s);
		break;
	case 2:
		WRITE_ONCE(*(u16 *)d, get_unaligned((const u16 *)s));
		break;
	case 4:
		WRITE_ONCE(*(u32 *)d, get_unaligned((const u32 *)s));
		break;
	case 8:
		WRITE_ONCE(*(u64 *)d, get_unaligned((const u64 *)s));
		break;
	}
	return true;
}

/* @last: the end of the copy */
static void rxe_place(void *d, const void *s, u32 n, bool last)
{
	u32 head = n;

	if (rxe_store_one(d, s, n))
		return;
	if (last && n > sizeof(u64))
		head = n - sizeof(u64);
	memcpy(d, s, head);
	if (head == n)
		return;
	/* who sees the last bytes sees the others */
	smp_wmb();
	if (!rxe_store_one(d + head, s + head, sizeof(u64)))
		memcpy(d + head, s + head, sizeof(u64));
}

/* Where the chunk is now; NULL if its page went. ODP: lock held. */
static void *rxe_iter_chunk(struct rxe_iter *it)
{
	if (likely(!it->odp))
		return it->ptr;
	return rxe_odp_at(it->odp, (uintptr_t)it->ptr, it->write);
}

static int rxe_copy_odp(struct rxe_iter *dst, struct rxe_iter *src, u32 n, bool last)
{
	int err = -EAGAIN;
	void *d, *s;

	rxe_odp_lock(dst->odp, src->odp);
	d = rxe_iter_chunk(dst);
	s = rxe_iter_chunk(src);
	if (d && s) {
		rxe_place(d, s, n, last);
		err = 0;
	}
	rxe_odp_unlock(dst->odp, src->odp);
	return err;
}

/**
 * rxe_iter_copy() - copy between cursors
 * @dst: opened for writing
 * @src: source
 * @len: bytes; both cursors have that many left, and move on
 *
 * Context: BH off.
 * Return: 0; -EAGAIN: an ODP page went meanwhile; part may be copied, the burst
 * must be done again from its beginning.
 */
int rxe_iter_copy(struct rxe_iter *dst, struct rxe_iter *src, u32 len)
{
	while (len) {
		u32 n;
		int err;

		if (!dst->avail)
			rxe_iter_fill(dst);
		if (!src->avail)
			rxe_iter_fill(src);
		n = min3(len, dst->avail, src->avail);
		if (WARN_ON_ONCE(!n))
			return -EAGAIN;
		if (unlikely(dst->odp || src->odp)) {
			err = rxe_copy_odp(dst, src, n, n == len);
			if (err)
				return err;
		} else {
			rxe_place(dst->ptr, src->ptr, n, n == len);
		}
		rxe_iter_advance(dst, n);
		rxe_iter_advance(src, n);
		len -= n;
	}
	return 0;
}

/**
 * rxe_iter_copy_crc() - copy to a packet and take the CRC of the copy
 * @dst: memory of a packet
 * @src: source, moves on
 * @len: bytes
 * @crc: CRC so far, updated; of what was stored, whatever the source does meanwhile
 *
 * Context and return: as rxe_iter_copy().
 */
int rxe_iter_copy_crc(void *dst, struct rxe_iter *src, u32 len, u32 *crc)
{
	while (len) {
		void *s;
		u32 n;

		if (!src->avail)
			rxe_iter_fill(src);
		n = min(len, src->avail);
		if (WARN_ON_ONCE(!n))
			return -EAGAIN;
		rxe_odp_lock(src->odp, NULL);
		s = rxe_iter_chunk(src);
		if (s)
			*crc = rxe_icrc_copy(*crc, dst, s, n);
		rxe_odp_unlock(src->odp, NULL);
		if (!s)
			return -EAGAIN;
		rxe_iter_advance(src, n);
		dst += n;
		len -= n;
	}
	return 0;
}

/* --- atomics --- */

/* The 8 bytes; ODP: locked on success. */
static u64 *rxe_iter_atomic_begin(struct rxe_iter *it)
{
	u64 *p;

	if (!it->avail)
		rxe_iter_fill(it);
	rxe_odp_lock(it->odp, NULL);
	p = rxe_iter_chunk(it);
	if (!p)
		rxe_odp_unlock(it->odp, NULL);
	return p;
}

/**
 * rxe_iter_cmp_swap() - compare and swap 8 bytes
 * @it: opened by rxe_iter_remote() for IB_ACCESS_REMOTE_ATOMIC
 * @compare: value that must be there
 * @swap: value to store then
 * @orig: value that was there
 *
 * Atomic to every other access, the process's own included.
 *
 * Return: 0, -EAGAIN (ODP page went; nothing done).
 */
int rxe_iter_cmp_swap(struct rxe_iter *it, u64 compare, u64 swap, u64 *orig)
{
	u64 *p = rxe_iter_atomic_begin(it);

	if (!p)
		return -EAGAIN;
	*orig = cmpxchg64(p, compare, swap);
	rxe_odp_unlock(it->odp, NULL);
	return 0;
}

/**
 * rxe_iter_fetch_add() - add to 8 bytes
 * @it: as rxe_iter_cmp_swap()
 * @add: what to add
 * @orig: value that was there
 */
int rxe_iter_fetch_add(struct rxe_iter *it, u64 add, u64 *orig)
{
	u64 *p = rxe_iter_atomic_begin(it);
	u64 old, seen;

	if (!p)
		return -EAGAIN;
	seen = READ_ONCE(*p);
	do {
		old = seen;
		seen = cmpxchg64(p, old, old + add);
	} while (seen != old);
	*orig = old;
	rxe_odp_unlock(it->odp, NULL);
	return 0;
}
