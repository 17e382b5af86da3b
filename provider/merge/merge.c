/* SPDX-License-Identifier: MIT */
/*
 * The merge, object by object, parents before children, which is the map's order. First the live
 * slots make rows; then every slot, live or not, adds to the rows and totals that it counts for.
 * The snapshots are copies (snapshot.h); reply.c writes what comes out.
 */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/compiler.h"
#include "base/perf_wire.h"
#include "base/smaller.h"
#include "names/names.h"
#include "snapshot/cells.h"
#include "snapshot/summary.h"

#define MOST_VALUES_BYTES (256ull * 1024 * 1024) /* of one object's rows */

struct merging {
    const prfdata_model *model;
    const prfdata_model_object *object;
    uint32_t object_index;
    const prfdata_merge_region *regions;
    uint32_t region_count;
    uint64_t seed;
    prfdata_merge_object *into;
    uint32_t row_limit;    /* rows that there is memory for */
    size_t room;           /* bytes of the reply that instances may take */
    uint64_t *values_left; /* bytes of memory that rows of all objects may still take */
    bool has_totals;
    const prfdata_merge_object *parents; /* the result of the parent object; NULL: none */
    const prfdata_merged *merged;
};

/* ---- Rows ---- */

size_t prfdata_merge_instance_bytes(const prfdata_model_object *object, uint32_t name_chars)
{
    const size_t name_bytes = 2 * ((size_t)name_chars + 1); /* a number has an empty name */

    return (sizeof(prfdata_perf_instance_definition) + name_bytes + 7) / 8 * 8 +
           object->block_bytes;
}

/* Of rows[position], for the hash table. */
static bool is_same_row(const void *rows, uint32_t position, const void *key)
{
    return prfdata_region_keys_equal(&((const prfdata_merge_row *)rows)[position].key, key);
}

static uint32_t find_merged_row(const prfdata_merge_object *into, const prfdata_region_key *key,
                                uint64_t hash)
{
    static_assert(PRFDATA_HASH_TABLE_NONE == PRFDATA_NONE, "no row");
    return prfdata_hash_table_find(&into->rows_by_key, hash, is_same_row, into->rows, key);
}

/* The row of this key, added if need be; PRFDATA_NONE: there is no room for it. */
static uint32_t find_or_add_row(struct merging *merging, const prfdata_region_key *key)
{
    prfdata_merge_object *into = merging->into;
    const uint64_t hash = prfdata_region_key_hash(key, merging->seed);
    size_t bytes = prfdata_merge_instance_bytes(merging->object, key->name_chars);
    uint32_t row;

    if (into->row_count >= merging->row_limit || bytes > merging->room - into->bytes) {
        row = find_merged_row(into, key, hash);
        into->dropped += row == PRFDATA_NONE;
        return row;
    }
    row = prfdata_hash_table_find_or_add(&into->rows_by_key, hash, is_same_row, into->rows, key,
                                         into->row_count);
    if (row != into->row_count)
        return row;
    into->bytes += bytes;
    into->rows[row] = (prfdata_merge_row){*key, 0};
    prfdata_cells_clear(merging->object, into->values + (size_t)row * merging->object->cell_count);
    into->row_count++;
    return row;
}

/* The parent's slot in the same region, or NULL (R13). */
static const prfdata_snapshot_slot *find_parent_slot(const struct merging *merging,
                                                     const prfdata_snapshot *snapshot,
                                                     const prfdata_snapshot_slot *slot)
{
    const prfdata_snapshot_slot *parent;

    if (!merging->parents)
        return NULL;
    parent =
        prfdata_snapshot_find(&snapshot->objects[merging->object->parent_index], slot->parent_slot);
    return parent && parent->identity == slot->parent_identity ? parent : NULL;
}

