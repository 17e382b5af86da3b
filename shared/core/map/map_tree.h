/* SPDX-License-Identifier: MIT */
/*
 * Declares the tree of a map: objects, the counters of each, and the options of both. Making the
 * tree checks nothing, so even an invalid map has a tree.
 */
#ifndef PRFDATA_MAP_TREE_H
#define PRFDATA_MAP_TREE_H

#include <stdbool.h>

#include <prfdata/map.h>

#include "map/counter_types.h"

/*
 * The most characters that PRFDATA_MAP_PER_PROCESS appends to an instance name: `_` and the digits
 * of the largest process id.
 */
#define PRFDATA_PROCESS_SUFFIX_CHARS 11

/* An object or a counter, with the options that follow it in the table. */
typedef struct prfdata_map_node {
    const prfdata_map_entry *entry;
    uint32_t index;                        /* index of its line in the table */
    uint32_t options;                      /* PRFDATA_OPTION_... bits */
    uint32_t parent_id;                    /* the id that PRFDATA_MAP_PARENT names, if any */
    const prfdata_counter_type *type;      /* for counters; NULL: not a predefined one */
    const prfdata_map_entry *metric;       /* for counters: its PRFDATA_MAP_METRIC; NULL: none */
    const struct prfdata_map_node *before; /* for counters: the counter directly before it */
    const struct prfdata_map_node *after;  /* for counters: the counter directly after it */
    bool has_base;                         /* for counters: the next counter is its base */
    const prfdata_map_entry *shows;        /* for counters: the option that names a distribution */
    uint32_t health;        /* for counters: the value that PRFDATA_MAP_HEALTH_OF names, or 0 */
    uint32_t counter_count; /* for objects */
    struct prfdata_map_node *counters;
} prfdata_map_node;

typedef struct prfdata_map_tree {
    const prfdata_map *map;
    uint32_t object_count;
    /* number of all counters, even of those that stand before the first object in an invalid map */
    uint32_t counter_count;
    prfdata_map_node *objects;
    /* all counters, in the order of the table; the objects point into this array */
    prfdata_map_node *counters;
} prfdata_map_tree;

/*
 * Make the tree of a map.
 *
 * map   Borrowed until the tree is released. `entries` has `entry_count` elements; their contents
 *       may be anything.
 * tree  On success the new tree, in one allocation; untouched on failure.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; free().
 */
uint32_t prfdata_map_tree_make(const prfdata_map *map, prfdata_map_tree **tree);

/*
 * How a counter merges: as one of its options says, otherwise as its type says. A base merges as
 * the options of its fraction say, because readers divide the fraction by the base. The base of a
 * precision timer is a time stamp, so it merges into the newest time stamp.
 *
 * before  The counter before `counter` in the object, or NULL.
 * Returns PRFDATA_MERGING_NOTHING if the type is not a predefined one.
 */
prfdata_merging prfdata_map_tree_merging(const prfdata_map_node *counter,
                                         const prfdata_map_node *before);

/*
 * Whether threads count this counter in lanes. The arguments are those of
 * prfdata_map_tree_merging().
 */
bool prfdata_map_tree_is_hot(const prfdata_map_node *counter, const prfdata_map_node *before);

/* The bytes that the hot counters of an object take in a region of full capacity. */
uint64_t prfdata_map_tree_lanes_bytes(const prfdata_map_node *object);

/*
 * The longest instance name that an object stores, in UTF-16 code units. With
 * PRFDATA_MAP_PER_PROCESS it is longer than the map's max_name_chars. 0 for an object without
 * instances.
 */
uint64_t prfdata_map_tree_name_chars(const prfdata_map_node *object);

/*
 * The next distribution of an object, or NULL.
 *
 * line  The line of the table from which to search, at first the object's index + 1. Set to the
 *       line after the returned one.
 */
const prfdata_map_entry *prfdata_map_tree_next_distribution(const prfdata_map *map, uint32_t *line);

#endif
