/* SPDX-License-Identifier: MIT */
/*
 * prfcheck: holds any provider DLL to the rules of perflib. This process prints the report; the
 * provider runs in another one (worker.h), so that its faults cannot end the report. Knows what is
 * printed and the exit codes, but not how a rule is checked. Knows Windows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include "os/streams.h"
#include "prfcheck/progress.h"
#include "prfcheck/scenarios.h"
#include "prfcheck/worker.h"

/* What the program returns. */
enum {
    EXIT_CLEAN = 0,
    EXIT_WARNINGS = 1,
    EXIT_USAGE = 2, /* as in all programs of PrfData */
    EXIT_ERRORS = 3,
    EXIT_BROKEN = 4,  /* it faulted, hung or ended its process */
    EXIT_NO_LOAD = 5, /* no such service, library or export */
    EXIT_SYSTEM = 6   /* the system started no process for it: it was not checked */
};

/* A worker sends a message at least once a second, unless the provider stops all its threads. */
#define DEFAULT_SILENCE_SECONDS 120u

static const char help[] =
    "prfcheck: tests a performance counter provider by the rules of Windows\r\n"
    "\r\n"
    "  prfcheck MyService                 the provider of a registered service\r\n"
    "  prfcheck MyService -v -seconds 60  each scenario, a minute of many threads\r\n"
    "  prfcheck -dll My.dll -open OpenMy -collect CollectMy -close CloseMy\r\n"
    "                                     a DLL that is not registered\r\n"
    "  prfcheck -dll MyPerf.dll -first 9100 -last 9124\r\n"
    "                                     exports PrfDataOpen, PrfDataCollect and\r\n"
    "                                     PrfDataClose, and its title indexes\r\n"
    "\r\n"
    "Options, with - or /, in any case:\r\n"
    "  -dll path        check this library; nothing is read from the registry\r\n"
    "  -open, -collect, -close name   its exports\r\n"
    "  -context text    what Open gets; else what Linkage\\Export says, or NULL\r\n"
    "  -first n -last n lowest and highest even title index that it may use, as the\r\n"
    "                   values First Counter and Last Counter say for a service\r\n"
    "  -quick           fewer sizes, samples and loads\r\n"
    "  -seconds n       how long many threads collect at once, 2 seconds\r\n"
    "  -limit n         seconds that a call may take; else the service's, or 10\r\n"
    "  -silence n       seconds without a message until a process is ended, 120\r\n"
    "  -only name       one scenario, as -v names them\r\n"
    "  -v               print each scenario\r\n"
    "  -?               print this\r\n"
    "\r\n"
    "A finding names the rule, the byte of the reply, and the event of the source\r\n"
    "Perflib that Windows would log. Errors: data would be dropped, or readers get\r\n"
    "wrong numbers. Warnings: against the contract, though it works. Notes: some\r\n"
    "reader may stumble. A call counts as hung after twice its limit.\r\n"
    "\r\n"
    "Exit codes:\r\n"
    "  0  nothing but notes\r\n"
    "  1  warnings\r\n"
    "  2  the command line is wrong\r\n"
    "  3  errors\r\n"
    "  4  the provider faulted, hung or ended its process\r\n"
    "  5  it could not be found or loaded\r\n"
    "  6  the system started no process for it\r\n";

/* ---- Output ---- */

/* Write lines and forget them. */
static void write_output(prfdata_stream stream, prfdata_output *output)
{
    (void)prfdata_streams_write_lines(stream, output);
    prfdata_output_clear(output);
}

static void print_error(prfdata_text subject, const char *text)
{
    prfdata_output line;

    prfdata_output_init(&line);
    prfdata_output_format(&line, "Error: ");
    if (subject.count > 0) {
        prfdata_output_put_text(&line, subject);
        prfdata_output_format(&line, ": ");
    }
    prfdata_output_format(&line, "%s\r\n", text);
    write_output(prfdata_streams_err(), &line);
    prfdata_output_free(&line);
}

/* ---- The report ---- */

