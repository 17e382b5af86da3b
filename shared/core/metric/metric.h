/* SPDX-License-Identifier: MIT */
/*
 * The metric of a counter of a map, in systems that have metrics: name, kind, unit, factor and
 * help. The reader for Prometheus and what writes configurations for other systems both ask here,
 * so a counter has one name everywhere.
 *
 *     PRFDATA_MAP_CTR(QUEUES_BUSY, L"% Busy", L"...", PERF_DETAIL_NOVICE, 0, PERF_100NSEC_TIMER)
 *         PRFDATA_MAP_METRIC("queue_busy", "")
 *
 *     for (part = prfdata_metric_part_of(counter); part; part = prfdata_metric_part_next(part))
 *         prfdata_metric_make(model, counter, part, false, &metric);
 *
 *     name "queue_busy_seconds", kind COUNTER, unit "seconds", factor 1: Prometheus sees
 *     queue_busy_seconds_total, the ticks of the counter's clock divided by their frequency.
 *
 * What is shown of a distribution is in the distribution's unit, unless the map says another: times
 * in seconds. A declared name is taken as it is. Without one the name is the service and the
 * counter's symbol: QUEUES_BUSY of MyService becomes "myservice_queues_busy_seconds".
 * prfdata_map_check() refuses a map in which two metrics would have one name.
 */
#ifndef PRFDATA_METRIC_H
#define PRFDATA_METRIC_H

#include "map/map_tree.h"
#include "map/model.h"
#include "metric/metric_part.h"
#include "metric/metric_words.h"

typedef struct prfdata_metric {
    const prfdata_metric_part *part;
    prfdata_metric_kind kind;
    char name[PRFDATA_METRIC_NAME_BYTES]; /* of the family: without _total, _sum, _count, _bucket */
    const char *unit;                     /* its last word, or ""; static storage */
    double factor;    /* from the counter's value to the metric's, after ticks became seconds */
    bool is_declared; /* by PRFDATA_MAP_METRIC; else the name is made of symbols */
    bool is_overall;  /* of `_Total`: of all instances, and of those that ended */
} prfdata_metric;

/* ---- Of a model ---- */

/* The first metric of a counter; prfdata_metric_part_next() gives the others. NULL: it has none. */
const prfdata_metric_part *prfdata_metric_part_of(const prfdata_model_counter *counter);

/*
 * Make the metric of a part of a counter.
 *
 * overall  Of `_Total`, as a metric of its own with the word "overall" in its name: a sum over the
 *          instances would count `_Total` twice if it was one of them. Only if
 *          prfdata_metric_has_overall() says so.
 */
void prfdata_metric_make(const prfdata_model *model, const prfdata_model_counter *counter,
                         const prfdata_metric_part *part, bool overall, prfdata_metric *metric);

/*
 * The unit that the counter's values are in, before they are multiplied, in the map's spelling:
 * what PRFDATA_MAP_METRIC says, or, of what is shown of a distribution, the distribution's. "":
 * none is known. Static storage.
 */
const char *prfdata_metric_value_unit(const prfdata_model_counter *counter);

/*
 * Whether `_Total` of the object needs a metric, because nothing that is asked about the instances
 * gives it: the map has PRFDATA_MAP_TOTAL, and the part counts (ended instances are in it), is a
 * fraction (which is not the sum of fractions) or shows the last minute of a distribution.
 */
bool prfdata_metric_has_overall(const prfdata_model_object *object,
                                const prfdata_model_counter *counter,
                                const prfdata_metric_part *part);

/* ---- Histograms ---- */

#define PRFDATA_METRIC_NO_BOUND (-1.0) /* of the counter of all values */

/*
 * Whether a counter is the sum of a histogram: it has PRFDATA_MAP_SUM and accumulates, and so do
 * counters of the same distribution with PRFDATA_MAP_AT_MOST and PRFDATA_MAP_COUNT. The histogram
 * is made with prfdata_metric_part_histogram() and called after the sum, with the word
 * "distribution".
 */
bool prfdata_metric_has_histogram(const prfdata_model_object *object,
                                  const prfdata_model_counter *counter);

/*
 * Find the next counter of values up to a bound.
 *
 * sum       A counter that prfdata_metric_has_histogram() is true of.
 * factor    Of the histogram's metric.
 * position  0 at first; moves past the counter that was found.
 * bound     Set: the greatest value that it counts, in the metric's unit, or
 *           PRFDATA_METRIC_NO_BOUND.
 *
 * Returns NULL if there is none. They come in the order of the map.
 */
const prfdata_model_counter *prfdata_metric_histogram_next(const prfdata_model_object *object,
                                                           const prfdata_model_counter *sum,
                                                           double factor, uint32_t *position,
                                                           double *bound);

/* ---- Help and ends of names ---- */

/*
 * Write the help of a metric, in UTF-8: the counter's from the map; of what counts without "per
 * second", which is what Windows makes of it; and what the values were multiplied by.
 *
 * text  Gets at most `capacity` bytes with the NUL, cut at a character.
 * Returns the length in bytes of the whole text, without the NUL.
 */
size_t prfdata_metric_help(const prfdata_model_counter *counter, const prfdata_metric *metric,
                           char *text, size_t capacity);

/* What the name of a metric's sample ends with: "_total" of a counter, else "". */
const char *prfdata_metric_sample_end(prfdata_metric_kind kind);

/* ---- Pieces, for what has no map ---- */

/* What the help of a metric says that is_overall. */
const char *prfdata_metric_overall_note(const prfdata_metric_part *part);

/*
 * Take "per second" and the like out of a help text of something that counts. Works in place, on
 * UTF-16. Returns the new length.
 */
size_t prfdata_metric_help_without_rate(uint16_t *chars, size_t count);

/* Whether Windows shows as a rate what such a metric counts. */
bool prfdata_metric_counts_rate(prfdata_metric_kind kind);

enum { PRFDATA_METRIC_NOTE_BYTES = 96 };

/*
 * Write what the values were multiplied by, as "Values times 0.001." Writes "" for the factor 1.
 *
 * text  Gets at most PRFDATA_METRIC_NOTE_BYTES.
 */
void prfdata_metric_factor_note(double factor, char *text);

/* ---- What the map's check asks ---- */

/* Whether a text may be the name in PRFDATA_MAP_METRIC. */
bool prfdata_metric_is_name(const wchar_t *name);

/* Whether a text may be the unit in PRFDATA_MAP_METRIC after a counter of this type. */
bool prfdata_metric_is_unit(const wchar_t *unit, uint32_t type);

/*
 * The units that PRFDATA_MAP_METRIC takes: `index` from 0; NULL after the last one.
 *
 * base, factor  Set, if not NULL: the metric's unit, and what values are multiplied by.
 */
const char *prfdata_metric_unit_at(size_t index, const char **base, double *factor);

/*
 * Find counters whose metrics have the name of an earlier one's.
 *
 * clashes  Gets, for each of tree->counters, the position of the earlier one there, or
 * PRFDATA_NONE. What other rules refuse is not looked at.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_metric_find_clashes(const prfdata_map_tree *tree, uint32_t *clashes);

#endif
