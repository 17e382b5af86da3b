/* SPDX-License-Identifier: MIT */
/* The table and the chart as text for other programs: CSV. */
#ifndef PRFDATA_READER_EXPORT_H
#define PRFDATA_READER_EXPORT_H

#include "text/output.h"
#include "view/chart.h"
#include "view/table.h"

/*
 * Put the rows that are shown and whose instances are there, with the columns that are not hidden,
 * as CSV: each field quoted, numbers with a point and all of their digits. Lines end in CR LF.
 *
 * selected_only  Only the rows that are selected.
 */
void prfdata_export_table(prfdata_output *output, const prfdata_table *table, bool selected_only);

/*
 * Put the part of the chart that is looked at as typeperf prints it, "(PDH-CSV 4.0)": a line for
 * each sample, in UTC as log files of other computers have it, a column for each series.
 *
 * computer  Stands in front of the paths.
 */
void prfdata_export_chart(prfdata_output *output, const prfdata_chart *chart,
                          prfdata_text computer);

/* Convert milliseconds since 1601 to SYSTEMTIME's eight numbers; years 1601 to 30827. */
void prfdata_export_system_time(int64_t time_ms, uint16_t time[8]);

#endif
