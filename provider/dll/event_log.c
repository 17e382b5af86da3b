/* SPDX-License-Identifier: MIT */
/*
 * Reports events in the Application log, each on a new thread. The reader's thread may have the
 * token of a client, and clients that logged on over the network may not write to the Application
 * log (win32, EventLog/event-logging-security.md). Also, reporting waits for another process, the
 * event log service, and Collect must not wait. Windows only.
 */
#include "dll/event_log.h"

#include <stdio.h>

#include <windows.h>

#include <prfdata/atomic.h>

#include "base/wide_format.h"
#include "system/event_text.h"
#include "system/os.h"

#define PERFLIB L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"

enum { NAME_CHARS = PRFDATA_MAX_SERVICE_CHARS + 32 };
enum { RETRY_MS = 1000, TRIES = 8 }; /* the pauses are 2, 4, 8 seconds and so on */

enum { REPORT_IS_FREE, REPORT_IS_WRITTEN_NOW, REPORT_IS_DONE, REPORT_HAS_FAILED };

typedef struct event_report {
    /* atomic: REPORT_...; the thread that makes it REPORT_IS_WRITTEN_NOW owns the other fields */
    uint64_t state;
    uint32_t tries;
    uint64_t failed_ms;
    wchar_t source[NAME_CHARS];
    wchar_t service[PRFDATA_MAX_SERVICE_CHARS + 1];
    prfdata_event event;
} event_report;

/* A module serves one service, and reports each event once. */
static struct {
    uint32_t failed; /* atomic: whether some reports may have to be retried */
    event_report reports[PRFDATA_EVENT_COUNT];
} log_state;

/* With KEY_WOW64_64KEY, readers of both bitnesses use the same value. */
static DWORD read_level(void)
{
    DWORD level = 0, type = REG_NONE, size = sizeof level;
    LSTATUS status;
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, PERFLIB, 0, KEY_QUERY_VALUE | KEY_WOW64_64KEY, &key) !=
        ERROR_SUCCESS)
        return 0;
    status = RegQueryValueExW(key, L"EventLogLevel", NULL, &type, (BYTE *)&level, &size);
    RegCloseKey(key);
    return status == ERROR_SUCCESS && type == REG_DWORD && size == sizeof level ? level : 0;
}

static WORD event_type(const prfdata_event *event)
{
    switch (event->severity) {
    case PRFDATA_EVENT_ERROR:
        return EVENTLOG_ERROR_TYPE;
    case PRFDATA_EVENT_WARNING:
        return EVENTLOG_WARNING_TYPE;
    default:
        return EVENTLOG_INFORMATION_TYPE;
    }
}

/* Returns the event's number in messages.mc, whose two highest bits are the severity. */
static DWORD event_message(const prfdata_event *event)
{
    return event->severity << 30 | (DWORD)event->id;
}

/*
 * Makes the name of the atom that records, in the process's atom table, that an event was reported.
 * Static variables are not enough, because they are lost when a reader unloads the DLL, and some
 * readers do that after each query.
 */
static bool make_atom_name(const event_report *report, wchar_t *name)
{
    return prfdata_wide_format(name, NAME_CHARS + 16, L"%ls event %u", report->source,
                               (unsigned)report->event.id) >= 0;
}

static bool is_reported_already(const event_report *report)
{
    wchar_t name[NAME_CHARS + 16];

    return !make_atom_name(report, name) || FindAtomW(name) != 0;
}

static void note_as_reported(const event_report *report)
{
    wchar_t name[NAME_CHARS + 16];

    if (make_atom_name(report, name))
        AddAtomW(name);
}

