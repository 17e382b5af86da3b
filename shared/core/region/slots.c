/* SPDX-License-Identifier: MIT */
/*
 * Implements the slot tables of a writer. This process should be the region's only writer, but an
 * earlier process of the same account, with fewer privileges, may still have the region mapped.
 * Therefore the code checks every length when it uses the length, and keeps all links in private
 * memory. The tables include a chained hash table of their own, because base/hash_table.h cannot
 * remove single elements.
 */
#include "region/slots.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/merge_sort.h"
#include "names/names.h"

static const prfdata_region_slot *slot_at_index(const prfdata_slots *slots, uint32_t slot_index)
{
    return prfdata_region_slot_at(slots->bytes, slots->section, slot_index);
}

static uint32_t slot_state(const prfdata_slots *slots, uint32_t slot_index)
{
    return PRFDATA_SLOT_STATE(prfdata_load32_relaxed(&slot_at_index(slots, slot_index)->tag));
}

/* A name that is too long gets no chars, so no key equals it. */
static prfdata_region_key slot_key(const prfdata_slots *slots, uint32_t slot_index)
{
    const prfdata_region_slot *slot = slot_at_index(slots, slot_index);
    prfdata_region_key key;

    key.name = (prfdata_load32_relaxed(&slot->flags) & PRFDATA_SLOT_HAS_UNIQUE_ID)
                   ? NULL
                   : prfdata_region_name_at(slots->bytes, slots->section, slot_index);
    key.name_chars = prfdata_load32_relaxed(&slot->name_chars);
    if (key.name_chars > slots->object->name_chars)
        key.name_chars = 0;
    key.unique_id = slot->unique_id;
    key.parent_slot = slot->parent_slot;
    key.parent_identity = slot->parent_identity;
    return key;
}

