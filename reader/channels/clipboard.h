/* SPDX-License-Identifier: MIT */
/* Copies text to the clipboard. Call it only from the window's thread. */
#ifndef PRFDATA_READER_CLIPBOARD_H
#define PRFDATA_READER_CLIPBOARD_H

#include <stdbool.h>

#include <windows.h>

#include "text/output.h"

/* Put a text on the clipboard. `output` contains UTF-8. Returns false on failure. */
bool prfdata_clipboard_copy(HWND window, const prfdata_output *output);

#endif
