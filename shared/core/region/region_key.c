/* SPDX-License-Identifier: MIT */
/* Implements the key by which an instance is found: its name or number, and its parent. */
#include "names/names.h"
#include "region/region.h"

uint64_t prfdata_region_key_hash(const prfdata_region_key *key, uint64_t seed)
{
    const uint64_t parent = key->parent_slot == PRFDATA_NONE
                                ? 0
                                : ((uint64_t)key->parent_slot << 32 | key->parent_identity) + 1;
    const uint16_t number[2] = {(uint16_t)key->unique_id,
                                (uint16_t)((uint32_t)key->unique_id >> 16)};

    return key->name ? prfdata_names_hash(key->name, key->name_chars, seed ^ parent)
                     : prfdata_names_hash(number, 2, seed ^ parent ^ 1);
}

static bool same_parent(const prfdata_region_key *a, const prfdata_region_key *b)
{
    return a->parent_slot == b->parent_slot &&
           (a->parent_slot == PRFDATA_NONE || a->parent_identity == b->parent_identity);
}

bool prfdata_region_keys_equal(const prfdata_region_key *a, const prfdata_region_key *b)
{
    if (!same_parent(a, b) || !a->name != !b->name)
        return false;
    if (!a->name)
        return a->unique_id == b->unique_id;
    return prfdata_names_equal(a->name, a->name_chars, b->name, b->name_chars);
}
