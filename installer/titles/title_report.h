/* SPDX-License-Identifier: MIT */
/* Reports the languages of the title database that lack titles of a service. Windows only. */
#ifndef PRFDATA_TITLE_REPORT_H
#define PRFDATA_TITLE_REPORT_H

#include "report/report.h"
#include "titles/title_database.h"

/* Report a PRFDATA_STEP_LEFT line for each language that lacks titles. */
void prfdata_title_report_languages(const prfdata_report *report, const prfdata_title_range *range,
                                    const prfdata_model *model);

#endif
