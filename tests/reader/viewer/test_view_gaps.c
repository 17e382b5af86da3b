/* SPDX-License-Identifier: MIT */
/* Tests where lines break. If a counter was asked for and has no value, there is a gap: live, in a
 * file, and in prfread. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block/recorder.h"
#include "paths/columns.h"
#include "reader/view/view_sample.h"
#include "source/session.h"
#include "support/reader/random.h"
#include "support/reader/temporary_file.h"
#include "view/chart_layout.h"
#include "view/export.h"
#include "view/stroke.h"
#include "viewer/viewer.h"

enum { OTHER = 300, NUMBER = 302, LINES = 3 };

static const char *const line_paths[LINES] = {"\\Queue(a)\\Depth", "\\Queue(a)\\Bytes/sec",
                                              "\\Other\\Number"};

typedef struct gaps_sample {
    uint32_t second;
    bool has_queue;
    bool has_a; /* whether Queue has the instance "a" */
    bool has_other;
} gaps_sample;

static prfdata_sample *make_gaps_sample(const gaps_sample *has)
{
    static wire w;
    size_t object;
    size_t values;

    memset(&w, 0, sizeof w);
    wire_begin(&w, (uint32_t)has->has_queue + has->has_other);
    if (has->has_queue) {
        object = wire_object(&w, QUEUE, 2, has->has_a ? 2 : 1, 0);
        wire_counter(&w, DEPTH, PERF_COUNTER_RAWCOUNT, 4, 4);
        wire_counter(&w, RATE, PERF_COUNTER_BULK_COUNT, 8, 8);
        if (has->has_a) {
            wire_instance(&w, 0, 0, -1, "a");
            view_values(&w, has->second, has->second * has->second);
        }
        wire_instance(&w, 0, 0, -1, "b");
        view_values(&w, 1, 1);
        wire_object_end(&w, object);
    }
    if (has->has_other) {
        object = wire_object(&w, OTHER, 1, PERF_NO_INSTANCES, 0);
        wire_counter(&w, NUMBER, PERF_COUNTER_LARGE_RAWCOUNT, 8, 8);
        values = wire_values(&w);
        wire_put32(&w, 0);
        wire_put64(&w, has->second);
        wire_values_end(&w, values);
        wire_object_end(&w, object);
    }
    return view_end(&w, (uint64_t)has->second * 1000, (uint64_t)has->second * 10000000);
}

static prfdata_titles gaps_titles(void)
{
    prfdata_titles titles = {0};

    view_title(&titles.english, QUEUE, "Queue");
    view_title(&titles.english, DEPTH, "Depth");
    view_title(&titles.english, RATE, "Bytes/sec");
    view_title(&titles.english, OTHER, "Other");
    view_title(&titles.english, NUMBER, "Number");
    return titles;
}

/* ---- Live ---- */

static void begin_gaps_viewer(prfdata_viewer *viewer, bool is_live)
{
    const prfdata_viewer_observer observer = {0};
    const prfdata_viewer_words words = {0};
    prfdata_name_table objects = {0};
    uint16_t chars[40];

    memset(viewer, 0, sizeof *viewer);
    prfdata_viewer_init(viewer, &observer, 100000000);
    viewer->titles = gaps_titles();
    viewer->owns_titles = true;
    viewer->is_live = is_live;
    viewer->chart.fit_ms = PRFDATA_CHART_MOST_SPAN_MS;
    view_title(&objects, QUEUE, "Queue");
    view_title(&objects, OTHER, "Other");
    prfdata_viewer_begin(viewer, &words, is_live ? &objects : NULL);
    prfdata_name_table_free(&objects);
    for (uint32_t i = 0; i < LINES; i++)
        prfdata_viewer_add_name(viewer, ascii_text(line_paths[i], chars));
    prfdata_viewer_begin_names(viewer);
}

/* Take a sample. If `asked` is 0, all objects were asked for. */
static void take_gaps(prfdata_viewer *viewer, const gaps_sample *has, uint32_t asked)
{
    prfdata_title_set set = {.items = &asked, .count = asked != 0, .capacity = 1};
    prfdata_sample *sample = make_gaps_sample(has);

    prfdata_viewer_note_came(viewer, sample, 0);
    prfdata_viewer_take(viewer, sample, &set, 0);
}