typedef struct report {
    const prfdata_check_options *options;
    prfdata_output output;
    prfdata_progress progress;
    uint64_t totals[PRFDATA_RULE_COUNT];
    uint32_t shown[PRFDATA_RULE_COUNT];
    prfdata_finding last[PRFDATA_RULE_COUNT]; /* shown */
    uint64_t calls;
    uint32_t slowest_us;
    uint32_t scenario; /* that runs */
    uint32_t hangs;
    bool is_fatal; /* the worker sent why it ends */
    bool is_done;  /* with all scenarios */
    bool is_hopeless;
    bool is_broken;    /* a worker ended before its time */
    DWORD start_error; /* why no worker could be started */
} report;

static void write_progress(prfdata_output *output)
{
    if (output->used > 0)
        (void)prfdata_streams_write(prfdata_streams_err(), output->bytes, output->used);
    prfdata_output_free(output);
}

/* The scenario goes on, or another one begins. */
static void show_progress(report *r, bool begins)
{
    prfdata_output line;

    prfdata_output_init(&line);
    if (begins)
        prfdata_progress_begin(&r->progress, prfdata_scenarios_name(r->scenario), r->scenario,
                               prfdata_scenarios_count(), GetTickCount64(), &line);
    else
        prfdata_progress_go_on(&r->progress, GetTickCount64(), &line);
    write_progress(&line);
}

/* Print what was put into the report. */
static void write_report(report *r)
{
    prfdata_output line;

    if (r->output.used == 0)
        return;
    prfdata_output_init(&line);
    prfdata_progress_hide(&r->progress, &line);
    write_progress(&line);
    write_output(prfdata_streams_out(), &r->output);
}

static void put_finding_place(report *r, const prfdata_worker_message *message)
{
    prfdata_output_format(&r->output, " [%s", prfdata_scenarios_name(message->scenario));
    if (message->query[0])
        prfdata_output_format(&r->output, ": %s", message->query);
    prfdata_output_format(&r->output, "]");
}

/* "error object-length, byte 64, event 1003: what. The rule. [scenario: query, capacity]" */
static void put_finding(report *r, const prfdata_worker_message *message)
{
    const prfdata_rule_about *about = prfdata_rules_about(message->rule);

    prfdata_output_format(&r->output, "%s %s", prfdata_rules_severity_name(about->severity),
                          about->name);
    if (message->offset != PRFDATA_NO_OFFSET)
        prfdata_output_format(&r->output, ", byte %llu", (unsigned long long)message->offset);
    if (about->event != 0)
        prfdata_output_format(&r->output, ", Perflib event %u", (unsigned)about->event);
    prfdata_output_format(&r->output, ": %s. %s", message->text, about->sentence);
    put_finding_place(r, message);
    prfdata_output_format(&r->output, "\r\n");
}

/* The first of each rule are shown, unless the same one was shown just before. */
static void take_worker_finding(report *r, const prfdata_worker_message *message)
{
    prfdata_finding *last = &r->last[message->rule];

    r->totals[message->rule] += message->count;
    if (r->shown[message->rule] == PRFDATA_FINDINGS_KEPT ||
        (r->shown[message->rule] > 0 && last->offset == message->offset &&
         strcmp(last->text, message->text) == 0))
        return;
    r->shown[message->rule]++;
    last->offset = message->offset;
    memcpy(last->text, message->text, sizeof last->text);
    put_finding(r, message);
}

static void take_scenario_end(report *r, const prfdata_worker_message *message)
{
    const wchar_t *query = prfdata_scenarios_query(message->scenario);

    r->calls += message->calls;
    if (message->slowest_us > r->slowest_us)
        r->slowest_us = message->slowest_us;
    if (!r->options->verbose)
        return;
    prfdata_output_format(&r->output, "%s", prfdata_scenarios_name(message->scenario));
    if (query)
        prfdata_output_format(&r->output, " \"%ls\"", query);
    prfdata_output_format(&r->output, ": %llu calls%s%s\r\n", (unsigned long long)message->calls,
                          message->text[0] ? ", " : "", message->text);
}

static bool is_time_rule(prfdata_rule rule)
{
    return rule == PRFDATA_RULE_PROCESS_SILENT || rule == PRFDATA_RULE_LOAD_TIME ||
           rule == PRFDATA_RULE_OPEN_TIME || rule == PRFDATA_RULE_COLLECT_TIME ||
           rule == PRFDATA_RULE_CLOSE_TIME;
}

