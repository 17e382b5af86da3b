/* SPDX-License-Identifier: MIT */
/*
 * The lines of one instance of a metric: its value in the metric's unit, for an average its sum and
 * count, and since when it counts. Counts go on when 32 bits wrap (series.h). Which metrics and
 * instances are shown is decided by the caller.
 *
 *     disk_avg_disk_read_seconds_sum{name="C:"} 1.5
 *     disk_avg_disk_read_seconds_count{name="C:"} 17
 */
#ifndef PRFDATA_READER_METRIC_LINES_H
#define PRFDATA_READER_METRIC_LINES_H

#include "prometheus/metric_head.h"
#include "prometheus/series.h"

/* What the lines of a sample share; borrowed, but for the count. */
typedef struct prfdata_metric_lines {
    const prfdata_sample *sample;
    prfdata_dialect dialect;
    prfdata_series *series; /* prfdata_series_begin() was called for the sample */
    prfdata_output *output;
    uint64_t untracked; /* counters of instances that `series` has no room for */

    /* The metric that prfdata_metric_lines_begin() was called for, and what is the same in its
     * lines. */
    const prfdata_metric_family_item *item;
    size_t name_bytes;
    size_t label_name_bytes;
    prfdata_sample_reader reader;
    bool has_start; /* its object has a counter that says when instances started: */
    prfdata_sample_reader start;
} prfdata_metric_lines;

/* Begin the lines of a metric that has a family. */
void prfdata_metric_lines_begin(prfdata_metric_lines *lines,
                                const prfdata_metric_family_item *item);

/*
 * Put the lines of an instance of the metric that was begun.
 *
 * label  What metric_labels.h makes of the instance.
 *
 * Returns false, and puts nothing, if the value is damaged, has nothing to divide by or no clock.
 */
bool prfdata_metric_lines_put(prfdata_metric_lines *lines, const prfdata_sample_instance *instance,
                              const char *label, size_t label_bytes);

#endif
