/* SPDX-License-Identifier: MIT */
/*
 * Draws lines with smooth edges. For each line it first computes how much of each pixel is covered,
 * then applies the colour, so that a pixel under two parts of a line is not coloured twice. The
 * centres of pixels have whole coordinates.
 */
#include "view/stroke.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Diameter of a dot in line widths; larger than 1, so that a single value is visible. */
#define DOT 2

/*
 * Alternating lengths of dashes and gaps, in widths of the line; 0 means back to the beginning.
 * Round ends add one width to a dash and take it from the gap, so a length just above 0 is a dot.
 */
static const double patterns[PRFDATA_STROKE_DASHES][7] = {
    [PRFDATA_STROKE_DASHED] = {4, 4},
    [PRFDATA_STROKE_DOTTED] = {0.1, 3},
    [PRFDATA_STROKE_DASH_DOT] = {6, 3, 0.1, 3},
    [PRFDATA_STROKE_LONG] = {11, 3},
    [PRFDATA_STROKE_DASH_DOT_DOT] = {6, 3, 0.1, 3, 0.1, 3},
};

prfdata_stroke_dash prfdata_stroke_dash_of(uint32_t number, uint32_t colours, bool is_contrast)
{
    return (number / colours + (is_contrast ? number : 0)) % PRFDATA_STROKE_DASHES;
}

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

bool prfdata_stroke_begin(prfdata_stroke *stroke, const prfdata_stroke_image *image,
                          const prfdata_stroke_area *area)
{
    stroke->image = *image;
    stroke->area = (prfdata_stroke_area){greater(area->left, 0), greater(area->top, 0),
                                         lesser(area->right, image->width),
                                         lesser(area->bottom, image->height)};
    stroke->coverage = NULL;
    if (stroke->area.right <= stroke->area.left || stroke->area.bottom <= stroke->area.top)
        return false;
    stroke->coverage = calloc((size_t)(stroke->area.right - stroke->area.left) *
                                  (size_t)(stroke->area.bottom - stroke->area.top),
                              1);
    return stroke->coverage != NULL;
}

void prfdata_stroke_end(prfdata_stroke *stroke)
{
    free(stroke->coverage);
    stroke->coverage = NULL;
}

static uint8_t *coverage_row(const prfdata_stroke *stroke, int32_t y)
{
    const size_t width = (size_t)(stroke->area.right - stroke->area.left);

    return stroke->coverage + (size_t)(y - stroke->area.top) * width;
}

/* ---- Coverage ---- */

/*
 * A straight part of a line. The part covers all points within the distance `reach`, and the
 * outermost pixels partially. A painting of a chart has tens of thousands of parts, so values that
 * all rows share are computed once.
 */
typedef struct straight_part {
    double x;
    double y;
    double along_x; /* its direction; of length 1, or 0 if the part is a point */
    double along_y;
    double length;
    double reach;
    double left; /* leftmost point that it can cover */
    double right;
    double slope; /* change of x from row to row; 0 if the part is nearly horizontal or a point */
    /* Half of the width that the part covers in a row; 0 if the part is nearly horizontal or a
     * point. */
    double half;
} straight_part;

static straight_part make_straight(const double from[2], const double to[2], double width)
{
    const double dx = to[0] - from[0];
    const double dy = to[1] - from[1];
    const double length = sqrt(dx * dx + dy * dy);
    straight_part part = {.x = from[0], .y = from[1], .length = length, .reach = width / 2 + 0.5};

    if (length > 0) {
        part.along_x = dx / length;
        part.along_y = dy / length;
    }
    part.left = (dx < 0 ? to[0] : from[0]) - part.reach;
    part.right = (dx < 0 ? from[0] : to[0]) + part.reach;
    if (fabs(part.along_y) > 0.01) {
        part.slope = part.along_x / part.along_y;
        part.half = part.reach / fabs(part.along_y);
    }
    return part;
}

/* Round a value down to a whole number, within limits that are not below 0. */
static int32_t limited_to(double value, int32_t least, int32_t most)
{
    if (value <= least)
        return least;
    return value >= most ? most : (int32_t)value;
}

