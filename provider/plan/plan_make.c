/* SPDX-License-Identifier: MIT */
/*
 * Makes a plan from a finished merge and the reply that was written from it. Copies the rendered
 * bytes; reply.c renders them. Reads no view.
 */
#include "plan/plan_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/perf_wire.h"
#include "names/names.h"
#include "snapshot/distribution_windows.h"

/* ---- Which objects can have a plan ---- */

/*
 * Returns 0 for the health object, because its values come from this process, not from regions
 * (health.h).
 */
static uint32_t region_count_of(const prfdata_merge *merge, const prfdata_merge_object *from)
{
    return merge->model->health_index == from->index ? 0 : merge->region_count;
}

static const prfdata_mapping *mapping_of(const prfdata_merge *merge, uint32_t region)
{
    return merge->snapshots[region]->mapping;
}

/* Whether a region no longer changes, because its program has ended. */
static bool is_constant(const prfdata_merge *merge, uint32_t region)
{
    return merge->snapshots[region]->is_summary;
}

static bool has_mean_of_totals(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].options & PRFDATA_OPTION_TOTAL_MEAN)
            return true;
    return false;
}

/* Whether every instance has a single contributor, and no instance was left out. */
static bool has_one_slot_per_row(const prfdata_merge_object *from)
{
    if (from->too_many > 0 || from->part_count != from->row_count)
        return false;
    for (uint32_t i = 0; i < from->row_count; i++)
        if (from->parts[i].row != i)
            return false;
    return true;
}

/*
 * Whether the rows of each region are contiguous, so that they can be read between two checks of
 * the region's header. Returns false if an ended program has a row.
 */
static bool are_rows_in_order_of_regions(const prfdata_merge *merge,
                                         const prfdata_merge_object *from)
{
    for (uint32_t i = 0; i < from->row_count; i++)
        if (is_constant(merge, from->parts[i].region) ||
            (i > 0 && from->parts[i].region < from->parts[i - 1].region))
            return false;
    return true;
}

/*
 * Whether all regions that may change have the current map. If a region has another map, its cells
 * are at other positions.
 */
static bool have_regions_shown_map(const prfdata_merge *merge, const prfdata_merge_object *from)
{
    for (uint32_t i = 0; i < region_count_of(merge, from); i++)
        if (!is_constant(merge, i) &&
            mapping_of(merge, i)->version->model->hash != merge->model->hash)
            return false;
    return true;
}

/*
 * Whether an ended program has values in a window. They are not constant, because they leave the
 * window as time passes.
 */
static bool has_ageing_constants(const prfdata_merge *merge, const prfdata_merge_object *from)
{
    for (uint32_t i = 0; i < region_count_of(merge, from); i++)
        if (is_constant(merge, i) && merge->snapshots[i]->objects[from->index].is_ageing)
            return true;
    return false;
}

/*
 * Whether each region's structure word was even, and stayed the same while the region was copied.
 * Otherwise a slot may be half old and half new.
 */
static bool were_regions_at_rest(const prfdata_merge *merge, const prfdata_merge_object *from)
{
    for (uint32_t i = 0; i < region_count_of(merge, from); i++)
        if (!is_constant(merge, i) && !merge->snapshots[i]->was_at_rest)
            return false;
    return true;
}

bool prfdata_plan_is_possible(const prfdata_merge *merge, uint32_t object_index)
{
    const prfdata_merge_object *from = &merge->objects[object_index];

    return !from->has_records && !has_mean_of_totals(from->model_object) &&
           were_regions_at_rest(merge, from) && !has_ageing_constants(merge, from) &&
           has_one_slot_per_row(from) && are_rows_in_order_of_regions(merge, from) &&
           have_regions_shown_map(merge, from);
}

/* ---- The parts ---- */

static bool is_dense_object(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        if (counter->value_bytes > 0 &&
            (counter->value_bytes != 8 || counter->block_offset != 8 + 8 * counter->cell_index))
            return false;
    }
    return object->block_bytes == 8 + 8 * object->cell_count;
}

