/* SPDX-License-Identifier: MIT */
/*
 * Adds lines to the chart, and handles the names that come from the command line, from a workspace,
 * or from the source that was shown before. A name waits in viewer->names until a sample has its
 * counter, because the counter's service may not run yet.
 */
#include "viewer/viewer.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "base/merge_sort.h"
#include "paths/resolver.h"
#include "source/session.h"
#include "text/similar.h"
#include "view/cell.h"

/*
 * A name is reported as missing when this many samples do not contain it. One sample is not enough,
 * because it may have been asked for before the name was added.
 */
#define SAMPLES_UNTIL_REPORT 2
#define PATH_CHARS           2048

/* ---- Several lines ---- */

/* A line that may be added. */
typedef struct line_choice {
    prfdata_chart_key key; /* its label is borrowed */
    bool has_value;        /* the line has a value at the shown time */
    prfdata_compute_value value;
} line_choice;

/* {0} is empty. */
typedef struct line_choices {
    line_choice *items;
    size_t count;
    size_t capacity;
    bool is_early; /* some choices have no value, because there is only one sample */
} line_choices;

static int compare_choices(const void *left, const void *right, const void *context)
{
    const line_choice *a = left;
    const line_choice *b = right;

    (void)context;
    return prfdata_cell_compare_values(a->has_value ? &a->value : NULL,
                                       b->has_value ? &b->value : NULL, true);
}

/* If there is no memory, the line is left out. */
static void add_choice(prfdata_viewer *viewer, line_choices *choices, const prfdata_chart_key *key)
{
    line_choice *items = prfdata_array_reserve(choices->items, &choices->capacity,
                                               choices->count + 1, sizeof *items);
    const prfdata_sample *older;
    const prfdata_sample *newer;
    line_choice choice = {.key = *key};
    double value;

    if (!items)
        return;
    choices->items = items;
    prfdata_viewer_pair(viewer, key->object_title, &older, &newer);
    if (newer) {
        choices->is_early =
            prfdata_chart_value(key, older, newer, &value) == PRFDATA_STATUS_ONE_SAMPLE ||
            choices->is_early;
        choice.has_value = !prfdata_scale_is_missing(value);
        choice.value.number = value;
    }
    items[choices->count++] = choice;
}

static bool has_room_for(const prfdata_viewer *viewer, const line_choices *choices)
{
    return choices->count <= PRFDATA_CHART_SERIES - viewer->chart.series_count;
}

/* Sort the choices by value, because people want the highest if the chart has no room for all. */
static void sort_choices(line_choices *choices)
{
    line_choice *spare = malloc(choices->count * sizeof *spare);

    if (spare)
        prfdata_merge_sort(choices->items, spare, choices->count, sizeof *spare, compare_choices,
                           NULL);
    free(spare);
}

/* Add the lines, and release the choices. */
static void add_choices(prfdata_viewer *viewer, line_choices *choices, uint32_t pattern)
{
    if (!has_room_for(viewer, choices))
        sort_choices(choices);
    for (size_t i = 0; i < choices->count; i++) {
        const uint32_t last = viewer->chart.series_count;
        const bool was_full = last == PRFDATA_CHART_SERIES;

        if (was_full && pattern != 0)
            break; /* say nothing, because prfdata_viewer_hidden_count() counts such lines */
        if (prfdata_viewer_add_one_line(viewer, &choices->items[i].key))
            viewer->chart.series[last]->pattern = pattern;
        else if (was_full)
            break;
    }
    free(choices->items);
}

