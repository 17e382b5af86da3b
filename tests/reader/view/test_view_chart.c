/* SPDX-License-Identifier: MIT */
/* Tests the chart, from samples to pixels. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/chart_layout.h"
#include "view/histogram.h"
#include "view_sample.h"

static const prfdata_chart_size size_of_window = {1000, 400, 16, 60, 60, 0};

static prfdata_chart_key key_of_chart(uint32_t counter, const char *label, uint16_t *chars)
{
    return (prfdata_chart_key){QUEUE, counter, ascii_text(label, chars)};
}

static uint32_t add_series(prfdata_chart *chart, uint32_t counter, const char *label,
                           prfdata_unit unit)
{
    uint16_t chars[40];
    uint16_t path[40];
    const prfdata_chart_key key = key_of_chart(counter, label, chars);
    uint32_t at;

    assert_int_equal(prfdata_chart_add(chart, &key, ascii_text("\\path", path), unit, 0, &at),
                     ERROR_SUCCESS);
    return at;
}

/* Add the depths of instance "a", one per second. A depth of -1 means that the instance does not
 * exist. */
static void add_depths(prfdata_chart *chart, const int32_t *depths, uint32_t count)
{
    prfdata_sample *older = NULL;

    for (uint32_t i = 0; i < count; i++) {
        const view_row row = {"a", (uint32_t)depths[i], 100 * i};
        prfdata_sample *newer = view_sample(i + 1, &row, depths[i] >= 0);

        view_chart_sample(chart, (i + 1) * INT64_C(1000), older, newer);
        prfdata_sample_free(older);
        older = newer;
    }
    prfdata_sample_free(older);
}

static void test_chart_series_have_values_of_each_sample_or_none(void **state)
{
    static const int32_t depths[] = {5, 7, -1, 9};
    prfdata_chart chart;
    uint32_t depth;
    uint32_t rate;
    prfdata_chart_statistics all;

    (void)state;
    prfdata_chart_init(&chart);
    depth = add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    rate = add_series(&chart, RATE, "A", PRFDATA_NUMBER_PER_SECOND);
    add_depths(&chart, depths, 4);
    assert_true(chart.series[depth]->values[1] == 7);
    assert_true(prfdata_scale_is_missing(chart.series[depth]->values[2]));
    assert_true(prfdata_scale_is_missing(chart.series[rate]->values[0]));
    assert_true(chart.series[rate]->values[1] == 100);
    assert_true(
        /* The sample before has no value, so there is no rate. */
        prfdata_scale_is_missing(chart.series[rate]->values[3]));
    assert_int_equal(chart.series[rate]->status, PRFDATA_STATUS_ONE_SAMPLE);
    all = prfdata_chart_statistics_of(&chart, depth);
    assert_int_equal(all.count, 3);
    assert_true(all.least == 5 && all.most == 9 && all.last == 9 && all.mean == 7);
    prfdata_chart_free(&chart);
}

static void test_chart_refuses_a_series_twice_and_too_many(void **state)
{
    prfdata_chart chart;
    uint16_t chars[40];
    uint16_t path[40];
    prfdata_chart_key key = key_of_chart(DEPTH, "A", chars);
    uint32_t at = 99;
    uint32_t id;

    (void)state;
    prfdata_chart_init(&chart);
    assert_int_equal(add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE), 0);
    assert_int_equal(
        prfdata_chart_add(&chart, &key, ascii_text("p", path), PRFDATA_NUMBER_NONE, 0, &at),
        ERROR_ALREADY_EXISTS);
    assert_int_equal(at, 0);
    for (uint32_t i = 1; i < PRFDATA_CHART_SERIES; i++) {
        char name[16];

        snprintf(name, sizeof name, "i%u", (unsigned)i);
        assert_int_equal(add_series(&chart, DEPTH, name, PRFDATA_NUMBER_NONE), i);
        assert_int_equal(chart.series[i]->colour, i);
    }
    key = key_of_chart(DEPTH, "one more", chars);
    assert_int_equal(
        prfdata_chart_add(&chart, &key, ascii_text("p", path), PRFDATA_NUMBER_NONE, 0, &at),
        ERROR_MORE_DATA);
    id = chart.series[3]->id;
    prfdata_chart_remove(&chart, 3);
    assert_int_equal(add_series(&chart, DEPTH, "again", PRFDATA_NUMBER_NONE),
                     PRFDATA_CHART_SERIES - 1);
    /* The new line has the colour of the removed one. */
    assert_int_equal(chart.series[PRFDATA_CHART_SERIES - 1]->colour, 3);
    for (uint32_t i = 0; i < PRFDATA_CHART_SERIES;
         i++) { /* a new line has an id that no earlier line had */
        const uint32_t other = chart.series[i]->id;

        assert_int_not_equal(other, id);
        assert_true(i == 0 || chart.series[i - 1]->id < other);
    }
    prfdata_chart_free(&chart);
}

