/* SPDX-License-Identifier: MIT */
/*
 * Writes columns and their statistics as quoted fields. Columns have the form that PDH gives them,
 * but a text gets an apostrophe if it looks like a formula. columns.c computes the values, and
 * prfread writes the text to a file.
 */
#include "paths/csv.h"

#include <string.h>

#include "names/hidden.h"
#include "text/decimal.h"

#define CSV_DECIMALS 6u

static void put_csv_separator(prfdata_output *output, prfdata_csv_separator separator)
{
    const char byte = (char)separator;

    prfdata_output_put(output, &byte, 1);
}

/* Returns whether os/streams.c will remove the char at `at`. Outside Windows, it removes each CR
 * before an LF, even in a name. */
static bool loses_carriage_return(const char *text, size_t at, size_t size)
{
#ifdef _WIN32
    (void)text;
    (void)at;
    (void)size;
    return false;
#else
    return text[at] == '\r' && at + 1 < size && text[at + 1] == '\n';
#endif
}

void prfdata_csv_put_field(prfdata_output *output, const char *text, size_t size)
{
    size_t begin = 0;

    prfdata_output_put_string(output, "\"");
    for (size_t i = 0; i < size; i++) {
        if (text[i] != '"' && !loses_carriage_return(text, i, size))
            continue;
        prfdata_output_put(output, text + begin, i + 1 - begin);
        begin = i; /* put the byte again with the text after it, which doubles the byte */
    }
    prfdata_output_put(output, text + begin, size - begin);
    prfdata_output_put_string(output, "\"");
}

/* Returns whether a spreadsheet would read the text as a formula; full-width characters also
 * count. */
static bool begins_formula(prfdata_text text)
{
    static const uint16_t begins[] = {'=',  '+',    '-',    '@',    '\t',  '\r',
                                      '\n', 0xFF1D, 0xFF0B, 0xFF0D, 0xFF20};

    for (size_t i = 0; text.count > 0 && i < sizeof begins / sizeof begins[0]; i++) {
        if (text.chars[0] == begins[i])
            return true;
    }
    return false;
}

/* Returns whether a spreadsheet may leave out this character if it stands before a formula. */
static bool may_be_left_out(uint32_t code_point)
{
    return code_point == ' ' || prfdata_hidden_is_blank(code_point) ||
           prfdata_hidden_is(code_point);
}

bool prfdata_csv_needs_apostrophe(prfdata_text text)
{
    size_t begin = 0;

    while (begin < text.count && text.chars[begin] == '\'')
        begin++;
    while (begin < text.count && !begins_formula(prfdata_text_part(text, begin, text.count))) {
        if (!may_be_left_out(prfdata_text_next(text, &begin)))
            return false;
    }
    return begin < text.count;
}

void prfdata_csv_put_text(prfdata_output *output, prfdata_text text)
{
    prfdata_output utf8;

    prfdata_output_init(&utf8);
    if (prfdata_csv_needs_apostrophe(text))
        prfdata_output_put_string(&utf8, "'");
    prfdata_output_put_text(&utf8, text);
    prfdata_csv_put_field(output, utf8.bytes, utf8.used);
    output->failed = output->failed || utf8.failed;
    prfdata_output_free(&utf8);
}

static void put_csv_headings(prfdata_output *output, const prfdata_columns *columns,
                             prfdata_csv_separator separator)
{
    for (size_t i = 0; i < columns->count; i++) {
        const char *heading = columns->items[i].heading;

        put_csv_separator(output, separator);
        prfdata_csv_put_field(output, heading, strlen(heading));
    }
    prfdata_output_put_string(output, "\r\n");
}

void prfdata_csv_put_header(prfdata_output *output, const prfdata_columns *columns,
                            prfdata_csv_separator separator, prfdata_text zone,
                            int32_t bias_minutes)
{
    prfdata_output_put_string(output,
                              separator == PRFDATA_CSV_TAB ? "\"(PDH-TSV 4.0)" : "\"(PDH-CSV 4.0)");
    if (zone.count > 0) {
        prfdata_output_put_string(output, " (");
        prfdata_output_put_text(output, zone);
        prfdata_output_format(output, ")(%d)", (int)bias_minutes);
    }
    prfdata_output_put_string(output, "\"");
    put_csv_headings(output, columns, separator);
}

