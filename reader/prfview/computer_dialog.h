/* SPDX-License-Identifier: MIT */
/* Asks for the name of another computer. Only the window's thread calls. */
#ifndef PRFDATA_READER_COMPUTER_DIALOG_H
#define PRFDATA_READER_COMPUTER_DIALOG_H

#include "panes/theme.h"

/* Ask. Returns false if the user cancelled. capacity: of the name, with its NUL. */
bool prfdata_computer_dialog_ask(HWND parent, const prfdata_theme *theme, wchar_t *name,
                                 size_t capacity);

#endif
