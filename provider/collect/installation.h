/* SPDX-License-Identifier: MIT */
/*
 * Declares the installation: everything that is derived from the values that the installer stored,
 * such as maps, templates and projections. Installations are immutable and reference-counted. A
 * Collect works on one installation from beginning to end; the store replaces it when the values
 * have changed (docs/architecture.md, decision 15).
 */
#ifndef PRFDATA_INSTALLATION_H
#define PRFDATA_INSTALLATION_H

#include "collect/installed_values.h"
#include "names/names.h"
#include "regions/regions.h"
#include "reply/template.h"
#include "system/due.h"

/* How long an installation is kept while its values cannot be read. An upgrade takes less time. */
#define PRFDATA_INSTALLATION_KEEP_MS 10000

typedef struct prfdata_installation {
    uint32_t references; /* held by bases and by the store; protected by the store's lock */
    prfdata_installed_values values;
    prfdata_versions registered; /* maps whose regions are attached; the store owns the versions */
    const prfdata_model *model;  /* of the current map: registered.items[0]->model */
    uint64_t number;             /* counts installations of this reader, from 1 */
    prfdata_perf_object_type **templates; /* one per object: prfdata_template_make() */
    /* The former installation's regions, with everything that is remembered of them, if both use
     * the same folder and counts were not reset in between; the map may differ. Otherwise new
     * regions. */
    prfdata_regions *regions;
    uint32_t projection_count;
    /* from every other shape that was known when this installation was made */
    prfdata_projection **projections;
} prfdata_installation;

/*
 * Holds the current installation and basis. Zero-initialise it, then set the fields of the first
 * group.
 */
typedef struct prfdata_installation_store {
    /* Set by the owner. */
    char service[PRFDATA_MAX_SERVICE_CHARS + 1];
    uint64_t refresh_ms;    /* how old the known state may get, in milliseconds */
    prfdata_events *events; /* receives problems */
    prfdata_health *health; /* receives the numbers of the health object */

    bool is_given;   /* set by prfdata_installation_set(): the registry is never read */
    prfdata_due due; /* when the next refresh is due; needs no lock */

    /* The state derived from checks of the registry, protected by `deciding`. No thread holds
     * `deciding` across a call that waits. */
    prfdata_os_lock deciding;
    uint64_t look_count; /* how many checks were applied */
    uint64_t stamp;      /* of the values, at the last check that was applied */
    uint64_t changed_ms; /* when a check last found that the stamp had changed */
    bool must_read;      /* the next check reads the values, even if the stamp is unchanged */
    uint64_t made_count; /* how many installations have been made */
    /* versions stay in it until the store is done, or until no one needs them */
    prfdata_versions versions;
    uint64_t hidden_ms; /* when the installation was hidden */

    /* Changed only under both locks, so holding either one is enough to read them. */
    prfdata_installation *installation; /* NULL: none */
    /* the values cannot be read at the moment; the installation is kept but not handed out */
    bool is_hidden;

    /* `lock` is held for a few instructions and is the last lock taken. It protects all
     * reference counts except those of snapshots: of installations, regions, sets, mappings,
     * bases and plans. */
    uint32_t installation_count; /* installations that exist; protected by `lock` */
    prfdata_os_lock lock;
    struct prfdata_basis *basis; /* the current one (basis.h); NULL: none */
} prfdata_installation_store;

/*
 * Sets the installation from a value `Maps` and title indexes that the caller has. Call it before
 * any other function.
 *
 * maps, maps_bytes  The value; copied.
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (the title indexes are invalid) or what
 *         prfdata_versions_meet() returns.
 */
uint32_t prfdata_installation_set(prfdata_installation_store *store, const void *maps,
                                  size_t maps_bytes, uint32_t first_counter, uint32_t first_help);

/*
 * Makes an installation from values, which the caller keeps. The caller must hold `deciding` or be
 * the only user of the store.
 *
 * Returns what prfdata_installation_set() returns.
 */
uint32_t prfdata_installation_make(prfdata_installation_store *store,
                                   const prfdata_installed_values *values,
                                   prfdata_installation **installation);

/*
 * Checks whether the installation has changed, unless it was given by prfdata_installation_set().
 * Returns a reference to the one that is current after the check. If two threads check at once, the
 * result of the one that finishes first counts.
 *
 * Returns NULL if the service is not installed, or if its values are invalid or missing at the
 * moment. Give it back with prfdata_installation_release(). Threads: any.
 */
prfdata_installation *prfdata_installation_refresh(prfdata_installation_store *store);
void prfdata_installation_release(prfdata_installation_store *store,
                                  prfdata_installation *installation);

/* Adds a reference. */
void prfdata_installation_retain(prfdata_installation_store *store,
                                 prfdata_installation *installation);

/*
 * Finds the projection that snapshots of a region need.
 *
 * projection  Gets it; NULL: none is needed.
 * Returns false if the region's map became known only after this installation was made. A newer
 *         installation shows such a region.
 */
bool prfdata_installation_shape_of(const prfdata_installation *installation,
                                   const prfdata_mapping *mapping,
                                   const prfdata_projection **projection);

/*
 * Sets how old the set of regions and the installation may get. Call it before the first Collect.
 */
void prfdata_installation_set_refresh(prfdata_installation_store *store, uint64_t milliseconds);

/* Release the store's own reference. No Collect may be running. */
void prfdata_installation_done(prfdata_installation_store *store);

#endif