/* A line's current value is its last one, which becomes older with samples of other objects. If the
 * instance has ended, the line has no current value. */
static void test_chart_last_value_is_that_of_now(void **state)
{
    static const int32_t depths[] = {5, 7};
    prfdata_chart_statistics all;
    prfdata_sample *sample;
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    (void)add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    add_depths(&chart, depths, 2);
    all = prfdata_chart_statistics_of(&chart, 0);
    assert_true(all.last == 7 && all.age_ms == 0);
    assert_int_equal(prfdata_chart_add_time(&chart, 5500),
                     ERROR_SUCCESS); /* a sample of another object */
    all = prfdata_chart_statistics_of(&chart, 0);
    assert_true(all.last == 7);
    assert_int_equal(all.age_ms, 5500 - chart.times_ms[1]);
    sample = view_sample(6, NULL, 0); /* the instance has ended */
    view_chart_sample(&chart, 6000, NULL, sample);
    all = prfdata_chart_statistics_of(&chart, 0);
    assert_true(prfdata_scale_is_missing(all.last) && all.age_ms == 0);
    assert_true(all.count == 2 && all.most == 7);
    prfdata_sample_free(sample);
    prfdata_chart_free(&chart);
}

static void test_chart_has_no_mean_of_hexadecimal_numbers(void **state)
{
    static const int32_t depths[] = {5, 40};
    prfdata_chart chart;
    double mean;
    uint32_t a;

    (void)state;
    prfdata_chart_init(&chart);
    a = add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    add_depths(&chart, depths, 2);
    assert_true(prfdata_chart_statistics_of(&chart, a).mean == 22.5);
    chart.series[a]->type = PERF_COUNTER_RAWCOUNT_HEX;
    mean = prfdata_chart_statistics_of(&chart, a).mean;
    assert_false(prfdata_compute_is_finite(mean));
    assert_true(prfdata_chart_statistics_of(&chart, a).most == 40);
    prfdata_chart_free(&chart);
}

static void test_chart_fill_gives_past_values(void **state)
{
    static const int32_t depths[] = {5, 7, 8};
    const view_row row = {"a", 7, 0};
    prfdata_sample *sample = view_sample(2, &row, 1);
    prfdata_chart chart;
    uint32_t at;

    (void)state;
    prfdata_chart_init(&chart);
    add_depths(&chart, depths, 3);
    at = add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    assert_true(prfdata_scale_is_missing(chart.series[at]->values[1]));
    prfdata_chart_fill(&chart, at, 2000, NULL, sample);
    prfdata_chart_fill(&chart, at, 2001, NULL, sample); /* the chart has no sample at this time */
    assert_true(chart.series[at]->values[1] == 7);
    assert_true(prfdata_scale_is_missing(chart.series[at]->values[2]));
    prfdata_sample_free(sample);
    prfdata_chart_free(&chart);
}

