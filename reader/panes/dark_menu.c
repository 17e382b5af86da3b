/* SPDX-License-Identifier: MIT */
/*
 * Makes the items of menus owner-drawn while the theme is dark, and draws them. Owner-drawn items
 * give screen readers names only through MSAAMENUINFO, and have mnemonics only through WM_MENUCHAR.
 */
#include "panes/dark_menu.h"

#include <string.h>
#include <wchar.h>

#define MOST_ITEMS 130
#define TEXT_CHARS 100

/*
 * The data of an item, to which its dwItemData points. The first three members are MSAAMENUINFO of
 * <oleacc.h>.
 */
typedef struct dark_item {
    DWORD signature;
    DWORD char_count;
    wchar_t *chars;
    wchar_t text[TEXT_CHARS]; /* including the mnemonic and the key */
    bool is_in_bar;
    bool has_menu;
} dark_item;

#define MSAA_SIGNATURE 0xAA0DF00Du /* MSAA_MENU_SIG */

/* ---- Making items owner-drawn ---- */

static dark_item *item_of(HMENU menu, UINT position)
{
    MENUITEMINFOW info = {.cbSize = sizeof info, .fMask = MIIM_DATA};

    return GetMenuItemInfoW(menu, position, TRUE, &info) ? (dark_item *)info.dwItemData : NULL;
}

static dark_item *make_item(HMENU menu, UINT position, bool is_in_bar)
{
    static dark_item items[MOST_ITEMS];
    static size_t count;
    dark_item *item;

    if (count == MOST_ITEMS)
        return NULL;
    item = &items[count++];
    GetMenuStringW(menu, position, item->text, TEXT_CHARS, MF_BYPOSITION);
    item->signature = MSAA_SIGNATURE;
    item->chars = item->text;
    item->char_count = (DWORD)wcslen(item->text);
    item->is_in_bar = is_in_bar;
    item->has_menu = GetSubMenu(menu, (int)position) != NULL;
    return item;
}

static void change_item(HMENU menu, UINT position, bool is_dark, bool is_in_bar)
{
    MENUITEMINFOW info = {.cbSize = sizeof info, .fMask = MIIM_FTYPE | MIIM_DATA};
    dark_item *item;

    if (!GetMenuItemInfoW(menu, position, TRUE, &info))
        return;
    if (is_dark && !info.dwItemData)
        info.dwItemData = (ULONG_PTR)make_item(menu, position, is_in_bar);
    item = (dark_item *)info.dwItemData;
    if (!item)
        return;
    info.fType = (info.fType & ~(UINT)MFT_OWNERDRAW) | (is_dark ? (UINT)MFT_OWNERDRAW : 0u);
    if (!is_dark && !(info.fType & MFT_SEPARATOR)) {
        info.fMask |= MIIM_STRING;
        info.dwTypeData = item->text;
    }
    SetMenuItemInfoW(menu, position, TRUE, &info);
}

static void change_menu(HMENU menu, bool is_dark, bool is_in_bar)
{
    const int count = GetMenuItemCount(menu);

    for (int i = 0; i < count; i++) {
        HMENU below = GetSubMenu(menu, i);

        change_item(menu, (UINT)i, is_dark, is_in_bar);
        if (below)
            change_menu(below, is_dark, false);
    }
}

void prfdata_dark_menu_colour(HMENU menu, bool is_bar, const prfdata_theme *theme)
{
    const MENUINFO info = {.cbSize = sizeof info,
                           .fMask = MIM_BACKGROUND | MIM_APPLYTOSUBMENUS,
                           .hbrBack = theme->is_dark ? theme->face_brush : NULL};

    change_menu(menu, theme->is_dark, is_bar);
    SetMenuInfo(menu, &info);
}

