/* SPDX-License-Identifier: MIT */
/*
 * Making a plan of what was merged and written. Knows the layout of a reply from the bytes that are
 * there, not how they are rendered; reads no view.
 */
#include "plan/plan_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "core/perf_wire.h"
#include "snapshot/recent.h"

/* ---- What fits a plan ---- */

/* What one plan is made from. */
struct planning {
    const prfdata_plan_merge *merge;
    const prfdata_merge_source *sources; /* source_count of them; none for the service's health */
    uint32_t source_count;
    uint32_t object_index;
    const prfdata_model_object *object;
    const prfdata_merge_object *merged;
};

static const prfdata_attached *attached_of(const struct planning *planning, uint32_t source)
{
    return planning->merge->origins[source]->attached;
}

static bool is_constant_source(const prfdata_merge_source *source)
{
    return source->snapshot->is_summary;
}

static bool has_mean_of_totals(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].options & PRFDATA_OPTION_TOTAL_MEAN)
            return true;
    return false;
}

/* Each row comes from one slot, in the order of the sources, and their regions have this shape. */
static bool has_plain_rows(const struct planning *planning)
{
    const prfdata_merge_object *merged = planning->merged;

    if (merged->dropped > 0 || merged->part_count != merged->row_count)
        return false;
    for (uint32_t i = 0; i < merged->row_count; i++)
        if (merged->parts[i].row != i ||
            is_constant_source(&planning->sources[merged->parts[i].source]) ||
            (i > 0 && merged->parts[i].source < merged->parts[i - 1].source))
            return false;
    for (uint32_t i = 0; i < planning->source_count; i++)
        if (!is_constant_source(&planning->sources[i]) &&
            attached_of(planning, i)->version->model->hash != planning->merge->shape->model->hash)
            return false;
    return true;
}

/* What ended programs recorded in the last minute is no constant. */
static bool has_ageing_constants(const struct planning *planning)
{
    for (uint32_t i = 0; i < planning->source_count; i++)
        if (is_constant_source(&planning->sources[i]) &&
            planning->sources[i].snapshot->objects[planning->object_index].is_ageing)
            return true;
    return false;
}

/* Slots that change while they are copied may be half of before and half of after. */
static bool were_sources_at_rest(const struct planning *planning)
{
    for (uint32_t i = 0; i < planning->source_count; i++)
        if (!is_constant_source(&planning->sources[i]) && !planning->sources[i].snapshot->is_steady)
            return false;
    return true;
}

static bool fits_plan(const struct planning *planning)
{
    return planning->merged->is_plain && !has_mean_of_totals(planning->object) &&
           were_sources_at_rest(planning) && !has_ageing_constants(planning) &&
           has_plain_rows(planning);
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

static bool has_maximum(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].merge == PRFDATA_MERGE_MAX)
            return true;
    return false;
}

static const prfdata_region_section *section_of(const struct planning *planning, uint32_t source)
{
    return &attached_of(planning, source)->layout->sections[planning->object_index];
}

/* Whether all rows are cells in the view, or differences of them, and nothing else counts. */
static bool has_only_cells(const prfdata_plan *plan)
{
    if (!plan->is_straight || plan->has_sums || plan->has_brackets)
        return false;
    for (uint32_t i = 0; i < plan->row_count; i++)
        if (plan->rows[i].baselines && !plan->cells.only_accumulate)
            return false;
    return true;
}

/* As many as a snapshot has for a slot, if anything is made of one. */
static uint32_t count_slot_words(const struct planning *planning, const prfdata_plan *plan)
{
    uint32_t most = planning->object->cell_count > 0 ? planning->object->cell_count : 1;

    if (has_only_cells(plan))
        return 0;
    for (uint32_t i = 0; i < planning->source_count; i++) {
        uint32_t loaded;

        if (is_constant_source(&planning->sources[i]))
            continue;
        loaded = section_of(planning, i)->cell_stride / (uint32_t)sizeof(uint64_t);
        if (loaded > most)
            most = loaded;
    }
    return most;
}

static const uint64_t *cells_in_view(const struct planning *planning, uint32_t source,
                                     uint32_t slot_index)
{
    return prfdata_region_cells_at(attached_of(planning, source)->view.bytes,
                                   section_of(planning, source), slot_index);
}

/* Slots of a source that have no row. */
static bool has_no_row(const struct planning *planning, uint32_t source, uint32_t position)
{
    return !planning->object->has_instances ||
           planning->merged->slot_rows[source][position] == PRFDATA_NONE;
}

