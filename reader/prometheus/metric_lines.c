/* SPDX-License-Identifier: MIT */
/* Writes the values of one metric for one instance after another, in the unit of the metric. Most
 * work that is the same for all instances is done only once. */
#include "prometheus/metric_lines.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "compute/counter_formula.h"
#include "prometheus/metric_histogram.h"
#include "prometheus/metric_number.h"
#include "text/decimal.h"

#define UNIX_EPOCH_100NS 116444736000000000 /* the Unix epoch as FILETIME */

/* The lines of an instance; levels and start times have only the first. */
enum { LINE_VALUE, LINE_COUNT, LINE_CREATED };

static bool is_number_size(uint32_t bytes)
{
    return bytes == 4 || bytes == 8;
}

/* ---- Text ---- */

/* Append bytes, and return their end. For 16 to 32 bytes, two overlapping copies of constant size
 * are faster than a call. */
static inline char *append_part(char *at, const char *bytes, size_t size)
{
    if (size - 16 <= 16) {
        memcpy(at, bytes, 16);
        memcpy(at + size - 16, bytes + size - 16, 16);
    } else {
        memcpy(at, bytes, size);
    }
    return at + size;
}

/* Begin a line. Returns where to write its number, with room for a whole number and the line
 * end. */
static inline char *begin_metric_line(const prfdata_metric_lines *lines, unsigned line)
{
    const size_t head = line > 0 ? lines->head_ends[line - 1] : 0;
    const size_t head_bytes = lines->head_ends[line] - head;
    const size_t label_bytes = lines->key.label_bytes;
    char *at =
        prfdata_output_room(lines->output, head_bytes + label_bytes + PRFDATA_DECIMAL_BYTES + 3);

    if (!at)
        return NULL;
    at = append_part(at, lines->heads.bytes + head, head_bytes);
    at = append_part(at, lines->key.label, label_bytes);
    *at++ = ' ';
    return at;
}

static inline void put_count_line(const prfdata_metric_lines *lines, unsigned line, uint64_t number)
{
    char *at = begin_metric_line(lines, line);

    if (!at)
        return;
    at += prfdata_decimal_put_unsigned(at, number);
    *at++ = '\n';
    lines->output->used = (size_t)(at - lines->output->bytes);
}

static void put_metric_line(const prfdata_metric_lines *lines, unsigned line,
                            prfdata_metric_number number)
{
    char *at = begin_metric_line(lines, line);

    if (!at)
        return;
    lines->output->used = (size_t)(at - lines->output->bytes);
    prfdata_metric_number_put(lines->output, number);
    prfdata_output_put(lines->output, "\n", 1);
}

static void put_metric_time_line(const prfdata_metric_lines *lines, unsigned line,
                                 int64_t time_100ns)
{
    char *at = begin_metric_line(lines, line);

    if (!at)
        return;
    lines->output->used = (size_t)(at - lines->output->bytes);
    prfdata_output_put_fixed(
        lines->output, (double)(time_100ns - UNIX_EPOCH_100NS) / PRFDATA_COMPUTE_100NS_PER_SECOND,
        3);
    prfdata_output_put(lines->output, "\n", 1);
}

/* ---- Starts ---- */

/* Convert a start stamp, in ticks of the object's clock, to FILETIME; 0: unknown. */
static int64_t time_of_start(const prfdata_compute_raw *raw, uint64_t start)
{
    double age;

    if (start == 0 || raw->object_freq <= 0 || start > (uint64_t)raw->object_time ||
        raw->time_100ns <= UNIX_EPOCH_100NS)
        return 0;
    age = (double)((uint64_t)raw->object_time - start) / (double)raw->object_freq *
          PRFDATA_COMPUTE_100NS_PER_SECOND;
    if (age > (double)(raw->time_100ns - UNIX_EPOCH_100NS))
        return 0;
    return raw->time_100ns - (int64_t)age;
}

static inline void update_metric_series(prfdata_metric_lines *lines, const prfdata_series_raw *raw,
                                        prfdata_series_state *state)
{
    if (!prfdata_series_update(lines->series, &lines->key, raw, state))
        lines->untracked++;
}

/* ---- Values ---- */

/* Read the value of the counter that lines->reader reads. Returns false if it is damaged. */
static inline bool read_value(prfdata_metric_lines *lines, const prfdata_sample_instance *instance)
{
    return lines->is_number &&
           prfdata_sample_reader_read(&lines->reader, instance) == PRFDATA_STATUS_OK;
}

