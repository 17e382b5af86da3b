/* SPDX-License-Identifier: MIT */
/*
 * Walking a map's table: what stands behind what. Safe for maps that the check refuses, as long
 * as `entries` has `entry_count` elements.
 */
#ifndef PRFDATA_MAP_ENTRIES_H
#define PRFDATA_MAP_ENTRIES_H

#include <stdbool.h>

#include <prfdata/map.h>

/* The first entry from `index` on that is no option; entry_count if there is none. */
uint32_t prfdata_map_entries_skip_options(const prfdata_map *map, uint32_t index);

/* The object or counter that the option at `index` is about; entry_count if there is none. */
uint32_t prfdata_map_entries_target(const prfdata_map *map, uint32_t index);

/*
 * The bits of the options behind the object or counter at `index`.
 *
 * parent_id  Gets the id that PRFDATA_MAP_PARENT names; untouched without that option; or NULL.
 */
uint32_t prfdata_map_entries_options(const prfdata_map *map, uint32_t index, uint32_t *parent_id);

/* The entry behind the last one of the object at `index`. */
uint32_t prfdata_map_entries_object_end(const prfdata_map *map, uint32_t index);

/* Whether at `index` is a counter with its base directly behind it, options not counting. */
bool prfdata_map_entries_has_base(const prfdata_map *map, uint32_t index);

/*
 * The longest instance name that the object at `index` stores, in UTF-16 code units: with
 * PRFDATA_MAP_PER_PROCESS longer than the map's max_name_chars. 0 without instances.
 */
uint64_t prfdata_map_entries_name_chars(const prfdata_map *map, uint32_t index);

#endif
