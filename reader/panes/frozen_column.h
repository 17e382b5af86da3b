/* SPDX-License-Identifier: MIT */
/*
 * A list view whose first column stays in its place while the others scroll sideways: the heading
 * of that column, which lies over the list's own. Whoever draws the list draws the cells. Only the
 * window's thread calls.
 */
#ifndef PRFDATA_READER_FROZEN_COLUMN_H
#define PRFDATA_READER_FROZEN_COLUMN_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#include <commctrl.h>

#include "view/frozen.h"

typedef struct prfdata_frozen_column {
    HWND list;
    HWND heading;         /* above the column; hidden while nothing is scrolled */
    prfdata_frozen place; /* that was painted last */
    bool is_placing;      /* the heading's width is not what the user does */
    HRGN painted;         /* what of the list is painted just now; NULL: nothing, or all of it */
} prfdata_frozen_column;

/*
 * Begin with a list view in report mode, for as long as it lives. Its parent hears of clicks on the
 * heading what it hears of those on the list's own (LVN_COLUMNCLICK). The first column is no longer
 * dragged, and nothing is dropped before it.
 */
void prfdata_frozen_column_begin(prfdata_frozen_column *column, HWND list);

/* Where the column is now. */
prfdata_frozen prfdata_frozen_column_place(const prfdata_frozen_column *column);

/* The text or the arrow of the list's own heading has changed. */
void prfdata_frozen_column_update(const prfdata_frozen_column *column);

#endif
