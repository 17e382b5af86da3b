/* SPDX-License-Identifier: MIT */
/*
 * Menus in the colours of a theme: ours while it is dark, the system's otherwise. Only the window's
 * thread calls.
 */
#ifndef PRFDATA_READER_DARK_MENU_H
#define PRFDATA_READER_DARK_MENU_H

#include "panes/theme.h"

/* Give a menu the theme's colours, or back to the system. Who shows it as a bar draws that again.
 */
void prfdata_dark_menu_colour(HMENU menu, bool is_bar, const prfdata_theme *theme);

/* WM_MEASUREITEM, WM_DRAWITEM and WM_MENUCHAR of menus that are ours. */
void prfdata_dark_menu_measure(const prfdata_theme *theme, HWND window, MEASUREITEMSTRUCT *measure);
void prfdata_dark_menu_draw(const prfdata_theme *theme, const DRAWITEMSTRUCT *draw);
LRESULT prfdata_dark_menu_find(HMENU menu, wchar_t c);

/*
 * Cover what the frame draws light: the line below the menu bar and, under Wine, the rest of the
 * bar. After WM_NCPAINT, WM_NCACTIVATE and WM_SETTEXT.
 */
void prfdata_dark_menu_cover_frame(const prfdata_theme *theme, HWND window);

#endif