/* The row of a slot's parent, or PRFDATA_NONE. */
static uint32_t parent_row_of(const struct merging *merging, uint32_t region_index,
                              const prfdata_snapshot_slot *slot)
{
    const prfdata_snapshot *snapshot = merging->regions[region_index].snapshot;
    const prfdata_snapshot_slot *parent = find_parent_slot(merging, snapshot, slot);

    if (!parent)
        return PRFDATA_NONE;
    return merging->parents
        ->slot_rows[region_index][parent - snapshot->objects[merging->object->parent_index].slots];
}

/*
 * The key of a slot, with its parent's row. Returns false if it has none: no instance, a missing
 * parent (R13), or the name `_Total` where the provider adds that.
 */
static bool make_row_key(const struct merging *merging, uint32_t region_index,
                         const prfdata_snapshot_slot *slot, prfdata_region_key *key)
{
    const prfdata_snapshot_object *object =
        &merging->regions[region_index].snapshot->objects[merging->object_index];

    if (slot->state < PRFDATA_SLOT_LIVE)
        return false;
    *key = prfdata_snapshot_key_of(object, slot);
    key->parent_identity = 0;
    if (slot->parent_slot != PRFDATA_NONE) {
        key->parent_slot = parent_row_of(merging, region_index, slot);
        if (key->parent_slot == PRFDATA_NONE)
            return false;
    }
    return !(merging->object->options & PRFDATA_OPTION_TOTAL) || !key->name ||
           !prfdata_names_equal(key->name, key->name_chars, prfdata_names_total,
                                PRFDATA_NAMES_TOTAL_CHARS);
}

static bool is_live_slot(const prfdata_merge_region *region, const prfdata_snapshot_slot *slot)
{
    return region->is_live && slot->state == PRFDATA_SLOT_LIVE;
}

/* A live child of a parent that is not live in the same region has no instance (R13). */
static bool parent_is_live(const struct merging *merging, const prfdata_snapshot *snapshot,
                           const prfdata_snapshot_slot *slot)
{
    const prfdata_snapshot_slot *parent;

    if (slot->parent_slot == PRFDATA_NONE)
        return true;
    parent = find_parent_slot(merging, snapshot, slot);
    return parent && parent->state == PRFDATA_SLOT_LIVE;
}

static void make_rows(struct merging *merging, uint32_t region_index)
{
    const prfdata_merge_region *region = &merging->regions[region_index];
    const prfdata_snapshot_object *object = &region->snapshot->objects[merging->object_index];
    uint32_t *rows = merging->into->slot_rows[region_index];

    for (uint32_t i = 0; i < object->count; i++) {
        prfdata_region_key key;

        rows[i] = PRFDATA_NONE;
        if (is_live_slot(region, &object->slots[i]) &&
            make_row_key(merging, region_index, &object->slots[i], &key) &&
            parent_is_live(merging, region->snapshot, &object->slots[i]))
            rows[i] = find_or_add_row(merging, &key);
    }
}

/*
 * Whether a slot that makes no instance may belong to another one's. Not the name of a process that
 * has ended: process ids are used again, and another program would show its counts.
 */
static bool may_join_row(const struct merging *merging, uint32_t region_index)
{
    return merging->regions[region_index].is_live ||
           !(merging->object->options & PRFDATA_OPTION_PER_PROCESS);
}

/* Add windows of an earlier map's region, where that has them, to the values of a row or total. */
static void add_earlier_windows(const struct merging *merging,
                                const prfdata_snapshot_windows *windows, const uint64_t *cells,
                                const uint64_t *baselines, uint64_t *values)
{
    const prfdata_model_object *object = merging->object;

    for (uint32_t i = 0; i < object->distribution_count; i++) {
        const prfdata_model_distribution *distribution = &object->distributions[i];
        const uint32_t first = windows->first[i];

        if (first != PRFDATA_NONE)
            prfdata_cells_add_windows(cells + first, baselines ? baselines + first : NULL,
                                      prfdata_distribution_window_words(&distribution->shape),
                                      values + distribution->first_cell);
    }
}

