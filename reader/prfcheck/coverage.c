/* SPDX-License-Identifier: MIT */
/* Compares what scenarios saw (coverage.h). */
#include "prfcheck/coverage.h"

void prfdata_coverage_begin(prfdata_coverage *coverage, uint32_t scenario)
{
    prfdata_coverage_scenario *s = &coverage->scenarios[scenario % PRFDATA_COVERAGE_MOST];

    if (!s->is_done)
        s->before = coverage->seen;
}

void prfdata_coverage_end(prfdata_coverage *coverage, uint32_t scenario, uint32_t saw,
                          uint32_t seen, uint32_t late_ms)
{
    prfdata_coverage_scenario *s = &coverage->scenarios[scenario % PRFDATA_COVERAGE_MOST];

    s->is_done = true;
    if (saw > s->saw)
        s->saw = saw;
    if (seen <= coverage->seen)
        return;
    coverage->seen = seen;
    coverage->late_ms = late_ms;
}

void prfdata_coverage_note_part(prfdata_coverage *coverage, uint32_t scenario,
                                prfdata_coverage_part part)
{
    coverage->scenarios[scenario % PRFDATA_COVERAGE_MOST].part = part;
}

prfdata_coverage_part prfdata_coverage_part_of(const prfdata_coverage *coverage, uint32_t scenario)
{
    return coverage->scenarios[scenario % PRFDATA_COVERAGE_MOST].part;
}

uint32_t prfdata_coverage_count_part(const prfdata_coverage *coverage, prfdata_coverage_part part)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < PRFDATA_COVERAGE_MOST; i++)
        count += coverage->scenarios[i].part == part;
    return count;
}

bool prfdata_coverage_is_blind(const prfdata_coverage *coverage, uint32_t scenario)
{
    const prfdata_coverage_scenario *s = &coverage->scenarios[scenario % PRFDATA_COVERAGE_MOST];

    return s->is_done && s->saw == 0;
}

uint32_t prfdata_coverage_count_blind(const prfdata_coverage *coverage)
{
    uint32_t blind = 0;

    for (uint32_t i = 0; i < PRFDATA_COVERAGE_MOST; i++)
        blind += prfdata_coverage_is_blind(coverage, i);
    return blind;
}

uint32_t prfdata_coverage_count_done(const prfdata_coverage *coverage)
{
    uint32_t done = 0;

    for (uint32_t i = 0; i < PRFDATA_COVERAGE_MOST; i++)
        done += coverage->scenarios[i].is_done;
    return done;
}

static bool should_run_again(const prfdata_coverage *coverage, const prfdata_coverage_scenario *s)
{
    return s->is_done && s->saw < coverage->seen && (s->before < coverage->seen || s->saw == 0);
}

uint32_t prfdata_coverage_find_again(const prfdata_coverage *coverage, uint32_t count,
                                     char digits[PRFDATA_COVERAGE_MOST + 1])
{
    uint32_t again = 0;
    uint32_t i;

    for (i = 0; i < count && i < PRFDATA_COVERAGE_MOST; i++) {
        const bool is_one = should_run_again(coverage, &coverage->scenarios[i]);

        digits[i] = is_one ? '1' : '0';
        again += is_one;
    }
    digits[i] = '\0';
    return again;
}
