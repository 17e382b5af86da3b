/* SPDX-License-Identifier: MIT */
/* Starts the processes in which a provider is checked, one after the other, and follows each to its
 * end. check_report.c prints their messages. */
#include "prfcheck/follow.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "scenarios/scenarios.h"
#include "scenarios/self.h"

/*
 * The longest time to wait for a process to end after TerminateProcess. There is a limit because a
 * driver may hold a process forever.
 */
#define END_MS 10000u

/*
 * Between two looks at a process, at most this much time counts as time without a message. If more
 * time has passed, this thread and the process were delayed, because the computer slept or is busy.
 */
#define MOST_STEP_MS 50u

/*
 * If scenarios run again, they wait for objects AGAIN_SECONDS longer than the objects took to come
 * in the first run, but at most MOST_AGAIN_SECONDS. If -wait gives a longer time, they wait for
 * that time.
 */
#define AGAIN_SECONDS      2u
#define MOST_AGAIN_SECONDS 30u

/* Read the messages that have arrived. Returns false if there is none. */
static bool read_worker_messages(prfdata_check_report *r, HANDLE pipe)
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
            prfdata_check_report_take(r, &message);
        }
        any = true;
    }
    return any;
}

static void report_silence(prfdata_check_report *r, uint32_t seconds)
{
    char text[100];

    (void)snprintf(text, sizeof text, "its process sent no message for %u seconds and was ended",
                   (unsigned)seconds);
    prfdata_check_report_add(r, PRFDATA_WORKER_FATAL, PRFDATA_RULE_PROCESS_SILENT, text);
}

static void report_worker_end(prfdata_check_report *r, DWORD exit_code)
{
    char text[100];

    (void)snprintf(text, sizeof text, "the process ended with exit code 0x%08lX",
                   (unsigned long)exit_code);
    prfdata_check_report_add(
        r, PRFDATA_WORKER_FATAL,
        exit_code >= 0xC0000000 ? PRFDATA_RULE_COLLECT_CRASH : PRFDATA_RULE_PROCESS_ENDED, text);
}

/* Returns whether the check is not done although -each seconds have passed. */
static bool is_too_late(const prfdata_check_report *r)
{
    return !r->is_done && GetTickCount64() - r->begun_ms > r->options->each * 1000ull;
}

static void end_worker_process(prfdata_check_report *r, HANDLE process)
{
    TerminateProcess(process, 1);
    if (WaitForSingleObject(process, END_MS) == WAIT_TIMEOUT)
        prfdata_check_report_add(r, PRFDATA_WORKER_FATAL, PRFDATA_RULE_PROCESS_SILENT,
                                 "its process could not be ended; it is still there");
}

static void follow_worker(prfdata_check_report *r, HANDLE pipe, HANDLE process)
{
    const uint32_t seconds = r->options->silence;
    ULONGLONG looked_ms = GetTickCount64();
    uint64_t quiet_ms = 0;
    DWORD exit_code = 0;

    while (WaitForSingleObject(process, 5) == WAIT_TIMEOUT) {
        const ULONGLONG now_ms = GetTickCount64();

        quiet_ms += now_ms - looked_ms < MOST_STEP_MS ? now_ms - looked_ms : MOST_STEP_MS;
        looked_ms = now_ms;
        if (read_worker_messages(r, pipe))
            quiet_ms = 0;
        prfdata_check_report_go_on(r);
        r->is_late = is_too_late(r);
        if (quiet_ms > seconds * 1000ull) {
            if (!r->is_fatal && !r->is_done)
                report_silence(r, seconds);
            end_worker_process(r, process);
            break;
        }
        if (r->is_late) {
            end_worker_process(r, process);
            break;
        }
    }
    (void)read_worker_messages(r, pipe);
    (void)GetExitCodeProcess(process, &exit_code);
    if (!r->is_done && !r->is_late && !r->is_fatal)
        report_worker_end(r, exit_code);
}

/* Return how many seconds the next run waits for objects. */
static uint32_t wait_again(const prfdata_check_report *r)
{
    const uint32_t late = r->coverage.late_ms / 1000 + AGAIN_SECONDS;
    const uint32_t most = late < MOST_AGAIN_SECONDS ? late : MOST_AGAIN_SECONDS;

    return r->options->wait > most ? r->options->wait : most;
}

