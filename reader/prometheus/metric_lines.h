/* SPDX-License-Identifier: MIT */
/*
 * Writes the lines of a metric, one instance after another. An instance has a value in the metric's
 * unit; an average has a sum and a count. In OpenMetrics, a _created line follows if the counts
 * have started again. Counts continue when 32 bits wrap (series.h). The caller decides which
 * metrics and instances are shown.
 *
 *     disk_avg_disk_read_seconds_sum{name="C:"} 1.5
 *     disk_avg_disk_read_seconds_count{name="C:"} 17
 */
#ifndef PRFDATA_READER_METRIC_LINES_H
#define PRFDATA_READER_METRIC_LINES_H

#include "prometheus/metric_head.h"
#include "prometheus/metric_labels.h"
#include "prometheus/series.h"

#define PRFDATA_METRIC_LINES 3 /* most lines of an instance, except in a histogram */

/*
 * Data that the lines of a sample share. The caller sets the members before `untracked`; their
 * pointers are borrowed. Everything else begins as {0}.
 */
typedef struct prfdata_metric_lines {
    const prfdata_sample *sample;
    prfdata_dialect dialect;
    prfdata_series *series; /* prfdata_series_begin() must have been called for the sample */
    prfdata_output *output;
    const prfdata_metric_labels *labels;
    uint64_t untracked; /* number of counters of instances that `series` could not add */

    /* Data of the current metric. Labels and values are those of the current instance. */
    const prfdata_metric_family_item *item;
    prfdata_output heads; /* the beginning of each line, up to the label's name */
    size_t head_ends[PRFDATA_METRIC_LINES];
    prfdata_sample_reader reader;
    bool is_number;    /* the value has 4 or 8 bytes; so has the base, if the base is a count */
    bool is_ticks;     /* counts are ticks of a clock; `frequency` is that of the clock */
    int64_t frequency; /* ticks per second; 0 or below: unknown */
    bool is_unscaled;  /* values that are not ticks are already in the metric's unit */
    prfdata_series_key key;
    prfdata_series_raw counts;
    bool has_start; /* the object has a counter that tells when its instances started */
    prfdata_sample_reader start;
} prfdata_metric_lines;

void prfdata_metric_lines_free(prfdata_metric_lines *lines);

/*
 * Put the lines of a metric that has a family.
 *
 * shown  The instances to put, as positions in the `found` of the object.
 *
 * Returns how many instances are left out because their value is damaged or cannot be computed.
 */
uint64_t prfdata_metric_lines_put(prfdata_metric_lines *lines,
                                  const prfdata_metric_family_item *item, const uint32_t *shown,
                                  uint32_t shown_count);

#endif
