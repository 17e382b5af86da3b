/* SPDX-License-Identifier: MIT */
/*
 * Label texts of all instances of an object, made once for all of its counters, and which of them
 * must be left out.
 */
#include "prometheus/metric_labels.h"

#include <stdlib.h>
#include <string.h>

static bool is_half_surrogate(uint32_t code_point)
{
    return code_point >= 0xD800 && code_point <= 0xDFFF;
}

/* Whether a char stands for itself, and is a code point by itself. */
static bool is_plain(uint16_t character)
{
    return character >= ' ' && character != 0x7F && character != '\\' && character != '"' &&
           !is_half_surrogate(character);
}

void prfdata_metric_labels_put_value(prfdata_output *output, prfdata_text text)
{
    for (size_t i = 0; text.chars && i < text.count;) {
        const size_t begin = i;
        uint32_t code_point;

        while (i < text.count && is_plain(text.chars[i]))
            i++;
        if (i > begin) {
            prfdata_output_put_text(output, prfdata_text_part(text, begin, i));
            continue;
        }
        code_point = prfdata_text_next(text, &i);
        if (code_point == '\n')
            prfdata_output_put_string(output, "\\n");
        else if (code_point == '\\' || code_point == '"')
            prfdata_output_format(output, "\\%c", (int)code_point);
        else if (code_point < ' ' || code_point == 0x7F || is_half_surrogate(code_point))
            prfdata_output_format(output, "\\\\u%04X", (unsigned)code_point);
        else
            prfdata_output_put_text(output, prfdata_text_part(text, begin, i));
    }
}

/* Of plain texts no two are the same, as no two labels are. */
static bool is_plain_text(prfdata_text text)
{
    size_t plain = 0;

    while (plain < text.count && is_plain(text.chars[plain]))
        plain++;
    return plain == text.count;
}

static void put_instance_labels(const prfdata_sample *sample, const prfdata_sample_object *object,
                                const prfdata_sample_instance *instance,
                                prfdata_metric_labels *labels)
{
    prfdata_output *output = &labels->text;
    prfdata_text parent = prfdata_sample_parent(sample, instance);
    size_t begin = parent.chars ? parent.count + 1 : 0;

    if ((parent.chars && parent.count == 0) || !is_plain_text(instance->label))
        labels->may_collide = true;
    if (object->has_instances) {
        prfdata_output_put_string(output, "=\"");
        prfdata_metric_labels_put_value(
            output, prfdata_text_part(instance->label, begin, instance->label.count));
        if (parent.count > 0) { /* Prometheus drops empty labels */
            prfdata_output_put_string(output, "\",parent=\"");
            prfdata_metric_labels_put_value(output, parent);
        }
        prfdata_output_put_string(output, "\"}");
    }
    prfdata_output_put(output, "", 1);
}

typedef struct label_order {
    const char *text;
    uint32_t position;
} label_order;

static int compare_label_texts(const void *a, const void *b)
{
    const label_order *left = a;
    const label_order *right = b;
    int order = strcmp(left->text, right->text);

    return order != 0 ? order
                      : (left->position > right->position) - (left->position < right->position);
}

/*
 * Find instances whose text another one has already: different names may become the same text once
 * control characters are escaped.
 */
static bool find_duplicate_labels(const prfdata_sample_object *object,
                                  prfdata_metric_labels *labels)
{
    label_order *order = malloc((object->found_count + 1) * sizeof *order);

    if (!order)
        return false;
    for (uint32_t i = 0; i < object->found_count; i++) {
        order[i].text = labels->text.bytes + labels->offsets[i];
        order[i].position = i;
    }
    if (object->found_count > 0)
        qsort(order, object->found_count, sizeof *order, compare_label_texts);
    for (uint32_t i = 1; i < object->found_count; i++) {
        if (strcmp(order[i - 1].text, order[i].text) == 0)
            labels->is_duplicate[order[i].position] = true;
    }
    free(order);
    return true;
}

void prfdata_metric_labels_free(prfdata_metric_labels *labels)
{
    prfdata_output_free(&labels->text);
    free(labels->offsets);
    free(labels->is_duplicate);
    free(labels->is_total);
    memset(labels, 0, sizeof *labels);
}

bool prfdata_metric_labels_make(const prfdata_sample *sample, const prfdata_sample_object *object,
                                prfdata_metric_labels *labels)
{
    size_t count = (size_t)object->found_count + 1;

    memset(labels, 0, sizeof *labels);
    labels->offsets = calloc(count, sizeof *labels->offsets);
    labels->is_duplicate = calloc(count, sizeof *labels->is_duplicate);
    labels->is_total = calloc(count, sizeof *labels->is_total);
    if (!labels->offsets || !labels->is_duplicate || !labels->is_total)
        return false;
    for (uint32_t i = 0; i < object->found_count; i++) {
        const prfdata_sample_instance *instance = &object->instances[object->found[i]];

        labels->offsets[i] = labels->text.used;
        put_instance_labels(sample, object, instance, labels);
        labels->is_total[i] = object->has_instances &&
                              (prfdata_sample_is_total(instance->name) ||
                               prfdata_sample_is_total(prfdata_sample_parent(sample, instance)));
    }
    labels->offsets[object->found_count] = labels->text.used;
    return !labels->text.failed && (!labels->may_collide || find_duplicate_labels(object, labels));
}

const char *prfdata_metric_labels_text(const prfdata_metric_labels *labels, uint32_t position)
{
    return labels->text.bytes + labels->offsets[position];
}

size_t prfdata_metric_labels_bytes(const prfdata_metric_labels *labels, uint32_t position)
{
    return labels->offsets[position + 1] - labels->offsets[position] - 1;
}
