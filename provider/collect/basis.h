/* SPDX-License-Identifier: MIT */
/*
 * Declares the basis: everything that a Collect needs between two refreshes, which is an
 * installation, a set of regions, and the plans that were made from the two. A basis is
 * reference-counted and immutable. The installation store holds the current one.
 */
#ifndef PRFDATA_BASIS_H
#define PRFDATA_BASIS_H

#include "collect/installation.h"
#include "plan/plan.h"

typedef struct prfdata_basis {
    uint32_t references; /* protected by the store's lock */
    prfdata_installation *installation;
    prfdata_region_set *set; /* NULL: no set could be made */
    prfdata_plan **plans;    /* one per object; NULL: the object has no plan */
} prfdata_basis;

/*
 * Refreshes the basis if a refresh is due and no other thread is doing one. If the other thread is
 * more than a second late, it may have been suspended; then this thread refreshes as well. If two
 * threads refresh at once, the result of the one that finishes first counts. Returns what
 * prfdata_basis_acquire() returns.
 */
prfdata_basis *prfdata_basis_renew(prfdata_installation_store *store);

/* Frees a basis that has no references. */
void prfdata_basis_free(prfdata_installation_store *store, prfdata_basis *basis);

/*
 * Gets a reference to the current basis, after a refresh if one is due.
 *
 * Returns NULL if nothing is installed or memory is exhausted. Give the basis back with
 * prfdata_basis_release(). Threads: any.
 */
static inline prfdata_basis *prfdata_basis_acquire(prfdata_installation_store *store)
{
    prfdata_basis *current;

    if (prfdata_due_now_ms() >= prfdata_due_ms(&store->due, store->refresh_ms))
        return prfdata_basis_renew(store);
    prfdata_os_lock_enter(&store->lock);
    current = store->basis;
    if (current)
        current->references++;
    prfdata_os_lock_leave(&store->lock);
    return current;
}

/* `basis` may be NULL. */
static inline void prfdata_basis_release(prfdata_installation_store *store, prfdata_basis *basis)
{
    bool is_last;

    if (!basis)
        return;
    prfdata_os_lock_enter(&store->lock);
    is_last = --basis->references == 0;
    prfdata_os_lock_leave(&store->lock);
    if (is_last)
        prfdata_basis_free(store, basis);
}

/*
 * Replaces the plans of `basis`, if `basis` is still the current one.
 *
 * plans  One per object; this function takes ownership. NULL: keep the plan that the basis has.
 */
void prfdata_basis_learn(prfdata_installation_store *store, prfdata_basis *basis,
                         prfdata_plan **plans);

/* Leaves the store without a current basis. Collects that are running keep theirs. */
void prfdata_basis_withdraw(prfdata_installation_store *store);

#endif
