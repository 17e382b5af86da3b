/* SPDX-License-Identifier: MIT */
/*
 * Implements os_report.h for Windows. The event log is another process, which may answer late, so a
 * separate thread writes to it.
 */
#include "system/os_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include <prfdata/map.h>

#include "base/wide_format.h"
#include "system/event_text.h"

#define SOURCES L"SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\"

/*
 * The longest wait for the thread that writes an event. A program that ends immediately must not
 * lose its event, and a program that continues must not wait long.
 */
#define WRITE_MILLISECONDS 100

enum { SOURCE_CHARS = PRFDATA_MAX_SERVICE_CHARS + 16 };

/* Owner: the caller; free(). NULL if memory is exhausted. */
static wchar_t *wide_text(const char *text)
{
    const int chars = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = chars > 0 ? malloc((size_t)chars * sizeof *wide) : NULL;

    if (wide && MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, chars) == 0)
        wide[0] = 0;
    return wide;
}

void prfdata_os_program_path(char *path, size_t capacity)
{
    wchar_t wide[MAX_PATH];
    const DWORD chars = GetModuleFileNameW(NULL, wide, MAX_PATH);

    if (capacity == 0)
        return;
    if (chars == 0 || chars == MAX_PATH ||
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, (int)capacity, NULL, NULL) == 0)
        path[0] = 0;
}

void prfdata_os_debug_output(const char *text)
{
    wchar_t *wide = wide_text(text);

    if (wide)
        OutputDebugStringW(wide);
    free(wide);
}

/* If the source is not registered, the system would write the event under "Application". */
static bool is_source_registered(const wchar_t *source)
{
    wchar_t path[sizeof SOURCES / sizeof(wchar_t) + SOURCE_CHARS] = SOURCES;
    HKEY key;

    wcscat(path, source);
    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS)
        return false;
    RegCloseKey(key);
    return true;
}

/*
 * Whether this process writes the event for the first time. An atom of the process records the
 * event, because a DLL that contains this library may be unloaded and loaded again.
 */
static bool is_first_of_process(const wchar_t *source, uint32_t number)
{
    wchar_t name[SOURCE_CHARS + 24];

    if (prfdata_wide_format(name, sizeof name / sizeof name[0], L"%ls event %u", source,
                            (unsigned)number) < 0)
        return false;
    return !FindAtomW(name) && AddAtomW(name) != 0;
}

/* The parts of one event, in memory that the writing thread owns. */
typedef struct log_entry {
    wchar_t source[SOURCE_CHARS];
    wchar_t code[16];
    wchar_t *strings[3]; /* the service, the detail, and `code` */
    DWORD message;
    WORD type;
    HMODULE module; /* this module, which must stay loaded until the thread has ended */
} log_entry;

static void free_log_entry(log_entry *entry)
{
    free(entry->strings[0]);
    free(entry->strings[1]);
    free(entry);
}

static DWORD WINAPI write_log_entry(void *context)
{
    log_entry *entry = context;
    HMODULE module = entry->module;
    HANDLE source = RegisterEventSourceW(NULL, entry->source);

    if (source) {
        ReportEventW(source, entry->type, 0, entry->message, NULL, 3, 0,
                     (const wchar_t **)(void *)entry->strings, NULL);
        DeregisterEventSource(source);
    }
    free_log_entry(entry);
    FreeLibraryAndExitThread(module, 0);
}

static log_entry *make_log_entry(const wchar_t *source, const prfdata_os_event *event)
{
    static const char inside_module = 0; /* its address identifies this module */
    log_entry *entry = calloc(1, sizeof *entry);

    if (!entry)
        return NULL;
    wcscpy(entry->source, source);
    swprintf(entry->code, sizeof entry->code / sizeof entry->code[0], L"%u", (unsigned)event->code);
    entry->strings[0] = wide_text(event->service);
    entry->strings[1] = wide_text(event->detail);
    if (entry->strings[1])
        prfdata_event_text_protect(entry->strings[1]);
    entry->strings[2] = entry->code;
    entry->type = event->is_warning ? EVENTLOG_WARNING_TYPE : EVENTLOG_INFORMATION_TYPE;
    entry->message = (event->is_warning ? 0x80000000u : 0x40000000u) | event->number;
    if (entry->strings[0] && entry->strings[1] &&
        GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                           (const wchar_t *)(const void *)&inside_module, &entry->module))
        return entry;
    free_log_entry(entry);
    return NULL;
}

void prfdata_os_event_write(const prfdata_os_event *event)
{
    wchar_t source[SOURCE_CHARS];
    log_entry *entry;
    HANDLE thread;

    if (strlen(event->service) > PRFDATA_MAX_SERVICE_CHARS ||
        prfdata_wide_format(source, SOURCE_CHARS, L"PrfData %hs", event->service) < 0 ||
        !is_source_registered(source) || !is_first_of_process(source, event->number))
        return;
    entry = make_log_entry(source, event);
    if (!entry)
        return;
    /* The new thread carries no token. */
    thread = CreateThread(NULL, 0, write_log_entry, entry, 0, NULL);
    if (!thread) {
        FreeLibrary(entry->module);
        free_log_entry(entry);
        return;
    }
    /* In DllMain the thread begins only when DllMain has returned. */
    WaitForSingleObject(thread, WRITE_MILLISECONDS);
    CloseHandle(thread);
}
