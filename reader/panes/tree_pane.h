/* SPDX-License-Identifier: MIT */
/*
 * Shows the viewer's tree, and tells the viewer what the user opens, selects and adds. It tells its
 * parent by WM_COMMAND that a counter is being dragged. Call it only from the window's thread.
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

#define PRFDATA_TREE_PANE_DRAGS 1 /* high word of WM_COMMAND: a counter is being dragged */

typedef struct prfdata_tree_pane {
    HWND window;
    prfdata_viewer *viewer; /* borrowed, like the theme */
    const prfdata_theme *theme;
    prfdata_node *expanding; /* the node that will be expanded when it is filled */
    bool is_held;            /* painting has stopped while the tree is filled */
} prfdata_tree_pane;

/* Make the window, which follows the viewer's tree from now on; the viewer and the theme must be
 * set. */
void prfdata_tree_pane_create(prfdata_tree_pane *pane, HWND parent, uint32_t id);

void prfdata_tree_pane_apply_theme(const prfdata_tree_pane *pane);

LRESULT prfdata_tree_pane_notify(prfdata_tree_pane *pane, const NMHDR *header);

/* Show the whole tree again. */
void prfdata_tree_pane_reset(prfdata_tree_pane *pane);

/* Remove all items. Call this before the viewer's tree is released. */
void prfdata_tree_pane_clear(prfdata_tree_pane *pane);

/* Call these before and after a sample is taken. A node that the user opened is expanded as soon as
 * it has content. */
void prfdata_tree_pane_begin_filling(prfdata_tree_pane *pane);
void prfdata_tree_pane_end_filling(prfdata_tree_pane *pane);

prfdata_node *prfdata_tree_pane_selected(const prfdata_tree_pane *pane);

/* Select the object that the table shows, unless something in that object is already selected. */
void prfdata_tree_pane_select_object(const prfdata_tree_pane *pane);

/* Select the node at a place of the screen, if there is one. */
void prfdata_tree_pane_select_at(const prfdata_tree_pane *pane, POINT at);

#endif
