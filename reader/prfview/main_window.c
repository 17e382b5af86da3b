/* SPDX-License-Identifier: MIT */
/*
 * The main window: makes the parts, places them, and passes each message on to the part or the
 * model that it is for. Knows Windows.
 */
#include "prfview/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <windowsx.h>

#define WINDOW_CLASS L"PrfView"
#define STATUS_TIMER 1
#define SPLITTER     6 /* pixels at 96 DPI */
#define FIRST_WIDTH  1200
#define FIRST_HEIGHT 800

/* ---- The parts ---- */

static HWND create_part(prfdata_app *app, prfdata_app_part part, const wchar_t *class_name,
                        const wchar_t *text, DWORD style, DWORD extended)
{
    app->parts[part] = CreateWindowExW(
        extended, class_name, text, WS_CHILD | WS_VISIBLE | style, 0, 0, 0, 0, app->window,
        (HMENU)(uintptr_t)(part + IDC_FIRST_PART), app->instance, NULL);
    return app->parts[part];
}

/* A label comes before its part: screen readers read it as the part's name. */
static void create_label(prfdata_app *app, prfdata_app_part part, uint32_t id)
{
    app->labels[part] = CreateWindowExW(0, L"STATIC", prfdata_strings_get(id),
                                        WS_CHILD | WS_VISIBLE | SS_LEFT | SS_ENDELLIPSIS, 0, 0, 0,
                                        0, app->window, NULL, app->instance, NULL);
}

static void create_head(prfdata_app *app)
{
    create_label(app, PRFDATA_APP_SEARCH, IDS_SEARCH_LABEL);
    create_part(app, PRFDATA_APP_SEARCH, L"EDIT", L"", WS_TABSTOP | WS_BORDER | ES_AUTOHSCROLL, 0);
    SendMessageW(app->parts[PRFDATA_APP_SEARCH], EM_SETCUEBANNER, TRUE,
                 (LPARAM)prfdata_strings_get(IDS_SEARCH_CUE));
    create_label(app, PRFDATA_APP_INTERVAL, IDS_INTERVAL_LABEL);
    create_part(app, PRFDATA_APP_INTERVAL, L"COMBOBOX", L"",
                WS_TABSTOP | WS_VSCROLL | CBS_DROPDOWNLIST, 0);
    for (uint32_t i = 0; i < IDC_INTERVAL_COUNT; i++) {
        wchar_t seconds[20];

        swprintf(seconds, 20, L"%g", prfdata_commands_interval(i) / 1000.0);
        SendMessageW(app->parts[PRFDATA_APP_INTERVAL], CB_ADDSTRING, 0,
                     (LPARAM)prfdata_strings_format(IDS_INTERVAL_ENTRY, seconds, NULL, NULL));
        if (prfdata_commands_interval(i) == app->interval_ms)
            SendMessageW(app->parts[PRFDATA_APP_INTERVAL], CB_SETCURSEL, i, 0);
    }
    create_part(app, PRFDATA_APP_PAUSE, L"BUTTON", prfdata_strings_get(IDS_PAUSE_BUTTON),
                WS_TABSTOP, 0);
    create_part(app, PRFDATA_APP_REFRESH, L"BUTTON", prfdata_strings_get(IDS_REFRESH_BUTTON),
                WS_TABSTOP, 0);
}

static void create_tabs(prfdata_app *app)
{
    create_part(app, PRFDATA_APP_TABS, WC_TABCONTROLW, L"", WS_TABSTOP | WS_CLIPSIBLINGS, 0);
    for (int i = 0; i < 3; i++) {
        TCITEMW item = {.mask = TCIF_TEXT};

        item.pszText = (wchar_t *)(uintptr_t)prfdata_strings_get(IDS_TAB_CHART + (uint32_t)i);
        SendMessageW(app->parts[PRFDATA_APP_TABS], TCM_INSERTITEMW, (WPARAM)i, (LPARAM)&item);
    }
}

