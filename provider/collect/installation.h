/* SPDX-License-Identifier: MIT */
/*
 * What follows from the values that the installer stored. A Collect works on one installation,
 * which is immutable and counted, from its beginning to its end; the store replaces it when the
 * values have changed (docs/architecture.md, decision 15).
 */
#ifndef PRFDATA_INSTALLATION_H
#define PRFDATA_INSTALLATION_H

#include "collect/installed_values.h"
#include "names/names.h"
#include "regions/regions.h"
#include "reply/template.h"
#include "system/due.h"

/* How long an installation is kept while its values cannot be read: an upgrade takes less. */
#define PRFDATA_INSTALLATION_KEEP_MS 10000

typedef struct prfdata_installation {
    uint32_t references; /* bases of it, and the store; under the store's lock */
    prfdata_installed_values values;
    prfdata_versions registered; /* maps whose regions are attached; the store has the versions */
    const prfdata_model *model;  /* of the current map: registered.items[0]->model */
    uint64_t number;             /* counted from 1 since this reader began */
    prfdata_perf_object_type **templates; /* of the objects: prfdata_template_make() */
    /* Those of the former installation with all that is remembered of them, whatever its map, if it
     * was in the same folder and counts were not set to zero since. */
    prfdata_regions *regions;
    uint32_t projection_count;
    prfdata_projection **projections; /* from each other shape that was known when it was made */
} prfdata_installation;

/* Where a provider keeps what Collects begin from. Zeroed but for what its owner sets. */
typedef struct prfdata_installation_store {
    /* Set by the owner. */
    char service[PRFDATA_MAX_SERVICE_CHARS + 1];
    uint64_t refresh_ms;    /* how old what is known may get */
    prfdata_events *events; /* gets what is wrong */
    prfdata_health *health; /* gets what is found */

    bool is_given;   /* by prfdata_installation_set(): never looked for */
    prfdata_due due; /* for the next refresh; needs no lock */

    /* What follows from looks: under this lock, which is never held across a call that waits. */
    prfdata_os_lock deciding;
    uint64_t look_count;       /* looks from which something may have followed */
    uint64_t stamp;            /* of the values at the last one */
    uint64_t changed_ms;       /* when the stamp was seen to have changed */
    bool must_read;            /* read the values whatever the stamp */
    uint64_t made_count;       /* installations so far */
    prfdata_versions versions; /* what is in it stays, until the store is done */
    uint64_t hidden_ms;        /* since when it is hidden */

    /* Changed under both locks, so that either is enough to read them. */
    prfdata_installation *installation; /* NULL: none */
    bool is_hidden; /* its values cannot be read at the moment: it is kept, not given away */

    /* Held for a few instructions, taken last. All references but those of snapshots are counted
     * under it: of installations, regions, sets, mappings, bases and plans. */
    uint32_t installation_count; /* that were made and are not freed yet; under `lock` */
    prfdata_os_lock lock;
    struct prfdata_basis *basis; /* the current one (basis.h); NULL: none */
} prfdata_installation_store;

/*
 * Set the installation from a value `Maps` and title indexes that the caller has, before any other
 * call.
 *
 * maps, maps_bytes  The value; copied.
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (no such title indexes can be) or what
 *         prfdata_versions_meet() returns.
 */
uint32_t prfdata_installation_set(prfdata_installation_store *store, const void *maps,
                                  size_t maps_bytes, uint32_t first_counter, uint32_t first_help);

/*
 * Make an installation of values, which stay the caller's. The caller holds `deciding`, or has the
 * store alone.
 *
 * Returns what prfdata_installation_set() does.
 */
uint32_t prfdata_installation_make(prfdata_installation_store *store,
                                   const prfdata_installed_values *values,
                                   prfdata_installation **installation);

/*
 * Look whether the installation has changed, unless it was given, and get what is current then. Of
 * two looks at once the first that ends counts.
 *
 * Returns NULL if the service is not installed, or its values are wrong or missing at the moment.
 * Give it back with prfdata_installation_release(). Threads: any.
 */
prfdata_installation *prfdata_installation_refresh(prfdata_installation_store *store);
void prfdata_installation_release(prfdata_installation_store *store,
                                  prfdata_installation *installation);

/* Get another reference. */
void prfdata_installation_retain(prfdata_installation_store *store,
                                 prfdata_installation *installation);

/*
 * Into which shape snapshots of a region have to be brought.
 *
 * projection  Gets it; NULL: none is needed.
 * Returns false if the region's map was met after this installation was made: a later one shows it.
 */
bool prfdata_installation_shape_of(const prfdata_installation *installation,
                                   const prfdata_mapping *mapping,
                                   const prfdata_projection **projection);

/* Set how old the set of regions and the installation may get. Call it before the first Collect. */
void prfdata_installation_set_refresh(prfdata_installation_store *store, uint64_t milliseconds);

/* Release the store's own reference. No Collect may be running. */
void prfdata_installation_done(prfdata_installation_store *store);

#endif
