/* SPDX-License-Identifier: MIT */
/*
 * Writing an object by its plan. From a view only cells and the header's words are read, under a
 * guard, and only what was as planned before and after counts. Does not know how a row is made.
 */
#include "provider/plan_rows.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "core/crash_points.h"

/* ---- Regions ---- */

/*
 * The word moves with any slot of the region. Whether those of this object are what they were: a
 * tag never comes back. A slot that is being given to another name has changed its tag first.
 */
static bool are_tags_as_planned(const prfdata_plan_source *source)
{
    if (prfdata_region_used_count(source->bytes, source->section) != source->used_count)
        return false;
    for (uint32_t i = 0; i < source->used_count; i++)
        if (prfdata_load32_relaxed(
                &prfdata_region_slot_at(source->bytes, source->section, i)->tag) != source->tags[i])
            return false;
    return true;
}

/* The same where the word has moved. */
static bool are_slots_as_planned(const prfdata_plan_source *source, bool has_instances,
                                 uint64_t word)
{
    const prfdata_region_header *header = (const void *)source->bytes;

    if (word == prfdata_load64_relaxed(source->structure))
        return true;
    if (has_instances && !are_tags_as_planned(source))
        return false;
    prfdata_fence_acquire();
    if (prfdata_region_is_steady(word) && prfdata_load64_relaxed(&header->structure) == word)
        prfdata_store64_relaxed(source->structure, word);
    return true;
}

/* Whether slots and state are what they were. */
static inline bool is_as_planned(const prfdata_plan_source *source, bool has_instances)
{
    const prfdata_region_header *header = (const void *)source->bytes;
    const uint64_t word = prfdata_load64_acquire(&header->structure);

    if (!prfdata_plan_is_header_as_planned(source))
        return false;
    return word == source->head[PRFDATA_PLAN_STRUCTURE] ||
           are_slots_as_planned(source, has_instances, word);
}

/* Wait for a moment with no thread inside a bracket around all instances, if there is one soon. */
static bool meets_no_bracket(prfdata_plan_gathering *gathering)
{
    const prfdata_region_header *header = (const void *)gathering->source->bytes;

    for (; *gathering->tries_left > 0; --*gathering->tries_left) {
        const uint64_t left = prfdata_load64_acquire(&header->left);

        gathering->entered = prfdata_load64_acquire(&header->entered);
        if (left == gathering->entered)
            return true;
        prfdata_plan_pause();
    }
    return false;
}

/* Whether none was entered since. */
static bool has_met_no_bracket(const prfdata_plan_gathering *gathering)
{
    const prfdata_region_header *header = (const void *)gathering->source->bytes;

    return prfdata_load64_relaxed(&header->entered) == gathering->entered;
}

static bool is_source_steady(const prfdata_plan_gathering *gathering)
{
    return is_as_planned(gathering->source, gathering->plan->cells.object->has_instances);
}

/* Returns whether the source was as planned, before and after. */
static bool gather_source(prfdata_plan_gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    const bool has_brackets = gathering->source->has_brackets;

    if (!is_source_steady(gathering) || (has_brackets && !meets_no_bracket(gathering)))
        return false;
    PRFDATA_CRASH_POINT("R: planned");
    if (plan->has_sums)
        prfdata_cells_clear(&plan->cells, gathering->sums);
    if (!prfdata_plan_put_rows(gathering) || (plan->has_sums && !prfdata_plan_add_rests(gathering)))
        return false;
    PRFDATA_CRASH_POINT("R: gathered");
    prfdata_fence_acquire();
    return is_source_steady(gathering) && (!has_brackets || has_met_no_bracket(gathering));
}

/* The guard's window moves on to the view of a source. */
static void open_window(prfdata_plan_gathering *gathering, const prfdata_plan_source *source)
{
    gathering->source = source;
    gathering->window.bytes = source->bytes;
    gathering->window.size = source->size;
    prfdata_fence_acquire(); /* for the compiler: the guard reads it when a load faults */
}

/*
 * Each region has pages of its own, where the processor does not look ahead: header and first row
 * are asked for some regions early. More than these costs more than it saves.
 */
