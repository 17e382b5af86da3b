/* SPDX-License-Identifier: MIT */
/*
 * Turns the user's requests into queries, samples and columns. The texts come from a program's
 * options or files.
 */
#include "paths/requests.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "text/similar.h"

#define MOST_RENEWALS 3 /* the number of times that titles may change while one sample is taken */

/*
 * Search for the reasons of at most this many mistakes. A search looks at all services, or at all
 * names of an object's counters, and a file may contain thousands of mistakes.
 */
#define MOST_SEARCHES 16u

/* ---- Reports ---- */

/* Report that a request is invalid. `problem` has static storage. If `text` is NULL, `problem` is
 * also the message's text. */
static void report_request(const prfdata_session *session, const prfdata_request *request,
                           const char *problem, const char *text)
{
    prfdata_message message = {.severity = PRFDATA_SEVERITY_ERROR,
                               .subject = request->text,
                               .problem = problem,
                               .text = text ? text : problem};

    message.file = request->file;
    message.line = request->line;
    prfdata_messages_put(session->messages, &message);
}

static bool may_search(prfdata_requests *requests)
{
    return requests->searched_count++ < MOST_SEARCHES;
}

/* Report an object that was not found. `is_titled`: whether any title has the object's name. */
static void report_absent_object(const prfdata_session *session, prfdata_requests *requests,
                                 const prfdata_request *request, bool is_titled)
{
    prfdata_output text = {0};
    const char *problem = prfdata_session_absence(session, request->path.path.object, is_titled,
                                                  may_search(requests) ? &text : NULL);

    report_request(session, request, problem, text.used > 0 && !text.failed ? text.bytes : NULL);
    prfdata_output_free(&text);
}

static void consider_counters(prfdata_similar *similar, const prfdata_titles *titles,
                              prfdata_titles_way way, const prfdata_sample_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const uint32_t title = object->counters[i].definition.counter_name_title_index;

        if (prfdata_sample_shows(&object->counters[i]) && !prfdata_titles_is_unused(titles, title))
            prfdata_similar_consider(similar, prfdata_titles_name(titles, way, title));
    }
}

static void report_absent_counter(const prfdata_session *session, prfdata_requests *requests,
                                  const prfdata_request *request, const prfdata_sample *sample)
{
    const char *problem = prfdata_resolver_text(request->result);
    const bool is_searched = may_search(requests);
    prfdata_similar similar = {.written = request->path.path.counter};
    prfdata_output text = {0};
    prfdata_resolver next;

    prfdata_resolver_begin(&next, &request->path, &session->titles, sample);
    while (is_searched && prfdata_resolver_next_object(&next))
        consider_counters(&similar, &session->titles, request->path.way, next.object);
    if (similar.best.count > 0) {
        prfdata_output_format(&text, "%s; did you mean \"", problem);
        prfdata_output_put_text(&text, similar.best);
        prfdata_output_put_string(&text, "\"?");
        prfdata_output_put(&text, "", 1);
    }
    report_request(session, request, problem, text.used > 0 && !text.failed ? text.bytes : NULL);
    prfdata_output_free(&text);
}

/* ---- Reading the paths ---- */

static void report_path_error(const prfdata_session *session, const prfdata_request *request,
                              const prfdata_path_error *error)
{
    prfdata_output text = {0};

    prfdata_output_format(&text, "character %u: %s", (unsigned)error->position + 1, error->reason);
    prfdata_output_put(&text, "", 1);
    report_request(session, request, error->reason, text.failed ? NULL : text.bytes);
    prfdata_output_free(&text);
}

static bool parse_request(prfdata_session *session, prfdata_request *request)
{
    prfdata_path_error error;

    if (!prfdata_resolver_read(&request->path, request->text, &session->titles, &error)) {
        report_path_error(session, request, &error);
        return false;
    }
    if (!prfdata_session_is_here(session, request->path.path.computer)) {
        report_request(session, request, PRFDATA_SESSION_ONE_COMPUTER, NULL);
        return false;
    }
    return true;
}

static void request_whole_object(prfdata_request *request, prfdata_text name)
{
    request->path.path.object = name;
    request->path.path.counter = prfdata_path_star;
    request->path.wants_whole_object = true;
}

