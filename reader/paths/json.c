/* SPDX-License-Identifier: MIT */
/*
 * Writes columns and their statistics as JSON directly, without a tree of values. columns.c has
 * computed the values, and prfread writes the text.
 */
#include "paths/json.h"

#include <inttypes.h>
#include <string.h>

#include "compute/counter_formula.h"
#include "map/counter_types.h"

static bool is_plain_byte(unsigned char byte)
{
    return byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7F;
}

/* Put UTF-8 bytes as the content of a JSON string. */
static void put_json_bytes(prfdata_output *output, const char *text, size_t size)
{
    size_t begin = 0;

    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)text[i];

        if (is_plain_byte(byte))
            continue;
        prfdata_output_put(output, text + begin, i - begin);
        begin = i + 1;
        if (byte == '"' || byte == '\\') {
            prfdata_output_put(output, "\\", 1);
            begin = i; /* the byte is put with the text after it */
        } else {
            prfdata_output_format(output, "\\u%04x", (unsigned)byte);
        }
    }
    prfdata_output_put(output, text + begin, size - begin);
}

void prfdata_json_put_string(prfdata_output *output, const char *text, size_t size)
{
    prfdata_output_put(output, "\"", 1);
    put_json_bytes(output, text, size);
    prfdata_output_put(output, "\"", 1);
}

static bool is_plain_text(prfdata_text text)
{
    size_t plain = 0;

    while (plain < text.count &&
           (text.chars[plain] > 0x7F || is_plain_byte((unsigned char)text.chars[plain])))
        plain++;
    return plain == text.count;
}

static void put_json_text(prfdata_output *output, prfdata_text text)
{
    prfdata_output utf8;

    if (is_plain_text(text)) {
        prfdata_output_put(output, "\"", 1);
        prfdata_output_put_text(output, text);
        prfdata_output_put(output, "\"", 1);
        return;
    }
    prfdata_output_init(&utf8);
    prfdata_output_put_text(&utf8, text);
    prfdata_json_put_string(output, utf8.bytes, utf8.used);
    output->failed = output->failed || utf8.failed;
    prfdata_output_free(&utf8);
}

/* Put a number; null for infinity and NaN, which JSON does not have. */
static void put_json_double(prfdata_output *output, double number)
{
    if (prfdata_compute_is_finite(number))
        prfdata_output_put_double(output, number);
    else
        prfdata_output_put_string(output, "null");
}

/* ---- Time ---- */

/* Return the days from 1601-01-01, where a cycle of 400 years begins, to this date. */
static int64_t days_since_1601(unsigned year, unsigned month, unsigned day)
{
    static const unsigned before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    const int64_t years = (int64_t)year - 1601;

    return years * 365 + years / 4 - years / 100 + years / 400 + before[month - 1] +
           (is_leap && month > 2) + day - 1;
}

static bool is_valid_system_time(const uint16_t t[8])
{
    return t[0] >= 1601 && t[0] <= 9999 && t[1] >= 1 && t[1] <= 12 && t[3] >= 1 && t[3] <= 31 &&
           t[4] <= 23 && t[5] <= 59 && t[6] <= 59 && t[7] <= 999;
}

/* Put "Timestamp" and "Timestamp100NSec". */
static void put_json_time(prfdata_output *output, const uint16_t *t)
{
    int64_t seconds;

    if (!t || !is_valid_system_time(t)) {
        prfdata_output_put_string(output, "\"Timestamp\":null,\"Timestamp100NSec\":null");
        return;
    }
    seconds = ((days_since_1601(t[0], t[1], t[3]) * 24 + t[4]) * 60 + t[5]) * 60 + t[6];
    prfdata_output_format(output,
                          "\"Timestamp\":\"%04u-%02u-%02uT%02u:%02u:%02u.%03uZ\","
                          "\"Timestamp100NSec\":%" PRId64,
                          (unsigned)t[0], (unsigned)t[1], (unsigned)t[3], (unsigned)t[4],
                          (unsigned)t[5], (unsigned)t[6], (unsigned)t[7],
                          seconds * PRFDATA_COMPUTE_100NS_PER_SECOND +
                              t[7] * (PRFDATA_COMPUTE_100NS_PER_SECOND / 1000));
}

/* ---- Samples ---- */

