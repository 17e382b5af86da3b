/* SPDX-License-Identifier: MIT */
/*
 * Draws the menus while the theme is dark: their items are owner-drawn then, and the system's
 * otherwise. Owner-drawn items have no names for screen readers but by MSAAMENUINFO, and no
 * mnemonics but by WM_MENUCHAR.
 */
#include "prfview/app.h"

#include <string.h>
#include <wchar.h>

#define MOST_ITEMS 130
#define TEXT_CHARS 100

/* What dwItemData of an item points to. The first three are MSAAMENUINFO of <oleacc.h>. */
typedef struct dark_item {
    DWORD signature;
    DWORD char_count;
    wchar_t *chars;
    wchar_t text[TEXT_CHARS]; /* with mnemonic and key */
    bool is_in_bar;
    bool has_menu;
} dark_item;

#define MSAA_SIGNATURE 0xAA0DF00Du /* MSAA_MENU_SIG */

/* ---- Making items ours ---- */

static dark_item *item_of(HMENU menu, UINT position)
{
    MENUITEMINFOW info = {.cbSize = sizeof info, .fMask = MIIM_DATA};

    return GetMenuItemInfoW(menu, position, TRUE, &info) ? (dark_item *)info.dwItemData : NULL;
}

/* Each item keeps its data for as long as the program runs. */
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

void prfdata_dark_menu_update(const prfdata_app *app)
{
    MENUINFO info = {.cbSize = sizeof info, .fMask = MIM_BACKGROUND | MIM_APPLYTOSUBMENUS};

    info.hbrBack = app->theme.is_dark ? app->theme.face_brush : NULL;
    for (size_t i = 0; i < PRFDATA_APP_MENUS; i++) {
        change_menu(app->menus[i], app->theme.is_dark, i == PRFDATA_APP_BAR);
        SetMenuInfo(app->menus[i], &info);
    }
    DrawMenuBar(app->window);
}

/* ---- Drawing ---- */

static int32_t check_width(const prfdata_app *app)
{
    return app->theme.text_height * 3 / 2;
}

void prfdata_dark_menu_measure(const prfdata_app *app, MEASUREITEMSTRUCT *measure)
{
    const dark_item *item = (const dark_item *)measure->itemData;
    HDC dc;
    HGDIOBJ before;
    RECT area = {0, 0, 0, 0};

    if (measure->CtlType != ODT_MENU || !item)
        return;
    dc = GetDC(app->window);
    before = SelectObject(dc, app->theme.font);
    DrawTextW(dc, item->text, -1, &area, DT_SINGLELINE | DT_EXPANDTABS | DT_CALCRECT);
    SelectObject(dc, before);
    ReleaseDC(app->window, dc);
    measure->itemWidth = (UINT)area.right;
    measure->itemHeight = (UINT)(app->theme.text_height + prfdata_theme_pixels(&app->theme, 6));
    if (!item->is_in_bar)
        measure->itemWidth += (UINT)(3 * check_width(app));
    if (item->char_count == 0)
        measure->itemHeight = (UINT)prfdata_theme_pixels(&app->theme, 7);
}

/* What stands before the text: a tick, or a dot where one of several is chosen. */
static void draw_check(const prfdata_app *app, HDC dc, const RECT *area, bool is_one_of)
{
    const int32_t size = app->theme.text_height / 4;
    const int32_t x = area->left + check_width(app) / 2;
    const int32_t y = (area->top + area->bottom) / 2;
    const POINT tick[] = {{x - size, y}, {x - size / 3, y + size}, {x + size, y - size}};
    HPEN pen = CreatePen(PS_SOLID, prfdata_theme_pixels(&app->theme, 2), app->theme.text);
    HGDIOBJ before = SelectObject(dc, pen);

    if (is_one_of)
        Ellipse(dc, x - size / 2, y - size / 2, x + size / 2, y + size / 2);
    else
        Polyline(dc, tick, 3);
    SelectObject(dc, before);
    DeleteObject(pen);
}

/* The system would draw the arrow of a submenu in black: the item's place is closed to it. */
static void draw_submenu_arrow(const prfdata_app *app, HDC dc, const RECT *area)
{
    const int32_t size = app->theme.text_height / 4;
    const int32_t x = area->right - check_width(app) / 2;
    const int32_t y = (area->top + area->bottom) / 2;
    const POINT corners[] = {{x - size / 2, y - size}, {x + size / 2, y}, {x - size / 2, y + size}};
    HPEN pen = CreatePen(PS_SOLID, 1, app->theme.text);
    HGDIOBJ before = SelectObject(dc, pen);

    Polyline(dc, corners, 3);
    SelectObject(dc, before);
    DeleteObject(pen);
    ExcludeClipRect(dc, area->left, area->top, area->right, area->bottom);
}

