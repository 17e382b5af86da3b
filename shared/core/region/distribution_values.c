/* SPDX-License-Identifier: MIT */
/* Computes the values that counters show of distributions, in the unit that readers see. */
#include "region/distribution_values.h"

#include <string.h>

/* Times are stored in units of 100 ns and shown in microseconds. */
static uint64_t in_microseconds(uint64_t value)
{
    return value / 10 + (value % 10 >= 5);
}

static uint64_t in_shown_unit(const prfdata_model_distribution *distribution, uint64_t value)
{
    return distribution->entry->unit == PRFDATA_UNIT_100NS ? in_microseconds(value) : value;
}

static uint32_t last_bucket(const prfdata_model_counter *counter,
                            const prfdata_model_distribution *distribution)
{
    if (counter->shows->option != PRFDATA_OPTION_AT_MOST)
        return distribution->shape.bucket_count - 1;
    return prfdata_distribution_bucket(&distribution->shape, counter->shows->highest);
}

static bool shows_sum(const prfdata_model_counter *counter)
{
    return !counter->is_base && (counter->shows->option == PRFDATA_OPTION_SUM ||
                                 counter->shows->option == PRFDATA_OPTION_MEAN);
}

uint64_t prfdata_distribution_values_total(const prfdata_model_counter *counter,
                                           const prfdata_model_distribution *distribution,
                                           const uint64_t *words)
{
    if (shows_sum(counter))
        return prfdata_distribution_sum(words);
    return prfdata_distribution_count(words, last_bucket(counter, distribution));
}

static bool is_sum_of_times(const prfdata_model_counter *counter)
{
    return counter->shown_unit == PRFDATA_UNIT_100NS &&
           counter->merging == PRFDATA_MERGING_ACCUMULATE && shows_sum(counter);
}

void prfdata_distribution_values_put_sums(const prfdata_model_object *object,
                                          const uint64_t *values, uint8_t *block)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        if (is_sum_of_times(counter)) {
            const uint64_t value = in_microseconds(values[counter->cell_index]);

            /* A counter of 32 bits gets the low half, because the bytes are little-endian. */
            memcpy(block + counter->block_offset, &value, counter->value_bytes);
        }
    }
}

uint64_t prfdata_distribution_values_of_window(const prfdata_model_counter *counter,
                                               const prfdata_model_distribution *distribution,
                                               const uint64_t *window)
{
    const prfdata_distribution_shape *shape = &distribution->shape;

    switch (counter->shows->option) {
    case PRFDATA_OPTION_PERCENTILE:
        return in_shown_unit(distribution, prfdata_distribution_percentile(
                                               window, shape, (uint32_t)counter->shows->highest));
    case PRFDATA_OPTION_MEAN:
        return in_shown_unit(distribution, prfdata_distribution_mean(window, shape));
    case PRFDATA_OPTION_SUM:
        return in_shown_unit(distribution, window[shape->bucket_count]);
    default:
        return prfdata_distribution_window_count(window, last_bucket(counter, distribution));
    }
}
