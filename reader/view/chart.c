/* SPDX-License-Identifier: MIT */
/*
 * Keeps series and their values, one for each time. In each sample it finds a series' counter by
 * titles and label, because instances come and go. chart_layout.c computes where lines are drawn.
 */
#include "view/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#define FIRST_SPAN_MS 120000
#define DECIMAL_TYPE  0x00010000u /* PERF_NUMBER_DECIMAL, until a sample tells the type */
/* Number of samples to drop at once, because each removal moves all others. */
#define DROPPED       (PRFDATA_CHART_SAMPLES / 8)
#define MOST_OTHERS   16
#define MOST_APART_MS 15000

void prfdata_chart_init(prfdata_chart *chart)
{
    memset(chart, 0, sizeof *chart);
    chart->span_ms = FIRST_SPAN_MS;
    chart->most_samples = PRFDATA_CHART_SAMPLES;
    chart->follows = true;
}

static void free_series(prfdata_chart_series *series)
{
    if (!series)
        return;
    free((void *)(uintptr_t)series->key.label.chars);
    free((void *)(uintptr_t)series->path.chars);
    free(series->values);
    free(series);
}

void prfdata_chart_free(prfdata_chart *chart)
{
    for (uint32_t i = 0; i < chart->series_count; i++)
        free_series(chart->series[i]);
    free(chart->times_ms);
    free(chart->gaps);
    prfdata_chart_init(chart);
}

/* ---- Series ---- */

uint32_t prfdata_chart_find(const prfdata_chart *chart, const prfdata_chart_key *key)
{
    for (uint32_t i = 0; i < chart->series_count; i++) {
        const prfdata_chart_key *other = &chart->series[i]->key;

        if (other->object_title == key->object_title &&
            other->counter_title == key->counter_title &&
            prfdata_text_equal(other->label, key->label))
            return i;
    }
    return PRFDATA_CHART_SERIES;
}

static bool are_of_one_instance(const prfdata_chart_series *a, const prfdata_chart_series *b)
{
    return a->key.object_title == b->key.object_title &&
           prfdata_text_equal(a->key.label, b->key.label);
}

/*
 * Returns whether the colour is used by another instance, or by a line of the same instance that
 * was added to the same pane as `series`.
 */
static bool is_colour_used(const prfdata_chart *chart, const prfdata_chart_series *series,
                           uint32_t colour)
{
    for (uint32_t i = 0; i < chart->series_count; i++) {
        const prfdata_chart_series *other = chart->series[i];

        if (other->colour == colour &&
            (!are_of_one_instance(other, series) ||
             (other->unit == series->unit && other->home == series->home)))
            return true;
    }
    return false;
}

/*
 * Choose a colour that no other instance has: a colour of a line of the same instance in another
 * pane, otherwise the lowest free colour.
 */
static uint32_t free_colour(const prfdata_chart *chart, const prfdata_chart_series *series)
{
    uint32_t colour = 0;

    for (uint32_t i = 0; i < chart->series_count; i++) {
        const prfdata_chart_series *other = chart->series[i];

        if (are_of_one_instance(other, series) && !is_colour_used(chart, series, other->colour))
            return other->colour;
    }
    while (is_colour_used(chart, series, colour))
        colour++;
    return colour;
}

static double value_before_filling(uint8_t gap)
{
    return gap == PRFDATA_CHART_ALL_BREAK ? (double)NAN : (double)INFINITY;
}

static prfdata_chart_series *make_series(const prfdata_chart *chart, const prfdata_chart_key *key,
                                         prfdata_text path)
{
    prfdata_chart_series *series = calloc(1, sizeof *series);

    if (!series)
        return NULL;
    series->key = *key;
    series->key.label = (prfdata_text){0};
    series->values = malloc((chart->capacity + 1) * sizeof *series->values);
    if (!series->values || !prfdata_text_copy(key->label, &series->key.label) ||
        !prfdata_text_copy(path, &series->path)) {
        free_series(series);
        return NULL;
    }
    for (uint32_t i = 0; i < chart->count; i++)
        series->values[i] = value_before_filling(chart->gaps[i]);
    return series;
}

