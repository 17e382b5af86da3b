/* SPDX-License-Identifier: MIT */
/*
 * Writes samples as text for Prometheus: OpenMetrics 1.0, or Prometheus's own format 0.0.4.
 *
 *     prfdata_open_metrics_make(&options, &metrics);
 *     for (each sample)
 *         prfdata_open_metrics_put(metrics, sample, &titles, NULL, dialect, &output);
 *     prfdata_open_metrics_free(metrics);
 *
 * One metric family per counter, in the order of the sample; metric_name.h makes its name.
 *
 *     gauge    raw values that do not accumulate; fractions as a ratio from 0 to 1; ELAPSED_TIME as
 *              the Unix time at which it started, left out if nothing has started; components of
 *              multi timers
 *     counter  what rates, differences, timers and queue lengths count up: times in seconds; of an
 *              inverse timer, the idle time; of a sampled fraction, hits and samples separately
 *     summary  averages, as their sum and count
 *
 * Counters that are not numbers and damaged values are left out. So are instances called _Total,
 * which a sum over instances would count twice, unless a path names one without a wildcard. Labels
 * are `name`, with #1, #2, ... after the name of further instances of the same name, and `parent`.
 * A control character or half a surrogate pair in a name becomes \u and its four hexadecimal
 * digits.
 *
 * Counts do not go backwards when 32 bits wrap (series.h). When a counter has started again, its
 * _created (in OpenMetrics only) is the earliest time since which it may have counted.
 *
 * Names, kinds and units of our services' counters are those of their maps (metric/metric.h),
 * others are made of titles (metric_name.h); metric_families.h says what happens where two are the
 * same. A counter keeps its name as long as this object lives. What counts in an object with
 * PRFDATA_MAP_TOTAL has a family of its own for `_Total`, without labels.
 *
 * Metrics about the reader itself: prfread_build_info, prfread_scrape_duration_seconds,
 * prfread_object_up{object}, prfread_paths_not_found, prfread_providers_left_out,
 * prfread_damaged_parts, prfread_values_left_out, prfread_series_untracked and
 * prfread_title_changes. With options->reader each has the label `reader`.
 */
#ifndef PRFDATA_READER_OPEN_METRICS_H
#define PRFDATA_READER_OPEN_METRICS_H

#include "paths/columns.h"
#include "prometheus/metric_head.h"
#include "prometheus/overrides.h"
#include "text/output.h"

typedef struct prfdata_open_metrics_options {
    const prfdata_resolver_path *paths; /* what to show; borrowed */
    size_t path_count;                  /* 0, and no bad ones: everything */
    const prfdata_resolver_path *asked; /* what prfread_object_up is about: the paths, objects by
                                           default, and what no title names; borrowed */
    size_t asked_count;
    size_t bad_path_count;              /* more paths, which cannot find anything */
    uint32_t title_changes;             /* since the program started */
    const char *version;                /* of the program, for prfread_build_info; NULL: none */
    prfdata_text reader;                /* the label of that name of all metrics about the reader,
                                           which tells them from another one's; empty: none */
    bool fraction_parts;                /* also numerator and denominator of fractions */
    const prfdata_overrides *overrides; /* names that the user wants; borrowed; NULL: none */
    uint32_t max_series;                /* counters of instances to remember; 0: 100,000 */
} prfdata_open_metrics_options;

typedef struct prfdata_open_metrics prfdata_open_metrics;

/*
 * Begin with nothing remembered.
 *
 * metrics  On success the new object; untouched on failure.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 * Threads: one at a time for one object.
 */
uint32_t prfdata_open_metrics_make(const prfdata_open_metrics_options *options,
                                   prfdata_open_metrics **metrics);

/* Release everything; NULL is allowed. */
void prfdata_open_metrics_free(prfdata_open_metrics *metrics);

/* What is known of taking a sample that the sample itself does not say. */
typedef struct prfdata_open_metrics_moment {
    const double *seconds; /* how long it took; NULL: leave that metric out */
    uint32_t left_out;     /* providers of which it has nothing: they crashed, or had no time */
} prfdata_open_metrics_moment;

/*
 * Put a sample as a whole exposition. The same sample may be put again, in either dialect. Without
 * memory output->failed is set.
 *
 * titles  The same at each call.
 * moment  NULL: nothing is known.
 */
void prfdata_open_metrics_put(prfdata_open_metrics *metrics, const prfdata_sample *sample,
                              const prfdata_titles *titles,
                              const prfdata_open_metrics_moment *moment, prfdata_dialect dialect,
                              prfdata_output *output);

/*
 * Put a line for each counter that says which metrics it becomes, or why it becomes none:
 *
 *     \Mouse Clicks(*)\Clicks [12]: counter mouse_clicks_clicks
 *     \Mouse Clicks(*)\Notes [14]: left out: PERF_COUNTER_TEXT is no number
 */
void prfdata_open_metrics_explain(prfdata_open_metrics *metrics, const prfdata_sample *sample,
                                  const prfdata_titles *titles, prfdata_output *output);

/*
 * Whether a path found something in the last sample: an instance if the sample was put, a counter
 * if it was explained.
 *
 * path_index  In options->paths.
 */
bool prfdata_open_metrics_found(const prfdata_open_metrics *metrics, size_t path_index);

/* The Content-Type of a dialect. */
const char *prfdata_open_metrics_content_type(prfdata_dialect dialect);

#endif
