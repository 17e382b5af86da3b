/* SPDX-License-Identifier: MIT */
/*
 * Tracks the positions of an object's instances from sample to sample. Most instances keep their
 * positions or their order, and are found by comparing the bytes of labels. The other instances are
 * found by a search that ignores case.
 *
 * The caller gives the object of each sample. Objects are numbered from 1 in this order, and "the
 * last object" means the one that was given last.
 */
#ifndef PRFDATA_READER_PLACES_H
#define PRFDATA_READER_PLACES_H

#include "base/hash_table.h"
#include "block/sample.h"

#define PRFDATA_PLACES_NONE UINT32_MAX

/* An instance, which is kept until the places are released. */
typedef struct prfdata_place {
    prfdata_text label; /* owned */
    uint32_t position;  /* position in the last object, if that object has the instance */
    uint32_t seen;      /* number of the newest object that has the instance; 0: none has it */
    uint32_t came;      /* all objects from this number to `seen` have the instance */
} prfdata_place;

/* {0} is empty. */
typedef struct prfdata_places {
    prfdata_place *items; /* all instances that were added, in the order of adding */
    size_t count;
    size_t capacity;
    prfdata_hash_table table; /* index of `items`, by label */
    uint32_t number;          /* number of the last object; 0: none was given */
    /* For each position of the last object, the position of its instance in `items`;
     * PRFDATA_PLACES_NONE: the instance is not in `items`. */
    uint32_t *at;
    size_t at_count;
    size_t at_capacity;
    uint32_t *before; /* as `at`, for the previous object */
    size_t before_capacity;
    uint32_t seen_count; /* number of items that the last object has */
    uint32_t came_count; /* number of items whose `came` is the number of the last object */
    uint32_t new_count;  /* number of undamaged instances of the last object that are not in
                            `items` */
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
 * Add the undamaged instance at this position of the last object. `at` must have no item for the
 * position. Returns the position of the new item in `items`; PRFDATA_PLACES_NONE: memory is
 * exhausted.
 */
uint32_t prfdata_places_add_at(prfdata_places *places, const prfdata_sample_object *object,
                               uint32_t position);

/*
 * Return the position in `items` of the item with this label. If there is none, add one, even if
 * the last object lacks the instance. Returns PRFDATA_PLACES_NONE if memory is exhausted.
 */
uint32_t prfdata_places_item(prfdata_places *places, const prfdata_sample_object *object,
                             prfdata_text label);

/* Returns whether the last object has the item. */
static inline bool prfdata_places_has(const prfdata_places *places, uint32_t item)
{
    return places->items[item].seen == places->number;
}

#endif