static bool is_between(const straight_part *part, double along)
{
    return part->length > 0 && along >= 0 && along <= part->length;
}

/* Return the distance of a point from the part; beyond an end, the distance from that end, because
 * ends are round. */
static double distance_to(const straight_part *part, double x, double y)
{
    const double dx = x - part->x;
    const double dy = y - part->y;
    const double along = dx * part->along_x + dy * part->along_y;
    const double across = dx * part->along_y - dy * part->along_x;
    const double beyond = along < 0 ? along : along - part->length;

    if (part->length <= 0)
        return sqrt(dx * dx + dy * dy);
    return is_between(part, along) ? fabs(across) : sqrt(beyond * beyond + across * across);
}

static void row_range(const prfdata_stroke *stroke, const straight_part *part, double y,
                      int32_t *first, int32_t *end)
{
    double left = part->left;
    double right = part->right;

    if (part->half > 0) {
        const double centre = part->x + (y - part->y) * part->slope;

        left = left > centre - part->half ? left : centre - part->half;
        right = right < centre + part->half ? right : centre + part->half;
    }
    *first = limited_to(left, stroke->area.left, stroke->area.right);
    *end = limited_to(right + 1, *first, stroke->area.right);
}

static void cover_pixel(uint8_t *pixel, double covered)
{
    const uint8_t value = covered >= 1 ? 255 : covered > 0 ? (uint8_t)(covered * 255) : 0;

    *pixel = value > *pixel ? value : *pixel;
}

/*
 * Cover pixels of a row. All of them must lie between the ends of the part, so this is faster than
 * distance_to(). `across` is the signed distance of the first pixel from the part.
 */
static void cover_between(uint8_t *row, int32_t first, int32_t end, const straight_part *part,
                          double across)
{
    for (int32_t x = first; x < end; x++) {
        cover_pixel(&row[x], part->reach - fabs(across));
        across += part->along_y;
    }
}

static void cover_row(prfdata_stroke *stroke, const straight_part *part, int32_t y)
{
    uint8_t *row = coverage_row(stroke, y) - stroke->area.left;
    const double dy = y - part->y;
    double along;
    double across;
    int32_t first;
    int32_t end;

    row_range(stroke, part, y, &first, &end);
    along = (first - part->x) * part->along_x + dy * part->along_y;
    across = (first - part->x) * part->along_y - dy * part->along_x;
    if (is_between(part, along) && is_between(part, along + (end - first) * part->along_x)) {
        cover_between(row, first, end, part, across);
    } else {
        for (int32_t x = first; x < end; x++)
            cover_pixel(&row[x], part->reach - distance_to(part, x, y));
    }
    stroke->touched.left = lesser(stroke->touched.left, first);
    stroke->touched.right = greater(stroke->touched.right, end);
}

static void cover_straight(prfdata_stroke *stroke, const double from[2], const double to[2],
                           double width)
{
    const straight_part part = make_straight(from, to, width);
    const double top = (from[1] < to[1] ? from[1] : to[1]) - part.reach;
    const double bottom = (from[1] < to[1] ? to[1] : from[1]) + part.reach;
    const int32_t first = limited_to(top, stroke->area.top, stroke->area.bottom);
    const int32_t end = limited_to(bottom + 1, first, stroke->area.bottom);

    for (int32_t y = first; y < end; y++)
        cover_row(stroke, &part, y);
    stroke->touched.top = lesser(stroke->touched.top, first);
    stroke->touched.bottom = greater(stroke->touched.bottom, end);
}

/* ---- Dashes ---- */

/* The position of the line in its pattern of dashes; the pattern continues in the next straight
 * part. */
typedef struct dash_place {
    unsigned part; /* part of the pattern; dashes have even numbers */
    double done;   /* length of the current part that was already drawn */
} dash_place;