static void add_all_instances(prfdata_viewer *viewer, const prfdata_chart_key *key)
{
    const prfdata_sample *older;
    const prfdata_sample *newer;
    const prfdata_sample_object *object;
    line_choices choices = {0};
    prfdata_output path = {0};
    uint16_t chars[PATH_CHARS];

    prfdata_viewer_put_path(viewer, &path, key);
    prfdata_viewer_pair(viewer, key->object_title, &older, &newer);
    object = newer ? prfdata_sample_find_object(newer, key->object_title) : NULL;
    for (uint32_t i = 0; object && i < object->found_count; i++) {
        const prfdata_chart_key one = {key->object_title, key->counter_title,
                                       object->instances[object->found[i]].label};

        if (prfdata_viewer_means(viewer, (prfdata_text){0}, object,
                                 &object->instances[object->found[i]]))
            add_choice(viewer, &choices, &one);
    }
    add_choices(
        viewer, &choices,
        /* Add a pattern for a file even if this sample has no instance, because others may. */
        choices.count > 0 || !viewer->is_live
            ? prfdata_viewer_add_pattern(
                  viewer, (prfdata_text){chars, prfdata_text_from_utf8(path.bytes, path.used, chars,
                                                                       PATH_CHARS)})
            : 0);
    prfdata_output_free(&path);
}

void prfdata_viewer_add_line(prfdata_viewer *viewer, const prfdata_chart_key *key)
{
    const uint32_t first = viewer->chart.series_count;

    if (prfdata_text_equal_ascii(key->label, "*"))
        add_all_instances(viewer, key);
    else
        (void)prfdata_viewer_add_one_line(viewer, key);
    prfdata_viewer_show_lines(viewer, first);
    if (viewer->pattern_count > 0 && prfdata_text_equal_ascii(key->label, "*"))
        prfdata_viewer_rank_patterns(viewer);
}

void prfdata_viewer_add_selected(prfdata_viewer *viewer)
{
    const prfdata_table *table = &viewer->table;
    const uint32_t first = viewer->chart.series_count;
    const uint32_t column = table->has_instances ? viewer->column : 0;
    line_choices choices = {0};

    for (uint32_t i = 0; i < table->shown_count; i++) {
        const prfdata_chart_key key = {table->object_title, prfdata_table_counter(table, i, column),
                                       table->has_instances ? table->shown[i]->label
                                                            : (prfdata_text){0}};

        if (table->shown[i]->is_selected && key.counter_title != 0)
            add_choice(viewer, &choices, &key);
    }
    add_choices(viewer, &choices, 0);
    prfdata_viewer_show_lines(viewer, first);
}

/* ---- Names ---- */

void prfdata_viewer_name_shown(prfdata_viewer *viewer)
{
    prfdata_viewer_note_lines(viewer);
    for (uint32_t i = 0; i < prfdata_viewer_path_count(viewer); i++)
        prfdata_viewer_add_name(viewer, prfdata_viewer_path(viewer, i));
    prfdata_viewer_forget_patterns(viewer);
    /* Do not tell the observer, because the lines return. */
    while (viewer->chart.series_count > 0)
        prfdata_chart_remove(&viewer->chart, viewer->chart.series_count - 1);
}

static bool is_shown_computer(const prfdata_viewer *viewer, prfdata_text computer)
{
    if (computer.count == 0 || prfdata_text_equal(computer, viewer->computer))
        return true;
    if (viewer->is_live)
        return !viewer->is_remote && prfdata_session_is_local(computer);
    return prfdata_session_is_name_everywhere(computer);
}

static bool is_of_another_computer(const prfdata_viewer *viewer, prfdata_text name)
{
    prfdata_path_error error;
    prfdata_path_readings path;

    return name.chars[0] == '\\' && prfdata_path_begin_readings(&path, name, &error) &&
           !is_shown_computer(viewer, path.computer);
}

/*
 * Let the next samples include a named object. A file has only its own objects, but the system can
 * be asked for any object. If the object is missing, its node says why.
 */
static void want_named_object(prfdata_viewer *viewer, uint32_t title)
{
    const prfdata_sample *older;
    const prfdata_sample *newer;
    prfdata_node *node;

    prfdata_viewer_pair(viewer, title, &older, &newer);
    if (!viewer->is_live && !(newer && prfdata_sample_find_object(newer, title)))
        return;
    node = prfdata_tree_add_object(&viewer->tree, PRFDATA_TREE_OTHERS, title);
    if (node)
        prfdata_tree_open(&viewer->tree, node, prfdata_viewer_now(viewer, title));
}

