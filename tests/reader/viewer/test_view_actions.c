/* SPDX-License-Identifier: MIT */
/* Tests random sequences of user actions, while samples come, providers are slow, clocks are set
 * and sources end. After each step, table and chart must show what the formulas give for the shown
 * samples. The test keeps the samples' values as numbers, next to the bytes that the viewer reads.
 * Sometimes a product is removed, returns at other indexes, or renames a counter. This must not
 * change earlier values. If a test fails, it prints the seed of its sequence and the step. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/view/view_sample.h"
#include "support/sampled.h"
#include "viewer/viewer.h"

/* Other has no instances. EXTRA is a counter that Queue has only at times. */
enum { OTHER = 300, NUMBER = 302, EXTRA = 106 };
/* How much higher titles are after a product was removed and installed again. */
enum { MOVED = 1000 };
enum { SEQUENCES = 1000, STEPS = 120, LABELS = 6 };

#define LONG_AGO     (SIZE_MAX - 1)
#define SECOND_100NS 10000000u

/* The name "twice" occurs twice in a reply, once or not at all. */
static const char *const labels[LABELS] = {"_Total", "a", "b", "long name", "twice", "twice#1"};

typedef struct page {
    uint64_t perf_ms;    /* time by the clock that nobody sets */
    uint64_t wall_100ns; /* time by the clock that users set */
    bool asks_queue;
    bool asks_other;
    bool has_queue;
    bool has_other;
    bool has_extra;
    bool has[LABELS];
    uint32_t depth[LABELS];
    uint64_t bytes[LABELS];
    uint64_t number;
} page;

typedef struct actions_scene {
    uint32_t seed;
    uint32_t step;
    uint64_t random;
    prfdata_viewer viewer;
    uint32_t base; /* how much higher the titles are */
    bool is_removed;
    bool is_renamed;       /* whether Depth is called Length */
    prfdata_titles titles; /* the viewer refers to these */
    page now;
    page book[STEPS + 1]; /* the samples of the source so far */
    size_t page_count;
    bool is_choosing;  /* whether another column may be selected */
    bool is_lost;      /* whether the viewer has old titles and waits for new ones */
    uint64_t asked_by; /* the workers whose samples come next, one bit each */
} actions_scene;

static uint32_t draw(actions_scene *s, uint32_t below)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (uint32_t)((s->random >> 16) % below);
}

static bool draw_one_of(actions_scene *s, uint32_t count)
{
    return draw(s, count) == 0;
}

/* Return the counter or object that a title stands for: QUEUE, DEPTH and so on. The title of a
 * removed product is found by its name. For a title of another product, the result is none of
 * these. */
static uint32_t role_of(const actions_scene *s, uint32_t title)
{
    static const struct {
        const char *name;
        uint32_t role;
    } gone[] = {{"Queue", QUEUE},
                {"Depth", DEPTH},
                {"Length", DEPTH},
                {"Bytes/sec", RATE},
                {"Extra", EXTRA}};
    const prfdata_text name = prfdata_name_table_name(&s->viewer.titles.former, title);

    if (!prfdata_title_is_gone(title))
        return title - s->base;
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        if (ascii_text_is(name, gone[i].name))
            return gone[i].role;
    }
    return 0;
}

static void require(const actions_scene *s, bool is_so, const char *what)
{
    if (!is_so)
        fail_msg("seed %u, step %u: %s", s->seed, s->step, what);
}

/* ---- Samples ---- */

static void write_queue(wire *w, const actions_scene *s, const page *p)
{
    /* The instances of a reply need not be sorted. */
    static const unsigned order[LABELS] = {3, 4, 1, 5, 0, 2};
    const uint32_t counters = p->has_extra ? 3 : 2;
    int32_t count = 0;
    size_t object;

    for (unsigned i = 0; i < LABELS; i++)
        count += p->has[i];
    object = wire_object(w, QUEUE + s->base, counters, count, 0);
    if (p->has_extra) /* EXTRA is the first counter, so all others move */
        wire_counter(w, EXTRA + s->base, PERF_COUNTER_RAWCOUNT, 4, 16);
    wire_counter(w, DEPTH + s->base, PERF_COUNTER_RAWCOUNT, 4, 4);
    wire_counter(w, RATE + s->base, PERF_COUNTER_BULK_COUNT, 8, 8);
    for (unsigned at = 0; at < LABELS; at++) {
        const unsigned i = order[at];
        size_t values;

        if (!p->has[i])
            continue;
        wire_instance(w, 0, 0, -1, i == LABELS - 1 ? labels[i - 1] : labels[i]);
        values = wire_values(w);
        wire_put32(w, p->depth[i]);
        wire_put64(w, p->bytes[i]);
        wire_put32(w, p->depth[i] + 1);
        wire_values_end(w, values);
    }
    wire_object_end(w, object);
}

