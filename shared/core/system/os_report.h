/* SPDX-License-Identifier: MIT */
/*
 * Declares the functions with which the client library reports to the debugger and to the event
 * log. os_report_win32.c and os_report_posix.c implement them. All texts are UTF-8.
 */
#ifndef PRFDATA_OS_REPORT_H
#define PRFDATA_OS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct prfdata_os_event {
    uint32_t number; /* from program_events.h */
    bool is_warning; /* otherwise information */
    const char *service;
    const char *detail;
    uint32_t code;
} prfdata_os_event;

/* Get the path of this process's program; "" if the path is unknown or too long. */
void prfdata_os_program_path(char *path, size_t capacity);

/*
 * Show a text, which ends with a line feed, to a debugger (OutputDebugString). A library must not
 * write into its program's output. So on Linux only `debug_output` of
 * prfdata_os_posix_set_reports() gets the text.
 */
void prfdata_os_debug_output(const char *text);

/*
 * Write an event with the source "PrfData <service>". Writes nothing if no installer registered the
 * source, or if this process has already written an event with this number for this service. On
 * Windows, another thread writes the event, under the process's own account. The call waits at most
 * a tenth of a second for this thread, because the program may end immediately. Never fails. The
 * caller must hold no lock.
 */
void prfdata_os_event_write(const prfdata_os_event *event);

#ifndef _WIN32
/* Replaces the debugger and the event log on Linux. */
typedef struct prfdata_os_posix_reports {
    void (*debug_output)(const char *text);
    void (*event)(const prfdata_os_event *event); /* NULL: no source is registered */
} prfdata_os_posix_reports;

/*
 * Set the reports, which are copied; NULL: none. The call also forgets which events were written.
 */
void prfdata_os_posix_set_reports(const prfdata_os_posix_reports *reports);
#endif

#endif
