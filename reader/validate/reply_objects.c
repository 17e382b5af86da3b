/* SPDX-License-Identifier: MIT */
/*
 * Finds the objects of a reply, and compares those of two or three replies (reply_objects.h).
 */
#include "validate/reply_objects.h"

#include "block/wire_fields.h"

void prfdata_reply_objects_read(const prfdata_validate_reply *reply, prfdata_reply_objects *set)
{
    const prfdata_bytes bytes = {reply->bytes, reply->size};
    size_t begin = 0;
    size_t end = 0;

    set->count = 0;
    while (set->count < PRFDATA_REPLY_OBJECTS_MAX &&
           prfdata_validate_next_object(reply, &end, &set->items[set->count],
                                        &set->parents[set->count])) {
        const prfdata_perf_object_type header = prfdata_wire_fields_object_type(bytes, begin);

        set->instances[set->count] = header.num_instances;
        set->counters[set->count] = header.num_counters;
        set->ends[set->count++] = (uint32_t)end;
        begin = end;
    }
}

static size_t find_title_position(const prfdata_reply_objects *set, uint32_t title)
{
    size_t i = 0;

    while (i < set->count && set->items[i] != title)
        i++;
    return i;
}

bool prfdata_reply_objects_has(const prfdata_reply_objects *set, uint32_t title)
{
    return find_title_position(set, title) < set->count;
}

uint32_t prfdata_reply_objects_first_missing(const prfdata_reply_objects *some,
                                             const prfdata_reply_objects *all)
{
    for (size_t i = 0; i < some->count; i++) {
        if (!prfdata_reply_objects_has(all, some->items[i]))
            return some->items[i];
    }
    return 0;
}

uint32_t prfdata_reply_objects_first_cut(const prfdata_reply_objects *few,
                                         const prfdata_reply_objects *many)
{
    for (size_t i = 0; i < few->count; i++) {
        const size_t k = find_title_position(many, few->items[i]);

        if (k < many->count && many->instances[k] > few->instances[i])
            return few->items[i];
    }
    return 0;
}

uint32_t prfdata_reply_objects_first_empty(const prfdata_reply_objects *some,
                                           const prfdata_reply_objects *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const size_t k = find_title_position(some, all->items[i]);

        if (k == some->count || (some->instances[k] == 0 && all->instances[i] > 0))
            return all->items[i];
    }
    return 0;
}

uint32_t prfdata_reply_objects_first_lost(const prfdata_reply_objects *before,
                                          const prfdata_reply_objects *between,
                                          const prfdata_reply_objects *after)
{
    for (size_t i = 0; i < before->count; i++) {
        const uint32_t title = before->items[i];
        const size_t k = find_title_position(between, title);
        const size_t l = find_title_position(after, title);

        if (l < after->count &&
            (k == between->count ||
             (before->instances[i] > 0 && between->instances[k] == 0 && after->instances[l] > 0)))
            return title;
    }
    return 0;
}

/* Limits of what an object adds to an extent. NumCounters may be any number, but the sum of an
 * extent must not overflow. */
#define MOST_COUNTERS         1024u
#define MOST_EXTENT_INSTANCES 2

static uint32_t object_extent(const prfdata_reply_objects *set, size_t i)
{
    const uint32_t counters = set->counters[i] < MOST_COUNTERS ? set->counters[i] : MOST_COUNTERS;
    const int32_t instances = set->instances[i];

    return 1 + counters +
           (uint32_t)(instances > MOST_EXTENT_INSTANCES ? MOST_EXTENT_INSTANCES
                      : instances > 0                   ? instances
                                                        : 0);
}

uint32_t prfdata_reply_objects_extent(const prfdata_reply_objects *set)
{
    uint32_t extent = 0;

    for (size_t i = 0; i < set->count; i++)
        extent += object_extent(set, i);
    return extent;
}

bool prfdata_reply_objects_lack_instances(const prfdata_reply_objects *set)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->instances[i] == 0)
            return true;
    }
    return false;
}

void prfdata_reply_objects_add(prfdata_reply_objects *seen, const prfdata_reply_objects *set)
{
    for (size_t i = 0; i < set->count; i++) {
        const size_t k = find_title_position(seen, set->items[i]);

        if (k == PRFDATA_REPLY_OBJECTS_MAX)
            return;
        if (k == seen->count) {
            seen->items[k] = set->items[i];
            seen->instances[k] = INT32_MIN;
            seen->counters[k] = 0;
            seen->count++;
        }
        if (set->instances[i] > seen->instances[k])
            seen->instances[k] = set->instances[i];
        if (set->counters[i] > seen->counters[k])
            seen->counters[k] = set->counters[i];
    }
}

bool prfdata_reply_objects_are_same(const prfdata_reply_objects *a, const prfdata_reply_objects *b)
{
    return prfdata_reply_objects_first_missing(a, b) == 0 &&
           prfdata_reply_objects_first_missing(b, a) == 0;
}
