/* SPDX-License-Identifier: MIT */
/*
 * Keeps records and their contributors, forgets those that are no longer needed, and converts
 * everything to the shape of another map. An object has a record for the totals, and one for each
 * row that has or had several contributors. A hash table finds contributors. carry.c decides what
 * is shown.
 */
#include "merge/carry_memory.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/array.h"
#include "map/map_change.h"

void prfdata_carry_memory_free(prfdata_carry_object *objects, uint32_t count)
{
    for (uint32_t i = 0; objects && i < count; i++) {
        free(objects[i].absent);
        free(objects[i].records);
        free(objects[i].record_values);
        free(objects[i].contributors);
        free(objects[i].contributor_values);
        free(objects[i].contributor_baselines);
        prfdata_hash_table_free(&objects[i].contributors_by_key);
    }
    free(objects);
}

static uint64_t hash_contributor_key(const prfdata_carry_key *key)
{
    uint64_t hash = key->region ^ key->name ^ ((uint64_t)key->slot << 32 | key->identity);

    hash *= 0x9e3779b97f4a7c15u; /* 2^64 divided by the golden ratio: spreads neighbouring values */
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

/*
 * Adds `words` words for one more element. All their bits are set if `bits` is set, otherwise
 * cleared. Returns false if memory is exhausted.
 */
static bool add_values(uint64_t **values, size_t *capacity, size_t count, size_t words, bool bits)
{
    uint64_t *grown = prfdata_array_reserve(*values, capacity, (count + 1) * words, sizeof *grown);

    if (!grown)
        return false;
    *values = grown;
    memset(grown + count * words, bits ? 0xFF : 0, words * sizeof *grown);
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
                    object->word_count, false))
        return PRFDATA_NONE;
    records[object->record_count] = (prfdata_carry_record){PRFDATA_NONE, PRFDATA_NONE, false};
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
    static_assert(PRFDATA_CARRY_NO_BASELINE == UINT64_MAX, "all bits are set");
    if (!add_values(&object->contributor_values, &object->contributor_values_capacity, position,
                    object->word_count, false) ||
        !add_values(&object->contributor_baselines, &object->contributor_baselines_capacity,
                    position, object->word_count, true) ||
        !prfdata_hash_table_add(&object->contributors_by_key, hash_contributor_key(key), position))
        return PRFDATA_NONE;
    memset(&contributors[position], 0, sizeof *contributors);
    contributors[position].key = *key;
    contributors[position].record = record;
    object->contributor_count++;
    return position;
}

void prfdata_carry_memory_add(const prfdata_carry_object *object, const uint64_t *from,
                              uint64_t *to)
{
    const uint32_t first = object->model_object->stored_count;

    prfdata_cells_add_counters(object->model_object, from, NULL, false, to);
    for (uint32_t i = 0; i < object->absent_count; i++) {
        if (object->absent[i]->merging == PRFDATA_MERGING_ACCUMULATE)
            to[first + i] += from[first + i];
        else if (from[first + i] > to[first + i])
            to[first + i] = from[first + i];
    }
}

/* Whether a contributor is present, or a running Collect may have seen it. */
static bool is_needed(const prfdata_carry *carry, const prfdata_carry_contributor *contributor)
{
    const prfdata_merge *running = carry->running;

    while (running && running->began > contributor->missing_since)
        running = running->older;
    return !prfdata_carry_memory_is_missing(contributor) || running;
}

static bool is_forgettable(const prfdata_carry *carry, const prfdata_carry_contributor *contributor)
{
    return contributor->state == PRFDATA_CARRY_GONE && !is_needed(carry, contributor);
}

/*
 * Marks the records that may not be forgotten: the record of the totals, those that are shown, and
 * those with a contributor that is present or that a running Collect may have seen. Returns whether
 * a record or a contributor may be forgotten.
 */
static bool mark_kept_records(const prfdata_carry *carry, prfdata_carry_object *object)
{
    bool found = false;

    for (size_t i = 0; i < object->record_count; i++)
        object->records[i].is_kept =
            i == PRFDATA_CARRY_TOTALS || object->records[i].row != PRFDATA_NONE;
    for (size_t i = 0; i < object->contributor_count; i++) {
        const prfdata_carry_contributor *contributor = &object->contributors[i];

        object->records[contributor->record].is_kept |= is_needed(carry, contributor);
        found |= is_forgettable(carry, contributor);
    }
    for (size_t i = 0; i < object->record_count; i++)
        found |= !object->records[i].is_kept;
    return found;
}

