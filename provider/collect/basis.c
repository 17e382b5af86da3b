/* SPDX-License-Identifier: MIT */
/*
 * Keeps the current basis and replaces it. A refresh reads the registry key, checks the folder, and
 * makes a basis from both. When plans have been made, the current basis is replaced by one that has
 * them.
 */
#include "collect/basis.h"

#include <stdlib.h>

/* ---- Making ---- */

static uint32_t object_count_of(const prfdata_installation *installation)
{
    return installation->model->object_count;
}

/* Takes ownership of the references to the installation and the set. On failure, releases them. */
static prfdata_basis *make_basis(prfdata_installation_store *store,
                                 prfdata_installation *installation, prfdata_region_set *set)
{
    const uint32_t count = object_count_of(installation);
    prfdata_basis *made = calloc(1, sizeof *made + count * sizeof(prfdata_plan *));

    if (!made) {
        prfdata_regions_release(installation->regions, set);
        prfdata_installation_release(store, installation);
        return NULL;
    }
    made->references = 1;
    made->installation = installation;
    made->set = set;
    made->plans = (void *)(made + 1);
    return made;
}

/*
 * Moves the plans that must be freed with a basis to the front. Returns how many. The caller holds
 * the lock.
 */
static uint32_t drop_plans(prfdata_basis *basis)
{
    uint32_t unused = 0;

    for (uint32_t i = 0; i < object_count_of(basis->installation); i++)
        if (basis->plans[i] && prfdata_plan_drop(basis->plans[i]))
            basis->plans[unused++] = basis->plans[i];
    return unused;
}

void prfdata_basis_free(prfdata_installation_store *store, prfdata_basis *basis)
{
    uint32_t unused;

    prfdata_os_lock_enter(&store->lock);
    unused = drop_plans(basis);
    prfdata_os_lock_leave(&store->lock);
    while (unused > 0)
        prfdata_plan_free(basis->plans[--unused]);
    prfdata_regions_release(basis->installation->regions, basis->set);
    prfdata_installation_release(store, basis->installation);
    free(basis);
}

/* ---- Replacing ---- */

/* Whether `basis` was made from a more recent refresh than the current one. */
static bool is_later_basis(const prfdata_basis *basis, const prfdata_basis *current)
{
    const uint64_t number = basis->installation->number;
    const uint64_t current_number = current->installation->number;

    if (number != current_number)
        return number > current_number;
    if (!basis->set || !current->set)
        return basis->set != NULL;
    return basis->set->generation > current->set->generation;
}

/* Makes `basis` the current one and returns the former one. The caller holds the lock. */
static prfdata_basis *exchange_current(prfdata_installation_store *store, prfdata_basis *basis)
{
    prfdata_basis *former = store->basis;

    store->basis = basis;
    if (basis)
        basis->references++;
    return former;
}

/* Makes a basis the current one, unless the current one is later. */
static void publish_basis(prfdata_installation_store *store, prfdata_basis *basis)
{
    prfdata_basis *former = NULL;

    prfdata_os_lock_enter(&store->lock);
    if (!store->basis || is_later_basis(basis, store->basis))
        former = exchange_current(store, basis);
    prfdata_os_lock_leave(&store->lock);
    prfdata_basis_release(store, former);
}

void prfdata_basis_withdraw(prfdata_installation_store *store)
{
    prfdata_basis *former;

    prfdata_os_lock_enter(&store->lock);
    former = exchange_current(store, NULL);
    prfdata_os_lock_leave(&store->lock);
    prfdata_basis_release(store, former);
}

/* ---- Refreshing ---- */

/* Whether the current basis still matches what the refresh found. */
static bool is_current(prfdata_installation_store *store, const prfdata_installation *installation,
                       const prfdata_region_set *set)
{
    const prfdata_basis *basis;
    bool is_same;

    prfdata_os_lock_enter(&store->lock);
    basis = store->basis;
    is_same = basis && basis->installation == installation && basis->set && set &&
              basis->set->generation == set->generation;
    prfdata_os_lock_leave(&store->lock);
    return is_same;
}

/*
 * Reads the registry key, checks the folder, and replaces the current basis if either has changed.
 */
static void refresh_basis(prfdata_installation_store *store)
{
    prfdata_installation *installation = prfdata_installation_refresh(store);
    prfdata_region_set *set;
    prfdata_basis *basis;

    if (!installation) {
        prfdata_basis_withdraw(store);
        return;
    }
    set = prfdata_regions_refresh(installation->regions, &installation->registered);
    if (is_current(store, installation, set)) {
        prfdata_regions_release(installation->regions, set);
        prfdata_installation_release(store, installation);
        return;
    }
    basis = make_basis(store, installation, set);
    if (basis)
        publish_basis(store, basis);
    prfdata_basis_release(store, basis);
}

static prfdata_basis *share_current(prfdata_installation_store *store)
{
    prfdata_basis *current;

    prfdata_os_lock_enter(&store->lock);
    current = store->basis;
    if (current)
        current->references++;
    prfdata_os_lock_leave(&store->lock);
    return current;
}

prfdata_basis *prfdata_basis_renew(prfdata_installation_store *store)
{
    const uint64_t now = prfdata_due_now_ms();
    bool is_alone;

    if (prfdata_due_begin(&store->due, store->refresh_ms, now, &is_alone)) {
        refresh_basis(store);
        prfdata_due_end(&store->due, now, is_alone);
    }
    return share_current(store);
}

/* ---- Learning ---- */

/* Shares the former basis's plan of each object that has no new plan. The caller holds the lock. */
static void share_plans(const prfdata_basis *former, prfdata_basis *made)
{
    for (uint32_t i = 0; i < object_count_of(made->installation); i++) {
        if (made->plans[i] || !former->plans[i])
            continue;
        made->plans[i] = former->plans[i];
        prfdata_plan_retain(made->plans[i]);
    }
}

/*
 * Makes a basis with the same installation and set, and these plans. Returns NULL if memory is
 * exhausted.
 */
static prfdata_basis *make_successor(prfdata_installation_store *store, const prfdata_basis *basis,
                                     prfdata_plan **plans)
{
    prfdata_installation *installation = basis->installation;
    prfdata_basis *made;

    prfdata_installation_retain(store, installation);
    prfdata_regions_retain(installation->regions, basis->set);
    made = make_basis(store, installation, basis->set);
    for (uint32_t i = 0; i < object_count_of(basis->installation); i++) {
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
    prfdata_basis *made = make_successor(store, basis, plans);
    prfdata_basis *former = NULL;

    if (!made)
        return;
    prfdata_os_lock_enter(&store->lock);
    if (store->basis == basis) {
        share_plans(basis, made);
        former = exchange_current(store, made);
    }
    prfdata_os_lock_leave(&store->lock);
    prfdata_basis_release(store, former);
    prfdata_basis_release(store, made);
}
