/* SPDX-License-Identifier: MIT */
/*
 * Merges snapshots into rows, object by object, parents before children. First each live slot makes
 * a row or joins one. If there is no room for all rows, the accounts share the room. Then every
 * slot, live or not, adds its values to the totals, and to its row if it has one. A slot has no row
 * if its parent has none. snapshot/cells.c combines two values; reply.c writes the rows.
 */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/compiler.h"
#include "base/smaller.h"
#include "names/names.h"
#include "snapshot/cells.h"
#include "snapshot/summary.h"
#include "system/shares.h"

#define MOST_VALUES_BYTES (256ull * 1024 * 1024) /* the limit for the rows of one object */

static bool is_same_row(const void *rows, uint32_t position, const void *key)
{
    return prfdata_region_keys_equal((const prfdata_region_key *)rows + position, key);
}

static uint32_t find_merged_row(const prfdata_merge_object *into, const prfdata_region_key *key,
                                uint64_t hash)
{
    static_assert(PRFDATA_HASH_TABLE_NONE == PRFDATA_NONE, "no row");
    return prfdata_hash_table_find(&into->rows_by_key, hash, is_same_row, into->rows, key);
}

uint64_t prfdata_merge_hash_names(const prfdata_merge *merge, uint32_t object_index,
                                  const prfdata_region_key *row)
{
    const uint32_t parent_index = merge->model->objects[object_index].parent_index;
    prfdata_region_key key = *row;
    uint64_t seed = merge->seed;

    if (key.parent_slot != PRFDATA_NONE)
        seed = prfdata_merge_hash_names(merge, parent_index,
                                        &merge->objects[parent_index].rows[key.parent_slot]);
    key.parent_slot = PRFDATA_NONE; /* the number of a row differs between Collects */
    return prfdata_region_key_hash(&key, seed);
}

/*
 * Returns the cost of a row for the account that makes it. A row takes a part of row_limit and a
 * part of bytes_limit. Its cost is the larger of the two parts, multiplied by bytes_limit *
 * row_limit, so that the cost is an integer.
 */
static uint64_t row_cost(const prfdata_merge_object *into, uint32_t name_chars)
{
    const uint64_t bytes = prfdata_model_row_bytes(into->model_object, name_chars);

    return bytes * into->row_limit > into->bytes_limit ? bytes * into->row_limit
                                                       : into->bytes_limit;
}

/*
 * The row with this key, which is added if necessary; PRFDATA_NONE: there is no room for it.
 *
 * left  What is left of the account's share, in the unit of row_cost(); reduced by the cost of an
 *       added row. NULL: accounts have no limit.
 */
static uint32_t find_or_add_row(prfdata_merge *merge, prfdata_merge_object *into,
                                const prfdata_region_key *key, uint64_t *left)
{
    const uint64_t cost = left ? row_cost(into, key->name_chars) : 0;
    const uint64_t hash = prfdata_region_key_hash(key, merge->seed);
    size_t bytes = prfdata_model_row_bytes(into->model_object, key->name_chars);
    uint32_t row;

    if (into->row_count >= into->row_limit || bytes > into->bytes_limit - into->bytes ||
        (left && cost > *left)) {
        row = find_merged_row(into, key, hash);
        into->too_many += row == PRFDATA_NONE;
        return row;
    }
    row = prfdata_hash_table_find_or_add(&into->rows_by_key, hash, is_same_row, into->rows, key,
                                         into->row_count);
    if (row != into->row_count)
        return row;
    into->bytes += bytes;
    into->rows[row] = *key;
    into->row_parts[row] = 0;
    prfdata_cells_clear(into->model_object,
                        into->values + (size_t)row * into->model_object->cell_count);
    into->row_count++;
    if (left)
        *left -= cost;
    return row;
}

