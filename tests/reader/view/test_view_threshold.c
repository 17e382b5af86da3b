/* SPDX-License-Identifier: MIT */
/* Tests conditions and thresholds: what users type, which values meet a condition, and what a
 * threshold marks. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/chart_layout.h"
#include "view/table.h"
#include "view_sample.h"

static const prfdata_number_style english = {'.', ','};
static const prfdata_number_style german = {',', '.'};

/* Takes the condition off the end of the text. Returns the text that is left and how the condition
 * is written, or "-" if there is no condition. */
static const char *taken(const char *typed, prfdata_number_style style)
{
    static char text[100];
    uint16_t chars[60];
    prfdata_text rest = ascii_text(typed, chars);
    prfdata_output output = {0};
    prfdata_condition condition;
    size_t used = 0;

    if (!prfdata_condition_take(&rest, style, &condition)) {
        assert_int_equal(condition.comparison, PRFDATA_COMPARISON_NONE);
        assert_int_equal(rest.count, strlen(typed));
        return "-";
    }
    for (; used < rest.count; used++)
        text[used] = (char)rest.chars[used];
    prfdata_condition_put(&condition, false, &output);
    (void)snprintf(text + used, sizeof text - used, "%s", view_text_of(&output));
    prfdata_output_free(&output);
    return text;
}

static void test_view_condition_is_what_the_user_types(void **state)
{
    (void)state;
    assert_string_equal(taken(">500", english), ">500");
    assert_string_equal(taken(" sql >= 1.5k ", english), "sql>=1500");
    assert_string_equal(taken("<-0.25", english), "<-0.25");
    assert_string_equal(taken("<=1,234,567", english), "<=1234567");
    assert_string_equal(taken("<=1.234,5", german), "<=1234.5");
    assert_string_equal(taken("> 90 %", english), ">90");
    assert_string_equal(taken(">2 G", english), ">2000000000");
    assert_string_equal(taken("a>b >3", english), "a>b>3");
    assert_string_equal(taken(">=BEEFh", english), ">=48879");
    assert_string_equal(taken("> 10H ", english), ">16");
    assert_string_equal(taken(">h", english), "-");
    assert_string_equal(taken(">xh", english), "-");
    assert_string_equal(taken("500", english), "-");
    assert_string_equal(taken(">", english), "-");
    assert_string_equal(taken(">k", english), "-");
    assert_string_equal(taken(">5 orders", english), "-");
    assert_string_equal(taken("a>b", english), "-");
    assert_string_equal(taken(">1.2.3", english), "-");
    assert_string_equal(taken(">--1", english), "-");
    assert_string_equal(taken("", english), "-");
}

/* A workspace keeps conditions as text, so a number that would become too long is refused, and a
 * small number keeps its digits. */
static void test_view_condition_that_is_taken_can_be_read_again(void **state)
{
    static const char *const typed[] = {">9999999999999999999999999999999999999999999999999",
                                        ">9999999999999999999999999999999999P",
                                        "<FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFh"};
    static const char *const kept[] = {"<=-0.00000012345678",
                                       ">0.00000000000000000000000000000000001", ">=0", "<-1234.5"};

    (void)state;
    for (size_t i = 0; i < sizeof typed / sizeof typed[0]; i++) {
        char written[100];

        (void)snprintf(written, sizeof written, "%s", taken(typed[i], english));
        assert_string_not_equal(written, "-");
        assert_string_equal(taken(written, english), written);
    }
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        assert_string_equal(taken(kept[i], english), kept[i]);
    assert_string_equal(taken(">1000000000000000000000000000000000000P", english), "-");
    assert_string_equal(taken(">0.000000000000000000000000000000000001", english), "-");
}

static const char *written_hex(prfdata_comparison comparison, double number)
{
    static char text[40];
    const prfdata_condition condition = {comparison, number};
    prfdata_output output = {0};

    prfdata_condition_put(&condition, true, &output);
    (void)snprintf(text, sizeof text, "%s", view_text_of(&output));
    prfdata_output_free(&output);
    return text;
}

