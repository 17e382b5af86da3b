/* SPDX-License-Identifier: MIT */
/* Reports what is wrong with a map, in the sentences of -Check. Windows only. */
#ifndef PRFDATA_MAP_REPORT_H
#define PRFDATA_MAP_REPORT_H

#include <stddef.h>

#include "report/report.h"

/*
 * Report every mistake of a map, a PRFDATA_STEP_FAILED line for each: "Map: <sentence>", with
 * `before` at its beginning. Returns the number of mistakes.
 */
size_t prfdata_map_report_mistakes(const prfdata_report *report, const prfdata_map *map,
                                   const wchar_t *before);

#endif
