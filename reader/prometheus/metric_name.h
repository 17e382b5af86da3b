/* SPDX-License-Identifier: MIT */
/*
 * From the titles of an object and a counter to the name of a metric, for counters that no map of
 * ours declares. It is one that `promtool check metrics` does not complain about.
 *
 * docs/prometheus.md has the rule with ten examples, which a test compares. Values are scaled for a
 * unit in parentheses, exactly as unit_spellings in the source has it, and for a percent sign at an
 * end. No other word means a unit: "Orders US" are no microseconds.
 */
#ifndef PRFDATA_READER_METRIC_NAME_H
#define PRFDATA_READER_METRIC_NAME_H

#include "metric/metric_part.h"
#include "metric/metric_words.h"
#include "text/text.h"

/* What a name is made of. */
typedef struct prfdata_metric_titles {
    prfdata_text object; /* empty: unknown; its index is used */
    uint32_t object_index;
    prfdata_text counter;
    uint32_t counter_index;
    const prfdata_metric_part *part;
} prfdata_metric_titles;

typedef struct prfdata_metric_name {
    char text[PRFDATA_METRIC_NAME_BYTES]; /* of the family: without _total, _sum, _count */
    const char *unit;                     /* the name's last word, or ""; static storage */
    double factor;                        /* multiply values by this, after ticks became seconds */
} prfdata_metric_name;

/*
 * Make the name: [a-z_][a-z0-9_]*, from any titles. Titles that differ in case, punctuation or the
 * unit in parentheses only give the same name. Long ones lose words at their end.
 */
void prfdata_metric_name_make(const prfdata_metric_titles *titles, prfdata_metric_name *name);

#endif
