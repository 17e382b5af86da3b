/* SPDX-License-Identifier: MIT */
/* Makes the main window, and passes each message to the code that handles it. */
#include "prfview/main_window.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <shellapi.h>
#include <windowsx.h>

#include "panes/dark_menu.h"
#include "prfview/arrangement.h"
#include "prfview/changes.h"
#include "prfview/commands.h"
#include "prfview/documents.h"
#include "prfview/incoming.h"
#include "prfview/pages.h"
#include "prfview/parts.h"
#include "prfview/popup_menus.h"
#include "prfview/remembered.h"
#include "prfview/tools.h"

#define WINDOW_CLASS L"PrfView"
#define STATUS_TIMER 1

/* ---- The pointer ---- */

static bool set_splitter_cursor(const prfdata_app *app)
{
    POINT at;
    int splitter;

    GetCursorPos(&at);
    ScreenToClient(app->window, &at);
    splitter = prfdata_arrangement_splitter_at(app, at.x, at.y);
    if (splitter != 0)
        SetCursor(LoadCursorW(NULL, splitter == 1 ? (LPCWSTR)IDC_SIZEWE : (LPCWSTR)IDC_SIZENS));
    return splitter != 0;
}

/* The user has dropped a counter. If the pointer is over the chart or the legend, add the counter
 * to the chart. */
static void drop_counter(prfdata_app *app, int32_t x, int32_t y)
{
    HWND from = app->dragged_from;
    POINT at = {x, y};
    HWND target = ChildWindowFromPoint(app->window, at);

    app->dragged_from = NULL;
    if (target != app->parts[PRFDATA_APP_PLOT] && target != app->parts[PRFDATA_APP_LEGEND])
        return;
    SetFocus(from);
    prfdata_commands_run(app, IDC_ADD);
}

static void begin_drag(prfdata_app *app, HWND from)
{
    app->dragged_from = from;
    SetCapture(app->window);
}

static void release_pointer(prfdata_app *app, int32_t x, int32_t y)
{
    if (app->dragged_from)
        drop_counter(app, x, y);
    app->splitting = 0;
    if (GetCapture() == app->window)
        ReleaseCapture();
}

/* ---- The search ---- */

static void search(prfdata_app *app)
{
    wchar_t found_text[PRFDATA_STRINGS_CHARS];
    wchar_t chars[100];
    wchar_t count[PRFDATA_STRINGS_COUNT];
    prfdata_text text = {(const uint16_t *)chars, 0};
    uint32_t found;

    text.count = (size_t)GetWindowTextW(app->parts[PRFDATA_APP_SEARCH], chars, 100);
    found = prfdata_viewer_search(&app->viewer, text);
    if (!app->viewer.has_titles)
        return; /* the viewer applies the search to the next source */
    prfdata_strings_count(app->style, found, count);
    prfdata_status_bar_set(
        &app->status, PRFDATA_NOTICES_SEARCH,
        /* A search with only a condition filters rows. The heading of the table shows their
         * number, so the status bar does not. */
        prfdata_viewer_searched_text(&app->viewer, NULL).count > 0
            ? prfdata_strings_format(found_text, IDS_STATUS_SEARCH, count, NULL, NULL)
            : L"");
    /* Clear the last message, so that the result of the search is visible. */
    prfdata_status_bar_say(&app->status, L"");
}

/* ---- Messages ---- */

static void run_control(prfdata_app *app, WPARAM wparam, LPARAM lparam)
{
    HWND control = (HWND)lparam;

    if (!control || control == app->tools)
        prfdata_commands_run(app, LOWORD(wparam));
    else if (control == app->parts[PRFDATA_APP_SEARCH] && HIWORD(wparam) == EN_CHANGE)
        search(app);
    else if (control == app->parts[PRFDATA_APP_INTERVAL] && HIWORD(wparam) == CBN_SELCHANGE)
        prfdata_commands_run(app,
                             IDC_INTERVAL + (uint32_t)SendMessageW(control, CB_GETCURSEL, 0, 0));
    else if (control == app->plot.window && HIWORD(wparam) == PRFDATA_CHART_PANE_HOVERS)
        prfdata_legend_pane_update(&app->legend, app->plot.hover);
    else if ((control == app->tree.window && HIWORD(wparam) == PRFDATA_TREE_PANE_DRAGS) ||
             (control == app->table.window && HIWORD(wparam) == PRFDATA_TABLE_PANE_DRAGS))
        begin_drag(app, control);
    else if (control == app->parts[PRFDATA_APP_PAUSE] && HIWORD(wparam) == BN_CLICKED)
        prfdata_commands_run(app, IDC_PAUSE);
    else if (control == app->parts[PRFDATA_APP_REFRESH] && HIWORD(wparam) == BN_CLICKED)
        prfdata_commands_run(app, IDC_REFRESH);
}