static void take_worker_message(report *r, const prfdata_worker_message *message)
{
    switch (message->kind) {
    case PRFDATA_WORKER_BEGIN:
        r->scenario = message->scenario;
        show_progress(r, true);
        break;
    case PRFDATA_WORKER_FINDING:
        take_worker_finding(r, message);
        break;
    case PRFDATA_WORKER_MORE:
        r->totals[message->rule] += message->count;
        break;
    case PRFDATA_WORKER_FATAL:
        take_worker_finding(r, message);
        r->is_fatal = true;
        r->hangs += is_time_rule(message->rule);
        break;
    case PRFDATA_WORKER_END:
        take_scenario_end(r, message);
        break;
    case PRFDATA_WORKER_DONE:
        r->is_done = true;
        break;
    case PRFDATA_WORKER_HOPELESS:
        r->is_done = true;
        r->is_hopeless = true;
        break;
    case PRFDATA_WORKER_ALIVE:
        break;
    }
    write_report(r);
}

/* Report what the worker can no longer send. */
static void report_for_worker(report *r, prfdata_rule rule, const char *text)
{
    prfdata_worker_message message;

    memset(&message, 0, sizeof message);
    message.kind = PRFDATA_WORKER_FATAL;
    message.scenario = r->scenario;
    message.offset = PRFDATA_NO_OFFSET;
    message.count = 1;
    message.rule = rule;
    (void)snprintf(message.text, sizeof message.text, "%s", text);
    take_worker_message(r, &message);
}

/* ---- The worker ---- */

/* Systems that are busy, or look at every new process, fail now and then. */
#define START_ATTEMPTS 4
#define START_SLEEP_MS 250

/* Start a worker; NULL: failed, and *error says why. */
static HANDLE start_worker(HANDLE pipe, uint32_t from, DWORD *error)
{
    STARTUPINFOW startup;
    PROCESS_INFORMATION process;
    const wchar_t *line = GetCommandLineW();
    const size_t capacity = wcslen(line) + 64;
    wchar_t *command = malloc(capacity * sizeof *command);
    wchar_t path[1024];
    HANDLE started = NULL;
    DWORD count = GetModuleFileNameW(NULL, path, 1024);

    *error = command ? ERROR_FILENAME_EXCED_RANGE : ERROR_NOT_ENOUGH_MEMORY;
    if (!command || count == 0 || count >= 1024)
        goto free_command;
    (void)swprintf(command, capacity, L"%ls -worker %u -from %u", line, (unsigned)(uintptr_t)pipe,
                   (unsigned)from);
    memset(&startup, 0, sizeof startup);
    startup.cb = sizeof startup;
    for (int attempt = 0; !started && attempt < START_ATTEMPTS; attempt++) {
        if (attempt > 0)
            Sleep(START_SLEEP_MS);
        if (CreateProcessW(path, command, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process)) {
            CloseHandle(process.hThread);
            started = process.hProcess;
        } else {
            *error = GetLastError();
        }
    }
free_command:
    free(command);
    return started;
}

/* Read the messages that have come; false: there is none. */
static bool read_worker_messages(report *r, HANDLE pipe)
{
    prfdata_worker_message message;
    DWORD available = 0;
    DWORD got = 0;
    bool any = false;

    while (PeekNamedPipe(pipe, NULL, 0, NULL, &available, NULL) && available >= sizeof message &&
           ReadFile(pipe, &message, sizeof message, &got, NULL) && got == sizeof message) {
        if ((uint32_t)message.rule < PRFDATA_RULE_COUNT &&
            message.scenario < prfdata_scenarios_count()) {
            message.text[sizeof message.text - 1] = '\0';
            message.query[sizeof message.query - 1] = '\0';
            take_worker_message(r, &message);
        }
        any = true;
    }
    return any;
}

static void report_silence(report *r, uint32_t seconds)
{
    char text[100];

    (void)snprintf(text, sizeof text, "its process sent no message for %u seconds and was ended",
                   (unsigned)seconds);
    report_for_worker(r, PRFDATA_RULE_PROCESS_SILENT, text);
}

