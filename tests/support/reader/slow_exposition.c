/* SPDX-License-Identifier: MIT */
#include "support/reader/slow_exposition.h"

#include <stdlib.h>
#include <string.h>

#include "prometheus/metric_number.h"
#include "support/test.h"

#define TEN_MINUTES_100NS 6000000000
#define UNIX_EPOCH_100NS  116444736000000000

void slow_exposition_free(slow_exposition *slow)
{
    for (size_t i = 0; i < slow->count; i++)
        free(slow->series[i].label);
    free(slow->series);
    prfdata_metric_families_free(&slow->families);
}

/* ---- Series ---- */

/* Begin another sample, and forget series that were absent for ten minutes. */
static void begin_sample(slow_exposition *slow, int64_t time_100ns)
{
    size_t kept = 0;

    if (time_100ns == slow->now_100ns)
        return;
    for (size_t i = 0; i < slow->count; i++) {
        slow_series *s = &slow->series[i];

        if (s->seen_100ns > time_100ns)
            s->seen_100ns = time_100ns;
        if (s->seen_100ns >= time_100ns - TEN_MINUTES_100NS)
            slow->series[kept++] = *s;
        else
            free(s->label);
    }
    slow->count = kept;
    slow->now_100ns = time_100ns;
}

static slow_series *find_series(slow_exposition *slow, uint64_t counter, const char *label,
                                bool *is_new)
{
    slow_series *s;

    *is_new = false;
    for (size_t i = 0; i < slow->count; i++) {
        s = &slow->series[i];
        if (s->counter == counter && strcmp(s->label, label) == 0)
            return s;
    }
    slow->series = realloc(slow->series, (slow->count + 1) * sizeof *slow->series);
    assert_non_null(slow->series);
    s = &slow->series[slow->count++];
    memset(s, 0, sizeof *s);
    s->counter = counter;
    s->label = malloc(strlen(label) + 1);
    assert_non_null(s->label);
    strcpy(s->label, label);
    *is_new = true;
    return s;
}

/* The values of a series in one sample. */
typedef struct slow_counts {
    uint64_t counts[2];
    uint32_t bytes[2];
    uint64_t start;
    int64_t start_100ns;
} slow_counts;

static bool has_wrapped(const slow_series *s, const slow_counts *now, int i)
{
    const bool both_have_start = s->start != 0 && now->start != 0;

    if (now->bytes[i] != 4 || (both_have_start && s->start != now->start))
        return false;
    return (both_have_start && s->start == now->start) ||
           (uint32_t)(now->counts[i] - s->last[i]) < 0x80000000u;
}

static slow_series *update_series(slow_exposition *slow, uint64_t counter, const char *label,
                                  const slow_counts *now)
{
    bool is_new;
    slow_series *s = find_series(slow, counter, label, &is_new);
    bool started_again = false;

    for (int i = 0; i < 2 && !is_new; i++)
        started_again |= s->bytes[i] != now->bytes[i] ||
                         (now->counts[i] < s->last[i] && !has_wrapped(s, now, i));
    if (started_again) {
        s->created_100ns = s->seen_100ns;
        if (now->start != 0 && now->start_100ns > s->seen_100ns &&
            now->start_100ns <= slow->now_100ns)
            s->created_100ns = now->start_100ns;
        s->above[0] = s->above[1] = 0;
    }
    for (int i = 0; i < 2; i++) {
        if (!is_new && !started_again && now->counts[i] < s->last[i])
            s->above[i] += (uint64_t)1 << 32;
        s->last[i] = now->counts[i];
        s->bytes[i] = now->bytes[i];
    }
    if (is_new || s->start != now->start)
        s->start_100ns = now->start_100ns;
    s->start = now->start;
    s->seen_100ns = slow->now_100ns;
    return s;
}

/* ---- Labels ---- */

static void put_escaped(prfdata_output *output, prfdata_text text)
{
    for (size_t i = 0; i < text.count; i++) {
        const uint16_t c = text.chars[i];

        assert_true(c < 0x7F && c != '"' && c != '\n');
        if (c == '\\')
            prfdata_output_put_string(output, "\\\\");
        else if (c < ' ')
            prfdata_output_format(output, "\\\\u%04X", (unsigned)c);
        else
            prfdata_output_format(output, "%c", c);
    }
}

/* Make {name="Label",parent="Parent"}. The caller frees it. */
static char *make_label(const prfdata_sample *sample, const prfdata_sample_object *object,
                        const prfdata_sample_instance *instance)
{
    const prfdata_text parent = prfdata_sample_parent(sample, instance);
    const size_t begin = parent.chars ? parent.count + 1 : 0;
    prfdata_output output = {0};

    if (object->has_instances) {
        prfdata_output_put_string(&output, "{name=\"");
        put_escaped(&output, prfdata_text_part(instance->label, begin, instance->label.count));
        if (parent.count > 0) {
            prfdata_output_put_string(&output, "\",parent=\"");
            put_escaped(&output, parent);
        }
        prfdata_output_put_string(&output, "\"}");
    }
    prfdata_output_put(&output, "", 1);
    return output.bytes;
}

