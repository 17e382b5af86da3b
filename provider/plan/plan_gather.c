/* SPDX-License-Identifier: MIT */
/*
 * Gathers the rows of regions for a plan: copies each row's part of the plan's image, and reads the
 * cells in the views, under the guard. plan_put.c writes what precedes and follows the rows.
 */
#include "plan/plan_gather.h"

#include <string.h>

#include <prfdata/atomic.h>

#include "base/compiler.h"
#include "base/crash_points.h"
#include "plan/cell_simd.h"
#include "region/bracket.h"
#include "snapshot/distribution_windows.h"

/* ---- Values ---- */

/*
 * Writes one cell of a dense row. `baselines` and `sums` may be NULL. Compilers remove the checks
 * for NULL, because they know at each call which arguments are NULL.
 */
static inline void put_cell(uint8_t *at, const uint64_t *cells, const uint64_t *baselines,
                            uint64_t *sums, size_t i)
{
    uint64_t value = prfdata_load64_relaxed(&cells[i]);

    if (sums)
        sums[i] += value;
    if (baselines)
        value -= prfdata_load64_relaxed(&baselines[i]);
    memcpy(at + 8 * i, &value, sizeof value);
}

static inline void put_two_cells(uint8_t *at, const uint64_t *cells, const uint64_t *baselines,
                                 size_t i)
{
    prfdata_cell_simd_put(at + 8 * i, cells + i, baselines ? baselines + i : NULL);
}

/*
 * Writes eight cells at a time. Under Wine, writing two at a time takes a tenth longer for 100 rows
 * of 10 cells. This case is near its limit (P4 in docs/performance.md).
 */
static inline uint8_t *put_cells(uint8_t *at, const uint64_t *cells, const uint64_t *baselines,
                                 uint32_t count)
{
    uint8_t *const end = at + sizeof *cells * (size_t)count;

    for (uint32_t left = count; left >= 8; left -= 8) {
        for (size_t i = 0; i < 8; i += 2)
            put_two_cells(at, cells, baselines, i);
        at += 64;
        cells += 8;
        baselines = baselines ? baselines + 8 : NULL;
    }
    if (count & 4) {
        put_two_cells(at, cells, baselines, 0);
        put_two_cells(at, cells, baselines, 2);
        at += 32;
        cells += 4;
        baselines = baselines ? baselines + 4 : NULL;
    }
    if (count & 2)
        put_two_cells(at, cells, baselines, 0);
    if (count & 1)
        put_cell(at, cells, baselines, NULL, count & 2);
    return end;
}

static inline uint8_t *put_and_add_cells(uint8_t *at, const uint64_t *cells,
                                         const uint64_t *baselines, uint64_t *sums, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_cell(at, cells, baselines, sums, i);
    return at + 8 * count;
}

static void load_words(const uint64_t *shared, uint32_t count, uint64_t *words)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = prfdata_load64_relaxed(&shared[i]);
}

static uint32_t slot_index_of_cells(const prfdata_plan_region *region, const uint64_t *cells)
{
    const uint64_t *first = prfdata_region_cells_at(region->bytes, region->section, 0);

    return (uint32_t)((uint64_t)(cells - first) / (region->section->cell_stride / sizeof *cells));
}

/* Loads a slot's cells and baselines, including distributions. Adds the lanes to the cells. */
static void load_slot(const prfdata_plan_gathering *gathering, const uint64_t *cells,
                      const uint64_t *baselines)
{
    const prfdata_plan_region *region = gathering->region;
    const prfdata_model_object *object = gathering->plan->object;

    if (baselines)
        load_words(baselines, object->stored_count, gathering->slot_baselines);
    if (object->hot_count == 0)
        load_words(cells, object->stored_count, gathering->slot_cells);
    else
        prfdata_region_load_cells(gathering->slot_cells, region->bytes, object, region->section,
                                  slot_index_of_cells(region, cells));
    if (object->distribution_count > 0)
        prfdata_distribution_windows_load(
            region->bytes, object, region->section, slot_index_of_cells(region, cells),
            gathering->time, gathering->slot_cells, baselines ? gathering->slot_baselines : NULL);
}

/* Adds a loaded slot's counters to the region's sums, and the slot's windows to the totals. */
static void add_loaded_slot(const prfdata_plan_gathering *gathering, bool with_gauges)
{
    const prfdata_model_object *object = gathering->plan->object;
    const uint32_t first = object->stored_count;

    prfdata_cells_add_counters(object, gathering->slot_cells, NULL, with_gauges, gathering->sums);
    prfdata_cells_add_windows(gathering->slot_cells + first, NULL, object->cell_count - first,
                              gathering->totals + first);
}

