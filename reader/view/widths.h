/* SPDX-License-Identifier: MIT */
/*
 * Computes the widths of the columns of the legend and of the table: one column of names, then
 * columns of numbers. If there is little room, numbers become narrower before names do; both have a
 * smallest width. If there is still too little room, the legend leaves out columns of numbers,
 * except one, and the table is wider than the room and is scrolled. All sizes are in pixels at the
 * window's DPI. This file draws nothing.
 */
#ifndef PRFDATA_READER_WIDTHS_H
#define PRFDATA_READER_WIDTHS_H

#include <stdbool.h>
#include <stdint.h>

#define PRFDATA_WIDTHS_LEGEND_NUMBERS 5

typedef struct prfdata_widths {
    int32_t name;
    int32_t number;  /* width of each column of numbers */
    int32_t numbers; /* how many columns of numbers fit; for a table, how many must be visible */
} prfdata_widths;

/*
 * Compute the legend's widths. The names get all the room that numbers leave.
 * widest  Width of numbers that cannot be shortened; 0: there are none.
 */
prfdata_widths prfdata_widths_legend(int32_t room, int32_t widest, uint32_t dpi);

/*
 * Compute the table's widths. The columns of numbers may need more room than there is. If the room
 * allows, two columns of numbers are visible next to the names (one, if the object has no
 * instances).
 *
 * has_instances  false: the rows are counters, whose names are longer, with one value each.
 */
prfdata_widths prfdata_widths_table(int32_t room, uint32_t numbers, bool has_instances,
                                    uint32_t dpi);

/*
 * Return a width for the table's names with which the last visible column ends where the room ends,
 * because half a column is hard to read. Names grow to at most twice their width; if that is not
 * enough, or if all columns or no columns fit, return `name`.
 *
 * name     The normal width of the names.
 * columns  The widths of the other visible columns, in the order in which the window shows them.
 */
int32_t prfdata_widths_whole(int32_t room, int32_t name, const int32_t *columns, uint32_t count);

#endif
