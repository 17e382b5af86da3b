/* SPDX-License-Identifier: MIT */
/*
 * Writes the configuration of the OpenTelemetry Collector's receiver windowsperfcounters
 * (opentelemetry-collector-contrib), in YAML. The receiver shows the value that PDH computes from
 * the samples of two scrapes. For the first scrape, pkg/winperfcounters takes the earlier sample
 * when it opens the counter. The receiver cannot multiply, so the configuration names the unit of
 * PDH's value, not the unit of the metric.
 *
 * The receiver looks for counters only when it starts, so the Collector must be restarted after
 * -Install. The option recreate_query (pull request 32799) is not written, because it does not find
 * counters that were missing at the start. It also makes each scrape collect twice, and a Collector
 * before 0.102.0 does not start with it.
 *
 * `_Total` has an entry of its own. If the entry of the instances named it too, releases until
 * August 2026 would ignore it there. Later releases (pull request 50239) would show it as one of
 * the instances, and a sum over the instances would count everything twice. Portable.
 */
#include "emit/emit.h"
#include "emit/emit_item.h"

typedef struct receiver {
    prfdata_quoted_text *text;
    bool is_overall;
} receiver;

/* The Collector expands variables in texts, so $ is written twice. */
static void put_receiver_text(prfdata_quoted_text *text, const wchar_t *wide)
{
    prfdata_quoted_text plain = {0};
    prfdata_quoted_text doubled = {0};

    prfdata_quoted_text_put_wide(&plain, wide);
    prfdata_quoted_text_put_replaced(&doubled, prfdata_quoted_text_get(&plain), "$", "$$");
    prfdata_quoted_text_put_quoted(text, prfdata_quoted_text_get(&doubled));
    text->has_failed |= plain.has_failed | doubled.has_failed;
    prfdata_quoted_text_free(&plain);
    prfdata_quoted_text_free(&doubled);
}

static void put_receiver_metric(const receiver *r, const prfdata_emit_item *item)
{
    prfdata_quoted_text *text = r->text;

    prfdata_quoted_text_put(text, "      \"");
    prfdata_emit_item_put_name(text, item, r->is_overall);
    prfdata_quoted_text_put(text, "\":\n        description: ");
    put_receiver_text(text, item->counter->entry->help);
    prfdata_quoted_text_put(text, "\n        unit: \"");
    prfdata_emit_item_put_unit(text, item);
    if (item->shape == PRFDATA_EMIT_COUNT)
        prfdata_quoted_text_put(text, "\"\n        sum:\n          aggregation: cumulative\n"
                                      "          monotonic: true\n");
    else
        prfdata_quoted_text_put(text, "\"\n        gauge: {}\n");
}

static void put_receiver_metrics(void *context, const prfdata_emit_item *item)
{
    receiver r = {context, false};

    put_receiver_metric(&r, item);
    r.is_overall = true;
    if (item->has_overall)
        put_receiver_metric(&r, item);
}

static void put_receiver_counter(void *context, const prfdata_emit_item *item)
{
    const receiver *r = context;

    if (r->is_overall && !item->has_overall)
        return;
    prfdata_quoted_text_put(r->text, "          - name: ");
    put_receiver_text(r->text, item->counter->entry->name);
    prfdata_quoted_text_put(r->text, "\n            metric: \"");
    prfdata_emit_item_put_name(r->text, item, r->is_overall);
    prfdata_quoted_text_put(r->text, "\"\n");
}

static void put_receiver_object(prfdata_quoted_text *text, const prfdata_model *model,
                                const prfdata_model_object *object, bool is_overall)
{
    receiver r = {text, is_overall};

    prfdata_quoted_text_put(text, "      - object: ");
    put_receiver_text(text, object->entry->name);
    if (object->has_instances)
        prfdata_quoted_text_format(text, "\n        instances: [\"%s\"]",
                                   is_overall ? "_Total" : "*");
    prfdata_quoted_text_put(text, "\n        counters:\n");
    prfdata_emit_item_walk(model, object, put_receiver_counter, &r);
}

/* Put the name of the receiver. It has no blanks, unlike the names of some services. */
static void put_receiver_name(prfdata_quoted_text *text, const prfdata_model *model)
{
    prfdata_quoted_text_put(text, "windowsperfcounters/");
    prfdata_emit_item_put_words(text, model->map->service, "");
}

static void put_receiver(prfdata_quoted_text *text, const prfdata_model *model)
{
    prfdata_quoted_text_put(text, "  ");
    put_receiver_name(text, model);
    prfdata_quoted_text_put(text, ":\n    collection_interval: 15s\n    metrics:\n");
    for (uint32_t i = 0; i < model->object_count; i++)
        prfdata_emit_item_walk(model, &model->objects[i], put_receiver_metrics, text);
    prfdata_quoted_text_put(text, "    perfcounters:\n");
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_model_object *object = &model->objects[i];

        if (prfdata_emit_item_any(model, object, false))
            put_receiver_object(text, model, object, false);
        if (prfdata_emit_item_any(model, object, true))
            put_receiver_object(text, model, object, true);
    }
}

void prfdata_emit_opentelemetry(prfdata_quoted_text *text, const prfdata_model *const *models,
                                size_t count, const char *program)
{
    prfdata_emit_put_origin(text, "# ", program, "OpenTelemetry", "\n");
    prfdata_emit_put_left_out(text, models, count, "# ", prfdata_emit_item_obstacle);
    prfdata_quoted_text_put(text, "# Counters are looked for at the start: restart the Collector "
                                  "after -Install.\n"
                                  "# Name these receivers in a pipeline of the Collector:\n"
                                  "#     service: {pipelines: {metrics: {receivers: [");
    for (size_t i = 0; i < count; i++) {
        prfdata_quoted_text_put(text, i > 0 ? ", " : "");
        put_receiver_name(text, models[i]);
    }
    prfdata_quoted_text_put(text, "], exporters: [...]}}}\nreceivers:\n");
    for (size_t i = 0; i < count; i++)
        put_receiver(text, models[i]);
}
