/* SPDX-License-Identifier: MIT */
/*
 * One bump, beside bare increments and look-ups; many threads on one counter; bumps of counters
 * that lie far apart. bench/report.py judges the contestants "hot bump" and "exclusive bump" where
 * they take part, else the default bump.
 */
#include "subjects.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "floors.h"
#include "richter.h"
#include "support/must.h"

enum {
    FAR_COUNTERS = 32768, /* on cache lines of their own: 2 MiB */
    WORDS_PER_LINE = 8
};

/* As a program bumps: the handle is in memory, and the compiler knows nothing of it. */
static void bump_default(void *context, uint64_t times)
{
    const volatile prfdata_handle *handle = context;

    for (uint64_t i = 0; i < times; i++)
        prfdata_increment((prfdata_handle){handle->cell, NULL, NULL});
}

static void race_one_counter(const bench_scene *scene, bench_richter *richter)
{
    prfdata_handle handle = {scene->rows[0], NULL, NULL};
    const bench_contestant race[] = {
        {"plain increment", bench_plain_increment, &handle, NULL, 0},
        {"call-site floor", bench_call_site, &handle, NULL, 0},
        {"bare lock inc", bench_atomic_increment, &handle, NULL, 0},
        {"default bump", bump_default, &handle, NULL, 0},
        {"Richter's shape, interlocked", bench_richter_bump, richter, NULL, 0},
        {"Richter's shape, in its lock", bench_richter_bump_locked, richter, NULL, 0}};

    bench_race("bump", race, sizeof race / sizeof race[0]);
}

static void race_threads(const bench_scene *scene, bench_richter *richter, uint32_t threads)
{
    prfdata_handle handle = {scene->rows[0], NULL, NULL};
    const bench_contestant race[] = {
        {"bare lock inc", bench_atomic_increment, &handle, NULL, threads},
        {"default bump", bump_default, &handle, NULL, threads},
        {"Richter's shape, interlocked", bench_richter_bump, richter, NULL, threads}};
    char name[32];

    snprintf(name, sizeof name, "threads/%u", (unsigned)threads);
    bench_race(name, race, sizeof race / sizeof race[0]);
}

/* ---- Counters far apart ---- */

typedef struct far_counters {
    uint64_t *cells;
    prfdata_handle *handles; /* in an order that no processor foresees */
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
        bump_default(&spread->handles[i % FAR_COUNTERS], 1);
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
                           calloc(FAR_COUNTERS, sizeof(prfdata_handle))};
    const bench_contestant race[] = {{"call-site floor", increment_far_cells, &spread, NULL, 0},
                                     {"default bump", bump_far_counters, &spread, NULL, 0}};

    MUST(spread.cells && spread.handles);
    for (uint32_t i = 0; i < FAR_COUNTERS; i++)
        spread.handles[i] = (prfdata_handle){spread.cells + (size_t)i * WORDS_PER_LINE, NULL, NULL};
    shuffle_handles(&spread);
    bench_race("bump/scattered", race, sizeof race / sizeof race[0]);
    free(spread.cells);
    free(spread.handles);
}

void bench_bumps(void)
{
    const bench_shape shape = {20, 1, 1};
    bench_richter *richter = bench_richter_make(20, 1, 10);
    bench_scene scene;

    bench_scene_make(&scene, "PrfDataBench", shape);
    race_one_counter(&scene, richter);
    race_far_counters();
    for (uint32_t threads = 1; threads <= 16; threads *= 2)
        race_threads(&scene, richter, threads);
    bench_scene_free(&scene);
    bench_richter_free(richter);
}
