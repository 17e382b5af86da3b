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

/* All that were met, by their numbers; or those that are registered, the current one first. */
typedef struct prfdata_versions {
    uint32_t count;
    size_t capacity;
    prfdata_version **items;
} prfdata_versions;

/*
 * Meet the maps of a value `Maps`. Earlier ones that cannot be decoded are left out: their regions
 * are not shown.
 *
 * versions    All that were met; owns them.
 * service     That the maps must be of, ignoring case.
 * registered  On success the maps of the value, in a list of the caller's: free `items`, and
 * nothing else. Untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_NAME (the current map is another service's),
 *         ERROR_NOT_ENOUGH_MEMORY, or what prfdata_maps_parse() and
 *         prfdata_maps_decode_current() return.
 * Threads: one at a time.
 */
uint32_t prfdata_versions_meet(prfdata_versions *versions, const char *service, const void *bytes,
                               size_t size, prfdata_versions *registered);

/* Forget all that were met. */
void prfdata_versions_done(prfdata_versions *versions);

/* The version with this hash, or NULL. */
const prfdata_version *prfdata_versions_find(const prfdata_versions *registered, uint64_t hash);

#endif
