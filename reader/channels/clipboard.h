/* SPDX-License-Identifier: MIT */
/* The clipboard. Only the window's thread calls. */
#ifndef PRFDATA_READER_CLIPBOARD_H
#define PRFDATA_READER_CLIPBOARD_H

#include <stdbool.h>

#include <windows.h>

#include "text/output.h"

/* Copy a text in UTF-8. Returns false: it is not copied. */
bool prfdata_clipboard_copy(HWND window, const prfdata_output *output);

#endif
