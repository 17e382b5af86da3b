/* SPDX-License-Identifier: MIT */
/*
 * The reports of a program that uses the client library, when something is wrong: to the debugger
 * and to the event log. os_report_win32.c and os_report_posix.c implement it. All texts are UTF-8.
 */
#ifndef PRFDATA_OS_REPORT_H
#define PRFDATA_OS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct prfdata_os_event {
    uint32_t number; /* of program_events.h */
    bool is_warning; /* else information */
    const char *service;
    const char *detail;
    uint32_t code;
} prfdata_os_event;

/* The path of this process's program; "" if the system does not say it, or it does not fit. */
void prfdata_os_program_path(char *path, size_t capacity);

/*
 * Show a text, which ends with a line feed, to a debugger: OutputDebugString. On Linux only
 * prfdata_os_posix_set_reports gets it: a library does not write into its program's output.
 */
void prfdata_os_debug_output(const char *text);

/*
 * Write an event with the source "PrfData <service>", if an installer registered that source, and
 * this process has not written the number for this service before. Another thread writes, as the
 * process's account; it is waited for, for a tenth of a second at most, because the program may end
 * next. Never fails; hold no lock.
 */
void prfdata_os_event_write(const prfdata_os_event *event);

#ifndef _WIN32
/* What stands for the debugger and the event log on Linux. */
typedef struct prfdata_os_posix_reports {
    void (*debug_output)(const char *text);
    void (*event)(const prfdata_os_event *event); /* NULL: no source is registered */
} prfdata_os_posix_reports;

/* Copied; NULL: none. No event counts as written before. */
void prfdata_os_posix_set_reports(const prfdata_os_posix_reports *reports);
#endif

#endif
