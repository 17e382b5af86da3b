/* SPDX-License-Identifier: MIT */
/*
 * Readings of the counters that a path means. What the path means is in resolver.c; what becomes of
 * a reading, in top_view.c.
 */
#include "top/top_sample.h"

#include <stdlib.h>
#include <string.h>

/* Read the text of a text counter: empty if it is damaged. NULL: no memory. For free(). */
static uint16_t *read_text_of_match(const prfdata_resolver *match, prfdata_text *text)
{
    uint16_t *chars = malloc((match->instance->wire.values_bytes + (size_t)1) * sizeof *chars);

    if (chars && prfdata_sample_text(match->object, match->instance, match->counter_position, chars,
                                     text) != PRFDATA_STATUS_OK)
        text->count = 0;
    return chars;
}

static void add_reading(prfdata_top_view *view, const prfdata_resolver *match)
{
    const prfdata_titles *titles = match->titles;
    const prfdata_perf_counter_definition *counter =
        &match->object->counters[match->counter_position].definition;
    uint16_t object_digits[12];
    uint16_t counter_digits[12];
    uint16_t *text_chars = NULL;
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
    reading.status = prfdata_sample_raw(match->sample, match->object, match->instance,
                                        match->counter_position, &reading.raw);
    if (reading.status == PRFDATA_STATUS_IS_TEXT)
        text_chars = read_text_of_match(match, &reading.text);
    prfdata_top_view_add(view, &reading);
    free(text_chars);
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
    reading.status = prfdata_resolver_status(match->result);
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