static void create_parts(prfdata_app *app)
{
    create_head(app);
    create_label(app, PRFDATA_APP_TREE, IDS_TREE_LABEL);
    prfdata_tree_pane_create(app);
    create_label(app, PRFDATA_APP_TABLE, IDS_TABLE_NONE);
    prfdata_table_pane_create(app);
    create_tabs(app);
    prfdata_chart_pane_create(app);
    prfdata_legend_pane_create(app);
    create_part(app, PRFDATA_APP_BYTES, L"EDIT", L"",
                WS_TABSTOP | WS_VSCROLL | WS_HSCROLL | ES_MULTILINE | ES_READONLY | ES_AUTOVSCROLL |
                    ES_AUTOHSCROLL | WS_BORDER,
                0);
    app->status = CreateWindowExW(0, STATUSCLASSNAMEW, L"", WS_CHILD | WS_VISIBLE | SBARS_SIZEGRIP,
                                  0, 0, 0, 0, app->window, NULL, app->instance, NULL);
}

/* ---- The theme ---- */

static void set_part_colours(const prfdata_app *app)
{
    const prfdata_theme *theme = &app->theme;
    HWND lists[] = {app->parts[PRFDATA_APP_TABLE], app->parts[PRFDATA_APP_LEGEND]};

    for (size_t i = 0; i < 2; i++) {
        SendMessageW(lists[i], LVM_SETBKCOLOR, 0, (LPARAM)theme->back);
        SendMessageW(lists[i], LVM_SETTEXTBKCOLOR, 0, (LPARAM)theme->back);
        SendMessageW(lists[i], LVM_SETTEXTCOLOR, 0, (LPARAM)theme->text);
    }
    SendMessageW(app->parts[PRFDATA_APP_TREE], TVM_SETBKCOLOR, 0, (LPARAM)theme->back);
    SendMessageW(app->parts[PRFDATA_APP_TREE], TVM_SETTEXTCOLOR, 0, (LPARAM)theme->text);
    SendMessageW(app->status, SB_SETBKCOLOR, 0,
                 (LPARAM)(theme->is_dark ? theme->face : CLR_DEFAULT));
}

static void apply_theme(prfdata_app *app)
{
    prfdata_theme_update(&app->theme, app->window);
    prfdata_theme_apply(&app->theme, app->window);
    for (int i = 0; i < PRFDATA_APP_PARTS; i++) {
        const bool is_fixed = i == PRFDATA_APP_BYTES;

        SendMessageW(app->parts[i], WM_SETFONT,
                     (WPARAM)(is_fixed ? app->theme.fixed : app->theme.font), TRUE);
        if (app->labels[i])
            SendMessageW(app->labels[i], WM_SETFONT,
                         (WPARAM)(i < PRFDATA_APP_TREE ? app->theme.font : app->theme.bold), TRUE);
    }
    SendMessageW(app->status, WM_SETFONT, (WPARAM)app->theme.font, TRUE);
    set_part_colours(app);
    prfdata_main_window_arrange(app);
    InvalidateRect(app->window, NULL, TRUE);
}

/* ---- Where the parts are ---- */

static int32_t scaled(const prfdata_app *app, int32_t pixels)
{
    return prfdata_theme_pixels(&app->theme, pixels);
}

static void place_part(HWND window, int32_t x, int32_t y, int32_t width, int32_t height)
{
    if (window)
        MoveWindow(window, x, y, width > 0 ? width : 0, height > 0 ? height : 0, TRUE);
}

/* A closed list is as high as its font wants: it stands in the middle of the row. */
static void place_list(HWND list, int32_t x, int32_t y, int32_t width, int32_t height)
{
    RECT closed;

    place_part(list, x, y, width, height * 10); /* the open one's */
    GetWindowRect(list, &closed);
    SetWindowPos(list, NULL, x, y + (height - (closed.bottom - closed.top)) / 2, 0, 0,
                 SWP_NOSIZE | SWP_NOZORDER | SWP_NOACTIVATE);
}

static int32_t text_width(const prfdata_app *app, HWND window)
{
    wchar_t text[100];
    HDC dc = GetDC(window);
    HGDIOBJ before = SelectObject(dc, app->theme.font);
    SIZE size = {0, 0};

    GetWindowTextW(window, text, 100);
    GetTextExtentPoint32W(dc, text, (int)wcslen(text), &size);
    SelectObject(dc, before);
    ReleaseDC(window, dc);
    return size.cx;
}