/* The slot of the parent in the same region, or NULL (R13 of docs/region-format.md). */
static const prfdata_snapshot_slot *find_parent_slot(const prfdata_merge_object *into,
                                                     const prfdata_snapshot *snapshot,
                                                     const prfdata_snapshot_slot *slot)
{
    const prfdata_snapshot_slot *parent;

    if (into->model_object->parent_index == PRFDATA_NONE)
        return NULL;
    parent = prfdata_snapshot_find(&snapshot->objects[into->model_object->parent_index],
                                   slot->parent_slot);
    return parent && parent->identity == slot->parent_identity ? parent : NULL;
}

static uint32_t parent_row_of(const prfdata_merge *merge, const prfdata_merge_object *into,
                              uint32_t region_index, const prfdata_snapshot_slot *slot)
{
    const uint32_t parent_index = into->model_object->parent_index;
    const prfdata_snapshot *snapshot = merge->snapshots[region_index];
    const prfdata_snapshot_slot *parent = find_parent_slot(into, snapshot, slot);

    if (!parent)
        return PRFDATA_NONE;
    return merge->objects[parent_index]
        .slot_rows[region_index][parent - snapshot->objects[parent_index].slots];
}

/*
 * Makes the key of a slot, with its parent's row. Returns false if the slot is neither live nor
 * dormant, if its parent is missing (R13) or has no row, or if its name is `_Total` and the
 * provider adds `_Total` itself.
 */
static bool make_row_key(const prfdata_merge *merge, const prfdata_merge_object *into,
                         uint32_t region_index, const prfdata_snapshot_slot *slot,
                         prfdata_region_key *key)
{
    const prfdata_snapshot_object *object = &merge->snapshots[region_index]->objects[into->index];

    if (slot->state < PRFDATA_SLOT_LIVE)
        return false;
    *key = prfdata_snapshot_key_of(object, slot);
    key->parent_identity = 0;
    if (slot->parent_slot != PRFDATA_NONE) {
        key->parent_slot = parent_row_of(merge, into, region_index, slot);
        if (key->parent_slot == PRFDATA_NONE)
            return false;
    }
    return !(into->model_object->options & PRFDATA_OPTION_TOTAL) || !key->name ||
           !prfdata_names_equal(key->name, key->name_chars, prfdata_names_total,
                                PRFDATA_NAMES_TOTAL_CHARS);
}

/*
 * Whether a slot has no parent, or its parent is live in the same region. Otherwise the slot has no
 * instance (R13).
 */
static bool parent_is_live(const prfdata_merge_object *into, const prfdata_snapshot *snapshot,
                           const prfdata_snapshot_slot *slot)
{
    const prfdata_snapshot_slot *parent;

    if (slot->parent_slot == PRFDATA_NONE)
        return true;
    parent = find_parent_slot(into, snapshot, slot);
    return parent && parent->state == PRFDATA_SLOT_LIVE;
}

/* Whether a slot is an instance, which is shown if there is room. `key` gets the key of its row. */
static bool is_instance(const prfdata_merge *merge, const prfdata_merge_object *into,
                        uint32_t region_index, const prfdata_snapshot_slot *slot,
                        prfdata_region_key *key)
{
    const prfdata_snapshot *snapshot = merge->snapshots[region_index];

    return prfdata_snapshot_slot_is_live(snapshot, slot) &&
           make_row_key(merge, into, region_index, slot, key) &&
           parent_is_live(into, snapshot, slot);
}

/*
 * For one region, lets each slot that is an instance make a row or join one, as far as there is
 * room. `left` is what the region's account may still take, or NULL if accounts have no limit.
 */
static void make_rows(prfdata_merge *merge, prfdata_merge_object *into, uint32_t region_index,
                      uint64_t *left)
{
    const prfdata_snapshot_object *object = &merge->snapshots[region_index]->objects[into->index];
    prfdata_region_key key;

    for (uint32_t i = 0; i < object->count; i++)
        into->slot_rows[region_index][i] =
            is_instance(merge, into, region_index, &object->slots[i], &key)
                ? find_or_add_row(merge, into, &key, left)
                : PRFDATA_NONE;
}

