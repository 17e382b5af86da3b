/* SPDX-License-Identifier: MIT */
/* Windows only. It turns the lines of the portable check into those of a report. */
#include "report/map_report.h"

#include "report/check.h"

typedef struct mistake_lines {
    const prfdata_report *report;
    const wchar_t *before;
} mistake_lines;

static void report_check_line(void *context, bool is_mistake, const char *line)
{
    const mistake_lines *lines = context;
    wchar_t wide[PRFDATA_CHECK_LINE_BYTES]; /* UTF-16 has no more units than UTF-8 has bytes */

    if (MultiByteToWideChar(CP_UTF8, 0, line, -1, wide, PRFDATA_CHECK_LINE_BYTES) > 0)
        prfdata_report_line(lines->report, is_mistake ? PRFDATA_STEP_FAILED : PRFDATA_STEP_SAME,
                            L"%ls%ls", lines->before, wide);
}

size_t prfdata_map_report_mistakes(const prfdata_report *report, const prfdata_map *map,
                                   const wchar_t *before)
{
    mistake_lines lines = {report, before};

    return prfdata_check_map(map, report_check_line, &lines);
}
