// SPDX-License-Identifier: GPL-2.0
/*
 * On-demand paging: memory regions whose pages are not pinned.
 *
 * Each has a table of the pages that are there now.  It is filled under the
 * umem_mutex, after a fault; the mmu notifier's callback empties it.  A copy
 * looks its page up and is done with it under a spin lock that the callback
 * takes as well, page by page: who copies never sleeps, and a page never goes
 * under a copy.
 *
 * A missing page is faulted in by a worker that owns no side and holds no
 * reference to QP or MR, since a fault may take for ever (userfaultfd, FUSE):
 * it knows the QP by number and has a reference to the table only.  So
 * destroying a QP or an MR, and the end of a process, wait for no fault.  When
 * the fault is through it kicks the side that missed the page.  A process has a
 * few such workers, and a bounded number of faults that wait for one.
 *
 * Order: umem_mutex, then the table's lock; of two tables by address; the
 * process's lock is taken alone.
 */
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <rdma/ib_umem_odp.h>

#include "rxe.h"

#ifdef CONFIG_INFINIBAND_ON_DEMAND_PAGING

enum {
	RXE_ODP_WORKERS		= 4,		/* per process */
	RXE_ODP_WAITING		= 16384,	/* faults, per process */
	RXE_ODP_PER_SIDE	= 4,		/* faults; more wait for one of these */
	RXE_ODP_STEP		= 2 << 20,	/* bytes faulted in at a time by a prefetch */
};

/* An entry of the table: a page's kernel address, or 0, and in its low bits ... */
#define RXE_PAGE_WRITE		BIT(0)	/* may be written */
#define RXE_PAGE_DIRTY		BIT(1)	/* was */

struct rxe_odp_proc;

/**
 * struct rxe_odp_worker - one worker of a process
 * @work: the work item
 * @proc: process
 * @busy: queued or running; under @proc->lock
 */
struct rxe_odp_worker {
	struct work_struct work;
	struct rxe_odp_proc *proc;
	bool busy;
};

/**
 * struct rxe_odp_proc - faults of one process
 * @node: in rxe_odp_procs
 * @mm: names the process; not followed
 * @users: tables, and busy workers; under rxe_odp_mutex when it may become 0
 * @lock: below (BH)
 * @waiting: struct rxe_odp_fault
 * @num: of these, and those being worked on
 * @worker: its workers
 */
struct rxe_odp_proc {
	struct list_head node;
	struct mm_struct *mm;
	refcount_t users;
	spinlock_t lock;		/* of waiting, num, busy */
	struct list_head waiting;
	u32 num;
	struct rxe_odp_worker worker[RXE_ODP_WORKERS];
};

/**
 * struct rxe_odp - the pages of one ODP memory region that are there
 * @ref: the MR, and faults; the last frees it
 * @lock: of @page (BH)
 * @page: entries as above, by page from ib_umem_start()
 * @umem: the core's half: notifier and owning process
 * @dev: device, its memory held
 * @proc: of the owner
 */
struct rxe_odp {
	refcount_t ref;
	spinlock_t lock;		/* of page's entries */
	unsigned long *page;
	struct ib_umem_odp *umem;
	struct rxe_dev *dev;
	struct rxe_odp_proc *proc;
};

/**
 * struct rxe_odp_fault - pages to be faulted in
 * @node: in proc->waiting
 * @odp: table, with a reference
 * @addr: in the process
 * @len: bytes
 * @write: to be written
 * @fault: false: take only what is there (prefetch without fault)
 * @qpn: QP to be told, 0: none
 * @is_rx: its receive side
 */
struct rxe_odp_fault {
	struct list_head node;
	struct rxe_odp *odp;
	u64 addr;
	u64 len;
	bool write;
	bool fault;
	u32 qpn;
	bool is_rx;
};

static LIST_HEAD(rxe_odp_procs);
static DEFINE_MUTEX(rxe_odp_mutex);
static struct workqueue_struct *rxe_odp_wq;

/* --- the table --- */

static size_t rxe_odp_index(const struct rxe_odp *odp, u64 addr)
{
	return (addr - ib_umem_start(odp->umem)) >> PAGE_SHIFT;
}

/**
 * rxe_odp_lock_slow() - keep pages where they are
 * @a: table or NULL
 * @b: another, the same, or NULL
 *
 * How many locks are held then is not known to sparse, which counts: it is told
 * here that all are let go, and below that they are taken.
 */
