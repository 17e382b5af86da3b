/* SPDX-License-Identifier: MIT */
/*
 * The merge, object by object, parents before children, which is the map's order. First the live
 * slots make rows; then every slot, live or not, adds to the rows and totals that it counts for.
 * Knows neither views nor PERF structures.
 */
#include "provider/merge.h"

#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "core/perf_wire.h"

struct merging {
    const prfdata_model_object *object;
    uint32_t object_index;
    const prfdata_merge_source *sources;
    uint32_t source_count;
    uint64_t seed;
    prfdata_merge_object *result;
    uint32_t row_limit; /* rows that there is memory for */
    size_t room;        /* bytes of the reply that instances may take */
    bool has_totals;
    bool only_accumulates; /* all cells are sums: the usual object, in tight loops */
};

/* ---- Values ---- */

/* What a cell holds before any value was merged into it. */
static uint64_t no_value_of(prfdata_merge merge)
{
    return merge == PRFDATA_MERGE_MAX ? (uint64_t)INT64_MIN : 0;
}

static void set_no_values(const struct merging *merging, uint64_t *values)
{
    const prfdata_model_object *object = merging->object;

    if (merging->only_accumulates) {
        memset(values, 0, object->cell_count * sizeof *values);
        return;
    }
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].cell_index != PRFDATA_NONE)
            values[object->counters[i].cell_index] = no_value_of(object->counters[i].merge);
}

static void zero_missing_values(const prfdata_model_object *object, uint64_t *values)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].merge == PRFDATA_MERGE_MAX &&
            values[object->counters[i].cell_index] == no_value_of(PRFDATA_MERGE_MAX))
            values[object->counters[i].cell_index] = 0;
}

static uint64_t older_start_stamp(uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0)
        return a + b;
    return a < b ? a : b;
}

static void accumulate_cells(uint32_t cell_count, const uint64_t *cells, const uint64_t *baselines,
                             uint64_t *values)
{
    for (uint32_t c = 0; c < cell_count; c++)
        values[c] += cells[c];
    for (uint32_t c = 0; baselines && c < cell_count; c++)
        values[c] -= baselines[c];
}

/* Add one slot's cells to a row. `baselines` is NULL for totals; `is_live`: gauges count. */
static void add_cells(const struct merging *merging, const uint64_t *cells,
                      const uint64_t *baselines, bool is_live, uint64_t *values)
{
    const prfdata_model_object *object = merging->object;

    if (merging->only_accumulates) {
        accumulate_cells(object->cell_count, cells, baselines, values);
        return;
    }
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];
        const uint32_t c = counter->cell_index;

        switch (counter->merge) {
        case PRFDATA_MERGE_ACCUMULATE:
            values[c] += cells[c] - (baselines ? baselines[c] : 0);
            break;
        case PRFDATA_MERGE_NEWEST:
            if (cells[c] > values[c])
                values[c] = cells[c];
            break;
        case PRFDATA_MERGE_SUM:
            if (is_live)
                values[c] += cells[c];
            break;
        case PRFDATA_MERGE_MAX:
            if (is_live && (int64_t)cells[c] > (int64_t)values[c])
                values[c] = cells[c];
            break;
        case PRFDATA_MERGE_OLDEST_START:
            if (is_live)
                values[c] = older_start_stamp(values[c], cells[c]);
            break;
        case PRFDATA_MERGE_NOTHING:
        default:
            break;
        }
    }
}

/* ---- Rows ---- */

size_t prfdata_merge_instance_bytes(const prfdata_model_object *object, uint32_t name_chars)
{
    const size_t name_bytes = 2 * ((size_t)name_chars + 1); /* a number has an empty name */

    return (sizeof(prfdata_perf_instance_definition) + name_bytes + 7) / 8 * 8 +
           object->block_bytes;
}

static uint64_t hash_merge_key(const struct merging *merging, const prfdata_merge_row *key)
{
    const uint64_t seed = merging->seed ^ key->parent_row;
    uint16_t number[2] = {(uint16_t)key->unique_id, (uint16_t)((uint32_t)key->unique_id >> 16)};

    return key->name ? prfdata_names_hash(key->name, key->name_chars, seed)
                     : prfdata_names_hash(number, 2, ~seed);
}

/* Of rows[position], for the hash table. */
static bool is_same_row(const void *rows, uint32_t position, const void *key)
{
    const prfdata_merge_row *a = (const prfdata_merge_row *)rows + position;
    const prfdata_merge_row *b = key;

    if (a->parent_row != b->parent_row || !a->name != !b->name)
        return false;
    if (!a->name)
        return a->unique_id == b->unique_id;
    return prfdata_names_equal(a->name, a->name_chars, b->name, b->name_chars);
}

