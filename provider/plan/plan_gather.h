/* SPDX-License-Identifier: MIT */
/*
 * Between plan_put.c, which says when regions are read and what becomes of it, and plan_gather.c,
 * which reads them.
 */
#ifndef PRFDATA_PLAN_GATHER_H
#define PRFDATA_PLAN_GATHER_H

#include <string.h>

#include <prfdata/atomic.h>

#include "plan/cell_pairs.h"
#include "plan/plan_parts.h"

/*
 * What a gather works on. Nothing is cleared before it is used: to clear it all takes as long as to
 * gather a row.
 */
typedef struct prfdata_plan_gathering {
    const prfdata_plan *plan;
    const prfdata_plan_region *region; /* the current one */
    const prfdata_plan_region *end;    /* of those that are gathered at a time */
    uint8_t *at;                       /* where the next row goes */
    uint64_t *sums;                    /* of the region */
    prfdata_os_region guarded;         /* the view that is read now */
    uint32_t *tries_left;              /* of the answer; 0: a moment without brackets was not met */
    uint64_t entered; /* of the region: brackets around all instances, before it is gathered */
    /* What is made of one slot, the plan's slot_words each. NULL: nothing. */
    uint64_t *slot_cells;
    uint64_t *slot_baselines;
    uint64_t *slot_values;
    uint32_t time;          /* with windows only: in which they end */
    uint64_t shown_changes; /* of the carry before anything was gathered */
    bool was_valid;
} prfdata_plan_gathering;

/*
 * Put a part of a plan's image; its size is a multiple of 8. Returns the address after it. Most
 * parts are short: with a call of memcpy 100 rows of 10 cells take 2.2 bare gathers under Wine
 * instead of 1.3, and at most 1.5 are promised (P4).
 */
static inline uint8_t *prfdata_plan_put_image(uint8_t *at, const uint8_t *image, size_t bytes)
{
    for (; bytes >= 64; bytes -= 64, image += 64, at += 64) {
        memcpy(at, image, 16);
        memcpy(at + 16, image + 16, 16);
        memcpy(at + 32, image + 32, 16);
        memcpy(at + 48, image + 48, 16);
    }
    if (bytes & 32) {
        memcpy(at, image, 16);
        memcpy(at + 16, image + 16, 16);
        image += 32;
        at += 32;
    }
    if (bytes & 16) {
        memcpy(at, image, 16);
        image += 16;
        at += 16;
    }
    if (bytes & 8) {
        memcpy(at, image, 8);
        at += 8;
    }
    return at;
}

/* The guard moves on to the view of a region. */
static inline void prfdata_plan_guard_region(prfdata_plan_gathering *gathering,
                                             const prfdata_plan_region *region)
{
    gathering->region = region;
    gathering->guarded.bytes = region->bytes;
    gathering->guarded.size = region->size;
    prfdata_fence_acquire(); /* for the compiler: the guard reads it when a load faults */
}

/* Whether a region is as it was merged. Its writer moves the structure word before and after it
 * changes slots or state. Guarded. */
static inline bool prfdata_plan_is_unchanged(const prfdata_plan_region *region)
{
    return prfdata_cell_pairs_equal((const uint64_t *)(const void *)region->bytes, region->head,
                                    PRFDATA_PLAN_HEAD_WORDS);
}

/*
 * Put the rows of all regions from the current one on, and add them to their sums. Under the guard.
 * `was_valid` is set if each region was what it was in the merge, and none was met inside a bracket
 * as long as there were tries.
 *
 * context  A prfdata_plan_gathering.
 */
void prfdata_plan_gather_regions(void *context);

#endif