/*
 * Writes a loaded slot's values as a merge would show them. The caller has copied the rest of the
 * row. If the plan has totals, also adds the slot to the sums and the totals.
 */
static uint8_t *put_loaded_row(const prfdata_plan_gathering *gathering, const prfdata_plan_row *row,
                               uint8_t *at)
{
    const prfdata_plan *plan = gathering->plan;
    const prfdata_model_object *object = plan->object;

    prfdata_cells_clear(object, gathering->slot_values);
    prfdata_cells_add(object, gathering->slot_cells,
                      row->baselines ? gathering->slot_baselines : NULL, true,
                      gathering->slot_values);
    prfdata_cells_finish(object, gathering->slot_values);
    if (plan->has_totals)
        add_loaded_slot(gathering, true);
    if (plan->is_dense) {
        memcpy(at, gathering->slot_values, object->cell_count * sizeof gathering->slot_values[0]);
        return at + object->cell_count * sizeof gathering->slot_values[0];
    }
    prfdata_reply_put_values(object, gathering->slot_values, at - object->block_bytes);
    return at;
}

PRFDATA_NOINLINE static uint8_t *put_merged_row(const prfdata_plan_gathering *gathering,
                                                const prfdata_plan_row *row, uint8_t *at)
{
    load_slot(gathering, row->cells, row->baselines);
    return put_loaded_row(gathering, row, at);
}

/*
 * Gathers the rows of a straight plan without totals. Baselines are subtracted only from
 * accumulating cells. So if a row has baselines, but some cells do not accumulate, put_merged_row()
 * writes the row.
 */
PRFDATA_NOINLINE static void gather_straight(prfdata_plan_gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    const uint32_t count = plan->object->cell_count;
    const prfdata_plan_row *row = gathering->region->rows;
    const prfdata_plan_row *end = row + gathering->region->row_count;
    uint8_t *at = gathering->at;

    for (; row < end; row++) {
        at = prfdata_plan_put_image(at, plan->image + row->image_offset, row->image_bytes);
        if (row->baselines && !plan->object->only_accumulates)
            at = put_merged_row(gathering, row, at);
        else if (row->baselines)
            at = put_cells(at, row->cells, row->baselines, count);
        else
            at = put_cells(at, row->cells, NULL, count);
    }
    gathering->at = at;
}

/* Gathers the rows of a straight plan with totals. Such a plan has only accumulating cells. */
PRFDATA_NOINLINE static void gather_straight_and_add(prfdata_plan_gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    const uint32_t count = plan->object->cell_count;
    const prfdata_plan_row *row = gathering->region->rows;
    const prfdata_plan_row *end = row + gathering->region->row_count;
    uint8_t *at = gathering->at;

    for (; row < end; row++) {
        at = prfdata_plan_put_image(at, plan->image + row->image_offset, row->image_bytes);
        if (row->baselines)
            at = put_and_add_cells(at, row->cells, row->baselines, gathering->sums, count);
        else
            at = put_and_add_cells(at, row->cells, NULL, gathering->sums, count);
    }
    gathering->at = at;
}

/* ---- Slots with brackets ---- */

/*
 * Loads the cells of a slot at a moment with no thread inside its bracket. Returns false if no such
 * moment was found before the answer's tries were used up.
 */
PRFDATA_NOINLINE static bool load_whole_slot(prfdata_plan_gathering *gathering,
                                             const uint64_t *cells, const uint64_t *baselines)
{
    const prfdata_plan_region *region = gathering->region;
    const prfdata_region_slot *slot =
        prfdata_region_slot_at(region->bytes, region->section, slot_index_of_cells(region, cells));

    for (; *gathering->tries_left > 0; --*gathering->tries_left) {
        uint64_t entered;
        const bool is_empty = prfdata_bracket_begin(&slot->entered, &slot->left, &entered);

        PRFDATA_CRASH_POINT("R: bracket");
        load_slot(gathering, cells, baselines);
        prfdata_fence_acquire();
        if (is_empty && prfdata_bracket_end(&slot->entered, entered))
            return true;
        prfdata_bracket_wait();
    }
    return false;
}

static bool load_slot_of_region(prfdata_plan_gathering *gathering, const uint64_t *cells,
                                const uint64_t *baselines)
{
    if (gathering->region->has_brackets && gathering->plan->object->has_instances)
        return load_whole_slot(gathering, cells, baselines);
    load_slot(gathering, cells, baselines);
    return true;
}

