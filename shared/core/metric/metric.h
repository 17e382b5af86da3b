/* SPDX-License-Identifier: MIT */
/*
 * Maps a counter to a metric (name, kind, unit, factor, help) for systems such as Prometheus and
 * OpenTelemetry.
 *
 *     PRFDATA_MAP_CTR(QUEUES_BUSY, L"% Busy", L"...", PERF_DETAIL_NOVICE, 0, PERF_100NSEC_TIMER)
 *         PRFDATA_MAP_METRIC("queue_busy", "")
 *
 *     for (part = prfdata_metric_part_of(counter); part; part = prfdata_metric_part_next(part))
 *         prfdata_metric_make(model, counter, part, false, &metric);
 *
 *     name "queue_busy_seconds", kind COUNTER, unit "seconds", factor 1: Prometheus sees
 *     queue_busy_seconds_total, the counter's ticks divided by the frequency of its clock.
 *
 * If the map declares a unit, a statistic of a distribution has this unit. Otherwise the statistic
 * has the distribution's unit, or none if it is a count. Without a declared name, the name is made
 * from the service and the counter's symbol: QUEUES_BUSY of MyService becomes
 * "myservice_queues_busy_seconds". prfdata_map_check() refuses a map in which two metrics would
 * have the same name.
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
    /* name of the family: without _total, _sum, _count, _bucket */
    char name[PRFDATA_METRIC_NAME_BYTES];
    const char *unit; /* the last word of the name, or ""; static storage */
    /*
     * the metric's value is the counter's value, with ticks converted to seconds, times this
     * factor
     */
    double factor;
    bool is_declared; /* by PRFDATA_MAP_METRIC; otherwise the name is made from symbols */
    bool is_overall;  /* the metric of `_Total` */
} prfdata_metric;

/* The first metric of a counter, or NULL; prfdata_metric_part_next() gives the others. */
const prfdata_metric_part *prfdata_metric_part_of(const prfdata_model_counter *counter);

/*
 * Make a metric of a counter.
 *
 * part     Which of the counter's metrics to make.
 * overall  true: make the metric of `_Total`. It has a name of its own, with the word "overall", so
 *          that a sum over the instances does not include `_Total`. May be true only if
 *          prfdata_metric_has_overall() returns true.
 */
void prfdata_metric_make(const prfdata_model *model, const prfdata_model_counter *counter,
                         const prfdata_metric_part *part, bool overall, prfdata_metric *metric);

/*
 * The unit of the counter's values before scaling, in the map's spelling. If PRFDATA_MAP_METRIC
 * names a unit, returns this unit. Otherwise, if the counter shows a statistic of a distribution,
 * returns the unit in which readers see the statistic. Returns "" for a count, or if the unit is
 * unknown. Static storage.
 */
const char *prfdata_metric_value_unit(const prfdata_model_counter *counter);

/*
 * Whether `_Total` of the object needs its own metric, because no query over the instances gives
 * its value. This is the case if the object has PRFDATA_MAP_TOTAL and one of these is true: the
 * part counts (`_Total` then includes ended instances); the part is a fraction (fractions cannot be
 * added); the counter shows a distribution.
 */
bool prfdata_metric_has_overall(const prfdata_model_object *object,
                                const prfdata_model_counter *counter,
                                const prfdata_metric_part *part);

#define PRFDATA_METRIC_NO_BOUND (-1.0) /* the bound of a counter that counts all values */

/*
 * Whether a counter is the sum of a histogram. Such a counter accumulates and has PRFDATA_MAP_SUM.
 * Its distribution must also have accumulating counters with PRFDATA_MAP_AT_MOST: at least one with
 * a bound, and one that counts all values. If the distribution has several sums, only the first one
 * is the sum of the histogram. prfdata_metric_part_histogram() is the part of the histogram. The
 * histogram's name is the sum's name with the word "distribution" added.
 */
bool prfdata_metric_has_histogram(const prfdata_model_object *object,
                                  const prfdata_model_counter *counter);

