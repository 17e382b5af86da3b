/* SPDX-License-Identifier: MIT */
/*
 * What Collects work on between two refreshes: an installation, a set of regions, and the plans
 * that were made of both. It is immutable, and counted.
 */
#ifndef PRFDATA_BASIS_H
#define PRFDATA_BASIS_H

#include "collect/installation.h"
#include "plan/plan.h"

typedef struct prfdata_basis {
    uint32_t references; /* under the lock of the bases */
    uint64_t until_ms;   /* the same: valid before that time */
    prfdata_installation *installation;
    prfdata_region_set *set; /* NULL: none could be had */
    prfdata_plan **plans;    /* per object; NULL: none */
} prfdata_basis;

/* Of a provider; zeroed but for `store`. */
typedef struct prfdata_bases {
    prfdata_installation_store *store;
    prfdata_os_lock lock;   /* of what follows, and of references to bases and plans */
    prfdata_basis *current; /* NULL: none */
} prfdata_bases;

/*
 * Look at what is installed and attached by now, after the installation and the set of regions were
 * refreshed if they are due. Returns what prfdata_basis_acquire() does.
 */
prfdata_basis *prfdata_basis_renew(prfdata_bases *bases);

/* Free one without references. */
void prfdata_basis_free(prfdata_bases *bases, prfdata_basis *basis);

/*
 * Get what is current, renewed if that is due.
 *
 * renews  Whether to renew it in any case.
 *
 * Returns NULL if nothing is installed, or memory is exhausted.
 * Give it back with prfdata_basis_release(). Threads: any.
 */
static inline prfdata_basis *prfdata_basis_acquire(prfdata_bases *bases, bool renews)
{
    const uint64_t now = prfdata_due_now_ms();
    prfdata_basis *current = NULL;

    prfdata_os_lock_enter(&bases->lock);
    if (!renews && bases->current && now < bases->current->until_ms) {
        current = bases->current;
        current->references++;
    }
    prfdata_os_lock_leave(&bases->lock);
    return current ? current : prfdata_basis_renew(bases);
}

/* `basis` may be NULL. */
static inline void prfdata_basis_release(prfdata_bases *bases, prfdata_basis *basis)
{
    bool is_last;

    if (!basis)
        return;
    prfdata_os_lock_enter(&bases->lock);
    is_last = --basis->references == 0;
    prfdata_os_lock_leave(&bases->lock);
    if (is_last)
        prfdata_basis_free(bases, basis);
}

/* Renew at the next acquisition, whatever is due. */
void prfdata_basis_expire(prfdata_bases *bases);

/*
 * Put plans in the place of those that a basis has, if that is current still.
 *
 * plans  Per object, which are taken over; NULL: the basis's own stays.
 */
void prfdata_basis_learn(prfdata_bases *bases, prfdata_basis *basis, prfdata_plan **plans);

/* No Collect may be running. */
void prfdata_basis_done(prfdata_bases *bases);

#endif