static void take_all(prfdata_viewer *viewer, uint32_t second)
{
    const gaps_sample all = {second, true, true, true};

    take_gaps(viewer, &all, 0);
}

static void take_queue_only(prfdata_viewer *viewer, uint32_t second)
{
    const gaps_sample queue = {second, true, true, false};

    take_gaps(viewer, &queue, QUEUE);
}

static void silence_other(prfdata_viewer *viewer)
{
    prfdata_viewer_note_failed(viewer, OTHER);
    prfdata_tree_silence(&viewer->tree, prfdata_tree_object(&viewer->tree, OTHER),
                         (prfdata_text){0});
}

static uint32_t find_line(const prfdata_viewer *viewer, const char *path)
{
    uint32_t at = 0;

    while (at < viewer->chart.series_count && !ascii_text_is(viewer->chart.series[at]->path, path))
        at++;
    assert_true(at < viewer->chart.series_count);
    return at;
}

static size_t count_parts(const prfdata_viewer *viewer, const char *path)
{
    static const prfdata_chart_size size = {1000, 400, 16, 60, 60, 0};
    static prfdata_chart_point points[5000];
    prfdata_chart_layout layout;
    size_t count;
    size_t parts = 0;

    prfdata_chart_layout_make(&viewer->chart, &size, &layout);
    count = prfdata_chart_layout_line(&viewer->chart, &layout, find_line(viewer, path), points,
                                      sizeof points / sizeof points[0]);
    for (size_t i = 0; i < count; i++)
        parts += points[i].begins;
    return parts;
}

/* A sample that lacks the instance "a" makes a gap. A sample without Other makes no gap if Other
 * was not asked for. */
static void test_gaps_what_was_asked_for_in_vain_is_a_gap_at_once(void **state)
{
    const gaps_sample without = {3, true, false, true};
    prfdata_viewer viewer;

    (void)state;
    begin_gaps_viewer(&viewer, true);
    take_all(&viewer, 1);
    take_all(&viewer, 2);
    take_gaps(&viewer, &without, 0);
    take_all(&viewer, 4);
    take_queue_only(&viewer, 5);
    take_all(&viewer, 6);
    assert_int_equal(count_parts(&viewer, line_paths[0]), 2);
    assert_int_equal(count_parts(&viewer, line_paths[2]), 1);
    prfdata_viewer_free(&viewer);
}

enum { PICTURE_WIDTH = 1000, PICTURE_HEIGHT = 400, BACKGROUND = 0x00FFFFFF };

/* Draw a line of the chart. Returns how many pixels are drawn between two times. Both times are
 * excluded, because the end of a line is some pixels wide. */
static size_t count_drawn(const prfdata_viewer *viewer, const char *path, int64_t from_ms,
                          int64_t to_ms)
{
    static const prfdata_chart_size size = {PICTURE_WIDTH, PICTURE_HEIGHT, 16, 60, 60, 0};
    static const prfdata_stroke_area area = {0, 0, PICTURE_WIDTH, PICTURE_HEIGHT};
    static const prfdata_stroke_pen pen = {0x000000FF, 2, PRFDATA_STROKE_SOLID};
    static uint32_t pixels[PICTURE_WIDTH * PICTURE_HEIGHT];
    static prfdata_chart_point points[5000];
    const prfdata_stroke_image image = {pixels, PICTURE_WIDTH, PICTURE_HEIGHT};
    prfdata_chart_layout layout;
    prfdata_stroke stroke;
    size_t count;
    size_t drawn = 0;

    for (size_t i = 0; i < PICTURE_WIDTH * PICTURE_HEIGHT; i++)
        pixels[i] = BACKGROUND;
    prfdata_chart_layout_make(&viewer->chart, &size, &layout);
    count = prfdata_chart_layout_line(&viewer->chart, &layout, find_line(viewer, path), points,
                                      sizeof points / sizeof points[0]);
    assert_true(prfdata_stroke_begin(&stroke, &image, &area));
    prfdata_stroke_draw(&stroke, points, count, &pen);
    prfdata_stroke_end(&stroke);
    for (int32_t y = 0; y < PICTURE_HEIGHT; y++) {
        for (int32_t x = prfdata_chart_layout_x(&layout, from_ms) + 3;
             x < prfdata_chart_layout_x(&layout, to_ms) - 3; x++)
            drawn += pixels[y * PICTURE_WIDTH + x] != BACKGROUND;
    }
    return drawn;
}

