/* SPDX-License-Identifier: MIT */
/* Tests the strip of all samples: no value is lost, and the visible part follows the pointer. */
#include "support/test.h"

#include <math.h>

#include "view/chart_layout.h"
#include "view/overview.h"
#include "view_sample.h"

enum { SECONDS = 200000 }; /* more than two days */

static prfdata_chart *days_of_samples(prfdata_chart *chart)
{
    uint16_t label[2];
    uint16_t path[20];
    const prfdata_chart_key key = {QUEUE, DEPTH, ascii_text("a", label)};
    uint32_t at;

    prfdata_chart_init(chart);
    chart->most_samples = PRFDATA_CHART_FILE_SAMPLES;
    chart->fit_ms = PRFDATA_CHART_MOST_SPAN_MS;
    assert_int_equal(prfdata_chart_add(chart, &key, ascii_text("\\Queue(a)\\Depth", path),
                                       PRFDATA_NUMBER_NONE, 0, &at),
                     ERROR_SUCCESS);
    for (uint32_t i = 0; i < SECONDS; i++) {
        assert_int_equal(prfdata_chart_add_time(chart, (int64_t)i * 1000), ERROR_SUCCESS);
        chart->series[0]->values[i] = 10;
    }
    return chart;
}

/* Chart and strip show more than two days at once. They still show a peak of one second. The strip
 * also shows a fall of one second and a gap. */
static void test_view_overview_loses_no_peak_of_days(void **state)
{
    static prfdata_overview_column columns[1000];
    static prfdata_chart_point points[4 * 1000 + 8];
    const prfdata_chart_size size = {1000, 400, 16, 60, 60, 0};
    prfdata_overview overview = {.left = 10, .right = 909, .top = 100, .bottom = 130};
    prfdata_chart_layout layout;
    prfdata_chart chart;
    uint32_t count;
    uint32_t highest = 0;
    uint32_t lowest = 0;
    uint32_t empty = 0;
    size_t point_count;
    bool is_peak = false;

    (void)state;
    days_of_samples(&chart);
    assert_int_equal(chart.count, SECONDS);
    chart.series[0]->values[123456] = 100;
    chart.series[0]->values[150000] = 0;
    for (uint32_t i = 50000; i < 60000; i++)
        chart.series[0]->values[i] = (double)NAN;
    assert_true(prfdata_overview_make(&chart, &overview));
    count = prfdata_overview_columns(&chart, &overview, 0, columns, 1000);
    assert_int_equal(count, 900);
    for (uint32_t i = 0; i < count; i++) {
        empty += columns[i].is_empty;
        if (columns[i].is_empty)
            continue;
        highest += columns[i].high == overview.top;
        lowest += columns[i].low == overview.bottom;
    }
    assert_int_equal(highest, 1);
    assert_int_equal(lowest, 1);
    assert_true(empty >= 44 && empty <= 45); /* 10,000 of 200,000 s are 45 of 900 columns */
    assert_int_equal(chart.span_ms, INT64_C(1000) * (SECONDS - 1));
    prfdata_chart_layout_make(&chart, &size, &layout);
    point_count = prfdata_chart_layout_line(&chart, &layout, 0, points, 4 * 1000 + 8);
    for (size_t i = 0; i < point_count; i++)
        is_peak = is_peak || points[i].y == layout.panes[0].top;
    assert_true(is_peak);
    prfdata_chart_free(&chart);
}

/* The pointer drags the visible part or one of its ends. The visible part stays within the
 * samples. */
static void test_view_overview_moves_the_visible_part(void **state)
{
    prfdata_overview overview = {.left = 0, .right = 1000, .top = 0, .bottom = 20};
    prfdata_chart chart;
    int32_t begin;
    int32_t end;

    (void)state;
    days_of_samples(&chart);
    assert_true(prfdata_overview_make(&chart, &overview));
    prfdata_chart_show(&chart, 50000000, 100000000);
    assert_int_equal(chart.span_ms, 50000000);
    assert_false(chart.follows);
    begin = prfdata_overview_x(&overview, 50000000);
    end = prfdata_overview_x(&overview, 100000000);
    assert_int_equal(prfdata_overview_at(&chart, &overview, begin, 4), PRFDATA_OVERVIEW_BEGIN);
    assert_int_equal(prfdata_overview_at(&chart, &overview, end, 4), PRFDATA_OVERVIEW_END);
    assert_int_equal(prfdata_overview_at(&chart, &overview, (begin + end) / 2, 4),
                     PRFDATA_OVERVIEW_WINDOW);
    assert_int_equal(prfdata_overview_at(&chart, &overview, end + 50, 4), PRFDATA_OVERVIEW_OUTSIDE);
    prfdata_overview_drag(&chart, &overview, PRFDATA_OVERVIEW_WINDOW, 500, 10000000);
    assert_int_equal(chart.span_ms, 50000000);
    assert_int_equal(prfdata_chart_begin_ms(&chart),
                     prfdata_overview_time(&overview, 500) - 10000000);
    prfdata_overview_drag(&chart, &overview, PRFDATA_OVERVIEW_BEGIN, 100, 0);
    assert_int_equal(prfdata_chart_begin_ms(&chart), prfdata_overview_time(&overview, 100));
    prfdata_overview_drag(&chart, &overview, PRFDATA_OVERVIEW_WINDOW, -5000, 0);
    assert_int_equal(prfdata_chart_begin_ms(&chart), 0);
    prfdata_overview_drag(&chart, &overview, PRFDATA_OVERVIEW_END, 5000, 0);
    assert_true(chart.follows); /* it ends with the newest sample */
    prfdata_overview_drag(&chart, &overview, PRFDATA_OVERVIEW_OUTSIDE, 500, 0);
    prfdata_overview_drag(&chart, &overview, PRFDATA_OVERVIEW_BEGIN, 5000, 0);
    assert_int_equal(chart.span_ms, PRFDATA_CHART_LEAST_SPAN_MS);
    prfdata_chart_show_all(&chart);
    assert_int_equal(prfdata_chart_begin_ms(&chart), 0);
    assert_int_equal(prfdata_chart_end_ms(&chart), INT64_C(1000) * (SECONDS - 1));
    prfdata_chart_zoom(&chart, 10, 0); /* zooms out no farther than to all samples */
    assert_int_equal(chart.span_ms, INT64_C(1000) * (SECONDS - 1));
    prfdata_chart_free(&chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view_overview_loses_no_peak_of_days),
        cmocka_unit_test(test_view_overview_moves_the_visible_part),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
