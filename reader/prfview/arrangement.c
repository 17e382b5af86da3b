/* SPDX-License-Identifier: MIT */
/* Computes the places of the window's parts, and of the splitters between them, in pixels. */
#include "prfview/arrangement.h"

#include <wchar.h>

#include "prfview/hint.h"
#include "prfview/tools.h"

/* Pixels at 96 DPI. */
#define SPLITTER         6
#define FIRST_WIDTH      1200
#define FIRST_HEIGHT     800
#define FIRST_TREE_WIDTH 300

#define PART_WITHOUT_LINES 500 /* share of the table, in thousandths, while the chart is empty */

/* ---- Places of the parts ---- */

static int32_t scaled(const prfdata_app *app, int32_t pixels)
{
    return prfdata_theme_pixels(&app->theme, pixels);
}

static void place_part(HWND window, int32_t x, int32_t y, int32_t width, int32_t height)
{
    /* The pixels are not copied, because under Wine they may show something that covered the
     * part. */
    if (window)
        SetWindowPos(window, NULL, x, y, width > 0 ? width : 0, height > 0 ? height : 0,
                     SWP_NOZORDER | SWP_NOACTIVATE | SWP_NOCOPYBITS);
}

/* Place a drop-down list. A closed list is only as high as its font requires, so put the list in
 * the middle of the row. */
