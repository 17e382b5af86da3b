/* SPDX-License-Identifier: MIT */
/* Tests what a user can do with prfview, without its window: each action, and what samples
 * change. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/names.h"
#include "reader/view/view_sample.h"
#include "view/chart_layout.h"
#include "viewer/viewer.h"

enum { OTHER = 300, NUMBER = 302 };

/* The calls that the observer received. */
typedef struct heard {
    unsigned changed;
    unsigned full_charts;
    unsigned not_found;
    unsigned other_computers;
    uint32_t asked_again; /* title of the object */
} heard;

typedef struct viewer_scene {
    heard heard;
    prfdata_viewer viewer;
} viewer_scene;

static void hear_changed(void *context, unsigned what)
{
    ((heard *)context)->changed |= what;
}

static void hear_said(void *context, prfdata_viewer_saying saying, prfdata_text about)
{
    heard *h = context;

    h->full_charts += saying == PRFDATA_VIEWER_FULL_CHART;
    h->not_found += saying == PRFDATA_VIEWER_NOT_FOUND && about.count > 0;
    h->other_computers += saying == PRFDATA_VIEWER_OTHER_COMPUTER && about.count > 0;
}

static void hear_asks_again(void *context, uint32_t title)
{
    ((heard *)context)->asked_again = title;
}

static bool explain_other(prfdata_text object, prfdata_output *output)
{
    if (ascii_text_is(object, "Other"))
        prfdata_output_put_string(output, "its service is stopped");
    return output->used > 0;
}

/* Begin a live source or a file with these titles. The first object of a live source belongs to a
 * service. */
static void begin_source_viewer(viewer_scene *s, bool is_live, const prfdata_titles *titles)
{
    uint16_t group[8];
    uint16_t absent[16];
    const prfdata_viewer_words words = {.groups = {ascii_text("group", group),
                                                   ascii_text("group", group),
                                                   ascii_text("group", group)},
                                        .absent = ascii_text("not there", absent),
                                        .explain = explain_other};
    prfdata_name_table objects = {0};

    s->viewer.titles = *titles;
    s->viewer.owns_titles = true;
    s->viewer.is_live = is_live;
    assert_int_equal(prfdata_name_table_add(&objects, titles->english.items[0].index,
                                            titles->english.items[0].name),
                     ERROR_SUCCESS);
    prfdata_viewer_begin(&s->viewer, &words, is_live ? &objects : NULL);
    prfdata_name_table_free(&objects);
}

static prfdata_titles scene_titles(void)
{
    prfdata_titles titles = view_titles();

    view_title(&titles.english, OTHER, "Other");
    view_title(&titles.english, NUMBER, "Number");
    return titles;
}

static void begin_scene_viewer(viewer_scene *s, bool is_live)
{
    const prfdata_viewer_observer observer = {&s->heard, hear_changed, hear_said, hear_asks_again};
    const prfdata_titles titles = scene_titles();

    memset(s, 0, sizeof *s);
    prfdata_viewer_init(&s->viewer, &observer, 1000000);
    begin_source_viewer(s, is_live, &titles);
}

/* Begin the source again. The titles are those of a service with one object, or those of the scene
 * if `object` is NULL. */
static void begin_again_viewer(viewer_scene *s, const char *object, const char *counter)
{
    prfdata_titles titles = {0};

    prfdata_viewer_end(&s->viewer);
    if (object) {
        view_title(&titles.english, QUEUE, object);
        view_title(&titles.english, DEPTH, "Depth");
        view_title(&titles.english, RATE, counter);
    } else {
        titles = scene_titles();
    }
    begin_source_viewer(s, true, &titles);
    prfdata_viewer_begin_names(&s->viewer);
}

static void end_scene_viewer(viewer_scene *s)
{
    prfdata_viewer_free(&s->viewer);
}

static void take_asked(viewer_scene *s, prfdata_sample *sample, uint32_t title, uint32_t late_ms)
{
    prfdata_title_set asked = {.items = &title, .count = 1, .capacity = 1};

    prfdata_viewer_take(&s->viewer, sample, &asked, late_ms);
}

/* Take a sample of Queue with two instances. Their depths are `second` and `second` + 10. */
static void take_queue(viewer_scene *s, uint32_t second)
{
    const view_row rows[] = {{"a", second, second * 100}, {"b", second + 10, 0}};

    take_asked(s, view_sample(second, rows, 2), QUEUE, 0);
}

/* Make a sample of Other, which has no instances and one number of a type. */
static prfdata_sample *sample_of_type(uint32_t type, uint32_t second, uint64_t number)
{
    static wire w;
    size_t object;
    size_t values;

    memset(&w, 0, sizeof w);
    wire_begin(&w, 1);
    object = wire_object(&w, OTHER, 1, PERF_NO_INSTANCES, 0);
    wire_counter(&w, NUMBER, type, 8, 8);
    values = wire_values(&w);
    wire_put32(&w, 0);
    wire_put64(&w, number);
    wire_values_end(&w, values);
    wire_object_end(&w, object);
    wire_end(&w);
    view_patch64(&w, TIME_100NS_OFFSET, (uint64_t)second * 10000000);
    return wire_sample(&w);
}

static prfdata_sample *other_sample(uint32_t second, uint64_t number)
{
    return sample_of_type(PERF_COUNTER_LARGE_RAWCOUNT, second, number);
}

static bool cell_shows(viewer_scene *s, uint32_t row, uint32_t column, const char *expected)
{
    const prfdata_number_style style = {'.', ','};
    uint16_t chars[80];
    const size_t count = prfdata_table_text(&s->viewer.table, row, column, style, chars, 80);

    return ascii_text_is((prfdata_text){chars, count}, expected);
}

static bool wants(viewer_scene *s, uint32_t title)
{
    uint32_t titles[PRFDATA_VIEWER_WANTED_MOST];
    const size_t count = prfdata_viewer_wanted(&s->viewer, titles);

    for (size_t i = 0; i < count; i++) {
        if (titles[i] == title)
            return true;
    }
    return false;
}

static void add_line_viewer(viewer_scene *s, uint32_t object, uint32_t counter, const char *label)
{
    uint16_t chars[40];
    const prfdata_chart_key key = {object, counter, ascii_text(label, chars)};

    prfdata_viewer_add_line(&s->viewer, &key);
}

static prfdata_node *child_named(prfdata_node *node, const char *name)
{
    for (node = node->first; node && !ascii_text_is(node->name, name);)
        node = node->next;
    assert_non_null(node);
    return node;
}

static const char *details_of(viewer_scene *s, prfdata_output *output)
{
    const prfdata_number_style style = {'.', ','};

    prfdata_viewer_put_details(&s->viewer, output, style);
    prfdata_output_put(output, "", 1);
    return output->bytes;
}

/* ---- The table ---- */

static void test_viewer_lines_have_the_unit_of_the_map(void **state)
{
    uint16_t name[8];
    uint16_t label[4];
    const prfdata_text depth = ascii_text("Depth", name);
    prfdata_metric_table_entry entry = {.object_title = QUEUE,
                                        .counter_title = DEPTH,
                                        .type = PERF_COUNTER_RAWCOUNT,
                                        .name_hash =
                                            prfdata_names_hash(depth.chars, depth.count, 0),
                                        .metric = {.unit = "seconds", .factor = 1e-6}};
    const prfdata_chart_key key = {QUEUE, DEPTH, ascii_text("a", label)};
    viewer_scene s;

    (void)state;
    for (int is_known = 0; is_known < 2;
         is_known++) { /* 1: a sample has the counter before the line is added */
        begin_scene_viewer(&s, true);
        s.viewer.titles.metrics = (prfdata_metric_table){.items = &entry, .count = 1};
        prfdata_viewer_choose_object(&s.viewer, QUEUE);
        if (is_known)
            take_queue(&s, 1);
        prfdata_viewer_add_line(&s.viewer, &key);
        take_queue(&s, 2);
        assert_int_equal(s.viewer.table.columns[0].unit, PRFDATA_NUMBER_MICROSECONDS);
        assert_int_equal(s.viewer.chart.series[0]->unit, PRFDATA_NUMBER_MICROSECONDS);
        s.viewer.titles.metrics = (prfdata_metric_table){0};
        end_scene_viewer(&s);
    }
}

static void test_viewer_shows_the_object_that_is_chosen(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    assert_true(s.heard.changed & PRFDATA_VIEWER_TREE);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    assert_true(s.heard.changed & PRFDATA_VIEWER_LEAVES);
    assert_true(s.heard.changed & PRFDATA_VIEWER_OBJECT);
    assert_true(s.heard.changed & PRFDATA_VIEWER_WANTED);
    assert_true(wants(&s, QUEUE));
    s.heard.changed = 0;
    take_queue(&s, 1);
    take_queue(&s, 2);
    assert_true(s.heard.changed & PRFDATA_VIEWER_TABLE);
    assert_true(s.heard.changed & PRFDATA_VIEWER_COLUMNS);
    assert_true(cell_shows(&s, 0, 0, "2") && cell_shows(&s, 0, 1, "100.0"));
    s.heard.changed = 0;
    prfdata_viewer_choose_object(&s.viewer, QUEUE); /* it is chosen already */
    assert_int_equal(s.heard.changed, 0);
    end_scene_viewer(&s);
}

static void test_viewer_sorts_a_column_by_its_highest_first(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    prfdata_viewer_sort(&s.viewer, 0);
    assert_true(cell_shows(&s, 0, 0, "11"));
    prfdata_viewer_sort(&s.viewer, 0);
    assert_true(cell_shows(&s, 0, 0, "1"));
    prfdata_viewer_sort(&s.viewer, PRFDATA_TABLE_LABEL);
    assert_true(cell_shows(&s, 0, PRFDATA_TABLE_LABEL, "a"));
    end_scene_viewer(&s);
}

/* A cell without a value says why, unless its instance has ended. Raw numbers need no second
 * sample. */
static void test_viewer_blank_cell_says_why(void **state)
{
    const view_row restarted[] = {{"a", 3, 50}, {"b", 4, 0}};
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    assert_true(cell_shows(&s, 0, 1, "wait"));
    assert_true(prfdata_table_has_reason(&s.viewer.table, 0, 1));
    prfdata_viewer_show_raw(&s.viewer, true);
    assert_true(cell_shows(&s, 0, 1, "100"));
    prfdata_viewer_show_raw(&s.viewer, false);
    take_asked(&s, view_sample(2, restarted, 2), QUEUE, 0);
    assert_true(cell_shows(&s, 0, 1, "restarted"));
    assert_true(cell_shows(&s, 0, 0, "3"));
    assert_false(prfdata_table_has_reason(&s.viewer.table, 0, 0));
    end_scene_viewer(&s);
}

static void test_viewer_empty_nodes_do_not_open(void **state)
{
    const prfdata_viewer_observer observer = {0};
    const prfdata_viewer_words words = {0};
    prfdata_viewer viewer;
    prfdata_node *node;
    viewer_scene s;

    (void)state;
    prfdata_viewer_init(&viewer, &observer, 1000000); /* no service is installed */
    viewer.is_live = true;
    prfdata_viewer_begin(&viewer, &words, NULL);
    assert_false(prfdata_node_opens(viewer.tree.computer));
    assert_false(prfdata_node_opens(viewer.tree.groups[PRFDATA_TREE_SERVICES]));
    assert_int_equal(prfdata_viewer_object_count(&viewer), 0);
    prfdata_viewer_free(&viewer);
    begin_scene_viewer(&s, true);
    assert_true(prfdata_node_opens(s.viewer.tree.computer));
    node = prfdata_tree_object(&s.viewer.tree, QUEUE);
    assert_true(prfdata_node_opens(node)); /* no sample has shown yet what is below it */
    assert_int_equal(prfdata_viewer_object_count(&s.viewer), 1);
    end_scene_viewer(&s);
}

/* ---- A slow provider ---- */

/* Samples of Other come between those of Queue. Both objects keep their values and rates. */
static void test_viewer_shows_a_slow_object_between_the_others(void **state)
{
    viewer_scene s;
    const prfdata_chart_series *line;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    add_line_viewer(&s, QUEUE, RATE, "a");
    take_queue(&s, 1);
    take_queue(&s, 2);
    take_asked(&s, other_sample(3, 7), OTHER, 5000);
    assert_true(s.viewer.table.is_present);
    assert_true(cell_shows(&s, 0, 0, "2") && cell_shows(&s, 0, 1, "100.0"));
    take_queue(&s, 4);
    assert_true(cell_shows(&s, 0, 0, "4") && cell_shows(&s, 0, 1, "100.0"));
    line = s.viewer.chart.series[0];
    assert_true(prfdata_scale_is_skipped(line->values[2]));
    assert_true(line->values[3] == 100);
    assert_true(prfdata_chart_value_at(&s.viewer.chart, 0, 2) == 100);
    prfdata_viewer_choose_object(&s.viewer, OTHER);
    assert_true(cell_shows(&s, 0, 0, "7"));
    prfdata_viewer_look_at(&s.viewer, 2500); /* a time before Other was asked for */
    assert_true(s.viewer.looks_back);
    assert_false(prfdata_tree_object(&s.viewer.tree, OTHER)->is_gone);
    end_scene_viewer(&s);
}

