/* SPDX-License-Identifier: MIT */
/*
 * Writes columns and their statistics as JSON directly, without a tree of values. columns.c
 * computes the values, and prfread writes the text.
 */
#include "paths/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/calendar.h"
#include "compute/counter_formula.h"
#include "map/counter_types.h"
#include "text/decimal.h"

static bool is_plain_byte(unsigned char byte)
{
    return byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7F;
}

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
            begin = i; /* this byte is put together with the text after it */
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

/* Returns whether the time can be written in the usual form of ISO 8601. */
static bool has_iso_form(const uint16_t t[8])
{
    return prfdata_calendar_is_system_time(t) && t[0] <= 9999;
}

static void put_json_time(prfdata_output *output, const uint16_t *t)
{
    int64_t seconds;

    if (!t || !has_iso_form(t)) {
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

/* ---- What stays from sample to sample ---- */

void prfdata_json_heads_free(prfdata_json_heads *heads)
{
    prfdata_output_free(&heads->text);
    free(heads->ends);
    memset(heads, 0, sizeof *heads);
}

/* Add the heads of columns that have none yet. Returns false: no memory. */
static bool add_json_heads(prfdata_json_heads *heads, const prfdata_columns *columns)
{
    size_t *ends =
        prfdata_array_reserve(heads->ends, &heads->capacity, columns->count + 1, sizeof *ends);

    if (!ends)
        return false;
    heads->ends = ends;
    for (; heads->count < columns->count; heads->count++) {
        const prfdata_column *column = &columns->items[heads->count];

        prfdata_output_put_string(&heads->text, ",{\"Path\":");
        prfdata_json_put_string(&heads->text, column->heading, strlen(column->heading));
        prfdata_output_put_string(&heads->text, ",\"InstanceName\":");
        if (column->label.chars)
            put_json_text(&heads->text, column->label);
        else
            prfdata_output_put_string(&heads->text, "null");
        prfdata_output_put_string(&heads->text, ",\"CookedValue\":");
        ends[heads->count] = heads->text.used;
    }
    return !heads->text.failed;
}

/* ---- Samples ---- */

#define PUT(output, literal) prfdata_output_put(output, literal, sizeof(literal) - 1)

/*
 * The text after the numbers of a column, and the inputs from which it was made. The text is mostly
 * the same for the next column.
 */
typedef struct json_tail {
    const prfdata_compute_raw *shared; /* of the last column; NULL: it has no raw value */
    bool is_made;
    bool is_known;
    bool has_raw;
    bool has_base;
    uint32_t type;
    uint32_t status;
    int32_t scale;
    int64_t second_time;
    int64_t time_base;
    prfdata_output text;
} json_tail;

typedef struct json_line {
    const prfdata_columns *columns;
    prfdata_output time;
    uint32_t type; /* the type for which `formula` was made */
    prfdata_counter_formula formula;
    json_tail tail;
} json_line;

/* Append a text that was made before, and note if it is incomplete. */
static void put_json_made(prfdata_output *output, const prfdata_output *made)
{
    output->failed = output->failed || made->failed;
    prfdata_output_put(output, made->bytes, made->used);
}

static void put_json_type(prfdata_output *output, uint32_t type)
{
    const prfdata_counter_type *known = prfdata_counter_types_find(type);

    if (known)
        prfdata_output_format(output, ",\"CounterType\":{\"Number\":%u,\"Name\":\"PERF_%s\"},",
                              (unsigned)type, known->name);
    else
        prfdata_output_format(output, ",\"CounterType\":{\"Number\":%u,\"Name\":null},",
                              (unsigned)type);
}

static void make_json_tail(json_tail *tail, const prfdata_output *time)
{
    prfdata_output *text = &tail->text;

    prfdata_output_clear(text);
    if (!tail->has_raw) {
        PUT(text, ",\"RawValue\":null,\"SecondValue\":null,\"MultipleCount\":null");
    } else if (!tail->has_base) {
        PUT(text, ",\"SecondValue\":");
        prfdata_output_put_signed(text, tail->second_time);
        PUT(text, ",\"MultipleCount\":1");
    }
    if (tail->is_known)
        put_json_type(text, tail->type);
    else
        prfdata_output_put_string(text, ",\"CounterType\":null,");
    put_json_made(text, time);
    prfdata_output_format(text, ",\"Status\":{\"Code\":%u,\"Name\":\"%s\"},\"DefaultScale\":",
                          (unsigned)tail->status, prfdata_compute_status_name(tail->status));
    if (tail->is_known)
        prfdata_output_put_signed(text, tail->scale);
    else
        prfdata_output_put_string(text, "null");
    prfdata_output_put_string(text, ",\"TimeBase\":");
    if (tail->has_raw)
        prfdata_output_put_signed(text, tail->time_base);
    else
        prfdata_output_put_string(text, "null");
    prfdata_output_put_string(text, "}");
}

/*
 * Make the text after the numbers of a column, unless the column before has the same text.
 * SecondValue and MultipleCount are part of the text only if there is no base.
 *
 * shared  NULL: the column has no raw value.
 */
static void follow_json_tail(json_line *line, const prfdata_column *column,
                             const prfdata_compute_raw *shared)
{
    json_tail *tail = &line->tail;
    const prfdata_counter_formula *formula = &line->formula;
    const bool is_same = tail->is_made && tail->is_known == column->is_known &&
                         tail->type == column->type && tail->status == column->status &&
                         tail->scale == column->default_scale;
    json_tail made = {.shared = shared,
                      .is_made = true,
                      .is_known = column->is_known,
                      .has_raw = shared != NULL,
                      .has_base = shared && shared->base_bytes != 0,
                      .type = column->type,
                      .status = column->status,
                      .scale = column->default_scale,
                      .text = tail->text};

    if (shared) {
        if (!made.has_base && formula->clock != PRFDATA_CLOCK_NONE)
            made.second_time = prfdata_compute_time(shared, formula->clock);
        made.time_base = prfdata_compute_frequency(shared, formula->clock);
    }
    if (!is_same || tail->has_raw != made.has_raw || tail->has_base != made.has_base ||
        tail->second_time != made.second_time || tail->time_base != made.time_base)
        make_json_tail(&made, &line->time);
    *tail = made;
}

/* Returns whether the column's value is a signed level. A hexadecimal level has no sign. */
static bool is_signed_level(const json_line *line, const prfdata_column *column)
{
    return line->formula.numerator == PRFDATA_NUMERATOR_LEVEL &&
           !prfdata_compute_is_hex(column->type);
}

/* Put a raw value: signed if it is a level of 8 bytes, otherwise unsigned. Returns the number of
 * bytes. */
static size_t put_json_integer(char *text, uint64_t value, uint32_t bytes, bool is_level)
{
    return bytes == 8 && is_level ? prfdata_decimal_put_signed(text, (int64_t)value)
                                  : prfdata_decimal_put_unsigned(text, value);
}

/* Put the base of a column as SecondValue. For a multi timer, put the base as MultipleCount, and
 * the time of the clock as SecondValue. */
static void put_json_base(prfdata_output *output, const json_line *line,
                          const prfdata_compute_raw *shared, uint64_t base)
{
    const prfdata_counter_formula *formula = &line->formula;
    char text[PRFDATA_DECIMAL_BYTES];

    PUT(output, ",\"SecondValue\":");
    if (!formula->is_multi)
        prfdata_output_put(output, text,
                           put_json_integer(text, base, shared->base_bytes,
                                            formula->denominator == PRFDATA_DENOMINATOR_BASE));
    else
        prfdata_output_put_signed(output, formula->clock == PRFDATA_CLOCK_NONE
                                              ? 0
                                              : prfdata_compute_time(shared, formula->clock));
    PUT(output, ",\"MultipleCount\":");
    prfdata_output_put_unsigned(output, formula->is_multi ? base : 1);
}

/* Put a number. Returns the number of bytes; 0: put_json_cooked_value() must put it. */
static size_t put_json_number(char *text, const prfdata_columns *columns,
                              const prfdata_compute_value *value)
{
    if (value->is_bits)
        return prfdata_decimal_put_unsigned(text, (uint64_t)value->whole);
    return value->is_whole ? prfdata_decimal_put_signed(text, value->whole)
                           : prfdata_decimal_put_again(columns->texts, text, value->number);
}

static void put_json_cooked_value(prfdata_output *output, const prfdata_column *column)
{
    if (column->status != PRFDATA_STATUS_OK)
        PUT(output, "null");
    else if (column->is_text)
        put_json_text(output, column->text);
    else if (column->value.is_bits)
        prfdata_output_put_unsigned(output, (uint64_t)column->value.whole);
    else if (column->value.is_whole)
        prfdata_output_put_signed(output, column->value.whole);
    else
        put_json_double(output, column->value.number);
}

/* Put a column of the usual kind: a number, and a raw value without a base. Asks for room only
 * once. Returns false if the number is unusual; then nothing was put. */
static bool put_json_usual(prfdata_output *output, const prfdata_column *column,
                           const json_line *line, const char *head, size_t head_bytes)
{
    static const char raw_value[] = ",\"RawValue\":";
    const prfdata_output *tail = &line->tail.text;
    char *const room = prfdata_output_room(output, head_bytes + 2 * PRFDATA_DECIMAL_BYTES +
                                                       sizeof raw_value + tail->used);
    char *at = room;
    size_t size;

    if (!room)
        return true; /* there is no memory, and put_json_unusual() would need more */
    memcpy(at, head, head_bytes);
    at += head_bytes;
    size = put_json_number(at, line->columns, &column->value);
    if (size == 0)
        return false;
    at += size;
    memcpy(at, raw_value, sizeof raw_value - 1);
    at += sizeof raw_value - 1;
    at += put_json_integer(at, column->raw.value, line->tail.shared->value_bytes,
                           is_signed_level(line, column));
    memcpy(at, tail->bytes, tail->used);
    output->used += (size_t)(at - room) + tail->used;
    return true;
}

/* Put a column of any kind after its head. */
static void put_json_unusual(prfdata_output *output, const prfdata_column *column,
                             const json_line *line)
{
    const prfdata_compute_raw *shared = line->tail.shared;
    char text[PRFDATA_DECIMAL_BYTES];

    put_json_cooked_value(output, column);
    if (shared) {
        PUT(output, ",\"RawValue\":");
        prfdata_output_put(output, text,
                           put_json_integer(text, column->raw.value, shared->value_bytes,
                                            is_signed_level(line, column)));
        if (shared->base_bytes != 0)
            put_json_base(output, line, shared, column->raw.base);
    }
    put_json_made(output, &line->tail.text);
}

static void put_json_column(prfdata_output *output, const prfdata_column *column, json_line *line,
                            const char *head, size_t head_bytes)
{
    const prfdata_compute_raw *shared = column->raw_status == PRFDATA_STATUS_OK
                                            ? prfdata_columns_shared(line->columns, column)
                                            : NULL;
    json_tail *tail = &line->tail;

    if (line->type != column->type) {
        line->type = column->type;
        line->formula = prfdata_counter_formula_of(column->type);
    }
    /* Columns with the same shared data have the same type and scale. */
    if (!shared || tail->shared != shared || tail->status != column->status)
        follow_json_tail(line, column, shared);
    if (shared && !tail->has_base && column->status == PRFDATA_STATUS_OK && !column->is_text &&
        !tail->text.failed && put_json_usual(output, column, line, head, head_bytes))
        return;
    prfdata_output_put(output, head, head_bytes);
    put_json_unusual(output, column, line);
}

void prfdata_json_put_sample(prfdata_output *output, const prfdata_columns *columns,
                             prfdata_json_heads *heads, const uint16_t system_time[8],
                             const prfdata_output_taker *taker)
{
    json_line line = {.columns = columns, .formula = prfdata_counter_formula_of(0)};
    size_t begin = 1; /* skips the comma of the first column */

    if (!add_json_heads(heads, columns)) {
        output->failed = true;
        return;
    }
    put_json_time(&line.time, system_time);
    prfdata_output_put_string(output, "{");
    put_json_made(output, &line.time);
    prfdata_output_put_string(output, ",\"CounterSamples\":[");
    for (size_t i = 0; i < columns->count; i++) {
        put_json_column(output, &columns->items[i], &line, heads->text.bytes + begin,
                        heads->ends[i] - begin);
        begin = heads->ends[i];
        prfdata_output_pass(output, taker);
    }
    prfdata_output_put_string(output, "]}\n");
    prfdata_output_free(&line.time);
    prfdata_output_free(&line.tail.text);
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
