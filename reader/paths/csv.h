/* SPDX-License-Identifier: MIT */
/*
 * Writes columns as typeperf prints them: as PDH's CSV, or as TSV, which differs only in the
 * separator and in the name of the format. Lines end in CR LF; every field is quoted, and a quote
 * in it is doubled.
 */
#ifndef PRFDATA_READER_CSV_H
#define PRFDATA_READER_CSV_H

#include "compute/statistics.h"
#include "paths/columns.h"

typedef enum prfdata_csv_separator {
    PRFDATA_CSV_COMMA = ',',
    PRFDATA_CSV_TAB = '\t'
} prfdata_csv_separator;

/*
 * Put UTF-8 bytes, or a text, as a field: in quotes, with inner quotes doubled. A text gets an
 * apostrophe if prfdata_csv_needs_apostrophe() says so.
 */
void prfdata_csv_put_field(prfdata_output *output, const char *text, size_t size);
void prfdata_csv_put_text(prfdata_output *output, prfdata_text text);

/*
 * Returns whether to put an apostrophe before a text, because a spreadsheet would take the text for
 * a formula. Blanks and invisible characters before the formula do not matter. A text with
 * apostrophes before a formula gets another one, so that the change can be undone.
 */
bool prfdata_csv_needs_apostrophe(prfdata_text text);

/* Put a value with all its digits; a whole number has no decimal point. */
void prfdata_csv_put_number(prfdata_output *output, const prfdata_compute_value *value);

/*
 * Put the line of headings.
 *
 * zone  Empty: "(PDH-CSV 4.0)", as on typeperf's standard output. Otherwise the name of the time
 *       zone. Log files contain it together with the zone's bias: "(PDH-CSV 4.0) (Romance Standard
 *       Time)(-60)".
 */
void prfdata_csv_put_header(prfdata_output *output, const prfdata_columns *columns,
                            prfdata_csv_separator separator, prfdata_text zone,
                            int32_t bias_minutes);

/*
 * Put a line for the console: the time, then values with six decimals, and texts as
 * prfdata_csv_put_text() puts them.
 *
 * local_time  SYSTEMTIME's eight numbers.
 * no_value    The text for columns without a value, such as -1.
 */
void prfdata_csv_put_row(prfdata_output *output, const prfdata_columns *columns,
                         prfdata_csv_separator separator, const uint16_t local_time[8],
                         const char *no_value);

/*
 * Put a line of a log file, as PDH writes its logs: values with all their digits, whole numbers
 * without a point, and a blank for a missing value.
 */
void prfdata_csv_put_log_row(prfdata_output *output, const prfdata_columns *columns,
                             prfdata_csv_separator separator, const uint16_t local_time[8]);

/*
 * Put a blank line, and a line with "(Statistics)" and the headings. Then put one line each for
 * "Values", "Skipped", "Minimum", "Maximum", "Mean", "Time-weighted mean" and "End-to-end mean".
 * Numbers have all their digits.
 *
 * statistics  One for each column. An unknown number is a blank in quotes.
 */
void prfdata_csv_put_statistics(prfdata_output *output, const prfdata_columns *columns,
                                prfdata_csv_separator separator,
                                const prfdata_statistics *statistics);

#endif