static bool is_summary(const prfdata_merge *merge, uint32_t region_index)
{
    return merge->snapshots[region_index]->is_summary;
}

static void remove_rows(prfdata_merge_object *into)
{
    into->row_count = 0;
    into->part_count = 0;
    into->bytes = 0;
    into->too_many = 0;
    prfdata_hash_table_clear(&into->rows_by_key);
}

/* Adds to each account in `shares` what its instances cost, as if each made its own row. */
static void want_rows(const prfdata_merge *merge, const prfdata_merge_object *into,
                      prfdata_shares *shares)
{
    for (uint32_t i = 0; i < merge->region_count; i++) {
        const prfdata_snapshot_object *object = &merge->snapshots[i]->objects[into->index];
        prfdata_region_key key;

        for (uint32_t j = 0; j < object->count; j++)
            if (is_instance(merge, into, i, &object->slots[j], &key))
                prfdata_shares_want(shares, merge->snapshots[i]->account,
                                    row_cost(into, key.name_chars));
    }
}

/*
 * Orders regions by the time when this reader first found their programs running, then by id, which
 * puts older regions first.
 */
static int compare_regions(const void *a, const void *b)
{
    const prfdata_snapshot *one = **(prfdata_snapshot *const *const *)a;
    const prfdata_snapshot *other = **(prfdata_snapshot *const *const *)b;

    if (one->since_ms != other->since_ms)
        return one->since_ms < other->since_ms ? -1 : 1;
    return one->region_id < other->region_id ? -1 : one->region_id > other->region_id;
}

/*
 * Makes the rows of the regions in the given order. `shares` is NULL if only the object's limits
 * count.
 */
static void make_rows_in_order(prfdata_merge *merge, prfdata_merge_object *into,
                               prfdata_snapshot **const *order, const prfdata_shares *shares)
{
    for (uint32_t i = 0; i < merge->region_count; i++) {
        const uint32_t region_index = (uint32_t)(order[i] - merge->snapshots);
        const prfdata_os_account *account = (*order[i])->account;

        if (!is_summary(merge, region_index))
            make_rows(merge, into, region_index,
                      shares ? prfdata_shares_left(shares, account) : NULL);
    }
}

/*
 * Makes all rows again, because there was no room for all of them. If there are several accounts,
 * each may first use its share. Then the slots that still have no row share the room that is left.
 * In both steps, programs that this reader found earlier come first, so a program that starts takes
 * no row of an earlier program of its account. Returns false if memory is exhausted.
 */
static bool share_rows(prfdata_merge *merge, prfdata_merge_object *into)
{
    prfdata_snapshot ***order = malloc((merge->region_count + 1u) * sizeof *order);
    prfdata_shares shares = {0};

    if (!order || !prfdata_shares_init(&shares, merge->region_count)) {
        free(order);
        return false;
    }
    for (uint32_t i = 0; i < merge->region_count; i++)
        order[i] = &merge->snapshots[i];
    qsort(order, merge->region_count, sizeof *order, compare_regions);
    want_rows(merge, into, &shares);
    remove_rows(into);
    if (prfdata_shares_divide(&shares, (uint64_t)into->bytes_limit * into->row_limit)) {
        into->largest_account = prfdata_shares_largest(&shares);
        make_rows_in_order(merge, into, order, &shares);
    }
    into->too_many = 0;
    make_rows_in_order(merge, into, order, NULL);
    prfdata_shares_free(&shares);
    free(order);
    return true;
}

/*
 * Whether a slot that makes no instance may add to the row of another slot. In an object with an
 * instance per process, the slots of an ended process must not add. Windows reuses process ids, so
 * another program would show these counts. The slots of a region that a running process has closed
 * may add, because the process may have opened another region.
 */