static uint32_t find_merged_row(const prfdata_merge_object *result, const prfdata_merge_row *key,
                                uint64_t hash)
{
    static_assert(PRFDATA_HASH_TABLE_NONE == PRFDATA_NONE, "no row");
    return prfdata_hash_table_find(&result->rows_by_key, hash, is_same_row, result->rows, key);
}

/* The row of this key, added if need be; PRFDATA_NONE: there is no room for it. */
static uint32_t find_or_add_row(struct merging *merging, const prfdata_merge_row *key)
{
    prfdata_merge_object *result = merging->result;
    const uint64_t hash = hash_merge_key(merging, key);
    size_t bytes = prfdata_merge_instance_bytes(merging->object, key->name ? key->name_chars : 0);
    uint32_t row;

    if (result->row_count >= merging->row_limit || bytes > merging->room - result->bytes) {
        row = find_merged_row(result, key, hash);
        result->dropped += row == PRFDATA_NONE;
        return row;
    }
    row = prfdata_hash_table_find_or_add(&result->rows_by_key, hash, is_same_row, result->rows, key,
                                         result->row_count);
    if (row != result->row_count)
        return row;
    result->bytes += bytes;
    result->rows[row] = *key;
    set_no_values(merging, result->values + (size_t)row * merging->object->cell_count);
    result->row_count++;
    return row;
}

/*
 * The key of a slot, with its parent's row. Returns false if it has none: no instance, a missing
 * parent (R13), or the name `_Total` where the provider adds that.
 */
static bool make_row_key(const struct merging *merging, const prfdata_snapshot *snapshot,
                         const prfdata_snapshot_slot *slot, prfdata_merge_row *key)
{
    const prfdata_snapshot_object *object = &snapshot->objects[merging->object_index];
    const uint32_t parent_index = merging->object->parent_index;

    if (slot->state < PRFDATA_SLOT_LIVE)
        return false;
    key->parent_row = PRFDATA_NONE;
    key->name = slot->has_unique_id ? NULL : prfdata_snapshot_name(object, slot);
    key->name_chars = slot->name_chars;
    key->unique_id = slot->unique_id;
    if (slot->parent_slot != PRFDATA_NONE) {
        const prfdata_snapshot_slot *parent =
            parent_index == PRFDATA_NONE
                ? NULL
                : prfdata_snapshot_find(&snapshot->objects[parent_index], slot->parent_slot);

        if (!parent || parent->identity != slot->parent_identity || parent->row == PRFDATA_NONE)
            return false;
        key->parent_row = parent->row;
    }
    return !(merging->object->options & PRFDATA_OPTION_TOTAL) || !key->name ||
           !prfdata_names_equal(key->name, key->name_chars, prfdata_names_total,
                                PRFDATA_NAMES_TOTAL_CHARS);
}

static bool is_live_slot(const prfdata_merge_source *source, const prfdata_snapshot_slot *slot)
{
    return source->is_live && slot->state == PRFDATA_SLOT_LIVE;
}

/* A live child of a parent that is not live in the same region has no instance (R13). */
static bool parent_is_live(const struct merging *merging, const prfdata_snapshot *snapshot,
                           const prfdata_snapshot_slot *slot)
{
    const prfdata_snapshot_slot *parent;

    if (slot->parent_slot == PRFDATA_NONE)
        return true;
    parent =
        prfdata_snapshot_find(&snapshot->objects[merging->object->parent_index], slot->parent_slot);
    return parent && parent->state == PRFDATA_SLOT_LIVE;
}

static void make_rows(struct merging *merging, const prfdata_merge_source *source)
{
    prfdata_snapshot_object *object = &source->snapshot->objects[merging->object_index];

    for (uint32_t i = 0; i < object->count; i++) {
        prfdata_merge_row key;

        if (!is_live_slot(source, &object->slots[i]) ||
            !make_row_key(merging, source->snapshot, &object->slots[i], &key) ||
            !parent_is_live(merging, source->snapshot, &object->slots[i]))
            continue;
        object->slots[i].row = find_or_add_row(merging, &key);
    }
}

static void add_slots(struct merging *merging, const prfdata_merge_source *source)
{
    prfdata_snapshot_object *object = &source->snapshot->objects[merging->object_index];

    for (uint32_t i = 0; i < object->count; i++) {
        prfdata_snapshot_slot *slot = &object->slots[i];
        const uint64_t *cells = prfdata_snapshot_cells(object, slot);
        bool is_live = is_live_slot(source, slot);
        prfdata_merge_row key;

        if (merging->has_totals)
            add_cells(merging, cells, NULL, is_live, merging->result->totals);
        if (slot->row == PRFDATA_NONE && !is_live &&
            make_row_key(merging, source->snapshot, slot, &key))
            slot->row = find_merged_row(merging->result, &key, hash_merge_key(merging, &key));
        if (slot->row != PRFDATA_NONE)
            add_cells(merging, cells,
                      slot->has_baseline ? prfdata_snapshot_baselines(object, slot) : NULL, is_live,
                      merging->result->values + (size_t)slot->row * merging->object->cell_count);
    }
}

