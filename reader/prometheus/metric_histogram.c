/* SPDX-License-Identifier: MIT */
/* Writes buckets, and their bounds as text. */
#include "prometheus/metric_histogram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Write the fewest digits that strtod() reads as the same double, such as "1.048576e+06". */
static void write_scientific_bound(double bound, char *text, size_t capacity)
{
    for (int digits = 0; digits <= 16; digits++) {
        snprintf(text, capacity, "%.*e", digits, bound);
        if (strtod(text, NULL) >= bound && strtod(text, NULL) <= bound)
            return;
    }
}

void prfdata_metric_histogram_put_bound(prfdata_output *output, double bound)
{
    char text[40];
    const char *mantissa_end;
    long exponent;

    write_scientific_bound(bound, text, sizeof text);
    mantissa_end = strchr(text, 'e');
    exponent = mantissa_end ? strtol(mantissa_end + 1, NULL, 10) : 0;
    if (mantissa_end && exponent >= -4 && exponent < 6) {
        const int digits = mantissa_end - text > 2 ? (int)(mantissa_end - text) - 2 : 0;

        snprintf(text, sizeof text, "%.*f", digits > exponent ? digits - (int)exponent : 0, bound);
        prfdata_output_put_string(output, text);
        if (!strchr(text, '.'))
            prfdata_output_put_string(output, ".0");
        return;
    }
    prfdata_output_put_string(output, text);
}

/* Begin a line. With `bound` it gets a label `le`; the caller puts its value and closes it. */
static void begin_histogram_line(prfdata_output *output, const prfdata_metric_histogram *histogram,
                                 const char *suffix, bool bound)
{
    const size_t label_bytes = strlen(histogram->label);

    prfdata_output_put_string(output, histogram->name);
    prfdata_output_put_string(output, suffix);
    if (label_bytes > 0) {
        prfdata_output_put_string(output, "{");
        prfdata_output_put_string(output, histogram->label_name);
        /* Without the brace. */
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
    uint64_t count = 0;

    for (size_t b = 0; b < histogram->bucket_count; b++) {
        const prfdata_metric_bucket *bucket = &histogram->buckets[b];

        if (bucket->count > count)
            count = bucket->count;
        begin_histogram_line(output, histogram, "_bucket", true);
        if (bucket->bound < 0)
            prfdata_output_put_string(output, "+Inf");
        else
            prfdata_metric_histogram_put_bound(output, bucket->bound);
        prfdata_output_put_string(output, "\"} ");
        put_histogram_value(output, prfdata_metric_number_whole(count));
    }
    begin_histogram_line(output, histogram, "_sum", false);
    put_histogram_value(output, histogram->sum);
    begin_histogram_line(output, histogram, "_count", false);
    put_histogram_value(output, prfdata_metric_number_whole(count));
}
