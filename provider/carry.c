/* SPDX-License-Identifier: MIT */
/*
 * Per object: records, one of the sums and one per row that has or had several sources; and the
 * sources of all records, found by a hash table. A row goes on where one of its sources was seen
 * before.
 */
#include "provider/carry.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "core/array.h"
#include "core/crash_points.h"
#include "core/hash_table.h"
#include "core/names.h"
#include "core/map_change.h"
#include "provider/cells.h"
#include "provider/projection.h"

/*
 * How many times in a row a source is missed before its last values join the record's own: it may
 * come back where only a copy failed. Sooner where more are missing than present: slots that get
 * other names all the time must not use up memory.
 */
#define FOLD_AFTER         64
#define FOLD_AFTER_CROWDED 2
#define FEW_SOURCES        1024

enum { SUMS_RECORD = 0 };

/* A writer that changes the name under an identity makes another source, and spoils only its own.
 */
struct source_key {
    uint64_t region;
    uint64_t name; /* a hash of the names of the row and its parents; 0: the sums of the region */
    uint32_t slot; /* PRFDATA_NONE: the same */
    uint32_t identity;
};

struct carried_source {
    struct source_key key;
    uint32_t record;
    uint32_t times_missed; /* in a row */
    uint64_t seen;         /* number of the application that saw it last */
    uint64_t missed;       /* last visit that had begun when it was first missed; 0: it is there */
};

struct carried_record {
    uint32_t row;    /* of the present application; PRFDATA_NONE: not shown */
    bool is_shown;   /* by the present application */
    uint64_t absent; /* last visit that had begun when it was first not shown; 0: it is shown */
};

/* The sums of a region that readers saw without it before. */
struct late_base {
    uint64_t region;
    uint64_t values[1]; /* cell_count of them */
};

struct prfdata_carry_object {
    prfdata_cells cells;
    uint64_t applications;
    bool is_crowded;                /* more sources are missing than present */
    struct carried_record *records; /* record_count of them; the first is that of the sums */
    size_t record_count;
    size_t record_capacity;
    uint64_t *record_values; /* cell_count per record: of sources that were folded */
    size_t record_values_capacity;
    struct carried_source *sources; /* source_count of them */
    size_t source_count;
    size_t source_capacity;
    uint64_t *source_values; /* cell_count per source: the most that was shown of it */
    size_t source_values_capacity;
    prfdata_hash_table sources_by_key;
    struct late_base **late; /* late_count of them */
    size_t late_count;
    size_t late_capacity;
};

typedef struct prfdata_carry_object carry_object;

/* What one application to one object works on. */
struct applying {
    prfdata_carry *carry;
    carry_object *object;
    uint32_t object_index;
    const prfdata_merge_source *sources;
    uint32_t source_count;
    prfdata_merge_object *merged;
    const prfdata_merged *all;
    uint32_t *row_records; /* per row: its record, or PRFDATA_NONE */
    uint64_t *row_names;   /* per row: its part of the keys of its sources */
    uint64_t *values;      /* of one source: room for cell_count */
};

/* ---- Begin and end ---- */

void prfdata_carry_init(prfdata_carry *carry)
{
    memset(carry, 0, sizeof *carry);
    carry->seed = prfdata_os_random();
}

static void free_late_bases(struct late_base **late, size_t count)
{
    for (size_t i = 0; late && i < count; i++)
        free(late[i]);
    free(late);
}

/* `objects` may be NULL. */
static void free_carried_objects(carry_object *objects, uint32_t count)
{
    for (uint32_t i = 0; objects && i < count; i++) {
        free_late_bases(objects[i].late, objects[i].late_count);
        free(objects[i].records);
        free(objects[i].record_values);
        free(objects[i].sources);
        free(objects[i].source_values);
        prfdata_hash_table_free(&objects[i].sources_by_key);
    }
    free(objects);
}

void prfdata_carry_done(prfdata_carry *carry)
{
    if (carry->objects)
        free_carried_objects(carry->objects, carry->shape.model->object_count);
    carry->objects = NULL;
}

