/* SPDX-License-Identifier: MIT */
/*
 * Writes the configuration file of windows_exporter's collector performancecounter, in YAML. The
 * list of objects in it is in JSON, which all versions read. The collector shows raw values under
 * names that the configuration chooses (internal/pdh/collector.go). If the raw value is also the
 * value of the metric, this file chooses the metric's name. Otherwise it chooses a name that says
 * what the raw value is. Since 0.31.0, a second entry for the counter NAME, "NAME,secondvalue",
 * reads the counter's base. The collector makes a field of a Go struct for each entry, and names
 * the field after the counter. If that name is invalid or already taken, the whole exporter does
 * not start (internal/collector/performancecounter/performancecounter.go, August 2026). Portable.
 */
#include "emit/emit_windows_exporter.h"

#include "emit/emit.h"
#include "emit/emit_item.h"

#include <ctype.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/perf_types.h>

typedef struct exporter_object {
    prfdata_quoted_text *text;
    bool is_overall;
    bool is_later; /* the object's list has an entry already */
} exporter_object;

#define EXPORTER_SECOND_VALUE ",secondvalue"

/* The longest name of a field: "%" becomes seven characters. */
enum { EXPORTER_FIELD_BYTES = 7 * (PRFDATA_MAX_NAME_CHARS + sizeof EXPORTER_SECOND_VALUE) };

/* Returns whether readers compute the shown value from the counter and its base. */
static bool has_exporter_base(uint32_t type)
{
    return type == PERF_AVERAGE_TIMER || type == PERF_AVERAGE_BULK || type == PERF_RAW_FRACTION ||
           type == PERF_LARGE_RAW_FRACTION || type == PERF_SAMPLE_FRACTION;
}

/*
 * Put a character of a title as the exporter does. ASCII letters become upper case, and digits
 * stay. "%" becomes "PERCENT", parentheses are left out, and other characters become "_". Returns
 * the new length.
 */
static size_t put_field_char(char *field, size_t used, uint32_t c)
{
    if (c == '(' || c == ')')
        return used;
    if (c == '%') {
        for (const char *word = "PERCENT"; *word; word++)
            field[used++] = *word;
        return used;
    }
    /* I with a dot and the Kelvin sign are not ASCII, but their lower cases are: i and k. */
    c = c == 0x130 ? 'I' : c == 0x212A ? 'K' : c;
    field[used] = (char)(c < 0x80 && isalnum((int)c) ? toupper((int)c) : '_');
    return used + (field[used] != '_' || used > 0); /* "_" is left out at the beginning */
}

/* Make the name of the field for a title and its suffix. */
static void make_exporter_field(const wchar_t *title, const char *end,
                                char field[EXPORTER_FIELD_BYTES])
{
    size_t used = 0;

    for (size_t i = 0; i < PRFDATA_MAX_NAME_CHARS && title[i]; i++)
        if (((uint32_t)title[i] & 0xFC00u) != 0xDC00u) /* a surrogate pair is one character */
            used = put_field_char(field, used, (uint32_t)title[i]);
    for (size_t i = 0; end[i]; i++)
        used = put_field_char(field, used, (unsigned char)end[i]);
    while (used > 0 && field[used - 1] == '_')
        used--;
    field[used] = 0;
}

static bool is_earlier_field(const prfdata_emit_item *item, const char *field)
{
    for (const prfdata_model_counter *other = item->object->counters; other < item->counter;
         other++) {
        char earlier[EXPORTER_FIELD_BYTES];
        prfdata_emit_item shown;

        if (!prfdata_emit_item_make(item->model, item->object, other, &shown))
            continue;
        make_exporter_field(other->entry->name, "", earlier);
        if (strcmp(field, earlier) == 0)
            return true;
        make_exporter_field(other->entry->name, EXPORTER_SECOND_VALUE, earlier);
        if (has_exporter_base(other->entry->type) && strcmp(field, earlier) == 0)
            return true;
    }
    return false;
}

