/* SPDX-License-Identifier: MIT */
/*
 * The search for what a path means. It goes through a sample once, object by object and counter by
 * counter; what a match is for is the caller's affair.
 */
#include "paths/resolver.h"

#include <string.h>

#define WAYS_OF_COUNTERS 3

/* ---- What a path names ---- */

bool prfdata_resolver_wants_object(const prfdata_resolver_path *path, const prfdata_titles *titles,
                                   const prfdata_sample_object *object)
{
    const uint32_t title = object->wire.header.object_name_title_index;

    if (path->object_title != 0)
        return path->object_title == title;
    if (path->first_title != 0)
        return title >= path->first_title && title <= path->last_title;
    return path->wants_all_objects ||
           prfdata_titles_match(titles, path->way, path->path.object, title);
}

static bool is_star_alone(prfdata_text pattern)
{
    return pattern.count == 1 && pattern.chars[0] == '*';
}

static bool names_counter(const prfdata_resolver *r, prfdata_titles_way way, uint32_t position)
{
    const prfdata_decode_counter *counter = &r->object->counters[position];
    const prfdata_text pattern = r->path->path.counter;

    return prfdata_sample_shows(counter) &&
           !prfdata_titles_is_unused(r->titles, counter->definition.counter_name_title_index) &&
           (is_star_alone(pattern) ||
            prfdata_titles_match(r->titles, way, pattern,
                                 counter->definition.counter_name_title_index));
}

static bool names_any_counter(const prfdata_resolver *r, prfdata_titles_way way)
{
    for (uint32_t c = 0; c < r->object->counter_count; c++) {
        if (names_counter(r, way, c))
            return true;
    }
    return false;
}

/* Find the way in which the path names counters of the object. False: it names none. */
static bool find_way_of_counters(prfdata_resolver *r)
{
    const bool is_local = r->path->way == PRFDATA_BY_LOCAL;
    const prfdata_titles_way ways[WAYS_OF_COUNTERS] = {
        is_local ? PRFDATA_BY_LOCAL : PRFDATA_BY_ENGLISH,
        is_local ? PRFDATA_BY_ENGLISH : PRFDATA_BY_LOCAL, PRFDATA_BY_INDEX};

    for (size_t i = 0; i < WAYS_OF_COUNTERS; i++) {
        if (names_any_counter(r, ways[i])) {
            r->way = ways[i];
            return true;
        }
    }
    return false;
}

bool prfdata_resolver_wants_instance(const prfdata_resolver_path *path,
                                     const prfdata_sample_object *object,
                                     const prfdata_sample_instance *instance)
{
    if (instance->damaged)
        return false;
    if (path->wants_whole_object)
        return true;
    if (!object->has_instances)
        return !path->path.has_instance;
    return prfdata_path_wants_instance(&path->path, instance->label);
}

/* ---- The search ---- */

static void improve_result(prfdata_resolver *r, prfdata_resolver_result result)
{
    if (result > r->result)
        r->result = result;
}

/* What is to be said of a counter that the path names, as long as no instance is found. */
static prfdata_resolver_result result_without_instance(const prfdata_resolver *r)
{
    if (r->path->wants_whole_object)
        return PRFDATA_RESOLVER_NO_INSTANCE;
    if (r->path->path.has_instance && !r->object->has_instances)
        return PRFDATA_RESOLVER_NO_INSTANCES;
    if (!r->path->path.has_instance && r->object->has_instances)
        return PRFDATA_RESOLVER_NEEDS_INSTANCE;
    return PRFDATA_RESOLVER_NO_INSTANCE;
}

void prfdata_resolver_begin(prfdata_resolver *resolver, const prfdata_resolver_path *path,
                            const prfdata_titles *titles, const prfdata_sample *sample)
{
    memset(resolver, 0, sizeof *resolver);
    resolver->path = path;
    resolver->titles = titles;
    resolver->sample = sample;
    resolver->result = PRFDATA_RESOLVER_NO_OBJECT;
}

/* Go on to the next object of which the path names a counter. */
static bool find_next_object(prfdata_resolver *r)
{
    while (r->next_object < r->sample->object_count) {
        r->object_position = r->next_object++;
        r->object = &r->sample->objects[r->object_position];
        if (!prfdata_resolver_wants_object(r->path, r->titles, r->object))
            continue;
        improve_result(r, PRFDATA_RESOLVER_NO_COUNTER);
        if (find_way_of_counters(r)) {
            r->next_counter = 0;
            return true;
        }
    }
    r->object = NULL;
    return false;
}

static bool find_next_counter_of_object(prfdata_resolver *r)
{
    while (r->object && r->next_counter < r->object->counter_count) {
        r->counter_position = r->next_counter++;
        if (names_counter(r, r->way, r->counter_position))
            return true;
    }
    return false;
}

bool prfdata_resolver_next_counter(prfdata_resolver *resolver)
{
    resolver->instance = NULL;
    resolver->has_counter = false;
    while (!find_next_counter_of_object(resolver)) {
        if (!find_next_object(resolver))
            return false;
    }
    improve_result(resolver, result_without_instance(resolver));
    resolver->next_instance = 0;
    resolver->has_counter = true;
    return true;
}

bool prfdata_resolver_next(prfdata_resolver *resolver)
{
    do {
        while (resolver->has_counter &&
               resolver->next_instance < resolver->object->instance_count) {
            resolver->instance = &resolver->object->instances[resolver->next_instance++];
            if (prfdata_resolver_wants_instance(resolver->path, resolver->object,
                                                resolver->instance)) {
                resolver->result = PRFDATA_RESOLVER_FOUND;
                return true;
            }
        }
    } while (prfdata_resolver_next_counter(resolver));
    return false;
}

/* ---- Results ---- */

uint32_t prfdata_resolver_status(prfdata_resolver_result result)
{
    switch (result) {
    case PRFDATA_RESOLVER_NO_OBJECT:
        return PRFDATA_STATUS_NO_OBJECT;
    case PRFDATA_RESOLVER_NO_COUNTER:
        return PRFDATA_STATUS_NO_COUNTER;
    case PRFDATA_RESOLVER_FOUND:
        return PRFDATA_STATUS_OK;
    default:
        return PRFDATA_STATUS_NO_INSTANCE;
    }
}

const char *prfdata_resolver_text(prfdata_resolver_result result)
{
    switch (result) {
    case PRFDATA_RESOLVER_NO_OBJECT:
        return "no provider has this object now";
    case PRFDATA_RESOLVER_NO_COUNTER:
        return "the object has no such counter";
    case PRFDATA_RESOLVER_NO_INSTANCES:
        return "the object has no instances: write \\Object\\Counter";
    case PRFDATA_RESOLVER_NEEDS_INSTANCE:
        return "the object has instances: name one or *, as in \\Object(*)\\Counter";
    case PRFDATA_RESOLVER_NO_INSTANCE:
        return "the object has no such instance now";
    default:
        return "found";
    }
}
