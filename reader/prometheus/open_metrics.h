/* SPDX-License-Identifier: MIT */
/*
 * Writes samples as text for Prometheus: OpenMetrics 1.0, or Prometheus's own format 0.0.4.
 *
 *     prfdata_open_metrics_make(&options, &metrics);
 *     for (each sample)
 *         prfdata_open_metrics_put(metrics, sample, &titles, NULL, dialect, &output);
 *     prfdata_open_metrics_free(metrics);
 *
 * Each counter becomes one or more metric families, in the order of the sample.
 *
 *     gauge    raw values that do not accumulate; fractions, as a ratio from 0 to 1; ELAPSED_TIME,
 *              as the Unix time of the start, left out if nothing has started; components of
 *              multi timers
 *     counter  the growing values behind rates, differences, timers and queue lengths (times are in
 *              seconds); raw values that accumulate; for an inverse timer, the idle time; for a
 *              sampled fraction, hits and samples separately
 *     summary  averages, as their sum and count
 *     histogram  distributions, if a map declares their counters
 *
 * Damaged values, and counters that are not numbers, are left out. Totals, such as the instance
 * _Total, are also left out, because a sum over instances would count their values twice. A total
 * is shown if a path names it without a wildcard. The `_Total` of an object with PRFDATA_MAP_TOTAL
 * is shown in any case, as a separate family without labels.
 *
 * Labels are `name` and `parent`. Three instances with the name x have the `name` x, x#1 and x#2.
 * In labels, unpaired surrogates and control characters, except line feeds, become \u and four
 * hexadecimal digits.
 *
 * Counts do not decrease when 32 bits wrap (series.h). If a counter has started again, its _created
 * (only in OpenMetrics) is the earliest time at which it may have started.
 *
 * Names and units of counters of PrfData's services come from their maps (metric/metric.h). Those
 * of other counters come from titles (metric_name.h). If several counters have the same name, only
 * one keeps it (metric_families.h). Names stay the same as long as the prfdata_open_metrics exists.
 * But if there are very many names, the names of counters that the previous sample lacked are
 * forgotten.
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
    const prfdata_resolver_path *paths; /* paths to show; borrowed */
    size_t path_count;                  /* if this and bad_path_count are 0, everything is shown */
    /* Paths whose objects prfread_object_up lists; borrowed. These are `paths`, or the paths of the
     * default objects if the user gave none. Paths whose object has no title are included. */
    const prfdata_resolver_path *asked;
    size_t asked_count;
    size_t bad_path_count;  /* number of paths that can find nothing; not in `paths` */
    uint32_t title_changes; /* how often titles have changed since the program started */
    const char *version;    /* program version for prfread_build_info; NULL: none */
    /* Value of the label `reader`, by which metrics about this reader differ from those about other
     * readers; empty: none. */
    prfdata_text reader;
    bool with_parts;                    /* also show the parts of fractions and histograms */
    const prfdata_overrides *overrides; /* the user's names; borrowed; NULL: none */
    uint32_t max_series;                /* most counters of instances to remember; 0: 100,000 */
} prfdata_open_metrics_options;

typedef struct prfdata_open_metrics prfdata_open_metrics;

/*
 * Begin without any history.
 *
 * metrics  On success the new object; untouched on failure.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. Threads: one at a time for one object.
 */
uint32_t prfdata_open_metrics_make(const prfdata_open_metrics_options *options,
                                   prfdata_open_metrics **metrics);

/* Release everything; NULL is allowed. */
void prfdata_open_metrics_free(prfdata_open_metrics *metrics);

/* Facts about taking a sample that the sample itself does not contain. */
typedef struct prfdata_open_metrics_moment {
    /* How long taking the sample took; NULL: leave out the metric of this duration. */
    const double *seconds;
    /* Number of providers that returned nothing, because they crashed or were too slow. */
    uint32_t left_out;
} prfdata_open_metrics_moment;

/*
 * Put a sample as a whole exposition. The same sample may be put again, in either dialect. Without
 * memory output->failed is set.
 *
 * titles  The same titles at each call.
 * moment  NULL: not known.
 */
void prfdata_open_metrics_put(prfdata_open_metrics *metrics, const prfdata_sample *sample,
                              const prfdata_titles *titles,
                              const prfdata_open_metrics_moment *moment, prfdata_dialect dialect,
                              prfdata_output *output);

/*
 * For each counter with a title, except bases, put a line that says which metrics the counter
 * becomes, or why it becomes none:
 *
 *     \Mouse Clicks(*)\Clicks [12]: counter mouse_clicks_clicks
 *     \Mouse Clicks(*)\Notes [14]: left out: PERF_COUNTER_TEXT is not a number
 */
void prfdata_open_metrics_explain(prfdata_open_metrics *metrics, const prfdata_sample *sample,
                                  const prfdata_titles *titles, prfdata_output *output);

/*
 * Returns whether a path found something in the last sample: an instance if the sample was put, a
 * counter if it was explained.
 *
 * path_index  Position of the path in options->paths.
 */
bool prfdata_open_metrics_found(const prfdata_open_metrics *metrics, size_t path_index);

const char *prfdata_open_metrics_content_type(prfdata_dialect dialect);

#endif
