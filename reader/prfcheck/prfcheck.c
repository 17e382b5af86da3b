/* SPDX-License-Identifier: MIT */
/*
 * Checks any provider DLL against the rules of perflib. This file reads the command line, checks
 * one provider or all, prints the results and sets the exit code. The provider runs in another
 * process (worker.h), so its faults cannot end the report.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/version.h>

#include <windows.h>

#include "base/array.h"
#include "base/wide_format.h"
#include "os/program.h"
#include "os/streams.h"
#include "prfcheck/follow.h"
#include "prfcheck/mistakes.h"
#include "scenarios/scenarios.h"
#include "scenarios/self.h"
#include "source/system_titles.h"
#include "text/lines.h"

enum {
    EXIT_CLEAN = 0,
    EXIT_WARNINGS = 1,
    EXIT_USAGE = 2, /* the same in all programs of PrfData */
    EXIT_ERRORS = 3,
    EXIT_BROKEN = 4,     /* the provider faulted, hung, ended its process or took too long */
    EXIT_NO_LOAD = 5,    /* no such service, library or export, or the registration is unreadable */
    EXIT_SYSTEM = 6,     /* the system could not start a process or write a file */
    EXIT_NOT_CHECKED = 7 /* nothing is wrong, but some scenario saw no objects */
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
    "  prfcheck -all                      every provider of this computer, and the\r\n"
    "                                     command that disables each faulty one\r\n"
    "\r\n"
    "Options, with - or /, in upper or lower case:\r\n"
    "  -dll path        check this library; nothing is read from the registry\r\n"
    "  -open, -collect, -close name   its exports\r\n"
    "  -context text    what Open gets; by default what Linkage\\Export says, or NULL\r\n"
    "  -first n -last n lowest and highest even title index that it may use, as the\r\n"
    "                   values First Counter and Last Counter say for a service\r\n"
    "  -all             all services in turn, as with -quick\r\n"
    "  -each n          seconds that a provider may take, 3600; with -all 300\r\n"
    "  -f JSON, -f JUnit  a line of JSON per provider, or XML with a case per\r\n"
    "                   scenario, instead of text\r\n"
    "  -fail error      exit code 0 although there are warnings\r\n"
    "  -accept RULE     do not count mistakes against this rule; RULE:9102: only\r\n"
    "                   those of this title; RULE:+2: the title 2 above First\r\n"
    "                   Counter; @FILE: all that the file lists, one per line\r\n"
    "  -save folder     save there the replies that findings are about\r\n"
    "  -quick           fewer sizes, samples and loads\r\n"
    "  -seconds n       how long many threads collect at once, and how long a reader\r\n"
    "                   pauses, 2 seconds\r\n"
    "  -limit n         seconds that a call may take; default: the service's limit,\r\n"
    "                   Perflib's (OpenProcedureWaitTime), or 10\r\n"
    "  -silence n       seconds without progress until a process is ended, 60\r\n"
    "  -wait n          seconds until the provider must have its objects, 3\r\n"
    "  -only name       one scenario, as -v names them\r\n"
    "  -v               print each scenario\r\n"
    "  -version         print the version\r\n"
    "  -?               print this\r\n"
    "\r\n"
    "A finding names the rule, the byte of the reply, and the event of the source\r\n"
    "Perflib that Windows would log. Errors: data would be dropped, or readers get\r\n"
    "wrong numbers. Warnings: it works, but breaks the contract. Notes: some readers\r\n"
    "may have trouble. A call counts as hung after twice its limit.\r\n"
    "\r\n"
    "Exit codes:\r\n"
    "  0  nothing, or only notes\r\n"
    "  1  warnings\r\n"
    "  2  the command line is wrong\r\n"
    "  3  errors\r\n"
    "  4  the provider faulted, hung, ended its process or took longer than -each\r\n"
    "  5  the service or DLL was not found, or could not be loaded\r\n"
    "  6  no process could be started, or the output could not be written\r\n"
    "  7  only notes, but some rules were not checked, because no objects came\r\n";

/* ---- Output ---- */

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

