/* SPDX-License-Identifier: MIT */
/*
 * Readings of the counters that a path means. What the path means is in resolver.c; what becomes of
 * a reading, in top_view.c.
 */
#include "top/top_sample.h"

#include <string.h>

static void add_reading(prfdata_top_view *view, const prfdata_resolver *match)
{
    const prfdata_titles *titles = match->titles;
    const prfdata_perf_counter_definition *counter =
        &match->object->counters[match->counter_position].definition;
    uint16_t object_digits[12];
    uint16_t counter_digits[12];
    prfdata_top_reading reading;

    memset(&reading, 0, sizeof reading);
    reading.object_title = match->object->wire.header.object_name_title_index;
    reading.counter_title = counter->counter_name_title_index;
    reading.object = prfdata_titles_name_in_way_or_index(titles, match->path->way,
                                                         reading.object_title, object_digits);
    reading.counter = prfdata_titles_name_in_way_or_index(titles, match->way, reading.counter_title,
                                                          counter_digits);
    reading.has_instance = match->object->has_instances;
    if (reading.has_instance)
        reading.label = match->instance->label;
    reading.unit =
        prfdata_number_unit(counter->counter_type,
                            prfdata_titles_name(titles, PRFDATA_BY_ENGLISH, reading.counter_title));
    reading.help = prfdata_name_table_name(&titles->helps, counter->counter_help_title_index);
    if (prfdata_sample_raw(match->sample, match->object, match->instance, match->counter_position,
                           &reading.raw) == PRFDATA_STATUS_IS_TEXT)
        prfdata_cell_read_text(match->object, match->instance, match->counter_position,
                               &reading.text);
    prfdata_top_view_add(view, &reading);
    prfdata_text_free(&reading.text);
}

/* Add a row that says that there is nothing. */
static void add_empty_reading(prfdata_top_view *view, const prfdata_resolver *match)
{
    const prfdata_path *path = &match->path->path;
    prfdata_top_reading reading;

    memset(&reading, 0, sizeof reading);
    reading.object = path->object;
    reading.counter = path->counter;
    reading.has_instance = path->has_instance;
    reading.label = path->instance;
    reading.raw.status = prfdata_resolver_status(match->result);
    prfdata_top_view_add(view, &reading);
}

void prfdata_top_sample_add(prfdata_top_view *view, const prfdata_resolver_path *path,
                            const prfdata_titles *titles, const prfdata_sample *sample)
{
    prfdata_resolver match;

    prfdata_resolver_begin(&match, path, titles, sample);
    while (prfdata_resolver_next(&match))
        add_reading(view, &match);
    if (match.result != PRFDATA_RESOLVER_FOUND)
        add_empty_reading(view, &match);
}