static void test_chart_keeps_an_hour_and_drops_the_oldest(void **state)
{
    prfdata_chart chart;
    uint32_t at;

    (void)state;
    prfdata_chart_init(&chart);
    at = add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    for (uint32_t i = 0; i < PRFDATA_CHART_SAMPLES + 10; i++) {
        assert_int_equal(prfdata_chart_add_gap(&chart, i * INT64_C(200)), ERROR_SUCCESS);
        chart.series[at]->values[chart.count - 1] = i;
    }
    assert_true(chart.count > PRFDATA_CHART_SAMPLES / 2 && chart.count <= PRFDATA_CHART_SAMPLES);
    assert_true(chart.series[at]->values[chart.count - 1] == PRFDATA_CHART_SAMPLES + 9);
    assert_true(chart.series[at]->values[0] * 200 == (double)chart.times_ms[0]);
    assert_int_equal(prfdata_chart_at(&chart, chart.times_ms[7]), 7);
    assert_int_equal(prfdata_chart_at(&chart, chart.times_ms[7] + 1), UINT32_MAX);
    /* The sample at this time was dropped. */
    assert_int_equal(prfdata_chart_at(&chart, 0), UINT32_MAX);
    assert_int_equal(prfdata_chart_at(&chart, chart.times_ms[chart.count - 1] + 1), UINT32_MAX);
    assert_int_equal(prfdata_chart_add_gap(&chart, 5), ERROR_SUCCESS); /* the clock was set back */
    assert_true(chart.times_ms[chart.count - 1] > chart.times_ms[chart.count - 2]);
    prfdata_chart_free(&chart);
}

static void test_chart_zooms_around_a_time_and_scrolls_within_its_samples(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    for (uint32_t i = 0; i <= 1000; i++)
        assert_int_equal(prfdata_chart_add_gap(&chart, i * INT64_C(1000)), ERROR_SUCCESS);
    assert_int_equal(prfdata_chart_end_ms(&chart), 1000000);
    assert_int_equal(prfdata_chart_begin_ms(&chart), 880000);
    prfdata_chart_zoom(&chart, 0.5, 910000);
    assert_int_equal(chart.span_ms, 60000);
    /* 910000 stays at a quarter of the width. */
    assert_int_equal(prfdata_chart_begin_ms(&chart), 895000);
    assert_false(chart.follows);
    prfdata_chart_scroll(&chart, -100000000);
    assert_int_equal(prfdata_chart_begin_ms(&chart), 0);
    prfdata_chart_scroll(&chart, 100000000);
    assert_true(chart.follows);
    prfdata_chart_zoom(&chart, 0.0001, 990000);
    assert_int_equal(chart.span_ms, PRFDATA_CHART_LEAST_SPAN_MS);
    prfdata_chart_zoom(&chart, 1e9, 990000);
    assert_int_equal(chart.span_ms, PRFDATA_CHART_HOUR_MS);
    prfdata_chart_free(&chart);
}

static void test_chart_nearest_is_the_sample_under_the_pointer(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    assert_int_equal(prfdata_chart_nearest(&chart, 5), UINT32_MAX);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(prfdata_chart_add_gap(&chart, i * INT64_C(1000)), ERROR_SUCCESS);
    assert_int_equal(prfdata_chart_nearest(&chart, 1400), 1);
    assert_int_equal(prfdata_chart_nearest(&chart, 1600), 2);
    assert_int_equal(prfdata_chart_nearest(&chart, -50000), 0);
    assert_int_equal(prfdata_chart_nearest(&chart, 50000), 4);
    prfdata_chart_free(&chart);
}

/* ---- Pixels ---- */

