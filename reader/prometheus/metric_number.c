/* SPDX-License-Identifier: MIT */
/* Keeps numbers as integers as long as they are exact, because not every integer above 2^53 has a
 * double. */
#include "prometheus/metric_number.h"

#include <math.h>

static prfdata_metric_number make_signed_number(uint64_t value, bool is_negative)
{
    return (prfdata_metric_number){true, is_negative, value, 0};
}

prfdata_metric_number prfdata_metric_number_real(double value)
{
    return (prfdata_metric_number){false, false, 0, value};
}

prfdata_metric_number prfdata_metric_number_level(uint64_t value, uint32_t bytes)
{
    if (bytes == 8 && (int64_t)value < 0)
        return make_signed_number(0 - value, true);
    return prfdata_metric_number_whole(bytes == 8 ? value : (uint32_t)value);
}

double prfdata_metric_number_double(prfdata_metric_number number)
{
    double value = number.is_whole ? (double)number.whole : number.real;

    return number.is_whole && number.is_negative ? -value : value;
}

prfdata_metric_number prfdata_metric_number_scaled(prfdata_metric_number number, double factor)
{
    uint64_t whole_factor = (uint64_t)factor;
    double value = prfdata_metric_number_double(number);

    if (number.is_whole && factor >= 1 && number.whole <= UINT64_MAX / whole_factor)
        return make_signed_number(number.whole * whole_factor, number.is_negative);
    /*
     * Divide by a whole number if the factor is below 1. For example, 9 / 1000 is the double that
     * is nearest to 0.009, but 9 * 0.001 is not.
     */
    return prfdata_metric_number_real(factor < 1 ? value / floor(1 / factor + 0.5)
                                                 : value * factor);
}

prfdata_metric_number prfdata_metric_number_seconds(uint64_t ticks, int64_t frequency)
{
    if (ticks % (uint64_t)frequency == 0)
        return prfdata_metric_number_whole(ticks / (uint64_t)frequency);
    return prfdata_metric_number_real((double)ticks / (double)frequency);
}

void prfdata_metric_number_put(prfdata_output *output, prfdata_metric_number number)
{
    if (!number.is_whole) {
        prfdata_output_put_double(output, number.real);
        return;
    }
    if (number.is_negative && number.whole > 0)
        prfdata_output_put(output, "-", 1);
    prfdata_output_put_unsigned(output, number.whole);
}