/* The row at the top, from the right: the search gets what the others leave. Returns its height. */
static int32_t place_head(const prfdata_app *app, int32_t width)
{
    const int32_t gap = scaled(app, 8);
    const int32_t height = app->theme.text_height + scaled(app, 10);
    const int32_t button = scaled(app, 92);
    const int32_t label_y = gap + (height - app->theme.text_height) / 2;
    const int32_t search_label = text_width(app, app->labels[PRFDATA_APP_SEARCH]);
    const int32_t interval_label = text_width(app, app->labels[PRFDATA_APP_INTERVAL]);
    int32_t x = width - gap - button;

    place_part(app->parts[PRFDATA_APP_REFRESH], x, gap, button, height);
    x -= button + gap / 2;
    place_part(app->parts[PRFDATA_APP_PAUSE], x, gap, button, height);
    x -= scaled(app, 80) + gap;
    place_list(app->parts[PRFDATA_APP_INTERVAL], x, gap, scaled(app, 80), height);
    x -= interval_label + gap;
    place_part(app->labels[PRFDATA_APP_INTERVAL], x, label_y, interval_label + gap / 2,
               app->theme.text_height);
    place_part(app->labels[PRFDATA_APP_SEARCH], gap, label_y, search_label, app->theme.text_height);
    /* An edit control writes at its top: it is no higher than its text. */
    place_part(app->parts[PRFDATA_APP_SEARCH], gap * 2 + search_label, gap + scaled(app, 2),
               x - search_label - gap * 4, height - scaled(app, 4));
    return height + 2 * gap;
}

static void place_labelled(const prfdata_app *app, prfdata_app_part part, const RECT *area)
{
    const int32_t label = app->theme.text_height + scaled(app, 4);

    place_part(app->labels[part], area->left, area->top, area->right - area->left, label);
    place_part(app->parts[part], area->left, area->top + label, area->right - area->left,
               area->bottom - area->top - label);
}

static void place_lower(const prfdata_app *app, const RECT *area)
{
    const int32_t tabs = app->theme.text_height + scaled(app, 12);
    const int32_t height = area->bottom - area->top - tabs;
    const int32_t width = area->right - area->left;
    int32_t legend = app->theme.text_height * 8;

    if (legend > height / 2)
        legend = height / 2;
    place_part(app->parts[PRFDATA_APP_TABS], area->left, area->top, width, tabs);
    place_part(app->parts[PRFDATA_APP_PLOT], area->left, area->top + tabs, width,
               height - legend - scaled(app, 4));
    place_part(app->parts[PRFDATA_APP_LEGEND], area->left, area->bottom - legend, width, legend);
    place_part(app->parts[PRFDATA_APP_BYTES], area->left, area->top + tabs, width, height);
    prfdata_legend_pane_arrange(app, width);
}

static int32_t limited(int32_t value, int32_t least, int32_t most)
{
    if (value > most)
        value = most;
    return value < least ? least : value;
}

/* What lies below the head and above the status bar. */
static RECT body_area(const prfdata_app *app)
{
    RECT area;
    RECT status;

    GetClientRect(app->window, &area);
    GetWindowRect(app->status, &status);
    area.top += app->theme.text_height + scaled(app, 26);
    area.bottom -= status.bottom - status.top + scaled(app, 4);
    return area;
}

static int32_t table_bottom(const prfdata_app *app, const RECT *body)
{
    const int32_t height = body->bottom - body->top;

    return body->top + limited(MulDiv(height, app->table_part, 1000), height / 6, height * 5 / 6);
}

void prfdata_main_window_arrange(prfdata_app *app)
{
    const int32_t gap = scaled(app, 8);
    RECT body;
    RECT part;

    if (!app->status)
        return;
    SendMessageW(app->status, WM_SIZE, 0, 0);
    body = body_area(app);
    (void)place_head(app, body.right);
    app->tree_width = limited(app->tree_width, scaled(app, 120), body.right - scaled(app, 200));
    part = (RECT){gap, body.top, app->tree_width, body.bottom};
    place_labelled(app, PRFDATA_APP_TREE, &part);
    part = (RECT){app->tree_width + scaled(app, SPLITTER), body.top, body.right - gap,
                  table_bottom(app, &body)};
    place_labelled(app, PRFDATA_APP_TABLE, &part);
    part.top = part.bottom + scaled(app, SPLITTER);
    part.bottom = body.bottom;
    place_lower(app, &part);
}

