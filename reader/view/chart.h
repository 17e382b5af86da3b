/* SPDX-License-Identifier: MIT */
/*
 * Lines over time: which counters are drawn, their values of the last hour, and what part of it is
 * looked at. All series share their times. chart_layout.h has pixels. One thread at a time.
 */
#ifndef PRFDATA_READER_CHART_H
#define PRFDATA_READER_CHART_H

#include "block/sample.h"
#include "view/number.h"
#include "view/scale.h"

#define PRFDATA_CHART_SERIES        64    /* more lines are not told apart by eye */
#define PRFDATA_CHART_SAMPLES       18000 /* an hour at five samples a second */
#define PRFDATA_CHART_LEAST_SPAN_MS INT64_C(10000)
#define PRFDATA_CHART_MOST_SPAN_MS  INT64_C(3600000)
#define PRFDATA_CHART_LIVE_SPAN_MS  INT64_C(120000) /* to which one fits that grows */

/* A counter of an instance, in any sample. */
typedef struct prfdata_chart_key {
    uint32_t object_title;
    uint32_t counter_title;
    prfdata_text label; /* of the instance; empty: the object has none */
} prfdata_chart_key;

typedef struct prfdata_chart_series {
    uint32_t id;           /* no other series of the chart has or had it */
    prfdata_chart_key key; /* its label is owned */
    prfdata_text path;     /* \Object(Label)\Counter; owned */
    prfdata_unit unit;
    uint32_t type;       /* CounterType of the newest value */
    uint32_t stack;      /* series of different stacks never share a pane */
    uint32_t home;       /* the stack that it was added to, and goes back to */
    uint32_t colour;     /* below PRFDATA_CHART_SERIES; none of its home has it at first */
    uint32_t pattern;    /* the viewer's, of the path that has brought it; 0: none */
    bool has_own_colour; /* the user's */
    bool is_hidden;
    bool is_wide;    /* drawn with a thick line */
    bool is_log;     /* its pane has a logarithmic scale */
    uint32_t status; /* of the newest value: PRFDATA_STATUS_OK, or why there is none */
    double *values;  /* one for each time; NaN: none; infinite: it was not asked for; infinite and
                        below 0: the file does not say for what it was asked; owned */
} prfdata_chart_series;

/* Of the values in the part that is looked at. */
typedef struct prfdata_chart_statistics {
    double last;    /* at the newest moment; NaN: there is none then, whatever was before */
    int64_t age_ms; /* of `last` then: others were asked for since */
    uint32_t count;
    double least; /* from here on NaN if `count` is 0 */
    double most;
    double mean;
    double positive; /* the least above 0; NaN: there is none */
} prfdata_chart_statistics;

/* What a time of the chart is. */
typedef enum prfdata_chart_gap {
    PRFDATA_CHART_SAMPLE,    /* of a sample */
    PRFDATA_CHART_ALL_BREAK, /* between two samples: all lines break, also those that are added
                                later */
    PRFDATA_CHART_SOME_BREAK /* the same, but only lines for which prfdata_chart_miss() says so */
} prfdata_chart_gap;

typedef struct prfdata_chart {
    prfdata_chart_series *series[PRFDATA_CHART_SERIES];
    uint32_t series_count;
    uint32_t ids;      /* that were given so far */
    int64_t *times_ms; /* ascending; since 1601, UTC */
    uint8_t *gaps;     /* prfdata_chart_gap of each */
    uint32_t count;
    uint32_t capacity;
    int64_t span_ms; /* of the part that is looked at */
    int64_t fit_ms;  /* it is that of all samples, up to this, until the user zooms; 0: it is not */
    int64_t end_ms;  /* its end, unless it follows */
    bool follows;    /* it ends with the newest sample */
    bool hides_bands; /* of percentiles: view/bands.h */
    bool is_capped;   /* percentages above 100 become 100, from the next fill on */
} prfdata_chart;

/* Begin with nothing: two minutes, following. */
void prfdata_chart_init(prfdata_chart *chart);

/* Release everything; the chart is as after prfdata_chart_init(). */
void prfdata_chart_free(prfdata_chart *chart);

/* ---- Series ---- */

/* The position of a series, or PRFDATA_CHART_SERIES. */
uint32_t prfdata_chart_find(const prfdata_chart *chart, const prfdata_chart_key *key);

