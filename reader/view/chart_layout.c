/* SPDX-License-Identifier: MIT */
/* Computes pixels from times and values, without a window. */
#include "view/chart_layout.h"

#include <math.h>

#include "view/line_names.h"

/*
 * The height of panes that are scrolled, in lines of text, without the name. It has room for three
 * numbers at the axis.
 */
#define LEAST_PANE_LINES 4
/* If all panes fit with at least this smaller height, they are not scrolled, because a bar that
 * scrolls only a few pixels is of no use. */
#define FITTED_PANE_LINES 3

/* ---- Panes ---- */

static bool is_pane_of(const prfdata_chart_pane *pane, const prfdata_chart_series *series)
{
    return pane->unit == series->unit && pane->stack == series->stack;
}

uint32_t prfdata_chart_layout_pane(const prfdata_chart_layout *layout,
                                   const prfdata_chart_series *series)
{
    for (uint32_t i = 0; i < layout->pane_count && !series->is_hidden; i++) {
        if (is_pane_of(&layout->panes[i], series))
            return i;
    }
    return PRFDATA_CHART_PANES;
}

static void add_panes(const prfdata_chart *chart, prfdata_chart_layout *layout)
{
    for (uint32_t i = 0; i < chart->series_count; i++) {
        const prfdata_chart_series *series = chart->series[i];

        const bool is_hex = prfdata_number_is_hex(series->type);
        const uint32_t pane = prfdata_chart_layout_pane(layout, series);

        if (series->is_hidden)
            continue;
        if (pane == PRFDATA_CHART_PANES)
            layout->panes[layout->pane_count++] = (prfdata_chart_pane){
                .unit = series->unit, .stack = series->stack, .is_hex = is_hex};
        else
            layout->panes[pane].is_hex = layout->panes[pane].is_hex && is_hex;
    }
    if (layout->pane_count == 0)
        layout->panes[layout->pane_count++] = (prfdata_chart_pane){0};
}

/* Return the smaller of two numbers. A NaN is ignored. */
static double lesser(double a, double b)
{
    return prfdata_scale_is_missing(a) || b < a ? b : a;
}

/* Include a threshold in the range of a scale, so that its line is visible. */
static void add_threshold(const prfdata_condition *threshold, double *least, double *most,
                          double *positive)
{
    if (threshold->comparison == PRFDATA_COMPARISON_NONE)
        return;
    *least = lesser(*least, threshold->number);
    *most = -lesser(-*most, -threshold->number);
    if (threshold->number > 0)
        *positive = lesser(*positive, threshold->number);
}

static prfdata_scale pane_scale(const prfdata_chart *chart, const prfdata_chart_pane *pane,
                                uint32_t step_count)
{
    double least = (double)NAN;
    double most = (double)NAN;
    double positive = (double)NAN;
    bool is_log = false;

    for (uint32_t i = 0; i < chart->series_count; i++) {
        prfdata_chart_statistics all;

        if (chart->series[i]->is_hidden || !is_pane_of(pane, chart->series[i]))
            continue;
        all = prfdata_chart_statistics_of(chart, i);
        is_log = is_log || chart->series[i]->is_log;
        add_threshold(&chart->series[i]->threshold, &least, &most, &positive);
        if (all.count == 0)
            continue;
        least = lesser(least, all.least);
        most = -lesser(-most, -all.most);
        /* A line without values above 0 does not change a logarithmic scale. */
        if (!prfdata_scale_is_missing(all.positive))
            positive = lesser(positive, all.positive);
    }
    if (is_log)
        return prfdata_scale_make_log(positive, most, step_count, pane->is_hex);
    return prfdata_scale_make(least, most, step_count, pane->is_hex);
}

/*
 * Return the height of each pane with its name. If an equal share of the room is enough for
 * FITTED_PANE_LINES, return the share. Otherwise return the height for LEAST_PANE_LINES, but at
 * most the room.
 */
static int32_t pane_height(const prfdata_chart_layout *layout, const prfdata_chart_size *size)
{
    const int32_t share = layout->room / (int32_t)layout->pane_count;
    const int32_t least = size->text_height * (LEAST_PANE_LINES + 2);

    if (share >= size->text_height * (FITTED_PANE_LINES + 2))
        return share;
    return least < layout->room ? least : layout->room;
}