static int verdict_exit_code(const prfdata_check_options *options, prfdata_survey_verdict verdict)
{
    switch (verdict) {
    case PRFDATA_SURVEY_RIGHT:
    case PRFDATA_SURVEY_OFF:
        return EXIT_CLEAN;
    case PRFDATA_SURVEY_NOT_CHECKED:
        return EXIT_NOT_CHECKED;
    case PRFDATA_SURVEY_WARNINGS:
        return options->fails_error ? EXIT_CLEAN : EXIT_WARNINGS;
    case PRFDATA_SURVEY_NO_LOAD:
    case PRFDATA_SURVEY_NOT_FOUND:
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

/* Returns whether standard output is for programs. It must then contain only JSON or XML. */
static bool is_for_programs(const prfdata_check_options *options)
{
    return options->is_json || options->is_junit;
}

/* ---- The circumstances that all providers share ---- */

static prfdata_survey_about about;

static const wchar_t *skip_program_name(const wchar_t *line)
{
    const wchar_t end = line[0] == L'"' ? L'"' : L' ';

    line += line[0] == L'"';
    while (*line && *line != end)
        line++;
    line += *line != 0;
    while (*line == L' ')
        line++;
    return line;
}

static void note_circumstances(const prfdata_check_options *options)
{
    static char date[32];
    static char line[3 * 32768]; /* the longest command line in UTF-8 */
    SYSTEMTIME now;

    GetSystemTime(&now);
    (void)snprintf(date, sizeof date, "%04u-%02u-%02uT%02u:%02u:%02uZ", now.wYear, now.wMonth,
                   now.wDay, now.wHour, now.wMinute, now.wSecond);
    prfdata_text_to_utf8(wide_text(skip_program_name(GetCommandLineW())), line, sizeof line);
    about.version = PRFDATA_VERSION;
    about.date = date;
    about.options = line;
    about.fails_warnings = !options->fails_error;
}

/* ---- Accepted mistakes ---- */

#define ACCEPTED_BYTES 65536u /* the most bytes of all files that list accepted mistakes */

/* Return the line without its comment, which begins with #, and without blanks at the ends. */
static prfdata_text without_comment(prfdata_text line)
{
    size_t end = 0;

    while (end < line.count && line.chars[end] != '#')
        end++;
    return prfdata_text_trimmed(prfdata_text_part(line, 0, end));
}

/* Add each line to the accepted mistakes. Returns false, and sets *wrong, if a line is invalid or
 * there is no room for it. */
static bool add_accepted_lines(prfdata_check_options *options, const prfdata_lines *lines,
                               prfdata_lines_error *wrong)
{
    for (size_t i = 0; i < lines->count; i++) {
        const prfdata_text accepted = without_comment(lines->items[i].text);

        if (accepted.count == 0)
            continue;
        wrong->line = lines->items[i].number;
        wrong->reason = "neither a rule nor RULE:TITLE nor RULE:+N";
        if (!prfdata_mistakes_is_valid(accepted))
            return false;
        wrong->reason = "at most 256 mistakes are accepted";
        if (options->accept_count == PRFDATA_CHECK_MOST_ACCEPTED)
            return false;
        options->accept[options->accept_count++] = accepted;
    }
    return true;
}

/* Replace comments by blanks, because prfdata_lines_make() refuses a comment that is not UTF-8. A
 * file in UTF-16 stays as it is. */
static void blank_comments(char *bytes, size_t size)
{
    const bool is_utf16 = size > 0 && (bytes[0] == '\xFF' || bytes[0] == '\xFE');
    bool is_comment = false;

    for (size_t i = 0; i < size && !is_utf16; i++) {
        is_comment = bytes[i] != '\n' && (is_comment || bytes[i] == '#');
        if (is_comment)
            bytes[i] = ' ';
    }
}

/* Split the content of a file into `lines`, and add each line. Overwrites the comments in `bytes`.
 * Returns false, and sets *wrong, if the content is invalid. */
static bool add_accepted_bytes(prfdata_check_options *options, char *bytes, size_t size,
                               prfdata_lines *lines, prfdata_lines_error *wrong)
{
    uint32_t status;

    blank_comments(bytes, size);
    status = prfdata_lines_make(bytes, size, lines, wrong);
    if (status == ERROR_SUCCESS)
        return add_accepted_lines(options, lines, wrong);
    if (status != ERROR_INVALID_DATA)
        wrong->reason = "there is not enough memory";
    return false;
}

/* Read the whole file. Returns NULL, or what is wrong. */
static const char *read_accepted_file(prfdata_text file, char *bytes, size_t capacity, DWORD *size)
{
    const char *wrong = "the file cannot be read";
    LARGE_INTEGER all;
    wchar_t path[MAX_PATH];
    HANDLE handle;

    if (prfdata_wide_format(path, MAX_PATH, L"%.*ls", (int)file.count - 1,
                            (const wchar_t *)file.chars + 1) < 0)
        return wrong; /* a path that is cut would name another file */
    handle = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return wrong;
    if (GetFileSizeEx(handle, &all) && all.QuadPart > (LONGLONG)capacity)
        wrong = "all files of accepted mistakes together may have 65536 bytes";
    else if (ReadFile(handle, bytes, (DWORD)capacity, size, NULL))
        wrong = NULL;
    CloseHandle(handle);
    return wrong;
}

static void print_accepted_error(prfdata_text file, const prfdata_lines_error *wrong)
{
    char text[120];

    if (wrong->line == 0)
        (void)snprintf(text, sizeof text, "%s", wrong->reason);
    else
        (void)snprintf(text, sizeof text, "line %u: %s", (unsigned)wrong->line, wrong->reason);
    print_error(file, text);
}

/* Read each @FILE among the accepted mistakes, and add its lines to the list. The @FILE itself
 * stays in the list, and accepts nothing. The lines stay in memory, because the options refer to
 * them. */
static bool read_accepted(prfdata_check_options *options)
{
    static prfdata_lines lines[PRFDATA_CHECK_MOST_ACCEPTED];
    static char bytes[ACCEPTED_BYTES];
    const size_t given = options->accept_count;
    size_t used = 0;

    for (size_t i = 0; i < given; i++) {
        const prfdata_text file = options->accept[i];
        prfdata_lines_error wrong = {0, NULL};
        DWORD size = 0;

        if (file.chars[0] != '@')
            continue;
        wrong.reason = read_accepted_file(file, bytes, sizeof bytes - used, &size);
        if (!wrong.reason && add_accepted_bytes(options, bytes, size, &lines[i], &wrong)) {
            used += size;
            continue;
        }
        print_accepted_error(file, &wrong);
        return false;
    }
    return true;
}

/* ---- One provider ---- */

static void note_scenarios(const prfdata_check_report *r, prfdata_survey_row *row)
{
    static prfdata_survey_scenario scenarios[PRFDATA_COVERAGE_MOST];

    row->scenarios = scenarios;
    row->scenario_count = prfdata_scenarios_count();
    for (uint32_t i = 0; i < row->scenario_count; i++) {
        const wchar_t *query = prfdata_scenarios_query(i);
        const bool is_blind = prfdata_coverage_is_blind(&r->coverage, i);

        scenarios[i].name = prfdata_scenarios_name(i);
        scenarios[i].query[0] = '\0';
        if (query)
            (void)snprintf(scenarios[i].query, sizeof scenarios[i].query, "\"%.40ls\"", query);
        scenarios[i].part = prfdata_coverage_part_of(&r->coverage, i) == PRFDATA_COVERAGE_LEFT_OUT
                                ? PRFDATA_SURVEY_NO_TIME
                            : is_blind                         ? PRFDATA_SURVEY_UNSEEN
                            : r->coverage.scenarios[i].is_done ? PRFDATA_SURVEY_RAN
                                                               : PRFDATA_SURVEY_NOT_RUN;
    }
}

static void put_for_programs(prfdata_check_report *r, prfdata_survey_row *row)
{
    note_scenarios(r, row);
    if (r->options->is_json)
        prfdata_survey_put_json(&r->output, &about, row, &r->mistakes);
    else
        prfdata_survey_put_junit(&r->output, &about, row, &r->mistakes);
}

/* Write one of the tags around all suites of JUnit's XML. */
static void write_junit_tag(const prfdata_check_options *options,
                            void (*put)(prfdata_output *output))
{
    prfdata_output tag;

    if (!options->is_junit)
        return;
    prfdata_output_init(&tag);
    put(&tag);
    write_output(prfdata_streams_out(), &tag);
    prfdata_output_free(&tag);
}

/*
 * Return the names of this computer's titles. Returns NULL if the command line names a DLL instead
 * of a service, because the DLL may use title indexes of other providers.
 */
static const prfdata_name_table *find_names(const prfdata_check_options *options)
{
    static prfdata_name_table names;
    static bool are_loaded;

    if (options->service.count == 0)
        return NULL;
    if (!are_loaded)
        (void)prfdata_system_titles_load(&prfdata_system_keys_here, &names);
    are_loaded = true;
    return &names;
}

/* Empty the report and return it. Sets the service and the library of the row, and clears the row's
 * other members. */
static prfdata_check_report *begin_report(const prfdata_check_options *options,
                                          prfdata_text service, const wchar_t *library,
                                          prfdata_survey_row *row)
{
    static prfdata_check_report report;

    memset(row, 0, sizeof *row);
    prfdata_text_to_utf8(service, row->service, sizeof row->service);
    prfdata_text_to_utf8(wide_text(library), row->library, sizeof row->library);
    prfdata_output_free(&report.output);
    memset(&report, 0, sizeof report);
    report.options = options;
    report.is_quiet = options->all || is_for_programs(options);
    report.begun_ms = GetTickCount64();
    report.names = find_names(options);
    report.progress.is_terminal = prfdata_streams_is_terminal(prfdata_streams_err());
    report.progress.subject = options->all ? row->service : NULL;
    return &report;
}

static int check_provider(const prfdata_check_options *options,
                          const prfdata_registration *registration)
{
    prfdata_survey_row row;
    prfdata_check_report *r = begin_report(options, options->service, registration->library, &row);
    DWORD error;

    r->first_title = registration->titles.first_counter;
    error = prfdata_follow_provider(r);
    if (error != ERROR_SUCCESS) {
        print_start_error(options->service, error);
        return EXIT_SYSTEM;
    }
    prfdata_check_report_end(r);
    prfdata_check_report_sum(r, &row);
    row.took_ms = (uint32_t)(GetTickCount64() - r->begun_ms);
    prfdata_check_report_hide_progress(r);
    if (is_for_programs(options)) {
        put_for_programs(r, &row);
        write_output(prfdata_streams_out(), &r->output);
    }
    return verdict_exit_code(options, row.verdict);
}

static bool knows_scenario(const prfdata_check_options *options)
{
    for (uint32_t i = 0; i < prfdata_scenarios_count(); i++) {
        if (prfdata_worker_wants(options, i))
            return true;
    }
    return false;
}

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

/* Add a finding for a registration that cannot be read. Its provider counts as one that does not
 * load. */
static void note_unreadable(prfdata_check_report *r, const char *what, uint32_t status)
{
    char text[100];

    (void)snprintf(text, sizeof text, "%s could not be read: error %u", what, (unsigned)status);
    prfdata_check_report_add(r, PRFDATA_WORKER_FATAL, PRFDATA_RULE_LOAD, text);
}

/* Report title indexes that this service shares with another service. The scenarios cannot find
 * them, because each scenario checks only one provider. */
static void note_shared_titles(prfdata_check_report *r, prfdata_text service,
                               const prfdata_registration_titles *titles)
{
    prfdata_registration_titles theirs;
    wchar_t other[256];
    char name[128]; /* cut, so that `text` has room for the whole sentence */
    char text[200];

    if (!prfdata_registration_find_sharing(service, titles, other, &theirs))
        return;
    prfdata_text_to_utf8(wide_text(other), name, sizeof name);
    (void)snprintf(text, sizeof text, "it has %u to %u, service %s has %u to %u",
                   (unsigned)titles->first_counter, (unsigned)titles->last_counter, name,
                   (unsigned)theirs.first_counter, (unsigned)theirs.last_counter);
    prfdata_check_report_add(r, PRFDATA_WORKER_FINDING, PRFDATA_RULE_TITLES_SHARED, text);
}

/* Check one of all providers. Returns false if the system does not start another process. */
static bool check_one_of_all(const prfdata_check_options *options, prfdata_survey_row *row)
{
    static prfdata_registration registration;
    const char *what = "";
    const uint32_t status = find_registration(options, &registration, &what);
    prfdata_check_report *r = begin_report(options, options->service, registration.library, row);
    /* Windows does not load the provider of a service that is switched off, so it does not matter
     * whether the rest of the registration can be read. */
    const bool is_off = registration.is_disabled;
    DWORD error = ERROR_SUCCESS;

    r->first_title = registration.titles.first_counter;
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
    if (is_for_programs(options))
        put_for_programs(r, row);
    else
        prfdata_survey_put_line(&r->output, row, &r->mistakes);
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

        /* follow.c and survey.c put the name between quotation marks without escaping it. */
        if (wcschr(service, L'"')) {
            print_error(wide_text(service),
                        "not checked, because its name contains a quotation mark");
            continue;
        }
        more = prfdata_array_reserve(rows, &capacity, count + 1, sizeof *rows);
        if (!more) {
            print_error(wide_text(service), "not checked, because no memory is left");
            goes_on = false;
            break;
        }
        rows = more;
        one.service = wide_text(service);
        goes_on = check_one_of_all(&one, &rows[count]);
        if (goes_on && rows[count].verdict > worst)
            worst = rows[count].verdict;
        count += goes_on;
    }
    prfdata_output_init(&table);
    prfdata_survey_put_table(&table, rows, count);
    if (!is_for_programs(options))
        write_output(prfdata_streams_out(), &table);
    prfdata_output_free(&table);
    free(rows);
    return goes_on ? verdict_exit_code(options, worst) : EXIT_SYSTEM;
}

/* Report that there is no such service. Output for programs contains a verdict even then. */
static int report_not_found(const prfdata_check_options *options)
{
    static prfdata_survey_row row;
    prfdata_check_report *r = begin_report(options, options->service, L"", &row);

    if (is_for_programs(options)) {
        prfdata_survey_count(&row, &r->mistakes);
        row.verdict = PRFDATA_SURVEY_NOT_FOUND;
        put_for_programs(r, &row);
        write_output(prfdata_streams_out(), &r->output);
    }
    print_error(options->service, "no service of this name has counters; a DLL that is not "
                                  "registered goes after -dll");
    return EXIT_NO_LOAD;
}

/* Report a registration that cannot be read. Output for programs contains a verdict even then. */
static int report_unreadable(const prfdata_check_options *options,
                             const prfdata_registration *registration, const char *what,
                             uint32_t status)
{
    static prfdata_survey_row row;
    prfdata_check_report *r = begin_report(options, options->service, registration->library, &row);
    prfdata_output text;

    r->first_title = registration->titles.first_counter;
    r->is_quiet = true; /* print_error() below prints the text of the finding */
    note_unreadable(r, what, status);
    prfdata_check_report_sum(r, &row);
    if (is_for_programs(options) && !options->is_worker) {
        put_for_programs(r, &row);
        write_output(prfdata_streams_out(), &r->output);
    }
    prfdata_output_init(&text);
    prfdata_output_format(&text, "%s could not be read: error %u%c", what, (unsigned)status, 0);
    print_error(options->service, text.failed ? "" : text.bytes);
    prfdata_output_free(&text);
    return verdict_exit_code(options, row.verdict);
}

static int run_one(const prfdata_check_options *options)
{
    static prfdata_registration registration;
    const char *what = "";
    const uint32_t status = find_registration(options, &registration, &what);

    if (status == ERROR_SUCCESS)
        return options->is_worker ? prfdata_worker_run(options, &registration)
                                  : check_provider(options, &registration);
    if (status == ERROR_FILE_NOT_FOUND && !prfdata_registration_exists(options->service))
        return report_not_found(options);
    return report_unreadable(options, &registration, what, status);
}

/* Make the folder of -save, unless it exists. Returns false, and prints why, if that fails. */
static bool make_save_folder(prfdata_text folder)
{
    wchar_t path[MAX_PATH];
    char text[80];
    DWORD attributes;
    DWORD error = ERROR_FILENAME_EXCED_RANGE;

    if (folder.count == 0)
        return true;
    if (folder.count < MAX_PATH) {
        (void)swprintf(path, MAX_PATH, L"%.*ls", (int)folder.count, (const wchar_t *)folder.chars);
        if (CreateDirectoryW(path, NULL))
            return true;
        error = GetLastError();
        attributes = GetFileAttributesW(path);
        if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
            return true;
    }
    (void)snprintf(text, sizeof text, "the folder for replies cannot be made: error %lu",
                   (unsigned long)error);
    print_error(folder, text);
    return false;
}

static int run_prfcheck(prfdata_check_options *options)
{
    int exit_code;

    if (!knows_scenario(options)) {
        print_error(options->only, "no such scenario; -v names them");
        return EXIT_USAGE;
    }
    if (options->is_worker)
        return run_one(options);
    if (!read_accepted(options))
        return EXIT_USAGE;
    if (!make_save_folder(options->save))
        return EXIT_SYSTEM;
    note_circumstances(options);
    write_junit_tag(options, prfdata_survey_put_junit_begin);
    exit_code = options->all ? check_all_providers(options) : run_one(options);
    write_junit_tag(options, prfdata_survey_put_junit_end);
    return exit_code;
}

static void print_prfcheck_help(void)
{
    prfdata_output text;

    prfdata_output_init(&text);
    prfdata_output_put(&text, help, sizeof help - 1);
    write_output(prfdata_streams_out(), &text);
    prfdata_output_free(&text);
}

static void print_prfcheck_version(void)
{
    prfdata_output text;

    prfdata_output_init(&text);
    prfdata_output_format(&text, "prfcheck %s\r\n", PRFDATA_VERSION);
    write_output(prfdata_streams_out(), &text);
    prfdata_output_free(&text);
}

/*
 * Returns `exit_code`, or EXIT_SYSTEM if the output is incomplete, so that a program that reads the
 * output notices.
 */
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
    static prfdata_check_options options;
    prfdata_arguments_error error;

    prfdata_program_keep_dlls_out();
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
    if (options.version) {
        print_prfcheck_version();
        return exit_code_of_output(EXIT_CLEAN);
    }
    return exit_code_of_output(run_prfcheck(&options));
}