static void put_json_cooked_value(prfdata_output *output, const prfdata_column *column)
{
    prfdata_output_put_string(output, ",\"CookedValue\":");
    if (column->status != PRFDATA_STATUS_OK)
        prfdata_output_put_string(output, "null");
    else if (column->is_text)
        put_json_text(output, column->text);
    else if (column->value.is_bits)
        prfdata_output_put_unsigned(output, (uint64_t)column->value.whole);
    else if (column->value.is_whole)
        prfdata_output_put_signed(output, column->value.whole);
    else
        put_json_double(output, column->value.number);
}

/* Put a raw value. A level of 8 bytes is signed; counts, which only grow, and 4-byte values are
 * unsigned. */
static void put_json_integer(prfdata_output *output, uint64_t value, uint32_t bytes, bool is_level)
{
    if (bytes == 8 && is_level)
        prfdata_output_put_signed(output, (int64_t)value);
    else
        prfdata_output_put_unsigned(output, value);
}

/* Put the content of a PDH_RAW_COUNTER: the second value is the base, or, without a base, the time
 * of the clock. */
static void put_json_raw_values(prfdata_output *output, const prfdata_compute_raw *raw)
{
    const prfdata_counter_formula formula = prfdata_counter_formula_of(raw->type);
    const bool has_base = raw->base_bytes > 0 && !formula.is_multi;

    if (raw->status != PRFDATA_STATUS_OK) {
        prfdata_output_put_string(output,
                                  ",\"RawValue\":null,\"SecondValue\":null,\"MultipleCount\":null");
        return;
    }
    prfdata_output_put_string(output, ",\"RawValue\":");
    put_json_integer(output, raw->value, raw->value_bytes,
                     formula.numerator == PRFDATA_NUMERATOR_LEVEL);
    prfdata_output_put_string(output, ",\"SecondValue\":");
    if (has_base)
        put_json_integer(output, raw->base, raw->base_bytes,
                         formula.denominator == PRFDATA_DENOMINATOR_BASE);
    else if (formula.clock == PRFDATA_CLOCK_NONE)
        prfdata_output_put_string(output, "0");
    else
        prfdata_output_put_signed(output, prfdata_compute_time(raw, formula.clock));
    prfdata_output_put_string(output, ",\"MultipleCount\":");
    prfdata_output_put_unsigned(output, formula.is_multi && raw->base_bytes > 0 ? raw->base : 1);
}

static void put_json_type(prfdata_output *output, uint32_t type)
{
    const prfdata_counter_type *known = prfdata_counter_types_find(type);

    if (known)
        prfdata_output_format(output, ",\"CounterType\":{\"Number\":%u,\"Name\":\"PERF_%s\"}",
                              (unsigned)type, known->name);
    else
        prfdata_output_format(output, ",\"CounterType\":{\"Number\":%u,\"Name\":null}",
                              (unsigned)type);
}

/* Text that mostly is the same for the next column, too. */
typedef struct json_part {
    bool is_made;
    uint32_t of; /* the type or status for which the text was made */
    prfdata_output text;
} json_part;

/* Text that the columns of a line share. */
typedef struct json_line {
    prfdata_output time;
    json_part type;
    json_part status;
} json_line;

static void make_json_type(prfdata_output *output, uint32_t type)
{
    put_json_type(output, type);
    prfdata_output_put_string(output, ",");
}

static void make_json_status(prfdata_output *output, uint32_t status)
{
    prfdata_output_format(output, ",\"Status\":{\"Code\":%u,\"Name\":\"%s\"}", (unsigned)status,
                          prfdata_compute_status_name(status));
}

static void put_json_part(prfdata_output *output, json_part *part, uint32_t of,
                          void (*make)(prfdata_output *output, uint32_t of))
{
    if (!part->is_made || part->of != of) {
        prfdata_output_clear(&part->text);
        make(&part->text, of);
        part->is_made = true;
        part->of = of;
        output->failed = output->failed || part->text.failed;
    }
    prfdata_output_put(output, part->text.bytes, part->text.used);
}

static void put_json_time_base(prfdata_output *output, const prfdata_column *column)
{
    const prfdata_formula_clock clock = prfdata_counter_formula_of(column->type).clock;

    prfdata_output_put_string(output, ",\"TimeBase\":");
    prfdata_output_put_signed(output, prfdata_compute_frequency(&column->raw, clock));
    prfdata_output_put(output, "}", 1);
}

