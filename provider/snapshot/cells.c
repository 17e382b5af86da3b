/* SPDX-License-Identifier: MIT */
/*
 * Combines the cells of slots, according to the kind of merging that the model gives each counter.
 */
#include "snapshot/cells.h"

#include <string.h>

#include "snapshot/distribution_windows.h"

void prfdata_cells_clear_counters(const prfdata_model_object *object, uint64_t *values)
{
    if (object->only_accumulates) {
        memset(values, 0, object->stored_count * sizeof *values);
        return;
    }
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].cell_index != PRFDATA_NONE)
            values[object->counters[i].cell_index] =
                prfdata_merging_initial_value(object->counters[i].merging);
}

void prfdata_cells_clear(const prfdata_model_object *object, uint64_t *values)
{
    if (object->only_accumulates) {
        memset(values, 0, object->cell_count * sizeof *values);
        return;
    }
    prfdata_cells_clear_counters(object, values);
    memset(values + object->stored_count, 0,
           (object->cell_count - object->stored_count) * sizeof *values);
}

static uint64_t older_start_stamp(uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0)
        return a + b;
    return a < b ? a : b;
}

static void accumulate_cells(uint32_t cell_count, const uint64_t *slot, const uint64_t *baselines,
                             uint64_t *values)
{
    for (uint32_t c = 0; c < cell_count; c++)
        values[c] += slot[c];
    for (uint32_t c = 0; baselines && c < cell_count; c++)
        values[c] -= baselines[c];
}

void prfdata_cells_add_windows(const uint64_t *slot, const uint64_t *baselines, size_t count,
                               uint64_t *values)
{
    for (size_t c = 0; c < count; c++)
        values[c] += slot[c] - (baselines ? baselines[c] : 0);
}

void prfdata_cells_add(const prfdata_model_object *object, const uint64_t *slot,
                       const uint64_t *baselines, bool with_gauges, uint64_t *values)
{
    const uint32_t first = object->stored_count;

    prfdata_cells_add_counters(object, slot, baselines, with_gauges, values);
    prfdata_cells_add_windows(slot + first, baselines ? baselines + first : NULL,
                              object->cell_count - first, values + first);
}

void prfdata_cells_add_counters(const prfdata_model_object *object, const uint64_t *slot,
                                const uint64_t *baselines, bool with_gauges, uint64_t *values)
{
    if (object->only_accumulates) {
        accumulate_cells(object->stored_count, slot, baselines, values);
        return;
    }
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];
        const uint32_t c = counter->cell_index;

        switch (counter->merging) {
        case PRFDATA_MERGING_ACCUMULATE:
            values[c] += slot[c] - (baselines ? baselines[c] : 0);
            break;
        case PRFDATA_MERGING_NEWEST:
            if (slot[c] > values[c])
                values[c] = slot[c];
            break;
        case PRFDATA_MERGING_SUM:
            if (with_gauges)
                values[c] += slot[c];
            break;
        case PRFDATA_MERGING_MAX:
            if (with_gauges && (int64_t)slot[c] > (int64_t)values[c])
                values[c] = slot[c];
            break;
        case PRFDATA_MERGING_OLDEST_START:
            if (with_gauges)
                values[c] = older_start_stamp(values[c], slot[c]);
            break;
        case PRFDATA_MERGING_NOTHING:
            break;
        }
    }
}

void prfdata_cells_finish(const prfdata_model_object *object, uint64_t *values)
{
    for (uint32_t i = 0; !object->only_accumulates && i < object->counter_count; i++) {
        const uint64_t initial_value = prfdata_merging_initial_value(object->counters[i].merging);

        if (initial_value != 0 && values[object->counters[i].cell_index] == initial_value)
            values[object->counters[i].cell_index] = 0;
    }
    prfdata_distribution_windows_show(object, values);
}

/*
 * The mean of the cell `c`. Adds quotients and remainders separately, because the sum of the values
 * may overflow.
 */
static int64_t mean_of_cell(const uint64_t *rows, uint32_t row_count, uint32_t cell_count,
                            uint32_t c)
{
    const int64_t count = row_count;
    int64_t mean = 0;
    int64_t rest = 0;

    for (uint32_t i = 0; i < row_count; i++) {
        const int64_t value = (int64_t)rows[(size_t)i * cell_count + c];

        mean += value / count;
        rest += value % count;
    }
    mean += rest / count;
    rest %= count;
    if (2 * rest >= count)
        return mean + 1;
    return 2 * rest <= -count ? mean - 1 : mean;
}

void prfdata_cells_mean(const prfdata_model_object *object, const uint64_t *rows,
                        uint32_t row_count, uint64_t *total)
{
    for (uint32_t i = 0; i < object->counter_count && !object->only_accumulates; i++) {
        const uint32_t c = object->counters[i].cell_index;

        if (object->counters[i].options & PRFDATA_OPTION_TOTAL_MEAN)
            total[c] =
                row_count > 0 ? (uint64_t)mean_of_cell(rows, row_count, object->cell_count, c) : 0;
    }
}

bool prfdata_cells_record(const prfdata_model_object *object, const uint64_t *values,
                          uint64_t *lasting)
{
    bool was_below = false;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        const uint32_t c = object->counters[i].cell_index;

        if (prfdata_merging_outlives(object->counters[i].merging) && values[c] > lasting[c]) {
            lasting[c] = values[c];
            was_below = true;
        }
    }
    return was_below;
}

bool prfdata_cells_raise_shown(const prfdata_model_object *object, const uint64_t *lasting,
                               uint64_t *values, uint64_t *shown)
{
    bool was_below = false;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        const uint32_t c = object->counters[i].cell_index;

        if (!prfdata_merging_outlives(object->counters[i].merging) || lasting[c] <= values[c])
            continue;
        if (object->counters[i].merging == PRFDATA_MERGING_ACCUMULATE)
            shown[c] += lasting[c] - values[c];
        else if (lasting[c] > shown[c])
            shown[c] = lasting[c];
        values[c] = lasting[c];
        was_below = true;
    }
    return was_below;
}

bool prfdata_cells_remain(const prfdata_model_object *object, const uint64_t *slot,
                          const uint64_t *baselines)
{
    bool lasts = false;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];
        const uint32_t c = counter->cell_index;

        if (counter->merging == PRFDATA_MERGING_ACCUMULATE)
            lasts |= slot[c] != (baselines ? baselines[c] : 0);
        else if (prfdata_merging_outlives(counter->merging))
            lasts |= slot[c] != 0;
    }
    for (uint32_t c = object->stored_count; c < object->cell_count; c++)
        lasts |= slot[c] != (baselines ? baselines[c] : 0);
    return lasts;
}