void prfdata_dark_menu_name(HMENU menu, uint32_t command, const wchar_t *text)
{
    MENUITEMINFOW info = {.cbSize = sizeof info, .fMask = MIIM_FTYPE | MIIM_DATA};
    dark_item *item;

    if (!GetMenuItemInfoW(menu, command, FALSE, &info))
        return;
    item = (dark_item *)info.dwItemData;
    if (item) {
        (void)wcsncpy(item->text, text, TEXT_CHARS - 1);
        item->char_count = (DWORD)wcslen(item->text);
    }
    if (info.fType & MFT_OWNERDRAW)
        return; /* the item is drawn from its data */
    info.fMask = MIIM_STRING;
    info.dwTypeData = (wchar_t *)(uintptr_t)text;
    SetMenuItemInfoW(menu, command, FALSE, &info);
}

/* ---- Drawing ---- */

static int32_t check_width(const prfdata_theme *theme)
{
    return theme->text_height * 3 / 2;
}

void prfdata_dark_menu_measure(const prfdata_theme *theme, HWND window, MEASUREITEMSTRUCT *measure)
{
    const dark_item *item = (const dark_item *)measure->itemData;
    HDC dc;
    HGDIOBJ before;
    RECT area = {0, 0, 0, 0};

    if (measure->CtlType != ODT_MENU || !item)
        return;
    dc = GetDC(window);
    before = SelectObject(dc, theme->font);
    DrawTextW(dc, item->text, -1, &area, DT_SINGLELINE | DT_EXPANDTABS | DT_CALCRECT);
    SelectObject(dc, before);
    ReleaseDC(window, dc);
    measure->itemWidth = (UINT)area.right;
    measure->itemHeight = (UINT)(theme->text_height + prfdata_theme_pixels(theme, 6));
    if (!item->is_in_bar)
        measure->itemWidth += (UINT)(3 * check_width(theme));
    if (item->char_count == 0)
        measure->itemHeight = (UINT)prfdata_theme_pixels(theme, 7);
}

/* Draw the mark before the text: a tick, or a dot if the item is the chosen one of a group. */
static void draw_check(const prfdata_theme *theme, HDC dc, const RECT *area, bool is_one_of)
{
    const int32_t size = theme->text_height / 4;
    const int32_t x = area->left + check_width(theme) / 2;
    const int32_t y = (area->top + area->bottom) / 2;
    const POINT tick[] = {{x - size, y}, {x - size / 3, y + size}, {x + size, y - size}};
    HPEN pen = CreatePen(PS_SOLID, prfdata_theme_pixels(theme, 2), theme->text);
    HGDIOBJ before = SelectObject(dc, pen);

    if (is_one_of)
        Ellipse(dc, x - size / 2, y - size / 2, x + size / 2, y + size / 2);
    else
        Polyline(dc, tick, 3);
    SelectObject(dc, before);
    DeleteObject(pen);
}

/*
 * Draw the arrow of a submenu, and exclude the item from further drawing, because the system would
 * draw a black arrow there.
 */
static void draw_submenu_arrow(const prfdata_theme *theme, HDC dc, const RECT *area)
{
    const int32_t size = theme->text_height / 4;
    const int32_t x = area->right - check_width(theme) / 2;
    const int32_t y = (area->top + area->bottom) / 2;
    const POINT corners[] = {{x - size / 2, y - size}, {x + size / 2, y}, {x - size / 2, y + size}};
    HPEN pen = CreatePen(PS_SOLID, 1, theme->text);
    HGDIOBJ before = SelectObject(dc, pen);

    Polyline(dc, corners, 3);
    SelectObject(dc, before);
    DeleteObject(pen);
    ExcludeClipRect(dc, area->left, area->top, area->right, area->bottom);
}

static void draw_item_text(const prfdata_theme *theme, HDC dc, const RECT *area,
                           const dark_item *item, UINT state)
{
    const UINT format = DT_SINGLELINE | DT_VCENTER | ((state & ODS_NOACCEL) ? DT_HIDEPREFIX : 0u);
    const wchar_t *tab = wcschr(item->text, '\t');
    const int length = tab ? (int)(tab - item->text) : (int)item->char_count;
    RECT text = *area;

    SetBkMode(dc, TRANSPARENT);
    SetTextColor(dc, (state & (ODS_GRAYED | ODS_DISABLED)) ? theme->disabled : theme->text);
    if (!item->is_in_bar) {
        text.left += check_width(theme);
        text.right -= check_width(theme);
    }
    DrawTextW(dc, item->text, length, &text, format | (item->is_in_bar ? DT_CENTER : DT_LEFT));
    if (tab)
        DrawTextW(dc, tab + 1, -1, &text, DT_SINGLELINE | DT_VCENTER | DT_RIGHT | DT_NOPREFIX);
}