static int32_t limited_scroll(const prfdata_chart_layout *layout, int32_t scroll)
{
    const int32_t most = (int32_t)layout->pane_count * layout->pane_height - layout->room;

    if (scroll > most)
        scroll = most;
    return scroll < 0 ? 0 : scroll;
}

/* Place panes of equal height, with room for a name above each and for half a label below. The
 * times are below all panes. */
static void place_panes(const prfdata_chart *chart, const prfdata_chart_size *size,
                        prfdata_chart_layout *layout)
{
    const int32_t title = size->text_height * 3 / 2;

    layout->room = size->height - size->text_height * 3 / 2;
    layout->pane_height = pane_height(layout, size);
    layout->scroll = limited_scroll(layout, size->scroll);
    for (int32_t i = 0; i < (int32_t)layout->pane_count; i++) {
        prfdata_chart_pane *pane = &layout->panes[i];
        int32_t steps;

        pane->top = i * layout->pane_height + title - layout->scroll;
        pane->bottom = (i + 1) * layout->pane_height - size->text_height / 2 - layout->scroll;
        if (pane->bottom <= pane->top)
            pane->bottom = pane->top + 1;
        steps = (pane->bottom - pane->top) / (size->text_height * 2);
        pane->scale = pane_scale(chart, pane, steps < 1 ? 1 : (uint32_t)(steps > 10 ? 10 : steps));
    }
}

void prfdata_chart_layout_make(const prfdata_chart *chart, const prfdata_chart_size *size,
                               prfdata_chart_layout *layout)
{
    int32_t time_count;

    *layout = (prfdata_chart_layout){.left = size->label_width + size->text_height / 2,
                                     .right = size->width - size->text_height,
                                     .begin_ms = prfdata_chart_begin_ms(chart),
                                     .end_ms = prfdata_chart_end_ms(chart)};
    if (layout->right <= layout->left)
        layout->right = layout->left + 1;
    time_count = (layout->right - layout->left) / (size->time_width * 3 / 2 + 1);
    layout->time_step_ms =
        prfdata_scale_time_step(chart->span_ms, time_count < 1 ? 1 : (uint32_t)time_count);
    add_panes(chart, layout);
    place_panes(chart, size, layout);
}

int32_t prfdata_chart_layout_height(const prfdata_chart_layout *layout,
                                    const prfdata_chart_size *size)
{
    const int32_t panes = (int32_t)layout->pane_count * layout->pane_height;

    return panes > layout->room ? size->height - layout->room + panes : size->height;
}

void prfdata_chart_layout_moment(const prfdata_chart_layout *layout, int32_t *top, int32_t *bottom)
{
    *top = layout->panes[0].top;
    *bottom = layout->panes[layout->pane_count - 1].bottom;
    if (*top < 0)
        *top = 0;
    if (*bottom > layout->room)
        *bottom = layout->room;
}

bool prfdata_chart_layout_common(const prfdata_chart *chart, const prfdata_chart_layout *layout,
                                 uint32_t pane, prfdata_text *object, prfdata_text *counter)
{
    const prfdata_chart_series *first = NULL;
    prfdata_line_names_parts parts;
    uint32_t count = 0;

    for (uint32_t i = 0; i < chart->series_count; i++) {
        const prfdata_chart_series *series = chart->series[i];

        if (prfdata_chart_layout_pane(layout, series) != pane)
            continue;
        if (first && (series->key.object_title != first->key.object_title ||
                      series->key.counter_title != first->key.counter_title))
            return false;
        first = first ? first : series;
        count++;
    }
    if (count < 2 || first->key.label.count == 0 || !prfdata_line_names_split(first, &parts))
        return false;
    *object = parts.object;
    *counter = parts.counter;
    return true;
}

/* ---- Points ---- */

static double pixels_per_ms(const prfdata_chart_layout *layout)
{
    return (layout->right - layout->left) / (double)(layout->end_ms - layout->begin_ms);
}