static void test_view_condition_of_a_hexadecimal_counter_is_hexadecimal(void **state)
{
    (void)state;
    assert_string_equal(written_hex(PRFDATA_COMPARISON_AT_LEAST, 0xBEEF), ">=BEEFh");
    assert_string_equal(written_hex(PRFDATA_COMPARISON_ABOVE, 10), ">Ah");
    assert_string_equal(written_hex(PRFDATA_COMPARISON_AT_MOST, 0), "<=0h");
    assert_string_equal(written_hex(PRFDATA_COMPARISON_BELOW, 18446744073709551616.0),
                        "<FFFFFFFFFFFFFFFFh");
    assert_string_equal(taken("<FFFFFFFFFFFFFFFFh", english), "<18446744073709551616");
    /* No hexadecimal counter can have these values, so they are written in decimal. */
    assert_string_equal(written_hex(PRFDATA_COMPARISON_ABOVE, 0.5), ">0.5");
    assert_string_equal(written_hex(PRFDATA_COMPARISON_ABOVE, -16), ">-16");
    assert_string_equal(written_hex(PRFDATA_COMPARISON_BELOW, 1e20), "<100000000000000000000");
    assert_string_equal(written_hex(PRFDATA_COMPARISON_NONE, 16), "");
    /* Without an h a number is decimal. */
    assert_string_equal(taken(">10", english), ">10");
    assert_string_equal(taken(">BEEF", english), "-");
}

static void test_view_condition_holds_for_numbers_only(void **state)
{
    static const struct {
        prfdata_comparison comparison;
        bool below, same, above;
    } rows[] = {{PRFDATA_COMPARISON_NONE, false, false, false},
                {PRFDATA_COMPARISON_ABOVE, false, false, true},
                {PRFDATA_COMPARISON_AT_LEAST, false, true, true},
                {PRFDATA_COMPARISON_BELOW, true, false, false},
                {PRFDATA_COMPARISON_AT_MOST, true, true, false}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const prfdata_condition condition = {rows[i].comparison, 5};

        assert_int_equal(prfdata_condition_holds(&condition, 4.5), rows[i].below);
        assert_int_equal(prfdata_condition_holds(&condition, 5), rows[i].same);
        assert_int_equal(prfdata_condition_holds(&condition, 5.5), rows[i].above);
        assert_false(prfdata_condition_holds(&condition, (double)NAN));
        assert_false(prfdata_condition_holds(&condition, (double)INFINITY));
        assert_false(prfdata_condition_holds(&condition, -(double)INFINITY));
    }
}

static prfdata_condition above(double number)
{
    return (prfdata_condition){PRFDATA_COMPARISON_ABOVE, number};
}

/* The threshold of a counter applies to the cells of all of its instances. A condition hides rows
 * until they meet it. */
