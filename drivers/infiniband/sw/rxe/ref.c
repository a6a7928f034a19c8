// SPDX-License-Identifier: GPL-2.0
/*
 * References to objects that are found by number.
 *
 * A plain counter and not percpu_ref: a reference is taken once per burst, and
 * destroy must not wait for a grace period (ten thousand QPs are destroyed one
 * after the other).  Memory outlives the count by RCU.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "rxe.h"

#define RXE_REF_WARN_AFTER	(10 * HZ)

/**
 * rxe_ref_init() - start an object's life
 * @ref: counts 1 afterwards: the number table's own reference
 * @obj: what the number leads to
 */
void rxe_ref_init(struct rxe_ref *ref, void *obj)
{
	ref->obj = obj;
	ref->done = NULL;
	refcount_set(&ref->count, 1);
}

/**
 * rxe_ref_get() - take a reference to what a number led to
 * @ref: found under RCU, which is still held
 *
 * Return: false if the object is being destroyed.
 */
bool rxe_ref_get(struct rxe_ref *ref)
{
	return refcount_inc_not_zero(&ref->count);
}

/**
 * rxe_ref_put() - give a reference back
 * @ref: not to be touched afterwards, unless under RCU
 *
 * Context: any.
 */
void rxe_ref_put(struct rxe_ref *ref)
{
	if (refcount_dec_and_test(&ref->count))
		complete(ref->done);
}

/**
 * rxe_ref_wait() - drop the table's reference and wait for all others
 * @ref: no longer reachable by its number, or refusing new users in some other way
 * @what: kind of object, for the log
 * @id: its number, for the log
 *
 * Waits as long as it takes: what still is in use can't be freed.  Says so
 * once after 10 s.  RCU readers may look at @ref until a grace period later,
 * but get no reference.
 *
 * Context: may sleep.
 */
void rxe_ref_wait(struct rxe_ref *ref, const char *what, u32 id)
{
	DECLARE_COMPLETION_ONSTACK(done);

	might_sleep();
	/* the decrements order this store before complete() of whoever is last */
	ref->done = &done;
	rxe_ref_put(ref);
	if (wait_for_completion_timeout(&done, RXE_REF_WARN_AFTER))
		return;
	pr_warn("%s 0x%x is to be destroyed, but still in use: waiting\n", what, id);
	wait_for_completion(&done);
}
