/* SPDX-License-Identifier: MIT */
/*
 * Makes short names for a chart's lines. The part that all paths have in common is shown once, as a
 * pattern such as \Checkout(*)\Depth; each line's name is the rest of its path.
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

/* The parts that the paths of all lines have in common. All are false if there are fewer than two
 * lines, if their objects differ, or if a path was cut. */
typedef struct prfdata_line_names {
    bool has_object;
    bool has_label;
    bool has_counter;
} prfdata_line_names;

/* Split the path of a line. Returns false if the path was cut. */
bool prfdata_line_names_split(const prfdata_chart_series *series, prfdata_line_names_parts *parts);

prfdata_line_names prfdata_line_names_find(const prfdata_chart *chart);

/*
 * Put the name of a line without the common part; the whole path if there is none.
 *
 * chars    Gets at most `capacity` chars, no NUL.
 * Returns how many.
 */
size_t prfdata_line_names_put(const prfdata_chart *chart, const prfdata_line_names *common,
                              uint32_t position, uint16_t *chars, size_t capacity);

/*
 * Put the pattern of the common part; nothing if there is none. Arguments and result are those of
 * prfdata_line_names_put().
 */
size_t prfdata_line_names_put_pattern(const prfdata_chart *chart, const prfdata_line_names *common,
                                      uint16_t *chars, size_t capacity);

#endif
