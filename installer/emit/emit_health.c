/* SPDX-License-Identifier: MIT */
/*
 * Writes alerts for operators: a rule for each number of a service's health. The limits concern
 * PrfData only, because a map does not say which values of the service are normal. Portable.
 */
#include "emit/emit_health.h"

#include "emit/emit_item.h"

static const struct {
    const char *alert;
    bool grows; /* the rule compares the growth in 15 minutes; otherwise the value */
    const char *limit;
    const char *hold; /* how long the condition must hold before the alert fires */
    const char *summary;
    const char *advice;
} rules[PRFDATA_HEALTH_LAST + 1] = {
#define KIND_GROWS  true
#define KIND_VARIES false
#define ROW(id, symbol, metric, name, number, word, title, ending, unit, kind, whose, help, alert, \
            limit, hold, summary, advice)                                                          \
    [number] = {alert, KIND_##kind, limit, hold, summary, advice},
    PRFDATA_HEALTH_NUMBERS(ROW, 0, 0, 0)
#undef ROW
};

static void put_health_rule(void *context, const prfdata_emit_item *item)
{
    prfdata_quoted_text *text = context;
    const uint32_t number = item->counter->health;
    const char *service = item->model->map->service;

    prfdata_quoted_text_format(text, "      - alert: %s\n        expr: \"", rules[number].alert);
    prfdata_quoted_text_format(text, rules[number].grows ? "increase(%s%s[15m])" : "%s%s",
                               item->metric.name, prfdata_metric_sample_end(item->metric.kind));
    prfdata_quoted_text_format(text, " %s\"\n        for: %s\n        labels:\n",
                               rules[number].limit, rules[number].hold);
    prfdata_quoted_text_format(text,
                               "          severity: warning\n          service: \"%s\"\n"
                               "        annotations:\n          summary: \"",
                               service);
    prfdata_quoted_text_format(text, "%s on {{ $labels.instance }}: %s\"\n", service,
                               rules[number].summary);
    prfdata_quoted_text_format(text, "          description: \"%s\"\n", rules[number].advice);
}

void prfdata_emit_health_put(prfdata_quoted_text *text, const prfdata_model *model)
{
    if (model->health_index != PRFDATA_NONE)
        prfdata_emit_item_walk(model, &model->objects[model->health_index], put_health_rule, text);
}
