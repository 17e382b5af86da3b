/* SPDX-License-Identifier: MIT */
/*
 * Declares the installation: the values that the installer stored, and what is derived from them,
 * such as templates and projections. Installations are immutable and reference-counted. Each
 * attempt of a Collect works on one installation from beginning to end. When the values have
 * changed, the provider uses a new installation (docs/architecture.md, decision 15).
 */
#ifndef PRFDATA_INSTALLATION_H
#define PRFDATA_INSTALLATION_H

#include "collect/provider.h"
#include "regions/member.h"
#include "reply/template.h"

/* How long an installation is kept while the key lacks valid values. An upgrade takes less time. */
#define PRFDATA_INSTALLATION_KEEP_MS 10000

struct prfdata_basis;

typedef struct prfdata_installation {
    uint32_t references; /* held by bases; protected by the lock of `regions` */
    /* The values that the installer stored: */
    void *maps;
    size_t maps_bytes;
    void *folder; /* value Regions, to notice changes; NULL: missing or not read */
    size_t folder_bytes;
    uint32_t first_counter;
    uint32_t first_help;
    uint32_t regions_mib; /* the limit for the size of all regions; 0: the value is missing */
    uint32_t resets;      /* how often counts were reset to zero; 0 if the value is missing */
    /* Derived from these values: */
    prfdata_versions registered; /* maps whose regions are attached; the provider owns them */
    const prfdata_model *model;  /* model of the current map: registered.items[0]->model */
    uint64_t first_basis;        /* number of its first basis; identifies the installation */
    /*
     * The number of the first installation whose counts this one continues. All installations since
     * then have the same folder, and no counts were reset.
     */
    uint64_t lineage;
    prfdata_perf_object_type **templates; /* one per object, from prfdata_template_make() */
    uint32_t projection_count;
    /* one for every other version of the map that was known when this installation was made;
     * converts snapshots from that version to the current map */
    prfdata_projection **projections;
} prfdata_installation;

/*
 * Makes an installation without values, with one reference. Returns NULL if memory is exhausted.
 */
prfdata_installation *prfdata_installation_make(prfdata_provider *provider);

/*
 * Derives everything else from the values. If that fails, the installation can only be released.
 *
 * former  The newest installation; NULL: there is none.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (the title indexes are invalid) or what
 *         prfdata_versions_meet() returns.
 */
uint32_t prfdata_installation_complete(prfdata_provider *provider,
                                       const prfdata_installation *former,
                                       prfdata_installation *installation);

bool prfdata_installation_same_folder(const prfdata_installation *a, const prfdata_installation *b);

/*
 * Checks whether the installation has changed, unless it was given by prfdata_basis_give().
 *
 * former  The newest basis; NULL: there is none.
 * made    The next basis. Gets its installation, with a reference, and what is known of the
 *         service's key. The installation is NULL if there is none.
 *
 * Threads: any.
 */
void prfdata_installation_check(prfdata_provider *provider, const struct prfdata_basis *former,
                                struct prfdata_basis *made);
void prfdata_installation_release(prfdata_provider *provider, prfdata_installation *installation);
void prfdata_installation_retain(prfdata_provider *provider, prfdata_installation *installation);

/*
 * Finds the projection that snapshots of a region need.
 *
 * projection  Gets the projection. NULL: the snapshots need none.
 * Returns false if the region's map became known only after this installation was made.
 */
bool prfdata_installation_shape_of(const prfdata_installation *installation,
                                   const prfdata_mapping *mapping,
                                   const prfdata_projection **projection);

#endif
