/* SPDX-License-Identifier: MIT */
/*
 * Takes samples for Prometheus and writes them to a file, to standard output or to HTTP clients.
 * prometheus/open_metrics.c makes the text; prometheus/serve.c is the server.
 */
#include "prfread/exposition.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/version.h>

#include "names/ascii.h"
#include "os/files.h"
#include "os/net_address.h"
#include "os/stop.h"
#include "os/system.h"
#include "prfread/format.h"
#include "prometheus/serve.h"
#include "source/pace.h"
#include "system/os.h"

/*
 * Limits for the sample of a scrape. Prometheus gives up after its scrape_timeout, by default 10 s.
 * It states this time in each request, and the time also covers making and sending the text.
 */
#define SERVE_LIMIT_MS 8000u  /* if neither the client nor -limit gives a limit */
#define SERVE_MOST_MS  60000u /* the most without -limit, even if a client asks for more */
/* The part of a client's time that is kept for making and sending the text; at most half of the
 * client's time. */
#define SERVE_RESERVE_MS 500u

typedef struct exposition {
    prfdata_task *task;
    prfdata_requests requests;
    prfdata_resolver_path *paths;
    size_t path_count;
    prfdata_resolver_path *asked;
    size_t asked_count;
    prfdata_overrides overrides; /* overrides of the file of -metrics */
    uint32_t titles_version;     /* version of the titles by which the metrics were named */
    /* NULL: there was no memory for them after titles had changed. */
    prfdata_open_metrics *metrics;
    /* This task has written the file, so the task may replace the file. */
    bool is_written;
    bool is_shown; /* the missing requests of the first sample were reported */
    prfdata_sample *sample;
    double seconds; /* how long it took to take the sample */
    uint64_t taken_ms;
    uint32_t timeout_ms;  /* timeout of the client for which the sample was taken; 0: none stated */
    bool is_complete;     /* no provider was left out of the sample */
    prfdata_output names; /* names of this computer, in the form of prfdata_http_names */
    prfdata_output output;
} exposition;

/*
 * Copy the paths of the requests. `paths` gets the valid ones; for the default objects it stays
 * empty, because without paths the whole sample is shown. `asked` gets the valid ones and those
 * whose object has no title.
 */
static bool copy_paths(exposition *e)
{
    e->paths = calloc(e->requests.count + 1, sizeof *e->paths);
    e->asked = calloc(e->requests.count + 1, sizeof *e->asked);
    if (!e->paths || !e->asked)
        return prfdata_task_fail_memory(e->task);
    for (size_t i = 0; i < e->requests.count; i++) {
        const prfdata_request *request = &e->requests.items[i];

        if (!request->is_bad || request->is_absent)
            e->asked[e->asked_count++] = request->path;
        if (!request->is_bad && !e->requests.is_default)
            e->paths[e->path_count++] = request->path;
    }
    return true;
}

/* Read the file of -metrics, if there is one. Returns false after a failure, which is reported. */
static bool read_overrides(exposition *e)
{
    const prfdata_text path = e->task->options.metrics_file;
    prfdata_overrides_error error = {{NULL, 0}, 0, NULL};
    prfdata_lines lines = {NULL, 0, NULL};
    size_t size = 0;
    void *bytes = NULL;
    uint32_t status;

    if (path.count == 0)
        return true;
    status = prfdata_files_read(path, PRFDATA_LINES_MAX_BYTES, &bytes, &size);
    if (status == ERROR_SUCCESS) {
        status = prfdata_overrides_make(bytes, size, &e->task->session.titles, &e->overrides,
                                        &lines, &error);
        free(bytes);
    }
    if (status == ERROR_INVALID_DATA && error.reason)
        prfdata_messages_put_line(e->task->session.messages, path, error.line, error.text,
                                  error.reason);
    else if (status != ERROR_SUCCESS)
        prfdata_messages_add_system(e->task->session.messages, path, status,
                                    "cannot read the file");
    prfdata_lines_free(&lines);
    if (e->task->failure == ERROR_SUCCESS)
        e->task->failure = status;
    return status == ERROR_SUCCESS;
}

static bool make_metrics(exposition *e)
{
    prfdata_open_metrics_options wanted;

    if (!copy_paths(e))
        return false;
    memset(&wanted, 0, sizeof wanted);
    wanted.paths = e->paths;
    wanted.path_count = e->path_count;
    wanted.asked = e->asked;
    wanted.asked_count = e->asked_count;
    wanted.bad_path_count = prfdata_requests_bad_count(&e->requests);
    wanted.version = PRFDATA_VERSION;
    wanted.reader = e->task->options.reader;
    wanted.overrides = &e->overrides;
    wanted.with_parts = e->task->options.with_parts;
    wanted.title_changes = e->task->session.titles.version;
    return prfdata_open_metrics_make(&wanted, &e->metrics) == ERROR_SUCCESS ||
           prfdata_task_fail_memory(e->task);
}