/* Add the windows of a slot. `with_baselines`: less what was recorded under other names. */
PRFDATA_NOINLINE static void add_slot_windows(const struct merging *merging,
                                              const prfdata_snapshot_object *object,
                                              const prfdata_snapshot_slot *slot,
                                              bool with_baselines, uint64_t *values)
{
    const prfdata_snapshot_windows *windows = &object->windows;
    const size_t at = (size_t)(slot - object->slots) * windows->cell_stride;
    const bool has_baselines = with_baselines && slot->has_baseline;
    const uint32_t first = merging->object->stored_count;

    if (windows->first)
        add_earlier_windows(merging, windows, windows->cells + at,
                            has_baselines ? windows->baselines + at : NULL, values);
    else
        prfdata_cells_add_windows(prfdata_snapshot_cells(object, slot) + first,
                                  has_baselines ? prfdata_snapshot_baselines(object, slot) + first
                                                : NULL,
                                  merging->object->cell_count - first, values + first);
}

static void add_slot(const struct merging *merging, const prfdata_snapshot_object *object,
                     const prfdata_snapshot_slot *slot, bool is_live, uint64_t *values)
{
    prfdata_cells_add_counters(merging->object, prfdata_snapshot_cells(object, slot),
                               prfdata_snapshot_baselines(object, slot), is_live, values);
    if (merging->object->distribution_count > 0)
        add_slot_windows(merging, object, slot, true, values);
}

/* Add a slot to a row, and remember that. `makes_instance`: its gauges count. */
static bool add_part(struct merging *merging, uint32_t region_index, uint32_t position,
                     uint32_t row, bool makes_instance)
{
    const prfdata_snapshot_object *object =
        &merging->regions[region_index].snapshot->objects[merging->object_index];
    const prfdata_snapshot_slot *slot = &object->slots[position];
    prfdata_merge_object *into = merging->into;
    prfdata_merge_part *parts = prfdata_array_reserve(into->parts, &into->part_capacity,
                                                      into->part_count + 1, sizeof *parts);

    if (!parts)
        return false;
    into->parts = parts;
    parts[into->part_count].region = region_index;
    parts[into->part_count].position = position;
    parts[into->part_count].row = row;
    into->part_count++;
    into->rows[row].slot_count++;
    add_slot(merging, object, slot, makes_instance,
             into->values + (size_t)row * merging->object->cell_count);
    return true;
}

/* Add all slots. What one accumulated counts for its name even if it makes no instance itself. */
static bool add_slots(struct merging *merging, uint32_t region_index)
{
    const prfdata_snapshot_object *object =
        &merging->regions[region_index].snapshot->objects[merging->object_index];
    uint32_t *rows = merging->into->slot_rows[region_index];

    for (uint32_t i = 0; i < object->count; i++) {
        const bool makes_instance = rows[i] != PRFDATA_NONE;
        prfdata_region_key key;

        if (!makes_instance && may_join_row(merging, region_index) &&
            make_row_key(merging, region_index, &object->slots[i], &key))
            rows[i] =
                find_merged_row(merging->into, &key, prfdata_region_key_hash(&key, merging->seed));
        if (rows[i] != PRFDATA_NONE && !add_part(merging, region_index, i, rows[i], makes_instance))
            return false;
    }
    return true;
}

/* The slot of a summary that adds to a row, or NULL. At most as deep as the map's parents. */
static const prfdata_snapshot_slot *find_slot_of_row(const struct merging *merging,
                                                     const prfdata_snapshot *summary,
                                                     uint32_t object_index,
                                                     const prfdata_merge_row *row)
{
    const uint32_t parent_index = merging->model->objects[object_index].parent_index;
    prfdata_region_key key = row->key;

    if (merging->model->objects[object_index].options & PRFDATA_OPTION_PER_PROCESS)
        return NULL; /* see may_join_row() */
    if (key.parent_slot != PRFDATA_NONE) {
        const prfdata_snapshot_slot *parent =
            find_slot_of_row(merging, summary, parent_index,
                             &merging->merged->objects[parent_index].rows[key.parent_slot]);

        if (!parent)
            return NULL;
        key.parent_slot = parent->slot_index;
        key.parent_identity = parent->identity;
    }
    return prfdata_summary_find(summary, object_index, &key);
}

