/* SPDX-License-Identifier: MIT */
/* Compares expositions with those that a slow method makes, for samples that change at random.
 * Instances come, go, move, swap names and have parents. Counts wrap and start again. Objects and
 * counters move, vanish and occur twice. Time leaps, also backwards. Some samples are written
 * several times, and the format of each exposition is chosen at random. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "prometheus/open_metrics.h"
#include "support/reader/ascii_text.h"
#include "support/reader/changing_samples.h"
#include "support/reader/slow_exposition.h"
#include "support/sampled.h"

enum { SEEDS = 1000, STEPS = 14, PATHS = 6 };

static const char *const path_texts[PATHS] = {"\\Alpha(*)\\*",    "\\Alpha(_Total)\\One",
                                              "\\B*(b)\\*",       "\\Beta\\*",
                                              "\\Gamma(a*)\\Two", "\\*(*)\\One"};

typedef struct exposition_run {
    changing_samples samples;
    uint16_t chars[PATHS][40];
    prfdata_resolver_path paths[PATHS];
    prfdata_open_metrics *metrics;
    prfdata_output output;
    slow_exposition slow;
    prfdata_output expected;
} exposition_run;

static void parse_paths(exposition_run *run)
{
    for (uint32_t i = 0; i < PATHS; i++) {
        prfdata_resolver_path *path = &run->paths[i];
        prfdata_path_error error;

        path->number = i;
        assert_true(
            prfdata_path_parse(ascii_text(path_texts[i], run->chars[i]), &path->path, &error));
        path->way = prfdata_titles_way_of(&run->samples.titles, path->path.object);
    }
}

static uint64_t own_number(const char *text, const char *name)
{
    const char *line = strstr(text, name);

    assert_non_null(line);
    return strtoull(line + strlen(name), NULL, 10);
}

static void compare_lines(const char *text, const char *expected)
{
    while (*text || *expected) {
        const size_t bytes = strcspn(text, "\n") + 1;
        const size_t expected_bytes = strcspn(expected, "\n") + 1;

        if (bytes != expected_bytes || memcmp(text, expected, bytes) != 0)
            fail_msg("\"%.*s\", the slow way \"%.*s\"", (int)bytes, text, (int)expected_bytes,
                     expected);
        text += bytes;
        expected += bytes;
    }
}

static void compare_expositions(exposition_run *run, const prfdata_sample *sample,
                                prfdata_dialect dialect)
{
    const char *own;

    prfdata_output_clear(&run->output);
    prfdata_output_clear(&run->expected);
    prfdata_open_metrics_put(run->metrics, sample, &run->samples.titles, NULL, dialect,
                             &run->output);
    prfdata_output_put(&run->output, "", 1);
    slow_exposition_put(&run->slow, sample, &run->samples.titles, dialect, &run->expected);
    prfdata_output_put(&run->expected, "", 1);
    assert_false(run->output.failed || run->expected.failed);
    own = strstr(run->output.bytes, "# TYPE prfread_paths_not_found");
    assert_non_null(own);
    run->output.bytes[own - run->output.bytes] = 0;
    compare_lines(run->output.bytes, run->expected.bytes);
    assert_int_equal(own_number(own + 1, "\nprfread_values_left_out "), run->slow.left_out);
    assert_int_equal(own_number(own + 1, "\nprfread_series_untracked "), 0);
}

static void run_seed(uint32_t seed)
{
    prfdata_open_metrics_options options = {0};
    exposition_run run = {0};

    changing_samples_begin(&run.samples, seed);
    parse_paths(&run);
    options.with_parts = run.slow.choice.with_parts = seed % 5 == 0;
    if (seed % 3 > 0) {
        options.paths = run.slow.choice.paths = run.paths;
        options.path_count = run.slow.choice.path_count = seed % 3 == 1 ? PATHS : 1;
    }
    assert_int_equal(prfdata_open_metrics_make(&options, &run.metrics), ERROR_SUCCESS);
    for (int step = 0; step < STEPS; step++) {
        prfdata_sample *sample = changing_samples_take(&run.samples);

        do
            compare_expositions(&run, sample,
                                changing_samples_below(&run.samples, 2) == 0
                                    ? PRFDATA_DIALECT_OPEN_METRICS
                                    : PRFDATA_DIALECT_PROMETHEUS);
        while (changing_samples_below(&run.samples, 4) == 0);
        prfdata_sample_free(sample);
    }
    prfdata_open_metrics_free(run.metrics);
    slow_exposition_free(&run.slow);
    prfdata_output_free(&run.output);
    prfdata_output_free(&run.expected);
    prfdata_titles_free(&run.samples.titles);
}

static void test_open_metrics_random_samples_have_the_bytes_of_the_slow_way(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < SEEDS / sampled_one_of(); seed++)
        run_seed(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open_metrics_random_samples_have_the_bytes_of_the_slow_way),
    };

    return cmocka_run_group_tests_name("open_metrics_random", tests, NULL, NULL);
}
