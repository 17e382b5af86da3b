/* SPDX-License-Identifier: MIT */
#include "source/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/say.h"

#define MAX_OBJECTS 1000 /* nobody has as many parents */

bool prfdata_session_is_here(const prfdata_session *session, prfdata_text computer)
{
    static const uint16_t local[] = {'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't'};
    static const uint16_t point[] = {'.'};
    prfdata_text localhost = {local, 9};
    prfdata_text dot = {point, 1};

    return computer.count == 0 || prfdata_text_equal(computer, session->computer) ||
           prfdata_text_equal(computer, localhost) || prfdata_text_equal(computer, dot);
}

bool prfdata_session_add_index(prfdata_index_set *set, uint32_t index)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i] == index)
            return true;
    }
    if (set->count == set->capacity) {
        size_t capacity = set->capacity * 2 + 16;
        uint32_t *items = realloc(set->items, capacity * sizeof *items);

        if (!items)
            return false;
        set->items = items;
        set->capacity = capacity;
    }
    set->items[set->count++] = index;
    return true;
}

bool prfdata_session_add_object(const prfdata_session *session, prfdata_index_set *set,
                                prfdata_text name)
{
    prfdata_titles_way way = prfdata_titles_way_of(&session->titles, name);
    size_t position = 0;
    uint32_t index = 0;
    bool known = false;

    while (prfdata_titles_find(&session->titles, way, name, &position, &index))
        known = prfdata_session_add_index(set, index) || known;
    return known;
}

/* "i j k"; "Global" if the set is empty. For free(); NULL: no memory. */
static uint16_t *query_text(const prfdata_index_set *set)
{
    size_t capacity = set->count * 11 + 7; /* ten digits and a blank each */
    uint16_t *chars = malloc(capacity * sizeof *chars);
    char *text = malloc(capacity);
    size_t used = 0;

    if (text && set->count == 0)
        memcpy(text, "Global", 7);
    for (size_t i = 0; text && i < set->count; i++) {
        int count =
            snprintf(text + used, capacity - used, i == 0 ? "%u" : " %u", (unsigned)set->items[i]);

        if (count > 0)
            used += (size_t)count;
    }
    for (size_t i = 0; text && chars && (i == 0 || text[i - 1]); i++)
        chars[i] = (unsigned char)text[i];
    if (!text) {
        free(chars);
        chars = NULL;
    }
    free(text);
    return chars;
}

static void say_damage(const prfdata_sample *sample)
{
    char what[200];
    char text[280];

    prfdata_decode_error_text(&sample->damage, what, sizeof what);
    snprintf(text, sizeof text, "a provider's data is damaged in %u places, first at %s",
             (unsigned)sample->damage_count, what);
    prfdata_say("Warning", prfdata_say_nothing, text);
}

static bool is_at_end(const prfdata_session *session, uint32_t status)
{
    return status == ERROR_NO_MORE_ITEMS && session->source->kind->is_recorded;
}

uint32_t prfdata_session_take_silently(prfdata_session *session, const uint16_t *query,
                                       prfdata_sample **sample)
{
    void *bytes = NULL;
    size_t size = 0;
    uint32_t status = prfdata_source_take(session->source, query, &bytes, &size);

    if (status == ERROR_SUCCESS) {
        status = prfdata_sample_make(bytes, size, sample);
        if (status != ERROR_SUCCESS)
            free(bytes);
    }
    if (status == ERROR_INVALID_DATA || (status == ERROR_SUCCESS && (*sample)->damage_count > 0))
        session->damaged = true;
    else if (status != ERROR_SUCCESS && !is_at_end(session, status))
        session->system_failed = true;
    return status;
}

prfdata_sample *prfdata_session_take(prfdata_session *session, const uint16_t *query)
{
    const bool was_damaged = session->damaged;
    const bool had_failed = session->system_failed;
    prfdata_sample *sample = NULL;
    uint32_t status = prfdata_session_take_silently(session, query, &sample);

    if (status == ERROR_SUCCESS) {
        if (sample->damage_count > 0 && !was_damaged)
            say_damage(sample);
        return sample;
    }
    if (!is_at_end(session, status) && !(status == ERROR_INVALID_DATA ? was_damaged : had_failed))
        prfdata_say_system_error(prfdata_say_nothing, "cannot read performance data", status);
    return NULL;
}

/* "Global" calls every provider of the computer, and some are slow. Nobody else needs to know. */
static void tell_patience(const prfdata_session *session, const prfdata_index_set *set)
{
    if (set->count == 0 && session->options.source == PRFDATA_SOURCE_SYSTEM &&
        prfdata_console_is_terminal(prfdata_console_err()))
        prfdata_say("Reading", prfdata_say_nothing,
                    "all providers of this computer; name an object to ask its own only");
}

/* Add the objects that instances name as parents and that were not asked for yet. */
static bool add_missing_parents(const prfdata_sample *sample, prfdata_index_set *set)
{
    size_t before = set->count;

    for (uint32_t o = 0; o < sample->object_count; o++) {
        const prfdata_sample_object *object = &sample->objects[o];

        for (uint32_t i = 0; i < object->instance_count; i++) {
            if (object->instances[i].lacks_parent)
                (void)prfdata_session_add_index(
                    set, object->instances[i].wire.definition.parent_object_title_index);
        }
    }
    return set->count > before;
}

prfdata_sample *prfdata_session_take_first(prfdata_session *session, prfdata_index_set *set,
                                           uint16_t **query)
{
    /* Recorded samples hold what they hold, and asking again would skip one. */
    bool is_final = set->count == 0 || session->source->kind->is_recorded;

    if (!*query)
        tell_patience(session, set);
    for (;;) {
        prfdata_sample *sample;

        if (!*query)
            *query = query_text(set);
        if (!*query)
            return NULL;
        sample = prfdata_session_take(session, *query);
        if (sample && (is_final || set->count > MAX_OBJECTS || !add_missing_parents(sample, set)))
            return sample;
        free(*query);
        *query = NULL;
        if (!sample)
            return NULL;
        prfdata_sample_free(sample);
    }
}

bool prfdata_session_open_out(prfdata_session *session)
{
    const prfdata_options *options = &session->options;
    uint32_t status;

    if (options->file.count == 0)
        return true;
    status = prfdata_console_create(options->file, options->overwrite, &session->out);
    if (status == ERROR_SUCCESS)
        return true;
    if (status == ERROR_FILE_EXISTS)
        prfdata_say_error(options->file, "the file exists; -y overwrites it");
    else
        prfdata_say_system_error(options->file, "cannot create the file", status);
    session->system_failed = true;
    return false;
}

void prfdata_session_close_out(prfdata_session *session)
{
    uint32_t status;

    if (session->options.file.count == 0)
        return;
    status = prfdata_console_close(session->out);
    session->out = prfdata_console_out();
    if (status != ERROR_SUCCESS) {
        prfdata_say_system_error(session->options.file, "cannot write", status);
        session->system_failed = true;
    }
}

bool prfdata_session_flush(prfdata_session *session, prfdata_output *output)
{
    const uint32_t status = prfdata_say_lines(session->out, output);

    prfdata_output_clear(output);
    if (status == ERROR_SUCCESS)
        return true;
    prfdata_say_system_error(session->options.file, "cannot write", status);
    session->system_failed = true;
    return false;
}
