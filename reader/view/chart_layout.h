/* SPDX-License-Identifier: MIT */
/*
 * Computes the places of a chart's parts, in pixels from its upper left corner. Lines of the same
 * unit and stack share a pane. Panes lie one below the other and share the time axis. Each unit has
 * its own pane rather than a second axis, so that two lines have the same value where they cross.
 */
#ifndef PRFDATA_READER_CHART_LAYOUT_H
#define PRFDATA_READER_CHART_LAYOUT_H

#include "view/chart.h"

#define PRFDATA_CHART_PANES PRFDATA_CHART_SERIES /* each line may have its own pane */

typedef struct prfdata_chart_size {
    int32_t width;
    int32_t height;
    int32_t text_height;
    int32_t label_width; /* width of the widest number at an axis */
    int32_t time_width;  /* width of a time at the axis */
    int32_t scroll;      /* pixels of the panes that are above the visible area */
} prfdata_chart_size;

typedef struct prfdata_chart_pane {
    prfdata_unit unit;
    uint32_t stack;
    bool is_hex;         /* all of its lines are of hexadecimal counters */
    prfdata_scale scale; /* includes the thresholds of the pane's lines */
    int32_t top;         /* y of the highest line of the scale */
    int32_t bottom;
} prfdata_chart_pane;

typedef struct prfdata_chart_layout {
    int32_t left;
    int32_t right;
    int64_t begin_ms;
    int64_t end_ms;
    int64_t time_step_ms;
    int32_t room;        /* room for the panes; the times are below it */
    int32_t pane_height; /* height of each pane with its name; if all panes together are higher than
                            the room, they are scrolled */
    int32_t scroll;      /* as in prfdata_chart_size, but not beyond the last pane */
    uint32_t pane_count;
    prfdata_chart_pane panes[PRFDATA_CHART_PANES];
} prfdata_chart_layout;

typedef struct prfdata_chart_point {
    int32_t x;
    int32_t y;
    bool begins;      /* the line has a gap before this point, or begins with it */
    bool is_supposed; /* it is unknown whether there is a gap before this point, so the line to it
                         is dotted */
} prfdata_chart_point;

/*
 * Lay out all visible series. If there are none, there is one empty pane. Panes share the height;
 * if a share is too small to distinguish lines, the panes are scrolled.
 */
void prfdata_chart_layout_make(const prfdata_chart *chart, const prfdata_chart_size *size,
                               prfdata_chart_layout *layout);

/* Return the height at which no scrolling is needed, which is at least the height in `size`. */
int32_t prfdata_chart_layout_height(const prfdata_chart_layout *layout,
                                    const prfdata_chart_size *size);

/* Return the pane of a series; PRFDATA_CHART_PANES if it is hidden. */
uint32_t prfdata_chart_layout_pane(const prfdata_chart_layout *layout,
                                   const prfdata_chart_series *series);

/*
 * Find the object and the counter that all series of a pane have in common.
 *
 * object, counter  Set to parts of the first series' path.
 *
 * Returns false, and sets nothing, if the pane has fewer than two series, if they are of different
 * counters, if their object has no instances, or if the first series' path was cut.
 */
bool prfdata_chart_layout_common(const prfdata_chart *chart, const prfdata_chart_layout *layout,
                                 uint32_t pane, prfdata_text *object, prfdata_text *counter);

int32_t prfdata_chart_layout_x(const prfdata_chart_layout *layout, int64_t time_ms);
int32_t prfdata_chart_layout_y(const prfdata_chart_pane *pane, double value);
/* Get the visible part of a vertical line through all panes. */
void prfdata_chart_layout_moment(const prfdata_chart_layout *layout, int32_t *top, int32_t *bottom);

/*
 * Return the x of the middle of a time's label, moved so that the label is not cut at the edges of
 * the chart.
 *
 * x      The x of the time itself.
 * width  The width of the label.
 */
int32_t prfdata_chart_layout_label_x(const prfdata_chart_size *size, int32_t x, int32_t width);

int64_t prfdata_chart_layout_time(const prfdata_chart_layout *layout, int32_t x);

/*
 * Make the points of a line. A column of pixels without gaps gets at most four points, among them
 * the highest and the lowest. So no peak is lost, and an hour is drawn as fast as a minute.
 *
 * points    Gets at most `capacity`; further points are left out. If no column has gaps, four times
 *           the pixels between left and right, plus eight, are enough.
 * Returns how many.
 */
size_t prfdata_chart_layout_line(const prfdata_chart *chart, const prfdata_chart_layout *layout,
                                 uint32_t position, prfdata_chart_point *points, size_t capacity);

#endif