static void cover_dashes(prfdata_stroke *stroke, const double from[2], const double to[2],
                         const prfdata_stroke_pen *pen, dash_place *at)
{
    const double *pattern = patterns[pen->dash];
    const double length =
        sqrt((to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]));
    double done = 0;

    while (done < length) {
        const double rest = pattern[at->part] * pen->width - at->done;
        const double step = rest < length - done ? rest : length - done;
        const double part_from[2] = {from[0] + (to[0] - from[0]) * done / length,
                                     from[1] + (to[1] - from[1]) * done / length};
        const double part_to[2] = {from[0] + (to[0] - from[0]) * (done + step) / length,
                                   from[1] + (to[1] - from[1]) * (done + step) / length};

        if (at->part % 2 == 0)
            cover_straight(stroke, part_from, part_to, pen->width);
        done += step;
        at->done += step;
        if (step >= rest)
            *at = (dash_place){pattern[at->part + 1] > 0 ? at->part + 1 : 0, 0};
    }
}

static void cover_supposed(prfdata_stroke *stroke, const double from[2], const double to[2],
                           const prfdata_stroke_pen *pen)
{
    const prfdata_stroke_pen dots = {pen->colour, pen->width, PRFDATA_STROKE_DOTTED};
    dash_place at = {0, 0};

    cover_dashes(stroke, from, to, &dots, &at);
}

/* ---- Colour ---- */

/* Return a mixture of two colours. A byte lies between red and blue, so both are computed in one
 * step. */
static uint32_t mixed(uint32_t under, uint32_t over, uint32_t covered)
{
    const uint32_t part = covered + (covered >> 7); /* in units of 1/256 */
    const uint32_t red_blue =
        ((under & 0xFF00FF) * (256 - part) + (over & 0xFF00FF) * part) >> 8 & 0xFF00FF;
    const uint32_t green =
        ((under & 0x00FF00) * (256 - part) + (over & 0x00FF00) * part) >> 8 & 0x00FF00;

    return red_blue | green;
}

/*
 * Return how many pixels of a row, from here on, are not covered. Tests eight at a time, because
 * most pixels are not covered.
 */
static size_t uncovered(const uint8_t *row, size_t count)
{
    size_t at = 0;
    uint64_t eight;

    while (at + 8 <= count && (memcpy(&eight, row + at, 8), eight == 0))
        at += 8;
    while (at < count && row[at] == 0)
        at++;
    return at;
}

static void colour_touched(prfdata_stroke *stroke, uint32_t colour)
{
    for (int32_t y = stroke->touched.top; y < stroke->touched.bottom; y++) {
        uint8_t *row = coverage_row(stroke, y) - stroke->area.left;
        uint32_t *pixels = stroke->image.pixels + (size_t)y * (size_t)stroke->image.width;

        for (int32_t x = stroke->touched.left; x < stroke->touched.right; x++) {
            x += (int32_t)uncovered(row + x, (size_t)(stroke->touched.right - x));
            if (x == stroke->touched.right)
                break;
            pixels[x] = mixed(pixels[x], colour, row[x]);
            row[x] = 0;
        }
    }
}

void prfdata_stroke_draw(prfdata_stroke *stroke, const prfdata_chart_point *points, size_t count,
                         const prfdata_stroke_pen *pen)
{
    dash_place at = {0, 0};

    stroke->touched = (prfdata_stroke_area){stroke->area.right, stroke->area.bottom,
                                            stroke->area.left, stroke->area.top};
    for (size_t i = 0; i < count; i++) {
        const bool is_first = i == 0 || points[i].begins;
        const bool is_last = i + 1 == count || points[i + 1].begins;
        const size_t before = is_first ? i : i - 1;
        const double from[2] = {points[before].x, points[before].y};
        const double to[2] = {points[i].x, points[i].y};

        if (is_first)
            at = (dash_place){0, 0};
        if (points[i].is_supposed && !is_first) {
            cover_supposed(stroke, from, to, pen);
            continue;
        }
        if (is_first ? is_last : pen->dash == PRFDATA_STROKE_SOLID)
            cover_straight(stroke, from, to, is_first ? DOT * pen->width : pen->width);
        else if (!is_first)
            cover_dashes(stroke, from, to, pen, &at);
    }
    colour_touched(stroke, pen->colour);
}