static void plan_rests(const struct planning *planning, prfdata_plan *plan, uint32_t source,
                       uint32_t *rest_count)
{
    const prfdata_merge_source *from = &planning->sources[source];
    const prfdata_snapshot_object *copied = &from->snapshot->objects[planning->object_index];

    for (uint32_t i = 0; i < copied->count; i++) {
        prfdata_plan_rest *rest = &plan->rests[*rest_count];

        if (!has_no_row(planning, source, i))
            continue;
        rest->cells = cells_in_view(planning, source, copied->slots[i].slot_index);
        rest->is_live = from->is_live && (!planning->object->has_instances ||
                                          copied->slots[i].state == PRFDATA_SLOT_LIVE);
        ++*rest_count;
    }
}

/* The row's place in the views; where it is in the reply follows from the order. */
static void plan_row_of_part(const struct planning *planning, const prfdata_merge_part *part,
                             prfdata_plan_row *row)
{
    const prfdata_snapshot_slot *slot = &planning->sources[part->source]
                                             .snapshot->objects[planning->object_index]
                                             .slots[part->position];

    row->cells = cells_in_view(planning, part->source, slot->slot_index);
    row->baselines =
        slot->has_baseline
            ? prfdata_region_baselines_at(attached_of(planning, part->source)->view.bytes,
                                          section_of(planning, part->source), slot->slot_index)
            : NULL;
}

/* One that may change. `row`, `rest_count`: how many there are so far. */
static void plan_source(const struct planning *planning, prfdata_plan *plan, uint32_t index,
                        uint32_t *row, uint32_t *rest_count)
{
    const prfdata_attached *attached = attached_of(planning, index);
    const prfdata_snapshot *snapshot = planning->sources[index].snapshot;
    prfdata_plan_source *source = &plan->sources[plan->source_count];

    static_assert(sizeof source->head == sizeof snapshot->head, "the first line of the header");
    plan->region_ids[plan->source_count++] = attached->id;
    source->bytes = attached->view.bytes;
    source->size = attached->view.size;
    source->section = section_of(planning, index);
    source->has_brackets = prfdata_snapshot_has_brackets(snapshot);
    plan->has_brackets |= source->has_brackets;
    memcpy(source->head, snapshot->head, sizeof source->head);
    source->rows = &plan->rows[*row];
    for (; *row < planning->merged->row_count && planning->merged->parts[*row].source == index;
         ++*row)
        plan_row_of_part(planning, &planning->merged->parts[*row], &plan->rows[*row]);
    source->row_count = (uint32_t)(&plan->rows[*row] - source->rows);
    source->rests = &plan->rests[*rest_count];
    if (plan->has_sums)
        plan_rests(planning, plan, index, rest_count);
    source->rest_count = (uint32_t)(&plan->rests[*rest_count] - source->rests);
}

static void plan_sources(const struct planning *planning, prfdata_plan *plan)
{
    uint32_t row = 0;
    uint32_t rest_count = 0;

    for (uint32_t i = 0; i < planning->source_count; i++)
        if (!is_constant_source(&planning->sources[i]))
            plan_source(planning, plan, i, &row, &rest_count);
}

/* The definitions, the sums, then of dense rows only what stands before the cells. */
static void plan_image(const struct planning *planning, const uint8_t *bytes, prfdata_plan *plan)
{
    const prfdata_model_object *object = planning->object;
    const uint8_t *from = bytes + plan->head_bytes;
    const uint32_t left_out = plan->is_dense ? 8 * object->cell_count : 0;
    uint8_t *to = plan->image + plan->head_bytes + plan->total_bytes;

    memcpy(plan->image, bytes, plan->head_bytes);
    for (uint32_t i = 0; i < planning->merged->row_count; i++) {
        const uint32_t name_chars = planning->merged->rows[i].key.name_chars;
        const uint32_t row_bytes = (uint32_t)prfdata_merge_instance_bytes(object, name_chars);

        plan->rows[i].image_offset = (uint32_t)(to - plan->image);
        plan->rows[i].image_bytes = row_bytes - left_out;
        memcpy(to, from, plan->rows[i].image_bytes);
        to += plan->rows[i].image_bytes;
        from += row_bytes;
    }
    memcpy(plan->image + plan->head_bytes, from, plan->total_bytes);
}

/* What the sums have beside the sources: ended programs, and what is carried. */
static void plan_constants(const struct planning *planning, prfdata_plan *plan)
{
    const prfdata_model_object *object = planning->object;

    prfdata_cells_clear(&plan->cells, plan->constants);
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_merge merge = object->counters[i].merge;
        const uint32_t c = object->counters[i].cell_index;

        if (merge == PRFDATA_MERGE_ACCUMULATE || merge == PRFDATA_MERGE_NEWEST)
            plan->constants[c] = planning->merged->totals[c];
        for (uint32_t s = 0; merge == PRFDATA_MERGE_ACCUMULATE && s < planning->source_count; s++)
            if (!is_constant_source(&planning->sources[s]))
                plan->constants[c] -= planning->merged->sums[(size_t)s * object->stored_count + c];
    }
}

