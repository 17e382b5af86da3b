/* SPDX-License-Identifier: MIT */
/*
 * Columns beside the slow way of finding them, in samples that change at random: instances come,
 * go, move, swap their names and have those of others; objects and counters move, vanish and are
 * there twice; titles mean something else; samples are missing, or computed against another one.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "paths/csv.h"
#include "paths/json.h"
#include "support/ascii_text.h"
#include "support/sampled.h"
#include "support/slow_columns.h"
#include "support/wire.h"
#include "support/wire_sample.h"

enum { SEEDS = 1000, STEPS = 12, PATHS = 8, OBJECTS = 4, COUNTERS = 5, NAMES = 12, MOST = 8 };

static const char *const path_texts[PATHS] = {
    "\\Alpha(*)\\*", "\\Alpha(a*)\\One", "\\B*(b)\\*",  "\\Alpha(a#1)\\*",
    "\\Beta\\*",     "\\Gamma(*)\\Two",  "\\*(*)\\One", "\\Alpha(a/b)\\Three",
};

static const char *const names[NAMES] = {"a", "b",   "A",  "ab", "a#1", "c",
                                         "d", "a/b", "dd", "e",  "f",   "_Total"};

static const uint32_t types[COUNTERS] = {PERF_COUNTER_COUNTER, PERF_COUNTER_RAWCOUNT,
                                         PERF_RAW_FRACTION, PERF_RAW_BASE, PERF_COUNTER_TEXT};

typedef struct random_run {
    uint32_t random;
    prfdata_titles titles;
    uint16_t computer[3];
    prfdata_columns columns;
    slow_columns slow;
    uint16_t chars[PATHS][40];
    prfdata_path parsed[PATHS];
    uint32_t order[OBJECTS][MOST]; /* the names of an object's instances */
    uint32_t count[OBJECTS];
    uint32_t moment;
} random_run;

static uint32_t below(random_run *run, uint32_t limit)
{
    run->random ^= run->random << 13;
    run->random ^= run->random >> 17;
    run->random ^= run->random << 5;
    return (run->random >> 3) % limit;
}

/* ---- Titles ---- */

/* Names at these indexes, or at others. */
static void name_titles(random_run *run)
{
    static const char *const all[] = {"Alpha", "Beta", "Gamma", "One", "Two", "Three", "Four"};
    const uint32_t turn = below(run, 3);

    prfdata_titles_free(&run->titles);
    for (uint32_t i = 0; i < 7; i++) {
        const uint32_t base = i < 3 ? 100 : 200;
        const uint32_t index = i < 3 ? (i + turn) % 4 : (i - 3 + turn) % 5;
        uint16_t chars[16];

        assert_int_equal(prfdata_name_table_add(&run->titles.english, base + 2 * index,
                                                ascii_text(all[i], chars)),
                         ERROR_SUCCESS);
    }
}

static void change_titles(random_run *run)
{
    const uint32_t version = run->titles.version;

    name_titles(run);
    run->titles.version = version + 1;
}

/* ---- Samples ---- */

static void change_instances(random_run *run, uint32_t object)
{
    uint32_t *order = run->order[object];
    uint32_t *count = &run->count[object];
    const uint32_t at = *count > 0 ? below(run, *count) : 0;
    const uint32_t other = *count > 0 ? below(run, *count) : 0;
    const uint32_t kept = order[at];

    switch (below(run, 8)) {
    case 0: /* one goes, and those after it move */
        if (*count > 0)
            memmove(order + at, order + at + 1, (--*count - at) * sizeof *order);
        break;
    case 1: /* one comes at the end, or in the middle */
    case 2:
        if (*count < MOST) {
            memmove(order + at + 1, order + at, (*count - at) * sizeof *order);
            order[at] = below(run, NAMES);
            ++*count;
        }
        break;
    case 3: /* another one has its place */
        order[at] = below(run, NAMES);
        break;
    case 4: /* two swap */
        order[at] = order[other];
        order[other] = kept;
        break;
    case 5: /* a provider that shuffles */
        for (uint32_t i = 0; i < *count; i++) {
            const uint32_t to = below(run, *count);
            const uint32_t moved = order[i];

            order[i] = order[to];
            order[to] = moved;
        }
        break;
    default:
        break;
    }
}

static void put_object(random_run *run, wire *w, uint32_t object, bool is_bare)
{
    const uint32_t counters = 1 + below(run, 20) % COUNTERS;
    const uint32_t turn = below(run, 6) == 0 ? below(run, COUNTERS) : 0;
    const uint32_t count = is_bare ? 1 : run->count[object];
    const size_t start =
        wire_object(w, 100 + 2 * object, counters, is_bare ? -1 : (int32_t)count, 0);

    for (uint32_t i = 0; i < counters; i++) {
        const uint32_t kind = (i + turn) % COUNTERS;
        const uint32_t title = below(run, 40) == 0 ? 202 : 200 + 2 * kind;

        wire_counter(w, title, types[kind], 4, 4 + 4 * i);
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t values;

        if (!is_bare) {
            const size_t at = wire_instance(w, 0, 0, -1, names[run->order[object][i]]);

            if (below(run, 60) == 0)
                wire_patch32(w, at + 20, 1000); /* NameLength: it is damaged */
        }
        values = wire_values(w);
        for (uint32_t c = 0; c < counters; c++)
            wire_put32(w, run->moment * 10 + below(run, 30) + 'a');
        wire_values_end(w, values);
    }
    wire_object_end(w, start);
}

