/* SPDX-License-Identifier: MIT */
/* Writes the lines of an exposition by a slow method. It makes every label anew, searches for each
 * series among all, and remembers only what prometheus/series.h requires. The product must write
 * the same bytes. The slow method does not know metrics that a map declares. */
#ifndef PRFDATA_TESTS_SLOW_EXPOSITION_H
#define PRFDATA_TESTS_SLOW_EXPOSITION_H

#include "prometheus/metric_families.h"
#include "prometheus/metric_head.h"

typedef struct slow_series {
    uint64_t counter;
    char *label;
    uint64_t last[2];
    uint64_t above[2];
    uint32_t bytes[2];
    uint64_t start;
    int64_t start_100ns;
    int64_t created_100ns;
    int64_t seen_100ns;
} slow_series;

typedef struct slow_exposition {
    prfdata_metric_families families;
    prfdata_metric_family_choice choice;
    slow_series *series;
    size_t count;
    int64_t now_100ns;
    uint64_t left_out; /* number of values left out of the last sample */
} slow_exposition;

/* Free everything. A new exposition is {0}, except for `choice`. */
void slow_exposition_free(slow_exposition *slow);

/* Write the families of a sample, except those about prfread itself. */
void slow_exposition_put(slow_exposition *slow, const prfdata_sample *sample,
                         const prfdata_titles *titles, prfdata_dialect dialect,
                         prfdata_output *output);

#endif
