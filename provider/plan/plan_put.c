/* SPDX-License-Identifier: MIT */
/*
 * Writes an object's definitions and totals from its plan. Controls the guard while plan_gather.c
 * writes the rows. The result is used only if the plan was still valid after all values were read.
 */
#include "plan/plan_gather.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/compiler.h"
#include "base/crash_points.h"

/* ---- Validity ---- */

/*
 * Whether the basis and the carried values are still those of the plan. If they are not, a sum
 * could be lower than one that another Collect has just shown.
 */
static inline bool is_current(const prfdata_plan *plan)
{
    const prfdata_carry *carry = plan->carry;

    return prfdata_load64_relaxed(&carry->newest_basis) == plan->number &&
           prfdata_load64_relaxed(&carry->carried_version[plan->object_index]) ==
               plan->carried_version;
}

/* ---- Regions ---- */

/*
 * Gathers `count` regions, starting with `region`. Returns whether the plan was valid throughout,
 * no view faulted, and the regions were read with no thread inside a bracket.
 */
static inline bool gather_guarded(prfdata_plan_gathering *gathering,
                                  const prfdata_plan_region *region, uint32_t count)
{
    gathering->end = region + count;
    prfdata_plan_guard_region(gathering, region);
    gathering->was_valid = false;
    return prfdata_os_guarded(&gathering->guarded, prfdata_plan_gather_regions, gathering) &&
           gathering->was_valid && is_current(gathering->plan);
}

/* Called under the guard. */
static void check_regions(void *context)
{
    prfdata_plan_gathering *gathering = context;
    const prfdata_plan *plan = gathering->plan;

    for (uint32_t i = 0; i < plan->region_count; i++) {
        prfdata_plan_guard_region(gathering, &plan->regions[i]);
        if (!prfdata_plan_is_unchanged(gathering->region))
            return;
    }
    gathering->was_valid = true;
}

bool prfdata_plan_is_valid(const prfdata_plan *plan)
{
    prfdata_plan_gathering gathering;

    if (!is_current(plan))
        return false;
    if (plan->region_count == 0)
        return true;
    gathering.plan = plan;
    gathering.was_valid = false;
    prfdata_plan_guard_region(&gathering, plan->regions);
    return prfdata_os_guarded(&gathering.guarded, check_regions, &gathering) && gathering.was_valid;
}

size_t prfdata_plan_bytes(const prfdata_plan *plan)
{
    return plan->bytes;
}

bool prfdata_plan_has_brackets(const prfdata_plan *plan)
{
    return plan->has_brackets;
}

/* Called under the guard. */
static void count_entered(void *context)
{
    prfdata_plan_gathering *gathering = context;
    const prfdata_plan *plan = gathering->plan;

    for (uint32_t i = 0; i < plan->region_count; i++) {
        const prfdata_region_header *header = (const void *)plan->regions[i].bytes;

        prfdata_plan_guard_region(gathering, &plan->regions[i]);
        gathering->entered += prfdata_load64_acquire(&header->entered);
    }
}

bool prfdata_plan_add_entered(const prfdata_plan *plan, uint64_t *entered)
{
    prfdata_plan_gathering gathering;

    if (plan->region_count == 0)
        return true;
    gathering.plan = plan;
    gathering.entered = 0;
    /* Because of the fence in prfdata_plan_guard_region(), `entered` is read after all values. */
    prfdata_plan_guard_region(&gathering, plan->regions);
    if (!prfdata_os_guarded(&gathering.guarded, count_entered, &gathering))
        return false;
    *entered += gathering.entered;
    return true;
}

/* ---- The object ---- */

/* Adds the plan's constants to the totals of all regions, and writes the totals. */
static void put_totals(const prfdata_plan *plan, uint64_t *totals, uint8_t *at)
{
    const prfdata_model_object *object = plan->object;

    prfdata_cells_add(object, plan->constants, NULL, true, totals);
    prfdata_cells_finish(object, totals);
    memcpy(at, plan->image + plan->definitions_bytes, plan->total_bytes);
    prfdata_reply_put_values(object, totals, at + plan->total_bytes - object->block_bytes);
}

/*
 * Records the sums of `count` regions, starting with `first`, in the carry, and adds them to the
 * totals.
 */
static prfdata_result take_sums(const prfdata_plan_gathering *gathering, uint32_t first,
                                uint32_t count, uint64_t *sums)
{
    const prfdata_plan *plan = gathering->plan;
    prfdata_result result;

    PRFDATA_CRASH_POINT("R: sums");
    result = prfdata_carry_record_sums(plan->carry, plan->installation, gathering->began,
                                       plan->object_index, plan->region_ids + first, count, sums);
    for (uint32_t i = 0; i < count; i++)
        prfdata_cells_add_counters(plan->object, sums + (size_t)i * plan->object->stored_count,
                                   NULL, true, gathering->totals);
    return result;
}

