/* SPDX-License-Identifier: MIT */
/*
 * The regions of a service that this process has attached, as sets of members. At all times:
 *
 * - A set does not change, and is counted: a Collect works on one from its beginning to its end.
 * - Only a set that was made of the newest one takes its place; another is thrown away.
 * - The generation of the current set only grows: sets of the same generation say the same.
 * - A mapping goes with the last set that has it: nobody reads a view that is not mapped.
 */
#ifndef PRFDATA_REGIONS_H
#define PRFDATA_REGIONS_H

#include <prfdata/atomic.h>

#include "events/events.h"
#include "events/health.h"
#include "merge/carry.h"
#include "regions/member.h"
#include "system/due.h"

/*
 * Of all views together; copies of them take as much private memory. A 32-bit program needs its
 * addresses for itself. The host of WMI's providers has a quota of private memory, which all
 * performance classes share (win32, WmiSdk/--providerhostquotaconfiguration).
 */
#define PRFDATA_REGIONS_MAX_BYTES (256ull * 1024 * 1024)

/* What the value `Regions MiB` may raise this to. */
#define PRFDATA_REGIONS_MOST_BYTES                                                                 \
    (SIZE_MAX > UINT32_MAX ? 4 * PRFDATA_REGIONS_MAX_BYTES : PRFDATA_REGIONS_MAX_BYTES)

/*
 * How long sums are left out when a reader begins and cannot look at every file, in refresh times:
 * three seconds.
 */
#define PRFDATA_REGIONS_GRACE_REFRESHES 3

/*
 * A file of the folder that is not attached. It is tried again at the next refresh, unless it is
 * refused or more than PRFDATA_REGIONS_RETRIES files are tried again: then these take turns.
 */
typedef struct prfdata_unattached {
    prfdata_os_name name;
    uint64_t since_ms; /* when it was first seen */
    bool is_unknown;   /* it was never read: sums may lack it */
    bool is_refused;   /* it faulted, or became invalid: it is not attached again */
} prfdata_unattached;

/* Files that one refresh opens at most: those that are new, and those that it tried before. */
#define PRFDATA_REGIONS_TRIES   4096
#define PRFDATA_REGIONS_RETRIES 1024

typedef struct prfdata_region_set {
    uint32_t references;
    uint64_t
        generation;    /* one more than that of the set before, if anything changed between them */
    uint32_t turn;     /* which of the files that take turns is tried first */
    bool some_unknown; /* a region may exist that this process could not open */
    bool has_more;     /* the folder has more than were looked at or have a place */
    uint64_t position; /* prfdata_os_directory_list_part(): where the next look begins */
    uint64_t began_ms; /* when the first set of all was made */
    uint64_t sums_wait_ms;          /* sums are left out until then */
    prfdata_os_name suspect;        /* an unusable file of this look; "" */
    prfdata_unattached *unattached; /* unattached_count of them, sorted by name */
    uint32_t unattached_count;
    uint32_t count;
    prfdata_member members[1]; /* count of them, sorted by name */
} prfdata_region_set;

typedef struct prfdata_regions {
    uint32_t references; /* installations that have them; under the store's lock */
    const char *service;
    uint64_t boot;            /* atomic; 0: not known yet */
    uint64_t max_views_bytes; /* atomic: of all regions together */
    uint64_t refresh_ms;      /* ask the system again after this time; 1,000 but in tests */
    prfdata_events *events;   /* gets what is wrong; may be NULL */
    prfdata_health *health;   /* gets what each refresh finds; may be NULL */
    uint64_t summaries_bytes; /* atomic: mapping.h */
    prfdata_carry carry;      /* what this reader has shown of regions and slots that are gone */
    uint64_t sums_shown_ms;   /* atomic: when a Collect last showed sums; 0: not yet */
    prfdata_due *due;         /* for the next refresh; the owner's */
    uint64_t generation;      /* atomic: of the current set */
    uint64_t refused_ms;      /* atomic: since when refreshes were refused something (os.h); 0: the
                                 last one was not */
    prfdata_os_lock *lock;    /* of what follows and of all references; the owner's */
    prfdata_region_set *set;  /* NULL until the first refresh */
} prfdata_regions;

/*
 * Prepare to attach the regions of a service.
 *
 * service, due, lock  Borrowed until prfdata_regions_done(). The lock is held for a few
 *                     instructions, and no other lock is taken under it.
 */
void prfdata_regions_init(prfdata_regions *regions, const char *service, prfdata_due *due,
                          prfdata_os_lock *lock);
void prfdata_regions_done(prfdata_regions *regions);

/*
 * Look at the folder, and replace the current set by what is found. If another thread replaces the
 * set meanwhile, that one stays. Returns the current set.
 *
 * registered  The maps whose regions are attached; those of other maps that are attached already
 *             stay. The versions stay until prfdata_regions_done().
 *
 * Returns NULL if there is none (the folder cannot be opened, or memory is exhausted).
 * Give it back with prfdata_regions_release(). Threads: any.
 */
prfdata_region_set *prfdata_regions_refresh(prfdata_regions *regions,
                                            const prfdata_versions *registered);
void prfdata_regions_release(prfdata_regions *regions, prfdata_region_set *set);

/* Get the current set as it is, to be given back like the above. */
prfdata_region_set *prfdata_regions_share(prfdata_regions *regions);

/* Get another reference of a set. */
void prfdata_regions_retain(prfdata_regions *regions, prfdata_region_set *set);

/* Whether nothing has changed since a set was made. */
static inline bool prfdata_regions_is_current(const prfdata_regions *regions,
                                              const prfdata_region_set *set)
{
    return prfdata_load64_relaxed(&regions->generation) == set->generation;
}

/*
 * Take a snapshot of an attached region, as prfdata_member_snapshot() does, and notice what is
 * wrong. A region that faults or has become invalid leaves the set at the next refresh, for good.
 *
 * refuses_stale  A region that was taken over since gives PRFDATA_STALE, at most once per
 *                refresh_ms, and a refresh is due. Else it is read as it is: programs
 *                that come and go all the time count as well.
 */
prfdata_result prfdata_regions_snapshot(prfdata_regions *regions, const prfdata_member *member,
                                        const prfdata_projection *projection, const bool *wanted,
                                        bool refuses_stale, prfdata_snapshot_reading *reading,
                                        prfdata_snapshot **snapshot);

#endif