/*
 * Moves the values of kept records to the front. Sets `moves_to` of these records to their new
 * positions. Returns how many records are kept.
 */
static uint32_t keep_records(prfdata_carry_object *object)
{
    uint32_t kept = 0;

    for (size_t i = 0; i < object->record_count; i++) {
        if (!object->records[i].is_kept)
            continue;
        memmove(prfdata_carry_memory_record_values(object, kept),
                prfdata_carry_memory_record_values(object, i),
                object->word_count * sizeof(uint64_t));
        object->records[i].moves_to = kept++;
    }
    return kept;
}

/*
 * Moves a kept contributor to another position, sets its `record` to the new position of the
 * record, and adds it to the hash table.
 */
static void keep_contributor(prfdata_carry_object *object, size_t from, size_t to)
{
    const size_t bytes = object->word_count * sizeof(uint64_t);
    prfdata_carry_contributor *contributor = &object->contributors[to];

    memmove(prfdata_carry_memory_contributor_values(object, to),
            prfdata_carry_memory_contributor_values(object, from), bytes);
    memmove(prfdata_carry_memory_contributor_baselines(object, to),
            prfdata_carry_memory_contributor_baselines(object, from), bytes);
    *contributor = object->contributors[from];
    contributor->record = object->records[contributor->record].moves_to;
    (void)prfdata_hash_table_add(&object->contributors_by_key,
                                 hash_contributor_key(&contributor->key), (uint32_t)to);
}

/*
 * Forgets what may be forgotten. Allocates nothing, because the hash table has room for what
 * remains.
 */
static void forget_records_and_contributors(const prfdata_carry *carry,
                                            prfdata_carry_object *object)
{
    const uint32_t record_count = keep_records(object);
    size_t kept = 0;

    prfdata_hash_table_clear(&object->contributors_by_key);
    for (size_t i = 0; i < object->contributor_count; i++) {
        const prfdata_carry_contributor *contributor = &object->contributors[i];
        const prfdata_carry_record *record = &object->records[contributor->record];

        if (!record->is_kept)
            continue;
        if (is_forgettable(carry, contributor))
            prfdata_carry_memory_add(object, prfdata_carry_memory_contributor_values(object, i),
                                     prfdata_carry_memory_record_values(object, record->moves_to));
        else
            keep_contributor(object, i, kept++);
    }
    object->contributor_count = kept;
    object->record_count = record_count;
    for (size_t i = 0; i < record_count; i++)
        object->records[i] = (prfdata_carry_record){PRFDATA_NONE, PRFDATA_NONE, true};
}

void prfdata_carry_memory_forget(const prfdata_carry *carry, prfdata_carry_object *object)
{
    if (mark_kept_records(carry, object))
        forget_records_and_contributors(carry, object);
}

/*
 * In the functions below, `sources` says for each word of the later shape from which word of the
 * earlier shape its value comes. PRFDATA_NONE: there is no such word, so the value begins with 0,
 * and the baseline is unknown.
 */

/* Whether any record or contributor of an object has a value other than 0 in this word. */
static bool is_word_used(const prfdata_carry_object *object, uint32_t word)
{
    for (size_t i = 0; i < object->record_count; i++)
        if (prfdata_carry_memory_record_values(object, i)[word] != 0)
            return true;
    for (size_t i = 0; i < object->contributor_count; i++)
        if (prfdata_carry_memory_contributor_values(object, i)[word] != 0)
            return true;
    return false;
}

/*
 * Returns the word of `from` that holds the counts of `counter`, or PRFDATA_NONE. `from` has the
 * shape of an earlier map, and `counter` belongs to the later map.
 */
static uint32_t earlier_word(const prfdata_carry_object *from, const prfdata_model_counter *counter)
{
    const prfdata_model_counter *earlier =
        prfdata_map_change_earlier_counter(from->model_object, counter);

    if (earlier)
        return earlier->cell_index;
    for (uint32_t i = 0; i < from->absent_count; i++)
        if (prfdata_map_change_counter_goes_on(from->absent[i], counter))
            return from->model_object->stored_count + i;
    return PRFDATA_NONE;
}