enum { FETCH_AHEAD = 4 };

static void fetch_ahead(const prfdata_plan *plan, const prfdata_plan_source *source)
{
    prfdata_prefetch(source->bytes);
    if (source->row_count > 0)
        prfdata_prefetch(plan->rows[source->first_row].cells);
}

/* Guarded. All sources from the present one on. */
static void gather_sources(void *context)
{
    prfdata_plan_gathering *gathering = context;
    const prfdata_plan *plan = gathering->plan;
    const prfdata_plan_source *last = plan->sources + plan->source_count;
    const prfdata_plan_source *source = gathering->source;

    for (;;) {
        source++;
        if (last - source >= FETCH_AHEAD)
            fetch_ahead(plan, source + FETCH_AHEAD - 1);
        if (!gather_source(gathering))
            return;
        if (source == gathering->end)
            break;
        if (plan->has_sums)
            gathering->sums += plan->cells.object->cell_count;
        open_window(gathering, source);
    }
    gathering->is_steady = true;
}

/* From a source on, so many. */
static bool gather_guarded(prfdata_plan_gathering *gathering, const prfdata_plan_source *source,
                           uint32_t count)
{
    gathering->end = source + count;
    open_window(gathering, source);
    gathering->is_steady = false;
    return prfdata_os_guarded(&gathering->window, gather_sources, gathering) &&
           gathering->is_steady;
}

/* Guarded. */
static void look_at_sources(void *context)
{
    prfdata_plan_gathering *gathering = context;
    const prfdata_plan *plan = gathering->plan;

    for (uint32_t i = 0; i < plan->source_count; i++) {
        open_window(gathering, &plan->sources[i]);
        if (!is_source_steady(gathering))
            return;
    }
    gathering->is_steady = true;
}

bool prfdata_plan_is_steady(const prfdata_plan *plan)
{
    prfdata_plan_gathering gathering;

    if (plan->source_count == 0)
        return true;
    gathering.plan = plan;
    gathering.is_steady = false;
    open_window(&gathering, plan->sources);
    return prfdata_os_guarded(&gathering.window, look_at_sources, &gathering) &&
           gathering.is_steady;
}

/* Guarded. */
static void count_entered(void *context)
{
    prfdata_plan_gathering *gathering = context;
    const prfdata_plan *plan = gathering->plan;

    for (uint32_t i = 0; i < plan->source_count; i++) {
        const prfdata_region_header *header = (const void *)plan->sources[i].bytes;

        open_window(gathering, &plan->sources[i]);
        gathering->entered += prfdata_load64_acquire(&header->entered);
    }
}

bool prfdata_plan_add_entered(const prfdata_plan *plan, uint64_t *entered)
{
    prfdata_plan_gathering gathering;

    if (plan->source_count == 0)
        return true;
    gathering.plan = plan;
    gathering.entered = 0;
    open_window(&gathering, plan->sources); /* its fence: what was gathered is older */
    if (!prfdata_os_guarded(&gathering.window, count_entered, &gathering))
        return false;
    *entered += gathering.entered;
    return true;
}

/* ---- The object ---- */

/* Put the sums, after all sources were added. */
static void put_sums(const prfdata_plan *plan, uint64_t *totals, uint8_t *at)
{
    const prfdata_model_object *object = plan->cells.object;

    prfdata_cells_add(&plan->cells, plan->constants, NULL, true, totals);
    prfdata_cells_finish(&plan->cells, totals);
    memcpy(at, plan->image + plan->head_bytes, plan->total_bytes);
    prfdata_plan_put_values(object, totals, at + plan->total_bytes - object->block_bytes);
}

/* Add to the totals what some sources, from `first` on, have contributed, and record it. */
static uint32_t take_sums(const prfdata_plan *plan, const prfdata_carry_shape *shape,
                          prfdata_carry *carry, uint32_t first, uint32_t count,
                          const uint64_t *sums, uint64_t *totals)
{
    for (uint32_t i = 0; i < count; i++)
        prfdata_cells_add(&plan->cells, sums + (size_t)i * plan->cells.object->cell_count, NULL,
                          true, totals);
    return prfdata_carry_record_sums(carry, shape, plan->object_index, plan->regions + first, count,
                                     sums);
}

