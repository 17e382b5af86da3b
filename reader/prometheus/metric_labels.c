/* SPDX-License-Identifier: MIT */
/*
 * Makes the label texts of all instances of an object once for all of its counters, and finds the
 * instances that must be left out. Old and new instances are in the same order, so one walk through
 * both lists finds the instances that have stayed.
 */
#include "prometheus/metric_labels.h"

#include <stdlib.h>
#include <string.h>

static bool is_half_surrogate(uint32_t code_point)
{
    return code_point >= 0xD800 && code_point <= 0xDFFF;
}

/* Returns whether a char needs no escape and is a whole code point. */
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

/* Returns false if a label may need escapes. The texts of all other labels differ from each other,
 * because no two instances have the same label. */
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

/* Find instances whose label has the same text as the label of an earlier instance. The reason may
 * be that a character was escaped, or that the empty name of a parent was left out. */
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

static void free_label_arrays(prfdata_metric_labels *labels)
{
    prfdata_output_free(&labels->text);
    free(labels->offsets);
    free(labels->is_duplicate);
    free(labels->is_total);
    free(labels->owners);
    free(labels->chars);
    free(labels->numbers);
}

void prfdata_metric_labels_free(prfdata_metric_labels *labels)
{
    free_label_arrays(labels);
    memset(labels, 0, sizeof *labels);
}

/* ---- Inputs of the labels ---- */

static prfdata_metric_label_owner owner_of_label(const prfdata_sample *sample,
                                                 const prfdata_sample_instance *instance)
{
    const prfdata_text parent = prfdata_sample_parent(sample, instance);

    return (prfdata_metric_label_owner){.label = instance->label,
                                        .name_chars = instance->name.count,
                                        .parent_chars = parent.chars ? parent.count + 1 : 0};
}

/* Name and parent are parts of the label, so comparing their lengths is enough. */
static bool is_same_owner(const prfdata_metric_label_owner *a, const prfdata_metric_label_owner *b)
{
    return a->name_chars == b->name_chars && a->parent_chars == b->parent_chars &&
           prfdata_text_is_same(a->label, b->label);
}

static bool are_same_labels(const prfdata_metric_labels *labels, const prfdata_sample *sample,
                            const prfdata_sample_object *object)
{
    if (!labels->owners || labels->count != object->found_count ||
        labels->has_instances != object->has_instances)
        return false;
    for (uint32_t i = 0; i < labels->count; i++) {
        const prfdata_metric_label_owner owner =
            owner_of_label(sample, &object->instances[object->found[i]]);

        if (!is_same_owner(&owner, &labels->owners[i]))
            return false;
    }
    return true;
}

/* ---- Making the labels ---- */

static bool make_label_arrays(const prfdata_sample_object *object, prfdata_metric_labels *labels)
{
    const size_t count = (size_t)object->found_count + 1;
    size_t chars = 1;

    for (uint32_t i = 0; i < object->found_count; i++)
        chars += object->instances[object->found[i]].label.count;
    labels->offsets = calloc(count, sizeof *labels->offsets);
    labels->is_duplicate = calloc(count, sizeof *labels->is_duplicate);
    labels->is_total = calloc(count, sizeof *labels->is_total);
    labels->owners = calloc(count, sizeof *labels->owners);
    labels->numbers = calloc(count, sizeof *labels->numbers);
    labels->chars = malloc(chars * sizeof *labels->chars);
    return labels->offsets && labels->is_duplicate && labels->is_total && labels->owners &&
           labels->numbers && labels->chars;
}

/*
 * Return the position of the former label that equals the label of `owner`, searching from `next`.
 * If there is none, returns former->count.
 */
static uint32_t former_position(const prfdata_metric_labels *former,
                                const prfdata_metric_label_owner *owner, uint32_t *next)
{
    while (*next < former->count && !is_same_owner(&former->owners[*next], owner)) {
        if (prfdata_text_compare(former->owners[*next].label, owner->label) >= 0)
            return former->count;
        ++*next;
    }
    return *next < former->count ? (*next)++ : former->count;
}

static void make_label(const prfdata_sample *sample, const prfdata_sample_object *object,
                       const prfdata_sample_instance *instance, prfdata_metric_labels *labels)
{
    put_instance_labels(sample, object, instance, labels);
    labels->is_total[labels->count] =
        object->has_instances && (prfdata_sample_is_total(instance->name) ||
                                  prfdata_sample_is_total(prfdata_sample_parent(sample, instance)));
}

/* Copy a label, except is_duplicate, which depends on other labels. */
static void keep_label(const prfdata_metric_labels *former, uint32_t position,
                       prfdata_metric_labels *labels)
{
    prfdata_output_put(&labels->text, prfdata_metric_labels_text(former, position),
                       prfdata_metric_labels_bytes(former, position) + 1);
    labels->is_total[labels->count] = former->is_total[position];
    labels->numbers[labels->count] = former->numbers[position];
    labels->may_collide = labels->may_collide || former->may_collide;
}

static void fill_labels(const prfdata_metric_labels *former, const prfdata_sample *sample,
                        const prfdata_sample_object *object, prfdata_metric_labels *labels,
                        uint64_t *last_number)
{
    const bool may_keep = former->has_instances == labels->has_instances;
    uint16_t *chars = labels->chars;
    uint32_t next = 0;

    for (labels->count = 0; labels->count < object->found_count; labels->count++) {
        const prfdata_sample_instance *instance = &object->instances[object->found[labels->count]];
        prfdata_metric_label_owner *owner = &labels->owners[labels->count];
        uint32_t kept;

        *owner = owner_of_label(sample, instance);
        kept = may_keep ? former_position(former, owner, &next) : former->count;
        labels->offsets[labels->count] = labels->text.used;
        if (kept < former->count) {
            keep_label(former, kept, labels);
        } else {
            make_label(sample, object, instance, labels);
            labels->numbers[labels->count] = ++*last_number;
        }
        /* The label must be copied, because the sample will be released. */
        if (owner->label.count > 0)
            memcpy(chars, owner->label.chars, owner->label.count * sizeof *chars);
        owner->label.chars = chars;
        chars += owner->label.count;
    }
    labels->offsets[labels->count] = labels->text.used;
}

bool prfdata_metric_labels_follow(prfdata_metric_labels *labels, const prfdata_sample *sample,
                                  const prfdata_sample_object *object, uint64_t *last_number)
{
    prfdata_metric_labels made = {.object_title = object->wire.header.object_name_title_index,
                                  .has_instances = object->has_instances};
    bool is_made;

    if (are_same_labels(labels, sample, object)) {
        labels->object_title = made.object_title;
        return true;
    }
    /* Reserve at once as much room as the former labels took. */
    (void)prfdata_output_room(&made.text, labels->text.used);
    is_made = make_label_arrays(object, &made);
    if (is_made) {
        fill_labels(labels, sample, object, &made, last_number);
        is_made = !made.text.failed && (!made.may_collide || find_duplicate_labels(object, &made));
    }
    free_label_arrays(labels);
    if (!is_made) {
        free_label_arrays(&made);
        memset(&made, 0, sizeof made);
    }
    *labels = made;
    return is_made;
}
