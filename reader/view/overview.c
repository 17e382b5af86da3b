/* SPDX-License-Identifier: MIT */
/* Maps times to pixels of the strip, and pixels to times. */
#include "view/overview.h"

#include <math.h>

bool prfdata_overview_make(const prfdata_chart *chart, prfdata_overview *overview)
{
    if (chart->series_count == 0 || chart->count < 2 || overview->right <= overview->left)
        return false;
    overview->begin_ms = chart->times_ms[0];
    overview->end_ms = chart->times_ms[chart->count - 1];
    return true;
}

static double pixels_per_ms(const prfdata_overview *overview)
{
    return (overview->right - overview->left) / (double)(overview->end_ms - overview->begin_ms);
}

int32_t prfdata_overview_x(const prfdata_overview *overview, int64_t time_ms)
{
    const double x =
        overview->left + (double)(time_ms - overview->begin_ms) * pixels_per_ms(overview);

    if (x < overview->left)
        return overview->left;
    return x > overview->right ? overview->right : (int32_t)floor(x + 0.5);
}

int64_t prfdata_overview_time(const prfdata_overview *overview, int32_t x)
{
    return overview->begin_ms + (int64_t)((x - overview->left) / pixels_per_ms(overview));
}

/* Return the scale of all values of a line, not only of those in the visible part. */
static prfdata_scale scale_of_line(const prfdata_chart *chart, const double *values)
{
    double least = (double)NAN;
    double most = (double)NAN;

    for (uint32_t i = 0; i < chart->count; i++) {
        if (prfdata_scale_is_missing(values[i]))
            continue;
        least = prfdata_scale_is_missing(least) || values[i] < least ? values[i] : least;
        most = prfdata_scale_is_missing(most) || values[i] > most ? values[i] : most;
    }
    return prfdata_scale_make(least, most, 1, false);
}

static int32_t y_of_value(const prfdata_overview *overview, const prfdata_scale *scale,
                          double value)
{
    return overview->bottom -
           (int32_t)floor(prfdata_scale_part(scale, value) * (overview->bottom - overview->top) +
                          0.5);
}

static void add_value(prfdata_overview_column *column, int32_t y)
{
    if (column->is_empty) {
        *column = (prfdata_overview_column){y, y, false};
        return;
    }
    column->high = y < column->high ? y : column->high;
    column->low = y > column->low ? y : column->low;
}

static void connect(prfdata_overview_column *columns, uint32_t from, uint32_t to, int32_t y_from,
                    int32_t y_to)
{
    for (uint32_t i = from + 1; i <= to; i++)
        add_value(&columns[i],
                  y_from + (int32_t)((y_to - y_from) * (int64_t)(i - from) / (int64_t)(to - from)));
    /* Extend each column to the one before it, so that there is no hole between them. */
    for (uint32_t i = from + 1; i <= to && to > from; i++)
        add_value(&columns[i], columns[i - 1].low < columns[i].high   ? columns[i - 1].low
                               : columns[i - 1].high > columns[i].low ? columns[i - 1].high
                                                                      : columns[i].low);
}

uint32_t prfdata_overview_columns(const prfdata_chart *chart, const prfdata_overview *overview,
                                  uint32_t position, prfdata_overview_column *columns,
                                  uint32_t capacity)
{
    const double *values = chart->series[position]->values;
    const prfdata_scale scale = scale_of_line(chart, values);
    const uint32_t wanted = (uint32_t)(overview->right - overview->left) + 1;
    const uint32_t count = wanted < capacity ? wanted : capacity;
    bool has_before = false;
    uint32_t before = 0;
    int32_t y_before = 0;

    for (uint32_t i = 0; i < count; i++)
        columns[i].is_empty = true;
    for (uint32_t i = 0; i < chart->count; i++) {
        const uint32_t at =
            (uint32_t)(prfdata_overview_x(overview, chart->times_ms[i]) - overview->left);

        if (prfdata_scale_is_missing(values[i])) {
            has_before = has_before && prfdata_scale_is_skipped(values[i]);
            continue;
        }
        if (at >= count)
            break;
        add_value(&columns[at], y_of_value(overview, &scale, values[i]));
        if (has_before)
            connect(columns, before, at, y_before, y_of_value(overview, &scale, values[i]));
        has_before = true;
        before = at;
        y_before = y_of_value(overview, &scale, values[i]);
    }
    return count;
}

prfdata_overview_part prfdata_overview_at(const prfdata_chart *chart,
                                          const prfdata_overview *overview, int32_t x,
                                          int32_t reach)
{
    const int32_t begin = prfdata_overview_x(overview, prfdata_chart_begin_ms(chart));
    const int32_t end = prfdata_overview_x(overview, prfdata_chart_end_ms(chart));

    /*
     * If the visible part is narrow, there is little room between the places near its two ends. In
     * this case only the places next to the visible part grab its ends, and a place in it grabs the
     * whole part.
     */
    if (x < begin - reach || x > end + reach)
        return PRFDATA_OVERVIEW_OUTSIDE;
    if (x <= begin || (x <= begin + reach && end - begin > 3 * reach))
        return PRFDATA_OVERVIEW_BEGIN;
    if (x >= end || (x >= end - reach && end - begin > 3 * reach))
        return PRFDATA_OVERVIEW_END;
    return PRFDATA_OVERVIEW_WINDOW;
}

void prfdata_overview_drag(prfdata_chart *chart, const prfdata_overview *overview,
                           prfdata_overview_part part, int32_t x, int64_t grabbed_ms)
{
    const int64_t time_ms = prfdata_overview_time(overview, x);
    const int64_t begin_ms = prfdata_chart_begin_ms(chart);
    const int64_t end_ms = prfdata_chart_end_ms(chart);

    switch (part) {
    case PRFDATA_OVERVIEW_BEGIN:
        prfdata_chart_show(chart, time_ms, end_ms);
        break;
    case PRFDATA_OVERVIEW_END:
        prfdata_chart_show(chart, begin_ms, time_ms);
        break;
    case PRFDATA_OVERVIEW_WINDOW:
        prfdata_chart_show(chart, time_ms - grabbed_ms, time_ms - grabbed_ms + chart->span_ms);
        break;
    default:
        prfdata_chart_show(chart, time_ms - chart->span_ms / 2,
                           time_ms - chart->span_ms / 2 + chart->span_ms);
        break;
    }
}
