// SPDX-License-Identifier: GPL-2.0
/*
 * Memory regions and keys.
 *
 * A key leads to a struct rxe_mr: a memory region, or what a memory window
 * shows of one (mw.c), so that there is one check of key, PD, bounds and
 * rights for everything.  A burst takes a reference for as long as it copies
 * and never longer; every burst looks its key up again.
 *
 * Taking a key away (LOCAL_INV and the like, dereg) and using it meet like
 * this:
 *
 *	user: reference taken; full barrier; valid and key looked at
 *	other: valid cleared; full barrier; count looked at
 *
 * so that either the user sees that the key is gone, or the other sees the
 * user.  What the key leads to changes only after the count was seen to be
 * without users; the store of valid that publishes it has release.
 */
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/libnvdimm.h>
#include <linux/random.h>
#include <rdma/ib_umem.h>

#include "rxe.h"

#define RXE_MW_FROZEN		(-1)

#define RXE_MR_ACCESS		(IB_ACCESS_LOCAL_WRITE | RXE_ACCESS_REMOTE | RXE_ACCESS_FLUSH | \
				 IB_ACCESS_MW_BIND | IB_ACCESS_ON_DEMAND | IB_ACCESS_OPTIONAL)

/* Blocks of pinned memory: up to 1 GiB pages. */
#define RXE_MR_PGSZ		GENMASK(30, PAGE_SHIFT)

/* --- keys --- */

/**
 * rxe_key_alloc() - give an MR or window a number and a key
 * @mr: reference count and device are set; it is not valid yet
 *
 * Numbers are handed out cyclically and the low byte is random, so that a key
 * that went away is not soon another one.
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, -EBUSY (16 M keys).
 */
int rxe_key_alloc(struct rxe_mr *mr)
{
	struct rxe_dev *dev = mr->dev;
	u32 index;
	int err;

	err = xa_alloc_cyclic(&dev->keys, &index, NULL, XA_LIMIT(1, RXE_MAX_MR), &dev->next_key,
			      GFP_KERNEL);
	if (err < 0)
		return err;
	mr->key = index << 8 | (get_random_u32() & 0xff);
	/* the slot is reserved, so this allocates nothing */
	xa_store(&dev->keys, index, mr, GFP_KERNEL);
	return 0;
}

/**
 * rxe_key_remove() - take the number out of the table
 * @mr: its key finds nothing any more, but readers of RCU may still look at it
 */
void rxe_key_remove(struct rxe_mr *mr)
{
	xa_erase(&mr->dev->keys, mr->key >> 8);
}

static struct rxe_qp *rxe_waiter_qp(struct rxe_side *side)
{
	if (side->is_rx)
		return container_of(side, struct rxe_qp, rx.side);
	return container_of(side, struct rxe_qp, tx.side);
}

static void rxe_waiter_wake(struct rxe_side *side)
{
	if (!side)
		return;
	rxe_kick(side, RXE_MARK_WAKE);
	rxe_qp_put(rxe_waiter_qp(side));
}

/**
 * rxe_mr_enter() - use a key
 * @dev: device
 * @key: lkey or rkey
 *
 * Return: MR or window with a reference, to be put with rxe_mr_put(); NULL if
 * the key is not valid.  PD, bounds and rights are the caller's to check.
 */
struct rxe_mr *rxe_mr_enter(struct rxe_dev *dev, u32 key)
{
	struct rxe_mr *mr;

	rcu_read_lock();
	mr = xa_load(&dev->keys, key >> 8);
	if (mr && !rxe_ref_get(&mr->ref))
		mr = NULL;
	rcu_read_unlock();
	if (!mr)
		return NULL;
	/* pairs with rxe_mr_leave() */
	smp_mb__after_atomic();
	/* acquire: see the MR as it was when it became valid */
	if (smp_load_acquire(&mr->valid) && mr->key == key)
		return mr;
	rxe_mr_put(mr);
	return NULL;
}

/**
 * rxe_mr_put() - done with what a key led to
 * @mr: from rxe_mr_local(), rxe_mr_remote() or rxe_mr_enter()
 *
 * Context: any but hard IRQ.
 */