static void test_viewer_fills_the_past_of_a_slow_object(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    for (uint32_t second = 1; second <= 4; second++) {
        take_queue(&s, 10 * second);
        take_asked(&s, other_sample(10 * second + 5, second), OTHER, 5000);
    }
    add_line_viewer(&s, OTHER, NUMBER, "");
    add_line_viewer(&s, QUEUE, RATE, "a");
    assert_int_equal(s.viewer.chart.series_count, 2);
    assert_true(s.heard.changed & PRFDATA_VIEWER_LINES);
    assert_true(s.viewer.chart.series[0]->values[3] == 2);
    assert_true(prfdata_scale_is_skipped(s.viewer.chart.series[0]->values[4]));
    assert_true(s.viewer.chart.series[1]->values[4] == 100);
    assert_true(wants(&s, OTHER));
    end_scene_viewer(&s);
}

/* From the third interval on, the age of a slow provider's value is shown. */
static void test_viewer_knows_which_values_are_old(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_set_interval(&s.viewer, 1000);
    take_asked(&s, other_sample(1, 7), OTHER, 5000);
    add_line_viewer(&s, OTHER, NUMBER, "");
    for (uint32_t second = 2; second <= 4; second++) {
        const prfdata_chart_statistics all = prfdata_chart_statistics_of(&s.viewer.chart, 0);

        assert_false(prfdata_viewer_is_old(&s.viewer, all.age_ms));
        take_queue(&s, second);
    }
    assert_true(
        prfdata_viewer_is_old(&s.viewer, prfdata_chart_statistics_of(&s.viewer.chart, 0).age_ms));
    s.viewer.is_live = false;
    assert_false(prfdata_viewer_is_old(&s.viewer, 3000));
    end_scene_viewer(&s);
}

static void test_viewer_names_the_object_that_is_late(void **state)
{
    viewer_scene s;
    prfdata_node *node;

    (void)state;
    begin_scene_viewer(&s, true);
    node = prfdata_tree_object(&s.viewer.tree, QUEUE);
    s.heard.changed = 0;
    prfdata_viewer_note_late(&s.viewer, QUEUE, PRFDATA_NODE_AWAITED);
    assert_int_equal(node->late_ms, PRFDATA_NODE_AWAITED);
    assert_true(s.heard.changed & PRFDATA_VIEWER_TABLE);
    take_asked(&s, view_sample(1, NULL, 0), QUEUE, 5000);
    assert_int_equal(node->late_ms, 5000);
    take_queue(&s, 2);
    assert_int_equal(node->late_ms, 0);
    end_scene_viewer(&s);
}

/* If the user selects an object again that did not answer, it is asked for again. */
static void test_viewer_asks_again_for_a_silent_object(void **state)
{
    prfdata_node *node;
    uint16_t chars[20];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_asked(&s, other_sample(1, 7), OTHER, 0);
    node = prfdata_tree_object(&s.viewer.tree, OTHER);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    prfdata_viewer_choose_object(&s.viewer, OTHER);
    prfdata_viewer_open(&s.viewer, node);
    assert_int_equal(s.heard.asked_again, 0);
    prfdata_tree_silence(&s.viewer.tree, node, ascii_text("no answer", chars));
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    assert_int_equal(s.heard.asked_again, 0);
    prfdata_viewer_choose_object(&s.viewer, OTHER);
    assert_int_equal(s.heard.asked_again, OTHER);
    assert_false(node->is_silent);
    s.heard.asked_again = 0;
    prfdata_tree_silence(&s.viewer.tree, node, ascii_text("no answer", chars));
    prfdata_viewer_close(&s.viewer, node);
    prfdata_viewer_open(&s.viewer, node);
    assert_int_equal(s.heard.asked_again, OTHER);
    assert_false(node->is_silent);
    end_scene_viewer(&s);
}

/* The viewer keeps PRFDATA_VIEWER_DECODED decoded samples. The test asks for this many objects,
 * first for each object by itself, and then for all together. */
static void test_viewer_holds_the_sample_that_it_takes(void **state)
{
    uint32_t titles[PRFDATA_VIEWER_DECODED];
    const prfdata_title_set all = {.items = titles, .count = PRFDATA_VIEWER_DECODED};
    prfdata_sample *sample;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    for (uint32_t i = 0; i < PRFDATA_VIEWER_DECODED; i++) {
        titles[i] = 400 + 10 * i;
        take_asked(&s, other_sample(i + 1, 7), titles[i], 0);
        add_line_viewer(&s, titles[i], NUMBER, "");
    }
    sample = other_sample(20, 8);
    prfdata_viewer_take(&s.viewer, sample, &all, 0);
    assert_ptr_equal(prfdata_viewer_shown(&s.viewer), sample);
    assert_non_null(prfdata_sample_find_object(sample, OTHER));
    end_scene_viewer(&s);
}

/* If a sample lacks an object that was not asked for, the object still counts as existing. If it
 * lacks an object that was asked for, the object does not exist, and a reason is given. */
static void test_viewer_says_why_an_object_is_gone(void **state)
{
    viewer_scene s;
    prfdata_node *node;

    (void)state;
    begin_scene_viewer(&s, true);
    take_asked(&s, other_sample(1, 7), OTHER, 0);
    node = prfdata_tree_object(&s.viewer.tree, OTHER);
    prfdata_viewer_open(&s.viewer, node);
    assert_true(wants(&s, OTHER));
    take_queue(&s, 2);
    assert_false(node->is_gone);
    take_asked(&s, view_sample(3, NULL, 0), OTHER, 0);
    assert_true(node->is_gone);
    assert_true(ascii_text_is(node->note, "its service is stopped"));
    prfdata_viewer_close(&s.viewer, node);
    assert_false(wants(&s, OTHER));
    end_scene_viewer(&s);
}

static void test_viewer_forgets_what_was_not_asked_for_a_while(void **state)
{
    const prfdata_sample *older;
    const prfdata_sample *newer;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_asked(&s, other_sample(1, 7), OTHER, 0);
    for (uint32_t second = 2; second < 40; second++)
        take_queue(&s, second);
    prfdata_viewer_pair(&s.viewer, OTHER, &older, &newer);
    assert_null(newer);
    prfdata_viewer_pair(&s.viewer, QUEUE, &older, &newer);
    assert_true(older && newer && older != newer);
    end_scene_viewer(&s);
}

/* ---- Time ---- */

static void test_viewer_looks_back_and_at_the_newest_again(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    for (uint32_t second = 1; second <= 20; second++)
        take_queue(&s, second);
    prfdata_viewer_look_at(&s.viewer, 5000);
    assert_true(s.viewer.looks_back);
    assert_int_equal(s.viewer.shown_ms, 5000);
    assert_true(cell_shows(&s, 0, 0, "5") && cell_shows(&s, 0, 1, "100.0"));
    take_queue(&s, 21); /* the time that the user looks at stays */
    assert_true(cell_shows(&s, 0, 0, "5"));
    assert_int_equal(s.viewer.chart.count, 21);
    prfdata_viewer_look_at_newest(&s.viewer);
    assert_false(s.viewer.looks_back);
    assert_true(cell_shows(&s, 0, 0, "21"));
    end_scene_viewer(&s);
}

static void test_viewer_zooms_and_turns_in_time(void **state)
{
    prfdata_chart *chart;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    chart = &s.viewer.chart;
    for (uint32_t second = 1; second <= 200; second++)
        take_queue(&s, second);
    prfdata_viewer_zoom(&s.viewer, true);
    assert_true(chart->follows);
    assert_int_equal(chart->span_ms, 60000);
    prfdata_viewer_turn(&s.viewer, -0.5);
    assert_false(chart->follows);
    assert_int_equal(prfdata_chart_end_ms(chart), 170000);
    prfdata_viewer_zoom(&s.viewer, true); /* the middle of the span stays */
    assert_int_equal(prfdata_chart_end_ms(chart), 155000);
    assert_int_equal(prfdata_chart_begin_ms(chart), 125000);
    prfdata_viewer_zoom(&s.viewer, false);
    assert_int_equal(prfdata_chart_end_ms(chart), 170000);
    prfdata_viewer_turn(&s.viewer, 0.5);
    assert_true(chart->follows);
    end_scene_viewer(&s);
}

/* A line breaks before and after each sample of a pause. */
static void test_viewer_breaks_lines_at_a_pause(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_queue(&s, 1);
    add_line_viewer(&s, QUEUE, DEPTH, "a");
    prfdata_viewer_pause(&s.viewer, true);
    assert_int_equal(s.viewer.chart.count, 1); /* the pause itself adds no time */
    take_queue(&s, 20);
    assert_int_equal(s.viewer.chart.count, 3);
    prfdata_viewer_pause(&s.viewer, false);
    take_queue(&s, 40);
    take_queue(&s, 41);
    assert_int_equal(s.viewer.chart.count, 6);
    /* A line that is added later breaks at the same times. */
    add_line_viewer(&s, QUEUE, DEPTH, "b");
    for (uint32_t i = 0; i < 12; i++) {
        const double value = s.viewer.chart.series[i / 6]->values[i % 6];

        assert_int_equal(prfdata_scale_is_missing(value), i % 6 == 1 || i % 6 == 3);
        assert_false(prfdata_scale_is_skipped(value));
    }
    end_scene_viewer(&s);
}

/* During a pause a recording still needs samples, but only those that the user requests are
 * shown. */
static void test_viewer_shows_in_a_pause_what_the_user_wants(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_queue(&s, 1);
    assert_true(prfdata_viewer_takes_next(&s.viewer, 0));
    prfdata_viewer_pause(&s.viewer, true);
    assert_false(prfdata_viewer_takes_next(&s.viewer, 0));
    assert_false(prfdata_viewer_takes_next(&s.viewer, 7));
    assert_true(prfdata_viewer_refresh(&s.viewer));
    assert_true(prfdata_viewer_takes_next(&s.viewer, 7));
    assert_true(prfdata_viewer_takes_next(&s.viewer, 0));
    assert_false(prfdata_viewer_takes_next(&s.viewer, 0)); /* each worker gives one sample */
    prfdata_viewer_wish(&s.viewer);
    prfdata_viewer_pause(&s.viewer, false);
    prfdata_viewer_pause(&s.viewer, true);
    assert_false(prfdata_viewer_takes_next(&s.viewer, 0));
    end_scene_viewer(&s);
}

/* A silent object is reported until it answers, or until it is asked for again. */
static void test_viewer_silence_ends_with_an_answer(void **state)
{
    uint16_t chars[20];
    prfdata_node *node;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_queue(&s, 1);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    node = prfdata_tree_object(&s.viewer.tree, QUEUE);
    assert_int_equal(prfdata_viewer_silence(&s.viewer).count, 0);
    prfdata_tree_silence(&s.viewer.tree, node, ascii_text("crashed", chars));
    assert_true(ascii_text_is(prfdata_viewer_silence(&s.viewer), "crashed"));
    assert_true(prfdata_viewer_refresh(&s.viewer));
    assert_int_equal(prfdata_viewer_silence(&s.viewer).count, 0);
    prfdata_tree_silence(&s.viewer.tree, node, ascii_text("crashed", chars));
    take_queue(&s, 2);
    assert_int_equal(prfdata_viewer_silence(&s.viewer).count, 0);
    end_scene_viewer(&s);
}

static void test_viewer_shows_only_what_was_there_at_a_time(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_asked(&s, view_sample(1, &(view_row){"a", 1, 0}, 1), QUEUE, 0);
    for (uint32_t second = 2; second <= 4; second++)
        take_queue(&s, second);
    assert_int_equal(s.viewer.table.shown_count, 2);
    assert_true(s.viewer.table.shown[1]->life.is_new);
    prfdata_viewer_look_at(&s.viewer, 1000);
    assert_int_equal(s.viewer.table.shown_count, 1);
    prfdata_viewer_look_at_newest(&s.viewer);
    assert_int_equal(s.viewer.table.shown_count, 2);
    assert_false(s.viewer.table.shown[1]->life.is_new);
    take_asked(&s, other_sample(5, 7), OTHER, 0);
    prfdata_viewer_choose_object(&s.viewer, OTHER);
    prfdata_viewer_look_at(&s.viewer, 4000); /* Other was not asked for at this time */
    assert_false(s.viewer.table.is_present);
    assert_int_equal(s.viewer.table.shown_count, 0);
    end_scene_viewer(&s);
}

/* Make titles in which another product has the indexes of Queue, and Queue has indexes that are
 * higher by `by`. */
