/* SPDX-License-Identifier: MIT */
/*
 * Making a plan of what was merged and written. Knows the layout of a reply from the bytes that are
 * there, not how they are rendered; reads no view.
 */
#include "plan/plan_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/perf_wire.h"
#include "names/names.h"
#include "snapshot/recent.h"

/* ---- What fits a plan ---- */

/* What one plan is made from. */
struct plan_making {
    const prfdata_plan_input *input;
    const prfdata_merge_region *regions; /* region_count of them; none for the service's health */
    uint32_t region_count;
    uint32_t object_index;
    const prfdata_model_object *object;
    const prfdata_merge_object *merged;
};

static const prfdata_mapping *mapping_of(const struct plan_making *making, uint32_t region)
{
    return making->input->members[region]->mapping;
}

static bool is_constant_region(const prfdata_merge_region *region)
{
    return region->snapshot->is_summary;
}

static bool has_mean_of_totals(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].options & PRFDATA_OPTION_TOTAL_MEAN)
            return true;
    return false;
}

/* Each row comes from one slot, in the order of the regions, which have this shape. */
static bool has_plain_rows(const struct plan_making *making)
{
    const prfdata_merge_object *merged = making->merged;

    if (merged->dropped > 0 || merged->part_count != merged->row_count)
        return false;
    for (uint32_t i = 0; i < merged->row_count; i++)
        if (merged->parts[i].row != i ||
            is_constant_region(&making->regions[merged->parts[i].region]) ||
            (i > 0 && merged->parts[i].region < merged->parts[i - 1].region))
            return false;
    for (uint32_t i = 0; i < making->region_count; i++)
        if (!is_constant_region(&making->regions[i]) &&
            mapping_of(making, i)->version->model->hash != making->input->shape->model->hash)
            return false;
    return true;
}

/* What ended programs recorded in the last minute is no constant. */
static bool has_ageing_constants(const struct plan_making *making)
{
    for (uint32_t i = 0; i < making->region_count; i++)
        if (is_constant_region(&making->regions[i]) &&
            making->regions[i].snapshot->objects[making->object_index].is_ageing)
            return true;
    return false;
}

/* Slots that change while they are copied may be half of before and half of after. */
static bool were_regions_at_rest(const struct plan_making *making)
{
    for (uint32_t i = 0; i < making->region_count; i++)
        if (!is_constant_region(&making->regions[i]) && !making->regions[i].snapshot->is_steady)
            return false;
    return true;
}

static bool fits_plan(const struct plan_making *making)
{
    return making->merged->is_plain && !has_mean_of_totals(making->object) &&
           were_regions_at_rest(making) && !has_ageing_constants(making) && has_plain_rows(making);
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
        if (object->counters[i].merging == PRFDATA_MERGING_MAX)
            return true;
    return false;
}

static const prfdata_region_section *section_of(const struct plan_making *making, uint32_t region)
{
    return &mapping_of(making, region)->layout->sections[making->object_index];
}

/* Whether all rows are cells in the view, or differences of them, and nothing else counts. */
static bool has_only_cells(const prfdata_plan *plan)
{
    if (!plan->is_straight || plan->has_sums || plan->has_brackets)
        return false;
    for (uint32_t i = 0; i < plan->row_count; i++)
        if (plan->rows[i].baselines && !plan->object->only_accumulates)
            return false;
    return true;
}

/* As many as a snapshot has for a slot, if anything is made of one. */
static uint32_t count_slot_words(const struct plan_making *making, const prfdata_plan *plan)
{
    uint32_t most = making->object->cell_count > 0 ? making->object->cell_count : 1;

    if (has_only_cells(plan))
        return 0;
    for (uint32_t i = 0; i < making->region_count; i++) {
        uint32_t loaded;

        if (is_constant_region(&making->regions[i]))
            continue;
        loaded = section_of(making, i)->cell_stride / (uint32_t)sizeof(uint64_t);
        if (loaded > most)
            most = loaded;
    }
    return most;
}

static const uint64_t *cells_in_view(const struct plan_making *making, uint32_t region,
                                     uint32_t slot_index)
{
    return prfdata_region_cells_at(mapping_of(making, region)->view.bytes,
                                   section_of(making, region), slot_index);
}

/* Slots of a region that have no row. */
static bool has_no_row(const struct plan_making *making, uint32_t region, uint32_t position)
{
    return !making->object->has_instances ||
           making->merged->slot_rows[region][position] == PRFDATA_NONE;
}

