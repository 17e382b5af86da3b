/* SPDX-License-Identifier: MIT */
/*
 * Plans where some slots have changed: a few slots are read again, their rows made, all else is
 * copied. It is left to the merge to judge what may concern other rows: slots of one name, parents,
 * names that are no instance, limits, regions that closed or were taken over. From a view tags,
 * slots and names are read, under a guard. Knows neither values nor what a reply looks like.
 */
#include "provider/plan_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/crash_points.h"
#include "core/names.h"
#include "core/perf_wire.h"

/* More are merged: looking for others of the same name takes a look at all names for each. */
enum { MOST_CHANGES = 16 };

/* A slot whose tag is not as planned. */
struct changed_slot {
    uint32_t source;
    uint32_t slot_index;
    uint32_t tag;
    prfdata_region_slot fields;
    uint64_t structure;  /* the region's word */
    uint32_t used_count; /* of the region's slots */
    uint16_t *name;      /* room for the region's stride */
    uint64_t hash;       /* of the name */
    bool makes_row;
};

struct renewing {
    const prfdata_plan *old;
    const prfdata_model_object *object;
    const prfdata_plan_source *source; /* the present one */
    prfdata_os_region window;          /* its view: the guard's */
    bool is_read;                      /* all sources were, and stood still */
    uint32_t change_count;
    struct changed_slot changes[MOST_CHANGES]; /* in the order of sources and slots */
    prfdata_plan *made;
    uint32_t next; /* the first change that is not made yet */
};

bool prfdata_plan_is_renewable(const prfdata_model *model, uint32_t object_index)
{
    const prfdata_model_object *object = &model->objects[object_index];

    for (uint32_t i = 0; i < model->object_count; i++)
        if (model->objects[i].parent_index == object_index)
            return false;
    return object->has_instances && object->parent_index == PRFDATA_NONE;
}

uint64_t prfdata_plan_name_hash(const uint16_t *name, uint32_t name_chars, int32_t unique_id,
                                uint64_t seed)
{
    const uint16_t number[2] = {(uint16_t)unique_id, (uint16_t)((uint32_t)unique_id >> 16)};
    const uint64_t hash =
        name ? prfdata_names_hash(name, name_chars, seed) : prfdata_names_hash(number, 2, ~seed);

    return hash != 0 ? hash : 1;
}

/* ---- Guarded: what has changed ---- */

/* What is read is of one moment where the structure word stands still. */
static void read_changed_slot(const prfdata_plan_source *source, struct changed_slot *change)
{
    const prfdata_region_slot *slot =
        prfdata_region_slot_at(source->bytes, source->section, change->slot_index);

    change->tag = prfdata_load32_acquire(&slot->tag);
    PRFDATA_CRASH_POINT("R: changed slot");
    prfdata_region_load(&change->fields, slot, sizeof change->fields);
    prfdata_region_load(change->name,
                        prfdata_region_name_at(source->bytes, source->section, change->slot_index),
                        source->section->name_stride);
}

/* Returns false if there are too many. */
static bool add_changed_slot(struct renewing *renewing, uint32_t slot_index, uint64_t structure,
                             uint32_t used_count)
{
    struct changed_slot *change = &renewing->changes[renewing->change_count];

    if (renewing->change_count == MOST_CHANGES)
        return false;
    renewing->change_count++;
    change->source = (uint32_t)(renewing->source - renewing->old->sources);
    change->slot_index = slot_index;
    change->structure = structure;
    change->used_count = used_count;
    read_changed_slot(renewing->source, change);
    return true;
}

/* Returns false if that is left to a merge. */
static bool find_changes_of_source(struct renewing *renewing)
{
    const prfdata_plan_source *source = renewing->source;
    const prfdata_region_header *header = (const void *)source->bytes;
    const uint64_t word = prfdata_load64_acquire(&header->structure);
    uint32_t used_count;

    if (!prfdata_plan_is_header_as_planned(source))
        return false;
    if (word == source->head[PRFDATA_PLAN_STRUCTURE] ||
        word == prfdata_load64_relaxed(source->structure))
        return true;
    used_count = prfdata_region_used_count(source->bytes, source->section);
    if (!source->is_live || !prfdata_region_is_steady(word) || used_count < source->used_count)
        return false;
    for (uint32_t i = 0; i < used_count; i++) {
        const uint32_t planned = i < source->used_count ? source->tags[i] : 0;

        if (prfdata_load32_relaxed(
                &prfdata_region_slot_at(source->bytes, source->section, i)->tag) != planned &&
            !add_changed_slot(renewing, i, word, used_count))
            return false;
    }
    prfdata_fence_acquire();
    return prfdata_load64_relaxed(&header->structure) == word;
}