void prfdata_csv_put_number(prfdata_output *output, const prfdata_compute_value *value)
{
    if (value->is_bits)
        prfdata_output_put_unsigned(output, (uint64_t)value->whole);
    else if (value->is_whole)
        prfdata_output_put_signed(output, value->whole);
    else
        prfdata_output_put_double(output, value->number);
}

static void put_csv_digits(prfdata_output *output, const prfdata_compute_value *value)
{
    prfdata_output_put_string(output, "\"");
    prfdata_csv_put_number(output, value);
    prfdata_output_put_string(output, "\"");
}

/* Put a number into a row: with six decimals, or with all its digits. Returns the number of bytes;
 * 0: put_csv_rare() must put it. */
static size_t put_csv_usual(char *text, const prfdata_columns *columns,
                            const prfdata_compute_value *value, bool has_all_digits)
{
    static const char zeros[] = ".000000";
    size_t used;

    if (!value->is_whole)
        return has_all_digits ? prfdata_decimal_put_again(columns->texts, text, value->number)
                              : prfdata_decimal_put_fixed(text, value->number, CSV_DECIMALS);
    used = value->is_bits ? prfdata_decimal_put_unsigned(text, (uint64_t)value->whole)
                          : prfdata_decimal_put_signed(text, value->whole);
    if (has_all_digits)
        return used;
    memcpy(text + used, zeros, 1 + CSV_DECIMALS);
    return used + 1 + CSV_DECIMALS;
}

/* Put a number that is too large or too small for decimal.h. */
static void put_csv_rare(prfdata_output *output, char separator, const prfdata_compute_value *value,
                         bool has_all_digits)
{
    prfdata_output_put(output, &separator, 1);
    prfdata_output_put(output, "\"", 1);
    if (has_all_digits)
        prfdata_output_put_double(output, value->number);
    else
        prfdata_output_put_fixed(output, value->number, CSV_DECIMALS);
    prfdata_output_put(output, "\"", 1);
}

static void put_csv_value(prfdata_output *output, char separator, const prfdata_columns *columns,
                          const prfdata_compute_value *value, bool has_all_digits)
{
    const size_t most = PRFDATA_DECIMAL_BYTES + CSV_DECIMALS + sizeof ",\".\"";
    char *room = prfdata_output_room(output, most);
    size_t size;

    if (!room)
        return;
    room[0] = separator;
    room[1] = '"';
    size = put_csv_usual(room + 2, columns, value, has_all_digits);
    if (size == 0) {
        put_csv_rare(output, separator, value, has_all_digits);
        return;
    }
    room[2 + size] = '"';
    output->used += 3 + size;
}

static void put_csv_row(prfdata_output *output, const prfdata_columns *columns,
                        prfdata_csv_separator separator, const uint16_t local_time[8],
                        const char *no_value, bool has_all_digits)
{
    const char byte = (char)separator;
    prfdata_output missing = {0};

    prfdata_csv_put_field(&missing, no_value, strlen(no_value));
    prfdata_output_format(output, "\"%02u/%02u/%04u %02u:%02u:%02u.%03u\"", (unsigned)local_time[1],
                          (unsigned)local_time[3], (unsigned)local_time[0], (unsigned)local_time[4],
                          (unsigned)local_time[5], (unsigned)local_time[6],
                          (unsigned)local_time[7]);
    for (size_t i = 0; i < columns->count; i++) {
        const prfdata_column *column = &columns->items[i];

        if (column->status == PRFDATA_STATUS_OK && !column->is_text) {
            put_csv_value(output, byte, columns, &column->value, has_all_digits);
            continue;
        }
        put_csv_separator(output, separator);
        if (column->status == PRFDATA_STATUS_OK)
            prfdata_csv_put_text(output, column->text);
        else
            prfdata_output_put(output, missing.bytes, missing.used);
    }
    prfdata_output_put_string(output, "\r\n");
    output->failed = output->failed || missing.failed;
    prfdata_output_free(&missing);
}