static prfdata_titles moved_titles(uint32_t by, const char *depth)
{
    prfdata_titles titles = {0};

    view_title(&titles.english, QUEUE, "Pool");
    view_title(&titles.english, DEPTH, "Free");
    view_title(&titles.english, RATE, "Bytes/sec"); /* both products use this name */
    view_title(&titles.english, QUEUE + by, "Queue");
    view_title(&titles.english, DEPTH + by, depth);
    view_title(&titles.english, RATE + by, "Bytes/sec");
    return titles;
}

/* Give the viewer new titles of the same source. The caller keeps the titles. */
static void renew_viewer(viewer_scene *s, const prfdata_titles *titles)
{
    uint16_t group[8];
    uint16_t absent[16];
    const prfdata_text text = ascii_text("group", group);
    const prfdata_viewer_words words = {.groups = {text, text, text},
                                        .absent = ascii_text("not there", absent)};
    prfdata_name_table objects = {0};

    prfdata_viewer_note_stale(&s->viewer);
    prfdata_viewer_renew(&s->viewer, &words, &objects, titles);
}

static bool line_is_called(const viewer_scene *s, uint32_t at, const char *path)
{
    return ascii_text_is(s->viewer.chart.series[at]->path, path);
}

/* Another product was installed. It has the indexes that the charted counters had, and the charted
 * counters have higher ones. Their lines continue. */
static void test_viewer_keeps_the_past_when_titles_move(void **state)
{
    prfdata_titles titles = moved_titles(1000, "Depth");
    const view_row row = {"a", 4, 400};
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    for (uint32_t second = 1; second <= 3; second++)
        take_queue(&s, second);
    add_line_viewer(&s, QUEUE, DEPTH, "a");
    add_line_viewer(&s, QUEUE, RATE, "a");
    prfdata_viewer_sort(&s.viewer, 1);
    prfdata_viewer_open(&s.viewer, prfdata_tree_object(&s.viewer.tree, QUEUE));
    /* A window expands the node like this. */
    prfdata_tree_object(&s.viewer.tree, QUEUE)->is_expanded = true;
    s.viewer.column = 1;
    prfdata_viewer_look_at(&s.viewer, 2000);
    renew_viewer(&s, &titles);
    assert_int_equal(s.viewer.column, 1);
    assert_true(prfdata_tree_object(&s.viewer.tree, QUEUE + 1000)->is_expanded);
    assert_non_null(child_named(prfdata_tree_object(&s.viewer.tree, QUEUE + 1000), "a"));
    assert_int_equal(s.viewer.timeline.count, 3);
    assert_int_equal(s.viewer.table.object_title, QUEUE + 1000);
    assert_int_equal(s.viewer.table.sort_column, 1);
    assert_true(s.viewer.looks_back);
    assert_true(cell_shows(&s, 0, 0, "2")); /* the value at the time that the user looks at */
    assert_int_equal(s.viewer.chart.count, 3);
    assert_true(s.viewer.chart.series[0]->values[0] == 1);
    assert_true(s.viewer.chart.series[1]->values[2] == 100);
    assert_true(wants(&s, QUEUE + 1000) && !wants(&s, QUEUE));
    take_asked(&s, view_sample_at(1000, 4, &row, 1), QUEUE + 1000, 0);
    assert_true(s.viewer.chart.series[0]->values[3] == 4);
    /* This rate uses values from before and after the move. */
    assert_true(s.viewer.chart.series[1]->values[3] == 100);
    prfdata_viewer_look_at_newest(&s.viewer);
    assert_true(cell_shows(&s, 0, 0, "4"));
    end_scene_viewer(&s);
    prfdata_titles_free(&titles);
}

/* A line that is added after titles have moved has values from before the move. A counter with the
 * same name in another product has none. */
static void test_viewer_fills_a_new_line_from_before_titles_moved(void **state)
{
    prfdata_titles titles = moved_titles(1000, "Depth");
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    for (uint32_t second = 1; second <= 3; second++)
        take_queue(&s, second);
    renew_viewer(&s, &titles);
    add_line_viewer(&s, QUEUE + 1000, RATE + 1000, "a");
    assert_true(s.viewer.chart.series[0]->values[2] == 100);
    add_line_viewer(&s, QUEUE, RATE, "a"); /* the other product did not exist then */
    assert_true(prfdata_scale_is_missing(s.viewer.chart.series[1]->values[2]));
    end_scene_viewer(&s);
    prfdata_titles_free(&titles);
}

static void test_viewer_keeps_a_renamed_counter_by_its_id(void **state)
{
    prfdata_titles titles = moved_titles(1000, "Length");
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    assert_int_equal(prfdata_title_ids_add(&s.viewer.titles.ids, QUEUE, 1), ERROR_SUCCESS);
    assert_int_equal(prfdata_title_ids_add(&s.viewer.titles.ids, DEPTH, 2), ERROR_SUCCESS);
    assert_int_equal(prfdata_title_ids_add(&titles.ids, DEPTH + 1000, 2), ERROR_SUCCESS);
    assert_int_equal(prfdata_title_ids_add(&titles.ids, QUEUE + 1000, 1), ERROR_SUCCESS);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    for (uint32_t second = 1; second <= 3; second++)
        take_queue(&s, second);
    add_line_viewer(&s, QUEUE, DEPTH, "a");
    renew_viewer(&s, &titles);
    assert_int_equal(s.viewer.chart.series_count, 1);
    assert_true(line_is_called(&s, 0, "\\Queue(a)\\Length"));
    assert_int_equal(s.viewer.chart.series[0]->key.counter_title, DEPTH + 1000);
    assert_true(s.viewer.chart.series[0]->values[2] == 3);
    end_scene_viewer(&s);
    prfdata_titles_free(&titles);
}

/* The line of a removed counter stays with its past, although the counter's indexes may belong to
 * another product now. */
static void test_viewer_keeps_the_line_of_what_is_removed_until_it_is_back(void **state)
{
    prfdata_titles without = {0};
    prfdata_titles back = moved_titles(2000, "Depth");
    const view_row pool = {"a", 7, 700};
    const view_row row = {"a", 5, 500};
    prfdata_text note;
    viewer_scene s;

    (void)state;
    view_title(&without.english, QUEUE, "Pool");
    view_title(&without.english, DEPTH, "Free");
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    for (uint32_t second = 1; second <= 3; second++)
        take_queue(&s, second);
    add_line_viewer(&s, QUEUE, DEPTH, "a");
    renew_viewer(&s, &without);
    assert_true(line_is_called(&s, 0, "\\Queue(a)\\Depth"));
    assert_false(wants(&s, s.viewer.chart.series[0]->key.object_title));
    assert_true(prfdata_tree_object(&s.viewer.tree, s.viewer.table.object_title)->is_gone);
    assert_int_equal(prfdata_viewer_row_absence(&s.viewer, 0, &note), PRFDATA_VIEWER_NO_OBJECT);
    assert_true(ascii_text_is(note, "not there"));
    take_asked(&s, view_sample(4, &pool, 1), QUEUE, 0); /* the object is Pool */
    assert_true(s.viewer.chart.series[0]->values[2] == 3);
    assert_true(s.viewer.chart.gaps[3]); /* the line ends */
    assert_true(prfdata_scale_is_missing(s.viewer.chart.series[0]->values[4]));
    assert_int_equal(s.viewer.chart.series[0]->status, PRFDATA_STATUS_NO_OBJECT);
    assert_false(s.viewer.table.is_present);
    renew_viewer(&s, &without); /* the same titles again */
    renew_viewer(&s, &back);
    assert_int_equal(s.viewer.chart.series[0]->key.counter_title, DEPTH + 2000);
    assert_true(line_is_called(&s, 0, "\\Queue(a)\\Depth"));
    assert_int_equal(s.viewer.table.object_title, QUEUE + 2000);
    take_asked(&s, view_sample_at(2000, 5, &row, 1), QUEUE + 2000, 0);
    assert_true(s.viewer.chart.series[0]->values[2] == 3);
    assert_true(s.viewer.chart.series[0]->values[5] == 5);
    assert_int_equal(prfdata_viewer_row_absence(&s.viewer, 0, &note), PRFDATA_VIEWER_PRESENT);
    end_scene_viewer(&s);
    prfdata_titles_free(&without);
    prfdata_titles_free(&back);
}

static void test_viewer_takes_no_sample_until_its_titles_are_those_of_the_source(void **state)
{
    prfdata_titles titles = scene_titles();
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    for (uint32_t second = 1; second <= 3; second++)
        take_queue(&s, second);
    prfdata_viewer_note_stale(&s.viewer);
    assert_false(prfdata_viewer_refresh(&s.viewer));
    take_queue(&s, 4); /* these indexes may belong to another product now */
    assert_int_equal(s.viewer.timeline.count, 3);
    renew_viewer(&s, &titles);
    assert_true(prfdata_viewer_refresh(&s.viewer));
    take_queue(&s, 5);
    assert_int_equal(s.viewer.timeline.count, 4);
    end_scene_viewer(&s);
    prfdata_titles_free(&titles);
}

/* ---- Lines and names ---- */

static void test_viewer_adds_all_instances_or_the_selected_rows(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    add_line_viewer(&s, QUEUE, DEPTH, "*");
    assert_int_equal(s.viewer.chart.series_count, 2);
    s.viewer.column = 1;
    s.viewer.table.shown[1]->is_selected = true;
    prfdata_viewer_add_selected(&s.viewer);
    assert_int_equal(s.viewer.chart.series_count, 3);
    assert_int_equal(s.viewer.chart.series[2]->key.counter_title, RATE);
    assert_true(ascii_text_is(s.viewer.chart.series[2]->path, "\\Queue(b)\\Bytes/sec"));
    prfdata_viewer_remove_lines(&s.viewer);
    assert_int_equal(s.viewer.chart.series_count, 0);
    end_scene_viewer(&s);
}

/* Each counter without a unit has its own pane, but the counters of a distribution share a pane.
 * Counters with a unit are in pane 0. */
static void test_viewer_gives_each_counter_without_unit_a_pane(void **state)
{
    prfdata_chart_series *const *series;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    series = s.viewer.chart.series;
    view_title(&s.viewer.titles.english, 310, "Size p50");
    view_title(&s.viewer.titles.english, 312, "Size p99");
    take_queue(&s, 1);
    take_asked(&s, other_sample(2, 7), OTHER, 0);
    add_line_viewer(&s, QUEUE, DEPTH, "a");
    add_line_viewer(&s, OTHER, NUMBER, "");
    add_line_viewer(&s, QUEUE, DEPTH, "b");
    add_line_viewer(&s, QUEUE, 310, "a");
    add_line_viewer(&s, QUEUE, 312, "a");
    add_line_viewer(&s, QUEUE, RATE, "a");
    assert_int_not_equal(series[0]->stack, series[1]->stack);
    assert_int_equal(series[0]->stack, series[2]->stack);
    assert_int_not_equal(series[3]->stack, series[0]->stack);
    assert_int_equal(series[3]->stack, series[4]->stack);
    assert_int_equal(series[5]->stack, 0);
    end_scene_viewer(&s);
}

/* A line that was moved to its own pane stays there alone, whatever is added, and can be moved
 * back. */
static void test_viewer_sets_a_line_apart_and_brings_it_back(void **state)
{
    prfdata_chart_series *const *series;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    series = s.viewer.chart.series;
    take_queue(&s, 1);
    take_asked(&s, other_sample(2, 7), OTHER, 0);
    add_line_viewer(&s, QUEUE, DEPTH, "a");
    add_line_viewer(&s, QUEUE, DEPTH, "b");
    add_line_viewer(&s, OTHER, NUMBER, "");
    s.heard.changed = 0;
    prfdata_viewer_toggle_own_pane(&s.viewer, 0);
    assert_true(s.heard.changed & PRFDATA_VIEWER_CHART);
    prfdata_viewer_toggle_own_pane(&s.viewer, 2);
    assert_int_not_equal(series[0]->stack, series[1]->stack);
    assert_int_not_equal(series[2]->stack, series[1]->stack);
    assert_int_not_equal(series[0]->stack, series[2]->stack);
    /* The new line joins the pane of its counter, not the line that was moved away. */
    add_line_viewer(&s, QUEUE, DEPTH, "c");
    assert_int_equal(series[3]->stack, series[1]->stack);
    assert_int_not_equal(series[3]->colour, series[0]->colour);
    prfdata_viewer_remove_line(&s.viewer, 1);
    prfdata_viewer_toggle_own_pane(&s.viewer, 2);
    assert_int_not_equal(series[2]->stack, series[0]->stack);
    assert_int_not_equal(series[2]->stack, series[1]->stack);
    prfdata_viewer_toggle_own_pane(&s.viewer, 0);
    prfdata_viewer_toggle_own_pane(&s.viewer, 2);
    assert_int_equal(series[0]->stack, series[2]->stack);
    assert_int_not_equal(series[0]->stack, 0); /* pane 0 is for counters with a unit */
    prfdata_viewer_toggle_own_pane(&s.viewer, 1);
    assert_int_not_equal(series[1]->stack, series[0]->stack);
    prfdata_viewer_toggle_own_pane(&s.viewer, PRFDATA_CHART_SERIES); /* no line is selected */
    end_scene_viewer(&s);
}

