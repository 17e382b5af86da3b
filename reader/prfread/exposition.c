/* SPDX-License-Identifier: MIT */
#include "prfread/exposition.h"

#include <stdlib.h>
#include <string.h>

#include "prometheus/metric_families.h"
#include "core/os.h"
#include "os/net_address.h"
#include "prometheus/serve.h"
#include "os/files.h"
#include "os/stop.h"

#define SHARE_MS 100 /* how old a sample may be for another text of it */

typedef struct exposition {
    prfdata_task *task;
    prfdata_requests requests;
    prfdata_columns_path *paths;
    size_t path_count;
    prfdata_overrides overrides; /* of -metrics */
    prfdata_open_metrics *metrics;
    prfdata_sample *sample; /* the last one */
    double seconds;         /* that it took */
    uint64_t taken_ms;
    prfdata_output output;
} exposition;

/* The paths that can find something; without any, everything is asked for. */
static bool copy_paths(exposition *e)
{
    e->paths = calloc(e->requests.count + 1, sizeof *e->paths);
    if (!e->paths)
        return prfdata_task_fail_memory(e->task);
    for (size_t i = 0; i < e->requests.count; i++) {
        if (!e->requests.items[i].is_bad)
            e->paths[e->path_count++] = e->requests.items[i].path;
    }
    return true;
}

/* The file of -metrics. A failure was reported. */
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
        status = prfdata_overrides_make(bytes, size, &e->overrides, &lines, &error);
        free(bytes);
    }
    if (status == ERROR_INVALID_DATA && error.reason)
        prfdata_task_report_line(e->task->session.messages, path, error.line, error.text,
                                 error.reason);
    else if (status != ERROR_SUCCESS)
        prfdata_messages_add_system(e->task->session.messages, path, status,
                                    "cannot read the file");
    prfdata_lines_free(&lines);
    e->task->system_failed = e->task->system_failed || status != ERROR_SUCCESS;
    return status == ERROR_SUCCESS;
}

/* Nobody says which: what the source thinks, not every provider at each scrape. */
static bool add_default_objects(exposition *e)
{
    prfdata_name_table objects = {NULL, 0, 0};
    bool is_all = false;
    bool done = true;
    uint32_t status = prfdata_source_load_objects(e->task->session.source, &objects, &is_all);

    for (size_t i = 0; done && i < objects.count; i++)
        done = prfdata_title_set_add(&e->requests.set, objects.items[i].index);
    prfdata_name_table_free(&objects);
    if (!done || status == ERROR_NOT_ENOUGH_MEMORY)
        return prfdata_task_fail_memory(e->task);
    if (is_all || e->requests.set.count > 0)
        return true;
    prfdata_messages_add(e->task->session.messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                         "there are no services of PrfData; name counter paths, such as "
                         "\"\\Process(*)\\*\"; prfread -q lists them");
    e->task->wanted = e->task->not_found = 1;
    return false;
}

static bool understand_paths(exposition *e)
{
    const prfdata_options *options = &e->task->options;

    if (options->name_count > 0 || options->counter_file.count > 0)
        return prfdata_task_make_requests(e->task, &e->requests);
    return add_default_objects(e);
}

/* A failure was reported. */
static bool make(exposition *e, prfdata_task *task)
{
    prfdata_session *session = &task->session;
    prfdata_open_metrics_options wanted;

    memset(e, 0, sizeof *e);
    e->task = task;
    if (!read_overrides(e))
        return false;
    if (!understand_paths(e))
        return false;
    if (!copy_paths(e))
        return false;
    memset(&wanted, 0, sizeof wanted);
    wanted.paths = e->paths;
    wanted.path_count = e->path_count;
    wanted.bad_path_count = e->requests.count - e->path_count;
    wanted.version = PRFDATA_VERSION;
    wanted.overrides = &e->overrides;
    wanted.fraction_parts = task->options.fraction_parts;
    if (prfdata_open_metrics_make(&wanted, &e->metrics) != ERROR_SUCCESS)
        return prfdata_task_fail_memory(e->task);
    (void)prfdata_source_load_helps(session->source, &session->titles); /* it works without */
    return true;
}

