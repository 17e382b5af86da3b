/* SPDX-License-Identifier: MIT */
/* Keeps the title indexes that a query asks for, each once, in the order in which they were
 * added. */
#include "block/title_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"

#define INDEX_CHARS 11 /* ten digits and a blank */
/* Limit for the titles of one name or one range. If there are more, the set asks for everything. */
#define MAX_TITLES 200
/* With this many items or more, a hash table is faster than a linear search. */
#define MANY_INDEXES 32

bool prfdata_title_set_lists(const uint32_t *titles, size_t count, uint32_t index)
{
    for (size_t i = 0; i < count; i++) {
        if (titles[i] == index)
            return true;
    }
    return false;
}

static uint64_t hash_index(uint32_t index)
{
    return index * 0x9E3779B97F4A7C15u;
}

static bool is_index_at(const void *elements, uint32_t position, const void *key)
{
    return ((const uint32_t *)elements)[position] == *(const uint32_t *)key;
}

/*
 * Returns whether the table matches the items. A caller that removes items does not remove their
 * entries from the table.
 */
static bool has_table(const prfdata_title_set *set)
{
    return set->count >= MANY_INDEXES && set->table.count == set->count;
}

bool prfdata_title_set_has(const prfdata_title_set *set, uint32_t index)
{
    if (has_table(set))
        return prfdata_hash_table_find(&set->table, hash_index(index), is_index_at, set->items,
                                       &index) != PRFDATA_HASH_TABLE_NONE;
    return prfdata_title_set_lists(set->items, set->count, index);
}

/* Without memory, searches are linear. */
static void make_table(prfdata_title_set *set)
{
    if (has_table(set))
        return;
    prfdata_hash_table_clear(&set->table);
    if (set->count < MANY_INDEXES || !prfdata_hash_table_reserve(&set->table, set->count))
        return;
    for (size_t i = 0; i < set->count; i++)
        (void)prfdata_hash_table_add(&set->table, hash_index(set->items[i]), (uint32_t)i);
}

bool prfdata_title_set_add(prfdata_title_set *set, uint32_t index)
{
    uint32_t *items;

    make_table(set);
    if (prfdata_title_set_has(set, index))
        return true;
    items = prfdata_array_reserve(set->items, &set->capacity, set->count + 1, sizeof *items);
    if (!items)
        return false;
    set->items = items;
    if (has_table(set))
        (void)prfdata_hash_table_add(&set->table, hash_index(index), (uint32_t)set->count);
    set->items[set->count++] = index;
    return true;
}

bool prfdata_title_set_copy(const prfdata_title_set *from, prfdata_title_set *to)
{
    to->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        if (!prfdata_title_set_add(to, from->items[i]))
            return false;
    }
    return true;
}

bool prfdata_title_set_add_name(prfdata_title_set *set, const prfdata_titles *titles,
                                prfdata_text name)
{
    const prfdata_titles_way way = prfdata_titles_way_of(titles, name);
    size_t position = 0;
    uint32_t index = 0;
    uint32_t count = 0;

    while (prfdata_titles_find(titles, way, name, &position, &index)) {
        if (count == MAX_TITLES) {
            set->is_global = true;
            break;
        }
        count += prfdata_title_set_add(set, index);
    }
    return count > 0;
}

void prfdata_title_set_add_range(prfdata_title_set *set, uint32_t first, uint32_t last)
{
    if (last - first >= 2 * MAX_TITLES) {
        set->is_global = true;
        return;
    }
    for (uint32_t i = 0; i <= (last - first) / 2; i++)
        set->is_global = !prfdata_title_set_add(set, first + 2 * i) || set->is_global;
}

bool prfdata_title_set_add_parents(prfdata_title_set *set, const prfdata_sample *sample)
{
    const size_t before = set->count;

    for (uint32_t o = 0; o < sample->object_count; o++) {
        const prfdata_sample_object *object = &sample->objects[o];

        for (uint32_t i = 0; i < object->instance_count; i++) {
            if (object->instances[i].lacks_parent)
                (void)prfdata_title_set_add(
                    set, object->instances[i].wire.definition.parent_object_title_index);
        }
    }
    return set->count > before;
}

uint16_t *prfdata_title_set_query(const prfdata_title_set *set)
{
    static const uint16_t global[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    uint16_t *chars = malloc(sizeof global + set->count * INDEX_CHARS * sizeof *chars);
    size_t used = 0;

    if (!chars)
        return NULL;
    if (set->count == 0 || set->is_global) {
        memcpy(chars, global, sizeof global);
        return chars;
    }
    for (size_t i = 0; i < set->count; i++) {
        char digits[INDEX_CHARS + 1];

        snprintf(digits, sizeof digits, "%u ", (unsigned)set->items[i]);
        for (const char *digit = digits; *digit; digit++)
            chars[used++] = (unsigned char)*digit;
    }
    chars[used - 1] = 0; /* overwrites the last blank */
    return chars;
}

void prfdata_title_set_free(prfdata_title_set *set)
{
    free(set->items);
    prfdata_hash_table_free(&set->table);
    memset(set, 0, sizeof *set);
}
