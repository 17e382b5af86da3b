/* SPDX-License-Identifier: MIT */
/* Tests that a path with a * gets lines for the current instances: when instances come and go, in
 * recordings, and when the path is saved. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "reader/view/view_sample.h"
#include "view/overview.h"
#include "viewer/viewer.h"

enum { CROWD = 100, MOST_ROWS = 100 };

static char row_names[MOST_ROWS][12];

/* Make instances from number `first` on. The depth of each is its number. */
static prfdata_sample *sample_of_crowd(uint32_t second, uint32_t first, uint32_t count)
{
    static view_row rows[MOST_ROWS];

    for (uint32_t i = 0; i < count; i++) {
        snprintf(row_names[i], sizeof row_names[i], "w%u", (unsigned)(first + i));
        rows[i] = (view_row){row_names[i], first + i, 0};
    }
    return view_sample(second, rows, count);
}

static void begin_patterns_viewer(prfdata_viewer *viewer, bool is_live)
{
    const prfdata_viewer_observer observer = {0};
    const prfdata_viewer_words words = {0};
    prfdata_name_table objects = {0};

    prfdata_viewer_init(viewer, &observer, 100000000);
    viewer->titles = view_titles();
    viewer->owns_titles = true;
    viewer->is_live = is_live;
    view_title(&objects, QUEUE, "Queue");
    prfdata_viewer_begin(viewer, &words, is_live ? &objects : NULL);
    prfdata_name_table_free(&objects);
}

static void ask_for_all(prfdata_viewer *viewer)
{
    uint16_t chars[40];

    prfdata_viewer_add_name(viewer, ascii_text("\\Queue(*)\\Depth", chars));
    prfdata_viewer_begin_names(viewer);
}

static bool has_line(const prfdata_viewer *viewer, uint32_t number)
{
    char label[12];

    snprintf(label, sizeof label, "w%u", (unsigned)number);
    for (uint32_t i = 0; i < viewer->chart.series_count; i++) {
        if (ascii_text_is(viewer->chart.series[i]->key.label, label))
            return true;
    }
    return false;
}

static void expect_pattern_is_saved(const prfdata_viewer *viewer)
{
    uint32_t paths = 0;

    for (uint32_t i = 0; i < prfdata_viewer_path_count(viewer); i++) {
        const prfdata_text path = prfdata_viewer_path(viewer, i);

        paths += path.count > 0;
        assert_true(path.count == 0 || ascii_text_is(path, "\\Queue(*)\\Depth"));
    }
    assert_int_equal(paths, 1);
}

/* In each second one of five instances ends and another one comes. */
static void test_patterns_follow_instances_that_come_and_go(void **state)
{
    const prfdata_title_set all = {0};
    prfdata_viewer viewer;

    (void)state;
    begin_patterns_viewer(&viewer, true);
    viewer.chart.fit_ms = 0;
    viewer.chart.span_ms = 10000;
    ask_for_all(&viewer);
    for (uint32_t second = 1; second <= 100; second++) {
        prfdata_viewer_take(&viewer, sample_of_crowd(second, second, 5), &all, 0);
        for (uint32_t i = 0; i < 5; i++)
            assert_true(has_line(&viewer, second + i));
        if (second > 12) {
            assert_true(has_line(&viewer, second - 9)); /* its past is still in the visible span */
            assert_false(has_line(&viewer, second - 12));
        }
        assert_int_equal(prfdata_viewer_hidden_count(&viewer), 0);
    }
    expect_pattern_is_saved(&viewer);
    prfdata_viewer_free(&viewer);
}

/* All instances end. The path waits in the list, and gets lines again when instances return. */
static void test_patterns_without_instances_wait(void **state)
{
    const prfdata_title_set all = {0};
    prfdata_viewer viewer;

    (void)state;
    begin_patterns_viewer(&viewer, true);
    viewer.chart.fit_ms = 0;
    viewer.chart.span_ms = 10000;
    ask_for_all(&viewer);
    prfdata_viewer_take(&viewer, sample_of_crowd(1, 1, 3), &all, 0);
    assert_int_equal(viewer.chart.series_count, 3);
    for (uint32_t second = 2; second < 20; second++)
        prfdata_viewer_take(&viewer, sample_of_crowd(second, 0, 0), &all, 0);
    assert_int_equal(viewer.chart.series_count, 0);
    assert_int_equal(prfdata_viewer_row_count(&viewer), 1);
    assert_true(ascii_text_is(prfdata_viewer_row_path(&viewer, 0), "\\Queue(*)\\Depth"));
    prfdata_viewer_take(&viewer, sample_of_crowd(20, 7, 2), &all, 0);
    assert_true(viewer.chart.series_count == 2 && has_line(&viewer, 7));
    prfdata_viewer_free(&viewer);
}