static bool may_join_row(const prfdata_merge *merge, const prfdata_merge_object *into,
                         uint32_t region_index)
{
    return merge->snapshots[region_index]->is_live || merge->snapshots[region_index]->is_closed ||
           !(into->model_object->options & PRFDATA_OPTION_PER_PROCESS);
}

/*
 * The copy of the object that has the windows of its distributions. If the object was converted
 * from an earlier map, the copy before the conversion has them.
 */
static const prfdata_snapshot_object *with_windows(const prfdata_snapshot_object *object)
{
    return object->earlier ? object->earlier : object;
}

/* Adds the windows in `cells` to a row or total. An earlier map may lack some of the windows. */
static void add_windows(const prfdata_merge_object *into, const prfdata_snapshot_object *object,
                        const uint64_t *cells, const uint64_t *baselines, uint64_t *values)
{
    for (uint32_t i = 0; i < into->model_object->distribution_count; i++) {
        const prfdata_model_distribution *distribution = &into->model_object->distributions[i];
        const uint32_t first = object->earlier ? object->first_cells[i] : distribution->first_cell;

        if (first != PRFDATA_NONE)
            prfdata_cells_add_windows(cells + first, baselines ? baselines + first : NULL,
                                      prfdata_distribution_window_words(&distribution->shape),
                                      values + distribution->first_cell);
    }
}

/*
 * Adds the windows of a slot. If `with_baselines` is set, subtracts what was recorded under the
 * slot's earlier names.
 */
PRFDATA_NOINLINE static void add_slot_windows(const prfdata_merge_object *into,
                                              const prfdata_snapshot_object *object,
                                              const prfdata_snapshot_slot *slot,
                                              bool with_baselines, uint64_t *values)
{
    const prfdata_snapshot_object *from = with_windows(object);

    add_windows(into, object, prfdata_snapshot_cells(from, slot),
                with_baselines ? prfdata_snapshot_baselines(from, slot) : NULL, values);
}

static void add_slot(const prfdata_merge_object *into, const prfdata_snapshot_object *object,
                     const prfdata_snapshot_slot *slot, bool is_live, uint64_t *values)
{
    prfdata_cells_add_counters(into->model_object, prfdata_snapshot_cells(object, slot),
                               prfdata_snapshot_baselines(object, slot), is_live, values);
    if (into->model_object->distribution_count > 0)
        add_slot_windows(into, object, slot, true, values);
}

/*
 * Adds a slot to a row, and records the slot as a part of the row. The slot's gauges count only if
 * `makes_instance` is set.
 */
static bool add_part(prfdata_merge *merge, prfdata_merge_object *into, uint32_t region_index,
                     uint32_t position, uint32_t row, bool makes_instance)
{
    const prfdata_snapshot_object *object = &merge->snapshots[region_index]->objects[into->index];
    const prfdata_snapshot_slot *slot = &object->slots[position];
    prfdata_merge_part *parts = prfdata_array_reserve(into->parts, &into->part_capacity,
                                                      into->part_count + 1, sizeof *parts);

    if (!parts)
        return false;
    into->parts = parts;
    parts[into->part_count].region = region_index;
    parts[into->part_count].position = position;
    parts[into->part_count].row = row;
    into->part_count++;
    into->row_parts[row]++;
    add_slot(into, object, slot, makes_instance,
             into->values + (size_t)row * into->model_object->cell_count);
    return true;
}

/*
 * Adds the slots of a region to the rows of their names. A slot that makes no instance adds its
 * accumulated counts, too, if another slot makes a row of that name and may_join_row() allows it.
 */
