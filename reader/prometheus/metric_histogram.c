/* SPDX-License-Identifier: MIT */
/* Writes the lines in the order bucket, sum, count. */
#include "prometheus/metric_histogram.h"

#include <string.h>

#include "metric/metric.h"

/* Begin a line. If `bound` is true, the line gets a label `le`; the caller puts the value of `le`
 * and closes the braces. */
static void begin_histogram_line(prfdata_output *output, const prfdata_metric_histogram *histogram,
                                 const char *suffix, bool bound)
{
    const size_t label_bytes = strlen(histogram->label);

    prfdata_output_put_string(output, histogram->name);
    prfdata_output_put_string(output, suffix);
    if (label_bytes > 0) {
        prfdata_output_put_string(output, "{");
        prfdata_output_put_string(output, histogram->label_name);
        /* Leave out the closing brace if `le` follows. */
        prfdata_output_put(output, histogram->label, label_bytes - (bound ? 1 : 0));
    }
    if (bound)
        prfdata_output_put_string(output, label_bytes > 0 ? ",le=\"" : "{le=\"");
    else
        prfdata_output_put_string(output, " ");
}

static void put_histogram_value(prfdata_output *output, prfdata_metric_number number)
{
    prfdata_metric_number_put(output, number);
    prfdata_output_put_string(output, "\n");
}

void prfdata_metric_histogram_put(prfdata_output *output, const prfdata_metric_histogram *histogram)
{
    char bound[PRFDATA_METRIC_BOUND_BYTES];
    uint64_t count = 0;

    for (size_t b = 0; b < histogram->bucket_count; b++) {
        const prfdata_metric_bucket *bucket = &histogram->buckets[b];

        if (bucket->count > count)
            count = bucket->count;
        begin_histogram_line(output, histogram, "_bucket", true);
        prfdata_metric_write_bound(bucket->bound, bound);
        prfdata_output_put_string(output, bound);
        prfdata_output_put_string(output, "\"} ");
        put_histogram_value(output, prfdata_metric_number_whole(count));
    }
    begin_histogram_line(output, histogram, "_sum", false);
    put_histogram_value(output, histogram->sum);
    begin_histogram_line(output, histogram, "_count", false);
    put_histogram_value(output, prfdata_metric_number_whole(count));
}
