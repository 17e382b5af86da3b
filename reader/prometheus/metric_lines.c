/* SPDX-License-Identifier: MIT */
/*
 * Values of one counter of one instance in the unit of its metric. Which counters and instances are
 * shown is decided elsewhere.
 */
#include "prometheus/metric_lines.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "compute/counter_formula.h"
#include "prometheus/metric_histogram.h"
#include "prometheus/metric_number.h"

#define UNIX_EPOCH_100NS 116444736000000000 /* as FILETIME */

/* The counter and the instance that lines are put for. */
typedef struct subject {
    const prfdata_metric_family_item *item;
    const prfdata_sample_object *object;
    const prfdata_sample_instance *instance;
    const char *label;
    size_t label_bytes;
    prfdata_compute_raw raw;
} subject;

/* ---- Text ---- */

static char *append_part(char *at, const char *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}

/* Put a line up to its number. */
static void begin_metric_line(const prfdata_metric_lines *lines, const subject *s,
                              const char *suffix)
{
    const size_t suffix_bytes = strlen(suffix);
    prfdata_output *output = lines->output;
    char *room = prfdata_output_room(output, lines->name_bytes + suffix_bytes +
                                                 lines->label_name_bytes + s->label_bytes + 2);
    char *at = room;

    if (!room)
        return;
    at = append_part(at, s->item->family->name, lines->name_bytes);
    at = append_part(at, suffix, suffix_bytes);
    if (s->label_bytes > 0) {
        *at++ = '{';
        at = append_part(at, s->item->family->label, lines->label_name_bytes);
        at = append_part(at, s->label, s->label_bytes);
    }
    *at++ = ' ';
    output->used += (size_t)(at - room);
}

static void put_metric_line(const prfdata_metric_lines *lines, const subject *s, const char *suffix,
                            prfdata_metric_number number)
{
    begin_metric_line(lines, s, suffix);
    prfdata_metric_number_put(lines->output, number);
    prfdata_output_put(lines->output, "\n", 1);
}

/* Put a line with a Unix time. */
static void put_metric_time_line(const prfdata_metric_lines *lines, const subject *s,
                                 const char *suffix, int64_t time_100ns)
{
    begin_metric_line(lines, s, suffix);
    prfdata_output_put_fixed(
        lines->output, (double)(time_100ns - UNIX_EPOCH_100NS) / PRFDATA_COMPUTE_100NS_PER_SECOND,
        3);
    prfdata_output_put(lines->output, "\n", 1);
}

/* ---- Starts ---- */

/* The value of the instance's counter of type ELAPSED_TIME; 0: there is no such counter. */
static uint64_t start_of_instance(const prfdata_metric_lines *lines, const subject *s)
{
    prfdata_compute_raw raw;

    return lines->has_start &&
                   prfdata_sample_reader_get(&lines->start, s->instance, &raw) == PRFDATA_STATUS_OK
               ? raw.value
               : 0;
}

/* Convert a start stamp, which is in ticks of the object's clock, to FILETIME; 0: unknown. */
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

/* Update what series.h remembers of the counter of this instance. */
static void update_metric_series(prfdata_metric_lines *lines, const subject *s,
                                 const prfdata_series_raw *raw, prfdata_series_state *state)
{
    const prfdata_series_key key = {(uint64_t)s->item->object_title << 32 | s->item->counter_title,
                                    s->label, s->label_bytes};

    if (!prfdata_series_update(lines->series, &key, raw, state))
        lines->untracked++;
}

/* Put when the instance started; nothing, which is right too, if nothing has started. */
static bool put_start_line(prfdata_metric_lines *lines, const subject *s)
{
    prfdata_series_raw start;
    prfdata_series_state state;

    memset(&start, 0, sizeof start);
    start.start = s->raw.value;
    start.start_100ns = time_of_start(&s->raw, s->raw.value);
    if (start.start_100ns == 0)
        return s->raw.value == 0;
    update_metric_series(lines, s, &start, &state);
    put_metric_time_line(lines, s, "", state.start_100ns);
    return true;
}

/* ---- Counts ---- */

