/* SPDX-License-Identifier: MIT */
/*
 * Finds slots of one object for the writer of a region: the slot with a given key, a free slot, and
 * the slot that has been dormant for the longest time. The tables for this are in private memory.
 * The cost of adding and removing does not depend on the number of slots. The caller must serialise
 * the calls.
 */
#ifndef PRFDATA_SLOTS_H
#define PRFDATA_SLOTS_H

#include "region/region.h"

typedef struct prfdata_slots {
    uint8_t *bytes; /* the region */
    const prfdata_model_object *object;
    const prfdata_region_section *section;
    uint64_t seed; /* random; see prfdata_slots_init() */
    uint32_t bucket_mask;
    uint32_t *buckets; /* first slot of each chain, or PRFDATA_NONE */
    /* For a slot with a key: the next slot in its chain; for a free slot: the next free slot. */
    uint32_t *chain;
    /* Per dormant slot: its neighbours in the order in which the dormant slots became dormant. */
    uint32_t *older;
    uint32_t *newer;
    uint32_t *live_children; /* per slot: the number of its live children */
    uint32_t *hash;          /* per slot with a key: the hash of the key */
    uint32_t *parent;        /* per live slot: the parent's slot, or PRFDATA_NONE */
    uint32_t first_free;
    uint32_t oldest_dormant;
    uint32_t newest_dormant;
    uint32_t *memory; /* the allocation that holds all the arrays */
} prfdata_slots;

/*
 * Build the tables from a region that was just formatted or taken over. No slot of the region may
 * be live. A slot counts as free if its name's length (R12) or its parent's number (R13) is
 * invalid.
 *
 * parent_slot_count  The number of slots of the parent object; 0 if there is no parent object.
 * seed               The seed of the hashes, a random number. Other people, such as a server's
 *                    clients, often choose the names of instances. With a random seed they cannot
 *                    choose names that collide.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_slots_init(prfdata_slots *slots, uint8_t *bytes,
                            const prfdata_model_object *object,
                            const prfdata_region_section *section, uint32_t parent_slot_count,
                            uint64_t seed);
void prfdata_slots_done(prfdata_slots *slots);

/* The live or dormant slot with this key, or PRFDATA_NONE. */
uint32_t prfdata_slots_find(const prfdata_slots *slots, const prfdata_region_key *key);

bool prfdata_slots_is_live(const prfdata_slots *slots, uint32_t slot_index);

uint32_t prfdata_slots_generation(const prfdata_slots *slots, uint32_t slot_index);

/*
 * Make a slot live for a key that has no live slot.
 * Returns the slot, or PRFDATA_NONE if all slots are live.
 */
uint32_t prfdata_slots_add(prfdata_slots *slots, const prfdata_region_key *key);

/*
 * Make a live slot dormant. `freed` must be greater than the `freed` of all slots of the region.
 */
void prfdata_slots_remove(prfdata_slots *slots, uint32_t slot_index, uint64_t freed);

#endif
