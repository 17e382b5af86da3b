/* SPDX-License-Identifier: MIT */
/*
 * Declares the distribution, which counts how many values fell into each of its buckets, and sums
 * the values. Buckets and sum only grow. Percentiles and means are those of a window, by default
 * the last minute. An epoch is a quarter of the window. Copies of buckets and sum from earlier
 * epochs tell what was added since the window began. region-format.md, "Distributions", specifies
 * the bytes and the rules (K1, L1, ...).
 */
#ifndef PRFDATA_CORE_DISTRIBUTION_H
#define PRFDATA_CORE_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

#include <prfdata/distribution.h>

enum { PRFDATA_DISTRIBUTION_TIME_BITS = 8 }; /* a unit of time is 256 ms */

/* 64 octaves of 32 buckets: no range has more octaves, and no octave has more buckets. */
#define PRFDATA_DISTRIBUTION_MAX_BUCKETS 2048

/* Readers treat values as signed, so a greater value would be negative to them. */
#define PRFDATA_DISTRIBUTION_MAX_VALUE ((uint64_t)INT64_MAX)

enum {
    PRFDATA_DISTRIBUTION_COPIES = 6, /* one more than a window needs: see L5 */
    PRFDATA_DISTRIBUTION_QUARTERS = 4,
    PRFDATA_DISTRIBUTION_MAX_WINDOW_S = 3600
};

/*
 * Make the shape of a declared distribution.
 *
 * lowest, highest     The range, up to PRFDATA_DISTRIBUTION_MAX_VALUE. A value beyond the range
 *                     counts as the nearer end of the range.
 * buckets_per_octave  4, 8, 16 or 32: a value is shown within 12.5, 6.25, 3.125 or 1.5625 %.
 * window_s            1 to PRFDATA_DISTRIBUTION_MAX_WINDOW_S.
 *
 * Returns false and leaves `shape` unchanged if an argument is invalid.
 */
bool prfdata_distribution_shape_make(uint64_t lowest, uint64_t highest, uint32_t buckets_per_octave,
                                     uint32_t window_s, prfdata_distribution_shape *shape);

/* The bytes of one distribution of one instance: a multiple of 64. */
uint64_t prfdata_distribution_bytes(const prfdata_distribution_shape *shape);

/*
 * The lowest value of a bucket, and the highest. The first and the last bucket also count the
 * values beyond the range.
 */
uint64_t prfdata_distribution_low(const prfdata_distribution_shape *shape, uint32_t bucket);
uint64_t prfdata_distribution_high(const prfdata_distribution_shape *shape, uint32_t bucket);

/* The value that represents all values of a bucket. */
uint64_t prfdata_distribution_middle(const prfdata_distribution_shape *shape, uint32_t bucket);

/* ---- The writer's steps: the caller owns the region and makes one call at a time ---- */

/* K6: at a take-over, make the copy that the former owner of the region did not finish. */
void prfdata_distribution_finish_copy(uint64_t *words, const prfdata_distribution_shape *shape);

/*
 * B1: copy the buckets and the sum, which count the values of earlier instances. Called in epoch
 * `now`, while the slot is being built for a new instance.
 */
void prfdata_distribution_start(uint64_t *words, const prfdata_distribution_shape *shape,
                                uint32_t now);

/* ---- The reader's steps: they trust no byte ---- */

/* The number of values that were ever recorded in the buckets up to `last_bucket`. */
uint64_t prfdata_distribution_count(const uint64_t *words, uint32_t last_bucket);

/* The sum of all values that were ever recorded. */
static inline uint64_t prfdata_distribution_sum(const uint64_t *words)
{
    return prfdata_load64_relaxed(&words[PRFDATA_DISTRIBUTION_SUM]);
}

/* The words of a window: the buckets, then the sum of the values. */
static inline size_t prfdata_distribution_window_words(const prfdata_distribution_shape *shape)
{
    return (size_t)shape->bucket_count + 1;
}

/*
 * Load what was recorded since the start of epoch `now` - 4 (rules L1 to L5).
 *
 * of_slot  true: everything that the slot counted, for totals; false: its current instance only.
 * window   Gets prfdata_distribution_window_words() words.
 *
 * Returns whether anything was recorded.
 */
bool prfdata_distribution_load_window(const uint64_t *words,
                                      const prfdata_distribution_shape *shape, uint32_t now,
                                      bool of_slot, uint64_t *window);

/*
 * Load everything that was recorded for the current instance since the instance was added.
 *
 * window  Gets prfdata_distribution_window_words() words.
 *
 * Returns whether anything was recorded.
 */
bool prfdata_distribution_load_own(const uint64_t *words, const prfdata_distribution_shape *shape,
                                   uint64_t *window);

/* ---- The statistics of a window, or of several added up ---- */

/* The number of values in the buckets up to `last_bucket`. */
uint64_t prfdata_distribution_window_count(const uint64_t *window, uint32_t last_bucket);

/*
 * A percentile: at least `share` / 10,000 of the values are in the bucket of the result or in lower
 * buckets (5,000: the median; 10,000: the maximum). The result is the middle of that bucket; 0 for
 * an empty window.
 */
uint64_t prfdata_distribution_percentile(const uint64_t *window,
                                         const prfdata_distribution_shape *shape, uint32_t share);

/* The rounded mean; 0 for an empty window. */
uint64_t prfdata_distribution_mean(const uint64_t *window, const prfdata_distribution_shape *shape);

#endif
