/* SPDX-License-Identifier: MIT */
/*
 * Measures one bump next to bare increments and look-ups; many threads on one counter; bumps of
 * counters that lie far apart. "hot bump" bumps a counter with PRFDATA_MAP_HOT; "exclusive
 * bump" counts in a lane that belongs to the handle.
 */
#include "subjects.h"

#include <stdio.h>
#include <stdlib.h>

#include <prfdata/prfdata.h>

#include "bench.h"
#include "bump.h"
#include "floors.h"
#include "richter.h"
#include "support/must.h"
#include "support/service.h"

enum {
    FAR_COUNTERS = 32768, /* each on its own cache line: 2 MiB for all */
    WORDS_PER_LINE = 8,
    HOT_TITLE = 9200
};

PRFDATA_DEFINE_OBJECT(HOT_OBJECT, 100);
PRFDATA_DEFINE_COUNTER(HOT_COUNTER, 101);

/* The macros end with commas of their own, which clang-format does not know. */
/* clang-format off */
PRFDATA_MAP_BEGIN_AS(hot_map)
    PRFDATA_MAP_OBJ(HOT_OBJECT, L"Hot", L"What all count.", PERF_DETAIL_NOVICE, HOT_COUNTER,
                    PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(HOT_COUNTER, L"Bumps", L"Bumps.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_BULK_COUNT)
    PRFDATA_MAP_HOT()
PRFDATA_MAP_END_AS(hot_map, "PrfDataBenchHot")
/* clang-format on */

typedef struct bump_scene {
    prfdata_handle cold;
    prfdata_handle hot;
    prfdata_exclusive exclusive;
    prfdata_publisher *publisher; /* the publisher of hot_map */
    bench_richter *richter;
} bump_scene;

/* Bumps with a handle that only this thread uses. */
static void bump_own_lane(void *context, uint64_t times)
{
    const bump_scene *bumps = context;
    prfdata_exclusive handle;

    MUST(prfdata_resolve_exclusive(bumps->publisher, HOT_COUNTER, NULL, &handle) == ERROR_SUCCESS);
    MUST(prfdata_is_exclusive(&handle));
    bench_bump_exclusively(&handle, times);
    prfdata_release_exclusive(&handle);
}

static void race_one_counter(bump_scene *bumps)
{
    const bench_contestant race[] = {
        {"plain increment", bench_plain_increment, &bumps->cold, NULL, 0},
        {"call-site floor", bench_call_site, &bumps->cold, NULL, 0},
        {"bare lock inc", bench_atomic_increment, &bumps->cold, NULL, 0},
        {"default bump", bench_bump, &bumps->cold, NULL, 0},
        {"hot bump", bench_bump, &bumps->hot, NULL, 0},
        {"exclusive bump", bench_bump_exclusively, &bumps->exclusive, NULL, 0},
        {"Richter's shape, interlocked", bench_richter_bump, bumps->richter, NULL, 0},
        {"Richter's shape, in its lock", bench_richter_bump_locked, bumps->richter, NULL, 0}};

    bench_race("bump", race, sizeof race / sizeof race[0]);
}

static void race_threads(bump_scene *bumps, uint32_t threads)
{
    const bench_contestant race[] = {
        {"bare lock inc", bench_atomic_increment, &bumps->cold, NULL, threads},
        {"default bump", bench_bump, &bumps->cold, NULL, threads},
        {"hot bump", bench_bump, &bumps->hot, NULL, threads},
        {"exclusive bump", bump_own_lane, bumps, NULL, threads},
        {"Richter's shape, interlocked", bench_richter_bump, bumps->richter, NULL, threads}};
    char name[32];

    snprintf(name, sizeof name, "threads/%u", (unsigned)threads);
    bench_race(name, race, sizeof race / sizeof race[0]);
}

typedef struct far_counters {
    uint64_t *cells;
    prfdata_handle *handles;              /* in an order that no processor predicts */
    prfdata_exclusive *exclusive_handles; /* the same cells, as lanes of hot counters */
} far_counters;

static void increment_far_cells(void *context, uint64_t times)
{
    const far_counters *spread = context;

    for (uint64_t i = 0; i < times; i++)
        bench_call_site(&spread->handles[i % FAR_COUNTERS], 1);
}

static void bump_far_counters(void *context, uint64_t times)
{
    const far_counters *spread = context;

    for (uint64_t i = 0; i < times; i++)
        bench_bump(&spread->handles[i % FAR_COUNTERS], 1);
}

static void bump_far_lanes(void *context, uint64_t times)
{
    const far_counters *spread = context;

    for (uint64_t i = 0; i < times; i++)
        bench_bump_exclusively(&spread->exclusive_handles[i % FAR_COUNTERS], 1);
}

static void shuffle_handles(const far_counters *spread)
{
    uint64_t random = 1;

    for (uint32_t i = FAR_COUNTERS - 1; i > 0; i--) {
        prfdata_handle *other;
        prfdata_handle kept = spread->handles[i];

        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        other = &spread->handles[(random >> 33) % (i + 1)];
        spread->handles[i] = *other;
        *other = kept;
    }
}

static void race_far_counters(void)
{
    far_counters spread = {calloc((size_t)FAR_COUNTERS * WORDS_PER_LINE, sizeof(uint64_t)),
                           calloc(FAR_COUNTERS, sizeof(prfdata_handle)),
                           calloc(FAR_COUNTERS, sizeof(prfdata_exclusive))};
    const bench_contestant race[] = {{"call-site floor", increment_far_cells, &spread, NULL, 0},
                                     {"default bump", bump_far_counters, &spread, NULL, 0},
                                     {"exclusive bump", bump_far_lanes, &spread, NULL, 0}};

    MUST(spread.cells && spread.handles && spread.exclusive_handles);
    for (uint32_t i = 0; i < FAR_COUNTERS; i++)
        spread.handles[i] = (prfdata_handle){spread.cells + (size_t)i * WORDS_PER_LINE, NULL, NULL};
    shuffle_handles(&spread);
    for (uint32_t i = 0; i < FAR_COUNTERS; i++)
        spread.exclusive_handles[i].lane = spread.handles[i].cell;
    bench_race("bump/scattered", race, sizeof race / sizeof race[0]);
    free(spread.cells);
    free(spread.handles);
    free(spread.exclusive_handles);
}

void bench_bumps(void)
{
    const bench_shape shape = {20, 1, 1};
    bump_scene bumps = {.richter = bench_richter_make(20, 1, 10)};
    prfdata_test_service service;
    bench_scene scene;

    bench_scene_make(&scene, "PrfDataBench", shape);
    bumps.cold.cell = scene.rows[0];
    prfdata_test_service_make(&service, hot_map.service, &hot_map, HOT_TITLE);
    MUST(prfdata_open(&hot_map, &bumps.publisher) == ERROR_SUCCESS);
    MUST(prfdata_resolve(bumps.publisher, HOT_COUNTER, NULL, &bumps.hot) == ERROR_SUCCESS);
    MUST(prfdata_resolve_exclusive(bumps.publisher, HOT_COUNTER, NULL, &bumps.exclusive) ==
         ERROR_SUCCESS);
    race_one_counter(&bumps);
    race_far_counters();
    for (uint32_t threads = 1; threads <= 16; threads *= 2)
        race_threads(&bumps, threads);
    prfdata_close_and_unmap(bumps.publisher);
    prfdata_test_service_remove(&service);
    bench_scene_free(&scene);
    bench_richter_free(bumps.richter);
}
