/* SPDX-License-Identifier: MIT */
/* Tests that prfread, the live view in a terminal, the window's table and its chart show the same
 * value in the same notation. They must do so for every counter type and for extreme values. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/counter_types.h"
#include "names/names.h"
#include "paths/columns.h"
#include "paths/csv.h"
#include "reader/view/view_sample.h"
#include "top/top_view.h"
#include "view/export.h"
#include "viewer/viewer.h"

enum { OBJECT = 500, COUNTER = 502, BASE = 504 };

static const uint64_t extremes[] = {0,
                                    1,
                                    100,
                                    0x7FFFFFFF,
                                    0xFFFFFFFF,
                                    UINT64_C(0x2DACD320DFDE),
                                    UINT64_C(0x7FFFFFFFFFFFFFFF),
                                    UINT64_C(0x8000000000000000),
                                    UINT64_C(0xFFFFFFFFFFFFFFFF)};

enum { EXTREMES = sizeof extremes / sizeof extremes[0] };

static void put_number(wire *w, uint32_t bytes, uint64_t value)
{
    if (bytes == 8)
        wire_put64(w, value);
    else
        wire_put32(w, (uint32_t)value);
}

/* Make a sample of the instance "a" with one counter of this type. If the type has a base, the
 * sample has a counter for the base, too. */
static prfdata_sample *sample_of_type(const prfdata_counter_type *type, uint32_t second,
                                      uint64_t value, uint64_t base)
{
    const prfdata_counter_type *base_type =
        type->base_type ? prfdata_counter_types_find(type->base_type) : NULL;
    static wire w;
    uint32_t used = 4;
    uint32_t at[2] = {0, 0};
    size_t object;
    size_t values;

    memset(&w, 0, sizeof w);
    at[0] = prfdata_counter_types_place(type, &used);
    if (base_type)
        at[1] = prfdata_counter_types_place(base_type, &used);
    wire_begin(&w, 1);
    object = wire_object(&w, OBJECT, base_type ? 2 : 1, 1, 0);
    wire_counter(&w, COUNTER, type->type, type->value_bytes, at[0]);
    if (base_type)
        wire_counter(&w, BASE, base_type->type, base_type->value_bytes, at[1]);
    wire_instance(&w, 0, 0, -1, "a");
    values = wire_values(&w);
    for (uint32_t i = 4; i < at[0]; i += 4)
        wire_put32(&w, 0);
    put_number(&w, type->value_bytes, value);
    if (base_type) {
        for (uint32_t i = at[0] + type->value_bytes; i < at[1]; i += 4)
            wire_put32(&w, 0);
        put_number(&w, base_type->value_bytes, base);
    }
    wire_values_end(&w, values);
    wire_object_end(&w, object);
    return view_end(&w, (uint64_t)second * 1000, (uint64_t)second * 10000000);
}

typedef struct agreement_value {
    uint32_t status;
    double number;
    char csv[80];
} agreement_value;

static agreement_value value_of_prfread(const prfdata_titles *titles, const prfdata_sample *older,
                                        const prfdata_sample *newer, bool is_capped)
{
    prfdata_resolver_path path = {0};
    prfdata_resolver_result result;
    prfdata_path_error error;
    prfdata_columns columns;
    prfdata_output output = {0};
    agreement_value value = {0};
    uint16_t chars[40];

    prfdata_columns_init(&columns, titles, (prfdata_text){0});
    assert_true(
        prfdata_resolver_read(&path, ascii_text("\\Object(a)\\Counter", chars), titles, &error));
    assert_int_equal(prfdata_columns_add(&columns, &path, newer, &result), ERROR_SUCCESS);
    assert_int_equal(prfdata_columns_compute(&columns, older, newer, is_capped), ERROR_SUCCESS);
    assert_int_equal(columns.count, 1);
    value.status = columns.items[0].status;
    value.number = columns.items[0].value.number;
    if (value.status == PRFDATA_STATUS_OK && !columns.items[0].is_text) {
        prfdata_csv_put_number(&output, &columns.items[0].value);
        prfdata_output_put(&output, "", 1);
        snprintf(value.csv, sizeof value.csv, "%s", output.bytes);
    }
    prfdata_output_free(&output);
    prfdata_columns_free(&columns);
    return value;
}