static LRESULT notify(prfdata_app *app, const NMHDR *header)
{
    if (header->hwndFrom == app->table.columns.tips && header->code == TTN_GETDISPINFOW)
        prfdata_table_columns_set_tip(&app->table.columns, (NMTTDISPINFOW *)(uintptr_t)header);
    if (header->code == TTN_GETDISPINFOW &&
        prfdata_tools_set_tip(app, (NMTTDISPINFOW *)(uintptr_t)header))
        return 0;
    if (header->hwndFrom == app->tools && header->code == NM_CUSTOMDRAW)
        return prfdata_tools_draw(app, (NMTBCUSTOMDRAW *)(uintptr_t)header);
    if (header->hwndFrom == app->parts[PRFDATA_APP_TREE])
        return prfdata_tree_pane_notify(&app->tree, header);
    if (header->hwndFrom == app->parts[PRFDATA_APP_TABLE])
        return prfdata_table_pane_notify(&app->table, header);
    if (header->hwndFrom == app->parts[PRFDATA_APP_LEGEND])
        return prfdata_legend_pane_notify(&app->legend, header);
    if (header->hwndFrom == app->parts[PRFDATA_APP_TABS] && header->code == TCN_SELCHANGE)
        prfdata_pages_show(app,
                           (prfdata_app_page)SendMessageW(header->hwndFrom, TCM_GETCURSEL, 0, 0));
    return 0;
}

static LRESULT colour_part(const prfdata_app *app, UINT message, HDC dc, LPARAM part)
{
    const bool is_field = message == WM_CTLCOLOREDIT || message == WM_CTLCOLORLISTBOX ||
                          part == (LPARAM)app->parts[PRFDATA_APP_BYTES];

    SetTextColor(dc, is_field || app->theme.is_dark ? app->theme.text : GetSysColor(COLOR_BTNTEXT));
    SetBkColor(dc, is_field ? app->theme.back : app->theme.face);
    return (LRESULT)(is_field ? app->theme.back_brush : app->theme.face_brush);
}

static void erase_background(const prfdata_app *app, HDC dc)
{
    RECT area;

    GetClientRect(app->window, &area);
    FillRect(dc, &area, app->theme.face_brush);
}

static void save_what_is_shown(prfdata_app *app)
{
    if (app->options->file.count == 0 && app->options->name_count == 0 && app->is_restored)
        prfdata_remembered_save_own(app);
}

/*
 * Handles the end of the session, by logoff or shutdown. Afterwards the system ends the process
 * without WM_CLOSE ("WM_ENDSESSION message", learn.microsoft.com). So this function saves the
 * settings and ends a recording, but does not wait for providers.
 */
static void end_session(prfdata_app *app)
{
    save_what_is_shown(app);
    prfdata_documents_end_record(app);
}

static void close_window(prfdata_app *app)
{
    save_what_is_shown(app);
    /* Hide the window first, because ending the reading process may take a moment. */
    ShowWindow(app->window, SW_HIDE);
    KillTimer(app->window, STATUS_TIMER);
    prfdata_reading_stop(app->reading);
    prfdata_reading_stop(app->former);
    app->reading = app->former = NULL;
    prfdata_documents_end_record(app);
    prfdata_notices_free(&app->status.notices);
    prfdata_column_sets_free(&app->column_sets);
    DestroyWindow(app->window);
}

static LRESULT handle_pointer(prfdata_app *app, UINT message, LPARAM lparam)
{
    const int32_t x = GET_X_LPARAM(lparam);
    const int32_t y = GET_Y_LPARAM(lparam);

    if (message == WM_LBUTTONDOWN) {
        app->splitting = prfdata_arrangement_splitter_at(app, x, y);
        if (app->splitting != 0)
            SetCapture(app->window);
    } else if (message == WM_MOUSEMOVE && app->splitting != 0) {
        prfdata_arrangement_move_splitter(app, x, y);
    } else if (message == WM_MOUSEMOVE && app->dragged_from) {
        SetCursor(LoadCursorW(NULL, (LPCWSTR)IDC_HAND));
    } else if (message == WM_LBUTTONUP) {
        release_pointer(app, x, y);
    } else if (message == WM_CAPTURECHANGED) {
        /* The window no longer has the mouse, so nothing is held. */
        app->splitting = 0;
        app->dragged_from = NULL;
    }
    return 0;
}

static void set_least_size(const prfdata_app *app, MINMAXINFO *info)
{
    info->ptMinTrackSize.x = prfdata_theme_pixels(&app->theme, 560);
    info->ptMinTrackSize.y = prfdata_theme_pixels(&app->theme, 400);
}

/* Adapt to the DPI of another screen. The widths of columns are noted first, because they are in
 * pixels at the previous DPI. */