static void test_layout_has_a_pane_for_each_unit_and_stack(void **state)
{
    static const int32_t depths[] = {5, 40};
    prfdata_chart chart;
    prfdata_chart_layout layout;
    uint32_t a;
    uint32_t b;

    (void)state;
    prfdata_chart_init(&chart);
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_int_equal(layout.pane_count, 1);
    a = add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    b = add_series(&chart, RATE, "a", PRFDATA_NUMBER_PER_SECOND);
    add_depths(&chart, depths, 2);
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_int_equal(layout.pane_count, 2);
    assert_true(layout.panes[0].bottom < layout.panes[1].top);
    assert_true(layout.panes[1].bottom < size_of_window.height);
    assert_int_equal(prfdata_chart_layout_pane(&layout, chart.series[a]), 0);
    assert_int_equal(prfdata_chart_layout_pane(&layout, chart.series[b]), 1);
    assert_true(layout.panes[0].scale.high == 40);
    chart.series[b]->unit = PRFDATA_NUMBER_NONE;
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_int_equal(layout.pane_count, 1);
    assert_true(layout.panes[0].scale.high == 100); /* one scale for both lines */
    chart.series[b]->stack = 1;
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_int_equal(layout.pane_count, 2);
    chart.series[a]->is_hidden = true;
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_int_equal(layout.pane_count, 1);
    assert_int_equal(prfdata_chart_layout_pane(&layout, chart.series[a]), PRFDATA_CHART_PANES);
    prfdata_chart_free(&chart);
}

/* Each line has its own pane. There is room for all of them, because the chart scrolls. No pane is
 * lower than four lines of text. */
static void test_layout_scrolls_panes_that_have_no_room(void **state)
{
    prfdata_chart_size size = size_of_window;
    prfdata_chart chart;
    prfdata_chart_layout layout;
    int32_t top;
    int32_t bottom;
    char name[16];

    (void)state;
    prfdata_chart_init(&chart);
    for (uint32_t i = 0; i < PRFDATA_CHART_SERIES; i++) {
        snprintf(name, sizeof name, "i%u", (unsigned)i);
        chart.series[add_series(&chart, DEPTH, name, PRFDATA_NUMBER_NONE)]->stack = i + 1;
    }
    size.scroll = -5;
    prfdata_chart_layout_make(&chart, &size, &layout);
    assert_int_equal(layout.pane_count, PRFDATA_CHART_SERIES);
    assert_int_equal(layout.scroll, 0);
    assert_true(layout.panes[0].bottom - layout.panes[0].top >= 4 * size.text_height);
    size.scroll = 100;
    prfdata_chart_layout_make(&chart, &size, &layout);
    assert_int_equal(layout.scroll, 100);
    assert_true(layout.panes[0].top < 0);
    /* The vertical line that marks a time crosses all panes. */
    prfdata_chart_layout_moment(&layout, &top, &bottom);
    assert_int_equal(top, 0);
    assert_int_equal(bottom, layout.room);
    size.scroll = 1000000;
    prfdata_chart_layout_make(&chart, &size, &layout);
    assert_true(layout.panes[PRFDATA_CHART_SERIES - 1].bottom <= layout.room);
    assert_true(layout.panes[PRFDATA_CHART_SERIES - 1].bottom > layout.room - size.text_height);
    size.height = prfdata_chart_layout_height(&layout, &size);
    prfdata_chart_layout_make(&chart, &size, &layout);
    assert_int_equal(layout.scroll, 0);
    prfdata_chart_layout_moment(&layout, &top, &bottom);
    assert_int_equal(top, layout.panes[0].top);
    assert_int_equal(bottom, layout.panes[PRFDATA_CHART_SERIES - 1].bottom);
    assert_int_equal(prfdata_chart_layout_height(&layout, &size), size.height);
    prfdata_chart_free(&chart);
}

/* A pane is never higher than the visible area, and never empty. */
static void test_layout_of_a_low_chart_has_its_pane_whole(void **state)
{
    prfdata_chart_size size = size_of_window;
    prfdata_chart chart;
    prfdata_chart_layout layout;

    (void)state;
    prfdata_chart_init(&chart);
    for (size.height = 0; size.height < 200; size.height++) {
        prfdata_chart_layout_make(&chart, &size, &layout);
        assert_true(layout.panes[0].bottom > layout.panes[0].top);
        assert_int_equal(layout.scroll, 0);
        assert_int_equal(prfdata_chart_layout_height(&layout, &size), size.height);
    }
    prfdata_chart_free(&chart);
}