void prfdata_main_window_show_page(prfdata_app *app, prfdata_app_page page)
{
    const bool is_details = page == PRFDATA_APP_DETAILS;

    app->page = page;
    SendMessageW(app->parts[PRFDATA_APP_TABS], TCM_SETCURSEL, (WPARAM)page, 0);
    ShowWindow(app->parts[PRFDATA_APP_PLOT], is_details ? SW_HIDE : SW_SHOWNA);
    ShowWindow(app->parts[PRFDATA_APP_LEGEND], is_details ? SW_HIDE : SW_SHOWNA);
    ShowWindow(app->parts[PRFDATA_APP_BYTES], is_details ? SW_SHOWNA : SW_HIDE);
    prfdata_samples_update_details(app);
    prfdata_chart_pane_update(app);
}

/* ---- The splitters ---- */

static int splitter_at(const prfdata_app *app, int32_t x, int32_t y)
{
    const RECT body = body_area(app);
    const int32_t bottom = table_bottom(app, &body);

    if (y < body.top || y > body.bottom)
        return 0;
    if (x >= app->tree_width && x <= app->tree_width + scaled(app, SPLITTER))
        return 1;
    return x > app->tree_width && y >= bottom && y <= bottom + scaled(app, SPLITTER) ? 2 : 0;
}

static void move_splitter(prfdata_app *app, int32_t x, int32_t y)
{
    const RECT body = body_area(app);

    if (app->splitting == 1)
        app->tree_width = x;
    else if (body.bottom > body.top)
        app->table_part = limited(MulDiv(y - body.top, 1000, body.bottom - body.top), 100, 900);
    prfdata_main_window_arrange(app);
}

static bool set_splitter_cursor(const prfdata_app *app)
{
    POINT at;
    int splitter;

    GetCursorPos(&at);
    ScreenToClient(app->window, &at);
    splitter = splitter_at(app, at.x, at.y);
    if (splitter != 0)
        SetCursor(LoadCursorW(NULL, splitter == 1 ? (LPCWSTR)IDC_SIZEWE : (LPCWSTR)IDC_SIZENS));
    return splitter != 0;
}

/* What was dragged is dropped: over the chart it is added. */
static void drop_counter(prfdata_app *app, int32_t x, int32_t y)
{
    const int from = app->drag_counter - 1;
    POINT at = {x, y};
    HWND target = ChildWindowFromPoint(app->window, at);

    app->drag_counter = 0;
    if (target != app->parts[PRFDATA_APP_PLOT] && target != app->parts[PRFDATA_APP_LEGEND])
        return;
    SetFocus(app->parts[from]);
    prfdata_commands_run(app, IDC_ADD);
}

static void release_pointer(prfdata_app *app, int32_t x, int32_t y)
{
    if (app->drag_counter != 0)
        drop_counter(app, x, y);
    app->splitting = 0;
    if (GetCapture() == app->window)
        ReleaseCapture();
}

/* ---- The status bar ---- */

void prfdata_main_window_say(prfdata_app *app, const wchar_t *text)
{
    SendMessageW(app->status, SB_SETTEXTW, SB_SIMPLEID, (LPARAM)text);
    SendMessageW(app->status, SB_SETTEXTW, 0, (LPARAM)text);
}

static void describe_sample(const prfdata_app *app, wchar_t text[100])
{
    wchar_t bytes[40];
    wchar_t ms[40];
    const size_t size = app->newer ? app->newer->size : 0;

    text[0] = 0;
    if (!app->newer)
        return;
    if (size < 10240)
        swprintf(bytes, 40, L"%lu B", (unsigned long)size);
    else
        swprintf(bytes, 40, L"%lu KiB", (unsigned long)(size / 1024));
    swprintf(ms, 40, L"%.1f", (double)app->read_us / 1000);
    prfdata_strings_copy(
        text, app->reading ? prfdata_strings_format(IDS_STATUS_READ, bytes, ms, NULL) : bytes, 100);
}

static void describe_state(const prfdata_app *app, wchar_t text[200])
{
    const uint32_t waits_ms = app->reading ? prfdata_reading_waits_ms(app->reading) : 0;
    wchar_t seconds[20];
    uint32_t id = IDS_STATUS_LIVE;

    swprintf(seconds, 20, L"%lu", (unsigned long)(waits_ms / 1000));
    if (app->looks_back)
        id = IDS_STATUS_PAST;
    else if (!app->reading)
        id = IDS_STATUS_FILE;
    else if (waits_ms >= 2000)
        id = IDS_STATUS_WAITING;
    else if (!app->has_titles)
        id = IDS_READING;
    else if (app->is_paused)
        id = IDS_STATUS_PAUSED;
    prfdata_strings_copy(text, prfdata_strings_format(id, seconds, NULL, NULL), 200);
}

