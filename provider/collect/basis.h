/* SPDX-License-Identifier: MIT */
/*
 * Declares the basis. A basis holds everything that a Collect needs between two refreshes: an
 * installation, a set of regions, and the plans that were made from both. A basis is
 * reference-counted and immutable. The provider holds the newest one. Invariants:
 *
 * - A refresh makes the next basis from the newest one. The next basis becomes the newest one only
 *   if no other refresh has replaced the newest one meanwhile.
 * - Bases with the same number differ only in their plans, in what is known of the registry key,
 *   and in fields of the set that only a refresh uses. So a plan or a merge of one of these bases
 *   is correct for all of them.
 * - The number of the newest basis never falls. It grows when the installation changes, or when the
 *   set changes in a way that a Collect can see.
 *
 * The number of an installation is the number of its first basis. Installations that continue each
 * other's counts have the same lineage, which is the number of the first of them.
 */
#ifndef PRFDATA_BASIS_H
#define PRFDATA_BASIS_H

#include "collect/installation.h"
#include "collect/provider_state.h"
#include "plan/plan.h"
#include "regions/refresh.h"

typedef struct prfdata_basis {
    uint32_t references; /* protected by the lock of the provider's regions */
    uint64_t number;
    prfdata_installation *installation;
    prfdata_region_set *set; /* NULL: there is none */
    /* the earlier basis that `set` belongs to; NULL: `set` belongs to this basis */
    struct prfdata_basis *set_owner;
    /*
     * the time stamp of the registry key when its values were last read; not updated if all values
     * could be read but the stamp changed meanwhile
     */
    uint64_t stamp;
    uint64_t changed_ms; /* when a check last found that the stamp had changed */
    /* since when the installation is hidden: kept, but not shown. 0: it is shown */
    uint64_t hidden_ms;
    bool must_read; /* the next check reads the values, even if the stamp is unchanged */
    prfdata_plan *plans[PRFDATA_MAX_OBJECTS];
} prfdata_basis;

/*
 * Makes the first basis from a value `Maps` and title indexes that the caller has. Call it before
 * any other function.
 *
 * maps, maps_bytes  The value `Maps`, which is copied.
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (the title indexes are invalid) or what
 *         prfdata_versions_meet() returns.
 */
uint32_t prfdata_basis_give(prfdata_provider *provider, const void *maps, size_t maps_bytes,
                            uint32_t first_counter, uint32_t first_help);

/*
 * Refreshes the basis if a refresh is due. If another thread is refreshing it already,
 * regions/refresh.h says in which cases the calling thread refreshes it, too.
 */
void prfdata_basis_renew(prfdata_provider *provider);

static inline void prfdata_basis_copy_key(const prfdata_basis *from, prfdata_basis *to)
{
    to->stamp = from->stamp;
    to->changed_ms = from->changed_ms;
    to->hidden_ms = from->hidden_ms;
    to->must_read = from->must_read;
}

/* Frees a basis that has no references. */
void prfdata_basis_free(prfdata_provider *provider, prfdata_basis *basis);

/*
 * Gets a reference to the current basis, after a refresh if one is due.
 *
 * Returns NULL if no valid installation has been read yet, or if the installation is hidden or was
 * dropped. Give the basis back with prfdata_basis_release(). Threads: any.
 */
static inline prfdata_basis *prfdata_basis_acquire(prfdata_provider *provider)
{
    prfdata_basis *current;

    if (prfdata_refresh_now_ms() >= prfdata_refresh_due_ms(&provider->regions))
        prfdata_basis_renew(provider);
    prfdata_os_lock_enter(&provider->regions.lock);
    current = provider->basis;
    if (current && current->hidden_ms != 0)
        current = NULL;
    if (current)
        current->references++;
    prfdata_os_lock_leave(&provider->regions.lock);
    return current;
}

/* `basis` may be NULL. */
static inline void prfdata_basis_release(prfdata_provider *provider, prfdata_basis *basis)
{
    bool is_last;

    if (!basis)
        return;
    prfdata_os_lock_enter(&provider->regions.lock);
    is_last = --basis->references == 0;
    prfdata_os_lock_leave(&provider->regions.lock);
    if (is_last)
        prfdata_basis_free(provider, basis);
}

/*
 * Replaces a basis by the newest one. Call it after prfdata_carry_begin(). Otherwise the carry may
 * forget a region that `*basis` still has. The values of this region remain in a record, and would
 * count twice.
 *
 * Returns false if the newest basis has another installation, or if there is none. In both cases
 *         `*basis` is unchanged.
 */
bool prfdata_basis_follow(prfdata_provider *provider, prfdata_basis **basis);

/* Whether a basis has the number of the newest one. */
static inline bool prfdata_basis_is_newest(const prfdata_provider *provider,
                                           const prfdata_basis *basis)
{
    return prfdata_load64_relaxed(&provider->carry.newest_basis) == basis->number;
}

/*
 * Makes a basis for new plans. It has the number and the installation of `earlier`, but no set yet.
 * Returns NULL if memory is exhausted.
 */
prfdata_basis *prfdata_basis_make_successor(prfdata_provider *provider,
                                            const prfdata_basis *earlier);

/*
 * If the newest basis has the number of `made` and is not hidden, `made` replaces that basis,
 * shares its set, and gets from it each plan that `made` lacks. Takes ownership of the reference to
 * `made` in any case.
 */
void prfdata_basis_add_plans(prfdata_provider *provider, prfdata_basis *made);

#endif
