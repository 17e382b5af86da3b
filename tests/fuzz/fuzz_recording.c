/* SPDX-License-Identifier: MIT */
/* Sends a recording of any bytes through all parts of prfview that handle recordings: parser,
 * timeline, tree, table, chart, histogram, details and CSV. Then saves the recording again. Blocks
 * must lie within the file, one after the other, and times must ascend. Every node and row must
 * belong to the sample, and points must lie within the picture. Reading the saved recording must
 * give the same recording.
 *
 * Input: the file. */
#include <string.h>

#include "fuzz.h"
#include "view/chart_layout.h"
#include "view/details.h"
#include "view/export.h"
#include "view/histogram.h"
#include "view/table.h"
#include "view/tree.h"
#include "viewer/timeline.h"

#define TIMELINE_BYTES (1u << 20)
#define POINTS         8192

typedef struct recording_shown {
    prfdata_titles *titles;
    prfdata_tree tree;
    prfdata_table table;
    prfdata_chart chart;
} recording_shown;

static void check_blocks(const prfdata_recording *recording, size_t size)
{
    size_t end = 0;

    FUZZ_CHECK(recording->count > 0);
    for (size_t i = 0; i < recording->count; i++) {
        FUZZ_CHECK(recording->blocks[i].offset >= end);
        FUZZ_CHECK(recording->blocks[i].size <= size);
        FUZZ_CHECK(recording->blocks[i].offset <= size - recording->blocks[i].size);
        end = recording->blocks[i].offset + recording->blocks[i].size;
    }
    FUZZ_CHECK(!recording->mistake || recording->mistake_offset <= size);
}

static void save_recording_again(const prfdata_timeline *timeline, const prfdata_titles *titles)
{
    prfdata_output once = {0};
    prfdata_recording again = {0};
    prfdata_decode_error error;

    prfdata_timeline_put(timeline, titles, &once);
    FUZZ_CHECK(!once.failed);
    if (prfdata_recording_read(once.bytes, once.used, &again, &error) == ERROR_SUCCESS)
        check_blocks(&again, once.used);
    prfdata_recording_free(&again);
    prfdata_output_free(&once);
}

static uint32_t count_nodes(const prfdata_node *node)
{
    uint32_t count = 1;
    uint32_t children = 0;

    for (const prfdata_node *child = node->first; child; child = child->next) {
        FUZZ_CHECK(child->parent == node && (child->next || node->last == child));
        count += count_nodes(child);
        children++;
    }
    FUZZ_CHECK(children == node->child_count);
    return count;
}

static void open_objects(recording_shown *s, const prfdata_sample *sample)
{
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *node = s->tree.groups[i]->first; node; node = node->next) {
            prfdata_tree_open(&s->tree, node, sample);
            if (node->last)
                prfdata_tree_open(&s->tree, node->last, sample);
        }
    }
    FUZZ_CHECK(count_nodes(s->tree.computer) > PRFDATA_TREE_GROUPS);
}

static void show_table(recording_shown *s, const prfdata_sample *older, const prfdata_sample *newer,
                       prfdata_output *output)
{
    const prfdata_number_style style = {'.', ','};
    uint16_t chars[64];
    bool columns;

    if (newer->object_count == 0)
        return;
    if (s->table.object_title == 0)
        prfdata_table_choose(&s->table, newer->objects[0].wire.header.object_name_title_index);
    FUZZ_CHECK(prfdata_table_update(&s->table, older, newer, true, &columns) == ERROR_SUCCESS);
    FUZZ_CHECK(s->table.shown_count <= s->table.row_count);
    s->table.sort_column = s->table.column_count - 1;
    FUZZ_CHECK(prfdata_table_arrange(&s->table));
    for (uint32_t row = 0; row < s->table.shown_count; row++) {
        for (uint32_t i = 0; i <= s->table.column_count; i++)
            FUZZ_CHECK(prfdata_table_text(&s->table, row, i, style, chars, 64) <= 64);
    }
    prfdata_export_table(output, &s->table, false);
}

static void add_lines(recording_shown *s, const prfdata_sample *sample)
{
    const prfdata_text path = {NULL, 0};

    for (uint32_t o = 0; o < sample->object_count; o++) {
        const prfdata_sample_object *object = &sample->objects[o];

        for (uint32_t i = 0; i < object->counter_count && object->found_count > 0; i++) {
            const prfdata_chart_key key = {
                object->wire.header.object_name_title_index,
                object->counters[i].definition.counter_name_title_index,
                object->instances[object->found[i % object->found_count]].label};
            uint32_t at;

            (void)prfdata_chart_add(
                &s->chart, &key, path,
                prfdata_number_unit(object->counters[i].definition.counter_type, path), 0, &at);
        }
    }
}

static void put_details(const recording_shown *s, const prfdata_sample *older,
                        const prfdata_sample *newer, prfdata_output *output)
{
    for (uint32_t i = 0; i < s->chart.series_count && i < 4; i++)
        prfdata_details_put(output, (prfdata_number_style){',', '.'}, &s->chart.series[i]->key,
                            s->titles, older, newer);
}

