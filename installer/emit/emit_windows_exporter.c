/* SPDX-License-Identifier: MIT */
/*
 * windows_exporter's collector performancecounter: its configuration file, in YAML, with the list
 * of objects in JSON, as all its versions read it. It shows raw values under names that the
 * configuration chooses (internal/pdh/collector.go, version 0.30): the metric's own name where the
 * raw value is the metric's, else a name that says what it is. Portable.
 */
#include "emit/emit.h"
#include "emit/emit_item.h"

#include <prfdata/perf_types.h>

typedef struct exporter_object {
    prfdata_quoted_text *text;
    bool is_overall;
    bool is_later; /* not the first counter of its object */
} exporter_object;

/* Its second value, the base, is missing in these types: there is nothing to divide by. */
static bool lacks_exporter_base(uint32_t type)
{
    return type == PERF_AVERAGE_TIMER || type == PERF_LARGE_RAW_FRACTION;
}

/* The only timers that it brings to seconds. */
static bool has_exporter_seconds(uint32_t type)
{
    return type == PERF_100NSEC_TIMER || type == PERF_PRECISION_100NS_TIMER;
}

/* What follows the name without unit; NULL: the name is the metric's. */
static const char *exporter_name_end(const prfdata_emit_item *item)
{
    const prfdata_metric_part *part = item->metric.part;

    if (part->source == PRFDATA_METRIC_FRACTION)
        return "numerator"; /* and ..._numerator_second is the denominator */
    if (part->source == PRFDATA_METRIC_COUNT && part->clock != PRFDATA_METRIC_CLOCK_NONE &&
        !has_exporter_seconds(item->counter->entry->type))
        return "ticks";
    return item->metric.factor < 1 || item->metric.factor > 1 ? item->declared_unit : NULL;
}

static void put_exporter_name(prfdata_quoted_text *text, const prfdata_emit_item *item,
                              bool is_overall)
{
    const prfdata_metric *metric = is_overall ? &item->overall : &item->metric;
    const char *end = exporter_name_end(item);

    if (end) {
        prfdata_emit_item_put_base(text, metric);
        prfdata_quoted_text_format(text, "_%s", end);
    } else {
        prfdata_quoted_text_put(text, metric->name);
    }
    /* Of an average the count is ..._sum_second. */
    if (metric->kind == PRFDATA_METRIC_SUMMARY)
        prfdata_quoted_text_put(text, "_sum");
    else
        prfdata_quoted_text_put(text, prfdata_metric_sample_end(metric->kind));
}

static void put_exporter_counter(void *context, const prfdata_emit_item *item)
{
    exporter_object *e = context;

    if ((e->is_overall && !item->has_overall) || lacks_exporter_base(item->counter->entry->type))
        return;
    prfdata_quoted_text_put(e->text, e->is_later ? ",\n            {\"name\": "
                                                 : "\n            {\"name\": ");
    prfdata_emit_item_put_title(e->text, item->counter->entry->name);
    prfdata_quoted_text_format(e->text, ", \"type\": \"%s\", \"metric\": \"",
                               item->metric.kind == PRFDATA_METRIC_GAUGE ? "gauge" : "counter");
    put_exporter_name(e->text, item, e->is_overall);
    prfdata_quoted_text_put(e->text, "\"}");
    e->is_later = true;
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

/* Whether the exporter can show any counter of the object. */
static bool has_exporter_counter(const prfdata_model *model, const prfdata_model_object *object,
                                 bool is_overall)
{
    prfdata_emit_item item;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (prfdata_emit_item_make(model, object, &object->counters[i], &item) &&
            (!is_overall || item.has_overall) && !lacks_exporter_base(item.counter->entry->type))
            return true;
    }
    return false;
}

static void put_exporter_objects(prfdata_quoted_text *text, const prfdata_model *model,
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

/* A comment for what the exporter cannot show. */
static void put_left_out_counter(void *context, const prfdata_emit_item *item)
{
    if (!lacks_exporter_base(item->counter->entry->type))
        return;
    prfdata_quoted_text_put(context, "# Left out, since windows_exporter does not read its base: ");
    prfdata_emit_item_put_title(context, item->counter->entry->name);
    prfdata_quoted_text_put(context, "\n");
}

void prfdata_emit_windows_exporter(prfdata_quoted_text *text, const prfdata_model *const *models,
                                   size_t count, const char *program)
{
    bool is_later = false;

    prfdata_emit_put_origin(text, "# ", program, "WindowsExporter", "\n");
    for (size_t m = 0; m < count; m++) {
        for (uint32_t i = 0; i < models[m]->object_count; i++)
            prfdata_emit_item_walk(models[m], &models[m]->objects[i], put_left_out_counter, text);
    }
    prfdata_quoted_text_put(text, "collectors:\n  enabled: \"[defaults],performancecounter\"\n"
                                  "collector:\n  performancecounter:\n    objects: |-\n      [");
    for (size_t m = 0; m < count; m++)
        put_exporter_objects(text, models[m], &is_later);
    prfdata_quoted_text_put(text, "\n      ]\n");
}