static bool add_slots(prfdata_merge *merge, prfdata_merge_object *into, uint32_t region_index)
{
    const prfdata_snapshot_object *object = &merge->snapshots[region_index]->objects[into->index];
    uint32_t *rows = into->slot_rows[region_index];

    for (uint32_t i = 0; i < object->count; i++) {
        const bool makes_instance = rows[i] != PRFDATA_NONE;
        prfdata_region_key key;

        if (!makes_instance && may_join_row(merge, into, region_index) &&
            make_row_key(merge, into, region_index, &object->slots[i], &key))
            rows[i] = find_merged_row(into, &key, prfdata_region_key_hash(&key, merge->seed));
        if (rows[i] != PRFDATA_NONE &&
            !add_part(merge, into, region_index, i, rows[i], makes_instance))
            return false;
    }
    return true;
}

/*
 * The slot of a summary that adds to a row, or NULL. The recursion is at most as deep as the chain
 * of parents in the map.
 */
static const prfdata_snapshot_slot *find_slot_of_row(const prfdata_merge *merge,
                                                     const prfdata_snapshot *summary,
                                                     uint32_t object_index,
                                                     const prfdata_region_key *row)
{
    const uint32_t parent_index = merge->model->objects[object_index].parent_index;
    prfdata_region_key key = *row;

    if (merge->model->objects[object_index].options & PRFDATA_OPTION_PER_PROCESS)
        return NULL; /* see may_join_row() */
    if (key.parent_slot != PRFDATA_NONE) {
        const prfdata_snapshot_slot *parent = find_slot_of_row(
            merge, summary, parent_index, &merge->objects[parent_index].rows[key.parent_slot]);

        if (!parent)
            return NULL;
        key.parent_slot = parent->slot_index;
        key.parent_identity = parent->identity;
    }
    return prfdata_summary_find(summary, object_index, &key);
}

/* The inverse of find_slot_of_row(): the row that a summary's slot adds to, or PRFDATA_NONE. */
static uint32_t find_row_of_slot(const prfdata_merge *merge, const prfdata_snapshot *summary,
                                 uint32_t object_index, const prfdata_snapshot_slot *slot)
{
    const prfdata_model_object *model_object = &merge->model->objects[object_index];
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
        key.parent_slot = find_row_of_slot(merge, summary, model_object->parent_index, parent);
        if (key.parent_slot == PRFDATA_NONE)
            return PRFDATA_NONE;
    }
    return find_merged_row(&merge->objects[object_index], &key,
                           prfdata_region_key_hash(&key, merge->seed));
}

static bool add_summary_by_slots(prfdata_merge *merge, prfdata_merge_object *into,
                                 uint32_t region_index)
{
    const prfdata_snapshot *summary = merge->snapshots[region_index];
    const prfdata_snapshot_object *object = &summary->objects[into->index];

    for (uint32_t i = 0; i < object->count; i++) {
        const uint32_t row = find_row_of_slot(merge, summary, into->index, &object->slots[i]);

        if (row != PRFDATA_NONE && !add_part(merge, into, region_index, i, row, false))
            return false;
    }
    return true;
}

static bool add_summary_by_rows(prfdata_merge *merge, prfdata_merge_object *into,
                                uint32_t region_index)
{
    const prfdata_snapshot *summary = merge->snapshots[region_index];
    const prfdata_snapshot_object *object = &summary->objects[into->index];

    for (uint32_t i = 0; i < into->row_count; i++) {
        const prfdata_snapshot_slot *slot =
            find_slot_of_row(merge, summary, into->index, &into->rows[i]);

        if (slot &&
            !add_part(merge, into, region_index, (uint32_t)(slot - object->slots), i, false))
            return false;
    }
    return true;
}

/*
 * Adds the slots of a summary to their rows. Iterates over the slots or over the rows, whichever
 * are fewer, because there may be thousands of times as many slots as rows, or the reverse.
 */
static bool add_summary(prfdata_merge *merge, prfdata_merge_object *into, uint32_t region_index)
{
    const prfdata_snapshot *summary = merge->snapshots[region_index];

    if (summary->objects[into->index].count < into->row_count)
        return add_summary_by_slots(merge, into, region_index);
    return add_summary_by_rows(merge, into, region_index);
}

