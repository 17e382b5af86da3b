/* SPDX-License-Identifier: MIT */
/*
 * Computes minimum, maximum and means of a counter as the documents of PdhComputeCounterStatistics
 * describe. It takes any number of samples, one by one, in bounded memory. Microsoft's documents
 * describe several means; each has its own name here.
 */
#ifndef PRFDATA_READER_STATISTICS_H
#define PRFDATA_READER_STATISTICS_H

#include "compute/compute.h"

typedef struct prfdata_statistics {
    uint32_t value_count;   /* number of values, each computed from one or two samples */
    uint32_t skipped_count; /* number of samples from which a value should have been computed, but
                               could not be */
    prfdata_compute_formatted minimum;
    prfdata_compute_formatted maximum;
    prfdata_compute_value least; /* the minimum before scaling: exact if it is whole */
    prfdata_compute_value most;  /* the maximum before scaling */

    /* The sum of the values, divided by their number. */
    prfdata_compute_formatted mean;

    /*
     * The mean with each value weighted by the time since the previous sample. The time is read
     * from the clock of the counter's formula, or is PerfTime if the formula has no clock. A single
     * sample has no such mean (PRFDATA_STATUS_ONE_SAMPLE).
     */
    prfdata_compute_formatted time_weighted_mean;

    /*
     * The mean with each value weighted by the divisor of its formula. For a rate it is all events
     * divided by the whole time; for an average, all seconds or bytes divided by all operations.
     * For levels and deltas it equals `mean`.
     */
    prfdata_compute_formatted end_to_end_mean;
} prfdata_statistics;

/* The intermediate result of a mean: the sum of value times weight, and the sum of weights. */
typedef struct prfdata_statistics_mean {
    double sum;
    double weight;
} prfdata_statistics_mean;

typedef struct prfdata_statistics_run {
    uint32_t type;
    uint32_t flags;
    uint32_t status; /* status of the newest sample's value */
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
 *        percentage is capped before the means are computed. With PRFDATA_VALUE_IDLE_ZERO,
 *        intervals without operations count as 0; otherwise they are skipped.
 */
void prfdata_statistics_begin(prfdata_statistics_run *run, uint32_t type, uint32_t flags);

/*
 * Add a sample. The sample gives a value on its own or, if the type needs two samples, together
 * with the previous sample. A value that cannot be computed is skipped, for instance if the type
 * changed, a status is not PRFDATA_STATUS_OK, or the counter went backwards.
 *
 * older  The previous sample; NULL if there is none. A type that needs two samples then gets no
 *        value, which does not count as skipped.
 */
void prfdata_statistics_add(prfdata_statistics_run *run, const prfdata_compute_raw *older,
                            const prfdata_compute_raw *newer);

/*
 * Compute the statistics of the samples so far; more may be added afterwards.
 *
 * scale       As for prfdata_compute_format().
 * statistics  Set only on PRFDATA_STATUS_OK. Each number has its own status, because one number may
 *             exceed LONG or LARGE while another does not.
 *
 * Returns PRFDATA_STATUS_OK, or PRFDATA_STATUS_INVALID_ARGUMENT (flags or scale are invalid,
 * `statistics` is NULL, or nothing was added). If there is no value at all, returns the reason why
 * the newest sample has none.
 */
uint32_t prfdata_statistics_end(const prfdata_statistics_run *run, int32_t scale,
                                prfdata_statistics *statistics);

#endif