static void choose_wanted_object(prfdata_viewer *viewer)
{
    const uint32_t title =
        viewer->wanted.count > 0 ? prfdata_viewer_object_of_name(viewer, viewer->wanted) : 0;

    if (title == 0 || viewer->table.object_title != 0)
        return;
    want_named_object(viewer, title);
    if (prfdata_tree_object(&viewer->tree, title))
        prfdata_viewer_show_object(viewer, title);
}

static void choose_first_object(prfdata_viewer *viewer)
{
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS && viewer->table.object_title == 0; i++) {
        if (viewer->tree.groups[i]->first)
            prfdata_viewer_show_object(viewer, viewer->tree.groups[i]->first->title);
    }
}

/* Let the next samples include the objects of all readings of a path, because only a sample decides
 * which reading is meant. */
static void want_other_readings(prfdata_viewer *viewer, prfdata_text name)
{
    prfdata_resolver_path reading = {0};
    prfdata_path_readings readings;
    prfdata_path_error error;

    if (!prfdata_path_begin_readings(&readings, name, &error))
        return;
    while (prfdata_resolver_next_reading(&readings, &viewer->titles, &reading)) {
        size_t position = 0;
        uint32_t title = 0;

        if (prfdata_titles_find(&viewer->titles, reading.way, reading.path.object, &position,
                                &title))
            want_named_object(viewer, title);
    }
}

/*
 * Begin a name, which is a path or the name of an object. Let the next samples include its object.
 * For a name that is not a path, choose the object. If no object has this name yet, note the name,
 * so that the object is chosen when it exists. Returns the title of the object, or 0.
 */
static uint32_t begin_name(prfdata_viewer *viewer, prfdata_text name)
{
    const uint32_t title = prfdata_viewer_object_of_name(viewer, name);

    if (title == 0 && name.chars[0] != '\\')
        (void)prfdata_text_copy(name, &viewer->wanted);
    if (title != 0)
        want_named_object(viewer, title);
    else if (viewer->is_live || name.chars[0] != '\\')
        /* Do not yet say that a path was not found in a file, because another sample may have the
         * counter. */
        prfdata_viewer_say(viewer, PRFDATA_VIEWER_NOT_FOUND, name);
    want_other_readings(viewer, name);
    if (name.chars[0] != '\\' && prfdata_tree_object(&viewer->tree, title))
        prfdata_viewer_choose_object(viewer, title);
    return title;
}

void prfdata_viewer_begin_names(prfdata_viewer *viewer)
{
    uint32_t first = 0;

    if (!viewer->has_titles)
        return;
    memset(viewer->name_samples, 0, sizeof viewer->name_samples);
    for (size_t i = 0; i < viewer->name_count;) {
        uint32_t title;

        /* Samples contain only counters of the computer that is shown. */
        if (is_of_another_computer(viewer, viewer->names[i])) {
            prfdata_viewer_say(viewer, PRFDATA_VIEWER_OTHER_COMPUTER, viewer->names[i]);
            prfdata_viewer_remove_name(viewer, i);
            continue;
        }
        title = begin_name(viewer, viewer->names[i]);
        first = first == 0 ? title : first;
        if (viewer->names[i].chars[0] == '\\')
            i++;
        else
            prfdata_viewer_remove_name(viewer, i);
    }
    choose_wanted_object(viewer);
    if (viewer->table.object_title == 0 && prfdata_tree_object(&viewer->tree, first))
        prfdata_viewer_show_object(viewer, first);
    choose_first_object(viewer);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_WANTED | PRFDATA_VIEWER_CHART);
    if (!viewer->is_live)
        prfdata_viewer_resolve_names(viewer, prfdata_viewer_shown(viewer), NULL);
}

/*
 * Add the lines of a path in a sample. If there is no room for all of them, add the lines with the
 * highest values or, as long as live rates have no values, no lines.
 *
 * Returns false if the path must be tried again with another sample.
 */
