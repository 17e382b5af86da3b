/* SPDX-License-Identifier: MIT */
/*
 * Makes, sorts, searches and compares sets, and counts their references to mappings.
 * folder_check.c fills a set; collect/basis.c decides which set is current.
 */
#include "regions/regions.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sets ---- */

prfdata_region_set *prfdata_regions_make_set(size_t unattached_capacity)
{
    const size_t set_bytes =
        (sizeof(prfdata_region_set) + PRFDATA_MAX_REGIONS * sizeof(prfdata_member) + 7) / 8 * 8;
    prfdata_region_set *set = calloc(1, set_bytes + unattached_capacity * sizeof *set->unattached);

    if (!set)
        return NULL;
    set->unattached = (void *)((uint8_t *)set + set_bytes);
    return set;
}

static int compare_members(const void *a, const void *b)
{
    return strcmp(((const prfdata_member *)a)->mapping->name.text,
                  ((const prfdata_member *)b)->mapping->name.text);
}

static int compare_unattached(const void *a, const void *b)
{
    return strcmp(((const prfdata_unattached *)a)->name.text,
                  ((const prfdata_unattached *)b)->name.text);
}

void prfdata_regions_sort_set(prfdata_region_set *set)
{
    if (set->count > 1)
        qsort(set->members, set->count, sizeof set->members[0], compare_members);
    if (set->unattached_count > 1)
        qsort(set->unattached, set->unattached_count, sizeof set->unattached[0],
              compare_unattached);
}

static int compare_name_and_member(const void *name, const void *member)
{
    return strcmp(((const prfdata_os_name *)name)->text,
                  ((const prfdata_member *)member)->mapping->name.text);
}

const prfdata_member *prfdata_regions_find_member(const prfdata_region_set *set,
                                                  const prfdata_os_name *name)
{
    return set ? bsearch(name, set->members, set->count, sizeof set->members[0],
                         compare_name_and_member)
               : NULL;
}

const prfdata_unattached *prfdata_regions_find_unattached(const prfdata_region_set *set,
                                                          const prfdata_os_name *name)
{
    const prfdata_unattached key = {.name = *name};

    return set ? bsearch(&key, set->unattached, set->unattached_count, sizeof set->unattached[0],
                         compare_unattached)
               : NULL;
}

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

static bool is_same_member(const prfdata_member *a, const prfdata_member *b)
{
    return a->mapping == b->mapping && a->writer == b->writer && a->structure == b->structure;
}

bool prfdata_regions_same(const prfdata_region_set *a, const prfdata_region_set *b)
{
    if (a->count != b->count || a->some_unknown != b->some_unknown)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!is_same_member(&a->members[i], &b->members[i]))
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

void prfdata_regions_notice_fault(const prfdata_regions *regions, const prfdata_os_name *name)
{
    prfdata_events_notice_ascii(regions->events, PRFDATA_EVENT_REGION_FAULTED, name->text, 0);
}