/* A scale belongs to a pane. A line that gets its own pane keeps the scale of the pane that it
 * left. */
static void test_viewer_gives_a_pane_a_logarithmic_scale(void **state)
{
    const prfdata_chart_size size = {400, 300, 12, 50, 60, 0};
    prfdata_chart_layout layout;
    prfdata_chart_series *const *series;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    series = s.viewer.chart.series;
    take_queue(&s, 1);
    add_line_viewer(&s, QUEUE, DEPTH, "*");
    take_queue(&s, 2);
    add_line_viewer(&s, QUEUE, RATE, "a");
    take_asked(&s, view_sample(3, (view_row[]){{"a", 0, 300}, {"b", 13, 0}}, 2), QUEUE, 0);
    prfdata_viewer_toggle_log(&s.viewer, 1);
    assert_true(series[0]->is_log && series[1]->is_log && !series[2]->is_log);
    prfdata_chart_layout_make(&s.viewer.chart, &size, &layout);
    assert_true(layout.panes[0].scale.is_log && layout.panes[0].scale.low == 1 &&
                layout.panes[0].scale.high == 100); /* the values are 1 to 13, and one 0 */
    assert_false(layout.panes[1].scale.is_log);
    prfdata_viewer_toggle_own_pane(&s.viewer, 0);
    prfdata_viewer_toggle_log(&s.viewer, 1);
    assert_true(series[0]->is_log && !series[1]->is_log);
    prfdata_viewer_toggle_log(&s.viewer, PRFDATA_CHART_SERIES);
    prfdata_viewer_toggle_own_pane(&s.viewer, 0); /* the line takes its scale along */
    assert_true(prfdata_viewer_is_log(&s.viewer, 1));
    prfdata_viewer_toggle_log(&s.viewer, 1);
    assert_false(series[0]->is_log || series[1]->is_log);
    assert_false(prfdata_viewer_is_log(&s.viewer, PRFDATA_CHART_SERIES));
    end_scene_viewer(&s);
}

static void test_viewer_changes_a_line_to_the_next_free_colour(void **state)
{
    prfdata_chart_series *const *series;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    series = s.viewer.chart.series;
    take_queue(&s, 1);
    add_line_viewer(&s, QUEUE, DEPTH, "*");
    prfdata_viewer_change_colour(&s.viewer, 0); /* b has colour 1 */
    assert_int_equal(series[0]->colour, 2);
    for (uint32_t i = 3; i <= PRFDATA_CHART_SERIES; i++)
        prfdata_viewer_change_colour(&s.viewer, 0);
    assert_int_equal(series[0]->colour, 0);
    end_scene_viewer(&s);
}

static void test_viewer_hides_chooses_and_removes_a_line(void **state)
{
    prfdata_chart_series *const *series;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    series = s.viewer.chart.series;
    take_queue(&s, 1);
    add_line_viewer(&s, QUEUE, DEPTH, "*");
    s.heard.changed = 0;
    prfdata_viewer_hide_line(&s.viewer, 1, true);
    assert_true(series[1]->is_hidden && !series[0]->is_hidden);
    assert_true(s.heard.changed & PRFDATA_VIEWER_CHART);
    s.heard.changed = 0;
    prfdata_viewer_hide_line(&s.viewer, 1, true);
    assert_int_equal(s.heard.changed, 0);
    prfdata_viewer_choose_line(&s.viewer, 0);
    prfdata_viewer_choose_line(&s.viewer, 1);
    assert_true(series[1]->is_wide && !series[0]->is_wide);
    assert_true(ascii_text_is(s.viewer.about.label, "b"));
    prfdata_viewer_choose_line(&s.viewer, PRFDATA_CHART_SERIES);
    assert_false(series[1]->is_wide);
    prfdata_viewer_toggle_bands(&s.viewer);
    assert_true(s.viewer.chart.hides_bands);
    s.heard.changed = 0;
    prfdata_viewer_remove_line(&s.viewer, 0);
    assert_true(s.heard.changed & PRFDATA_VIEWER_WANTED);
    assert_int_equal(s.viewer.chart.series_count, 1);
    assert_true(ascii_text_is(series[0]->key.label, "b"));
    prfdata_viewer_remove_line(&s.viewer, 1);
    assert_int_equal(s.viewer.chart.series_count, 1);
    end_scene_viewer(&s);
}

/* Take a hundred instances of Queue. Their depths are 0 to 99. In each second, the bytes of an
 * instance grow by its depth. */
static void take_crowd(viewer_scene *s, uint32_t second)
{
    static char names[100][8];
    static view_row rows[100];

    for (uint32_t i = 0; i < 100; i++) {
        const uint32_t number = i * 77 % 100;

        (void)snprintf(names[i], sizeof names[i], "i%u", (unsigned)i);
        rows[i] = (view_row){names[i], number, number * second};
    }
    take_asked(s, view_sample(second, rows, 100), QUEUE, 0);
}

/* More rows are selected than a chart has room for, so the rows with the highest values are
 * added. */
static void test_viewer_adds_the_highest_of_many_rows(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_crowd(&s, 1);
    for (uint32_t i = 0; i < 100; i++)
        s.viewer.table.shown[i]->is_selected = true;
    prfdata_viewer_add_selected(&s.viewer);
    assert_int_equal(s.viewer.chart.series_count, PRFDATA_CHART_SERIES);
    for (uint32_t i = 0; i < PRFDATA_CHART_SERIES; i++)
        assert_true(s.viewer.chart.series[i]->values[0] == 99 - i);
    end_scene_viewer(&s);
}

/* A path names more instances than a chart has room for. Only the second sample shows which rates
 * are highest. */
static void test_viewer_adds_the_highest_of_a_path(void **state)
{
    uint16_t chars[40];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_add_name(&s.viewer, ascii_text("\\Queue(*)\\Bytes/sec", chars));
    prfdata_viewer_begin_names(&s.viewer);
    take_crowd(&s, 1);
    assert_int_equal(s.viewer.chart.series_count, 0);
    take_crowd(&s, 2);
    assert_int_equal(s.viewer.chart.series_count, PRFDATA_CHART_SERIES);
    for (uint32_t i = 0; i < PRFDATA_CHART_SERIES; i++)
        assert_true(s.viewer.chart.series[i]->values[1] == 99 - i);
    assert_int_equal(s.viewer.name_count, 0);
    assert_int_equal(s.heard.not_found, 0);
    end_scene_viewer(&s);
}

static void test_viewer_adds_the_highest_of_many_instances(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_crowd(&s, 1);
    add_line_viewer(&s, QUEUE, DEPTH, "*");
    assert_int_equal(s.viewer.chart.series_count, PRFDATA_CHART_SERIES);
    for (uint32_t i = 0; i < PRFDATA_CHART_SERIES; i++)
        assert_true(s.viewer.chart.series[i]->values[0] == 99 - i);
    assert_int_equal(prfdata_viewer_hidden_count(&s.viewer), 100 - PRFDATA_CHART_SERIES);
    end_scene_viewer(&s);
}

static void test_viewer_says_that_a_chart_is_full(void **state)
{
    char name[8];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    for (unsigned i = 0; i <= PRFDATA_CHART_SERIES; i++) {
        (void)snprintf(name, sizeof name, "i%u", i);
        add_line_viewer(&s, QUEUE, DEPTH, name);
    }
    assert_int_equal(s.viewer.chart.series_count, PRFDATA_CHART_SERIES);
    assert_int_equal(s.heard.full_charts, 1);
    end_scene_viewer(&s);
}

/* If no sample has the names of a path, that is reported once. */
static void test_viewer_resolves_names_when_a_sample_has_them(void **state)
{
    uint16_t chars[40];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_add_name(&s.viewer, ascii_text("\\Queue(*)\\Depth", chars));
    prfdata_viewer_add_name(&s.viewer, ascii_text("\\Queue(none)\\Depth", chars));
    prfdata_viewer_add_name(&s.viewer, ascii_text("No such object", chars));
    prfdata_viewer_begin_names(&s.viewer);
    assert_int_equal(s.heard.not_found, 1);
    assert_int_equal(s.viewer.table.object_title, QUEUE);
    assert_true(wants(&s, QUEUE));
    take_queue(&s, 1);
    assert_int_equal(s.viewer.chart.series_count, 2);
    take_queue(&s, 2);
    take_queue(&s, 3);
    assert_int_equal(s.heard.not_found, 2);
    assert_int_equal(s.viewer.name_count, 1);
    end_scene_viewer(&s);
}

static prfdata_viewer_absence absence_of(const viewer_scene *s, uint32_t row, const char *path)
{
    prfdata_text note;

    assert_true(ascii_text_is(prfdata_viewer_row_path(&s->viewer, row), path));
    return prfdata_viewer_row_absence(&s->viewer, row, &note);
}

/* A row that has no line yet, or no current value, says why. The user can remove it like a line. */
static void test_viewer_says_why_a_row_has_no_values(void **state)
{
    static const char *const paths[] = {"\\Queue(a)\\Depth", "\\Queue(none)\\Depth",
                                        "\\Other\\Number", "\\Nobody\\Number"};
    const view_row row = {"b", 1, 100};
    const prfdata_title_set all = {0};
    uint16_t chars[40];
    prfdata_text note;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    for (size_t i = 0; i < 4; i++)
        prfdata_viewer_add_name(&s.viewer, ascii_text(paths[i], chars));
    prfdata_viewer_begin_names(&s.viewer);
    assert_int_equal(prfdata_viewer_row_count(&s.viewer), 4);
    assert_int_equal(absence_of(&s, 0, paths[0]), PRFDATA_VIEWER_AWAITED);
    assert_int_equal(absence_of(&s, 3, paths[3]), PRFDATA_VIEWER_UNKNOWN);
    for (uint32_t second = 1; second <= 3; second++)
        take_queue(&s, second);
    assert_int_equal(prfdata_viewer_row_count(&s.viewer), 4);
    assert_int_equal(absence_of(&s, 0, paths[0]), PRFDATA_VIEWER_PRESENT);
    assert_int_equal(absence_of(&s, 1, paths[1]), PRFDATA_VIEWER_UNKNOWN);
    assert_int_equal(absence_of(&s, 2, paths[2]), PRFDATA_VIEWER_AWAITED);
    prfdata_tree_silence(&s.viewer.tree, prfdata_tree_object(&s.viewer.tree, OTHER),
                         ascii_text("it hangs", chars));
    assert_int_equal(prfdata_viewer_row_absence(&s.viewer, 2, &note), PRFDATA_VIEWER_SILENT);
    assert_true(ascii_text_is(note, "it hangs"));
    take_asked(&s, view_sample(4, &row, 1), QUEUE, 0);
    assert_int_equal(absence_of(&s, 0, paths[0]), PRFDATA_VIEWER_NO_INSTANCE);
    prfdata_viewer_take(&s.viewer, other_sample(5, 7), &all, 0);
    assert_int_equal(absence_of(&s, 0, paths[0]), PRFDATA_VIEWER_NO_OBJECT);
    /* This path has a line now. */
    assert_int_equal(absence_of(&s, 1, paths[2]), PRFDATA_VIEWER_PRESENT);
    prfdata_viewer_remove_line(&s.viewer, 3);
    assert_int_equal(prfdata_viewer_row_count(&s.viewer), 3);
    prfdata_viewer_remove_line(&s.viewer, 3); /* there is no such row */
    prfdata_viewer_remove_lines(&s.viewer);
    assert_int_equal(prfdata_viewer_row_count(&s.viewer), 0);
    end_scene_viewer(&s);
}

/* A total is higher than the instances that it adds up, so a * leaves totals out. A * adds totals
 * if the user wants them, or if the object has no other instance. A path that names a total adds
 * its line. */