/* An outage lasts ten minutes, at one sample a minute. Its pixels have the background's colour. */
static void test_gaps_have_the_colour_of_the_background(void **state)
{
    prfdata_viewer viewer;

    (void)state;
    begin_gaps_viewer(&viewer, true);
    for (uint32_t minute = 1; minute <= 20; minute++) {
        const gaps_sample without = {60 * minute, true, false, true};

        if (minute <= 5 || minute >= 15)
            take_all(&viewer, 60 * minute);
        else
            take_gaps(&viewer, &without, 0);
    }
    assert_int_equal(count_drawn(&viewer, line_paths[0], 300000, 900000), 0);
    assert_true(count_drawn(&viewer, line_paths[0], 60000, 300000) > 100);
    assert_true(count_drawn(&viewer, line_paths[0], 900000, 1200000) > 100);
    assert_true(count_drawn(&viewer, line_paths[2], 300000, 900000) > 100);
    prfdata_viewer_free(&viewer);
}

/* If the user asks again for a provider that crashed, the gap stays, even if no sample came between
 * the crash and the refresh. */
static void test_gaps_of_a_crash_stay_after_a_refresh(void **state)
{
    prfdata_viewer viewer;

    (void)state;
    begin_gaps_viewer(&viewer, true);
    take_all(&viewer, 1);
    take_all(&viewer, 2);
    silence_other(&viewer);
    take_queue_only(&viewer, 3);
    take_queue_only(&viewer, 4);
    assert_true(prfdata_viewer_refresh(&viewer));
    take_all(&viewer, 5);
    take_all(&viewer, 6);
    assert_int_equal(count_parts(&viewer, line_paths[0]), 1);
    assert_int_equal(count_parts(&viewer, line_paths[2]), 2);
    silence_other(&viewer);
    assert_true(prfdata_viewer_refresh(&viewer));
    take_all(&viewer, 50);
    assert_int_equal(count_parts(&viewer, line_paths[0]), 1);
    assert_int_equal(count_parts(&viewer, line_paths[2]), 3);
    prfdata_viewer_note_failed(&viewer, 0); /* no object of the computer could be read */
    take_all(&viewer, 60);
    assert_int_equal(count_parts(&viewer, line_paths[0]), 2);
    assert_int_equal(count_parts(&viewer, line_paths[2]), 4);
    prfdata_viewer_free(&viewer);
}

/* Returns whether the next recorded sample says that nothing answered before it. */
static bool is_gap_recorded(const prfdata_viewer *viewer)
{
    const prfdata_title_set all = {0};
    prfdata_recording_note note = {0};
    bool has_failed;

    prfdata_viewer_note_of(viewer, &all, &note);
    has_failed = prfdata_title_set_has(&note.failed, 0);
    prfdata_recording_note_free(&note);
    return has_failed;
}

/* Let a live sample come, and take it. Returns whether a recording has a gap before the sample. */
static bool come(prfdata_viewer *viewer, uint32_t second, uint32_t late_ms)
{
    const gaps_sample all = {second, true, true, true};
    prfdata_sample *sample = make_gaps_sample(&all);
    const prfdata_title_set asked = {0};
    bool is_gap;

    prfdata_viewer_note_came(viewer, sample, late_ms);
    is_gap = is_gap_recorded(viewer);
    prfdata_viewer_take(viewer, sample, &asked, late_ms);
    return is_gap;
}

/* If the computer sleeps for five minutes, each line has a gap. A slow provider, one late sample or
 * a new interval makes no gap. */
