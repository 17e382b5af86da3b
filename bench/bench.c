/* SPDX-License-Identifier: MIT */
/* Runs contestants in turn and takes medians. Does not know what is measured. */
#include "bench.h"

#include <stdlib.h>

#include "core/os.h"

enum { MAX_ROUNDS = 101 };

static volatile uint64_t sink;

void bench_use(uint64_t value)
{
    sink = value;
}

static int by_time(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return a < b ? -1 : a > b;
}

static double time_contestant(const bench_contestant *contestant, uint64_t times)
{
    uint64_t started = prfdata_os_ticks();

    contestant->run(contestant->context, times);
    return (double)(prfdata_os_ticks() - started) * 1e9 / (double)prfdata_os_ticks_per_second() /
           (double)times;
}

void bench_race(bench_contestant *contestants, uint32_t count, uint32_t rounds, uint64_t times)
{
    double *all;

    if (rounds > MAX_ROUNDS)
        rounds = MAX_ROUNDS;
    all = calloc((size_t)rounds * count, sizeof *all);
    if (!all)
        abort();
    for (uint32_t i = 0; i < count; i++)
        time_contestant(&contestants[i], times);      /* warm up */
    for (uint32_t round = 0; round < rounds; round++) /* in turn: a disturbance affects all */
        for (uint32_t i = 0; i < count; i++)
            all[i * rounds + round] = time_contestant(&contestants[i], times);
    for (uint32_t i = 0; i < count; i++) {
        qsort(all + (size_t)i * rounds, rounds, sizeof *all, by_time);
        contestants[i].ns = all[i * rounds + rounds / 2];
    }
    free(all);
}
