/* SPDX-License-Identifier: MIT */
/*
 * Loads the windows of distributions as cells, and computes what counters show of them.
 * counting/distribution.c interprets the bytes, and region/distribution_values.c converts the
 * values to the unit that readers see.
 */
#include "snapshot/distribution_windows.h"

#include <string.h>

#include "region/distribution_values.h"

/* Counters that show windows become 0, because the windows have not been added up yet. */
static void load_shown_counters(uint8_t *bytes, const prfdata_model_object *object,
                                const prfdata_region_section *section, uint32_t slot_index,
                                uint64_t *cells)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];
        const prfdata_model_distribution *distribution;

        if (!counter->shows)
            continue;
        distribution = &object->distributions[counter->distribution_index];
        cells[counter->cell_index] =
            counter->merging == PRFDATA_MERGING_ACCUMULATE
                ? prfdata_distribution_values_total(
                      counter, distribution,
                      prfdata_region_distribution_at(bytes, section, slot_index, distribution))
                : 0;
    }
}

void prfdata_distribution_windows_load(uint8_t *bytes, const prfdata_model_object *object,
                                       const prfdata_region_section *section, uint32_t slot_index,
                                       uint32_t time, uint64_t *cells, uint64_t *baselines)
{
    load_shown_counters(bytes, object, section, slot_index, cells);
    for (uint32_t i = 0; i < object->distribution_count; i++) {
        const prfdata_model_distribution *distribution = &object->distributions[i];
        const prfdata_distribution_shape *shape = &distribution->shape;
        const size_t window_words = prfdata_distribution_window_words(shape);
        const uint32_t now = prfdata_distribution_epoch(shape, time);
        const uint64_t *words =
            prfdata_region_distribution_at(bytes, section, slot_index, distribution);
        uint64_t *whole = cells + distribution->first_cell;
        uint64_t *own = baselines ? baselines + distribution->first_cell : NULL;

        (void)prfdata_distribution_load_window(words, shape, now, true, whole);
        if (!own)
            continue;
        (void)prfdata_distribution_load_window(words, shape, now, false, own);
        for (size_t c = 0; c < window_words; c++)
            own[c] = whole[c] - own[c];
    }
}

void prfdata_distribution_windows_show(const prfdata_model_object *object, uint64_t *values)
{
    for (uint32_t i = 0; object->distribution_count > 0 && i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];
        const prfdata_model_distribution *distribution;

        if (!counter->shows || counter->merging == PRFDATA_MERGING_ACCUMULATE)
            continue;
        distribution = &object->distributions[counter->distribution_index];
        values[counter->cell_index] = prfdata_distribution_values_of_window(
            counter, distribution, values + distribution->first_cell);
    }
}

bool prfdata_distribution_windows_any(const prfdata_model_object *object, const uint64_t *values)
{
    for (uint32_t i = object->stored_count; i < object->cell_count; i++)
        if (values[i] != 0)
            return true;
    return false;
}
