/* SPDX-License-Identifier: MIT */
/*
 * Per object: records, one of the sums and one per row that has or had several contributors; and
 * the contributors of all records, found by a hash table. Keeps them, forgets them, and brings them
 * into the shape of another map. Does not know what is shown.
 */
#include "merge/carry_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "snapshot/projection.h"

/*
 * How many times in a row a contributor is missed before its last values join the record's own: it
 * may come back where only a copy failed. Sooner in a crowd: slots that get other names all the
 * time must not use up memory.
 */
#define FOLD_AFTER         64
#define FOLD_AFTER_CROWDED 2

void prfdata_carry_memory_free(prfdata_carry_object *objects, uint32_t count)
{
    for (uint32_t i = 0; objects && i < count; i++) {
        free(objects[i].records);
        free(objects[i].record_values);
        free(objects[i].contributors);
        free(objects[i].contributor_values);
        prfdata_hash_table_free(&objects[i].contributors_by_key);
    }
    free(objects);
}

/* ---- Records and contributors ---- */

static uint64_t hash_contributor_key(const prfdata_carry_key *key)
{
    uint64_t hash = key->region ^ key->name ^ ((uint64_t)key->slot << 32 | key->identity);

    hash *= 0x9e3779b97f4a7c15u; /* 2^64 by the golden ratio: spreads neighbours */
    return hash ^ hash >> 29;
}

static bool is_same_contributor(const void *contributors, uint32_t position, const void *key)
{
    const prfdata_carry_contributor *contributor =
        (const prfdata_carry_contributor *)contributors + position;
    const prfdata_carry_key *wanted = key;

    return contributor->key.region == wanted->region && contributor->key.name == wanted->name &&
           contributor->key.slot == wanted->slot && contributor->key.identity == wanted->identity;
}

uint32_t prfdata_carry_memory_find(const prfdata_carry_object *object, const prfdata_carry_key *key)
{
    static_assert(PRFDATA_HASH_TABLE_NONE == PRFDATA_NONE, "no contributor");
    if (object->contributor_count == 0)
        return PRFDATA_NONE;
    return prfdata_hash_table_find(&object->contributors_by_key, hash_contributor_key(key),
                                   is_same_contributor, object->contributors, key);
}

/* Add the values of one more, all 0. Returns false: no memory. */
static bool add_values(uint64_t **values, size_t *capacity, size_t count, uint32_t cell_count)
{
    uint64_t *grown =
        prfdata_array_reserve(*values, capacity, (count + 1) * cell_count, sizeof *grown);

    if (!grown)
        return false;
    *values = grown;
    memset(grown + count * cell_count, 0, cell_count * sizeof *grown);
    return true;
}

uint32_t prfdata_carry_memory_add_record(prfdata_carry_object *object)
{
    prfdata_carry_record *records = prfdata_array_reserve(
        object->records, &object->record_capacity, object->record_count + 1, sizeof *records);

    if (!records)
        return PRFDATA_NONE;
    object->records = records;
    if (!add_values(&object->record_values, &object->record_values_capacity, object->record_count,
                    object->model_object->stored_count))
        return PRFDATA_NONE;
    records[object->record_count] = (prfdata_carry_record){PRFDATA_NONE, PRFDATA_NONE, 0};
    return (uint32_t)object->record_count++;
}

uint32_t prfdata_carry_memory_add_contributor(prfdata_carry_object *object,
                                              const prfdata_carry_key *key, uint32_t record)
{
    const uint32_t position = (uint32_t)object->contributor_count;
    prfdata_carry_contributor *contributors =
        prfdata_array_reserve(object->contributors, &object->contributor_capacity,
                              (size_t)position + 1, sizeof *contributors);

    if (!contributors)
        return PRFDATA_NONE;
    object->contributors = contributors;
    if (!add_values(&object->contributor_values, &object->contributor_values_capacity, position,
                    object->model_object->stored_count) ||
        !prfdata_hash_table_add(&object->contributors_by_key, hash_contributor_key(key), position))
        return PRFDATA_NONE;
    memset(&contributors[position], 0, sizeof *contributors);
    contributors[position].key = *key;
    contributors[position].record = record;
    object->contributor_count++;
    return position;
}

