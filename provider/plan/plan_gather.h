/* SPDX-License-Identifier: MIT */
/*
 * Declares the interface between plan_put.c, which controls the reading of regions, and
 * plan_gather.c, which reads them.
 */
#ifndef PRFDATA_PLAN_GATHER_H
#define PRFDATA_PLAN_GATHER_H

#include <string.h>

#include <prfdata/atomic.h>

#include "plan/cell_simd.h"
#include "plan/plan_parts.h"

/*
 * The state of a gather. It is not cleared before use, because clearing it takes as long as
 * gathering a row.
 */
typedef struct prfdata_plan_gathering {
    const prfdata_plan *plan;
    const prfdata_plan_region *region;
    const prfdata_plan_region *end; /* the region after the last one to gather in this call */
    uint8_t *at;                    /* where the next row goes */
    uint64_t *sums;                 /* sums of the region: stored_count cells */
    uint64_t *totals;               /* plan_gather.c adds windows, and plan_put.c adds sums */
    prfdata_os_region guarded;      /* the view that is being read */
    uint32_t *tries_left;           /* as for prfdata_plan_put() */
    /* How often threads had entered brackets around all instances of the region before it was read.
     * In prfdata_plan_add_entered(): the sum of all regions. */
    uint64_t entered;
    /* Scratch memory for one slot: arrays of slot_words words. Not set if slot_words is 0. */
    uint64_t *slot_cells;
    uint64_t *slot_baselines;
    uint64_t *slot_values;
    /* prfdata_distribution_time(); set only if the object has distributions */
    uint32_t time;
    uint64_t began; /* the carry's `recordings`, before anything was gathered */
    bool was_valid;
} prfdata_plan_gathering;

/*
 * Copies a part of a plan's image to `at`. `bytes` is a multiple of 8. Returns the address after
 * the copy. Copies inline, because most parts are short. If each row called memcpy(), the limit P4
 * of docs/performance.md would be exceeded under Wine.
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

/* Makes the guard protect the view of a region. */
static inline void prfdata_plan_guard_region(prfdata_plan_gathering *gathering,
                                             const prfdata_plan_region *region)
{
    gathering->region = region;
    gathering->guarded.bytes = region->bytes;
    gathering->guarded.size = region->size;
    /*
     * If a load from the view faults, the guard reads `guarded`. So the fence keeps the compiler
     * from moving these stores after the loads.
     */
    prfdata_fence_acquire();
}

/*
 * Whether a region is as it was when it was merged. Comparing the header's first cache line is
 * enough. The writer changes the structure word in this line before and after each change of slots
 * or state. Called under the guard.
 */
static inline bool prfdata_plan_is_unchanged(const prfdata_plan_region *region)
{
    return prfdata_cell_simd_equal((const uint64_t *)(const void *)region->bytes, region->head,
                                   PRFDATA_PLAN_HEAD_WORDS);
}

/*
 * Gathers the regions from `region` to the one before `end`. Writes their rows. If the object has
 * totals, also computes the sums of each region, and adds the windows to the totals. Sets
 * `was_valid` if each region is as it was in the merge and was read with no thread inside a
 * bracket. Called under the guard.
 *
 * context  A prfdata_plan_gathering.
 */
void prfdata_plan_gather_regions(void *context);

#endif
