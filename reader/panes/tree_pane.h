/* SPDX-License-Identifier: MIT */
/*
 * The tree: it shows the viewer's, and tells the viewer what the user opens, selects and adds. Its
 * parent hears by WM_COMMAND that a counter is dragged away. Only the window's thread calls.
 */
#ifndef PRFDATA_READER_TREE_PANE_H
#define PRFDATA_READER_TREE_PANE_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#include <commctrl.h>

#include "panes/theme.h"
#include "viewer/viewer.h"

#define PRFDATA_TREE_PANE_DRAGS 1 /* the high word of WM_COMMAND */

typedef struct prfdata_tree_pane {
    HWND window;
    prfdata_viewer *viewer; /* borrowed, as the theme */
    const prfdata_theme *theme;
    prfdata_node *expanding; /* to be expanded when it is filled */
    bool is_held;            /* it is not painted while it is filled */
} prfdata_tree_pane;

/* Make the window, which follows the viewer's tree from now on; the model and the theme are set. */
void prfdata_tree_pane_create(prfdata_tree_pane *pane, HWND parent, uint32_t id);

/* Take the colours of the theme, which has changed. */
void prfdata_tree_pane_apply_theme(const prfdata_tree_pane *pane);

/* WM_NOTIFY of the window. */
LRESULT prfdata_tree_pane_notify(prfdata_tree_pane *pane, const NMHDR *header);

/* Show everything again; or nothing, before the tree goes. */
void prfdata_tree_pane_reset(prfdata_tree_pane *pane);
void prfdata_tree_pane_clear(prfdata_tree_pane *pane);

/* A sample comes; it was taken: what the user opened is expanded as soon as there is something in
 * it. */
void prfdata_tree_pane_begin_filling(prfdata_tree_pane *pane);
void prfdata_tree_pane_end_filling(prfdata_tree_pane *pane);

prfdata_node *prfdata_tree_pane_selected(const prfdata_tree_pane *pane);

/* Select the object that the table shows, unless it is something in that object already. */
void prfdata_tree_pane_select_object(const prfdata_tree_pane *pane);

/* Select what is at a place of the screen, if something is. */
void prfdata_tree_pane_select_at(const prfdata_tree_pane *pane, POINT at);

#endif