/* The panes either fit, or there is at least one line of text to scroll. The only exception is a
 * chart with less room than one line of text. */
static void test_layout_scrolls_by_no_few_pixels(void **state)
{
    prfdata_chart_size size = size_of_window;
    prfdata_chart chart;
    prfdata_chart_layout layout;
    char name[16];

    (void)state;
    prfdata_chart_init(&chart);
    for (uint32_t i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "i%u", (unsigned)i);
        chart.series[add_series(&chart, DEPTH, name, PRFDATA_NUMBER_NONE)]->stack = i + 1;
        for (size.height = 0; size.height < 1000; size.height++) {
            int32_t excess;

            prfdata_chart_layout_make(&chart, &size, &layout);
            excess = prfdata_chart_layout_height(&layout, &size) - size.height;
            assert_true(excess == 0 || excess >= size.text_height ||
                        layout.room < size.text_height);
            assert_true(layout.pane_count == 1 ||
                        layout.panes[0].bottom - layout.panes[0].top >= size.text_height * 3 ||
                        layout.room < size.text_height * 5);
        }
    }
    prfdata_chart_free(&chart);
}

static void test_layout_line_breaks_where_a_value_is_missing(void **state)
{
    static const int32_t depths[] = {0, 50, -1, 20, 20};
    prfdata_chart_point points[64];
    prfdata_chart chart;
    prfdata_chart_layout layout;
    uint32_t at;

    (void)state;
    prfdata_chart_init(&chart);
    at = add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    add_depths(&chart, depths, 5);
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_int_equal(prfdata_chart_layout_line(&chart, &layout, at, points, 64), 4);
    assert_true(points[0].begins && !points[1].begins && points[2].begins && !points[3].begins);
    assert_int_equal(points[0].y, layout.panes[0].bottom);
    assert_int_equal(points[1].y, layout.panes[0].top);
    assert_int_equal(points[3].x, layout.right);
    assert_true(llabs(prfdata_chart_layout_time(&layout, points[2].x) - 4000) <= 130);
    assert_int_equal(prfdata_chart_layout_line(&chart, &layout, at, points, 2), 2);
    prfdata_chart_free(&chart);
}

/* A few samples fill a part of the chart. Whenever the chart is full, its span doubles, up to a
 * limit, until the user chooses a span. */
static void test_chart_span_fits_its_samples_until_it_is_chosen(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    chart.fit_ms = PRFDATA_CHART_LIVE_SPAN_MS;
    assert_int_equal(prfdata_chart_add_time(&chart, 5000), ERROR_SUCCESS);
    assert_int_equal(chart.span_ms, 15000);
    for (int64_t at = 6000; at <= 45000; at += 1000) {
        const int64_t before = chart.span_ms;

        assert_int_equal(prfdata_chart_add_time(&chart, at), ERROR_SUCCESS);
        assert_true(chart.span_ms == before || chart.span_ms == 2 * before);
        assert_true(chart.span_ms >= at - 5000);
    }
    assert_int_equal(chart.span_ms, 60000);
    assert_int_equal(prfdata_chart_add_time(&chart, 500000), ERROR_SUCCESS);
    assert_int_equal(chart.span_ms, PRFDATA_CHART_LIVE_SPAN_MS);
    prfdata_chart_zoom(&chart, 0.5, 500000);
    assert_int_equal(prfdata_chart_add_time(&chart, 600000), ERROR_SUCCESS);
    assert_int_equal(chart.span_ms, PRFDATA_CHART_LIVE_SPAN_MS / 2);
    prfdata_chart_free(&chart);
}

/* An instance has the same colour in all panes. In one pane, different instances have different
 * colours. */
