/* SPDX-License-Identifier: MIT */
/*
 * Computes the value that a counter shows of a distribution: a percentile, mean, sum or count, over
 * the distribution's window or over all records.
 */
#ifndef PRFDATA_DISTRIBUTION_VALUES_H
#define PRFDATA_DISTRIBUTION_VALUES_H

#include "map/model.h"

/*
 * The value of an accumulating counter over all records. A sum of times is in units of 100 ns,
 * because sums that are rounded to microseconds would not add up exactly.
 *
 * counter  A counter that shows `distribution`, or the base of such a counter.
 */
uint64_t prfdata_distribution_values_total(const prfdata_model_counter *counter,
                                           const prfdata_model_distribution *distribution,
                                           const uint64_t *words);

/*
 * Overwrite the accumulating sums of times in a counter block with the same sums in microseconds,
 * the unit that readers see.
 *
 * values  The values of the object's cells.
 * block   A counter block with these values; any alignment.
 */
void prfdata_distribution_values_put_sums(const prfdata_model_object *object,
                                          const uint64_t *values, uint8_t *block);

/* The value of a counter that shows the window of a distribution, in the unit that readers see. */
uint64_t prfdata_distribution_values_of_window(const prfdata_model_counter *counter,
                                               const prfdata_model_distribution *distribution,
                                               const uint64_t *window);

#endif