int32_t prfdata_chart_layout_x(const prfdata_chart_layout *layout, int64_t time_ms)
{
    const double x = layout->left + (double)(time_ms - layout->begin_ms) * pixels_per_ms(layout);

    if (x < -10000)
        return -10000;
    return x > 100000 ? 100000 : (int32_t)floor(x + 0.5);
}

int32_t prfdata_chart_layout_label_x(const prfdata_chart_size *size, int32_t x, int32_t width)
{
    /* The label must not touch the edge. */
    const int32_t half = (width + 1) / 2 + size->text_height / 4;

    if (x > size->width - half)
        x = size->width - half;
    return x < half ? half : x;
}

int64_t prfdata_chart_layout_time(const prfdata_chart_layout *layout, int32_t x)
{
    return layout->begin_ms + (int64_t)((x - layout->left) / pixels_per_ms(layout));
}

int32_t prfdata_chart_layout_y(const prfdata_chart_pane *pane, double value)
{
    const double part = prfdata_scale_part(&pane->scale, value);

    return pane->bottom - (int32_t)floor(part * (pane->bottom - pane->top) + 0.5);
}

/* The points of a line in one column of pixels. */
typedef struct column_points {
    int32_t x;
    int32_t first;
    int32_t highest; /* the smallest y */
    int32_t lowest;
    int32_t last;
    bool begins;
    bool is_supposed;
    bool is_empty;
} column_points;

typedef struct line_points {
    prfdata_chart_point *points;
    size_t count;
    size_t capacity;
} line_points;

static void put_point(line_points *line, prfdata_chart_point point)
{
    const prfdata_chart_point *before = line->count ? &line->points[line->count - 1] : NULL;

    if (line->count == line->capacity ||
        (before && !point.begins && before->x == point.x && before->y == point.y))
        return;
    line->points[line->count++] = point;
}

static void flush_column(line_points *line, column_points *column)
{
    if (column->is_empty)
        return;
    put_point(line,
              (prfdata_chart_point){column->x, column->first, column->begins, column->is_supposed});
    if (column->highest != column->lowest) {
        put_point(line, (prfdata_chart_point){column->x, column->highest, false, false});
        put_point(line, (prfdata_chart_point){column->x, column->lowest, false, false});
        put_point(line, (prfdata_chart_point){column->x, column->last, false, false});
    }
    column->is_empty = true;
}

static void add_to_column(column_points *column, int32_t x, int32_t y, bool begins,
                          bool is_supposed)
{
    if (column->is_empty) {
        *column = (column_points){x, y, y, y, y, begins, is_supposed && !begins, false};
        return;
    }
    column->highest = y < column->highest ? y : column->highest;
    column->lowest = y > column->lowest ? y : column->lowest;
    column->last = y;
}

size_t prfdata_chart_layout_line(const prfdata_chart *chart, const prfdata_chart_layout *layout,
                                 uint32_t position, prfdata_chart_point *points, size_t capacity)
{
    const prfdata_chart_series *series = chart->series[position];
    const uint32_t pane = prfdata_chart_layout_pane(layout, series);
    line_points line = {points, 0, capacity};
    column_points column = {.is_empty = true};
    bool begins = true;
    bool is_supposed = false;
    uint32_t first;
    uint32_t end;
    uint32_t before = 0; /* position of the last value */

    if (pane == PRFDATA_CHART_PANES)
        return 0;
    end = prfdata_chart_range(chart, &first) + first;
    for (uint32_t i = first; i < end; i++) {
        const int32_t x = prfdata_chart_layout_x(layout, chart->times_ms[i]);

        if (prfdata_scale_is_missing(series->values[i])) {
            begins = begins || !prfdata_scale_is_skipped(series->values[i]);
            is_supposed = is_supposed || prfdata_scale_is_supposed(series->values[i]);
            continue;
        }
        begins = begins ||
                 prfdata_chart_is_apart(i - before, chart->times_ms[i] - chart->times_ms[before]);
        before = i;
        if (!column.is_empty && (x != column.x || begins || is_supposed))
            flush_column(&line, &column);
        add_to_column(&column, x, prfdata_chart_layout_y(&layout->panes[pane], series->values[i]),
                      begins, is_supposed);
        begins = is_supposed = false;
    }
    flush_column(&line, &column);
    return line.count;
}
