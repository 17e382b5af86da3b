/* SPDX-License-Identifier: MIT */
/*
 * Keeps the current basis and replaces it. A refresh reads the registry key, checks the folder, and
 * makes a basis from both. When plans have been made, a basis that has them replaces the current
 * one. All bases that are made between two refreshes share one set of regions.
 */
#include "collect/basis.h"

#include <stdlib.h>

#include "regions/folder_check.h"

static prfdata_basis *make_basis(void)
{
    prfdata_basis *made = calloc(1, sizeof *made);

    if (made)
        made->references = 1;
    return made;
}

/* The caller holds the lock. */
static void share_set(prfdata_basis *earlier, prfdata_basis *basis)
{
    if (!earlier->set)
        return;
    basis->set = earlier->set;
    basis->set_owner = earlier->set_owner ? earlier->set_owner : earlier;
    basis->set_owner->references++;
}

/*
 * Gives `basis` each plan of `earlier` that `basis` lacks. Both bases have the same number. The
 * caller holds the lock.
 */
static void share_plans(const prfdata_basis *earlier, prfdata_basis *basis)
{
    for (uint32_t i = 0; i < basis->installation->model->object_count; i++) {
        if (basis->plans[i] || !earlier->plans[i])
            continue;
        basis->plans[i] = earlier->plans[i];
        prfdata_plan_retain(basis->plans[i]);
    }
}

/*
 * Releases the references of a basis to its plans. Moves plans without other references to the
 * front of `plans`, and returns their number. The caller holds the lock, and frees these plans
 * after leaving the lock.
 */
static uint32_t drop_plans(prfdata_basis *basis)
{
    uint32_t unused = 0;

    for (uint32_t i = 0; i < basis->installation->model->object_count; i++)
        if (basis->plans[i] && prfdata_plan_drop(basis->plans[i]))
            basis->plans[unused++] = basis->plans[i];
    return unused;
}

void prfdata_basis_free(prfdata_provider *provider, prfdata_basis *basis)
{
    uint32_t unused;

    prfdata_os_lock_enter(&provider->regions.lock);
    unused = drop_plans(basis);
    prfdata_os_lock_leave(&provider->regions.lock);
    while (unused > 0)
        prfdata_plan_free(basis->plans[--unused]);
    if (!basis->set_owner)
        prfdata_regions_release(&provider->regions, basis->set);
    prfdata_basis_release(provider, basis->set_owner);
    prfdata_installation_release(provider, basis->installation);
    free(basis);
}

/* Returns a reference to the newest basis, even if it is hidden. NULL: there is none. */
static prfdata_basis *share_newest(prfdata_provider *provider)
{
    prfdata_basis *newest;

    prfdata_os_lock_enter(&provider->regions.lock);
    newest = provider->basis;
    if (newest)
        newest->references++;
    prfdata_os_lock_leave(&provider->regions.lock);
    return newest;
}

bool prfdata_basis_follow(prfdata_provider *provider, prfdata_basis **basis)
{
    prfdata_basis *newest = share_newest(provider);

    if (newest && newest->installation == (*basis)->installation) {
        prfdata_basis_release(provider, *basis);
        *basis = newest;
        return true;
    }
    prfdata_basis_release(provider, newest);
    return false;
}

/*
 * Whether the newest basis still has the installation and the set of `former`.
 * prfdata_basis_add_plans() changes neither. Another refresh makes a new set if it can. A hidden
 * basis has no set of its own, so a hidden newest basis must be `former` itself. If `former` is
 * NULL, there must be no newest basis. The caller holds the lock and a reference to `former`.
 */
static bool is_newest_still(const prfdata_provider *provider, const prfdata_basis *former)
{
    const prfdata_basis *newest = provider->basis;

    if (!newest || !former || newest->hidden_ms != 0)
        return newest == former;
    return newest->installation == former->installation && newest->set == former->set;
}

/* Whether a Collect sees no difference between two bases. */
static bool is_same_basis(const prfdata_basis *a, const prfdata_basis *b)
{
    return a->installation == b->installation &&
           (a->set == b->set || (a->set && b->set && prfdata_regions_same(a->set, b->set)));
}

/*
 * Sets the limit for all regions to the value `Regions MiB`, but not below the default limit or
 * above the highest one. `mib`: 0 if the value does not exist.
 */
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
 * Gives `made` a new set of regions, or the set of `former` if the installation is hidden or no set
 * can be made. If a Collect sees no difference between `made` and `former`, also gives `made` the
 * number of `former`.
 *
 * former  The newest basis when this refresh began; NULL: there was none. Ignored if its
 *         installation has another lineage.
 */
