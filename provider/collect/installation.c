/* SPDX-License-Identifier: MIT */
/*
 * Creates installations from the installed values, and frees them when their last reference is
 * released. installation_check.c decides when a new one is needed.
 */
#include "collect/installation.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "collect/provider_state.h"

bool prfdata_installation_same_folder(const prfdata_installation *a, const prfdata_installation *b)
{
    return prfdata_bytes_same(a->folder, a->folder_bytes, b->folder, b->folder_bytes);
}

static bool continues_former(const prfdata_installation *former,
                             const prfdata_installation *installation)
{
    return former && former->resets == installation->resets &&
           prfdata_installation_same_folder(former, installation);
}

static void unload_installation(prfdata_provider *provider, prfdata_installation *installation)
{
    prfdata_os_lock_enter(&provider->regions.lock);
    provider->installation_count--;
    prfdata_os_lock_leave(&provider->regions.lock);
    for (uint32_t i = 0; i < installation->projection_count; i++)
        prfdata_projection_free(installation->projections[i]);
    free(installation->projections);
    free(installation->templates);
    free(installation->registered.items);
    free(installation->maps);
    free(installation->folder);
    free(installation);
}

/*
 * Makes a projection from every other version of the map in `versions`, registered or not, to the
 * current version.
 */
static uint32_t make_projections(const prfdata_versions *versions,
                                 prfdata_installation *installation)
{
    const prfdata_model *shown = installation->model;

    installation->projections = calloc(versions->count, sizeof *installation->projections);
    if (!installation->projections)
        return ERROR_NOT_ENOUGH_MEMORY;
    for (uint32_t i = 0; i < versions->count; i++) {
        const prfdata_model *other = versions->items[i]->model;
        prfdata_projection *made;

        if (other->hash == shown->hash)
            continue;
        made = prfdata_projection_make(other, shown);
        if (!made)
            return ERROR_NOT_ENOUGH_MEMORY;
        made->number = installation->first_basis;
        installation->projections[installation->projection_count++] = made;
    }
    return ERROR_SUCCESS;
}

bool prfdata_installation_shape_of(const prfdata_installation *installation,
                                   const prfdata_mapping *mapping,
                                   const prfdata_projection **projection)
{
    const prfdata_model *model = mapping->version->model;

    *projection = NULL;
    for (uint32_t i = 0; i < installation->projection_count && !*projection; i++)
        if (installation->projections[i]->from == model &&
            installation->projections[i]->from_hash == model->hash)
            *projection = installation->projections[i];
    return *projection || model->hash == installation->model->hash;
}

/* The possible users of a version of the map. The version itself counts its mappings. */
struct users {
    prfdata_carry *carry;
    const prfdata_installation *former; /* NULL: there is none */
    const prfdata_installation *made;
};

static bool is_version_needed(void *context, const prfdata_known_version *version)
{
    const struct users *users = context;

    return prfdata_versions_has(&users->made->registered, version) ||
           prfdata_load64_relaxed((uint64_t *)(uintptr_t)&version->mapped) > 0 ||
           (users->former && prfdata_versions_has(&users->former->registered, version)) ||
           prfdata_carry_has_model(users->carry, version->model);
}

/*
 * Forgets the versions that are no longer needed. Does nothing while an installation other than
 * `former` and `made` exists, because it may need other versions.
 */
static void forget_versions(prfdata_provider *provider, const prfdata_installation *former,
                            const prfdata_installation *made)
{
    struct users users = {&provider->carry, former, made};
    bool is_last;

    prfdata_os_lock_enter(&provider->regions.lock);
    is_last = provider->installation_count == (former ? 2u : 1u);
    prfdata_os_lock_leave(&provider->regions.lock);
    if (is_last)
        prfdata_versions_forget(&provider->versions, is_version_needed, &users);
}

prfdata_installation *prfdata_installation_make(prfdata_provider *provider)
{
    prfdata_installation *made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    made->references = 1;
    prfdata_os_lock_enter(&provider->regions.lock);
    provider->installation_count++;
    prfdata_os_lock_leave(&provider->regions.lock);
    return made;
}

/* The caller holds the lock `making`. */
static uint32_t complete_installation(prfdata_provider *provider,
                                      const prfdata_installation *former,
                                      prfdata_installation *installation)
{
    uint32_t error =
        prfdata_versions_meet(&provider->versions, provider->service, installation->maps,
                              installation->maps_bytes, &installation->registered);

    if (error)
        return error;
    installation->model = installation->registered.items[0]->model;
    installation->first_basis = prfdata_load64_relaxed(&provider->carry.newest_basis) + 1;
    installation->lineage =
        continues_former(former, installation) ? former->lineage : installation->first_basis;
    if (!prfdata_model_titles_fit(installation->model, installation->first_counter,
                                  installation->first_help))
        return ERROR_INVALID_PARAMETER;
    forget_versions(provider, former, installation);
    installation->templates = prfdata_template_make(
        installation->model, installation->first_counter, installation->first_help);
    if (!installation->templates)
        return ERROR_NOT_ENOUGH_MEMORY;
    return make_projections(&provider->versions, installation);
}

uint32_t prfdata_installation_complete(prfdata_provider *provider,
                                       const prfdata_installation *former,
                                       prfdata_installation *installation)
{
    uint32_t error;

    prfdata_os_lock_enter(&provider->making);
    error = complete_installation(provider, former, installation);
    prfdata_os_lock_leave(&provider->making);
    return error;
}

void prfdata_installation_retain(prfdata_provider *provider, prfdata_installation *installation)
{
    prfdata_os_lock_enter(&provider->regions.lock);
    installation->references++;
    prfdata_os_lock_leave(&provider->regions.lock);
}

void prfdata_installation_release(prfdata_provider *provider, prfdata_installation *installation)
{
    bool is_last;

    if (!installation)
        return;
    prfdata_os_lock_enter(&provider->regions.lock);
    is_last = --installation->references == 0;
    prfdata_os_lock_leave(&provider->regions.lock);
    if (is_last)
        unload_installation(provider, installation);
}