/*
 * Computes the sums of one region: of all its slots, or of its cells if the object has no
 * instances. Adds windows directly to the totals.
 */
static void sum_region(prfdata_merge *merge, prfdata_merge_object *into, uint32_t region_index)
{
    const prfdata_snapshot *snapshot = merge->snapshots[region_index];
    const prfdata_snapshot_object *object = &snapshot->objects[into->index];
    uint64_t *sums = into->sums + (size_t)region_index * into->model_object->stored_count;

    prfdata_cells_clear_counters(into->model_object, sums);
    /*
     * The sums of the summary are added, not copied. A cell to which nothing was added has the
     * initial value of the region's map, but `sums` needs the initial value of the current map.
     */
    if (object->sums) {
        prfdata_cells_add_counters(into->model_object, object->sums, NULL, false, sums);
        add_windows(into, object, with_windows(object)->sums, NULL, into->totals);
        return;
    }
    for (uint32_t i = 0; i < object->count; i++) {
        const prfdata_snapshot_slot *slot = &object->slots[i];

        prfdata_cells_add_counters(into->model_object, prfdata_snapshot_cells(object, slot), NULL,
                                   prfdata_snapshot_slot_is_live(snapshot, slot), sums);
        if (into->model_object->distribution_count > 0)
            add_slot_windows(into, object, slot, false, into->totals);
    }
}

/* How many rows an object may have if their names are as short as possible. */
static uint32_t most_rows(const prfdata_model_object *object)
{
    const uint64_t most =
        prfdata_smaller_of(prfdata_model_rows_room(object) / prfdata_model_row_bytes(object, 0),
                           MOST_VALUES_BYTES / ((object->cell_count + 1ull) * sizeof(uint64_t)));

    return (uint32_t)prfdata_smaller_of(most, PRFDATA_MAX_INSTANCES);
}

/* How many rows to make room for: one per live slot, as far as the limits allow. */
static uint32_t most_rows_of(const prfdata_merge *merge, const prfdata_merge_object *into)
{
    const uint32_t most = (uint32_t)prfdata_smaller_of(
        most_rows(into->model_object),
        merge->rows_bytes_left / ((into->model_object->cell_count + 1ull) * sizeof(uint64_t)));
    uint64_t live = 0;

    for (uint32_t i = 0; i < merge->region_count; i++) {
        const prfdata_snapshot_object *object = &merge->snapshots[i]->objects[into->index];

        for (uint32_t j = 0; merge->snapshots[i]->is_live && j < object->count; j++)
            live += prfdata_snapshot_slot_is_live(merge->snapshots[i], &object->slots[j]);
    }
    return live < most ? (uint32_t)live : most;
}

/* Allocates the arrays of rows and totals as one block, which `values` owns. */
static bool make_value_room(prfdata_merge *merge, prfdata_merge_object *into)
{
    const size_t cell_count = into->model_object->cell_count;
    const size_t sums = prfdata_merge_has_totals(into->model_object) ? merge->region_count : 0;
    const size_t row_count = into->model_object->has_instances ? most_rows_of(merge, into) : 0;

    into->row_limit = (uint32_t)row_count;
    merge->rows_bytes_left -= row_count * (cell_count + 1) * sizeof(uint64_t);
    into->values = malloc((row_count + 1) * cell_count * sizeof *into->values +
                          sums * into->model_object->stored_count * sizeof *into->values +
                          (row_count + 1) * (sizeof *into->rows + sizeof *into->row_parts));
    if (!into->values)
        return false;
    into->totals = into->values + row_count * cell_count;
    into->sums = into->totals + cell_count;
    into->rows = (void *)(into->sums + sums * into->model_object->stored_count);
    into->row_parts = (void *)(into->rows + row_count + 1);
    return prfdata_hash_table_reserve(&into->rows_by_key, row_count);
}