/* The row to which a slot of a summary adds, or PRFDATA_NONE: the same the other way round. */
static uint32_t find_row_of_slot(const struct merging *merging, const prfdata_snapshot *summary,
                                 uint32_t object_index, const prfdata_snapshot_slot *slot)
{
    const prfdata_model_object *model_object = &merging->model->objects[object_index];
    prfdata_region_key key = prfdata_snapshot_key_of(&summary->objects[object_index], slot);

    key.parent_identity = 0;
    if (model_object->options & PRFDATA_OPTION_PER_PROCESS)
        return PRFDATA_NONE; /* see may_join_row() */
    if (key.parent_slot != PRFDATA_NONE) {
        const prfdata_snapshot_slot *parent =
            model_object->parent_index == PRFDATA_NONE
                ? NULL
                : prfdata_snapshot_find(&summary->objects[model_object->parent_index],
                                        slot->parent_slot);

        if (!parent || parent->identity != slot->parent_identity)
            return PRFDATA_NONE;
        key.parent_slot = find_row_of_slot(merging, summary, model_object->parent_index, parent);
        if (key.parent_slot == PRFDATA_NONE)
            return PRFDATA_NONE;
    }
    return find_merged_row(&merging->merged->objects[object_index], &key,
                           prfdata_region_key_hash(&key, merging->seed));
}

static bool add_slots_of_summary(struct merging *merging, uint32_t region_index)
{
    const prfdata_snapshot *summary = merging->regions[region_index].snapshot;
    const prfdata_snapshot_object *object = &summary->objects[merging->object_index];

    for (uint32_t i = 0; i < object->count; i++) {
        const uint32_t row =
            find_row_of_slot(merging, summary, merging->object_index, &object->slots[i]);

        if (row != PRFDATA_NONE && !add_part(merging, region_index, i, row, false))
            return false;
    }
    return true;
}

static bool add_rows_of_summary(struct merging *merging, uint32_t region_index)
{
    const prfdata_snapshot *summary = merging->regions[region_index].snapshot;
    const prfdata_snapshot_object *object = &summary->objects[merging->object_index];

    for (uint32_t i = 0; i < merging->into->row_count; i++) {
        const prfdata_snapshot_slot *slot =
            find_slot_of_row(merging, summary, merging->object_index, &merging->into->rows[i]);

        if (slot && !add_part(merging, region_index, (uint32_t)(slot - object->slots), i, false))
            return false;
    }
    return true;
}

/* What many ended programs left may be far more than the rows, and the rows more than one left. */
static bool add_summary(struct merging *merging, uint32_t region_index)
{
    const prfdata_snapshot *summary = merging->regions[region_index].snapshot;

    if (summary->objects[merging->object_index].count < merging->into->row_count)
        return add_slots_of_summary(merging, region_index);
    return add_rows_of_summary(merging, region_index);
}

static bool is_summary(const struct merging *merging, uint32_t region_index)
{
    return merging->regions[region_index].snapshot->objects[merging->object_index].sums != NULL;
}

/* Add the windows of a summary to the totals. An earlier map may have none of the object. */
PRFDATA_NOINLINE static void add_summary_windows(const struct merging *merging,
                                                 const prfdata_snapshot_object *object)
{
    const uint32_t first = merging->object->stored_count;
    uint64_t *totals = merging->into->totals;

    if (object->windows.first)
        add_earlier_windows(merging, &object->windows, object->windows.sums, NULL, totals);
    else if (object->windows.sums)
        prfdata_cells_add_windows(object->windows.sums + first, NULL,
                                  merging->object->cell_count - first, totals + first);
}

/*
 * The sums of one region: all its slots, or its cells without instances. Windows are added to the
 * totals at once.
 */