static bool is_called_total(prfdata_text name)
{
    return prfdata_text_equal_ascii(name, "_Total");
}

static bool has_earlier_label(const prfdata_sample *sample, const prfdata_sample_object *object,
                              uint32_t position, const char *label)
{
    bool is_same = false;

    for (uint32_t i = 0; i < position && !is_same; i++) {
        char *other = make_label(sample, object, &object->instances[object->found[i]]);

        is_same = strcmp(other, label) == 0;
        free(other);
    }
    return is_same;
}

static bool is_wanted(const slow_exposition *slow, const prfdata_metric_family_item *item,
                      const prfdata_sample *sample, const prfdata_sample_object *object,
                      const prfdata_sample_instance *instance)
{
    const bool is_total =
        object->has_instances && (is_called_total(instance->name) ||
                                  is_called_total(prfdata_sample_parent(sample, instance)));
    bool wanted = slow->choice.path_count == 0 && !is_total;

    for (size_t m = 0; m < item->match_count; m++) {
        const prfdata_resolver_path *path = &slow->choice.paths[item->matches[m].path_index];

        if (prfdata_resolver_wants_instance(path, object, instance) &&
            (!is_total ||
             (path->path.has_instance && !prfdata_text_has_wildcard(path->path.instance))))
            wanted = true;
    }
    return wanted;
}

/* ---- Values ---- */

static int64_t start_time(const prfdata_compute_raw *raw, uint64_t start)
{
    double age;

    if (start == 0 || raw->object_freq <= 0 || start > (uint64_t)raw->object_time ||
        raw->time_100ns <= UNIX_EPOCH_100NS)
        return 0;
    age = (double)((uint64_t)raw->object_time - start) / (double)raw->object_freq * 1e7;
    return age > (double)(raw->time_100ns - UNIX_EPOCH_100NS) ? 0 : raw->time_100ns - (int64_t)age;
}

/* Return the value of the instance's first counter of the type PERF_ELAPSED_TIME, or 0 if it has no
 * such counter or no value. */
static uint64_t find_start(const prfdata_sample *sample, const prfdata_sample_object *object,
                           const prfdata_sample_instance *instance)
{
    prfdata_compute_raw raw;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (object->counters[i].definition.counter_type == PERF_ELAPSED_TIME)
            return prfdata_sample_raw(sample, object, instance, i, &raw) == PRFDATA_STATUS_OK
                       ? raw.value
                       : 0;
    }
    return 0;
}

/* Write a line with `number`. If `number` is NULL, the line has the time instead. */
static void put_line(prfdata_output *output, const prfdata_metric_family *family,
                     const char *suffix, const char *label, const prfdata_metric_number *number,
                     int64_t time_100ns)
{
    prfdata_output_format(output, "%s%s%s ", family->name, suffix, label);
    if (number)
        prfdata_metric_number_put(output, *number);
    else
        prfdata_output_put_fixed(output, (double)(time_100ns - UNIX_EPOCH_100NS) / 1e7, 3);
    prfdata_output_put_string(output, "\n");
}

static bool put_counts(slow_exposition *slow, const prfdata_sample *sample,
                       const prfdata_metric_family_item *item,
                       const prfdata_sample_instance *instance, const prfdata_compute_raw *raw,
                       const char *label, prfdata_dialect dialect, prfdata_output *output)
{
    const prfdata_sample_object *object = &sample->objects[item->object_position];
    const prfdata_metric_part *part = item->part;
    const bool is_average = part->source == PRFDATA_METRIC_AVERAGE;
    slow_counts now = {.counts = {raw->value}, .bytes = {raw->value_bytes}};
    prfdata_metric_number number;
    const slow_series *s;
    uint64_t count;

    if (part->has_count_base) {
        if (raw->base_bytes == 0)
            return false;
        now.counts[1] = raw->base;
        now.bytes[1] = raw->base_bytes;
    }
    now.start = find_start(sample, object, instance);
    now.start_100ns = start_time(raw, now.start);
    s = update_series(slow, (uint64_t)item->object_title << 32 | item->counter_title, label, &now);
    count = part->source == PRFDATA_METRIC_COUNT_BASE ? s->above[1] + s->last[1]
                                                      : s->above[0] + s->last[0];
    number = prfdata_metric_number_whole(count);
    if (part->clock == PRFDATA_METRIC_CLOCK_NONE)
        number = prfdata_metric_number_scaled(number, item->family->factor);
    else
        number = prfdata_metric_number_seconds(
            count, part->clock == PRFDATA_METRIC_CLOCK_PERF    ? raw->perf_freq
                   : part->clock == PRFDATA_METRIC_CLOCK_100NS ? 10000000
                                                               : raw->object_freq);
    put_line(output, item->family, is_average ? "_sum" : "_total", label, &number, 0);
    if (is_average) {
        number = prfdata_metric_number_whole(s->above[1] + s->last[1]);
        put_line(output, item->family, "_count", label, &number, 0);
    }
    if (dialect == PRFDATA_DIALECT_OPEN_METRICS && s->created_100ns > UNIX_EPOCH_100NS)
        put_line(output, item->family, "_created", label, NULL, s->created_100ns);
    return true;
}