static void change_dpi(prfdata_app *app, uint32_t dpi, const RECT *area)
{
    const uint32_t before = app->theme.dpi;

    prfdata_table_columns_keep(&app->table.columns);
    SetWindowPos(app->window, NULL, area->left, area->top, area->right - area->left,
                 area->bottom - area->top, SWP_NOZORDER | SWP_NOACTIVATE);
    prfdata_parts_apply_theme(app, dpi);
    if (before > 0) {
        app->tree_width = MulDiv(app->tree_width, (int)app->theme.dpi, (int)before);
        app->legend_height = MulDiv(app->legend_height, (int)app->theme.dpi, (int)before);
    }
    prfdata_table_columns_make(&app->table.columns);
    prfdata_arrangement_update(app);
}

/* Handle messages that draw the menu and the frame in dark mode. */
static LRESULT handle_frame(const prfdata_app *app, UINT message, WPARAM wparam, LPARAM lparam)
{
    LRESULT result;

    switch (message) {
    case WM_MEASUREITEM:
        prfdata_dark_menu_measure(&app->theme, app->window, (MEASUREITEMSTRUCT *)lparam);
        return TRUE;
    case WM_DRAWITEM:
        prfdata_dark_menu_draw(&app->theme, (const DRAWITEMSTRUCT *)lparam);
        return TRUE;
    case WM_MENUCHAR:
        return prfdata_dark_menu_find((HMENU)lparam, (wchar_t)LOWORD(wparam));
    default:
        result = DefWindowProcW(app->window, message, wparam, lparam);
        if (message == WM_NCPAINT || message == WM_NCACTIVATE || message == WM_SETTEXT)
            prfdata_dark_menu_cover_frame(&app->theme, app->window);
        return result;
    }
}

static void open_dropped_file(prfdata_app *app, HDROP drop)
{
    wchar_t path[MAX_PATH];

    if (DragQueryFileW(drop, 0, path, MAX_PATH) > 0)
        (void)prfdata_documents_open(app, prfdata_strings_borrow(path));
    DragFinish(drop);
}

/* Remember the focus when another window becomes active. Afterwards, part_to_focus() returns the
 * part that had the focus. */
static void note_focus(prfdata_app *app, bool is_active)
{
    HWND focus = GetFocus();

    if (!is_active && focus && IsChild(app->window, focus))
        app->focus = focus;
}

static HWND part_to_focus(const prfdata_app *app)
{
    if (app->focus && IsChild(app->window, app->focus) && IsWindowVisible(app->focus) &&
        IsWindowEnabled(app->focus))
        return app->focus;
    return app->parts[PRFDATA_APP_TREE];
}

/* The lParam of WM_SETTINGCHANGE if the form of numbers, dates and times has changed
 * (learn.microsoft.com, "WM_SETTINGCHANGE message"). */
#define LOCALE_SETTINGS L"intl"

/* Returns whether a setting concerns fonts, sizes, colours, or the form of numbers and times. */
static bool is_setting_of_look(WPARAM action, const wchar_t *area)
{
    static const wchar_t *const areas[] = {L"ImmersiveColorSet", L"WindowMetrics",
                                           L"WindowsThemeElement", LOCALE_SETTINGS};

    if (action == SPI_SETNONCLIENTMETRICS || action == SPI_SETHIGHCONTRAST ||
        action == SPI_SETICONTITLELOGFONT || action == SPI_SETICONMETRICS)
        return true;
    for (size_t i = 0; area && i < sizeof areas / sizeof areas[0]; i++) {
        if (wcscmp(area, areas[i]) == 0)
            return true;
    }
    return false;
}

static void change_setting(prfdata_app *app, WPARAM action, const wchar_t *area)
{
    if (area && wcscmp(area, LOCALE_SETTINGS) == 0)
        app->style = app->viewer.style = prfdata_strings_number_style();
    if (is_setting_of_look(action, area))
        prfdata_parts_apply_theme(app, 0);
}

static BOOL CALLBACK pass_colour_change(HWND child, LPARAM unused)
{
    (void)unused;
    SendMessageW(child, WM_SYSCOLORCHANGE, 0, 0);
    return TRUE;
}

