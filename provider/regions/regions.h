/* SPDX-License-Identifier: MIT */
/*
 * Declares sets of regions. The members of a set are the attached regions of one service. A set is
 * immutable. It belongs to one basis (collect/basis.h), and is released with this basis. A mapping
 * is released with the last set that refers to it, so no one reads a view that is not mapped.
 */
#ifndef PRFDATA_REGIONS_H
#define PRFDATA_REGIONS_H

#include <prfdata/atomic.h>

#include "events/events.h"
#include "events/health.h"
#include "regions/member.h"

/*
 * The default limit for all views together; copies of them may take as much private memory. It is
 * low, because a 32-bit reader has few addresses, and because the host of WMI's providers has a
 * quota of private memory (win32, WmiSdk/--providerhostquotaconfiguration).
 */
#define PRFDATA_REGIONS_MAX_BYTES (256ull * 1024 * 1024)

/* The highest limit that the value `Regions MiB` can set. */
#define PRFDATA_REGIONS_MOST_BYTES                                                                 \
    (SIZE_MAX > UINT32_MAX ? 4 * PRFDATA_REGIONS_MAX_BYTES : PRFDATA_REGIONS_MAX_BYTES)

/*
 * While a new reader cannot check every file, it leaves out totals. It does so for at most this
 * number of refresh times: three seconds by default, as docs/security-and-limits.md promises. A
 * file is late only if it is still unknown after this time. Without this rule, a file that a virus
 * scanner has open would be late, and totals would never include the file's earlier counts.
 */
#define PRFDATA_REGIONS_GRACE_REFRESHES 3

/*
 * A file of the folder that is not attached. Each refresh tries it again, unless it is given up. If
 * there are more than PRFDATA_REGIONS_RETRIES such files, they take turns.
 */
typedef struct prfdata_unattached {
    prfdata_os_name name;
    uint64_t since_ms; /* if is_unknown: when it became unknown; otherwise: when last tried */
    bool is_unknown;   /* it was not read, or its view had no room, so totals may lack it */
    bool is_given_up;  /* it faulted or became invalid, and is never attached again */
} prfdata_unattached;

/*
 * One refresh opens at most PRFDATA_REGIONS_TRIES new files, and at most PRFDATA_REGIONS_RETRIES
 * files that were tried before.
 */
#define PRFDATA_REGIONS_TRIES   4096
#define PRFDATA_REGIONS_RETRIES 1024

typedef struct prfdata_region_set {
    /* the first file to try again in the next refresh: its position among the unattached files that
     * can be tried again */
    uint32_t turn;
    bool some_unknown;       /* an unattached file is_unknown, so totals may lack a region */
    bool has_more;           /* files were not checked, or regions have no place */
    uint64_t position;       /* where prfdata_os_directory_list_part() begins in the next refresh */
    uint64_t began_ms;       /* copied from the set before; in the first set: when it was made */
    uint64_t totals_wait_ms; /* totals are left out until this time */
    prfdata_os_name suspect; /* folder_check.c explains it; "": none */
    prfdata_unattached *unattached; /* `unattached_count` files, sorted by name */
    uint32_t unattached_count;
    uint32_t count;
    prfdata_member members[1]; /* `count` members, sorted by name */
} prfdata_region_set;

/* The state that all sets of a provider share. */
typedef struct prfdata_regions {
    const char *service;
    uint64_t boot;            /* atomic: prfdata_os_boot(), constant once known; 0: not known yet */
    uint64_t max_views_bytes; /* atomic: the limit for the views of all regions together */
    uint64_t refresh_ms;      /* the time between refreshes; 1,000 except in tests */
    prfdata_events *events;
    prfdata_health *health;
    uint64_t summaries_bytes; /* atomic: the size of the slots of all kept summaries (mapping.h) */
    uint64_t totals_shown_ms; /* atomic: when a merged Collect last showed totals; 0: never */
    uint64_t refreshed_ms;    /* atomic: when the last refresh began; 0: a refresh is due now */
    /* Keeps threads from refreshing at the same time, except in the cases that refresh.h names.
     * No thread waits for this lock. */
    prfdata_os_lock refreshing;
    /* atomic: the time since which the system has refused a file or the folder in each refresh
     * (os.h, "Refusals"); 0: it refused nothing in the last refresh */
    uint64_t refused_ms;
    /*
     * Protects the references to mappings and snapshots, the summaries, and what
     * collect/provider_state.h says. It is held only for short loops over regions or objects. No
     * other lock is taken while it is held.
     */
    prfdata_os_lock lock;
} prfdata_regions;

/* The other arguments must stay as long as `regions`. */
void prfdata_regions_init(prfdata_regions *regions, const char *service, prfdata_events *events,
                          prfdata_health *health);

/*
 * Makes an empty set with room for PRFDATA_MAX_REGIONS members. Returns NULL if memory is
 * exhausted.
 *
 * unattached_capacity  The set gets room for this many files that are not attached.
 */
prfdata_region_set *prfdata_regions_make_set(size_t unattached_capacity);

/* Sorts a set. Only a sorted set can be searched. */
void prfdata_regions_sort_set(prfdata_region_set *set);

/* Search a set, which may be NULL, for a name. Return NULL if the set does not have the name. */
const prfdata_member *prfdata_regions_find_member(const prfdata_region_set *set,
                                                  const prfdata_os_name *name);
const prfdata_unattached *prfdata_regions_find_unattached(const prfdata_region_set *set,
                                                          const prfdata_os_name *name);

/* Adds a reference to each mapping of a set. */
void prfdata_regions_hold(prfdata_regions *regions, prfdata_region_set *set);

/* Releases the mappings of a set, and frees it. `set` may be NULL. */
void prfdata_regions_release(prfdata_regions *regions, prfdata_region_set *set);

/* Whether a Collect sees no difference between two sets. */
bool prfdata_regions_same(const prfdata_region_set *a, const prfdata_region_set *b);

void prfdata_regions_notice_fault(const prfdata_regions *regions, const prfdata_os_name *name);

#endif
