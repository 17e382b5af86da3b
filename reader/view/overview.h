/* SPDX-License-Identifier: MIT */
/* Computes the strip below the chart. The strip shows all samples, in one column for each pixel.
 * In the strip, users drag the visible part of the chart. This file draws nothing. */
#ifndef PRFDATA_READER_OVERVIEW_H
#define PRFDATA_READER_OVERVIEW_H

#include "view/chart.h"

/* In pixels; `right` and `bottom` are included. */
typedef struct prfdata_overview {
    int32_t left;
    int32_t right;
    int32_t top;
    int32_t bottom;
    int64_t begin_ms; /* time of the first sample */
    int64_t end_ms;   /* time of the last sample; after begin_ms */
} prfdata_overview;

typedef struct prfdata_overview_column {
    int32_t high; /* y of the highest value, which is the smaller y */
    int32_t low;
    bool is_empty; /* there is no value, and the other members are not set */
} prfdata_overview_column;

typedef enum prfdata_overview_part {
    PRFDATA_OVERVIEW_OUTSIDE, /* a time that is not visible */
    PRFDATA_OVERVIEW_WINDOW,  /* the visible part, which can be moved */
    PRFDATA_OVERVIEW_BEGIN,   /* the ends of the visible part, which can also be moved */
    PRFDATA_OVERVIEW_END
} prfdata_overview_part;

/* Set the times. Returns false if there is no strip, because the chart has no series or fewer than
 * two samples, or the strip has no width. */
bool prfdata_overview_make(const prfdata_chart *chart, prfdata_overview *overview);

int32_t prfdata_overview_x(const prfdata_overview *overview, int64_t time_ms);
int64_t prfdata_overview_time(const prfdata_overview *overview, int32_t x);

/*
 * Compute the columns of a line: the lowest and the highest value of all samples of each column, so
 * that no peak is lost.
 *
 * columns  Gets at most `capacity`, from the left on.
 *
 * Returns how many.
 */
uint32_t prfdata_overview_columns(const prfdata_chart *chart, const prfdata_overview *overview,
                                  uint32_t position, prfdata_overview_column *columns,
                                  uint32_t capacity);

/* Return the part of the strip at x. An end of the visible part is hit within `reach` pixels. */
prfdata_overview_part prfdata_overview_at(const prfdata_chart *chart,
                                          const prfdata_overview *overview, int32_t x,
                                          int32_t reach);

/*
 * Move the visible part, or one of its ends, to x. PRFDATA_OVERVIEW_OUTSIDE moves the middle of the
 * visible part to x.
 *
 * grabbed_ms  If `part` is the whole visible part: the time from its beginning to the place where
 *             the pointer holds it.
 */
void prfdata_overview_drag(prfdata_chart *chart, const prfdata_overview *overview,
                           prfdata_overview_part part, int32_t x, int64_t grabbed_ms);

#endif
