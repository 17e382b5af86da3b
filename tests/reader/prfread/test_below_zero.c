/* SPDX-License-Identifier: MIT */
/* Tests gauges below zero, of 4 and of 8 bytes. One program adds to them, another one subtracts
 * from them, and the first one ends. Each reader must show what docs/in-your-program.md says. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "prfread/format.h"
#include "source/source.h"
#include "support/reader/ascii_text.h"
#include "support/service.h"
#include "top/top_frame.h"

#define SERVICE "PrfDataTestBelowZero"

PRFDATA_DEFINE_OBJECT(GAUGES, 1);
PRFDATA_DEFINE_COUNTER(GAUGE_OF_4, 2);
PRFDATA_DEFINE_COUNTER(GAUGE_OF_8, 3);

#define GAUGE(id, name, type) PRFDATA_MAP_CTR(id, name, L"Of a test.", PERF_DETAIL_NOVICE, 0, type)

PRFDATA_MAP_BEGIN_AS(below_zero_map)
PRFDATA_MAP_OBJ(GAUGES, L"Gauges", L"Of a test.", PERF_DETAIL_NOVICE, GAUGE_OF_4, PERF_NO_INSTANCES,
                0)
GAUGE(GAUGE_OF_4, L"Of 4", PERF_COUNTER_RAWCOUNT)
GAUGE(GAUGE_OF_8, L"Of 8", PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_END_AS(below_zero_map, SERVICE)

typedef struct below_zero_scene {
    prfdata_test_service service;
    prfdata_publisher *publisher; /* the publisher of the program that decrements */
    prfdata_titles titles;
    prfdata_sample *sample;
} below_zero_scene;

