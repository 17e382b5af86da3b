/* SPDX-License-Identifier: MIT */
/*
 * Writes a page of all counters for people, in Markdown with GitHub's tables. A row has a counter's
 * title, what PerfMon shows of the counter, its unit, its names in Prometheus, and its meaning.
 * Portable.
 */
#include "emit/emit.h"
#include "emit/emit_item.h"
#include "emit/emit_query.h"

/* Put a text of a map. The check of the map must have accepted the text. */
static void put_markdown_title(prfdata_quoted_text *text, const wchar_t *title)
{
    prfdata_quoted_text plain = {0};

    prfdata_quoted_text_put_wide(&plain, title);
    prfdata_quoted_text_put_markdown(text, prfdata_quoted_text_get(&plain));
    text->has_failed |= plain.has_failed;
    prfdata_quoted_text_free(&plain);
}

/*
 * The counter's value follows from one or two kinds of samples of the histogram. Return the
 * suffixes of these samples.
 */
static const char *histogram_ends(const prfdata_emit_item *item)
{
    switch (item->counter->shows->option) {
    case PRFDATA_OPTION_SUM:
        return "_sum";
    case PRFDATA_OPTION_MEAN:
        return "_sum` and `_count";
    default:
        return prfdata_metric_histogram_bound(item->object, item->counter, 1) < 0 ? "_count"
                                                                                  : "_bucket";
    }
}

/* Put the name of a metric's samples in backquotes, where Markdown changes no character of it. */
static void put_markdown_metric(prfdata_quoted_text *text, const prfdata_emit_item *item,
                                const prfdata_metric *metric)
{
    prfdata_metric histogram;

    if (prfdata_emit_query_histogram(item, metric, &histogram)) {
        prfdata_quoted_text_format(text, "`%s%s`", histogram.name, histogram_ends(item));
        return;
    }
    prfdata_quoted_text_format(text, "`%s%s`", metric->name,
                               prfdata_metric_sample_end(metric->kind));
}

/* Put the row of a counter that has no value. */
static void put_title_row(prfdata_quoted_text *text, const prfdata_model_counter *counter)
{
    prfdata_quoted_text_put(text, "| ");
    put_markdown_title(text, counter->entry->name);
    prfdata_quoted_text_put(text, " | no value | | | ");
    put_markdown_title(text, counter->entry->help);
    prfdata_quoted_text_put(text, " |\n");
}

static void put_counter_row(prfdata_quoted_text *text, const prfdata_emit_item *item)
{
    const char *word = prfdata_emit_item_shape_word(item->shape);

    prfdata_quoted_text_put(text, "| ");
    put_markdown_title(text, item->counter->entry->name);
    prfdata_quoted_text_format(text, " | %s | ", word[0] ? word : "value");
    prfdata_emit_item_put_unit(text, item);
    prfdata_quoted_text_put(text, " | ");
    put_markdown_metric(text, item, &item->metric);
    if (item->has_overall) {
        prfdata_quoted_text_put(text, ", ");
        put_markdown_metric(text, item, &item->overall);
    }
    prfdata_quoted_text_put(text, " | ");
    put_markdown_title(text, item->counter->entry->help);
    prfdata_quoted_text_put(text, " |\n");
}

static void put_markdown_instances(prfdata_quoted_text *text, const prfdata_model *model,
                                   const prfdata_model_object *object)
{
    if (!object->has_instances) {
        prfdata_quoted_text_put(text, "Without instances.\n");
        return;
    }
    prfdata_quoted_text_format(text, "Up to %u instances in a program", object->max_instances);
    if (object->parent_index != PRFDATA_NONE) {
        prfdata_quoted_text_put(text, ", each below an instance of ");
        put_markdown_title(text, model->objects[object->parent_index].entry->name);
    }
    prfdata_quoted_text_put(text,
                            object->options & PRFDATA_OPTION_TOTAL
                                ? ", and `_Total`, which includes what ended instances counted.\n"
                                : ".\n");
}

static void put_object_section(prfdata_quoted_text *text, const prfdata_model *model,
                               const prfdata_model_object *object)
{
    prfdata_quoted_text_put(text, "\n## ");
    put_markdown_title(text, object->entry->name);
    prfdata_quoted_text_put(text, "\n\n");
    put_markdown_title(text, object->entry->help);
    prfdata_quoted_text_put(text, " ");
    put_markdown_instances(text, model, object);
    prfdata_quoted_text_put(text, "\n| counter | PerfMon shows | unit | in Prometheus | meaning |\n"
                                  "|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < object->counter_count; i++) {
        prfdata_emit_item item;

        if (prfdata_emit_item_make(model, object, &object->counters[i], &item))
            put_counter_row(text, &item);
        else if (!object->counters[i].is_base)
            put_title_row(text, &object->counters[i]);
    }
}

void prfdata_emit_markdown(prfdata_quoted_text *text, const prfdata_model *const *models,
                           size_t count, const char *program)
{
    prfdata_emit_put_origin(text, "<!-- ", program, "Markdown", " -->\n");
    for (size_t m = 0; m < count; m++) {
        prfdata_quoted_text_put(text, m > 0 ? "\n# Performance counters of "
                                            : "# Performance counters of ");
        prfdata_quoted_text_put_markdown(text, models[m]->map->service);
        prfdata_quoted_text_put(text, "\n");
        for (uint32_t i = 0; i < models[m]->object_count; i++)
            put_object_section(text, models[m], &models[m]->objects[i]);
    }
}
