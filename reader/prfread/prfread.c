/* SPDX-License-Identifier: MIT */
/*
 * Implements prfread, which reads performance counters on the command line in typeperf's manner.
 * Standard output carries only data; messages go to standard error. This file opens the source,
 * chooses the task and makes the exit code.
 */
#include <string.h>

#include <prfdata/version.h>

#include "os/files.h"
#include "os/program.h"
#include "os/stop.h"
#include "os/streams.h"
#include "prfread/command_line.h"
#include "prfread/exposition.h"
#include "prfread/format.h"
#include "prfread/help.h"
#include "prfread/inspect.h"
#include "prfread/printer.h"
#include "prfread/save.h"
#include "prfread/service.h"
#include "prfread/service_command.h"
#include "prfread/task.h"
#include "prfread/watch.h"
#include "top/top.h"
#ifdef _WIN32
#include "source/child.h"
#endif

/* Write the text, and free it. A failure is reported. */
static prfdata_exit_code print_whole(prfdata_output *text, prfdata_messages *messages)
{
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (!text->failed)
        status = prfdata_streams_write(prfdata_streams_out(), text->bytes, text->used);
    prfdata_output_free(text);
    if (status == ERROR_SUCCESS)
        return PRFDATA_EXIT_OK;
    prfdata_messages_add_system(messages, prfdata_no_subject, status, "cannot write");
    return PRFDATA_EXIT_SYSTEM;
}

static prfdata_exit_code print_version(prfdata_messages *messages)
{
    prfdata_output text = {0};

    prfdata_output_format(&text, "prfread %s\n", PRFDATA_VERSION);
    return print_whole(&text, messages);
}

/* Print the help. The topic is the first argument that is not an option, if there is one. */
static prfdata_exit_code print_help_topic(const prfdata_options *options,
                                          prfdata_messages *messages)
{
    const prfdata_text topic = options->name_count > 0 ? options->names[0] : prfdata_no_subject;
    prfdata_output text = {0};

    if (!prfdata_help_put(&text, topic)) {
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, topic,
                             "no help topic; prfread -? lists them");
        return PRFDATA_EXIT_USAGE;
    }
    return print_whole(&text, messages);
}

#ifdef _WIN32
#define ASK_AGAIN_MS 60000 /* time until a provider that failed is asked again */

/* End the program because its provider DLL faulted. This function may use neither messages nor
 * memory, so it only writes a line. */
static void end_by_fault(const char *text)
{
    const prfdata_stream err = prfdata_streams_err();

    (void)prfdata_streams_write(err, "Error: ", 7);
    (void)prfdata_streams_write(err, text, strlen(text));
    (void)prfdata_streams_write(err, "\r\n", 2);
    prfdata_program_end(PRFDATA_EXIT_DAMAGED);
}
#endif

static uint32_t open_live_source(const prfdata_options *options, prfdata_messages *messages,
                                 prfdata_source **source)
{
#ifdef _WIN32
    const prfdata_text computer = prfdata_options_computer(options);
    const prfdata_source_dll dll = {options->source_name, options->open_export,
                                    options->collect_export, options->close_export, end_by_fault};

    if (options->source == PRFDATA_SOURCE_DLL)
        return prfdata_source_open_dll(&dll, messages, source);
    if (options->source == PRFDATA_SOURCE_REGIONS)
        return prfdata_source_open_regions(options->source_name, messages, source);
    if (!prfdata_session_is_local(computer))
        return prfdata_source_open_computer(computer, messages, source);
    return prfdata_source_open_apart(&(prfdata_source_apart){options->limit_ms, ASK_AGAIN_MS, NULL},
                                     messages, source);
#else
    (void)options;
    (void)source;
    prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                         "only Windows has performance data; here -file reads saved blocks");
    prfdata_messages_add(messages, PRFDATA_SEVERITY_HINT, prfdata_no_subject,
                         "Try: prfread -? sources");
    return ERROR_NOT_SUPPORTED;
#endif
}

static prfdata_exit_code open_source(const prfdata_options *options, prfdata_messages *messages,
                                     prfdata_source **source)
{
    uint32_t status;

    if (options->source == PRFDATA_SOURCE_FILES)
        status =
            prfdata_source_open_files(options->source_name, options->second_file, messages, source);
    else
        status = open_live_source(options, messages, source);
    switch (status) {
    case ERROR_SUCCESS:
        return PRFDATA_EXIT_OK;
    case ERROR_INVALID_PARAMETER:
        return PRFDATA_EXIT_USAGE;
    case ERROR_INVALID_DATA:
        return PRFDATA_EXIT_DAMAGED;
    default:
        return PRFDATA_EXIT_SYSTEM;
    }
}

