/* SPDX-License-Identifier: MIT */
/*
 * Writes the configuration of Telegraf's input win_perf_counters, in TOML. Telegraf names each
 * field after its counter. PDH computes a value from the samples of two calls to Gather(). But
 * after each CountersRefreshInterval, by default a minute, Telegraf opens all counters again. The
 * next call to Gather() then takes two samples, one second apart, so the values cover only that
 * second. This file sets the interval to 0, so Telegraf opens the counters only once
 * (win_perf_counters.go). Portable.
 */
#include "emit/emit.h"
#include "emit/emit_item.h"

typedef struct telegraf_object {
    prfdata_quoted_text *text;
    bool is_overall;
} telegraf_object;

/*
 * Write $$ for each dollar sign, because Telegraf reads $$ as $, and replaces $NAME and ${NAME} by
 * environment variables. Since 1.38.0 it replaces them after TOML's escapes, so \u0024 would not
 * help.
 */
static void put_telegraf_text(prfdata_quoted_text *text, const wchar_t *wide)
{
    prfdata_quoted_text quoted = {0};

    prfdata_emit_item_put_title(&quoted, wide);
    prfdata_quoted_text_put_replaced(text, prfdata_quoted_text_get(&quoted), "$", "$$");
    text->has_failed |= quoted.has_failed;
    prfdata_quoted_text_free(&quoted);
}

static void put_telegraf_counter(void *context, const prfdata_emit_item *item)
{
    const telegraf_object *t = context;

    if (t->is_overall && !item->has_overall)
        return;
    prfdata_quoted_text_put(t->text, "      ");
    put_telegraf_text(t->text, item->counter->entry->name);
    prfdata_quoted_text_put(t->text, ",\n");
}

static void put_telegraf_object(prfdata_quoted_text *text, const prfdata_model *model,
                                const prfdata_model_object *object, bool is_overall)
{
    telegraf_object t = {text, is_overall};
    const char *instance = is_overall ? "_Total" : "*";

    prfdata_quoted_text_put(text, "\n  [[inputs.win_perf_counters.object]]\n    ObjectName = ");
    put_telegraf_text(text, object->entry->name);
    /* Six dashes are Telegraf's sign for an object without instances. */
    prfdata_quoted_text_format(text, "\n    Instances = [\"%s\"]\n    Counters = [\n",
                               object->has_instances ? instance : "------");
    prfdata_emit_item_walk(model, object, put_telegraf_counter, &t);
    prfdata_quoted_text_put(text, "    ]\n    Measurement = \"");
    prfdata_emit_item_put_words(text, model->map->service, object->entry->symbol);
    prfdata_quoted_text_put(text, is_overall ? "_overall\"\n" : "\"\n");
    prfdata_quoted_text_put(text, "    WarnOnMissing = true\n");
}

void prfdata_emit_telegraf(prfdata_quoted_text *text, const prfdata_model *const *models,
                           size_t count, const char *program)
{
    prfdata_emit_put_origin(text, "# ", program, "Telegraf", "\n");
    prfdata_emit_put_left_out(text, models, count, "# ", prfdata_emit_item_obstacle);
    prfdata_quoted_text_put(
        text,
        "[[inputs.win_perf_counters]]\n"
        "  # Each refresh begins with a sample of one second, which rates and averages are of.\n"
        "  CountersRefreshInterval = \"0s\"\n"
        "  # Objects are looked for at the start: restart Telegraf after -Install.\n"
        "  IgnoredErrors = [\"PDH_NO_DATA\"]\n");
    for (size_t m = 0; m < count; m++) {
        for (uint32_t i = 0; i < models[m]->object_count; i++) {
            const prfdata_model_object *object = &models[m]->objects[i];

            if (prfdata_emit_item_any(models[m], object, false))
                put_telegraf_object(text, models[m], object, false);
            if (prfdata_emit_item_any(models[m], object, true))
                put_telegraf_object(text, models[m], object, true);
        }
    }
}