static void draw(recording_shown *s)
{
    static prfdata_chart_point points[POINTS];
    const prfdata_chart_size size = {600, 300, 12, 60, 60, 0};
    prfdata_chart_layout layout;
    prfdata_histogram histogram;

    prfdata_chart_layout_make(&s->chart, &size, &layout);
    for (uint32_t i = 0; i < s->chart.series_count; i++) {
        const size_t count = prfdata_chart_layout_line(&s->chart, &layout, i, points, POINTS);

        for (size_t k = 0; k < count; k++) {
            FUZZ_CHECK(points[k].x >= layout.left && points[k].x <= layout.right);
            FUZZ_CHECK(points[k].y >= 0 &&
                       points[k].y <= prfdata_chart_layout_height(&layout, &size));
        }
        prfdata_histogram_make(&s->chart, i, &histogram);
        FUZZ_CHECK(histogram.bin_count <= PRFDATA_HISTOGRAM_BINS);
        FUZZ_CHECK(histogram.most <= histogram.count);
    }
    for (uint32_t i = 1; i < s->chart.count; i++)
        FUZZ_CHECK(s->chart.times_ms[i] > s->chart.times_ms[i - 1]);
}

static void show_sample(recording_shown *s, const prfdata_timeline *timeline, size_t at,
                        const prfdata_sample *older, const prfdata_sample *newer)
{
    static const uint16_t letter[] = {'a'};
    prfdata_output output = {0};

    add_lines(s, newer);
    FUZZ_CHECK(prfdata_chart_add_time(&s->chart, timeline->entries[at].time_ms) == ERROR_SUCCESS);
    for (uint32_t i = 0; i < s->chart.series_count; i++)
        prfdata_chart_fill(&s->chart, i, timeline->entries[at].time_ms, older, newer);
    prfdata_tree_update(&s->tree, newer, NULL);
    open_objects(s, newer);
    (void)prfdata_tree_search(&s->tree, (prfdata_text){letter, at % 2});
    show_table(s, older, newer, &output);
    put_details(s, older, newer, &output);
    draw(s);
    prfdata_export_chart(&output, &s->chart, (prfdata_text){NULL, 0});
    FUZZ_CHECK(!output.failed && !s->tree.failed);
    prfdata_output_free(&output);
}

static void show_timeline(const prfdata_timeline *timeline, prfdata_titles *titles)
{
    const prfdata_text names[PRFDATA_TREE_GROUPS] = {{NULL, 0}};
    recording_shown s = {.titles = titles};
    prfdata_sample *older = NULL;

    FUZZ_CHECK(prfdata_tree_init(&s.tree, names[0], names, titles) == ERROR_SUCCESS);
    prfdata_table_init(&s.table, titles);
    prfdata_chart_init(&s.chart);
    for (size_t i = 0; i < timeline->count; i++) {
        prfdata_sample *newer = prfdata_timeline_sample(timeline, i);

        FUZZ_CHECK(newer != NULL);
        show_sample(&s, timeline, i, older, newer);
        prfdata_sample_free(older);
        older = newer;
    }
    prfdata_sample_free(older);
    prfdata_chart_free(&s.chart);
    prfdata_table_free(&s.table);
    prfdata_tree_free(&s.tree);
}

/* Give all titles new indexes, as if the computer no longer had these titles. The samples must
 * still be readable. */
static void move_titles_of(prfdata_timeline *timeline, const prfdata_titles *titles)
{
    prfdata_titles none = {0};
    prfdata_title_moves moves;

    FUZZ_CHECK(prfdata_title_moves_find(&moves, titles, &none) == ERROR_SUCCESS);
    for (size_t i = 0; i < timeline->count; i++) {
        prfdata_sample *before = prfdata_timeline_sample(timeline, i);
        prfdata_sample *now;

        prfdata_title_moves_apply(&moves, timeline->entries[i].bytes, timeline->entries[i].size);
        now = prfdata_timeline_sample(timeline, i);
        FUZZ_CHECK(before && now && before->damage_count == now->damage_count &&
                   before->object_count == now->object_count);
        prfdata_sample_free(before);
        prfdata_sample_free(now);
    }
    prfdata_title_moves_free(&moves);
    prfdata_titles_free(&none);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    prfdata_recording recording = {0};
    prfdata_decode_error error;
    prfdata_timeline timeline;
    prfdata_timeline_damage damage = {0};

    if (prfdata_recording_read(bytes, size, &recording, &error) != ERROR_SUCCESS)
        return 0;
    check_blocks(&recording, size);
    prfdata_timeline_init(&timeline, TIMELINE_BYTES);
    FUZZ_CHECK(prfdata_timeline_add_recording(&timeline, bytes, &recording, &damage) ==
               ERROR_SUCCESS);
    FUZZ_CHECK(damage.samples == recording.count && damage.left_out <= recording.count &&
               damage.in_part <= recording.count - damage.left_out &&
               timeline.count <= recording.count - damage.left_out);
    show_timeline(&timeline, &recording.titles);
    save_recording_again(&timeline, &recording.titles);
    move_titles_of(&timeline, &recording.titles);
    prfdata_timeline_free(&timeline);
    prfdata_recording_free(&recording);
    return 0;
}