static void test_chart_gives_an_instance_one_colour(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    (void)add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    (void)add_series(&chart, DEPTH, "b", PRFDATA_NUMBER_NONE);
    (void)add_series(&chart, RATE, "b", PRFDATA_NUMBER_PER_SECOND);
    (void)add_series(&chart, RATE, "a", PRFDATA_NUMBER_PER_SECOND);
    (void)add_series(&chart, RATE, "c", PRFDATA_NUMBER_PER_SECOND);
    (void)add_series(&chart, 106, "d", PRFDATA_NUMBER_BYTES); /* d is the first line of its pane */
    (void)add_series(&chart, 106, "a", PRFDATA_NUMBER_BYTES);
    (void)add_series(&chart, 108, "a", PRFDATA_NUMBER_BYTES);
    assert_int_equal(chart.series[0]->colour, chart.series[3]->colour);
    assert_int_equal(chart.series[1]->colour, chart.series[2]->colour);
    assert_int_not_equal(chart.series[2]->colour, chart.series[3]->colour);
    assert_int_equal(chart.series[4]->colour, 2);
    assert_int_equal(chart.series[5]->colour, 3);
    assert_int_equal(chart.series[6]->colour, chart.series[0]->colour);
    assert_int_equal(chart.series[7]->colour, 4); /* two lines of the same instance in one pane */
    /* The line moves to a pane of its own and may return, so its colour 4 is not free. */
    chart.series[7]->stack = 99;
    (void)add_series(&chart, 110, "a", PRFDATA_NUMBER_BYTES);
    assert_int_equal(chart.series[8]->colour, 5);
    prfdata_chart_free(&chart);
    (void)add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    (void)add_series(&chart, DEPTH, "b", PRFDATA_NUMBER_NONE);
    prfdata_chart_remove(&chart, 0);
    /* The new line gets the colour of the other line of "b", although colour 0 is free. */
    (void)add_series(&chart, RATE, "b", PRFDATA_NUMBER_PER_SECOND);
    assert_int_equal(chart.series[1]->colour, chart.series[0]->colour);
    prfdata_chart_free(&chart);
}

/* Lines of two instances of one counter have the names of object and counter in common. If a line
 * of another counter is added, the lines have no common names. */
static void test_layout_says_once_what_lines_have_in_common(void **state)
{
    prfdata_chart chart;
    prfdata_chart_layout layout;
    prfdata_text object;
    prfdata_text counter;
    uint16_t label[4];
    uint16_t path[40];
    uint32_t at;
    prfdata_chart_key key = key_of_chart(DEPTH, "a(b", label);

    (void)state;
    prfdata_chart_init(&chart);
    assert_int_equal(prfdata_chart_add(&chart, &key, ascii_text("\\Queue(a(b)\\Depth", path),
                                       PRFDATA_NUMBER_NONE, 0, &at),
                     ERROR_SUCCESS);
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_false(prfdata_chart_layout_common(&chart, &layout, 0, &object, &counter));
    (void)add_series(&chart, DEPTH, "c", PRFDATA_NUMBER_NONE);
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_true(prfdata_chart_layout_common(&chart, &layout, 0, &object, &counter));
    assert_true(ascii_text_is(object, "Queue") && ascii_text_is(counter, "Depth"));
    (void)add_series(&chart, RATE, "c", PRFDATA_NUMBER_NONE);
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_false(prfdata_chart_layout_common(&chart, &layout, 0, &object, &counter));
    prfdata_chart_free(&chart);
}

/* An hour of samples is drawn with at most about four points for each pixel of the width. The only
 * peak is among these points. */
