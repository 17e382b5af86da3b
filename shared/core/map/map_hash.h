/* SPDX-License-Identifier: MIT */
/* Computes the hash of a map (map-bytes.md). A region contains the hash of its map. */
#ifndef PRFDATA_MAP_HASH_H
#define PRFDATA_MAP_HASH_H

#include "map/model.h"

/* The meaning of a counter's cell. */
typedef enum prfdata_cell_class {
    PRFDATA_CELL_NONE = 0, /* the counter has no cell */
    PRFDATA_CELL_ACCUMULATING = 1,
    PRFDATA_CELL_GAUGE = 2,
    PRFDATA_CELL_NEWEST = 3,
    PRFDATA_CELL_OLDEST_START = 4
} prfdata_cell_class;

prfdata_cell_class prfdata_map_hash_class(const prfdata_model_counter *counter);

/*
 * The hash of a map; never 0. A region of one map can be read with every map of the same hash. The
 * hash does not depend on texts (except the service name), numbers of instances, widths of values,
 * the merging of gauges, or totals.
 */
uint64_t prfdata_map_hash(const prfdata_model *model);

#endif