/* ---- Memory ---- */

/* How many of each part there are. */
struct plan_counts {
    uint32_t sources;
    uint32_t rests;
};

static struct plan_counts count_parts(const struct planning *planning, bool has_sums)
{
    struct plan_counts counts = {0};
    uint32_t slot_count = 0;

    for (uint32_t i = 0; i < planning->source_count; i++) {
        if (is_constant_source(&planning->sources[i]))
            continue;
        counts.sources++;
        slot_count += planning->sources[i].snapshot->objects[planning->object_index].count;
    }
    if (has_sums)
        counts.rests = slot_count - planning->merged->row_count;
    return counts;
}

/* A plan with room for all its parts, in one allocation: those of 8 bytes first. */
static prfdata_plan *allocate_plan(const struct planning *planning,
                                   const struct plan_counts *counts, size_t image_bytes)
{
    const uint32_t row_count = planning->merged->row_count;
    const uint32_t cell_count = planning->object->cell_count;
    const size_t source_bytes = counts->sources * sizeof(prfdata_plan_source);
    prfdata_plan *made =
        malloc(sizeof *made + source_bytes + row_count * sizeof(prfdata_plan_row) +
               counts->rests * sizeof(prfdata_plan_rest) +
               ((size_t)counts->sources + cell_count) * sizeof(uint64_t) + image_bytes);

    if (!made)
        return NULL;
    memset(made, 0, sizeof *made + source_bytes);
    made->references = 1;
    made->sources = (void *)(made + 1);
    made->region_ids = (void *)(made->sources + counts->sources);
    made->constants = made->region_ids + counts->sources;
    made->rows = (void *)(made->constants + cell_count);
    made->rests = (void *)(made->rows + row_count);
    made->image = (void *)(made->rests + counts->rests);
    made->row_count = row_count;
    made->rest_count = counts->rests;
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
    free(plan); /* with all its parts */
}

/* ---- The whole ---- */

static struct planning plan_of(const prfdata_plan_merge *merge, uint32_t object_index)
{
    /* The service's health is no region's: health.h. */
    const bool is_health = merge->shape->model->health_index == object_index;

    return (struct planning){merge,
                             merge->sources,
                             is_health ? 0 : merge->source_count,
                             object_index,
                             &merge->shape->model->objects[object_index],
                             &merge->reply->merged->objects[object_index]};
}

bool prfdata_plan_fits(const prfdata_plan_merge *merge, uint32_t object_index)
{
    const struct planning planning = plan_of(merge, object_index);

    return fits_plan(&planning);
}

static void describe_plan(const struct planning *planning, prfdata_plan *plan)
{
    const prfdata_model_object *object = planning->object;

    plan->shape = planning->merge->shape;
    plan->regions = planning->merge->regions;
    plan->generation = planning->merge->generation;
    plan->raised = planning->merged->raised;
    plan->object_index = planning->object_index;
    plan->cells = prfdata_cells_of(object);
    plan->is_dense = is_dense_object(object);
    plan->is_straight = plan->is_dense && object->hot_count == 0 &&
                        (plan->cells.only_accumulate || (!plan->has_sums && !has_maximum(object)));
    plan->head_bytes = planning->merge->reply->template->objects[planning->object_index].size;
    if (plan->has_sums)
        plan->total_bytes = object->has_instances
                                ? prfdata_merge_instance_bytes(object, PRFDATA_NAMES_TOTAL_CHARS)
                                : object->block_bytes;
}

prfdata_plan *prfdata_plan_make(const prfdata_plan_merge *merge, uint32_t object_index,
                                const uint8_t *bytes)
{
    const struct planning planning = plan_of(merge, object_index);
    const prfdata_model_object *object = planning.object;
    const bool has_sums = !object->has_instances || (object->options & PRFDATA_OPTION_TOTAL);
    const size_t object_bytes = (size_t)prfdata_reply_object_bytes(merge->reply, object_index);
    const struct plan_counts counts = count_parts(&planning, has_sums);
    prfdata_plan *plan = allocate_plan(&planning, &counts, object_bytes);

    if (!plan)
        return NULL;
    plan->bytes = object_bytes;
    plan->has_sums = has_sums;
    describe_plan(&planning, plan);
    plan_sources(&planning, plan);
    plan->slot_words = count_slot_words(&planning, plan);
    plan_image(&planning, bytes, plan);
    if (has_sums)
        plan_constants(&planning, plan);
    return plan;
}
