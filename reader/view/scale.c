/* SPDX-License-Identifier: MIT */
/*
 * Chooses the grid lines of an axis. Their distance is 1, 2 or 5 times a power of ten, or a power
 * of two for hexadecimal numbers. On a logarithmic axis the lines are at powers of ten or sixteen.
 * On a time axis the distance of the lines is a round time.
 */
#include "view/scale.h"

#include <math.h>
#include <stddef.h>

/* Larger values are replaced with this one, because a step could overflow. */
#define LARGEST 1e300
/* A logarithmic scale has at most this many powers, because a double has 15 digits. */
#define MOST_DECADES 15

static double next_step(double step)
{
    const double power = pow(10, floor(log10(step) + 1e-9));
    const double digit = step / power;

    if (digit < 1.5)
        return 2 * power;
    return digit < 3 ? 5 * power : 10 * power;
}

static double first_step(double range, uint32_t step_count, bool is_hex)
{
    const double least = range / step_count;
    double step = is_hex ? 1 : pow(10, floor(log10(least)));

    while (step < least * (1 - 1e-9))
        step = is_hex ? step * 2 : next_step(step);
    return step;
}

static prfdata_scale scale_with_step(double low, double high, double step)
{
    return (prfdata_scale){floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, step,
                           false};
}

static double limit_value(double value)
{
    if (value > LARGEST)
        return LARGEST;
    return value < -LARGEST ? -LARGEST : value;
}

prfdata_scale prfdata_scale_make(double least, double most, uint32_t step_count, bool is_hex)
{
    double low;
    double high;
    prfdata_scale scale;

    if (prfdata_scale_is_missing(least) || prfdata_scale_is_missing(most) ||
        (least == 0 && most == 0))
        return (prfdata_scale){0, 1, step_count > 1 && !is_hex ? 0.5 : 1, false};
    low = limit_value(least < 0 ? least : 0);
    high = limit_value(most > 0 ? most : 0);
    if (high - low < 1e-300) /* the steps could become 0 */
        return (prfdata_scale){0, 1, 1, false};
    scale = scale_with_step(low, high, first_step(high - low, step_count, is_hex));
    while ((scale.high - scale.low) / scale.step > step_count + 0.5 && step_count > 1)
        scale = scale_with_step(low, high, is_hex ? scale.step * 2 : next_step(scale.step));
    return scale;
}

/* Return a power of ten or sixteen. Up to 1e22 it is the nearest double, unlike the result of some
 * implementations of pow(). */
static double power_of(double base, double exponent)
{
    double power = 1;

    for (int left = (int)fabs(exponent); left > 0; left--)
        power *= base;
    return exponent < 0 ? 1 / power : power;
}

prfdata_scale prfdata_scale_make_log(double least, double most, uint32_t step_count, bool is_hex)
{
    const double base = is_hex ? 16 : 10;
    const double unit = log10(base);
    double low;
    double high;
    double decades = 1; /* number of powers from line to line */

    if (prfdata_scale_is_missing(least) || prfdata_scale_is_missing(most) || !(least > 0))
        return (prfdata_scale){1, base, base, true};
    high = ceil(log10(limit_value(most)) / unit - 1e-9);
    /* Doubles near 1e-308 lose digits, so no scale begins far below 1e-300. */
    low = floor(log10(least > 1e-300 ? least : 1e-300) / unit + 1e-9);
    if (low < high - MOST_DECADES)
        low = high - MOST_DECADES;
    if (low >= high)
        high = low + 1;
    while ((high - low) / decades > step_count && decades < high - low)
        decades++;
    high = low + ceil((high - low) / decades) * decades;
    return (prfdata_scale){power_of(base, low), power_of(base, high), power_of(base, decades),
                           true};
}

uint32_t prfdata_scale_line_count(const prfdata_scale *scale)
{
    const double steps = scale->is_log ? log10(scale->high / scale->low) / log10(scale->step)
                                       : (scale->high - scale->low) / scale->step;

    return (uint32_t)(steps + 0.5) + 1;
}

double prfdata_scale_line(const prfdata_scale *scale, uint32_t at)
{
    return scale->is_log ? scale->low * pow(scale->step, at) : scale->low + at * scale->step;
}

double prfdata_scale_part(const prfdata_scale *scale, double value)
{
    double part;

    if (!scale->is_log)
        part = (value - scale->low) / (scale->high - scale->low);
    else
        part = value > scale->low ? log10(value / scale->low) / log10(scale->high / scale->low) : 0;
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

int64_t prfdata_scale_time_step(int64_t span_ms, uint32_t step_count)
{
    static const int32_t seconds[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                      600, 900, 1800, 3600, 7200, 21600, 43200, 86400};
    const size_t count = sizeof seconds / sizeof seconds[0];

    for (size_t i = 0; i < count; i++) {
        if (span_ms / (seconds[i] * INT64_C(1000)) <= (int64_t)step_count)
            return seconds[i] * INT64_C(1000);
    }
    return (span_ms / step_count / 86400000 + 1) * 86400000;
}