/* ---- What is forgotten ---- */

/* Whether every merge that runs began after the one of this number. */
static bool all_began_after(const prfdata_carry *carry, uint64_t number)
{
    for (const prfdata_merge *running = carry->newest; running; running = running->older)
        if (running->number <= number)
            return false;
    return true;
}

/* A contributor that will not come back: its values join those of its record. */
static bool is_gone_for_good(const prfdata_carry *carry, const prfdata_carry_object *object,
                             const prfdata_carry_contributor *contributor)
{
    const uint32_t fold_after = object->is_crowded ? FOLD_AFTER_CROWDED : FOLD_AFTER;

    return contributor->times_missed >= fold_after &&
           all_began_after(carry, contributor->missed_merge);
}

/* Note which records are not shown. Returns whether one of them, or a contributor, may be
 * forgotten. */
static bool look_for_forgettable(const prfdata_carry *carry, prfdata_carry_object *object)
{
    bool found = false;

    for (size_t i = PRFDATA_CARRY_SUMS + 1; i < object->record_count; i++) {
        prfdata_carry_record *record = &object->records[i];

        if (record->row != PRFDATA_NONE)
            record->absent_merge = 0;
        else if (record->absent_merge == 0)
            record->absent_merge = carry->merge_count;
        else
            found |= all_began_after(carry, record->absent_merge);
    }
    for (size_t i = 0; i < object->contributor_count; i++)
        found |= is_gone_for_good(carry, object, &object->contributors[i]);
    return found;
}

static bool is_record_kept(const prfdata_carry *carry, const prfdata_carry_object *object,
                           size_t position)
{
    const prfdata_carry_record *record = &object->records[position];

    return position == PRFDATA_CARRY_SUMS || record->absent_merge == 0 ||
           !all_began_after(carry, record->absent_merge);
}

/* Move the kept records to the front; `row` of a record becomes its new position. */
static void keep_records(const prfdata_carry *carry, prfdata_carry_object *object)
{
    size_t kept = 0;

    for (size_t i = 0; i < object->record_count; i++) {
        const bool is_kept = is_record_kept(carry, object, i);

        if (is_kept) {
            memmove(prfdata_carry_memory_record_values(object, kept),
                    prfdata_carry_memory_record_values(object, i),
                    object->model_object->stored_count * sizeof(uint64_t));
            object->records[kept].absent_merge = object->records[i].absent_merge;
        }
        object->records[i].row = is_kept ? (uint32_t)kept++ : PRFDATA_NONE;
    }
}

/* Forget what may be forgotten. Nothing is allocated: the table has room for what stays. */
static void forget_records_and_contributors(const prfdata_carry *carry,
                                            prfdata_carry_object *object)
{
    size_t record_count = 0;
    size_t kept = 0;

    keep_records(carry, object);
    prfdata_hash_table_clear(&object->contributors_by_key);
    for (size_t i = 0; i < object->contributor_count; i++) {
        const uint32_t record = object->records[object->contributors[i].record].row;

        if (record == PRFDATA_NONE)
            continue;
        if (is_gone_for_good(carry, object, &object->contributors[i])) {
            prfdata_cells_add_counters(object->model_object,
                                       prfdata_carry_memory_contributor_values(object, i), NULL,
                                       false, prfdata_carry_memory_record_values(object, record));
            continue;
        }
        memmove(prfdata_carry_memory_contributor_values(object, kept),
                prfdata_carry_memory_contributor_values(object, i),
                object->model_object->stored_count * sizeof(uint64_t));
        object->contributors[kept] = object->contributors[i];
        object->contributors[kept].record = record;
        (void)prfdata_hash_table_add(&object->contributors_by_key,
                                     hash_contributor_key(&object->contributors[kept].key),
                                     (uint32_t)kept);
        kept++;
    }
    object->contributor_count = kept;
    for (size_t i = 0; i < object->record_count; i++)
        record_count += object->records[i].row != PRFDATA_NONE;
    object->record_count = record_count;
}

void prfdata_carry_memory_forget(const prfdata_carry *carry, prfdata_carry_object *object)
{
    if (look_for_forgettable(carry, object))
        forget_records_and_contributors(carry, object);
}