static bool add_path(prfdata_viewer *viewer, prfdata_text name, const prfdata_sample *sample)
{
    prfdata_resolver_path asked = {0};
    prfdata_resolver_path other;
    prfdata_resolver resolver;
    prfdata_path_error error;
    line_choices choices = {0};
    size_t found;

    if (!prfdata_resolver_read(&asked, name, &viewer->titles, &error))
        return false;
    (void)prfdata_resolver_choose(&asked, &viewer->titles, sample, &other);
    prfdata_resolver_begin(&resolver, &asked, &viewer->titles, sample);
    while (prfdata_resolver_next(&resolver)) {
        const prfdata_sample_object *object = resolver.object;
        const prfdata_chart_key key = {
            object->wire.header.object_name_title_index,
            object->counters[resolver.counter_position].definition.counter_name_title_index,
            resolver.instance->label};

        if (prfdata_viewer_means(viewer, asked.path.instance, object, resolver.instance))
            add_choice(viewer, &choices, &key);
    }
    found = choices.count;
    if (viewer->is_live && choices.is_early && !has_room_for(viewer, &choices)) {
        free(choices.items);
        return false;
    }
    add_choices(viewer, &choices,
                found > 0 && prfdata_viewer_is_pattern(name)
                    ? prfdata_viewer_add_pattern(viewer, name)
                    : 0);
    return found > 0;
}

/*
 * Consider the counters of the object that a path names, because one of them may have been meant.
 */
static void consider_counters_of(const prfdata_viewer *viewer, const prfdata_sample_object *object,
                                 prfdata_titles_way way, prfdata_similar *similar)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const uint32_t title = object->counters[i].definition.counter_name_title_index;

        if (prfdata_sample_shows(&object->counters[i]) &&
            !prfdata_titles_is_unused(&viewer->titles, title))
            prfdata_similar_consider(similar, prfdata_titles_name(&viewer->titles, way, title));
    }
}

static void consider_objects(const prfdata_viewer *viewer, prfdata_similar *similar)
{
    for (unsigned i = 0; viewer->has_titles && i < PRFDATA_TREE_GROUPS; i++) {
        for (const prfdata_node *node = viewer->tree.groups[i]->first; node; node = node->next)
            prfdata_similar_consider(similar, node->name);
    }
}

prfdata_text prfdata_viewer_similar(prfdata_viewer *viewer, prfdata_text name)
{
    const uint32_t title = prfdata_viewer_object_of_name(viewer, name);
    const prfdata_sample *now = title ? prfdata_viewer_now(viewer, title) : NULL;
    const prfdata_sample_object *object = now ? prfdata_sample_find_object(now, title) : NULL;
    prfdata_resolver_path path = {0};
    prfdata_path_readings readings;
    prfdata_path_error error;
    prfdata_similar similar = {.written = name};

    if (name.count > 0 && name.chars[0] == '\\' && title != 0) {
        if (!object || !prfdata_resolver_read(&path, name, &viewer->titles, &error))
            return (prfdata_text){0};
        similar.written = path.path.counter;
        consider_counters_of(viewer, object, path.way, &similar);
        return similar.changes > 0 ? similar.best : (prfdata_text){0};
    }
    if (name.count > 0 && name.chars[0] == '\\') {
        if (!prfdata_path_begin_readings(&readings, name, &error) ||
            !prfdata_path_next_reading(&readings, &path.path))
            return (prfdata_text){0};
        similar.written = path.path.object;
    }
    if (title == 0)
        consider_objects(viewer, &similar);
    return similar.best;
}

bool prfdata_viewer_is_name_missing(const prfdata_viewer *viewer, size_t at)
{
    return viewer->name_samples[at] >= SAMPLES_UNTIL_REPORT;
}

/*
 * Note that a name is missing. In a file it is missing for good. In live data, a provider that has
 * not answered yet may have it.
 */
