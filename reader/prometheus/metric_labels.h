/* SPDX-License-Identifier: MIT */
/*
 * Makes the labels by which Prometheus distinguishes the instances of an object. The name of the
 * first label is left out. Examples:
 *
 *     ="Left"}                         of an instance
 *     ="thread#1",parent="process"}    of an instance with a parent
 *                                      empty for an object without instances
 */
#ifndef PRFDATA_READER_METRIC_LABELS_H
#define PRFDATA_READER_METRIC_LABELS_H

#include "block/sample.h"
#include "text/output.h"

/* The properties of an instance on which the text of its label depends. */
typedef struct prfdata_metric_label_owner {
    prfdata_text label;  /* label of the instance; its chars are in `chars` */
    size_t name_chars;   /* length of the instance's name, which a number such as #1 may follow */
    size_t parent_chars; /* length of its parent's name, with the slash; 0: no parent */
} prfdata_metric_label_owner;

/* The labels of all instances of an object, indexed by position in object->found. {0} is empty. */
typedef struct prfdata_metric_labels {
    prfdata_output text; /* NUL-terminated strings, one after the other; "" without instances */
    size_t *offsets;     /* offsets of each string in the text, and of the end */
    bool *is_duplicate;  /* an earlier instance has the same text */
    bool *is_total;      /* the instance or its parent is a total (prfdata_sample_is_total()) */
    bool may_collide;    /* two instances may have the same text */

    uint32_t object_title;

    /* The inputs of the labels, and their numbers. */
    bool has_instances;
    uint32_t count;
    prfdata_metric_label_owner *owners;
    uint16_t *chars;
    uint64_t *numbers; /* a number for each label; not 0; no other label has or had it */
} prfdata_metric_labels;

/*
 * Make the labels of an object. If its instances are the same as in the previous sample, keep the
 * labels. A label that stays keeps its number.
 *
 * last_number  The last number given to any label of any object; 0 at first.
 *
 * Returns false without memory; the labels are empty then.
 */
bool prfdata_metric_labels_follow(prfdata_metric_labels *labels, const prfdata_sample *sample,
                                  const prfdata_sample_object *object, uint64_t *last_number);

void prfdata_metric_labels_free(prfdata_metric_labels *labels);

/* Return the text of the instance at this position of object->found. */
static inline const char *prfdata_metric_labels_text(const prfdata_metric_labels *labels,
                                                     uint32_t position)
{
    return labels->text.bytes + labels->offsets[position];
}

/* Return the length of the text, without the NUL. */
static inline size_t prfdata_metric_labels_bytes(const prfdata_metric_labels *labels,
                                                 uint32_t position)
{
    return labels->offsets[position + 1] - labels->offsets[position] - 1;
}

/*
 * Put a label's value without quotes. Control characters except line feeds, and unpaired
 * surrogates, become \uXXXX.
 */
void prfdata_metric_labels_put_value(prfdata_output *output, prfdata_text text);

#endif