/* Make arguments such as " -worker 123 -from 4". */
static void make_worker_arguments(const prfdata_check_report *r, HANDLE writer, uint32_t from,
                                  const char *again, wchar_t *more, size_t capacity)
{
    const prfdata_check_options *o = r->options;
    size_t used;

    (void)swprintf(more, capacity, L" -worker %u -from %u", (unsigned)(uintptr_t)writer,
                   (unsigned)from);
    used = wcslen(more);
    if (again[0])
        (void)swprintf(more + used, capacity - used, L" -expect %u -wait %u -again %hs",
                       (unsigned)r->coverage.seen, (unsigned)wait_again(r), again);
    used = wcslen(more);
    if (o->all)
        (void)swprintf(more + used, capacity - used, L" -for \"%.*ls\"", (int)o->service.count,
                       (const wchar_t *)o->service.chars);
}

/* Run the scenarios from `from` on. If `again` is not empty, run only those whose digit in `again`
 * is 1. Returns ERROR_SUCCESS, or the reason why no worker could be started. */
static DWORD run_worker(prfdata_check_report *r, uint32_t from, const char *again)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    HANDLE reader;
    HANDLE writer;
    HANDLE process;
    wchar_t more[256 + 256];
    DWORD error = ERROR_SUCCESS;

    if (!CreatePipe(&reader, &writer, &inherited, 1 << 20))
        return GetLastError();
    SetHandleInformation(reader, HANDLE_FLAG_INHERIT, 0);
    r->scenario = from;
    r->is_fatal = false;
    r->is_end_accepted = true;
    make_worker_arguments(r, writer, from, again, more, sizeof more / sizeof more[0]);
    process = prfdata_self_start(more, NULL, 0, &error);
    CloseHandle(writer);
    if (process) {
        follow_worker(r, reader, process);
        CloseHandle(process);
    }
    CloseHandle(reader);
    return process ? ERROR_SUCCESS : error;
}

/* Say why the scenarios from `from` on do not run: too many processes ended (`ends`), or too many
 * hung. */
static void put_given_up(prfdata_check_report *r, uint32_t from, uint32_t ends, uint32_t most_hangs)
{
    const char *name = prfdata_scenarios_name(from);

    if (r->hangs < most_hangs)
        prfdata_output_format(
            &r->output, "given up before scenario %s because too many processes ended: %u\r\n",
            name, (unsigned)ends);
    else
        prfdata_output_format(&r->output,
                              "given up before scenario %s because %u process%s hung\r\n", name,
                              (unsigned)r->hangs, r->hangs == 1 ? "" : "es");
}

/* Run scenarios in processes until all are done, the time is up, or the check is given up. `again`
 * holds the digits that prfdata_coverage_find_again() sets; "": all scenarios that the options
 * want. */
static DWORD follow_scenarios(prfdata_check_report *r, const char *again)
{
    const uint32_t most_ends = r->options->quick ? 4 : 12;
    /* After this many hangs the check is given up, because each hang takes time. Hangs that are
     * accepted mistakes do not count. */
    const uint32_t most_hangs = r->options->quick ? 1 : 3;
    uint32_t from = 0;
    uint32_t ends = 0; /* processes that ended because of mistakes that are not accepted */
    DWORD error;

    while (!r->is_done && !r->is_late) {
        if (ends == most_ends || r->hangs >= most_hangs) {
            put_given_up(r, from, ends, most_hangs);
            r->is_given_up = true;
            r->is_broken = true;
            break;
        }
        error = run_worker(r, from, again);
        if (error != ERROR_SUCCESS)
            return error;
        ends += !r->is_end_accepted;
        from = r->scenario + 1;
        if (from >= prfdata_scenarios_count())
            break;
    }
    return ERROR_SUCCESS;
}

static DWORD follow_again(prfdata_check_report *r)
{
    char again[PRFDATA_COVERAGE_MOST + 1];
    const uint32_t count =
        prfdata_coverage_find_again(&r->coverage, (uint32_t)prfdata_scenarios_count(), again);

    if (count == 0)
        return ERROR_SUCCESS;
    if (r->options->verbose)
        prfdata_output_format(&r->output,
                              "objects came %u ms after Open: %u scenarios once more\r\n",
                              (unsigned)r->coverage.late_ms, (unsigned)count);
    r->is_done = false;
    return follow_scenarios(r, again);
}

DWORD prfdata_follow_provider(prfdata_check_report *r)
{
    DWORD error = follow_scenarios(r, "");

    if (error == ERROR_SUCCESS && !r->is_given_up && !r->is_late)
        error = follow_again(r);
    if (error == ERROR_SUCCESS && !r->is_given_up && r->coverage.seen == 0 &&
        prfdata_coverage_count_blind(&r->coverage) > 0) {
        r->scenario = 0;
        prfdata_check_report_add(r, PRFDATA_WORKER_FINDING, PRFDATA_RULE_NO_OBJECTS,
                                 "Collect returned no objects for Global");
    }
    return error;
}
