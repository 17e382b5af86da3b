/* SPDX-License-Identifier: MIT */
/*
 * Gives menus the colours of a theme. Menus are owner-drawn while the theme is dark; otherwise they
 * have the system's colours. Call it only from the window's thread.
 */
#ifndef PRFDATA_READER_DARK_MENU_H
#define PRFDATA_READER_DARK_MENU_H

#include "panes/theme.h"

/* Give a menu the theme's colours, or the system's colours again. The caller must redraw a menu
 * bar. */
void prfdata_dark_menu_colour(HMENU menu, bool is_bar, const prfdata_theme *theme);

/* Give a command another text, in a menu or in one of its submenus. */
void prfdata_dark_menu_name(HMENU menu, uint32_t command, const wchar_t *text);

/* Handle WM_MEASUREITEM, WM_DRAWITEM and WM_MENUCHAR of owner-drawn menus. */
void prfdata_dark_menu_measure(const prfdata_theme *theme, HWND window, MEASUREITEMSTRUCT *measure);
void prfdata_dark_menu_draw(const prfdata_theme *theme, const DRAWITEMSTRUCT *draw);
LRESULT prfdata_dark_menu_find(HMENU menu, wchar_t c);

/*
 * Cover the parts of the frame that the system draws light: the line below the menu bar and, under
 * Wine, the bar to the right of the last menu. Call this after WM_NCPAINT, WM_NCACTIVATE and
 * WM_SETTEXT.
 */
void prfdata_dark_menu_cover_frame(const prfdata_theme *theme, HWND window);

#endif