void rxe_mr_put(struct rxe_mr *mr)
{
	struct rxe_side *waiter = NULL;

	/* after the put only RCU keeps the memory */
	rcu_read_lock();
	rxe_ref_put(&mr->ref);
	/* pairs with rxe_mr_leave() */
	smp_mb__after_atomic();
	if (unlikely(READ_ONCE(mr->waiter)) && refcount_read(&mr->ref.count) <= 1)
		waiter = xchg(&mr->waiter, NULL);
	rcu_read_unlock();
	rxe_waiter_wake(waiter);
}

/* Have the side kicked when the users are gone. */
static void rxe_mr_wait(struct rxe_mr *mr, struct rxe_qp *qp, bool rx)
{
	struct rxe_side *side = rx ? &qp->rx.side : &qp->tx.side;

	if (READ_ONCE(mr->waiter) == side || !rxe_ref_get(qp->ref))
		return;
	/* two waiters: the other one tries again now, and waits again */
	rxe_waiter_wake(xchg(&mr->waiter, side));
}

/**
 * rxe_mr_leave() - take a key away
 * @mr: under RCU, or with a reference
 * @own: references that are the caller's and the table's
 * @qp: who asks
 * @rx: its receive side waits; else its send side
 *
 * The key is of no use to anyone when this returns.
 *
 * Return: true: no burst uses the memory, and @mr may be changed; false: one
 * still does, call again; the side is kicked with RXE_MARK_WAKE.
 */
bool rxe_mr_leave(struct rxe_mr *mr, unsigned int own, struct rxe_qp *qp, bool rx)
{
	WRITE_ONCE(mr->valid, false);
	/* pairs with rxe_mr_enter() */
	smp_mb();
	if (refcount_read(&mr->ref.count) <= own)
		return true;
	rxe_mr_wait(mr, qp, rx);
	/* pairs with rxe_mr_put(): it sees the waiter, or this sees that it was the last */
	smp_mb();
	if (refcount_read(&mr->ref.count) > own)
		return false;
	/* the last user went before it could see who waits */
	rxe_waiter_wake(xchg(&mr->waiter, NULL));
	return true;
}

/**
 * rxe_mr_gone() - nobody uses it any more
 * @mr: not valid, its number removed
 * @what: for the log
 *
 * Waits for copies under way.  @mr is to be freed by RCU.
 *
 * Context: may sleep.
 */
void rxe_mr_gone(struct rxe_mr *mr, const char *what)
{
	rxe_ref_wait(&mr->ref, what, mr->key);
	rxe_waiter_wake(xchg(&mr->waiter, NULL));
}

/**
 * rxe_mr_covers() - does [va, va + len) lie inside?
 * @mr: MR or window
 * @va: address as the work request or the peer names it
 * @len: bytes
 *
 * The one place where an address and a length meet; nothing here can wrap.
 */
bool rxe_mr_covers(const struct rxe_mr *mr, u64 va, u64 len)
{
	return va >= mr->iova && len <= mr->length && va - mr->iova <= mr->length - len;
}

/* All that is to be checked of a valid key (IBA 10.6.3): C10-56, C9-87 ff. */
static struct rxe_mr *rxe_mr_use(struct rxe_mr *mr, const struct ib_pd *pd, u64 va, u64 len,
				 int access)
{
	if (!mr)
		return ERR_PTR(-EACCES);
	if (mr->pd == pd && (mr->access & access) == access && (!len || rxe_mr_covers(mr, va, len)))
		return mr;
	rxe_mr_put(mr);
	return ERR_PTR(-EACCES);
}

/**
 * rxe_mr_local() - the MR behind an lkey
 * @dev: device
 * @pd: of who uses the key
 * @lkey: key
 * @addr: first byte of the range
 * @len: bytes; a range of none needs no key, which is the caller's business
 * @access: IB_ACCESS_LOCAL_WRITE or 0
 *
 * Return: the MR with a reference, to be put with rxe_mr_put(), or an error
 * pointer: -EACCES (key, PD, bounds or right).
 */
