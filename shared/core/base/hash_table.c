/* SPDX-License-Identifier: MIT */
/*
 * Implements a hash table with open addressing and linear probing. At least half of the slots stay
 * empty, so that probes stay short.
 */
#include "base/hash_table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 32u /* a power of two */

static uint32_t fold_hash(uint64_t hash)
{
    return (uint32_t)(hash ^ hash >> 32);
}

static void put_in_slot(prfdata_hash_table *table, prfdata_hash_table_slot element)
{
    size_t slot = element.hash & (table->slot_count - 1);

    while (table->slots[slot].position != 0)
        slot = (slot + 1) & (table->slot_count - 1);
    table->slots[slot] = element;
    table->count++;
}

uint32_t prfdata_hash_table_find(const prfdata_hash_table *table, uint64_t hash,
                                 prfdata_hash_table_match *match, const void *elements,
                                 const void *key)
{
    const uint32_t wanted = fold_hash(hash);

    if (table->slot_count == 0)
        return PRFDATA_HASH_TABLE_NONE;
    for (size_t slot = wanted & (table->slot_count - 1);;
         slot = (slot + 1) & (table->slot_count - 1)) {
        const prfdata_hash_table_slot *at = &table->slots[slot];

        if (at->position == 0)
            return PRFDATA_HASH_TABLE_NONE;
        if (at->hash == wanted && match(elements, at->position - 1, key))
            return at->position - 1;
    }
}

bool prfdata_hash_table_reserve(prfdata_hash_table *table, size_t count)
{
    prfdata_hash_table larger = {NULL, FIRST_SLOTS, 0};

    if (count <= table->slot_count / 2)
        return true;
    while (larger.slot_count / 2 < count) {
        if (larger.slot_count > SIZE_MAX / 2)
            return false;
        larger.slot_count *= 2;
    }
    larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < table->slot_count; i++) {
        if (table->slots[i].position != 0)
            put_in_slot(&larger, table->slots[i]);
    }
    free(table->slots);
    *table = larger;
    return true;
}

bool prfdata_hash_table_add(prfdata_hash_table *table, uint64_t hash, uint32_t position)
{
    const prfdata_hash_table_slot element = {fold_hash(hash), position + 1};

    if (position == PRFDATA_HASH_TABLE_NONE || !prfdata_hash_table_reserve(table, table->count + 1))
        return false;
    put_in_slot(table, element);
    return true;
}

void prfdata_hash_table_clear(prfdata_hash_table *table)
{
    if (table->slots)
        memset(table->slots, 0, table->slot_count * sizeof *table->slots);
    table->count = 0;
}

void prfdata_hash_table_free(prfdata_hash_table *table)
{
    free(table->slots);
    memset(table, 0, sizeof *table);
}