static void find_changes(void *context)
{
    struct renewing *renewing = context;
    const prfdata_plan *old = renewing->old;

    for (uint32_t i = 0; i < old->source_count; i++) {
        renewing->source = &old->sources[i];
        renewing->window.bytes = renewing->source->bytes;
        renewing->window.size = renewing->source->size;
        prfdata_fence_acquire(); /* for the compiler: the guard reads it when a load faults */
        if (!find_changes_of_source(renewing))
            return;
    }
    renewing->is_read = true;
}

/* ---- What the changes mean ---- */

static const prfdata_plan_source *source_of_change(const struct renewing *renewing,
                                                   const struct changed_slot *change)
{
    return &renewing->old->sources[change->source];
}

/* R12, and the name that is the provider's. */
static bool is_instance_name(const prfdata_model_object *object, const struct changed_slot *change)
{
    const uint32_t name_chars = change->fields.name_chars;

    if (change->fields.flags & PRFDATA_SLOT_HAS_UNIQUE_ID)
        return change->fields.unique_id != PERF_NO_UNIQUE_ID;
    return name_chars >= 1 && name_chars <= object->name_chars &&
           !((object->options & PRFDATA_OPTION_TOTAL) &&
             prfdata_names_equal(change->name, name_chars, prfdata_names_total,
                                 PRFDATA_NAMES_TOTAL_CHARS));
}

/* Returns false if that is left to a merge. */
static bool judge_change(const struct renewing *renewing, struct changed_slot *change)
{
    const bool has_number = (change->fields.flags & PRFDATA_SLOT_HAS_UNIQUE_ID) != 0;

    if (PRFDATA_SLOT_STATE(change->tag) < PRFDATA_SLOT_LIVE ||
        change->fields.parent_slot != PRFDATA_NONE)
        return false;
    if (!has_number && change->fields.name_chars <= renewing->object->name_chars)
        prfdata_names_clean(change->name, change->fields.name_chars);
    if (!is_instance_name(renewing->object, change))
        return false;
    change->makes_row = PRFDATA_SLOT_STATE(change->tag) == PRFDATA_SLOT_LIVE;
    change->hash =
        prfdata_plan_name_hash(has_number ? NULL : change->name, change->fields.name_chars,
                               change->fields.unique_id, renewing->old->seed);
    return true;
}

static bool judge_changes(struct renewing *renewing)
{
    for (uint32_t i = 0; i < renewing->change_count; i++)
        if (!judge_change(renewing, &renewing->changes[i]))
            return false;
    return renewing->change_count > 0;
}

/* ---- Making ---- */

static size_t row_bytes_in_reply(const prfdata_plan *plan, const prfdata_plan_row *row)
{
    return row->image_bytes + (plan->is_dense ? 8 * (size_t)plan->cells.object->cell_count : 0);
}

static const uint64_t *changed_cells(const struct renewing *renewing,
                                     const struct changed_slot *change)
{
    const prfdata_plan_source *source = source_of_change(renewing, change);

    return prfdata_region_cells_at(source->bytes, source->section, change->slot_index);
}

/* Put the image of a new row after those of all others. */
static void make_row_image(struct renewing *renewing, const struct changed_slot *change,
                           prfdata_plan_row *row)
{
    prfdata_plan *made = renewing->made;
    const bool has_number = (change->fields.flags & PRFDATA_SLOT_HAS_UNIQUE_ID) != 0;
    const uint32_t name_chars = has_number ? 0 : change->fields.name_chars;
    const size_t bytes = prfdata_merge_instance_bytes(renewing->object, name_chars);
    prfdata_perf_block block;

    prfdata_perf_block_init(&block, made->image + made->image_bytes, bytes);
    prfdata_reply_put_empty_instance(renewing->object, has_number ? NULL : change->name, name_chars,
                                     change->fields.unique_id, &block);
    row->image_offset = (uint32_t)made->image_bytes;
    row->image_bytes = (uint32_t)(bytes - (made->is_dense ? 8 * renewing->object->cell_count : 0));
    made->image_bytes += row->image_bytes;
    made->bytes += bytes;
}

static void make_changed_row(struct renewing *renewing, const struct changed_slot *change)
{
    const prfdata_plan_source *source = source_of_change(renewing, change);
    prfdata_plan_row *row = &renewing->made->rows[renewing->made->row_count++];

    row->cells = changed_cells(renewing, change);
    row->baselines =
        change->fields.flags & PRFDATA_SLOT_HAS_BASELINE
            ? prfdata_region_baselines_at(source->bytes, source->section, change->slot_index)
            : NULL;
    make_row_image(renewing, change, row);
}

