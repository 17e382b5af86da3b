/* SPDX-License-Identifier: MIT */
/* Tests which lines are percentiles of one distribution, and how the area between two of them is
 * drawn. */
#include "support/test.h"

#include <math.h>

#include "view/bands.h"
#include "view_sample.h"

static const prfdata_chart_size size_of_window = {1000, 400, 16, 60, 60, 0};

static bool parse_path(const char *path, double *percentile)
{
    uint16_t chars[80];
    prfdata_bands_name name;

    if (!prfdata_bands_parse(ascii_text(path, chars), &name))
        return false;
    *percentile = name.percentile;
    return true;
}

static void test_bands_a_word_names_a_percentile(void **state)
{
    static const struct {
        const char *path;
        double percentile;
    } named[] = {{"\\Shop\\Time p50", 50},          {"\\Shop(a)\\Time p99.9", 99.9},
                 {"\\Shop\\Time (P95)", 95},        {"\\Shop\\time_p99_us", 99},
                 {"\\Shop\\Time p999", 99.9},       {"\\Shop\\Time p5, us", 5},
                 {"\\Shop\\p95 of p2.5 Times", 2.5}};
    static const char *const plain[] = {"\\Shop\\Time", "\\Shop\\Hop99", "\\Shop\\Time p",
                                        "\\Shop\\p50x", "\\Shop\\p100",  "\\Shop\\p501",
                                        "\\Shop\\p0",   "\\Shop\\4p50",  ""};
    double percentile = 0;

    (void)state;
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        assert_true(parse_path(named[i].path, &percentile));
        assert_true(fabs(percentile - named[i].percentile) < 1e-9);
    }
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        assert_false(parse_path(plain[i], &percentile));
}

/* Add a line whose titles no sample has, because only its path matters. */
static uint32_t add_line_bands(prfdata_chart *chart, const char *label, const char *path,
                               prfdata_unit unit)
{
    uint16_t label_chars[40];
    uint16_t path_chars[80];
    const prfdata_chart_key key = {QUEUE, 1000 + chart->series_count,
                                   ascii_text(label, label_chars)};
    uint32_t at;

    assert_int_equal(prfdata_chart_add(chart, &key, ascii_text(path, path_chars), unit, 0, &at),
                     ERROR_SUCCESS);
    return at;
}

static void test_bands_join_neighbouring_percentiles(void **state)
{
    prfdata_chart chart;
    uint32_t p50;
    uint32_t p90;
    uint32_t p95;
    uint32_t p99;

    (void)state;
    prfdata_chart_init(&chart);
    p95 = add_line_bands(&chart, "a", "\\Shop(a)\\Time p95", PRFDATA_NUMBER_NONE);
    p99 = add_line_bands(&chart, "a", "\\Shop(a)\\Time p99", PRFDATA_NUMBER_NONE);
    p50 = add_line_bands(&chart, "a", "\\Shop(a)\\Time p50", PRFDATA_NUMBER_NONE);
    p90 = add_line_bands(&chart, "a", "\\Shop(a)\\Time p90", PRFDATA_NUMBER_NONE);
    assert_int_equal(prfdata_bands_lower(&chart, p99), p95);
    assert_int_equal(prfdata_bands_lower(&chart, p95), p90);
    assert_int_equal(prfdata_bands_lower(&chart, p90), p50);
    assert_int_equal(prfdata_bands_lower(&chart, p50), PRFDATA_CHART_SERIES);
    assert_int_equal(prfdata_bands_upper(&chart, p50), p90);
    assert_int_equal(prfdata_bands_upper(&chart, p90), p95);
    assert_int_equal(prfdata_bands_upper(&chart, p99), PRFDATA_CHART_SERIES);
    assert_int_equal(prfdata_bands_first(&chart, p99), p50);
    assert_true(prfdata_bands_strength(&chart, p90) > prfdata_bands_strength(&chart, p95));
    assert_true(prfdata_bands_strength(&chart, p95) > prfdata_bands_strength(&chart, p99));
    chart.series[p95]->is_hidden = true;
    assert_int_equal(prfdata_bands_lower(&chart, p99), p90);
    assert_int_equal(prfdata_bands_lower(&chart, p95), PRFDATA_CHART_SERIES);
    /* The first line, which gives the colour, is the same even if other lines are hidden. */
    assert_int_equal(prfdata_bands_first(&chart, p95), p50);
    chart.hides_bands = true;
    assert_int_equal(prfdata_bands_lower(&chart, p99), PRFDATA_CHART_SERIES);
    assert_int_equal(prfdata_bands_first(&chart, p99), p99);
    prfdata_chart_free(&chart);
}

static void test_bands_do_not_join_what_is_of_something_else(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    (void)add_line_bands(&chart, "a", "\\Shop(a)\\Time p50", PRFDATA_NUMBER_NONE);
    (void)add_line_bands(&chart, "b", "\\Shop(b)\\Time p95", PRFDATA_NUMBER_NONE);
    (void)add_line_bands(&chart, "a", "\\Shop(a)\\Size p95", PRFDATA_NUMBER_NONE);
    (void)add_line_bands(&chart, "a", "\\Shop(a)\\Time p95 (ms)", PRFDATA_NUMBER_NONE);
    (void)add_line_bands(&chart, "a", "\\Shop(a)\\Time p95",
                         PRFDATA_NUMBER_SECONDS); /* a line in another pane */
    (void)add_line_bands(&chart, "a", "\\Shop(a)\\Time max", PRFDATA_NUMBER_NONE);
    (void)add_line_bands(&chart, "p50", "\\Shop(p50)\\Time", PRFDATA_NUMBER_NONE);
    (void)add_line_bands(&chart, "p95", "\\Shop(p95)\\Time", PRFDATA_NUMBER_NONE);
    for (uint32_t i = 0; i < chart.series_count; i++) {
        assert_int_equal(prfdata_bands_lower(&chart, i), PRFDATA_CHART_SERIES);
        assert_int_equal(prfdata_bands_first(&chart, i), i);
    }
    prfdata_chart_free(&chart);
}