static prfdata_publisher *publish_gauges(int64_t amount)
{
    prfdata_publisher *publisher;
    prfdata_handle handle;

    assert_int_equal(prfdata_open(&below_zero_map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve(publisher, GAUGE_OF_4, NULL, &handle), ERROR_SUCCESS);
    prfdata_add(handle, amount);
    assert_int_equal(prfdata_resolve(publisher, GAUGE_OF_8, NULL, &handle), ERROR_SUCCESS);
    prfdata_add(handle, amount);
    return publisher;
}

static void take_gauges(below_zero_scene *s)
{
    static const uint16_t global[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    prfdata_source *source = NULL;
    uint16_t chars[32];
    void *bytes = NULL;
    size_t size = 0;

    assert_int_equal(prfdata_source_open_regions(ascii_text(SERVICE, chars), NULL, &source),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_source_load_titles(source, &s->titles), ERROR_SUCCESS);
    assert_int_equal(prfdata_source_take(source, global, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(prfdata_sample_make(bytes, size, &s->sample), ERROR_SUCCESS);
    prfdata_source_close(source);
}

static int set_up(void **state)
{
    below_zero_scene *s = calloc(1, sizeof *s);
    prfdata_publisher *ended;

    assert_non_null(s);
    prfdata_test_service_make(&s->service, SERVICE, &below_zero_map, 0);
    ended = publish_gauges(5);
    s->publisher = publish_gauges(-3);
    prfdata_close_and_unmap(ended);
    take_gauges(s);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    below_zero_scene *s = *state;

    prfdata_sample_free(s->sample);
    prfdata_titles_free(&s->titles);
    prfdata_close_and_unmap(s->publisher);
    prfdata_test_service_remove(&s->service);
    free(s);
    return 0;
}

static void expect_shown(prfdata_output *output, const char *const *parts, size_t count)
{
    prfdata_output_put(output, "", 1);
    assert_false(output->failed);
    for (size_t i = 0; i < count; i++)
        if (!strstr(output->bytes, parts[i]))
            fail_msg("no \"%s\" in\n%s", parts[i], output->bytes);
    prfdata_output_free(output);
}

#define EXPECT_SHOWN(output, ...)                                                                  \
    do {                                                                                           \
        static const char *const parts_[] = {__VA_ARGS__};                                         \
                                                                                                   \
        expect_shown(output, parts_, sizeof parts_ / sizeof parts_[0]);                            \
    } while (0)

static const char *const below_zero_paths[] = {"\\Gauges\\Of 4", "\\Gauges\\Of 8"};

enum { PATHS = 2, PATH_CHARS = 32 };

typedef struct below_zero_asked {
    uint16_t chars[PATHS][PATH_CHARS];
    prfdata_resolver_path paths[PATHS];
} below_zero_asked;

static void ask_for_gauges(const below_zero_scene *s, below_zero_asked *asked)
{
    memset(asked, 0, sizeof *asked);
    for (size_t i = 0; i < PATHS; i++) {
        prfdata_resolver_path *path = &asked->paths[i];
        prfdata_path_error error;

        assert_true(prfdata_path_parse(ascii_text(below_zero_paths[i], asked->chars[i]),
                                       &path->path, &error));
        path->way = prfdata_titles_way_of(&s->titles, path->path.object);
    }
}

static void put_row_below_zero(const below_zero_scene *s, const prfdata_format *format,
                               prfdata_output *output)
{
    static const uint16_t time[8] = {2024, 2, 4, 29, 12, 0, 0, 0};
    prfdata_json_heads heads = {0};
    prfdata_format_rows rows = {.format = format, .json_heads = &heads};
    prfdata_resolver_result result;
    uint16_t computer[3];
    prfdata_columns columns;
    below_zero_asked asked;

    ask_for_gauges(s, &asked);
    prfdata_columns_init(&columns, &s->titles, ascii_text("PC", computer));
    for (size_t i = 0; i < PATHS; i++)
        assert_int_equal(prfdata_columns_add(&columns, &asked.paths[i], s->sample, &result),
                         ERROR_SUCCESS);
    assert_int_equal(prfdata_columns_compute(&columns, NULL, s->sample, true), ERROR_SUCCESS);
    rows.columns = &columns;
    format->put_row(&rows, time, output);
    prfdata_json_heads_free(&heads);
    prfdata_columns_free(&columns);
}

static void put_exposition_below_zero(const below_zero_scene *s, prfdata_dialect dialect,
                                      prfdata_output *output)
{
    prfdata_open_metrics_options options = {.path_count = PATHS};
    prfdata_open_metrics *metrics;
    below_zero_asked asked;

    ask_for_gauges(s, &asked);
    options.paths = asked.paths;
    assert_int_equal(prfdata_open_metrics_make(&options, &metrics), ERROR_SUCCESS);
    prfdata_open_metrics_put(metrics, s->sample, &s->titles, NULL, dialect, output);
    prfdata_open_metrics_free(metrics);
}

static void put_top(const below_zero_scene *s, prfdata_output *output)
{
    prfdata_top_view view;
    below_zero_asked asked;

    ask_for_gauges(s, &asked);
    prfdata_top_view_init(&view, &s->titles, true);
    prfdata_top_view_begin(&view, NULL, s->sample);
    for (size_t i = 0; i < PATHS; i++)
        prfdata_top_view_add(&view, &asked.paths[i]);
    assert_int_equal(prfdata_top_view_end(&view), ERROR_SUCCESS);
    prfdata_top_frame_put(&view, 80, 24, false, output);
    prfdata_top_view_free(&view);
}

/* PDH and all programs that read like it take 4 bytes as unsigned, and 8 bytes as signed. */
static void test_below_zero_rows_have_what_pdh_shows(void **state)
{
    prfdata_output output = {0};

    put_row_below_zero(*state, &prfdata_format_csv, &output);
    EXPECT_SHOWN(&output, "\"4294967293.000000\",\"-3.000000\"");
    put_row_below_zero(*state, &prfdata_format_tsv, &output);
    EXPECT_SHOWN(&output, "\"4294967293.000000\"\t\"-3.000000\"");
    put_row_below_zero(*state, &prfdata_format_json, &output);
    EXPECT_SHOWN(&output, "\"CookedValue\":4294967293", "\"CookedValue\":-3,",
                 "\"RawValue\":4294967293,", "\"RawValue\":-3,");
}

static void test_below_zero_expositions_have_the_same(void **state)
{
    prfdata_output output = {0};

    put_exposition_below_zero(*state, PRFDATA_DIALECT_PROMETHEUS, &output);
    EXPECT_SHOWN(&output, "\n# TYPE", " 4294967293\n", " -3\n");
    put_exposition_below_zero(*state, PRFDATA_DIALECT_OPEN_METRICS, &output);
    EXPECT_SHOWN(&output, " 4294967293\n", " -3\n");
}

static void test_below_zero_live_view_has_the_same(void **state)
{
    prfdata_output output = {0};

    put_top(*state, &output);
    EXPECT_SHOWN(&output, " 4.29 G ", " -3 ");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_below_zero_rows_have_what_pdh_shows),
        TEST(test_below_zero_expositions_have_the_same),
        TEST(test_below_zero_live_view_has_the_same),
    };

    return cmocka_run_group_tests_name("below zero", tests, NULL, NULL);
}