/* ---- Another map ---- */

/* Values of `count` records or contributors in the shape of `to`. NULL: no memory. */
static uint64_t *reshape_values(const prfdata_projection_object *projected,
                                const prfdata_carry_object *from, const uint64_t *values,
                                size_t count, const prfdata_carry_object *to)
{
    const size_t from_cells = from->model_object->stored_count;
    const size_t to_cells = to->model_object->stored_count;
    uint64_t *made;

    if (count > (SIZE_MAX - 1) / sizeof *made / (to_cells + 1))
        return NULL;
    made = malloc(count * to_cells * sizeof *made + 1);
    for (size_t i = 0; made && i < count; i++)
        prfdata_projection_counters(projected, to->model_object, values + i * from_cells,
                                    made + i * to_cells);
    return made;
}

/* Make the values of an object in the later shape. Returns false if memory is exhausted. */
static bool reshape_object(const prfdata_projection_object *projected,
                           const prfdata_carry_object *from, prfdata_carry_object *to)
{
    to->record_values =
        reshape_values(projected, from, from->record_values, from->record_count, to);
    to->contributor_values =
        reshape_values(projected, from, from->contributor_values, from->contributor_count, to);
    to->record_values_capacity = from->record_count * to->model_object->stored_count;
    to->contributor_values_capacity = from->contributor_count * to->model_object->stored_count;
    return to->record_values && to->contributor_values;
}

/* Which of the carry's objects goes on as this one, or NULL. `projection`: NULL: none does. */
static prfdata_carry_object *earlier_carried_object(const prfdata_carry *carry,
                                                    const prfdata_projection *projection,
                                                    uint32_t index)
{
    const uint32_t earlier = projection ? projection->objects[index].object_index : PRFDATA_NONE;

    return earlier == PRFDATA_NONE ? NULL : &carry->objects[earlier];
}

/* Objects of a model with the values of the carry's in its shape, and nothing else of them. */
static bool reshape_objects(const prfdata_carry *carry, const prfdata_projection *projection,
                            const prfdata_model *model, prfdata_carry_object *made)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_carry_object *from = earlier_carried_object(carry, projection, i);

        made[i].model_object = &model->objects[i];
        if (from && !reshape_object(&projection->objects[i], from, &made[i]))
            return false;
    }
    return true;
}

/* Records, contributors and their look-up do not depend on the shape. */
static void take_over_records(prfdata_carry_object *from, prfdata_carry_object *to)
{
    to->applications = from->applications;
    to->is_crowded = from->is_crowded;
    to->records = from->records;
    to->record_count = from->record_count;
    to->record_capacity = from->record_capacity;
    to->contributors = from->contributors;
    to->contributor_count = from->contributor_count;
    to->contributor_capacity = from->contributor_capacity;
    to->contributors_by_key = from->contributors_by_key;
    from->records = NULL;
    from->contributors = NULL;
    memset(&from->contributors_by_key, 0, sizeof from->contributors_by_key);
}

/* The objects become those of another model. Takes over `made`. */
static void replace_objects(prfdata_carry *carry, const prfdata_projection *projection,
                            const prfdata_model *model, prfdata_carry_object *made)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        prfdata_carry_object *from = earlier_carried_object(carry, projection, i);

        if (from)
            take_over_records(from, &made[i]);
    }
    if (carry->model)
        prfdata_carry_memory_free(carry->objects, carry->model->object_count);
    carry->objects = made;
    carry->model = model;
}

prfdata_result prfdata_carry_memory_reshape(prfdata_carry *carry, const prfdata_model *model)
{
    prfdata_carry_object *made = calloc(model->object_count, sizeof *made);
    prfdata_projection *projection =
        carry->model ? prfdata_projection_make(carry->model, model) : NULL;
    const bool is_made =
        made && (projection || !carry->model) && reshape_objects(carry, projection, model, made);

    if (is_made)
        replace_objects(carry, projection, model, made);
    else
        prfdata_carry_memory_free(made, model->object_count);
    prfdata_projection_free(projection);
    return is_made ? PRFDATA_DONE : PRFDATA_NO_MEMORY;
}