static void fill_rests(const struct plan_making *making, prfdata_plan *plan, uint32_t region,
                       uint32_t *rest_count)
{
    const prfdata_merge_region *from = &making->regions[region];
    const prfdata_snapshot_object *copied = &from->snapshot->objects[making->object_index];

    for (uint32_t i = 0; i < copied->count; i++) {
        prfdata_plan_rest *rest = &plan->rests[*rest_count];

        if (!has_no_row(making, region, i))
            continue;
        rest->cells = cells_in_view(making, region, copied->slots[i].slot_index);
        rest->is_live = from->is_live && (!making->object->has_instances ||
                                          copied->slots[i].state == PRFDATA_SLOT_LIVE);
        ++*rest_count;
    }
}

/* The row's place in the views; where it is in the reply follows from the order. */
static void fill_row(const struct plan_making *making, const prfdata_merge_part *part,
                     prfdata_plan_row *row)
{
    const prfdata_snapshot_slot *slot = &making->regions[part->region]
                                             .snapshot->objects[making->object_index]
                                             .slots[part->position];

    row->cells = cells_in_view(making, part->region, slot->slot_index);
    row->baselines =
        slot->has_baseline
            ? prfdata_region_baselines_at(mapping_of(making, part->region)->view.bytes,
                                          section_of(making, part->region), slot->slot_index)
            : NULL;
}

/* One that may change. `row`, `rest_count`: how many there are so far. */
static void fill_region(const struct plan_making *making, prfdata_plan *plan, uint32_t index,
                        uint32_t *row, uint32_t *rest_count)
{
    const prfdata_mapping *mapping = mapping_of(making, index);
    const prfdata_snapshot *snapshot = making->regions[index].snapshot;
    prfdata_plan_region *region = &plan->regions[plan->region_count];

    static_assert(sizeof region->head == sizeof snapshot->head, "the first line of the header");
    plan->region_ids[plan->region_count++] = mapping->id;
    region->bytes = mapping->view.bytes;
    region->size = mapping->view.size;
    region->section = section_of(making, index);
    region->has_brackets = prfdata_snapshot_has_brackets(snapshot);
    plan->has_brackets |= region->has_brackets;
    memcpy(region->head, snapshot->head, sizeof region->head);
    region->rows = &plan->rows[*row];
    for (; *row < making->merged->row_count && making->merged->parts[*row].region == index; ++*row)
        fill_row(making, &making->merged->parts[*row], &plan->rows[*row]);
    region->row_count = (uint32_t)(&plan->rows[*row] - region->rows);
    region->rests = &plan->rests[*rest_count];
    if (plan->has_sums)
        fill_rests(making, plan, index, rest_count);
    region->rest_count = (uint32_t)(&plan->rests[*rest_count] - region->rests);
}

static void fill_regions(const struct plan_making *making, prfdata_plan *plan)
{
    uint32_t row = 0;
    uint32_t rest_count = 0;

    for (uint32_t i = 0; i < making->region_count; i++)
        if (!is_constant_region(&making->regions[i]))
            fill_region(making, plan, i, &row, &rest_count);
}

/* The definitions, the sums, then of dense rows only what stands before the cells. */
static void fill_image(const struct plan_making *making, const uint8_t *bytes, prfdata_plan *plan)
{
    const prfdata_model_object *object = making->object;
    const uint8_t *from = bytes + plan->head_bytes;
    const uint32_t left_out = plan->is_dense ? 8 * object->cell_count : 0;
    uint8_t *to = plan->image + plan->head_bytes + plan->total_bytes;

    memcpy(plan->image, bytes, plan->head_bytes);
    for (uint32_t i = 0; i < making->merged->row_count; i++) {
        const uint32_t name_chars = making->merged->rows[i].key.name_chars;
        const uint32_t row_bytes = (uint32_t)prfdata_merge_instance_bytes(object, name_chars);

        plan->rows[i].image_offset = (uint32_t)(to - plan->image);
        plan->rows[i].image_bytes = row_bytes - left_out;
        memcpy(to, from, plan->rows[i].image_bytes);
        to += plan->rows[i].image_bytes;
        from += row_bytes;
    }
    memcpy(plan->image + plan->head_bytes, from, plan->total_bytes);
}

/* What the sums have beside the regions: ended programs, and what is carried. */
static void fill_constants(const struct plan_making *making, prfdata_plan *plan)
{
    const prfdata_model_object *object = making->object;

    prfdata_cells_clear(plan->object, plan->constants);
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_merging merge = object->counters[i].merging;
        const uint32_t c = object->counters[i].cell_index;

        if (merge == PRFDATA_MERGING_ACCUMULATE || merge == PRFDATA_MERGING_NEWEST)
            plan->constants[c] = making->merged->totals[c];
        for (uint32_t s = 0; merge == PRFDATA_MERGING_ACCUMULATE && s < making->region_count; s++)
            if (!is_constant_region(&making->regions[s]))
                plan->constants[c] -= making->merged->sums[(size_t)s * object->stored_count + c];
    }
}