uint32_t prfdata_chart_add(prfdata_chart *chart, const prfdata_chart_key *key, prfdata_text path,
                           prfdata_unit unit, uint32_t stack, uint32_t *added)
{
    prfdata_chart_series *series;

    *added = prfdata_chart_find(chart, key);
    if (*added < PRFDATA_CHART_SERIES)
        return ERROR_ALREADY_EXISTS;
    if (chart->series_count == PRFDATA_CHART_SERIES)
        return ERROR_MORE_DATA;
    series = make_series(chart, key, path);
    if (!series)
        return ERROR_NOT_ENOUGH_MEMORY;
    series->id = ++chart->ids;
    series->unit = unit;
    series->type = DECIMAL_TYPE;
    series->stack = series->home = stack;
    series->colour = free_colour(chart, series);
    *added = chart->series_count;
    chart->series[chart->series_count++] = series;
    return ERROR_SUCCESS;
}

void prfdata_chart_remove(prfdata_chart *chart, uint32_t position)
{
    free_series(chart->series[position]);
    chart->series_count--;
    memmove(&chart->series[position], &chart->series[position + 1],
            (chart->series_count - position) * sizeof chart->series[0]);
}

/* ---- Values ---- */

prfdata_chart_place prfdata_chart_find_in(const prfdata_chart_key *key,
                                          const prfdata_sample *sample)
{
    prfdata_chart_place place = {.status = PRFDATA_STATUS_NO_OBJECT};
    uint32_t position = 0;

    place.object = sample ? prfdata_sample_find_object(sample, key->object_title) : NULL;
    if (!place.object)
        return place;
    while (position < place.object->counter_count &&
           place.object->counters[position].definition.counter_name_title_index !=
               key->counter_title)
        position++;
    place.status = PRFDATA_STATUS_NO_COUNTER;
    if (position == place.object->counter_count)
        return place;
    place.counter = &place.object->counters[position];
    place.status = PRFDATA_STATUS_NO_INSTANCE;
    place.instance = prfdata_sample_find_instance(place.object, key->label);
    if (place.instance)
        place.status =
            prfdata_sample_raw(sample, place.object, place.instance, position, &place.raw);
    return place;
}

static uint32_t compute_chart_value(const prfdata_chart_key *key, const prfdata_sample *older,
                                    const prfdata_sample *newer, bool is_capped, double *number,
                                    uint32_t *type)
{
    const prfdata_chart_place before = prfdata_chart_find_in(key, older);
    const prfdata_chart_place now = prfdata_chart_find_in(key, newer);
    const bool has_older =
        before.status == PRFDATA_STATUS_OK && now.status == PRFDATA_STATUS_OK &&
        prfdata_sample_has_same_owner(before.object, before.instance, now.object, now.instance);
    prfdata_compute_value value = {0};
    uint32_t status = now.status;

    *number = (double)NAN;
    if (status == PRFDATA_STATUS_OK)
        status = prfdata_compute(has_older ? &before.raw : NULL, &now.raw, &value);
    if (status == PRFDATA_STATUS_OK && is_capped)
        prfdata_compute_cap(now.raw.type, &value);
    if (status == PRFDATA_STATUS_OK)
        *number = value.number;
    if (now.status == PRFDATA_STATUS_OK)
        *type = now.raw.type;
    return status;
}

uint32_t prfdata_chart_value(const prfdata_chart_key *key, const prfdata_sample *older,
                             const prfdata_sample *newer, double *number)
{
    uint32_t type;

    return compute_chart_value(key, older, newer, false, number, &type);
}

static void drop_oldest(prfdata_chart *chart)
{
    chart->count -= DROPPED;
    memmove(chart->times_ms, chart->times_ms + DROPPED, chart->count * sizeof *chart->times_ms);
    memmove(chart->gaps, chart->gaps + DROPPED, chart->count * sizeof *chart->gaps);
    for (uint32_t i = 0; i < chart->series_count; i++) {
        double *values = chart->series[i]->values;

        memmove(values, values + DROPPED, chart->count * sizeof *values);
    }
}