static void free_metrics(exposition *e)
{
    prfdata_open_metrics_free(e->metrics);
    free(e->paths);
    free(e->asked);
    e->metrics = NULL;
    e->paths = NULL;
    e->asked = NULL;
    e->path_count = 0;
    e->asked_count = 0;
}

/* Make an exposition. Returns false after a failure, which is reported. Release the exposition
 * even after a failure. */
static bool make_exposition(exposition *e, prfdata_task *task)
{
    prfdata_session *session = &task->session;

    memset(e, 0, sizeof *e);
    e->task = task;
    if (!read_overrides(e))
        return false;
    if (!prfdata_task_make_requests(task, &e->requests))
        return false;
    if (!make_metrics(e))
        return false;
    /* Metrics work without help texts, so other failures are ignored. */
    if (prfdata_session_load_helps(session) == ERROR_NOT_ENOUGH_MEMORY)
        return prfdata_task_fail_memory(e->task);
    return true;
}

static void release_exposition(exposition *e)
{
    e->task->not_found += prfdata_requests_missing_count(&e->requests);
    prfdata_sample_free(e->sample);
    free_metrics(e);
    prfdata_overrides_free(&e->overrides);
    prfdata_requests_free(&e->requests);
    prfdata_output_free(&e->names);
    prfdata_output_free(&e->output);
}

/*
 * Make the metrics again after titles have changed, because a metric must not continue with the
 * values of another counter. The file of -metrics is read again as well. If reading fails, an
 * error is reported, and the overrides stay as they were. Returns false if there is no memory.
 */
static bool follow_titles(exposition *e)
{
    prfdata_overrides before = e->overrides;

    e->overrides = (prfdata_overrides){0};
    if (!read_overrides(e))
        e->overrides = before;
    else
        prfdata_overrides_free(&before);
    free_metrics(e);
    if (!make_metrics(e))
        return false; /* try again with the next sample */
    e->titles_version = e->task->session.titles.version;
    return true;
}

/* Choose for each path the reading (paths/resolver.h) that leads farthest in the sample.
 * prfdata_requests_take() has done that only for the paths in the requests; these are copies. */
static void choose_exposed_paths(prfdata_resolver_path *paths, size_t count,
                                 const prfdata_titles *titles, const prfdata_sample *sample)
{
    for (size_t i = 0; i < count; i++) {
        prfdata_resolver_path other;

        (void)prfdata_resolver_choose(&paths[i], titles, sample, &other);
    }
}

/*
 * Take a sample. Returns false on failure. At the end of a recording the last sample stays, and the
 * result is true.
 */
static bool take_exposed_sample(exposition *e)
{
    uint64_t before = prfdata_os_ticks();
    prfdata_sample *taken = NULL;
    const uint32_t status = prfdata_requests_take(&e->task->session, &e->requests, &taken);

    if (e->titles_version != e->task->session.titles.version && !follow_titles(e)) {
        prfdata_sample_free(taken);
        return false;
    }
    if (status != ERROR_SUCCESS)
        return e->sample && e->task->session.source->kind->is_recorded;
    choose_exposed_paths(e->paths, e->path_count, &e->task->session.titles, taken);
    choose_exposed_paths(e->asked, e->asked_count, &e->task->session.titles, taken);
    prfdata_sample_free(e->sample);
    e->sample = taken;
    e->seconds = (double)(prfdata_os_ticks() - before) / (double)prfdata_os_ticks_per_second();
    e->taken_ms = prfdata_os_milliseconds();
    e->is_complete = e->task->session.source->left_out == 0;
    return true;
}

static void note_found_requests(exposition *e)
{
    size_t path = 0;

    for (size_t i = 0; i < e->requests.count; i++) {
        prfdata_request *request = &e->requests.items[i];

        if (!request->is_bad && prfdata_open_metrics_found(e->metrics, path++))
            request->is_found = true;
    }
}

static prfdata_open_metrics_moment moment_of(const exposition *e)
{
    return (prfdata_open_metrics_moment){&e->seconds, e->task->session.source->left_out};
}

static void put_exposition(exposition *e, prfdata_dialect dialect, prfdata_output *output)
{
    const prfdata_open_metrics_moment moment = moment_of(e);

    prfdata_open_metrics_put(e->metrics, e->sample, &e->task->session.titles, &moment, dialect,
                             output);
    note_found_requests(e);
}

