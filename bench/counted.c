/* SPDX-License-Identifier: MIT */
/* Runs the operations whose instructions bench/instructions counts under callgrind. Each operation
 * runs a few times to warm up. Then it is counted several times, and bench/instructions uses the
 * median. With the argument `ways` the program runs only the operations whose calls scripts/figures
 * counts, and some of them only once. With `reading` it runs only the operations of a reader. */
#include <stdlib.h>
#include <string.h>

#include <valgrind/callgrind.h>

#include "bench.h"
#include "bump.h"
#include "counting/distribution.h"
#include "floors.h"
#include "reading.h"
#include "scene.h"
#include "support/must.h"

enum { WARM_UPS = 3, REPEATS = 5, BUMPS = 1000 };

/* Record within one epoch. The clock is not read, because its cost depends on the system. */
static void record_values(void *context, uint64_t times)
{
    const prfdata_distribution *distribution = context;

    for (uint64_t i = 0; i < times; i++)
        prfdata_distribution_add(distribution->words, &distribution->shape, 100, i * 977);
}

static void add_and_remove_instance(void *context, uint64_t times)
{
    const bench_scene *scene = context;

    for (uint64_t i = 0; i < times; i++) {
        prfdata_instance instance;

        MUST(prfdata_instance_add(scene->publishers[0], BENCH_OBJECT, L"comes and goes", NULL,
                                  &instance) == 0);
        MUST(prfdata_instance_remove(&instance) == 0);
    }
}

/* Count the instructions of an operation. For each run, callgrind writes a file in which the line
 * "desc: Trigger:" has the operation's name. */
static void count_operation(const char *name, void (*run)(void *context, uint64_t times),
                            void *context, uint64_t times)
{
    run(context, WARM_UPS);
    for (uint32_t i = 0; i < REPEATS; i++) {
        CALLGRIND_ZERO_STATS;
        run(context, times);
        CALLGRIND_DUMP_STATS_AT(name);
    }
}

/* Count an operation of a reader, with a new sample each time. */
static void count_prepared(const char *name, void (*run)(void *context, uint64_t times),
                           void (*prepare)(void *context), bench_reading *reading)
{
    for (uint32_t i = 0; i < WARM_UPS; i++) {
        prepare(reading);
        run(reading, 1);
    }
    for (uint32_t i = 0; i < REPEATS; i++) {
        prepare(reading);
        CALLGRIND_ZERO_STATS;
        run(reading, 1);
        CALLGRIND_DUMP_STATS_AT(name);
    }
}

static void count_once(const char *name, void (*run)(void *context, uint64_t times), void *context)
{
    CALLGRIND_ZERO_STATS;
    run(context, 1);
    CALLGRIND_DUMP_STATS_AT(name);
}

/* Make a scene whose provider does not search for new regions while instructions are counted. */
static void make_calm_scene(bench_scene *scene, bench_shape shape)
{
    bench_scene_make(scene, "PrfDataBench", shape);
    bench_scene_reopen(scene);
    prfdata_provider_set_refresh(scene->provider, UINT32_MAX);
}

static void count_collect(const char *name, bench_shape shape)
{
    bench_scene scene;

    make_calm_scene(&scene, shape);
    count_operation(name, bench_scene_collect, &scene, 1);
    bench_scene_free(&scene);
}

/* Run two Collects, one after an instance was added and one after it was removed. */
static void collect_beside_churn(void *context, uint64_t times)
{
    bench_scene *scene = context;

    for (uint64_t i = 0; i < times; i++) {
        prfdata_instance instance;

        MUST(prfdata_instance_add(scene->publishers[0], BENCH_OBJECT, L"comes and goes", NULL,
                                  &instance) == 0);
        bench_scene_collect(scene, 1);
        MUST(prfdata_instance_remove(&instance) == 0);
        bench_scene_collect(scene, 1);
    }
}

static void count_churn(const char *name, bench_shape shape)
{
    bench_scene scene;

    make_calm_scene(&scene, shape);
    count_operation(name, collect_beside_churn, &scene, 1);
    bench_scene_free(&scene);
}

/* Run for scripts/figures: the first Collect of a provider, a later one, and one after an instance
 * was added. */