static void sum_region(struct merging *merging, uint32_t region_index)
{
    const prfdata_merge_region *region = &merging->regions[region_index];
    const prfdata_snapshot_object *object = &region->snapshot->objects[merging->object_index];
    uint64_t *sums = merging->into->sums + (size_t)region_index * merging->object->stored_count;

    prfdata_cells_clear_counters(merging->object, sums);
    if (object->sums) { /* made by its region's map, which may have no value where this one has 0 */
        prfdata_cells_add_counters(merging->object, object->sums, NULL, false, sums);
        add_summary_windows(merging, object);
        return;
    }
    for (uint32_t i = 0; i < object->count; i++) {
        const prfdata_snapshot_slot *slot = &object->slots[i];

        prfdata_cells_add_counters(
            merging->object, prfdata_snapshot_cells(object, slot), NULL,
            merging->object->has_instances ? is_live_slot(region, slot) : region->is_live, sums);
        if (merging->object->distribution_count > 0)
            add_slot_windows(merging, object, slot, false, merging->into->totals);
    }
}

/* ---- Objects ---- */

/* What `_Total` and the definitions leave of the largest reply. */
size_t prfdata_merge_instances_room(const prfdata_model_object *object)
{
    return PRFDATA_MAX_OBJECT_BYTES - sizeof(prfdata_perf_object_type) -
           object->counter_count * sizeof(prfdata_perf_counter_definition) -
           prfdata_merge_instance_bytes(object, PRFDATA_NAMES_TOTAL_CHARS);
}

/*
 * Also if regions of an earlier map have more slots than this one allows, in which a slot has more
 * cells.
 */
uint32_t prfdata_merge_most_rows(const prfdata_model_object *object)
{
    const uint64_t most = prfdata_smaller_of(
        prfdata_merge_instances_room(object) / prfdata_merge_instance_bytes(object, 0),
        MOST_VALUES_BYTES / ((object->cell_count + 1ull) * sizeof(uint64_t)));

    return (uint32_t)prfdata_smaller_of(most, PRFDATA_MAX_INSTANCES);
}

/* How many rows there can be: bounds the memory even if all regions are full. */
static uint32_t most_rows_of(const struct merging *merging)
{
    const uint32_t most = (uint32_t)prfdata_smaller_of(
        prfdata_merge_most_rows(merging->object),
        *merging->values_left / ((merging->object->cell_count + 1ull) * sizeof(uint64_t)));
    uint64_t live = 0;

    for (uint32_t i = 0; i < merging->region_count; i++) {
        const prfdata_snapshot_object *object =
            &merging->regions[i].snapshot->objects[merging->object_index];

        for (uint32_t j = 0; merging->regions[i].is_live && j < object->count; j++)
            live += is_live_slot(&merging->regions[i], &object->slots[j]);
    }
    return live < most ? (uint32_t)live : most;
}

/* Values, totals, sums and rows in one allocation, which `values` owns. */
static bool make_value_room(struct merging *merging)
{
    prfdata_merge_object *into = merging->into;
    const size_t cell_count = merging->object->cell_count;
    const size_t sums = merging->has_totals ? merging->region_count : 0;
    const size_t row_count = merging->object->has_instances ? most_rows_of(merging) : 0;

    merging->row_limit = (uint32_t)row_count;
    *merging->values_left -= row_count * (cell_count + 1) * sizeof(uint64_t);
    into->values = malloc((row_count + 1) * cell_count * sizeof *into->values +
                          sums * merging->object->stored_count * sizeof *into->values +
                          (row_count + 1) * sizeof *into->rows);
    if (!into->values)
        return false;
    into->totals = into->values + row_count * cell_count;
    into->sums = into->totals + cell_count;
    into->rows = (void *)(into->sums + sums * merging->object->stored_count);
    return prfdata_hash_table_reserve(&into->rows_by_key, row_count);
}

