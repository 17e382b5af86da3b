/* SPDX-License-Identifier: MIT */
/* Checks a map and makes its tree (map_tree.h), for code that then uses the map. */
#ifndef PRFDATA_MAP_CHECK_H
#define PRFDATA_MAP_CHECK_H

#include "map/map_tree.h"

/*
 * Check a map and make its tree.
 *
 * map   Any pointer, NULL included. Borrowed until the tree is released.
 * tree  On success the tree of the map; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (prfdata_map_check() finds a mistake) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; free().
 */
uint32_t prfdata_map_check_nest(const prfdata_map *map, prfdata_map_tree **tree);

/*
 * Do what prfdata_map_check_nest() does, for a map that a program encoded, perhaps with a later
 * version of PrfData. The map may have health numbers that this version does not know.
 */
uint32_t prfdata_map_check_nest_decoded(const prfdata_map *map, prfdata_map_tree **tree);

#endif
