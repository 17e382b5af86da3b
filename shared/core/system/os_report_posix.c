/* SPDX-License-Identifier: MIT */
/*
 * Implements os_report.h for Linux, where a library does not write to a log. Tests get the reports
 * that the debugger and the event log would get on Windows.
 */
#define _GNU_SOURCE /* readlink */

#include "system/os_report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <prfdata/map.h>

#include "system/os.h"

enum { MOST_WRITTEN = 64 };

static struct {
    prfdata_os_lock lock; /* protects the fields below */
    prfdata_os_posix_reports reports;
    uint32_t written_count;
    struct {
        char service[PRFDATA_MAX_SERVICE_CHARS + 1];
        uint32_t number;
    } written[MOST_WRITTEN];
} seam;

void prfdata_os_posix_set_reports(const prfdata_os_posix_reports *reports)
{
    static const prfdata_os_posix_reports none = {NULL, NULL};

    prfdata_os_lock_enter(&seam.lock);
    seam.reports = reports ? *reports : none;
    seam.written_count = 0;
    prfdata_os_lock_leave(&seam.lock);
}

void prfdata_os_program_path(char *path, size_t capacity)
{
    ssize_t used = capacity > 0 ? readlink("/proc/self/exe", path, capacity) : -1;

    if (capacity > 0)
        path[used < 0 || (size_t)used == capacity ? 0 : used] = 0;
}

void prfdata_os_debug_output(const char *text)
{
    prfdata_os_posix_reports reports;

    prfdata_os_lock_enter(&seam.lock);
    reports = seam.reports;
    prfdata_os_lock_leave(&seam.lock);
    if (reports.debug_output)
        reports.debug_output(text);
}

/* Returns true for every event if the table is full. The caller holds the lock. */
static bool was_written(const prfdata_os_event *event)
{
    for (uint32_t i = 0; i < seam.written_count; i++)
        if (seam.written[i].number == event->number &&
            !strcmp(seam.written[i].service, event->service))
            return true;
    return seam.written_count == MOST_WRITTEN;
}

void prfdata_os_event_write(const prfdata_os_event *event)
{
    void (*write)(const prfdata_os_event *event) = NULL;

    prfdata_os_lock_enter(&seam.lock);
    if (seam.reports.event && !was_written(event)) {
        write = seam.reports.event;
        snprintf(seam.written[seam.written_count].service, sizeof seam.written[0].service, "%s",
                 event->service);
        seam.written[seam.written_count++].number = event->number;
    }
    prfdata_os_lock_leave(&seam.lock);
    if (write)
        write(event);
}