static void find_sources(const prfdata_carry_object *from, const prfdata_model_object *model_object,
                         uint32_t *sources)
{
    for (uint32_t i = 0; i < model_object->stored_count; i++)
        sources[i] = PRFDATA_NONE;
    for (uint32_t i = 0; i < model_object->counter_count; i++) {
        const prfdata_model_counter *counter = &model_object->counters[i];

        if (counter->cell_index != PRFDATA_NONE)
            sources[counter->cell_index] = earlier_word(from, counter);
    }
}

static bool is_source(const uint32_t *sources, uint32_t count, uint32_t word)
{
    for (uint32_t i = 0; i < count; i++)
        if (sources[i] == word)
            return true;
    return false;
}

static bool has_counter_id(const prfdata_model_object *object, uint32_t id)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].entry->id == id)
            return true;
    return false;
}

/*
 * Keeps a word of the earlier shape if the word has a value other than 0 and the later map lacks
 * the id of its counter. If the id has another meaning in the later map, which only -Force allows,
 * the counts are left out permanently (docs/architecture.md, decision 14).
 */
static void keep_word(const prfdata_carry_object *from, uint32_t word,
                      const prfdata_model_counter *counter, uint32_t *sources,
                      prfdata_carry_object *to)
{
    if (!is_word_used(from, word) || is_source(sources, to->word_count, word) ||
        has_counter_id(to->model_object, counter->entry->id))
        return;
    sources[to->word_count++] = word;
    to->absent[to->absent_count++] = counter;
}

static void keep_words(const prfdata_carry_object *from, uint32_t *sources,
                       prfdata_carry_object *to)
{
    const prfdata_model_object *object = from->model_object;

    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].cell_index != PRFDATA_NONE)
            keep_word(from, object->counters[i].cell_index, &object->counters[i], sources, to);
    for (uint32_t i = 0; i < from->absent_count; i++)
        keep_word(from, object->stored_count + i, from->absent[i], sources, to);
}

/*
 * Returns `count` vectors in the later shape, or NULL if memory is exhausted. `nothing` is the
 * value of a word without a source.
 */
static uint64_t *reshape_values(const uint32_t *sources, const uint64_t *values,
                                size_t from_word_count, size_t count, size_t word_count,
                                uint64_t nothing)
{
    uint64_t *made;

    if (count > (SIZE_MAX - 1) / sizeof *made / (word_count + 1))
        return NULL;
    made = malloc((count * word_count + 1) * sizeof *made);
    for (size_t i = 0; made && i < count; i++)
        for (size_t w = 0; w < word_count; w++)
            made[i * word_count + w] =
                sources[w] != PRFDATA_NONE ? values[i * from_word_count + sources[w]] : nothing;
    return made;
}

/* Returns false if memory is exhausted. */
static bool reshape_object(const prfdata_carry_object *from, prfdata_carry_object *to)
{
    const uint32_t most_absent = from->word_count;
    uint32_t *sources = malloc((to->word_count + most_absent + 1) * sizeof *sources);

    to->absent = malloc((most_absent + 1) * sizeof(void *));
    if (sources && to->absent) {
        find_sources(from, to->model_object, sources);
        keep_words(from, sources, to);
        to->record_values_capacity = from->record_count * to->word_count;
        to->record_values = reshape_values(sources, from->record_values, from->word_count,
                                           from->record_count, to->word_count, 0);
        to->contributor_values_capacity = from->contributor_count * to->word_count;
        to->contributor_values = reshape_values(sources, from->contributor_values, from->word_count,
                                                from->contributor_count, to->word_count, 0);
        to->contributor_baselines_capacity = to->contributor_values_capacity;
        to->contributor_baselines =
            reshape_values(sources, from->contributor_baselines, from->word_count,
                           from->contributor_count, to->word_count, PRFDATA_CARRY_NO_BASELINE);
    }
    free(sources);
    return to->record_values && to->contributor_values && to->contributor_baselines;
}