static void report_worker_end(report *r, DWORD exit_code)
{
    char text[100];

    (void)snprintf(text, sizeof text, "the process ended with exit code 0x%08lX",
                   (unsigned long)exit_code);
    report_for_worker(
        r, exit_code >= 0xC0000000 ? PRFDATA_RULE_COLLECT_CRASH : PRFDATA_RULE_PROCESS_ENDED, text);
}

/* Follow a worker to its end. */
static void follow_worker(report *r, HANDLE pipe, HANDLE process)
{
    const uint32_t seconds = r->options->silence ? r->options->silence : DEFAULT_SILENCE_SECONDS;
    ULONGLONG heard_ms = GetTickCount64();
    DWORD exit_code = 0;

    while (WaitForSingleObject(process, 5) == WAIT_TIMEOUT) {
        show_progress(r, false);
        if (read_worker_messages(r, pipe)) {
            heard_ms = GetTickCount64();
        } else if (GetTickCount64() - heard_ms > seconds * 1000ull) {
            if (!r->is_fatal)
                report_silence(r, seconds);
            TerminateProcess(process, 1);
        }
    }
    (void)read_worker_messages(r, pipe);
    (void)GetExitCodeProcess(process, &exit_code);
    if (r->is_done)
        return;
    r->is_broken = true;
    if (!r->is_fatal)
        report_worker_end(r, exit_code);
}

/* Run the scenarios from `from` on. Returns false if no worker could be started. */
static bool run_worker(report *r, uint32_t from)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    HANDLE reader;
    HANDLE writer;
    HANDLE process;

    if (!CreatePipe(&reader, &writer, &inherited, 1 << 20)) {
        r->start_error = GetLastError();
        return false;
    }
    SetHandleInformation(reader, HANDLE_FLAG_INHERIT, 0);
    r->scenario = from;
    r->is_fatal = false;
    process = start_worker(writer, from, &r->start_error);
    CloseHandle(writer);
    if (process) {
        follow_worker(r, reader, process);
        CloseHandle(process);
    }
    CloseHandle(reader);
    return process != NULL;
}

static bool run_workers(report *r)
{
    const uint32_t most_ends = r->options->quick ? 4 : 12;
    const uint32_t most_hangs = r->options->quick ? 1 : 3; /* each one takes its time */
    uint32_t from = 0;

    for (uint32_t ends = 0; !r->is_done; ends++) {
        if (ends == most_ends || r->hangs == most_hangs) {
            prfdata_output_format(
                &r->output, "given up before scenario %s: the provider ended %u processes\r\n",
                prfdata_scenarios_name(from), (unsigned)ends);
            break;
        }
        if (!run_worker(r, from))
            return false;
        from = r->scenario + 1;
        if (from >= prfdata_scenarios_count())
            break;
    }
    return true;
}

/* ---- The end ---- */

static uint64_t severity_total(const report *r, prfdata_rule_severity severity)
{
    uint64_t total = 0;

    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        if (prfdata_rules_about((prfdata_rule)i)->severity == severity)
            total += r->totals[i];
    }
    return total;
}

static void put_total(report *r, uint64_t total, const char *noun, char end)
{
    prfdata_output_format(&r->output, "%llu %s%s%c ", (unsigned long long)total, noun,
                          total == 1 ? "" : "s", end);
}

static void put_summary(report *r)
{
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        if (r->totals[i] > r->shown[i])
            prfdata_output_format(
                &r->output, "%s %s: %llu in all\r\n",
                prfdata_rules_severity_name(prfdata_rules_about((prfdata_rule)i)->severity),
                prfdata_rules_about((prfdata_rule)i)->name, (unsigned long long)r->totals[i]);
    }
    prfdata_output_format(&r->output, "prfcheck: ");
    put_total(r, severity_total(r, PRFDATA_RULE_SEVERITY_ERROR), "error", ',');
    put_total(r, severity_total(r, PRFDATA_RULE_SEVERITY_WARNING), "warning", ',');
    put_total(r, severity_total(r, PRFDATA_RULE_SEVERITY_NOTE), "note", ';');
    put_total(r, r->calls, "Collect", ',');
    prfdata_output_format(&r->output, "slowest %u.%03u ms\r\n", (unsigned)(r->slowest_us / 1000),
                          (unsigned)(r->slowest_us % 1000));
    write_report(r);
}

