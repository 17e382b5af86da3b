/* SPDX-License-Identifier: MIT */
/*
 * Computes the widths of columns. The smallest widths of the legend's columns leave room for whole
 * headings and for numbers in their short form.
 */
#include "view/widths.h"

/* If the room allows, at least this many columns of numbers are visible next to a table's names. */
#define NUMBERS_SEEN 2

/* Widths of columns, in pixels at 96 DPI. */
typedef struct width_limits {
    int32_t name; /* below this width of the name, numbers become narrower */
    int32_t least_name;
    int32_t number;
    int32_t least_number;
} width_limits;

static int32_t pixels_of_width(int32_t pixels, uint32_t dpi)
{
    return (int32_t)((pixels * (int64_t)dpi + 48) / 96);
}

static prfdata_widths share_room(const width_limits *limits, int32_t room, int32_t numbers,
                                 uint32_t dpi)
{
    const int32_t most = pixels_of_width(limits->number, dpi);
    const int32_t least = pixels_of_width(limits->least_number, dpi);
    const int32_t least_name = pixels_of_width(limits->least_name, dpi);
    prfdata_widths widths = {.numbers = numbers};

    widths.number = (room - pixels_of_width(limits->name, dpi)) / numbers;
    if (widths.number > most)
        widths.number = most;
    if (widths.number < least)
        widths.number = least;
    widths.name = room - numbers * widths.number;
    if (widths.name < least_name)
        widths.name = least_name;
    return widths;
}

prfdata_widths prfdata_widths_legend(int32_t room, int32_t widest, uint32_t dpi)
{
    /* 232 and 120, for the name, include 32 pixels that show a piece of the row's line. */
    width_limits limits = {232, 120, 80, 68};
    const int32_t least = (int32_t)((widest * INT64_C(96) + dpi - 1) / dpi);
    prfdata_widths widths;

    if (limits.number < least)
        limits.number = least;
    if (limits.least_number < least)
        limits.least_number = least;
    widths = share_room(&limits, room, PRFDATA_WIDTHS_LEGEND_NUMBERS, dpi);

    while (widths.numbers > 1 && widths.name + widths.numbers * widths.number > room)
        widths = share_room(&limits, room, widths.numbers - 1, dpi);
    return widths;
}

prfdata_widths prfdata_widths_table(int32_t room, uint32_t numbers, bool has_instances,
                                    uint32_t dpi)
{
    const width_limits limits = {has_instances ? 150 : 300, 100, 110, 72};
    const int32_t most_name = pixels_of_width(has_instances ? 200 : 300, dpi);
    prfdata_widths widths =
        share_room(&limits, room, has_instances && numbers > 1 ? NUMBERS_SEEN : 1, dpi);

    if (widths.name > most_name)
        widths.name = most_name;
    return widths;
}

int32_t prfdata_widths_whole(int32_t room, int32_t name, const int32_t *columns, uint32_t count)
{
    int32_t left = room - name;
    uint32_t at = 0;

    while (at < count && columns[at] <= left)
        left -= columns[at++];
    return at > 0 && at < count && left <= name ? name + left : name;
}