/* Copy an array into a larger one, and release the old one. NULL: no memory; the old one stays. */
static void *grow_series_array(void *from, uint32_t count, uint32_t capacity, size_t item_bytes)
{
    void *to = malloc(((size_t)capacity + 1) * item_bytes);

    if (!to)
        return NULL;
    if (count > 0)
        memcpy(to, from, count * item_bytes);
    free(from);
    return to;
}

/* Make room for more samples. On failure some arrays may be larger than the capacity, which is
 * harmless. */
static bool grow_chart(prfdata_chart *chart)
{
    uint32_t capacity = chart->capacity ? chart->capacity * 2 : 256;
    void *grown;

    if (capacity > chart->most_samples)
        capacity = chart->most_samples;
    grown = grow_series_array(chart->times_ms, chart->count, capacity, sizeof *chart->times_ms);
    if (!grown)
        return false;
    chart->times_ms = grown;
    grown = grow_series_array(chart->gaps, chart->count, capacity, sizeof *chart->gaps);
    if (!grown)
        return false;
    chart->gaps = grown;
    for (uint32_t i = 0; i < chart->series_count; i++) {
        prfdata_chart_series *series = chart->series[i];

        grown = grow_series_array(series->values, chart->count, capacity, sizeof *series->values);
        if (!grown)
            return false;
        series->values = grown;
    }
    chart->capacity = capacity;
    return true;
}

bool prfdata_chart_is_apart(size_t others, int64_t ms)
{
    return others > MOST_OTHERS && ms > MOST_APART_MS;
}

/*
 * Return the span of a live chart with few samples. The span only grows by doubling, because nobody
 * could read a chart whose scale changed every second.
 */
static int64_t fit_step(int64_t all_ms, int64_t most_ms)
{
    int64_t span_ms = most_ms;

    while (span_ms / 2 >= all_ms && span_ms / 2 >= PRFDATA_CHART_LEAST_SPAN_MS)
        span_ms /= 2;
    return span_ms;
}

/* Shorten the span while there are few samples, which would otherwise fill only the edge of the
 * chart. */
static void fit_span(prfdata_chart *chart)
{
    const int64_t all_ms = chart->times_ms[chart->count - 1] - chart->times_ms[0];

    if (chart->fit_ms == 0)
        return;
    chart->span_ms = all_ms < chart->fit_ms ? all_ms : chart->fit_ms;
    if (chart->fit_ms <= PRFDATA_CHART_LIVE_SPAN_MS)
        chart->span_ms = fit_step(all_ms, chart->fit_ms);
    if (chart->span_ms < PRFDATA_CHART_LEAST_SPAN_MS)
        chart->span_ms = PRFDATA_CHART_LEAST_SPAN_MS;
}

static uint32_t add_time(prfdata_chart *chart, int64_t time_ms, prfdata_chart_gap gap)
{
    if (chart->count >= chart->most_samples)
        drop_oldest(chart);
    else if (chart->count == chart->capacity && !grow_chart(chart))
        return ERROR_NOT_ENOUGH_MEMORY;
    if (chart->count > 0 && time_ms <= chart->times_ms[chart->count - 1])
        time_ms = chart->times_ms[chart->count - 1] + 1;
    chart->times_ms[chart->count] = time_ms;
    chart->gaps[chart->count] = (uint8_t)gap;
    for (uint32_t i = 0; i < chart->series_count; i++)
        chart->series[i]->values[chart->count] = value_before_filling((uint8_t)gap);
    chart->count++;
    fit_span(chart);
    return ERROR_SUCCESS;
}

uint32_t prfdata_chart_add_time(prfdata_chart *chart, int64_t time_ms)
{
    return add_time(chart, time_ms, PRFDATA_CHART_SAMPLE);
}

uint32_t prfdata_chart_add_gap(prfdata_chart *chart, int64_t time_ms)
{
    return add_time(chart, time_ms, PRFDATA_CHART_ALL_BREAK);
}

uint32_t prfdata_chart_add_break(prfdata_chart *chart, int64_t time_ms)
{
    return add_time(chart, time_ms, PRFDATA_CHART_SOME_BREAK);
}

