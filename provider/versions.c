/* SPDX-License-Identifier: MIT */
/* Decoding the value `Maps` and keeping what was decoded. Knows neither regions nor the registry.
 */
#include "provider/versions.h"

#include <stdlib.h>
#include <string.h>

#include "core/array.h"

/* Key names are compared ignoring case; a service name is ASCII. */
static bool same_service(const char *a, const char *b)
{
    while (*a && *b && (*a | 0x20) == (*b | 0x20)) {
        a++;
        b++;
    }
    return *a == *b;
}

static prfdata_version *find_same_bytes(const prfdata_versions *versions,
                                        const prfdata_maps_entry *entry)
{
    for (uint32_t i = 0; i < versions->count; i++)
        if (versions->items[i]->size == entry->size &&
            memcmp(versions->items[i]->bytes, entry->bytes, entry->size) == 0)
            return versions->items[i];
    return NULL;
}

static void free_version(prfdata_version *version)
{
    prfdata_model_free(version->model);
    free(version->bytes);
    free(version);
}

static uint32_t decode_version(const char *service, const prfdata_maps_entry *entry,
                               prfdata_version *version)
{
    uint32_t error = prfdata_model_from_bytes(entry->bytes, entry->size, &version->model);

    if (error)
        return error;
    if (!same_service(version->model->map->service, service))
        return ERROR_INVALID_NAME;
    version->size = entry->size;
    version->bytes = malloc(entry->size);
    if (!version->bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    memcpy(version->bytes, entry->bytes, entry->size);
    return ERROR_SUCCESS;
}

static uint32_t add_version(prfdata_versions *versions, const char *service,
                            const prfdata_maps_entry *entry, const prfdata_version **added)
{
    prfdata_version **items = prfdata_array_reserve(versions->items, &versions->capacity,
                                                    versions->count + 1u, sizeof(void *));
    prfdata_version *version;
    uint32_t error;

    if (!items)
        return ERROR_NOT_ENOUGH_MEMORY;
    versions->items = items;
    version = calloc(1, sizeof *version);
    if (!version)
        return ERROR_NOT_ENOUGH_MEMORY;
    error = decode_version(service, entry, version);
    if (error) {
        free_version(version);
        return error;
    }
    version->number = versions->count;
    items[versions->count++] = version;
    *added = version;
    return ERROR_SUCCESS;
}

static uint32_t meet_map(prfdata_versions *versions, const char *service,
                         const prfdata_maps_entry *entry, const prfdata_version **version)
{
    *version = find_same_bytes(versions, entry);
    return *version ? ERROR_SUCCESS : add_version(versions, service, entry, version);
}

uint32_t prfdata_versions_meet(prfdata_versions *versions, const char *service, const void *bytes,
                               size_t size, prfdata_registered_versions *registered)
{
    prfdata_registered_versions met = {0};
    prfdata_maps maps;
    uint32_t error = prfdata_maps_parse(bytes, size, &maps);

    if (error)
        return error;
    for (uint32_t i = 0; i < maps.count; i++) {
        error = meet_map(versions, service, &maps.entries[i], &met.items[met.count]);
        if (!error)
            met.count++;
        else if (i == 0 || error == ERROR_NOT_ENOUGH_MEMORY)
            return error;
    }
    *registered = met;
    return ERROR_SUCCESS;
}

void prfdata_versions_done(prfdata_versions *versions)
{
    for (uint32_t i = 0; i < versions->count; i++)
        free_version(versions->items[i]);
    free(versions->items);
    memset(versions, 0, sizeof *versions);
}

const prfdata_version *prfdata_versions_find(const prfdata_registered_versions *registered,
                                             uint64_t hash)
{
    for (uint32_t i = 0; i < registered->count; i++)
        if (registered->items[i]->model->hash == hash)
            return registered->items[i];
    return NULL;
}
