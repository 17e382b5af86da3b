/* SPDX-License-Identifier: MIT */
/* Makes the tree of a map from its flat table. */
#include "map/map_tree.h"

#include <stdlib.h>

#include "counting/lanes.h"
#include "map/map_options.h"

typedef struct nesting {
    prfdata_map_tree *tree;
    prfdata_map_node *object;  /* the last object, or NULL */
    prfdata_map_node *counter; /* the last counter, if only options follow it; otherwise NULL */
    prfdata_map_node *target;  /* the object or counter to which an option here belongs, or NULL */
} nesting;

static uint32_t count_table_lines(const prfdata_map *map, uint32_t kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < map->entry_count; i++)
        count += map->entries[i].kind == kind;
    return count;
}

static void nest_object(nesting *at, uint32_t index)
{
    prfdata_map_node *object = &at->tree->objects[at->tree->object_count++];

    object->entry = &at->tree->map->entries[index];
    object->index = index;
    object->counters = &at->tree->counters[at->tree->counter_count];
    at->object = at->target = object;
    at->counter = NULL;
}

static bool is_base_of(const prfdata_map_entry *base, const prfdata_map_node *counter)
{
    const uint32_t takes_base = PRFDATA_TYPE_NEEDS_BASE | PRFDATA_TYPE_MAY_HAVE_BASE;

    return counter->type && (counter->type->flags & takes_base) != 0 &&
           counter->type->base_type == base->type;
}

static void nest_counter(nesting *at, uint32_t index)
{
    prfdata_map_node *counter = &at->tree->counters[at->tree->counter_count++];

    counter->entry = &at->tree->map->entries[index];
    counter->index = index;
    counter->type = prfdata_counter_types_find(counter->entry->type);
    if (at->object)
        at->object->counter_count++;
    counter->before = at->counter;
    if (at->counter) {
        at->counter->after = counter;
        at->counter->has_base = is_base_of(counter->entry, at->counter);
    }
    at->counter = at->target = counter;
}

static void nest_option(const nesting *at, const prfdata_map_entry *entry)
{
    const prfdata_map_option *option = prfdata_map_options_find(entry->option);

    if (!at->target)
        return;
    at->target->options |= entry->option;
    if (option && option->names_parent)
        at->target->parent_id = entry->id;
    if (option && option->bit == PRFDATA_OPTION_METRIC)
        at->target->metric = entry;
    if (option && option->shows)
        at->target->shows = entry;
    if (option && option->names_health)
        at->target->health = entry->id;
}

static void nest_lines(prfdata_map_tree *tree)
{
    const prfdata_map *map = tree->map;
    nesting at = {tree, NULL, NULL, NULL};

    for (uint32_t i = 0; i < map->entry_count; i++) {
        switch (map->entries[i].kind) {
        case PRFDATA_ENTRY_OBJECT:
            nest_object(&at, i);
            break;
        case PRFDATA_ENTRY_COUNTER:
            nest_counter(&at, i);
            break;
        case PRFDATA_ENTRY_OPTION:
            nest_option(&at, &map->entries[i]);
            break;
        default: /* the options after this line belong to no object or counter */
            at.counter = at.target = NULL;
        }
    }
}

uint32_t prfdata_map_tree_make(const prfdata_map *map, prfdata_map_tree **tree)
{
    size_t object_count = count_table_lines(map, PRFDATA_ENTRY_OBJECT);
    size_t counter_count = count_table_lines(map, PRFDATA_ENTRY_COUNTER);
    prfdata_map_tree *made =
        calloc(1, sizeof *made + (object_count + counter_count) * sizeof *made->objects);

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    made->map = map;
    made->objects = (prfdata_map_node *)(made + 1);
    made->counters = made->objects + object_count;
    nest_lines(made);
    *tree = made;
    return ERROR_SUCCESS;
}

uint64_t prfdata_map_tree_name_chars(const prfdata_map_node *object)
{
    uint64_t chars = object->entry->max_name_chars;

    if (object->entry->max_instances == PERF_NO_INSTANCES)
        return 0;
    if (object->options & PRFDATA_OPTION_PER_PROCESS)
        chars += PRFDATA_PROCESS_SUFFIX_CHARS;
    return chars;
}

/* The fraction that belongs to `counter` if `counter` is a base, otherwise NULL. */
static const prfdata_map_node *fraction_of_node(const prfdata_map_node *counter,
                                                const prfdata_map_node *before)
{
    return before && counter->type && (counter->type->flags & PRFDATA_TYPE_BASE) ? before : NULL;
}

prfdata_merging prfdata_map_tree_merging(const prfdata_map_node *counter,
                                         const prfdata_map_node *before)
{
    const prfdata_map_node *fraction = fraction_of_node(counter, before);
    const uint32_t set = fraction ? fraction->options : counter->options;

    if (!counter->type)
        return PRFDATA_MERGING_NOTHING;
    if (fraction && fraction->type && (fraction->type->flags & PRFDATA_TYPE_STAMPED))
        return PRFDATA_MERGING_NEWEST;
    for (size_t i = 0; i < prfdata_map_options_count(); i++) {
        const prfdata_map_option *option = prfdata_map_options_at(i);

        if ((set & option->bit) != 0 && option->merging != PRFDATA_MERGING_NOTHING)
            return option->merging;
    }
    return counter->type->merging;
}

bool prfdata_map_tree_is_hot(const prfdata_map_node *counter, const prfdata_map_node *before)
{
    const prfdata_map_node *fraction = fraction_of_node(counter, before);
    const uint32_t set = fraction ? fraction->options : counter->options;

    return (set & PRFDATA_OPTION_HOT) != 0 &&
           prfdata_map_tree_merging(counter, before) == PRFDATA_MERGING_ACCUMULATE;
}

uint64_t prfdata_map_tree_lanes_bytes(const prfdata_map_node *object)
{
    const int32_t instances = object->entry->max_instances;
    uint32_t hot_count = 0;

    for (uint32_t i = 0; i < object->counter_count; i++)
        hot_count +=
            prfdata_map_tree_is_hot(&object->counters[i], i > 0 ? &object->counters[i - 1] : NULL);
    return prfdata_lanes_bytes(instances < 1 ? 1 : (uint32_t)instances,
                               prfdata_lanes_words_per_slot(hot_count));
}

const prfdata_map_entry *prfdata_map_tree_next_distribution(const prfdata_map *map, uint32_t *line)
{
    while (*line < map->entry_count && map->entries[*line].kind == PRFDATA_ENTRY_OPTION) {
        const prfdata_map_entry *entry = &map->entries[(*line)++];

        if (entry->option == PRFDATA_OPTION_DISTRIBUTION)
            return entry;
    }
    return NULL;
}
