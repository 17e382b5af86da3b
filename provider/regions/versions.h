/* SPDX-License-Identifier: MIT */
/*
 * Declares the versions of a service's map that this reader has encountered, decoded. A version is
 * kept at least while it is registered, or while attached regions or carried counts refer to it.
 */
#ifndef PRFDATA_VERSIONS_H
#define PRFDATA_VERSIONS_H

#include "map/maps.h"

typedef struct prfdata_known_version {
    prfdata_model *model;
    uint64_t mapped; /* atomic: how many mappings of its regions exist */
    void *bytes;     /* the encoded map */
    size_t size;
    /*
     * the numbers of the map's titles, as the value `Maps` encodes them. NULL: the map was an
     * earlier one in the value, and earlier maps have no numbers there.
     */
    void *numbers;
    size_t numbers_size;
} prfdata_known_version;

/* A list of all kept versions, or of the registered ones with the current one first. */
typedef struct prfdata_versions {
    uint32_t count;
    size_t capacity;
    prfdata_known_version **items;
} prfdata_versions;

/*
 * Decodes the maps of a value `Maps`. Earlier maps that cannot be decoded, or belong to another
 * service, are left out, and their regions are not shown.
 *
 * versions    Owns all versions that are kept.
 * service     The service that the maps must belong to, ignoring case.
 * registered  On success gets the maps of the value, in a list of which the caller frees only
 *             `items`. Unchanged on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_NAME (the current map belongs to another service),
 *         ERROR_NOT_ENOUGH_MEMORY, or what prfdata_maps_parse() and prfdata_maps_decode_current()
 *         return.
 * Threads: one at a time.
 */
uint32_t prfdata_versions_meet(prfdata_versions *versions, const char *service, const void *bytes,
                               size_t size, prfdata_versions *registered);

void prfdata_versions_forget(prfdata_versions *versions,
                             bool (*is_needed)(void *context, const prfdata_known_version *version),
                             void *context);

bool prfdata_versions_has(const prfdata_versions *versions, const prfdata_known_version *version);

void prfdata_versions_done(prfdata_versions *versions);

/* The version with this hash, or NULL. */
prfdata_known_version *prfdata_versions_find(const prfdata_versions *registered, uint64_t hash);

#endif
