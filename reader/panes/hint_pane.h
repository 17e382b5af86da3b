/* SPDX-License-Identifier: MIT */
/*
 * Shows a hint in the middle of an empty part of the window. The hint says why the part is empty.
 * Buttons below the hint send commands to the parent, as a menu does. Call it only from the
 * window's thread.
 */
#ifndef PRFDATA_READER_HINT_PANE_H
#define PRFDATA_READER_HINT_PANE_H

#include "panes/theme.h"

#define PRFDATA_HINT_BUTTONS 2
#define PRFDATA_HINT_CHARS   700

typedef struct prfdata_hint_pane {
    HWND next; /* gets the focus if a button with the focus is hidden */
    HWND window;
    HWND buttons[PRFDATA_HINT_BUTTONS];
    uint32_t commands[PRFDATA_HINT_BUTTONS]; /* 0: the button is hidden */
    const prfdata_theme *theme;              /* borrowed */
    wchar_t text[PRFDATA_HINT_CHARS];
} prfdata_hint_pane;

/* Make the window, hidden; the theme must be set. */
void prfdata_hint_pane_create(prfdata_hint_pane *pane, HWND parent);

void prfdata_hint_pane_apply_theme(prfdata_hint_pane *pane);

/* Show a text, and a button for each command; 0: no button. */
void prfdata_hint_pane_show(prfdata_hint_pane *pane, const wchar_t *text,
                            const uint32_t commands[PRFDATA_HINT_BUTTONS]);

#endif
