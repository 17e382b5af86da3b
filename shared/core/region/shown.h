/* SPDX-License-Identifier: MIT */
/*
 * The value that a counter shows of a distribution: percentile, mean, sum or count, of the last
 * minute or of all that was recorded. Client and provider use this. They know whose rows show it.
 */
#ifndef PRFDATA_SHOWN_H
#define PRFDATA_SHOWN_H

#include "map/model.h"

/*
 * What a counter that accumulates has of all that was recorded: a sum in the distribution's own
 * unit, so that those of several sources add up exactly.
 *
 * counter  One that shows `distribution`, or the base of one.
 * words    Of the distribution.
 */
uint64_t prfdata_shown_total(const prfdata_model_counter *counter,
                             const prfdata_model_distribution *distribution, const uint64_t *words);

/*
 * Put once more, in the unit that readers see, the sums that accumulate among the values of an
 * object. Objects without distributions have none.
 *
 * values  Of the object's cells.
 * block   A counter block with these values; any alignment.
 */
void prfdata_shown_put_sums(const prfdata_model_object *object, const uint64_t *values,
                            uint8_t *block);

/* What a counter that does not accumulate shows of a window. */
uint64_t prfdata_shown_of_window(const prfdata_model_counter *counter,
                                 const prfdata_model_distribution *distribution,
                                 const uint64_t *window);

#endif