static void draw_item_text(const prfdata_app *app, HDC dc, const RECT *area, const dark_item *item,
                           UINT state)
{
    const UINT format = DT_SINGLELINE | DT_VCENTER | ((state & ODS_NOACCEL) ? DT_HIDEPREFIX : 0u);
    const wchar_t *tab = wcschr(item->text, '\t');
    const int length = tab ? (int)(tab - item->text) : (int)item->char_count;
    RECT text = *area;

    SetBkMode(dc, TRANSPARENT);
    SetTextColor(dc, (state & (ODS_GRAYED | ODS_DISABLED)) ? app->theme.disabled : app->theme.text);
    if (!item->is_in_bar) {
        text.left += check_width(app);
        text.right -= check_width(app);
    }
    DrawTextW(dc, item->text, length, &text, format | (item->is_in_bar ? DT_CENTER : DT_LEFT));
    if (tab)
        DrawTextW(dc, tab + 1, -1, &text, DT_SINGLELINE | DT_VCENTER | DT_RIGHT | DT_NOPREFIX);
}

/* A separator, in the middle of its row. */
static void draw_separator(const prfdata_app *app, HDC dc, const RECT *area)
{
    RECT line = *area;

    line.top = (line.top + line.bottom) / 2;
    line.bottom = line.top + 1;
    SetBkColor(dc, app->theme.edge);
    ExtTextOutW(dc, 0, 0, ETO_OPAQUE, &line, NULL, 0, NULL);
}

void prfdata_dark_menu_draw(const prfdata_app *app, const DRAWITEMSTRUCT *draw)
{
    const dark_item *item = (const dark_item *)draw->itemData;
    const bool is_lit = (draw->itemState & (ODS_SELECTED | ODS_HOTLIGHT)) != 0;
    MENUITEMINFOW info = {.cbSize = sizeof info, .fMask = MIIM_FTYPE};
    HGDIOBJ before;

    if (draw->CtlType != ODT_MENU || !item)
        return;
    before = SelectObject(draw->hDC, app->theme.font);
    SetBkColor(draw->hDC, is_lit ? app->theme.lit : app->theme.face);
    ExtTextOutW(draw->hDC, 0, 0, ETO_OPAQUE, &draw->rcItem, NULL, 0, NULL);
    if (item->char_count == 0)
        draw_separator(app, draw->hDC, &draw->rcItem);
    else
        draw_item_text(app, draw->hDC, &draw->rcItem, item, draw->itemState);
    if (draw->itemState & ODS_CHECKED) {
        (void)GetMenuItemInfoW((HMENU)draw->hwndItem, draw->itemID, FALSE, &info);
        draw_check(app, draw->hDC, &draw->rcItem, (info.fType & MFT_RADIOCHECK) != 0);
    }
    SelectObject(draw->hDC, before);
    if (item->has_menu && !item->is_in_bar)
        draw_submenu_arrow(app, draw->hDC, &draw->rcItem);
}

void prfdata_dark_menu_cover_frame(const prfdata_app *app)
{
    HMENU menu = app->menus[PRFDATA_APP_BAR];
    MENUBARINFO bar = {.cbSize = sizeof bar};
    RECT window;
    RECT item = {0};
    RECT line;
    RECT rest;
    HDC dc;

    if (!app->theme.is_dark || !GetMenuBarInfo(app->window, OBJID_MENU, 0, &bar) ||
        !GetWindowRect(app->window, &window))
        return;
    line = (RECT){bar.rcBar.left, bar.rcBar.bottom, bar.rcBar.right, bar.rcBar.bottom + 1};
    rest = bar.rcBar;
    if (GetMenuItemRect(app->window, menu, (UINT)GetMenuItemCount(menu) - 1, &item))
        rest.left = item.right;
    OffsetRect(&line, -window.left, -window.top);
    OffsetRect(&rest, -window.left, -window.top);
    dc = GetWindowDC(app->window);
    FillRect(dc, &line, app->theme.face_brush);
    if (item.top == bar.rcBar.top) /* else the bar has several rows */
        FillRect(dc, &rest, app->theme.face_brush);
    ReleaseDC(app->window, dc);
}

/* ---- Mnemonics ---- */

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
