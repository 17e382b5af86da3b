/* SPDX-License-Identifier: MIT */
/* Formats the lines of a report; the caller's step function shows them. Windows only. */
#include "report/report.h"

#include <stdarg.h>
#include <stdio.h>

#include "names/hidden.h"
#include "windows/system_text.h"

/*
 * Pass a line to the step function. Its invisible characters are shown, because names and paths
 * that others chose must neither look like further lines nor control the terminal.
 */
static void call_step(const prfdata_report *report, prfdata_step step, wchar_t *text)
{
    wchar_t shown[PRFDATA_REPORT_CHARS];

    text[PRFDATA_REPORT_CHARS - 1] = 0;
    prfdata_hidden_show(text, shown, PRFDATA_REPORT_CHARS);
    if (report->step)
        report->step(report->context, step, shown);
}

static void append_system_error(wchar_t *text, uint32_t status)
{
    wchar_t words[256];
    size_t used = wcslen(text);

    prfdata_system_text(status, NULL, words, sizeof words / sizeof words[0]);
    /* A text that does not fit is cut. call_step() makes sure that it ends with a NUL. */
    (void)swprintf(text + used, PRFDATA_REPORT_CHARS - used, L": %ls", words);
}

static void format_report(wchar_t *text, const wchar_t *format, va_list arguments)
{
    text[0] = 0;
    (void)vswprintf(text, PRFDATA_REPORT_CHARS, format, arguments);
    text[PRFDATA_REPORT_CHARS - 1] = 0;
}

void prfdata_report_line(const prfdata_report *report, prfdata_step step, const wchar_t *format,
                         ...)
{
    wchar_t text[PRFDATA_REPORT_CHARS];
    va_list arguments;

    va_start(arguments, format);
    format_report(text, format, arguments);
    va_end(arguments);
    call_step(report, step, text);
}

static void report_system_error(const prfdata_report *report, prfdata_step step, uint32_t status,
                                const wchar_t *format, va_list arguments)
{
    wchar_t text[PRFDATA_REPORT_CHARS];

    format_report(text, format, arguments);
    append_system_error(text, status);
    call_step(report, step, text);
}

uint32_t prfdata_report_error(const prfdata_report *report, uint32_t status, const wchar_t *format,
                              ...)
{
    va_list arguments;

    va_start(arguments, format);
    report_system_error(report, PRFDATA_STEP_FAILED, status, format, arguments);
    va_end(arguments);
    return status;
}

void prfdata_report_left(const prfdata_report *report, uint32_t status, const wchar_t *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report_system_error(report, PRFDATA_STEP_LEFT, status, format, arguments);
    va_end(arguments);
}

uint32_t prfdata_report_not_ours(const prfdata_report *report, const wchar_t *service)
{
    prfdata_report_line(report, PRFDATA_STEP_FAILED,
                        L"Services\\%ls\\Performance was created by another installer and is "
                        L"left alone",
                        service);
    return ERROR_ALREADY_EXISTS;
}