/* Copy rows up to the one of these cells, or to the end: NULL. Returns the first not copied. */
static const prfdata_plan_row *copy_rows(prfdata_plan *made, const prfdata_plan_row *row,
                                         const prfdata_plan_row *end, const uint64_t *cells)
{
    const prfdata_plan_row *first = row;

    while (row < end && (!cells || row->cells < cells))
        row++;
    memcpy(made->rows + made->row_count, first, (size_t)((const char *)row - (const char *)first));
    made->row_count += (uint32_t)(row - first);
    return row;
}

/* The rows of a source, of which the changes from `first` to `last` are. */
static void make_rows_of_source(struct renewing *renewing, const prfdata_plan_source *source,
                                uint32_t first, uint32_t last)
{
    prfdata_plan *made = renewing->made;
    const prfdata_plan_row *row = renewing->old->rows + source->first_row;
    const prfdata_plan_row *end = row + source->row_count;

    for (uint32_t i = first; i < last; i++) {
        const struct changed_slot *change = &renewing->changes[i];
        const uint64_t *cells = changed_cells(renewing, change);

        row = copy_rows(made, row, end, cells);
        if (row < end && row->cells == cells)
            made->bytes -= row_bytes_in_reply(made, row++);
        if (change->makes_row)
            make_changed_row(renewing, change);
    }
    (void)copy_rows(made, row, end, NULL);
}

/* The same of what counts in the sums only. */
static void make_rests_of_source(struct renewing *renewing, const prfdata_plan_source *source,
                                 uint32_t first, uint32_t last)
{
    prfdata_plan *made = renewing->made;
    const prfdata_plan_rest *rest = renewing->old->rests + source->first_rest;
    const prfdata_plan_rest *end = rest + source->rest_count;

    for (uint32_t i = first; i <= last; i++) {
        const uint64_t *cells = i < last ? changed_cells(renewing, &renewing->changes[i]) : NULL;

        while (rest < end && (!cells || rest->cells < cells))
            made->rests[made->rest_count++] = *rest++;
        if (!cells)
            break;
        if (rest < end && rest->cells == cells)
            rest++;
        if (!renewing->changes[i].makes_row) {
            made->rests[made->rest_count].cells = cells;
            made->rests[made->rest_count++].is_live = false;
        }
    }
}

static void make_tags_of_source(struct renewing *renewing, const prfdata_plan_source *from,
                                prfdata_plan_source *to, uint32_t first, uint32_t last)
{
    prfdata_plan *made = renewing->made;
    uint32_t *tags = made->tags + made->tag_count;
    uint64_t *names = made->names + made->tag_count;
    const uint64_t *old_names = renewing->old->names + (from->tags - renewing->old->tags);
    const uint32_t added = to->used_count - from->used_count;

    memcpy(tags, from->tags, from->used_count * sizeof *tags);
    memset(tags + from->used_count, 0, added * sizeof *tags);
    memcpy(names, old_names, from->used_count * sizeof *names);
    memset(names + from->used_count, 0, added * sizeof *names);
    for (uint32_t i = first; i < last; i++) {
        tags[renewing->changes[i].slot_index] = renewing->changes[i].tag;
        names[renewing->changes[i].slot_index] = renewing->changes[i].hash;
    }
    to->tags = tags;
    made->tag_count += to->used_count;
}

static void make_source(struct renewing *renewing, uint32_t index)
{
    const prfdata_plan_source *from = &renewing->old->sources[index];
    prfdata_plan *made = renewing->made;
    prfdata_plan_source *to = &made->sources[index];
    const uint32_t first = renewing->next;
    uint32_t last = first;

    *to = *from;
    to->structure = &made->structures[index];
    *to->structure = prfdata_load64_relaxed(from->structure);
    while (last < renewing->change_count && renewing->changes[last].source == index)
        last++;
    renewing->next = last;
    if (first < last) {
        to->head[PRFDATA_PLAN_STRUCTURE] = renewing->changes[first].structure;
        to->used_count = renewing->changes[first].used_count;
    }
    make_tags_of_source(renewing, from, to, first, last);
    to->first_row = made->row_count;
    make_rows_of_source(renewing, from, first, last);
    to->row_count = made->row_count - to->first_row;
    to->first_rest = made->rest_count;
    if (made->has_sums)
        make_rests_of_source(renewing, from, first, last);
    to->rest_count = made->rest_count - to->first_rest;
}