/*
 * The sizes of the scratch memory that put_with_words() has on the stack, in words:
 *
 *   SLOT_PARTS * FEW_SLOT_WORDS   a slot's cells, baselines and values
 *   FEW_SLOT_WORDS                the totals
 *   STACK_SUMS                    the sums of some regions
 *
 * Callers have small stacks. So if a slot is larger, the scratch memory is allocated.
 */
enum { FEW_SLOT_WORDS = 128, STACK_SUMS = 512, SLOT_PARTS = 3 };

static bool has_few_words(const prfdata_plan *plan)
{
    return plan->slot_words <= FEW_SLOT_WORDS;
}

/* How many regions to gather at a time. The scratch memory has room for the sums of this many. */
static uint32_t most_sums(const prfdata_plan *plan)
{
    const uint32_t stored_count = plan->object->stored_count;

    return has_few_words(plan) && stored_count > 0 ? STACK_SUMS / stored_count : 1;
}

static prfdata_result put_rows_and_totals(prfdata_plan_gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    const uint32_t most = most_sums(plan);
    uint64_t *sums = gathering->slot_values + 2 * (size_t)plan->slot_words;
    prfdata_result result = PRFDATA_DONE;
    uint32_t count;

    gathering->totals = gathering->slot_values + plan->slot_words;
    prfdata_cells_clear(plan->object, gathering->totals);
    for (uint32_t i = 0; i < plan->region_count && result == PRFDATA_DONE; i += count) {
        count = plan->region_count - i < most ? plan->region_count - i : most;
        gathering->sums = sums;
        if (!gather_guarded(gathering, &plan->regions[i], count))
            return PRFDATA_STALE;
        result = take_sums(gathering, i, count, sums);
    }
    if (result == PRFDATA_DONE)
        put_totals(plan, gathering->totals, gathering->at);
    return result;
}

static inline prfdata_result put_rows_only(prfdata_plan_gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;

    if (plan->region_count == 0 || gather_guarded(gathering, plan->regions, plan->region_count))
        return PRFDATA_DONE;
    return PRFDATA_STALE;
}

/* If there are few definitions, copying them inline is faster than calling memcpy(). */
static inline uint8_t *put_definitions(const prfdata_plan *plan, uint8_t *at)
{
    enum { FEW_BYTES = 1024 };

    if (plan->definitions_bytes <= FEW_BYTES)
        return prfdata_plan_put_image(at, plan->image, plan->definitions_bytes);
    memcpy(at, plan->image, plan->definitions_bytes);
    return at + plan->definitions_bytes;
}

/* Writes the rows, and the totals if there are any, with scratch memory. */
PRFDATA_NOINLINE static prfdata_result put_with_words(prfdata_plan_gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    uint64_t few[(SLOT_PARTS + 1) * FEW_SLOT_WORDS + STACK_SUMS];
    uint64_t *words = few;
    prfdata_result result;

    if (!has_few_words(plan))
        words = malloc((SLOT_PARTS + 2) * (size_t)plan->slot_words * sizeof *words);
    if (!words)
        return PRFDATA_STALE;
    gathering->slot_cells = words;
    gathering->slot_baselines = words + plan->slot_words;
    gathering->slot_values = words + 2 * (size_t)plan->slot_words;
    gathering->began = prfdata_load64_acquire(&plan->carry->recordings);
    if (plan->object->distribution_count > 0)
        gathering->time = prfdata_distribution_time();
    result = plan->has_totals ? put_rows_and_totals(gathering) : put_rows_only(gathering);
    gathering->slot_cells = NULL; /* the memory that these pointers refer to ends here */
    gathering->slot_baselines = NULL;
    gathering->slot_values = NULL;
    gathering->totals = NULL;
    if (words != few)
        free(words);
    return result;
}

prfdata_result prfdata_plan_put(const prfdata_plan *plan, uint32_t *tries_left, uint8_t *at)
{
    prfdata_plan_gathering gathering;

    PRFDATA_CRASH_POINT("R: plan");
    if (!is_current(plan))
        return PRFDATA_STALE;
    gathering.plan = plan;
    gathering.tries_left = tries_left;
    gathering.at = put_definitions(plan, at);
    return plan->slot_words > 0 ? put_with_words(&gathering) : put_rows_only(&gathering);
}