/* Return the reason why the exporter cannot show a counter; NULL if it can. */
static const char *exporter_obstacle(const prfdata_emit_item *item)
{
    const wchar_t *title = item->counter->entry->name;
    const wchar_t *comma = wcsrchr(title, L',');
    char field[EXPORTER_FIELD_BYTES];
    char second[EXPORTER_FIELD_BYTES];

    /*
     * The exporter reads the frequency of the clock only for the first instance. For the second one
     * it divides by 0, which ends the exporter.
     */
    if (item->counter->entry->type == PERF_ELAPSED_TIME && item->object->has_instances)
        return "the exporter does not compute the age of instances; prfread -serve shows it";
    if (wcschr(title, L'"') || wcschr(title, L'\\'))
        return "the exporter does not read \" and \\ in a name; choose a title without them";
    if (comma && wcscmp(comma, L",secondvalue") == 0)
        return "the exporter takes the end of the name for a second value; choose another title";
    make_exporter_field(title, "", field);
    make_exporter_field(title, EXPORTER_SECOND_VALUE, second);
    if (!isupper((unsigned char)field[0]))
        return "the name of the counter does not begin with a letter from A to Z; choose a title "
               "that does";
    if (is_earlier_field(item, field) ||
        (has_exporter_base(item->counter->entry->type) && is_earlier_field(item, second)))
        return "the letters and digits of the counter's name are those of an earlier counter of "
               "the object; choose another title";
    return NULL;
}

/* Returns whether the type is one of the timers that the exporter converts to seconds. */
static bool has_exporter_seconds(uint32_t type)
{
    return type == PERF_100NSEC_TIMER || type == PERF_PRECISION_100NS_TIMER;
}

/* Return what replaces the unit at the end of the metric's name; NULL: the name stays as it is. */
static const char *exporter_name_end(const prfdata_emit_item *item)
{
    const prfdata_metric_part *part = item->metric.part;

    if (part->source == PRFDATA_METRIC_FRACTION)
        return "numerator";
    if (item->counter->entry->type == PERF_AVERAGE_TIMER)
        return "ticks";
    if (part->source == PRFDATA_METRIC_COUNT && part->clock != PRFDATA_METRIC_CLOCK_NONE &&
        !has_exporter_seconds(item->counter->entry->type))
        return "ticks";
    return item->metric.factor < 1 || item->metric.factor > 1 ? item->value_unit : NULL;
}

/* Put a name for an age. The metric's name would be wrong, because the metric is a start time. */
static void put_exporter_age_name(prfdata_quoted_text *text, const prfdata_metric *metric)
{
    prfdata_quoted_text base = {0};

    prfdata_emit_item_put_base(&base, metric);
    prfdata_quoted_text_put_replaced(text, prfdata_quoted_text_get(&base), "_start_time", "");
    prfdata_quoted_text_put(text, "_age_seconds");
    text->has_failed |= base.has_failed;
    prfdata_quoted_text_free(&base);
}

static void put_exporter_name(prfdata_quoted_text *text, const prfdata_emit_item *item,
                              bool is_overall)
{
    const prfdata_metric *metric = is_overall ? &item->overall : &item->metric;
    const char *end = exporter_name_end(item);

    if (metric->part->source == PRFDATA_METRIC_START) {
        put_exporter_age_name(text, metric);
        return;
    }
    if (end) {
        prfdata_emit_item_put_base(text, metric);
        prfdata_quoted_text_format(text, "_%s", end);
    } else {
        prfdata_quoted_text_put(text, metric->name);
    }
    if (metric->kind == PRFDATA_METRIC_SUMMARY)
        prfdata_quoted_text_put(text, "_sum");
    else
        prfdata_quoted_text_put(text, prfdata_metric_sample_end(metric->kind));
}

/* Put the name of the base: operations, samples or a denominator. */
static void put_exporter_base_name(prfdata_quoted_text *text, const prfdata_emit_item *item,
                                   bool is_overall)
{
    const prfdata_metric *metric = is_overall ? &item->overall : &item->metric;
    const char *end = exporter_name_end(item);
    prfdata_metric samples;

    if (metric->part->source == PRFDATA_METRIC_FRACTION) {
        prfdata_emit_item_put_base(text, metric);
        prfdata_quoted_text_put(text, "_denominator");
    } else if (metric->kind == PRFDATA_METRIC_SUMMARY) {
        if (end)
            prfdata_emit_item_put_base(text, metric);
        else
            prfdata_quoted_text_put(text, metric->name);
        prfdata_quoted_text_format(text, "%s%s_count", end ? "_" : "", end ? end : "");
    } else {
        prfdata_metric_make(item->model, item->counter, prfdata_metric_part_next(metric->part),
                            is_overall, &samples);
        prfdata_quoted_text_put(text, samples.name);
        prfdata_quoted_text_put(text, prfdata_metric_sample_end(samples.kind));
    }
}