static void test_layout_line_keeps_peaks_of_an_hour(void **state)
{
    static prfdata_chart_point points[8000];
    prfdata_chart chart;
    prfdata_chart_layout layout;
    uint32_t at;
    size_t count;
    bool has_peak = false;

    (void)state;
    prfdata_chart_init(&chart);
    at = add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    for (uint32_t i = 0; i < 17000; i++) {
        assert_int_equal(prfdata_chart_add_gap(&chart, i * INT64_C(200)), ERROR_SUCCESS);
        chart.series[at]->values[i] = i == 8765 ? 100 : i % 2;
    }
    prfdata_chart_zoom(&chart, 1e9, prfdata_chart_end_ms(&chart));
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    count = prfdata_chart_layout_line(&chart, &layout, at, points, 8000);
    assert_true(count > 900 && count <= 4 * (size_t)(layout.right - layout.left) + 8);
    for (size_t i = 0; i < count; i++)
        has_peak = has_peak || points[i].y == layout.panes[0].top;
    assert_true(has_peak);
    prfdata_chart_free(&chart);
}

static void test_chart_pane_is_hexadecimal_if_its_lines_are(void **state)
{
    static const int32_t depths[] = {0x5000, 0xBEEF};
    prfdata_chart chart;
    prfdata_chart_layout layout;

    (void)state;
    prfdata_chart_init(&chart);
    (void)add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    add_depths(&chart, depths, 2);
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_false(layout.panes[0].is_hex);
    chart.series[0]->type = PERF_COUNTER_RAWCOUNT_HEX;
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_true(layout.panes[0].is_hex);
    assert_true(layout.panes[0].scale.high == 0xC000);
    chart.series[0]->is_log = true;
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_true(layout.panes[0].scale.low == 0x1000 && layout.panes[0].scale.high == 0x10000);
    (void)add_series(&chart, RATE, "a", PRFDATA_NUMBER_NONE);
    prfdata_chart_layout_make(&chart, &size_of_window, &layout);
    assert_int_equal(layout.pane_count, 1);
    assert_false(layout.panes[0].is_hex);
    prfdata_chart_free(&chart);
}

static void test_histogram_counts_values_in_readable_bins(void **state)
{
    static const int32_t depths[] = {1000, 1001, 1001, -1, 1013, 1020};
    prfdata_histogram histogram;
    prfdata_chart chart;
    uint32_t at;

    (void)state;
    prfdata_chart_init(&chart);
    at = add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    prfdata_histogram_make(&chart, at, &histogram);
    assert_int_equal(histogram.count, 0);
    add_depths(&chart, depths, 6);
    prfdata_histogram_make(&chart, at, &histogram);
    assert_true(histogram.low == 1000 && histogram.step == 1);
    assert_int_equal(histogram.bin_count, 20);
    assert_int_equal(histogram.bins[0], 1);
    assert_int_equal(histogram.bins[1], 2);
    assert_int_equal(histogram.bins[13], 1);
    assert_int_equal(histogram.bins[19], 1);
    assert_int_equal(histogram.count, 5);
    assert_int_equal(histogram.most, 2);
    prfdata_chart_free(&chart);
}

/* A time's label at the edge is moved inwards. A label that does not fit at all begins at the left
 * edge. */
static void test_chart_labels_of_times_are_not_cut_at_the_edges(void **state)
{
    const prfdata_chart_size size = {.width = 400, .height = 200};

    (void)state;
    assert_int_equal(prfdata_chart_layout_label_x(&size, 200, 60), 200);
    assert_int_equal(prfdata_chart_layout_label_x(&size, 390, 60), 370);
    assert_int_equal(prfdata_chart_layout_label_x(&size, 390, 61), 369);
    assert_int_equal(prfdata_chart_layout_label_x(&size, 10, 60), 30);
    assert_int_equal(prfdata_chart_layout_label_x(&size, 390, 900), 450);
}

/* For each kind of line in the logarithmic test, its values at two times. Lines of the last kind
 * have none. */
static const double kinds_of_line[][2] = {{200, 4000}, {0, 0}, {-5, -7}, {0, 30}, {0, 0}};

enum {
    LINE_KINDS = sizeof kinds_of_line / sizeof kinds_of_line[0],
    LINE_WITHOUT_VALUES = LINE_KINDS - 1,
    LOG_LINES = 3
};

