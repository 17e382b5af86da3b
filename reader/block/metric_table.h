/* SPDX-License-Identifier: MIT */
/*
 * Keeps the metrics that the maps of PrfData's services declare for their counters, sorted by title
 * index. Counters of other vendors' providers are not in the table.
 */
#ifndef PRFDATA_READER_METRIC_TABLE_H
#define PRFDATA_READER_METRIC_TABLE_H

#include "metric/metric.h"
#include "text/text.h"

/* One counter of a histogram. The counter counts the values up to a bound. */
typedef struct prfdata_metric_table_bound {
    uint32_t counter_title;
    double bound; /* in the metric's unit; PRFDATA_METRIC_NO_BOUND: all values are counted */
} prfdata_metric_table_bound;

typedef struct prfdata_metric_table_entry {
    uint32_t object_title;
    uint32_t counter_title;
    uint32_t type;      /* type of the counter */
    uint64_t name_hash; /* prfdata_names_hash() of the counter's name in the map */
    prfdata_metric metric;
    /* Title of the sum counter of the histogram that has the counter's values; 0: none. */
    uint32_t histogram_title;
    /*
     * The bounds of a histogram, ascending; the counter of all values is last. NULL for other
     * metrics.
     */
    prfdata_metric_table_bound *bounds;
    uint32_t bound_count;
    uint32_t map; /* number of the metric's map, from 1 in the order of appending */
    size_t order; /* keeps the order of a counter's metrics while the table is sorted */
} prfdata_metric_table_entry;

/* {0} is an empty table. */
typedef struct prfdata_metric_table {
    /* Sorted by title indexes. The order of a counter's metrics is that of metric_part.h. */
    prfdata_metric_table_entry *items;
    size_t count;
    size_t capacity;
    uint32_t map_count;
} prfdata_metric_table;

/* Release everything and leave {0}. */
void prfdata_metric_table_free(prfdata_metric_table *table);

bool prfdata_metric_table_equal(const prfdata_metric_table *a, const prfdata_metric_table *b);

/*
 * Append the metrics of a map that is installed at `first_counter`. Call
 * prfdata_metric_table_settle() after the last map and before the first search.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_metric_table_append_model(prfdata_metric_table *table, const prfdata_model *model,
                                           uint32_t first_counter);
void prfdata_metric_table_settle(prfdata_metric_table *table);

/*
 * Find the metrics of a counter of a sample.
 *
 * type   The counter's type in the sample.
 * name   Its English name; empty: unknown.
 * count  Set to the number of metrics.
 *
 * Returns the first metric; NULL if there are none. Also returns NULL if the type or the name
 * differs from the map, because the registry keeps the old First Counter of a service even after
 * another service got these title indexes.
 */
const prfdata_metric_table_entry *prfdata_metric_table_find(const prfdata_metric_table *table,
                                                            uint32_t object_title,
                                                            uint32_t counter_title, uint32_t type,
                                                            prfdata_text name, size_t *count);

#endif
