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
#include "provider/recent.h"

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

/* What ended programs recorded in the last minute is no constant. */
static bool has_ageing_constants(const struct planning *planning)
{
    for (uint32_t i = 0; i < planning->source_count; i++)
        if (is_constant_source(&planning->sources[i]) &&
            prfdata_recent_any(planning->object,
                               planning->sources[i].snapshot->objects[planning->object_index].sums))
            return true;
    return false;
}

static bool fits_plan(const struct planning *planning)
{
    return planning->merged->is_plain && !has_mean_of_totals(planning->object) &&
           !has_ageing_constants(planning) && has_plain_rows(planning);
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

/* As many as a snapshot has for a slot, if it has windows; else none. */
static uint32_t count_slot_words(const struct planning *planning)
{
    const uint32_t cell_count = planning->object->cell_count;
    uint32_t most = cell_count;

    if (planning->object->distribution_count == 0)
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
    source->is_live = planning->sources[source_index].is_live;
    source->tags = *tags;
    source->used_count = copied->used_count;
    memset(*tags, 0, source->used_count * sizeof **tags);
    for (uint32_t i = 0; planning->object->has_instances && i < copied->count; i++)
        (*tags)[copied->slots[i].slot_index] = copied->slots[i].tag;
    *tags += source->used_count;
}

/* Whether a slot of a snapshot has a name by which it may belong to a row. */
static bool has_name(const prfdata_snapshot_slot *slot)
{
    return slot->state >= PRFDATA_SLOT_LIVE;
}

static uint64_t hash_slot_name(const prfdata_plan *plan, const prfdata_snapshot_object *copied,
                               const prfdata_snapshot_slot *slot)
{
    return prfdata_plan_name_hash(slot->has_unique_id ? NULL : prfdata_snapshot_name(copied, slot),
                                  slot->name_chars, slot->unique_id, plan->seed);
}

/* Of all slots that may belong to a row of their name. */
static void plan_names(const struct planning *planning, prfdata_plan *plan)
{
    uint64_t *names = plan->names;
    uint64_t *ended = plan->names + plan->tag_count;

    memset(names, 0, plan->tag_count * sizeof *names);
    for (uint32_t i = 0; i < planning->source_count; i++) {
        const prfdata_snapshot_object *copied =
            &planning->sources[i].snapshot->objects[planning->object_index];
        const bool is_ended = is_constant_source(&planning->sources[i]);

        for (uint32_t j = 0; j < copied->count; j++) {
            const prfdata_snapshot_slot *slot = &copied->slots[j];

            if (is_ended)
                *ended++ = hash_slot_name(plan, copied, slot);
            else if (has_name(slot))
                names[slot->slot_index] = hash_slot_name(plan, copied, slot);
        }
        names += is_ended ? 0 : copied->used_count;
    }
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

/* The definitions, the sums, then of dense rows only what stands before the cells. */
static void plan_image(const struct planning *planning, prfdata_plan *plan)
{
    const prfdata_model_object *object = planning->object;
    const uint8_t *from = planning->bytes + plan->head_bytes;
    const uint32_t left_out = plan->is_dense ? 8 * object->cell_count : 0;
    uint8_t *to = plan->image + plan->head_bytes + plan->total_bytes;

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
    plan->image_bytes = (size_t)(to - plan->image);
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
                plan->constants[c] -= planning->merged->sums[(size_t)s * object->cell_count + c];
    }
}

/* ---- The whole ---- */

static prfdata_plan_room measure_plan(const struct planning *planning, bool has_sums,
                                      size_t image_bytes)
{
    const bool is_renewable =
        prfdata_plan_is_renewable(planning->shape->model, planning->object_index);
    prfdata_plan_room room = {0};
    uint32_t slot_count = 0;
    uint32_t ended_count = 0;

    for (uint32_t i = 0; i < planning->source_count; i++) {
        const prfdata_snapshot_object *copied =
            &planning->sources[i].snapshot->objects[planning->object_index];

        if (is_constant_source(&planning->sources[i])) {
            ended_count += copied->count;
            continue;
        }
        room.source_count++;
        room.tag_count += copied->used_count;
        slot_count += copied->count;
    }
    room.row_count = planning->merged->row_count;
    room.rest_count = has_sums ? slot_count - room.row_count : 0;
    room.cell_count = planning->object->cell_count;
    room.name_count = is_renewable ? room.tag_count + ended_count : 0;
    room.image_bytes = image_bytes;
    return room;
}

/* NULL: it does not fit, or no memory. */
static prfdata_plan *make_plan(const struct planning *planning)
{
    const prfdata_model_object *object = planning->object;
    const bool has_sums = !object->has_instances || (object->options & PRFDATA_OPTION_TOTAL);
    const size_t bytes =
        (size_t)prfdata_reply_object_bytes(planning->reply, planning->object_index);
    prfdata_plan *plan;

    prfdata_plan_room room;

    if (!fits_plan(planning))
        return NULL;
    room = measure_plan(planning, has_sums, bytes);
    plan = prfdata_plan_allocate(&room);
    if (!plan)
        return NULL;
    plan->is_renewable = prfdata_plan_is_renewable(planning->shape->model, planning->object_index);
    plan->seed = plan->is_renewable ? prfdata_os_random() : 0;
    plan->generation = planning->set->generation;
    plan->raised = planning->merged->raised;
    plan->object_index = planning->object_index;
    plan->cells = prfdata_cells_of(object);
    plan->slot_words = count_slot_words(planning);
    plan->is_dense = is_dense_object(object);
    plan->has_sums = has_sums;
    plan->is_straight = plan->is_dense && object->hot_count == 0 &&
                        (plan->cells.only_accumulate || (!has_sums && !has_maximum(object)));
    plan->bytes = bytes;
    plan->head_bytes = planning->reply->template->objects[planning->object_index].size;
    if (has_sums)
        plan->total_bytes = object->has_instances
                                ? prfdata_merge_instance_bytes(object, PRFDATA_NAMES_TOTAL_CHARS)
                                : object->block_bytes;
    plan->row_count = room.row_count;
    plan->rest_count = room.rest_count;
    plan->tag_count = room.tag_count;
    plan->ended_count = plan->is_renewable ? room.name_count - room.tag_count : 0;
    plan_sources(planning, plan);
    if (plan->is_renewable)
        plan_names(planning, plan);
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