static uint32_t run_live_view(prfdata_task *task)
{
    const prfdata_options *options = &task->options;
    const prfdata_top_parameters parameters = {.interval_ms = options->interval_ms,
                                               .sample_count = options->sample_count,
                                               .is_capped = !options->uncapped};
    uint32_t status = ERROR_SUCCESS;
    prfdata_requests requests;

    if (!prfdata_streams_is_terminal(task->out)) {
        (void)prfdata_task_fail(task, prfdata_no_subject, ERROR_INVALID_HANDLE,
                                "-top needs a terminal, and standard output is not one; without "
                                "-top prfread prints values as lines, and -f JSON as JSON");
        return ERROR_INVALID_HANDLE;
    }
    if (prfdata_task_make_requests(task, &requests))
        status = prfdata_top_run(&task->session, &requests, &parameters);
    task->not_found += prfdata_requests_bad_count(&requests);
    prfdata_requests_free(&requests);
    return status != ERROR_SUCCESS ? status : prfdata_task_status(task);
}

static uint32_t run_task(prfdata_task *task)
{
    switch (task->options.task) {
    case PRFDATA_TASK_LIST:
    case PRFDATA_TASK_LIST_INSTANCES:
        return prfdata_inspect_list(task);
    case PRFDATA_TASK_DUMP:
        return prfdata_inspect_dump(task);
    case PRFDATA_TASK_TOP:
        return run_live_view(task);
    case PRFDATA_TASK_SAVE:
        return prfdata_save_run(task);
    case PRFDATA_TASK_SERVE:
        return prfdata_exposition_serve(task);
    case PRFDATA_TASK_EXPLAIN:
        return prfdata_exposition_explain(task);
    default:
        return task->options.format->put_exposition ? prfdata_exposition_print(task)
                                                    : prfdata_watch_run(task);
    }
}

/* Returns false if prfread would overwrite a file that it reads. That is reported. */
static bool spares_input(const prfdata_options *options, prfdata_messages *messages)
{
    const prfdata_text out = options->file.count > 0 ? options->file : options->save_file;
    const bool is_file = options->source == PRFDATA_SOURCE_FILES;
    const prfdata_text read[] = {is_file ? options->source_name : prfdata_no_subject,
                                 options->second_file, options->counter_file, options->metrics_file,
                                 options->config_file};

    for (size_t i = 0; out.count > 0 && i < sizeof read / sizeof read[0]; i++) {
        if (read[i].count > 0 && prfdata_files_are_same(read[i], out)) {
            prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, out,
                                 "prfread reads this file; name another one to write to");
            return false;
        }
    }
    return true;
}

/* Open the source and run the task. `report_serving` is as in prfdata_task. */
static prfdata_exit_code read_source(const prfdata_options *options, prfdata_messages *messages,
                                     void (*report_serving)(const char *url))
{
    prfdata_source *source = NULL;
    prfdata_exit_code exit_code;
    prfdata_task task;

    if (!spares_input(options, messages))
        return PRFDATA_EXIT_USAGE;
    exit_code = open_source(options, messages, &source);
    if (exit_code != PRFDATA_EXIT_OK)
        return exit_code;
    memset(&task, 0, sizeof task);
    task.options = *options;
    task.report_serving = report_serving;
    task.out = prfdata_streams_out();
    task.is_watched = prfdata_streams_is_terminal(prfdata_streams_err());
    prfdata_session_open(&task.session, source, messages);
    if (prfdata_session_is_here(&task.session, options->computer)) {
        exit_code = prfdata_task_exit_code(&task, run_task(&task));
    } else {
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, options->computer,
                             "-dll, -regions and -file read what is here, not another computer");
        exit_code = PRFDATA_EXIT_USAGE;
    }
    prfdata_task_free(&task);
    return exit_code;
}

static void report_arguments(void)
{
    prfdata_printer printer;

    prfdata_printer_init(&printer, NULL);
    prfdata_messages_add(&printer.messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                         "an argument is not UTF-8");
    prfdata_printer_free(&printer);
}

/* ---- The service ---- */

