/* SPDX-License-Identifier: MIT */
/*
 * Columns as typeperf prints them: PDH's CSV. Lines end in CR LF; every field is quoted.
 */
#ifndef PRFDATA_READER_CSV_H
#define PRFDATA_READER_CSV_H

#include "columns.h"

/*
 * Put the line of headings.
 *
 * zone  Empty: "(PDH-CSV 4.0)" as on typeperf's standard output. Else the time zone's name, which
 *       log files carry together with its bias: "(PDH-CSV 4.0) (Romance Standard Time)(-60)".
 */
void prfdata_csv_put_header(prfdata_output *output, const prfdata_columns *columns,
                            prfdata_text zone, int32_t bias_minutes);

/*
 * Put a line of values with six decimals.
 *
 * local_time  SYSTEMTIME's eight numbers.
 * no_value    Stands in the quotes where a column has no value.
 */
void prfdata_csv_put_row(prfdata_output *output, const prfdata_columns *columns,
                         const uint16_t local_time[8], const char *no_value);

#endif
