/* SPDX-License-Identifier: MIT */
/*
 * Holds lines over time: which counters are drawn, their values, and which part of the time is
 * visible. All series share their times. chart_layout.h computes pixels. Use it from one thread at
 * a time.
 */
#ifndef PRFDATA_READER_CHART_H
#define PRFDATA_READER_CHART_H

#include "block/sample.h"
#include "view/number.h"
#include "view/scale.h"
#include "view/threshold.h"

#define PRFDATA_CHART_SERIES  64    /* more lines cannot be distinguished by eye */
#define PRFDATA_CHART_SAMPLES 18000 /* an hour at five samples a second */
/* Limit for the samples of a recording: eleven days at one sample a second. */
#define PRFDATA_CHART_FILE_SAMPLES  1000000
#define PRFDATA_CHART_LEAST_SPAN_MS INT64_C(10000)
/* The longest visible span, unless the samples cover more time than this. */
#define PRFDATA_CHART_HOUR_MS INT64_C(3600000)
/* 24 days; the longest span of any chart. */
#define PRFDATA_CHART_MOST_SPAN_MS INT64_C(2073600000)
/* The largest fit_ms with which the visible span grows in steps, as in a chart of live data. */
#define PRFDATA_CHART_LIVE_SPAN_MS INT64_C(120000)

/* Identifies a counter of an instance in any sample. */
typedef struct prfdata_chart_key {
    uint32_t object_title;
    uint32_t counter_title;
    prfdata_text label; /* label of the instance; empty: the object has none */
} prfdata_chart_key;

typedef struct prfdata_chart_series {
    uint32_t id;           /* unique among all series of the chart, past ones included */
    prfdata_chart_key key; /* its label is owned */
    prfdata_text path;     /* \Object(Label)\Counter; owned */
    prfdata_unit unit;
    uint32_t type;               /* CounterType in the last filled sample that had the counter */
    uint32_t stack;              /* series of different stacks never share a pane */
    uint32_t home;               /* the stack to which the series was added; the user can move it
                                    to another stack and back */
    uint32_t colour;             /* number of its colour, below PRFDATA_CHART_SERIES */
    uint32_t pattern;            /* id of the viewer's pattern that added it; 0: none */
    prfdata_condition threshold; /* threshold of its counter; {0}: none */
    bool has_own_colour;
    bool is_hidden;
    bool is_wide;    /* drawn with a thick line */
    bool is_log;     /* its pane has a logarithmic scale */
    uint32_t status; /* of the last prfdata_chart_fill(): PRFDATA_STATUS_OK, or why there is no
                        value */
    /*
     * One for each time; owned. NaN: no value; infinity: the series was not asked for; minus
     * infinity: the file does not say whether the series was asked for.
     */
    double *values;
} prfdata_chart_series;

typedef struct prfdata_chart_statistics {
    /*
     * The value at the end of the visible part; NaN: there is none, even if there were values
     * before.
     */
    double last;
    /*
     * Age of `last` at the end of the visible part; not 0 if later samples were of other objects.
     */
    int64_t age_ms;
    uint32_t count;
    double least; /* this and the following fields are NaN if `count` is 0 */
    double most;
    double mean;     /* also NaN for hexadecimal numbers, whose mean has no meaning */
    double positive; /* smallest value above 0; NaN: there is none */
} prfdata_chart_statistics;

typedef enum prfdata_chart_gap {
    PRFDATA_CHART_SAMPLE,    /* the time of a sample */
    PRFDATA_CHART_ALL_BREAK, /* between two samples: all lines break, even those that are added
                                later */
    PRFDATA_CHART_SOME_BREAK /* between two samples: only lines that prfdata_chart_miss() names
                                break */
} prfdata_chart_gap;

typedef struct prfdata_chart {
    prfdata_chart_series *series[PRFDATA_CHART_SERIES];
    uint32_t series_count;
    uint32_t ids;      /* number of ids given so far */
    int64_t *times_ms; /* milliseconds since 1601, UTC; ascending */
    uint8_t *gaps;     /* prfdata_chart_gap of each time */
    uint32_t count;
    uint32_t capacity;
    uint32_t most_samples; /* if there are more samples, the oldest are dropped */
    int64_t span_ms;       /* length of the visible part */
    int64_t fit_ms;   /* the visible part grows with the samples up to this length, until the user
                         zooms; 0: it does not grow */
    int64_t end_ms;   /* end of the visible part, unless `follows` */
    bool follows;     /* the visible part ends with the newest sample */
    bool hides_bands; /* hides the bands of percentiles: view/bands.h */
    bool is_capped;   /* from the next fill on, percentages above 100 become 100 */
} prfdata_chart;

/* Begin without series. The visible part is two minutes long and follows the newest sample. */
void prfdata_chart_init(prfdata_chart *chart);

/* Release everything, and set the chart as prfdata_chart_init() does. */
void prfdata_chart_free(prfdata_chart *chart);

/* ---- Series ---- */

/* Return the position of a series; PRFDATA_CHART_SERIES: not found. */
uint32_t prfdata_chart_find(const prfdata_chart *chart, const prfdata_chart_key *key);

/*
 * Add a series without values; prfdata_chart_fill() can add values of earlier samples.
 *
 * key, path  Copied.
 * added      Set to the position of the series, even if it already existed.
 *
 * Returns ERROR_SUCCESS, ERROR_ALREADY_EXISTS, ERROR_MORE_DATA (there are too many) or
 * ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_chart_add(prfdata_chart *chart, const prfdata_chart_key *key, prfdata_text path,
                           prfdata_unit unit, uint32_t stack, uint32_t *added);

void prfdata_chart_remove(prfdata_chart *chart, uint32_t position);

/* ---- Values ---- */