static void update_count_series(prfdata_metric_lines *lines, const subject *s,
                                prfdata_series_state *state)
{
    prfdata_series_raw counts;

    memset(&counts, 0, sizeof counts);
    counts.counts[0] = s->raw.value;
    counts.bytes[0] = s->raw.value_bytes;
    if (s->item->part->has_count_base) {
        counts.counts[1] = s->raw.base;
        counts.bytes[1] = s->raw.base_bytes;
    }
    counts.start = start_of_instance(lines, s);
    counts.start_100ns = time_of_start(&s->raw, counts.start);
    update_metric_series(lines, s, &counts, state);
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

/* Bring a count to the metric's unit. Returns false if its clock has no frequency. */
static bool count_in_unit(const subject *s, uint64_t count, prfdata_metric_number *number)
{
    const prfdata_formula_clock clock = formula_clock_of(s->item->part->clock);
    const int64_t frequency = prfdata_compute_frequency(&s->raw, clock);

    if (clock == PRFDATA_CLOCK_NONE)
        *number = prfdata_metric_number_scaled(prfdata_metric_number_whole(count),
                                               s->item->family->factor);
    else if (frequency > 0)
        *number = prfdata_metric_number_seconds(count, frequency);
    else
        return false;
    return true;
}

/* Put a counter, or the sum and the count of a summary. */
static bool put_count_lines(prfdata_metric_lines *lines, const subject *s)
{
    const prfdata_metric_part *part = s->item->part;
    const bool is_average = part->source == PRFDATA_METRIC_AVERAGE;
    prfdata_series_state state;
    prfdata_metric_number number;

    if (part->has_count_base && s->raw.base_bytes != 4 && s->raw.base_bytes != 8)
        return false;
    update_count_series(lines, s, &state);
    if (!count_in_unit(s, state.counts[part->source == PRFDATA_METRIC_COUNT_BASE ? 1 : 0], &number))
        return false;
    put_metric_line(lines, s, is_average ? "_sum" : "_total", number);
    if (is_average)
        put_metric_line(lines, s, "_count", prfdata_metric_number_whole(state.counts[1]));
    if (lines->dialect == PRFDATA_DIALECT_OPEN_METRICS && state.created_100ns > UNIX_EPOCH_100NS)
        put_metric_time_line(lines, s, "_created", state.created_100ns);
    return true;
}

/* ---- Levels ---- */

/* Compute a fraction, from 0 to 1. Returns false if the base is missing or not above 0. */
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

/* Compute a level in the metric's unit. Returns false if there is no value. */
static bool level_in_unit(const subject *s, prfdata_metric_number *number)
{
    double value;

    switch (s->item->part->source) {
    case PRFDATA_METRIC_FRACTION:
        return fraction_of(&s->raw, number);
    case PRFDATA_METRIC_DOUBLE:
        if (s->raw.value_bytes != sizeof value)
            return false;
        memcpy(&value, &s->raw.value, sizeof value);
        *number = prfdata_metric_number_real(value);
        break;
    case PRFDATA_METRIC_BASE:
        if (s->raw.base_bytes == 0)
            return false;
        *number = prfdata_metric_number_level(s->raw.base, s->raw.base_bytes);
        break;
    default:
        *number = prfdata_metric_number_level(s->raw.value, s->raw.value_bytes);
        break;
    }
    *number = prfdata_metric_number_scaled(*number, s->item->family->factor);
    return number->is_whole || prfdata_compute_is_finite(number->real);
}

static bool put_level_line(prfdata_metric_lines *lines, const subject *s)
{
    prfdata_metric_number number;

    if (!level_in_unit(s, &number))
        return false;
    put_metric_line(lines, s, "", number);
    return true;
}

/* ---- Histograms ---- */

/* The position of the counter with this title in its object; counter_count: there is none. */
static uint32_t position_of_title(const prfdata_sample_object *object, uint32_t title)
{
    uint32_t position = 0;

    while (position < object->counter_count &&
           object->counters[position].definition.counter_name_title_index != title)
        position++;
    return position;
}

/* Read a count that only grows, widened. Returns false if it is not there. */
static bool get_bucket_count(prfdata_metric_lines *lines, const subject *s, uint32_t title,
                             uint64_t *count)
{
    const uint32_t position = position_of_title(s->object, title);
    prfdata_metric_family_item item = *s->item;
    subject counter = *s;
    prfdata_series_state state;

    if (position == s->object->counter_count ||
        prfdata_sample_raw(lines->sample, s->object, s->instance, position, &counter.raw) !=
            PRFDATA_STATUS_OK ||
        (counter.raw.value_bytes != 4 && counter.raw.value_bytes != 8))
        return false;
    item.counter_title = title;
    counter.item = &item;
    update_count_series(lines, &counter, &state);
    *count = state.counts[0];
    return true;
}

/* Put a histogram from the counters that count its values up to bounds. */
static bool put_bucket_lines(prfdata_metric_lines *lines, const subject *s)
{
    const prfdata_metric_table_entry *entry = s->item->histogram;
    prfdata_metric_histogram histogram = {
        s->item->family->name, s->item->family->label,        s->label, NULL,
        entry->bound_count,    prfdata_metric_number_whole(0)};
    prfdata_metric_bucket *buckets = calloc(entry->bound_count, sizeof *buckets);
    uint64_t sum = 0;
    bool is_whole = get_bucket_count(lines, s, s->item->counter_title, &sum);

    if (!buckets) {
        lines->output->failed = true;
        return false;
    }
    for (uint32_t i = 0; is_whole && i < entry->bound_count; i++) {
        buckets[i].bound = entry->bounds[i].bound;
        is_whole = get_bucket_count(lines, s, entry->bounds[i].counter_title, &buckets[i].count);
    }
    if (is_whole) {
        histogram.buckets = buckets;
        histogram.sum =
            prfdata_metric_number_scaled(prfdata_metric_number_whole(sum), s->item->family->factor);
        prfdata_metric_histogram_put(lines->output, &histogram);
    }
    free(buckets);
    return is_whole;
}

/* ---- Values ---- */

/* The first counter of type ELAPSED_TIME that has a number; counter_count: there is none. */
static uint32_t position_of_start(const prfdata_sample_object *object)
{
    uint32_t position = 0;

    while (position < object->counter_count &&
           object->counters[position].definition.counter_type != PERF_ELAPSED_TIME)
        position++;
    return position;
}

void prfdata_metric_lines_begin(prfdata_metric_lines *lines, const prfdata_metric_family_item *item)
{
    const prfdata_sample_object *object = &lines->sample->objects[item->object_position];
    const uint32_t start = position_of_start(object);

    lines->item = item;
    lines->name_bytes = strlen(item->family->name);
    lines->label_name_bytes = strlen(item->family->label);
    prfdata_sample_reader_make(lines->sample, object, item->counter_position, &lines->reader);
    lines->has_start = start < object->counter_count;
    if (lines->has_start)
        prfdata_sample_reader_make(lines->sample, object, start, &lines->start);
}

static bool get_metric_raw(const prfdata_metric_lines *lines, subject *s)
{
    return prfdata_sample_reader_get(&lines->reader, s->instance, &s->raw) == PRFDATA_STATUS_OK &&
           (s->raw.value_bytes == 4 || s->raw.value_bytes == 8);
}

bool prfdata_metric_lines_put(prfdata_metric_lines *lines, const prfdata_sample_instance *instance,
                              const char *label, size_t label_bytes)
{
    const prfdata_metric_family_item *item = lines->item;
    subject s;

    s.item = item;
    s.object = &lines->sample->objects[item->object_position];
    s.instance = instance;
    s.label = label;
    s.label_bytes = label_bytes;
    if (item->histogram)
        return put_bucket_lines(lines, &s);
    if (!get_metric_raw(lines, &s))
        return false;
    if (item->part->source == PRFDATA_METRIC_START)
        return put_start_line(lines, &s);
    if (prfdata_metric_part_kind(item->part) == PRFDATA_METRIC_GAUGE)
        return put_level_line(lines, &s);
    return put_count_lines(lines, &s);
}
