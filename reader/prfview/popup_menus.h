/* SPDX-License-Identifier: MIT */
/* The menus that come up at the pointer, or with Shift+F10. */
#ifndef PRFDATA_READER_POPUP_MENUS_H
#define PRFDATA_READER_POPUP_MENUS_H

#include "prfview/app.h"

/* Make the menus that come up at a part of the window. */
void prfdata_popup_menus_make(prfdata_app *app);
/* Show the menu of a part at a place of the screen; -1, -1: at what has the focus in it. */
void prfdata_popup_menus_show(prfdata_app *app, HWND part, int32_t x, int32_t y);

#endif
