/* SPDX-License-Identifier: MIT */
/*
 * The histogram of a series: how often its values lie where, in the part of the chart that is
 * looked at.
 */
#ifndef PRFDATA_READER_HISTOGRAM_H
#define PRFDATA_READER_HISTOGRAM_H

#include "view/chart.h"

#define PRFDATA_HISTOGRAM_BINS 40

typedef struct prfdata_histogram {
    double low;  /* of the first bin */
    double step; /* 1, 2 or 5 times a power of ten */
    uint32_t bin_count;
    uint32_t bins[PRFDATA_HISTOGRAM_BINS];
    uint32_t most;  /* in one bin */
    uint32_t count; /* of all */
} prfdata_histogram;

/*
 * Count a series' values. The bins begin at the least value, not at 0; a value on a border is in
 * the upper bin, but the highest of all in the last.
 */
void prfdata_histogram_make(const prfdata_chart *chart, uint32_t position,
                            prfdata_histogram *histogram);

#endif