static void release(exposition *e)
{
    e->task->not_found += prfdata_requests_missing_count(&e->requests);
    prfdata_sample_free(e->sample);
    prfdata_open_metrics_free(e->metrics);
    prfdata_overrides_free(&e->overrides);
    free(e->paths);
    prfdata_requests_free(&e->requests);
    prfdata_output_free(&e->output);
}

/* Take a sample; false: there is none. What is recorded stays when it is at its end. */
static bool take(exposition *e)
{
    uint64_t before = prfdata_os_ticks();
    prfdata_sample *taken = NULL;

    if (prfdata_requests_take(&e->task->session, &e->requests, &taken) != ERROR_SUCCESS)
        return e->sample && e->task->session.source->kind->is_recorded;
    prfdata_sample_free(e->sample);
    e->sample = taken;
    e->seconds = (double)(prfdata_os_ticks() - before) / (double)prfdata_os_ticks_per_second();
    e->taken_ms = prfdata_os_milliseconds();
    return true;
}

static void put(exposition *e, prfdata_dialect dialect, prfdata_output *output)
{
    size_t path = 0;

    prfdata_open_metrics_put(e->metrics, e->sample, &e->task->session.titles, &e->seconds, dialect,
                             output);
    for (size_t i = 0; i < e->requests.count; i++) {
        prfdata_request *request = &e->requests.items[i];

        if (!request->is_bad && prfdata_open_metrics_found(e->metrics, path++))
            request->has_columns = true;
    }
}

/* Whoever scrapes sees it in prfread_paths_not_found; whoever started us should, too. */
static void report_missing(const exposition *e)
{
    for (size_t i = 0; i < e->requests.count; i++) {
        if (!e->requests.items[i].is_bad && !e->requests.items[i].has_columns)
            prfdata_messages_add(e->task->session.messages, PRFDATA_SEVERITY_WARNING,
                                 e->requests.items[i].text, "nothing has this path now");
    }
}

/* ---- -f OM, -f PROM ---- */

static void write_one(exposition *e, bool overwrite)
{
    prfdata_task *task = e->task;

    if (task->options.file.count == 0) {
        (void)prfdata_task_flush(task, &e->output);
        return;
    }
    (void)prfdata_task_write_file(task, task->options.file, overwrite, &e->output);
    prfdata_output_clear(&e->output);
}

/* How many expositions; 0: until somebody stops us. */
static uint32_t wanted_count(const prfdata_options *options)
{
    if (options->sample_count == 0 && options->given[PRFDATA_ARGUMENT_SI].count == 0)
        return 1;
    return options->sample_count;
}

static void print_all(exposition *e)
{
    const prfdata_options *options = &e->task->options;
    const prfdata_dialect dialect = options->format == PRFDATA_FORMAT_OM
                                        ? PRFDATA_DIALECT_OPEN_METRICS
                                        : PRFDATA_DIALECT_PROMETHEUS;
    const uint32_t count = wanted_count(options);
    uint64_t due_ms = prfdata_os_milliseconds();

    for (uint32_t i = 0; (count == 0 || i < count) && !prfdata_task_has_failed(e->task); i++) {
        if (!prfdata_stop_wait_until(i == 0 ? 0 : due_ms))
            return;
        due_ms += options->interval_ms;
        if (!take(e))
            return;
        put(e, dialect, &e->output);
        if (i == 0)
            report_missing(e);
        write_one(e, options->overwrite || i > 0);
    }
}

void prfdata_exposition_print(prfdata_task *task)
{
    exposition e;

    if (make(&e, task))
        print_all(&e);
    release(&e);
}

/* ---- -serve ---- */

static bool produce(void *context, prfdata_dialect dialect, prfdata_output *output)
{
    exposition *e = context;
    const bool is_fresh = e->sample && prfdata_os_milliseconds() - e->taken_ms <= SHARE_MS;

    if (!is_fresh && !take(e))
        return false;
    put(e, dialect, output);
    return !output->failed;
}