static void test_gaps_while_the_computer_sleeps(void **state)
{
    prfdata_viewer viewer;

    (void)state;
    begin_gaps_viewer(&viewer, true);
    prfdata_viewer_set_interval(&viewer, 1000);
    assert_false(come(&viewer, 1000, 0)); /* there is no gap before the first sample */
    assert_false(come(&viewer, 1001, 0));
    assert_false(come(&viewer, 1005, 0));    /* late */
    assert_false(come(&viewer, 1014, 8000)); /* the answer took eight seconds */
    prfdata_viewer_set_interval(&viewer, 60000);
    assert_false(come(&viewer, 1074, 0));
    prfdata_viewer_set_interval(&viewer, 1000); /* shortly before the next sample */
    assert_false(come(&viewer, 1120, 0));
    assert_false(come(&viewer, 1121, 0));
    for (uint32_t i = 0; i < LINES; i++)
        assert_int_equal(count_parts(&viewer, line_paths[i]), 1);
    assert_true(come(&viewer, 1421, 0));
    assert_false(come(&viewer, 1422, 0));
    assert_false(come(&viewer, 1423, 0));
    for (uint32_t i = 0; i < LINES; i++) {
        assert_int_equal(count_parts(&viewer, line_paths[i]), 2);
        assert_int_equal(count_drawn(&viewer, line_paths[i], 1122000, 1420000), 0);
    }
    prfdata_viewer_free(&viewer);
}

/* ---- Files ---- */

static prfdata_output save_kept(const prfdata_viewer *viewer)
{
    prfdata_output saved = {0};

    prfdata_timeline_put(&viewer->timeline, &viewer->titles, &saved);
    assert_false(saved.failed);
    return saved;
}

static void open_saved(prfdata_viewer *viewer, const prfdata_output *saved)
{
    prfdata_timeline_damage damage = {0};
    prfdata_recording recording = {0};
    prfdata_decode_error error;

    begin_gaps_viewer(viewer, false);
    assert_int_equal(prfdata_recording_read(saved->bytes, saved->used, &recording, &error),
                     ERROR_SUCCESS);
    assert_null(recording.mistake);
    assert_int_equal(
        prfdata_timeline_add_recording(&viewer->timeline, saved->bytes, &recording, &damage),
        ERROR_SUCCESS);
    prfdata_recording_free(&recording);
    prfdata_viewer_take_timeline(viewer);
    prfdata_viewer_begin_names(viewer);
}

static prfdata_output record_without_notes(const gaps_sample *samples, size_t count)
{
    prfdata_titles titles = gaps_titles();
    prfdata_recorder recorder;
    prfdata_output saved = {0};

    prfdata_recorder_init(&recorder, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        prfdata_sample *sample = make_gaps_sample(&samples[i]);
        prfdata_output part = {0};

        (void)prfdata_recorder_put(&recorder, sample, NULL, &titles, &part);
        prfdata_output_put(&saved, part.bytes, part.used);
        prfdata_output_free(&part);
        prfdata_sample_free(sample);
    }
    prfdata_recorder_free(&recorder);
    prfdata_titles_free(&titles);
    return saved;
}

/* In a recording without notes, one missing sample is bridged by a dotted line. Two missing samples
 * are a gap. */
static void test_gaps_of_a_file_without_notes_are_bridged_once(void **state)
{
    static const gaps_sample samples[] = {{60, true, true, true},   {120, true, true, true},
                                          {180, true, true, false}, {240, true, true, true},
                                          {300, true, true, false}, {360, true, true, false},
                                          {420, true, true, true}};
    prfdata_output saved = record_without_notes(samples, sizeof samples / sizeof samples[0]);
    prfdata_viewer viewer;
    const prfdata_chart_series *line;
    size_t dotted = 0;

    (void)state;
    open_saved(&viewer, &saved);
    line = viewer.chart.series[find_line(&viewer, line_paths[2])];
    assert_true(prfdata_scale_is_supposed(line->values[2]));
    for (uint32_t i = 4; i <= 5; i++)
        assert_true(prfdata_scale_is_missing(line->values[i]) &&
                    !prfdata_scale_is_skipped(line->values[i]));
    for (uint32_t i = 0; i < viewer.chart.count; i++)
        dotted += prfdata_scale_is_supposed(line->values[i]);
    assert_int_equal(dotted, 1);
    assert_int_equal(count_parts(&viewer, line_paths[2]), 2);
    prfdata_viewer_free(&viewer);
    prfdata_output_free(&saved);
}

/* One sample of a recording without notes lacks all objects that the recording has. It is bridged,
 * as if it lacked only some of them. */
