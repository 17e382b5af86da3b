/* SPDX-License-Identifier: MIT */
/* Reports the mistakes of a map, in the messages of -Check. Windows only. */
#ifndef PRFDATA_MAP_REPORT_H
#define PRFDATA_MAP_REPORT_H

#include <stddef.h>

#include "report/report.h"

/* Gets a line, as prfdata_check_line does (report/check.h), but as wide text. */
typedef void prfdata_map_report_line(void *context, bool is_mistake, const wchar_t *line);

/* Check a map. Returns the number of mistakes. */
size_t prfdata_map_report_visit(const prfdata_map *map, prfdata_map_report_line *line,
                                void *context);

/*
 * Report a map. A map with mistakes gets a PRFDATA_STEP_FAILED line for each mistake. A valid map
 * gets a PRFDATA_STEP_SAME line for each note about it. Each line consists of `before` and "Map:
 * <message>". Returns the number of mistakes.
 */
size_t prfdata_map_report_mistakes(const prfdata_report *report, const prfdata_map *map,
                                   const wchar_t *before);

#endif