/* Put the time when the instance started; nothing if it has not started. Returns false if the value
 * is damaged or the time cannot be computed. */
static bool put_start(prfdata_metric_lines *lines, const prfdata_sample_instance *instance)
{
    const prfdata_compute_raw *raw = &lines->reader.raw;
    prfdata_series_raw start = {0};
    prfdata_series_state state;

    if (!read_value(lines, instance))
        return false;
    start.start = raw->value;
    start.start_100ns = time_of_start(raw, raw->value);
    if (start.start_100ns == 0)
        return raw->value == 0;
    update_metric_series(lines, &start, &state);
    put_metric_time_line(lines, LINE_VALUE, state.start_100ns);
    return true;
}

/* ---- Counts ---- */

static void set_start_of_counts(prfdata_metric_lines *lines,
                                const prfdata_sample_instance *instance)
{
    lines->counts.start = prfdata_sample_reader_read(&lines->start, instance) == PRFDATA_STATUS_OK
                              ? lines->start.raw.value
                              : 0;
    lines->counts.start_100ns = time_of_start(&lines->start.raw, lines->counts.start);
}

static inline void update_count_series(prfdata_metric_lines *lines,
                                       const prfdata_sample_instance *instance, uint64_t value,
                                       prfdata_series_state *state)
{
    lines->counts.counts[0] = value;
    if (lines->has_start)
        set_start_of_counts(lines, instance);
    update_metric_series(lines, &lines->counts, state);
}

static prfdata_formula_clock formula_clock_of(prfdata_metric_clock clock)
{
    switch (clock) {
    case PRFDATA_METRIC_CLOCK_PERF:
        return PRFDATA_CLOCK_PERF;
    case PRFDATA_METRIC_CLOCK_100NS:
        return PRFDATA_CLOCK_100NS;
    case PRFDATA_METRIC_CLOCK_OBJECT:
        return PRFDATA_CLOCK_OBJECT;
    default:
        return PRFDATA_CLOCK_NONE;
    }
}

/* Put a count in the metric's unit. If it counts ticks, their frequency must be known. */
static inline void put_scaled_count(const prfdata_metric_lines *lines, uint64_t count)
{
    if (lines->is_ticks)
        put_metric_line(lines, LINE_VALUE, prfdata_metric_number_seconds(count, lines->frequency));
    else if (lines->is_unscaled)
        put_count_line(lines, LINE_VALUE, count);
    else
        put_metric_line(lines, LINE_VALUE,
                        prfdata_metric_number_scaled(prfdata_metric_number_whole(count),
                                                     lines->item->family->factor));
}

/* Put a counter, or the sum and the count of a summary. */
static bool put_counts(prfdata_metric_lines *lines, const prfdata_sample_instance *instance)
{
    const prfdata_metric_part *part = lines->item->part;
    prfdata_series_state state;

    if (!read_value(lines, instance))
        return false;
    if (part->has_count_base)
        lines->counts.counts[1] = lines->reader.raw.base;
    update_count_series(lines, instance, lines->reader.raw.value, &state);
    if (lines->is_ticks && lines->frequency <= 0)
        return false;
    put_scaled_count(lines, state.counts[part->source == PRFDATA_METRIC_COUNT_BASE ? 1 : 0]);
    if (part->source == PRFDATA_METRIC_AVERAGE)
        put_count_line(lines, LINE_COUNT, state.counts[1]);
    if (lines->dialect == PRFDATA_DIALECT_OPEN_METRICS && state.created_100ns > UNIX_EPOCH_100NS)
        put_metric_time_line(lines, LINE_CREATED, state.created_100ns);
    return true;
}

/* ---- Levels ---- */

/* Compute a fraction, which is 1 if the value equals its base. Returns false if the base is missing
 * or not above 0. */
static bool fraction_of(const prfdata_compute_raw *raw, prfdata_metric_number *number)
{
    double value =
        prfdata_metric_number_double(prfdata_metric_number_level(raw->value, raw->value_bytes));
    double base =
        prfdata_metric_number_double(prfdata_metric_number_level(raw->base, raw->base_bytes));

    if (raw->base_bytes == 0 || base <= 0)
        return false;
    *number = prfdata_metric_number_real(value / base);
    return true;
}

