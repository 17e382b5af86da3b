/* SPDX-License-Identifier: MIT */
/*
 * Finds what a path means. It goes through a sample once, object by object and counter by counter;
 * the callers decide what to do with each match.
 */
#include "paths/resolver.h"

#include <string.h>

/* ---- Names in a path ---- */

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

static void list_titles(const prfdata_titles *titles, prfdata_titles_way way, prfdata_text text,
                        prfdata_resolver_titles *list)
{
    size_t position = 0;
    uint32_t title;

    list->count = 0;
    list->is_complete = prfdata_titles_is_exact(way, text);
    while (list->is_complete && prfdata_titles_find(titles, way, text, &position, &title)) {
        list->is_complete = list->count < PRFDATA_RESOLVER_TITLES;
        if (list->is_complete)
            list->items[list->count++] = title;
    }
}

/*
 * Starting at `from`, return the first position in the index that has one of the titles;
 * PRFDATA_TITLE_INDEX_NONE: there is none.
 */
static uint32_t next_position(const prfdata_title_index *index, const prfdata_resolver_titles *list,
                              uint32_t from)
{
    uint32_t first = PRFDATA_TITLE_INDEX_NONE;

    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t position = prfdata_title_index_next(index, list->items[i], from);

        if (position < first)
            first = position;
    }
    return first;
}

static bool names_counter(const prfdata_resolver *r, uint32_t position)
{
    const prfdata_decode_counter *counter = &r->object->counters[position];
    const prfdata_text pattern = r->path->path.counter;

    return prfdata_sample_shows(counter) &&
           !prfdata_titles_is_unused(r->titles, counter->definition.counter_name_title_index) &&
           (r->counter_titles.is_complete || prfdata_text_is_star(pattern) ||
            prfdata_titles_match(r->titles, r->way, pattern,
                                 counter->definition.counter_name_title_index));
}

/* Move to the object's next counter that the path names in the way r->way. */
static bool find_next_counter_of_object(prfdata_resolver *r)
{
    while (r->object && r->next_counter < r->object->counter_count) {
        r->counter_position =
            r->counter_titles.is_complete
                ? next_position(&r->object->by_title, &r->counter_titles, r->next_counter)
                : r->next_counter;
        if (r->counter_position == PRFDATA_TITLE_INDEX_NONE)
            return false;
        r->next_counter = r->counter_position + 1;
        if (names_counter(r, r->counter_position))
            return true;
    }
    return false;
}

/* Find the way by which the path names counters of the object. Returns false if it names none. */
static bool find_way_of_counters(prfdata_resolver *r)
{
    const bool local_first = prfdata_titles_way_is_local(r->path->way);

    for (unsigned i = 0; i < PRFDATA_WAY_COUNT; i++) {
        r->way = prfdata_titles_way_at(i, local_first);
        r->next_counter = 0;
        list_titles(r->titles, r->way, r->path->path.counter, &r->counter_titles);
        if (find_next_counter_of_object(r)) {
            r->next_counter = 0;
            return true;
        }
    }
    return false;
}

/*
 * Take a "#0" or a * in the path's instance literally, and find the instance with this label. If
 * there is none, or if nothing can be taken literally, return false and set `label` to
 * path->instance. A single * is always a pattern.
 */
static bool find_literal_label(const prfdata_path *path, const prfdata_sample_object *object,
                               prfdata_text *label)
{
    const bool has_star =
        prfdata_text_has_wildcard(path->instance) && !prfdata_text_is_star(path->instance);

    *label = path->has_zero ? prfdata_path_instance_with_zero(path) : path->instance;
    if ((has_star || path->has_zero) && prfdata_sample_find_instance(object, *label))
        return true;
    *label = path->instance;
    return has_star && path->has_zero && prfdata_sample_find_instance(object, *label);
}

bool prfdata_resolver_names_one(const prfdata_resolver_path *path,
                                const prfdata_sample_object *object, uint32_t *found)
{
    prfdata_text label = path->path.instance;

    if (path->wants_whole_object || !object->has_instances || !path->path.has_instance)
        return false;
    if (!find_literal_label(&path->path, object, &label) &&
        prfdata_text_has_wildcard(path->path.instance))
        return false;
    if (!prfdata_sample_find_label(object, label, found))
        *found = PRFDATA_RESOLVER_NO_POSITION;
    return true;
}

bool prfdata_resolver_wants_instance(const prfdata_resolver_path *path,
                                     const prfdata_sample_object *object,
                                     const prfdata_sample_instance *instance)
{
    prfdata_text literal;

    if (instance->damaged)
        return false;
    if (path->wants_whole_object)
        return true;
    if (!object->has_instances)
        return !path->path.has_instance;
    if (path->path.has_instance && find_literal_label(&path->path, object, &literal))
        return prfdata_text_equal(literal, instance->label);
    return prfdata_path_wants_instance(&path->path, instance->label);
}

/* ---- Search ---- */

static void improve_result(prfdata_resolver *r, prfdata_resolver_result result)
{
    if (result > r->result)
        r->result = result;
}

/* Return the result for a counter that the path names, as long as no instance has been found. */
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

/* ---- Meanings of a text ---- */