static void test_gaps_of_a_file_bridge_a_sample_without_objects(void **state)
{
    static const gaps_sample samples[] = {{60, true, true, true},
                                          {120, true, true, true},
                                          {180, false, false, false},
                                          {240, true, true, true},
                                          {300, true, true, true}};
    prfdata_output saved = record_without_notes(samples, sizeof samples / sizeof samples[0]);
    prfdata_viewer viewer;

    (void)state;
    open_saved(&viewer, &saved);
    for (uint32_t i = 0; i < LINES; i++) {
        const uint32_t at = find_line(&viewer, line_paths[i]);

        assert_true(prfdata_scale_is_supposed(viewer.chart.series[at]->values[2]));
        assert_int_equal(count_parts(&viewer, line_paths[i]), 1);
    }
    /* No object counts as asked for at that time, so the tree does not change. */
    prfdata_viewer_look_at(&viewer, 180000);
    assert_false(prfdata_tree_object(&viewer.tree, QUEUE)->is_gone);
    prfdata_viewer_free(&viewer);
    prfdata_output_free(&saved);
}

/* If there is one sample a minute, ten minutes without any sample are a gap, not a line. One late
 * sample, one missing sample or a new interval is no gap. */
static void test_gaps_where_a_file_has_no_samples(void **state)
{
    static const uint32_t seconds[] = {60,   120,  180,  300,  360,  420,  1020, 1080,
                                       1140, 1144, 1146, 1148, 1150, 1154, 1156, 1158};
    gaps_sample samples[sizeof seconds / sizeof seconds[0]];
    prfdata_output saved;
    prfdata_viewer viewer;
    uint32_t gaps = 0;

    (void)state;
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++)
        samples[i] = (gaps_sample){seconds[i], true, true, true};
    saved = record_without_notes(samples, sizeof seconds / sizeof seconds[0]);
    open_saved(&viewer, &saved);
    for (uint32_t i = 0; i < viewer.chart.count; i++) {
        gaps += viewer.chart.gaps[i] != PRFDATA_CHART_SAMPLE;
        assert_true(viewer.chart.gaps[i] == PRFDATA_CHART_SAMPLE ||
                    (viewer.chart.times_ms[i] > 420000 && viewer.chart.times_ms[i] < 1020000));
    }
    assert_int_equal(gaps, 1);
    for (uint32_t i = 0; i < LINES; i++)
        assert_int_equal(count_parts(&viewer, line_paths[i]), 2);
    prfdata_viewer_free(&viewer);
    prfdata_output_free(&saved);
}

/* The instance "a" and then its object Queue end before the last sample of a file. Their lines are
 * there, with their units, and the tree has the object. */
static void test_gaps_at_the_end_of_a_file_hide_no_line(void **state)
{
    static const gaps_sample samples[] = {{1, true, true, true},    {2, true, true, true},
                                          {3, true, true, false},   {4, true, false, false},
                                          {5, false, false, false}, {6, false, false, true}};
    prfdata_output saved = record_without_notes(samples, sizeof samples / sizeof samples[0]);
    const prfdata_chart_key all = {QUEUE, RATE, {(const uint16_t[]){'*'}, 1}};
    prfdata_viewer viewer;
    const prfdata_node *node;

    (void)state;
    open_saved(&viewer, &saved);
    assert_int_equal(viewer.name_count, 0);
    assert_int_equal(viewer.chart.series_count, LINES);
    assert_int_equal(count_parts(&viewer, line_paths[0]), 1);
    assert_true(viewer.chart.series[find_line(&viewer, line_paths[0])]->values[2] == 3);
    assert_int_equal(viewer.chart.series[find_line(&viewer, line_paths[1])]->unit,
                     PRFDATA_NUMBER_BYTES_PER_SECOND);
    node = prfdata_tree_object(&viewer.tree, QUEUE);
    assert_true(node && node->is_gone);
    node = prfdata_tree_object(&viewer.tree, OTHER);
    assert_true(node && !node->is_gone);
    prfdata_viewer_look_at(&viewer, 3000);
    assert_false(prfdata_tree_object(&viewer.tree, QUEUE)->is_gone);
    assert_true(prfdata_tree_object(&viewer.tree, OTHER)->is_gone);
    prfdata_viewer_look_at_newest(&viewer);
    prfdata_viewer_add_line(&viewer, &all); /* the shown sample has no instances */
    assert_int_equal(viewer.chart.series[find_line(&viewer, "\\Queue(b)\\Bytes/sec")]->unit,
                     PRFDATA_NUMBER_BYTES_PER_SECOND);
    prfdata_viewer_free(&viewer);
    prfdata_output_free(&saved);
}