static void write_other(wire *w, const actions_scene *s, const page *p)
{
    const size_t object = wire_object(w, OTHER + s->base, 1, PERF_NO_INSTANCES, 0);
    size_t values;

    wire_counter(w, NUMBER + s->base, PERF_COUNTER_LARGE_RAWCOUNT, 8, 8);
    values = wire_values(w);
    wire_put32(w, 0);
    wire_put64(w, p->number);
    wire_values_end(w, values);
    wire_object_end(w, object);
}

static prfdata_sample *sample_of_page(const actions_scene *s, const page *p)
{
    static wire w;

    memset(&w, 0, sizeof w);
    wire_begin(&w, (uint32_t)p->has_queue + p->has_other);
    if (p->has_queue)
        write_queue(&w, s, p);
    if (p->has_other)
        write_other(&w, s, p);
    return view_end(&w, p->perf_ms, p->wall_100ns);
}

/* Make the values of the next sample. Depths are random. Bytes grow, and sometimes begin again at
 * 0. Instances come and go. The name "twice" occurs at most twice. */
static void turn_page(actions_scene *s)
{
    page *p = &s->now;
    const uint32_t ms = 1 + draw(s, 1500);

    p->perf_ms += ms;
    p->wall_100ns += (uint64_t)ms * 10000;
    if (draw_one_of(s, 25))
        p->wall_100ns -= (uint64_t)SECOND_100NS * (1 + draw(s, 5)); /* a user sets the clock back */
    if (draw_one_of(s, 60))
        p->wall_100ns -= (uint64_t)SECOND_100NS * 7200;
    for (unsigned i = 0; i < LABELS; i++) {
        if (draw_one_of(s, 8))
            p->has[i] = !p->has[i];
        p->depth[i] = draw_one_of(s, 3) ? 0 : draw(s, 5);
        p->bytes[i] = draw_one_of(s, 20) ? 0 : p->bytes[i] + draw(s, 3) * 100;
    }
    p->has[LABELS - 1] = p->has[LABELS - 1] && p->has[LABELS - 2];
    if (draw_one_of(s, 12))
        p->has_extra = !p->has_extra;
    p->number = draw_one_of(s, 2) ? p->number : draw(s, 100);
    if (draw_one_of(s, 25))
        s->asked_by = draw(s, 4);
    p->asks_queue = s->asked_by != 1 && !s->is_removed;
    p->asks_other = s->asked_by != 2 || s->is_removed;
    p->has_queue = p->asks_queue && !draw_one_of(s, 15);
    p->has_other = p->asks_other && !draw_one_of(s, 15);
}

static bool is_removed_queue(const actions_scene *s, uint32_t title)
{
    return prfdata_title_is_gone(title) && role_of(s, title) == QUEUE;
}

/* Returns whether a line or the table shows a removed counter, which no sample has. */
static bool shows_what_was_removed(const actions_scene *s)
{
    bool shows = is_removed_queue(s, s->viewer.table.object_title);

    for (uint32_t i = 0; i < s->viewer.chart.series_count; i++)
        shows = shows || is_removed_queue(s, s->viewer.chart.series[i]->key.object_title);
    return shows;
}

