/* SPDX-License-Identifier: MIT */
/*
 * Declares a hash table, which maps keys to positions: the caller keeps its elements in an array
 * and finds them here by their keys. The table knows only hashes; the caller compares keys.
 *
 *     position = prfdata_hash_table_find(&table, hash, is_same_row, rows, &key);
 *     if (position == PRFDATA_HASH_TABLE_NONE)
 *         done = prfdata_hash_table_add(&table, hash, new_position);
 *
 * There is no removal: a caller that removes elements from its array clears the table and adds the
 * remaining elements again.
 */
#ifndef PRFDATA_HASH_TABLE_H
#define PRFDATA_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRFDATA_HASH_TABLE_NONE UINT32_MAX

typedef struct prfdata_hash_table_slot {
    uint32_t hash;
    uint32_t position; /* the position plus 1; 0: the slot is empty */
} prfdata_hash_table_slot;

/* {0} is an empty table. */
typedef struct prfdata_hash_table {
    prfdata_hash_table_slot *slots;
    size_t slot_count; /* a power of two, or 0 */
    size_t count;      /* number of elements; at most half of the slots */
} prfdata_hash_table;

/* Whether the element at `position` has this key. */
typedef bool prfdata_hash_table_match(const void *elements, uint32_t position, const void *key);

/*
 * Find an element.
 *
 * hash           The hash of the key.
 * elements, key  Passed on to `match`.
 *
 * Returns the position of the element that matches, or PRFDATA_HASH_TABLE_NONE.
 */
uint32_t prfdata_hash_table_find(const prfdata_hash_table *table, uint64_t hash,
                                 prfdata_hash_table_match *match, const void *elements,
                                 const void *key);

/*
 * Make room for `count` elements in all. Adding elements cannot fail as long as the table has at
 * most `count`. Returns false if memory is exhausted.
 */
bool prfdata_hash_table_reserve(prfdata_hash_table *table, size_t count);

/*
 * Add an element that is not in the table yet.
 * position  Below PRFDATA_HASH_TABLE_NONE.
 * Returns false if memory is exhausted; the table is then unchanged.
 */
bool prfdata_hash_table_add(prfdata_hash_table *table, uint64_t hash, uint32_t position);

/*
 * Find an element; if there is none, add the element at `position`. The table must have room for
 * one more element. Returns the position of the element that was found or added.
 */
static inline uint32_t prfdata_hash_table_find_or_add(prfdata_hash_table *table, uint64_t hash,
                                                      prfdata_hash_table_match *match,
                                                      const void *elements, const void *key,
                                                      uint32_t position)
{
    const uint32_t wanted = (uint32_t)(hash ^ hash >> 32);
    const size_t mask = table->slot_count - 1;
    prfdata_hash_table_slot *at = &table->slots[wanted & mask];

    while (at->position != 0) {
        if (at->hash == wanted && match(elements, at->position - 1, key))
            return at->position - 1;
        at = at + 1 == table->slots + table->slot_count ? table->slots : at + 1;
    }
    at->hash = wanted;
    at->position = position + 1;
    table->count++;
    return position;
}

/* Remove all elements and keep the memory. */
void prfdata_hash_table_clear(prfdata_hash_table *table);

/* Release the memory. The table is then {0}. */
void prfdata_hash_table_free(prfdata_hash_table *table);

#endif