/* ---- Objects ---- */

/* How many rows there can be: bounds the memory even if all regions are full. */
static uint32_t most_rows(const struct merging *merging)
{
    uint64_t most = merging->room / prfdata_merge_instance_bytes(merging->object, 0);
    uint64_t live = 0;

    for (uint32_t i = 0; i < merging->source_count; i++) {
        const prfdata_snapshot_object *object =
            &merging->sources[i].snapshot->objects[merging->object_index];

        for (uint32_t j = 0; j < object->count; j++)
            live += is_live_slot(&merging->sources[i], &object->slots[j]);
    }
    if (most > PRFDATA_MAX_INSTANCES)
        most = PRFDATA_MAX_INSTANCES;
    return (uint32_t)(live < most ? live : most);
}

/* Values, totals and rows in one allocation, which `values` owns. */
static uint32_t make_merge_room(struct merging *merging)
{
    prfdata_merge_object *result = merging->result;
    const size_t cell_count = merging->object->cell_count;
    size_t row_count;

    merging->row_limit = merging->object->has_instances ? most_rows(merging) : 0;
    row_count = merging->row_limit;
    result->values = malloc((row_count + 1) * cell_count * sizeof *result->values +
                            (row_count + 1) * sizeof *result->rows);
    if (!result->values || !prfdata_hash_table_reserve(&result->rows_by_key, row_count))
        return ERROR_NOT_ENOUGH_MEMORY;
    result->totals = result->values + row_count * cell_count;
    result->rows = (void *)(result->totals + cell_count);
    return ERROR_SUCCESS;
}

static void add_plain_cells(struct merging *merging, const prfdata_merge_source *source)
{
    const prfdata_snapshot_object *object = &source->snapshot->objects[merging->object_index];

    add_cells(merging, object->cells, NULL, source->is_live, merging->result->totals);
}

/* What `_Total` and the definitions leave of the largest reply. */
static size_t room_for_instances(const prfdata_model_object *object)
{
    return PRFDATA_MAX_OBJECT_BYTES - sizeof(prfdata_perf_object_type) -
           object->counter_count * sizeof(prfdata_perf_counter_definition) -
           prfdata_merge_instance_bytes(object, PRFDATA_NAMES_TOTAL_CHARS);
}

static bool only_accumulates(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].cell_index != PRFDATA_NONE &&
            object->counters[i].merge != PRFDATA_MERGE_ACCUMULATE)
            return false;
    return true;
}

static uint32_t merge_object(struct merging *merging)
{
    prfdata_merge_object *result = merging->result;
    const prfdata_model_object *object = merging->object;
    uint32_t error;

    merging->room = room_for_instances(object);
    merging->only_accumulates = only_accumulates(object);
    merging->has_totals = !object->has_instances || (object->options & PRFDATA_OPTION_TOTAL);
    error = make_merge_room(merging);
    if (error)
        return error;
    set_no_values(merging, result->totals);
    for (uint32_t i = 0; object->has_instances && i < merging->source_count; i++)
        make_rows(merging, &merging->sources[i]);
    for (uint32_t i = 0; i < merging->source_count; i++)
        (object->has_instances ? add_slots : add_plain_cells)(merging, &merging->sources[i]);
    for (uint32_t i = 0; i < result->row_count && !merging->only_accumulates; i++)
        zero_missing_values(object, result->values + (size_t)i * object->cell_count);
    zero_missing_values(object, result->totals);
    return ERROR_SUCCESS;
}

uint32_t prfdata_merge_make(const prfdata_model *model, const bool *wanted,
                            const prfdata_merge_source *sources, uint32_t source_count,
                            uint64_t seed, prfdata_merged **merged)
{
    prfdata_merged *made = calloc(1, sizeof *made + model->object_count * sizeof made->objects[0]);
    uint32_t error = ERROR_SUCCESS;

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    made->object_count = model->object_count;
    for (uint32_t i = 0; i < model->object_count && !error; i++) {
        struct merging merging = {0};

        if (!wanted[i])
            continue;
        merging.object = &model->objects[i];
        merging.object_index = i;
        merging.sources = sources;
        merging.source_count = source_count;
        merging.seed = seed;
        merging.result = &made->objects[i];
        error = merge_object(&merging);
    }
    if (error)
        prfdata_merge_free(made);
    else
        *merged = made;
    return error;
}

void prfdata_merge_free(prfdata_merged *merged)
{
    if (!merged)
        return;
    for (uint32_t i = 0; i < merged->object_count; i++) {
        free(merged->objects[i].values);
        prfdata_hash_table_free(&merged->objects[i].rows_by_key);
    }
    free(merged);
}
