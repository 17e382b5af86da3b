/* SPDX-License-Identifier: MIT */
/*
 * Writes the head of a metric: TYPE, HELP and, in OpenMetrics, UNIT. metric_lines.h writes the
 * lines with values.
 *
 *     # TYPE disk_avg_disk_read_seconds summary
 *     # UNIT disk_avg_disk_read_seconds seconds
 *     # HELP disk_avg_disk_read_seconds Its help. \\Disk(*)\\Avg. Disk sec/Read
 *
 * HELP is the same on every computer and after every installation, because programs compare it
 * between scrapes or files. So it contains a title index only if the title has no name; prfread
 * -explain shows all indexes.
 */
#ifndef PRFDATA_READER_METRIC_HEAD_H
#define PRFDATA_READER_METRIC_HEAD_H

#include "prometheus/metric_families.h"
#include "text/output.h"

typedef enum prfdata_dialect {
    PRFDATA_DIALECT_OPEN_METRICS, /* application/openmetrics-text; version=1.0.0 */
    PRFDATA_DIALECT_PROMETHEUS    /* text/plain; version=0.0.4 */
} prfdata_dialect;

#define PRFDATA_DIALECT_COUNT 2

/* Return the word for a kind in the line TYPE: "gauge", "counter", "summary" or "histogram". */
const char *prfdata_metric_head_kind(prfdata_metric_kind kind);

/*
 * Put everything up to the text of HELP; the caller puts that text and a line end.
 *
 * unit  The name's last word, or "" for an empty UNIT.
 */
void prfdata_metric_head_begin(prfdata_output *output, const char *name, prfdata_metric_kind kind,
                               const char *unit, prfdata_dialect dialect);

/* Put the whole head of a counter. HELP is the counter's help text and its path in Windows. */
void prfdata_metric_head_put(prfdata_output *output, const prfdata_sample *sample,
                             const prfdata_titles *titles, const prfdata_metric_family_item *item,
                             prfdata_dialect dialect);

#endif
