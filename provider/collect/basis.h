/* SPDX-License-Identifier: MIT */
/*
 * Declares what Collects work on between two refreshes: an installation, a set of regions, and the
 * plans that were made of both. A basis is counted, and does not change. The store of the
 * installation keeps the current one.
 */
#ifndef PRFDATA_BASIS_H
#define PRFDATA_BASIS_H

#include "collect/installation.h"
#include "plan/plan.h"

typedef struct prfdata_basis {
    uint32_t references; /* under the store's lock */
    prfdata_installation *installation;
    prfdata_region_set *set; /* NULL: none could be had */
    prfdata_plan **plans;    /* per object; NULL: none */
} prfdata_basis;

/*
 * Refresh the basis if that is due, unless another thread does so. If that one is more than a
 * second late, it may have been stopped, and this thread refreshes beside it; of two refreshes at
 * once the first that ends counts. Returns what prfdata_basis_acquire() does.
 */
prfdata_basis *prfdata_basis_renew(prfdata_installation_store *store);

/* Free one without references. */
void prfdata_basis_free(prfdata_installation_store *store, prfdata_basis *basis);

/*
 * Get what is current, refreshed if that is due.
 *
 * Returns NULL if nothing is installed, or memory is exhausted.
 * Give it back with prfdata_basis_release(). Threads: any.
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
 * Put plans in the place of those that a basis has, if that is current still.
 *
 * plans  Per object, which are taken over; NULL: the basis's own stays.
 */
void prfdata_basis_learn(prfdata_installation_store *store, prfdata_basis *basis,
                         prfdata_plan **plans);

/* Have none that is current. Collects that run keep theirs. */
void prfdata_basis_withdraw(prfdata_installation_store *store);

#endif