static void count_ways(bench_shape shape)
{
    bench_scene scene;
    prfdata_instance instance;

    make_calm_scene(&scene, shape);
    count_once("first Collect", bench_scene_collect, &scene);
    count_operation("steady Collect", bench_scene_collect, &scene, 1);
    MUST(prfdata_instance_add(scene.publishers[0], BENCH_OBJECT, L"comes", NULL, &instance) == 0);
    count_once("changed Collect", bench_scene_collect, &scene);
    bench_scene_free(&scene);
}

static void count_others(bench_shape shape)
{
    bench_scene scene;
    static uint64_t lanes[PRFDATA_LANES_STRIPED * PRFDATA_LANES_STRIDE / sizeof(uint64_t)];
    prfdata_handle handle;
    prfdata_handle hot = {NULL, lanes, NULL};
    prfdata_exclusive exclusive = {lanes, NULL, NULL};

    make_calm_scene(&scene, shape);
    handle = (prfdata_handle){scene.rows[0], NULL, NULL};
    count_operation("1,000 bumps", bench_bump, &handle, BUMPS);
    count_operation("1,000 hot bumps", bench_bump, &hot, BUMPS);
    count_operation("1,000 exclusive bumps", bench_bump_exclusively, &exclusive, BUMPS);
    count_operation("ERROR_MORE_DATA 1000x20", bench_scene_collect_short, &scene, 1);
    count_operation("instance add + remove among 1000", add_and_remove_instance, &scene, 1);
    bench_scene_free(&scene);
}

static void count_reading(void)
{
    const bench_shape shape = {20, 500, 1};
    bench_reading reading;
    bench_scene scene;

    bench_scene_make(&scene, "PrfDataBench", shape);
    bench_reading_open(&reading, &scene);
    count_prepared("sample of 10,000 values, decoded", bench_reading_decode, bench_reading_next,
                   &reading);
    count_prepared("row of 10,000 values", bench_reading_row, bench_reading_next, &reading);
    count_prepared("line of JSON of 10,000 values", bench_reading_json, bench_reading_next,
                   &reading);
    count_prepared("screen of -top of 10,000 values", bench_reading_screen, bench_reading_next,
                   &reading);
    count_prepared("exposition of 10,000 values", bench_reading_exposition, bench_reading_next,
                   &reading);
    count_prepared("row of 10,000 values, numbers known", bench_reading_bare_row,
                   bench_reading_know_row, &reading);
    count_prepared("line of JSON of 10,000 values, numbers known", bench_reading_bare_json,
                   bench_reading_know_json, &reading);
    count_prepared("exposition of 10,000 values, numbers known", bench_reading_bare_exposition,
                   bench_reading_know_exposition, &reading);
    count_prepared("exposition of 10,000 values, of which 100 are new", bench_reading_exposition,
                   bench_reading_change, &reading);
    count_prepared("row of 10,000 values, of which 100 are new", bench_reading_row,
                   bench_reading_before_changed_row, &reading);
    bench_reading_close(&reading);
    bench_scene_free(&scene);
}

static void count_records(void)
{
    prfdata_distribution distribution = PRFDATA_DISTRIBUTION_INIT;

    MUST(prfdata_distribution_shape_make(10, 1000000000, 8, 60, &distribution.shape));
    distribution.words = calloc(1, (size_t)prfdata_distribution_bytes(&distribution.shape));
    MUST(distribution.words);
    count_operation("1,000 records", record_values, &distribution, BUMPS);
    free(distribution.words);
}

int main(int argument_count, char **arguments)
{
    const bench_shape one = {10, 1, 1};
    const bench_shape some = {10, 100, 1};
    const bench_shape usual = {20, 1000, 1};
    const bench_shape regions = {20, 10, 100};

    if (argument_count > 1 && strcmp(arguments[1], "ways") == 0) {
        count_ways((bench_shape){10, 3, 1});
        return 0;
    }
    if (argument_count > 1 && strcmp(arguments[1], "reading") == 0) {
        count_reading();
        return 0;
    }
    count_others(usual);
    count_records();
    count_collect("Collect 1x10", one);
    count_collect("Collect 100x10", some);
    count_collect("Collect 1000x20", usual);
    count_collect("Collect 10x20 of 100 regions", regions);
    count_churn("add, Collect, remove, Collect 1000x20", usual);
    count_churn("add, Collect, remove, Collect 10x20 of 100 regions", regions);
    count_reading();
    return 0;
}