void prfdata_carry_begin(prfdata_carry *carry, prfdata_carry_visit *visit)
{
    prfdata_os_lock_enter(&carry->lock);
    visit->number = ++carry->visit_count;
    visit->newer = NULL;
    visit->older = carry->newest;
    if (carry->newest)
        carry->newest->newer = visit;
    else
        carry->oldest = visit;
    carry->newest = visit;
    prfdata_os_lock_leave(&carry->lock);
}

void prfdata_carry_end(prfdata_carry *carry, prfdata_carry_visit *visit)
{
    prfdata_os_lock_enter(&carry->lock);
    if (visit->older)
        visit->older->newer = visit->newer;
    else
        carry->oldest = visit->newer;
    if (visit->newer)
        visit->newer->older = visit->older;
    else
        carry->newest = visit->older;
    prfdata_os_lock_leave(&carry->lock);
}

/* Whether every running Collect began after visit number `visit`. */
static bool all_began_after(const prfdata_carry *carry, uint64_t visit)
{
    return !carry->oldest || carry->oldest->number > visit;
}

/* ---- Records and sources ---- */

static uint64_t hash_source_key(const struct source_key *key)
{
    uint64_t hash = key->region ^ key->name ^ ((uint64_t)key->slot << 32 | key->identity);

    hash *= 0x9e3779b97f4a7c15u; /* 2^64 by the golden ratio: spreads neighbours */
    return hash ^ hash >> 29;
}

static bool is_same_source(const void *sources, uint32_t position, const void *key)
{
    const struct carried_source *source = (const struct carried_source *)sources + position;
    const struct source_key *wanted = key;

    return source->key.region == wanted->region && source->key.name == wanted->name &&
           source->key.slot == wanted->slot && source->key.identity == wanted->identity;
}

/* The position of a source, or PRFDATA_NONE. */
static uint32_t find_source(const carry_object *object, const struct source_key *key)
{
    static_assert(PRFDATA_HASH_TABLE_NONE == PRFDATA_NONE, "no source");
    if (object->source_count == 0)
        return PRFDATA_NONE;
    return prfdata_hash_table_find(&object->sources_by_key, hash_source_key(key), is_same_source,
                                   object->sources, key);
}

static uint64_t *values_of_source(const carry_object *object, size_t position)
{
    return object->source_values + position * object->cells.object->cell_count;
}

static uint64_t *values_of_record(const carry_object *object, size_t position)
{
    return object->record_values + position * object->cells.object->cell_count;
}

/* An array with one more element. NULL: no memory, and the old one is still valid. */
static void *grow_array(void *items, size_t *capacity, size_t count, size_t item_bytes)
{
    return prfdata_array_reserve(items, capacity, count + 1, item_bytes);
}

/* Returns the position, or PRFDATA_NONE: no memory. */
static uint32_t add_record(carry_object *object)
{
    const uint32_t cell_count = object->cells.object->cell_count;
    struct carried_record *records = grow_array(object->records, &object->record_capacity,
                                                object->record_count, sizeof *records);
    uint64_t *values;

    if (!records)
        return PRFDATA_NONE;
    object->records = records;
    values = prfdata_array_reserve(object->record_values, &object->record_values_capacity,
                                   (object->record_count + 1) * cell_count, sizeof *values);
    if (!values)
        return PRFDATA_NONE;
    object->record_values = values;
    memset(&records[object->record_count], 0, sizeof *records);
    records[object->record_count].row = PRFDATA_NONE;
    memset(values_of_record(object, object->record_count), 0, cell_count * sizeof *values);
    return (uint32_t)object->record_count++;
}

