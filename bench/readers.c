/* SPDX-License-Identifier: MIT */
/* Measures what a reader needs beyond Collect: the time to decode a sample of 10,000 values, and
 * the time to show it as a row of CSV, a line of JSON, a screen of `prfread -top` or an exposition
 * for Prometheus. Also measures the memory of a provider, the size of a region, and the time of a
 * Collect that comes a second after the previous one. */
#include "subjects.h"

#include "bench.h"
#include "reading.h"
#include "support/must.h"
#include "system.h"

enum { ONE_SECOND_MS = 1000 };

static void race_ten_thousand_values(void)
{
    const bench_shape shape = {20, 500, 1};
    bench_reading reading;
    bench_scene scene;
    const bench_contestant race[] = {
        {"Collect", bench_scene_collect, &scene, NULL, 0},
        {"sample, decoded", bench_reading_decode, &reading, NULL, 0},
        {"columns, a row of CSV", bench_reading_row, &reading, bench_reading_before_row, 0},
        {"a row of CSV, numbers known", bench_reading_bare_row, &reading, bench_reading_know_row,
         0},
        {"columns, a line of JSON", bench_reading_json, &reading, bench_reading_before_json, 0},
        {"a line of JSON, numbers known", bench_reading_bare_json, &reading,
         bench_reading_know_json, 0},
        {"-top, a screen", bench_reading_screen, &reading, bench_reading_before_screen, 0},
        {"exposition", bench_reading_exposition, &reading, bench_reading_before_exposition, 0},
        {"an exposition, numbers known", bench_reading_bare_exposition, &reading,
         bench_reading_know_exposition, 0}};

    bench_scene_make(&scene, "PrfDataBench", shape);
    bench_reading_open(&reading, &scene);
    bench_race("readers/10000 values", race, sizeof race / sizeof race[0]);
    MUST(reading.columns.count == 10000);
    bench_reading_close(&reading);
    bench_scene_free(&scene);
}

/* Measure showing a sample after five of 500 instances were replaced. */
static void race_new_values(void)
{
    const bench_shape shape = {20, 500, 1};
    bench_reading calm;
    bench_reading changing;
    bench_scene calm_scene;
    bench_scene changing_scene;
    const bench_contestant race[] = {
        {"a row of CSV", bench_reading_row, &calm, bench_reading_before_row, 0},
        {"a row of CSV, 100 values new", bench_reading_row, &changing,
         bench_reading_before_changed_row, 0},
        {"exposition", bench_reading_exposition, &calm, bench_reading_before_exposition, 0},
        {"exposition, 100 values new", bench_reading_exposition, &changing,
         bench_reading_before_changed_exposition, 0}};

    bench_scene_make(&calm_scene, "PrfDataBench", shape);
    bench_scene_make(&changing_scene, "PrfDataBenchChanging", shape);
    bench_reading_open(&calm, &calm_scene);
    bench_reading_open(&changing, &changing_scene);
    bench_race("readers/10000 values, some new", race, sizeof race / sizeof race[0]);
    bench_reading_close(&changing);
    bench_reading_close(&calm);
    bench_scene_free(&changing_scene);
    bench_scene_free(&calm_scene);
}

static void wait_a_second(void *context)
{
    (void)context;
    bench_system_sleep(ONE_SECOND_MS);
}

static void race_once_a_second(bench_shape shape, const char *name)
{
    bench_scene scene;
    const bench_contestant race[] = {
        {"Collect once a second", bench_scene_collect, &scene, wait_a_second, 0}};

    bench_scene_make(&scene, "PrfDataBench", shape);
    bench_race(name, race, 1);
    bench_scene_free(&scene);
}

static void measure_memory(void)
{
    const bench_shape shape = {20, 10000, 1};
    bench_scene scene;
    prfdata_test_file file;
    double before;

    bench_scene_make(&scene, "PrfDataBench", shape);
    prfdata_provider_close(scene.provider);
    scene.provider = NULL;
    before = bench_system_heap_bytes();
    bench_scene_reopen(&scene);
    bench_scene_collect(&scene, 3);
    bench_figure("memory of a reader", (bench_system_heap_bytes() - before) / shape.instances,
                 "bytes per instance of 20 counters");
    MUST(prfdata_test_service_files(&scene.service, &file, 1) == 1);
    bench_figure("a region", (double)file.size / (shape.instances + BENCH_SPARE_INSTANCES),
                 "bytes per instance of 20 counters");
    bench_scene_free(&scene);
}

void bench_readers(void)
{
    const bench_shape usual = {20, 1000, 1};
    const bench_shape crowd = {20, 10, 1000};

    race_ten_thousand_values();
    race_new_values();
    measure_memory();
    race_once_a_second(usual, "once a second/1000x20 in one region");
    race_once_a_second(crowd, "once a second/10000x20 in 1000 regions");
}