/* Gathers rows slot by slot. Returns false if some slot could not be loaded. */
PRFDATA_NOINLINE static bool gather_slots(prfdata_plan_gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    uint8_t *at = gathering->at;

    for (uint32_t i = 0; i < gathering->region->row_count; i++) {
        const prfdata_plan_row *row = &gathering->region->rows[i];

        at = prfdata_plan_put_image(at, plan->image + row->image_offset, row->image_bytes);
        if (!load_slot_of_region(gathering, row->cells, row->baselines))
            return false;
        at = put_loaded_row(gathering, row, at);
    }
    gathering->at = at;
    return true;
}

/*
 * Adds slots without a row to the sums and the totals. Returns false if some slot could not be
 * loaded.
 */
static bool add_rowless(prfdata_plan_gathering *gathering)
{
    for (uint32_t i = 0; i < gathering->region->rowless_count; i++) {
        if (!load_slot_of_region(gathering, gathering->region->rowless[i], NULL))
            return false;
        add_loaded_slot(gathering, i < gathering->region->live_rowless_count);
    }
    return true;
}

/* ---- Regions ---- */

static bool put_rows(prfdata_plan_gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;

    if (gathering->region->has_brackets || !plan->is_straight)
        return gather_slots(gathering);
    if (plan->has_totals)
        gather_straight_and_add(gathering);
    else
        gather_straight(gathering);
    return true;
}

/* Whether the region has changed since the merge. If so, its rows need not be read. */
static inline bool has_structure_changed(const prfdata_plan_region *region)
{
    const prfdata_region_header *header = (const void *)region->bytes;
    const prfdata_region_header *merged = (const void *)region->head;

    return prfdata_load64_relaxed(&header->structure) != merged->structure;
}

/*
 * Waits for a moment with no thread inside a bracket around all instances. Returns false if no such
 * moment was found before the answer's tries were used up.
 */
PRFDATA_NOINLINE static bool meets_no_bracket(prfdata_plan_gathering *gathering)
{
    const prfdata_region_header *header = (const void *)gathering->region->bytes;

    for (; *gathering->tries_left > 0; --*gathering->tries_left) {
        if (prfdata_bracket_begin(&header->entered, &header->left, &gathering->entered))
            return true;
        prfdata_bracket_wait();
    }
    return false;
}

/*
 * Whether no thread has entered a bracket around all instances since meets_no_bracket() returned
 * true.
 */
static bool has_met_no_bracket(const prfdata_plan_gathering *gathering)
{
    const prfdata_region_header *header = (const void *)gathering->region->bytes;

    return prfdata_bracket_end(&header->entered, gathering->entered);
}

/*
 * Returns whether the region was still unchanged after the last read, and was read with no thread
 * inside a bracket.
 */
static bool gather_region(prfdata_plan_gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    const prfdata_plan_region *region = gathering->region;

    if (has_structure_changed(region) || (region->has_brackets && !meets_no_bracket(gathering)))
        return false;
    PRFDATA_CRASH_POINT("R: planned");
    if (plan->has_totals)
        prfdata_cells_clear_counters(plan->object, gathering->sums);
    if (!put_rows(gathering) || (plan->has_totals && !add_rowless(gathering)))
        return false;
    PRFDATA_CRASH_POINT("R: gathered");
    prfdata_fence_acquire();
    return prfdata_plan_is_unchanged(region) &&
           (!region->has_brackets || has_met_no_bracket(gathering));
}

/*
 * How many regions ahead the header and the first row are prefetched. Each region has its own
 * pages, which the processor does not prefetch by itself. A larger number costs more than it saves.
 */
enum { FETCH_AHEAD = 4 };

static void fetch_ahead(const prfdata_plan_region *region)
{
    prfdata_prefetch(region->bytes);
    if (region->row_count > 0)
        prfdata_prefetch(region->rows[0].cells);
}

void prfdata_plan_gather_regions(void *context)
{
    prfdata_plan_gathering *gathering = context;
    const prfdata_plan *plan = gathering->plan;
    const prfdata_plan_region *last = plan->regions + plan->region_count;
    const prfdata_plan_region *region = gathering->region;

    for (;;) {
        region++;
        if (last - region >= FETCH_AHEAD)
            fetch_ahead(region + FETCH_AHEAD - 1);
        if (!gather_region(gathering))
            return;
        if (region == gathering->end)
            break;
        if (plan->has_totals)
            gathering->sums += plan->object->stored_count;
        prfdata_plan_guard_region(gathering, region);
    }
    gathering->was_valid = true;
}
