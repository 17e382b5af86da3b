/* SPDX-License-Identifier: MIT */
/*
 * Declares the basis. A basis holds everything that a Collect needs between two refreshes: an
 * installation, a set of regions, and the plans that were made from both. A basis is
 * reference-counted and immutable. The installation store holds the current one. Invariants:
 *
 * - A refresh reads the newest basis and makes the next one. The next basis replaces the newest one
 *   only if no other refresh has replaced it meanwhile.
 * - Bases with the same number differ only in their plans, and in fields of the set that only a
 *   refresh uses. So a plan or a merge of one of these bases is correct for all of them.
 * - The number of the current basis never falls. It grows when the installation changes, or when
 *   the set changes in a way that a Collect can see.
 */
#ifndef PRFDATA_BASIS_H
#define PRFDATA_BASIS_H

#include "collect/installation.h"
#include "plan/plan.h"

typedef struct prfdata_basis {
    uint32_t references; /* protected by the store's lock */
    uint64_t number;
    prfdata_installation *installation;
    prfdata_region_set *set;      /* NULL: no set could be made */
    struct prfdata_basis *keeper; /* the earlier basis that `set` belongs to; NULL: to this one */
    prfdata_plan **plans;         /* one per object; NULL: the object has no plan */
} prfdata_basis;

/*
 * Initialises a store, which has no basis yet.
 *
 * events, health  Receive problems, and the numbers of the health object; may be NULL.
 * Returns false if the name of the service is too long.
 */
bool prfdata_basis_init(prfdata_installation_store *store, const char *service,
                        prfdata_events *events, prfdata_health *health);

/* Frees everything in a store. No Collect may be running. */
void prfdata_basis_done(prfdata_installation_store *store);

/*
 * Makes the first basis from a value `Maps` and title indexes that the caller has. Call it before
 * any other function.
 *
 * maps, maps_bytes  The value; copied.
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (the title indexes are invalid) or what
 *         prfdata_versions_meet() returns.
 */
uint32_t prfdata_basis_give(prfdata_installation_store *store, const void *maps, size_t maps_bytes,
                            uint32_t first_counter, uint32_t first_help);

/*
 * Refreshes the basis if a refresh is due and no other thread is doing one. If the other thread is
 * more than a second late, it may have been suspended, so this thread refreshes as well. If two
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

    if (prfdata_due_now_ms() >= prfdata_due_ms(&store->regions.due, store->regions.refresh_ms))
        return prfdata_basis_renew(store);
    prfdata_os_lock_enter(&store->regions.lock);
    current = store->basis;
    if (current)
        current->references++;
    prfdata_os_lock_leave(&store->regions.lock);
    return current;
}

/* `basis` may be NULL. */
static inline void prfdata_basis_release(prfdata_installation_store *store, prfdata_basis *basis)
{
    bool is_last;

    if (!basis)
        return;
    prfdata_os_lock_enter(&store->regions.lock);
    is_last = --basis->references == 0;
    prfdata_os_lock_leave(&store->regions.lock);
    if (is_last)
        prfdata_basis_free(store, basis);
}

/*
 * Replaces a basis by the newest one. Call it after a merge was announced (merge/carry.h), because
 * an older basis may have regions whose last values are already folded into the carry.
 *
 * Returns false if the newest basis has another installation, or if there is none. In both cases
 *         `*basis` is unchanged.
 */
bool prfdata_basis_follow(prfdata_installation_store *store, prfdata_basis **basis);

/* Whether a basis has the number of the newest one. */
static inline bool prfdata_basis_is_newest(const prfdata_installation_store *store,
                                           const prfdata_basis *basis)
{
    return prfdata_load64_relaxed(&store->carry.basis) == basis->number;
}

/*
 * Replaces the plans of `basis`, if it has the number of the current one.
 *
 * plans  One per object; this function takes ownership. NULL: keep the plan that the basis has.
 */
void prfdata_basis_learn(prfdata_installation_store *store, prfdata_basis *basis,
                         prfdata_plan **plans);

#endif