/* For how many sources at a time there is room; an object may have no cells. */
static uint32_t count_at_a_time(const prfdata_plan *plan)
{
    const uint32_t cell_count = plan->cells.object->cell_count;

    return cell_count > 0 ? PRFDATA_MAX_COUNTERS / cell_count : 1;
}

/*
 * Gather the rows and their sums, of `most` sources at a time.
 *
 * sums, totals  Room for those of so many sources, and for one.
 */
static uint32_t put_rows_and_sums(prfdata_plan_gathering *gathering,
                                  const prfdata_carry_shape *shape, prfdata_carry *carry,
                                  uint32_t most, uint64_t *sums, uint64_t *totals)
{
    const prfdata_plan *plan = gathering->plan;
    uint32_t error = ERROR_SUCCESS;
    uint32_t count;

    prfdata_cells_clear(&plan->cells, totals);
    for (uint32_t i = 0; i < plan->source_count && !error; i += count) {
        count = plan->source_count - i < most ? plan->source_count - i : most;
        gathering->sums = sums;
        if (!gather_guarded(gathering, &plan->sources[i], count))
            return ERROR_NOT_FOUND;
        error = take_sums(plan, shape, carry, i, count, sums, totals);
    }
    if (!error)
        put_sums(plan, totals, gathering->at);
    return error;
}

static uint32_t put_rows_and_sums_on_stack(prfdata_plan_gathering *gathering,
                                           const prfdata_carry_shape *shape, prfdata_carry *carry)
{
    uint64_t sums[PRFDATA_MAX_COUNTERS];
    uint64_t totals[PRFDATA_MAX_COUNTERS];

    return put_rows_and_sums(gathering, shape, carry, count_at_a_time(gathering->plan), sums,
                             totals);
}

static uint32_t put_rows_only(prfdata_plan_gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;

    if (plan->source_count == 0 || gather_guarded(gathering, plan->sources, plan->source_count))
        return ERROR_SUCCESS;
    return ERROR_NOT_FOUND;
}

/* Windows need more room than a stack has. */
static uint32_t put_rows_with_windows(prfdata_plan_gathering *gathering,
                                      const prfdata_carry_shape *shape, prfdata_carry *carry)
{
    const prfdata_plan *plan = gathering->plan;
    const size_t count = plan->slot_words;
    uint64_t *words = malloc(5 * count * sizeof *words);
    uint32_t error;

    if (!words)
        return ERROR_NOT_FOUND;
    gathering->words = words;
    gathering->time = prfdata_distribution_time();
    if (plan->has_sums)
        error = put_rows_and_sums(gathering, shape, carry, 1, words + 3 * count, words + 4 * count);
    else
        error = put_rows_only(gathering);
    free(words);
    return error;
}

/* The definitions of a few counters take less in line than by a call. */
static inline uint8_t *put_head(const prfdata_plan *plan, uint8_t *at)
{
    enum { FEW_BYTES = 1024 };

    if (plan->head_bytes <= FEW_BYTES)
        return prfdata_plan_put_image(at, plan->image, plan->head_bytes);
    memcpy(at, plan->image, plan->head_bytes);
    return at + plan->head_bytes;
}

uint32_t prfdata_plan_put(const prfdata_plan *plan, const prfdata_carry_shape *shape,
                          prfdata_carry *carry, uint32_t *tries_left, uint8_t *at)
{
    prfdata_plan_gathering gathering;

    PRFDATA_CRASH_POINT("R: plan");
    gathering.plan = plan;
    gathering.tries_left = tries_left;
    gathering.at = put_head(plan, at);
    if (plan->slot_words > 0)
        return put_rows_with_windows(&gathering, shape, carry);
    return plan->has_sums ? put_rows_and_sums_on_stack(&gathering, shape, carry)
                          : put_rows_only(&gathering);
}
