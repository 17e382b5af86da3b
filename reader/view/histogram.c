/* SPDX-License-Identifier: MIT */
/* Counts values in bins whose borders are round numbers. */
#include "view/histogram.h"

#include <math.h>
#include <string.h>

#define WANTED_BINS 20

static void place_bins(prfdata_histogram *histogram, double least, double most, bool is_hex)
{
    /* Only the step of this scale is used. The scale goes from 0 to the difference, because
     * prfdata_scale_make() would extend a scale from `least` to `most` so that it includes 0. */
    const prfdata_scale scale = prfdata_scale_make(0, most - least, WANTED_BINS, is_hex);
    double bins;

    histogram->step = most > least ? scale.step : 1;
    histogram->low = floor(least / histogram->step) * histogram->step;
    bins = ceil((most - histogram->low) / histogram->step);
    if (!(bins >= 1))
        bins = 1;
    histogram->bin_count = bins < PRFDATA_HISTOGRAM_BINS ? (uint32_t)bins : PRFDATA_HISTOGRAM_BINS;
}

static void count_value(prfdata_histogram *histogram, double value)
{
    const double at = floor((value - histogram->low) / histogram->step + 1e-9);
    uint32_t bin = at > 0 ? PRFDATA_HISTOGRAM_BINS : 0;

    if (at > 0 && at < PRFDATA_HISTOGRAM_BINS)
        bin = (uint32_t)at;
    if (bin >= histogram->bin_count)
        bin = histogram->bin_count - 1;
    histogram->bins[bin]++;
    histogram->count++;
    if (histogram->bins[bin] > histogram->most)
        histogram->most = histogram->bins[bin];
}

void prfdata_histogram_make(const prfdata_chart *chart, uint32_t position,
                            prfdata_histogram *histogram)
{
    const double *values = chart->series[position]->values;
    const prfdata_chart_statistics all = prfdata_chart_statistics_of(chart, position);
    uint32_t first;
    const uint32_t count = prfdata_chart_range(chart, &first);

    memset(histogram, 0, sizeof *histogram);
    if (all.count == 0)
        return;
    place_bins(histogram, all.least, all.most,
               prfdata_number_is_hex(chart->series[position]->type));
    for (uint32_t i = first; i < first + count; i++) {
        if (!prfdata_scale_is_missing(values[i]))
            count_value(histogram, values[i]);
    }
}