/*
 * Whether a counter of the object is merged as a maximum. If its cell is INT64_MIN, a merge shows 0
 * (prfdata_cells_finish()). So rows cannot be copied straight from their cells.
 */
static bool has_other_initial_value(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (prfdata_merging_initial_value(object->counters[i].merging) != 0)
            return true;
    return false;
}

static const prfdata_region_section *section_of(const prfdata_merge *merge,
                                                const prfdata_merge_object *from, uint32_t region)
{
    return &mapping_of(merge, region)->layout->sections[from->index];
}

/* Whether all rows can be copied straight from the view, without scratch memory. */
static bool has_only_cells(const prfdata_plan *plan)
{
    if (!plan->is_straight || plan->has_totals || plan->has_brackets)
        return false;
    for (uint32_t i = 0; i < plan->row_count; i++)
        if (plan->rows[i].baselines && !plan->object->only_accumulates)
            return false;
    return true;
}

static uint32_t count_slot_words(const prfdata_merge *merge, const prfdata_merge_object *from,
                                 const prfdata_plan *plan)
{
    uint32_t most = from->model_object->cell_count > 0 ? from->model_object->cell_count : 1;

    if (has_only_cells(plan))
        return 0;
    for (uint32_t i = 0; i < region_count_of(merge, from); i++) {
        uint32_t loaded;

        if (is_constant(merge, i))
            continue;
        loaded = section_of(merge, from, i)->cell_stride / (uint32_t)sizeof(uint64_t);
        if (loaded > most)
            most = loaded;
    }
    return most;
}

static const uint64_t *cells_in_view(const prfdata_merge *merge, const prfdata_merge_object *from,
                                     uint32_t region, uint32_t slot_index)
{
    return prfdata_region_cells_at(mapping_of(merge, region)->view.bytes,
                                   section_of(merge, from, region), slot_index);
}

static bool has_no_row(const prfdata_merge_object *from, uint32_t region, uint32_t position)
{
    return !from->model_object->has_instances || from->slot_rows[region][position] == PRFDATA_NONE;
}

/*
 * Appends the slots without a row to the plan's list `rowless`: only the live slots if `is_live` is
 * set, otherwise only those that are not live.
 */
static void fill_rowless(const prfdata_merge *merge, const prfdata_merge_object *from, bool is_live,
                         uint32_t region, prfdata_plan *plan, uint32_t *rowless_count)
{
    const prfdata_snapshot *snapshot = merge->snapshots[region];
    const prfdata_snapshot_object *copied = &snapshot->objects[from->index];

    for (uint32_t i = 0; i < copied->count; i++)
        if (has_no_row(from, region, i) &&
            prfdata_snapshot_slot_is_live(snapshot, &copied->slots[i]) == is_live)
            plan->rowless[(*rowless_count)++] =
                cells_in_view(merge, from, region, copied->slots[i].slot_index);
}

static void fill_row(const prfdata_merge *merge, const prfdata_merge_object *from,
                     const prfdata_merge_part *part, prfdata_plan_row *row)
{
    const prfdata_snapshot_slot *slot =
        &merge->snapshots[part->region]->objects[from->index].slots[part->position];

    row->cells = cells_in_view(merge, from, part->region, slot->slot_index);
    row->baselines =
        slot->has_baseline
            ? prfdata_region_baselines_at(mapping_of(merge, part->region)->view.bytes,
                                          section_of(merge, from, part->region), slot->slot_index)
            : NULL;
}