/* A recording has 100 instances, 39 of which are in the newest sample. The 64 instances that are
 * highest in the visible span have lines. */
static void test_patterns_of_a_recording_are_those_of_the_visible_span(void **state)
{
    prfdata_viewer viewer;

    (void)state;
    begin_patterns_viewer(&viewer, false);
    for (uint32_t second = 1; second <= 10; second++) {
        prfdata_sample *sample =
            second < 10 ? sample_of_crowd(second, 0, CROWD) : sample_of_crowd(10, 0, 39);
        int64_t time_ms = 0;

        assert_int_equal(prfdata_timeline_add(&viewer.timeline, sample, NULL, &time_ms),
                         ERROR_SUCCESS);
        prfdata_sample_free(sample);
    }
    prfdata_viewer_take_timeline(&viewer);
    ask_for_all(&viewer);
    assert_int_equal(viewer.chart.series_count, PRFDATA_CHART_SERIES);
    assert_int_equal(prfdata_viewer_hidden_count(&viewer), CROWD - PRFDATA_CHART_SERIES);
    for (uint32_t i = CROWD - PRFDATA_CHART_SERIES; i < CROWD; i++)
        assert_true(has_line(&viewer, i));
    expect_pattern_is_saved(&viewer);
    prfdata_viewer_set_most_lines(&viewer, 10);
    assert_int_equal(viewer.chart.series_count, 10);
    assert_true(has_line(&viewer, CROWD - 1));
    assert_int_equal(prfdata_viewer_hidden_count(&viewer), CROWD - 10);
    prfdata_viewer_free(&viewer);
}

/* With live data, an instance that is among the highest of the span gets a line when it comes. */
static void test_patterns_give_the_lines_to_the_highest(void **state)
{
    const prfdata_title_set all = {0};
    prfdata_viewer viewer;

    (void)state;
    begin_patterns_viewer(&viewer, true);
    viewer.chart.fit_ms = 0;
    viewer.chart.span_ms = 10000;
    prfdata_viewer_set_most_lines(&viewer, 5);
    ask_for_all(&viewer);
    for (uint32_t second = 1; second <= 10; second++)
        prfdata_viewer_take(&viewer, sample_of_crowd(second, 10, 8), &all, 0);
    assert_int_equal(viewer.chart.series_count, 5);
    assert_int_equal(prfdata_viewer_hidden_count(&viewer), 3);
    assert_true(has_line(&viewer, 17) && !has_line(&viewer, 10));
    for (uint32_t second = 11; second <= 30; second++)
        prfdata_viewer_take(&viewer, sample_of_crowd(second, 10, 12), &all, 0);
    assert_int_equal(viewer.chart.series_count, 5);
    assert_true(has_line(&viewer, 21) && has_line(&viewer, 17) && !has_line(&viewer, 16));
    prfdata_viewer_free(&viewer);
}

/* Begin a recording of 60 seconds with 60 instances. In each ten seconds, ten of them have high
 * values, and each instance has high values once. A pattern has five lines. */
static void begin_recording_of_turns(prfdata_viewer *viewer)
{
    static view_row rows[MOST_ROWS];

    begin_patterns_viewer(viewer, false);
    for (uint32_t second = 0; second < 60; second++) {
        prfdata_sample *sample;
        int64_t time_ms = 0;

        for (uint32_t i = 0; i < 60; i++) {
            snprintf(row_names[i], sizeof row_names[i], "w%u", (unsigned)i);
            rows[i] = (view_row){row_names[i], i / 10 == second / 10 ? 1000 + i : 0, 0};
        }
        sample = view_sample(second + 1, rows, 60);
        assert_int_equal(prfdata_timeline_add(&viewer->timeline, sample, NULL, &time_ms),
                         ERROR_SUCCESS);
        prfdata_sample_free(sample);
    }
    prfdata_viewer_set_most_lines(viewer, 5);
    prfdata_viewer_take_timeline(viewer);
    ask_for_all(viewer);
}

/* Expect lines of the five instances that are highest in the ten seconds of this turn. */
static void expect_turn(const prfdata_viewer *viewer, uint32_t turn)
{
    assert_int_equal(viewer->chart.series_count, 5);
    assert_int_equal(prfdata_viewer_hidden_count(viewer), 55);
    for (uint32_t i = 5; i < 10; i++)
        assert_true(has_line(viewer, 10 * turn + i));
}

/* The wheel, the strip and the commands move the visible part. After each move, the instances that
 * are highest in the visible span have lines. */
