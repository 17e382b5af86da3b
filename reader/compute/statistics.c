/* SPDX-License-Identifier: MIT */
/*
 * Keeps sums and the smallest and largest value of a counter while samples arrive; the samples need
 * not be kept. compute.c has the formulas.
 */
#include "compute/statistics.h"

#include <stddef.h>

#include "compute/counter_formula.h"

static void add_weighted(prfdata_statistics_mean *m, double number, double weight)
{
    m->sum += number * weight;
    m->weight += weight;
}

/* Return the ticks between two samples; 0 if no time passed, or if there is no older sample. */
static double ticks_between(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                            prfdata_formula_clock clock)
{
    int64_t before;
    int64_t now;

    if (!older || older->status != PRFDATA_STATUS_OK)
        return 0;
    before = prfdata_compute_time(older, clock);
    now = prfdata_compute_time(newer, clock);
    return now > before ? (double)((uint64_t)now - (uint64_t)before) : 0;
}

static bool is_value_below(const prfdata_compute_value *a, const prfdata_compute_value *b)
{
    if (a->is_whole && b->is_whole && !a->is_bits && !b->is_bits)
        return a->whole < b->whole;
    return a->number < b->number;
}

static void add_run_value(prfdata_statistics_run *t, prfdata_compute_value value, double ticks)
{
    if (t->value_count == 0 || is_value_below(&value, &t->least))
        t->least = value;
    if (t->value_count == 0 || is_value_below(&t->most, &value))
        t->most = value;
    t->value_count++;
    add_weighted(&t->plain, value.number, 1);
    add_weighted(&t->by_time, value.number, ticks);
    add_weighted(&t->by_divisor, value.number, value.divisor);
}

/* Rounding must not bring the mean below the smallest value, or above the largest. */
static prfdata_compute_value mean_value(const prfdata_statistics_mean *m,
                                        const prfdata_statistics_run *t)
{
    prfdata_compute_value value = {.number = m->sum / m->weight};

    if (value.number < t->least.number)
        value.number = t->least.number;
    if (value.number > t->most.number)
        value.number = t->most.number;
    return value;
}

static uint32_t entry_value(uint32_t type, const prfdata_compute_raw *older,
                            const prfdata_compute_raw *newer, uint32_t flags,
                            prfdata_compute_value *value)
{
    uint32_t status;

    if (newer->status == PRFDATA_STATUS_OK && newer->type != type)
        return PRFDATA_STATUS_INVALID_DATA;
    status = prfdata_compute(older, newer, value);
    if ((flags & PRFDATA_VALUE_IDLE_ZERO) && prfdata_compute_idle(type, status, value))
        status = PRFDATA_STATUS_OK;
    if (status == PRFDATA_STATUS_OK && !(flags & PRFDATA_VALUE_NOCAP100))
        prfdata_compute_cap(type, value);
    return status;
}

void prfdata_statistics_begin(prfdata_statistics_run *run, uint32_t type, uint32_t flags)
{
    *run = (prfdata_statistics_run){
        .type = type, .flags = flags, .status = PRFDATA_STATUS_INVALID_ARGUMENT};
}

void prfdata_statistics_add(prfdata_statistics_run *run, const prfdata_compute_raw *older,
                            const prfdata_compute_raw *newer)
{
    const prfdata_counter_formula formula = prfdata_counter_formula_of(run->type);
    prfdata_compute_value value;

    run->status = entry_value(run->type, older, newer, run->flags, &value);
    if (run->status == PRFDATA_STATUS_OK)
        add_run_value(run, value, ticks_between(older, newer, formula.clock));
    else if (older || run->status != PRFDATA_STATUS_ONE_SAMPLE)
        run->skipped_count++;
}

uint32_t prfdata_statistics_end(const prfdata_statistics_run *run, int32_t scale,
                                prfdata_statistics *statistics)
{
    /* Formatting caps the means again, which changes nothing, because the values were capped. */
    const uint32_t flags = run->flags;
    const uint32_t type = run->type;

    if (!statistics || !prfdata_compute_takes_format(flags, scale))
        return PRFDATA_STATUS_INVALID_ARGUMENT;
    if (run->value_count == 0)
        return run->status;

    statistics->value_count = run->value_count;
    statistics->skipped_count = run->skipped_count;
    statistics->least = run->least;
    statistics->most = run->most;
    prfdata_compute_format(run->least, type, flags, scale, &statistics->minimum);
    prfdata_compute_format(run->most, type, flags, scale, &statistics->maximum);
    prfdata_compute_format(mean_value(&run->plain, run), type, flags, scale, &statistics->mean);
    if (run->by_divisor.weight > 0)
        prfdata_compute_format(mean_value(&run->by_divisor, run), type, flags, scale,
                               &statistics->end_to_end_mean);
    else
        statistics->end_to_end_mean = /* no interval had operations */
            (prfdata_compute_formatted){.status = PRFDATA_STATUS_NO_DATA};
    if (run->by_time.weight > 0)
        prfdata_compute_format(mean_value(&run->by_time, run), type, flags, scale,
                               &statistics->time_weighted_mean);
    else
        statistics->time_weighted_mean =
            (prfdata_compute_formatted){.status = PRFDATA_STATUS_ONE_SAMPLE};
    return PRFDATA_STATUS_OK;
}