struct rxe_mr *rxe_mr_local(struct rxe_dev *dev, struct rxe_pd *pd, u32 lkey, u64 addr, u64 len,
			    int access)
{
	struct rxe_mr *mr = rxe_mr_enter(dev, lkey);

	/* a window's key is good for peers only */
	if (mr && mr->is_mw) {
		rxe_mr_put(mr);
		mr = NULL;
	}
	return rxe_mr_use(mr, &pd->ib, addr, len, access);
}

/*
 * Type 2 windows are for the QP they were bound by (IBA 10.6.7.2.4).  With an
 * rkey for all of memory (IB_PD_UNSAFE_GLOBAL_RKEY) a peer still can't make us
 * touch what is no memory.
 */
static bool rxe_mr_for_peer(const struct rxe_mr *mr, const struct rxe_qp *qp, u64 va, u64 len)
{
	if (mr->mw_type2 && mr->mw_qpn != qp->ib.qp_num)
		return false;
	if (mr->type != RXE_MR_DMA || !len)
		return true;
	return virt_addr_valid((void *)(uintptr_t)va) &&
	       virt_addr_valid((void *)(uintptr_t)(va + len - 1));
}

struct rxe_mr *rxe_mr_remote(struct rxe_qp *qp, u32 rkey, u64 va, u64 len, int access)
{
	struct rxe_mr *mr = rxe_mr_enter(qp->dev, rkey);

	mr = rxe_mr_use(mr, qp->ib.pd, va, len, access);
	if (IS_ERR(mr) || rxe_mr_for_peer(mr, qp, va, len))
		return mr;
	rxe_mr_put(mr);
	return ERR_PTR(-EACCES);
}

/**
 * rxe_mr_at() - where a byte of an MR is
 * @mr: with a reference, not ODP
 * @va: inside of it
 * @contig: bytes that follow each other from there
 */
void *rxe_mr_at(struct rxe_mr *mr, u64 va, u64 *contig)
{
	u64 off = va - mr->iova;
	u64 left = mr->length - off;
	u64 in;

	if (mr->type == RXE_MR_DMA) {
		*contig = left;
		return (void *)(uintptr_t)va;
	}
	off += mr->map.offset;
	in = off & (BIT_ULL(mr->map.shift) - 1);
	*contig = min(BIT_ULL(mr->map.shift) - in, left);
	return mr->map.blocks[off >> mr->map.shift] + in;
}

static void rxe_mr_write_back(struct rxe_mr *mr, u64 va, u64 len)
{
	u64 n;

	while (len) {
		void *p = rxe_mr_at(mr, va, &n);

		n = min(n, len);
		arch_wb_cache_pmem(p, n);
		va += n;
		len -= n;
	}
}

/**
 * rxe_mr_flush() - make what was written visible, or durable (IBA Annex A19)
 * @mr: with a reference; rights checked
 * @va: start of a checked range, if not @whole
 * @len: its bytes
 * @whole: all of the MR or window
 * @persistent: to the persistence domain; else global visibility, for which a
 *		barrier is all that cache-coherent memory needs
 *
 * Only pinned persistent memory can be registered for persistent flushes.
 */
void rxe_mr_flush(struct rxe_mr *mr, u64 va, u64 len, bool whole, bool persistent)
{
	if (whole) {
		va = mr->iova;
		len = mr->length;
	}
	if (persistent && mr->type == RXE_MR_USER)
		rxe_mr_write_back(mr, va, len);
	/* global visibility: before the answer */
	wmb();
}

/* --- maps of pinned memory --- */

static void rxe_map_free(struct rxe_map *map)
{
	kvfree(map->blocks);
	if (map->umem)
		ib_umem_release(map->umem);
	rxe_odp_destroy(map->odp);
}

/* The address of each block; the first may begin before the registration. */
static void rxe_map_fill(struct rxe_map *map, u64 start)
{
	u64 off = (start & PAGE_MASK) & (BIT_ULL(map->shift) - 1);
	struct sg_dma_page_iter it;
	u32 n = 0;

	for_each_sgtable_dma_page(&map->umem->sgt_append.sgt, &it, 0) {
		u64 in = off & (BIT_ULL(map->shift) - 1);

		if (!n || !in)
			map->blocks[n++] = ib_virt_dma_to_ptr(sg_page_iter_dma_address(&it)) - in;
		off += PAGE_SIZE;
	}
}

