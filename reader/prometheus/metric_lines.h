/* SPDX-License-Identifier: MIT */
/*
 * The lines of one instance of a metric: its value in the metric's unit, for an average its sum and
 * count, and since when it counts. Counts go on when 32 bits wrap (series.h). The caller decides
 * which metrics and instances are shown.
 *
 *     disk_avg_disk_read_seconds_sum{name="C:"} 1.5
 *     disk_avg_disk_read_seconds_count{name="C:"} 17
 */
#ifndef PRFDATA_READER_METRIC_LINES_H
#define PRFDATA_READER_METRIC_LINES_H

#include "prometheus/metric_head.h"
#include "prometheus/metric_labels.h"
#include "prometheus/series.h"

#define PRFDATA_METRIC_LINES 3 /* that an instance of a metric has at most, histograms apart */

/* What the lines of a sample share; borrowed, but for what follows `untracked`. {0}, but for that,
 * is a beginning. */
typedef struct prfdata_metric_lines {
    const prfdata_sample *sample;
    prfdata_dialect dialect;
    prfdata_series *series; /* prfdata_series_begin() was called for the sample */
    prfdata_output *output;
    const prfdata_metric_labels *labels; /* of the object whose metrics are put */
    uint64_t untracked;                  /* counters of instances that `series` has no room for */

    /* What is the same in all lines of the metric that is being put. */
    const prfdata_metric_family_item *item;
    prfdata_output heads; /* of each line up to the label */
    size_t head_ends[PRFDATA_METRIC_LINES];
    prfdata_sample_reader reader;
    bool is_number;         /* its value has 4 or 8 bytes, and its base, if that is a count */
    bool is_ticks;          /* counts are ticks of a clock: */
    int64_t frequency;      /* 0 or below: it has none */
    bool is_unscaled;       /* what is no ticks is in the metric's unit */
    prfdata_series_key key; /* of the instance whose lines are put */
    prfdata_series_raw counts;
    bool has_start; /* its object has a counter that says when instances started: */
    prfdata_sample_reader start;
} prfdata_metric_lines;

/* Release what it owns. */
void prfdata_metric_lines_free(prfdata_metric_lines *lines);

/*
 * Put the lines of a metric that has a family.
 *
 * shown  Positions, in the `found` of its object, of the instances to put.
 *
 * Returns how many of them are left out: their value is damaged, has nothing to divide by or no
 * clock.
 */
uint64_t prfdata_metric_lines_put(prfdata_metric_lines *lines,
                                  const prfdata_metric_family_item *item, const uint32_t *shown,
                                  uint32_t shown_count);

#endif
