/* SPDX-License-Identifier: MIT */
/*
 * Writes alerts for operators: a rule for each number of a service's health. The limits concern
 * PrfData; what is normal for the service itself is not known here. Portable.
 */
#include "emit/emit_health.h"

#include "emit/emit_item.h"

static const struct {
    const char *alert;
    const char *before; /* the part of the expression before the metric's name */
    const char *after;
    const char *hold; /* the time until it fires */
    const char *summary;
    const char *advice;
} rules[PRFDATA_HEALTH_LAST + 1] = {
    [PRFDATA_HEALTH_PUBLISHERS] = {"PrfDataNoPublisher", "", " == 0", "10m", "no program publishes",
                                   "Start it, or look at -Status there."},
    [PRFDATA_HEALTH_ENDED] = {"PrfDataManyRegions", "", " > 900", "10m",
                              "{{ $value }} ended programs left region files; 1,024 are read",
                              "Let each program run under one account."},
    [PRFDATA_HEALTH_UNREADABLE] = {"PrfDataUnreadable", "", " > 0", "10m",
                                   "{{ $value }} region files cannot be read",
                                   "Check the reader's account, and what locks the files."},
    [PRFDATA_HEALTH_UNSHOWN] = {"PrfDataNotShown", "", " > 0", "10m",
                                "{{ $value }} programs run and are not shown",
                                "Install their version of the counters, or restart them."},
    [PRFDATA_HEALTH_DROPPED] = {"PrfDataDropped", "increase(", "[15m]) > 0", "1m",
                                "instances were dropped",
                                "Raise the maximum of instances, or of name characters, in the "
                                "map."},
    [PRFDATA_HEALTH_TORN] = {"PrfDataTorn", "increase(", "[15m]) > 0", "30m",
                             "samples are torn again and again",
                             "A program hangs inside a change of several counters: restart it."},
    [PRFDATA_HEALTH_COLLECT_US] = {"PrfDataSlow", "", " > 1", "10m",
                                   "collecting takes {{ $value }} seconds",
                                   "Ask for fewer objects, or let fewer programs publish."},
    [PRFDATA_HEALTH_NO_MEMORY] = {"PrfDataNoMemory", "increase(", "[15m]) > 0", "1m",
                                  "a reader had no memory for the counters",
                                  "Give the process that reads them more memory, or restart it."},
    [PRFDATA_HEALTH_SHORT_BUFFER] = {"PrfDataShortBuffer", "increase(", "[15m]) > 0", "1m",
                                     "a reader asks again and again with too small a buffer",
                                     "Ask for fewer objects, or correct the reader."},
};

static void put_health_rule(void *context, const prfdata_emit_item *item)
{
    prfdata_quoted_text *text = context;
    const uint32_t number = item->counter->health;
    const char *service = item->model->map->service;

    prfdata_quoted_text_format(text, "      - alert: %s\n        expr: \"", rules[number].alert);
    prfdata_quoted_text_format(text, "%s%s%s", rules[number].before, item->metric.name,
                               prfdata_metric_sample_end(item->metric.kind));
    prfdata_quoted_text_format(text, "%s\"\n        for: %s\n        labels:\n",
                               rules[number].after, rules[number].hold);
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
