/* SPDX-License-Identifier: MIT */
/* Measures one bump: prfdata_increment with a resolved handle beside a bare atomic increment. */
#include <stdio.h>

#include <prfdata/prfdata.h>

#include "bench.h"

PRFDATA_DEFINE_OBJECT(OBJECT, 100);
PRFDATA_DEFINE_COUNTER(COUNTER, 101);

PRFDATA_MAP_BEGIN_AS(bump_map)
PRFDATA_MAP_OBJ(OBJECT, L"Bump", L"Bump.", PERF_DETAIL_NOVICE, COUNTER, PERF_NO_INSTANCES, 0)
PRFDATA_MAP_CTR(COUNTER, L"Bumps/sec", L"Bumps.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END_AS(bump_map, "PrfDataBenchBump")

static uint64_t bare_cell;

static void bare_increments(void *context, uint64_t times)
{
    (void)context;
    for (uint64_t i = 0; i < times; i++)
        prfdata_add64_relaxed(&bare_cell, 1);
}

static void counter_increments(void *context, uint64_t times)
{
    const prfdata_handle *handle = context;

    for (uint64_t i = 0; i < times; i++)
        prfdata_increment(*handle);
}

int main(void)
{
    prfdata_publisher *publisher;
    prfdata_handle handle;
    bench_contestant race[] = {{"bare atomic increment", bare_increments, NULL, 0},
                               {"prfdata_increment", counter_increments, &handle, 0}};

    prfdata_open(&bump_map, &publisher); /* not installed: private memory, the same code */
    if (prfdata_resolve(publisher, COUNTER, NULL, &handle))
        return 1;
    bench_race(race, 2, 31, 2000000);
    printf("%-24s %6.2f ns\n%-24s %6.2f ns   ratio %.2f\n", race[0].name, race[0].ns, race[1].name,
           race[1].ns, race[1].ns / race[0].ns);
    bench_use((uint64_t)prfdata_get(handle));
    prfdata_close_and_unmap(publisher);
    return 0;
}
