/* SPDX-License-Identifier: MIT */
/*
 * Writes the lines of one instance of a histogram:
 *
 *     queue_wait_distribution_seconds_bucket{name="mail",le="0.001023"} 17
 *     queue_wait_distribution_seconds_bucket{name="mail",le="+Inf"} 20
 *     queue_wait_distribution_seconds_sum{name="mail"} 0.25
 *     queue_wait_distribution_seconds_count{name="mail"} 20
 */
#ifndef PRFDATA_READER_METRIC_HISTOGRAM_H
#define PRFDATA_READER_METRIC_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "prometheus/metric_number.h"
#include "text/output.h"

typedef struct prfdata_metric_bucket {
    double bound;   /* the largest value that the bucket counts; grows from bucket to bucket; below
                       0: the last bucket, which counts all values */
    uint64_t count; /* number of values up to the bound */
} prfdata_metric_bucket;

/* The data of the lines; borrowed. */
typedef struct prfdata_metric_histogram {
    const char *name;
    const char *label_name; /* name of the label that contains the instance's name */
    const char *label;      /* from metric_labels.h; "": no labels */
    const prfdata_metric_bucket *buckets;
    size_t bucket_count; /* 1 or more */
    prfdata_metric_number sum;
} prfdata_metric_histogram;

/*
 * Put the lines. A bucket's count may be below the count of the bucket before it, because the
 * provider read the counts at different moments. In this case, both buckets get the larger count.
 */
void prfdata_metric_histogram_put(prfdata_output *output,
                                  const prfdata_metric_histogram *histogram);

#endif
