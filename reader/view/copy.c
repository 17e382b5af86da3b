/* SPDX-License-Identifier: MIT */
/* Writes fields with tabs between them for the clipboard. */
#include "view/copy.h"

#include "paths/csv.h"
#include "view/heading.h"

#define CELL_CHARS 1024

/* Put a field, with blanks instead of control characters, because tabs and line ends would begin
 * another field. */
static void put_field(prfdata_output *output, prfdata_text text, bool is_first)
{
    size_t begin = 0;

    if (!is_first)
        prfdata_output_put_string(output, "\t");
    for (size_t i = 0; i <= text.count; i++) {
        if (i < text.count && text.chars[i] >= ' ')
            continue;
        prfdata_output_put_text(output, prfdata_text_part(text, begin, i));
        if (i < text.count)
            prfdata_output_put_string(output, " ");
        begin = i + 1;
    }
}

/* Put a text in quotation marks, and double each quotation mark in it. */
static void put_quoted_field(prfdata_output *output, prfdata_text text, bool is_first)
{
    size_t begin = 0;

    put_field(output, prfdata_text_part(text, 0, 0), is_first);
    prfdata_output_put_string(output, "\"");
    for (size_t i = 0; i < text.count; i++) {
        if (text.chars[i] != '"')
            continue;
        put_field(output, prfdata_text_part(text, begin, i + 1), true);
        begin = i; /* put the quotation mark again with the text after it */
    }
    put_field(output, prfdata_text_part(text, begin, text.count), true);
    prfdata_output_put_string(output, "\"");
}

/*
 * Put a field with a text that another program chose. Spreadsheets read what is pasted as if it was
 * typed, so a text that they would read as a formula gets an apostrophe. A text that begins with a
 * quotation mark is quoted, because it would otherwise continue in the following fields.
 */
static void put_foreign_field(prfdata_output *output, prfdata_text text, bool is_first)
{
    if (text.count > 0 && text.chars[0] == '"') {
        put_quoted_field(output, text, is_first);
        return;
    }
    if (!prfdata_csv_needs_apostrophe(text)) {
        put_field(output, text, is_first);
        return;
    }
    put_field(output, prfdata_text_part(text, 0, 0), is_first);
    prfdata_output_put_string(output, "'");
    put_field(output, text, true);
}

static void end_line(prfdata_output *output)
{
    prfdata_output_put_string(output, "\r\n");
}

static void put_column_name(prfdata_output *output, const prfdata_table *table,
                            const prfdata_table_column *column, const prfdata_copy_words *words)
{
    const char *unit = prfdata_heading_unit(column, table->shows_raw);
    uint16_t digits[12];

    put_foreign_field(
        output,
        column->counter_title == 0
            ? words->value
            : prfdata_titles_name_or_index(table->titles, column->counter_title, digits),
        false);
    if (column->counter_title != 0 && *unit)
        prfdata_output_format(output, " (%s)", unit);
}

static void put_headings(prfdata_output *output, const prfdata_table *table,
                         const prfdata_copy_words *words)
{
    put_field(output, table->has_instances ? words->instance : words->counter, true);
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (!table->columns[i].is_hidden)
            put_column_name(output, table, &table->columns[i], words);
    }
    if (!table->has_instances)
        put_field(output, words->help, false);
    end_line(output);
}

/* Returns whether the cell has a text, which another program chose. Any other cell is no formula,
 * even if it begins with a minus sign. */
static bool is_text_cell(const prfdata_table *table, uint32_t row, uint32_t column)
{
    const prfdata_cell *cell = prfdata_table_cell_at(table, row, column);

    return cell && cell->text.count > 0;
}

static void put_cells(prfdata_output *output, const prfdata_table *table, uint32_t row,
                      prfdata_number_style style)
{
    uint16_t chars[CELL_CHARS];

    put_foreign_field(output, table->shown[row]->label, true);
    for (uint32_t i = 0; i < table->column_count; i++) {
        prfdata_text text = {chars, 0};

        if (table->columns[i].is_hidden)
            continue;
        text.count = prfdata_table_text(table, row, i, style, chars, CELL_CHARS);
        if (is_text_cell(table, row, i))
            put_foreign_field(output, text, false);
        else
            put_field(output, text, false);
    }
    if (!table->has_instances)
        put_foreign_field(output, table->shown[row]->help, false);
    end_line(output);
}

void prfdata_copy_table(prfdata_output *output, const prfdata_table *table,
                        const prfdata_copy_words *words, prfdata_number_style style,
                        bool selected_only)
{
    put_headings(output, table, words);
    for (uint32_t i = 0; i < table->shown_count; i++) {
        if (table->shown[i]->life.is_present && (!selected_only || table->shown[i]->is_selected))
            put_cells(output, table, i, style);
    }
}

static void put_line(prfdata_output *output, const prfdata_chart *chart, uint32_t position,
                     prfdata_number_style style)
{
    const prfdata_chart_series *series = chart->series[position];
    const prfdata_chart_statistics all = prfdata_chart_statistics_of(chart, position);
    const double numbers[] = {all.last, all.least, all.mean, all.most};
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    put_field(output, series->path, true);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const size_t count =
            prfdata_number_line(numbers[i], series->type, series->unit, false, style, chars);

        put_field(output, (prfdata_text){chars, count}, false);
    }
    end_line(output);
}

void prfdata_copy_lines(prfdata_output *output, const prfdata_chart *chart,
                        const prfdata_copy_words *words, prfdata_number_style style)
{
    put_field(output, words->line, true);
    put_field(output, words->last, false);
    put_field(output, words->least, false);
    put_field(output, words->mean, false);
    put_field(output, words->most, false);
    end_line(output);
    for (uint32_t i = 0; i < chart->series_count; i++) {
        if (!chart->series[i]->is_hidden)
            put_line(output, chart, i, style);
    }
}