static bool put_start(slow_exposition *slow, const prfdata_metric_family_item *item,
                      const prfdata_compute_raw *raw, const char *label, prfdata_output *output)
{
    const slow_counts now = {.start = raw->value, .start_100ns = start_time(raw, raw->value)};
    const slow_series *s;

    if (now.start_100ns == 0)
        return raw->value == 0;
    s = update_series(slow, (uint64_t)item->object_title << 32 | item->counter_title, label, &now);
    put_line(output, item->family, "", label, NULL, s->start_100ns);
    return true;
}

static bool put_instance(slow_exposition *slow, const prfdata_sample *sample,
                         const prfdata_metric_family_item *item,
                         const prfdata_sample_instance *instance, const char *label,
                         prfdata_dialect dialect, prfdata_output *output)
{
    const prfdata_sample_object *object = &sample->objects[item->object_position];
    prfdata_compute_raw raw;
    prfdata_metric_number number;

    if (prfdata_sample_raw(sample, object, instance, item->counter_position, &raw) !=
        PRFDATA_STATUS_OK)
        return false;
    switch (item->part->source) {
    case PRFDATA_METRIC_START:
        return put_start(slow, item, &raw, label, output);
    case PRFDATA_METRIC_FRACTION:
        if (raw.base_bytes == 0 || raw.base == 0)
            return false;
        number = prfdata_metric_number_real((double)raw.value / (double)raw.base);
        put_line(output, item->family, "", label, &number, 0);
        return true;
    case PRFDATA_METRIC_BASE:
        if (raw.base_bytes == 0)
            return false;
        number = prfdata_metric_number_scaled(prfdata_metric_number_level(raw.base, raw.base_bytes),
                                              item->family->factor);
        put_line(output, item->family, "", label, &number, 0);
        return true;
    case PRFDATA_METRIC_VALUE:
        number = raw.value_bytes == 8 && prfdata_compute_is_hex(raw.type)
                     ? prfdata_metric_number_whole(raw.value)
                     : prfdata_metric_number_level(raw.value, raw.value_bytes);
        number = prfdata_metric_number_scaled(number, item->family->factor);
        put_line(output, item->family, "", label, &number, 0);
        return true;
    default:
        return put_counts(slow, sample, item, instance, &raw, label, dialect, output);
    }
}

/* ---- Families ---- */

static void put_family(slow_exposition *slow, const prfdata_sample *sample,
                       const prfdata_titles *titles, const prfdata_metric_family_item *item,
                       prfdata_dialect dialect, prfdata_output *output)
{
    const prfdata_sample_object *object = &sample->objects[item->object_position];
    const size_t before = output->used;
    size_t after_head;

    prfdata_metric_head_put(output, sample, titles, item, dialect);
    after_head = output->used;
    for (uint32_t i = 0; i < object->found_count; i++) {
        const prfdata_sample_instance *instance = &object->instances[object->found[i]];
        char *label = make_label(sample, object, instance);

        if (is_wanted(slow, item, sample, object, instance) &&
            !has_earlier_label(sample, object, i, label) &&
            !put_instance(slow, sample, item, instance, label, dialect, output))
            slow->left_out++;
        free(label);
    }
    if (output->used == after_head)
        output->used = before;
}

void slow_exposition_put(slow_exposition *slow, const prfdata_sample *sample,
                         const prfdata_titles *titles, prfdata_dialect dialect,
                         prfdata_output *output)
{
    slow->left_out = 0;
    assert_true(prfdata_metric_families_collect(&slow->families, sample, titles, &slow->choice));
    begin_sample(slow, sample->block.header.perf_time_100ns);
    for (size_t i = 0; i < slow->families.item_count; i++) {
        const prfdata_metric_family_item *item = &slow->families.items[i];

        if (!item->is_wanted)
            continue;
        if (item->family && !item->family->is_taken)
            put_family(slow, sample, titles, item, dialect, output);
        else
            slow->left_out++;
    }
}
