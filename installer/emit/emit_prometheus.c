/* SPDX-License-Identifier: MIT */
/*
 * Writes rules for Prometheus, in YAML. Recording rules give rates, means and percentiles of the
 * counters that prfread serves. Alerts cover what a map implies: its objects exist, and its service
 * is healthy. No map says which values are too high or too low. Portable.
 */
#include "emit/emit.h"
#include "emit/emit_health.h"
#include "emit/emit_item.h"
#include "emit/emit_query.h"

#define RANGE "5m"

typedef struct recording {
    prfdata_quoted_text *text;
    bool has_begun;
} recording;

static void put_recording_rule(void *context, const prfdata_emit_item *item,
                               const prfdata_metric *metric)
{
    const prfdata_emit_query query = {"", RANGE};
    recording *r = context;

    for (size_t i = 0; i < prfdata_emit_query_count(item, metric); i++) {
        const char *operation = prfdata_emit_query_operation(item, metric, i);
        prfdata_quoted_text expression = {0};

        if (!operation)
            continue;
        prfdata_quoted_text_put(r->text, r->has_begun ? "" : "    rules:\n");
        r->has_begun = true;
        prfdata_quoted_text_format(r->text, "      - record: \"instance:%s:%s" RANGE "\"\n",
                                   metric->name, operation);
        prfdata_quoted_text_put(r->text, "        expr: ");
        prfdata_emit_query_put(&expression, item, metric, i, &query);
        prfdata_quoted_text_put_quoted(r->text, prfdata_quoted_text_get(&expression));
        prfdata_quoted_text_put(r->text, "\n");
        r->text->has_failed |= expression.has_failed;
        prfdata_quoted_text_free(&expression);
    }
}

static void put_recording_rules(void *context, const prfdata_emit_item *item)
{
    prfdata_emit_item_walk_metrics(item, put_recording_rule, context);
}

static void put_recording_group(prfdata_quoted_text *text, const prfdata_model *model)
{
    recording r = {text, false};

    prfdata_quoted_text_format(text, "  - name: \"%s\"\n", model->map->service);
    for (uint32_t i = 0; i < model->object_count; i++)
        prfdata_emit_item_walk(model, &model->objects[i], put_recording_rules, &r);
    if (!r.has_begun)
        prfdata_quoted_text_put(text, "    rules: []\n");
}

/*
 * In the texts of alerts, {{ begins a template. So {{ in a name is written as {{ "{{" }}, a
 * template whose result is {{.
 */
static void put_alert_text(prfdata_quoted_text *text, const char *before, const wchar_t *name,
                           const char *rest)
{
    prfdata_quoted_text plain = {0};
    prfdata_quoted_text whole = {0};

    prfdata_quoted_text_put_wide(&plain, name);
    prfdata_quoted_text_put(&whole, before);
    prfdata_quoted_text_put_replaced(&whole, prfdata_quoted_text_get(&plain), "{{", "{{ \"{{\" }}");
    prfdata_quoted_text_put(&whole, rest);
    prfdata_quoted_text_put_quoted(text, prfdata_quoted_text_get(&whole));
    text->has_failed |= plain.has_failed | whole.has_failed;
    prfdata_quoted_text_free(&plain);
    prfdata_quoted_text_free(&whole);
}

/*
 * Put, in quotes, the condition that an object is missing. Either prfread was asked for it and does
 * not find it, or no computer reports it. The strings of PromQL and YAML have the same escapes.
 */
static void put_absence(prfdata_quoted_text *text, const prfdata_model_object *object)
{
    prfdata_quoted_text expression = {0};

    prfdata_quoted_text_put(&expression, "prfread_object_up{object=");
    prfdata_emit_item_put_title(&expression, object->entry->name);
    prfdata_quoted_text_put(&expression, "} == 0 or absent(prfread_object_up{object=");
    prfdata_emit_item_put_title(&expression, object->entry->name);
    prfdata_quoted_text_put(&expression, "})");
    prfdata_quoted_text_put_quoted(text, prfdata_quoted_text_get(&expression));
    text->has_failed |= expression.has_failed;
    prfdata_quoted_text_free(&expression);
}

static void put_object_alert(prfdata_quoted_text *text, const prfdata_model *model,
                             const prfdata_model_object *object)
{
    prfdata_quoted_text_put(text, "      - alert: PrfDataObjectMissing\n        expr: ");
    put_absence(text, object);
    prfdata_quoted_text_format(text,
                               "\n        for: 10m\n        labels:\n          severity: warning\n"
                               "          service: \"%s\"\n          object: ",
                               model->map->service);
    put_alert_text(text, "", object->entry->name, "");
    prfdata_quoted_text_put(text, "\n        annotations:\n          summary: ");
    put_alert_text(text,
                   "{{ with $labels.instance }}{{ . }} does not show{{ else }}No computer shows"
                   "{{ end }} ",
                   object->entry->name, "");
    prfdata_quoted_text_put(text, "\n          description: ");
    put_alert_text(text, "No provider answers for the counters of ", object->entry->name,
                   " there. The installer's -Status says why.");
    prfdata_quoted_text_put(text, "\n");
}

static const char own_alerts[] =
    "      - alert: PrfDataDamaged\n"
    "        expr: \"prfread_damaged_parts > 0\"\n"
    "        for: 10m\n"
    "        labels:\n"
    "          severity: warning\n"
    "        annotations:\n"
    "          summary: \"{{ $labels.instance }} has a provider whose data is damaged\"\n"
    "          description: \"prfread cannot read {{ $value }} objects or instances. Run prfcheck "
    "-all on that computer; it names the provider and the rule.\"\n";

void prfdata_emit_prometheus(prfdata_quoted_text *text, const prfdata_model *const *models,
                             size_t count, const char *program)
{
    prfdata_emit_put_origin(text, "# ", program, "Prometheus", "\n");
    prfdata_emit_put_left_out(text, models, count, "# ", prfdata_emit_item_obstacle);
    prfdata_quoted_text_put(text, "groups:\n");
    for (size_t i = 0; i < count; i++)
        put_recording_group(text, models[i]);
    prfdata_quoted_text_put(text, "  - name: \"PrfData alerts");
    for (size_t i = 0; i < count; i++)
        prfdata_quoted_text_format(text, " %s", models[i]->map->service);
    prfdata_quoted_text_put(text, "\"\n    rules:\n");
    for (size_t m = 0; m < count; m++) {
        for (uint32_t i = 0; i < models[m]->object_count; i++)
            put_object_alert(text, models[m], &models[m]->objects[i]);
        prfdata_emit_health_put(text, models[m]);
    }
    prfdata_quoted_text_put(text, own_alerts);
}
