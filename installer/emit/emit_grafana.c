/* SPDX-License-Identifier: MIT */
/*
 * Writes a dashboard for Grafana, in the JSON of its import: a row for each object, and a panel for
 * each metric of a counter, unless the panel of another metric uses it. The percentiles of a
 * distribution share a panel. A panel shows the
 * number that PerfMon shows (emit_query.h), unless its title says that it shows another one, such
 * as the rate of a count. The queries need a Prometheus that scrapes prfread. Portable.
 */
#include "emit/emit.h"
#include "emit/emit_item.h"
#include "emit/emit_query.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/perf_types.h>

enum { PANEL_COLUMNS = 12, PANEL_LINES = 8, GRID_COLUMNS = 24 };
enum { HELP_BYTES = 3 * PRFDATA_MAX_HELP_CHARS + 256 };

/* Grafana also replaces $name in titles, so the names of these variables are unusual. */
#define SELECTOR "{job=~\"$prfdata_job\",instance=~\"$prfdata_instance\"}"
#define SOURCE   "{\"type\": \"prometheus\", \"uid\": \"${prfdata_datasource}\"}"

static const prfdata_emit_query dashboard_query = {SELECTOR, "$__rate_interval"};

typedef struct dashboard {
    prfdata_quoted_text *text;
    unsigned panel_count; /* including rows */
    unsigned column;
    unsigned line;
} dashboard;

/* Grafana's names of units, for values and for their growth per second. */
static const struct {
    const char *unit;
    const char *level;
    const char *rate;
} grafana_units[] = {
    {"seconds", "s", "percentunit"}, /* seconds per second: a share of the time */
    {"bytes", "bytes", "binBps"},        {"ratio", "percentunit", "short"},
    {"celsius", "celsius", "short"},     {"volts", "volt", "short"},
    {"amperes", "amp", "short"},         {"watts", "watt", "short"},
    {"joules", "joule", "watt"},         {"hertz", "hertz", "short"},
    {"meters", "lengthm", "velocityms"}, {"grams", "massg", "short"},
};

static const char *grafana_unit(const prfdata_emit_item *item, const prfdata_metric *metric)
{
    const prfdata_emit_answer answer = prfdata_emit_query_answer(item, metric);
    const bool is_rate = answer == PRFDATA_EMIT_ANSWER_RATE || answer == PRFDATA_EMIT_ANSWER_COUNT;

    if (answer == PRFDATA_EMIT_ANSWER_LENGTH)
        return "short";
    if (answer == PRFDATA_EMIT_ANSWER_RATIO)
        return "percentunit";
    if (answer == PRFDATA_EMIT_ANSWER_AGE)
        return "s";
    for (size_t i = 0; i < sizeof grafana_units / sizeof grafana_units[0]; i++) {
        if (strcmp(metric->unit, grafana_units[i].unit) == 0)
            return is_rate ? grafana_units[i].rate : grafana_units[i].level;
    }
    return is_rate ? "cps" : "short";
}

static void begin_panel(dashboard *d, unsigned columns, unsigned lines)
{
    if (d->column + columns > GRID_COLUMNS) {
        d->column = 0;
        d->line += PANEL_LINES;
    }
    prfdata_quoted_text_format(
        d->text, "%s    {\"id\": %u, \"gridPos\": {\"x\": %u, \"y\": %u, \"w\": %u, \"h\": %u},\n",
        d->panel_count > 0 ? ",\n" : "", d->panel_count + 1, d->column, d->line, columns, lines);
    d->panel_count++;
    d->column += columns;
}

static void put_object_row(dashboard *d, const prfdata_model_object *object)
{
    if (d->column > 0)
        d->line += PANEL_LINES;
    d->column = 0;
    begin_panel(d, GRID_COLUMNS, 1);
    d->line++;
    d->column = 0;
    prfdata_quoted_text_put(d->text,
                            "     \"type\": \"row\", \"collapsed\": false, \"panels\": [], "
                            "\"title\": ");
    prfdata_emit_item_put_title(d->text, object->entry->name);
    prfdata_quoted_text_put(d->text, "}");
}

