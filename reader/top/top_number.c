/* SPDX-License-Identifier: MIT */
/*
 * Numbers and their units in as many cells as a column has; a counter's type says which unit that
 * is.
 */
#include "top/top_number.h"

#include <math.h>
#include <stdio.h>

/* winperf.h: bits of a counter type that say how to show the value. */
#define DISPLAY_MASK    0x70000000u
#define DISPLAY_PER_SEC 0x10000000u
#define DISPLAY_PERCENT 0x20000000u
#define DISPLAY_SECONDS 0x30000000u
#define SIZE_TYPE_MASK  0x00000C00u
#define NUMBER_MASK     0x00030000u /* PERF_NUMBER_HEX is 0 */

void prfdata_top_number_value(prfdata_compute_value value, char text[16])
{
    static const char prefixes[] = " kMGTPE";
    double number = value.number;
    double size = fabs(number);
    size_t prefix = 0;

    if (number == 0 || (size < 9999999.5 && (value.is_whole || size >= 99999.995))) {
        snprintf(text, 16, "%.0f", number == 0 ? 0 : number); /* not -0 */
        return;
    }
    if (size < 0.005 && number != 0) {
        snprintf(text, 16, "%.1e", number);
        return;
    }
    if (size < 99999.995) {
        snprintf(text, 16, "%.2f", number);
        return;
    }
    for (; size >= 999.995 && prefix + 2 < sizeof prefixes; prefix++) {
        size /= 1000;
        number /= 1000;
    }
    if (size < 999999.5)
        snprintf(text, 16, "%.2f%c", number, prefixes[prefix]);
    else
        snprintf(text, 16, "%.1e", value.number);
}

void prfdata_top_number_put(double number, char text[16])
{
    prfdata_compute_value value = {number, false, 0, 1};

    value.is_whole = fabs(number) < 1e15 && number == (double)(int64_t)number;
    prfdata_top_number_value(value, text);
}

/*
 * The unit of a value, in two characters, and what to multiply it by: times below a second are in
 * ms, us or ns. What would be rounded to 1000 of a unit is 1 of the next.
 */
static const char *unit_of_value(uint32_t type, double number, double *factor)
{
    static const struct {
        double below;
        double factor;
        const char *unit;
    } times[] = {{999.995e-9, 1e9, "ns"}, {999.995e-6, 1e6, "us"}, {999.995e-3, 1e3, "ms"}};

    *factor = 1;
    switch (type & DISPLAY_MASK) {
    case DISPLAY_PER_SEC:
        return "/s";
    case DISPLAY_PERCENT:
        return "% ";
    case DISPLAY_SECONDS:
        for (size_t i = 0; number != 0 && i < sizeof times / sizeof times[0]; i++) {
            if (fabs(number) < times[i].below) {
                *factor = times[i].factor;
                return times[i].unit;
            }
        }
        return "s ";
    default:
        return "  ";
    }
}

const char *prfdata_top_number_unit(uint32_t type)
{
    double factor;

    return unit_of_value(type, 1, &factor);
}

/* Write hours as h:mm:ss, from 100 on as days and hours: 194138 s is nothing that one can read. */
static void put_hours(double number, char text[20])
{
    const uint64_t seconds = (uint64_t)fabs(number);
    const char *sign = number < 0 ? "-" : "";

    if (seconds < 360000)
        snprintf(text, 20, "%s%u:%02u:%02u  ", sign, (unsigned)(seconds / 3600),
                 (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
    else
        snprintf(text, 20, "%s%ud %02uh  ", sign, (unsigned)(seconds / 86400),
                 (unsigned)(seconds / 3600 % 24));
}

void prfdata_top_number_put_unit(prfdata_compute_value value, uint32_t type, char text[20])
{
    double factor;
    const char *unit = unit_of_value(type, value.number, &factor);
    char number[16];

    if ((type & (SIZE_TYPE_MASK | NUMBER_MASK)) == 0 && value.number >= 0 &&
        value.number < 4294967296.0) {
        snprintf(text, 20, "%Xh", (unsigned)value.number);
        return;
    }
    if ((type & DISPLAY_MASK) == DISPLAY_SECONDS && fabs(value.number) >= 3600 &&
        fabs(value.number) < 8.64e8) {
        put_hours(value.number, text);
        return;
    }
    if (factor != 1)
        value = (prfdata_compute_value){.number = value.number * factor};
    prfdata_top_number_value(value, number);
    snprintf(text, 20, "%s%s", number, unit);
}

void prfdata_top_number_put_mean(double number, uint32_t type, char text[20])
{
    double factor;
    const char *unit = unit_of_value(type, number, &factor);
    char digits[16];

    prfdata_top_number_put(number * factor, digits);
    snprintf(text, 20, "%s%s", digits, factor != 1 ? unit : "");
}