static bool write_log_event(const event_report *report)
{
    const prfdata_event *event = &report->event;
    wchar_t code[16], detail[PRFDATA_EVENT_DETAIL_CHARS];
    const wchar_t *strings[] = {report->service, detail, code};
    HANDLE source;
    bool is_written;

    if (prfdata_wide_format(code, sizeof code / sizeof code[0], L"%u", (unsigned)event->code) < 0)
        return false;
    wcscpy(detail, event->detail);
    prfdata_event_text_protect(detail);
    source = RegisterEventSourceW(NULL, report->source);
    if (!source)
        return false;
    is_written = ReportEventW(source, event_type(event), 0, event_message(event), NULL, 3, 0,
                              strings, NULL) != 0;
    DeregisterEventSource(source);
    return is_written;
}

static void end_report(event_report *report, bool is_written)
{
    if (is_written)
        note_as_reported(report);
    else
        report->failed_ms = prfdata_os_milliseconds();
    prfdata_store64_release(&report->state, is_written ? REPORT_IS_DONE : REPORT_HAS_FAILED);
    if (!is_written)
        prfdata_store32_relaxed(&log_state.failed, 1);
}

/*
 * Runs on a new thread, which has no impersonation token. The thread owns a reference to this
 * module, and releases the reference at its end.
 */
static DWORD WINAPI write_on_own_thread(void *context)
{
    event_report *report = context;
    HMODULE module = NULL;

    end_report(report, write_log_event(report));
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                           GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       (const wchar_t *)(const void *)&log_state, &module);
    FreeLibraryAndExitThread(module, 0);
}

/* The state must be REPORT_IS_WRITTEN_NOW, so that no other thread uses the report. */
static void start_report(event_report *report)
{
    HMODULE module;
    HANDLE thread;

    report->tries++;
    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                            (const wchar_t *)(const void *)&log_state, &module)) {
        end_report(report, false);
        return;
    }
    thread = CreateThread(NULL, 0, write_on_own_thread, report, 0, NULL);
    if (thread) {
        CloseHandle(thread);
        return;
    }
    FreeLibrary(module); /* not the last reference, because this call is inside the module */
    end_report(report, false);
}

/*
 * If a report has this state, takes the report, so that no other thread uses it. Otherwise returns
 * false.
 */
static bool take_report(event_report *report, uint64_t state)
{
    uint64_t seen = state;

    while (!prfdata_swap64_relaxed(&report->state, &seen, REPORT_IS_WRITTEN_NOW))
        if (seen != state)
            return false;
    prfdata_fence_acquire();
    return true;
}

static void report_event(void *context, const char *service, const prfdata_event *event)
{
    event_report *report = &log_state.reports[prfdata_events_index(event->id)];

    (void)context;
    if (!take_report(report, REPORT_IS_FREE))
        return; /* the module has a report of this event already */
    report->event = *event;
    if (prfdata_wide_format(report->service, PRFDATA_MAX_SERVICE_CHARS + 1, L"%hs", service) < 0 ||
        prfdata_wide_format(report->source, NAME_CHARS, L"PrfData %ls", report->service) < 0 ||
        is_reported_already(report))
        prfdata_store64_release(&report->state, REPORT_IS_DONE);
    else
        start_report(report);
}

static void retry_report(event_report *report)
{
    if (!take_report(report, REPORT_HAS_FAILED))
        return;
    if (report->tries >= TRIES) {
        prfdata_store64_release(&report->state, REPORT_IS_DONE);
    } else if (prfdata_os_milliseconds() - report->failed_ms < (uint64_t)RETRY_MS
                                                                   << report->tries) {
        prfdata_store64_release(&report->state, REPORT_HAS_FAILED);
        prfdata_store32_relaxed(&log_state.failed, 1);
    } else {
        start_report(report);
    }
}

void prfdata_event_log_retry(void)
{
    if (prfdata_load32_relaxed(&log_state.failed) == 0)
        return;
    prfdata_store32_relaxed(&log_state.failed, 0);
    for (uint32_t i = 0; i < PRFDATA_EVENT_COUNT; i++)
        retry_report(&log_state.reports[i]);
}

void prfdata_event_log_attach(prfdata_provider *provider)
{
    prfdata_provider_set_event_writer(provider, read_level(), report_event, NULL);
}