static uint32_t hash_key(const prfdata_slots *slots, const prfdata_region_key *key)
{
    const uint64_t hash = prfdata_region_key_hash(key, slots->seed);

    return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t *first_of_chain(const prfdata_slots *slots, uint32_t hash)
{
    return &slots->buckets[hash & slots->bucket_mask];
}

static void chain_in(prfdata_slots *slots, uint32_t slot_index)
{
    const prfdata_region_key key = slot_key(slots, slot_index);
    const uint32_t hash = hash_key(slots, &key);
    uint32_t *first = first_of_chain(slots, hash);

    slots->chain[slot_index] = *first;
    *first = slot_index;
    slots->hash[slot_index] = hash;
}

static void chain_out(prfdata_slots *slots, uint32_t slot_index)
{
    uint32_t *link = first_of_chain(slots, slots->hash[slot_index]);

    while (*link != slot_index && *link != PRFDATA_NONE)
        link = &slots->chain[*link];
    if (*link == slot_index)
        *link = slots->chain[slot_index];
}

static void append_dormant(prfdata_slots *slots, uint32_t slot_index)
{
    slots->older[slot_index] = slots->newest_dormant;
    slots->newer[slot_index] = PRFDATA_NONE;
    if (slots->newest_dormant == PRFDATA_NONE)
        slots->oldest_dormant = slot_index;
    else
        slots->newer[slots->newest_dormant] = slot_index;
    slots->newest_dormant = slot_index;
}

static void unlink_dormant(prfdata_slots *slots, uint32_t slot_index)
{
    uint32_t older = slots->older[slot_index];
    uint32_t newer = slots->newer[slot_index];

    if (older == PRFDATA_NONE)
        slots->oldest_dormant = newer;
    else
        slots->newer[older] = newer;
    if (newer == PRFDATA_NONE)
        slots->newest_dormant = older;
    else
        slots->older[newer] = older;
}

/* Checks the length of the name (R12) and the number of the parent's slot (R13). */
static bool key_makes_sense(const prfdata_slots *slots, uint32_t slot_index,
                            uint32_t parent_slot_count)
{
    prfdata_region_key key = slot_key(slots, slot_index);

    if (key.name && key.name_chars == 0)
        return false;
    return key.parent_slot == PRFDATA_NONE || key.parent_slot < parent_slot_count;
}

typedef struct aged_slot {
    uint64_t freed;
    uint32_t slot_index;
} aged_slot;

static int aged_slot_order(const void *left, const void *right, const void *context)
{
    const aged_slot *a = left;
    const aged_slot *b = right;

    (void)context;
    if (a->freed != b->freed)
        return a->freed < b->freed ? -1 : 1;
    return a->slot_index < b->slot_index ? -1 : a->slot_index > b->slot_index;
}

static uint32_t sort_in_slots(prfdata_slots *slots, uint32_t parent_slot_count)
{
    const uint32_t count = slots->section->slot_count;
    aged_slot *dormant = malloc(2 * count * sizeof *dormant); /* the second half is for the sort */
    uint32_t dormant_count = 0;

    if (!dormant)
        return ERROR_NOT_ENOUGH_MEMORY;
    /* From the last slot to the first, so that the lowest free slot is used first. */
    for (uint32_t i = count; i-- > 0;) {
        if (slot_state(slots, i) == PRFDATA_SLOT_DORMANT &&
            key_makes_sense(slots, i, parent_slot_count)) {
            dormant[dormant_count].freed = slot_at_index(slots, i)->freed;
            dormant[dormant_count].slot_index = i;
            dormant_count++;
        } else {
            slots->chain[i] = slots->first_free;
            slots->first_free = i;
        }
    }
    /*
     * Not qsort(), because some implementations need quadratic time for some orders. The `freed`
     * numbers in a file may have any order.
     */
    prfdata_merge_sort(dormant, dormant + count, dormant_count, sizeof *dormant, aged_slot_order,
                       NULL);
    for (uint32_t i = 0; i < dormant_count; i++) {
        chain_in(slots, dormant[i].slot_index);
        append_dormant(slots, dormant[i].slot_index);
    }
    free(dormant);
    return ERROR_SUCCESS;
}

uint32_t prfdata_slots_init(prfdata_slots *slots, uint8_t *bytes,
                            const prfdata_model_object *object,
                            const prfdata_region_section *section, uint32_t parent_slot_count,
                            uint64_t seed)
{
    const size_t count = section->slot_count;
    size_t bucket_count = 8;
    uint32_t error;

    while (bucket_count < count)
        bucket_count *= 2;
    slots->memory = calloc(bucket_count + 6 * count, sizeof *slots->memory);
    if (!slots->memory)
        return ERROR_NOT_ENOUGH_MEMORY;
    slots->bytes = bytes;
    slots->object = object;
    slots->section = section;
    slots->seed = seed;
    slots->bucket_mask = (uint32_t)bucket_count - 1;
    slots->buckets = slots->memory;
    slots->chain = slots->buckets + bucket_count;
    slots->older = slots->chain + count;
    slots->newer = slots->older + count;
    slots->live_children = slots->newer + count;
    slots->hash = slots->live_children + count;
    slots->parent = slots->hash + count;
    slots->first_free = PRFDATA_NONE;
    slots->oldest_dormant = PRFDATA_NONE;
    slots->newest_dormant = PRFDATA_NONE;
    memset(slots->buckets, 0xff, bucket_count * sizeof *slots->buckets); /* PRFDATA_NONE */
    error = sort_in_slots(slots, parent_slot_count);
    if (error)
        prfdata_slots_done(slots);
    return error;
}

void prfdata_slots_done(prfdata_slots *slots)
{
    free(slots->memory);
    memset(slots, 0, sizeof *slots);
}

static bool has_key(const prfdata_slots *slots, uint32_t slot_index, const prfdata_region_key *key)
{
    const prfdata_region_key other = slot_key(slots, slot_index);

    return prfdata_region_keys_equal(key, &other);
}

uint32_t prfdata_slots_find(const prfdata_slots *slots, const prfdata_region_key *key)
{
    const uint32_t hash = hash_key(slots, key);
    uint32_t found = *first_of_chain(slots, hash);

    while (found != PRFDATA_NONE && (slots->hash[found] != hash || !has_key(slots, found, key)))
        found = slots->chain[found];
    return found;
}

bool prfdata_slots_is_live(const prfdata_slots *slots, uint32_t slot_index)
{
    return slot_state(slots, slot_index) == PRFDATA_SLOT_LIVE;
}

uint32_t prfdata_slots_generation(const prfdata_slots *slots, uint32_t slot_index)
{
    return PRFDATA_SLOT_GENERATION(prfdata_load32_relaxed(&slot_at_index(slots, slot_index)->tag));
}

static uint32_t take_slot(prfdata_slots *slots)
{
    uint32_t taken = slots->first_free;

    if (taken != PRFDATA_NONE) {
        slots->first_free = slots->chain[taken];
        return taken;
    }
    taken = slots->oldest_dormant;
    if (taken != PRFDATA_NONE) {
        unlink_dormant(slots, taken);
        chain_out(slots, taken);
    }
    return taken;
}

uint32_t prfdata_slots_add(prfdata_slots *slots, const prfdata_region_key *key)
{
    uint32_t slot_index = prfdata_slots_find(slots, key);

    if (slot_index != PRFDATA_NONE) {
        unlink_dormant(slots, slot_index);
        prfdata_region_slot_revive(slots->bytes, slots->object, slots->section, slot_index);
        slots->parent[slot_index] = key->parent_slot;
        return slot_index;
    }
    slot_index = take_slot(slots);
    if (slot_index != PRFDATA_NONE) {
        prfdata_region_slot_assign(slots->bytes, slots->object, slots->section, slot_index, key);
        chain_in(slots, slot_index);
        slots->parent[slot_index] = key->parent_slot;
    }
    return slot_index;
}

void prfdata_slots_remove(prfdata_slots *slots, uint32_t slot_index, uint64_t freed)
{
    prfdata_region_slot_retire(slots->bytes, slots->section, slot_index, freed);
    append_dormant(slots, slot_index);
}
