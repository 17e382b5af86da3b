/* SPDX-License-Identifier: MIT */
/* Represents the number of a metric: an exact integer if possible, otherwise a double. */
#ifndef PRFDATA_READER_METRIC_NUMBER_H
#define PRFDATA_READER_METRIC_NUMBER_H

#include "text/output.h"

typedef struct prfdata_metric_number {
    bool is_whole;
    bool is_negative; /* sign of a whole number */
    uint64_t whole;
    double real;
} prfdata_metric_number;

static inline prfdata_metric_number prfdata_metric_number_whole(uint64_t value)
{
    return (prfdata_metric_number){.is_whole = true, .whole = value};
}

prfdata_metric_number prfdata_metric_number_real(double value);

/* Read a level from a block: 4 bytes are unsigned, 8 are signed. */
prfdata_metric_number prfdata_metric_number_level(uint64_t value, uint32_t bytes);

double prfdata_metric_number_double(prfdata_metric_number number);

/* Multiply the number. `factor` or its reciprocal is a whole number. The result is whole only if
 * number and factor are whole and the product fits; otherwise it is a double. */
prfdata_metric_number prfdata_metric_number_scaled(prfdata_metric_number number, double factor);

/* Convert ticks to seconds. The result is whole if the exact quotient is whole. `frequency` is
 * above 0. */
prfdata_metric_number prfdata_metric_number_seconds(uint64_t ticks, int64_t frequency);

/* Put all digits of an integer, or enough digits to identify the double. */
void prfdata_metric_number_put(prfdata_output *output, prfdata_metric_number number);

#endif