static void test_patterns_are_ranked_by_the_span_that_is_visible(void **state)
{
    prfdata_overview strip = {.left = 0, .right = 590, .top = 0, .bottom = 20};
    prfdata_viewer viewer;
    int64_t begin_ms;

    (void)state;
    begin_recording_of_turns(&viewer);
    /* Each instance is high for ten seconds. The instances of the last ten seconds have the highest
     * values. */
    expect_turn(&viewer, 5);
    assert_true(prfdata_overview_make(&viewer.chart, &strip));
    begin_ms = strip.begin_ms;
    /* The wheel, turned at the 16th second until ten seconds are visible. */
    for (unsigned i = 0; i < 20; i++)
        prfdata_viewer_zoom_at(&viewer, 0.8, begin_ms + 15500);
    assert_int_equal(viewer.chart.span_ms, PRFDATA_CHART_LEAST_SPAN_MS);
    prfdata_chart_show(&viewer.chart, begin_ms + 10000, begin_ms + 20000);
    prfdata_viewer_note_span(&viewer);
    expect_turn(&viewer, 1);
    /* The wheel with Shift, and the commands. */
    for (unsigned i = 0; i < 8; i++)
        prfdata_viewer_turn(&viewer, 0.125);
    expect_turn(&viewer, 2);
    prfdata_viewer_turn(&viewer, -0.5);
    prfdata_viewer_turn(&viewer, -0.5);
    prfdata_viewer_turn(&viewer, -0.5);
    prfdata_viewer_turn(&viewer, -0.5);
    expect_turn(&viewer, 0);
    /* The visible part is dragged in the strip, and let go. */
    prfdata_overview_drag(&viewer.chart, &strip, PRFDATA_OVERVIEW_WINDOW,
                          prfdata_overview_x(&strip, begin_ms + 35000), 5000);
    prfdata_viewer_note_span(&viewer);
    expect_turn(&viewer, 3);
    prfdata_viewer_show_all(&viewer);
    expect_turn(&viewer, 5);
    prfdata_viewer_zoom(&viewer, true);
    expect_turn(&viewer, 5);
    prfdata_viewer_free(&viewer);
}

/* If the user removes one line of a pattern, the other lines stay and no longer follow the
 * pattern. */
static void test_patterns_end_when_one_of_their_lines_is_removed(void **state)
{
    const prfdata_title_set all = {0};
    prfdata_viewer viewer;

    (void)state;
    begin_patterns_viewer(&viewer, true);
    ask_for_all(&viewer);
    prfdata_viewer_take(&viewer, sample_of_crowd(1, 1, 4), &all, 0);
    prfdata_viewer_remove_line(&viewer, 1);
    prfdata_viewer_take(&viewer, sample_of_crowd(2, 1, 6), &all, 0);
    assert_int_equal(viewer.chart.series_count, 3);
    assert_false(has_line(&viewer, 2));
    assert_int_equal(prfdata_viewer_path_count(&viewer), 3);
    assert_true(ascii_text_is(prfdata_viewer_path(&viewer, 0), "\\Queue(w1)\\Depth"));
    prfdata_viewer_free(&viewer);
}

static void test_patterns_beyond_the_most_are_refused(void **state)
{
    prfdata_viewer viewer;
    uint16_t chars[40];
    char path[40];
    uint32_t first = 0;

    (void)state;
    begin_patterns_viewer(&viewer, true);
    for (uint32_t i = 0; i <= PRFDATA_CHART_SERIES; i++) {
        uint32_t id;

        snprintf(path, sizeof path, "\\Queue(%u*)\\Depth", (unsigned)i);
        id = prfdata_viewer_add_pattern(&viewer, ascii_text(path, chars));
        assert_int_equal(id != 0, i < PRFDATA_CHART_SERIES);
        first = i == 0 ? id : first;
    }
    assert_int_equal(viewer.pattern_count, PRFDATA_CHART_SERIES);
    assert_int_equal(prfdata_viewer_add_pattern(&viewer, ascii_text("\\Queue(0*)\\Depth", chars)),
                     first);
    prfdata_viewer_free(&viewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns_follow_instances_that_come_and_go),
        cmocka_unit_test(test_patterns_without_instances_wait),
        cmocka_unit_test(test_patterns_of_a_recording_are_those_of_the_visible_span),
        cmocka_unit_test(test_patterns_give_the_lines_to_the_highest),
        cmocka_unit_test(test_patterns_are_ranked_by_the_span_that_is_visible),
        cmocka_unit_test(test_patterns_end_when_one_of_their_lines_is_removed),
        cmocka_unit_test(test_patterns_beyond_the_most_are_refused),
    };

    return cmocka_run_group_tests_name("view_patterns", tests, NULL, NULL);
}