static void test_view_threshold_marks_cells_and_a_condition_hides_rows(void **state)
{
    static const view_row before[] = {{"a", 500, 0}, {"b", 501, 1000}, {"c", 9, 2000}};
    static const view_row now[] = {{"a", 500, 2000}, {"b", 501, 1002}, {"c", 9, 5}};
    prfdata_titles titles = view_titles();
    prfdata_sample *older = view_sample(1, before, 3);
    prfdata_sample *newer = view_sample(3, now, 3);
    prfdata_thresholds thresholds = {0};
    uint16_t object[8];
    uint16_t counter[12];
    prfdata_table table;
    bool columns;

    (void)state;
    prfdata_table_init(&table, &titles);
    table.thresholds = &thresholds;
    prfdata_table_choose(&table, QUEUE);
    prfdata_thresholds_set(&thresholds, ascii_text("queue", object), ascii_text("depth", counter),
                           above(500));
    assert_int_equal(prfdata_table_update(&table, older, newer, true, &columns), ERROR_SUCCESS);
    assert_false(prfdata_table_is_beyond(&table, table.shown[0], 0));
    assert_true(prfdata_table_is_beyond(&table, table.shown[1], 0));
    assert_false(prfdata_table_is_beyond(&table, table.shown[2], 0));
    assert_false(prfdata_table_is_beyond(&table, table.shown[0], 1));
    prfdata_thresholds_set(&thresholds, ascii_text("Queue", object),
                           ascii_text("Bytes/sec", counter), above(999));
    prfdata_table_apply_thresholds(&table);
    assert_true(prfdata_table_is_beyond(&table, table.shown[0], 1));
    /* c restarted, so it has no rate. */
    assert_false(prfdata_table_is_beyond(&table, table.shown[2], 1));
    prfdata_thresholds_set(&thresholds, ascii_text("Queue", object), ascii_text("Depth", counter),
                           (prfdata_condition){0});
    prfdata_table_apply_thresholds(&table);
    assert_false(prfdata_table_is_beyond(&table, table.shown[1], 0));
    assert_int_equal(thresholds.count, 1);
    table.condition = above(400);
    assert_true(prfdata_table_arrange(&table));
    assert_int_equal(table.shown_count, 2);
    table.condition_column = 1;
    assert_true(prfdata_table_arrange(&table));
    assert_int_equal(table.shown_count, 1); /* without a value c meets no condition */
    assert_int_equal(prfdata_table_update(&table, newer, older, true, &columns), ERROR_SUCCESS);
    assert_int_equal(table.shown_count, 0); /* time goes back, so no row has a rate */
    prfdata_table_free(&table);
    prfdata_thresholds_free(&thresholds);
    prfdata_sample_free(older);
    prfdata_sample_free(newer);
    prfdata_titles_free(&titles);
}

static void test_view_threshold_is_within_the_scale(void **state)
{
    const prfdata_chart_size size = {800, 400, 16, 60, 60, 0};
    uint16_t label[2];
    uint16_t path[20];
    const prfdata_chart_key key = {QUEUE, DEPTH, ascii_text("a", label)};
    prfdata_chart_layout layout;
    prfdata_chart chart;
    uint32_t at;

    (void)state;
    prfdata_chart_init(&chart);
    assert_int_equal(prfdata_chart_add(&chart, &key, ascii_text("\\Queue(a)\\Depth", path),
                                       PRFDATA_NUMBER_NONE, 0, &at),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_chart_add_time(&chart, 1000), ERROR_SUCCESS);
    chart.series[0]->values[0] = 80;
    prfdata_chart_layout_make(&chart, &size, &layout);
    assert_true(layout.panes[0].scale.high >= 80 && layout.panes[0].scale.high <= 100);
    chart.series[0]->threshold = above(500);
    prfdata_chart_layout_make(&chart, &size, &layout);
    assert_true(layout.panes[0].scale.high >= 500);
    assert_true(prfdata_chart_layout_y(&layout.panes[0], 500) <
                prfdata_chart_layout_y(&layout.panes[0], 80));
    chart.series[0]->threshold = above(-500);
    prfdata_chart_layout_make(&chart, &size, &layout);
    assert_true(layout.panes[0].scale.low <= -500);
    chart.series[0]->is_log = true; /* a logarithmic scale has no place for -500 */
    prfdata_chart_layout_make(&chart, &size, &layout);
    assert_true(layout.panes[0].scale.low > 0);
    chart.series[0]->threshold = above(0.02);
    prfdata_chart_layout_make(&chart, &size, &layout);
    assert_true(layout.panes[0].scale.low <= 0.02);
    prfdata_chart_free(&chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view_condition_is_what_the_user_types),
        cmocka_unit_test(test_view_condition_that_is_taken_can_be_read_again),
        cmocka_unit_test(test_view_condition_of_a_hexadecimal_counter_is_hexadecimal),
        cmocka_unit_test(test_view_condition_holds_for_numbers_only),
        cmocka_unit_test(test_view_threshold_marks_cells_and_a_condition_hides_rows),
        cmocka_unit_test(test_view_threshold_is_within_the_scale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
