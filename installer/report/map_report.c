/* SPDX-License-Identifier: MIT */
/* Reports the mistakes of a map. Windows only. */
#include "report/map_report.h"

#include "report/check.h"

typedef struct wide_lines {
    prfdata_map_report_line *line;
    void *context;
} wide_lines;

static void widen_check_line(void *context, bool is_mistake, const char *line)
{
    const wide_lines *lines = context;
    wchar_t wide[PRFDATA_CHECK_LINE_BYTES]; /* UTF-16 has no more units than UTF-8 has bytes */

    if (MultiByteToWideChar(CP_UTF8, 0, line, -1, wide, PRFDATA_CHECK_LINE_BYTES) > 0)
        lines->line(lines->context, is_mistake, wide);
}

size_t prfdata_map_report_visit(const prfdata_map *map, prfdata_map_report_line *line,
                                void *context)
{
    wide_lines lines = {line, context};

    return prfdata_check_map(map, widen_check_line, &lines);
}

typedef struct mistake_lines {
    const prfdata_report *report;
    const wchar_t *before;
} mistake_lines;

static void report_check_line(void *context, bool is_mistake, const wchar_t *line)
{
    const mistake_lines *lines = context;

    prfdata_report_line(lines->report, is_mistake ? PRFDATA_STEP_FAILED : PRFDATA_STEP_SAME,
                        L"%ls%ls", lines->before, line);
}

size_t prfdata_map_report_mistakes(const prfdata_report *report, const prfdata_map *map,
                                   const wchar_t *before)
{
    mistake_lines lines = {report, before};

    return prfdata_map_report_visit(map, report_check_line, &lines);
}
