/* SPDX-License-Identifier: MIT */
/* From what is asked for to samples and columns. Knows neither options nor files. */
#include "paths/wishes.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

/* ---- What is reported ---- */

/* `problem` is static; `text` NULL: the same. */
static void report_wish(const prfdata_session *session, const prfdata_wishes *wishes,
                        const prfdata_wish *wish, const char *problem, const char *text)
{
    prfdata_message message = {.severity = PRFDATA_SEVERITY_ERROR,
                               .subject = wish->text,
                               .problem = problem,
                               .text = text ? text : problem};

    if (wish->line > 0) {
        message.file = wishes->file;
        message.line = wish->line;
    }
    prfdata_messages_put(session->messages, &message);
}

static const char *reason_of(const prfdata_wish *wish, uint32_t status,
                             const prfdata_sample *sample, const prfdata_titles *titles)
{
    const prfdata_columns_path *asked = &wish->path;
    bool has_instances = true;

    if (status == PRFDATA_STATUS_NO_OBJECT)
        return "no provider has this object now";
    if (status == PRFDATA_STATUS_NO_COUNTER)
        return "the object has no such counter";
    for (uint32_t i = 0; i < sample->object_count; i++) {
        const prfdata_sample_object *object = &sample->objects[i];

        if (prfdata_titles_match(titles, asked->way, asked->path.object,
                                 object->wire.header.object_name_title_index))
            has_instances = object->has_instances;
    }
    if (!has_instances)
        return "the object has no instances: write \\Object\\Counter";
    return asked->path.has_instance
               ? "the object has no such instance now"
               : "the object has instances: name one or *, as in \\Object(*)\\Counter";
}

/* ---- Reading the paths ---- */

static void report_path_error(const prfdata_session *session, const prfdata_wishes *wishes,
                              const prfdata_wish *wish, const prfdata_path_error *error)
{
    prfdata_output text = {0};

    prfdata_output_format(&text, "character %u: %s", (unsigned)error->position + 1, error->reason);
    prfdata_output_put(&text, "", 1);
    report_wish(session, wishes, wish, error->reason, text.failed ? NULL : text.bytes);
    prfdata_output_free(&text);
}

/* What is wrong is reported. */
static bool understand_wish(prfdata_session *session, prfdata_wishes *wishes, prfdata_wish *wish)
{
    const prfdata_titles *titles = &session->titles;
    prfdata_path_error error;

    if (!prfdata_path_parse(wish->text, &wish->path.path, &error)) {
        report_path_error(session, wishes, wish, &error);
        return false;
    }
    if (!prfdata_session_is_here(session, wish->path.path.computer)) {
        report_wish(session, wishes, wish, "counters of other computers cannot be read", NULL);
        return false;
    }
    wish->path.way = prfdata_titles_way_of(titles, wish->path.path.object);
    if (!prfdata_title_set_add_name(&wishes->set, titles, wish->path.path.object)) {
        report_wish(session, wishes, wish, "no object has this name", NULL);
        return false;
    }
    return true;
}

static void add_wish(prfdata_session *session, prfdata_wishes *wishes, prfdata_text text,
                     uint32_t line)
{
    prfdata_wish *wish = &wishes->items[wishes->count];

    memset(wish, 0, sizeof *wish);
    wish->text = text;
    wish->line = line;
    wish->path.number = (uint32_t)wishes->count;
    wish->is_bad = !understand_wish(session, wishes, wish);
    wishes->count++;
}

uint32_t prfdata_wishes_make(prfdata_session *session, const prfdata_wishes_request *request,
                             prfdata_wishes *wishes)
{
    memset(wishes, 0, sizeof *wishes);
    wishes->file = request->file;
    wishes->items = calloc(request->name_count + request->lines.count + 1, sizeof *wishes->items);
    if (!wishes->items) {
        prfdata_messages_add_system(session->messages, prfdata_no_subject, ERROR_NOT_ENOUGH_MEMORY,
                                    "too many counter paths");
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    for (size_t i = 0; i < request->name_count; i++)
        add_wish(session, wishes, request->names[i], 0);
    for (size_t i = 0; i < request->lines.count; i++)
        add_wish(session, wishes, request->lines.items[i].text, request->lines.items[i].number);
    return wishes->set.count > 0 ? ERROR_SUCCESS : ERROR_NOT_FOUND;
}

void prfdata_wishes_free(prfdata_wishes *wishes)
{
    free(wishes->query);
    prfdata_title_set_free(&wishes->set);
    free(wishes->items);
    memset(wishes, 0, sizeof *wishes);
}

/* ---- Samples ---- */

uint32_t prfdata_wishes_take(prfdata_session *session, prfdata_wishes *wishes,
                             prfdata_sample **sample)
{
    return prfdata_session_take_first(session, &wishes->set, &wishes->query, sample);
}

uint32_t prfdata_wishes_add(prfdata_session *session, prfdata_wishes *wishes,
                            const prfdata_sample *sample, prfdata_columns *columns)
{
    for (size_t i = 0; i < wishes->count; i++) {
        prfdata_wish *wish = &wishes->items[i];
        uint32_t status;

        if (wish->is_bad)
            continue;
        if (prfdata_columns_add(columns, &wish->path, sample, &status) != ERROR_SUCCESS)
            return ERROR_NOT_ENOUGH_MEMORY;
        if (status == PRFDATA_STATUS_OK)
            wish->has_columns = true;
        else if (!wish->has_columns)
            report_wish(session, wishes, wish, reason_of(wish, status, sample, &session->titles),
                        NULL);
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_wishes_missing_count(const prfdata_wishes *wishes)
{
    uint32_t count = 0;

    for (size_t i = 0; i < wishes->count; i++)
        count += !wishes->items[i].has_columns;
    return count;
}