/* ---- At random ---- */

static void expect_same_lines(const prfdata_viewer *live, const prfdata_viewer *file)
{
    for (uint32_t k = 0; k < LINES; k++) {
        const double *a = live->chart.series[find_line(live, line_paths[k])]->values;
        const double *b = file->chart.series[find_line(file, line_paths[k])]->values;
        bool is_broken[2] = {true, true};
        uint32_t other = 0;

        for (uint32_t i = 0; i < live->chart.count; i++) {
            if (live->chart.gaps[i] != PRFDATA_CHART_SAMPLE) {
                is_broken[0] = is_broken[0] || !prfdata_scale_is_skipped(a[i]);
                continue;
            }
            for (; other < file->chart.count && file->chart.gaps[other] != PRFDATA_CHART_SAMPLE;
                 other++)
                is_broken[1] = is_broken[1] || !prfdata_scale_is_skipped(b[other]);
            assert_true(other < file->chart.count);
            assert_int_equal(live->chart.times_ms[i], file->chart.times_ms[other]);
            assert_int_equal(prfdata_scale_is_missing(a[i]), prfdata_scale_is_missing(b[other]));
            if (prfdata_scale_is_missing(a[i])) {
                is_broken[0] = is_broken[0] || !prfdata_scale_is_skipped(a[i]);
                is_broken[1] = is_broken[1] || !prfdata_scale_is_skipped(b[other]);
            } else {
                assert_true(a[i] == b[other]);
                assert_int_equal(is_broken[0], is_broken[1]);
                is_broken[0] = is_broken[1] = false;
            }
            other++;
        }
    }
}

static void expect_same_csv(const prfdata_viewer *live, const prfdata_viewer *file)
{
    prfdata_output a = {0};
    prfdata_output b = {0};

    prfdata_export_chart(&a, &live->chart, (prfdata_text){0});
    prfdata_export_chart(&b, &file->chart, (prfdata_text){0});
    assert_int_equal(a.used, b.used);
    assert_memory_equal(a.bytes, b.bytes, a.used);
    prfdata_output_free(&a);
    prfdata_output_free(&b);
}

/* Expect that prfread computes the same value for each line, sample by sample, from the file. */
static void expect_same_in_prfread(const prfdata_viewer *live, const prfdata_output *saved)
{
    prfdata_messages messages = {0};
    prfdata_session session = {0};
    prfdata_source *source = NULL;
    prfdata_sample *older = NULL;
    prfdata_sample *newer = NULL;
    prfdata_columns columns;
    temporary_file file;
    uint32_t at = 0;

    temporary_file_name(&file, "gaps.prf");
    temporary_file_write(&file, saved->bytes, saved->used);
    assert_int_equal(prfdata_source_open_files(file.text, (prfdata_text){0}, &messages, &source),
                     ERROR_SUCCESS);
    prfdata_session_open(&session, source, &messages);
    prfdata_columns_init(&columns, &session.titles, (prfdata_text){0});
    while (prfdata_session_take(&session, NULL, &newer) == ERROR_SUCCESS) {
        bool is_after_gap = false;

        for (; live->chart.gaps[at] != PRFDATA_CHART_SAMPLE; at++)
            is_after_gap = is_after_gap || live->chart.gaps[at] == PRFDATA_CHART_ALL_BREAK;
        assert_int_equal(newer->is_after_gap, is_after_gap); /* -top has a gap there */
        for (uint32_t k = 0; k < LINES && columns.count < LINES; k++) {
            uint16_t chars[40];
            prfdata_resolver_path path = {.number = k};
            prfdata_resolver_result result;
            prfdata_path_error error;

            assert_true(prfdata_resolver_read(&path, ascii_text(line_paths[k], chars),
                                              &session.titles, &error));
            assert_int_equal(prfdata_columns_add(&columns, &path, newer, &result), ERROR_SUCCESS);
        }
        assert_int_equal(prfdata_columns_compute(&columns, older, newer, true), ERROR_SUCCESS);
        for (uint32_t k = 0; k < LINES; k++) {
            const double value = live->chart.series[find_line(live, line_paths[k])]->values[at];

            assert_int_equal(columns.items[k].status == PRFDATA_STATUS_OK,
                             !prfdata_scale_is_missing(value));
            if (columns.items[k].status == PRFDATA_STATUS_OK)
                assert_true(columns.items[k].value.number == value);
        }
        prfdata_sample_free(older);
        older = newer;
        newer = NULL;
        at++;
    }
    prfdata_sample_free(older);
    prfdata_columns_free(&columns);
    prfdata_session_close(&session);
    prfdata_messages_free(&messages);
    assert_int_equal(remove(file.ascii), 0);
}