/* Return the labels, in addition to the computer, that distinguish the lines of a metric. */
static const char *instance_legend(const prfdata_model_object *object, const prfdata_metric *metric)
{
    if (!object->has_instances || metric->is_overall)
        return "";
    return object->parent_index != PRFDATA_NONE ? " {{parent}} {{name}}" : " {{name}}";
}

/*
 * Put query `index` of a metric as the panel's query `number`; `label` distinguishes it from the
 * panel's other queries.
 */
static void put_target(dashboard *d, const prfdata_emit_item *item, const prfdata_metric *metric,
                       size_t index, size_t number, const char *label)
{
    prfdata_quoted_text expression = {0};

    prfdata_emit_query_put(&expression, item, metric, index, &dashboard_query);
    prfdata_quoted_text_format(d->text,
                               "%s       {\"refId\": \"Q%u\", \"datasource\": " SOURCE ",\n",
                               number > 0 ? ",\n" : "", (unsigned)number);
    prfdata_quoted_text_put(d->text, "        \"expr\": ");
    prfdata_quoted_text_put_quoted(d->text, prfdata_quoted_text_get(&expression));
    prfdata_quoted_text_format(d->text, ",\n        \"legendFormat\": \"{{instance}}%s%s%s\"}",
                               instance_legend(item->object, metric), label[0] ? " " : "", label);
    d->text->has_failed |= expression.has_failed;
    prfdata_quoted_text_free(&expression);
}

static bool shows_percentile(const prfdata_model_counter *counter)
{
    return counter->shows && counter->shows->option == PRFDATA_OPTION_PERCENTILE;
}

static bool share_panel(const prfdata_model_counter *a, const prfdata_model_counter *b)
{
    return shows_percentile(a) && shows_percentile(b) &&
           a->distribution_index == b->distribution_index;
}

static bool is_in_earlier_panel(const prfdata_emit_item *item)
{
    for (const prfdata_model_counter *each = item->object->counters; each < item->counter; each++) {
        if (share_panel(each, item->counter))
            return true;
    }
    return false;
}

/* Put the queries of all percentiles of the distribution. The query of `item` is the first one. */
static void put_percentile_targets(dashboard *d, const prfdata_emit_item *item, bool is_overall)
{
    const prfdata_model_counter *end = item->object->counters + item->object->counter_count;
    size_t number = 0;

    for (const prfdata_model_counter *each = item->counter; each < end; each++) {
        const double percent = each->shows ? (double)each->shows->highest / 100 : 0;
        prfdata_emit_item shown;
        char label[32];

        if (!share_panel(each, item->counter) ||
            !prfdata_emit_item_make(item->model, item->object, each, &shown))
            continue;
        if (percent < 100)
            (void)snprintf(label, sizeof label, "p%g", percent);
        else
            (void)snprintf(label, sizeof label, "maximum");
        put_target(d, &shown, is_overall ? &shown.overall : &shown.metric, 0, number++, label);
    }
}

static size_t count_percentiles(const prfdata_emit_item *item)
{
    size_t count = 0;

    for (uint32_t i = 0; i < item->object->counter_count; i++)
        count += share_panel(&item->object->counters[i], item->counter) ? 1 : 0;
    return count;
}

/*
 * Return the length in chars of the words with which both `name` and `other` begin, within the
 * first `count` chars.
 */
static size_t count_common_chars(const wchar_t *name, const wchar_t *other, size_t count)
{
    size_t common = 0;

    for (size_t i = 0; i <= count; i++) {
        const bool ends = i == count || name[i] == L' ';

        if (ends && (other[i] == 0 || other[i] == L' '))
            common = i;
        if (i == count || name[i] != other[i])
            break;
    }
    return common;
}

/*
 * Put the words with which the titles of all percentiles of the distribution begin. If the titles
 * begin with different words, put the title of the item's counter. Then put ", percentiles".
 */