static void expect_same_in_top(const prfdata_titles *titles, const prfdata_sample *older,
                               const prfdata_sample *newer, const agreement_value *value,
                               bool is_capped)
{
    prfdata_resolver_path path = {0};
    prfdata_path_error error;
    prfdata_top_view view;
    uint16_t chars[40];
    const prfdata_cell *cell;

    assert_true(
        prfdata_resolver_read(&path, ascii_text("\\Object(a)\\Counter", chars), titles, &error));
    prfdata_top_view_init(&view, titles, is_capped);
    prfdata_top_view_begin(&view, older, newer);
    prfdata_top_view_add(&view, &path);
    assert_int_equal(prfdata_top_view_end(&view), ERROR_SUCCESS);
    assert_int_equal(view.list.row_count, 1);
    cell = &view.list.rows[0]->cells[PRFDATA_TOP_VALUE];
    assert_int_equal(cell->status, value->status);
    if (cell->status == PRFDATA_STATUS_OK)
        assert_true(cell->value.number == value->number);
    prfdata_top_view_free(&view);
}

/* Expect that the last sample of the chart's CSV has this number. The numbers are compared as
 * doubles, because a chart has doubles. */
static void expect_chart_csv(const prfdata_viewer *viewer, const char *number)
{
    prfdata_output output = {0};
    const char *last;

    prfdata_export_chart(&output, &viewer->chart, (prfdata_text){0});
    prfdata_output_put(&output, "", 1);
    last = strrchr(output.bytes, ',');
    assert_true(last && last[1] == '"' && strtod(last + 2, NULL) == strtod(number, NULL));
    prfdata_output_free(&output);
}

static void expect_table_csv(const prfdata_viewer *viewer, const char *number)
{
    prfdata_output output = {0};
    char expected[100];

    prfdata_export_table(&output, &viewer->table, false);
    prfdata_output_put(&output, "", 1);
    snprintf(expected, sizeof expected, "\"a\",\"%s\"", number);
    assert_non_null(strstr(output.bytes, expected));
    prfdata_output_free(&output);
}

/* Expect that the window shows the raw value as prfread's JSON has it or, if the type is
 * hexadecimal, in hexadecimal. */
static void expect_raw(prfdata_viewer *viewer, const prfdata_counter_type *type, uint64_t raw)
{
    const prfdata_number_style plain = {'.', 0};
    const bool is_signed =
        type->type == PERF_COUNTER_LARGE_RAWCOUNT || type->type == PERF_LARGE_RAW_FRACTION;
    char decimal[30];
    char expected[30];
    uint16_t chars[80];
    size_t count;

    raw = type->value_bytes == 8 ? raw : (uint32_t)raw;
    snprintf(decimal, sizeof decimal, is_signed ? "%lld" : "%llu", (long long)raw);
    snprintf(expected, sizeof expected, "%s", decimal);
    if (prfdata_number_is_hex(type->type))
        snprintf(expected, sizeof expected, "%llXh", (unsigned long long)raw);
    prfdata_viewer_show_raw(viewer, true);
    count = prfdata_table_text(&viewer->table, 0, 0, plain, chars, 80);
    assert_true(ascii_text_is((prfdata_text){chars, count}, expected));
    expect_table_csv(viewer, decimal);
    prfdata_viewer_show_raw(viewer, false);
}

/* If the type is hexadecimal, check that the table and the list of lines show no decimal number. */
static void expect_notation(const prfdata_viewer *viewer, uint32_t type)
{
    const prfdata_number_style style = {'.', ','};
    const prfdata_chart_series *series = viewer->chart.series[0];
    uint16_t chars[80];
    size_t count = prfdata_table_text(&viewer->table, 0, 0, style, chars, 80);

    if (!prfdata_number_is_hex(type))
        return;
    assert_true(count > 1 && chars[count - 1] == 'h' && chars[0] != '-');
    assert_int_equal(prfdata_table_short(&viewer->table, 0, 0, style, chars), 0);
    for (int is_short = 0; is_short < 2; is_short++) {
        count = prfdata_number_line(series->values[viewer->chart.count - 1], series->type,
                                    series->unit, is_short != 0, style, chars);
        assert_true(count > 1 && chars[count - 1] == 'h' && chars[0] != '-');
    }
}

