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

#include "text/output.h"
#include "block/sample.h"

/* Indexed by position in object->found. {0} is empty. */
typedef struct prfdata_metric_labels {
    prfdata_output text; /* NUL-terminated, one after the other; "" without instances */
    size_t *offsets;     /* in the text; and its end */
    bool *is_duplicate;  /* an earlier instance has the same text */
    bool *is_total;      /* the instance or its parent is called _Total */
    bool may_collide;    /* of different names the texts may be the same */
} prfdata_metric_labels;

/*
 * Make the labels of an object.
 *
 * Returns false without memory. Release them in both cases.
 */
bool prfdata_metric_labels_make(const prfdata_sample *sample, const prfdata_sample_object *object,
                                prfdata_metric_labels *labels);

/* Release everything. */
void prfdata_metric_labels_free(prfdata_metric_labels *labels);

/* The text of the instance at this position of object->found. */
const char *prfdata_metric_labels_text(const prfdata_metric_labels *labels, uint32_t position);

/* Its bytes, without the NUL. */
size_t prfdata_metric_labels_bytes(const prfdata_metric_labels *labels, uint32_t position);

/*
 * Put a label's value without its quotes. Control characters and halves of surrogate pairs become
 * \uXXXX.
 */
void prfdata_metric_labels_put_value(prfdata_output *output, prfdata_text text);

#endif