void rxe_odp_lock_slow(struct rxe_odp *a, struct rxe_odp *b)
{
	if (a > b)
		swap(a, b);
	if (a && a != b) {
		spin_lock_bh(&a->lock);
		spin_lock_nested(&b->lock, SINGLE_DEPTH_NESTING);
		__release(&a->lock);
		__release(&b->lock);
	} else {
		spin_lock_bh(&b->lock);
		__release(&b->lock);
	}
}

/**
 * rxe_odp_unlock_slow() - undo rxe_odp_lock_slow()
 * @a: as there
 * @b: as there
 */
void rxe_odp_unlock_slow(struct rxe_odp *a, struct rxe_odp *b)
{
	if (a > b)
		swap(a, b);
	if (a && a != b) {
		__acquire(&a->lock);
		__acquire(&b->lock);
		spin_unlock(&b->lock);
		spin_unlock_bh(&a->lock);
	} else {
		__acquire(&b->lock);
		spin_unlock_bh(&b->lock);
	}
}

/**
 * rxe_odp_at() - where a byte of the process is now
 * @odp: table, locked by rxe_odp_lock()
 * @addr: in the process, inside the MR
 * @write: it will be written
 *
 * Return: its kernel address, good for the rest of the page until the table is
 * unlocked; NULL if the page is not there.
 */
void *rxe_odp_at(struct rxe_odp *odp, u64 addr, bool write)
{
	unsigned long *e = &odp->page[rxe_odp_index(odp, addr)];

	lockdep_assert_held(&odp->lock);
	if (!*e || (write && !(*e & RXE_PAGE_WRITE)))
		return NULL;
	if (write)
		*e |= RXE_PAGE_DIRTY;
	return (void *)(*e & PAGE_MASK) + offset_in_page(addr);
}

static bool rxe_odp_resident(struct rxe_odp *odp, u64 addr, u64 len, bool write)
{
	size_t i = rxe_odp_index(odp, addr);
	size_t last = rxe_odp_index(odp, addr + len - 1);
	unsigned long need = write ? RXE_PAGE_WRITE : 0;
	bool there = true;

	spin_lock_bh(&odp->lock);
	for (; there && i <= last; i++)
		there = odp->page[i] && (odp->page[i] & need) == need;
	spin_unlock_bh(&odp->lock);
	return there;
}

/* The range's pages go: bytes [start, end) of the process. */
static void rxe_odp_drop(struct rxe_odp *odp, u64 start, u64 end)
{
	size_t i, n = rxe_odp_index(odp, end);
	unsigned long e;

	lockdep_assert_held(&odp->umem->umem_mutex);
	for (i = rxe_odp_index(odp, start); i < n; i++) {
		/* filled under the mutex only */
		if (!READ_ONCE(odp->page[i]))
			continue;
		spin_lock_bh(&odp->lock);
		e = odp->page[i];
		odp->page[i] = 0;
		spin_unlock_bh(&odp->lock);
		/* as the core does for pages that a device wrote to */
		if (e & RXE_PAGE_DIRTY)
			set_page_dirty(compound_head(virt_to_page((void *)(e & PAGE_MASK))));
	}
}

static bool rxe_odp_invalidate(struct mmu_interval_notifier *mni,
			       const struct mmu_notifier_range *range, unsigned long seq)
{
	struct ib_umem_odp *umem = container_of(mni, struct ib_umem_odp, notifier);
	u64 start, end;

	if (!mmu_notifier_range_blockable(range))
		return false;
	mutex_lock(&umem->umem_mutex);
	mmu_interval_set_seq(mni, seq);
	start = max_t(u64, ib_umem_start(umem), range->start);
	end = min_t(u64, ib_umem_end(umem), range->end);
	/* none yet: nothing was mapped */
	if (umem->private && start < end)
		rxe_odp_drop(umem->private, start, end);
	ib_umem_odp_unmap_dma_pages(umem, start, end);
	mutex_unlock(&umem->umem_mutex);
	return true;
}

static const struct mmu_interval_notifier_ops rxe_odp_ops = {
	.invalidate = rxe_odp_invalidate,
};

