/* SPDX-License-Identifier: MIT */
/*
 * Tracks the positions of an object's instances from sample to sample. Most instances keep their
 * positions, which is checked in each sample by comparing the bytes of their labels. Only instances
 * at other positions are searched for, ignoring case. So the cost of searching depends on how many
 * instances came and went.
 */
#ifndef PRFDATA_READER_PLACES_H
#define PRFDATA_READER_PLACES_H

#include "base/hash_table.h"
#include "block/sample.h"

#define PRFDATA_PLACES_NONE UINT32_MAX

/* An instance, which is kept until the places are released. */
typedef struct prfdata_place {
    prfdata_text label; /* owned */
    uint32_t position;  /* in the last object, if the object has the instance */
    uint32_t seen;      /* number of the last object that had it; 0: none */
    uint32_t came;      /* number of the object in which it last appeared; all objects from then
                           to `seen` have had it */
} prfdata_place;

/* {0} is empty. */
typedef struct prfdata_places {
    prfdata_place *items; /* in the order in which they came */
    size_t count;
    size_t capacity;
    prfdata_hash_table table; /* index of `items`, by label */
    uint32_t number;          /* number of the last object */
    uint32_t *at; /* for each position of the last object: its item, or PRFDATA_PLACES_NONE */
    size_t at_count;
    size_t at_capacity;
    uint32_t *before; /* as `at`, for the previous object */
    size_t before_capacity;
    uint32_t seen_count; /* items that the last object has */
    uint32_t came_count; /* number of items that the last object has and the previous one lacked */
    uint32_t new_count;  /* instances of the last object that are not in `items` */
} prfdata_places;

/* Release everything and leave {0}. */
void prfdata_places_free(prfdata_places *places);

/*
 * Find the instances in the next object. New instances are counted, but not added.
 *
 * object  NULL: the object is missing, so no instance is there.
 * Returns false if there is no memory; no instance is then found.
 */
bool prfdata_places_follow(prfdata_places *places, const prfdata_sample_object *object);

/*
 * Add the instance at a position of the last object for which `at` has no item. Returns
 * PRFDATA_PLACES_NONE without memory.
 */
uint32_t prfdata_places_add_at(prfdata_places *places, const prfdata_sample_object *object,
                               uint32_t position);

/*
 * Return the item of a label, even if the last object lacks it; a new label is added. Returns
 * PRFDATA_PLACES_NONE without memory.
 */
uint32_t prfdata_places_item(prfdata_places *places, const prfdata_sample_object *object,
                             prfdata_text label);

/* Returns whether the last object has the item. */
static inline bool prfdata_places_has(const prfdata_places *places, uint32_t item)
{
    return places->items[item].seen == places->number;
}

#endif
