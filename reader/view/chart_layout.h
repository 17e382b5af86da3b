/* SPDX-License-Identifier: MIT */
/*
 * The places of a chart's parts, in pixels from its upper left corner: panes on top of each other,
 * one for each unit and stack, that share the time axis; in them the lines. A unit has its own pane
 * rather than a second axis, so that each line has one scale and no two lines seem to meet that do
 * not. Draws nothing.
 */
#ifndef PRFDATA_READER_CHART_LAYOUT_H
#define PRFDATA_READER_CHART_LAYOUT_H

#include "view/chart.h"

#define PRFDATA_CHART_PANES PRFDATA_CHART_SERIES /* each line may have its own */

/* What the window knows. */
typedef struct prfdata_chart_size {
    int32_t width;
    int32_t height;
    int32_t text_height;
    int32_t label_width; /* of the widest number at an axis */
    int32_t time_width;  /* of a time at the axis */
    int32_t scroll;      /* how much of the panes is above the chart */
} prfdata_chart_size;

typedef struct prfdata_chart_pane {
    prfdata_unit unit;
    uint32_t stack;
    prfdata_scale scale;
    int32_t top; /* the highest line of the scale */
    int32_t bottom;
} prfdata_chart_pane;

typedef struct prfdata_chart_layout {
    int32_t left; /* of all panes */
    int32_t right;
    int64_t begin_ms;
    int64_t end_ms;
    int64_t time_step_ms;
    int32_t room; /* for the panes: what is below is the times' */
    int32_t
        pane_height; /* of each, with its name: more than all of the room if they are scrolled */
    int32_t scroll;  /* that of the size, but not beyond the last pane */
    uint32_t pane_count;
    prfdata_chart_pane panes[PRFDATA_CHART_PANES];
} prfdata_chart_layout;

/* A point of a line. */
typedef struct prfdata_chart_point {
    int32_t x;
    int32_t y;
    bool begins;      /* a gap is before it */
    bool is_supposed; /* nobody knows whether a gap is before it: the line to it is dotted */
} prfdata_chart_point;

/*
 * Arrange what is not hidden. A chart without series has one empty pane. Panes share the height; if
 * that is not enough for lines to be told from each other, they are scrolled.
 */
void prfdata_chart_layout_make(const prfdata_chart *chart, const prfdata_chart_size *size,
                               prfdata_chart_layout *layout);

/* How high a chart is that needs no scrolling: that of the size, or more. */
int32_t prfdata_chart_layout_height(const prfdata_chart_layout *layout,
                                    const prfdata_chart_size *size);

/* The pane of a series, or PRFDATA_CHART_PANES if it is hidden. */
uint32_t prfdata_chart_layout_pane(const prfdata_chart_layout *layout,
                                   const prfdata_chart_series *series);

/*
 * What the series of a pane have in common: if all are the same counter of different instances,
 * its name is said once, and each series by its instance.
 *
 * object, counter  Set to parts of the first series' path if there is something in common.
 *
 * Returns whether there is.
 */
bool prfdata_chart_layout_common(const prfdata_chart *chart, const prfdata_chart_layout *layout,
                                 uint32_t pane, prfdata_text *object, prfdata_text *counter);

int32_t prfdata_chart_layout_x(const prfdata_chart_layout *layout, int64_t time_ms);
int32_t prfdata_chart_layout_y(const prfdata_chart_pane *pane, double value);
/* What is in view of a line from the top of all panes to the bottom. */
void prfdata_chart_layout_moment(const prfdata_chart_layout *layout, int32_t *top, int32_t *bottom);

/*
 * Where the middle of a time's label goes, so that none of it is cut at the edges of the chart.
 *
 * x      Of the time itself.
 * width  Of the label.
 */
int32_t prfdata_chart_layout_label_x(const prfdata_chart_size *size, int32_t x, int32_t width);

int64_t prfdata_chart_layout_time(const prfdata_chart_layout *layout, int32_t x);

/*
 * Make the points of a line: at most four in a column of pixels, among them its highest and its
 * lowest, so that no peak is lost and an hour costs no more than a minute.
 *
 * points    Gets at most `capacity`; four times the pixels between left and right, plus eight, are
 *           enough.
 * Returns how many.
 */
size_t prfdata_chart_layout_line(const prfdata_chart *chart, const prfdata_chart_layout *layout,
                                 uint32_t position, prfdata_chart_point *points, size_t capacity);

#endif