static void put_common_title(prfdata_quoted_text *title, const prfdata_emit_item *item)
{
    const wchar_t *name = item->counter->entry->name;
    wchar_t words[PRFDATA_MAX_NAME_CHARS + 1] = {0};
    size_t count = wcslen(name);

    for (uint32_t i = 0; i < item->object->counter_count; i++) {
        const prfdata_model_counter *each = &item->object->counters[i];

        if (share_panel(each, item->counter))
            count = count_common_chars(name, each->entry->name, count);
    }
    if (count == 0 || count > PRFDATA_MAX_NAME_CHARS)
        count = wcslen(name);
    for (size_t i = 0; i < count && i < PRFDATA_MAX_NAME_CHARS; i++)
        words[i] = name[i];
    prfdata_quoted_text_put_wide(title, words);
    prfdata_quoted_text_put(title, ", percentiles");
}

static void put_percentile_helps(prfdata_quoted_text *helps, const prfdata_emit_item *item,
                                 bool is_overall)
{
    for (uint32_t i = 0; i < item->object->counter_count; i++) {
        const prfdata_model_counter *each = &item->object->counters[i];
        char help[HELP_BYTES];
        prfdata_emit_item shown;

        if (!share_panel(each, item->counter) ||
            !prfdata_emit_item_make(item->model, item->object, each, &shown))
            continue;
        (void)prfdata_metric_help(each, is_overall ? &shown.overall : &shown.metric, help,
                                  sizeof help);
        prfdata_quoted_text_put(helps, helps->used > 0 ? "\n\n" : "");
        prfdata_quoted_text_put_wide(helps, each->entry->name);
        prfdata_quoted_text_put(helps, ": ");
        prfdata_quoted_text_put(helps, help);
    }
}

static void put_targets(dashboard *d, const prfdata_emit_item *item, const prfdata_metric *metric)
{
    if (shows_percentile(item->counter)) {
        put_percentile_targets(d, item, metric->is_overall);
        return;
    }
    for (size_t i = 0; i < prfdata_emit_query_count(item, metric); i++)
        put_target(d, item, metric, i, i, prfdata_emit_query_label(metric, i));
}

static void put_panel_title(dashboard *d, const prfdata_emit_item *item,
                            const prfdata_metric *metric)
{
    prfdata_quoted_text title = {0};

    if (shows_percentile(item->counter) && count_percentiles(item) > 1)
        put_common_title(&title, item);
    else
        prfdata_quoted_text_put_wide(&title, item->counter->entry->name);
    if (metric->kind == PRFDATA_METRIC_HISTOGRAM)
        prfdata_quoted_text_put(&title, ", distribution");
    if (prfdata_emit_query_answer(item, metric) == PRFDATA_EMIT_ANSWER_COUNT)
        prfdata_quoted_text_put(&title, ", per second");
    if (metric->is_overall)
        prfdata_quoted_text_put(&title, ", all instances");
    prfdata_quoted_text_put_quoted(d->text, prfdata_quoted_text_get(&title));
    d->text->has_failed |= title.has_failed;
    prfdata_quoted_text_free(&title);
}

static void put_panel_help(dashboard *d, const prfdata_emit_item *item,
                           const prfdata_metric *metric)
{
    prfdata_quoted_text helps = {0};
    char help[HELP_BYTES];

    if (shows_percentile(item->counter) && count_percentiles(item) > 1) {
        put_percentile_helps(&helps, item, metric->is_overall);
        prfdata_quoted_text_put_quoted(d->text, prfdata_quoted_text_get(&helps));
        d->text->has_failed |= helps.has_failed;
        prfdata_quoted_text_free(&helps);
        return;
    }
    (void)prfdata_metric_help(item->counter, metric, help, sizeof help);
    prfdata_quoted_text_put_quoted(d->text, help);
}

