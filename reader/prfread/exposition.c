/* SPDX-License-Identifier: MIT */
#include "prfread/exposition.h"

#include <stdlib.h>
#include <string.h>

#include "prometheus/families.h"
#include "core/os.h"
#include "source/say.h"
#include "os/net_address.h"
#include "prometheus/serve.h"
#include "paths/wishes.h"

#define SHARE_MS 100 /* how old a sample may be for another text of it */

typedef struct exposition {
    prfdata_session *session;
    prfdata_wishes wishes;
    prfdata_columns_path *paths;
    size_t path_count;
    prfdata_overrides overrides; /* of -metrics */
    prfdata_open_metrics *metrics;
    prfdata_sample *sample; /* the last one */
    double seconds;         /* that it took */
    uint64_t taken_ms;
    prfdata_output output;
} exposition;

static bool fail_memory(const exposition *e)
{
    prfdata_say_system_error(prfdata_say_nothing, "too many counters", ERROR_NOT_ENOUGH_MEMORY);
    e->session->system_failed = true;
    return false;
}

/* The paths that can find something; without any, everything is asked for. */
static bool copy_paths(exposition *e)
{
    e->paths = calloc(e->wishes.count + 1, sizeof *e->paths);
    if (!e->paths)
        return fail_memory(e);
    for (size_t i = 0; i < e->wishes.count; i++) {
        if (!e->wishes.items[i].is_bad)
            e->paths[e->path_count++] = e->wishes.items[i].path;
    }
    return true;
}

/* The file of -metrics. A failure was told. */
static bool read_overrides(exposition *e)
{
    const prfdata_text path = e->session->options.metrics_file;
    prfdata_overrides_error error = {{NULL, 0}, 0, NULL};
    prfdata_lines lines = {NULL, 0, NULL};
    size_t size = 0;
    void *bytes = NULL;
    uint32_t status;

    if (path.count == 0)
        return true;
    status = prfdata_console_read_file(path, PRFDATA_LINES_MAX_BYTES, &bytes, &size);
    if (status == ERROR_SUCCESS) {
        status = prfdata_overrides_make(bytes, size, &e->overrides, &lines, &error);
        free(bytes);
    }
    if (status == ERROR_INVALID_DATA && error.reason)
        prfdata_say_line_error(path, error.line, error.text, error.reason);
    else if (status != ERROR_SUCCESS)
        prfdata_say_system_error(path, "cannot read the file", status);
    prfdata_lines_free(&lines);
    e->session->system_failed = e->session->system_failed || status != ERROR_SUCCESS;
    return status == ERROR_SUCCESS;
}

/* Nobody says which: what the source thinks, not every provider at each scrape. */
static bool add_default_objects(exposition *e)
{
    prfdata_name_table objects = {NULL, 0, 0};
    bool is_all = false;
    bool done = true;
    uint32_t status = prfdata_source_load_objects(e->session->source, &objects, &is_all);

    for (size_t i = 0; done && i < objects.count; i++)
        done = prfdata_session_add_index(&e->wishes.set, objects.items[i].index);
    prfdata_name_table_free(&objects);
    if (!done || status == ERROR_NOT_ENOUGH_MEMORY)
        return fail_memory(e);
    if (is_all || e->wishes.set.count > 0)
        return true;
    prfdata_say_error(prfdata_say_nothing,
                      "there are no services of PrfData; name counter paths, such as "
                      "\"\\Process(*)\\*\"; prfread -q lists them");
    e->session->wanted = e->session->not_found = 1;
    return false;
}

static bool understand_paths(exposition *e)
{
    const prfdata_options *options = &e->session->options;

    if (options->name_count > 0 || options->counter_file.count > 0)
        return prfdata_wishes_make(e->session, &e->wishes);
    return add_default_objects(e);
}

/* A failure was told. */
static bool make(exposition *e, prfdata_session *session)
{
    prfdata_open_metrics_options wanted;

    memset(e, 0, sizeof *e);
    e->session = session;
    if (!read_overrides(e))
        return false;
    if (!understand_paths(e))
        return false;
    if (!copy_paths(e))
        return false;
    memset(&wanted, 0, sizeof wanted);
    wanted.paths = e->paths;
    wanted.path_count = e->path_count;
    wanted.bad_path_count = e->wishes.count - e->path_count;
    wanted.version = PRFDATA_VERSION;
    wanted.overrides = &e->overrides;
    wanted.fraction_parts = session->options.fraction_parts;
    if (prfdata_open_metrics_make(&wanted, &e->metrics) != ERROR_SUCCESS)
        return fail_memory(e);
    (void)prfdata_source_load_helps(session->source, &session->titles); /* it works without */
    return true;
}

static void release(exposition *e)
{
    prfdata_wishes_count_missing(e->session, &e->wishes);
    prfdata_sample_free(e->sample);
    prfdata_open_metrics_free(e->metrics);
    prfdata_overrides_free(&e->overrides);
    free(e->paths);
    prfdata_wishes_free(&e->wishes);
    prfdata_output_free(&e->output);
}

/* Take a sample; false: there is none. What is recorded stays when it is at its end. */
static bool take(exposition *e)
{
    uint64_t before = prfdata_os_ticks();
    prfdata_sample *taken = prfdata_wishes_take(e->session, &e->wishes);

    if (!taken)
        return e->sample && e->session->source->kind->is_recorded;
    prfdata_sample_free(e->sample);
    e->sample = taken;
    e->seconds = (double)(prfdata_os_ticks() - before) / (double)prfdata_os_ticks_per_second();
    e->taken_ms = prfdata_os_milliseconds();
    return true;
}