prfdata_text prfdata_requests_service(prfdata_text text)
{
    static const char prefix[] = "service:";
    const size_t length = sizeof prefix - 1;
    const prfdata_text none = {NULL, 0};

    if (text.count <= length ||
        !prfdata_text_equal_ascii(prfdata_text_part(text, 0, length), prefix))
        return none;
    return prfdata_text_part(text, length, text.count);
}

static bool request_service(prfdata_session *session, prfdata_requests *requests,
                            prfdata_request *request, prfdata_text service)
{
    prfdata_source_titles titles;
    uint32_t status = prfdata_source_find_service(session->source, service, &titles);

    if (status != ERROR_SUCCESS) {
        report_request(
            session, request,
            status == ERROR_NOT_SUPPORTED
                ? "saved blocks do not say to which services their objects belong: name the objects"
                : "no service of this name has counters",
            NULL);
        return false;
    }
    request_whole_object(request, request->text);
    request->path.first_title = titles.first;
    request->path.last_title = titles.last;
    prfdata_title_set_add_range(&requests->set, titles.first, titles.last);
    return true;
}

/* Only a sample shows which reading is meant, so add the objects of all readings. */
static void add_other_readings(prfdata_requests *requests, const prfdata_titles *titles,
                               const prfdata_resolver_path *path)
{
    prfdata_resolver_path reading = *path;
    prfdata_path_readings readings;
    prfdata_path_error error;

    if (path->text.count == 0 || !prfdata_path_begin_readings(&readings, path->text, &error))
        return;
    while (prfdata_resolver_next_reading(&readings, titles, &reading))
        (void)prfdata_title_set_add_name(&requests->set, titles, reading.path.object);
}

/* Parse the text of a request. Returns false if it has a mistake, which was then reported. */
static bool understand_request(prfdata_session *session, prfdata_requests *requests,
                               prfdata_request *request)
{
    const prfdata_titles *titles = &session->titles;
    const prfdata_text service = prfdata_requests_service(request->text);

    if (service.count > 0)
        return request_service(session, requests, request, service);
    if (request->may_be_object && request->text.chars[0] != '\\') {
        request_whole_object(request, request->text);
        request->path.way = prfdata_titles_way_of(titles, request->text);
    } else if (!parse_request(session, request)) {
        return false;
    }
    add_other_readings(requests, titles, &request->path);
    if (!prfdata_title_set_add_name(&requests->set, titles, request->path.path.object)) {
        report_absent_object(session, requests, request, false);
        request->is_absent = true;
        return false;
    }
    return true;
}

/* Append a request that has only its text and number. There must be room for it. */
static prfdata_request *append_request(prfdata_requests *requests, prfdata_text text)
{
    prfdata_request *request = &requests->items[requests->count];

    memset(request, 0, sizeof *request);
    request->text = text;
    request->path.number = (uint32_t)requests->count++;
    return request;
}

/* Add a request. `line` is its line in a file; 0: it is not in a file. */
static void add_request(prfdata_session *session, prfdata_requests *requests, prfdata_text text,
                        prfdata_text file, uint32_t line, bool may_be_object)
{
    prfdata_request *request = append_request(requests, text);

    if (line > 0)
        request->file = file;
    request->line = line;
    request->may_be_object = may_be_object;
    request->is_bad = !understand_request(session, requests, request);
}

