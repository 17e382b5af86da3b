/* SPDX-License-Identifier: MIT */
/*
 * Draws lines of a chart with smooth edges into an image in memory. A pixel gets the line's colour
 * in proportion to the area that the line covers, even where parts of a line meet. Use it from one
 * thread at a time.
 */
#ifndef PRFDATA_READER_STROKE_H
#define PRFDATA_READER_STROKE_H

#include "view/chart_layout.h"

typedef struct prfdata_stroke_image {
    uint32_t *pixels; /* 0x00RRGGBB, row by row from the top; borrowed */
    int32_t width;
    int32_t height;
} prfdata_stroke_image;

typedef struct prfdata_stroke_area {
    int32_t left;
    int32_t top;
    int32_t right; /* excluded, like `bottom` */
    int32_t bottom;
} prfdata_stroke_area;

typedef enum prfdata_stroke_dash {
    PRFDATA_STROKE_SOLID,
    PRFDATA_STROKE_DASHED,
    PRFDATA_STROKE_DOTTED,
    PRFDATA_STROKE_DASH_DOT,
    PRFDATA_STROKE_LONG,
    PRFDATA_STROKE_DASH_DOT_DOT,
    PRFDATA_STROKE_DASHES
} prfdata_stroke_dash;

typedef struct prfdata_stroke_pen {
    uint32_t colour; /* 0x00RRGGBB */
    double width;    /* in pixels */
    prfdata_stroke_dash dash;
} prfdata_stroke_pen;

/*
 * Return the dashes for a line by the number of its colour, which may exceed the number of colours.
 * The dashes change when colours repeat. If is_contrast is set, colours are hard to distinguish, so
 * the dashes change with each line.
 */
prfdata_stroke_dash prfdata_stroke_dash_of(uint32_t number, uint32_t colours, bool is_contrast);

typedef struct prfdata_stroke {
    prfdata_stroke_image image;
    prfdata_stroke_area area;    /* the area to which drawing is limited */
    prfdata_stroke_area touched; /* the area that the current line has changed */
    /* How much of each pixel of the area is covered by the current line; owned. */
    uint8_t *coverage;
} prfdata_stroke;

/*
 * Begin to draw.
 *
 * area  Clipped to the image.
 *
 * Returns false: there is no memory, or nothing to draw on.
 */
bool prfdata_stroke_begin(prfdata_stroke *stroke, const prfdata_stroke_image *image,
                          const prfdata_stroke_area *area);

/* Draw a line with its gaps. A point between two gaps becomes a dot, twice as wide as the line. */
void prfdata_stroke_draw(prfdata_stroke *stroke, const prfdata_chart_point *points, size_t count,
                         const prfdata_stroke_pen *pen);

void prfdata_stroke_end(prfdata_stroke *stroke);

#endif
