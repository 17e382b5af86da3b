/* SPDX-License-Identifier: MIT */
/*
 * Installations: made of the values, and kept for those that use them. Which one is shown is
 * installation_store.c's.
 */
#include "collect/installation.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making ---- */

/* NULL: no memory. */
static prfdata_regions *make_regions(prfdata_installation_store *store)
{
    prfdata_regions *made = malloc(sizeof *made);

    if (!made)
        return NULL;
    prfdata_regions_init(made, store->service, &store->due, &store->lock);
    made->references = 1;
    made->refresh_ms = store->refresh_ms;
    made->events = store->events;
    made->health = store->health;
    return made;
}

/* Drop an installation's reference. */
static void release_regions(prfdata_installation_store *store, prfdata_regions *regions)
{
    bool is_last;

    if (!regions)
        return;
    prfdata_os_lock_enter(&store->lock);
    is_last = --regions->references == 0;
    prfdata_os_lock_leave(&store->lock);
    if (!is_last)
        return;
    prfdata_regions_done(regions);
    free(regions);
}

/*
 * The regions of the former installation if it was in this folder: then values go on where they
 * were. Else NULL.
 */
static prfdata_regions *share_former_regions(prfdata_installation_store *store,
                                             const prfdata_installed_values *values)
{
    prfdata_installation *former = store->installation;

    if (!former || former->values.resets != values->resets ||
        !prfdata_installed_values_same_folder(&former->values, values))
        return NULL;
    prfdata_os_lock_enter(&store->lock);
    former->regions->references++;
    prfdata_os_lock_leave(&store->lock);
    return former->regions;
}

static void unload_installation(prfdata_installation_store *store,
                                prfdata_installation *installation)
{
    release_regions(store, installation->regions);
    for (uint32_t i = 0; installation->projections && i < installation->version_count; i++)
        prfdata_projection_free(installation->projections[i]);
    free(installation->projections);
    free(installation->templates);
    free(installation->registered.items);
    prfdata_installed_values_free(&installation->values);
    free(installation);
}

/* For regions of each version that is known, also of those that are registered no more. */
static uint32_t make_projections(const prfdata_versions *versions,
                                 prfdata_installation *installation)
{
    const prfdata_model *shown = installation->model;

    installation->projections = calloc(versions->count, sizeof *installation->projections);
    if (!installation->projections)
        return ERROR_NOT_ENOUGH_MEMORY;
    installation->version_count = versions->count;
    for (uint32_t i = 0; i < versions->count; i++) {
        const prfdata_model *other = versions->items[i]->model;

        if (other->hash == shown->hash)
            continue;
        installation->projections[i] = prfdata_projection_make(other, shown);
        if (!installation->projections[i])
            return ERROR_NOT_ENOUGH_MEMORY;
    }
    return ERROR_SUCCESS;
}

bool prfdata_installation_shape_of(const prfdata_installation *installation,
                                   const prfdata_mapping *mapping,
                                   const prfdata_projection **projection)
{
    if (mapping->version->number >= installation->version_count)
        return false;
    *projection = installation->projections[mapping->version->number];
    return true;
}

/* Returns what is wrong with the values: see prfdata_installation_set(). */
static uint32_t fill_installation(prfdata_installation_store *store,
                                  const prfdata_installed_values *values,
                                  prfdata_installation *installation)
{
    uint32_t error = prfdata_versions_meet(&store->versions, store->service, values->maps,
                                           values->maps_bytes, &installation->registered);

    if (error)
        return error;
    installation->model = installation->registered.items[0]->model;
    installation->number = ++store->made_count;
    if (!prfdata_model_titles_fit(installation->model, values->first_counter, values->first_help))
        return ERROR_INVALID_PARAMETER;
    installation->templates =
        prfdata_template_make(installation->model, values->first_counter, values->first_help);
    if (!installation->templates)
        return ERROR_NOT_ENOUGH_MEMORY;
    error = make_projections(&store->versions, installation);
    if (error)
        return error;
    installation->regions = share_former_regions(store, values);
    if (!installation->regions)
        installation->regions = make_regions(store);
    return installation->regions ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

uint32_t prfdata_installation_make(prfdata_installation_store *store,
                                   const prfdata_installed_values *values,
                                   prfdata_installation **installation)
{
    prfdata_installation *made = calloc(1, sizeof *made);
    uint32_t error;

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    made->references = 1;
    error = fill_installation(store, values, made);
    if (error)
        unload_installation(store, made);
    else
        *installation = made;
    return error;
}

/* ---- Using ---- */

void prfdata_installation_retain(prfdata_installation_store *store,
                                 prfdata_installation *installation)
{
    prfdata_os_lock_enter(&store->lock);
    installation->references++;
    prfdata_os_lock_leave(&store->lock);
}

void prfdata_installation_release(prfdata_installation_store *store,
                                  prfdata_installation *installation)
{
    bool is_last;

    if (!installation)
        return;
    prfdata_os_lock_enter(&store->lock);
    is_last = --installation->references == 0;
    prfdata_os_lock_leave(&store->lock);
    if (is_last)
        unload_installation(store, installation);
}