static void test_viewer_leaves_totals_out_of_all_instances(void **state)
{
    static const struct {
        const char *path;
        bool adds_totals;
        uint32_t lines;
    } cases[] = {{"\\Queue(*)\\Depth", false, 2},
                 {"\\Queue(*)\\Depth", true, 4},
                 {"\\Queue(_Total)\\Depth", false, 1},
                 {"\\Queue(*_Total)\\Depth", false, 2}};
    const view_row rows[] = {{"0,_Total", 1, 0}, {"_Total", 2, 0}, {"a", 3, 0}, {"b", 4, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint16_t chars[40];
        viewer_scene s;

        begin_scene_viewer(&s, true);
        s.viewer.adds_totals = cases[i].adds_totals;
        prfdata_viewer_add_name(&s.viewer, ascii_text(cases[i].path, chars));
        prfdata_viewer_begin_names(&s.viewer);
        take_asked(&s, view_sample(1, rows, 4), QUEUE, 0);
        assert_int_equal(s.viewer.chart.series_count, cases[i].lines);
        prfdata_viewer_remove_lines(&s.viewer);
        add_line_viewer(&s, QUEUE, DEPTH, "*"); /* the tree adds lines like this */
        assert_int_equal(s.viewer.chart.series_count, cases[i].adds_totals ? 4 : 2);
        prfdata_viewer_remove_lines(&s.viewer);
        prfdata_viewer_end(&s.viewer);
        begin_again_viewer(&s, NULL, NULL);
        /* The object has nothing except its total. */
        take_asked(&s, view_sample(2, rows + 1, 1), QUEUE, 0);
        add_line_viewer(&s, QUEUE, DEPTH, "*");
        assert_int_equal(s.viewer.chart.series_count, 1);
        end_scene_viewer(&s);
    }
}

static void test_viewer_counts_no_total_as_an_instance(void **state)
{
    const view_row rows[] = {{"_Total", 2, 0}, {"a", 3, 0}, {"b", 4, 0}};
    uint16_t chars[8];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_asked(&s, view_sample(1, rows, 3), QUEUE, 0);
    assert_int_equal(s.viewer.table.present_count - s.viewer.table.present_totals, 2);
    (void)prfdata_viewer_search(&s.viewer, ascii_text("a", chars));
    assert_int_equal(s.viewer.table.shown_present_count - s.viewer.table.shown_totals, 1);
    take_asked(&s, view_sample(2, rows + 1, 2), QUEUE, 0);
    assert_int_equal(s.viewer.table.present_totals + s.viewer.table.shown_totals, 0);
    end_scene_viewer(&s);
}

/* If the object or the counter of a path does not exist, the viewer proposes one with a similar
 * name. */
static void test_viewer_knows_what_was_perhaps_meant(void **state)
{
    static const struct {
        const char *name;
        const char *meant;
    } cases[] = {{"\\Queue(*)\\Dept", "Depth"},   {"\\Queue(a)\\Bytes/s", "Bytes/sec"},
                 {"\\Qeueu(a)\\Depth", "Queue"},  {"Queu", "Queue"},
                 {"\\Queue(a)\\Other thing", ""}, {"\\Queue(none)\\Depth", ""}};
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_queue(&s, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint16_t chars[40];

        assert_true(ascii_text_is(
            prfdata_viewer_similar(&s.viewer, ascii_text(cases[i].name, chars)), cases[i].meant));
    }
    end_scene_viewer(&s);
}

/* A search opens the nodes that it finds, and asks for them. When it ends, the tree is as
 * before. */
static void test_viewer_cleared_search_leaves_the_tree_as_it_was(void **state)
{
    uint16_t chars[8];
    prfdata_node *queue;
    prfdata_node *other;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_queue(&s, 1);
    queue = prfdata_tree_object(&s.viewer.tree, QUEUE);
    other = prfdata_tree_add_object(&s.viewer.tree, PRFDATA_TREE_OTHERS, OTHER);
    prfdata_viewer_open(&s.viewer, queue);
    (void)prfdata_viewer_search(&s.viewer, ascii_text("o", chars));
    (void)prfdata_viewer_search(&s.viewer, ascii_text("ot", chars));
    prfdata_viewer_open(&s.viewer, other);
    prfdata_viewer_close(&s.viewer, queue);
    assert_true(wants(&s, OTHER));
    (void)prfdata_viewer_search(&s.viewer, (prfdata_text){0});
    assert_true(queue->is_open && !other->is_open);
    assert_false(wants(&s, OTHER));
    prfdata_viewer_open(&s.viewer, other);
    (void)prfdata_viewer_search(&s.viewer, (prfdata_text){0}); /* there was no search */
    assert_true(other->is_open);
    end_scene_viewer(&s);
}

/* A slow provider has not answered yet, so its counters are not reported as missing. They are found
 * when it answers. */
static void test_viewer_waits_for_names_of_a_slow_provider(void **state)
{
    uint16_t chars[40];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_add_name(&s.viewer, ascii_text("\\Other\\Number", chars));
    prfdata_viewer_add_name(&s.viewer, ascii_text("\\Queue(none)\\Depth", chars));
    prfdata_viewer_begin_names(&s.viewer);
    for (uint32_t second = 1; second < 6; second++)
        take_queue(&s, second);
    assert_int_equal(s.heard.not_found, 1); /* only Queue(none), because Other was not asked for */
    take_asked(&s, other_sample(6, 7), OTHER, 5000);
    assert_int_equal(s.viewer.chart.series_count, 1);
    assert_int_equal(s.heard.not_found, 1);
    end_scene_viewer(&s);
}

/* Return how many of these paths are refused because they name another computer. The source is
 * SHOP. */
static unsigned others_of(bool is_live, bool is_remote)
{
    static const char *const paths[] = {"\\Queue(a)\\Depth", "\\\\shop\\Queue(b)\\Depth",
                                        "\\\\OTHER\\Queue(a)\\Bytes/sec",
                                        "\\\\localhost\\Queue(b)\\Bytes/sec"};
    uint16_t shop[8];
    uint16_t chars[60];
    viewer_scene s;

    begin_scene_viewer(&s, is_live);
    s.viewer.is_remote = is_remote;
    s.viewer.computer = ascii_text("SHOP", shop);
    for (size_t i = 0; i < 4; i++)
        prfdata_viewer_add_name(&s.viewer, ascii_text(paths[i], chars));
    prfdata_viewer_begin_names(&s.viewer);
    take_queue(&s, 1);
    take_queue(&s, 2);
    assert_int_equal(s.viewer.chart.series_count, 4 - s.heard.other_computers);
    assert_int_equal(s.viewer.name_count, 0);
    for (uint32_t i = 0; i < s.viewer.chart.series_count; i++)
        assert_false(s.viewer.chart.series[i]->key.counter_title == RATE &&
                     ascii_text_is(s.viewer.chart.series[i]->key.label, "a"));
    end_scene_viewer(&s);
    return s.heard.other_computers;
}

/* Paths of another computer are refused, because the source has no numbers of that computer. */
static void test_viewer_refuses_paths_of_another_computer(void **state)
{
    (void)state;
    assert_int_equal(others_of(true, false), 1);
    assert_int_equal(others_of(false, false), 1);
    /* Localhost is not the computer that this source reads. */
    assert_int_equal(others_of(true, true), 2);
}

/* Lines that return, in the same window or with a workspace, look as the user had set them. */
static void test_viewer_gives_lines_their_look_again(void **state)
{
    prfdata_workspace written = {0};
    prfdata_workspace read = {0};
    prfdata_chart_series *const *series;
    uint16_t chars[40];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    series = s.viewer.chart.series;
    take_queue(&s, 1);
    add_line_viewer(&s, QUEUE, DEPTH, "*");
    add_line_viewer(&s, QUEUE, RATE, "a");
    prfdata_viewer_hide_line(&s.viewer, 0, true);
    prfdata_viewer_toggle_own_pane(&s.viewer, 1);
    prfdata_viewer_toggle_log(&s.viewer, 1);
    prfdata_viewer_change_colour(&s.viewer, 2);
    for (unsigned i = 0; i < 2; i++) {
        prfdata_viewer_name_shown(&s.viewer); /* this notes how the lines look */
        if (i == 1) {
            prfdata_line_notes_put(&s.viewer.line_notes, &written);
            assert_int_equal(prfdata_workspace_read(&read, written.text.bytes, written.text.used),
                             ERROR_SUCCESS);
            prfdata_line_notes_free(&s.viewer.line_notes);
            prfdata_line_notes_read(&s.viewer.line_notes, &read);
        }
        assert_int_equal(s.viewer.chart.series_count, 0);
        prfdata_viewer_forget_names(&s.viewer);
        add_line_viewer(&s, QUEUE, DEPTH, "*");
        add_line_viewer(&s, QUEUE, RATE, "a");
        assert_true(series[0]->is_hidden && !series[0]->is_log);
        assert_true(series[1]->is_log && series[1]->stack != series[1]->home);
        assert_int_equal(series[2]->colour, 1);
        assert_int_equal(series[0]->stack, series[0]->home);
    }
    prfdata_viewer_remove_line(&s.viewer, 0); /* removing a line removes its note */
    assert_null(
        prfdata_line_notes_find(&s.viewer.line_notes, ascii_text("\\Queue(a)\\Depth", chars)));
    assert_int_equal(s.viewer.line_notes.count, 2);
    prfdata_viewer_remove_lines(&s.viewer);
    assert_int_equal(s.viewer.line_notes.count, 0);
    prfdata_workspace_free(&written);
    prfdata_workspace_free(&read);
    end_scene_viewer(&s);
}

static void test_viewer_asks_the_next_source_for_what_was_shown(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    add_line_viewer(&s, QUEUE, DEPTH, "a");
    s.heard.changed = 0;
    prfdata_viewer_end(&s.viewer);
    assert_true(s.heard.changed & PRFDATA_VIEWER_LEAVES);
    assert_int_equal(s.viewer.name_count, 1);
    assert_true(ascii_text_is(s.viewer.wanted, "Queue"));
    assert_int_equal(s.viewer.table.object_title, 0);
    assert_int_equal(s.viewer.timeline.count, 0);
    assert_null(prfdata_viewer_shown(&s.viewer));
    assert_null(s.viewer.tree.computer);
    end_scene_viewer(&s);
}

/* A service is removed, another one gets its indexes, and then the first one returns. */
static void test_viewer_goes_back_to_the_object_that_was_chosen(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    begin_again_viewer(&s, "Guests", "Bytes/sec");
    /* The viewer shows the only object that the new source has. */
    assert_int_equal(s.viewer.table.object_title, QUEUE);
    assert_true(ascii_text_is(s.viewer.wanted, "Queue"));
    begin_again_viewer(&s, "Guests", "Bytes/sec");
    assert_true(ascii_text_is(s.viewer.wanted, "Queue"));
    prfdata_viewer_end(&s.viewer);
    begin_again_viewer(&s, NULL, NULL);
    assert_int_equal(s.viewer.table.object_title, QUEUE);
    assert_true(wants(&s, QUEUE));
    prfdata_viewer_choose_object(&s.viewer, OTHER); /* the user no longer wants Queue */
    begin_again_viewer(&s, NULL, NULL);
    assert_int_equal(s.viewer.table.object_title, OTHER);
    end_scene_viewer(&s);
}

static void test_viewer_waits_for_an_object_that_was_named(void **state)
{
    uint16_t chars[40];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    begin_again_viewer(&s, "Guests", "Bytes/sec");
    prfdata_viewer_add_name(&s.viewer, ascii_text("Solo", chars));
    prfdata_viewer_begin_names(&s.viewer);
    assert_int_equal(s.heard.not_found, 1);
    assert_int_equal(s.viewer.table.object_title, QUEUE);
    begin_again_viewer(&s, NULL, NULL);
    assert_int_equal(s.viewer.table.object_title, SOLO);
    assert_int_equal(s.heard.not_found, 1);
    end_scene_viewer(&s);
}

static void test_viewer_sorts_the_next_source_as_before(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    prfdata_viewer_sort(&s.viewer, 1);
    prfdata_viewer_sort(&s.viewer, 1);
    begin_again_viewer(&s, NULL, NULL);
    begin_again_viewer(&s, NULL, NULL); /* again, before a sample came */
    take_queue(&s, 2);
    assert_int_equal(s.viewer.table.sort_column, 1);
    assert_false(s.viewer.table.sorts_descending);
    prfdata_viewer_sort(&s.viewer, PRFDATA_TABLE_LABEL);
    prfdata_viewer_sort(&s.viewer, PRFDATA_TABLE_LABEL);
    begin_again_viewer(&s, NULL, NULL);
    take_queue(&s, 3);
    assert_int_equal(s.viewer.table.sort_column, PRFDATA_TABLE_LABEL);
    assert_true(s.viewer.table.sorts_descending);
    assert_true(cell_shows(&s, 0, PRFDATA_TABLE_LABEL, "b"));
    end_scene_viewer(&s);
}

/* A workspace keeps the order of the table. Another window uses that order for the same object. */
static void test_viewer_order_is_in_the_workspace(void **state)
{
    prfdata_workspace workspace = {0};
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    prfdata_viewer_sort(&s.viewer, 1);
    prfdata_viewer_sort(&s.viewer, 1);
    prfdata_viewer_put_order(&s.viewer, &workspace);
    end_scene_viewer(&s);
    assert_int_equal(prfdata_workspace_read(&workspace, workspace.text.bytes, workspace.text.used),
                     ERROR_SUCCESS);
    begin_scene_viewer(&s, true);
    prfdata_viewer_read_order(&s.viewer, &workspace); /* the table does not show Queue yet */
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    assert_int_equal(s.viewer.table.sort_column, 1);
    assert_false(s.viewer.table.sorts_descending);
    prfdata_viewer_sort(&s.viewer, PRFDATA_TABLE_LABEL);
    prfdata_viewer_read_order(&s.viewer, &workspace); /* now the table shows Queue */
    assert_int_equal(s.viewer.table.sort_column, 1);
    end_scene_viewer(&s);
    prfdata_workspace_free(&workspace);
}

/* Another counter, or another object, is at the index by which the table was sorted, so the table
 * is sorted by labels. */
static void test_viewer_sorts_no_other_counter_and_no_other_object(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    prfdata_viewer_sort(&s.viewer, 1);
    begin_again_viewer(&s, "Queue", "Jobs/sec");
    take_queue(&s, 2);
    assert_int_equal(s.viewer.table.object_title, QUEUE);
    assert_int_equal(s.viewer.table.sort_column, PRFDATA_TABLE_LABEL);
    assert_false(s.viewer.table.sorts_descending);
    prfdata_viewer_sort(&s.viewer, 0);
    begin_again_viewer(&s, "Guests", "Bytes/sec");
    take_queue(&s, 3);
    assert_int_equal(s.viewer.table.sort_column, PRFDATA_TABLE_LABEL);
    end_scene_viewer(&s);
}

/* A file has its samples before anything is asked for. */
static void test_viewer_shows_a_file_at_its_newest_sample(void **state)
{
    uint16_t chars[40];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, false);
    for (uint32_t second = 1; second <= 3; second++) {
        const view_row row = {"a", second, second * 100};
        prfdata_sample *sample = view_sample(second, &row, 1);
        int64_t time_ms;

        assert_int_equal(prfdata_timeline_add(&s.viewer.timeline, sample, NULL, &time_ms),
                         ERROR_SUCCESS);
        prfdata_sample_free(sample);
    }
    prfdata_viewer_take_timeline(&s.viewer);
    prfdata_viewer_add_name(&s.viewer, ascii_text("\\Queue(a)\\Depth", chars));
    prfdata_viewer_begin_names(&s.viewer);
    assert_int_equal(s.viewer.table.object_title, QUEUE);
    assert_true(cell_shows(&s, 0, 0, "3") && cell_shows(&s, 0, 1, "100.0"));
    assert_true(s.viewer.chart.series[0]->values[0] == 1);
    assert_int_equal(s.viewer.name_count, 0);
    prfdata_viewer_look_at(&s.viewer, 1000);
    assert_true(cell_shows(&s, 0, 0, "1"));
    end_scene_viewer(&s);
}

