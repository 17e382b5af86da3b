/* SPDX-License-Identifier: MIT */
/* Writes comment lines, escaped as each dialect requires. */
#include "prometheus/metric_head.h"

#include <stdlib.h>
#include <string.h>

/* Put a help text on one line: each run of control characters becomes a blank. */
static void put_escaped_help(prfdata_output *output, prfdata_text text, prfdata_dialect dialect)
{
    size_t begin = 0;

    for (size_t i = 0; i < text.count; i++) {
        uint16_t unit = text.chars[i];
        bool is_control = unit < ' ' || unit == 0x7F;
        bool is_quote = unit == '"' && dialect == PRFDATA_DIALECT_OPEN_METRICS;

        if (!is_control && unit != '\\' && !is_quote)
            continue;
        prfdata_output_put_text(output, prfdata_text_part(text, begin, i));
        if (!is_control)
            prfdata_output_format(output, "\\%c", unit);
        else if (i == 0 || text.chars[i - 1] >= ' ')
            prfdata_output_put_string(output, " ");
        begin = i + 1;
    }
    prfdata_output_put_text(output, prfdata_text_part(text, begin, text.count));
}

static void put_help_title(prfdata_output *output, const prfdata_titles *titles, uint32_t index,
                           prfdata_dialect dialect)
{
    prfdata_text name = prfdata_name_table_name(&titles->english, index);

    if (name.count > 0)
        put_escaped_help(output, name, dialect);
    else
        prfdata_output_format(output, "%lu", (unsigned long)index);
}

static bool ends_a_sentence(prfdata_text text)
{
    uint16_t last = text.chars[text.count - 1];

    return last == '.' || last == '!' || last == '?' || last == ':' || last <= ' ';
}

/* Put the name of the family. In Prometheus's older format, the name of a counter ends with _total
 * in the head, too. */
static void put_family_name(prfdata_output *output, const char *name, prfdata_metric_kind kind,
                            prfdata_dialect dialect)
{
    prfdata_output_put_string(output, name);
    if (kind == PRFDATA_METRIC_COUNTER && dialect == PRFDATA_DIALECT_PROMETHEUS)
        prfdata_output_put_string(output, "_total");
}

const char *prfdata_metric_head_kind(prfdata_metric_kind kind)
{
    static const char *const names[] = {"gauge", "counter", "summary", "histogram"};

    return names[kind];
}

void prfdata_metric_head_begin(prfdata_output *output, const char *name, prfdata_metric_kind kind,
                               const char *unit, prfdata_dialect dialect)
{
    prfdata_output_put_string(output, "# TYPE ");
    put_family_name(output, name, kind, dialect);
    prfdata_output_format(output, " %s\n", prfdata_metric_head_kind(kind));
    /* UNIT is written even if empty, because otherwise Prometheus 3 (type-and-unit-labels) gives
     * the family the unit of the previous one. */
    if (dialect == PRFDATA_DIALECT_OPEN_METRICS) {
        prfdata_output_put_string(output, "# UNIT ");
        put_family_name(output, name, kind, dialect);
        prfdata_output_format(output, " %s\n", unit);
    }
    prfdata_output_put_string(output, "# HELP ");
    put_family_name(output, name, kind, dialect);
    prfdata_output_put_string(output, " ");
}

/* Put a help text. For counts, omit the mention of the rate that Windows shows. */
static void put_counter_help(prfdata_output *output, prfdata_text help, prfdata_metric_kind kind,
                             prfdata_dialect dialect)
{
    uint16_t *chars = malloc((help.count + 1) * sizeof *chars);
    prfdata_text shown = {chars, help.count};

    if (!chars) {
        output->failed = true;
        return;
    }
    if (help.count > 0)
        memcpy(chars, help.chars, help.count * sizeof *chars);
    if (prfdata_metric_counts_rate(kind))
        shown.count = prfdata_metric_help_without_rate(chars, help.count);
    if (shown.count > 0) {
        put_escaped_help(output, shown, dialect);
        prfdata_output_put_string(output, ends_a_sentence(shown) ? " " : ". ");
    }
    free(chars);
}

void prfdata_metric_head_put(prfdata_output *output, const prfdata_sample *sample,
                             const prfdata_titles *titles, const prfdata_metric_family_item *item,
                             prfdata_dialect dialect)
{
    const prfdata_sample_object *object = &sample->objects[item->object_position];
    const prfdata_metric_kind kind = prfdata_metric_part_kind(item->part);
    const prfdata_text help = prfdata_name_table_name(
        &titles->helps,
        object->counters[item->counter_position].definition.counter_help_title_index);
    char note[PRFDATA_METRIC_NOTE_BYTES];

    prfdata_metric_head_begin(output, item->family->name, kind, item->family->unit, dialect);
    put_counter_help(output, help, kind, dialect);
    if (item->is_overall)
        prfdata_output_format(output, "%s ", prfdata_metric_overall_note(item->part));
    prfdata_metric_factor_note(item->family->factor, note);
    if (note[0] != 0)
        prfdata_output_format(output, "%s ", note);
    prfdata_output_put_string(output, "\\\\");
    put_help_title(output, titles, item->object_title, dialect);
    prfdata_output_put_string(output, !object->has_instances ? "\\\\"
                                      : item->is_overall     ? "(_Total)\\\\"
                                                             : "(*)\\\\");
    put_help_title(output, titles, item->counter_title, dialect);
    prfdata_output_put_string(output, "\n");
}
