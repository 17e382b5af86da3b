/* SPDX-License-Identifier: MIT */
/*
 * prfcheck: holds any provider DLL to the rules of perflib. The program's entrance: command line,
 * exit codes, one provider or all. The provider runs in another process (worker.h), so that its
 * faults cannot end the report; the scenarios know what is checked there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include "base/array.h"
#include "os/streams.h"
#include "prfcheck/follow.h"
#include "scenarios/scenarios.h"
#include "scenarios/self.h"

/* What the program returns. */
enum {
    EXIT_CLEAN = 0,
    EXIT_WARNINGS = 1,
    EXIT_USAGE = 2, /* as in all programs of PrfData */
    EXIT_ERRORS = 3,
    EXIT_BROKEN = 4,    /* it faulted, hung or ended its process */
    EXIT_NO_LOAD = 5,   /* no such service, library or export */
    EXIT_SYSTEM = 6,    /* the system refused a process for it, or room for what was printed */
    EXIT_NOT_JUDGED = 7 /* nothing is wrong, and some scenario saw no objects */
};

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
    "  prfcheck -all                      every provider of this computer: which one\r\n"
    "                                     is it, and what switches it off\r\n"
    "\r\n"
    "Options, with - or /, in any case:\r\n"
    "  -dll path        check this library; nothing is read from the registry\r\n"
    "  -open, -collect, -close name   its exports\r\n"
    "  -context text    what Open gets; else what Linkage\\Export says, or NULL\r\n"
    "  -first n -last n lowest and highest even title index that it may use, as the\r\n"
    "                   values First Counter and Last Counter say for a service\r\n"
    "  -all             all services in turn, as with -quick\r\n"
    "  -each n          seconds that a provider may take, 3600; with -all 300\r\n"
    "  -f JSON          a line of JSON per provider instead\r\n"
    "  -quick           fewer sizes, samples and loads\r\n"
    "  -seconds n       how long many threads collect at once, 2 seconds\r\n"
    "  -limit n         seconds that a call may take; else the service's, or 10\r\n"
    "  -silence n       seconds without progress until a process is ended, 60\r\n"
    "  -wait n          seconds until the provider must have its objects, 3\r\n"
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
    "  6  the system refused something: a process for it, room for the output\r\n"
    "  7  nothing but notes, where no objects came: that is not judged\r\n";

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

/* What the program returns for a verdict. */
static int verdict_exit_code(prfdata_survey_verdict verdict)
{
    switch (verdict) {
    case PRFDATA_SURVEY_RIGHT:
    case PRFDATA_SURVEY_OFF:
        return EXIT_CLEAN;
    case PRFDATA_SURVEY_NOT_JUDGED:
        return EXIT_NOT_JUDGED;
    case PRFDATA_SURVEY_WARNINGS:
        return EXIT_WARNINGS;
    case PRFDATA_SURVEY_NO_LOAD:
        return EXIT_NO_LOAD;
    case PRFDATA_SURVEY_ERRORS:
        return EXIT_ERRORS;
    default:
        return EXIT_BROKEN;
    }
}

static void print_start_error(prfdata_text service, DWORD error)
{
    char text[80];

    (void)snprintf(text, sizeof text, "no process for it could be started: error %lu",
                   (unsigned long)error);
    print_error(service, text);
}

static prfdata_text wide_text(const wchar_t *text)
{
    return prfdata_text_from_chars((const uint16_t *)text);
}

/* What does not fit is cut. */
static void copy_utf8(char *to, int capacity, prfdata_text text)
{
    const int used = text.count == 0
                         ? 0
                         : WideCharToMultiByte(CP_UTF8, 0, (const wchar_t *)text.chars,
                                               (int)text.count, to, capacity - 1, NULL, NULL);

    to[used] = '\0';
}

/* A report that has room; the row's names are set. */
static prfdata_check_report *begin_report(const prfdata_check_options *options,
                                          prfdata_text service, const wchar_t *library,
                                          prfdata_survey_row *row)
{
    static prfdata_check_report report;

    memset(row, 0, sizeof *row);
    copy_utf8(row->service, sizeof row->service, service);
    copy_utf8(row->library, sizeof row->library, wide_text(library));
    prfdata_output_free(&report.output);
    memset(&report, 0, sizeof report);
    report.options = options;
    report.is_quiet = options->all || options->is_json;
    report.begun_ms = GetTickCount64();
    report.progress.is_terminal = prfdata_streams_is_terminal(prfdata_streams_err());
    report.progress.subject = options->all ? row->service : NULL;
    return &report;
}

