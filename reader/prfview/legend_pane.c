/* SPDX-License-Identifier: MIT */
/* The legend: a row for each line, with its colour, last, least, mean and highest value in what the
 * chart shows, and the value under the pointer. */
#include "prfview/app.h"

#include <math.h>
#include <stdio.h>
#include <wchar.h>

#include "view/line_names.h"

#define NUMBER_WIDTH     80 /* pixels at 96 DPI */
#define LEAST_NAME_WIDTH 200
#define TEXT_CHARS       400

enum { NAME, HERE, LAST, LEAST, MEAN, MOST, LEGEND_COLUMNS };

void prfdata_legend_pane_create(prfdata_app *app)
{
    static const uint32_t names[LEGEND_COLUMNS] = {IDS_LEGEND_NAME, IDS_LEGEND_HERE,
                                                   IDS_LEGEND_LAST, IDS_LEGEND_LEAST,
                                                   IDS_LEGEND_MEAN, IDS_LEGEND_MOST};
    const DWORD style =
        LVS_EX_FULLROWSELECT | LVS_EX_DOUBLEBUFFER | LVS_EX_CHECKBOXES | LVS_EX_INFOTIP;
    HWND view = CreateWindowExW(0, WC_LISTVIEWW, prfdata_strings_get(IDS_LEGEND_LABEL),
                                WS_CHILD | WS_VISIBLE | WS_TABSTOP | WS_BORDER | LVS_REPORT |
                                    LVS_SHOWSELALWAYS | LVS_SINGLESEL,
                                0, 0, 0, 0, app->window,
                                (HMENU)(uintptr_t)(PRFDATA_APP_LEGEND + IDC_FIRST_PART),
                                app->instance, NULL);

    app->parts[PRFDATA_APP_LEGEND] = view;
    SendMessageW(view, LVM_SETEXTENDEDLISTVIEWSTYLE, style, style);
    for (int i = 0; i < LEGEND_COLUMNS; i++) {
        LVCOLUMNW column = {.mask = LVCF_TEXT | LVCF_WIDTH | LVCF_FMT};

        column.fmt = i == NAME ? LVCFMT_LEFT : LVCFMT_RIGHT;
        column.cx = prfdata_theme_pixels(&app->theme, NUMBER_WIDTH);
        column.pszText = (wchar_t *)(uintptr_t)prfdata_strings_get(names[i]);
        SendMessageW(view, LVM_INSERTCOLUMNW, (WPARAM)i, (LPARAM)&column);
    }
}

void prfdata_legend_pane_arrange(const prfdata_app *app, int32_t width)
{
    const int32_t number = prfdata_theme_pixels(&app->theme, NUMBER_WIDTH);
    const int32_t least = prfdata_theme_pixels(&app->theme, LEAST_NAME_WIDTH);
    const int32_t name = width - (LEGEND_COLUMNS - 1) * number -
                         prfdata_theme_pixels(&app->theme, 8) - GetSystemMetrics(SM_CXVSCROLL);

    for (int i = 0; i < LEGEND_COLUMNS; i++)
        (void)ListView_SetColumnWidth(app->parts[PRFDATA_APP_LEGEND], i,
                                      i > NAME       ? number
                                      : name < least ? least
                                                     : name);
}

/* While the window changes rows, messages about it are not what the user does. */
static bool fills_legend;

/* ---- Values ---- */

/* A number with its unit; short: for where all of its digits have no room. */
static void put_legend_number(const prfdata_app *app, double number, prfdata_unit unit,
                              bool is_short, wchar_t text[80])
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const bool is_whole = number > -1e15 && number < 1e15 && number == (double)(int64_t)number;
    const prfdata_compute_value value = {
        .number = number, .is_whole = is_whole, .whole = is_whole ? (int64_t)number : 0};
    const char *sign = prfdata_number_unit_sign(unit);
    size_t count = 0;

    if (is_short)
        count = prfdata_number_short(number, app->style, chars);
    else if (!prfdata_scale_is_missing(number))
        count = prfdata_number_value(value, app->style, chars);
    prfdata_strings_text((prfdata_text){chars, count}, text, 60);
    if (count > 0 && *sign)
        swprintf(text + count, 20, L"\u00A0%hs", sign);
}

/* Whether a text is not cut in a column. Most are so short that nobody has to measure them. */
static bool has_legend_room(const prfdata_app *app, int column, const wchar_t *text)
{
    HWND view = app->parts[PRFDATA_APP_LEGEND];

    return wcslen(text) < 7 ||
           SendMessageW(view, LVM_GETSTRINGWIDTHW, 0, (LPARAM)text) + app->theme.text_height <=
               SendMessageW(view, LVM_GETCOLUMNWIDTH, (WPARAM)column, 0);
}

