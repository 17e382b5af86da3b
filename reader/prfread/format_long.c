/* SPDX-License-Identifier: MIT */
/*
 * Writes the format LONG: a line of CSV for each value, so that the number of columns stays the
 * same when instances come and go. Times are UTC, in the form of ISO 8601.
 */
#include "prfread/format.h"

#include <string.h>

#include "base/calendar.h"
#include "paths/csv.h"

static void write_long_header(const prfdata_format_rows *rows, bool is_first,
                              prfdata_output *output)
{
    (void)rows;
    if (is_first)
        prfdata_output_put_string(output, "\"Time\",\"Path\",\"Value\"\r\n");
}

static void put_long_value(const prfdata_column *column, prfdata_output *output)
{
    if (column->status != PRFDATA_STATUS_OK) {
        prfdata_output_put_string(output, "\"\"");
    } else if (column->is_text) {
        prfdata_csv_put_text(output, column->text);
    } else {
        prfdata_output_put_string(output, "\"");
        prfdata_csv_put_number(output, &column->value);
        prfdata_output_put_string(output, "\"");
    }
}

/* Put the time, or an empty field if the time is invalid. */
static void put_long_time(const uint16_t t[8], prfdata_output *output)
{
    if (!prfdata_calendar_is_system_time(t) || t[0] > 9999)
        prfdata_output_put_string(output, "\"\",");
    else
        prfdata_output_format(output, "\"%04u-%02u-%02uT%02u:%02u:%02u.%03uZ\",", (unsigned)t[0],
                              (unsigned)t[1], (unsigned)t[3], (unsigned)t[4], (unsigned)t[5],
                              (unsigned)t[6], (unsigned)t[7]);
}

static void write_long_rows(const prfdata_format_rows *rows, const uint16_t *system_time,
                            prfdata_output *output)
{
    for (size_t i = 0; system_time && i < rows->columns->count; i++) {
        const prfdata_column *column = &rows->columns->items[i];

        put_long_time(system_time, output);
        prfdata_csv_put_field(output, column->heading, strlen(column->heading));
        prfdata_output_put_string(output, ",");
        put_long_value(column, output);
        prfdata_output_put_string(output, "\r\n");
    }
}

static void write_long_statistics(const prfdata_format_rows *rows,
                                  const prfdata_statistics *statistics, prfdata_output *output)
{
    prfdata_csv_put_statistics(output, rows->columns, PRFDATA_CSV_COMMA, statistics);
}

const prfdata_format prfdata_format_long = {
    .name = "LONG",
    .help = "CSV with a line for each value: time (UTC), path, value.\n",
    .put_header = write_long_header,
    .put_row = write_long_rows,
    .put_statistics = write_long_statistics,
};