static void add_to_file(viewer_scene *s, prfdata_sample *sample)
{
    int64_t time_ms;

    assert_int_equal(prfdata_timeline_add(&s->viewer.timeline, sample, NULL, &time_ms),
                     ERROR_SUCCESS);
    prfdata_sample_free(sample);
}

static void test_viewer_shows_only_what_was_there_at_a_time_of_a_file(void **state)
{
    static const view_row rows[] = {{"a", 1, 0}, {"b", 2, 0}};
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, false);
    add_to_file(&s, view_sample(1, rows, 1));
    add_to_file(&s, view_sample(2, rows, 2));
    add_to_file(&s, other_sample(3, 7));
    prfdata_viewer_take_timeline(&s.viewer);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    prfdata_viewer_look_at(&s.viewer, 2000);
    assert_int_equal(s.viewer.table.shown_count, 2);
    prfdata_viewer_look_at(&s.viewer, 1000);
    assert_int_equal(s.viewer.table.shown_count, 1);
    prfdata_viewer_choose_object(&s.viewer, OTHER);
    assert_false(s.viewer.table.is_present);
    assert_int_equal(s.viewer.table.shown_count, 0);
    prfdata_viewer_look_at(&s.viewer, 3000);
    assert_true(s.viewer.table.is_present);
    assert_int_equal(s.viewer.table.shown_count, 1);
    end_scene_viewer(&s);
}

/* A file without notes does not say which objects were asked for in a sample. If a counter is
 * missing in a sample and returns later, the viewer assumes that it was not asked for in this
 * sample. */
static void test_viewer_reads_a_slow_object_from_a_file(void **state)
{
    static const view_row rows[] = {{"a", 1, 100}, {"a", 2, 200}, {"a", 4, 400}};
    const prfdata_chart_series *line;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, false);
    add_to_file(&s, view_sample(1, &rows[0], 1));
    add_to_file(&s, view_sample(2, &rows[1], 1));
    add_to_file(&s, other_sample(3, 7));
    add_to_file(&s, view_sample(4, &rows[2], 1));
    add_to_file(&s, other_sample(5, 8));
    prfdata_viewer_take_timeline(&s.viewer);
    add_line_viewer(&s, QUEUE, RATE, "a");
    line = s.viewer.chart.series[0];
    assert_true(line->values[1] == 100 && prfdata_scale_is_skipped(line->values[2]));
    assert_true(line->values[3] == 100);
    assert_true(prfdata_scale_is_missing(line->values[4]) &&
                !prfdata_scale_is_skipped(line->values[4])); /* its counter does not return */
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    assert_false(s.viewer.table.is_present);
    prfdata_viewer_look_at(&s.viewer, 3000);
    assert_true(s.viewer.table.is_present);
    assert_true(cell_shows(&s, 0, 0, "2"));
    end_scene_viewer(&s);
}

/* ---- The tree ---- */

/* If the user selects an instance in the tree, its row is selected, even if the table gets the row
 * later. */
static void test_viewer_selects_the_row_of_an_instance(void **state)
{
    prfdata_node *object;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    object = prfdata_tree_object(&s.viewer.tree, QUEUE);
    prfdata_viewer_open(&s.viewer, object);
    s.heard.changed = 0;
    prfdata_viewer_select(&s.viewer, child_named(object, "b"));
    assert_true(s.heard.changed & PRFDATA_VIEWER_ROW);
    assert_true(s.viewer.table.shown[1]->is_selected && s.viewer.table.shown[1]->is_focused);
    assert_false(s.viewer.table.shown[0]->is_selected);
    prfdata_viewer_select(&s.viewer, child_named(object, "a"));
    assert_true(s.viewer.table.shown[0]->is_selected && !s.viewer.table.shown[1]->is_selected);
    /* Now another object is shown, and no sample was taken. */
    prfdata_table_choose(&s.viewer.table, 0);
    prfdata_viewer_forget_samples(&s.viewer);
    prfdata_viewer_select(&s.viewer, child_named(object, "b"));
    assert_int_equal(s.viewer.table.row_count, 0);
    take_queue(&s, 2);
    assert_true(s.viewer.table.shown[1]->is_focused);
    end_scene_viewer(&s);
}

/* The table waits for a row. If the user selects another one first, the awaited row is not
 * selected. */
static void test_viewer_forgets_the_row_that_it_waits_for(void **state)
{
    prfdata_node *object;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    object = prfdata_tree_object(&s.viewer.tree, QUEUE);
    prfdata_viewer_open(&s.viewer, object);
    child_named(object, "b")->is_selected = true; /* its node in the tree stays selected */
    take_asked(&s, view_sample(2, &(view_row){"a", 1, 0}, 1), QUEUE, 0);
    for (uint32_t second = 3; second <= 6; second++)
        take_asked(&s, view_sample(second, &(view_row){"a", 1, 0}, 1), QUEUE, 0);
    prfdata_viewer_select(&s.viewer, child_named(object, "b"));
    prfdata_viewer_choose_cell(&s.viewer, RATE, s.viewer.table.shown[0]->label);
    assert_int_equal(s.viewer.about.counter_title, RATE);
    assert_true(ascii_text_is(s.viewer.about.label, "a"));
    take_queue(&s, 7);
    assert_int_equal(s.viewer.table.shown_count, 2);
    assert_false(s.viewer.table.shown[1]->is_selected);
    end_scene_viewer(&s);
}

/* Selects what the details describe: a structure of the block, or a counter. */
static void test_viewer_describes_what_is_selected(void **state)
{
    prfdata_output output = {0};
    prfdata_node *object;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    object = prfdata_tree_object(&s.viewer.tree, QUEUE);
    prfdata_viewer_open(&s.viewer, object);
    prfdata_viewer_open(&s.viewer, child_named(object, "b"));
    prfdata_viewer_select(&s.viewer, child_named(child_named(object, "b"), "Bytes/sec"));
    assert_non_null(strstr(details_of(&s, &output), "\\Queue(b)\\Bytes/sec"));
    prfdata_output_free(&output);
    prfdata_viewer_select(&s.viewer, child_named(object, "b"));
    assert_non_null(strstr(details_of(&s, &output), "\\Queue(b)\r\n"));
    assert_non_null(strstr(output.bytes, "PERF_INSTANCE_DEFINITION\r\n"));
    assert_non_null(strstr(output.bytes, "0B 00 00 00                value of 4 bytes"));
    assert_null(strstr(output.bytes, "PERF_OBJECT_TYPE"));
    prfdata_output_free(&output);
    prfdata_viewer_select(&s.viewer, child_named(object, "*"));
    assert_non_null(strstr(details_of(&s, &output), "PERF_OBJECT_TYPE\r\n"));
    assert_non_null(
        strstr(output.bytes, "64 00 00 00                ObjectNameTitleIndex     100 \"Queue"));
    prfdata_output_free(&output);
    prfdata_viewer_select(&s.viewer, s.viewer.tree.computer);
    assert_non_null(strstr(details_of(&s, &output), "PERF_DATA_BLOCK\r\n"));
    assert_non_null(strstr(output.bytes, "NumObjectTypes           1\r\n"));
    prfdata_output_free(&output);
    take_queue(&s, 2);
    prfdata_viewer_select(&s.viewer, object);
    take_asked(&s, other_sample(3, 7), QUEUE, 0); /* Queue is gone */
    assert_string_equal(details_of(&s, &output), "\\Queue\r\n\r\nthe object is not available now");
    prfdata_output_free(&output);
    end_scene_viewer(&s);
}

static bool has_path(viewer_scene *s, prfdata_node *node, const char *expected)
{
    prfdata_output output = {0};
    bool is_same;

    prfdata_viewer_put_node_path(&s->viewer, &output, node);
    is_same = output.used == strlen(expected) && memcmp(output.bytes, expected, output.used) == 0;
    prfdata_output_free(&output);
    return is_same;
}

/* Copying a node copies the path that leads to the node, not the path of a counter below it. */
static void test_viewer_node_has_its_path(void **state)
{
    prfdata_node *object;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    object = prfdata_tree_object(&s.viewer.tree, QUEUE);
    prfdata_viewer_open(&s.viewer, object);
    prfdata_viewer_open(&s.viewer, child_named(object, "b"));
    prfdata_viewer_open(&s.viewer, child_named(object, "*"));
    assert_true(has_path(&s, object, "\\Queue"));
    assert_true(has_path(&s, child_named(object, "b"), "\\Queue(b)"));
    assert_true(
        has_path(&s, child_named(child_named(object, "b"), "Bytes/sec"), "\\Queue(b)\\Bytes/sec"));
    assert_true(has_path(&s, child_named(child_named(object, "*"), "Depth"), "\\Queue(*)\\Depth"));
    end_scene_viewer(&s);
}

static void test_viewer_searches_tree_and_table(void **state)
{
    uint16_t chars[8];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    assert_int_equal(prfdata_viewer_search(&s.viewer, ascii_text("b", chars)),
                     2); /* the instance b, and Bytes/sec */
    assert_int_equal(s.viewer.table.shown_count, 1);
    assert_int_equal(prfdata_viewer_search(&s.viewer, ascii_text("queue", chars)), 1);
    /* No instance matches, so the search hides none. */
    assert_int_equal(s.viewer.table.shown_count, 2);
    (void)prfdata_viewer_search(&s.viewer, (prfdata_text){0});
    assert_int_equal(s.viewer.table.shown_count, 2);
    end_scene_viewer(&s);
}

/* A condition is for the values of the chosen column. The text before the condition is searched
 * for. */
static void test_viewer_search_filters_by_a_condition(void **state)
{
    uint16_t chars[20];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    assert_int_equal(s.viewer.table.shown_count, 2);
    (void)prfdata_viewer_search(&s.viewer, ascii_text(">5", chars));
    assert_int_equal(s.viewer.table.shown_count, 1);
    assert_true(cell_shows(&s, 0, PRFDATA_TABLE_LABEL, "b"));
    s.viewer.column = 1;
    prfdata_viewer_choose_cell(&s.viewer, RATE, s.viewer.table.shown[0]->label);
    assert_int_equal(s.viewer.table.shown_count, 0); /* rates need a second sample */
    (void)prfdata_viewer_search(&s.viewer, ascii_text("a >=0", chars));
    take_queue(&s, 2);
    assert_int_equal(s.viewer.table.shown_count, 1);
    assert_true(cell_shows(&s, 0, PRFDATA_TABLE_LABEL, "a"));
    (void)prfdata_viewer_search(&s.viewer, (prfdata_text){0});
    assert_int_equal(s.viewer.table.shown_count, 2);
    end_scene_viewer(&s);
}

