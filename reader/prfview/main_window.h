/* SPDX-License-Identifier: MIT */
/* Makes the main window and handles its messages. */
#ifndef PRFDATA_READER_MAIN_WINDOW_H
#define PRFDATA_READER_MAIN_WINDOW_H

#include "prfview/app.h"

/* Make the window with all of its parts; NULL: it cannot be made. */
HWND prfdata_main_window_create(prfdata_app *app, int show);

#endif