static LRESULT handle_window(prfdata_app *app, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_DROPFILES:
        open_dropped_file(app, (HDROP)wparam);
        return 0;
    case WM_SIZE:
        prfdata_arrangement_update(app);
        prfdata_changes_show_status(app);
        return 0;
    case WM_GETMINMAXINFO:
        set_least_size(app, (MINMAXINFO *)lparam);
        return 0;
    case 0x02E0: /* WM_DPICHANGED, which headers for Windows 7 lack */
        change_dpi(app, LOWORD(wparam), (const RECT *)lparam);
        return 0;
    case WM_SETTINGCHANGE:
        change_setting(app, wparam, (const wchar_t *)lparam);
        return 0;
    /* Pass this message on, because common controls get it only from their parent window
     * (documentation of common controls). */
    case WM_SYSCOLORCHANGE:
        EnumChildWindows(app->window, pass_colour_change, 0);
        prfdata_parts_apply_theme(app, 0);
        return 0;
    case WM_THEMECHANGED:
        prfdata_parts_apply_theme(app, 0);
        return 0;
    case WM_ACTIVATE:
        note_focus(app, LOWORD(wparam) != WA_INACTIVE);
        return DefWindowProcW(app->window, message, wparam, lparam);
    case WM_TIMER:
        prfdata_changes_show_status(app);
        return 0;
    case WM_CLOSE:
        close_window(app);
        return 0;
    case WM_ENDSESSION:
        if (wparam)
            end_session(app);
        return 0;
    case WM_DESTROY:
        PostQuitMessage(0);
        return 0;
    case WM_SETFOCUS:
        SetFocus(part_to_focus(app));
        return 0;
    default:
        return handle_frame(app, message, wparam, lparam);
    }
}

static LRESULT CALLBACK window_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    prfdata_app *app = (prfdata_app *)GetWindowLongPtrW(window, GWLP_USERDATA);

    if (!app || prfdata_incoming_take(app, message, wparam, lparam))
        return app ? 0 : DefWindowProcW(window, message, wparam, lparam);
    switch (message) {
    case WM_COMMAND:
        run_control(app, wparam, lparam);
        prfdata_tools_update(app);
        return 0;
    case WM_NOTIFY:
        return notify(app, (const NMHDR *)lparam);
    case WM_INITMENU:
        prfdata_commands_update_menu(app);
        return 0;
    case WM_CONTEXTMENU:
        prfdata_popup_menus_show(app, (HWND)wparam, GET_X_LPARAM(lparam), GET_Y_LPARAM(lparam));
        return 0;
    case WM_CTLCOLOREDIT:
    case WM_CTLCOLORSTATIC:
    case WM_CTLCOLORLISTBOX:
    case WM_CTLCOLORBTN:
        return colour_part(app, message, (HDC)wparam, lparam);
    case WM_ERASEBKGND:
        erase_background(app, (HDC)wparam);
        return 1;
    case WM_LBUTTONDOWN:
    case WM_LBUTTONUP:
    case WM_MOUSEMOVE:
    case WM_CAPTURECHANGED:
        return handle_pointer(app, message, lparam);
    case WM_SETCURSOR:
        prfdata_table_columns_move_pointer(&app->table.columns, (HWND)wparam);
        if (LOWORD(lparam) == HTCLIENT && (HWND)wparam == window && set_splitter_cursor(app))
            return TRUE;
        return DefWindowProcW(window, message, wparam, lparam);
    default:
        return handle_window(app, message, wparam, lparam);
    }
}

/* ---- Making it ---- */

static bool register_window(const prfdata_app *app)
{
    const WNDCLASSEXW main = {.cbSize = sizeof main,
                              .lpfnWndProc = window_procedure,
                              .hInstance = app->instance,
                              .hIcon = LoadIconW(app->instance, MAKEINTRESOURCEW(IDI_PRFVIEW)),
                              .hCursor = LoadCursorW(NULL, (LPCWSTR)IDC_ARROW),
                              .lpszClassName = WINDOW_CLASS};

    return RegisterClassExW(&main) != 0 && prfdata_chart_pane_register(app->instance);
}

HWND prfdata_main_window_create(prfdata_app *app, int show)
{
    if (!register_window(app))
        return NULL;
    app->menus[PRFDATA_APP_BAR] = prfdata_commands_menu(app);
    prfdata_popup_menus_make(app);
    app->window = CreateWindowExW(0, WINDOW_CLASS, prfdata_strings_get(IDS_TITLE),
                                  WS_OVERLAPPEDWINDOW | WS_CLIPCHILDREN, CW_USEDEFAULT,
                                  CW_USEDEFAULT, CW_USEDEFAULT, CW_USEDEFAULT, NULL,
                                  app->menus[PRFDATA_APP_BAR], app->instance, NULL);
    if (!app->window)
        return NULL;
    prfdata_theme_update(&app->theme, app->window, 0);
    prfdata_arrangement_begin(app);
    prfdata_parts_create(app);
    SetWindowLongPtrW(app->window, GWLP_USERDATA, (LONG_PTR)app);
    prfdata_parts_apply_theme(app, 0);
    prfdata_pages_show(app, PRFDATA_APP_CHART);
    prfdata_changes_show_status(app);
    SetTimer(app->window, STATUS_TIMER, 500, NULL);
    DragAcceptFiles(app->window, TRUE);
    ShowWindow(app->window, show);
    return app->window;
}
