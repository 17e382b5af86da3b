/* SPDX-License-Identifier: MIT */
/* A heading is not cut in the least width, and a number has its short form there. */
#include "view/legend_widths.h"

/* Pixels at 96 DPI */
#define NUMBER_WIDTH       80
#define LEAST_NUMBER_WIDTH 68
#define NAME_WIDTH         200 /* where numbers begin to give way */
#define LEAST_NAME_WIDTH   120

static int32_t legend_pixels(int32_t pixels, uint32_t dpi)
{
    return (int32_t)((pixels * (int64_t)dpi + 48) / 96);
}

prfdata_legend_widths prfdata_legend_widths_share(int32_t room, uint32_t dpi)
{
    const int32_t most = legend_pixels(NUMBER_WIDTH, dpi);
    const int32_t least = legend_pixels(LEAST_NUMBER_WIDTH, dpi);
    const int32_t least_name = legend_pixels(LEAST_NAME_WIDTH, dpi);
    prfdata_legend_widths widths;

    widths.number = (room - legend_pixels(NAME_WIDTH, dpi)) / PRFDATA_LEGEND_NUMBERS;
    if (widths.number > most)
        widths.number = most;
    if (widths.number < least)
        widths.number = least;
    widths.name = room - PRFDATA_LEGEND_NUMBERS * widths.number;
    if (widths.name < least_name)
        widths.name = least_name;
    return widths;
}