/* At random, take a sample that may lack something, let providers not answer, refresh, or begin or
 * end a pause. */
static void do_something(prfdata_viewer *viewer, uint32_t *random, uint32_t second)
{
    const uint32_t what = random_next(random) % 16;
    const gaps_sample has = {second, what != 1, what != 2, what != 3};
    const gaps_sample queue = {second, true, what != 9, false};
    const gaps_sample other = {second, false, false, true};
    const bool is_silent = prfdata_tree_object(&viewer->tree, OTHER)->is_silent;

    if (what == 4)
        silence_other(viewer);
    else if (what == 5)
        prfdata_viewer_note_failed(viewer, 0);
    else if (what == 6)
        (void)prfdata_viewer_refresh(viewer);
    else if (what == 7)
        prfdata_viewer_pause(viewer, !viewer->is_paused);
    else if (what < 11 || is_silent)
        take_gaps(viewer, what < 4 && !is_silent ? &has : &queue,
                  what < 4 && !is_silent ? 0 : QUEUE);
    else if (what == 11)
        take_gaps(viewer, &other, OTHER);
    else
        take_all(viewer, second);
}

static void test_gaps_picture_csv_statistics_and_prfread_agree(void **state)
{
    uint32_t random = 11;

    (void)state;
    for (uint32_t run = 0; run < 60; run++) {
        prfdata_output saved;
        prfdata_viewer live;
        prfdata_viewer file;

        uint32_t slept = 0;

        begin_gaps_viewer(&live, true);
        prfdata_viewer_set_interval(&live, 1000);
        take_all(&live, 1);
        assert_int_equal(live.chart.series_count, LINES);
        for (uint32_t second = 2; second < 60; second++) {
            slept += random_next(&random) % 20 == 0 ? random_next(&random) % 1000 : 0;
            do_something(&live, &random, second + slept);
        }
        if (run % 2 == 0)
            take_all(&live, 60 + slept);
        saved = save_kept(&live);
        open_saved(&file, &saved);
        expect_same_lines(&live, &file);
        expect_same_csv(&live, &file);
        expect_same_in_prfread(&live, &saved);
        for (uint32_t k = 0; k < LINES; k++) {
            const prfdata_chart_statistics a =
                prfdata_chart_statistics_of(&live.chart, find_line(&live, line_paths[k]));
            const prfdata_chart_statistics b =
                prfdata_chart_statistics_of(&file.chart, find_line(&file, line_paths[k]));

            assert_true(a.count == b.count && a.mean == b.mean && a.least == b.least);
        }
        prfdata_viewer_free(&file);
        prfdata_viewer_free(&live);
        prfdata_output_free(&saved);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps_what_was_asked_for_in_vain_is_a_gap_at_once),
        cmocka_unit_test(test_gaps_have_the_colour_of_the_background),
        cmocka_unit_test(test_gaps_of_a_crash_stay_after_a_refresh),
        cmocka_unit_test(test_gaps_while_the_computer_sleeps),
        cmocka_unit_test(test_gaps_of_a_file_without_notes_are_bridged_once),
        cmocka_unit_test(test_gaps_of_a_file_bridge_a_sample_without_objects),
        cmocka_unit_test(test_gaps_where_a_file_has_no_samples),
        cmocka_unit_test(test_gaps_at_the_end_of_a_file_hide_no_line),
        cmocka_unit_test(test_gaps_picture_csv_statistics_and_prfread_agree),
    };

    return cmocka_run_group_tests_name("view_gaps", tests, NULL, NULL);
}