/* Take what a fault brought. False if something is missing that was asked for. */
static bool rxe_odp_fill(struct rxe_odp *odp, u64 addr, u64 len, bool write)
{
	size_t i = rxe_odp_index(odp, addr);
	size_t last = rxe_odp_index(odp, addr + len - 1);
	bool all = true;

	lockdep_assert_held(&odp->umem->umem_mutex);
	for (; i <= last; i++) {
		unsigned long pfn = compat_odp_pfn(odp->umem, i);
		unsigned long e = pfn & HMM_PFN_WRITE ? RXE_PAGE_WRITE : 0;

		/* memory of another device has no address here */
		if (!(pfn & HMM_PFN_VALID) || is_pci_p2pdma_page(hmm_pfn_to_page(pfn)) ||
		    (write && !e)) {
			all = false;
			continue;
		}
		e |= (unsigned long)page_address(hmm_pfn_to_page(pfn));
		spin_lock_bh(&odp->lock);
		odp->page[i] = e | (odp->page[i] & RXE_PAGE_DIRTY);
		spin_unlock_bh(&odp->lock);
	}
	return all;
}

/*
 * Get pages of the process into the table.  @fault: bring them in; else take
 * those that are there.  Sleeps, perhaps for ever.
 */
static int rxe_odp_get_pages(struct rxe_odp *odp, u64 addr, u64 len, bool write, bool fault)
{
	bool all;
	int n;

	might_sleep();
	if (write && !odp->umem->umem.writable)
		return -EACCES;
	n = ib_umem_odp_map_dma_and_lock(odp->umem, addr, len, compat_odp_access(write), fault);
	if (n < 0)
		return n;
	all = rxe_odp_fill(odp, addr, len, write);
	mutex_unlock(&odp->umem->umem_mutex);
	return all || !fault ? 0 : -EFAULT;
}

/* --- processes --- */

static void rxe_odp_work(struct work_struct *work);

/* The caller's process; one more user of it. */
static struct rxe_odp_proc *rxe_odp_proc_get(void)
{
	struct rxe_odp_proc *proc;
	int i;

	mutex_lock(&rxe_odp_mutex);
	list_for_each_entry(proc, &rxe_odp_procs, node) {
		if (proc->mm == current->mm) {
			refcount_inc(&proc->users);
			goto out;
		}
	}
	proc = kzalloc_obj(*proc, GFP_KERNEL_ACCOUNT);
	if (!proc)
		goto out;
	proc->mm = current->mm;
	refcount_set(&proc->users, 1);
	spin_lock_init(&proc->lock);
	INIT_LIST_HEAD(&proc->waiting);
	for (i = 0; i < RXE_ODP_WORKERS; i++) {
		INIT_WORK(&proc->worker[i].work, rxe_odp_work);
		proc->worker[i].proc = proc;
	}
	list_add(&proc->node, &rxe_odp_procs);
out:
	mutex_unlock(&rxe_odp_mutex);
	return proc;
}

static void rxe_odp_proc_put(struct rxe_odp_proc *proc)
{
	if (!refcount_dec_and_mutex_lock(&proc->users, &rxe_odp_mutex))
		return;
	list_del(&proc->node);
	mutex_unlock(&rxe_odp_mutex);
	kfree(proc);
}

/* --- life of a table --- */

static void rxe_odp_free(struct rxe_odp *odp)
{
	struct ib_umem_odp *umem = odp->umem;

	mutex_lock(&umem->umem_mutex);
	rxe_odp_drop(odp, ib_umem_start(umem), ib_umem_end(umem));
	mutex_unlock(&umem->umem_mutex);
	/* no callback runs when this returns */
	ib_umem_odp_release(umem);
	kvfree(odp->page);
	rxe_odp_proc_put(odp->proc);
	put_device(&odp->dev->ib.dev);
	kfree(odp);
}

static void rxe_odp_put(struct rxe_odp *odp)
{
	if (refcount_dec_and_test(&odp->ref))
		rxe_odp_free(odp);
}

static int rxe_odp_alloc(struct rxe_odp *odp, struct ib_umem_odp *umem)
{
	odp->page = kvcalloc(ib_umem_odp_num_pages(umem), sizeof(*odp->page), GFP_KERNEL_ACCOUNT);
	if (!odp->page)
		return -ENOMEM;
	odp->proc = rxe_odp_proc_get();
	if (!odp->proc) {
		kvfree(odp->page);
		return -ENOMEM;
	}
	return 0;
}

/**
 * rxe_odp_create() - register a process's memory without pinning it
 * @map: its odp and offset are set
 * @dev: device
 * @start: address in the calling process
 * @length: bytes
 * @access: rights, IB_ACCESS_ON_DEMAND among them
 *
 * Return: 0, -ENOMEM, or what ib_umem_odp_get() says.
 */