static bool rxe_map_is_pmem(const struct rxe_map *map)
{
	struct sg_dma_page_iter it;

	for_each_sgtable_dma_page(&map->umem->sgt_append.sgt, &it, 0) {
		void *p = ib_virt_dma_to_ptr(sg_page_iter_dma_address(&it));

		if (region_intersects(virt_to_phys(p), PAGE_SIZE, IORESOURCE_MEM,
				      IORES_DESC_PERSISTENT_MEMORY) != REGION_INTERSECTS)
			return false;
	}
	return true;
}

static int rxe_map_layout(struct rxe_map *map, u64 start, int access)
{
	unsigned long pgsz;

	/* by the process's address: what the work requests call it does not matter */
	pgsz = ib_umem_find_best_pgsz(map->umem, RXE_MR_PGSZ, start);
	if (!pgsz)
		return -EINVAL;
	/* oA19-1: durability can't be promised of ordinary memory */
	if (access & IB_ACCESS_FLUSH_PERSISTENT && !rxe_map_is_pmem(map))
		return -EINVAL;
	map->shift = ilog2(pgsz);
	map->offset = start & (pgsz - 1);
	map->nblocks = ib_umem_num_dma_blocks(map->umem, pgsz);
	map->blocks = kvmalloc_array(map->nblocks, sizeof(*map->blocks), GFP_KERNEL_ACCOUNT);
	if (!map->blocks)
		return -ENOMEM;
	rxe_map_fill(map, start);
	return 0;
}

/* Pin a process's memory. All of ib_umem's errors go to the user. */
static int rxe_map_pin(struct rxe_map *map, struct rxe_dev *dev, u64 start, u64 length, int access)
{
	int err;

	map->umem = ib_umem_get_va(&dev->ib, start, length, access);
	if (IS_ERR(map->umem)) {
		err = PTR_ERR(map->umem);
		map->umem = NULL;
		return err;
	}
	err = rxe_map_layout(map, start, access);
	if (err) {
		rxe_map_free(map);
		memset(map, 0, sizeof(*map));
	}
	return err;
}

/* --- verbs --- */

static struct rxe_mr *rxe_mr_new(struct ib_pd *pd, enum rxe_mr_type type)
{
	struct rxe_mr *mr;
	int err;

	mr = kzalloc_obj(*mr, GFP_KERNEL_ACCOUNT);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	rxe_ref_init(&mr->ref, mr);
	spin_lock_init(&mr->lock);
	mr->dev = rxe_dev(pd->device);
	mr->pd = pd;
	mr->type = type;
	err = rxe_key_alloc(mr);
	if (err) {
		kfree(mr);
		return ERR_PTR(err);
	}
	mr->ib.device = pd->device;
	mr->ib.pd = pd;
	mr->ib.lkey = mr->key;
	mr->ib.rkey = mr->key;
	return mr;
}

static void rxe_mr_enable(struct rxe_mr *mr)
{
	/* pairs with rxe_mr_enter() */
	smp_store_release(&mr->valid, true);
}

/* Counterpart of rxe_mr_new(); waits for copies under way. */
static void rxe_mr_delete(struct rxe_mr *mr)
{
	WRITE_ONCE(mr->valid, false);
	rxe_key_remove(mr);
	rxe_mr_gone(mr, "memory region");
	rxe_map_free(&mr->map);
	kvfree(mr->next.blocks);
	kfree_rcu(mr, ref.rcu);
}

/**
 * rxe_get_dma_mr() - ib_device_ops.get_dma_mr: all of kernel memory
 * @pd: of a kernel consumer
 * @access: rights
 *
 * Addresses are kernel addresses (virtual DMA).
 */
struct ib_mr *rxe_get_dma_mr(struct ib_pd *pd, int access)
{
	struct rxe_mr *mr;