/*
 * Find the next counter that counts values up to a bound.
 *
 * sum       A counter for which prfdata_metric_has_histogram() returns true.
 * factor    The factor of the histogram's metric.
 * position  0 at first; moves past the counter that was found.
 * bound     Set to the greatest value that the counter counts, in the metric's unit, or to
 *           PRFDATA_METRIC_NO_BOUND.
 *
 * Returns NULL if there is none. The order is that of the map.
 */
const prfdata_model_counter *prfdata_metric_histogram_next(const prfdata_model_object *object,
                                                           const prfdata_model_counter *sum,
                                                           double factor, uint32_t *position,
                                                           double *bound);

/*
 * Find the sum of the histogram whose samples contain the values of `counter`. A counter in a
 * histogram is a sum, a count up to a bound, or a mean of all recorded values, and needs no metric
 * of its own. Returns NULL if there is no such histogram, or if the counter declares another unit.
 */
const prfdata_model_counter *prfdata_metric_histogram_sum(const prfdata_model_object *object,
                                                          const prfdata_model_counter *counter);

/*
 * The bound of a counter with PRFDATA_MAP_AT_MOST that is in a histogram. `factor` and the result
 * are the `factor` and the `bound` of prfdata_metric_histogram_next().
 */
double prfdata_metric_histogram_bound(const prfdata_model_object *object,
                                      const prfdata_model_counter *counter, double factor);

enum { PRFDATA_METRIC_BOUND_BYTES = 40 };

/*
 * Write a bound in the form that the label `le` requires: "1.0", "0.001", "1e-05", "1.048576e+06"
 * (OpenMetrics 1.0, "Canonical numbers"); "+Inf" if the bound is below 0.
 */
void prfdata_metric_write_bound(double bound, char text[PRFDATA_METRIC_BOUND_BYTES]);

/*
 * Write the help of a metric, in UTF-8: the counter's help from the map, a sentence about `_Total`
 * if `is_overall` is set, and the factor of the values. If the metric counts, "per second" is
 * removed from the help, because only Windows shows a rate.
 *
 * text  Gets at most `capacity` bytes with the NUL, cut at a character.
 * Returns the length in bytes of the whole text, without the NUL.
 */
size_t prfdata_metric_help(const prfdata_model_counter *counter, const prfdata_metric *metric,
                           char *text, size_t capacity);

/* The end of the name of a metric's sample: "_total" for a counter, otherwise "". */
const char *prfdata_metric_sample_end(prfdata_metric_kind kind);

/* The sentence about `_Total` in the help of a metric with `is_overall`. */
const char *prfdata_metric_overall_note(const prfdata_metric_part *part);

/*
 * Remove "per second" and similar words from the help text of a counter that counts. Works in
 * place, on UTF-16. Returns the new length.
 */
size_t prfdata_metric_help_without_rate(uint16_t *chars, size_t count);

/* Whether Windows shows the counts of a metric of this kind as a rate. */
bool prfdata_metric_counts_rate(prfdata_metric_kind kind);

enum { PRFDATA_METRIC_NOTE_BYTES = 96 };

/*
 * Write a sentence about the factor, such as "Values times 0.001." For the factor 1, write "".
 *
 * text  Gets at most PRFDATA_METRIC_NOTE_BYTES, with the NUL.
 */
void prfdata_metric_factor_note(double factor, char *text);

/* Whether a text is a valid name for PRFDATA_MAP_METRIC. */
bool prfdata_metric_is_name(const wchar_t *name);

/* Whether a text is a valid unit for PRFDATA_MAP_METRIC after a counter of this type. */
bool prfdata_metric_is_unit(const wchar_t *unit, uint32_t type);

/*
 * The units that PRFDATA_MAP_METRIC accepts: `index` from 0; NULL after the last one.
 *
 * base, factor  Set if not NULL: the metric's unit, and the factor of the values.
 */
const char *prfdata_metric_unit_at(size_t index, const char **base, double *factor);

/*
 * Find counters whose metrics have the name of an earlier counter's metric.
 * clashes  Gets one element for each counter in tree->counters: the position of the earlier counter
 *          in tree->counters, or PRFDATA_NONE. Skips counters that other rules refuse.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_metric_find_clashes(const prfdata_map_tree *tree, uint32_t *clashes);

#endif
