/* SPDX-License-Identifier: MIT */
/* Computes the hash of a map, as map-bytes.md specifies it. A region carries it to name its map. */
#ifndef PRFDATA_MAP_HASH_H
#define PRFDATA_MAP_HASH_H

#include "map/model.h"

/* The meaning of a counter's cell, independent of its name and of the width that a reader sees. */
typedef enum prfdata_cell_class {
    PRFDATA_CELL_NONE = 0, /* the counter has no cell */
    PRFDATA_CELL_ACCUMULATING = 1,
    PRFDATA_CELL_GAUGE = 2,
    PRFDATA_CELL_NEWEST = 3,      /* a time stamp */
    PRFDATA_CELL_OLDEST_START = 4 /* a start stamp */
} prfdata_cell_class;

prfdata_cell_class prfdata_map_hash_class(const prfdata_model_counter *counter);

/*
 * The hash of a map. A region of one map can be read with every map of the same hash. The hash
 * covers the service and the order of lines; of objects the id, the parent, the length of names,
 * whether they have instances, and PRFDATA_OPTION_PER_PROCESS; of counters the id, class, clock,
 * lanes, whether it is a base, and the statistic that it counts; of distributions the id, unit,
 * buckets and window. It does not cover names and other texts, capacities, widths, how gauges are
 * merged, or how totals are made. Never 0.
 */
uint64_t prfdata_map_hash(const prfdata_model *model);

#endif
