/* SPDX-License-Identifier: MIT */
/* How wide the columns of a legend are: one of names, then those of numbers. Draws nothing. */
#ifndef PRFDATA_READER_LEGEND_WIDTHS_H
#define PRFDATA_READER_LEGEND_WIDTHS_H

#include <stdint.h>

#define PRFDATA_LEGEND_NUMBERS 5 /* columns */

typedef struct prfdata_legend_widths {
    int32_t name;
    int32_t number; /* of each */
} prfdata_legend_widths;

/*
 * Share some room, in pixels of the DPI. Where it is scarce, numbers get narrower before names do;
 * both have a least width, and need more than the room below it.
 */
prfdata_legend_widths prfdata_legend_widths_share(int32_t room, uint32_t dpi);

#endif
