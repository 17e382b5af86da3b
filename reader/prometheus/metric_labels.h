/* SPDX-License-Identifier: MIT */
/*
 * What tells the instances of an object apart for Prometheus:
 *
 *     ="Left"}                         an instance; the name of the label comes before it
 *     ="thread#1",parent="process"}    one with a parent
 *                                      nothing where the object has no instances
 */
#ifndef PRFDATA_READER_METRIC_LABELS_H
#define PRFDATA_READER_METRIC_LABELS_H

#include "text/output.h"
#include "block/sample.h"

/* By the positions of found instances. {0} is a beginning. */
typedef struct prfdata_metric_labels {
    prfdata_output text; /* NUL-terminated, one after the other; "" without instances */
    size_t *offsets;     /* of each found instance's */
    bool *is_duplicate;  /* an instance before has the same */
    bool *is_total;      /* it or its parent is called _Total */
} prfdata_metric_labels;

/*
 * Make the labels of an object.
 * Returns false without memory; release them in any case.
 */
bool prfdata_metric_labels_make(const prfdata_sample *sample, const prfdata_sample_object *object,
                                prfdata_metric_labels *labels);

/* Release everything. */
void prfdata_metric_labels_free(prfdata_metric_labels *labels);

/* The text of a found instance. */
const char *prfdata_metric_labels_text(const prfdata_metric_labels *labels, uint32_t position);

/* Put what stands between the quotes of a label. */
void prfdata_metric_labels_put_value(prfdata_output *output, prfdata_text text);

#endif
