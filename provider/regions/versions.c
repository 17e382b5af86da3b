/* SPDX-License-Identifier: MIT */
/*
 * Decodes the value `Maps`, which collect/installation.c supplies, and keeps the decoded versions.
 */
#include "regions/versions.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "names/ascii.h"

/*
 * Finds the version that has the bytes of `entry`, or returns NULL. If `entry` is the current map,
 * `numbers` are the numbers of its titles, which must be those of the version. If `entry` is an
 * earlier map, `numbers` is NULL, and a version with any numbers matches.
 */
static prfdata_known_version *find_same_version(const prfdata_versions *versions,
                                                const prfdata_maps_entry *entry,
                                                const prfdata_bytes *numbers)
{
    for (uint32_t i = 0; i < versions->count; i++) {
        prfdata_known_version *version = versions->items[i];

        if (prfdata_bytes_same(version->bytes, version->size, entry->bytes, entry->size) &&
            (!numbers || prfdata_bytes_same(version->numbers, version->numbers_size, numbers->at,
                                            numbers->size)))
            return version;
    }
    return NULL;
}

static void free_version(prfdata_known_version *version)
{
    prfdata_model_free(version->model);
    free(version->bytes);
    free(version->numbers);
    free(version);
}

static void *copy_version_bytes(const void *bytes, size_t size)
{
    void *copy = malloc(size);

    if (copy)
        memcpy(copy, bytes, size);
    return copy;
}

/* Only the current map, at position 0, has numbers. */
static uint32_t decode_version(const char *service, const prfdata_maps *maps, uint32_t position,
                               prfdata_known_version *version)
{
    const prfdata_maps_entry *entry = &maps->entries[position];
    const uint32_t error =
        position == 0 ? prfdata_maps_decode_current(maps, prfdata_model_read, &version->model)
                      : prfdata_model_read(entry->bytes, entry->size, &version->model);

    if (error)
        return error;
    if (!prfdata_ascii_equal(version->model->map->service, service))
        return ERROR_INVALID_NAME;
    version->size = entry->size;
    version->bytes = copy_version_bytes(entry->bytes, entry->size);
    if (position == 0) {
        version->numbers_size = maps->numbers.size;
        version->numbers = copy_version_bytes(maps->numbers.at, maps->numbers.size);
    }
    return version->bytes && (position > 0 || version->numbers) ? ERROR_SUCCESS
                                                                : ERROR_NOT_ENOUGH_MEMORY;
}

/* Returns false if memory is exhausted. */
static bool append_version(prfdata_versions *list, prfdata_known_version *version)
{
    prfdata_known_version **items =
        prfdata_array_reserve(list->items, &list->capacity, list->count + 1u, sizeof(void *));

    if (!items)
        return false;
    list->items = items;
    items[list->count++] = version;
    return true;
}

static uint32_t add_version(prfdata_versions *versions, const char *service,
                            const prfdata_maps *maps, uint32_t position,
                            prfdata_known_version **added)
{
    prfdata_known_version *version = calloc(1, sizeof *version);
    uint32_t error;

    if (!version)
        return ERROR_NOT_ENOUGH_MEMORY;
    error = decode_version(service, maps, position, version);
    if (!error && !append_version(versions, version))
        error = ERROR_NOT_ENOUGH_MEMORY;
    if (error)
        free_version(version);
    else
        *added = version;
    return error;
}

static uint32_t meet_map(prfdata_versions *versions, const char *service, const prfdata_maps *maps,
                         uint32_t position, prfdata_versions *met)
{
    prfdata_known_version *version = find_same_version(versions, &maps->entries[position],
                                                       position == 0 ? &maps->numbers : NULL);
    const uint32_t error =
        version ? ERROR_SUCCESS : add_version(versions, service, maps, position, &version);

    if (error)
        return error;
    return append_version(met, version) ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

uint32_t prfdata_versions_meet(prfdata_versions *versions, const char *service, const void *bytes,
                               size_t size, prfdata_versions *registered)
{
    prfdata_versions met = {0};
    prfdata_maps maps;
    uint32_t error = prfdata_maps_parse(bytes, size, &maps);

    if (error)
        return error;
    for (uint32_t i = 0; i < maps.count; i++) {
        error = meet_map(versions, service, &maps, i, &met);
        if (error && (i == 0 || error == ERROR_NOT_ENOUGH_MEMORY)) {
            free(met.items);
            return error;
        }
    }
    *registered = met;
    return ERROR_SUCCESS;
}

void prfdata_versions_forget(prfdata_versions *versions,
                             bool (*is_needed)(void *context, const prfdata_known_version *version),
                             void *context)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < versions->count; i++) {
        if (is_needed(context, versions->items[i]))
            versions->items[kept++] = versions->items[i];
        else
            free_version(versions->items[i]);
    }
    versions->count = kept;
}

bool prfdata_versions_has(const prfdata_versions *versions, const prfdata_known_version *version)
{
    for (uint32_t i = 0; i < versions->count; i++)
        if (versions->items[i] == version)
            return true;
    return false;
}

void prfdata_versions_done(prfdata_versions *versions)
{
    for (uint32_t i = 0; i < versions->count; i++)
        free_version(versions->items[i]);
    free(versions->items);
    memset(versions, 0, sizeof *versions);
}

prfdata_known_version *prfdata_versions_find(const prfdata_versions *registered, uint64_t hash)
{
    for (uint32_t i = 0; i < registered->count; i++)
        if (registered->items[i]->model->hash == hash)
            return registered->items[i];
    return NULL;
}