/* How old a number is stands beside it, if it is older than people expect. */
static void add_legend_age(const prfdata_app *app, int64_t age_ms, wchar_t text[80])
{
    wchar_t aged[PRFDATA_STRINGS_CHARS];
    wchar_t number[80];
    wchar_t seconds[20];

    if (!prfdata_viewer_is_old(&app->viewer, age_ms, app->interval_ms) || text[0] == 0)
        return;
    prfdata_strings_copy(number, text, 60);
    swprintf(seconds, 20, age_ms < 9950 ? L"%.1f" : L"%.0f", (double)age_ms / 1000);
    prfdata_strings_copy(text,
                         prfdata_strings_format(aged, IDS_LEGEND_OLD, number,
                                                prfdata_strings_decimal(app->style, seconds), NULL),
                         80);
}

static void set_legend_text(const prfdata_app *app, int row, int column, const wchar_t *text)
{
    wchar_t before[TEXT_CHARS];
    LVITEMW item = {.iSubItem = column, .pszText = before, .cchTextMax = TEXT_CHARS};

    before[0] = 0;
    SendMessageW(app->parts[PRFDATA_APP_LEGEND], LVM_GETITEMTEXTW, (WPARAM)row, (LPARAM)&item);
    if (wcscmp(before, text) == 0)
        return; /* no flicker, and screen readers stay silent */
    item.pszText = (wchar_t *)(uintptr_t)text;
    SendMessageW(app->parts[PRFDATA_APP_LEGEND], LVM_SETITEMTEXTW, (WPARAM)row, (LPARAM)&item);
}

static void show_legend_number(const prfdata_app *app, uint32_t at, int column, double number,
                               int64_t age_ms)
{
    const prfdata_unit unit = app->viewer.chart.series[at]->unit;
    wchar_t text[80];

    for (int is_short = 0; is_short < 2; is_short++) {
        put_legend_number(app, number, unit, is_short != 0, text);
        add_legend_age(app, age_ms, text);
        if (has_legend_room(app, column, text))
            break;
    }
    set_legend_text(app, (int)at, column, text);
}

static void update_legend_row(const prfdata_app *app, uint32_t at)
{
    const prfdata_chart_series *series = app->viewer.chart.series[at];
    HWND view = app->parts[PRFDATA_APP_LEGEND];
    const prfdata_chart_statistics all = prfdata_chart_statistics_of(&app->viewer.chart, at);
    const double here = app->hover < app->viewer.chart.count
                            ? prfdata_chart_value_at(&app->viewer.chart, at, app->hover)
                            : (double)NAN;

    if ((ListView_GetCheckState(view, (int)at) == 0) != series->is_hidden)
        ListView_SetCheckState(view, (int)at, !series->is_hidden);
    show_legend_number(app, at, HERE, here, 0);
    show_legend_number(app, at, LAST, all.last, all.age_ms);
    show_legend_number(app, at, LEAST, all.least, 0);
    show_legend_number(app, at, MEAN, all.mean, 0);
    show_legend_number(app, at, MOST, all.most, 0);
}

/* ---- Rows ---- */

static void insert_legend_row(const prfdata_app *app, uint32_t at)
{
    HWND view = app->parts[PRFDATA_APP_LEGEND];
    const prfdata_chart_series *series = app->viewer.chart.series[at];
    LVITEMW item = {.mask = LVIF_PARAM, .iItem = (int)at};

    item.lParam = (LPARAM)series->id;
    SendMessageW(view, LVM_INSERTITEMW, 0, (LPARAM)&item);
    ListView_SetCheckState(view, (int)at, !series->is_hidden);
    InvalidateRect(view, NULL, FALSE); /* a lower percentile gives others its colour */
}

static void show_names_heading(const prfdata_app *app, const wchar_t *text)
{
    wchar_t before[TEXT_CHARS] = L"";
    LVCOLUMNW column = {.mask = LVCF_TEXT, .pszText = before, .cchTextMax = TEXT_CHARS};

    SendMessageW(app->parts[PRFDATA_APP_LEGEND], LVM_GETCOLUMNW, NAME, (LPARAM)&column);
    if (wcscmp(before, text) == 0)
        return;
    column.pszText = (wchar_t *)(uintptr_t)text;
    SendMessageW(app->parts[PRFDATA_APP_LEGEND], LVM_SETCOLUMNW, NAME, (LPARAM)&column);
}

/* What all paths have in common stands in the heading. */
static void show_line_names(const prfdata_app *app)
{
    const prfdata_chart *chart = &app->viewer.chart;
    const prfdata_line_names common = prfdata_line_names_find(chart);
    uint16_t chars[TEXT_CHARS];
    prfdata_text name = {chars, 0};
    wchar_t text[TEXT_CHARS];

    name.count = prfdata_line_names_put_pattern(chart, &common, chars, TEXT_CHARS - 1);
    show_names_heading(app, name.count > 0 ? prfdata_strings_text(name, text, TEXT_CHARS)
                                           : prfdata_strings_get(IDS_LEGEND_NAME));
    for (uint32_t i = 0; i < chart->series_count; i++) {
        name.count = prfdata_line_names_put(chart, &common, i, chars, TEXT_CHARS - 1);
        set_legend_text(app, (int)i, NAME, prfdata_strings_text(name, text, TEXT_CHARS));
    }
}

