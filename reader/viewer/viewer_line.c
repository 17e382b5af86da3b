/* SPDX-License-Identifier: MIT */
/*
 * Adds one line to the chart, and keeps the names that wait to become lines. viewer_lines.c finds
 * out what a name means.
 */
#include "viewer/viewer.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "paths/resolver.h"
#include "view/bands.h"
#include "view/heading.h"

#define PATH_CHARS 2048

static uint32_t type_of_counter(const prfdata_sample_object *object, uint32_t counter)
{
    const prfdata_decode_counter *found = prfdata_viewer_find_counter(object, counter);

    return found ? found->definition.counter_type : 0;
}

/* Returns whether the names of two counters differ only in their percentile. */
static bool are_percentiles(prfdata_text a, prfdata_text b)
{
    prfdata_bands_name in_a;
    prfdata_bands_name in_b;

    return prfdata_bands_parse(a, &in_a) && prfdata_bands_parse(b, &in_b) &&
           prfdata_text_equal(prfdata_text_part(a, 0, in_a.begin),
                              prfdata_text_part(b, 0, in_b.begin)) &&
           prfdata_text_equal(prfdata_text_part(a, in_a.end, a.count),
                              prfdata_text_part(b, in_b.end, b.count));
}

/*
 * Return the stack (chart.h) of a line. Each counter without a unit gets its own stack, because
 * such counters have nothing in common. Percentiles of one distribution share a stack.
 */
static uint32_t stack_of_line(const prfdata_viewer *viewer, const prfdata_chart_key *key,
                              prfdata_text name, prfdata_unit unit)
{
    uint32_t next = 1;

    for (uint32_t i = 0; unit == PRFDATA_NUMBER_NONE && i < viewer->chart.series_count; i++) {
        const prfdata_chart_series *series = viewer->chart.series[i];

        if (series->unit != unit)
            continue;
        if (series->key.object_title == key->object_title &&
            (series->key.counter_title == key->counter_title ||
             are_percentiles(prfdata_titles_name(&viewer->titles, PRFDATA_BY_ENGLISH,
                                                 series->key.counter_title),
                             name)))
            /* Not the current stack, because the user may have moved the line. */
            return series->home;
        next = series->home >= next ? series->home + 1 : next;
    }
    return unit == PRFDATA_NUMBER_NONE ? next : 0;
}

void prfdata_viewer_put_path(prfdata_viewer *viewer, prfdata_output *output,
                             const prfdata_chart_key *key)
{
    const prfdata_sample_object *object = prfdata_viewer_object(viewer, key->object_title);

    prfdata_details_put_path(output, key, &viewer->titles,
                             key->label.count > 0 || (object && object->has_instances));
}

void prfdata_viewer_put_node_path(prfdata_viewer *viewer, prfdata_output *output,
                                  prfdata_node *node)
{
    const prfdata_node *object = prfdata_node_object(node);
    const prfdata_chart_key key = {object ? object->title : 0,
                                   node->kind == PRFDATA_NODE_COUNTER ? node->title : 0,
                                   prfdata_node_label(node)};

    if (node->kind == PRFDATA_NODE_COMPUTER)
        prfdata_output_put_string(output, "\\\\");
    if (!object) {
        prfdata_output_put_text(output, node->name);
        return;
    }
    prfdata_details_put_path(output, &key, &viewer->titles, key.label.count > 0);
    if (node->kind != PRFDATA_NODE_BRANCH)
        return;
    prfdata_output_put_string(output, "(");
    prfdata_output_put_text(output, node->label);
    prfdata_output_put_string(output, "/*)");
}

