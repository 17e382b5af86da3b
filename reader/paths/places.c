/* SPDX-License-Identifier: MIT */
/*
 * Finds the positions of instances in the next object (places.h). It walks through the previous and
 * the next object side by side, like a merge. Labels are unique in an object, so two labels with
 * equal bytes mean the same instance. If the bytes differ, the label is looked up by its hash, and
 * the walk continues after the position that the instance had in the previous object.
 */
#include "paths/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "names/names.h"

/* Approximate cost of a binary search for a label, in hash lookups. */
#define SEARCH_STEPS 16u

void prfdata_places_free(prfdata_places *places)
{
    for (size_t i = 0; i < places->count; i++)
        prfdata_text_free(&places->items[i].label);
    free(places->items);
    free(places->at);
    free(places->before);
    prfdata_hash_table_free(&places->table);
    memset(places, 0, sizeof *places);
}

static uint64_t hash_label(prfdata_text label)
{
    return prfdata_names_hash(label.chars, label.count, 0);
}

static bool has_label(const void *elements, uint32_t position, const void *key)
{
    const prfdata_place *place = (const prfdata_place *)elements + position;

    return prfdata_text_equal(place->label, *(const prfdata_text *)key);
}

static uint32_t find_place(const prfdata_places *places, prfdata_text label)
{
    return prfdata_hash_table_find(&places->table, hash_label(label), has_label, places->items,
                                   &label);
}

/* Add a place. Returns its position; PRFDATA_PLACES_NONE: no memory. */
static uint32_t add_place(prfdata_places *places, prfdata_text label)
{
    prfdata_place *items =
        prfdata_array_reserve(places->items, &places->capacity, places->count + 1, sizeof *items);
    prfdata_place made = {0};

    if (!items)
        return PRFDATA_PLACES_NONE;
    places->items = items;
    if (places->count >= PRFDATA_PLACES_NONE || !prfdata_text_copy(label, &made.label))
        return PRFDATA_PLACES_NONE;
    if (!prfdata_hash_table_add(&places->table, hash_label(label), (uint32_t)places->count)) {
        prfdata_text_free(&made.label);
        return PRFDATA_PLACES_NONE;
    }
    places->items[places->count] = made;
    return (uint32_t)places->count++;
}

static uint32_t place_before(const prfdata_places *places, size_t before_count, size_t position)
{
    return position < before_count ? places->before[position] : PRFDATA_PLACES_NONE;
}

/* Make room for the positions of another object; the positions of the last object become
 * `before`. */
static bool begin_object(prfdata_places *places, size_t instance_count)
{
    uint32_t *const before = places->before;
    const size_t before_capacity = places->before_capacity;
    uint32_t *at;

    places->before = places->at;
    places->before_capacity = places->at_capacity;
    places->at = before;
    places->at_capacity = before_capacity;
    places->at_count = 0;
    places->came_count = places->new_count = places->seen_count = 0;
    places->number++;
    at = prfdata_array_reserve(places->at, &places->at_capacity, instance_count + 1, sizeof *at);
    if (!at)
        return false;
    places->at = at;
    return true;
}

static void note_seen(prfdata_places *places, uint32_t item, uint32_t position)
{
    prfdata_place *place = &places->items[item];

    if (place->seen == 0 || place->seen + 1 != places->number) {
        place->came = places->number;
        places->came_count++;
    }
    place->position = position;
    place->seen = places->number;
    places->seen_count++;
}

/* Walk through the positions. Undamaged instances that are not found in this way are counted in
 * new_count. */
static void walk_positions(prfdata_places *places, const prfdata_sample_object *object,
                           size_t before_count)
{
    size_t expected = 0; /* position that the next instance probably had in the previous object */

    for (uint32_t i = 0; i < object->instance_count; i++) {
        const prfdata_sample_instance *instance = &object->instances[i];
        uint32_t item = place_before(places, before_count, expected++);

        if (instance->damaged) {
            item = PRFDATA_PLACES_NONE;
        } else if (item == PRFDATA_PLACES_NONE) {
            places->new_count++;
        } else if (!prfdata_text_is_same(places->items[item].label, instance->label)) {
            item = find_place(places, instance->label);
            if (item == PRFDATA_PLACES_NONE)
                places->new_count++;
            else if (places->items[item].seen + 1 == places->number)
                expected = (size_t)places->items[item].position + 1;
        }
        places->at[i] = item;
        if (item != PRFDATA_PLACES_NONE)
            note_seen(places, item, i);
    }
}

static void note_found(prfdata_places *places, uint32_t item, uint32_t position)
{
    places->at[position] = item;
    places->new_count--;
    note_seen(places, item, position);
}

static void find_unseen_items(prfdata_places *places, const prfdata_sample_object *object)
{
    for (uint32_t item = 0; item < places->count; item++) {
        const prfdata_sample_instance *instance =
            prfdata_places_has(places, item)
                ? NULL
                : prfdata_sample_find_instance(object, places->items[item].label);

        if (instance)
            note_found(places, item, (uint32_t)(instance - object->instances));
    }
}

static void find_unknown_instances(prfdata_places *places, const prfdata_sample_object *object)
{
    for (uint32_t i = 0; i < object->instance_count; i++) {
        const prfdata_sample_instance *instance = &object->instances[i];
        const uint32_t item = places->at[i] == PRFDATA_PLACES_NONE && !instance->damaged
                                  ? find_place(places, instance->label)
                                  : PRFDATA_PLACES_NONE;

        if (item != PRFDATA_PLACES_NONE)
            note_found(places, item, i);
    }
}

bool prfdata_places_follow(prfdata_places *places, const prfdata_sample_object *object)
{
    const size_t before_count = places->at_count;
    size_t unseen_count;

    if (!begin_object(places, object ? object->instance_count : 0))
        return false;
    if (!object)
        return true;
    walk_positions(places, object, before_count);
    places->at_count = object->instance_count;
    unseen_count = places->count - places->seen_count;
    if (unseen_count > 0 && unseen_count < places->new_count / SEARCH_STEPS)
        find_unseen_items(places, object);
    else if (unseen_count > 0 && places->new_count > 0)
        find_unknown_instances(places, object);
    return true;
}

uint32_t prfdata_places_add_at(prfdata_places *places, const prfdata_sample_object *object,
                               uint32_t position)
{
    const uint32_t item = add_place(places, object->instances[position].label);

    if (item == PRFDATA_PLACES_NONE)
        return item;
    note_found(places, item, position);
    return item;
}

uint32_t prfdata_places_item(prfdata_places *places, const prfdata_sample_object *object,
                             prfdata_text label)
{
    const uint32_t item = find_place(places, label);
    const prfdata_sample_instance *instance =
        item == PRFDATA_PLACES_NONE ? prfdata_sample_find_instance(object, label) : NULL;

    if (instance)
        return prfdata_places_add_at(places, object, (uint32_t)(instance - object->instances));
    return item != PRFDATA_PLACES_NONE ? item : add_place(places, label);
}
