/* SPDX-License-Identifier: MIT */
/*
 * Minimum, maximum and means of a counter over any number of samples, one by one, in bounded
 * memory, as PdhComputeCounterStatistics describes them. Microsoft's documents have more than one
 * mean; each has its own name here.
 */
#ifndef PRFDATA_READER_STATISTICS_H
#define PRFDATA_READER_STATISTICS_H

#include "compute/compute.h"

typedef struct prfdata_statistics {
    uint32_t value_count;   /* of the values computed, from one or two entries each */
    uint32_t skipped_count; /* samples that should have given a value and did not */
    prfdata_compute_formatted minimum;
    prfdata_compute_formatted maximum;
    prfdata_compute_value least; /* the minimum before it was scaled: a whole number exactly */
    prfdata_compute_value most;  /* the same of the maximum */

    /* Of the values: their sum, divided by how many there are. */
    prfdata_compute_formatted mean;

    /*
     * Each value counts for the time from the sample before it to its own, in the clock of the
     * counter's formula, else PerfTime. The first sample has none before it: of a single sample
     * there is no such mean (PRFDATA_STATUS_ONE_SAMPLE).
     */
    prfdata_compute_formatted time_weighted_mean;

    /*
     * Each value counts for what its formula divides by: the formula from the first to the last
     * sample, as if skipped samples did not exist. A rate's is all events by all time, an average's
     * all seconds or bytes by all operations; of levels and deltas it is the mean.
     */
    prfdata_compute_formatted end_to_end_mean;
} prfdata_statistics;

/* A mean in the making: the sum of value times weight, and of the weights. */
typedef struct prfdata_statistics_mean {
    double sum;
    double weight;
} prfdata_statistics_mean;

/* Statistics in the making. */
typedef struct prfdata_statistics_run {
    uint32_t type;
    uint32_t flags;
    uint32_t status; /* of the newest sample's value */
    uint32_t value_count;
    uint32_t skipped_count;
    prfdata_compute_value least;
    prfdata_compute_value most;
    prfdata_statistics_mean plain;
    prfdata_statistics_mean by_time;
    prfdata_statistics_mean by_divisor;
} prfdata_statistics_run;

/*
 * Begin with no sample.
 *
 * type   The counter's CounterType.
 * flags  PRFDATA_VALUE_...: the format of the results. Without PRFDATA_VALUE_NOCAP100 each
 *        percentage is capped by itself, before the means. With PRFDATA_VALUE_IDLE_ZERO intervals
 *        without operations count as 0; else they are skipped.
 */
void prfdata_statistics_begin(prfdata_statistics_run *run, uint32_t type, uint32_t flags);

/*
 * Add a sample. It gives a value by itself or, if the type needs two samples, with the one before
 * it. A value that cannot be computed is skipped: of another type, of a sample whose status is not
 * PRFDATA_STATUS_OK, of a counter that went backwards, and so on.
 *
 * older  The sample before; NULL: there is none. A type that needs it then gives no value, which
 *        does not count as skipped.
 */
void prfdata_statistics_add(prfdata_statistics_run *run, const prfdata_compute_raw *older,
                            const prfdata_compute_raw *newer);

/*
 * Compute the statistics of what was added so far; more may be added afterwards.
 *
 * scale       As for prfdata_compute_format().
 * statistics  Set on PRFDATA_STATUS_OK only; each number has a status of its own, because one may
 *             exceed LONG or LARGE where the others do not.
 *
 * Returns PRFDATA_STATUS_OK, PRFDATA_STATUS_INVALID_ARGUMENT (flags, scale, no `statistics`, or
 *         nothing was added), or, if there is no value at all, why the newest sample has none.
 */
uint32_t prfdata_statistics_end(const prfdata_statistics_run *run, int32_t scale,
                                prfdata_statistics *statistics);

#endif