/* `row` and `rowless_count` count what was filled in so far: rows, and slots without a row. */
static void fill_region(const prfdata_merge *merge, const prfdata_merge_object *from,
                        prfdata_plan *plan, uint32_t index, uint32_t *row, uint32_t *rowless_count)
{
    const prfdata_mapping *mapping = mapping_of(merge, index);
    const prfdata_snapshot *snapshot = merge->snapshots[index];
    prfdata_plan_region *region = &plan->regions[plan->region_count];

    static_assert(sizeof region->head == sizeof snapshot->head, "the first line of the header");
    plan->region_ids[plan->region_count++] = mapping->id;
    region->bytes = mapping->view.bytes;
    region->size = mapping->view.size;
    region->section = section_of(merge, from, index);
    region->has_brackets = snapshot->has_brackets;
    plan->has_brackets |= region->has_brackets;
    memcpy(region->head, snapshot->head, sizeof region->head);
    region->rows = &plan->rows[*row];
    for (; *row < from->row_count && from->parts[*row].region == index; ++*row)
        fill_row(merge, from, &from->parts[*row], &plan->rows[*row]);
    region->row_count = (uint32_t)(&plan->rows[*row] - region->rows);
    region->rowless = &plan->rowless[*rowless_count];
    if (plan->has_totals)
        fill_rowless(merge, from, true, index, plan, rowless_count);
    region->live_rowless_count = (uint32_t)(&plan->rowless[*rowless_count] - region->rowless);
    if (plan->has_totals)
        fill_rowless(merge, from, false, index, plan, rowless_count);
    region->rowless_count = (uint32_t)(&plan->rowless[*rowless_count] - region->rowless);
}

static void fill_regions(const prfdata_merge *merge, const prfdata_merge_object *from,
                         prfdata_plan *plan)
{
    uint32_t row = 0;
    uint32_t rowless_count = 0;

    for (uint32_t i = 0; i < region_count_of(merge, from); i++)
        if (!is_constant(merge, i))
            fill_region(merge, from, plan, i, &row, &rowless_count);
}

/*
 * Copies the definitions, the total and the rows. Of a dense row, copies only what precedes the
 * cells.
 */
static void fill_image(const prfdata_merge_object *from, const uint8_t *bytes, prfdata_plan *plan)
{
    const prfdata_model_object *object = from->model_object;
    const uint8_t *at = bytes + plan->definitions_bytes;
    const uint32_t left_out = plan->is_dense ? 8 * object->cell_count : 0;
    uint8_t *to = plan->image + plan->definitions_bytes + plan->total_bytes;

    memcpy(plan->image, bytes, plan->definitions_bytes);
    for (uint32_t i = 0; i < from->row_count; i++) {
        const uint32_t name_chars = from->rows[i].name_chars;
        const uint32_t row_bytes = (uint32_t)prfdata_model_row_bytes(object, name_chars);

        plan->rows[i].image_offset = (uint32_t)(to - plan->image);
        plan->rows[i].image_bytes = row_bytes - left_out;
        memcpy(to, at, plan->rows[i].image_bytes);
        to += plan->rows[i].image_bytes;
        at += row_bytes;
    }
    memcpy(plan->image + plan->definitions_bytes, at, plan->total_bytes);
}

/*
 * Computes the part of the totals that does not come from views: the counts of ended programs, and
 * carried counts. For a time stamp, this part is the newest time stamp of all programs.
 */
static void fill_constants(const prfdata_merge *merge, const prfdata_merge_object *from,
                           prfdata_plan *plan)
{
    const prfdata_model_object *object = from->model_object;

    prfdata_cells_clear(plan->object, plan->constants);
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_merging merging = object->counters[i].merging;
        const uint32_t c = object->counters[i].cell_index;

        if (prfdata_merging_outlives(merging))
            plan->constants[c] = from->totals[c];
        for (uint32_t s = 0;
             merging == PRFDATA_MERGING_ACCUMULATE && s < region_count_of(merge, from); s++)
            if (!is_constant(merge, s))
                plan->constants[c] -= from->sums[(size_t)s * object->stored_count + c];
    }
}

/* ---- Memory ---- */

/*
 * Returns how many regions may change. `rowless_count` gets the number of their slots without a
 * row; 0 if there are no totals.
 */