uint32_t prfdata_requests_make(prfdata_session *session, const prfdata_requests_texts *texts,
                               prfdata_requests *requests)
{
    memset(requests, 0, sizeof *requests);
    requests->items = calloc(texts->name_count + texts->lines.count + 1, sizeof *requests->items);
    if (!requests->items) {
        prfdata_messages_add_system(session->messages, prfdata_no_subject, ERROR_NOT_ENOUGH_MEMORY,
                                    "too many counter paths");
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    for (size_t i = 0; i < texts->name_count; i++)
        add_request(session, requests, texts->names[i], texts->name_file,
                    texts->name_lines ? texts->name_lines[i] : 0, texts->takes_objects);
    for (size_t i = 0; i < texts->lines.count; i++)
        add_request(session, requests, texts->lines.items[i].text, texts->file,
                    texts->lines.items[i].number, false);
    return requests->set.count > 0 || requests->set.is_global ? ERROR_SUCCESS : ERROR_NOT_FOUND;
}

uint32_t prfdata_requests_make_default(prfdata_session *session, prfdata_requests *requests)
{
    bool is_all = false;
    uint32_t status;

    memset(requests, 0, sizeof *requests);
    requests->is_default = true;
    status = prfdata_source_load_objects(session->source, &requests->defaults, &is_all);
    requests->items = calloc(requests->defaults.count + 1, sizeof *requests->items);
    if (!requests->items || status == ERROR_NOT_ENOUGH_MEMORY)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (is_all) {
        prfdata_request *request = append_request(requests, prfdata_path_star);

        request_whole_object(request, prfdata_path_star);
        request->path.wants_all_objects = true;
    }
    for (size_t i = 0; i < requests->defaults.count; i++) {
        const prfdata_name_table_entry *object = &requests->defaults.items[i];
        prfdata_request *request = append_request(requests, object->name);

        if (!prfdata_title_set_add(&requests->set, object->index))
            return ERROR_NOT_ENOUGH_MEMORY;
        request_whole_object(request, object->name);
        request->path.object_title = object->index;
    }
    return requests->count > 0 ? ERROR_SUCCESS : ERROR_NOT_FOUND;
}

void prfdata_requests_free(prfdata_requests *requests)
{
    free(requests->query);
    prfdata_title_set_free(&requests->set);
    prfdata_name_table_free(&requests->defaults);
    free(requests->items);
    memset(requests, 0, sizeof *requests);
}

/* ---- Changed titles ---- */

/* Parse all requests again, because a named object may have another index now, or may have
 * appeared. */
static void understand_again(prfdata_session *session, prfdata_requests *requests)
{
    prfdata_messages *messages = session->messages;

    session->messages = NULL; /* mistakes were reported when the requests were parsed first */
    for (size_t i = 0; i < requests->count; i++) {
        prfdata_request *request = &requests->items[i];
        const uint32_t number = request->path.number;

        memset(&request->path, 0, sizeof request->path);
        request->path.number = number;
        request->is_absent = false;
        request->is_bad = !understand_request(session, requests, request);
    }
    session->messages = messages;
}

/* Choose the default objects again. If there are none now, or no memory, keep the previous ones. */
static void choose_defaults_again(prfdata_session *session, prfdata_requests *requests)
{
    prfdata_requests made;

    if (requests->defaults.count == 0)
        return; /* all objects are asked for */
    if (prfdata_requests_make_default(session, &made) == ERROR_SUCCESS) {
        prfdata_requests_free(requests);
        *requests = made;
    } else {
        prfdata_requests_free(&made);
    }
}

static void ask_by_other_titles(prfdata_session *session, prfdata_requests *requests)
{
    prfdata_title_set before = requests->set;

    if (requests->is_default) {
        choose_defaults_again(session, requests);
        return;
    }
    free(requests->query);
    requests->query = NULL;
    requests->set = (prfdata_title_set){0};
    understand_again(session, requests);
    if (requests->set.count > 0 || requests->set.is_global) {
        prfdata_title_set_free(&before);
        return;
    }
    prfdata_title_set_free(&requests->set);
    /* Keep the previous set, because an empty set would ask for everything. */
    requests->set = before;
}

/* ---- Readings ---- */

static uint32_t object_of_reading(const prfdata_titles *titles, const prfdata_resolver_path *path)
{
    size_t position = 0;
    uint32_t index = 0;

    (void)prfdata_titles_find(titles, path->way, path->path.object, &position, &index);
    return index;
}

/* Put the object of a reading. If the reading names the object exactly, also put an unambiguous
 * path, which has the object's index instead of its name. */
static void put_reading(prfdata_output *output, const prfdata_titles *titles,
                        const prfdata_resolver_path *path)
{
    prfdata_output_put_string(output, "object \"");
    prfdata_output_put_text(output, path->path.object);
    if (!prfdata_titles_is_exact(path->way, path->path.object)) {
        prfdata_output_put_string(output, "\"");
        return;
    }
    prfdata_output_format(output, "\", written \\%u", (unsigned)object_of_reading(titles, path));
    if (path->path.has_instance) {
        prfdata_output_put_string(output, "(");
        prfdata_output_put_text(output, path->path.has_zero
                                            ? prfdata_path_instance_with_zero(&path->path)
                                            : path->path.instance);
        prfdata_output_put_string(output, ")");
    }
    prfdata_output_put_string(output, "\\");
    prfdata_output_put_text(output, path->path.counter);
}

static void report_two_readings(const prfdata_session *session, const prfdata_request *request,
                                const prfdata_resolver_path *other)
{
    static const char problem[] = "it names two counters";
    prfdata_message message = {
        .severity = PRFDATA_SEVERITY_WARNING, .subject = request->text, .problem = problem};
    prfdata_output text = {0};

    prfdata_output_format(&text, "%s; shown is the one of ", problem);
    put_reading(&text, &session->titles, &request->path);
    prfdata_output_put_string(&text, "; there is also the one of ");
    put_reading(&text, &session->titles, other);
    prfdata_output_put(&text, "", 1);
    message.text = text.failed ? problem : text.bytes;
    message.file = request->file;
    message.line = request->line;
    prfdata_messages_put(session->messages, &message);
    prfdata_output_free(&text);
}

static void choose_readings(const prfdata_session *session, prfdata_requests *requests,
                            const prfdata_sample *sample)
{
    for (size_t i = 0; i < requests->count; i++) {
        prfdata_request *request = &requests->items[i];
        prfdata_resolver_path other;

        if (!request->is_bad &&
            prfdata_resolver_choose(&request->path, &session->titles, sample, &other))
            report_two_readings(session, request, &other);
    }
}

/* ---- Samples ---- */

uint32_t prfdata_requests_take(prfdata_session *session, prfdata_requests *requests,
                               prfdata_sample **sample)
{
    prfdata_sample *taken = NULL;
    uint32_t status = prfdata_session_take_first(session, &requests->set, &requests->query, &taken);

    for (int i = 0; i < MOST_RENEWALS && prfdata_session_renew_titles(session); i++) {
        prfdata_sample_free(taken);
        taken = NULL;
        ask_by_other_titles(session, requests);
        status = prfdata_session_take_first(session, &requests->set, &requests->query, &taken);
    }
    if (status != ERROR_SUCCESS)
        return status;
    choose_readings(session, requests, taken);
    *sample = taken;
    return ERROR_SUCCESS;
}

uint32_t prfdata_requests_match_columns(prfdata_requests *requests, const prfdata_sample *sample,
                                        prfdata_columns *columns)
{
    for (size_t i = 0; i < requests->count; i++) {
        prfdata_request *request = &requests->items[i];

        if (request->is_bad)
            continue;
        if (prfdata_columns_add(columns, &request->path, sample, &request->result) != ERROR_SUCCESS)
            return ERROR_NOT_ENOUGH_MEMORY;
        if (request->result == PRFDATA_RESOLVER_FOUND)
            request->is_found = true;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_requests_add_columns(prfdata_session *session, prfdata_requests *requests,
                                      const prfdata_sample *sample, prfdata_columns *columns)
{
    const uint32_t status = prfdata_requests_match_columns(requests, sample, columns);

    for (size_t i = 0; status == ERROR_SUCCESS && i < requests->count; i++) {
        const prfdata_request *request = &requests->items[i];

        if (request->is_bad || request->is_found)
            continue;
        if (request->result == PRFDATA_RESOLVER_NO_OBJECT && request->path.first_title != 0)
            report_request(session, request, "no object of this service is there now", NULL);
        else if (request->result == PRFDATA_RESOLVER_NO_OBJECT)
            report_absent_object(session, requests, request, true);
        else if (request->result == PRFDATA_RESOLVER_NO_COUNTER)
            report_absent_counter(session, requests, request, sample);
        else
            report_request(session, request, prfdata_resolver_text(request->result), NULL);
    }
    return status;
}

uint32_t prfdata_requests_bad_count(const prfdata_requests *requests)
{
    uint32_t count = 0;

    for (size_t i = 0; i < requests->count; i++)
        count += requests->items[i].is_bad;
    return count;
}

uint32_t prfdata_requests_missing_count(const prfdata_requests *requests)
{
    uint32_t count = 0;

    for (size_t i = 0; i < requests->count; i++)
        count += !requests->items[i].is_found;
    return requests->is_default ? 0 : count;
}
