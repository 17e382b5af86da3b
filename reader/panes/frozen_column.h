/* SPDX-License-Identifier: MIT */
/*
 * Keeps the first column of a list view in its place while the other columns scroll sideways. A
 * second heading of the first column covers the list's own heading. The owner of the list draws the
 * cells. Call it only from the window's thread.
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
    HWND heading; /* covers the column's own heading; hidden while the list is not scrolled */
    prfdata_frozen place; /* place after the last scrolling, painting or change of size */
    bool is_placing;      /* the width of the heading is being changed by the program, not by the
                             user */
    HRGN painted;         /* the part of the list that is being painted; NULL: the whole list, or
                             nothing, is being painted */
} prfdata_frozen_column;

/*
 * Keep the first column of a list view in report mode in its place. `column` must exist as long as
 * the list view. The parent of the list view gets LVN_COLUMNCLICK also for clicks on the second
 * heading. The first column can no longer be dragged, and nothing can be dropped before it.
 */
void prfdata_frozen_column_begin(prfdata_frozen_column *column, HWND list);

prfdata_frozen prfdata_frozen_column_place(const prfdata_frozen_column *column);

/* Update the heading after the text or the arrow of the list's own heading has changed. */
void prfdata_frozen_column_update(const prfdata_frozen_column *column);

#endif