static uint32_t count_parts(const prfdata_merge *merge, const prfdata_merge_object *from,
                            bool has_totals, uint32_t *rowless_count)
{
    uint32_t region_count = 0;
    uint32_t slot_count = 0;

    for (uint32_t i = 0; i < region_count_of(merge, from); i++) {
        if (is_constant(merge, i))
            continue;
        region_count++;
        slot_count += merge->snapshots[i]->objects[from->index].count;
    }
    *rowless_count = has_totals ? slot_count - from->row_count : 0;
    return region_count;
}

/*
 * Allocates a plan and all its parts as one block. Parts that need an alignment of 8 bytes come
 * first.
 */
static prfdata_plan *allocate_plan(const prfdata_merge *merge, const prfdata_merge_object *from,
                                   size_t image_bytes)
{
    const bool has_totals = prfdata_merge_has_totals(from->model_object);
    const uint32_t row_count = from->row_count;
    const uint32_t cell_count = from->model_object->cell_count;
    uint32_t rowless_count;
    const uint32_t region_count = count_parts(merge, from, has_totals, &rowless_count);
    const size_t region_bytes = region_count * sizeof(prfdata_plan_region);
    prfdata_plan *made =
        malloc(sizeof *made + region_bytes + row_count * sizeof(prfdata_plan_row) +
               rowless_count * sizeof made->rowless[0] +
               ((size_t)region_count + cell_count) * sizeof(uint64_t) + image_bytes);

    if (!made)
        return NULL;
    memset(made, 0, sizeof *made + region_bytes);
    made->references = 1;
    made->has_totals = has_totals;
    made->regions = (void *)(made + 1);
    made->region_ids = (void *)(made->regions + region_count);
    made->constants = made->region_ids + region_count;
    made->rows = (void *)(made->constants + cell_count);
    made->rowless = (void *)(made->rows + row_count);
    made->image = (void *)(made->rowless + rowless_count);
    made->row_count = row_count;
    return made;
}

void prfdata_plan_retain(prfdata_plan *plan)
{
    plan->references++;
}

bool prfdata_plan_drop(prfdata_plan *plan)
{
    return --plan->references == 0;
}

void prfdata_plan_free(prfdata_plan *plan)
{
    free(plan); /* all its parts are in the same allocation */
}

/* ---- The whole ---- */

static void describe_plan(const prfdata_merge_object *from, prfdata_plan *plan)
{
    const prfdata_model_object *object = from->model_object;

    plan->carried_version = from->carried_version;
    plan->object_index = from->index;
    plan->object = object;
    plan->is_dense = is_dense_object(object);
    plan->is_straight =
        plan->is_dense && object->hot_count == 0 &&
        (object->only_accumulates || (!plan->has_totals && !has_other_initial_value(object)));
    if (plan->has_totals)
        plan->total_bytes = object->has_instances
                                ? prfdata_model_row_bytes(object, PRFDATA_NAMES_TOTAL_CHARS)
                                : object->block_bytes;
}

prfdata_plan *prfdata_plan_make(const prfdata_merge *merge, prfdata_carry *carry, uint64_t number,
                                uint64_t installation, uint32_t object_index, const uint8_t *bytes)
{
    const prfdata_merge_object *from = &merge->objects[object_index];
    const size_t object_bytes = (size_t)prfdata_reply_object_bytes(merge, object_index);
    prfdata_plan *plan = allocate_plan(merge, from, object_bytes);

    if (!plan)
        return NULL;
    plan->carry = carry;
    plan->number = number;
    plan->installation = installation;
    plan->bytes = object_bytes;
    plan->definitions_bytes = merge->templates[object_index]->definition_length;
    describe_plan(from, plan);
    fill_regions(merge, from, plan);
    plan->slot_words = count_slot_words(merge, from, plan);
    fill_image(from, bytes, plan);
    if (plan->has_totals)
        fill_constants(merge, from, plan);
    return plan;
}
