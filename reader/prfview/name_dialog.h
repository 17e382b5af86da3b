/* SPDX-License-Identifier: MIT */
/* Asks for a short text, such as a name or a number, in a dialog with one field. */
#ifndef PRFDATA_READER_NAME_DIALOG_H
#define PRFDATA_READER_NAME_DIALOG_H

#include <stdbool.h>

#include "panes/theme.h"

/*
 * Ask, and wait for the answer.
 *
 * title     The number of the string with the dialog's title.
 * label     What to enter.
 * name      Shown at first; gets the answer. `capacity` is in chars with the NUL.
 *
 * Returns false if the user cancelled.
 */
bool prfdata_name_dialog_ask(HWND parent, const prfdata_theme *theme, uint32_t title,
                             const wchar_t *label, wchar_t *name, size_t capacity);

#endif
