/* SPDX-License-Identifier: MIT */
/* Compares columns with a slow search, in samples that change at random. Instances come, go, move,
 * swap names or take names of other instances. Objects and counters move, vanish and occur twice.
 * Titles change their meaning. Samples are missing, or are compared with an unusual earlier one. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "support/reader/ascii_text.h"
#include "support/reader/changing_samples.h"
#include "support/reader/slow_columns.h"
#include "support/sampled.h"

enum { SEEDS = 1000, STEPS = 12, PATHS = 8 };

static const char *const path_texts[PATHS] = {
    "\\Alpha(*)\\*", "\\Alpha(a*)\\One", "\\B*(b)\\*",  "\\Alpha(a#1)\\*",
    "\\Beta\\*",     "\\Gamma(*)\\Two",  "\\*(*)\\One", "\\Alpha(a/b)\\Three",
};

typedef struct random_run {
    changing_samples samples;
    uint16_t computer[3];
    prfdata_columns columns;
    slow_columns slow;
    uint16_t chars[PATHS][40];
    prfdata_path parsed[PATHS];
} random_run;

static void add_paths(random_run *run, const prfdata_sample *sample)
{
    for (uint32_t i = 0; i < PATHS; i++) {
        prfdata_resolver_path path = {.number = i, .path = run->parsed[i]};
        prfdata_resolver_result result;
        prfdata_resolver_result slow_result;

        path.way = prfdata_titles_way_of(&run->samples.titles, path.path.object);
        assert_int_equal(prfdata_columns_add(&run->columns, &path, sample, &result), ERROR_SUCCESS);
        slow_columns_add(&run->slow, &path, sample, &slow_result);
        assert_int_equal(result, slow_result);
    }
}

static void compare_raw(prfdata_compute_raw made, const prfdata_compute_raw *b)
{
    const prfdata_compute_raw *a = &made;

    if (a->status != b->status)
        fail_msg("%08x, not %08x", (unsigned)a->status, (unsigned)b->status);
    if (a->status != PRFDATA_STATUS_OK)
        return;
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->value, b->value);
    assert_int_equal(a->value_bytes, b->value_bytes);
    assert_int_equal(a->base, b->base);
    assert_int_equal(a->base_bytes, b->base_bytes);
    assert_int_equal(a->perf_time, b->perf_time);
    assert_int_equal(a->perf_freq, b->perf_freq);
    assert_int_equal(a->time_100ns, b->time_100ns);
    assert_int_equal(a->object_time, b->object_time);
    assert_int_equal(a->object_freq, b->object_freq);
}

static void compare_column(const prfdata_columns *columns, const prfdata_column *column,
                           const slow_column *slow)
{
    assert_int_equal(column->path_number, slow->path_number);
    assert_string_equal(column->heading, slow->heading);
    assert_true(prfdata_text_is_same(column->label, slow->label));
    assert_int_equal(column->label.chars == NULL, slow->label.chars == NULL);
    assert_int_equal(column->status, slow->status);
    assert_int_equal(column->is_text, slow->is_text);
    assert_true(prfdata_text_is_same(column->text, slow->text));
    assert_int_equal(column->is_known, slow->is_known);
    assert_int_equal(column->type, slow->type);
    assert_int_equal(column->default_scale, slow->default_scale);
    compare_raw(prfdata_columns_older(columns, column), &slow->older);
    compare_raw(prfdata_columns_raw(columns, column), &slow->raw);
    if (column->status != PRFDATA_STATUS_OK || column->is_text)
        return;
    assert_true(column->value.number == slow->value.number);
    assert_int_equal(column->value.is_whole, slow->value.is_whole);
    assert_int_equal(column->value.whole, slow->value.whole);
}

static void compare_columns(const random_run *run)
{
    assert_int_equal(run->columns.count, run->slow.count);
    for (size_t i = 0; i < run->columns.count; i++)
        compare_column(&run->columns, &run->columns.items[i], &run->slow.items[i]);
}

static void compute_columns(random_run *run, const prfdata_sample *older,
                            const prfdata_sample *newer)
{
    assert_int_equal(prfdata_columns_compute(&run->columns, older, newer, true), ERROR_SUCCESS);
    slow_columns_compute(&run->slow, older, newer, true);
    compare_columns(run);
}

/* Use a sample as a program does, or in another way that is allowed. */
static void show(random_run *run, const prfdata_sample *older, const prfdata_sample *newer)
{
    switch (changing_samples_below(&run->samples, 16)) {
    case 0:
        prfdata_columns_forget(&run->columns);
        slow_columns_forget(&run->slow);
        compare_columns(run);
        break;
    case 1:
        compute_columns(run, NULL, newer);
        break;
    case 2: /* compute the columns that exist, and add none */
        compute_columns(run, older, newer);
        break;
    case 3: /* compute them again with the samples in the other order */
        add_paths(run, newer);
        compute_columns(run, older, newer);
        compute_columns(run, newer, older);
        compute_columns(run, older, newer);
        break;
    case 4: /* add the columns of the older sample, and show values of the newer one */
        add_paths(run, older);
        compute_columns(run, older, newer);
        break;
    default:
        add_paths(run, newer);
        compute_columns(run, older, newer);
        break;
    }
}

static void run_seed(uint32_t seed)
{
    random_run run = {0};
    prfdata_sample *older;
    const prfdata_text computer = ascii_text("PC", run.computer);

    changing_samples_begin(&run.samples, seed);
    prfdata_columns_init(&run.columns, &run.samples.titles, computer);
    slow_columns_init(&run.slow, &run.samples.titles, computer);
    run.columns.has_idle_zeros = run.slow.has_idle_zeros = seed % 2 == 0;
    for (uint32_t i = 0; i < PATHS; i++) {
        prfdata_path_error error;

        assert_true(
            prfdata_path_parse(ascii_text(path_texts[i], run.chars[i]), &run.parsed[i], &error));
    }

    older = changing_samples_take(&run.samples);
    add_paths(&run, older);
    for (uint32_t step = 0; step < STEPS; step++) {
        prfdata_sample *newer = changing_samples_take(&run.samples);

        if (changing_samples_below(&run.samples, 10) == 0)
            changing_samples_rename(&run.samples);
        show(&run, older, newer);
        prfdata_sample_free(older);
        older = newer;
    }
    prfdata_sample_free(older);
    prfdata_columns_free(&run.columns);
    slow_columns_free(&run.slow);
    prfdata_titles_free(&run.samples.titles);
}

static void test_columns_are_those_of_the_slow_way(void **state)
{
    (void)state;
    sampled_seeds(run_seed, SEEDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_those_of_the_slow_way),
    };

    return cmocka_run_group_tests_name("columns_random", tests, NULL, NULL);
}
