/* SPDX-License-Identifier: MIT */
/* Writes CSV. Numbers are not the user's: other programs read them. */
#include "view/export.h"

#include <math.h>

/* A field that is not the first of its line begins with a comma. */
static void begin_field(prfdata_output *output, bool is_first)
{
    prfdata_output_put_string(output, is_first ? "\"" : ",\"");
}

static void put_quoted_text(prfdata_output *output, prfdata_text text)
{
    size_t begin = 0;

    for (size_t i = 0; i < text.count; i++) {
        if (text.chars[i] != '"')
            continue;
        prfdata_output_put_text(output, prfdata_text_part(text, begin, i + 1));
        begin = i; /* the quote once more */
    }
    prfdata_output_put_text(output, prfdata_text_part(text, begin, text.count));
}

static void put_text_field(prfdata_output *output, prfdata_text text, bool is_first)
{
    begin_field(output, is_first);
    put_quoted_text(output, text);
    prfdata_output_put_string(output, "\"");
}

/* ---- The table ---- */

static void put_cell_field(prfdata_output *output, const prfdata_table *table, uint32_t row,
                           uint32_t column)
{
    const prfdata_table_cell *cell = prfdata_table_cell_at(table, row, column);

    begin_field(output, false);
    if (!cell)
        ;
    else if (cell->text.count > 0)
        put_quoted_text(output, cell->text);
    else if (table->shows_raw && cell->has_raw)
        prfdata_output_format(output, "%llu", (unsigned long long)cell->raw);
    else if (!table->shows_raw && cell->has_raw && cell->status == PRFDATA_STATUS_OK)
        cell->value.is_whole ? prfdata_output_format(output, "%lld", (long long)cell->value.whole)
                             : prfdata_output_format(output, "%.9g", cell->value.number);
    prfdata_output_put_string(output, "\"");
}

static void put_table_heading(prfdata_output *output, const prfdata_table *table)
{
    prfdata_output_put_string(output, table->has_instances ? "\"Instance\"" : "\"Counter\"");
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].is_hidden)
            continue;
        if (table->columns[i].counter_title == 0)
            prfdata_output_put_string(output, ",\"Value\"");
        else
            put_text_field(output, table->columns[i].name, false);
    }
    prfdata_output_put_string(output, "\r\n");
}

void prfdata_export_table(prfdata_output *output, const prfdata_table *table, bool selected_only)
{
    put_table_heading(output, table);
    for (uint32_t row = 0; row < table->shown_count; row++) {
        if (selected_only && !table->shown[row]->is_selected)
            continue;
        put_text_field(output, table->shown[row]->label, true);
        for (uint32_t i = 0; i < table->column_count; i++) {
            if (!table->columns[i].is_hidden)
                put_cell_field(output, table, row, i);
        }
        prfdata_output_put_string(output, "\r\n");
    }
}

/* ---- Times ---- */

#define DAY_MS INT64_C(86400000)

/*
 * Days since 1601-01-01 to a date of the Gregorian calendar, whose 400 years have 146097 days. The
 * year begins in March here, so that the day that some years lack is its last.
 */
static void set_date(uint32_t days, uint16_t time[8])
{
    const uint32_t since_march = days + 306; /* since 1600-03-01 */
    const uint32_t era = since_march / 146097;
    const uint32_t day_of_era = since_march % 146097;
    const uint32_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const uint32_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const uint32_t month = (5 * day_of_year + 2) / 153;

    time[3] = (uint16_t)(day_of_year - (153 * month + 2) / 5 + 1);
    time[1] = (uint16_t)(month < 10 ? month + 3 : month - 9);
    time[0] = (uint16_t)(1600 + era * 400 + year_of_era + (time[1] <= 2));
    time[2] = (uint16_t)((days + 1) % 7); /* 1601-01-01 was a Monday */
}

void prfdata_export_system_time(int64_t time_ms, uint16_t time[8])
{
    const int64_t limit = INT64_C(10674576) * DAY_MS; /* SYSTEMTIME ends in 30827 */
    const int64_t at = time_ms < 0 ? 0 : time_ms < limit ? time_ms : limit;
    const uint32_t ms = (uint32_t)(at % DAY_MS);

    set_date((uint32_t)(at / DAY_MS), time);
    time[4] = (uint16_t)(ms / 3600000);
    time[5] = (uint16_t)(ms / 60000 % 60);
    time[6] = (uint16_t)(ms / 1000 % 60);
    time[7] = (uint16_t)(ms % 1000);
}

/* ---- The chart ---- */

static void put_time_field(prfdata_output *output, int64_t time_ms)
{
    uint16_t t[8];

    prfdata_export_system_time(time_ms, t);
    prfdata_output_format(output, "\"%02u/%02u/%04u %02u:%02u:%02u.%03u\"", t[1], t[3], t[0], t[4],
                          t[5], t[6], t[7]);
}

static void put_chart_heading(prfdata_output *output, const prfdata_chart *chart,
                              prfdata_text computer)
{
    prfdata_output_put_string(output, "\"(PDH-CSV 4.0) (UTC)(0)\"");
    for (uint32_t i = 0; i < chart->series_count; i++) {
        begin_field(output, false);
        prfdata_output_put_string(output, "\\\\");
        put_quoted_text(output, computer);
        put_quoted_text(output, chart->series[i]->path);
        prfdata_output_put_string(output, "\"");
    }
    prfdata_output_put_string(output, "\r\n");
}

void prfdata_export_chart(prfdata_output *output, const prfdata_chart *chart, prfdata_text computer)
{
    uint32_t first;
    const uint32_t count = prfdata_chart_range(chart, &first);

    put_chart_heading(output, chart, computer);
    for (uint32_t at = first; at < first + count; at++) {
        put_time_field(output, chart->times_ms[at]);
        for (uint32_t i = 0; i < chart->series_count; i++) {
            const double value = chart->series[i]->values[at];

            if (prfdata_scale_is_missing(value))
                prfdata_output_put_string(output, ",\" \"");
            else
                prfdata_output_format(output, ",\"%.9g\"", value);
        }
        prfdata_output_put_string(output, "\r\n");
    }
}
