/* SPDX-License-Identifier: MIT */
/*
 * A distribution as the lines of a histogram:
 *
 *     queue_wait_seconds_bucket{name="mail",le="0.001023"} 17
 *     queue_wait_seconds_bucket{name="mail",le="+Inf"} 20
 *     queue_wait_seconds_sum{name="mail"} 0.25
 *     queue_wait_seconds_count{name="mail"} 20
 *
 * One `le` per octave, at the same place for every instance and process, so that
 * histogram_quantile() may add them up; within an octave the quantile is interpolated. Knows where
 * counts come from as little as metric_lines.h.
 */
#ifndef PRFDATA_READER_METRIC_HISTOGRAM_H
#define PRFDATA_READER_METRIC_HISTOGRAM_H

#include "core/distribution.h"
#include "text/output.h"

/* What the lines are of; borrowed. */
typedef struct prfdata_metric_histogram {
    const char *name;       /* of the family */
    const char *label_name; /* of the label with the instance's name */
    const char *label;      /* what metric_labels.h makes of the instance; "": no labels */
    const prfdata_distribution_shape *shape;
    const uint64_t *counts; /* of each bucket since the start, then the sum of the values */
    double factor;          /* from the distribution's unit to the metric's */
} prfdata_metric_histogram;

/* Put the lines. Values above the range count in its last bucket, which only "+Inf" shows. */
void prfdata_metric_histogram_put(prfdata_output *output,
                                  const prfdata_metric_histogram *histogram);

/*
 * Put a bound as both formats want the value of `le`: "1.0", "0.001", "1e-05", "1.048576e+06"
 * (OpenMetrics 1.0, "Canonical numbers").
 */
void prfdata_metric_histogram_put_bound(prfdata_output *output, double bound);

#endif
