/* SPDX-License-Identifier: MIT */
/*
 * Writes the formats CSV and TSV as typeperf does. In files, the heading names the time zone; on
 * standard output it does not. Times are local. paths/csv.c writes the fields.
 */
#include "prfread/format.h"

#include "os/clock.h"
#include "paths/csv.h"

static prfdata_csv_separator separator_of_rows(const prfdata_format_rows *rows)
{
    return rows->format == &prfdata_format_tsv ? PRFDATA_CSV_TAB : PRFDATA_CSV_COMMA;
}

static void write_csv_header(const prfdata_format_rows *rows, bool is_first, prfdata_output *output)
{
    const prfdata_text zone = {rows->zone.chars, rows->is_file ? rows->zone.char_count : 0};

    if (!rows->is_file && is_first)
        prfdata_output_put_string(output, "\r\n");
    prfdata_csv_put_header(output, rows->columns, separator_of_rows(rows), zone,
                           rows->zone.bias_minutes);
}

static void write_csv_row(const prfdata_format_rows *rows, const uint16_t *system_time,
                          prfdata_output *output)
{
    uint16_t local_time[8];

    if (rows->is_file) {
        prfdata_clock_time_in(&rows->zone, system_time, local_time);
        prfdata_csv_put_log_row(output, rows->columns, separator_of_rows(rows), local_time);
    } else {
        prfdata_clock_local_time(system_time, local_time);
        prfdata_csv_put_row(output, rows->columns, separator_of_rows(rows), local_time, "-1");
    }
}

static void write_missing_fields(const prfdata_format_rows *rows, size_t count,
                                 prfdata_output *output)
{
    while (count-- > 0) {
        const char separator = (char)separator_of_rows(rows);

        prfdata_output_put(output, &separator, 1);
        prfdata_output_put_string(output, rows->is_file ? "\" \"" : "\"-1\"");
    }
}

static void write_csv_statistics(const prfdata_format_rows *rows,
                                 const prfdata_statistics *statistics, prfdata_output *output)
{
    prfdata_csv_put_statistics(output, rows->columns, separator_of_rows(rows), statistics);
}

const prfdata_format prfdata_format_csv = {
    .name = "CSV",
    .is_pdh_log = true,
    .help = "As PDH writes it: headings, then local time and values with six\n"
            "decimals, all quoted; a missing value is -1. A file is like PDH's\n"
            "logs: all digits, a blank for a missing value, the time zone in its\n"
            "heading. Standard error says once why a value is missing.\n",
    .put_header = write_csv_header,
    .put_row = write_csv_row,
    .put_missing = write_missing_fields,
    .put_statistics = write_csv_statistics,
};

const prfdata_format prfdata_format_tsv = {
    .name = "TSV",
    .is_pdh_log = true,
    .help = "The same with tabs instead of commas.\n",
    .put_header = write_csv_header,
    .put_row = write_csv_row,
    .put_missing = write_missing_fields,
    .put_statistics = write_csv_statistics,
};