static void set_status_part(const prfdata_app *app, WPARAM part, const wchar_t *text)
{
    wchar_t before[256];

    before[0] = 0;
    if (SendMessageW(app->status, SB_GETTEXTLENGTHW, part, 0) < 256)
        SendMessageW(app->status, SB_GETTEXTW, part, (LPARAM)before);
    if (wcscmp(before, text) != 0)
        SendMessageW(app->status, SB_SETTEXTW, part, (LPARAM)text);
}

static void update_status(prfdata_app *app)
{
    RECT area;
    wchar_t text[200];
    int right[3];

    GetClientRect(app->status, &area);
    right[0] = area.right - scaled(app, 400);
    right[1] = area.right - scaled(app, 170);
    right[2] = -1;
    SendMessageW(app->status, SB_SETPARTS, 3, (LPARAM)right);
    describe_state(app, text);
    set_status_part(app, 1, text);
    describe_sample(app, text);
    set_status_part(app, 2, text);
}

/* ---- What the reading sends ---- */

static void take_titles(prfdata_app *app)
{
    const prfdata_session *session = prfdata_reading_session(app->reading);
    const prfdata_name_table helps = app->titles.helps;

    app->titles = session->titles; /* borrowed */
    app->titles.helps = helps;
    app->computer = session->computer;
    prfdata_samples_begin(app);
    prfdata_remembered_begin(app);
    prfdata_named_begin(app);
}

static void take_helps(prfdata_app *app, prfdata_titles *helps)
{
    prfdata_name_table_free(&app->titles.helps);
    app->titles.helps = helps->helps;
    helps->helps = (prfdata_name_table){0};
    prfdata_titles_free(helps);
    free(helps);
}

static void report_failed_reading(prfdata_app *app, uint32_t status, const wchar_t *query)
{
    wchar_t number[20];
    wchar_t name[200];
    uint32_t title = query ? (uint32_t)wcstoul(query, NULL, 10) : 0;
    prfdata_node *node = title ? prfdata_tree_object(&app->tree, title) : NULL;
    const wchar_t *text;

    swprintf(number, 20, L"%lu", (unsigned long)status);
    prfdata_strings_copy(name, query ? query : L"", 200);
    if (node)
        prfdata_strings_text(node->name, name, 200);
    if (status == ERROR_TIMEOUT || status == ERROR_BROKEN_PIPE)
        text = prfdata_strings_format(IDS_HUNG, name, NULL, NULL);
    else
        text = prfdata_strings_format(status == ERROR_ACCESS_DENIED ? IDS_DENIED : IDS_FAILED,
                                      number, NULL, NULL);
    prfdata_main_window_say(app, text);
    if (node)
        prfdata_tree_explain(&app->tree, node, prfdata_text_from_chars((const uint16_t *)text));
}

static bool take_reading_message(prfdata_app *app, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case PRFDATA_READING_READY:
        take_titles(app);
        return true;
    case PRFDATA_READING_HELPS:
        take_helps(app, (prfdata_titles *)lparam);
        return true;
    case PRFDATA_READING_SAMPLE:
        app->read_us = wparam;
        prfdata_samples_take(app, (prfdata_sample *)lparam);
        update_status(app);
        return true;
    case PRFDATA_READING_ALL:
        prfdata_tree_update(&app->tree, (const prfdata_sample *)lparam);
        prfdata_sample_free((prfdata_sample *)lparam);
        return true;
    case PRFDATA_READING_FAILED:
        report_failed_reading(app, (uint32_t)wparam, (const wchar_t *)lparam);
        free((void *)lparam);
        return true;
    default:
        return false;
    }
}

/* ---- The search ---- */

/* The table is filtered, too, where an instance matches; a counter's name must not empty it. */
static void filter_table(prfdata_app *app, prfdata_text text)
{
    (void)prfdata_table_set_filter(&app->table, text);
    (void)prfdata_table_arrange(&app->table);
    if (text.count > 0 && app->table.shown_count == 0) {
        (void)prfdata_table_set_filter(&app->table, (prfdata_text){0});
        (void)prfdata_table_arrange(&app->table);
    }
    prfdata_table_pane_update(app);
}