int rxe_odp_create(struct rxe_map *map, struct rxe_dev *dev, u64 start, u64 length, int access)
{
	struct ib_umem_odp *umem;
	struct rxe_odp *odp;
	int err;

	umem = ib_umem_odp_get(&dev->ib, start, length, access, &rxe_odp_ops);
	if (IS_ERR(umem))
		return PTR_ERR(umem);
	odp = kzalloc_obj(*odp, GFP_KERNEL_ACCOUNT);
	err = odp ? rxe_odp_alloc(odp, umem) : -ENOMEM;
	if (err) {
		kfree(odp);
		ib_umem_odp_release(umem);
		return err;
	}
	refcount_set(&odp->ref, 1);
	spin_lock_init(&odp->lock);
	odp->umem = umem;
	odp->dev = dev;
	/* faults may outlive the device's registration */
	get_device(&dev->ib.dev);
	mutex_lock(&umem->umem_mutex);
	umem->private = odp;
	mutex_unlock(&umem->umem_mutex);
	map->odp = odp;
	map->offset = start;
	map->shift = PAGE_SHIFT;
	return 0;
}

/**
 * rxe_odp_destroy() - the MR is gone
 * @odp: table, or NULL; freed now or when its last fault is through
 */
void rxe_odp_destroy(struct rxe_odp *odp)
{
	if (odp)
		rxe_odp_put(odp);
}

/* --- faults --- */

/* The number may be another QP's now: a kick for nothing does no harm. */
static void rxe_odp_tell(const struct rxe_odp_fault *f, int err)
{
	struct rxe_side *side;
	struct rxe_qp *qp;

	if (!f->qpn)
		return;
	rcu_read_lock();
	qp = rxe_qp_get(f->odp->dev, f->qpn);
	rcu_read_unlock();
	if (!qp)
		return;
	side = f->is_rx ? &qp->rx.side : &qp->tx.side;
	atomic_dec_if_positive(&side->faults);
	/* -EBUSY: the pages went again and again; the side tries once more */
	if (err && err != -EBUSY && err != -EAGAIN) {
		WRITE_ONCE(side->bad_addr, f->addr);
		/* pairs with rxe_odp_failed() */
		smp_store_release(&side->bad_odp, f->odp);
	}
	rxe_kick(side, RXE_MARK_WAKE);
	rxe_qp_put(qp);
}

/* Did the fault for just this fail? Told once. */
static bool rxe_odp_failed(struct rxe_side *side, const struct rxe_odp *odp, u64 addr)
{
	/* pairs with rxe_odp_tell() */
	if (smp_load_acquire(&side->bad_odp) != odp || READ_ONCE(side->bad_addr) != addr)
		return false;
	WRITE_ONCE(side->bad_odp, NULL);
	return true;
}

static void rxe_odp_do_fault(struct rxe_odp_fault *f)
{
	u64 done = 0;
	int err = 0;

	while (!err && done < f->len) {
		u64 n = min_t(u64, f->len - done, RXE_ODP_STEP);

		err = rxe_odp_get_pages(f->odp, f->addr + done, n, f->write, f->fault);
		done += n;
	}
	rxe_odp_tell(f, err);
	rxe_odp_put(f->odp);
	kfree(f);
}

static struct rxe_odp_fault *rxe_odp_next(struct rxe_odp_worker *w)
{
	struct rxe_odp_proc *proc = w->proc;
	struct rxe_odp_fault *f;

	spin_lock_bh(&proc->lock);
	f = list_first_entry_or_null(&proc->waiting, struct rxe_odp_fault, node);
	if (f)
		list_del(&f->node);
	else
		w->busy = false;
	spin_unlock_bh(&proc->lock);
	return f;
}

static void rxe_odp_work(struct work_struct *work)
{
	struct rxe_odp_worker *w = container_of(work, struct rxe_odp_worker, work);
	struct rxe_odp_proc *proc = w->proc;
	struct rxe_odp_fault *f;

	while ((f = rxe_odp_next(w))) {
		rxe_odp_do_fault(f);
		spin_lock_bh(&proc->lock);
		proc->num--;
		spin_unlock_bh(&proc->lock);
		cond_resched();
	}
	rxe_odp_proc_put(proc);
	/* rxe_odp_exit() waits for this function's end */
	module_put(THIS_MODULE);
}

