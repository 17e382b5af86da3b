/* SPDX-License-Identifier: MIT */
/* Assigns numbers to the ids of objects and counters. */
#include "map/title_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fnv.h"
#include "map/map_hash.h"

static uint64_t hash_field(uint64_t hash, uint64_t field)
{
    uint8_t bytes[8];

    prfdata_bytes_put(bytes, field, sizeof bytes);
    return prfdata_fnv_add(hash, bytes, sizeof bytes);
}

static uint64_t object_meaning(const prfdata_model *model, const prfdata_model_object *object)
{
    const bool has_parent = object->parent_index != PRFDATA_NONE;
    uint64_t hash = hash_field(PRFDATA_FNV_START, PRFDATA_ENTRY_OBJECT);

    hash = hash_field(hash, object->has_instances);
    hash = hash_field(hash, has_parent);
    return hash_field(hash, has_parent ? model->objects[object->parent_index].entry->id : 0);
}

/* Hashes the counter type, too, because readers cache it. map_change.c ignores the type. */
static uint64_t counter_meaning(const prfdata_model_title *title)
{
    const prfdata_model_counter *counter = title->counter;
    uint64_t hash = hash_field(PRFDATA_FNV_START, PRFDATA_ENTRY_COUNTER);

    hash = hash_field(hash, title->object->entry->id);
    hash = hash_field(hash, counter->entry->type);
    hash = hash_field(hash, prfdata_map_hash_class(counter));
    hash = hash_field(hash, counter->health);
    hash = hash_field(hash, counter->shows ? counter->shows->option : 0);
    hash = hash_field(hash, counter->shows ? counter->shows->id : 0);
    hash = hash_field(hash, counter->shows ? counter->shows->highest : 0);
    return hash_field(hash, counter->shown_unit);
}

static prfdata_title_number number_of_title(const prfdata_model *model,
                                            const prfdata_model_title *title)
{
    const uint64_t meaning =
        title->counter ? counter_meaning(title) : object_meaning(model, title->object);

    return (prfdata_title_number){
        .id = title->counter ? title->counter->entry->id : title->object->entry->id,
        .meaning = meaning ? meaning : 1,
    };
}

uint32_t prfdata_title_numbers_reserve(prfdata_title_numbers *numbers, uint32_t count)
{
    prfdata_title_number *items;

    if (count > PRFDATA_MAX_TITLE_NUMBERS)
        return ERROR_NO_SYSTEM_RESOURCES;
    items = prfdata_array_reserve(numbers->items, &numbers->capacity, count, sizeof *items);
    if (!items && count > 0)
        return ERROR_NOT_ENOUGH_MEMORY;
    numbers->items = items;
    if (count > numbers->count) {
        memset(items + numbers->count, 0, (count - numbers->count) * sizeof *items);
        numbers->count = count;
    }
    return ERROR_SUCCESS;
}

/* Return the number that the id had with this meaning; if it had none, the next new number. */
static uint32_t find_number(const prfdata_title_numbers *numbers, prfdata_title_number wanted)
{
    uint32_t number = 0;

    while (number < numbers->count && (numbers->items[number].id != wanted.id ||
                                       numbers->items[number].meaning != wanted.meaning))
        number++;
    return number;
}

uint32_t prfdata_title_numbers_assign(prfdata_title_numbers *numbers, prfdata_model *model)
{
    uint32_t *assigned = malloc(model->title_count * sizeof *assigned);
    prfdata_model_title title = {0};
    uint32_t status = assigned ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;

    for (uint32_t i = 0; !status && prfdata_model_next_title(model, &title); i++) {
        const prfdata_title_number wanted = number_of_title(model, &title);

        assigned[i] = find_number(numbers, wanted);
        status = prfdata_title_numbers_reserve(numbers, assigned[i] + 1);
        if (!status)
            numbers->items[assigned[i]] = wanted;
    }
    if (!status)
        prfdata_model_set_numbers(model, assigned, numbers->count);
    free(assigned);
    return status;
}

void prfdata_title_numbers_free(prfdata_title_numbers *numbers)
{
    free(numbers->items);
    memset(numbers, 0, sizeof *numbers);
}

static void mark_used_numbers(const prfdata_model *model, bool *used)
{
    prfdata_model_title title = {0};

    while (prfdata_model_next_title(model, &title))
        used[prfdata_model_title_offset(&title) / 2] = true;
}