/*
 * Add the time of a sample. If neither prfdata_chart_fill() nor prfdata_chart_miss() is then called
 * for a series, the series was not asked for at that time, and its line continues with its next
 * value.
 *
 * time_ms  A time that is not after the newest one is changed to one ms after it.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY: nothing was added.
 */
uint32_t prfdata_chart_add_time(prfdata_chart *chart, int64_t time_ms);

/*
 * Add a time without values at which all lines break, even those that are added later.
 * Returns what prfdata_chart_add_time() returns.
 */
uint32_t prfdata_chart_add_gap(prfdata_chart *chart, int64_t time_ms);

/*
 * Add a time between samples. A line breaks there only if prfdata_chart_miss() is then called for
 * it.
 * Returns what prfdata_chart_add_time() returns.
 */
uint32_t prfdata_chart_add_break(prfdata_chart *chart, int64_t time_ms);

/*
 * Note that a series has no value at a time, if the chart has that time.
 *
 * is_supposed  false: the object was asked for and did not answer, so the line breaks. true: the
 *              object may not have been asked for, so the line continues, dotted.
 */
void prfdata_chart_miss(prfdata_chart *chart, uint32_t position, int64_t time_ms, bool is_supposed);

/*
 * Returns whether two samples of an object are so far apart that the object was not wanted in
 * between. This is so if many samples of other objects (`others`) came after the first one, and
 * much time (`ms`) has passed.
 */
bool prfdata_chart_is_apart(size_t others, int64_t ms);

/*
 * If the chart has the time of a sample, set the series' value there: its value in `newer`, or NaN
 * if it has none. Otherwise do nothing.
 *
 * older  The sample before; NULL: there is none, so rates have no value.
 */
void prfdata_chart_fill(prfdata_chart *chart, uint32_t position, int64_t time_ms,
                        const prfdata_sample *older, const prfdata_sample *newer);

/* Forget all times and values, but keep the series. The visible part follows the newest sample. */
void prfdata_chart_clear(prfdata_chart *chart);

typedef struct prfdata_chart_place {
    uint32_t status;                     /* PRFDATA_STATUS_OK: all other fields are set */
    const prfdata_sample_object *object; /* NULL: not found */
    const prfdata_decode_counter *counter;
    const prfdata_sample_instance *instance;
    prfdata_compute_raw raw;
} prfdata_chart_place;

/* Find a key in a sample. `sample` may be NULL, and then nothing is found. */
prfdata_chart_place prfdata_chart_find_in(const prfdata_chart_key *key,
                                          const prfdata_sample *sample);

/* Compute the value of a key, not capped. Returns the status; the number is NaN unless the status
 * is PRFDATA_STATUS_OK. */
uint32_t prfdata_chart_value(const prfdata_chart_key *key, const prfdata_sample *older,
                             const prfdata_sample *newer, double *number);

/* ---- The visible part ---- */

int64_t prfdata_chart_begin_ms(const prfdata_chart *chart);
int64_t prfdata_chart_end_ms(const prfdata_chart *chart);

/*
 * Find the samples of the visible part. Sets *first to the position of the first one, and returns
 * their number.
 */
uint32_t prfdata_chart_range(const prfdata_chart *chart, uint32_t *first);

/*
 * Make the visible part longer or shorter. It is at least 10 seconds long, and at most an hour. If
 * the samples cover more than an hour, it is at most as long as all samples, up to 24 days.
 * factor  Above 1: longer.
 * at_ms   The time that keeps its place on the screen, unless the part would leave the samples.
 */
void prfdata_chart_zoom(prfdata_chart *chart, double factor, int64_t at_ms);

/* Move the visible part to the past (below 0) or to the future (above 0). If the part reaches the
 * newest sample, the chart follows new samples again. */
void prfdata_chart_scroll(prfdata_chart *chart, int64_t by_ms);

/*
 * Show a part of the samples. A part that is too short or too long, or lies outside the samples, is
 * changed. If the part ends with the newest sample, the chart follows new samples.
 */
void prfdata_chart_show(prfdata_chart *chart, int64_t begin_ms, int64_t end_ms);

/* Show all samples, or the newest 24 days. */
void prfdata_chart_show_all(prfdata_chart *chart);

/* Show the newest sample from now on. */
void prfdata_chart_follow(prfdata_chart *chart);

prfdata_chart_statistics prfdata_chart_statistics_of(const prfdata_chart *chart, uint32_t position);

/*
 * Return the value at one of the times. If the series was not asked for at that time, return its
 * last value before, unless prfdata_chart_is_apart() says that this is too long ago. NaN: there is
 * none.
 */
double prfdata_chart_value_at(const prfdata_chart *chart, uint32_t position, uint32_t at);

/*
 * Return the position of a sample's time. Positions change when old times are dropped. UINT32_MAX:
 * the chart has no such time, or no longer has it.
 */
uint32_t prfdata_chart_at(const prfdata_chart *chart, int64_t time_ms);

/* Return the position in the visible part that is nearest to a time; UINT32_MAX: there is none. */
uint32_t prfdata_chart_nearest(const prfdata_chart *chart, int64_t time_ms);

#endif