static void rxe_odp_start_worker(struct rxe_odp_proc *proc)
{
	int i;

	lockdep_assert_held(&proc->lock);
	for (i = 0; i < RXE_ODP_WORKERS; i++) {
		struct rxe_odp_worker *w = &proc->worker[i];

		if (w->busy)
			continue;
		w->busy = true;
		refcount_inc(&proc->users);
		/* a fault that hangs makes rmmod fail, not hang */
		__module_get(THIS_MODULE);
		queue_work(rxe_odp_wq, &w->work);
		return;
	}
	/* all busy: one of them will take it */
}

/* Context: any but hard IRQ. False: too many. */
static bool rxe_odp_queue(struct rxe_odp_fault *f)
{
	struct rxe_odp_proc *proc = f->odp->proc;
	bool ok;

	spin_lock_bh(&proc->lock);
	ok = proc->num < RXE_ODP_WAITING;
	if (ok) {
		proc->num++;
		refcount_inc(&f->odp->ref);
		list_add_tail(&f->node, &proc->waiting);
		rxe_odp_start_worker(proc);
	}
	spin_unlock_bh(&proc->lock);
	return ok;
}

static int rxe_odp_ask(struct rxe_odp *odp, struct rxe_qp *qp, struct rxe_side *side, u64 addr,
		       u64 len, bool write)
{
	struct rxe_odp_fault *f;

	/* the kick of any of these makes the side look again */
	if (!atomic_add_unless(&side->faults, 1, RXE_ODP_PER_SIDE))
		return -EAGAIN;
	f = kzalloc_obj(*f, GFP_ATOMIC);
	if (f) {
		f->odp = odp;
		f->addr = addr;
		f->len = len;
		f->write = write;
		f->fault = true;
		f->qpn = qp->ib.qp_num;
		f->is_rx = side->is_rx;
		if (rxe_odp_queue(f))
			return -EAGAIN;
	}
	kfree(f);
	atomic_dec_if_positive(&side->faults);
	return -EACCES;
}

/**
 * rxe_odp_ready() - are the pages there for a burst?
 * @odp: table
 * @qp: of @side
 * @side: to be kicked with RXE_MARK_WAKE when they are, if they are not now
 * @addr: in the process; checked
 * @len: bytes, not 0
 * @write: to be written
 *
 * Context: owner of @side, BH off.
 * Return: 0; -EAGAIN: a fault is under way; -EACCES: it failed, or there are
 * too many of them in this process.
 */
int rxe_odp_ready(struct rxe_odp *odp, struct rxe_qp *qp, struct rxe_side *side, u64 addr, u64 len,
		  bool write)
{
	if (rxe_odp_resident(odp, addr, len, write))
		return 0;
	if (rxe_odp_failed(side, odp, addr))
		return -EACCES;
	return rxe_odp_ask(odp, qp, side, addr, len, write);
}

/* --- prefetch --- */

/* The table behind an SGE of advise_mr, with a reference; @addr in the process. */
static struct rxe_odp *rxe_advise_odp(struct ib_pd *pd, const struct ib_sge *sge, bool write,
				      u64 *addr)
{
	struct rxe_odp *odp = ERR_PTR(-EINVAL);
	struct rxe_mr *mr;

	/* no length: bounds have an errno of their own */
	mr = rxe_mr_local(rxe_dev(pd->device), rxe_pd(pd), sge->lkey, sge->addr, 0, 0);
	if (IS_ERR(mr))
		return odp;
	if (mr->map.odp) {
		if (write && !(mr->access & IB_ACCESS_LOCAL_WRITE)) {
			odp = ERR_PTR(-EPERM);
		} else if (!rxe_mr_covers(mr, sge->addr, sge->length)) {
			odp = ERR_PTR(-EFAULT);
		} else {
			odp = mr->map.odp;
			refcount_inc(&odp->ref);
			*addr = sge->addr - mr->iova + mr->map.offset;
		}
	}
	/* the MR is not held while pages are waited for */
	rxe_mr_put(mr);
	return odp;
}

static int rxe_advise_now(struct rxe_odp *odp, u64 addr, u32 len, bool write, bool fault)
{
	u32 done = 0, n;
	int err = 0;

	for (; !err && done < len; done += n) {
		n = min_t(u32, len - done, RXE_ODP_STEP);
		err = rxe_odp_get_pages(odp, addr + done, n, write, fault);
		if (!err && fatal_signal_pending(current))
			err = -EINTR;
	}
	return err;
}

