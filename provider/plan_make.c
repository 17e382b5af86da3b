/* SPDX-License-Identifier: MIT */
/*
 * Making a plan of what was merged and written. Knows the layout of a reply from the bytes that are
 * there, not how they are rendered; reads no view.
 */
#include "provider/plan_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "core/perf_wire.h"

/* ---- What fits a plan ---- */

/* What one plan is made from. */
struct planning {
    const prfdata_carry_shape *shape;
    const prfdata_region_set *set;
    const prfdata_merge_source *sources;
    prfdata_attached *const *origins;
    uint32_t source_count;
    const prfdata_reply *reply;
    const uint8_t *bytes; /* of the object in the reply */
    uint32_t object_index;
    const prfdata_model_object *object;
    const prfdata_merge_object *merged;
};

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
            planning->origins[i]->version->model->hash != planning->shape->model->hash)
            return false;
    return true;
}

static bool fits_plan(const struct planning *planning)
{
    return planning->merged->is_plain && planning->object->hot_count == 0 &&
           planning->object->distribution_count == 0 && !has_mean_of_totals(planning->object) &&
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
    return &planning->origins[source]->layout->sections[planning->object_index];
}

static const uint64_t *cells_in_view(const struct planning *planning, uint32_t source,
                                     uint32_t slot_index)
{
    return prfdata_region_cells_at(planning->origins[source]->view.bytes,
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
            ? prfdata_region_baselines_at(planning->origins[part->source]->view.bytes,
                                          section_of(planning, part->source), slot->slot_index)
            : NULL;
}

bool prfdata_plan_snapshot_has_brackets(const prfdata_snapshot *snapshot)
{
    prfdata_region_header header;

    memcpy(&header, snapshot->head, sizeof snapshot->head);
    return (header.hints & PRFDATA_REGION_HINT_BRACKETS) != 0;
}

/* What the slots were, and how they are told from what they will be. */
static void plan_tags(const struct planning *planning, uint32_t source_index,
                      prfdata_plan_source *source, uint32_t **tags)
{
    const prfdata_snapshot *snapshot = planning->sources[source_index].snapshot;
    const prfdata_snapshot_object *copied = &snapshot->objects[planning->object_index];

    source->section = section_of(planning, source_index);
    source->has_brackets = prfdata_plan_snapshot_has_brackets(snapshot);
    source->tags = *tags;
    source->used_count = copied->used_count;
    for (uint32_t i = 0; planning->object->has_instances && i < copied->count; i++)
        (*tags)[copied->slots[i].slot_index] = copied->slots[i].tag;
    *tags += source->used_count;
}

static void plan_sources(const struct planning *planning, prfdata_plan *plan)
{
    uint32_t row = 0;
    uint32_t rest_count = 0;
    uint32_t *tags = plan->tags;

    for (uint32_t i = 0; i < planning->source_count; i++) {
        prfdata_plan_source *source = &plan->sources[plan->source_count];

        if (is_constant_source(&planning->sources[i]))
            continue;
        source->structure = &plan->structures[plan->source_count];
        source->attached = planning->origins[i];
        plan->regions[plan->source_count++] = source->attached->id;
        source->bytes = source->attached->view.bytes;
        source->size = source->attached->view.size;
        plan_tags(planning, i, source, &tags);
        memcpy(source->head, planning->sources[i].snapshot->head, sizeof source->head);
        source->first_row = row;
        while (row < planning->merged->row_count && planning->merged->parts[row].source == i) {
            plan_row_of_part(planning, &planning->merged->parts[row], &plan->rows[row]);
            row++;
        }
        source->row_count = row - source->first_row;
        source->first_rest = rest_count;
        if (plan->has_sums)
            plan_rests(planning, plan, i, &rest_count);
        source->rest_count = rest_count - source->first_rest;
    }
}

/* The definitions, then of dense rows only what stands before the cells. */
static void plan_image(const struct planning *planning, prfdata_plan *plan)
{
    const prfdata_model_object *object = planning->object;
    const uint8_t *from = planning->bytes + plan->head_bytes;
    const uint32_t left_out = plan->is_dense ? 8 * object->cell_count : 0;
    uint8_t *to = plan->image + plan->head_bytes;

    memcpy(plan->image, planning->bytes, plan->head_bytes);
    for (uint32_t i = 0; i < planning->merged->row_count; i++) {
        const uint32_t name_chars = planning->merged->rows[i].name_chars;
        const uint32_t bytes = (uint32_t)prfdata_merge_instance_bytes(object, name_chars);

        plan->rows[i].image_offset = (uint32_t)(to - plan->image);
        plan->rows[i].image_bytes = bytes - left_out;
        memcpy(to, from, plan->rows[i].image_bytes);
        to += plan->rows[i].image_bytes;
        from += bytes;
    }
    memcpy(to, from, plan->total_bytes);
    plan->image_bytes = (size_t)(to - plan->image) + plan->total_bytes;
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
                plan->constants[c] -= planning->merged->sums[(size_t)s * object->cell_count + c];
    }
}