static bool has_stopped(void *context)
{
    (void)context;
    return !prfdata_stop_wait_until(0);
}

static prfdata_serve *open_server(exposition *e)
{
    const prfdata_text text = e->task->options.serve_address;
    prfdata_serve *server = NULL;
    prfdata_net_address address;
    prfdata_net_problem problem;
    uint32_t status = 0;

    if (!prfdata_net_address_parse(text, &address)) {
        prfdata_task_fail(e->task, text, 0, "no address");
        return NULL;
    }
    problem = prfdata_serve_open(&address, produce, e, &server, &status);
    if (problem != PRFDATA_NET_OK)
        prfdata_task_fail(e->task, text, problem == PRFDATA_NET_FAILED ? status : 0,
                          prfdata_net_problem_text(problem));
    return server;
}

/* Put the host that was asked for; * is this computer, as others call it. */
static void put_host(prfdata_output *output, const prfdata_task *task)
{
    const prfdata_text asked = task->options.serve_address;
    size_t end = asked.count;

    while (end > 0 && asked.chars[end - 1] != ':')
        end--;
    if (end == 0)
        prfdata_output_put_string(output, "127.0.0.1");
    else if (asked.chars[0] == '*')
        prfdata_output_put_text(output, task->session.computer);
    else
        prfdata_output_put_text(output, prfdata_text_part(asked, 0, end - 1));
}

/* "Serving: http://127.0.0.1:9182/metrics, until Ctrl+C" */
static void report_address(const exposition *e, const prfdata_serve *server)
{
    prfdata_output line;

    prfdata_output_init(&line);
    prfdata_output_put_string(&line, "Serving: http://");
    put_host(&line, e->task);
    prfdata_output_format(&line, ":%u/metrics, until Ctrl+C", (unsigned)prfdata_serve_port(server));
    prfdata_output_put(&line, "", 1);
    if (!line.failed)
        prfdata_messages_put(e->task->session.messages,
                             &(prfdata_message){.severity = PRFDATA_SEVERITY_HINT,
                                                .problem = "Serving",
                                                .text = line.bytes});
    prfdata_output_free(&line);
}

void prfdata_exposition_serve(prfdata_task *task)
{
    prfdata_serve *server;
    exposition e;

    if (make(&e, task)) {
        server = open_server(&e);
        if (server && take(&e)) {
            put(&e, PRFDATA_DIALECT_PROMETHEUS, &e.output);
            report_missing(&e);
            prfdata_output_free(&e.output);
        }
        if (server) {
            report_address(&e, server);
            prfdata_serve_run(server, prfdata_os_milliseconds, has_stopped, NULL);
        }
        prfdata_serve_close(server);
    }
    release(&e);
}

/* ---- -explain ---- */

/* Whether the sample has a counter that the path asks for, with or without a metric. */
static bool explains(const exposition *e, const prfdata_columns_path *path)
{
    for (uint32_t o = 0; o < e->sample->object_count; o++) {
        const prfdata_sample_object *object = &e->sample->objects[o];

        for (uint32_t c = 0; c < object->counter_count; c++) {
            const prfdata_metric_family_item item = {
                .object_title = object->wire.header.object_name_title_index,
                .counter_title = object->counters[c].definition.counter_name_title_index};

            if (item.counter_title != 0 &&
                prfdata_metric_families_asks_for(path, &e->task->session.titles, &item))
                return true;
        }
    }
    return false;
}

void prfdata_exposition_explain(prfdata_task *task)
{
    exposition e;

    if (make(&e, task) && take(&e)) {
        prfdata_open_metrics_explain(e.metrics, e.sample, &task->session.titles, &e.output);
        for (size_t i = 0; i < e.requests.count; i++)
            e.requests.items[i].has_columns =
                !e.requests.items[i].is_bad && explains(&e, &e.requests.items[i].path);
        report_missing(&e);
        if (prfdata_task_open_out(task)) {
            (void)prfdata_task_flush(task, &e.output);
            prfdata_task_close_out(task);
        }
    }
    release(&e);
}
