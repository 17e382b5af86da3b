/* SPDX-License-Identifier: MIT */
/*
 * The hint in the middle of a part that has nothing to show: why, and buttons for what to do. They
 * send their commands to the parent, as a menu does. Only the window's thread calls.
 */
#ifndef PRFDATA_READER_HINT_PANE_H
#define PRFDATA_READER_HINT_PANE_H

#include "panes/theme.h"

#define PRFDATA_HINT_BUTTONS 2
#define PRFDATA_HINT_CHARS   700

typedef struct prfdata_hint_pane {
    HWND next; /* it gets the focus when a button that has it goes */
    HWND window;
    HWND buttons[PRFDATA_HINT_BUTTONS];
    uint32_t commands[PRFDATA_HINT_BUTTONS]; /* 0: the button is not there */
    const prfdata_theme *theme;              /* borrowed */
    wchar_t text[PRFDATA_HINT_CHARS];
} prfdata_hint_pane;

/* Make the window, which is hidden; the theme is set already. */
void prfdata_hint_pane_create(prfdata_hint_pane *pane, HWND parent);

/* Take the colours and fonts of the theme, which has changed. */
void prfdata_hint_pane_apply_theme(prfdata_hint_pane *pane);

/* Show a text, and what can be done: commands, of which 0 is none. */
void prfdata_hint_pane_show(prfdata_hint_pane *pane, const wchar_t *text,
                            const uint32_t commands[PRFDATA_HINT_BUTTONS]);

#endif