static void draw_separator(const prfdata_theme *theme, HDC dc, const RECT *area)
{
    RECT line = *area;

    line.top = (line.top + line.bottom) / 2;
    line.bottom = line.top + 1;
    SetBkColor(dc, theme->edge);
    ExtTextOutW(dc, 0, 0, ETO_OPAQUE, &line, NULL, 0, NULL);
}

void prfdata_dark_menu_draw(const prfdata_theme *theme, const DRAWITEMSTRUCT *draw)
{
    const dark_item *item = (const dark_item *)draw->itemData;
    const bool is_lit = (draw->itemState & (ODS_SELECTED | ODS_HOTLIGHT)) != 0;
    MENUITEMINFOW info = {.cbSize = sizeof info, .fMask = MIIM_FTYPE};
    HGDIOBJ before;

    if (draw->CtlType != ODT_MENU || !item)
        return;
    before = SelectObject(draw->hDC, theme->font);
    SetBkColor(draw->hDC, is_lit ? theme->lit : theme->face);
    ExtTextOutW(draw->hDC, 0, 0, ETO_OPAQUE, &draw->rcItem, NULL, 0, NULL);
    if (item->char_count == 0)
        draw_separator(theme, draw->hDC, &draw->rcItem);
    else
        draw_item_text(theme, draw->hDC, &draw->rcItem, item, draw->itemState);
    if (draw->itemState & ODS_CHECKED) {
        (void)GetMenuItemInfoW((HMENU)draw->hwndItem, draw->itemID, FALSE, &info);
        draw_check(theme, draw->hDC, &draw->rcItem, (info.fType & MFT_RADIOCHECK) != 0);
    }
    SelectObject(draw->hDC, before);
    if (item->has_menu && !item->is_in_bar)
        draw_submenu_arrow(theme, draw->hDC, &draw->rcItem);
}

void prfdata_dark_menu_cover_frame(const prfdata_theme *theme, HWND window)
{
    HMENU menu = GetMenu(window);
    MENUBARINFO bar = {.cbSize = sizeof bar};
    RECT frame;
    RECT item = {0};
    RECT line;
    RECT rest;
    HDC dc;

    if (!theme->is_dark || !GetMenuBarInfo(window, OBJID_MENU, 0, &bar) ||
        !GetWindowRect(window, &frame))
        return;
    line = (RECT){bar.rcBar.left, bar.rcBar.bottom, bar.rcBar.right, bar.rcBar.bottom + 1};
    rest = bar.rcBar;
    if (GetMenuItemRect(window, menu, (UINT)GetMenuItemCount(menu) - 1, &item))
        rest.left = item.right;
    OffsetRect(&line, -frame.left, -frame.top);
    OffsetRect(&rest, -frame.left, -frame.top);
    dc = GetWindowDC(window);
    FillRect(dc, &line, theme->face_brush);
    if (item.top == bar.rcBar.top) /* otherwise `rest` covers items of other rows */
        FillRect(dc, &rest, theme->face_brush);
    ReleaseDC(window, dc);
}

static bool has_mnemonic(const dark_item *item, wchar_t c)
{
    const wchar_t *at = wcschr(item->text, '&');

    return at && CharUpperW((wchar_t *)(uintptr_t)at[1]) == CharUpperW((wchar_t *)(uintptr_t)c);
}

LRESULT prfdata_dark_menu_find(HMENU menu, wchar_t c)
{
    const int count = GetMenuItemCount(menu);

    for (int i = 0; i < count; i++) {
        const dark_item *item = item_of(menu, (UINT)i);

        if (item && has_mnemonic(item, c))
            return MAKELRESULT(i, MNC_EXECUTE);
    }
    return MAKELRESULT(0, MNC_IGNORE);
}