/* Returns the position, or PRFDATA_NONE: no memory. */
static uint32_t add_source(carry_object *object, const struct source_key *key, uint32_t record)
{
    const uint32_t cell_count = object->cells.object->cell_count;
    const uint32_t position = (uint32_t)object->source_count;
    struct carried_source *sources =
        grow_array(object->sources, &object->source_capacity, position, sizeof *sources);
    uint64_t *values;

    if (!sources)
        return PRFDATA_NONE;
    object->sources = sources;
    values = prfdata_array_reserve(object->source_values, &object->source_values_capacity,
                                   ((size_t)position + 1) * cell_count, sizeof *values);
    if (!values)
        return PRFDATA_NONE;
    object->source_values = values;
    if (!prfdata_hash_table_add(&object->sources_by_key, hash_source_key(key), position))
        return PRFDATA_NONE;
    memset(&sources[position], 0, sizeof *sources);
    sources[position].key = *key;
    sources[position].record = record;
    memset(values_of_source(object, position), 0, cell_count * sizeof *values);
    object->source_count++;
    return position;
}

/* Record what a present source shows. Returns false: no memory. */
static bool record_source(struct applying *applying, const struct source_key *key, uint32_t record,
                          const uint64_t *values)
{
    carry_object *object = applying->object;
    uint32_t position = find_source(object, key);

    if (position == PRFDATA_NONE)
        position = add_source(object, key, record);
    if (position == PRFDATA_NONE)
        return false;
    object->sources[position].seen = object->applications;
    object->sources[position].missed = 0;
    object->sources[position].times_missed = 0;
    prfdata_cells_raise(&object->cells, values, values_of_source(object, position));
    return true;
}

/* ---- Sums ---- */

static struct late_base *find_late_base(const carry_object *object, uint64_t region)
{
    for (size_t i = 0; i < object->late_count; i++)
        if (object->late[i]->region == region)
            return object->late[i];
    return NULL;
}

/* Remember a late region's sums of now. Returns false: no memory. */
static bool add_late_base(carry_object *object, uint64_t region, const uint64_t *sums)
{
    const uint32_t cell_count = object->cells.object->cell_count;
    struct late_base **late =
        grow_array(object->late, &object->late_capacity, object->late_count, sizeof(void *));
    struct late_base *base;

    if (!late)
        return false;
    object->late = late;
    base = calloc(1, sizeof *base + cell_count * sizeof base->values[0]);
    if (!base)
        return false;
    base->region = region;
    prfdata_cells_raise(&object->cells, sums, base->values);
    late[object->late_count++] = base;
    return true;
}

/* Take a late region's base from its sums and the totals, in which it counts from now on. */
static bool take_late_base(struct applying *applying, const prfdata_merge_source *source,
                           uint64_t *sums)
{
    carry_object *object = applying->object;
    const prfdata_model_object *model_object = object->cells.object;
    const struct late_base *base;

    if (!find_late_base(object, source->id) && !add_late_base(object, source->id, sums))
        return false;
    base = find_late_base(object, source->id);
    for (uint32_t i = 0; i < model_object->counter_count; i++) {
        const uint32_t c = model_object->counters[i].cell_index;

        if (model_object->counters[i].merge == PRFDATA_MERGE_ACCUMULATE) {
            /* The copy may be older than the base: another thread was faster. */
            const uint64_t before = sums[c] < base->values[c] ? sums[c] : base->values[c];

            sums[c] -= before;
            applying->merged->totals[c] -= before;
        }
    }
    return true;
}

/* The region is gone. */
static void forget_late_base(carry_object *object, uint64_t region)
{
    for (size_t i = 0; i < object->late_count; i++)
        if (object->late[i]->region == region) {
            free(object->late[i]);
            object->late[i] = object->late[--object->late_count];
            return;
        }
}

static bool record_sums(struct applying *applying)
{
    carry_object *object = applying->object;

    for (uint32_t i = 0; i < applying->source_count; i++) {
        const struct source_key key = {applying->sources[i].id, 0, PRFDATA_NONE, 0};
        uint64_t *sums = applying->merged->sums + (size_t)i * object->cells.object->cell_count;

        if (applying->sources[i].is_late && !take_late_base(applying, &applying->sources[i], sums))
            return false;
        if (!record_source(applying, &key, SUMS_RECORD, sums))
            return false;
    }
    object->records[SUMS_RECORD].is_shown = true;
    return true;
}

/* ---- Rows ---- */