static bool make_slot_rows(prfdata_merge *merge, prfdata_merge_object *into)
{
    const uint32_t region_count = merge->region_count;
    size_t slot_count = 0;
    uint32_t *rows;

    for (uint32_t i = 0; i < region_count; i++)
        if (!is_summary(merge, i))
            slot_count += merge->snapshots[i]->objects[into->index].count;
    into->slot_rows =
        malloc(region_count * sizeof *into->slot_rows + slot_count * sizeof *rows + 1);
    if (!into->slot_rows)
        return false;
    rows = (void *)(into->slot_rows + region_count);
    for (uint32_t i = 0; i < region_count; i++) {
        into->slot_rows[i] = rows;
        if (!is_summary(merge, i))
            rows += merge->snapshots[i]->objects[into->index].count;
    }
    return true;
}

/*
 * Adds up the regions' sums. Each sum is added as if it were a live slot, because a sum has no
 * gauges of dormant slots.
 */
static void add_sums(prfdata_merge *merge, prfdata_merge_object *into)
{
    prfdata_cells_clear(into->model_object, into->totals);
    for (uint32_t i = 0; prfdata_merge_has_totals(into->model_object) && i < merge->region_count;
         i++) {
        sum_region(merge, into, i);
        prfdata_cells_add_counters(into->model_object,
                                   into->sums + (size_t)i * into->model_object->stored_count, NULL,
                                   true, into->totals);
    }
    prfdata_cells_finish(into->model_object, into->totals);
}

/* Returns false if memory is exhausted. */
static bool make_all_rows(prfdata_merge *merge, prfdata_merge_object *into)
{
    for (uint32_t i = 0; i < merge->region_count; i++)
        if (!is_summary(merge, i))
            make_rows(merge, into, i, NULL);
    return into->too_many == 0 || share_rows(merge, into);
}

/* Returns false if memory is exhausted. */
static bool fill_rows(prfdata_merge *merge, prfdata_merge_object *into)
{
    for (uint32_t i = 0; i < merge->region_count; i++)
        if (!(is_summary(merge, i) ? add_summary : add_slots)(merge, into, i))
            return false;
    return true;
}

static prfdata_result merge_object(prfdata_merge *merge, prfdata_merge_object *into)
{
    const prfdata_model_object *object = into->model_object;

    if (!make_value_room(merge, into) || !make_slot_rows(merge, into))
        return PRFDATA_NO_MEMORY;
    if (object->has_instances && (!make_all_rows(merge, into) || !fill_rows(merge, into)))
        return PRFDATA_NO_MEMORY;
    for (uint32_t i = 0; i < into->row_count; i++)
        prfdata_cells_finish(object, into->values + (size_t)i * object->cell_count);
    add_sums(merge, into);
    prfdata_cells_mean(object, into->values, into->row_count, into->totals);
    return PRFDATA_DONE;
}

prfdata_result prfdata_merge_make(prfdata_merge *merge)
{
    const prfdata_model *model = merge->model;
    prfdata_result result = PRFDATA_DONE;

    merge->objects = calloc(model->object_count, sizeof *merge->objects);
    if (!merge->objects)
        return PRFDATA_NO_MEMORY;
    for (uint32_t i = 0; i < model->object_count && result == PRFDATA_DONE; i++) {
        prfdata_merge_object *into = &merge->objects[i];

        into->index = i;
        into->model_object = &model->objects[i];
        into->bytes_limit = prfdata_model_rows_room(into->model_object);
        if (merge->wanted[i])
            result = merge_object(merge, into);
    }
    return result;
}

void prfdata_merge_free(prfdata_merge *merge)
{
    for (uint32_t i = 0; merge->objects && i < merge->model->object_count; i++) {
        free(merge->objects[i].values);
        free(merge->objects[i].slot_rows);
        free(merge->objects[i].parts);
        prfdata_hash_table_free(&merge->objects[i].rows_by_key);
    }
    free(merge->objects);
    merge->objects = NULL;
}