	/* work requests of users are checked against their PDs, which have no such MR */
	if (pd->uobject)
		return ERR_PTR(-EPERM);
	mr = rxe_mr_new(pd, RXE_MR_DMA);
	if (IS_ERR(mr))
		return ERR_CAST(mr);
	mr->access = access;
	mr->length = U64_MAX;
	mr->ib.type = IB_MR_TYPE_DMA;
	rxe_mr_enable(mr);
	return &mr->ib;
}

static int rxe_mr_check_user(u64 length, u64 iova, int access)
{
	u64 end;

	if (access & ~RXE_MR_ACCESS)
		return -EOPNOTSUPP;
	if (check_add_overflow(iova, length, &end))
		return -EINVAL;
	return 0;
}

/**
 * rxe_reg_user_mr() - ib_device_ops.reg_user_mr
 * @pd: owner
 * @start: address in the process
 * @length: bytes
 * @iova: what work requests and peers will call the first byte
 * @access: rights; checked by the core for consistency
 * @dmah: not supported
 * @udata: unused
 *
 * Return: the MR, or -EOPNOTSUPP (rights unknown, implicit ODP, @dmah), -EINVAL,
 * or what pinning fails with (-ENOMEM, -EFAULT, -EPERM ...).
 */
struct ib_mr *rxe_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access,
			      struct ib_dmah *dmah, struct ib_udata *udata)
{
	bool odp = access & IB_ACCESS_ON_DEMAND;
	struct rxe_mr *mr;
	int err;

	if (dmah || (odp && !start && length == U64_MAX))
		return ERR_PTR(-EOPNOTSUPP);
	err = rxe_mr_check_user(length, iova, access);
	if (err)
		return ERR_PTR(err);
	mr = rxe_mr_new(pd, odp ? RXE_MR_ODP : RXE_MR_USER);
	if (IS_ERR(mr))
		return ERR_CAST(mr);

	if (odp)
		err = rxe_odp_create(&mr->map, mr->dev, start, length, access);
	else
		err = rxe_map_pin(&mr->map, mr->dev, start, length, access);
	if (err) {
		rxe_mr_delete(mr);
		return ERR_PTR(err);
	}
	mr->access = access;
	mr->iova = iova;
	mr->length = length;
	rxe_mr_enable(mr);
	return &mr->ib;
}

/*
 * No windows from here on.  They are counted, not listed: whoever binds one
 * fails once the MR is frozen (mw.c).
 */
static int rxe_mr_freeze(struct rxe_mr *mr)
{
	return atomic_cmpxchg(&mr->num_mw, 0, RXE_MW_FROZEN) ? -EBUSY : 0;
}

static int rxe_rereg_check(struct rxe_mr *mr, int flags, u64 length, u64 iova, int access)
{
	int err;

	if (mr->type != RXE_MR_USER && mr->type != RXE_MR_ODP)
		return -EINVAL;
	if ((access ^ mr->access) & IB_ACCESS_ON_DEMAND ||
	    (mr->type == RXE_MR_ODP && flags & ~IB_MR_REREG_PD))
		return -EOPNOTSUPP;
	/* the pages of a persistent MR were looked at when they were pinned */
	if (access & ~mr->access & IB_ACCESS_FLUSH_PERSISTENT && !(flags & IB_MR_REREG_TRANS))
		return -EOPNOTSUPP;
	err = rxe_mr_check_user(length, iova, access);
	return err ?: ib_umem_check_rereg(mr->map.umem, flags, access);
}

/* Change an MR while nobody uses it. Its key stays. */
static void rxe_rereg_commit(struct rxe_mr *mr, struct ib_pd *pd, int access, u64 iova, u64 length,
			     struct rxe_map *map)
{
	WRITE_ONCE(mr->valid, false);
	rxe_mr_gone(mr, "memory region");
	mr->pd = pd;
	mr->access = access;
	if (map) {
		swap(mr->map, *map);
		mr->iova = iova;
		mr->length = length;
	}
	rxe_ref_init(&mr->ref, mr);
	rxe_mr_enable(mr);
}

