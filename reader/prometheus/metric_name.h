/* SPDX-License-Identifier: MIT */
/*
 * Makes the name of a metric from the titles of an object and a counter, for counters that are in
 * no map of PrfData's services. `promtool check metrics` accepts the name without complaints.
 *
 * docs/prometheus.md explains the rule. If the type determines the unit, the title is not searched
 * for a unit. A unit in parentheses scales values, if unit_spellings in metric_name.c has exactly
 * this spelling. A percent sign at the beginning or end of the title also scales values, except in
 * a metric of the kind counter. "Bytes" at the end or before "/sec" is a unit, too, but does not
 * scale values. No other word of a title counts as a unit.
 */
#ifndef PRFDATA_READER_METRIC_NAME_H
#define PRFDATA_READER_METRIC_NAME_H

#include "metric/metric_part.h"
#include "metric/metric_words.h"
#include "text/text.h"

typedef struct prfdata_metric_titles {
    prfdata_text object; /* empty: unknown, so its index is used */
    uint32_t object_index;
    prfdata_text counter;
    uint32_t counter_index;
    const prfdata_metric_part *part;
} prfdata_metric_titles;

typedef struct prfdata_metric_name {
    char text[PRFDATA_METRIC_NAME_BYTES]; /* name of the family: without _total, _sum, _count */
    const char *unit;                     /* the name's last word, or ""; static storage */
    double factor; /* multiply values by this, after converting ticks to seconds */
} prfdata_metric_name;

/*
 * Make the name, [a-z_][a-z0-9_]*, from any titles. Titles that differ only in case, punctuation or
 * the scale of the unit in parentheses may give the same name. Long titles lose words at their end.
 */
void prfdata_metric_name_make(const prfdata_metric_titles *titles, prfdata_metric_name *name);

#endif
