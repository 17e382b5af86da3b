/* SPDX-License-Identifier: MIT */
/*
 * Makes the lines of a path with a * follow the instances. New instances get lines. The line of an
 * instance that has ended stays as long as one of its values is visible. If there is not enough
 * room, the instances with the highest values in the visible span have lines.
 *
 * The instances of a pattern and their values are found in some samples of the visible span; a rate
 * between two of these samples is a mean. If there is no memory, the lines stay unchanged.
 */
#include "viewer/viewer.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/merge_sort.h"
#include "names/names.h"
#include "paths/resolver.h"
#include "view/cell.h"

#define MOST_PROBES  64u
#define LEAST_PROBES 3u
/* Limit for the bytes of the live samples that are probed for one choice of lines. */
#define PROBED_BYTES (4u << 20)
/* The same limit for the samples of a file. */
#define FILE_BYTES   (256u << 20)
#define RANKS_A_SPAN 8 /* how often lines are chosen again per visible span */

/* An instance that matches a pattern in any of the probed samples. */
typedef struct pattern_match {
    prfdata_chart_key key; /* its label is owned */
    double sum;
    uint32_t count;
} pattern_match;

/* {0} is empty. */
typedef struct pattern_matches {
    pattern_match *items;
    size_t count;
    size_t capacity;
    prfdata_hash_table table; /* index of positions in `items` */
} pattern_matches;

static void free_matches(pattern_matches *matches)
{
    for (size_t i = 0; i < matches->count; i++)
        prfdata_text_free(&matches->items[i].key.label);
    free(matches->items);
    prfdata_hash_table_free(&matches->table);
    memset(matches, 0, sizeof *matches);
}

/* ---- Instances of a pattern ---- */

static bool has_match_key(const void *elements, uint32_t position, const void *key)
{
    const prfdata_chart_key *one = &((const pattern_match *)elements)[position].key;
    const prfdata_chart_key *other = key;

    return one->object_title == other->object_title && one->counter_title == other->counter_title &&
           prfdata_text_equal(one->label, other->label);
}

static pattern_match *match_of_key(pattern_matches *matches, const prfdata_chart_key *key)
{
    const uint64_t hash =
        prfdata_names_hash(key->label.chars, key->label.count, key->counter_title);
    const uint32_t found =
        prfdata_hash_table_find(&matches->table, hash, has_match_key, matches->items, key);
    pattern_match *items;
    pattern_match *made;

    if (found != PRFDATA_HASH_TABLE_NONE)
        return &matches->items[found];
    items = prfdata_array_reserve(matches->items, &matches->capacity, matches->count + 1,
                                  sizeof *items);
    if (!items)
        return NULL;
    matches->items = items;
    made = &items[matches->count];
    *made = (pattern_match){.key = {key->object_title, key->counter_title, {0}}};
    if (!prfdata_text_copy(key->label, &made->key.label) ||
        !prfdata_hash_table_add(&matches->table, hash, (uint32_t)matches->count)) {
        prfdata_text_free(&made->key.label);
        return NULL;
    }
    matches->count++;
    return made;
}

/* Add the matches of a pattern in a sample. older: the sample probed before, for values; NULL:
 * none. */
static void add_matches(const prfdata_viewer *viewer, const prfdata_viewer_pattern *pattern,
                        const prfdata_sample *older, const prfdata_sample *newer, bool has_values,
                        pattern_matches *matches)
{
    prfdata_resolver_path asked = {0};
    prfdata_resolver_path other;
    prfdata_resolver resolver;
    prfdata_path_error error;

    if (!prfdata_resolver_read(&asked, pattern->path, &viewer->titles, &error))
        return;
    (void)prfdata_resolver_choose(&asked, &viewer->titles, newer, &other);
    prfdata_resolver_begin(&resolver, &asked, &viewer->titles, newer);
    while (prfdata_resolver_next(&resolver)) {
        const prfdata_sample_object *object = resolver.object;
        const prfdata_chart_key key = {
            object->wire.header.object_name_title_index,
            object->counters[resolver.counter_position].definition.counter_name_title_index,
            resolver.instance->label};
        pattern_match *match;
        double value;

        if (!prfdata_viewer_means(viewer, asked.path.instance, object, resolver.instance))
            continue;
        match = match_of_key(matches, &key);
        if (!match)
            return;
        if (has_values && prfdata_chart_value(&key, older, newer, &value) == PRFDATA_STATUS_OK) {
            match->sum += value;
            match->count++;
        }
    }
}