static uint32_t first_at_or_after(const prfdata_chart *chart, int64_t time_ms)
{
    uint32_t low = 0;
    uint32_t high = chart->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (chart->times_ms[middle] < time_ms)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t prfdata_chart_at(const prfdata_chart *chart, int64_t time_ms)
{
    const uint32_t at = first_at_or_after(chart, time_ms);

    return at < chart->count && chart->times_ms[at] == time_ms ? at : UINT32_MAX;
}

void prfdata_chart_fill(prfdata_chart *chart, uint32_t position, int64_t time_ms,
                        const prfdata_sample *older, const prfdata_sample *newer)
{
    prfdata_chart_series *series = chart->series[position];
    const uint32_t at = prfdata_chart_at(chart, time_ms);

    if (at == UINT32_MAX)
        return;
    series->status = compute_chart_value(&series->key, older, newer, chart->is_capped,
                                         &series->values[at], &series->type);
}

void prfdata_chart_miss(prfdata_chart *chart, uint32_t position, int64_t time_ms, bool is_supposed)
{
    const uint32_t at = prfdata_chart_at(chart, time_ms);

    if (at != UINT32_MAX)
        chart->series[position]->values[at] = is_supposed ? -(double)INFINITY : (double)NAN;
}

void prfdata_chart_clear(prfdata_chart *chart)
{
    chart->count = 0;
    prfdata_chart_follow(chart);
}

/* ---- The visible part ---- */

static int64_t newest_ms(const prfdata_chart *chart)
{
    return chart->count > 0 ? chart->times_ms[chart->count - 1] : 0;
}

int64_t prfdata_chart_end_ms(const prfdata_chart *chart)
{
    return chart->follows ? newest_ms(chart) : chart->end_ms;
}

int64_t prfdata_chart_begin_ms(const prfdata_chart *chart)
{
    return prfdata_chart_end_ms(chart) - chart->span_ms;
}

uint32_t prfdata_chart_range(const prfdata_chart *chart, uint32_t *first)
{
    *first = first_at_or_after(chart, prfdata_chart_begin_ms(chart));
    return first_at_or_after(chart, prfdata_chart_end_ms(chart) + 1) - *first;
}

/* Keep the visible part between the oldest and the newest sample. If it ends at the newest sample
 * or after it, follow new samples. */
static void limit_end(prfdata_chart *chart)
{
    const int64_t least = (chart->count > 0 ? chart->times_ms[0] : 0) + chart->span_ms;

    if (chart->end_ms < least)
        chart->end_ms = least;
    if (chart->end_ms >= newest_ms(chart))
        prfdata_chart_follow(chart);
}

/* Return the longest span, which is the span of all samples, but at least an hour and at most
 * PRFDATA_CHART_MOST_SPAN_MS. */
static int64_t most_span_ms(const prfdata_chart *chart)
{
    const int64_t all_ms = chart->count > 0 ? newest_ms(chart) - chart->times_ms[0] : 0;

    if (all_ms > PRFDATA_CHART_MOST_SPAN_MS)
        return PRFDATA_CHART_MOST_SPAN_MS;
    return all_ms > PRFDATA_CHART_HOUR_MS ? all_ms : PRFDATA_CHART_HOUR_MS;
}

void prfdata_chart_show(prfdata_chart *chart, int64_t begin_ms, int64_t end_ms)
{
    if (end_ms > newest_ms(chart)) { /* move the part instead of making it shorter */
        begin_ms -= end_ms - newest_ms(chart);
        end_ms = newest_ms(chart);
    }
    chart->span_ms = end_ms - begin_ms;
    if (chart->span_ms < PRFDATA_CHART_LEAST_SPAN_MS)
        chart->span_ms = PRFDATA_CHART_LEAST_SPAN_MS;
    if (chart->span_ms > most_span_ms(chart))
        chart->span_ms = most_span_ms(chart);
    chart->fit_ms = 0;
    chart->end_ms = end_ms;
    chart->follows = false;
    limit_end(chart);
}

void prfdata_chart_show_all(prfdata_chart *chart)
{
    if (chart->count > 0)
        prfdata_chart_show(chart, chart->times_ms[0], newest_ms(chart));
}

void prfdata_chart_zoom(prfdata_chart *chart, double factor, int64_t at_ms)
{
    const int64_t end_ms = prfdata_chart_end_ms(chart);
    double span_ms = (double)chart->span_ms * factor;
    double ahead;

    if (span_ms < (double)PRFDATA_CHART_LEAST_SPAN_MS)
        span_ms = (double)PRFDATA_CHART_LEAST_SPAN_MS;
    if (span_ms > (double)most_span_ms(chart))
        span_ms = (double)most_span_ms(chart);
    ahead = (double)(end_ms - at_ms) * span_ms / (double)chart->span_ms;
    chart->span_ms = (int64_t)span_ms;
    chart->fit_ms = 0;
    chart->end_ms = at_ms + (int64_t)ahead;
    chart->follows = false;
    limit_end(chart);
}

void prfdata_chart_scroll(prfdata_chart *chart, int64_t by_ms)
{
    chart->end_ms = prfdata_chart_end_ms(chart) + by_ms;
    chart->follows = false;
    limit_end(chart);
}

void prfdata_chart_follow(prfdata_chart *chart)
{
    chart->follows = true;
    chart->end_ms = newest_ms(chart);
}

/*
 * Return the position of the value that applies at the time with position `at`. If the series was
 * not asked for at that time, go back to the last position at which it was asked for, but no
 * further than prfdata_chart_is_apart() allows. The returned position may have no value.
 */
static uint32_t asked_up_to(const prfdata_chart *chart, const double *values, uint32_t at)
{
    uint32_t from = at;

    while (from > 0 && prfdata_scale_is_skipped(values[from]) &&
           !prfdata_chart_is_apart(at - from, chart->times_ms[at] - chart->times_ms[from]))
        from--;
    return from;
}

prfdata_chart_statistics prfdata_chart_statistics_of(const prfdata_chart *chart, uint32_t position)
{
    const double *values = chart->series[position]->values;
    prfdata_chart_statistics all = {.last = (double)NAN,
                                    .least = (double)NAN,
                                    .most = (double)NAN,
                                    .mean = (double)NAN,
                                    .positive = (double)NAN};
    double sum = 0;
    uint32_t first;
    const uint32_t count = prfdata_chart_range(chart, &first);

    for (uint32_t i = first; i < first + count; i++) {
        if (prfdata_scale_is_missing(values[i]))
            continue;
        all.least = all.count == 0 || values[i] < all.least ? values[i] : all.least;
        all.most = all.count == 0 || values[i] > all.most ? values[i] : all.most;
        if (values[i] > 0 && !(all.positive <= values[i]))
            all.positive = values[i];
        sum += values[i];
        all.count++;
    }
    if (all.count > 0 && !prfdata_number_is_hex(chart->series[position]->type))
        all.mean = sum / all.count;
    if (count > 0) {
        const uint32_t newest = first + count - 1;

        all.last = prfdata_chart_value_at(chart, position, newest);
        all.age_ms = chart->times_ms[newest] - chart->times_ms[asked_up_to(chart, values, newest)];
    }
    return all;
}

uint32_t prfdata_chart_nearest(const prfdata_chart *chart, int64_t time_ms)
{
    uint32_t first;
    const uint32_t count = prfdata_chart_range(chart, &first);
    uint32_t at = first_at_or_after(chart, time_ms);

    if (count == 0)
        return UINT32_MAX;
    if (at < first)
        return first;
    if (at >= first + count)
        return first + count - 1;
    if (at > first && time_ms - chart->times_ms[at - 1] < chart->times_ms[at] - time_ms)
        at--;
    return at;
}

double prfdata_chart_value_at(const prfdata_chart *chart, uint32_t position, uint32_t at)
{
    const double *values = chart->series[position]->values;
    const uint32_t from = asked_up_to(chart, values, at);

    return prfdata_scale_is_missing(values[from]) ? (double)NAN : values[from];
}
