/* SPDX-License-Identifier: MIT */
/* From what is asked for to samples and columns. Knows neither options nor files. */
#include "paths/requests.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

/* ---- What is reported ---- */

/* `problem` is static; `text` NULL: the same. */
static void report_request(const prfdata_session *session, const prfdata_requests *requests,
                           const prfdata_request *request, const char *problem, const char *text)
{
    prfdata_message message = {.severity = PRFDATA_SEVERITY_ERROR,
                               .subject = request->text,
                               .problem = problem,
                               .text = text ? text : problem};

    if (request->line > 0) {
        message.file = requests->file;
        message.line = request->line;
    }
    prfdata_messages_put(session->messages, &message);
}

static const char *reason_of(const prfdata_request *request, uint32_t status,
                             const prfdata_sample *sample, const prfdata_titles *titles)
{
    const prfdata_columns_path *asked = &request->path;
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

static void report_path_error(const prfdata_session *session, const prfdata_requests *requests,
                              const prfdata_request *request, const prfdata_path_error *error)
{
    prfdata_output text = {0};

    prfdata_output_format(&text, "character %u: %s", (unsigned)error->position + 1, error->reason);
    prfdata_output_put(&text, "", 1);
    report_request(session, requests, request, error->reason, text.failed ? NULL : text.bytes);
    prfdata_output_free(&text);
}

/* What is wrong is reported. */
static bool understand_request(prfdata_session *session, prfdata_requests *requests,
                               prfdata_request *request)
{
    const prfdata_titles *titles = &session->titles;
    prfdata_path_error error;

    if (!prfdata_path_parse(request->text, &request->path.path, &error)) {
        report_path_error(session, requests, request, &error);
        return false;
    }
    if (!prfdata_session_is_here(session, request->path.path.computer)) {
        report_request(session, requests, request, "counters of other computers cannot be read",
                       NULL);
        return false;
    }
    request->path.way = prfdata_titles_way_of(titles, request->path.path.object);
    if (!prfdata_title_set_add_name(&requests->set, titles, request->path.path.object)) {
        report_request(session, requests, request, "no object has this name", NULL);
        return false;
    }
    return true;
}

static void add_request(prfdata_session *session, prfdata_requests *requests, prfdata_text text,
                        uint32_t line)
{
    prfdata_request *request = &requests->items[requests->count];

    memset(request, 0, sizeof *request);
    request->text = text;
    request->line = line;
    request->path.number = (uint32_t)requests->count;
    request->is_bad = !understand_request(session, requests, request);
    requests->count++;
}

uint32_t prfdata_requests_make(prfdata_session *session, const prfdata_requests_texts *texts,
                               prfdata_requests *requests)
{
    memset(requests, 0, sizeof *requests);
    requests->file = texts->file;
    requests->items = calloc(texts->name_count + texts->lines.count + 1, sizeof *requests->items);
    if (!requests->items) {
        prfdata_messages_add_system(session->messages, prfdata_no_subject, ERROR_NOT_ENOUGH_MEMORY,
                                    "too many counter paths");
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    for (size_t i = 0; i < texts->name_count; i++)
        add_request(session, requests, texts->names[i], 0);
    for (size_t i = 0; i < texts->lines.count; i++)
        add_request(session, requests, texts->lines.items[i].text, texts->lines.items[i].number);
    return requests->set.count > 0 ? ERROR_SUCCESS : ERROR_NOT_FOUND;
}

void prfdata_requests_free(prfdata_requests *requests)
{
    free(requests->query);
    prfdata_title_set_free(&requests->set);
    free(requests->items);
    memset(requests, 0, sizeof *requests);
}

/* ---- Samples ---- */

uint32_t prfdata_requests_take(prfdata_session *session, prfdata_requests *requests,
                               prfdata_sample **sample)
{
    return prfdata_session_take_first(session, &requests->set, &requests->query, sample);
}

uint32_t prfdata_requests_add(prfdata_session *session, prfdata_requests *requests,
                              const prfdata_sample *sample, prfdata_columns *columns)
{
    for (size_t i = 0; i < requests->count; i++) {
        prfdata_request *request = &requests->items[i];
        uint32_t status;

        if (request->is_bad)
            continue;
        if (prfdata_columns_add(columns, &request->path, sample, &status) != ERROR_SUCCESS)
            return ERROR_NOT_ENOUGH_MEMORY;
        if (status == PRFDATA_STATUS_OK)
            request->has_columns = true;
        else if (!request->has_columns)
            report_request(session, requests, request,
                           reason_of(request, status, sample, &session->titles), NULL);
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_requests_missing_count(const prfdata_requests *requests)
{
    uint32_t count = 0;

    for (size_t i = 0; i < requests->count; i++)
        count += !requests->items[i].has_columns;
    return count;
}