static bool level_in_unit(const prfdata_metric_lines *lines, prfdata_metric_number *number)
{
    const prfdata_compute_raw *raw = &lines->reader.raw;
    double value;

    switch (lines->item->part->source) {
    case PRFDATA_METRIC_FRACTION:
        return fraction_of(raw, number);
    case PRFDATA_METRIC_DOUBLE:
        if (raw->value_bytes != sizeof value)
            return false;
        memcpy(&value, &raw->value, sizeof value);
        *number = prfdata_metric_number_real(value);
        break;
    case PRFDATA_METRIC_BASE:
        if (raw->base_bytes == 0)
            return false;
        *number = prfdata_metric_number_level(raw->base, raw->base_bytes);
        break;
    default:
        *number = raw->value_bytes == 8 && prfdata_compute_is_hex(raw->type)
                      ? prfdata_metric_number_whole(raw->value)
                      : prfdata_metric_number_level(raw->value, raw->value_bytes);
        break;
    }
    if (!lines->is_unscaled || !number->is_whole)
        *number = prfdata_metric_number_scaled(*number, lines->item->family->factor);
    return number->is_whole || prfdata_compute_is_finite(number->real);
}

static bool put_level(prfdata_metric_lines *lines, const prfdata_sample_instance *instance)
{
    prfdata_metric_number number;

    if (!read_value(lines, instance) || !level_in_unit(lines, &number))
        return false;
    if (number.is_whole && !number.is_negative)
        put_count_line(lines, LINE_VALUE, number.whole);
    else
        put_metric_line(lines, LINE_VALUE, number);
    return true;
}

/* ---- Histograms ---- */

static uint32_t position_of_title(const prfdata_sample_object *object, uint32_t title)
{
    uint32_t position = 0;

    while (position < object->counter_count &&
           object->counters[position].definition.counter_name_title_index != title)
        position++;
    return position;
}

static uint64_t series_counter(const prfdata_metric_lines *lines, uint32_t title)
{
    return (uint64_t)lines->item->object_title << 32 | title;
}

/* Read a count that only grows, widened to 64 bits. Returns false if it is missing. */
static bool get_bucket_count(prfdata_metric_lines *lines, const prfdata_sample_instance *instance,
                             uint32_t title, uint64_t *count)
{
    const prfdata_sample_object *object = &lines->sample->objects[lines->item->object_position];
    const uint32_t position = position_of_title(object, title);
    prfdata_compute_raw raw;
    prfdata_series_state state;

    if (position == object->counter_count ||
        prfdata_sample_raw(lines->sample, object, instance, position, &raw) != PRFDATA_STATUS_OK ||
        !is_number_size(raw.value_bytes))
        return false;
    lines->key.counter = series_counter(lines, title);
    lines->counts.bytes[0] = (uint8_t)raw.value_bytes;
    update_count_series(lines, instance, raw.value, &state);
    *count = state.counts[0];
    return true;
}

static bool put_buckets(prfdata_metric_lines *lines, const prfdata_sample_instance *instance)
{
    const prfdata_metric_family *family = lines->item->family;
    const prfdata_metric_table_entry *entry = lines->item->histogram;
    prfdata_metric_histogram histogram = {family->name,       family->label,
                                          lines->key.label,   NULL,
                                          entry->bound_count, prfdata_metric_number_whole(0)};
    prfdata_metric_bucket *buckets = calloc(entry->bound_count, sizeof *buckets);
    uint64_t sum = 0;
    bool is_whole = get_bucket_count(lines, instance, lines->item->counter_title, &sum);

    if (!buckets) {
        lines->output->failed = true;
        return false;
    }
    for (uint32_t i = 0; is_whole && i < entry->bound_count; i++) {
        buckets[i].bound = entry->bounds[i].bound;
        is_whole =
            get_bucket_count(lines, instance, entry->bounds[i].counter_title, &buckets[i].count);
    }
    if (is_whole) {
        histogram.buckets = buckets;
        histogram.sum =
            prfdata_metric_number_scaled(prfdata_metric_number_whole(sum), family->factor);
        prfdata_metric_histogram_put(lines->output, &histogram);
    }
    free(buckets);
    return is_whole;
}

/* ---- Metrics ---- */

static uint32_t position_of_start(const prfdata_sample_object *object)
{
    uint32_t position = 0;

    while (position < object->counter_count &&
           object->counters[position].definition.counter_type != PERF_ELAPSED_TIME)
        position++;
    return position;
}