static void report_missing_requests(const exposition *e)
{
    for (size_t i = 0; !e->requests.is_default && i < e->requests.count; i++) {
        if (!e->requests.items[i].is_bad && !e->requests.items[i].is_found)
            prfdata_messages_add(e->task->session.messages, PRFDATA_SEVERITY_WARNING,
                                 e->requests.items[i].text, "no counter matches this path now");
    }
}

/* ---- Files and standard output ---- */

static bool print_exposition(exposition *e)
{
    const prfdata_open_metrics_moment moment = moment_of(e);

    e->task->options.format->put_exposition(e->metrics, e->sample, &e->task->session.titles,
                                            &moment, &e->output);
    note_found_requests(e);
    if (!e->is_shown)
        report_missing_requests(e);
    e->is_shown = true;
    if (!prfdata_task_write_whole(e->task, e->task->options.overwrite || e->is_written, &e->output))
        return false;
    e->is_written = true;
    return true;
}

/*
 * Returns whether to continue although nothing was written. The disk may be full for some time, or
 * another program may hold the file. But a closed pipe stays closed, and a file that prfread has
 * not made may not be overwritten without -y.
 */
static bool may_be_written_later(const exposition *e)
{
    return e->task->options.file.count > 0 && e->task->failure != ERROR_FILE_EXISTS;
}

static void print_expositions(exposition *e)
{
    const prfdata_options *options = &e->task->options;
    const uint32_t count = prfdata_options_sample_count(options);
    prfdata_pace pace;

    prfdata_pace_begin(&pace, prfdata_os_milliseconds(), options->interval_ms);
    for (uint32_t i = 0; count == 0 || i < count; i++) {
        bool is_well;

        if (!prfdata_stop_wait_until(i == 0 ? 0 : pace.due_ms))
            return;
        is_well = take_exposed_sample(e);
        if (i > 0)
            prfdata_pace_took(&pace, prfdata_os_milliseconds());
        if (is_well && !print_exposition(e)) {
            if (!may_be_written_later(e))
                return;
            is_well = false;
        }
        prfdata_task_end_turn(e->task, is_well);
    }
}

uint32_t prfdata_exposition_print(prfdata_task *task)
{
    exposition e;

    if (make_exposition(&e, task))
        print_expositions(&e);
    release_exposition(&e);
    return prfdata_task_status(task);
}

/* ---- The server ---- */

/*
 * Return how long a sample may take for a client that gives up after `timeout_ms`; 0: the client
 * stated no timeout.
 */
static uint32_t sample_limit_ms(const prfdata_options *options, uint32_t timeout_ms)
{
    const bool has_limit = options->given[PRFDATA_ARGUMENT_LIMIT].count > 0;
    uint32_t most_ms = has_limit ? options->limit_ms : SERVE_MOST_MS;

    if (timeout_ms == 0 && !has_limit)
        return SERVE_LIMIT_MS;
    if (timeout_ms != 0 && timeout_ms < most_ms)
        most_ms = timeout_ms;
    return most_ms - (most_ms / 2 < SERVE_RESERVE_MS ? most_ms / 2 : SERVE_RESERVE_MS);
}

/* Take a sample as take_exposed_sample() does, but within the client's time. */
static bool take_served_sample(exposition *e, uint32_t timeout_ms)
{
    prfdata_source *source = e->task->session.source;
    bool is_taken;

    source->deadline_ms =
        prfdata_os_milliseconds() + sample_limit_ms(&e->task->options, timeout_ms);
    is_taken = take_exposed_sample(e);
    source->deadline_ms = 0;
    e->timeout_ms = is_taken ? timeout_ms : e->timeout_ms;
    return is_taken;
}

static bool may_share_sample(const exposition *e, uint32_t timeout_ms)
{
    return e->metrics && e->sample &&
           prfdata_os_milliseconds() - e->taken_ms <= PRFDATA_SERVE_SHARE_MS &&
           (e->is_complete || prfdata_serve_may_share(e->timeout_ms, timeout_ms));
}

static prfdata_serve_result produce_exposition(void *context, prfdata_dialect dialect,
                                               uint32_t timeout_ms, prfdata_output *output)
{
    exposition *e = context;

    if (!may_share_sample(e, timeout_ms) && !take_served_sample(e, timeout_ms))
        return PRFDATA_SERVE_FAILED;
    put_exposition(e, dialect, output);
    if (output->failed)
        return PRFDATA_SERVE_FAILED;
    return e->is_complete ? PRFDATA_SERVE_COMPLETE : PRFDATA_SERVE_PARTIAL;
}

static bool has_user_stopped(void *context)
{
    (void)context;
    return !prfdata_stop_wait_until(0);
}

/* Put the names of a list, in lower case, each with a NUL after it. `separator` stands between the
 * names; 0: there is only one name. A ? replaces each character that is not ASCII, so no client can
 * use such a name. */
