/* SPDX-License-Identifier: MIT */
/*
 * The versions of a service's map that this reader has met, decoded. They are kept until it closes:
 * attached regions and what is carried refer to them, also when they are registered no more.
 */
#ifndef PRFDATA_VERSIONS_H
#define PRFDATA_VERSIONS_H

#include "map/maps.h"

typedef struct prfdata_version {
    uint32_t number; /* from 0, in the order of meeting */
    prfdata_model *model;
    void *bytes; /* encoded */
    size_t size;
    void *numbers; /* of its titles, as the value has them; NULL: it was met as an earlier map */
    size_t numbers_size;
} prfdata_version;

typedef struct prfdata_versions {
    uint32_t count;
    size_t capacity;
    prfdata_version **items; /* by number */
} prfdata_versions;

/* Those whose regions are attached: the current one first. Immutable. */
typedef struct prfdata_registered_versions {
    uint32_t count;
    const prfdata_version *items[PRFDATA_MAX_MAPS];
} prfdata_registered_versions;

/*
 * Meet the maps of a value `Maps`. Earlier ones that cannot be decoded are left out: their regions
 * are not shown.
 *
 * service     That the maps must be of, ignoring case.
 * registered  On success the maps, which `versions` owns; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_NAME (the current map is another service's),
 *         ERROR_NOT_ENOUGH_MEMORY, or what prfdata_maps_parse() and
 *         prfdata_maps_decode_current() return.
 * Threads: one at a time.
 */
uint32_t prfdata_versions_meet(prfdata_versions *versions, const char *service, const void *bytes,
                               size_t size, prfdata_registered_versions *registered);

/* Forget all of them. */
void prfdata_versions_done(prfdata_versions *versions);

/* The version with this hash, or NULL. */
const prfdata_version *prfdata_versions_find(const prfdata_registered_versions *registered,
                                             uint64_t hash);

#endif
