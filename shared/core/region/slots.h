/* SPDX-License-Identifier: MIT */
/*
 * The writer's private look-up of the slots of one object: by key, the free ones, the dormant ones
 * by age. The cost of adding and removing does not depend on their number. The caller must
 * serialise the calls.
 */
#ifndef PRFDATA_SLOTS_H
#define PRFDATA_SLOTS_H

#include "region/region.h"

typedef struct prfdata_slots {
    uint8_t *bytes; /* the region */
    const prfdata_model_object *object;
    const prfdata_region_section *section;
    uint64_t seed; /* of the hashes */
    uint32_t bucket_mask;
    uint32_t *buckets; /* first slot of each chain, or PRFDATA_NONE */
    uint32_t *chain;   /* per slot: next of its chain; of a free slot: next free one */
    uint32_t *older;   /* per dormant slot: its neighbours in the order of becoming dormant */
    uint32_t *newer;
    uint32_t *live_children; /* per slot: live instances whose parent it is */
    uint32_t *hash;          /* per slot with a key: of the key, which says its chain */
    uint32_t *parent;        /* per live slot: the parent's slot, or PRFDATA_NONE */
    uint32_t first_free;
    uint32_t oldest_dormant;
    uint32_t newest_dormant;
    uint32_t *memory; /* all the arrays */
} prfdata_slots;

/*
 * Build the look-up from a region that was just formatted or taken over: no slot is live. Slots
 * whose key makes no sense (R12, R13) are used as free ones.
 *
 * parent_slot_count  Slots of the parent object; 0 if the map declares none.
 * seed               Of the look-up by key: random, because names of instances are often chosen by
 *                    others, such as a server's clients, and are not to collide as they like.
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

/* The generation of a slot now. */
uint32_t prfdata_slots_generation(const prfdata_slots *slots, uint32_t slot_index);

/*
 * Make a slot live for a key that prfdata_slots_find does not find live.
 * Returns the slot, or PRFDATA_NONE if all are live.
 */
uint32_t prfdata_slots_add(prfdata_slots *slots, const prfdata_region_key *key);

/* Make a live slot dormant. `freed` is the region's next number. */
void prfdata_slots_remove(prfdata_slots *slots, uint32_t slot_index, uint64_t freed);

#endif
