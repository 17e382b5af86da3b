/* SPDX-License-Identifier: MIT */
/* The hash of a map, as map-bytes.md specifies it: what a region carries to say whose it is. */
#ifndef PRFDATA_MAP_HASH_H
#define PRFDATA_MAP_HASH_H

#include "core/map_tree.h"

/*
 * The hash of a map without mistakes. Two maps have the same hash if and only if their regions mean
 * the same: service, ids, names, types, order, capacities, name lengths and options are in it;
 * help, detail level, scale, default counter and the symbols' spelling are not. Never 0.
 */
uint64_t prfdata_map_hash(const prfdata_map_tree *tree);

#endif