/* Call `visit` for every slot that adds to a row. Returns false as soon as a call does. */
static bool for_each_slot(struct applying *applying,
                          bool (*visit)(struct applying *applying,
                                        const prfdata_snapshot_object *copied,
                                        const prfdata_snapshot_slot *slot,
                                        const struct source_key *key, uint32_t row))
{
    for (size_t i = 0; i < applying->merged->part_count; i++) {
        const prfdata_merge_part *part = &applying->merged->parts[i];
        const prfdata_merge_source *source = &applying->sources[part->source];
        const prfdata_snapshot_object *copied = &source->snapshot->objects[applying->object_index];
        const prfdata_snapshot_slot *slot = &copied->slots[part->position];
        const struct source_key key = {source->id, applying->row_names[part->row], slot->slot_index,
                                       slot->identity};

        if (!visit(applying, copied, slot, &key, part->row))
            return false;
    }
    return true;
}

/* Two records turn out to be of one row: Collects that ran at once began one each. */
static void join_records(carry_object *object, uint32_t record, uint32_t other)
{
    prfdata_cells_add(&object->cells, values_of_record(object, other), NULL, false,
                      values_of_record(object, record));
    memset(values_of_record(object, other), 0, object->cells.object->cell_count * sizeof(uint64_t));
    for (size_t i = 0; i < object->source_count; i++)
        if (object->sources[i].record == other)
            object->sources[i].record = record;
}

static bool find_row_record(struct applying *applying, const prfdata_snapshot_object *copied,
                            const prfdata_snapshot_slot *slot, const struct source_key *key,
                            uint32_t row)
{
    carry_object *object = applying->object;
    const uint32_t position = find_source(object, key);
    uint32_t record;

    (void)copied;
    (void)slot;
    if (position == PRFDATA_NONE)
        return true;
    record = object->sources[position].record;
    if (applying->row_records[row] == PRFDATA_NONE) {
        applying->row_records[row] = record;
        object->records[record].row = row;
        object->records[record].is_shown = true;
    } else if (applying->row_records[row] != record) {
        join_records(object, applying->row_records[row], record);
    }
    return true;
}

static bool record_row_source(struct applying *applying, const prfdata_snapshot_object *copied,
                              const prfdata_snapshot_slot *slot, const struct source_key *key,
                              uint32_t row)
{
    carry_object *object = applying->object;
    uint32_t *record = &applying->row_records[row];

    if (*record == PRFDATA_NONE) {
        if (applying->merged->rows[row].slot_count < 2)
            return true;
        *record = add_record(object);
        if (*record == PRFDATA_NONE)
            return false;
        object->records[*record].row = row;
        object->records[*record].is_shown = true;
    }
    prfdata_cells_clear(&object->cells, applying->values);
    prfdata_cells_add(&object->cells, prfdata_snapshot_cells(copied, slot),
                      prfdata_snapshot_baselines(copied, slot), false, applying->values);
    return record_source(applying, key, *record, applying->values);
}

static bool has_shared_rows(const prfdata_merge_object *merged)
{
    for (uint32_t i = 0; i < merged->row_count; i++)
        if (merged->rows[i].slot_count > 1)
            return true;
    return false;
}

/* A hash of the names of a row and its parents. */
static uint64_t hash_row_names(const struct applying *applying, uint32_t object_index, uint32_t row)
{
    const prfdata_merge_row *shown = &applying->all->objects[object_index].rows[row];
    const uint16_t number[2] = {(uint16_t)shown->unique_id,
                                (uint16_t)((uint32_t)shown->unique_id >> 16)};
    uint64_t parent = applying->carry->seed;

    if (shown->parent_row != PRFDATA_NONE)
        parent = hash_row_names(applying,
                                applying->carry->shape.model->objects[object_index].parent_index,
                                shown->parent_row);
    return shown->name ? prfdata_names_hash(shown->name, shown->name_chars, parent)
                       : prfdata_names_hash(number, 2, ~parent);
}

