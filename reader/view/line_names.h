/* SPDX-License-Identifier: MIT */
/*
 * Short names of a chart's lines. A pattern, as \Checkout(*)\Depth, says once what the paths of all
 * lines have in common; each line has the rest of its path. Draws nothing.
 */
#ifndef PRFDATA_READER_LINE_NAMES_H
#define PRFDATA_READER_LINE_NAMES_H

#include "view/chart.h"

/* The parts of a path, borrowed from it: \Object(Label)\Counter, or \Object\Counter. */
typedef struct prfdata_line_names_parts {
    prfdata_text object;
    prfdata_text label; /* empty: there is none */
    prfdata_text counter;
} prfdata_line_names_parts;

/* What all lines have in common; nothing unless they are at least two, of one object. */
typedef struct prfdata_line_names {
    bool has_object;
    bool has_label;
    bool has_counter;
} prfdata_line_names;

/* Split the path of a line. Returns false if it is cut. */
bool prfdata_line_names_split(const prfdata_chart_series *series, prfdata_line_names_parts *parts);

prfdata_line_names prfdata_line_names_find(const prfdata_chart *chart);

/*
 * The name of a line without what is in common; its path if that is nothing.
 *
 * chars    Gets at most `capacity` chars, no NUL.
 * Returns how many.
 */
size_t prfdata_line_names_put(const prfdata_chart *chart, const prfdata_line_names *common,
                              uint32_t position, uint16_t *chars, size_t capacity);

/* The pattern of what is in common, in the same way; nothing if there is nothing. */
size_t prfdata_line_names_put_pattern(const prfdata_chart *chart, const prfdata_line_names *common,
                                      uint16_t *chars, size_t capacity);

#endif
