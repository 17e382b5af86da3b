/* SPDX-License-Identifier: MIT */
/*
 * Makes the histogram of a series: how many of its values in the visible part of the chart lie in
 * each range.
 */
#ifndef PRFDATA_READER_HISTOGRAM_H
#define PRFDATA_READER_HISTOGRAM_H

#include "view/chart.h"

#define PRFDATA_HISTOGRAM_BINS 40

typedef struct prfdata_histogram {
    double low;  /* lower border of the first bin */
    double step; /* 1, 2 or 5 times a power of ten; for hexadecimal numbers a power of two */
    uint32_t bin_count;
    uint32_t bins[PRFDATA_HISTOGRAM_BINS];
    uint32_t most; /* largest number of values in a bin */
    uint32_t count;
} prfdata_histogram;

/*
 * Count a series' values. The bins begin at the smallest value, rounded down to a border. A value
 * on a border is in the upper bin, except the highest value, which is in the last bin.
 */
void prfdata_histogram_make(const prfdata_chart *chart, uint32_t position,
                            prfdata_histogram *histogram);

#endif