static void take_page(actions_scene *s)
{
    uint32_t titles[2];
    prfdata_title_set asked = {.items = titles, .capacity = 2};
    const size_t before = s->viewer.timeline.count;
    const bool is_stale = s->viewer.is_stale;
    const bool is_held = prfdata_viewer_is_held(&s->viewer);

    turn_page(s);
    if (s->now.asks_queue != s->now.asks_other || draw_one_of(s, 2)) {
        if (s->now.asks_queue)
            titles[asked.count++] = QUEUE + s->base;
        if (s->now.asks_other)
            titles[asked.count++] = OTHER + s->base;
    }
    s->now.asks_queue =
        s->now.asks_queue || (s->is_removed && (asked.count == 0 || shows_what_was_removed(s)));
    prfdata_viewer_take(&s->viewer, sample_of_page(s, &s->now), &asked,
                        draw_one_of(s, 5) ? 5000 : 0);
    if (is_stale)
        require(s, s->viewer.timeline.count == before, "a sample of other titles was taken");
    else
        s->book[s->page_count++] = s->now;
    require(s,
            is_stale || is_held ||
                s->viewer.shown_ms - (int64_t)(s->now.wall_100ns / 10000) <= 60000 + 2,
            "the time that is shown is far ahead");
}

/* ---- The source ---- */

static prfdata_titles titles_of_scene(const actions_scene *s)
{
    prfdata_titles titles = {0};

    if (s->base != 0) { /* another product has the earlier indexes now */
        view_title(&titles.english, QUEUE, "Pool");
        view_title(&titles.english, DEPTH, "Free");
        view_title(&titles.english, RATE, "Used");
    }
    if (!s->is_removed) {
        view_title(&titles.english, QUEUE + s->base, "Queue");
        view_title(&titles.english, DEPTH + s->base, s->is_renamed ? "Length" : "Depth");
        view_title(&titles.english, RATE + s->base, "Bytes/sec");
        view_title(&titles.english, EXTRA + s->base, "Extra");
        (void)prfdata_title_ids_add(&titles.ids, QUEUE + s->base, QUEUE);
        (void)prfdata_title_ids_add(&titles.ids, DEPTH + s->base, DEPTH);
    }
    view_title(&titles.english, OTHER + s->base, "Other");
    view_title(&titles.english, NUMBER + s->base, "Number");
    return titles;
}

static prfdata_viewer_words words_of_scene(uint16_t group[8])
{
    const prfdata_text text = ascii_text("group", group);

    return (prfdata_viewer_words){.groups = {text, text, text}, .absent = text};
}

static prfdata_name_table objects_of_scene(const actions_scene *s)
{
    prfdata_name_table objects = {0};

    if (!s->is_removed)
        view_title(&objects, QUEUE + s->base, "Queue");
    return objects;
}

static void begin_source(actions_scene *s)
{
    uint16_t group[8];
    const prfdata_viewer_words words = words_of_scene(group);
    prfdata_name_table objects = objects_of_scene(s);

    prfdata_titles_free(&s->titles);
    s->titles = titles_of_scene(s);
    s->viewer.titles = prfdata_viewer_borrow_titles(&s->titles);
    s->viewer.is_live = true;
    prfdata_viewer_begin(&s->viewer, &words, &objects);
    prfdata_name_table_free(&objects);
    prfdata_viewer_begin_names(&s->viewer);
    s->page_count = 0;
}

static void install(actions_scene *s)
{
    if (draw_one_of(s, 2))
        s->base = s->base == 0 ? MOVED : 0;
    s->is_removed = !s->is_removed && draw_one_of(s, 3);
    if (!s->is_removed && draw_one_of(s, 2))
        s->is_renamed = !s->is_renamed;
    s->is_lost = false;
    s->is_choosing = true;
}

static void begin_again(actions_scene *s)
{
    prfdata_viewer_end(&s->viewer);
    require(s, s->viewer.table.row_count == 0 && s->viewer.chart.series_count == 0,
            "something of a source stayed");
    install(s);
    begin_source(s);
}

/* Give the viewer the new titles. Everything that it shows must stay, with its past. */
static void renew(actions_scene *s)
{
    const size_t samples = s->viewer.timeline.count;
    const uint32_t lines = s->viewer.chart.series_count;
    const uint32_t times = s->viewer.chart.count;
    const int64_t shown_ms = s->viewer.shown_ms;
    uint16_t group[8];
    const prfdata_viewer_words words = words_of_scene(group);
    prfdata_titles before = s->titles;
    prfdata_name_table objects;

    install(s);
    objects = objects_of_scene(s);
    s->titles = titles_of_scene(s);
    prfdata_viewer_renew(&s->viewer, &words, &objects, &s->titles);
    prfdata_name_table_free(&objects);
    prfdata_titles_free(&before);
    require(s,
            s->viewer.timeline.count == samples && s->viewer.chart.series_count == lines &&
                s->viewer.chart.count == times && s->viewer.shown_ms == shown_ms,
            "something of the past has gone");
}