static void search(prfdata_app *app)
{
    wchar_t chars[100];
    wchar_t count[20];
    prfdata_text text = {(const uint16_t *)chars, 0};
    uint32_t found;

    if (!app->has_titles)
        return;
    text.count = (size_t)GetWindowTextW(app->parts[PRFDATA_APP_SEARCH], chars, 100);
    found = prfdata_tree_search(&app->tree, text);
    prfdata_tree_pane_reset(app);
    filter_table(app, text);
    swprintf(count, 20, L"%lu", (unsigned long)found);
    prfdata_main_window_say(
        app, text.count ? prfdata_strings_format(IDS_STATUS_SEARCH, count, NULL, NULL) : L"");
}

/* ---- Messages ---- */

static void run_control(prfdata_app *app, WPARAM wparam, LPARAM lparam)
{
    HWND control = (HWND)lparam;

    if (!control)
        prfdata_commands_run(app, LOWORD(wparam));
    else if (control == app->parts[PRFDATA_APP_SEARCH] && HIWORD(wparam) == EN_CHANGE)
        search(app);
    else if (control == app->parts[PRFDATA_APP_INTERVAL] && HIWORD(wparam) == CBN_SELCHANGE)
        prfdata_commands_run(app,
                             IDC_INTERVAL + (uint32_t)SendMessageW(control, CB_GETCURSEL, 0, 0));
    else if (control == app->parts[PRFDATA_APP_PAUSE] && HIWORD(wparam) == BN_CLICKED)
        prfdata_commands_run(app, IDC_PAUSE);
    else if (control == app->parts[PRFDATA_APP_REFRESH] && HIWORD(wparam) == BN_CLICKED)
        prfdata_commands_run(app, IDC_REFRESH);
}

static LRESULT notify(prfdata_app *app, const NMHDR *header)
{
    if (header->hwndFrom == app->parts[PRFDATA_APP_TREE])
        return prfdata_tree_pane_notify(app, header);
    if (header->hwndFrom == app->parts[PRFDATA_APP_TABLE])
        return prfdata_table_pane_notify(app, header);
    if (header->hwndFrom == app->parts[PRFDATA_APP_LEGEND])
        return prfdata_legend_pane_notify(app, header);
    if (header->hwndFrom == app->parts[PRFDATA_APP_TABS] && header->code == TCN_SELCHANGE)
        prfdata_main_window_show_page(
            app, (prfdata_app_page)SendMessageW(header->hwndFrom, TCM_GETCURSEL, 0, 0));
    return 0;
}

static LRESULT colour_part(const prfdata_app *app, UINT message, HDC dc, LPARAM part)
{
    const bool is_field = message == WM_CTLCOLOREDIT || message == WM_CTLCOLORLISTBOX ||
                          part == (LPARAM)app->parts[PRFDATA_APP_BYTES];

    SetTextColor(dc, app->theme.text);
    SetBkColor(dc, is_field ? app->theme.back : app->theme.face);
    return (LRESULT)(is_field ? app->theme.back_brush : app->theme.face_brush);
}

static void erase_background(const prfdata_app *app, HDC dc)
{
    RECT area;

    GetClientRect(app->window, &area);
    FillRect(dc, &area, app->theme.face_brush);
}

static void close_window(prfdata_app *app)
{
    if (app->options->file.count == 0 && app->options->name_count == 0 && app->is_restored)
        prfdata_remembered_save_own(app);
    ShowWindow(app->window, SW_HIDE); /* a process may take a moment to end */
    KillTimer(app->window, STATUS_TIMER);
    prfdata_reading_stop(app->reading);
    app->reading = NULL;
    DestroyWindow(app->window);
}

static LRESULT handle_pointer(prfdata_app *app, UINT message, LPARAM lparam)
{
    const int32_t x = GET_X_LPARAM(lparam);
    const int32_t y = GET_Y_LPARAM(lparam);

    if (message == WM_LBUTTONDOWN) {
        app->splitting = splitter_at(app, x, y);
        if (app->splitting != 0)
            SetCapture(app->window);
    } else if (message == WM_MOUSEMOVE && app->splitting != 0) {
        move_splitter(app, x, y);
    } else if (message == WM_MOUSEMOVE && app->drag_counter != 0) {
        SetCursor(LoadCursorW(NULL, (LPCWSTR)IDC_HAND));
    } else if (message == WM_LBUTTONUP) {
        release_pointer(app, x, y);
    }
    return 0;
}

