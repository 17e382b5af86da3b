/* SPDX-License-Identifier: MIT */
/*
 * What the installer stored: the map, the title indexes and the folder of regions. A Collect works
 * on one installation, which is immutable and counted, from its beginning to its end.
 */
#ifndef PRFDATA_INSTALLATION_H
#define PRFDATA_INSTALLATION_H

#include "core/names.h"
#include "provider/regions.h"
#include "provider/template.h"

typedef struct prfdata_installation {
    uint32_t references; /* Collects that use it, and the store; under the store's lock */
    prfdata_model *model;
    prfdata_template *template;
    prfdata_regions regions;
} prfdata_installation;

/* Where a provider keeps the present installation of its service. Zeroed but for three fields. */
typedef struct prfdata_installation_store {
    char service[PRFDATA_MAX_SERVICE_CHARS + 1]; /* set by the owner of the store */
    uint64_t refresh_ms;                         /* the same */
    prfdata_events *events;                      /* the same; gets what is wrong */
    prfdata_os_lock loading;
    uint64_t loaded_ms;                 /* under `loading`: of the last attempt */
    prfdata_os_lock lock;               /* of what follows, and of references */
    prfdata_installation *installation; /* set once, then constant */
} prfdata_installation_store;

/*
 * Set the installation from a map and title indexes that the caller has, before any other call.
 *
 * map, map_bytes  An encoded map; copied.
 * Returns ERROR_SUCCESS, ERROR_INVALID_NAME (the map is another service's),
 *         ERROR_INVALID_PARAMETER (no such title indexes can be), ERROR_NOT_ENOUGH_MEMORY or what
 *         prfdata_model_from_bytes() returns.
 */
uint32_t prfdata_installation_set(prfdata_installation_store *store, const void *map,
                                  size_t map_bytes, uint32_t first_counter, uint32_t first_help);

/*
 * Get the installation. It is looked for at most once per refresh time, and by one thread; the
 * others do not wait.
 * Returns NULL if the service is not installed, or its values are wrong. Give it back with
 * prfdata_installation_release(). Threads: any.
 */
prfdata_installation *prfdata_installation_acquire(prfdata_installation_store *store);
void prfdata_installation_release(prfdata_installation_store *store,
                                  prfdata_installation *installation);

/* Set how old the set of regions may get (regions.h). Call it before the first Collect. */
void prfdata_installation_set_refresh(prfdata_installation_store *store, uint64_t milliseconds);

/* Release the store's own reference. No Collect may be running. */
void prfdata_installation_done(prfdata_installation_store *store);

#endif
