/* SPDX-License-Identifier: MIT */
/*
 * Keeps the current basis and replaces it. A refresh reads the registry key, checks the folder, and
 * makes a basis from both. When plans have been made, the current basis is replaced by one that has
 * them. All bases that were made since one refresh share its set.
 */
#include "collect/basis.h"

#include <stdlib.h>
#include <string.h>

#include "regions/refresh.h"

/* ---- Making ---- */

static uint32_t object_count_of(const prfdata_basis *basis)
{
    return basis->installation->model->object_count;
}

/*
 * Makes a basis without a set. Takes ownership of the reference to the installation, and releases
 * it if memory is exhausted.
 */
static prfdata_basis *make_basis(prfdata_installation_store *store,
                                 prfdata_installation *installation)
{
    const uint32_t count = installation->model->object_count;
    prfdata_basis *made = calloc(1, sizeof *made + count * sizeof(prfdata_plan *));

    if (!made) {
        prfdata_installation_release(store, installation);
        return NULL;
    }
    made->references = 1;
    made->installation = installation;
    made->plans = (void *)(made + 1);
    return made;
}

/*
 * Gives a basis the set of an earlier one. The caller holds the lock, or no other thread has
 * `basis`.
 */
static void share_set(prfdata_basis *earlier, prfdata_basis *basis)
{
    basis->set = earlier->set;
    basis->keeper = earlier->keeper ? earlier->keeper : earlier;
    basis->keeper->references++;
}

/*
 * Gives `basis` the plans that it lacks, from an earlier basis with the same number. The caller
 * holds the lock.
 */
static void share_plans(const prfdata_basis *earlier, prfdata_basis *basis)
{
    for (uint32_t i = 0; i < object_count_of(basis); i++) {
        if (basis->plans[i] || !earlier->plans[i])
            continue;
        basis->plans[i] = earlier->plans[i];
        prfdata_plan_retain(basis->plans[i]);
    }
}

/*
 * Moves the plans that must be freed together with the basis to the front. Returns their number.
 * The caller holds the lock.
 */
static uint32_t drop_plans(prfdata_basis *basis)
{
    uint32_t unused = 0;

    for (uint32_t i = 0; i < object_count_of(basis); i++)
        if (basis->plans[i] && prfdata_plan_drop(basis->plans[i]))
            basis->plans[unused++] = basis->plans[i];
    return unused;
}

void prfdata_basis_free(prfdata_installation_store *store, prfdata_basis *basis)
{
    uint32_t unused;

    prfdata_os_lock_enter(&store->regions.lock);
    unused = drop_plans(basis);
    prfdata_os_lock_leave(&store->regions.lock);
    while (unused > 0)
        prfdata_plan_free(basis->plans[--unused]);
    if (!basis->keeper)
        prfdata_regions_release(&store->regions, basis->set);
    prfdata_basis_release(store, basis->keeper);
    prfdata_installation_release(store, basis->installation);
    free(basis);
}

/* ---- The current basis ---- */

/* The newest basis, shown or hidden; NULL: there is none. The caller holds the lock. */
static prfdata_basis *newest_of(const prfdata_installation_store *store)
{
    return store->basis ? store->basis : store->hidden;
}

/* Returns `basis`, with one more reference unless it is NULL. The caller holds the lock. */
static prfdata_basis *retain_basis(prfdata_basis *basis)
{
    if (basis)
        basis->references++;
    return basis;
}

static prfdata_basis *share_current(prfdata_installation_store *store)
{
    prfdata_basis *current;

    prfdata_os_lock_enter(&store->regions.lock);
    current = retain_basis(store->basis);
    prfdata_os_lock_leave(&store->regions.lock);
    return current;
}

bool prfdata_basis_init(prfdata_installation_store *store, const char *service,
                        prfdata_events *events, prfdata_health *health)
{
    const size_t chars = strlen(service);

    memset(store, 0, sizeof *store);
    if (chars >= sizeof store->service)
        return false;
    memcpy(store->service, service, chars + 1);
    prfdata_regions_init(&store->regions, store->service, events, health);
    prfdata_carry_init(&store->carry);
    return true;
}