static bool record_all_rows(struct applying *applying)
{
    for (uint32_t i = 0; i < applying->merged->row_count; i++) {
        applying->row_records[i] = PRFDATA_NONE;
        applying->row_names[i] = hash_row_names(applying, applying->object_index, i);
    }
    return for_each_slot(applying, find_row_record) && for_each_slot(applying, record_row_source);
}

static bool record_rows(struct applying *applying)
{
    const size_t row_count = applying->merged->row_count;
    bool is_recorded = false;

    if (applying->object->record_count <= 1 && !has_shared_rows(applying->merged))
        return true;
    applying->row_records = malloc(row_count * sizeof *applying->row_records + 1);
    applying->row_names = malloc(row_count * sizeof *applying->row_names + 1);
    if (applying->row_records && applying->row_names)
        is_recorded = record_all_rows(applying);
    free(applying->row_records);
    free(applying->row_names);
    return is_recorded;
}

/* ---- What is carried ---- */

/* Where the values of a shown record go. */
static uint64_t *shown_values(const struct applying *applying, const struct carried_record *record)
{
    if (record == &applying->object->records[SUMS_RECORD])
        return applying->merged->totals;
    return applying->merged->values +
           (size_t)record->row * applying->object->cells.object->cell_count;
}

/* Add to what is shown the sources that are missing now. */
static void add_missing_sources(const struct applying *applying)
{
    carry_object *object = applying->object;
    size_t missing = 0;

    for (size_t i = 0; i < object->source_count; i++) {
        struct carried_source *source = &object->sources[i];
        const struct carried_record *record = &object->records[source->record];

        if (source->seen == object->applications || !record->is_shown)
            continue;
        missing++;
        if (source->missed == 0)
            source->missed = applying->carry->visit_count;
        source->times_missed++;
        prfdata_cells_add(&object->cells, values_of_source(object, i), NULL, false,
                          shown_values(applying, record));
    }
    object->is_crowded = missing > FEW_SOURCES && missing > object->source_count / 2;
    for (size_t i = 0; i < object->record_count; i++)
        if (object->records[i].is_shown)
            prfdata_cells_add(&object->cells, values_of_record(object, i), NULL, false,
                              shown_values(applying, &object->records[i]));
}

/* ---- What is forgotten ---- */

/* A source that will not come back: its values join those of its record. */
static bool is_gone_for_good(const prfdata_carry *carry, const carry_object *object,
                             const struct carried_source *source)
{
    const uint32_t fold_after = object->is_crowded ? FOLD_AFTER_CROWDED : FOLD_AFTER;

    return source->times_missed >= fold_after && all_began_after(carry, source->missed);
}

/* Note which records are not shown. Returns whether one of them, or a source, may be forgotten. */
static bool look_for_forgettable(const struct applying *applying)
{
    carry_object *object = applying->object;
    bool found = false;

    for (size_t i = SUMS_RECORD + 1; i < object->record_count; i++) {
        struct carried_record *record = &object->records[i];

        if (record->is_shown)
            record->absent = 0;
        else if (record->absent == 0)
            record->absent = applying->carry->visit_count;
        else
            found |= all_began_after(applying->carry, record->absent);
    }
    for (size_t i = 0; i < object->source_count; i++)
        found |= is_gone_for_good(applying->carry, object, &object->sources[i]);
    return found;
}

static bool is_record_kept(const prfdata_carry *carry, const carry_object *object, size_t position)
{
    const struct carried_record *record = &object->records[position];

    return position == SUMS_RECORD || record->absent == 0 ||
           !all_began_after(carry, record->absent);
}

/* Move the kept records to the front; `row` of a record becomes its new position. */
static void keep_records(const prfdata_carry *carry, carry_object *object)
{
    size_t kept = 0;

    for (size_t i = 0; i < object->record_count; i++) {
        const bool is_kept = is_record_kept(carry, object, i);

        if (is_kept) {
            memmove(values_of_record(object, kept), values_of_record(object, i),
                    object->cells.object->cell_count * sizeof(uint64_t));
            object->records[kept].absent = object->records[i].absent;
        }
        object->records[i].row = is_kept ? (uint32_t)kept++ : PRFDATA_NONE;
    }
}