static void note_missing_name(prfdata_viewer *viewer, size_t at, const prfdata_title_set *asked)
{
    const prfdata_text name = viewer->names[at];
    const uint32_t title = prfdata_viewer_object_of_name(viewer, name);

    if (asked && !prfdata_viewer_is_asked(asked, title))
        return;
    viewer->name_samples[at] = asked ? viewer->name_samples[at] + 1 : SAMPLES_UNTIL_REPORT;
    if (viewer->name_samples[at] == SAMPLES_UNTIL_REPORT && (title != 0 || !viewer->is_live))
        prfdata_viewer_say(viewer, PRFDATA_VIEWER_NOT_FOUND, name);
}

static void resolve_in(prfdata_viewer *viewer, const prfdata_sample *sample)
{
    for (size_t i = 0; i < viewer->name_count;) {
        if (add_path(viewer, viewer->names[i], sample))
            prfdata_viewer_remove_name(viewer, i);
        else
            i++;
    }
}

static bool has_path(const prfdata_viewer *viewer, prfdata_text name, const prfdata_sample *sample)
{
    prfdata_resolver_path asked = {0};
    prfdata_resolver_path other;
    prfdata_resolver resolver;
    prfdata_path_error error;

    if (!prfdata_resolver_read(&asked, name, &viewer->titles, &error))
        return false;
    (void)prfdata_resolver_choose(&asked, &viewer->titles, sample, &other);
    prfdata_resolver_begin(&resolver, &asked, &viewer->titles, sample);
    while (prfdata_resolver_next(&resolver)) {
        if (prfdata_viewer_means(viewer, asked.path.instance, resolver.object, resolver.instance))
            return true;
    }
    return false;
}

/* For each name, find the newest sample that has its counter: at[i] is the position of that sample,
 * or SIZE_MAX. */
static void find_names(const prfdata_viewer *viewer, size_t at[PRFDATA_VIEWER_NAMES])
{
    size_t missing = viewer->name_count;

    for (size_t i = 0; i < viewer->name_count; i++)
        at[i] = SIZE_MAX;
    for (size_t entry = viewer->timeline.count; entry-- > 0 && missing > 0;) {
        prfdata_sample *sample = prfdata_timeline_sample(&viewer->timeline, entry);

        for (size_t i = 0; sample && i < viewer->name_count; i++) {
            if (at[i] != SIZE_MAX || !has_path(viewer, viewer->names[i], sample))
                continue;
            at[i] = entry;
            missing--;
        }
        prfdata_sample_free(sample);
    }
}

/* Add the lines of the names, in their order. Search all samples of a file for them, because the
 * shown sample may lack instances that ended before. */
static void resolve_in_file(prfdata_viewer *viewer)
{
    size_t at[PRFDATA_VIEWER_NAMES];
    size_t name = 0;
    const size_t count = viewer->name_count;

    find_names(viewer, at);
    for (size_t i = 0; i < count; i++) {
        prfdata_sample *sample =
            at[i] == SIZE_MAX ? NULL : prfdata_timeline_sample(&viewer->timeline, at[i]);

        if (sample && add_path(viewer, viewer->names[name], sample))
            prfdata_viewer_remove_name(viewer, name);
        else
            name++;
        prfdata_sample_free(sample);
    }
}

void prfdata_viewer_resolve_names(prfdata_viewer *viewer, const prfdata_sample *sample,
                                  const prfdata_title_set *asked)
{
    const uint32_t first = viewer->chart.series_count;

    if (!sample || viewer->name_count == 0)
        return;
    if (viewer->is_live)
        resolve_in(viewer, sample);
    else
        resolve_in_file(viewer);
    /* Show the past of all lines with one call, because each call decodes the samples. */
    prfdata_viewer_show_lines(viewer, first);
    if (!viewer->is_live && viewer->chart.series_count > first)
        /*
         * Choose the lines of patterns again, because the samples of a file that are not shown may
         * have more instances.
         */
        prfdata_viewer_rank_patterns(viewer);
    for (size_t i = 0; i < viewer->name_count; i++)
        note_missing_name(viewer, i, asked);
}