static int report_exit_code(const report *r)
{
    if (r->totals[PRFDATA_RULE_LOAD] || r->totals[PRFDATA_RULE_OPEN_EXPORT] ||
        r->totals[PRFDATA_RULE_COLLECT_EXPORT] || r->totals[PRFDATA_RULE_CLOSE_EXPORT])
        return EXIT_NO_LOAD;
    if (r->is_broken || r->totals[PRFDATA_RULE_LOAD_CRASH])
        return EXIT_BROKEN;
    if (severity_total(r, PRFDATA_RULE_SEVERITY_ERROR) > 0)
        return EXIT_ERRORS;
    return severity_total(r, PRFDATA_RULE_SEVERITY_WARNING) > 0 ? EXIT_WARNINGS : EXIT_CLEAN;
}

static int check_provider(const prfdata_check_options *options)
{
    static report r;
    int exit_code = EXIT_SYSTEM;

    r.options = options;
    prfdata_output_init(&r.output);
    r.progress.is_terminal = prfdata_streams_is_terminal(prfdata_streams_err());
    if (run_workers(&r)) {
        put_summary(&r);
        exit_code = report_exit_code(&r);
    } else {
        char text[80];

        (void)snprintf(text, sizeof text, "no process for it could be started: error %lu",
                       (unsigned long)r.start_error);
        print_error(options->service, text);
    }
    prfdata_output_free(&r.output);
    return exit_code;
}

static bool knows_scenario(const prfdata_check_options *options)
{
    for (uint32_t i = 0; i < prfdata_scenarios_count(); i++) {
        if (prfdata_worker_wants(options, i))
            return true;
    }
    return false;
}

/* What the registry or the command line says about the provider. */
static uint32_t find_registration(const prfdata_check_options *options,
                                  prfdata_registration *registration, const char **what)
{
    uint32_t status = ERROR_SUCCESS;

    if (options->dll.count > 0) {
        prfdata_registration_of_dll(options->dll, registration);
        prfdata_registration_set_exports(registration, options->open, options->collect,
                                         options->close);
    } else {
        status = prfdata_registration_read(options->service, registration, what);
    }
    if (options->has_context)
        prfdata_registration_set_context(registration, options->context);
    if (options->first != 0)
        prfdata_registration_set_titles(registration, options->first, options->last);
    if (options->limit != 0)
        prfdata_registration_set_limit(registration, options->limit);
    return status;
}

static int run_prfcheck(const prfdata_check_options *options)
{
    static prfdata_registration registration;
    const char *what = "";
    prfdata_output text;
    uint32_t status;

    if (!knows_scenario(options)) {
        print_error(options->only, "no such scenario; -v names them");
        return EXIT_USAGE;
    }
    status = find_registration(options, &registration, &what);
    if (status == ERROR_SUCCESS)
        return options->is_worker ? prfdata_worker_run(options, &registration)
                                  : check_provider(options);
    if (status == ERROR_FILE_NOT_FOUND && !prfdata_registration_exists(options->service)) {
        print_error(options->service, "no service of this name has counters; a DLL that is not "
                                      "registered goes after -dll");
        return EXIT_NO_LOAD;
    }
    prfdata_output_init(&text);
    prfdata_output_format(&text, "%s could not be read: error %u%c", what, (unsigned)status, 0);
    print_error(options->service, text.failed ? "" : text.bytes);
    prfdata_output_free(&text);
    return EXIT_NO_LOAD;
}

static void print_prfcheck_help(void)
{
    prfdata_output text;

    prfdata_output_init(&text);
    prfdata_output_put(&text, help, sizeof help - 1);
    write_output(prfdata_streams_out(), &text);
    prfdata_output_free(&text);
}

int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv)
{
    prfdata_check_options options;
    prfdata_arguments_error error;

    if (!prfdata_check_options_parse(argc > 0 ? (size_t)argc - 1 : 0,
                                     (const uint16_t *const *)(argv + 1), &options, &error)) {
        print_error(error.argument, error.reason);
        print_prfcheck_help();
        return EXIT_USAGE;
    }
    if (options.help) {
        print_prfcheck_help();
        return EXIT_CLEAN;
    }
    return run_prfcheck(&options);
}
