/* SPDX-License-Identifier: MIT */
/* The hash of a map, as map-bytes.md specifies it: what a region carries to say whose it is. */
#ifndef PRFDATA_MAP_HASH_H
#define PRFDATA_MAP_HASH_H

#include "map/model.h"

/* What a counter's cell means, whatever it is called and however wide a reader sees it. */
typedef enum prfdata_cell_class {
    PRFDATA_CELL_NONE = 0, /* the counter has no cell */
    PRFDATA_CELL_ACCUMULATING = 1,
    PRFDATA_CELL_GAUGE = 2,
    PRFDATA_CELL_NEWEST = 3,      /* a time stamp */
    PRFDATA_CELL_OLDEST_START = 4 /* a start stamp */
} prfdata_cell_class;

prfdata_cell_class prfdata_map_hash_class(const prfdata_model_counter *counter);

/*
 * The hash of a map, from everything in its model but the hash. Two maps have the same hash if and
 * only if a region of one is a region of the other: service, order, ids, classes, clocks, lengths
 * of names and parents are in it; names and other texts, capacities, widths and what a total is are
 * not. Never 0.
 */
uint64_t prfdata_map_hash(const prfdata_model *model);

#endif