/* ---- The whole ---- */

/* Words, ids and tags of all sources, in bytes. */
static size_t measure_tags(const struct planning *planning)
{
    size_t bytes = 2 * planning->source_count * sizeof(uint64_t);

    for (uint32_t i = 0; i < planning->source_count; i++)
        if (!is_constant_source(&planning->sources[i]))
            bytes += sizeof(uint32_t) *
                     planning->sources[i].snapshot->objects[planning->object_index].used_count;
    return (bytes + 7) / 8 * 8;
}

static uint32_t count_rests(const struct planning *planning)
{
    size_t count = 0;

    for (uint32_t i = 0; i < planning->source_count; i++)
        if (!is_constant_source(&planning->sources[i]))
            count += planning->sources[i].snapshot->objects[planning->object_index].count;
    return (uint32_t)(count - planning->merged->row_count);
}

/* Room for everything in one allocation; NULL: no memory. */
static prfdata_plan *allocate_plan(const struct planning *planning, bool has_sums,
                                   size_t image_bytes)
{
    const size_t source_bytes = planning->source_count * sizeof(prfdata_plan_source);
    const size_t row_bytes = planning->merged->row_count * sizeof(prfdata_plan_row);
    const size_t rest_bytes = has_sums ? count_rests(planning) * sizeof(prfdata_plan_rest) : 0;
    const size_t constant_bytes = planning->object->cell_count * sizeof(uint64_t);
    const size_t tag_bytes = measure_tags(planning);
    prfdata_plan *made = calloc(1, sizeof *made + source_bytes + row_bytes + rest_bytes +
                                       constant_bytes + tag_bytes + image_bytes);

    if (!made)
        return NULL;
    made->sources = (void *)(made + 1);
    made->rows = (void *)((uint8_t *)made->sources + source_bytes);
    made->rests = (void *)((uint8_t *)made->rows + row_bytes);
    made->constants = (void *)((uint8_t *)made->rests + rest_bytes);
    made->structures = (void *)((uint8_t *)made->constants + constant_bytes);
    made->regions = made->structures + planning->source_count;
    made->tags = (void *)(made->regions + planning->source_count);
    made->image = (uint8_t *)made->structures + tag_bytes;
    return made;
}

/* NULL: it does not fit, or no memory. */
static prfdata_plan *make_plan(const struct planning *planning)
{
    const prfdata_model_object *object = planning->object;
    const bool has_sums = !object->has_instances || (object->options & PRFDATA_OPTION_TOTAL);
    const size_t bytes =
        (size_t)prfdata_reply_object_bytes(planning->reply, planning->object_index);
    prfdata_plan *plan;

    if (!fits_plan(planning))
        return NULL;
    plan = allocate_plan(planning, has_sums, bytes);
    if (!plan)
        return NULL;
    plan->references = 1;
    plan->generation = planning->set->generation;
    plan->raised = planning->merged->raised;
    plan->object_index = planning->object_index;
    plan->cells = prfdata_cells_of(object);
    plan->is_dense = is_dense_object(object);
    plan->has_sums = has_sums;
    plan->is_straight =
        plan->is_dense && (plan->cells.only_accumulate || (!has_sums && !has_maximum(object)));
    plan->bytes = bytes;
    plan->head_bytes = planning->reply->template->objects[planning->object_index].size;
    if (has_sums)
        plan->total_bytes = object->has_instances
                                ? prfdata_merge_instance_bytes(object, PRFDATA_NAMES_TOTAL_CHARS)
                                : object->block_bytes;
    plan_sources(planning, plan);
    plan_image(planning, plan);
    if (has_sums)
        plan_constants(planning, plan);
    return plan;
}

prfdata_plan *prfdata_plan_make(const prfdata_carry_shape *shape, const prfdata_region_set *set,
                                const prfdata_merge_source *sources,
                                prfdata_attached *const *origins, uint32_t source_count,
                                const prfdata_reply *reply, uint32_t object_index,
                                const uint8_t *bytes)
{
    /* The service's health is no region's: health.h. */
    const bool is_health = shape->model->health_index == object_index;
    const struct planning planning = {shape,
                                      set,
                                      sources,
                                      origins,
                                      is_health ? 0 : source_count,
                                      reply,
                                      bytes,
                                      object_index,
                                      &shape->model->objects[object_index],
                                      &reply->merged->objects[object_index]};

    return make_plan(&planning);
}
