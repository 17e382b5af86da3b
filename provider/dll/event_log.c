/* SPDX-License-Identifier: MIT */
/*
 * Reports events in the Application log. Reporting calls another process, the event log service,
 * and may wait for it: events.c calls this while no lock is held. Windows only.
 */
#include "dll/event_log.h"

#include <stdio.h>

#include <windows.h>

#define PERFLIB L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"

enum { NAME_CHARS = PRFDATA_MAX_SERVICE_CHARS + 32 };

/* KEY_WOW64_64KEY: readers of both bitnesses use one value. */
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

/*
 * Whether this process reports the event for the first time. Kept in the process's table of atoms,
 * because some readers unload the DLL after each query, and its statics with it.
 */
static bool is_first_time(const wchar_t *source, prfdata_event_id id)
{
    wchar_t name[NAME_CHARS + 16];

    if (swprintf(name, sizeof name / sizeof name[0], L"%ls event %u", source, (unsigned)id) < 0)
        return false;
    return !FindAtomW(name) && AddAtomW(name) != 0;
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

/* As messages.mc numbers them: the severity is in the two highest bits. */
static DWORD event_message(const prfdata_event *event)
{
    return event->severity << 30 | (DWORD)event->id;
}

static void write_log_event(void *context, const char *service, const prfdata_event *event)
{
    wchar_t source_name[NAME_CHARS];
    wchar_t name[PRFDATA_MAX_SERVICE_CHARS + 1];
    wchar_t code[16];
    const wchar_t *strings[3];
    HANDLE source;

    (void)context;
    if (swprintf(name, sizeof name / sizeof name[0], L"%hs", service) < 0 ||
        swprintf(source_name, NAME_CHARS, L"PrfData %ls", name) < 0 ||
        swprintf(code, sizeof code / sizeof code[0], L"%u", (unsigned)event->code) < 0 ||
        !is_first_time(source_name, event->id))
        return;
    source = RegisterEventSourceW(NULL, source_name);
    if (!source)
        return;
    strings[0] = name;
    strings[1] = event->detail;
    strings[2] = code;
    ReportEventW(source, event_type(event), 0, event_message(event), NULL, 3, 0, strings, NULL);
    DeregisterEventSource(source);
}

void prfdata_event_log_attach(prfdata_provider *provider)
{
    prfdata_provider_set_event_writer(provider, read_level(), write_log_event, NULL);
}