/* ---- Expected values ---- */

/* Return the values of an entry. The last pages are those of the timeline's entries. */
static const page *page_of(const actions_scene *s, size_t at)
{
    return &s->book[s->page_count - s->viewer.timeline.count + at];
}

static bool is_asked_on(const actions_scene *s, const page *p, uint32_t object)
{
    return role_of(s, object) == QUEUE ? p->asks_queue : p->asks_other;
}

/* Return the last earlier entry for which the object was asked for. Returns SIZE_MAX if there is no
 * such entry, and LONG_AGO if it is too old for a rate. */
static size_t entry_before(const actions_scene *s, size_t at, uint32_t object)
{
    const prfdata_timeline_entry *entries = s->viewer.timeline.entries;

    for (size_t i = at; i-- > 0;) {
        if (is_asked_on(s, page_of(s, i), object))
            return i;
        if (at - i > 16 && entries[at].time_ms - entries[i].time_ms > 15000)
            return LONG_AGO;
    }
    return SIZE_MAX;
}

static size_t find_label(prfdata_text label)
{
    size_t at = 0;

    while (at < LABELS && !ascii_text_is(label, labels[at]))
        at++;
    return at;
}

/* Returns whether a sample has the object and the instance of a line or a row. */
static bool has_instance(const actions_scene *s, const page *p, uint32_t object, prfdata_text label)
{
    const size_t at = find_label(label);

    if (role_of(s, object) == OTHER)
        return p->has_other && label.count == 0;
    return role_of(s, object) == QUEUE && p->has_queue && at < LABELS && p->has[at];
}

static uint32_t expected_rate(const actions_scene *s, const page *older, const page *newer,
                              const prfdata_chart_key *key, double *value)
{
    const size_t at = find_label(key->label);

    if (!older || !has_instance(s, older, key->object_title, key->label))
        return PRFDATA_STATUS_ONE_SAMPLE;
    if (newer->bytes[at] < older->bytes[at])
        return PRFDATA_STATUS_NEGATIVE_VALUE;
    *value = (double)(newer->bytes[at] - older->bytes[at]) * 1000 /
             (double)(newer->perf_ms - older->perf_ms);
    return PRFDATA_STATUS_OK;
}

/* Return the value of a counter computed from two samples, or NaN if it has none. */
static double expected_value(const actions_scene *s, const page *older, const page *newer,
                             const prfdata_chart_key *key)
{
    const uint32_t counter = role_of(s, key->counter_title);
    double value = (double)NAN;

    if (!newer || !has_instance(s, newer, key->object_title, key->label))
        return value;
    if (role_of(s, key->object_title) == OTHER)
        return counter == NUMBER ? (double)newer->number : value;
    if (counter == DEPTH)
        return newer->depth[find_label(key->label)];
    if (counter == EXTRA && newer->has_extra)
        return newer->depth[find_label(key->label)] + 1.0;
    if (counter == RATE)
        (void)expected_rate(s, older, newer, key, &value);
    return value;
}