/* Forget what may be forgotten. Nothing is allocated: the table has room for what stays. */
static void forget_records_and_sources(const prfdata_carry *carry, carry_object *object)
{
    size_t record_count = 0;
    size_t kept = 0;

    keep_records(carry, object);
    prfdata_hash_table_clear(&object->sources_by_key);
    for (size_t i = 0; i < object->source_count; i++) {
        const uint32_t record = object->records[object->sources[i].record].row;

        if (record == PRFDATA_NONE)
            continue;
        if (is_gone_for_good(carry, object, &object->sources[i])) {
            prfdata_cells_add(&object->cells, values_of_source(object, i), NULL, false,
                              values_of_record(object, record));
            if (object->sources[i].key.slot == PRFDATA_NONE)
                forget_late_base(object, object->sources[i].key.region);
            continue;
        }
        memmove(values_of_source(object, kept), values_of_source(object, i),
                object->cells.object->cell_count * sizeof(uint64_t));
        object->sources[kept] = object->sources[i];
        object->sources[kept].record = record;
        (void)prfdata_hash_table_add(&object->sources_by_key,
                                     hash_source_key(&object->sources[kept].key), (uint32_t)kept);
        kept++;
    }
    object->source_count = kept;
    for (size_t i = 0; i < object->record_count; i++)
        record_count += object->records[i].row != PRFDATA_NONE;
    object->record_count = record_count;
}

/* ---- Applying ---- */

/* Under the lock. */
static uint64_t note_raise(prfdata_carry *carry, uint32_t object_index)
{
    const uint64_t raised = prfdata_load64_relaxed(&carry->raised[object_index]) + 1;

    prfdata_store64_relaxed(&carry->raised[object_index], raised);
    return raised;
}

static bool apply_to_object(struct applying *applying)
{
    carry_object *object = applying->object;
    const prfdata_model_object *model_object = object->cells.object;
    const bool has_totals =
        !model_object->has_instances || (model_object->options & PRFDATA_OPTION_TOTAL);

    if (object->record_count == 0 && add_record(object) == PRFDATA_NONE)
        return false;
    object->applications++;
    for (size_t i = 0; i < object->record_count; i++) {
        object->records[i].row = PRFDATA_NONE;
        object->records[i].is_shown = false;
    }
    if ((has_totals && !record_sums(applying)) || !record_rows(applying))
        return false;
    PRFDATA_CRASH_POINT("carry: recorded");
    add_missing_sources(applying);
    if (look_for_forgettable(applying))
        forget_records_and_sources(applying->carry, object);
    applying->merged->is_plain = object->record_count <= SUMS_RECORD + 1 && object->late_count == 0;
    applying->merged->raised = note_raise(applying->carry, applying->object_index);
    return true;
}

/* Windows of distributions make more cells than an object may have counters. */
static uint32_t most_cells_of(const prfdata_model *model)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < model->object_count; i++)
        if (model->objects[i].cell_count > most)
            most = model->objects[i].cell_count;
    return most;
}

static bool apply_to_wanted(struct applying *applying, const bool *wanted, prfdata_merged *merged)
{
    for (uint32_t i = 0; i < merged->object_count; i++) {
        applying->object = &applying->carry->objects[i];
        applying->object_index = i;
        applying->merged = &merged->objects[i];
        if (wanted[i] && !apply_to_object(applying))
            return false;
    }
    return true;
}

