/* SPDX-License-Identifier: MIT */
/*
 * Counts which mappings the sets refer to, and takes snapshots of members. refresh.c makes sets;
 * collect/basis.c decides which one is current.
 */
#include "regions/regions.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "regions/refresh.h"

/* ---- Sets ---- */

void prfdata_regions_hold(prfdata_regions *regions, prfdata_region_set *set)
{
    prfdata_os_lock_enter(&regions->lock);
    for (uint32_t i = 0; i < set->count; i++)
        set->members[i].mapping->references++;
    prfdata_os_lock_leave(&regions->lock);
}

/*
 * Releases a set's references. Moves to the front the mappings that no set refers to any longer,
 * and returns how many there are. The caller holds the lock.
 */
static uint32_t drop_mappings(prfdata_region_set *set)
{
    uint32_t unused = 0;

    for (uint32_t i = 0; i < set->count; i++)
        if (--set->members[i].mapping->references == 0)
            set->members[unused++] = set->members[i];
    return unused;
}

void prfdata_regions_release(prfdata_regions *regions, prfdata_region_set *set)
{
    uint32_t unused;

    if (!set)
        return;
    prfdata_os_lock_enter(&regions->lock);
    unused = drop_mappings(set);
    prfdata_os_lock_leave(&regions->lock);
    while (unused > 0)
        prfdata_mapping_free(set->members[--unused].mapping);
    free(set);
}

bool prfdata_regions_same(const prfdata_region_set *a, const prfdata_region_set *b)
{
    if (a->count != b->count || a->some_unknown != b->some_unknown)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!prfdata_member_same(&a->members[i], &b->members[i]))
            return false;
    return true;
}

/* ---- Regions ---- */

void prfdata_regions_init(prfdata_regions *regions, const char *service, prfdata_events *events,
                          prfdata_health *health)
{
    memset(regions, 0, sizeof *regions);
    regions->service = service;
    regions->events = events;
    regions->health = health;
    regions->max_views_bytes = PRFDATA_REGIONS_MAX_BYTES;
    regions->refresh_ms = 1000;
}

/* ---- Snapshots ---- */

/*
 * Makes a refresh due, because a program has taken a region over since a refresh found that the
 * region has no writer. This happens at most once per refresh_ms and region, because the structure
 * word may change even if no program owns the region. Returns false if such a refresh has been made
 * already.
 */
static bool expire_for(prfdata_regions *regions, prfdata_mapping *mapping)
{
    const uint64_t now = prfdata_due_now_ms();
    const uint64_t expired = prfdata_load64_relaxed(&mapping->expired_ms);

    /* a refresh is due already, because of another region */
    if (prfdata_due_ms(&regions->due, regions->refresh_ms) == 0)
        return true;
    if (expired != 0 && now < expired + regions->refresh_ms)
        return false;
    prfdata_store64_relaxed(&mapping->expired_ms, now);
    prfdata_due_expire(&regions->due);
    return true;
}

prfdata_result prfdata_regions_snapshot(prfdata_regions *regions, const prfdata_member *member,
                                        const prfdata_projection *projection, const bool *wanted,
                                        bool is_last_attempt, prfdata_snapshot_reading *reading,
                                        prfdata_snapshot **snapshot)
{
    prfdata_result result = prfdata_member_snapshot(member, projection, wanted, reading, snapshot);

    if (result == PRFDATA_STALE && !is_last_attempt && expire_for(regions, member->mapping))
        return PRFDATA_STALE;
    if (result == PRFDATA_STALE)
        result = prfdata_member_snapshot_taken_over(member, projection, wanted, reading, snapshot);
    if (result == PRFDATA_FAULTED)
        prfdata_refresh_notice_fault(regions, &member->mapping->name);
    else if (result == PRFDATA_INVALID)
        prfdata_events_notice_ascii(regions->events, PRFDATA_EVENT_REGION_DAMAGED,
                                    member->mapping->name.text, 0);
    return result;
}