static void put(exposition *e, prfdata_dialect dialect, prfdata_output *output)
{
    size_t path = 0;

    prfdata_open_metrics_put(e->metrics, e->sample, &e->session->titles, &e->seconds, dialect,
                             output);
    for (size_t i = 0; i < e->wishes.count; i++) {
        prfdata_wish *wish = &e->wishes.items[i];

        if (!wish->is_bad && prfdata_open_metrics_found(e->metrics, path++))
            wish->has_columns = true;
    }
}

/* Whoever scrapes sees it in prfread_paths_not_found; whoever started us should, too. */
static void tell_missing(const exposition *e)
{
    for (size_t i = 0; i < e->wishes.count; i++) {
        if (!e->wishes.items[i].is_bad && !e->wishes.items[i].has_columns)
            prfdata_say("Warning", e->wishes.items[i].text, "nothing has this path now");
    }
}

/* ---- -f OM, -f PROM ---- */

static void write_one(exposition *e, bool overwrite)
{
    prfdata_session *s = e->session;
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (s->options.file.count == 0) {
        (void)prfdata_session_flush(s, &e->output);
        return;
    }
    if (!e->output.failed)
        status =
            prfdata_console_write_file(s->options.file, overwrite, e->output.bytes, e->output.used);
    if (status == ERROR_FILE_EXISTS)
        prfdata_say_error(s->options.file, "the file exists; -y overwrites it");
    else if (status != ERROR_SUCCESS)
        prfdata_say_system_error(s->options.file, "cannot write the file", status);
    s->system_failed = s->system_failed || status != ERROR_SUCCESS;
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
    const prfdata_options *options = &e->session->options;
    const prfdata_dialect dialect = options->format == PRFDATA_FORMAT_OM
                                        ? PRFDATA_DIALECT_OPEN_METRICS
                                        : PRFDATA_DIALECT_PROMETHEUS;
    const uint32_t count = wanted_count(options);
    uint64_t due_ms = prfdata_os_milliseconds();

    for (uint32_t i = 0; (count == 0 || i < count) && !e->session->system_failed; i++) {
        if (!prfdata_console_wait_until(i == 0 ? 0 : due_ms))
            return;
        due_ms += options->interval_ms;
        if (!take(e))
            return;
        put(e, dialect, &e->output);
        if (i == 0)
            tell_missing(e);
        write_one(e, options->overwrite || i > 0);
    }
}

void prfdata_exposition_print(prfdata_session *session)
{
    exposition e;

    if (make(&e, session))
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
    return !prfdata_console_wait_until(0);
}

static prfdata_serve *open_server(exposition *e)
{
    const prfdata_text text = e->session->options.serve_address;
    prfdata_serve *server = NULL;
    prfdata_net_address address;
    prfdata_net_problem problem;
    uint32_t status = 0;

    e->session->system_failed = true;
    if (!prfdata_net_address_parse(text, &address)) {
        prfdata_say_error(text, "no address");
        return NULL;
    }
    problem = prfdata_serve_open(&address, produce, e, &server, &status);
    if (problem == PRFDATA_NET_FAILED && status != 0)
        prfdata_say_system_error(text, prfdata_net_problem_text(problem), status);
    else if (problem != PRFDATA_NET_OK)
        prfdata_say_error(text, prfdata_net_problem_text(problem));
    e->session->system_failed = problem != PRFDATA_NET_OK;
    return server;
}

/* Put the host that was asked for; * is this computer, as others call it. */
static void put_host(prfdata_output *output, const prfdata_session *session)
{
    const prfdata_text asked = session->options.serve_address;
    size_t end = asked.count;

    while (end > 0 && asked.chars[end - 1] != ':')
        end--;
    if (end == 0)
        prfdata_output_put_string(output, "127.0.0.1");
    else if (asked.chars[0] == '*')
        prfdata_output_put_text(output, session->computer);
    else
        prfdata_output_put_text(output, prfdata_text_part(asked, 0, end - 1));
}

/* "Serving: http://127.0.0.1:9182/metrics, until Ctrl+C" */
static void tell_address(const exposition *e, const prfdata_serve *server)
{
    prfdata_output line;

    prfdata_output_init(&line);
    prfdata_output_put_string(&line, "http://");
    put_host(&line, e->session);
    prfdata_output_format(&line, ":%u/metrics, until Ctrl+C", (unsigned)prfdata_serve_port(server));
    prfdata_output_put(&line, "", 1);
    if (!line.failed)
        prfdata_say("Serving", prfdata_say_nothing, line.bytes);
    prfdata_output_free(&line);
}

void prfdata_exposition_serve(prfdata_session *session)
{
    prfdata_serve *server;
    exposition e;

    if (make(&e, session)) {
        server = open_server(&e);
        if (server && take(&e)) {
            put(&e, PRFDATA_DIALECT_PROMETHEUS, &e.output);
            tell_missing(&e);
            prfdata_output_free(&e.output);
        }
        if (server) {
            tell_address(&e, server);
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
            const prfdata_family_item item = {
                .object_title = object->wire.header.object_name_title_index,
                .counter_title = object->counters[c].definition.counter_name_title_index};

            if (item.counter_title != 0 &&
                prfdata_families_asks_for(path, &e->session->titles, &item))
                return true;
        }
    }
    return false;
}

void prfdata_exposition_explain(prfdata_session *session)
{
    exposition e;

    if (make(&e, session) && take(&e)) {
        prfdata_open_metrics_explain(e.metrics, e.sample, &session->titles, &e.output);
        for (size_t i = 0; i < e.wishes.count; i++)
            e.wishes.items[i].has_columns =
                !e.wishes.items[i].is_bad && explains(&e, &e.wishes.items[i].path);
        tell_missing(&e);
        if (prfdata_session_open_out(session)) {
            (void)prfdata_session_flush(session, &e.output);
            prfdata_session_close_out(session);
        }
    }
    release(&e);
}