/* Under the lock. */
static uint32_t apply_to_objects(prfdata_carry *carry, const bool *wanted,
                                 const prfdata_merge_source *sources, uint32_t source_count,
                                 prfdata_merged *merged)
{
    struct applying applying = {0};
    bool is_applied;

    applying.carry = carry;
    applying.all = merged;
    applying.sources = sources;
    applying.source_count = source_count;
    applying.values = malloc((most_cells_of(carry->shape.model) + 1u) * sizeof *applying.values);
    is_applied = applying.values && apply_to_wanted(&applying, wanted, merged);
    free(applying.values);
    return is_applied ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

/* ---- Another map ---- */

/* A later shape, while it is made: nothing of the present one has changed yet. */
struct reshaping {
    const prfdata_carry *carry;
    const prfdata_model *model;
    prfdata_projection *projection; /* from the present map; NULL: there is none */
    carry_object *objects;          /* with values in the later shape, and nothing else */
};

/* Values of `count` records or sources in the shape of `to`. NULL: no memory. */
static uint64_t *reshape_values(const prfdata_projection_object *projected,
                                const carry_object *from, const uint64_t *values, size_t count,
                                const carry_object *to)
{
    const size_t from_cells = from->cells.object->cell_count;
    const size_t to_cells = to->cells.object->cell_count;
    uint64_t *made = malloc(count * to_cells * sizeof *made + 1);

    for (size_t i = 0; made && i < count; i++)
        prfdata_projection_cells(projected, &to->cells, values + i * from_cells,
                                 made + i * to_cells);
    return made;
}

static bool reshape_late_bases(const prfdata_projection_object *projected, const carry_object *from,
                               carry_object *to)
{
    const size_t cells_bytes = to->cells.object->cell_count * sizeof(uint64_t);

    to->late = calloc(from->late_count + 1, sizeof *to->late);
    for (size_t i = 0; to->late && i < from->late_count; i++) {
        struct late_base *base = malloc(sizeof *base + cells_bytes);

        if (!base)
            return false;
        base->region = from->late[i]->region;
        prfdata_projection_cells(projected, &to->cells, from->late[i]->values, base->values);
        to->late[to->late_count++] = base;
    }
    to->late_capacity = from->late_count + 1;
    return to->late != NULL;
}

/* Make the values of an object in the later shape. Returns false if memory is exhausted. */
static bool reshape_object(const prfdata_projection_object *projected, const carry_object *from,
                           carry_object *to)
{
    to->record_values =
        reshape_values(projected, from, from->record_values, from->record_count, to);
    to->source_values =
        reshape_values(projected, from, from->source_values, from->source_count, to);
    to->record_values_capacity = from->record_count * to->cells.object->cell_count;
    to->source_values_capacity = from->source_count * to->cells.object->cell_count;
    return to->record_values && to->source_values && reshape_late_bases(projected, from, to);
}

/* Which object of the present shape goes on as this one, or NULL. */
static carry_object *earlier_carried_object(const struct reshaping *reshaping, uint32_t index)
{
    const uint32_t earlier =
        reshaping->projection ? reshaping->projection->objects[index].object_index : PRFDATA_NONE;

    return earlier == PRFDATA_NONE ? NULL : &reshaping->carry->objects[earlier];
}

static bool reshape_objects(const struct reshaping *reshaping)
{
    for (uint32_t i = 0; i < reshaping->model->object_count; i++) {
        const carry_object *from = earlier_carried_object(reshaping, i);

        reshaping->objects[i].cells = prfdata_cells_of(&reshaping->model->objects[i]);
        if (from &&
            !reshape_object(&reshaping->projection->objects[i], from, &reshaping->objects[i]))
            return false;
    }
    return true;
}

/* Records, sources and their look-up do not depend on the shape. */
static void take_over_records(const struct reshaping *reshaping)
{
    for (uint32_t i = 0; i < reshaping->model->object_count; i++) {
        carry_object *from = earlier_carried_object(reshaping, i);
        carry_object *to = &reshaping->objects[i];

        if (!from)
            continue;
        to->applications = from->applications;
        to->is_crowded = from->is_crowded;
        to->records = from->records;
        to->record_count = from->record_count;
        to->record_capacity = from->record_capacity;
        to->sources = from->sources;
        to->source_count = from->source_count;
        to->source_capacity = from->source_capacity;
        to->sources_by_key = from->sources_by_key;
        from->records = NULL;
        from->sources = NULL;
        memset(&from->sources_by_key, 0, sizeof from->sources_by_key);
    }
}

/* Under the lock: bring what is carried into a later shape. On failure nothing has changed. */
static uint32_t reshape_carry(prfdata_carry *carry, const prfdata_carry_shape *shape)
{
    struct reshaping reshaping = {carry, shape->model, NULL, NULL};
    const prfdata_model *former = carry->shape.model;
    bool is_made;

    reshaping.objects = calloc(shape->model->object_count, sizeof *reshaping.objects);
    if (former)
        reshaping.projection = prfdata_projection_make(former, shape->model);
    is_made = reshaping.objects && (!former || reshaping.projection) && reshape_objects(&reshaping);
    if (is_made) {
        take_over_records(&reshaping);
        if (former)
            free_carried_objects(carry->objects, former->object_count);
        carry->objects = reshaping.objects;
        carry->shape = *shape;
    } else {
        free_carried_objects(reshaping.objects, shape->model->object_count);
    }
    prfdata_projection_free(reshaping.projection);
    return is_made ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

/* Under the lock. */
static uint32_t follow_shape(prfdata_carry *carry, const prfdata_carry_shape *shape)
{
    if (carry->objects && shape->number < carry->shape.number)
        return ERROR_REVISION_MISMATCH;
    if (carry->objects && shape->model == carry->shape.model) {
        carry->shape.number = shape->number;
        return ERROR_SUCCESS;
    }
    return reshape_carry(carry, shape);
}

uint32_t prfdata_carry_apply(prfdata_carry *carry, const prfdata_carry_shape *shape,
                             const bool *wanted, const prfdata_merge_source *sources,
                             uint32_t source_count, prfdata_merged *merged)
{
    uint32_t error;

    prfdata_os_lock_enter(&carry->lock);
    error = follow_shape(carry, shape);
    if (!error)
        error = apply_to_objects(carry, wanted, sources, source_count, merged);
    prfdata_os_lock_leave(&carry->lock);
    return error;
}

/* Under the lock. Whether any value is above what the source has shown. */
static bool would_raise(const carry_object *object, const uint64_t *values, const uint64_t *lasting)
{
    for (uint32_t i = 0; i < object->cells.object->cell_count; i++)
        if (values[i] > lasting[i])
            return true;
    return false;
}

static uint32_t record_shown_sums(prfdata_carry *carry, uint32_t object_index, uint64_t region,
                                  const uint64_t *sums)
{
    const struct source_key key = {region, 0, PRFDATA_NONE, 0};
    const carry_object *object = &carry->objects[object_index];
    const uint32_t position = find_source(object, &key);
    uint64_t *lasting;

    if (position == PRFDATA_NONE)
        return ERROR_NOT_FOUND;
    lasting = values_of_source(object, position);
    if (!would_raise(object, sums, lasting))
        return ERROR_SUCCESS;
    prfdata_cells_raise(&object->cells, sums, lasting);
    if (object->sources[position].seen != object->applications) /* others show it as carried */
        (void)note_raise(carry, object_index);
    return ERROR_SUCCESS;
}

uint32_t prfdata_carry_record_sums(prfdata_carry *carry, const prfdata_carry_shape *shape,
                                   uint32_t object_index, const uint64_t *regions, uint32_t count,
                                   const uint64_t *sums)
{
    const size_t cell_count = shape->model->objects[object_index].cell_count;
    uint32_t error = ERROR_REVISION_MISMATCH;

    prfdata_os_lock_enter(&carry->lock);
    if (carry->objects && carry->shape.number == shape->number)
        error = ERROR_SUCCESS;
    for (uint32_t i = 0; i < count && !error; i++)
        error = record_shown_sums(carry, object_index, regions[i], sums + i * cell_count);
    prfdata_os_lock_leave(&carry->lock);
    return error;
}

size_t prfdata_carry_source_count(prfdata_carry *carry, uint32_t object_index)
{
    size_t count;

    prfdata_os_lock_enter(&carry->lock);
    count = carry->objects ? carry->objects[object_index].source_count : 0;
    prfdata_os_lock_leave(&carry->lock);
    return count;
}
