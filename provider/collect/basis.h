/* SPDX-License-Identifier: MIT */
/*
 * What Collects work on between two refreshes: an installation, a set of regions, and the plans
 * that were made of both. It is counted, and does not change but for the time until which it is
 * current. The store of the installation keeps the current one.
 */
#ifndef PRFDATA_BASIS_H
#define PRFDATA_BASIS_H

#include "collect/installation.h"
#include "plan/plan.h"

typedef struct prfdata_basis {
    uint32_t references; /* under the store's lock */
    uint64_t until_ms; /* the same: renewed from that time on; later if nothing else has changed */
    prfdata_installation *installation;
    prfdata_region_set *set; /* NULL: none could be had */
    prfdata_plan **plans;    /* per object; NULL: none */
} prfdata_basis;

/*
 * Look at what is installed and attached by now, after the installation and the set of regions were
 * refreshed if they are due. Returns what prfdata_basis_acquire() does.
 */
prfdata_basis *prfdata_basis_renew(prfdata_installation_store *store);

/* Free one without references. */
void prfdata_basis_free(prfdata_installation_store *store, prfdata_basis *basis);

/*
 * Get what is current, renewed if that is due.
 *
 * renews  Whether to renew it in any case.
 *
 * Returns NULL if nothing is installed, or memory is exhausted.
 * Give it back with prfdata_basis_release(). Threads: any.
 */
static inline prfdata_basis *prfdata_basis_acquire(prfdata_installation_store *store, bool renews)
{
    const uint64_t now = prfdata_due_now_ms();
    prfdata_basis *current = NULL;

    prfdata_os_lock_enter(&store->lock);
    if (!renews && store->basis && now < store->basis->until_ms) {
        current = store->basis;
        current->references++;
    }
    prfdata_os_lock_leave(&store->lock);
    return current ? current : prfdata_basis_renew(store);
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

/* Renew at the next acquisition, whatever is due. */
void prfdata_basis_expire(prfdata_installation_store *store);

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
