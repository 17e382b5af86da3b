/* SPDX-License-Identifier: MIT */
/* Shows the menus that appear at the pointer, or with Shift+F10. */
#ifndef PRFDATA_READER_POPUP_MENUS_H
#define PRFDATA_READER_POPUP_MENUS_H

#include "prfview/app.h"

/* Make the popup menus of the window's parts. */
void prfdata_popup_menus_make(prfdata_app *app);
/* Show the menu of a part at a place of the screen; -1, -1: at the focused item. */
void prfdata_popup_menus_show(prfdata_app *app, HWND part, int32_t x, int32_t y);

#endif
