/* SPDX-License-Identifier: MIT */
/*
 * The places of an object's instances, from sample to sample. Most stand where they stood: that is
 * seen by comparing the bytes of their labels, in each sample. Only what stands elsewhere is looked
 * for, and only what is new is folded; so instances that come and go cost what came and went.
 */
#ifndef PRFDATA_READER_PLACES_H
#define PRFDATA_READER_PLACES_H

#include "base/hash_table.h"
#include "block/sample.h"

#define PRFDATA_PLACES_NONE UINT32_MAX

/* An instance, as long as the places live. */
typedef struct prfdata_place {
    prfdata_text label; /* owned */
    uint32_t position;  /* in the object that was followed last, if that had it */
    uint32_t seen;      /* the number of the last object that had it; 0: none */
    uint32_t came;      /* the number of the first one since that has had it */
} prfdata_place;

/* {0} is empty. */
typedef struct prfdata_places {
    prfdata_place *items; /* in the order in which they came */
    size_t count;
    size_t capacity;
    prfdata_hash_table table; /* of these, by label */
    uint32_t number;          /* of the object that was followed last */
    uint32_t *at;             /* of each of its positions the item, or PRFDATA_PLACES_NONE */
    size_t at_count;
    size_t at_capacity;
    uint32_t *before; /* the same of the object before */
    size_t before_capacity;
    uint32_t seen_count; /* items that the last object has */
    uint32_t came_count; /* of them those that the one before had not */
    uint32_t new_count;  /* instances of the last object that are not in `items` */
} prfdata_places;

/* Release everything; {0} is left. */
void prfdata_places_free(prfdata_places *places);

/*
 * Find the instances in the next object. What is new there is not added, and counted.
 *
 * object  NULL: none of them is there.
 * Returns false without memory: some are not found.
 */
bool prfdata_places_follow(prfdata_places *places, const prfdata_sample_object *object);

/*
 * Add what stands at a position of the object that was followed last, where `at` has none. Returns
 * PRFDATA_PLACES_NONE without memory.
 */
uint32_t prfdata_places_add_at(prfdata_places *places, const prfdata_sample_object *object,
                               uint32_t position);

/*
 * The item of a label, whether or not the object that was followed last has it; it is added if it
 * is new. Returns PRFDATA_PLACES_NONE without memory.
 */
uint32_t prfdata_places_item(prfdata_places *places, const prfdata_sample_object *object,
                             prfdata_text label);

/* Whether the object that was followed last has the item. */
static inline bool prfdata_places_has(const prfdata_places *places, uint32_t item)
{
    return places->items[item].seen == places->number;
}

#endif
