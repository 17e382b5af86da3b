/* SPDX-License-Identifier: MIT */
/*
 * Describes a counter as other programs see it. A program that reads through PDH gets a formatted
 * value, such as a rate per second. Prometheus gets the metric of metric/metric.h. Portable.
 */
#ifndef PRFDATA_EMIT_ITEM_H
#define PRFDATA_EMIT_ITEM_H

#include "map/model.h"
#include "metric/metric.h"
#include "report/quoted_text.h"

/* The value that PDH computes from a counter. */
typedef enum prfdata_emit_shape {
    PRFDATA_EMIT_LEVEL,   /* the value, which may fall */
    PRFDATA_EMIT_COUNT,   /* the value, which only grows */
    PRFDATA_EMIT_RATE,    /* growth per second */
    PRFDATA_EMIT_CHANGE,  /* growth since the last sample */
    PRFDATA_EMIT_LENGTH,  /* the mean length of a queue */
    PRFDATA_EMIT_PERCENT, /* normally 0 to 100 */
    PRFDATA_EMIT_AVERAGE, /* per operation */
    PRFDATA_EMIT_AGE,     /* seconds since the start time in the counter */
    PRFDATA_EMIT_SHAPE_COUNT
} prfdata_emit_shape;

typedef struct prfdata_emit_item {
    const prfdata_model *model;
    const prfdata_model_object *object;
    const prfdata_model_counter *counter;
    prfdata_emit_shape shape;
    prfdata_metric metric;  /* metric of the counter's first part (prfdata_metric_part) */
    prfdata_metric overall; /* metric of `_Total`; set only if has_overall */
    bool has_overall;
    /* The unit of the counter as the map spells it: "milliseconds", or "". */
    const char *value_unit;
} prfdata_emit_item;

/*
 * Make the item of a counter. Returns false if the counter has no value of its own; a base has
 * none.
 */
bool prfdata_emit_item_make(const prfdata_model *model, const prfdata_model_object *object,
                            const prfdata_model_counter *counter, prfdata_emit_item *item);

/* Call `each` with the items of an object, in their order. */
typedef void prfdata_emit_item_each(void *context, const prfdata_emit_item *item);
void prfdata_emit_item_walk(const prfdata_model *model, const prfdata_model_object *object,
                            prfdata_emit_item_each *each, void *context);

/*
 * Call `each` with the metrics of the counter. These are its parts, except those that are shown
 * only on request. If the counter is the sum of a histogram, the histogram follows. After each
 * metric comes the metric of its `_Total`, if it has one. prfread does not serve a part whose
 * values are in a histogram (prfdata_emit_query_histogram()).
 */
typedef void prfdata_emit_item_each_metric(void *context, const prfdata_emit_item *item,
                                           const prfdata_metric *metric);
void prfdata_emit_item_walk_metrics(const prfdata_emit_item *item,
                                    prfdata_emit_item_each_metric *each, void *context);

/*
 * Returns whether the object has an item. If `is_overall` is set, only items that have
 * `has_overall` count.
 */
bool prfdata_emit_item_any(const prfdata_model *model, const prfdata_model_object *object,
                           bool is_overall);

/* Return the word for the shape: "per second", "percent"; "" for plain values. */
const char *prfdata_emit_item_shape_word(prfdata_emit_shape shape);

/*
 * Put a name for the value that PDH computes. If that is the metric's value, put the metric's name.
 * Otherwise append words: "queue_jobs.per_second". If the metric's name has an appended suffix,
 * such as "idle", leave out the suffix and the unit before ".percent". Keep both if two items would
 * otherwise have the same name.
 */
void prfdata_emit_item_put_name(prfdata_quoted_text *text, const prfdata_emit_item *item,
                                bool overall);

/* Put the unit of the value that PDH computes, as UCUM spells it: "By/s". */
void prfdata_emit_item_put_unit(prfdata_quoted_text *text, const prfdata_emit_item *item);

/* Put the words of service and symbol in lower case, joined by "_"; the symbol may be "". */
void prfdata_emit_item_put_words(prfdata_quoted_text *text, const char *service,
                                 const char *symbol);

/* Put the metric's name without the unit at its end. */
void prfdata_emit_item_put_base(prfdata_quoted_text *text, const prfdata_metric *metric);

/* Put a text of a map in quotes. The check of the map must have accepted the text. */
void prfdata_emit_item_put_title(prfdata_quoted_text *text, const wchar_t *title);

#endif