static void find_regions(prfdata_provider *provider, prfdata_basis *former, prfdata_basis *made)
{
    const prfdata_installation *installation = made->installation;

    if (former && former->installation->lineage != installation->lineage)
        former = NULL;
    limit_regions(&provider->regions, installation->regions_mib);
    if (made->hidden_ms == 0) {
        prfdata_health_want(&provider->health, installation->registered.items[0]->model);
        made->set = prfdata_folder_check(&provider->regions, &installation->registered,
                                         former ? former->set : NULL);
    }
    if (made->set) {
        prfdata_regions_hold(&provider->regions, made->set);
    } else if (former) {
        prfdata_os_lock_enter(&provider->regions.lock);
        share_set(former, made);
        prfdata_os_lock_leave(&provider->regions.lock);
    }
    if (former && is_same_basis(former, made))
        made->number = former->number;
}

/*
 * Gives a number to a basis that has none. If the basis already has the number of the newest basis,
 * gives it the plans of the newest basis. The caller holds the lock.
 */
static void number_basis(prfdata_provider *provider, prfdata_basis *made)
{
    if (made->number == 0)
        made->number = prfdata_load64_relaxed(&provider->carry.newest_basis) + 1;
    else
        share_plans(provider->basis, made);
    prfdata_store64_relaxed(&provider->carry.newest_basis, made->number);
}

/*
 * Replaces `former` by `made`. If `made` is NULL, there is no basis from now on. If another refresh
 * has replaced `former` meanwhile, nothing changes. Takes ownership of the reference to `made`.
 */
static void end_refresh(prfdata_provider *provider, const prfdata_basis *former,
                        prfdata_basis *made)
{
    prfdata_basis *dropped = made;

    prfdata_os_lock_enter(&provider->regions.lock);
    if (is_newest_still(provider, former)) {
        dropped = provider->basis;
        if (made)
            number_basis(provider, made);
        provider->basis = made;
    }
    prfdata_os_lock_leave(&provider->regions.lock);
    prfdata_basis_release(provider, dropped);
}

/* If there is no memory for a basis, the former one stays until the next refresh. */
static void refresh_basis(prfdata_provider *provider)
{
    prfdata_basis *former = share_newest(provider);
    prfdata_basis *made = make_basis();

    if (made) {
        prfdata_installation_check(provider, former, made);
        if (made->installation) {
            find_regions(provider, former, made);
        } else {
            free(made);
            made = NULL;
        }
        end_refresh(provider, former, made);
    }
    prfdata_basis_release(provider, former);
}

void prfdata_basis_renew(prfdata_provider *provider)
{
    const uint64_t now = prfdata_refresh_now_ms();
    bool is_alone;

    if (prfdata_refresh_begin(&provider->regions, now, &is_alone)) {
        refresh_basis(provider);
        prfdata_refresh_end(&provider->regions, now, is_alone);
    }
}

uint32_t prfdata_basis_give(prfdata_provider *provider, const void *maps, size_t maps_bytes,
                            uint32_t first_counter, uint32_t first_help)
{
    prfdata_basis *made = make_basis();
    prfdata_installation *installation = made ? prfdata_installation_make(provider) : NULL;
    uint32_t error;

    if (!installation) {
        free(made);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    /* the cast is safe, because the bytes are only read, and the pointer is cleared below */
    installation->maps = (void *)(uintptr_t)maps;
    installation->maps_bytes = maps_bytes;
    installation->first_counter = first_counter;
    installation->first_help = first_help;
    error = prfdata_installation_complete(provider, NULL, installation);
    installation->maps = NULL;
    if (error) {
        prfdata_installation_release(provider, installation);
        free(made);
        return error;
    }
    made->installation = installation;
    provider->is_given = true;
    number_basis(provider, made);
    provider->basis = made;
    return ERROR_SUCCESS;
}

prfdata_basis *prfdata_basis_make_successor(prfdata_provider *provider,
                                            const prfdata_basis *earlier)
{
    prfdata_basis *made = make_basis();

    if (made) {
        made->number = earlier->number;
        made->installation = earlier->installation;
        prfdata_installation_retain(provider, made->installation);
    }
    return made;
}

void prfdata_basis_add_plans(prfdata_provider *provider, prfdata_basis *made)
{
    prfdata_basis *dropped = made;

    prfdata_os_lock_enter(&provider->regions.lock);
    if (provider->basis && provider->basis->hidden_ms == 0 &&
        provider->basis->number == made->number) {
        dropped = provider->basis;
        prfdata_basis_copy_key(dropped, made);
        share_set(dropped, made);
        share_plans(dropped, made);
        provider->basis = made;
    }
    prfdata_os_lock_leave(&provider->regions.lock);
    prfdata_basis_release(provider, dropped);
}
