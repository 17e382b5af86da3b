/* SPDX-License-Identifier: MIT */
/* The main window, and the messages that it gets. */
#ifndef PRFDATA_READER_MAIN_WINDOW_H
#define PRFDATA_READER_MAIN_WINDOW_H

#include "prfview/app.h"

/* Make the window with everything in it; NULL: it cannot be made. */
HWND prfdata_main_window_create(prfdata_app *app, int show);

#endif