static void expect_log_scale(prfdata_chart *chart, const unsigned kinds[LOG_LINES])
{
    prfdata_chart_layout layout;
    double least = INFINITY;
    double most = -INFINITY;

    for (uint32_t i = 0; i < LOG_LINES; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            const double value =
                kinds[i] == LINE_WITHOUT_VALUES ? (double)NAN : kinds_of_line[kinds[i]][k];

            chart->series[i]->values[k] = value;
            least = value > 0 && value < least ? value : least;
            most = value > most ? value : most;
        }
    }
    prfdata_chart_layout_make(chart, &size_of_window, &layout);
    assert_true(layout.panes[0].scale.is_log);
    if (most <= 0) {
        assert_true(layout.panes[0].scale.low == 1 && layout.panes[0].scale.high == 10);
        return;
    }
    assert_true(layout.panes[0].scale.low <= least && layout.panes[0].scale.low * 10 > least);
    assert_true(layout.panes[0].scale.high >= most && layout.panes[0].scale.high < most * 100);
}

/* A line without positive values does not change the scale of the other lines. */
static void test_layout_log_scale_is_that_of_all_positive_values(void **state)
{
    prfdata_chart chart;
    unsigned kinds[LOG_LINES];

    (void)state;
    prfdata_chart_init(&chart);
    (void)add_series(&chart, DEPTH, "a", PRFDATA_NUMBER_NONE);
    (void)add_series(&chart, DEPTH, "b", PRFDATA_NUMBER_NONE);
    (void)add_series(&chart, DEPTH, "c", PRFDATA_NUMBER_NONE);
    for (uint32_t i = 0; i < LOG_LINES; i++)
        chart.series[i]->is_log = true;
    assert_int_equal(prfdata_chart_add_time(&chart, 1000), ERROR_SUCCESS);
    assert_int_equal(prfdata_chart_add_time(&chart, 2000), ERROR_SUCCESS);
    for (unsigned i = 0; i < LINE_KINDS * LINE_KINDS * LINE_KINDS; i++) {
        kinds[0] = i % LINE_KINDS;
        kinds[1] = i / LINE_KINDS % LINE_KINDS;
        kinds[2] = i / (LINE_KINDS * LINE_KINDS);
        expect_log_scale(&chart, kinds);
    }
    prfdata_chart_free(&chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout_log_scale_is_that_of_all_positive_values),
        cmocka_unit_test(test_chart_series_have_values_of_each_sample_or_none),
        cmocka_unit_test(test_chart_refuses_a_series_twice_and_too_many),
        cmocka_unit_test(test_chart_last_value_is_that_of_now),
        cmocka_unit_test(test_chart_has_no_mean_of_hexadecimal_numbers),
        cmocka_unit_test(test_chart_fill_gives_past_values),
        cmocka_unit_test(test_chart_keeps_an_hour_and_drops_the_oldest),
        cmocka_unit_test(test_chart_zooms_around_a_time_and_scrolls_within_its_samples),
        cmocka_unit_test(test_chart_nearest_is_the_sample_under_the_pointer),
        cmocka_unit_test(test_layout_has_a_pane_for_each_unit_and_stack),
        cmocka_unit_test(test_layout_scrolls_panes_that_have_no_room),
        cmocka_unit_test(test_layout_of_a_low_chart_has_its_pane_whole),
        cmocka_unit_test(test_layout_scrolls_by_no_few_pixels),
        cmocka_unit_test(test_layout_line_breaks_where_a_value_is_missing),
        cmocka_unit_test(test_chart_span_fits_its_samples_until_it_is_chosen),
        cmocka_unit_test(test_chart_gives_an_instance_one_colour),
        cmocka_unit_test(test_layout_says_once_what_lines_have_in_common),
        cmocka_unit_test(test_layout_line_keeps_peaks_of_an_hour),
        cmocka_unit_test(test_chart_labels_of_times_are_not_cut_at_the_edges),
        cmocka_unit_test(test_chart_pane_is_hexadecimal_if_its_lines_are),
        cmocka_unit_test(test_histogram_counts_values_in_readable_bins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