static void put_host_names(prfdata_output *output, prfdata_text names, uint16_t separator)
{
    for (size_t i = 0; i < names.count; i++) {
        const uint16_t c = names.chars[i];
        const char byte = c == separator ? 0 : c < 0x80 ? (char)prfdata_ascii_lower((char)c) : '?';

        prfdata_output_put(output, &byte, 1);
    }
    if (names.count > 0)
        prfdata_output_put(output, "", 1);
}

static bool collect_host_names(exposition *e)
{
    uint16_t chars[512];
    size_t count;

    for (size_t i = 0; prfdata_system_name(i, chars, 512, &count); i++)
        put_host_names(&e->names, (prfdata_text){chars, count}, 0);
    put_host_names(&e->names, e->task->options.host_names, ',');
    return !e->names.failed || prfdata_task_fail_memory(e->task);
}

static prfdata_serve *open_exposition_server(exposition *e)
{
    const prfdata_text text = e->task->options.serve_address;
    prfdata_serve *server = NULL;
    prfdata_serve_wanted wanted = {.produce = produce_exposition, .context = e};
    prfdata_net_problem problem;
    uint32_t status = 0;

    if (!collect_host_names(e))
        return NULL;
    wanted.names = (prfdata_http_names){e->names.bytes, e->names.used};
    if (!prfdata_net_address_parse(text, &wanted.address)) {
        (void)prfdata_task_fail(e->task, text, ERROR_INVALID_PARAMETER, "this is not an address");
        return NULL;
    }
    problem = prfdata_serve_open(&wanted, &server, &status);
    if (problem == PRFDATA_NET_FAILED && status != ERROR_SUCCESS)
        (void)prfdata_task_fail_system(e->task, text, status, prfdata_net_problem_text(problem));
    else if (problem != PRFDATA_NET_OK)
        (void)prfdata_task_fail(e->task, text, ERROR_GEN_FAILURE,
                                prfdata_net_problem_text(problem));
    return server;
}

/* Put the host of the address. If the address has no host, put 127.0.0.1. For *, put the name of
 * this computer, even if the counters of another computer are served. */
static void put_serving_host(prfdata_output *output, const prfdata_task *task)
{
    const prfdata_text asked = task->options.serve_address;
    size_t end = asked.count;
    uint16_t chars[256];

    while (end > 0 && asked.chars[end - 1] != ':')
        end--;
    if (end == 0)
        prfdata_output_put_string(output, "127.0.0.1");
    else if (asked.chars[0] == '*')
        prfdata_output_put_text(output, (prfdata_text){chars, prfdata_system_computer(chars, 256)});
    else
        prfdata_output_put_text(output, prfdata_text_part(asked, 0, end - 1));
}

/* Report "Serving: http://127.0.0.1:9182/metrics, until Ctrl+C". */
static void report_serving_address(const exposition *e, const prfdata_serve *server)
{
    prfdata_output url;

    prfdata_output_init(&url);
    prfdata_output_put_string(&url, "http://");
    put_serving_host(&url, e->task);
    prfdata_output_format(&url, ":%u/metrics", (unsigned)prfdata_serve_port(server));
    prfdata_output_put(&url, "", 1);
    if (!url.failed && e->task->report_serving)
        e->task->report_serving(url.bytes);
    else if (!url.failed)
        prfdata_messages_add(e->task->session.messages, PRFDATA_SEVERITY_HINT, prfdata_no_subject,
                             "Serving: %s, until Ctrl+C", url.bytes);
    prfdata_output_free(&url);
}

uint32_t prfdata_exposition_serve(prfdata_task *task)
{
    prfdata_serve *server;
    exposition e;

    if (make_exposition(&e, task)) {
        server = open_exposition_server(&e);
        if (server) /* report this first, because a sample may take long */
            report_serving_address(&e, server);
        if (server && take_served_sample(&e, 0)) {
            put_exposition(&e, PRFDATA_DIALECT_PROMETHEUS, &e.output);
            report_missing_requests(&e);
            prfdata_output_free(&e.output);
        }
        if (server)
            prfdata_serve_run(server, prfdata_os_milliseconds, has_user_stopped, NULL);
        prfdata_serve_close(server);
    }
    release_exposition(&e);
    return prfdata_task_status(task);
}

/* ---- Explanations ---- */

uint32_t prfdata_exposition_explain(prfdata_task *task)
{
    exposition e;

    if (make_exposition(&e, task) && take_exposed_sample(&e)) {
        prfdata_open_metrics_explain(e.metrics, e.sample, &task->session.titles, &e.output);
        note_found_requests(&e);
        report_missing_requests(&e);
        (void)prfdata_task_write_whole(task, task->options.overwrite, &e.output);
    }
    release_exposition(&e);
    return prfdata_task_status(task);
}