static void read_unused_numbers(prfdata_bytes bytes, const prfdata_model *current, const bool *used,
                                prfdata_title_numbers *numbers)
{
    uint64_t at = 4 + 4 * (uint64_t)current->title_count;

    for (uint32_t i = 0; i < numbers->count; i++) {
        if (used[i])
            continue;
        numbers->items[i].id = prfdata_bytes_get32(bytes, at);
        numbers->items[i].meaning = prfdata_bytes_get64(bytes, at + 4);
        at += PRFDATA_MAPS_UNUSED_BYTES;
    }
}

/* Reads the numbers from the value. The value was checked when its current map was decoded. */
static uint32_t read_of_current(prfdata_title_numbers *numbers, const prfdata_maps *maps,
                                const prfdata_model *current)
{
    prfdata_model_title title = {0};
    bool *used = calloc(current->number_count, sizeof *used);
    const uint32_t status = used ? prfdata_title_numbers_reserve(numbers, current->number_count)
                                 : ERROR_NOT_ENOUGH_MEMORY;

    if (!status) {
        mark_used_numbers(current, used);
        read_unused_numbers(maps->numbers, current, used, numbers);
        while (prfdata_model_next_title(current, &title))
            numbers->items[prfdata_model_title_offset(&title) / 2] =
                number_of_title(current, &title);
    }
    free(used);
    return status;
}

uint32_t prfdata_title_numbers_read(prfdata_title_numbers *numbers, const prfdata_maps *maps)
{
    prfdata_model *current;
    uint32_t status = prfdata_maps_decode_current(maps, prfdata_model_from_bytes, &current);

    if (status)
        return status;
    status = read_of_current(numbers, maps, current);
    prfdata_model_free(current);
    return status;
}

/*
 * How many title numbers there are from the index `first` to the index `last`, in steps of 2.
 * Returns 0 for more than PRFDATA_MAX_TITLE_NUMBERS, so that a damaged registration cannot use up
 * the numbers.
 */
static uint32_t count_numbers_to(uint32_t first, uint32_t last)
{
    const uint32_t count = first <= last ? (last - first) / 2 + 1 : 0;

    return count <= PRFDATA_MAX_TITLE_NUMBERS ? count : 0;
}

uint32_t prfdata_title_numbers_go_on(prfdata_title_numbers *numbers, const prfdata_maps *maps,
                                     uint32_t former_counter, uint32_t former_last,
                                     uint32_t first_counter)
{
    const bool has_range = former_counter != 0;
    const bool is_moved =
        has_range && first_counter != former_counter && first_counter <= former_last;

    if (maps && !is_moved) {
        const uint32_t status = prfdata_title_numbers_read(numbers, maps);

        if (status != ERROR_INVALID_DATA)
            return status;
    }
    return has_range ? prfdata_title_numbers_reserve(numbers,
                                                     count_numbers_to(first_counter, former_last))
                     : ERROR_SUCCESS;
}

size_t prfdata_title_numbers_bytes(const prfdata_title_numbers *numbers, const prfdata_model *model)
{
    return 4 + (size_t)4 * model->title_count +
           (size_t)PRFDATA_MAPS_UNUSED_BYTES * (numbers->count - model->title_count);
}

/*
 * Whether the id has this number in the model. If it has, the value needs no entry for the number.
 */
static bool is_number_of(const prfdata_model *model, uint32_t id, uint32_t number)
{
    prfdata_model_title title = {prfdata_model_find_object(model, id), NULL};

    if (!title.object)
        title.counter = prfdata_model_find_counter(model, id, &title.object);
    return title.object && prfdata_model_title_offset(&title) == 2 * number;
}

void prfdata_title_numbers_put(const prfdata_title_numbers *numbers, const prfdata_model *model,
                               uint8_t *bytes)
{
    prfdata_model_title title = {0};

    prfdata_bytes_put(bytes, numbers->count, 4);
    bytes += 4;
    for (; prfdata_model_next_title(model, &title); bytes += 4)
        prfdata_bytes_put(bytes, prfdata_model_title_offset(&title) / 2, 4);
    for (uint32_t i = 0; i < numbers->count; i++) {
        if (is_number_of(model, numbers->items[i].id, i))
            continue;
        prfdata_bytes_put(bytes, numbers->items[i].id, 4);
        prfdata_bytes_put(bytes + 4, numbers->items[i].meaning, 8);
        bytes += PRFDATA_MAPS_UNUSED_BYTES;
    }
}