static int rxe_advise_later(struct rxe_odp *odp, u64 addr, u32 len, bool write, bool fault)
{
	struct rxe_odp_fault *f;

	if (!len)
		return 0;
	f = kzalloc_obj(*f, GFP_KERNEL_ACCOUNT);
	if (!f)
		return -ENOMEM;
	f->odp = odp;
	f->addr = addr;
	f->len = len;
	f->write = write;
	f->fault = fault;
	/* advice may be left undone */
	if (!rxe_odp_queue(f))
		kfree(f);
	return 0;
}

/* First pass of an asynchronous request: nothing is begun if a key is bad. */
static int rxe_advise_check(struct ib_pd *pd, const struct ib_sge *sge, u32 num_sge, bool write)
{
	u32 i;

	for (i = 0; i < num_sge; i++) {
		u64 addr;
		struct rxe_odp *odp = rxe_advise_odp(pd, &sge[i], write, &addr);

		if (IS_ERR(odp))
			return PTR_ERR(odp);
		rxe_odp_put(odp);
	}
	return 0;
}

/**
 * rxe_advise_mr() - ib_device_ops.advise_mr: prefetch pages
 * @pd: of the MRs
 * @advice: PREFETCH, PREFETCH_WRITE, or PREFETCH_NO_FAULT (what is there already)
 * @flags: IB_UVERBS_ADVISE_MR_FLAG_FLUSH: before the call returns
 * @sge: lkeys and addresses
 * @num_sge: of these
 * @attrs: unused
 *
 * Return: 0, -EOPNOTSUPP (advice), -EINVAL (key, or not an ODP MR), -EPERM (not
 * writable), -EFAULT (out of bounds, or no memory there), -ENOMEM, -EINTR.
 */
int rxe_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		  struct ib_sge *sge, u32 num_sge, struct uverbs_attr_bundle *attrs)
{
	bool write = advice == IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE;
	bool fault = advice != IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT;
	bool now = flags & IB_UVERBS_ADVISE_MR_FLAG_FLUSH;
	int err;
	u32 i;

	if (advice > IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT)
		return -EOPNOTSUPP;
	err = now ? 0 : rxe_advise_check(pd, sge, num_sge, write);
	for (i = 0; !err && i < num_sge; i++) {
		u64 addr;
		struct rxe_odp *odp = rxe_advise_odp(pd, &sge[i], write, &addr);

		if (IS_ERR(odp))
			return PTR_ERR(odp);
		if (now)
			err = rxe_advise_now(odp, addr, sge[i].length, write, fault);
		else
			err = rxe_advise_later(odp, addr, sge[i].length, write, fault);
		rxe_odp_put(odp);
	}
	return err;
}

/**
 * rxe_odp_init() - once per module
 */
int rxe_odp_init(void)
{
	rxe_odp_wq = alloc_workqueue("rxe_odp", WQ_UNBOUND, 0);
	return rxe_odp_wq ? 0 : -ENOMEM;
}

/**
 * rxe_odp_exit() - no device is left; the engines still are
 */
void rxe_odp_exit(void)
{
	destroy_workqueue(rxe_odp_wq);
}

#else /* CONFIG_INFINIBAND_ON_DEMAND_PAGING */

int rxe_odp_init(void)
{
	return 0;
}

void rxe_odp_exit(void)
{
}

int rxe_odp_create(struct rxe_map *map, struct rxe_dev *dev, u64 start, u64 length, int access)
{
	return -EOPNOTSUPP;
}

void rxe_odp_destroy(struct rxe_odp *odp)
{
}

int rxe_odp_ready(struct rxe_odp *odp, struct rxe_qp *qp, struct rxe_side *side, u64 addr, u64 len,
		  bool write)
{
	return -EACCES;
}

void rxe_odp_lock_slow(struct rxe_odp *a, struct rxe_odp *b)
{
}

void rxe_odp_unlock_slow(struct rxe_odp *a, struct rxe_odp *b)
{
}

void *rxe_odp_at(struct rxe_odp *odp, u64 addr, bool write)
{
	return NULL;
}

int rxe_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		  struct ib_sge *sge, u32 num_sge, struct uverbs_attr_bundle *attrs)
{
	return -EOPNOTSUPP;
}

#endif