/* The carry's object that continues as an object of a later map, or NULL. */
static prfdata_carry_object *earlier_object(const prfdata_carry *carry, const prfdata_model *model,
                                            const prfdata_model_object *model_object)
{
    for (uint32_t i = 0; i < carry->object_count; i++) {
        prfdata_carry_object *object = &carry->objects[i];

        if (prfdata_map_change_earlier_object(object->model, model, model_object) ==
            object->model_object)
            return object;
    }
    return NULL;
}

/*
 * Makes the objects of a model, and converts the carry's values to their shape. move_records() adds
 * the records and contributors later.
 */
static bool reshape_objects(const prfdata_carry *carry, const prfdata_model *model,
                            prfdata_carry_object *made)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_carry_object *from = earlier_object(carry, model, &model->objects[i]);

        made[i].model = model;
        made[i].model_object = &model->objects[i];
        made[i].word_count = model->objects[i].stored_count;
        if (from && !reshape_object(from, &made[i]))
            return false;
    }
    return true;
}

/*
 * Moves records, contributors and their hash table, which do not depend on the shape. Sets
 * `has_begun` of all contributors to false, because counters that the earlier map lacked have no
 * baselines yet.
 */
static void move_records(prfdata_carry_object *from, prfdata_carry_object *to)
{
    to->is_crowded = from->is_crowded;
    to->records = from->records;
    to->record_count = from->record_count;
    to->record_capacity = from->record_capacity;
    to->contributors = from->contributors;
    to->contributor_count = from->contributor_count;
    to->contributor_capacity = from->contributor_capacity;
    to->contributors_by_key = from->contributors_by_key;
    for (size_t i = 0; i < to->contributor_count; i++)
        to->contributors[i].has_begun = false;
    from->records = NULL;
    from->contributors = NULL;
    memset(&from->contributors_by_key, 0, sizeof from->contributors_by_key);
}

static bool has_object_id(const prfdata_model *model, uint32_t id)
{
    for (uint32_t i = 0; i < model->object_count; i++)
        if (model->objects[i].entry->id == id)
            return true;
    return false;
}

/*
 * Replaces the objects by those of another model, and appends the former objects whose id that
 * model lacks.
 */
static void replace_objects(prfdata_carry *carry, const prfdata_model *model,
                            prfdata_carry_object *made)
{
    uint32_t count = model->object_count;

    for (uint32_t i = 0; i < model->object_count; i++) {
        prfdata_carry_object *from = earlier_object(carry, model, &model->objects[i]);

        if (from)
            move_records(from, &made[i]);
    }
    for (uint32_t i = 0; i < carry->object_count; i++) {
        if (!carry->objects[i].records || /* its records were moved, or it has none */
            has_object_id(model, carry->objects[i].model_object->entry->id))
            continue;
        made[count++] = carry->objects[i];
        memset(&carry->objects[i], 0, sizeof carry->objects[i]);
    }
    prfdata_carry_memory_free(carry->objects, carry->object_count);
    carry->objects = made;
    carry->object_count = count;
    carry->model = model;
}

prfdata_result prfdata_carry_memory_reshape(prfdata_carry *carry, const prfdata_model *model)
{
    const size_t most = (size_t)model->object_count + carry->object_count;
    prfdata_carry_object *made = calloc(most, sizeof *made);

    if (!made || !reshape_objects(carry, model, made)) {
        prfdata_carry_memory_free(made, model->object_count);
        return PRFDATA_NO_MEMORY;
    }
    replace_objects(carry, model, made);
    return PRFDATA_DONE;
}

static bool is_counter_of(const prfdata_model *model, const prfdata_model_counter *counter)
{
    for (uint32_t i = 0; i < model->object_count; i++)
        if (counter >= model->objects[i].counters &&
            counter < model->objects[i].counters + model->objects[i].counter_count)
            return true;
    return false;
}

bool prfdata_carry_memory_has_model(const prfdata_carry *carry, const prfdata_model *model)
{
    for (uint32_t i = 0; i < carry->object_count; i++) {
        const prfdata_carry_object *object = &carry->objects[i];

        if (object->model == model)
            return true;
        for (uint32_t k = 0; k < object->absent_count; k++)
            if (is_counter_of(model, object->absent[k]))
                return true;
    }
    return false;
}
