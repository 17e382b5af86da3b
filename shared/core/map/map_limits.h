/* SPDX-License-Identifier: MIT */
/*
 * Checks the rules about capacities, types and their bases, options, distributions and ids. If a
 * map from bytes keeps these rules, no reader accesses memory out of bounds. Names and other texts
 * are not checked.
 */
#ifndef PRFDATA_MAP_LIMITS_H
#define PRFDATA_MAP_LIMITS_H

#include "map/map_tree.h"

/*
 * Check whether a decoded map keeps these rules, and make its tree.
 *
 * map   Borrowed until the tree is released.
 * tree  On success the tree of the map; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (a mistake) or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; free().
 */
uint32_t prfdata_map_limits_nest(const prfdata_map *map, prfdata_map_tree **tree);

#endif