bool prfdata_viewer_add_one_line(prfdata_viewer *viewer, const prfdata_chart_key *key)
{
    const prfdata_text name =
        prfdata_titles_name(&viewer->titles, PRFDATA_BY_ENGLISH, key->counter_title);
    const prfdata_sample_object *object = prfdata_viewer_object(viewer, key->object_title);
    prfdata_output path = {0};
    uint16_t chars[PATH_CHARS];
    prfdata_unit unit;
    uint32_t status;
    uint32_t at;

    prfdata_viewer_put_path(viewer, &path, key);
    unit = object
               ? prfdata_heading_number_unit(&viewer->titles, key->object_title, key->counter_title,
                                             type_of_counter(object, key->counter_title), name)
               : PRFDATA_NUMBER_NONE; /* the samples will show the unit */
    status = prfdata_chart_add(
        &viewer->chart, key,
        (prfdata_text){chars, prfdata_text_from_utf8(path.bytes, path.used, chars, PATH_CHARS)},
        unit, stack_of_line(viewer, key, name, unit), &at);
    prfdata_output_free(&path);
    if (status == ERROR_MORE_DATA)
        prfdata_viewer_say(viewer, PRFDATA_VIEWER_FULL_CHART, (prfdata_text){0});
    if (status == ERROR_SUCCESS) {
        prfdata_viewer_apply_note(viewer, at);
        prfdata_viewer_apply_threshold(viewer, at);
    }
    return status == ERROR_SUCCESS;
}

void prfdata_viewer_show_lines(prfdata_viewer *viewer, uint32_t first)
{
    if (viewer->chart.series_count == first)
        return;
    prfdata_viewer_fill_lines(viewer, first);
    prfdata_viewer_report(viewer,
                          PRFDATA_VIEWER_LINES | PRFDATA_VIEWER_CHART | PRFDATA_VIEWER_WANTED);
}

static bool is_left_out(const prfdata_viewer *viewer, const prfdata_sample_instance *instance)
{
    return !viewer->adds_totals && prfdata_sample_is_total(instance->name);
}

/* Returns whether the instance of a path, which may be a pattern, contains the name of a total. */
static bool names_total(prfdata_text instance)
{
    for (size_t i = 0; i + 6 <= instance.count; i++) {
        if (prfdata_text_equal_ascii(prfdata_text_part(instance, i, i + 6), "_Total"))
            return true;
    }
    return false;
}

bool prfdata_viewer_means(const prfdata_viewer *viewer, prfdata_text instance,
                          const prfdata_sample_object *object, const prfdata_sample_instance *found)
{
    return names_total(instance) || object->found_count == 1 || !is_left_out(viewer, found);
}

void prfdata_viewer_add_name(prfdata_viewer *viewer, prfdata_text name)
{
    prfdata_text *names = viewer->names;

    if (name.count == 0 || viewer->name_count == PRFDATA_VIEWER_NAMES)
        return;
    names[viewer->name_count] = (prfdata_text){0};
    if (prfdata_text_copy(name, &names[viewer->name_count]))
        viewer->name_count++;
}

void prfdata_viewer_forget_names(prfdata_viewer *viewer)
{
    while (viewer->name_count > 0)
        prfdata_text_free(&viewer->names[--viewer->name_count]);
}

void prfdata_viewer_remove_name(prfdata_viewer *viewer, size_t at)
{
    prfdata_text_free(&viewer->names[at]);
    viewer->name_count--;
    for (; at < viewer->name_count; at++) {
        viewer->names[at] = viewer->names[at + 1];
        viewer->name_samples[at] = viewer->name_samples[at + 1];
    }
}

uint32_t prfdata_viewer_object_of_name(const prfdata_viewer *viewer, prfdata_text name)
{
    prfdata_resolver_path path = {.path.object = name};
    prfdata_path_error error;
    size_t position = 0;
    uint32_t title = 0;

    if (name.chars[0] != '\\')
        path.way = prfdata_titles_way_of(&viewer->titles, name);
    else if (!prfdata_resolver_read(&path, name, &viewer->titles, &error))
        return 0;
    if (!prfdata_titles_find(&viewer->titles, path.way, path.path.object, &position, &title))
        return 0;
    return title;
}