static bool is_same(double a, double b)
{
    return (prfdata_scale_is_missing(a) && prfdata_scale_is_missing(b)) ||
           fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

/* ---- Checks ---- */

static size_t shown_at(const actions_scene *s)
{
    const prfdata_timeline *timeline = &s->viewer.timeline;
    size_t at = timeline->count - 1;

    while (s->viewer.looks_back && at > 0 && timeline->entries[at].time_ms != s->viewer.shown_ms)
        at--;
    require(s, timeline->entries[at].time_ms == s->viewer.shown_ms,
            "the time that is shown is of no sample");
    return at;
}

static void check_row(const actions_scene *s, const prfdata_table_row *row, const page *older,
                      const page *newer)
{
    const prfdata_table *table = &s->viewer.table;
    const prfdata_text none = {0};
    const prfdata_text label = table->has_instances ? row->label : none;

    require(s,
            row->life.is_present == (newer && has_instance(s, newer, table->object_title, label)),
            "a row is there without its instance, or not there with it");
    for (uint32_t i = 0; row->life.is_present && i < table->column_count; i++) {
        const prfdata_cell *cell = &row->cells[i];
        const prfdata_chart_key key = {
            table->object_title,
            table->has_instances ? table->columns[i].counter_title : row->counter_title, label};
        const double expected = expected_value(s, older, newer, &key);

        require(s,
                is_same(prfdata_cell_has_value(cell) ? cell->value.number : (double)NAN, expected),
                "a cell shows another value");
        if (role_of(s, key.counter_title) == RATE) {
            double value;

            require(s, cell->status == expected_rate(s, older, newer, &key, &value),
                    "a cell has no value for another reason");
        }
    }
}

static uint32_t expected_rows(const actions_scene *s, const page *newer)
{
    uint32_t count = 0;

    if (newer && role_of(s, s->viewer.table.object_title) == OTHER)
        return newer->has_other;
    for (unsigned i = 0; newer && role_of(s, s->viewer.table.object_title) == QUEUE && i < LABELS;
         i++)
        count += newer->has_queue && newer->has[i];
    return count;
}

static int order_of_rows(const prfdata_table *table, const prfdata_table_row *a,
                         const prfdata_table_row *b)
{
    const uint32_t column = table->sort_column;
    const bool by_label = column >= table->column_count;
    int order = (int)b->is_total - (int)a->is_total;

    if (order == 0 && !by_label)
        order = prfdata_cell_compare(&a->cells[column], &b->cells[column], table->shows_raw,
                                     table->sorts_descending);
    if (order != 0)
        return order;
    order = prfdata_text_compare(a->label, b->label);
    return by_label && table->sorts_descending ? -order : order;
}

static void check_order(const actions_scene *s)
{
    const prfdata_table *table = &s->viewer.table;
    uint32_t focused = 0;

    require(s, table->shown_count <= table->row_count, "more rows are shown than there are");
    for (uint32_t i = 0; i < table->shown_count; i++) {
        focused += table->shown[i]->is_focused;
        require(s, i == 0 || order_of_rows(table, table->shown[i - 1], table->shown[i]) <= 0,
                "rows are not in their order");
    }
    require(s, focused <= 1, "two rows have the focus");
}

/* Check the table. The column that actions apply to must exist if the table has columns. */
static void check_table(const actions_scene *s)
{
    const prfdata_table *table = &s->viewer.table;
    const page *older = NULL;
    const page *newer = NULL;
    uint32_t present = 0;

    if (s->viewer.timeline.count > 0) {
        const size_t newest = shown_at(s);
        const page *shown = page_of(s, newest);
        const size_t at = is_asked_on(s, shown, table->object_title)
                              ? newest
                              : entry_before(s, newest, table->object_title);
        const size_t before = at >= LONG_AGO ? SIZE_MAX : entry_before(s, at, table->object_title);

        newer = at >= LONG_AGO ? NULL : page_of(s, at);
        older = before >= LONG_AGO ? NULL : page_of(s, before);
    }
    for (uint32_t i = 0; i < table->row_count; i++) {
        check_row(s, table->rows[i], older, newer);
        present += table->rows[i]->life.is_present;
    }
    require(s, present == expected_rows(s, newer) && present == table->present_count,
            "rows are missing");
    require(s, table->column_count == 0 || s->viewer.column < table->column_count,
            "actions are about a column that is not there");
    check_order(s);
}

/* Return the position of this time in the chart, or chart->count if the chart does not have the
 * time. */
static uint32_t place_in_chart(const prfdata_chart *chart, int64_t time_ms)
{
    uint32_t at = 0;

    while (at < chart->count && chart->times_ms[at] != time_ms)
        at++;
    return at;
}

static void check_line(const actions_scene *s, const prfdata_chart_series *line)
{
    const prfdata_chart *chart = &s->viewer.chart;
    const uint32_t object = line->key.object_title;

    for (size_t i = 0; i < s->viewer.timeline.count; i++) {
        const uint32_t at = place_in_chart(chart, s->viewer.timeline.entries[i].time_ms);
        const size_t before = entry_before(s, i, object);
        const page *older = before >= LONG_AGO ? NULL : page_of(s, before);
        double value;

        require(s, at < chart->count && !chart->gaps[at], "the chart lacks the time of a sample");
        value = line->values[at];
        require(s, prfdata_scale_is_skipped(value) == !is_asked_on(s, page_of(s, i), object),
                "a line goes on where it was asked for, or breaks where it was not");
        if (prfdata_scale_is_skipped(value) ||
            (before == SIZE_MAX && !prfdata_scale_is_missing(value)))
            continue; /* not asked for, or the earlier sample was dropped since then */
        require(s, is_same(value, expected_value(s, older, page_of(s, i), &line->key)),
                "a line has another value");
    }
}

static void check_path(const actions_scene *s, const prfdata_chart_series *line)
{
    const bool is_other = role_of(s, line->key.object_title) == OTHER;
    const uint32_t role = role_of(s, line->key.counter_title);
    const char *counter = is_other        ? "Number"
                          : role == DEPTH ? s->is_renamed ? "Length" : "Depth"
                          : role == RATE  ? "Bytes/sec"
                                          : "Extra";
    char label[40] = {0};
    char path[100];

    for (size_t i = 0; i < line->key.label.count; i++)
        label[i] = (char)line->key.label.chars[i];
    snprintf(path, sizeof path, is_other ? "\\Other%s\\%s" : "\\Queue(%s)\\%s", label, counter);
    require(s, ascii_text_is(line->path, path), "a line has another path");
}

static bool is_wanted(const actions_scene *s, uint32_t title)
{
    uint32_t titles[PRFDATA_VIEWER_WANTED_MOST];
    const size_t count = prfdata_viewer_wanted(&s->viewer, titles);
    size_t at = 0;

    while (at < count && titles[at] != title)
        at++;
    return at < count;
}

/* The tree shows the current state, even if an earlier time is shown. */
static void check_tree(const actions_scene *s)
{
    const prfdata_node *object = prfdata_tree_object(&s->viewer.tree, QUEUE + s->base);
    const size_t count = s->viewer.timeline.count;
    size_t at = count == 0 ? SIZE_MAX
                : is_asked_on(s, page_of(s, count - 1), QUEUE + s->base)
                    ? count - 1
                    : entry_before(s, count - 1, QUEUE + s->base);
    bool found[LABELS] = {false};

    if (at >= LONG_AGO || !page_of(s, at)->has_queue || !object || !object->is_open ||
        !object->is_filled)
        return;
    for (const prfdata_node *node = object->first; node; node = node->next) {
        const size_t label = find_label(node->label);

        require(s, label < LABELS || ascii_text_is(node->label, "*"), "an unknown node");
        if (label < LABELS && !node->is_gone)
            found[label] = true;
    }
    for (unsigned i = 0; i < LABELS; i++)
        require(s, found[i] == page_of(s, at)->has[i], "the tree shows another instance");
}

static void check_all(const actions_scene *s)
{
    const prfdata_viewer *viewer = &s->viewer;

    require(s,
            viewer->table.object_title == 0 || prfdata_title_is_gone(viewer->table.object_title) !=
                                                   is_wanted(s, viewer->table.object_title),
            "the table's object is not asked for");
    check_table(s);
    check_tree(s);
    for (uint32_t i = 0; i < viewer->chart.series_count; i++) {
        const prfdata_chart_series *line = viewer->chart.series[i];

        require(s,
                prfdata_title_is_gone(line->key.object_title) !=
                    is_wanted(s, line->key.object_title),
                "a line's object is not asked for");
        require(s, prfdata_chart_find(&viewer->chart, &line->key) == i, "a line is there twice");
        check_line(s, line);
        check_path(s, line);
    }
}

/* ---- Actions of the user ---- */

static prfdata_chart_key draw_key(actions_scene *s, uint16_t chars[16])
{
    static const uint32_t counters[] = {DEPTH, RATE, EXTRA};
    const uint32_t label = draw(s, LABELS + 1);

    if (draw_one_of(s, 4) || s->is_removed)
        return (prfdata_chart_key){OTHER + s->base, NUMBER + s->base, {0}};
    return (prfdata_chart_key){QUEUE + s->base, counters[draw(s, 3)] + s->base,
                               ascii_text(label < LABELS ? labels[label] : "*", chars)};
}

/* Choose a random node by walking down from the top. */
static prfdata_node *draw_node(actions_scene *s)
{
    prfdata_node *node = s->viewer.tree.computer;

    while (node->first && !draw_one_of(s, 4)) {
        node = node->first;
        for (uint32_t skipped = draw(s, 4); skipped > 0 && node->next; skipped--)
            node = node->next;
    }
    return node;
}

static void use_tree(actions_scene *s)
{
    static const char *const searches[] = {"", "a", "b", "queue", "zzz", "tw*1", "num"};
    prfdata_node *node = draw_node(s);
    uint16_t chars[16];

    switch (draw(s, 5)) {
    case 0:
        prfdata_viewer_select(&s->viewer, node);
        break;
    case 1:
        prfdata_viewer_open(&s->viewer, node);
        break;
    case 2:
        prfdata_viewer_close(&s->viewer, node);
        break;
    case 3:
        node->is_selected = !node->is_selected;
        break;
    default:
        (void)prfdata_viewer_search(&s->viewer, ascii_text(searches[draw(s, 7)], chars));
    }
}

/* Do to rows what a list view does: one row has the focus, and any row may be selected. */
static void use_rows(actions_scene *s)
{
    prfdata_table *table = &s->viewer.table;
    prfdata_table_row *row =
        table->shown_count > 0 ? table->shown[draw(s, table->shown_count)] : NULL;
    const uint32_t column = table->column_count > 0 ? draw(s, table->column_count) : 0;
    const uint32_t counter = row ? prfdata_table_counter(table, 0, column) : 0;

    if (!row)
        return;
    for (uint32_t i = 0; i < table->row_count; i++)
        table->rows[i]->is_focused = table->rows[i] == row;
    row->is_selected = !row->is_selected;
    s->viewer.column = column;
    s->is_choosing = true;
    prfdata_viewer_choose_cell(&s->viewer, counter,
                               table->has_instances ? row->label : (prfdata_text){0});
}

static void use_table(actions_scene *s)
{
    prfdata_table *table = &s->viewer.table;

    switch (draw(s, 6)) {
    case 0:
        prfdata_viewer_choose_object(
            &s->viewer, (draw_one_of(s, 2) && !s->is_removed ? QUEUE : OTHER) + s->base);
        break;
    case 1:
        prfdata_viewer_sort(&s->viewer, table->column_count == 0 || draw_one_of(s, 3)
                                            ? PRFDATA_TABLE_LABEL
                                            : draw(s, table->column_count));
        break;
    case 2:
        table->hides_idle = !table->hides_idle;
        prfdata_viewer_arrange(&s->viewer);
        break;
    case 3:
        table->shows_raw = !table->shows_raw;
        prfdata_viewer_arrange(&s->viewer);
        break;
    case 4:
        prfdata_viewer_add_selected(&s->viewer);
        break;
    default:
        use_rows(s);
    }
}

static void use_time(actions_scene *s)
{
    const prfdata_timeline *timeline = &s->viewer.timeline;

    switch (draw(s, 6)) {
    case 0:
        if (timeline->count > 0)
            prfdata_viewer_look_at(&s->viewer,
                                   timeline->entries[draw(s, (uint32_t)timeline->count)].time_ms +
                                       (int64_t)draw(s, 3) - 1);
        break;
    case 1:
        prfdata_viewer_look_at_newest(&s->viewer);
        break;
    case 2:
        prfdata_viewer_pause(&s->viewer, !s->viewer.is_paused);
        break;
    case 3:
        prfdata_viewer_zoom(&s->viewer, draw_one_of(s, 2));
        break;
    case 4:
        prfdata_viewer_turn(&s->viewer, draw_one_of(s, 2) ? 0.5 : -0.5);
        break;
    default:
        (void)prfdata_viewer_refresh(&s->viewer);
    }
}

static void use_lines(actions_scene *s)
{
    const uint32_t line = draw(s, s->viewer.chart.series_count + 1); /* or no line */
    uint16_t chars[16];
    const prfdata_chart_key key = draw_key(s, chars);

    switch (draw(s, 10)) {
    case 0:
        prfdata_viewer_remove_line(&s->viewer, line);
        break;
    case 1:
        if (draw_one_of(s, 4))
            prfdata_viewer_remove_lines(&s->viewer);
        break;
    case 2:
        prfdata_viewer_hide_line(&s->viewer, line, draw_one_of(s, 2));
        break;
    case 3:
        prfdata_viewer_choose_line(&s->viewer, line);
        break;
    case 4:
        prfdata_viewer_toggle_own_pane(&s->viewer, line);
        break;
    case 5:
        prfdata_viewer_toggle_log(&s->viewer, line);
        break;
    case 6:
        prfdata_viewer_change_colour(&s->viewer, line);
        break;
    default:
        prfdata_viewer_add_line(&s->viewer, &key);
    }
}

static void use_names(actions_scene *s)
{
    static const char *const names[] = {
        "Queue",          "Other", "\\Queue(*)\\Depth", "\\Pool(a)\\Free", "\\Queue(a)\\Bytes/sec",
        "\\Other\\Number"};
    uint16_t chars[40];

    prfdata_viewer_add_name(&s->viewer, ascii_text(names[draw(s, 6)], chars));
    prfdata_viewer_begin_names(&s->viewer);
}

/* Make the details, a recording, the statistics and the notes of lines, so that the sanitizers
 * watch this code. */
static void read_texts(actions_scene *s)
{
    const prfdata_number_style style = {'.', ','};
    prfdata_output output = {0};

    prfdata_viewer_put_details(&s->viewer, &output, style);
    prfdata_timeline_put(&s->viewer.timeline, &s->viewer.titles, &output);
    assert_false(output.failed);
    prfdata_output_free(&output);
    for (uint32_t i = 0; i < s->viewer.chart.series_count; i++)
        (void)prfdata_chart_statistics_of(&s->viewer.chart, i);
    prfdata_viewer_note_lines(&s->viewer);
}

static void note_stale(actions_scene *s)
{
    prfdata_viewer_note_stale(&s->viewer);
    s->is_lost = true;
}

static void act(actions_scene *s)
{
    const uint32_t what = draw(s, 100);

    if (s->is_lost && draw_one_of(s, 2)) {
        if (draw_one_of(s, 8))
            begin_again(s);
        else
            renew(s);
    }
    if (what < 50)
        take_page(s);
    else if (what < 60)
        use_tree(s);
    else if (what < 72)
        use_table(s);
    else if (what < 82)
        use_time(s);
    else if (what < 92)
        use_lines(s);
    else if (what < 94)
        use_names(s);
    else if (what < 97)
        read_texts(s);
    else if (what < 98)
        note_stale(s);
    else if (what < 99)
        prfdata_viewer_note_late(&s->viewer, OTHER + s->base, PRFDATA_NODE_AWAITED);
    else
        begin_again(s);
}

/* Do an action and check. Actions apply to the counter that the user chose, as long as the table
 * has this counter. */
static void act_and_check(actions_scene *s)
{
    const prfdata_table *table = &s->viewer.table;
    const uint32_t object = table->object_title;
    const uint32_t chosen =
        table->column_count > 0 ? table->columns[s->viewer.column].counter_title : 0;

    s->is_choosing = false;
    act(s);
    for (uint32_t i = 0;
         object == table->object_title && !s->is_choosing && i < table->column_count; i++)
        require(s, table->columns[i].counter_title != chosen || s->viewer.column == i,
                "actions are about another counter");
    check_all(s);
}

static void play_sequence(actions_scene *s, uint32_t seed)
{
    const prfdata_viewer_observer observer = {.context = s};

    memset(s, 0, sizeof *s);
    s->seed = seed;
    s->random = seed * UINT64_C(0x9E3779B97F4A7C15);
    s->now.wall_100ns = (uint64_t)SECOND_100NS * 100000;
    s->now.perf_ms = 1000;
    for (unsigned i = 0; i < LABELS; i++)
        s->now.has[i] = true;
    prfdata_viewer_init(&s->viewer, &observer, draw_one_of(s, 2) ? 1000000 : 1000 + draw(s, 10000));
    begin_source(s);
    for (s->step = 0; s->step < STEPS; s->step++) {
        act_and_check(s);
    }
    prfdata_viewer_free(&s->viewer);
    prfdata_titles_free(&s->titles);
}

static void test_viewer_any_actions_show_what_the_samples_hold(void **state)
{
    static actions_scene s;

    (void)state;
    for (uint32_t seed = 1; seed <= SEQUENCES; seed += sampled_one_of())
        play_sequence(&s, seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_viewer_any_actions_show_what_the_samples_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