static LPARAM legend_param(const prfdata_app *app, uint32_t at)
{
    LVITEMW item = {.mask = LVIF_PARAM, .iItem = (int)at};

    (void)SendMessageW(app->parts[PRFDATA_APP_LEGEND], LVM_GETITEMW, 0, (LPARAM)&item);
    return item.lParam;
}

void prfdata_legend_pane_update(prfdata_app *app)
{
    HWND view = app->parts[PRFDATA_APP_LEGEND];

    fills_legend = true;
    for (uint32_t i = 0; i < app->viewer.chart.series_count; i++) {
        while ((uint32_t)ListView_GetItemCount(view) > i &&
               legend_param(app, i) != (LPARAM)app->viewer.chart.series[i]->id)
            (void)ListView_DeleteItem(view, (int)i);
        if ((uint32_t)ListView_GetItemCount(view) <= i)
            insert_legend_row(app, i);
        if (app->page != PRFDATA_APP_DETAILS) /* where nobody sees it */
            update_legend_row(app, i);
    }
    while ((uint32_t)ListView_GetItemCount(view) > app->viewer.chart.series_count)
        (void)ListView_DeleteItem(view, (int)app->viewer.chart.series_count);
    show_line_names(app);
    fills_legend = false;
}

uint32_t prfdata_legend_pane_selected(const prfdata_app *app)
{
    const int at = ListView_GetNextItem(app->parts[PRFDATA_APP_LEGEND], -1, LVNI_SELECTED);

    return at >= 0 && (uint32_t)at < app->viewer.chart.series_count ? (uint32_t)at
                                                                    : PRFDATA_CHART_SERIES;
}

void prfdata_legend_pane_select(prfdata_app *app, uint32_t position)
{
    HWND view = app->parts[PRFDATA_APP_LEGEND];

    ListView_SetItemState(view, (int)position, LVIS_SELECTED | LVIS_FOCUSED,
                          LVIS_SELECTED | LVIS_FOCUSED);
    (void)ListView_EnsureVisible(view, (int)position, FALSE);
}

/* ---- What the user does ---- */

/* Checked lines are drawn; the selected one is drawn thick. */
static void note_legend_change(prfdata_app *app, const NMLISTVIEW *change)
{
    if (fills_legend || !(change->uChanged & LVIF_STATE) || change->iItem < 0)
        return;
    prfdata_viewer_hide_line(
        &app->viewer, (uint32_t)change->iItem,
        !ListView_GetCheckState(app->parts[PRFDATA_APP_LEGEND], change->iItem));
    if ((change->uNewState ^ change->uOldState) & LVIS_SELECTED)
        prfdata_viewer_choose_line(&app->viewer, prfdata_legend_pane_selected(app));
}

static LRESULT draw_legend(const prfdata_app *app, NMLVCUSTOMDRAW *draw)
{
    const uint32_t row = (uint32_t)draw->nmcd.dwItemSpec;

    if (draw->nmcd.dwDrawStage == CDDS_PREPAINT)
        return CDRF_NOTIFYITEMDRAW;
    if (draw->nmcd.dwDrawStage == CDDS_ITEMPREPAINT)
        return CDRF_NOTIFYSUBITEMDRAW;
    if (draw->nmcd.dwDrawStage != (CDDS_ITEMPREPAINT | CDDS_SUBITEM) ||
        row >= app->viewer.chart.series_count)
        return CDRF_DODEFAULT;
    draw->clrTextBk = app->theme.back;
    draw->clrText = app->theme.text;
    if (prfdata_dark_controls_selection(app, draw))
        return CDRF_DODEFAULT;
    if (draw->iSubItem == NAME && !app->theme.is_contrast)
        draw->clrText = app->theme.lines[prfdata_bands_draw_colour(app, row) % PRFDATA_THEME_LINES];
    return CDRF_DODEFAULT;
}

/* The whole path. */
static void set_legend_tip(const prfdata_app *app, NMLVGETINFOTIPW *tip)
{
    if ((uint32_t)tip->iItem < app->viewer.chart.series_count && tip->cchTextMax > 0)
        prfdata_strings_text(app->viewer.chart.series[tip->iItem]->path, tip->pszText,
                             (size_t)tip->cchTextMax);
}

LRESULT prfdata_legend_pane_notify(prfdata_app *app, const NMHDR *header)
{
    if (header->code == NM_CUSTOMDRAW)
        return draw_legend(app, (NMLVCUSTOMDRAW *)(uintptr_t)header);
    if (header->code == LVN_GETINFOTIPW)
        set_legend_tip(app, (NMLVGETINFOTIPW *)(uintptr_t)header);
    if (header->code == LVN_ITEMCHANGED)
        note_legend_change(app, (const NMLISTVIEW *)header);
    if (header->code == LVN_KEYDOWN && ((const NMLVKEYDOWN *)header)->wVKey == VK_DELETE)
        SendMessageW(app->window, WM_COMMAND, IDC_REMOVE, 0);
    return 0;
}