typedef struct program_arguments {
    size_t count;
    const uint16_t *const *items;
} program_arguments;

#ifdef _WIN32
static prfdata_exit_code change_service(const program_arguments *arguments,
                                        const prfdata_options *options, prfdata_messages *messages)
{
    if (options->service == PRFDATA_SERVICE_REMOVE)
        return prfdata_service_remove(messages);
    return prfdata_service_install(arguments->count, arguments->items, options, messages);
}

/* Write errors and warnings only, because notes and hints are of no use in the event log. */
static void show_in_event_log(const prfdata_message *message, prfdata_output *line)
{
    if (message->severity <= PRFDATA_SEVERITY_WARNING && !line->failed)
        prfdata_service_log_write(message->severity == PRFDATA_SEVERITY_ERROR
                                      ? PRFDATA_SERVICE_EVENT_ERROR
                                      : PRFDATA_SERVICE_EVENT_WARNING,
                                  line->bytes, line->used);
}

static prfdata_exit_code serve_as_service(void *context)
{
    const program_arguments *arguments = context;
    prfdata_printer printer;
    prfdata_command_line line;
    prfdata_exit_code exit_code = PRFDATA_EXIT_USAGE;

    prfdata_printer_init(&printer, show_in_event_log);
    if (prfdata_command_line_read(&line, arguments->count, arguments->items, &printer.messages) ==
        ERROR_SUCCESS)
        exit_code = read_source(&line.options, &printer.messages, prfdata_service_report_serving);
    prfdata_command_line_free(&line);
    prfdata_printer_free(&printer);
    return exit_code;
}

static prfdata_exit_code run_as_service(program_arguments *arguments)
{
    const uint32_t status = prfdata_service_run(serve_as_service, arguments);
    prfdata_printer printer;

    if (status == ERROR_SUCCESS)
        return PRFDATA_EXIT_OK;
    prfdata_printer_init(&printer, NULL);
    prfdata_messages_add_system(&printer.messages, prfdata_no_subject, status,
                                "only the service manager starts -service run; -serve alone "
                                "answers Prometheus from here");
    prfdata_printer_free(&printer);
    return PRFDATA_EXIT_USAGE;
}
#else
static prfdata_exit_code change_service(const program_arguments *arguments,
                                        const prfdata_options *options, prfdata_messages *messages)
{
    (void)arguments;
    (void)options;
    prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                         "only Windows has this kind of service");
    return PRFDATA_EXIT_USAGE;
}
#endif

/* ---- The program ---- */

static prfdata_exit_code run_command_line(const program_arguments *arguments,
                                          const prfdata_options *options,
                                          prfdata_messages *messages)
{
    if (options->task == PRFDATA_TASK_VERSION)
        return print_version(messages);
    if (options->task == PRFDATA_TASK_HELP)
        return print_help_topic(options, messages);
    if (options->service != PRFDATA_SERVICE_NONE)
        return change_service(arguments, options, messages);
    return read_source(options, messages, NULL);
}

static int run_arguments(size_t count, const uint16_t *const *items)
{
    program_arguments arguments = {count, items};
    prfdata_printer printer;
    prfdata_command_line line;
    prfdata_exit_code exit_code;
    uint32_t status;

#ifdef _WIN32
    int child_exit_code;

    if (prfdata_child_run_arguments(count, items, &child_exit_code))
        return child_exit_code;
    if (prfdata_service_command_is_run(count, items))
        return (int)run_as_service(&arguments);
#endif
    prfdata_stop_catch();
    prfdata_printer_init(&printer, NULL);
    status = prfdata_command_line_read(&line, count, items, &printer.messages);
    if (status != ERROR_SUCCESS)
        exit_code = status == ERROR_INVALID_PARAMETER ? PRFDATA_EXIT_USAGE : PRFDATA_EXIT_SYSTEM;
    else
        exit_code = run_command_line(&arguments, &line.options, &printer.messages);
    prfdata_command_line_free(&line);
    prfdata_printer_free(&printer);
    return (int)exit_code;
}

#ifdef _WIN32
int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv)
#else
int main(int argc, char **argv)
#endif
{
    const int exit_code = prfdata_program_run(argc, argv, run_arguments);

    if (exit_code != PRFDATA_PROGRAM_NOT_RUN)
        return exit_code;
    report_arguments();
    return PRFDATA_EXIT_USAGE;
}