static void expect_same_in_window(const prfdata_titles *titles, prfdata_sample *older,
                                  prfdata_sample *newer, const agreement_value *value,
                                  uint32_t type_number, uint64_t raw, bool is_capped)
{
    const prfdata_counter_type *type = prfdata_counter_types_find(type_number);
    const prfdata_viewer_observer observer = {0};
    const prfdata_viewer_words words = {0};
    const prfdata_title_set all = {0};
    prfdata_viewer viewer;
    prfdata_chart_key key = {OBJECT, COUNTER, {0}};
    const prfdata_cell *cell;
    uint16_t chars[4];
    double number;

    prfdata_viewer_init(&viewer, &observer, 1000000);
    viewer.titles = prfdata_viewer_borrow_titles(titles);
    viewer.is_live = true;
    prfdata_viewer_begin(&viewer, &words, NULL);
    prfdata_viewer_take(&viewer, older, &all, 0);
    prfdata_viewer_take(&viewer, newer, &all, 0);
    key.label = ascii_text("a", chars);
    prfdata_viewer_choose_object(&viewer, OBJECT);
    prfdata_viewer_add_line(&viewer, &key);
    prfdata_viewer_cap(&viewer, is_capped);
    number = viewer.chart.series[0]->values[1];
    cell = prfdata_table_cell_at(&viewer.table, 0, 0);
    assert_int_equal(cell->status, value->status);
    assert_int_equal(viewer.chart.series[0]->status, value->status);
    assert_int_equal(prfdata_scale_is_missing(number), value->status != PRFDATA_STATUS_OK);
    if (value->status == PRFDATA_STATUS_OK) {
        assert_true(cell->value.number == value->number && number == value->number);
        expect_table_csv(&viewer, value->csv);
        expect_chart_csv(&viewer, value->csv);
        expect_notation(&viewer, type_number);
        assert_true(!prfdata_number_is_hex(type_number) || value->csv[0] != '-');
        /* The list of lines and the saved picture show this number. */
        assert_true(prfdata_chart_statistics_of(&viewer.chart, 0).last == number);
    }
    expect_raw(&viewer, type, raw);
    prfdata_viewer_free(&viewer);
}

static void test_agreement_of_all_programs_for_every_type(void **state)
{
    prfdata_titles titles = {0};
    uint32_t percentages = 0;

    (void)state;
    view_title(&titles.english, OBJECT, "Object");
    view_title(&titles.english, COUNTER, "Counter");
    view_title(&titles.english, BASE, "Base");
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_at(i);

        if (type->value_bytes == 0 || (type->flags & (PRFDATA_TYPE_BASE | PRFDATA_TYPE_NOT_YET)))
            continue;
        for (uint32_t pair = 0; pair < EXTREMES * EXTREMES * 2; pair++) {
            const bool is_capped = pair % 2 == 0;
            const uint64_t before = extremes[pair / 2 % EXTREMES];
            const uint64_t after = extremes[pair / 2 / EXTREMES];
            prfdata_sample *older = sample_of_type(type, 100, before, 10);
            prfdata_sample *newer = sample_of_type(type, 110, after, 20);
            const agreement_value value = value_of_prfread(&titles, older, newer, is_capped);

            percentages += value.status == PRFDATA_STATUS_OK && is_capped && value.number == 100;
            expect_same_in_top(&titles, older, newer, &value, is_capped);
            expect_same_in_window(&titles, older, newer, &value, type->type, after, is_capped);
        }
    }
    assert_true(percentages > 50);
    prfdata_titles_free(&titles);
}

/* Make a sample of a rate of the instance "a", and of a counter that may be the id of the process
 * to which the instance belongs. */
static prfdata_sample *sample_of_owner(uint32_t title, uint32_t type, uint32_t second,
                                       uint64_t count, uint64_t owner)
{
    static wire w;
    size_t object;
    size_t values;

    memset(&w, 0, sizeof w);
    wire_begin(&w, 1);
    object = wire_object(&w, OBJECT, 2, 1, 0);
    wire_counter(&w, COUNTER, PERF_COUNTER_BULK_COUNT, 8, 8);
    wire_counter(&w, title, type, 8, 16);
    wire_instance(&w, 0, 0, -1, "a");
    values = wire_values(&w);
    wire_put32(&w, 0);
    wire_put64(&w, count);
    wire_put64(&w, owner);
    wire_values_end(&w, values);
    wire_object_end(&w, object);
    return view_end(&w, (uint64_t)second * 1000, (uint64_t)second * 10000000);
}

/* No program computes a rate across two processes that had the same name, even if the count has
 * grown. */
static void test_agreement_of_all_programs_about_another_process(void **state)
{
    static const struct {
        uint32_t title;
        uint32_t type;
        uint64_t owners[2];
        bool has_rate;
    } cases[] = {
        {784, PERF_COUNTER_LARGE_RAWCOUNT, {100, 100}, true},
        {784, PERF_COUNTER_LARGE_RAWCOUNT, {100, 200}, false},
        {804, PERF_COUNTER_LARGE_RAWCOUNT, {100, 200}, false},
        {684, PERF_ELAPSED_TIME, {100, 200}, false},
        {684, PERF_COUNTER_LARGE_RAWCOUNT, {100, 200}, true}, /* another type, so another meaning */
        {9784, PERF_COUNTER_LARGE_RAWCOUNT, {100, 200}, true}};
    prfdata_titles titles = {0};

    (void)state;
    view_title(&titles.english, OBJECT, "Object");
    view_title(&titles.english, COUNTER, "Counter");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_sample *older =
            sample_of_owner(cases[i].title, cases[i].type, 100, 1000, cases[i].owners[0]);
        prfdata_sample *newer =
            sample_of_owner(cases[i].title, cases[i].type, 110, 6000, cases[i].owners[1]);
        const agreement_value value = value_of_prfread(&titles, older, newer, true);

        assert_int_equal(value.status == PRFDATA_STATUS_OK, cases[i].has_rate);
        expect_same_in_top(&titles, older, newer, &value, true);
        expect_same_in_window(&titles, older, newer, &value, PERF_COUNTER_BULK_COUNT, 6000, true);
    }
    prfdata_titles_free(&titles);
}

