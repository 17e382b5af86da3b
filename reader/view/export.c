/* SPDX-License-Identifier: MIT */
/* Writes CSV. Numbers have a point, not the user's decimal separator, because other programs read
 * them. */
#include "view/export.h"

#include "base/calendar.h"
#include "paths/csv.h"

static void put_raw_number(prfdata_output *output, const prfdata_cell *cell)
{
    const prfdata_compute_value raw = prfdata_cell_raw(cell);

    if (raw.is_bits)
        prfdata_output_put_unsigned(output, cell->raw);
    else
        prfdata_output_put_signed(output, raw.whole);
}

static void put_cell_field(prfdata_output *output, const prfdata_table *table, uint32_t row,
                           uint32_t column)
{
    const prfdata_cell *cell = prfdata_table_cell_at(table, row, column);

    prfdata_output_put_string(output, ",");
    if (cell && cell->text.count > 0) {
        prfdata_csv_put_text(output, cell->text);
        return;
    }
    prfdata_output_put_string(output, "\"");
    if (cell && table->shows_raw && cell->has_raw)
        put_raw_number(output, cell);
    else if (cell && !table->shows_raw && prfdata_cell_has_value(cell))
        prfdata_csv_put_number(output, &cell->value);
    prfdata_output_put_string(output, "\"");
}

static void put_table_heading(prfdata_output *output, const prfdata_table *table)
{
    prfdata_output_put_string(output, table->has_instances ? "\"Instance\"" : "\"Counter\"");
    for (uint32_t i = 0; i < table->column_count; i++) {
        uint16_t digits[12];

        if (table->columns[i].is_hidden)
            continue;
        prfdata_output_put_string(output, ",");
        if (table->columns[i].counter_title == 0)
            prfdata_output_put_string(output, "\"Value\"");
        else
            prfdata_csv_put_text(
                output, prfdata_titles_name_or_index(table->titles, table->columns[i].counter_title,
                                                     digits));
    }
    prfdata_output_put_string(output, "\r\n");
}

void prfdata_export_table(prfdata_output *output, const prfdata_table *table, bool selected_only)
{
    put_table_heading(output, table);
    for (uint32_t row = 0; row < table->shown_count; row++) {
        if (!table->shown[row]->life.is_present ||
            (selected_only && !table->shown[row]->is_selected))
            continue;
        prfdata_csv_put_text(output, table->shown[row]->label);
        for (uint32_t i = 0; i < table->column_count; i++) {
            if (!table->columns[i].is_hidden)
                put_cell_field(output, table, row, i);
        }
        prfdata_output_put_string(output, "\r\n");
    }
}

#define DAY_MS INT64_C(86400000)

void prfdata_export_system_time(int64_t time_ms, uint16_t time[8])
{
    const int64_t limit = INT64_C(10674576) * DAY_MS; /* 30826-12-31, as in export.h */
    const int64_t at = time_ms < 0 ? 0 : time_ms < limit ? time_ms : limit;
    const uint32_t ms = (uint32_t)(at % DAY_MS);
    const prfdata_calendar_date date = prfdata_calendar_date_of((uint64_t)(at / DAY_MS));

    time[0] = (uint16_t)date.year;
    time[1] = (uint16_t)date.month;
    time[2] = (uint16_t)date.weekday;
    time[3] = (uint16_t)date.day;
    time[4] = (uint16_t)(ms / 3600000);
    time[5] = (uint16_t)(ms / 60000 % 60);
    time[6] = (uint16_t)(ms / 1000 % 60);
    time[7] = (uint16_t)(ms % 1000);
}

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
        prfdata_output path = {0};

        prfdata_output_put_string(&path, "\\\\");
        prfdata_output_put_text(&path, computer);
        prfdata_output_put_text(&path, chart->series[i]->path);
        prfdata_output_put_string(output, ",");
        prfdata_csv_put_field(output, path.bytes, path.used);
        output->failed = output->failed || path.failed;
        prfdata_output_free(&path);
    }
    prfdata_output_put_string(output, "\r\n");
}

void prfdata_export_chart(prfdata_output *output, const prfdata_chart *chart, prfdata_text computer)
{
    uint32_t first;
    const uint32_t count = prfdata_chart_range(chart, &first);

    put_chart_heading(output, chart, computer);
    for (uint32_t at = first; at < first + count; at++) {
        if (chart->gaps[at] != PRFDATA_CHART_SAMPLE)
            continue; /* a time between samples, at which no line has a value */
        put_time_field(output, chart->times_ms[at]);
        for (uint32_t i = 0; i < chart->series_count; i++) {
            const double value = chart->series[i]->values[at];

            prfdata_output_put_string(output, ",\"");
            if (prfdata_scale_is_missing(value))
                prfdata_output_put_string(output, " ");
            else
                prfdata_output_put_double(output, value);
            prfdata_output_put_string(output, "\"");
        }
        prfdata_output_put_string(output, "\r\n");
    }
}
