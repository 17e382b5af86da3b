/* SPDX-License-Identifier: MIT */
/*
 * What reading costs beyond Collect: a sample of 10,000 values, decoded; the same as a row of
 * columns, as a screen of `prfread -top`, as an exposition for Prometheus; the memory of a
 * provider; the share of a processor that a reader takes which collects once a second.
 */
#include "subjects.h"

#include <string.h>

#include "bench.h"
#include "floors.h"
#include "paths/csv.h"
#include "paths/requests.h"
#include "prometheus/open_metrics.h"
#include "scene.h"
#include "support/must.h"
#include "system.h"
#include "top/top_frame.h"

enum { WIDTH = 120, HEIGHT = 40, ONE_SECOND_MS = 1000 };

static const uint16_t service_chars[] = {'P', 'r', 'f', 'D', 'a', 't', 'a',
                                         'B', 'e', 'n', 'c', 'h', 0};

typedef struct bench_reader {
    prfdata_session session;
    prfdata_messages messages;
    prfdata_requests requests;
    prfdata_columns columns;
    prfdata_top_view view;
    prfdata_open_metrics *metrics;
    prfdata_sample *older;
    prfdata_sample *newer;
    prfdata_output output;
} bench_reader;

/* ---- One sample, four ways ---- */

static void take_and_decode(void *context, uint64_t times)
{
    bench_reader *reader = context;

    for (uint64_t i = 0; i < times; i++) {
        prfdata_sample *sample;

        MUST(prfdata_requests_take(&reader->session, &reader->requests, &sample) == 0);
        prfdata_sample_free(sample);
    }
}

static void write_columns(void *context, uint64_t times)
{
    static const uint16_t time[8] = {2026, 1, 0, 1, 0, 0, 0, 0};
    bench_reader *reader = context;

    for (uint64_t i = 0; i < times; i++) {
        prfdata_output_clear(&reader->output);
        MUST(prfdata_columns_compute(&reader->columns, reader->older, reader->newer, true) == 0);
        prfdata_csv_put_row(&reader->output, &reader->columns, PRFDATA_CSV_COMMA, time, "-1");
    }
}

static void draw_top(void *context, uint64_t times)
{
    bench_reader *reader = context;

    for (uint64_t i = 0; i < times; i++) {
        prfdata_output_clear(&reader->output);
        prfdata_top_view_begin(&reader->view, reader->older, reader->newer);
        for (size_t j = 0; j < reader->requests.count; j++)
            prfdata_top_view_add(&reader->view, &reader->requests.items[j].path);
        MUST(prfdata_top_view_end(&reader->view) == 0);
        prfdata_top_frame_put(&reader->view, WIDTH, HEIGHT, true, &reader->output);
    }
}

static void write_exposition(void *context, uint64_t times)
{
    bench_reader *reader = context;

    for (uint64_t i = 0; i < times; i++) {
        prfdata_output_clear(&reader->output);
        prfdata_open_metrics_put(reader->metrics, reader->newer, &reader->session.titles, NULL,
                                 PRFDATA_DIALECT_PROMETHEUS, &reader->output);
    }
}

static void open_reader(bench_reader *reader)
{
    static const prfdata_open_metrics_options options = {.version = "bench"};
    prfdata_source *source;

    memset(reader, 0, sizeof *reader);
    MUST(prfdata_source_open_regions(prfdata_text_from_chars(service_chars), &reader->messages,
                                     &source) == 0);
    prfdata_session_open(&reader->session, source, &reader->messages);
    MUST(prfdata_requests_make_default(&reader->session, &reader->requests) == 0);
    MUST(prfdata_requests_take(&reader->session, &reader->requests, &reader->older) == 0);
    MUST(prfdata_requests_take(&reader->session, &reader->requests, &reader->newer) == 0);
    prfdata_columns_init(&reader->columns, &reader->session.titles, reader->session.computer);
    MUST(prfdata_requests_add_columns(&reader->session, &reader->requests, reader->newer,
                                      &reader->columns) == 0);
    MUST(prfdata_open_metrics_make(&options, &reader->metrics) == 0);
    prfdata_top_view_init(&reader->view, &reader->session.titles, false);
}

static void close_reader(bench_reader *reader)
{
    prfdata_top_view_free(&reader->view);
    prfdata_open_metrics_free(reader->metrics);
    prfdata_columns_free(&reader->columns);
    prfdata_sample_free(reader->older);
    prfdata_sample_free(reader->newer);
    prfdata_requests_free(&reader->requests);
    prfdata_session_close(&reader->session);
    prfdata_messages_free(&reader->messages);
    prfdata_output_free(&reader->output);
}

static void race_ten_thousand_values(void)
{
    const bench_shape shape = {20, 500, 1};
    bench_reader reader;
    bench_scene scene;
    const bench_contestant race[] = {{"Collect", bench_scene_collect, &scene, NULL, 0},
                                     {"sample, decoded", take_and_decode, &reader, NULL, 0},
                                     {"columns, a row of CSV", write_columns, &reader, NULL, 0},
                                     {"-top, a screen", draw_top, &reader, NULL, 0},
                                     {"exposition", write_exposition, &reader, NULL, 0}};

    bench_scene_make(&scene, "PrfDataBench", shape);
    open_reader(&reader);
    MUST(reader.columns.count == 10000);
    bench_race("readers/10000 values", race, sizeof race / sizeof race[0]);
    close_reader(&reader);
    bench_scene_free(&scene);
}

/* ---- A provider that is there all day ---- */

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
    measure_memory();
    race_once_a_second(usual, "once a second/1000x20 in one region");
    race_once_a_second(crowd, "once a second/10000x20 in 1000 regions");
}
