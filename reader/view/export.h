/* SPDX-License-Identifier: MIT */
/* Writes the table and the chart as CSV for other programs. */
#ifndef PRFDATA_READER_EXPORT_H
#define PRFDATA_READER_EXPORT_H

#include "text/output.h"
#include "view/chart.h"
#include "view/table.h"

/*
 * Put the shown rows whose instances still exist, with the visible columns, as CSV: each field
 * quoted, numbers with a point and all of their digits. Lines end in CR LF.
 *
 * selected_only  Put only the selected rows.
 */
void prfdata_export_table(prfdata_output *output, const prfdata_table *table, bool selected_only);

/*
 * Put the visible part of the chart as typeperf prints it, "(PDH-CSV 4.0)": a line for each sample,
 * a column for each series. Times are UTC.
 *
 * computer  Put before the paths.
 */
void prfdata_export_chart(prfdata_output *output, const prfdata_chart *chart,
                          prfdata_text computer);

/* Convert milliseconds since 1601 to SYSTEMTIME's eight numbers. A time before 1601 becomes the
 * beginning of 1601, and a time after the year 30826 becomes the last day of 30826. */
void prfdata_export_system_time(int64_t time_ms, uint16_t time[8]);

#endif