static void set_least_size(const prfdata_app *app, MINMAXINFO *info)
{
    info->ptMinTrackSize.x = scaled(app, 560);
    info->ptMinTrackSize.y = scaled(app, 400);
}

static void change_dpi(prfdata_app *app, const RECT *area)
{
    const uint32_t before = app->theme.dpi;

    SetWindowPos(app->window, NULL, area->left, area->top, area->right - area->left,
                 area->bottom - area->top, SWP_NOZORDER | SWP_NOACTIVATE);
    apply_theme(app);
    if (before > 0)
        app->tree_width = MulDiv(app->tree_width, (int)app->theme.dpi, (int)before);
    prfdata_main_window_arrange(app);
}

static LRESULT handle_window(prfdata_app *app, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_SIZE:
        prfdata_main_window_arrange(app);
        update_status(app);
        return 0;
    case WM_GETMINMAXINFO:
        set_least_size(app, (MINMAXINFO *)lparam);
        return 0;
    case 0x02E0: /* WM_DPICHANGED, which headers for Windows 7 lack */
        change_dpi(app, (const RECT *)lparam);
        return 0;
    case WM_SETTINGCHANGE:
    case WM_THEMECHANGED:
    case WM_SYSCOLORCHANGE:
        apply_theme(app);
        return 0;
    case WM_TIMER:
        update_status(app);
        return 0;
    case WM_CLOSE:
        close_window(app);
        return 0;
    case WM_DESTROY:
        PostQuitMessage(0);
        return 0;
    case WM_SETFOCUS:
        SetFocus(app->parts[PRFDATA_APP_TREE]);
        return 0;
    default:
        return DefWindowProcW(app->window, message, wparam, lparam);
    }
}

static LRESULT CALLBACK window_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    prfdata_app *app = (prfdata_app *)GetWindowLongPtrW(window, GWLP_USERDATA);

    if (!app || take_reading_message(app, message, wparam, lparam))
        return app ? 0 : DefWindowProcW(window, message, wparam, lparam);
    switch (message) {
    case WM_COMMAND:
        run_control(app, wparam, lparam);
        return 0;
    case WM_NOTIFY:
        return notify(app, (const NMHDR *)lparam);
    case WM_INITMENU:
        prfdata_commands_update_menu(app);
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
        return handle_pointer(app, message, lparam);
    case WM_SETCURSOR:
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

    return RegisterClassExW(&main) != 0 && prfdata_chart_pane_register(app);
}

/* As large for the eye on each screen, but not larger than the screen. */
static void set_first_size(const prfdata_app *app)
{
    MONITORINFO monitor = {.cbSize = sizeof monitor};
    int32_t width = scaled(app, FIRST_WIDTH);
    int32_t height = scaled(app, FIRST_HEIGHT);

    if (!GetMonitorInfoW(MonitorFromWindow(app->window, MONITOR_DEFAULTTONEAREST), &monitor))
        return;
    width = limited(width, 0, monitor.rcWork.right - monitor.rcWork.left);
    height = limited(height, 0, monitor.rcWork.bottom - monitor.rcWork.top);
    SetWindowPos(app->window, NULL, 0, 0, width, height,
                 SWP_NOMOVE | SWP_NOZORDER | SWP_NOACTIVATE);
}

HWND prfdata_main_window_create(prfdata_app *app, int show)
{
    if (!register_window(app))
        return NULL;
    app->menu = prfdata_commands_menu();
    app->window =
        CreateWindowExW(0, WINDOW_CLASS, prfdata_strings_get(IDS_TITLE),
                        WS_OVERLAPPEDWINDOW | WS_CLIPCHILDREN, CW_USEDEFAULT, CW_USEDEFAULT,
                        FIRST_WIDTH, FIRST_HEIGHT, NULL, app->menu, app->instance, NULL);
    if (!app->window)
        return NULL;
    prfdata_theme_update(&app->theme, app->window);
    set_first_size(app);
    app->tree_width = scaled(app, 300);
    create_parts(app);
    SetWindowLongPtrW(app->window, GWLP_USERDATA, (LONG_PTR)app);
    apply_theme(app);
    prfdata_main_window_show_page(app, PRFDATA_APP_CHART);
    update_status(app);
    SetTimer(app->window, STATUS_TIMER, 500, NULL);
    ShowWindow(app->window, show);
    return app->window;
}