/* With what is the same for all slots. */
static prfdata_plan *allocate_renewed(const struct renewing *renewing)
{
    const prfdata_plan *old = renewing->old;
    const size_t largest_row =
        prfdata_merge_instance_bytes(renewing->object, renewing->object->name_chars);
    prfdata_plan_room room;
    prfdata_plan *made;

    room.source_count = old->source_count;
    room.row_count = old->row_count + renewing->change_count;
    room.rest_count = old->rest_count + (old->has_sums ? renewing->change_count : 0);
    room.cell_count = renewing->object->cell_count;
    room.tag_count = old->tag_count;
    for (uint32_t i = 0; i < renewing->change_count; i++)
        if (i == 0 || renewing->changes[i].source != renewing->changes[i - 1].source)
            room.tag_count += renewing->changes[i].used_count -
                              source_of_change(renewing, &renewing->changes[i])->used_count;
    room.name_count = room.tag_count + old->ended_count;
    room.image_bytes = old->image_bytes + renewing->change_count * largest_row;
    made = prfdata_plan_allocate(&room);
    if (!made)
        return NULL;
    made->generation = old->generation;
    made->raised = old->raised;
    made->object_index = old->object_index;
    made->cells = old->cells;
    made->is_dense = old->is_dense;
    made->is_straight = old->is_straight;
    made->has_sums = old->has_sums;
    made->is_renewable = true;
    made->seed = old->seed;
    made->slot_words = old->slot_words;
    made->bytes = old->bytes;
    made->source_count = old->source_count;
    made->head_bytes = old->head_bytes;
    made->total_bytes = old->total_bytes;
    made->image_bytes = old->image_bytes;
    memcpy(made->regions, old->regions, old->source_count * sizeof *made->regions);
    memcpy(made->constants, old->constants, room.cell_count * sizeof *made->constants);
    memcpy(made->image, old->image, old->image_bytes);
    return made;
}

/* Whether no other slot may belong to a row of the name. */
static bool is_only_one_of_name(const prfdata_plan *plan, uint64_t hash)
{
    const uint32_t count = plan->tag_count + plan->ended_count;
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++)
        found += plan->names[i] == hash;
    return found == 1;
}

/* Whether merging would show all rows, each of one slot. */
static bool are_rows_plain(const struct renewing *renewing)
{
    const prfdata_plan *made = renewing->made;

    if (made->row_count > prfdata_merge_most_rows(renewing->object) ||
        made->bytes - made->head_bytes - made->total_bytes >
            prfdata_merge_instances_room(renewing->object))
        return false;
    for (uint32_t i = 0; i < renewing->change_count; i++)
        if (!is_only_one_of_name(made, renewing->changes[i].hash))
            return false;
    return true;
}

/* Images of rows that are gone remain, until they are too many: a merge begins with none. */
static bool is_image_too_large(const prfdata_plan *plan)
{
    enum { SPARE = 64 * 1024 };

    return plan->image_bytes > 2 * plan->bytes + SPARE;
}

static void finish_definitions(prfdata_plan *plan)
{
    prfdata_perf_block block;

    prfdata_perf_block_init(&block, plan->image, plan->head_bytes);
    block.used = plan->bytes;
    prfdata_template_finish(&block, 0, (int32_t)(plan->row_count + plan->has_sums));
}

/* NULL: a merge has to judge, or no memory. */
static prfdata_plan *make_renewed(struct renewing *renewing)
{
    const prfdata_plan *old = renewing->old;

    renewing->made = allocate_renewed(renewing);
    if (!renewing->made)
        return NULL;
    for (uint32_t i = 0; i < old->source_count; i++)
        make_source(renewing, i);
    renewing->made->ended_count = old->ended_count;
    memcpy(renewing->made->names + renewing->made->tag_count, old->names + old->tag_count,
           old->ended_count * sizeof *old->names);
    if (!are_rows_plain(renewing) || is_image_too_large(renewing->made)) {
        free(renewing->made);
        return NULL;
    }
    finish_definitions(renewing->made);
    return renewing->made;
}

/* ---- The whole ---- */

/* With room for the names of changed slots; NULL: no memory. */
static struct renewing *begin_renewing(const prfdata_plan *old)
{
    const size_t stride = old->sources[0].section->name_stride;
    struct renewing *renewing = calloc(1, sizeof *renewing + MOST_CHANGES * stride);

    if (!renewing)
        return NULL;
    renewing->old = old;
    renewing->object = old->cells.object;
    renewing->window.bytes = old->sources[0].bytes;
    renewing->window.size = old->sources[0].size;
    for (uint32_t i = 0; i < MOST_CHANGES; i++)
        renewing->changes[i].name = (void *)((uint8_t *)(renewing + 1) + i * stride);
    return renewing;
}

prfdata_plan *prfdata_plan_renew(const prfdata_plan *old)
{
    prfdata_plan *made = NULL;
    struct renewing *renewing;

    if (!old->is_renewable || old->source_count == 0)
        return NULL;
    renewing = begin_renewing(old);
    if (renewing && prfdata_os_guarded(&renewing->window, find_changes, renewing) &&
        renewing->is_read && judge_changes(renewing))
        made = make_renewed(renewing);
    free(renewing);
    return made;
}