/* ---- Memory ---- */

/* How many regions may change. `rest_count` gets how many slots count in the sums only. */
static uint32_t count_parts(const struct plan_making *making, bool has_sums, uint32_t *rest_count)
{
    uint32_t region_count = 0;
    uint32_t slot_count = 0;

    for (uint32_t i = 0; i < making->region_count; i++) {
        if (is_constant_region(&making->regions[i]))
            continue;
        region_count++;
        slot_count += making->regions[i].snapshot->objects[making->object_index].count;
    }
    *rest_count = has_sums ? slot_count - making->merged->row_count : 0;
    return region_count;
}

/* A plan with room for all its parts, in one allocation: those of 8 bytes first. */
static prfdata_plan *allocate_plan(const struct plan_making *making, bool has_sums,
                                   size_t image_bytes)
{
    const uint32_t row_count = making->merged->row_count;
    const uint32_t cell_count = making->object->cell_count;
    uint32_t rest_count;
    const uint32_t region_count = count_parts(making, has_sums, &rest_count);
    const size_t region_bytes = region_count * sizeof(prfdata_plan_region);
    prfdata_plan *made =
        malloc(sizeof *made + region_bytes + row_count * sizeof(prfdata_plan_row) +
               rest_count * sizeof(prfdata_plan_rest) +
               ((size_t)region_count + cell_count) * sizeof(uint64_t) + image_bytes);

    if (!made)
        return NULL;
    memset(made, 0, sizeof *made + region_bytes);
    made->references = 1;
    made->regions = (void *)(made + 1);
    made->region_ids = (void *)(made->regions + region_count);
    made->constants = made->region_ids + region_count;
    made->rows = (void *)(made->constants + cell_count);
    made->rests = (void *)(made->rows + row_count);
    made->image = (void *)(made->rests + rest_count);
    made->row_count = row_count;
    made->rest_count = rest_count;
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

static struct plan_making making_of(const prfdata_plan_input *input, uint32_t object_index)
{
    /* The service's health is no region's: health.h. */
    const bool is_health = input->shape->model->health_index == object_index;

    return (struct plan_making){input,
                                input->regions,
                                is_health ? 0 : input->region_count,
                                object_index,
                                &input->shape->model->objects[object_index],
                                &input->reply->merged->objects[object_index]};
}

bool prfdata_plan_fits(const prfdata_plan_input *input, uint32_t object_index)
{
    const struct plan_making making = making_of(input, object_index);

    return fits_plan(&making);
}

static void describe_plan(const struct plan_making *making, prfdata_plan *plan)
{
    const prfdata_model_object *object = making->object;

    plan->shape = making->input->shape;
    plan->all_regions = making->input->all_regions;
    plan->generation = making->input->set->generation;
    plan->carried_changes = making->merged->carried_changes;
    plan->object_index = making->object_index;
    plan->object = object;
    plan->is_dense = is_dense_object(object);
    plan->is_straight = plan->is_dense && object->hot_count == 0 &&
                        (object->only_accumulates || (!plan->has_sums && !has_maximum(object)));
    plan->head_bytes = making->input->reply->template->objects[making->object_index].size;
    if (plan->has_sums)
        plan->total_bytes = object->has_instances
                                ? prfdata_merge_instance_bytes(object, PRFDATA_NAMES_TOTAL_CHARS)
                                : object->block_bytes;
}

prfdata_plan *prfdata_plan_make(const prfdata_plan_input *input, uint32_t object_index,
                                const uint8_t *bytes)
{
    const struct plan_making making = making_of(input, object_index);
    const prfdata_model_object *object = making.object;
    const bool has_sums = !object->has_instances || (object->options & PRFDATA_OPTION_TOTAL);
    const size_t object_bytes = (size_t)prfdata_reply_object_bytes(input->reply, object_index);
    prfdata_plan *plan = allocate_plan(&making, has_sums, object_bytes);

    if (!plan)
        return NULL;
    plan->bytes = object_bytes;
    plan->has_sums = has_sums;
    describe_plan(&making, plan);
    fill_regions(&making, plan);
    plan->slot_words = count_slot_words(&making, plan);
    fill_image(&making, bytes, plan);
    if (has_sums)
        fill_constants(&making, plan);
    return plan;
}