/*
 * Find the entries of the visible span. If the span has none, find one entry: the last one before
 * the span, or the oldest of all. Sets *first to the first entry, and returns how many there are.
 */
static size_t visible_entries(const prfdata_viewer *viewer, size_t *first)
{
    const prfdata_timeline *timeline = &viewer->timeline;
    const int64_t begin_ms = prfdata_chart_begin_ms(&viewer->chart);
    const size_t end = prfdata_timeline_find(timeline, prfdata_chart_end_ms(&viewer->chart)) + 1;

    *first = prfdata_timeline_find(timeline, begin_ms);
    if (timeline->entries[*first].time_ms < begin_ms && *first + 1 < end)
        ++*first;
    return end > *first ? end - *first : 1;
}

/* Return how many samples to probe: few if they are large, so that the window does not freeze. */
static size_t probe_count(const prfdata_viewer *viewer, size_t first, size_t count)
{
    const size_t size = viewer->timeline.entries[first + count - 1].size + 1;
    size_t most = (viewer->is_live ? PROBED_BYTES : FILE_BYTES) / size;

    most = most < LEAST_PROBES ? LEAST_PROBES : most;
    if (viewer->is_live && most > MOST_PROBES)
        most = MOST_PROBES;
    return most < count ? most : count;
}

static void find_matches(prfdata_viewer *viewer, const prfdata_viewer_pattern *pattern,
                         pattern_matches *matches)
{
    const uint32_t title = prfdata_viewer_object_of_name(viewer, pattern->path);
    prfdata_sample *older = NULL;
    size_t first;
    const size_t count = visible_entries(viewer, &first);
    const size_t probes = probe_count(viewer, first, count);

    for (size_t i = 0; i < probes; i++) {
        size_t at = probes > 1 ? first + i * (count - 1) / (probes - 1) : first + count - 1;
        prfdata_sample *newer;

        while (at > first && !prfdata_viewer_is_asked(&viewer->timeline.entries[at].asked, title))
            at--; /* find an earlier entry that was asked for the object */
        newer = prfdata_timeline_sample(&viewer->timeline, at);
        if (!newer)
            continue;
        add_matches(viewer, pattern, older, newer, true, matches);
        prfdata_sample_free(older);
        older = newer;
    }
    prfdata_sample_free(older);
}

/* ---- Lines ---- */

static uint32_t lines_of(const prfdata_viewer *viewer, uint32_t id)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < viewer->chart.series_count; i++)
        count += viewer->chart.series[i]->pattern == id;
    return count;
}

/* Return how many lines a pattern may have: its lines plus the lines for which the chart has room,
 * but at most the user's limit. */
static uint32_t room_of(const prfdata_viewer *viewer, uint32_t id)
{
    const uint32_t most = viewer->most_lines > 0 && viewer->most_lines < PRFDATA_CHART_SERIES
                              ? viewer->most_lines
                              : PRFDATA_CHART_SERIES;
    const uint32_t room = PRFDATA_CHART_SERIES - viewer->chart.series_count + lines_of(viewer, id);

    return room < most ? room : most;
}

static int compare_matches(const void *left, const void *right, const void *context)
{
    const pattern_match *a = left;
    const pattern_match *b = right;
    const prfdata_compute_value of_a = {.number = a->count > 0 ? a->sum / a->count : 0};
    const prfdata_compute_value of_b = {.number = b->count > 0 ? b->sum / b->count : 0};

    (void)context;
    return prfdata_cell_compare_values(a->count > 0 ? &of_a : NULL, b->count > 0 ? &of_b : NULL,
                                       true);
}

/*
 * Sort the matches, the highest values first. Matches with equal values stay in the order of the
 * samples.
 */
static void sort_matches(pattern_matches *matches)
{
    pattern_match *spare = malloc((matches->count + 1) * sizeof *spare);

    if (spare)
        prfdata_merge_sort(matches->items, spare, matches->count, sizeof *spare, compare_matches,
                           NULL);
    free(spare);
    /* The table is not needed any longer, and the positions in it are now incorrect. */
    prfdata_hash_table_free(&matches->table);
}