bool prfdata_resolver_next_reading(prfdata_path_readings *readings, const prfdata_titles *titles,
                                   prfdata_resolver_path *path)
{
    while (prfdata_path_next_reading(readings, &path->path)) {
        size_t position = 0;
        uint32_t index;

        path->way = prfdata_titles_way_of(titles, path->path.object);
        if (prfdata_titles_find(titles, path->way, path->path.object, &position, &index))
            return true;
    }
    return false;
}

bool prfdata_resolver_read(prfdata_resolver_path *path, prfdata_text text,
                           const prfdata_titles *titles, prfdata_path_error *error)
{
    prfdata_path_readings readings;
    prfdata_resolver_path other = *path;

    path->text = (prfdata_text){NULL, 0};
    path->way = PRFDATA_BY_INDEX;
    if (!prfdata_path_begin_readings(&readings, text, error))
        return false;
    if (!prfdata_resolver_next_reading(&readings, titles, &other))
        return prfdata_path_parse(text, &path->path, error);
    path->path = other.path;
    path->way = other.way;
    if (prfdata_resolver_next_reading(&readings, titles, &other))
        path->text = text;
    return true;
}

static prfdata_resolver_result result_of_path(const prfdata_resolver_path *path,
                                              const prfdata_titles *titles,
                                              const prfdata_sample *sample)
{
    prfdata_resolver resolver;

    prfdata_resolver_begin(&resolver, path, titles, sample);
    /* Sets resolver.result to PRFDATA_RESOLVER_FOUND at the first match, otherwise to the reason
     * why there is none. */
    (void)prfdata_resolver_next(&resolver);
    return resolver.result;
}

bool prfdata_resolver_choose(prfdata_resolver_path *path, const prfdata_titles *titles,
                             const prfdata_sample *sample, prfdata_resolver_path *other)
{
    prfdata_path_readings readings;
    prfdata_path_error error;
    prfdata_resolver_path reading = *path;
    prfdata_resolver_result farthest = PRFDATA_RESOLVER_NO_OBJECT;
    bool has_choice = false;

    if (path->text.count == 0 || !prfdata_path_begin_readings(&readings, path->text, &error))
        return false;
    for (bool is_first = true; prfdata_resolver_next_reading(&readings, titles, &reading);
         is_first = false) {
        const prfdata_resolver_result result = result_of_path(&reading, titles, sample);

        if (is_first || result > farthest) {
            path->path = reading.path;
            path->way = reading.way;
            farthest = result;
        } else if (result == PRFDATA_RESOLVER_FOUND && !has_choice &&
                   prfdata_titles_is_exact(reading.way, reading.path.object)) {
            *other = reading;
            has_choice = true;
        }
    }
    if (farthest == PRFDATA_RESOLVER_FOUND)
        path->text = (prfdata_text){NULL, 0};
    return has_choice;
}

void prfdata_resolver_begin(prfdata_resolver *resolver, const prfdata_resolver_path *path,
                            const prfdata_titles *titles, const prfdata_sample *sample)
{
    memset(resolver, 0, sizeof *resolver);
    resolver->path = path;
    resolver->titles = titles;
    resolver->sample = sample;
    resolver->result = PRFDATA_RESOLVER_NO_OBJECT;
    if (path->object_title != 0)
        resolver->object_titles = (prfdata_resolver_titles){{path->object_title}, 1, true};
    else if (path->first_title == 0 && !path->wants_all_objects)
        list_titles(titles, path->way, path->path.object, &resolver->object_titles);
}

bool prfdata_resolver_next_object(prfdata_resolver *resolver)
{
    const prfdata_sample *sample = resolver->sample;

    while (resolver->next_object < sample->object_count) {
        resolver->object_position =
            resolver->object_titles.is_complete
                ? next_position(&sample->by_title, &resolver->object_titles, resolver->next_object)
                : resolver->next_object;
        if (resolver->object_position == PRFDATA_TITLE_INDEX_NONE)
            break;
        resolver->next_object = resolver->object_position + 1;
        resolver->object = &sample->objects[resolver->object_position];
        if (resolver->object_titles.is_complete ||
            prfdata_resolver_wants_object(resolver->path, resolver->titles, resolver->object))
            return true;
    }
    resolver->object = NULL;
    return false;
}

/* Move to the path's next object in which the path names a counter. */
static bool find_next_object(prfdata_resolver *r)
{
    while (prfdata_resolver_next_object(r)) {
        improve_result(r, PRFDATA_RESOLVER_NO_COUNTER);
        if (find_way_of_counters(r))
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

/* Move to the object's next instance that the path asks for. */
static bool find_next_instance(prfdata_resolver *r)
{
    const prfdata_sample_object *object = r->object;
    uint32_t found;

    if (r->next_instance == 0 && prfdata_resolver_names_one(r->path, object, &found)) {
        r->next_instance = object->instance_count;
        if (found == PRFDATA_RESOLVER_NO_POSITION)
            return false;
        r->instance = &object->instances[object->found[found]];
        return true;
    }
    while (r->next_instance < object->instance_count) {
        r->instance = &object->instances[r->next_instance++];
        if (prfdata_resolver_wants_instance(r->path, object, r->instance))
            return true;
    }
    return false;
}

bool prfdata_resolver_next(prfdata_resolver *resolver)
{
    while (!resolver->has_counter || !find_next_instance(resolver)) {
        if (!prfdata_resolver_next_counter(resolver))
            return false;
    }
    resolver->result = PRFDATA_RESOLVER_FOUND;
    return true;
}

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