void prfdata_basis_done(prfdata_installation_store *store)
{
    prfdata_basis_release(store, newest_of(store));
    prfdata_carry_done(&store->carry);
    prfdata_versions_done(&store->versions);
}

bool prfdata_basis_follow(prfdata_installation_store *store, prfdata_basis **basis)
{
    prfdata_basis *newest;
    bool is_same;

    prfdata_os_lock_enter(&store->regions.lock);
    newest = newest_of(store);
    is_same = newest && newest->installation == (*basis)->installation;
    if (is_same)
        newest->references++;
    prfdata_os_lock_leave(&store->regions.lock);
    if (!is_same)
        return false;
    prfdata_basis_release(store, *basis);
    *basis = newest;
    return true;
}

/* ---- Refreshing ---- */

/*
 * Whether no other refresh has changed anything since `former` was the newest basis. Each refresh
 * makes another set, unless the folder cannot be read. Plans replace a basis, too, but keep its
 * installation and set. The caller holds the lock, and a reference to `former`.
 */
static bool is_newest_still(const prfdata_installation_store *store, const prfdata_basis *former)
{
    const prfdata_basis *shown = store->basis;

    if (!shown || !former)
        return newest_of(store) == former;
    return shown->installation == former->installation && shown->set == former->set;
}

/* Whether a Collect sees no difference between two bases. */
static bool is_same_basis(const prfdata_basis *a, const prfdata_basis *b)
{
    return a->installation == b->installation &&
           (a->set == b->set || (a->set && b->set && prfdata_regions_same(a->set, b->set)));
}

/* Returns the former basis if an installation continues its counts; otherwise NULL. */
static prfdata_basis *continued_basis(prfdata_basis *former,
                                      const prfdata_installation *installation)
{
    return former && former->installation->lineage == installation->lineage ? former : NULL;
}

/* An administrator may raise the limit but not lower it. `mib`: 0 if the value does not exist. */
static void limit_regions(prfdata_regions *regions, uint32_t mib)
{
    uint64_t bytes = (uint64_t)mib << 20;

    if (bytes < PRFDATA_REGIONS_MAX_BYTES)
        bytes = PRFDATA_REGIONS_MAX_BYTES;
    if (bytes > PRFDATA_REGIONS_MOST_BYTES)
        bytes = PRFDATA_REGIONS_MOST_BYTES;
    prfdata_store64_relaxed(&regions->max_views_bytes, bytes);
}

/*
 * Checks the folder and makes the next basis. If there is no new set, the basis has the former one.
 * Takes ownership of the reference to the installation. Returns NULL if memory is exhausted.
 *
 * newest  The newest basis when this refresh began; NULL: there was none.
 */
static prfdata_basis *make_next_basis(prfdata_installation_store *store, prfdata_basis *newest,
                                      bool is_hidden, prfdata_installation *installation)
{
    prfdata_basis *former = continued_basis(newest, installation);
    prfdata_basis *made = make_basis(store, installation);
    prfdata_region_set *set = NULL;

    if (!made)
        return NULL;
    limit_regions(&store->regions, installation->values.regions_mib);
    if (!is_hidden)
        set = prfdata_refresh_make(&store->regions, &installation->registered,
                                   former ? former->set : NULL);
    if (set) {
        prfdata_regions_hold(&store->regions, set);
        made->set = set;
    } else if (former && former->set) {
        prfdata_os_lock_enter(&store->regions.lock);
        share_set(former, made);
        prfdata_os_lock_leave(&store->regions.lock);
    }
    if (former && is_same_basis(former, made))
        made->number = former->number;
    return made;
}

/*
 * Gives a basis its number, and the plans of the newest basis if it has the same number. The caller
 * holds the lock.
 */
static void number_basis(prfdata_installation_store *store, prfdata_basis *made)
{
    const prfdata_basis *newest = newest_of(store);

    if (made->number == 0)
        made->number = prfdata_load64_relaxed(&store->carry.basis) + 1;
    else
        share_plans(newest, made);
    prfdata_store64_relaxed(&store->carry.basis, made->number);
}