/* The rows of all regions' slots in one allocation. */
static bool make_slot_rows(struct merging *merging)
{
    const uint32_t region_count = merging->region_count;
    size_t slot_count = 0;
    uint32_t *rows;

    for (uint32_t i = 0; i < region_count; i++)
        if (!is_summary(merging, i))
            slot_count += merging->regions[i].snapshot->objects[merging->object_index].count;
    merging->into->slot_rows =
        malloc(region_count * sizeof *merging->into->slot_rows + slot_count * sizeof *rows + 1);
    if (!merging->into->slot_rows)
        return false;
    rows = (void *)(merging->into->slot_rows + region_count);
    for (uint32_t i = 0; i < region_count; i++) {
        merging->into->slot_rows[i] = rows;
        if (!is_summary(merging, i))
            rows += merging->regions[i].snapshot->objects[merging->object_index].count;
    }
    return true;
}

/* Gauges of live slots only are in the sums; a sum is added like a slot that is live. */
static void add_sums(struct merging *merging)
{
    prfdata_merge_object *into = merging->into;

    prfdata_cells_clear(merging->object, into->totals);
    for (uint32_t i = 0; merging->has_totals && i < merging->region_count; i++) {
        sum_region(merging, i);
        prfdata_cells_add_counters(merging->object,
                                   into->sums + (size_t)i * merging->object->stored_count, NULL,
                                   true, into->totals);
    }
    prfdata_cells_finish(merging->object, into->totals);
}

/* Returns false if memory is exhausted. */
static bool make_and_fill_rows(struct merging *merging)
{
    for (uint32_t i = 0; i < merging->region_count; i++)
        if (!is_summary(merging, i))
            make_rows(merging, i);
    for (uint32_t i = 0; i < merging->region_count; i++)
        if (!(is_summary(merging, i) ? add_summary : add_slots)(merging, i))
            return false;
    return true;
}

static prfdata_result merge_object(struct merging *merging)
{
    prfdata_merge_object *into = merging->into;
    const prfdata_model_object *object = merging->object;

    merging->room = prfdata_merge_instances_room(object);
    merging->has_totals = !object->has_instances || (object->options & PRFDATA_OPTION_TOTAL);
    if (!make_value_room(merging) || !make_slot_rows(merging))
        return PRFDATA_NO_MEMORY;
    if (object->has_instances && !make_and_fill_rows(merging))
        return PRFDATA_NO_MEMORY;
    for (uint32_t i = 0; i < into->row_count; i++)
        prfdata_cells_finish(merging->object, into->values + (size_t)i * object->cell_count);
    add_sums(merging);
    prfdata_cells_mean(merging->object, into->values, into->row_count, into->totals);
    return PRFDATA_DONE;
}

prfdata_result prfdata_merge_make(const prfdata_model *model, const bool *wanted,
                                  const prfdata_merge_region *regions, uint32_t region_count,
                                  uint64_t most_bytes, uint64_t seed, prfdata_merged **merged)
{
    prfdata_merged *made = calloc(1, sizeof *made + model->object_count * sizeof made->objects[0]);
    prfdata_result result = PRFDATA_DONE;

    if (!made)
        return PRFDATA_NO_MEMORY;
    made->object_count = model->object_count;
    for (uint32_t i = 0; i < model->object_count && result == PRFDATA_DONE; i++) {
        struct merging merging = {0};

        if (!wanted[i])
            continue;
        merging.model = model;
        merging.merged = made;
        merging.object = &model->objects[i];
        merging.object_index = i;
        merging.regions = regions;
        merging.region_count = region_count;
        merging.seed = seed;
        merging.into = &made->objects[i];
        merging.values_left = &most_bytes;
        if (merging.object->parent_index != PRFDATA_NONE)
            merging.parents = &made->objects[merging.object->parent_index];
        result = merge_object(&merging);
    }
    if (result != PRFDATA_DONE)
        prfdata_merge_free(made);
    else
        *merged = made;
    return result;
}

void prfdata_merge_free(prfdata_merged *merged)
{
    if (!merged)
        return;
    for (uint32_t i = 0; i < merged->object_count; i++) {
        free(merged->objects[i].values);
        free(merged->objects[i].slot_rows);
        free(merged->objects[i].parts);
        prfdata_hash_table_free(&merged->objects[i].rows_by_key);
    }
    free(merged);
}