/**
 * rxe_rereg_user_mr() - ib_device_ops.rereg_user_mr
 * @ib: MR, without windows
 * @flags: IB_MR_REREG_TRANS, _PD, _ACCESS
 * @start: new memory, for TRANS
 * @length: its bytes
 * @iova: its name
 * @access: new rights, for ACCESS
 * @pd: new owner, for PD (else the present one)
 * @udata: unused
 *
 * If it fails the MR is as it was.  Peers that use the MR meanwhile find its
 * key invalid.  ODP MRs: PD only.
 *
 * Return: NULL (same MR and keys), or -EBUSY (windows are bound), -EACCES,
 * -EOPNOTSUPP, -EINVAL, or what pinning fails with.
 */
struct ib_mr *rxe_rereg_user_mr(struct ib_mr *ib, int flags, u64 start, u64 length, u64 iova,
				int access, struct ib_pd *pd, struct ib_udata *udata)
{
	struct rxe_mr *mr = rxe_mr(ib);
	struct rxe_map map = {};
	bool trans = flags & IB_MR_REREG_TRANS;
	int err;

	if (!(flags & IB_MR_REREG_ACCESS))
		access = mr->access;
	if (!trans) {
		iova = mr->iova;
		length = mr->length;
	}
	err = rxe_rereg_check(mr, flags, length, iova, access);
	if (!err && trans)
		err = rxe_map_pin(&map, mr->dev, start, length, access);
	if (!err)
		err = rxe_mr_freeze(mr);
	if (!err) {
		rxe_rereg_commit(mr, flags & IB_MR_REREG_PD ? pd : mr->pd, access, iova, length,
				 trans ? &map : NULL);
		atomic_set(&mr->num_mw, 0);
	}
	rxe_map_free(&map);
	return ERR_PTR(err);
}

/**
 * rxe_dereg_mr() - ib_device_ops.dereg_mr
 * @ib: MR
 * @udata: unused
 *
 * Waits for copies under way, and for nothing else.
 *
 * Return: 0, -EBUSY (windows are bound, IBA 11.2.8.10).
 */
int rxe_dereg_mr(struct ib_mr *ib, struct ib_udata *udata)
{
	struct rxe_mr *mr = rxe_mr(ib);
	int err;

	err = rxe_mr_freeze(mr);
	if (err)
		return err;
	rxe_mr_delete(mr);
	return 0;
}

/* --- fast registration --- */

/**
 * rxe_alloc_mr() - ib_device_ops.alloc_mr
 * @pd: owner
 * @type: IB_MR_TYPE_MEM_REG
 * @max_num_sg: pages it must be able to hold
 */
struct ib_mr *rxe_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_num_sg)
{
	struct rxe_mr *mr;

	if (type != IB_MR_TYPE_MEM_REG || !max_num_sg || max_num_sg > RXE_MAX_FAST_REG_PAGES)
		return ERR_PTR(-EINVAL);
	mr = rxe_mr_new(pd, RXE_MR_FAST);
	if (IS_ERR(mr))
		return ERR_CAST(mr);
	mr->max_blocks = max_num_sg;
	mr->map.blocks = kvmalloc_array(max_num_sg, sizeof(*mr->map.blocks), GFP_KERNEL_ACCOUNT);
	mr->next.blocks = kvmalloc_array(max_num_sg, sizeof(*mr->next.blocks), GFP_KERNEL_ACCOUNT);
	if (!mr->map.blocks || !mr->next.blocks) {
		rxe_mr_delete(mr);
		return ERR_PTR(-ENOMEM);
	}
	mr->ib.type = IB_MR_TYPE_MEM_REG;
	return &mr->ib;
}

static int rxe_set_page(struct ib_mr *ib, u64 addr)
{
	struct rxe_mr *mr = rxe_mr(ib);

	if (mr->next.nblocks == mr->max_blocks)
		return -ENOMEM;
	mr->next.blocks[mr->next.nblocks++] = ib_virt_dma_to_ptr(addr);
	return 0;
}