static void make_line_heads(prfdata_metric_lines *lines, bool have_labels)
{
    const prfdata_metric_family *family = lines->item->family;
    const prfdata_metric_source source = lines->item->part->source;
    const char *const suffixes[PRFDATA_METRIC_LINES] = {
        [LINE_VALUE] = source == PRFDATA_METRIC_AVERAGE ? "_sum"
                       : prfdata_metric_part_kind(lines->item->part) == PRFDATA_METRIC_COUNTER
                           ? "_total"
                           : "",
        [LINE_COUNT] = "_count",
        [LINE_CREATED] = "_created"};

    prfdata_output_clear(&lines->heads);
    for (unsigned i = 0; i < PRFDATA_METRIC_LINES; i++) {
        prfdata_output_put_string(&lines->heads, family->name);
        prfdata_output_put_string(&lines->heads, suffixes[i]);
        if (have_labels) {
            prfdata_output_put(&lines->heads, "{", 1);
            prfdata_output_put_string(&lines->heads, family->label);
        }
        lines->head_ends[i] = lines->heads.used;
    }
}

static void begin_metric(prfdata_metric_lines *lines, const prfdata_metric_family_item *item)
{
    const prfdata_sample_object *object = &lines->sample->objects[item->object_position];
    const prfdata_formula_clock clock = formula_clock_of(item->part->clock);
    const uint32_t start = position_of_start(object);
    const double factor = item->family->factor;

    lines->item = item;
    make_line_heads(lines, object->has_instances && !item->is_overall);
    prfdata_sample_reader_make(lines->sample, object, item->counter_position, &lines->reader);
    lines->has_start = start < object->counter_count;
    if (lines->has_start)
        prfdata_sample_reader_make(lines->sample, object, start, &lines->start);
    lines->is_ticks = clock != PRFDATA_CLOCK_NONE;
    lines->frequency = prfdata_compute_frequency(&lines->reader.raw, clock);
    lines->is_unscaled = factor >= 1 && factor <= 1;
    lines->key.counter = series_counter(lines, item->counter_title);
    memset(&lines->counts, 0, sizeof lines->counts);
    lines->counts.bytes[0] = (uint8_t)lines->reader.raw.value_bytes; /* is 4 or 8 if is_number */
    if (item->part->has_count_base)
        lines->counts.bytes[1] = (uint8_t)lines->reader.raw.base_bytes;
    lines->is_number =
        is_number_size(lines->reader.raw.value_bytes) &&
        (!item->part->has_count_base || is_number_size(lines->reader.raw.base_bytes));
}

typedef bool put_instance(prfdata_metric_lines *lines, const prfdata_sample_instance *instance);

/* Put each shown instance, and return how many were left out. Inline, so that the compiler makes a
 * loop for each `put`. */
static inline uint64_t put_instances(prfdata_metric_lines *lines, const uint32_t *shown,
                                     uint32_t shown_count, put_instance *put)
{
    const prfdata_sample_object *object = &lines->sample->objects[lines->item->object_position];
    const prfdata_metric_labels *labels = lines->labels;
    const bool have_labels = !lines->item->is_overall;
    uint64_t left_out = 0;

    for (uint32_t i = 0; i < shown_count; i++) {
        const uint32_t at = shown[i];

        if (have_labels) {
            lines->key.label = prfdata_metric_labels_text(labels, at);
            lines->key.label_bytes = prfdata_metric_labels_bytes(labels, at);
            lines->key.label_number = labels->numbers[at];
        }
        left_out += !put(lines, &object->instances[object->found[at]]);
    }
    return left_out;
}

uint64_t prfdata_metric_lines_put(prfdata_metric_lines *lines,
                                  const prfdata_metric_family_item *item, const uint32_t *shown,
                                  uint32_t shown_count)
{
    begin_metric(lines, item);
    if (lines->heads.failed) {
        lines->output->failed = true;
        return 0;
    }
    lines->key.label = "";
    lines->key.label_bytes = 0;
    lines->key.label_number = 0;
    if (item->histogram)
        return put_instances(lines, shown, shown_count, put_buckets);
    if (item->part->source == PRFDATA_METRIC_START)
        return put_instances(lines, shown, shown_count, put_start);
    return prfdata_metric_part_kind(item->part) == PRFDATA_METRIC_GAUGE
               ? put_instances(lines, shown, shown_count, put_level)
               : put_instances(lines, shown, shown_count, put_counts);
}

void prfdata_metric_lines_free(prfdata_metric_lines *lines)
{
    prfdata_output_free(&lines->heads);
}