static void place_list(HWND list, int32_t x, int32_t y, int32_t width, int32_t height)
{
    RECT closed;

    place_part(list, x, y, width, height * 10); /* height of the open list */
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

/*
 * Put the toolbar to the left of x. Hide it if the search field, which begins at `left`, would be
 * too narrow. Returns the left end of the toolbar; x if it is hidden.
 */
static int32_t place_tools(const prfdata_app *app, int32_t x, int32_t left, int32_t y,
                           int32_t height)
{
    const int32_t width = prfdata_tools_width(app);
    const bool has_room = x - left - width > scaled(app, 200);

    SendMessageW(app->tools, TB_SETBUTTONSIZE, 0, MAKELPARAM(0, height));
    place_part(app->tools, x - width - scaled(app, 16), y, has_room ? width : 0, height);
    return has_room ? x - width - scaled(app, 16) : x;
}

/* Place the row of controls at the top of the window, beginning at the right end. The search field
 * gets the width that the other controls leave. Returns the height of the row. */
static int32_t place_head(const prfdata_app *app, int32_t width)
{
    const int32_t gap = scaled(app, 8);
    const int32_t height = app->theme.text_height + scaled(app, 10);
    const int32_t button = scaled(app, 92);
    const int32_t label_y = gap + (height - app->theme.text_height) / 2;
    const int32_t search_label = text_width(app, app->labels[PRFDATA_APP_SEARCH]);
    const int32_t interval_label = text_width(app, app->labels[PRFDATA_APP_INTERVAL]);
    const int32_t edit = app->theme.text_height + 6; /* the borders of the field are not scaled */
    int32_t x = width - gap - button;

    place_part(app->parts[PRFDATA_APP_REFRESH], x, gap, button, height);
    x -= button + gap / 2;
    place_part(app->parts[PRFDATA_APP_PAUSE], x, gap, button, height);
    x -= scaled(app, 80) + gap;
    place_list(app->parts[PRFDATA_APP_INTERVAL], x, gap, scaled(app, 80), height);
    x -= interval_label + gap;
    place_part(app->labels[PRFDATA_APP_INTERVAL], x, label_y, interval_label + gap / 2,
               app->theme.text_height);
    x = place_tools(app, x, gap * 2 + search_label, gap, height);
    place_part(app->labels[PRFDATA_APP_SEARCH], gap, label_y, search_label, app->theme.text_height);
    /* An edit control writes at its top, so it is only as high as its text. */
    place_part(app->parts[PRFDATA_APP_SEARCH], gap * 2 + search_label, gap + (height - edit) / 2,
               x - search_label - gap * 4, edit);
    return height + 2 * gap;
}

static void place_labelled(const prfdata_app *app, prfdata_app_part part, const RECT *area)
{
    const int32_t label = app->theme.text_height + scaled(app, 4);

    place_part(app->labels[part], area->left, area->top, area->right - area->left, label);
    place_part(app->parts[part], area->left, area->top + label, area->right - area->left,
               area->bottom - area->top - label);
}

/* Reduce the table's height if its last row is cut, because half a row is hard to read. */
static void show_whole_rows(const prfdata_app *app)
{
    HWND table = app->parts[PRFDATA_APP_TABLE];
    const int32_t excess = prfdata_table_pane_excess(&app->table);
    RECT area;

    if (excess <= 0 || !GetWindowRect(table, &area))
        return;
    SetWindowPos(table, NULL, 0, 0, area.right - area.left, area.bottom - area.top - excess,
                 SWP_NOMOVE | SWP_NOZORDER | SWP_NOACTIVATE | SWP_NOCOPYBITS);
}

/* Return the height of the row of tabs. The tab control is only as high as this row, because the
 * pages are other parts of the window. */
static int32_t tabs_height(const prfdata_app *app)
{
    RECT tab;

    if (!SendMessageW(app->parts[PRFDATA_APP_TABS], TCM_GETITEMRECT, 0, (LPARAM)&tab))
        return app->theme.text_height + scaled(app, 12);
    return tab.bottom + 1;
}

static void place_lower(prfdata_app *app, const RECT *area)
{
    const int32_t tabs = tabs_height(app);
    const int32_t height = area->bottom - area->top - tabs;
    const int32_t width = area->right - area->left;
    const int32_t legend =
        app->has_rows ? prfdata_legend_pane_height(&app->legend, width, app->legend_height,
                                                   height * (app->legend_height > 0 ? 4 : 2) / 5)
                      : 0;

    place_part(app->parts[PRFDATA_APP_TABS], area->left, area->top, width, tabs);
    place_part(app->parts[PRFDATA_APP_PLOT], area->left, area->top + tabs, width,
               height - legend - (legend > 0 ? scaled(app, SPLITTER) : scaled(app, 4)));
    place_part(app->parts[PRFDATA_APP_LEGEND], area->left, area->bottom - legend, width, legend);
    place_part(app->parts[PRFDATA_APP_BYTES], area->left, area->top + tabs, width, height);
    prfdata_legend_pane_arrange(&app->legend, width);
    if (app->page == PRFDATA_APP_DETAILS)
        prfdata_details_pane_fit(&app->details);
}

static int32_t limited(int32_t value, int32_t least, int32_t most)
{
    if (value > most)
        value = most;
    return value < least ? least : value;
}

/* Return the area below the head and above the status bar. */
static RECT body_area(const prfdata_app *app)
{
    RECT area;
    RECT status;

    GetClientRect(app->window, &area);
    GetWindowRect(app->status.window, &status);
    area.top += app->theme.text_height + scaled(app, 26);
    area.bottom -= status.bottom - status.top + scaled(app, 4);
    return area;
}

/* Return the right end of the tree. The tree gets at most two fifths of the window, but at least
 * 120 pixels at 96 DPI. app->tree_width keeps the width that the user chose. */
static int32_t tree_right(const prfdata_app *app, const RECT *body)
{
    return limited(app->tree_width, scaled(app, 120), body->right * 2 / 5);
}

static int32_t table_bottom(const prfdata_app *app, const RECT *body)
{
    const int32_t height = body->bottom - body->top;
    const bool is_chart_empty = app->page == PRFDATA_APP_CHART && !app->had_lines;
    const int32_t part =
        is_chart_empty && !app->is_table_part_chosen ? PART_WITHOUT_LINES : app->table_part;

    return body->top + limited(MulDiv(height, part, 1000), height / 6, height * 5 / 6);
}

/* Give the window the same apparent size at every DPI, but make it no larger than the screen. */
void prfdata_arrangement_begin(prfdata_app *app)
{
    MONITORINFO monitor = {.cbSize = sizeof monitor};
    int32_t width = scaled(app, FIRST_WIDTH);
    int32_t height = scaled(app, FIRST_HEIGHT);

    app->tree_width = scaled(app, FIRST_TREE_WIDTH);
    if (!GetMonitorInfoW(MonitorFromWindow(app->window, MONITOR_DEFAULTTONEAREST), &monitor))
        return;
    width = limited(width, 0, monitor.rcWork.right - monitor.rcWork.left);
    height = limited(height, 0, monitor.rcWork.bottom - monitor.rcWork.top);
    SetWindowPos(app->window, NULL, 0, 0, width, height,
                 SWP_NOMOVE | SWP_NOZORDER | SWP_NOACTIVATE);
}

void prfdata_arrangement_update(prfdata_app *app)
{
    const int32_t gap = scaled(app, 8);
    RECT body;
    RECT part;

    if (!app->status.window)
        return;
    SendMessageW(app->status.window, WM_SIZE, 0, 0);
    body = body_area(app);
    (void)place_head(app, body.right);
    part = (RECT){gap, body.top, tree_right(app, &body), body.bottom};
    place_labelled(app, PRFDATA_APP_TREE, &part);
    part = (RECT){tree_right(app, &body) + scaled(app, SPLITTER), body.top, body.right - gap,
                  table_bottom(app, &body)};
    place_labelled(app, PRFDATA_APP_TABLE, &part);
    show_whole_rows(app);
    prfdata_table_columns_fit(&app->table.columns);
    part.top = part.bottom + scaled(app, SPLITTER);
    part.bottom = body.bottom;
    place_lower(app, &part);
    prfdata_hint_update(app); /* the hint has the same place as the table */
}

/* ---- The splitters ---- */

/* Returns whether a place is between the chart and the list of its lines. */
static bool is_above_legend(const prfdata_app *app, int32_t y)
{
    RECT legend;

    if (!app->has_rows || app->page == PRFDATA_APP_DETAILS ||
        !GetWindowRect(app->parts[PRFDATA_APP_LEGEND], &legend))
        return false;
    MapWindowPoints(NULL, app->window, (POINT *)&legend, 2);
    return y < legend.top && y >= legend.top - scaled(app, SPLITTER);
}

int prfdata_arrangement_splitter_at(const prfdata_app *app, int32_t x, int32_t y)
{
    const RECT body = body_area(app);
    const int32_t bottom = table_bottom(app, &body);
    const int32_t right = tree_right(app, &body);

    if (y < body.top || y > body.bottom)
        return 0;
    if (x >= right && x <= right + scaled(app, SPLITTER))
        return 1;
    if (x <= right)
        return 0;
    if (y >= bottom && y <= bottom + scaled(app, SPLITTER))
        return 2;
    return is_above_legend(app, y) ? 3 : 0;
}

void prfdata_arrangement_move_splitter(prfdata_app *app, int32_t x, int32_t y)
{
    const RECT body = body_area(app);

    if (app->splitting == 1) {
        app->tree_width = limited(x, scaled(app, 120), body.right - scaled(app, 200));
    } else if (app->splitting == 3) {
        app->legend_height = limited(body.bottom - y, 1, body.bottom - body.top);
    } else if (body.bottom > body.top) {
        app->table_part = limited(MulDiv(y - body.top, 1000, body.bottom - body.top), 100, 900);
        app->is_table_part_chosen = true;
    }
    prfdata_arrangement_update(app);
}
