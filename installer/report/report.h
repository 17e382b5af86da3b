/* SPDX-License-Identifier: MIT */
/* Formats the lines that the installer reports, with the system's texts of errors. Windows only. */
#ifndef PRFDATA_REPORT_H
#define PRFDATA_REPORT_H

#include <windows.h>

#include <prfdata/install.h>

#define PRFDATA_REPORT_CHARS 1024 /* room for a line with its NUL; longer lines are cut */

typedef struct prfdata_report {
    prfdata_step_function *step; /* may be NULL */
    void *context;
} prfdata_report;

/*
 * Report a line. `format` is a format of wprintf. Compilers do not check it, so cast integers to
 * int or long. Use %ls and %hs for texts, because the meaning of %s depends on the C library.
 */
void prfdata_report_line(const prfdata_report *report, prfdata_step step, const wchar_t *format,
                         ...);

/*
 * Report a PRFDATA_STEP_FAILED line that ends with the system's text for `status`. Returns
 * `status`.
 */
uint32_t prfdata_report_error(const prfdata_report *report, uint32_t status, const wchar_t *format,
                              ...);

/* Report a PRFDATA_STEP_LEFT line that ends with the system's text for `status`. */
void prfdata_report_left(const prfdata_report *report, uint32_t status, const wchar_t *format, ...);

/* Report that another installer created the Performance key. Returns ERROR_ALREADY_EXISTS. */
uint32_t prfdata_report_not_ours(const prfdata_report *report, const wchar_t *service);

#endif
