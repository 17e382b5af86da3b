/* SPDX-License-Identifier: MIT */
/*
 * The lines of an exposition put together the slow way: every label is made anew, every series is
 * looked for among all, and nothing is remembered but what prometheus/series.h says must be. So
 * both ways must write the same bytes. Of metrics that a map declares it knows nothing.
 */
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
    uint64_t left_out; /* of the last sample */
} slow_exposition;

/* {0} with a choice is a beginning. */
void slow_exposition_free(slow_exposition *slow);

/* Put the families of a sample, without what is said about the reader. */
void slow_exposition_put(slow_exposition *slow, const prfdata_sample *sample,
                         const prfdata_titles *titles, prfdata_dialect dialect,
                         prfdata_output *output);

#endif