static void put_exporter_entry(exporter_object *e, const prfdata_emit_item *item, bool is_base)
{
    prfdata_quoted_text title = {0};

    prfdata_quoted_text_put_wide(&title, item->counter->entry->name);
    prfdata_quoted_text_put(&title, is_base ? EXPORTER_SECOND_VALUE : "");
    prfdata_quoted_text_put(e->text, e->is_later ? ",\n            {\"name\": "
                                                 : "\n            {\"name\": ");
    prfdata_quoted_text_put_quoted(e->text, prfdata_quoted_text_get(&title));
    prfdata_quoted_text_format(e->text, ", \"type\": \"%s\", \"metric\": \"",
                               item->metric.kind == PRFDATA_METRIC_GAUGE ? "gauge" : "counter");
    if (is_base)
        put_exporter_base_name(e->text, item, e->is_overall);
    else
        put_exporter_name(e->text, item, e->is_overall);
    prfdata_quoted_text_put(e->text, "\"}");
    e->text->has_failed |= title.has_failed;
    prfdata_quoted_text_free(&title);
    e->is_later = true;
}

static void put_exporter_counter(void *context, const prfdata_emit_item *item)
{
    exporter_object *e = context;

    if ((e->is_overall && !item->has_overall) || exporter_obstacle(item))
        return;
    put_exporter_entry(e, item, false);
    if (has_exporter_base(item->counter->entry->type))
        put_exporter_entry(e, item, true);
}

static void put_exporter_object(prfdata_quoted_text *text, const prfdata_model *model,
                                const prfdata_model_object *object, bool is_overall)
{
    exporter_object e = {text, is_overall, false};

    prfdata_quoted_text_put(text, "        {\"name\": \"");
    prfdata_emit_item_put_words(text, model->map->service, object->entry->symbol);
    prfdata_quoted_text_put(text, is_overall ? "_overall\",\n" : "\",\n");
    prfdata_quoted_text_put(text, "          \"object\": ");
    prfdata_emit_item_put_title(text, object->entry->name);
    if (object->has_instances)
        prfdata_quoted_text_format(
            text, ",\n          \"instances\": [\"%s\"],\n          \"instance_label\": \"name\"",
            is_overall ? "_Total" : "*");
    prfdata_quoted_text_put(text, ",\n          \"counters\": [");
    prfdata_emit_item_walk(model, object, put_exporter_counter, &e);
    prfdata_quoted_text_put(text, "]}");
}

static bool has_exporter_counter(const prfdata_model *model, const prfdata_model_object *object,
                                 bool is_overall)
{
    prfdata_emit_item item;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (prfdata_emit_item_make(model, object, &object->counters[i], &item) &&
            (!is_overall || item.has_overall) && !exporter_obstacle(&item))
            return true;
    }
    return false;
}

static void put_exporter_service(prfdata_quoted_text *text, const prfdata_model *model,
                                 bool *is_later)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        for (int overall = 0; overall <= 1; overall++) {
            if (!has_exporter_counter(model, &model->objects[i], overall != 0))
                continue;
            prfdata_quoted_text_put(text, *is_later ? ",\n" : "\n");
            put_exporter_object(text, model, &model->objects[i], overall != 0);
            *is_later = true;
        }
    }
}

void prfdata_emit_windows_exporter_put_objects(prfdata_quoted_text *text,
                                               const prfdata_model *const *models, size_t count)
{
    bool is_later = false;

    prfdata_quoted_text_put(text, "      [");
    for (size_t m = 0; m < count; m++)
        put_exporter_service(text, models[m], &is_later);
    prfdata_quoted_text_put(text, "\n      ]\n");
}

void prfdata_emit_windows_exporter_obstacle(prfdata_quoted_text *reason, const prfdata_model *model,
                                            const prfdata_model_object *object,
                                            const prfdata_model_counter *counter)
{
    const char *obstacle;
    prfdata_emit_item item;

    prfdata_emit_item_obstacle(reason, model, object, counter);
    if (!prfdata_emit_item_make(model, object, counter, &item))
        return;
    obstacle = exporter_obstacle(&item);
    prfdata_quoted_text_put(reason, obstacle ? obstacle : "");
}

void prfdata_emit_windows_exporter(prfdata_quoted_text *text, const prfdata_model *const *models,
                                   size_t count, const char *program)
{
    prfdata_emit_put_origin(text, "# ", program, "WindowsExporter", "\n");
    prfdata_quoted_text_put(
        text, "# For windows_exporter 0.31.0 or later, which reads bases. It looks for counters\n"
              "# at its start: restart it after -Install.\n");
    prfdata_emit_put_left_out(text, models, count, "# ", prfdata_emit_windows_exporter_obstacle);
    prfdata_quoted_text_put(text, "collectors:\n  enabled: \"[defaults],performancecounter\"\n"
                                  "collector:\n  performancecounter:\n    objects: |-\n");
    prfdata_emit_windows_exporter_put_objects(text, models, count);
}