/**
 * rxe_map_mr_sg() - ib_device_ops.map_mr_sg
 * @ib: MR of rxe_alloc_mr(); ib->page_size is any power of two
 * @sgl: DMA-mapped, that is, kernel addresses
 * @nents: entries
 * @offset: in the first, updated
 *
 * Consumers (rdma_rw) map before the LOCAL_INV of the previous use was
 * executed, so the new list goes beside the present one; REG_MR takes it over.
 *
 * Return: entries mapped, or -EINVAL.
 */
int rxe_map_mr_sg(struct ib_mr *ib, struct scatterlist *sgl, int nents, unsigned int *offset)
{
	struct rxe_mr *mr = rxe_mr(ib);

	if (mr->type != RXE_MR_FAST || !is_power_of_2(ib->page_size))
		return -EINVAL;
	mr->next.nblocks = 0;
	return ib_sg_to_pages(ib, sgl, nents, offset, rxe_set_page);
}

/* Nothing mapped since the last REG_MR: the same pages again, under a new key. */
static void rxe_fast_take_map(struct rxe_mr *mr)
{
	if (!mr->next.nblocks)
		return;
	swap(mr->map, mr->next);
	mr->next.nblocks = 0;
	mr->map.shift = ilog2(mr->ib.page_size);
	mr->map.offset = mr->ib.iova & (mr->ib.page_size - 1);
	mr->iova = mr->ib.iova;
	mr->length = mr->ib.length;
}

/**
 * rxe_mr_fast_reg() - execute IB_WR_REG_MR
 * @qp: QP of a kernel consumer
 * @mr: MR of rxe_alloc_mr(), mapped by rxe_map_mr_sg()
 * @key: its new key: the low byte may differ from the present one
 * @access: rights
 *
 * An old key that is still valid is taken away first.
 *
 * Context: owner of the send side.
 * Return: 0; -EAGAIN: a burst still uses the old key: call again, the send side
 * is kicked; -EINVAL: refused.
 */
int rxe_mr_fast_reg(struct rxe_qp *qp, struct rxe_mr *mr, u32 key, u32 access)
{
	if (mr->type != RXE_MR_FAST || mr->pd != qp->ib.pd || (key ^ mr->key) >> 8 ||
	    access & ~RXE_MR_ACCESS)
		return -EINVAL;
	if (!rxe_mr_leave(mr, 1, qp, false))
		return -EAGAIN;
	rxe_fast_take_map(mr);
	if (mr->map.offset + mr->length > (u64)mr->map.nblocks << mr->map.shift)
		return -EINVAL;
	mr->access = access;
	mr->key = key;
	rxe_mr_enable(mr);
	return 0;
}

static int rxe_fast_invalidate(struct rxe_qp *qp, struct rxe_mr *mr, bool remote)
{
	if (mr->type != RXE_MR_FAST)
		return -EINVAL;
	/* a peer takes away what it was given, and nothing else */
	if (remote && !(mr->access & RXE_ACCESS_REMOTE))
		return -EINVAL;
	return rxe_mr_leave(mr, 1, qp, remote) ? 0 : -EAGAIN;
}

/**
 * rxe_key_invalidate() - LOCAL_INV, or a peer's SEND with invalidate
 * @qp: QP
 * @key: of a fast registration or a type 2 window, of the QP's PD (IBA 10.6.5)
 * @remote: asked by the peer
 *
 * A key that is invalid already is fine if it is a fast registration's.
 *
 * Context: owner of the send (@remote: receive) side.
 * Return: 0: gone, and no burst uses the memory; -EAGAIN: gone, but a burst
 * does: call again, the side is kicked; -EINVAL: refused.
 */
int rxe_key_invalidate(struct rxe_qp *qp, u32 key, bool remote)
{
	struct rxe_mr *mr;
	int err = -EINVAL;

	rcu_read_lock();
	mr = xa_load(&qp->dev->keys, key >> 8);
	if (mr && READ_ONCE(mr->key) == key && READ_ONCE(mr->pd) == qp->ib.pd) {
		if (mr->is_mw)
			err = rxe_mw_invalidate(qp, mr, remote);
		else
			err = rxe_fast_invalidate(qp, mr, remote);
	}
	rcu_read_unlock();
	return err;
}
