/* SPDX-License-Identifier: MIT */
/*
 * The metrics of the counters that a map of ours declares, by title indexes. Counters of other
 * people's providers are not in it.
 */
#ifndef PRFDATA_READER_METRIC_TABLE_H
#define PRFDATA_READER_METRIC_TABLE_H

#include "metric/metric.h"
#include "text/text.h"

/* A counter of values up to a bound, of a histogram. */
typedef struct prfdata_metric_table_bound {
    uint32_t counter_title;
    double bound; /* in the metric's unit; PRFDATA_METRIC_NO_BOUND: it counts all values */
} prfdata_metric_table_bound;

typedef struct prfdata_metric_table_entry {
    uint32_t object_title;
    uint32_t counter_title;
    uint32_t type;      /* the counter's */
    uint64_t name_hash; /* prfdata_names_hash() of its name in the map */
    prfdata_metric metric;
    prfdata_metric_table_bound *bounds; /* of a histogram: ascending, that of all values last */
    uint32_t bound_count;
} prfdata_metric_table_entry;

/* {0} is an empty table. */
typedef struct prfdata_metric_table {
    prfdata_metric_table_entry
        *items; /* by title indexes; of a counter in the order of its parts */
    size_t count;
    size_t capacity;
} prfdata_metric_table;

/* Release everything; {0} is left. */
void prfdata_metric_table_free(prfdata_metric_table *table);

/* Whether both have the same metrics of the same counters. */
bool prfdata_metric_table_equal(const prfdata_metric_table *a, const prfdata_metric_table *b);

/*
 * Add the metrics of a map that is installed at `first_counter`. Titles that are there already
 * stay. Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_metric_table_add_model(prfdata_metric_table *table, const prfdata_model *model,
                                        uint32_t first_counter);

/*
 * Find the metrics of a counter of a sample.
 *
 * type   As the sample has it.
 * name   Its English name; empty: unknown.
 * count  Set: how many there are.
 *
 * Returns the first of them; NULL if there are none, or if the titles stand for something else now:
 * the registry keeps First Counter of a service whose titles went to another one.
 */
const prfdata_metric_table_entry *prfdata_metric_table_find(const prfdata_metric_table *table,
                                                            uint32_t object_title,
                                                            uint32_t counter_title, uint32_t type,
                                                            prfdata_text name, size_t *count);

#endif
