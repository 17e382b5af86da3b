/* SPDX-License-Identifier: MIT */
#include "csv.h"

#include <string.h>

static void put_string(prfdata_output *output, const char *text)
{
    prfdata_output_put(output, text, strlen(text));
}

/* Quoted; a quote in a name is doubled, as readers of CSV expect. */
static void put_quoted(prfdata_output *output, const char *text)
{
    put_string(output, "\"");
    for (; *text; text++) {
        if (*text == '"')
            put_string(output, "\"");
        prfdata_output_put(output, text, 1);
    }
    put_string(output, "\"");
}

void prfdata_csv_put_header(prfdata_output *output, const prfdata_columns *columns,
                            prfdata_text zone, int32_t bias_minutes)
{
    put_string(output, "\"(PDH-CSV 4.0)");
    if (zone.count > 0) {
        put_string(output, " (");
        prfdata_output_put_text(output, zone);
        prfdata_output_format(output, ")(%d)", (int)bias_minutes);
    }
    put_string(output, "\"");
    for (size_t i = 0; i < columns->count; i++) {
        put_string(output, ",");
        put_quoted(output, columns->items[i].heading);
    }
    put_string(output, "\r\n");
}

void prfdata_csv_put_row(prfdata_output *output, const prfdata_columns *columns,
                         const uint16_t local_time[8], const char *no_value)
{
    prfdata_output_format(output, "\"%02u/%02u/%04u %02u:%02u:%02u.%03u\"", (unsigned)local_time[1],
                          (unsigned)local_time[3], (unsigned)local_time[0], (unsigned)local_time[4],
                          (unsigned)local_time[5], (unsigned)local_time[6],
                          (unsigned)local_time[7]);
    for (size_t i = 0; i < columns->count; i++) {
        const prfdata_column *column = &columns->items[i];

        if (column->status == PRFDATA_STATUS_OK)
            prfdata_output_format(output, ",\"%.6f\"", column->value);
        else
            prfdata_output_format(output, ",\"%s\"", no_value);
    }
    put_string(output, "\r\n");
}
