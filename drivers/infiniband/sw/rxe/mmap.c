// SPDX-License-Identifier: GPL-2.0
/*
 * Pages shared with a user process.
 *
 * A struct rxe_shm is a number of single pages, mapped for us by vmap() and
 * for the user by mmap of the uverbs file.  For a user the reference count of
 * the mmap entry owns it: destroy of the queue and an mmap of it may come at
 * the same time, and whoever is last frees.  A mapping then holds the pages
 * themselves, not the entry, so destroy does not wait for munmap.
 */
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/vmalloc.h>

#include "rxe.h"

/* A large ring rather fails than have the OOM killer make room for it. */
#define RXE_SHM_GFP	(GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

static void rxe_shm_destroy(struct rxe_shm *shm)
{
	unsigned int i;

	vunmap(shm->va);
	for (i = 0; i < shm->npages; i++)
		__free_page(shm->pages[i]);
	kvfree(shm->pages);
	kfree(shm);
}

static int rxe_shm_alloc_pages(struct rxe_shm *shm, unsigned int npages)
{
	while (shm->npages < npages) {
		struct page *page = alloc_page(RXE_SHM_GFP);

		if (!page)
			return -ENOMEM;
		shm->pages[shm->npages++] = page;
		/* 512 MiB of CQ take a while */
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static struct rxe_shm *rxe_shm_create(size_t size)
{
	unsigned int npages = size >> PAGE_SHIFT;
	struct rxe_shm *shm;
	int err = -ENOMEM;

	shm = kzalloc_obj(*shm, GFP_KERNEL_ACCOUNT);
	if (!shm)
		return ERR_PTR(-ENOMEM);
	shm->pages = kvmalloc_array(npages, sizeof(*shm->pages), GFP_KERNEL_ACCOUNT);
	if (!shm->pages)
		goto err_destroy;
	err = rxe_shm_alloc_pages(shm, npages);
	if (err)
		goto err_destroy;
	shm->va = vmap(shm->pages, npages, VM_MAP, PAGE_KERNEL);
	if (shm->va)
		return shm;
	err = -ENOMEM;
err_destroy:
	rxe_shm_destroy(shm);
	return ERR_PTR(err);
}

/**
 * rxe_shm_alloc() - get zeroed pages, and a number to mmap them by
 * @udata: of the verb, NULL for a kernel user
 * @size: bytes, a multiple of PAGE_SIZE below 4 GiB
 * @mi: filled for a user
 *
 * Charged to the caller's memory cgroup.
 *
 * Context: may sleep.
 * Return: the pages or an error pointer (-ENOMEM, -EINTR).
 */
struct rxe_shm *rxe_shm_alloc(struct ib_udata *udata, size_t size, struct mminfo *mi)
{
	struct ib_ucontext *uctx;
	struct rxe_shm *shm;
	int err;

	shm = rxe_shm_create(size);
	if (IS_ERR(shm) || !udata)
		return shm;

	uctx = rdma_udata_to_uverbs_attr_bundle(udata)->context;
	err = rdma_user_mmap_entry_insert(uctx, &shm->entry, size);
	if (err) {
		rxe_shm_destroy(shm);
		return ERR_PTR(err);
	}
	shm->user = true;
	mi->offset = rdma_user_mmap_get_offset(&shm->entry);
	mi->size = size;
	return shm;
}

/**
 * rxe_shm_free() - give the pages up
 * @shm: not used by us any more; a user may keep it mapped. NULL is allowed.
 *
 * Context: may sleep.
 */
void rxe_shm_free(struct rxe_shm *shm)
{
	if (!shm)
		return;
	if (shm->user)
		rdma_user_mmap_entry_remove(&shm->entry);
	else
		rxe_shm_destroy(shm);
}

/**
 * rxe_mmap_free() - ib_device_ops.mmap_free: the last reference went
 * @entry: of a struct rxe_shm
 */
void rxe_mmap_free(struct rdma_user_mmap_entry *entry)
{
	rxe_shm_destroy(container_of(entry, struct rxe_shm, entry));
}

/**
 * rxe_mmap() - ib_device_ops.mmap: map a queue
 * @uctx: the process's context
 * @vma: shared, of exactly the queue's size
 *
 * Return: 0, -EINVAL (no such queue, or another size), -ENOMEM.
 */
int rxe_mmap(struct ib_ucontext *uctx, struct vm_area_struct *vma)
{
	struct rdma_user_mmap_entry *entry;
	struct rxe_shm *shm;
	int err;

	entry = rdma_user_mmap_entry_get(uctx, vma);
	if (!entry)
		return -EINVAL;
	shm = container_of(entry, struct rxe_shm, entry);
	vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP);
	/* vm_pgoff is the queue's name, no offset into it */
	err = vm_map_pages_zero(vma, shm->pages, shm->npages);
	rdma_user_mmap_entry_put(entry);
	return err;
}