/* If an object has no instances, the units are next to the values. Raw values have no unit. */
static void test_agreement_counters_that_are_rows_have_units(void **state)
{
    static wire w;
    const prfdata_viewer_observer observer = {0};
    const prfdata_viewer_words words = {0};
    const prfdata_title_set all = {0};
    const prfdata_number_style style = {'.', ','};
    prfdata_viewer viewer;
    uint16_t chars[80];
    size_t object;

    (void)state;
    prfdata_viewer_init(&viewer, &observer, 1000000);
    view_title(&viewer.titles.english, OBJECT, "Object");
    view_title(&viewer.titles.english, COUNTER, "Private Bytes");
    viewer.owns_titles = true;
    viewer.is_live = true;
    prfdata_viewer_begin(&viewer, &words, NULL);
    wire_begin(&w, 1);
    object = wire_object(&w, OBJECT, 1, PERF_NO_INSTANCES, 0);
    wire_counter(&w, COUNTER, PERF_COUNTER_LARGE_RAWCOUNT, 8, 8);
    wire_value64(&w, 5000);
    wire_object_end(&w, object);
    prfdata_viewer_take(&viewer, view_end(&w, 1000, 10000000), &all, 0);
    prfdata_viewer_choose_object(&viewer, OBJECT);
    assert_true(ascii_text_is(
        (prfdata_text){chars, prfdata_table_text(&viewer.table, 0, 0, style, chars, 80)},
        "5,000\xA0"
        "B"));
    prfdata_viewer_show_raw(&viewer, true);
    assert_true(ascii_text_is(
        (prfdata_text){chars, prfdata_table_text(&viewer.table, 0, 0, style, chars, 80)}, "5,000"));
    prfdata_viewer_free(&viewer);
}

static void test_agreement_counters_that_are_rows_have_the_units_of_maps(void **state)
{
    static const char name[] = "Time p99";
    static wire w;
    const prfdata_number_style style = {'.', ','};
    uint16_t chars[80];
    prfdata_text text = ascii_text(name, chars);
    prfdata_metric_table_entry entry = {.object_title = OBJECT,
                                        .counter_title = COUNTER,
                                        .type = PERF_COUNTER_RAWCOUNT,
                                        .metric = {.unit = "seconds", .factor = 1e-6}};
    prfdata_titles titles = {.metrics = {.items = &entry, .count = 1}};
    prfdata_table table;
    prfdata_sample *sample;
    bool has_changed;
    size_t object;

    (void)state;
    entry.name_hash = prfdata_names_hash(text.chars, text.count, 0);
    view_title(&titles.english, OBJECT, "Object");
    view_title(&titles.english, COUNTER, name);
    wire_begin(&w, 1);
    object = wire_object(&w, OBJECT, 1, PERF_NO_INSTANCES, 0);
    wire_counter(&w, COUNTER, PERF_COUNTER_RAWCOUNT, 4, 8);
    wire_value64(&w, 8447);
    wire_object_end(&w, object);
    sample = view_end(&w, 1000, 10000000);
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, OBJECT);
    assert_int_equal(prfdata_table_update(&table, NULL, sample, false, &has_changed),
                     ERROR_SUCCESS);
    text.count = prfdata_table_text(&table, 0, 0, style, chars, 80);
    assert_true(ascii_text_is(text, "8.45\xA0ms"));
    prfdata_table_free(&table);
    prfdata_sample_free(sample);
    prfdata_name_table_free(&titles.english);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement_of_all_programs_for_every_type),
        cmocka_unit_test(test_agreement_of_all_programs_about_another_process),
        cmocka_unit_test(test_agreement_counters_that_are_rows_have_units),
        cmocka_unit_test(test_agreement_counters_that_are_rows_have_the_units_of_maps),
    };

    return cmocka_run_group_tests_name("view_agreement", tests, NULL, NULL);
}