/* A threshold is set for table and chart, and is the same in the next window. */
static void test_viewer_threshold_is_in_the_workspace(void **state)
{
    prfdata_workspace workspace = {0};
    prfdata_output output = {0};
    uint16_t chars[20];
    prfdata_chart_key key = {QUEUE, DEPTH, {0}};
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    assert_false(prfdata_viewer_set_threshold(&s.viewer, QUEUE, DEPTH, ascii_text("5", chars)));
    assert_false(prfdata_viewer_set_threshold(&s.viewer, QUEUE, DEPTH, ascii_text("a >5", chars)));
    assert_true(prfdata_viewer_set_threshold(&s.viewer, QUEUE, DEPTH, ascii_text(" >5.5", chars)));
    prfdata_viewer_put_thresholds(&s.viewer, &workspace);
    assert_true(prfdata_viewer_set_threshold(&s.viewer, QUEUE, DEPTH, (prfdata_text){0}));
    assert_int_equal(s.viewer.thresholds.count, 0);
    end_scene_viewer(&s);
    assert_int_equal(prfdata_workspace_read(&workspace, workspace.text.bytes, workspace.text.used),
                     ERROR_SUCCESS);
    begin_scene_viewer(&s, true);
    prfdata_viewer_read_thresholds(&s.viewer, &workspace);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    assert_true(prfdata_table_is_beyond(&s.viewer.table, s.viewer.table.shown[1], 0));
    assert_false(prfdata_table_is_beyond(&s.viewer.table, s.viewer.table.shown[0], 0));
    key.label = ascii_text("b", chars);
    prfdata_viewer_add_line(&s.viewer, &key);
    assert_true(s.viewer.chart.series[0]->threshold.number == 5.5);
    s.viewer.style = (prfdata_number_style){',', '.'};
    prfdata_viewer_put_threshold(&s.viewer, QUEUE, DEPTH, &output);
    assert_string_equal(view_text_of(&output), ">5,5");
    prfdata_output_free(&output);
    end_scene_viewer(&s);
    prfdata_workspace_free(&workspace);
}

/* The threshold of a hexadecimal counter may be entered in hexadecimal or decimal, and is shown in
 * hexadecimal. The workspace has it in decimal, without the user's separators. */
static void test_viewer_threshold_of_a_hexadecimal_counter_is_hexadecimal(void **state)
{
    static const char *const typed[] = {">=BEEFh", ">=48879", ">= 48.879"};
    prfdata_workspace workspace = {0};
    uint16_t chars[20];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    s.viewer.style = (prfdata_number_style){',', '.'};
    assert_false(prfdata_viewer_is_hex(&s.viewer, OTHER, NUMBER)); /* there is no sample yet */
    prfdata_viewer_choose_object(&s.viewer, OTHER);
    take_asked(&s, sample_of_type(PERF_COUNTER_LARGE_RAWCOUNT_HEX, 1, 0xBEEF), OTHER, 0);
    assert_true(prfdata_viewer_is_hex(&s.viewer, OTHER, NUMBER));
    assert_false(prfdata_viewer_is_hex(&s.viewer, OTHER, DEPTH));
    for (size_t i = 0; i < sizeof typed / sizeof typed[0]; i++) {
        prfdata_output output = {0};

        assert_true(
            prfdata_viewer_set_threshold(&s.viewer, OTHER, NUMBER, ascii_text(typed[i], chars)));
        prfdata_viewer_put_threshold(&s.viewer, OTHER, NUMBER, &output);
        assert_string_equal(view_text_of(&output), ">=BEEFh");
        prfdata_output_free(&output);
    }
    assert_true(prfdata_table_is_beyond(&s.viewer.table, s.viewer.table.shown[0], 0));
    prfdata_viewer_put_thresholds(&s.viewer, &workspace);
    prfdata_output_put(&workspace.text, "", 1);
    assert_non_null(strstr(workspace.text.bytes, ">=48879 \\Other\\Number"));
    prfdata_workspace_free(&workspace);
    end_scene_viewer(&s);
}

/* The user's search also applies to the next object and to the next source. */
static void test_viewer_searches_what_comes_next(void **state)
{
    uint16_t chars[8];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    (void)prfdata_viewer_search(&s.viewer, ascii_text("b", chars));
    assert_int_equal(s.viewer.table.shown_count, 1);
    take_asked(&s, other_sample(2, 7), OTHER, 0);
    prfdata_viewer_choose_object(&s.viewer, OTHER);
    assert_int_equal(s.viewer.table.shown_count, 1); /* the row "Number" */
    (void)prfdata_viewer_search(&s.viewer, ascii_text("num", chars));
    /* No instance matches, so the search hides none. */
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    assert_int_equal(s.viewer.table.shown_count, 2);
    (void)prfdata_viewer_search(&s.viewer, ascii_text("b", chars));
    assert_int_equal(s.viewer.table.shown_count, 1);
    begin_again_viewer(&s, NULL, NULL);
    prfdata_viewer_close(&s.viewer, prfdata_tree_object(&s.viewer.tree, QUEUE));
    take_queue(&s, 3);
    assert_int_equal(s.viewer.table.shown_count, 1);
    assert_false(prfdata_tree_object(&s.viewer.tree, QUEUE)->is_match);
    assert_true(prfdata_tree_object(&s.viewer.tree, QUEUE)->is_shown);
    assert_true(child_named(prfdata_tree_object(&s.viewer.tree, QUEUE), "b")->is_match);
    assert_false(child_named(prfdata_tree_object(&s.viewer.tree, QUEUE), "a")->is_shown);
    prfdata_viewer_end(&s.viewer);
    assert_int_equal(prfdata_viewer_search(&s.viewer, (prfdata_text){0}), 0); /* without a source */
    begin_again_viewer(&s, NULL, NULL);
    take_queue(&s, 4);
    assert_int_equal(s.viewer.table.shown_count, 2);
    end_scene_viewer(&s);
}

/* ---- Changes while the user looks ---- */

/* Make a sample of Queue with one instance and another counter before the usual ones. */
static prfdata_sample *sample_of_more_counters(uint32_t second, uint32_t depth, uint32_t bytes)
{
    static wire w;
    size_t object;
    size_t values;

    memset(&w, 0, sizeof w);
    wire_begin(&w, 1);
    object = wire_object(&w, QUEUE, 3, 1, 0);
    wire_counter(&w, NUMBER, PERF_COUNTER_RAWCOUNT, 4, 16);
    wire_counter(&w, DEPTH, PERF_COUNTER_RAWCOUNT, 4, 4);
    wire_counter(&w, RATE, PERF_COUNTER_BULK_COUNT, 8, 8);
    wire_instance(&w, 0, 0, -1, "a");
    values = wire_values(&w);
    wire_put32(&w, depth);
    wire_put64(&w, bytes);
    wire_put32(&w, 77);
    wire_values_end(&w, values);
    wire_object_end(&w, object);
    return view_end(&w, (uint64_t)second * 1000, (uint64_t)second * 10000000);
}

/* If a counter's position changes, actions still apply to it, and its rate continues. */
static void test_viewer_follows_a_counter_that_moves(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 1);
    s.viewer.column = 1;
    take_asked(&s, sample_of_more_counters(2, 5, 300), QUEUE, 0);
    assert_int_equal(s.viewer.table.columns[s.viewer.column].counter_title, RATE);
    assert_true(cell_shows(&s, 0, 0, "77") && cell_shows(&s, 0, 2, "200.0"));
    s.viewer.column = 0; /* selects the column that the next sample lacks */
    take_queue(&s, 3);
    assert_int_equal(s.viewer.table.columns[s.viewer.column].counter_title, DEPTH);
    s.viewer.column = 1;
    take_asked(&s, sample_of_more_counters(4, 5, 400), QUEUE, 0);
    s.viewer.column = 2;
    prfdata_viewer_look_at(&s.viewer, 3000);
    assert_int_equal(s.viewer.table.columns[s.viewer.column].counter_title, RATE);
    end_scene_viewer(&s);
}

/* If the sample before the shown one is dropped, there are no rates. If the shown sample is
 * dropped, table, details and time move to the next one. */
static void test_viewer_moves_on_when_what_it_looks_at_is_dropped(void **state)
{
    const prfdata_chart_key about = {QUEUE, RATE, {0}};
    const prfdata_sample *older;
    const prfdata_sample *newer;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    prfdata_viewer_describe(&s.viewer, PRFDATA_VIEWER_OBJECT_TYPE, &about);
    for (uint32_t second = 1; second <= 4; second++)
        take_queue(&s, second);
    /* The next sample drops the oldest one. */
    s.viewer.timeline.most_bytes = s.viewer.timeline.total_bytes;
    prfdata_viewer_look_at(&s.viewer, 2000);
    assert_true(cell_shows(&s, 0, 0, "2") && cell_shows(&s, 0, 1, "100.0"));
    take_queue(&s, 5);
    assert_true(cell_shows(&s, 0, 0, "2") && cell_shows(&s, 0, 1, "wait"));
    s.heard.changed = 0;
    take_queue(&s, 6);
    assert_int_equal(s.viewer.shown_ms, 3000);
    assert_true(s.heard.changed & PRFDATA_VIEWER_TABLE && s.heard.changed & PRFDATA_VIEWER_DETAILS);
    assert_true(cell_shows(&s, 0, 0, "3") && cell_shows(&s, 0, 1, "wait"));
    prfdata_viewer_pair(&s.viewer, QUEUE, &older, &newer);
    assert_true(!older && prfdata_timeline_time_ms(newer) == 3000);
    s.viewer.timeline.most_bytes = 1; /* keep only the newest sample */
    take_queue(&s, 7);
    assert_false(s.viewer.looks_back);
    assert_true(cell_shows(&s, 0, 0, "7"));
    end_scene_viewer(&s);
}

/* Table and chart agree on how long a number is valid while other objects are asked for. */
static void test_viewer_forgets_a_number_in_table_and_chart_at_once(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_asked(&s, other_sample(1, 7), OTHER, 0);
    prfdata_viewer_choose_object(&s.viewer, OTHER);
    add_line_viewer(&s, OTHER, NUMBER, "");
    for (uint32_t second = 2; second <= 18; second++)
        take_queue(&s, second);
    assert_true(prfdata_chart_statistics_of(&s.viewer.chart, 0).last == 7);
    prfdata_viewer_look_at_newest(&s.viewer);
    assert_true(cell_shows(&s, 0, 0, "7"));
    take_queue(&s, 19);
    assert_true(prfdata_scale_is_missing(prfdata_chart_statistics_of(&s.viewer.chart, 0).last));
    assert_false(s.viewer.table.is_present);
    end_scene_viewer(&s);
}

/* If an object was not asked for during a long time, its rates begin again, in all lines. */
static void test_viewer_adds_a_line_without_rates_over_long_times(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_queue(&s, 1);
    add_line_viewer(&s, QUEUE, RATE, "a");
    for (uint32_t second = 2; second < 40; second++)
        take_asked(&s, other_sample(second, 7), OTHER, 0);
    take_queue(&s, 40);
    take_queue(&s, 41);
    add_line_viewer(&s, QUEUE, RATE, "b");
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(prfdata_scale_is_missing(s.viewer.chart.series[i]->values[39]));
        assert_false(prfdata_scale_is_missing(s.viewer.chart.series[i]->values[40]));
    }
    end_scene_viewer(&s);
}

/* A pause leaves a gap. The first sample after the pause is shown, although its time is a second
 * before the time of the last sample before the pause. */
static void test_viewer_breaks_lines_at_a_pause_while_the_clock_stands(void **state)
{
    const prfdata_chart_series *line;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_queue(&s, 9);
    add_line_viewer(&s, QUEUE, DEPTH, "a");
    prfdata_viewer_pause(&s.viewer, true);
    prfdata_viewer_pause(&s.viewer, false);
    take_queue(&s, 8);
    take_queue(&s, 10);
    line = s.viewer.chart.series[0];
    assert_int_equal(s.viewer.chart.count, 4);
    assert_true(prfdata_scale_is_missing(line->values[1]));
    assert_true(line->values[2] == 8 && line->values[3] == 10);
    end_scene_viewer(&s);
}

/* If the clock is set back by more than a minute, the past is dropped. If the past were kept, the
 * chart would stand still until the clock reaches the time of the newest sample again. */
