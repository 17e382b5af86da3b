/* SPDX-License-Identifier: MIT */
/* Computes the scale of an axis: where its grid lines are, for numbers and for times. */
#ifndef PRFDATA_READER_SCALE_H
#define PRFDATA_READER_SCALE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * An axis from `low` to `high`, both multiples of `step`. On a logarithmic axis both are powers of
 * ten, or of sixteen, and each grid line is `step` times the one below.
 */
typedef struct prfdata_scale {
    double low;
    double high;
    double step; /* 1, 2 or 5 times a power of ten, or a power of two; on a logarithmic axis a
                    power of ten or sixteen */
    bool is_log;
} prfdata_scale;

/* Returns whether a number is NaN or infinite, that is, no value. Does not use isnan(), because
 * mingw's isnan() causes a warning. */
static inline bool prfdata_scale_is_missing(double number)
{
    return isunordered(number - number, 0.0);
}

/* Returns whether a number is infinite: the object was not, or perhaps not, asked for. A line has
 * no gap there. */
static inline bool prfdata_scale_is_skipped(double number)
{
    return prfdata_scale_is_missing(number) && !isunordered(number, 0.0);
}

/* Returns whether a number is minus infinity: perhaps the object was not asked for. The line is
 * dotted there; see prfdata_chart_miss(). */
static inline bool prfdata_scale_is_supposed(double number)
{
    return prfdata_scale_is_skipped(number) && number < 0;
}

/*
 * Make the smallest scale that includes all values and has at most `step_count` steps. If
 * step_count is 1 and values are on both sides of 0, the scale has two steps. The scale always
 * includes 0, because a curve whose height misrepresents its values is worse than a flat one.
 * Values beyond 1e300 count as 1e300.
 *
 * least, most  The smallest and the largest value; NaN: there is none, and the scale is 0 to 1.
 * step_count   At least 1.
 * is_hex       The values are whole and shown in hexadecimal, so the steps are powers of two, at
 *              least 1.
 */
prfdata_scale prfdata_scale_make(double least, double most, uint32_t step_count, bool is_hex);

/*
 * Make the smallest logarithmic scale that includes all values above 0, but at most the 15 highest
 * powers of the base.
 *
 * least, most  The smallest value above 0, and the largest value; NaN: there is none, and the scale
 *              is 1 to the base.
 * step_count   At least 1. The scale has at most this many steps; if there are more powers, each
 *              step is several of them.
 * is_hex       The base is sixteen instead of ten.
 */
prfdata_scale prfdata_scale_make_log(double least, double most, uint32_t step_count, bool is_hex);

/* Return the number of grid lines of a scale, and the value of each, from below. */
uint32_t prfdata_scale_line_count(const prfdata_scale *scale);
double prfdata_scale_line(const prfdata_scale *scale, uint32_t at);

/* Return the position of a value between the ends of a scale, 0 to 1; values beyond an end are at
 * that end. */
double prfdata_scale_part(const prfdata_scale *scale, double value);

/*
 * Return the distance between two grid lines of a time axis, in ms: a round number of seconds,
 * minutes, hours or days, so that at most `step_count` whole steps fit into the span.
 */
int64_t prfdata_scale_time_step(int64_t span_ms, uint32_t step_count);

#endif