static int check_provider(const prfdata_check_options *options,
                          const prfdata_registration *registration)
{
    prfdata_survey_row row;
    prfdata_check_report *r = begin_report(options, options->service, registration->library, &row);
    const DWORD error = prfdata_follow_provider(r);

    if (error != ERROR_SUCCESS) {
        print_start_error(options->service, error);
        return EXIT_SYSTEM;
    }
    prfdata_check_report_end(r);
    prfdata_check_report_sum(r, &row);
    row.took_ms = (uint32_t)(GetTickCount64() - r->begun_ms);
    prfdata_check_report_hide_progress(r);
    if (options->is_json) {
        prfdata_survey_put_json(&r->output, &row, r->findings);
        write_output(prfdata_streams_out(), &r->output);
    }
    return verdict_exit_code(row.verdict);
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

/* ---- All providers of this computer ---- */

/* A registration that cannot be read is a provider that does not load. */
static void note_unreadable(prfdata_check_report *r, const char *what, uint32_t status)
{
    char text[100];

    (void)snprintf(text, sizeof text, "%s could not be read: error %u", what, (unsigned)status);
    prfdata_check_report_add(r, PRFDATA_WORKER_FATAL, PRFDATA_RULE_LOAD, text);
}

/* Each by itself may be right. */
static void note_shared_titles(prfdata_check_report *r, prfdata_text service,
                               const prfdata_registration_titles *titles)
{
    prfdata_registration_titles theirs;
    wchar_t other[256];
    char name[80];
    char text[200];

    if (!prfdata_registration_find_sharing(service, titles, other, &theirs))
        return;
    copy_utf8(name, sizeof name, wide_text(other));
    (void)snprintf(text, sizeof text, "it has %u to %u, service %s has %u to %u",
                   (unsigned)titles->first_counter, (unsigned)titles->last_counter, name,
                   (unsigned)theirs.first_counter, (unsigned)theirs.last_counter);
    prfdata_check_report_add(r, PRFDATA_WORKER_FINDING, PRFDATA_RULE_TITLES_SHARED, text);
}

/* Returns false if the system starts no process any more. */
static bool check_one_of_all(const prfdata_check_options *options, prfdata_survey_row *row)
{
    static prfdata_registration registration;
    const char *what = "";
    const uint32_t status = find_registration(options, &registration, &what);
    prfdata_check_report *r = begin_report(options, options->service, registration.library, row);
    /* Windows does not look at the rest either: what of it cannot be read does not matter. */
    const bool is_off = registration.is_disabled;
    DWORD error = ERROR_SUCCESS;

    if (!is_off)
        note_shared_titles(r, options->service, &registration.titles);
    if (!is_off && status != ERROR_SUCCESS)
        note_unreadable(r, what, status);
    else if (!is_off)
        error = prfdata_follow_provider(r);
    prfdata_check_report_hide_progress(r);
    if (error != ERROR_SUCCESS) {
        print_start_error(options->service, error);
        return false;
    }
    prfdata_check_report_write(r);
    prfdata_check_report_sum(r, row);
    if (is_off)
        row->verdict = PRFDATA_SURVEY_OFF;
    row->took_ms = (uint32_t)(GetTickCount64() - r->begun_ms);
    if (options->is_json)
        prfdata_survey_put_json(&r->output, row, r->findings);
    else
        prfdata_survey_put_line(&r->output, row, r->findings);
    write_output(prfdata_streams_out(), &r->output);
    return true;
}

static int check_all_providers(const prfdata_check_options *options)
{
    prfdata_check_options one = *options;
    wchar_t service[256];
    prfdata_output table;
    prfdata_survey_row *rows = NULL;
    size_t count = 0;
    size_t capacity = 0;
    prfdata_survey_verdict worst = PRFDATA_SURVEY_RIGHT;
    bool goes_on = true;

    for (uint32_t i = 0; goes_on && prfdata_registration_next(&i, service);) {
        prfdata_survey_row *more;

        if (wcschr(service, L'"')) /* no command line could carry it */
            continue;
        more = prfdata_array_reserve(rows, &capacity, count + 1, sizeof *rows);

        if (!more)
            break;
        rows = more;
        one.service = wide_text(service);
        goes_on = check_one_of_all(&one, &rows[count]);
        if (goes_on && rows[count].verdict > worst)
            worst = rows[count].verdict;
        count += goes_on;
    }
    prfdata_output_init(&table);
    prfdata_survey_put_table(&table, rows, count);
    if (!options->is_json)
        write_output(prfdata_streams_out(), &table);
    prfdata_output_free(&table);
    free(rows);
    return goes_on ? verdict_exit_code(worst) : EXIT_SYSTEM;
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
    if (options->all && !options->is_worker)
        return check_all_providers(options);
    status = find_registration(options, &registration, &what);
    if (status == ERROR_SUCCESS)
        return options->is_worker ? prfdata_worker_run(options, &registration)
                                  : check_provider(options, &registration);
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

/* Whoever reads the output must not take what is left of it for all. */
static int exit_code_of_output(int exit_code)
{
    char text[80];

    if (prfdata_streams_out_failure() == ERROR_SUCCESS)
        return exit_code;
    (void)snprintf(text, sizeof text, "standard output cannot be written: error %u",
                   (unsigned)prfdata_streams_out_failure());
    print_error((prfdata_text){NULL, 0}, text);
    return EXIT_SYSTEM;
}

int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv)
{
    prfdata_check_options options;
    prfdata_arguments_error error;

    prfdata_self_note_directory();
    if (!prfdata_check_options_parse(argc > 0 ? (size_t)argc - 1 : 0,
                                     (const uint16_t *const *)(argv + 1), &options, &error)) {
        print_error(error.argument, error.reason);
        print_prfcheck_help();
        return EXIT_USAGE;
    }
    if (options.help) {
        print_prfcheck_help();
        return exit_code_of_output(EXIT_CLEAN);
    }
    return exit_code_of_output(run_prfcheck(&options));
}