static bool is_match(const pattern_matches *matches, size_t count, const prfdata_chart_key *key)
{
    for (size_t i = 0; i < count; i++) {
        if (has_match_key(matches->items, (uint32_t)i, key))
            return true;
    }
    return false;
}

/* Remove the lines of a pattern that are not among the first `kept` matches. Returns whether it
 * removed any. */
static bool remove_others(prfdata_viewer *viewer, uint32_t id, const pattern_matches *matches,
                          size_t kept)
{
    const uint32_t before = viewer->chart.series_count;

    for (uint32_t i = viewer->chart.series_count; i-- > 0;) {
        if (viewer->chart.series[i]->pattern == id &&
            !is_match(matches, kept, &viewer->chart.series[i]->key))
            prfdata_chart_remove(&viewer->chart, i);
    }
    return viewer->chart.series_count != before;
}

/* Add a line for each of the first `count` matches that has none, while the chart has room. */
static void add_lines_of(prfdata_viewer *viewer, uint32_t id, const pattern_matches *matches,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t last = viewer->chart.series_count;

        if (prfdata_chart_find(&viewer->chart, &matches->items[i].key) < PRFDATA_CHART_SERIES ||
            last == PRFDATA_CHART_SERIES)
            continue;
        if (prfdata_viewer_add_one_line(viewer, &matches->items[i].key))
            viewer->chart.series[last]->pattern = id;
    }
}

/* Choose the lines of a pattern by the whole visible span. */
static bool rank_lines(prfdata_viewer *viewer, prfdata_viewer_pattern *pattern)
{
    const uint32_t room = room_of(viewer, pattern->id);
    pattern_matches matches = {0};
    const bool was_early = pattern->is_early;
    bool has_changed = false;

    find_matches(viewer, pattern, &matches);
    pattern->ranked_ms = prfdata_chart_end_ms(&viewer->chart);
    pattern->is_early = was_early && viewer->timeline.count < 2;
    /* Without matches the lines stay, because the probed samples may lack the object, or memory is
     * exhausted. */
    if (matches.count > 0) {
        if (matches.count > room)
            sort_matches(&matches);
        has_changed = remove_others(viewer, pattern->id, &matches,
                                    matches.count < room ? matches.count : room);
        add_lines_of(viewer, pattern->id, &matches, matches.count < room ? matches.count : room);
        pattern->hidden_count = matches.count > room ? (uint32_t)matches.count - room : 0;
    }
    free_matches(&matches);
    return has_changed;
}

static bool is_seen(const prfdata_chart *chart, uint32_t position)
{
    uint32_t first;
    const uint32_t count = prfdata_chart_range(chart, &first);

    for (uint32_t i = first; i < first + count; i++) {
        if (!prfdata_scale_is_missing(chart->series[position]->values[i]))
            return true;
    }
    return false;
}

/* Remove the lines of ended instances whose past is no longer visible. Returns whether it removed
 * any. */
static bool end_unseen(prfdata_viewer *viewer, uint32_t id)
{
    const uint32_t before = viewer->chart.series_count;

    for (uint32_t i = viewer->chart.series_count; i-- > 0;) {
        const prfdata_chart_series *series = viewer->chart.series[i];

        if (series->pattern == id && series->status == PRFDATA_STATUS_NO_INSTANCE &&
            !is_seen(&viewer->chart, i))
            prfdata_chart_remove(&viewer->chart, i);
    }
    return viewer->chart.series_count != before;
}

/*
 * Follow the newest sample. If there is room for all instances, each gets a line. Otherwise
 * rank_lines() chooses the lines, RANKS_A_SPAN times in each visible span. As long as rates have no
 * values, rank_lines() chooses the lines with each sample.
 */