static void test_viewer_begins_again_when_the_clock_is_set_back(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    take_queue(&s, 7201);
    take_queue(&s, 7202);
    take_queue(&s, 7143); /* set back a little: the sample is sorted in */
    /* A sample without a time does not mean that the clock was set. */
    take_asked(&s, other_sample(0, 0), OTHER, 0);
    assert_int_equal(s.viewer.timeline.count, 4);
    prfdata_viewer_pause(&s.viewer, true);
    take_queue(&s, 5); /* during a pause, the past is kept */
    assert_int_equal(s.viewer.timeline.count, 5);
    prfdata_viewer_pause(&s.viewer, false);
    take_queue(&s, 6);
    assert_int_equal(s.viewer.timeline.count, 1);
    take_queue(&s, 7203);
    prfdata_viewer_look_at(&s.viewer, 6000);
    take_queue(&s, 8); /* the user looks back without a pause */
    assert_int_equal(s.viewer.timeline.count, 3);
    prfdata_viewer_look_at_newest(&s.viewer);
    take_queue(&s, 9);
    assert_int_equal(s.viewer.timeline.count, 1);
    assert_int_equal(s.viewer.shown_ms, 9000);
    assert_true(cell_shows(&s, 0, 0, "9") && cell_shows(&s, 0, 1, "wait"));
    end_scene_viewer(&s);
}

/* The user adds a line while the window shows a time at which the line's instance did not exist
 * yet. The line still has its complete path. */
static void test_viewer_names_a_line_by_what_is_there_now(void **state)
{
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_asked(&s, other_sample(1, 7), OTHER, 0);
    add_line_viewer(&s, QUEUE, DEPTH, "b"); /* no sample has had b yet */
    assert_true(ascii_text_is(s.viewer.chart.series[0]->path, "\\Queue(b)\\Depth"));
    take_queue(&s, 2);
    prfdata_viewer_look_at(&s.viewer, 1000);
    add_line_viewer(&s, QUEUE, RATE, "a");
    assert_true(ascii_text_is(s.viewer.chart.series[1]->path, "\\Queue(a)\\Bytes/sec"));
    assert_int_equal(s.viewer.chart.series[1]->unit, PRFDATA_NUMBER_BYTES_PER_SECOND);
    end_scene_viewer(&s);
}

/* The tree shows the current state, even if an earlier time is shown. For a file it shows the
 * chosen time. Nodes that paths name are open. */
static void test_viewer_opens_nodes_as_they_are_now(void **state)
{
    const view_row row = {"c", 1, 1};
    uint16_t chars[40];
    prfdata_node *node;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_asked(&s, view_sample(1, &row, 1), QUEUE, 0);
    take_queue(&s, 2);
    prfdata_viewer_look_at(&s.viewer, 1000);
    node = prfdata_tree_object(&s.viewer.tree, QUEUE);
    prfdata_viewer_open(&s.viewer, node);
    assert_int_equal(node->child_count, 3); /* the nodes for all instances, for a and for b */
    (void)child_named(node, "a");
    end_scene_viewer(&s);

    begin_scene_viewer(&s, false);
    add_to_file(&s, view_sample(1, &row, 1));
    prfdata_viewer_take_timeline(&s.viewer);
    prfdata_viewer_add_name(&s.viewer, ascii_text("\\Queue(c)\\Depth", chars));
    prfdata_viewer_begin_names(&s.viewer);
    node = prfdata_tree_object(&s.viewer.tree, QUEUE);
    assert_true(node->is_open);
    (void)child_named(node, "c");
    end_scene_viewer(&s);
}

/* The viewer copies the name of the computer, because the source that owns it may be released
 * first. */
static void test_viewer_forgets_the_computer_with_its_source(void **state)
{
    uint16_t chars[300];
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    prfdata_viewer_set_computer(&s.viewer, ascii_text("SRV", chars));
    memset(chars, 0, sizeof chars);
    assert_true(ascii_text_is(s.viewer.computer, "SRV"));
    prfdata_viewer_end(&s.viewer);
    assert_int_equal(s.viewer.computer.count, 0);
    for (size_t i = 0; i < 300; i++)
        chars[i] = 'x';
    prfdata_viewer_set_computer(&s.viewer, (prfdata_text){chars, 300});
    assert_int_equal(s.viewer.computer.count, 256);
    end_scene_viewer(&s);
}

/* The session's titles are old, and their indexes may belong to another product. So the tree adds
 * no objects by these indexes. */
static void test_viewer_with_old_titles_names_no_new_objects(void **state)
{
    const prfdata_title_set all = {0};
    prfdata_sample *sample = other_sample(2, 7);
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    take_queue(&s, 1);
    prfdata_viewer_pause(&s.viewer, true);
    prfdata_viewer_note_stale(&s.viewer);
    prfdata_viewer_note_objects(&s.viewer, sample, &all);
    assert_null(prfdata_tree_object(&s.viewer.tree, OTHER));
    prfdata_viewer_end(&s.viewer);
    prfdata_viewer_note_objects(&s.viewer, sample, &all); /* there is no tree without a source */
    begin_again_viewer(&s, NULL, NULL);
    prfdata_viewer_note_objects(&s.viewer, sample, &all);
    assert_non_null(prfdata_tree_object(&s.viewer.tree, OTHER));
    prfdata_sample_free(sample);
    end_scene_viewer(&s);
}

#if defined(__SANITIZE_ADDRESS__) && !defined(_WIN32)
/* A function of AddressSanitizer, for which gcc has no header. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
size_t __sanitizer_get_current_allocated_bytes(void);

/* The chart becomes full first, and some samples later the timeline. */
static void test_viewer_memory_stands_still_when_its_rings_are_full(void **state)
{
    const uint32_t begin = PRFDATA_CHART_SAMPLES / 1000 + 1;
    size_t bytes = 0;
    viewer_scene s;

    (void)state;
    begin_scene_viewer(&s, true);
    s.viewer.timeline.most_bytes = 50000;
    take_queue(&s, 1);
    prfdata_viewer_choose_object(&s.viewer, QUEUE);
    add_line_viewer(&s, QUEUE, DEPTH, "a");
    add_line_viewer(&s, QUEUE, RATE, "b");
    for (uint32_t i = 0; i < PRFDATA_CHART_SAMPLES; i++)
        assert_int_equal(prfdata_chart_add_gap(&s.viewer.chart, 0), ERROR_SUCCESS);
    for (uint32_t i = 0; i < 3000; i++) {
        if (i == 500)
            bytes = __sanitizer_get_current_allocated_bytes();
        take_queue(&s, begin + i);
    }
    assert_true(s.viewer.timeline.count < 300);
    assert_true(s.viewer.timeline.total_bytes <= 50000);
    assert_true(__sanitizer_get_current_allocated_bytes() <= bytes);
    end_scene_viewer(&s);
}
#else
static void test_viewer_memory_stands_still_when_its_rings_are_full(void **state)
{
    (void)state;
    skip(); /* only the sanitizer can tell how much memory is used */
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_viewer_shows_the_object_that_is_chosen),
        cmocka_unit_test(test_viewer_lines_have_the_unit_of_the_map),
        cmocka_unit_test(test_viewer_sorts_a_column_by_its_highest_first),
        cmocka_unit_test(test_viewer_shows_a_slow_object_between_the_others),
        cmocka_unit_test(test_viewer_fills_the_past_of_a_slow_object),
        cmocka_unit_test(test_viewer_knows_which_values_are_old),
        cmocka_unit_test(test_viewer_names_the_object_that_is_late),
        cmocka_unit_test(test_viewer_asks_again_for_a_silent_object),
        cmocka_unit_test(test_viewer_holds_the_sample_that_it_takes),
        cmocka_unit_test(test_viewer_says_why_an_object_is_gone),
        cmocka_unit_test(test_viewer_forgets_what_was_not_asked_for_a_while),
        cmocka_unit_test(test_viewer_looks_back_and_at_the_newest_again),
        cmocka_unit_test(test_viewer_shows_only_what_was_there_at_a_time),
        cmocka_unit_test(test_viewer_shows_only_what_was_there_at_a_time_of_a_file),
        cmocka_unit_test(test_viewer_zooms_and_turns_in_time),
        cmocka_unit_test(test_viewer_breaks_lines_at_a_pause),
        cmocka_unit_test(test_viewer_blank_cell_says_why),
        cmocka_unit_test(test_viewer_empty_nodes_do_not_open),
        cmocka_unit_test(test_viewer_shows_in_a_pause_what_the_user_wants),
        cmocka_unit_test(test_viewer_silence_ends_with_an_answer),
        cmocka_unit_test(test_viewer_keeps_the_past_when_titles_move),
        cmocka_unit_test(test_viewer_fills_a_new_line_from_before_titles_moved),
        cmocka_unit_test(test_viewer_keeps_a_renamed_counter_by_its_id),
        cmocka_unit_test(test_viewer_keeps_the_line_of_what_is_removed_until_it_is_back),
        cmocka_unit_test(test_viewer_takes_no_sample_until_its_titles_are_those_of_the_source),
        cmocka_unit_test(test_viewer_adds_all_instances_or_the_selected_rows),
        cmocka_unit_test(test_viewer_gives_each_counter_without_unit_a_pane),
        cmocka_unit_test(test_viewer_sets_a_line_apart_and_brings_it_back),
        cmocka_unit_test(test_viewer_gives_a_pane_a_logarithmic_scale),
        cmocka_unit_test(test_viewer_changes_a_line_to_the_next_free_colour),
        cmocka_unit_test(test_viewer_hides_chooses_and_removes_a_line),
        cmocka_unit_test(test_viewer_adds_the_highest_of_many_rows),
        cmocka_unit_test(test_viewer_adds_the_highest_of_a_path),
        cmocka_unit_test(test_viewer_adds_the_highest_of_many_instances),
        cmocka_unit_test(test_viewer_says_that_a_chart_is_full),
        cmocka_unit_test(test_viewer_resolves_names_when_a_sample_has_them),
        cmocka_unit_test(test_viewer_says_why_a_row_has_no_values),
        cmocka_unit_test(test_viewer_leaves_totals_out_of_all_instances),
        cmocka_unit_test(test_viewer_counts_no_total_as_an_instance),
        cmocka_unit_test(test_viewer_knows_what_was_perhaps_meant),
        cmocka_unit_test(test_viewer_cleared_search_leaves_the_tree_as_it_was),
        cmocka_unit_test(test_viewer_waits_for_names_of_a_slow_provider),
        cmocka_unit_test(test_viewer_gives_lines_their_look_again),
        cmocka_unit_test(test_viewer_refuses_paths_of_another_computer),
        cmocka_unit_test(test_viewer_asks_the_next_source_for_what_was_shown),
        cmocka_unit_test(test_viewer_goes_back_to_the_object_that_was_chosen),
        cmocka_unit_test(test_viewer_waits_for_an_object_that_was_named),
        cmocka_unit_test(test_viewer_sorts_the_next_source_as_before),
        cmocka_unit_test(test_viewer_order_is_in_the_workspace),
        cmocka_unit_test(test_viewer_sorts_no_other_counter_and_no_other_object),
        cmocka_unit_test(test_viewer_shows_a_file_at_its_newest_sample),
        cmocka_unit_test(test_viewer_reads_a_slow_object_from_a_file),
        cmocka_unit_test(test_viewer_selects_the_row_of_an_instance),
        cmocka_unit_test(test_viewer_forgets_the_row_that_it_waits_for),
        cmocka_unit_test(test_viewer_describes_what_is_selected),
        cmocka_unit_test(test_viewer_node_has_its_path),
        cmocka_unit_test(test_viewer_searches_tree_and_table),
        cmocka_unit_test(test_viewer_search_filters_by_a_condition),
        cmocka_unit_test(test_viewer_threshold_is_in_the_workspace),
        cmocka_unit_test(test_viewer_threshold_of_a_hexadecimal_counter_is_hexadecimal),
        cmocka_unit_test(test_viewer_searches_what_comes_next),
        cmocka_unit_test(test_viewer_follows_a_counter_that_moves),
        cmocka_unit_test(test_viewer_moves_on_when_what_it_looks_at_is_dropped),
        cmocka_unit_test(test_viewer_forgets_a_number_in_table_and_chart_at_once),
        cmocka_unit_test(test_viewer_adds_a_line_without_rates_over_long_times),
        cmocka_unit_test(test_viewer_breaks_lines_at_a_pause_while_the_clock_stands),
        cmocka_unit_test(test_viewer_begins_again_when_the_clock_is_set_back),
        cmocka_unit_test(test_viewer_names_a_line_by_what_is_there_now),
        cmocka_unit_test(test_viewer_opens_nodes_as_they_are_now),
        cmocka_unit_test(test_viewer_forgets_the_computer_with_its_source),
        cmocka_unit_test(test_viewer_with_old_titles_names_no_new_objects),
        cmocka_unit_test(test_viewer_memory_stands_still_when_its_rings_are_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