static void put_json_column(prfdata_output *output, const prfdata_column *column, json_line *line)
{
    prfdata_output_put_string(output, "{\"Path\":");
    prfdata_json_put_string(output, column->heading, strlen(column->heading));
    prfdata_output_put_string(output, ",\"InstanceName\":");
    if (column->label.chars)
        put_json_text(output, column->label);
    else
        prfdata_output_put_string(output, "null");
    put_json_cooked_value(output, column);
    put_json_raw_values(output, &column->raw);
    if (column->is_known)
        put_json_part(output, &line->type, column->type, make_json_type);
    else
        prfdata_output_put_string(output, ",\"CounterType\":null,");
    prfdata_output_put(output, line->time.bytes, line->time.used);
    put_json_part(output, &line->status, column->status, make_json_status);
    prfdata_output_put_string(output, ",\"DefaultScale\":");
    if (column->is_known)
        prfdata_output_put_signed(output, column->default_scale);
    else
        prfdata_output_put_string(output, "null");
    if (column->raw.status == PRFDATA_STATUS_OK)
        put_json_time_base(output, column);
    else
        prfdata_output_put_string(output, ",\"TimeBase\":null}");
}

void prfdata_json_put_sample(prfdata_output *output, const prfdata_columns *columns,
                             const uint16_t system_time[8])
{
    json_line line = {0};

    put_json_time(&line.time, system_time);
    output->failed = output->failed || line.time.failed;
    prfdata_output_put_string(output, "{");
    prfdata_output_put(output, line.time.bytes, line.time.used);
    prfdata_output_put_string(output, ",\"CounterSamples\":[");
    for (size_t i = 0; i < columns->count; i++) {
        if (i > 0)
            prfdata_output_put_string(output, ",");
        put_json_column(output, &columns->items[i], &line);
    }
    prfdata_output_put_string(output, "]}\n");
    prfdata_output_free(&line.time);
    prfdata_output_free(&line.type.text);
    prfdata_output_free(&line.status.text);
}

/* ---- Statistics ---- */

static void put_json_statistic(prfdata_output *output, const char *name, bool is_known,
                               const prfdata_compute_formatted *number)
{
    prfdata_output_format(output, ",\"%s\":", name);
    if (is_known && number->status == PRFDATA_STATUS_OK)
        put_json_double(output, number->as_double);
    else
        prfdata_output_put_string(output, "null");
}

static void put_json_extreme(prfdata_output *output, const char *name, bool is_known,
                             const prfdata_compute_value *value)
{
    prfdata_output_format(output, ",\"%s\":", name);
    if (is_known && value->is_bits)
        prfdata_output_put_unsigned(output, (uint64_t)value->whole);
    else if (is_known && value->is_whole)
        prfdata_output_format(output, "%" PRId64, value->whole);
    else if (is_known)
        put_json_double(output, value->number);
    else
        prfdata_output_put_string(output, "null");
}

void prfdata_json_put_statistics(prfdata_output *output, const prfdata_columns *columns,
                                 const prfdata_statistics *statistics)
{
    prfdata_output_put_string(output, "{\"Statistics\":[");
    for (size_t i = 0; i < columns->count; i++) {
        const prfdata_statistics *s = &statistics[i];
        const char *heading = columns->items[i].heading;
        const bool is_known = s->value_count > 0;

        prfdata_output_put_string(output, i > 0 ? ",{\"Path\":" : "{\"Path\":");
        prfdata_json_put_string(output, heading, strlen(heading));
        prfdata_output_format(output, ",\"Values\":%u,\"Skipped\":%u", (unsigned)s->value_count,
                              (unsigned)s->skipped_count);
        put_json_extreme(output, "Minimum", is_known, &s->least);
        put_json_extreme(output, "Maximum", is_known, &s->most);
        put_json_statistic(output, "Mean", is_known, &s->mean);
        put_json_statistic(output, "TimeWeightedMean", is_known, &s->time_weighted_mean);
        put_json_statistic(output, "EndToEndMean", is_known, &s->end_to_end_mean);
        prfdata_output_put_string(output, "}");
    }
    prfdata_output_put_string(output, "]}\n");
}
