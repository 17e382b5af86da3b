/* SPDX-License-Identifier: MIT */
/*
 * What a counter shows of a distribution: percentile, mean, sum or count, of the last minute or of
 * all that was recorded. Client and provider have it from here. Knows neither regions nor rows.
 */
#ifndef PRFDATA_SHOWN_H
#define PRFDATA_SHOWN_H

#include <string.h>

#include "core/model.h"

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
 * What readers see of a counter's value, in the unit that it is shown in. All values pass here when
 * they are written into a reply, and those of counters that show no distribution stay.
 */
uint64_t prfdata_shown_scaled(const prfdata_model_counter *counter, uint64_t value);

/* What a counter that does not accumulate shows of a window. */
uint64_t prfdata_shown_of_window(const prfdata_model_counter *counter,
                                 const prfdata_model_distribution *distribution,
                                 const uint64_t *window);

/*
 * Put the value of a counter that has one.
 *
 * values  Of the object's cells.
 * at      Where it goes in a reply; any alignment.
 */
static inline void prfdata_shown_put(const prfdata_model_counter *counter, const uint64_t *values,
                                     uint8_t *at)
{
    uint64_t value = values[counter->cell_index];

    if (counter->shown_unit != 0)
        value = prfdata_shown_scaled(counter, value);
    /* Sizes that the compiler knows; little-endian: the low bytes come first. */
    if (counter->value_bytes == sizeof(uint64_t))
        memcpy(at, &value, sizeof(uint64_t));
    else
        memcpy(at, &value, sizeof(uint32_t));
}

#endif