/* In each pane, the areas of two distributions are filled. A third distribution has only lines. */
static void test_bands_of_two_distributions_are_filled(void **state)
{
    static const char *const labels[] = {"a", "b", "c", "d"};
    bool filled[PRFDATA_CHART_SERIES];
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    for (uint32_t i = 0; i < 4; i++) {
        const prfdata_unit unit = i < 3 ? PRFDATA_NUMBER_NONE : PRFDATA_NUMBER_SECONDS;

        (void)add_line_bands(&chart, labels[i], "\\Shop\\Time p50", unit);
        (void)add_line_bands(&chart, labels[i], "\\Shop\\Time p95", unit);
        (void)add_line_bands(&chart, labels[i], "\\Shop\\Time p99", unit);
    }
    prfdata_bands_find_filled(&chart, filled);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(filled[i], i % 3 != 0 && (i < 6 || i >= 9));
    for (uint32_t i = 0; i < 3; i++)
        chart.series[i]->is_hidden = true;
    prfdata_bands_find_filled(&chart, filled); /* now the area of c is filled, too */
    assert_true(!filled[1] && filled[4] && filled[7] && filled[10]);
    prfdata_chart_free(&chart);
}

/* There are five times. The upper line is always 30. The lower line is 10, except that it has no
 * value at the third time. */
static void test_bands_outline_is_between_both_lines_and_has_their_gaps(void **state)
{
    prfdata_bands_edge edges[1000];
    prfdata_chart_layout layout;
    prfdata_chart chart;
    uint32_t upper;
    uint32_t lower;

    (void)state;
    prfdata_chart_init(&chart);
    upper = add_line_bands(&chart, "", "\\Shop\\Time p95", PRFDATA_NUMBER_NONE);
    lower = add_line_bands(&chart, "", "\\Shop\\Time p50", PRFDATA_NUMBER_NONE);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(prfdata_chart_add_gap(&chart, i * INT64_C(30000)), ERROR_SUCCESS);
        chart.series[upper]->values[i] = 30;
        if (i != 2)
            chart.series[lower]->values[i] = 10;
    }
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_int_equal(prfdata_bands_outline(&chart, &layout, upper, lower, edges, 1000), 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(edges[i].begins, i == 0 || i == 2);
        assert_int_equal(edges[i].upper_y, prfdata_chart_layout_y(&layout.panes[0], 30));
        assert_int_equal(edges[i].lower_y, prfdata_chart_layout_y(&layout.panes[0], 10));
    }
    assert_int_equal(edges[3].x, prfdata_chart_layout_x(&layout, 120000));
    assert_int_equal(prfdata_bands_outline(&chart, &layout, upper, lower, edges, 3), 3);
    prfdata_chart_free(&chart);
}

/* An hour is drawn at the width of a window. The outline has about one edge for each column, and
 * includes the peak of the upper line. */
static void test_bands_outline_of_an_hour_is_an_edge_a_column(void **state)
{
    static prfdata_bands_edge edges[1000];
    prfdata_chart_layout layout;
    prfdata_chart chart;
    uint32_t upper;
    uint32_t lower;
    size_t count;
    bool has_peak = false;

    (void)state;
    prfdata_chart_init(&chart);
    upper = add_line_bands(&chart, "", "\\Shop\\Time p95", PRFDATA_NUMBER_NONE);
    lower = add_line_bands(&chart, "", "\\Shop\\Time p50", PRFDATA_NUMBER_NONE);
    for (uint32_t i = 0; i < 17000; i++) {
        assert_int_equal(prfdata_chart_add_gap(&chart, i * INT64_C(200)), ERROR_SUCCESS);
        if (i % 3 == 0)
            continue;
        chart.series[upper]->values[i] = i == 8765 ? 100 : 50 + i % 2;
        chart.series[lower]->values[i] = 10;
    }
    prfdata_chart_zoom(&chart, 1e9, prfdata_chart_end_ms(&chart));
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    count = prfdata_bands_outline(&chart, &layout, upper, lower, edges, 1000);
    assert_true(count > 800 && count <= (size_t)(layout.right - layout.left) + 2);
    for (size_t i = 0; i < count; i++)
        has_peak = has_peak || edges[i].upper_y == layout.panes[0].top;
    assert_true(has_peak);
    prfdata_chart_free(&chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bands_a_word_names_a_percentile),
        cmocka_unit_test(test_bands_join_neighbouring_percentiles),
        cmocka_unit_test(test_bands_do_not_join_what_is_of_something_else),
        cmocka_unit_test(test_bands_outline_is_between_both_lines_and_has_their_gaps),
        cmocka_unit_test(test_bands_outline_of_an_hour_is_an_edge_a_column),
        cmocka_unit_test(test_bands_of_two_distributions_are_filled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