static void put_metric_panel(void *context, const prfdata_emit_item *item,
                             const prfdata_metric *metric)
{
    dashboard *d = context;

    if (prfdata_emit_query_count(item, metric) == 0)
        return;
    begin_panel(d, PANEL_COLUMNS, PANEL_LINES);
    prfdata_quoted_text_put(d->text, "     \"type\": \"timeseries\", \"title\": ");
    put_panel_title(d, item, metric);
    prfdata_quoted_text_put(d->text, ",\n     \"description\": ");
    put_panel_help(d, item, metric);
    prfdata_quoted_text_format(d->text,
                               ",\n     \"datasource\": " SOURCE
                               ",\n     \"fieldConfig\": {\"defaults\": {\"unit\": \"%s\"}, "
                               "\"overrides\": []},\n     \"targets\": [\n",
                               grafana_unit(item, metric));
    put_targets(d, item, metric);
    prfdata_quoted_text_put(d->text, "]}");
}

static void put_item_panels(void *context, const prfdata_emit_item *item)
{
    if (!shows_percentile(item->counter) || !is_in_earlier_panel(item))
        prfdata_emit_item_walk_metrics(item, put_metric_panel, context);
}

static void put_variables(prfdata_quoted_text *text)
{
    static const struct {
        const char *name;
        const char *label;
        const char *query;
    } variables[] = {
        {"prfdata_job", "Job", "label_values(prfread_build_info, job)"},
        {"prfdata_instance", "Computer",
         "label_values(prfread_build_info{job=~\\\"$prfdata_job\\\"}, instance)"},
    };

    prfdata_quoted_text_put(text,
                            "  \"templating\": {\"list\": [\n"
                            "    {\"name\": \"prfdata_datasource\", \"label\": \"Prometheus\", "
                            "\"type\": \"datasource\", \"query\": \"prometheus\"}");
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        prfdata_quoted_text_format(
            text,
            ",\n    {\"name\": \"%s\", \"label\": \"%s\", \"type\": \"query\", "
            "\"datasource\": " SOURCE
            ",\n     \"query\": \"%s\", \"refresh\": 2, \"multi\": true, \"includeAll\": true, "
            "\"allValue\": \".+\",\n"
            "     \"current\": {\"text\": \"All\", \"value\": \"$__all\"}}",
            variables[i].name, variables[i].label, variables[i].query);
    prfdata_quoted_text_put(text, "]},\n");
}

static void put_dashboard_title(prfdata_quoted_text *text, const prfdata_model *const *models,
                                size_t count)
{
    prfdata_quoted_text_put(text, "\"");
    for (size_t i = 0; i < count; i++)
        prfdata_quoted_text_format(text, "%s%s", i > 0 ? ", " : "", models[i]->map->service);
    prfdata_quoted_text_put(text, "\"");
}

void prfdata_emit_grafana(prfdata_quoted_text *text, const prfdata_model *const *models,
                          size_t count, const char *program)
{
    dashboard d = {text, 0, 0, 0};
    prfdata_quoted_text origin = {0};

    prfdata_quoted_text_put(text, "{\n  \"title\": ");
    put_dashboard_title(text, models, count);
    prfdata_quoted_text_put(text, ",\n  \"description\": ");
    prfdata_emit_put_origin(&origin, "", program, "Grafana", "");
    prfdata_quoted_text_put_quoted(text, prfdata_quoted_text_get(&origin));
    text->has_failed |= origin.has_failed;
    prfdata_quoted_text_free(&origin);
    prfdata_quoted_text_put(text, ",\n  \"tags\": [\"PrfData\"],\n  \"schemaVersion\": 36,\n"
                                  "  \"editable\": true,\n  \"graphTooltip\": 1,\n"
                                  "  \"time\": {\"from\": \"now-1h\", \"to\": \"now\"},\n"
                                  "  \"refresh\": \"30s\",\n");
    put_variables(text);
    prfdata_quoted_text_put(text, "  \"panels\": [\n");
    for (size_t m = 0; m < count; m++) {
        for (uint32_t i = 0; i < models[m]->object_count; i++) {
            put_object_row(&d, &models[m]->objects[i]);
            prfdata_emit_item_walk(models[m], &models[m]->objects[i], put_item_panels, &d);
        }
    }
    prfdata_quoted_text_put(text, "\n  ]\n}\n");
}
