/* SPDX-License-Identifier: MIT */
/* Shows a long text in a window of its own, with a scroll bar. */
#ifndef PRFDATA_READER_TEXT_WINDOW_H
#define PRFDATA_READER_TEXT_WINDOW_H

#include "panes/theme.h"
#include "text/output.h"

/*
 * Show a text until the user closes it.
 *
 * text  UTF-8; lines end with CR LF, and a tab begins the second column.
 */
void prfdata_text_window_show(HWND parent, const prfdata_theme *theme, const wchar_t *title,
                              const prfdata_output *text);

#endif
