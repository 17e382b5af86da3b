/* SPDX-License-Identifier: MIT */
/*
 * The regions of a service that this process has attached. The set that Collect works on is
 * immutable and counted; one thread at a time replaces it, the others go on with the old one.
 */
#ifndef PRFDATA_REGIONS_H
#define PRFDATA_REGIONS_H

#include "provider/events.h"
#include "provider/snapshot.h"

/* Of all views together, in 32-bit programs, which need their addresses for themselves. */
#define PRFDATA_REGIONS_MAX_BYTES (256ull * 1024 * 1024)

/* What this process showed last of one object of a region. */
typedef struct prfdata_last {
    prfdata_snapshot *whole; /* the snapshot, if it was whole and brackets are in use; else NULL */
    uint64_t shown_until;    /* the last number `ended` of all snapshots that were shown */
} prfdata_last;

typedef struct prfdata_attached {
    uint32_t references; /* sets that hold it; under the regions' lock */
    prfdata_os_name name;
    prfdata_os_region view;
    prfdata_region_layout *layout;
    uint32_t is_alive;         /* atomic: the file has a writer, when it was last asked */
    uint32_t is_broken;        /* atomic: its view faulted, or it became invalid */
    prfdata_os_lock last_lock; /* of what follows, and of the references of snapshots */
    uint64_t snapshot_count;   /* their beginnings and ends */
    uint32_t object_count;
    prfdata_last last[1]; /* object_count of them */
} prfdata_attached;

typedef struct prfdata_region_set {
    uint32_t references;
    bool some_unknown; /* a region may exist that this process could not open: denied, no memory */
    uint32_t count;
    prfdata_attached *regions[1]; /* count of them, sorted by name */
} prfdata_region_set;

typedef struct prfdata_regions {
    const char *service;
    const prfdata_model *model;
    uint64_t boot;              /* atomic; 0: not known yet */
    uint64_t max_bytes;         /* of a region with the map's capacities */
    uint64_t max_views_bytes;   /* of all regions together; UINT64_MAX in 64 bits */
    uint64_t refresh_ms;        /* ask the system again after this time; 1,000 but in tests */
    prfdata_events *events;     /* gets what is wrong; may be NULL */
    prfdata_os_name suspect;    /* under `refreshing`: the first unusable file of this look; "" */
    prfdata_os_name former;     /* and of the look before */
    prfdata_os_lock refreshing; /* held by the one thread that replaces the set */
    uint64_t refreshed_ms;      /* atomic */
    prfdata_os_lock lock;       /* of what follows, never held across a system call */
    prfdata_region_set *set;    /* NULL until the first refresh */
} prfdata_regions;

/*
 * Prepare to attach the regions of a service.
 *
 * service, model  Borrowed until prfdata_regions_done().
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_regions_init(prfdata_regions *regions, const char *service,
                              const prfdata_model *model);
void prfdata_regions_done(prfdata_regions *regions);

/*
 * Get the present set, refreshed if it is older than refresh_ms and no other thread does so.
 * Returns NULL if there is none yet (the first refresh runs in another thread, or failed).
 * Give it back with prfdata_regions_release(). Threads: any.
 */
prfdata_region_set *prfdata_regions_acquire(prfdata_regions *regions);
void prfdata_regions_release(prfdata_regions *regions, prfdata_region_set *set);

/*
 * Take a snapshot of an attached region, with its last whole copies at hand. A region that faults
 * or has become invalid is marked broken, and leaves the set at the next refresh.
 * Returns what prfdata_snapshot_take() does.
 */
uint32_t prfdata_regions_snapshot(prfdata_regions *regions, prfdata_attached *attached,
                                  const bool *wanted, prfdata_snapshot_budget *budget,
                                  prfdata_snapshot **snapshot);

/*
 * Release a snapshot that was shown. If it is whole and brackets are in use, it is kept as the last
 * whole copy of its objects; older copies are not shown again, so that no value goes backwards.
 */
void prfdata_regions_release_snapshot(prfdata_attached *attached, prfdata_snapshot *snapshot);

#endif
