/* SPDX-License-Identifier: MIT */
/* The scale of an axis: where its lines are, for numbers and for times. Knows no pixels. */
#ifndef PRFDATA_READER_SCALE_H
#define PRFDATA_READER_SCALE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* An axis from `low` to `high`, both multiples of `step`. */
typedef struct prfdata_scale {
    double low;
    double high;
    double step; /* 1, 2 or 5 times a power of ten; above 0 */
} prfdata_scale;

/* Whether a number is NaN or infinite, which stand for no value; mingw's isnan() warns. */
static inline bool prfdata_scale_is_missing(double number)
{
    return isunordered(number - number, 0.0);
}

/* Whether it is infinite. */
static inline bool prfdata_scale_is_skipped(double number)
{
    return prfdata_scale_is_missing(number) && !isunordered(number, 0.0);
}

/*
 * Make the smallest scale that holds all values and has at most so many steps. It begins at 0
 * unless a value is below: a height that lies about the size of a value is worse than a flat line.
 *
 * least, most  Of the values; NaN: there is none, and the scale is 0 to 1.
 * step_count   At least 1.
 */
prfdata_scale prfdata_scale_make(double least, double most, uint32_t step_count);

/*
 * The distance between two lines of a time axis, in ms: a number of seconds, minutes or hours that
 * clocks have, so that at most `step_count` fit into the span.
 */
int64_t prfdata_scale_time_step(int64_t span_ms, uint32_t step_count);

#endif
