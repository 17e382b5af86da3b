/* SPDX-License-Identifier: MIT */
/* The lines of a call's report, and system errors in words. Windows only. */
#ifndef PRFDATA_REPORT_H
#define PRFDATA_REPORT_H

#include <windows.h>

#include <prfdata/install.h>

#define PRFDATA_REPORT_CHARS 1024 /* of one line; longer ones are cut */

typedef struct prfdata_report {
    prfdata_step_function *step; /* may be NULL */
    void *context;
} prfdata_report;

/* Report one line. `format` is wprintf's; say %ls and %hs, which mean the same everywhere. */
void prfdata_report_line(const prfdata_report *report, prfdata_step step, const wchar_t *format,
                         ...);

/* Report a line as PRFDATA_STEP_FAILED, followed by `status` in words. Returns `status`. */
uint32_t prfdata_report_error(const prfdata_report *report, uint32_t status, const wchar_t *format,
                              ...);

/* The same as PRFDATA_STEP_LEFT. */
void prfdata_report_left(const prfdata_report *report, uint32_t status, const wchar_t *format, ...);

/* Report that the Performance key of the service is another's. Returns ERROR_ALREADY_EXISTS. */
uint32_t prfdata_report_not_ours(const prfdata_report *report, const wchar_t *service);

#endif