void prfdata_csv_put_row(prfdata_output *output, const prfdata_columns *columns,
                         prfdata_csv_separator separator, const uint16_t local_time[8],
                         const char *no_value)
{
    put_csv_row(output, columns, separator, local_time, no_value, false);
}

void prfdata_csv_put_log_row(prfdata_output *output, const prfdata_columns *columns,
                             prfdata_csv_separator separator, const uint16_t local_time[8])
{
    put_csv_row(output, columns, separator, local_time, " ", true);
}

/* ---- Statistics ---- */

static void put_csv_counts(prfdata_output *output, const prfdata_columns *columns,
                           prfdata_csv_separator separator, const prfdata_statistics *statistics,
                           bool skipped)
{
    prfdata_output_put_string(output, skipped ? "\"Skipped\"" : "\"Values\"");
    for (size_t i = 0; i < columns->count; i++) {
        put_csv_separator(output, separator);
        prfdata_output_format(
            output, "\"%u\"",
            (unsigned)(skipped ? statistics[i].skipped_count : statistics[i].value_count));
    }
    prfdata_output_put_string(output, "\r\n");
}

/* Minimum and maximum are values that occurred. Whole numbers among them stay exact. */
static const struct {
    const char *name;
    size_t offset; /* offset of the prfdata_compute_value, in prfdata_statistics */
} extremes[] = {
    {"Minimum", offsetof(prfdata_statistics, least)},
    {"Maximum", offsetof(prfdata_statistics, most)},
};

static const struct {
    const char *name;
    size_t offset; /* offset of the prfdata_compute_formatted, in prfdata_statistics */
} means[] = {
    {"Mean", offsetof(prfdata_statistics, mean)},
    {"Time-weighted mean", offsetof(prfdata_statistics, time_weighted_mean)},
    {"End-to-end mean", offsetof(prfdata_statistics, end_to_end_mean)},
};

static void put_csv_extremes(prfdata_output *output, const prfdata_columns *columns,
                             prfdata_csv_separator separator, const prfdata_statistics *statistics,
                             size_t offset)
{
    for (size_t i = 0; i < columns->count; i++) {
        put_csv_separator(output, separator);
        if (statistics[i].value_count > 0)
            put_csv_digits(output,
                           (const prfdata_compute_value *)((const char *)&statistics[i] + offset));
        else
            prfdata_output_put_string(output, "\" \"");
    }
    prfdata_output_put_string(output, "\r\n");
}

static void put_csv_means(prfdata_output *output, const prfdata_columns *columns,
                          prfdata_csv_separator separator, const prfdata_statistics *statistics,
                          size_t offset)
{
    for (size_t i = 0; i < columns->count; i++) {
        const prfdata_compute_formatted *mean =
            (const prfdata_compute_formatted *)((const char *)&statistics[i] + offset);
        const prfdata_compute_value value = {.number = mean->as_double};

        put_csv_separator(output, separator);
        if (statistics[i].value_count > 0 && mean->status == PRFDATA_STATUS_OK)
            put_csv_digits(output, &value);
        else
            prfdata_output_put_string(output, "\" \"");
    }
    prfdata_output_put_string(output, "\r\n");
}

void prfdata_csv_put_statistics(prfdata_output *output, const prfdata_columns *columns,
                                prfdata_csv_separator separator,
                                const prfdata_statistics *statistics)
{
    prfdata_output_put_string(output, "\r\n\"(Statistics)\"");
    put_csv_headings(output, columns, separator);
    put_csv_counts(output, columns, separator, statistics, false);
    put_csv_counts(output, columns, separator, statistics, true);
    for (size_t i = 0; i < sizeof extremes / sizeof extremes[0]; i++) {
        prfdata_output_format(output, "\"%s\"", extremes[i].name);
        put_csv_extremes(output, columns, separator, statistics, extremes[i].offset);
    }
    for (size_t i = 0; i < sizeof means / sizeof means[0]; i++) {
        prfdata_output_format(output, "\"%s\"", means[i].name);
        put_csv_means(output, columns, separator, statistics, means[i].offset);
    }
}
