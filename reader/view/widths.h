/* SPDX-License-Identifier: MIT */
/*
 * The widths of the columns of the legend and of the table: one of names, then those of numbers.
 * Where room is scarce, numbers get narrower before names do, down to a least width of both. Below
 * that the legend leaves out columns of numbers, but one; all else needs more than the room. All is
 * in pixels of the DPI. Draws nothing.
 */
#ifndef PRFDATA_READER_WIDTHS_H
#define PRFDATA_READER_WIDTHS_H

#include <stdbool.h>
#include <stdint.h>

#define PRFDATA_WIDTHS_LEGEND_NUMBERS 5 /* columns */

typedef struct prfdata_widths {
    int32_t name;
    int32_t number;  /* of each */
    int32_t numbers; /* columns that have room; of a table: those that are to be seen */
} prfdata_widths;

/* Of the legend, whose names get all that numbers leave. */
prfdata_widths prfdata_widths_legend(int32_t room, uint32_t dpi);

/*
 * Of the table, whose numbers may be more than there is room for: the first two are to be seen
 * beside the names.
 *
 * has_instances  Else the names are those of counters, which are longer, with one value each.
 */
prfdata_widths prfdata_widths_table(int32_t room, uint32_t numbers, bool has_instances,
                                    uint32_t dpi);

#endif