/*
 * Add a series without values; prfdata_chart_fill() gives it those of samples that are over.
 *
 * key, path  Copied.
 * added      The position; also of the series if it is there already.
 *
 * Returns ERROR_SUCCESS, ERROR_ALREADY_EXISTS, ERROR_MORE_DATA (there are too many) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_chart_add(prfdata_chart *chart, const prfdata_chart_key *key, prfdata_text path,
                           prfdata_unit unit, uint32_t stack, uint32_t *added);

void prfdata_chart_remove(prfdata_chart *chart, uint32_t position);

/* ---- Values ---- */

/*
 * Add the time of a sample. A series that is not given its value by prfdata_chart_fill() was not
 * asked for then: its line goes on with the next one.
 *
 * time_ms  One that is not after the newest is moved to the ms after it.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY: nothing was added.
 */
uint32_t prfdata_chart_add_time(prfdata_chart *chart, int64_t time_ms);

/* Add a time without values: all lines break here, also those that are added later.
 * Returns what prfdata_chart_add_time() returns. */
uint32_t prfdata_chart_add_gap(prfdata_chart *chart, int64_t time_ms);

/* Add a time between samples at which some lines break: prfdata_chart_miss() says which.
 * Returns what prfdata_chart_add_time() returns. */
uint32_t prfdata_chart_add_break(prfdata_chart *chart, int64_t time_ms);

/*
 * Say that a series has no value at a time, if the chart has that time.
 *
 * is_supposed  false: it was asked for in vain, and its line breaks. true: it was perhaps not asked
 *              for, and its line goes on, dotted.
 */
void prfdata_chart_miss(prfdata_chart *chart, uint32_t position, int64_t time_ms, bool is_supposed);

/*
 * Whether two samples of an object are so far apart that nobody wanted it in between: so many other
 * samples after the first, and so much time. A slow provider answers earlier, or is left out.
 */
bool prfdata_chart_is_apart(size_t others, int64_t ms);

/*
 * Give a series its value in a sample, or NaN, if there is a time of that sample.
 *
 * older  The sample before; NULL: there is none, and rates have no value.
 */
void prfdata_chart_fill(prfdata_chart *chart, uint32_t position, int64_t time_ms,
                        const prfdata_sample *older, const prfdata_sample *newer);

/* Forget all times and values. The series stay. */
void prfdata_chart_clear(prfdata_chart *chart);

/* Where a counter of an instance is in a sample, and what it has there. */
typedef struct prfdata_chart_place {
    uint32_t status;                     /* PRFDATA_STATUS_OK: all of this is known */
    const prfdata_sample_object *object; /* NULL: there is none */
    const prfdata_decode_counter *counter;
    const prfdata_sample_instance *instance;
    prfdata_compute_raw raw;
} prfdata_chart_place;

/* Find a key in a sample; NULL: in none. */
prfdata_chart_place prfdata_chart_find_in(const prfdata_chart_key *key,
                                          const prfdata_sample *sample);

/* Compute the value of a key, not capped; returns its status, and NaN unless that is
 * PRFDATA_STATUS_OK. */
uint32_t prfdata_chart_value(const prfdata_chart_key *key, const prfdata_sample *older,
                             const prfdata_sample *newer, double *number);

/* ---- The part that is looked at ---- */

int64_t prfdata_chart_begin_ms(const prfdata_chart *chart);
int64_t prfdata_chart_end_ms(const prfdata_chart *chart);

/* The positions of the samples in it: from *first on, returns how many. */
uint32_t prfdata_chart_range(const prfdata_chart *chart, uint32_t *first);

/*
 * Look at a longer or shorter time.
 * factor  Above 1: longer.
 * at_ms   The time that keeps its place.
 */
void prfdata_chart_zoom(prfdata_chart *chart, double factor, int64_t at_ms);

/* Look at what was before (below 0) or after; at the newest sample the chart follows again. */
void prfdata_chart_scroll(prfdata_chart *chart, int64_t by_ms);

/* Look at the newest sample from now on. */
void prfdata_chart_follow(prfdata_chart *chart);

prfdata_chart_statistics prfdata_chart_statistics_of(const prfdata_chart *chart, uint32_t position);

/* The value at one of the times; if it was not asked for then, the last one before. NaN: none. */
double prfdata_chart_value_at(const prfdata_chart *chart, uint32_t position, uint32_t at);

/* The position of a sample's time, which is another one when older ones were dropped; UINT32_MAX:
 * there is no such time, or no longer. */
uint32_t prfdata_chart_at(const prfdata_chart *chart, int64_t time_ms);

/* The sample nearest to a time in the part that is looked at; UINT32_MAX: there is none. */
uint32_t prfdata_chart_nearest(const prfdata_chart *chart, int64_t time_ms);

#endif
