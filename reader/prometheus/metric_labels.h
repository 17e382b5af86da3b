/* SPDX-License-Identifier: MIT */
/*
 * The labels that Prometheus tells the instances of an object apart by, without the name of the
 * first label:
 *
 *     ="Left"}                         of an instance
 *     ="thread#1",parent="process"}    of an instance with a parent
 *                                      empty for an object without instances
 */
#ifndef PRFDATA_READER_METRIC_LABELS_H
#define PRFDATA_READER_METRIC_LABELS_H

#include "block/sample.h"
#include "text/output.h"

/* Whose label this is, as far as its text depends on that. */
typedef struct prfdata_metric_label_owner {
    prfdata_text label;  /* of the instance; its chars are in `chars` */
    size_t name_chars;   /* of its name, the rest is a number that was added */
    size_t parent_chars; /* of its parent's name, with the slash; 0: it has no parent */
} prfdata_metric_label_owner;

/* Indexed by position in object->found. {0} is empty. */
typedef struct prfdata_metric_labels {
    prfdata_output text; /* NUL-terminated, one after the other; "" without instances */
    size_t *offsets;     /* in the text; and its end */
    bool *is_duplicate;  /* an earlier instance has the same text */
    bool *is_total;      /* the instance or its parent is called _Total */
    bool may_collide;    /* of different names the texts may be the same */

    uint32_t object_title; /* of the last object that they were of */

    /* What they were made of, and what stays the same as long as that does. */
    bool has_instances;
    uint32_t count;
    prfdata_metric_label_owner *owners;
    uint16_t *chars;
    uint64_t *numbers; /* not 0; no other label has it, or had it */
} prfdata_metric_labels;

/*
 * Make the labels of an object, or keep them: most objects have the same instances as in the sample
 * before. That is seen by comparing them. A label that stays has its number still.
 *
 * last_number  The last one that was given to any label, of all objects; 0 at first.
 *
 * Returns false without memory; the labels are empty then.
 */
bool prfdata_metric_labels_follow(prfdata_metric_labels *labels, const prfdata_sample *sample,
                                  const prfdata_sample_object *object, uint64_t *last_number);

/* Release everything. */
void prfdata_metric_labels_free(prfdata_metric_labels *labels);

/* The text of the instance at this position of object->found. */
static inline const char *prfdata_metric_labels_text(const prfdata_metric_labels *labels,
                                                     uint32_t position)
{
    return labels->text.bytes + labels->offsets[position];
}

/* Its bytes, without the NUL. */
static inline size_t prfdata_metric_labels_bytes(const prfdata_metric_labels *labels,
                                                 uint32_t position)
{
    return labels->offsets[position + 1] - labels->offsets[position] - 1;
}

/*
 * Put a label's value without its quotes. Control characters and halves of surrogate pairs become
 * \uXXXX.
 */
void prfdata_metric_labels_put_value(prfdata_output *output, prfdata_text text);

#endif