/* Objects in any order; one may be missing, or there twice. */
static prfdata_sample *take(random_run *run)
{
    uint32_t objects[OBJECTS + 1];
    uint32_t count = 0;
    wire w;

    run->moment++;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        change_instances(run, i);
        if (below(run, 12) > 0)
            objects[count++] = i;
    }
    if (below(run, 8) == 0)
        objects[count++] = below(run, OBJECTS);
    if (count > 1 && below(run, 4) == 0) {
        const uint32_t first = objects[0];

        objects[0] = objects[count - 1];
        objects[count - 1] = first;
    }
    wire_begin(&w, count);
    wire_patch32(&w, 56, 50000000 * run->moment); /* PerfTime */
    for (uint32_t i = 0; i < count; i++)
        put_object(run, &w, objects[i], objects[i] == 1 && below(run, 3) > 0);
    wire_end(&w);
    return wire_sample(&w);
}

/* ---- Both ways ---- */

static void add_paths(random_run *run, const prfdata_sample *sample)
{
    for (uint32_t i = 0; i < PATHS; i++) {
        prfdata_resolver_path path = {.number = i, .path = run->parsed[i]};
        prfdata_resolver_result result;
        prfdata_resolver_result slow_result;

        path.way = prfdata_titles_way_of(&run->titles, path.path.object);
        assert_int_equal(prfdata_columns_add(&run->columns, &path, sample, &result), ERROR_SUCCESS);
        slow_columns_add(&run->slow, &path, sample, &slow_result);
        assert_int_equal(result, slow_result);
    }
}

static void compare_raw(const prfdata_compute_raw *a, const prfdata_compute_raw *b)
{
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

static void compare_column(const prfdata_column *column, const slow_column *slow)
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
    compare_raw(&column->older, &slow->older);
    compare_raw(&column->raw, &slow->raw);
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
        compare_column(&run->columns.items[i], &run->slow.items[i]);
}

static void compute_columns(random_run *run, const prfdata_sample *older,
                            const prfdata_sample *newer)
{
    assert_int_equal(prfdata_columns_compute(&run->columns, older, newer, true), ERROR_SUCCESS);
    slow_columns_compute(&run->slow, older, newer, true);
    compare_columns(run);
}

/* What a program does with a sample, or something else that it may do. */
static void show(random_run *run, const prfdata_sample *older, const prfdata_sample *newer)
{
    switch (below(run, 16)) {
    case 0:
        prfdata_columns_forget(&run->columns);
        slow_columns_forget(&run->slow);
        compare_columns(run);
        break;
    case 1:
        compute_columns(run, NULL, newer);
        break;
    case 2: /* without new columns */
        compute_columns(run, older, newer);
        break;
    case 3: /* twice, and the other way round */
        add_paths(run, newer);
        compute_columns(run, older, newer);
        compute_columns(run, newer, older);
        compute_columns(run, older, newer);
        break;
    case 4: /* columns of one sample, values of another */
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
    random_run run = {.random = seed * 2654435761u + 1};
    prfdata_sample *older;
    const prfdata_text computer = ascii_text("PC", run.computer);

    name_titles(&run);
    prfdata_columns_init(&run.columns, &run.titles, computer);
    slow_columns_init(&run.slow, &run.titles, computer);
    run.columns.has_idle_zeros = run.slow.has_idle_zeros = seed % 2 == 0;
    for (uint32_t i = 0; i < PATHS; i++) {
        prfdata_path_error error;

        assert_true(
            prfdata_path_parse(ascii_text(path_texts[i], run.chars[i]), &run.parsed[i], &error));
    }
    for (uint32_t o = 0; o < OBJECTS; o++)
        for (uint32_t i = 0; i < 4; i++)
            run.order[o][run.count[o]++] = below(&run, NAMES);

    older = take(&run);
    add_paths(&run, older);
    for (uint32_t step = 0; step < STEPS; step++) {
        prfdata_sample *newer = take(&run);

        if (below(&run, 10) == 0)
            change_titles(&run);
        show(&run, older, newer);
        prfdata_sample_free(older);
        older = newer;
    }
    prfdata_sample_free(older);
    prfdata_columns_free(&run.columns);
    slow_columns_free(&run.slow);
    prfdata_titles_free(&run.titles);
}

static void test_columns_are_those_of_the_slow_way(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < SEEDS / sampled_one_of(); seed++)
        run_seed(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_those_of_the_slow_way),
    };

    return cmocka_run_group_tests_name("columns_random", tests, NULL, NULL);
}
