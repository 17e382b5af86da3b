/* SPDX-License-Identifier: MIT */
/*
 * From the titles of an object and a counter to the name of a metric that Prometheus accepts and
 * `promtool check metrics` does not complain about: lower case, base units, no word that has
 * another meaning in Prometheus. Knows neither samples nor text formats.
 *
 *     Mouse Clicks, Clicks             mouse_clicks_clicks
 *     Memory, Available KBytes         memory_available_bytes, values times 1024
 *     Network, Bytes Received/sec      network_bytes_received
 *     Disk, Avg. Disk sec/Read         disk_avg_disk_read_seconds
 *     Process, Handle Count            process_handlecount: "_count" belongs to summaries
 */
#ifndef PRFDATA_READER_METRIC_NAME_H
#define PRFDATA_READER_METRIC_NAME_H

#include "core/metric_part.h"
#include "core/metric_words.h"
#include "text/text.h"

/* What the names of metrics about the reader itself begin with, and no counter's. */
#define PRFDATA_METRIC_OWN_PREFIX "prfread_"

typedef enum prfdata_metric_unit {
    PRFDATA_METRIC_UNIT_OF_TITLE, /* the one in the title: KBytes, ms, %; without one, none */
    PRFDATA_METRIC_UNIT_SECONDS,  /* the counter's type says so */
    PRFDATA_METRIC_UNIT_RATIO,
    PRFDATA_METRIC_UNIT_NONE /* the unit in the title is that of another value */
} prfdata_metric_unit;

/* What a name is made of. */
typedef struct prfdata_metric_titles {
    prfdata_text object; /* empty: unknown; its index is used */
    uint32_t object_index;
    prfdata_text counter;
    uint32_t counter_index;
    prfdata_metric_kind kind;
    prfdata_metric_unit unit;
    const char *suffix; /* a last word in lower case, before the unit; empty: none */
    uint32_t number;    /* a further word, where the name is taken without; 0: none */
} prfdata_metric_titles;

typedef struct prfdata_metric_name {
    char text[PRFDATA_METRIC_NAME_BYTES]; /* of the family: without _total, _sum, _count */
    const char *unit;                     /* the name's last word, or NULL; static storage */
    double factor;                        /* multiply values of the title's unit by this */
} prfdata_metric_name;

/*
 * Make the name: [a-z_][a-z0-9_]*, from any titles. Different titles may give the same name. Long
 * ones lose words at their end.
 */
void prfdata_metric_name_make(const prfdata_metric_titles *titles, prfdata_metric_name *name);

#endif