/*
 * Replaces `former` by `made`. If `made` is NULL, there is no basis from now on. Collects get the
 * basis unless the key says that it is hidden. If another refresh has replaced `former` meanwhile,
 * nothing changes. Takes ownership of the reference to `made`.
 */
static void end_refresh(prfdata_installation_store *store, const prfdata_installation_key *key,
                        const prfdata_basis *former, prfdata_basis *made)
{
    prfdata_basis *dropped = made;

    prfdata_os_lock_enter(&store->regions.lock);
    if (is_newest_still(store, former)) {
        store->key = *key;
        dropped = newest_of(store);
        if (made)
            number_basis(store, made);
        store->basis = store->key.is_hidden ? NULL : made;
        store->hidden = store->key.is_hidden ? made : NULL;
    }
    prfdata_os_lock_leave(&store->regions.lock);
    prfdata_basis_release(store, dropped);
}

/* Reads the registry key, checks the folder, and replaces the newest basis. */
static void refresh_basis(prfdata_installation_store *store)
{
    prfdata_installation_key key;
    prfdata_installation *installation;
    prfdata_basis *former;
    prfdata_basis *made = NULL;

    prfdata_os_lock_enter(&store->regions.lock);
    key = store->key;
    former = retain_basis(newest_of(store));
    prfdata_os_lock_leave(&store->regions.lock);
    installation = prfdata_installation_check(store, &key, former ? former->installation : NULL);
    if (installation)
        made = make_next_basis(store, former, key.is_hidden, installation);
    if (made || !installation) /* otherwise memory is exhausted, and the next refresh tries again */
        end_refresh(store, &key, former, made);
    prfdata_basis_release(store, former);
}

prfdata_basis *prfdata_basis_renew(prfdata_installation_store *store)
{
    const uint64_t now = prfdata_due_now_ms();
    bool is_alone;

    if (prfdata_due_begin(&store->regions.due, store->regions.refresh_ms, now, &is_alone)) {
        refresh_basis(store);
        prfdata_due_end(&store->regions.due, now, is_alone);
    }
    return share_current(store);
}

uint32_t prfdata_basis_give(prfdata_installation_store *store, const void *maps, size_t maps_bytes,
                            uint32_t first_counter, uint32_t first_help)
{
    const prfdata_installed_values values = {
        .maps = (void *)(uintptr_t)maps, /* only read */
        .maps_bytes = maps_bytes,
        .first_counter = first_counter,
        .first_help = first_help,
    };
    prfdata_installation *installation;
    const uint32_t error = prfdata_installation_make(store, NULL, &values, &installation);

    if (error)
        return error;
    installation->values.first_counter = first_counter; /* the other values are not used */
    store->is_given = true;
    store->basis = make_basis(store, installation);
    if (!store->basis)
        return ERROR_NOT_ENOUGH_MEMORY;
    number_basis(store, store->basis);
    return ERROR_SUCCESS;
}

/* ---- Learning ---- */

/* Makes a basis with an installation and these plans. Returns NULL if memory is exhausted. */
static prfdata_basis *make_successor(prfdata_installation_store *store,
                                     prfdata_installation *installation, prfdata_plan **plans)
{
    const uint32_t object_count = installation->model->object_count;
    prfdata_basis *made;

    prfdata_installation_retain(store, installation);
    made = make_basis(store, installation);
    for (uint32_t i = 0; i < object_count; i++) {
        if (made)
            made->plans[i] = plans[i];
        else if (plans[i])
            prfdata_plan_free(plans[i]);
    }
    return made;
}

void prfdata_basis_learn(prfdata_installation_store *store, prfdata_basis *basis,
                         prfdata_plan **plans)
{
    prfdata_basis *made = make_successor(store, basis->installation, plans);
    prfdata_basis *dropped = made;

    if (!made)
        return;
    prfdata_os_lock_enter(&store->regions.lock);
    if (store->basis && store->basis->number == basis->number) {
        dropped = store->basis;
        made->number = basis->number;
        share_set(dropped, made);
        share_plans(dropped, made);
        store->basis = made;
    }
    prfdata_os_lock_leave(&store->regions.lock);
    prfdata_basis_release(store, dropped);
}