static bool follow_pattern(prfdata_viewer *viewer, prfdata_viewer_pattern *pattern,
                           const prfdata_sample *sample)
{
    bool has_changed = end_unseen(viewer, pattern->id);
    pattern_matches matches = {0};
    size_t added = 0;

    add_matches(viewer, pattern, NULL, sample, false, &matches);
    for (size_t i = 0; i < matches.count; i++)
        added += prfdata_chart_find(&viewer->chart, &matches.items[i].key) == PRFDATA_CHART_SERIES;
    if (lines_of(viewer, pattern->id) + added <= room_of(viewer, pattern->id)) {
        pattern->hidden_count = 0;
        add_lines_of(viewer, pattern->id, &matches, matches.count);
    } else if (pattern->is_early || prfdata_chart_end_ms(&viewer->chart) - pattern->ranked_ms >=
                                        viewer->chart.span_ms / RANKS_A_SPAN) {
        has_changed = rank_lines(viewer, pattern) || has_changed;
    } else {
        pattern->hidden_count =
            lines_of(viewer, pattern->id) + (uint32_t)added - room_of(viewer, pattern->id);
    }
    free_matches(&matches);
    return has_changed;
}

/* Move patterns without lines back to the list of names, where their rows say why they have no
 * lines. */
static void wait_for_instances(prfdata_viewer *viewer)
{
    for (uint32_t i = viewer->pattern_count; i-- > 0;) {
        if (lines_of(viewer, viewer->patterns[i].id) > 0)
            continue;
        prfdata_viewer_add_name(viewer, viewer->patterns[i].path);
        prfdata_viewer_forget_pattern(viewer, viewer->patterns[i].id);
    }
}

static void show_followed(prfdata_viewer *viewer, uint32_t last_id, bool has_changed)
{
    uint32_t first = viewer->chart.series_count;

    while (first > 0 && viewer->chart.series[first - 1]->id > last_id)
        first--;
    wait_for_instances(viewer);
    if (has_changed)
        prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART | PRFDATA_VIEWER_WANTED);
    prfdata_viewer_show_lines(viewer, first);
}

void prfdata_viewer_follow_patterns(prfdata_viewer *viewer, const prfdata_sample *sample,
                                    const prfdata_title_set *asked)
{
    const uint32_t last_id = viewer->chart.ids;
    bool has_changed = false;

    if (viewer->pattern_count == 0)
        return;
    for (uint32_t i = 0; i < viewer->pattern_count; i++) {
        prfdata_viewer_pattern *pattern = &viewer->patterns[i];

        if (prfdata_viewer_is_asked(asked, prfdata_viewer_object_of_name(viewer, pattern->path)))
            has_changed = follow_pattern(viewer, pattern, sample) || has_changed;
    }
    show_followed(viewer, last_id, has_changed);
}

void prfdata_viewer_rank_patterns(prfdata_viewer *viewer)
{
    const uint32_t last_id = viewer->chart.ids;
    bool has_changed = false;

    if (viewer->pattern_count == 0 || viewer->timeline.count == 0 || !viewer->has_titles)
        return;
    for (uint32_t i = 0; i < viewer->pattern_count; i++)
        has_changed = rank_lines(viewer, &viewer->patterns[i]) || has_changed;
    show_followed(viewer, last_id, has_changed);
}

void prfdata_viewer_set_most_lines(prfdata_viewer *viewer, uint32_t most)
{
    viewer->most_lines = most;
    prfdata_viewer_rank_patterns(viewer);
}

/* ---- The visible span ---- */

void prfdata_viewer_note_span(prfdata_viewer *viewer)
{
    prfdata_viewer_rank_patterns(viewer);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

void prfdata_viewer_zoom_at(prfdata_viewer *viewer, double factor, int64_t at_ms)
{
    prfdata_chart_zoom(&viewer->chart, factor, at_ms);
    prfdata_viewer_note_span(viewer);
}

void prfdata_viewer_zoom(prfdata_viewer *viewer, bool is_in)
{
    const prfdata_chart *chart = &viewer->chart;
    const int64_t end_ms = prfdata_chart_end_ms(chart);

    prfdata_viewer_zoom_at(viewer, is_in ? 0.5 : 2,
                           chart->follows ? end_ms : end_ms - chart->span_ms / 2);
}

void prfdata_viewer_show_all(prfdata_viewer *viewer)
{
    prfdata_chart_show_all(&viewer->chart);
    prfdata_viewer_note_span(viewer);
}

void prfdata_viewer_turn(prfdata_viewer *viewer, double spans)
{
    prfdata_chart_scroll(&viewer->chart, (int64_t)(spans * (double)viewer->chart.span_ms));
    prfdata_viewer_note_span(viewer);
}
