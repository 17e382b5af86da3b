/* SPDX-License-Identifier: MIT */
/* Shows the legend, which has a row for each line. A row shows the line's colour and dashes, and
 * the value under the pointer. The row also shows the last, lowest, mean and highest value in the
 * visible part of the chart. */
#include "panes/legend_pane.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <wchar.h>

#include "panes/bands_draw.h"
#include "panes/dark_controls.h"
#include "panes/legend_images.h"
#include "panes/strings.h"
#include "view/line_names.h"

#define TEXT_CHARS 400
#define ROWS_SEEN  6

enum { NAME, HERE, LAST, LEAST, MEAN, MOST, LEGEND_COLUMNS };

static_assert(LEGEND_COLUMNS == 1 + PRFDATA_WIDTHS_LEGEND_NUMBERS, "each column has a width");

void prfdata_legend_pane_create(prfdata_legend_pane *pane, HWND parent, uint32_t id)
{
    static const uint32_t names[LEGEND_COLUMNS] = {IDS_LEGEND_NAME, IDS_LEGEND_HERE,
                                                   IDS_LEGEND_LAST, IDS_LEGEND_LEAST,
                                                   IDS_LEGEND_MEAN, IDS_LEGEND_MOST};
    const DWORD style =
        LVS_EX_FULLROWSELECT | LVS_EX_DOUBLEBUFFER | LVS_EX_CHECKBOXES | LVS_EX_INFOTIP;
    HWND view = CreateWindowExW(0, WC_LISTVIEWW, prfdata_strings_get(IDS_LEGEND_LABEL),
                                WS_CHILD | WS_VISIBLE | WS_TABSTOP | WS_BORDER | LVS_REPORT |
                                    LVS_SHOWSELALWAYS | LVS_SINGLESEL,
                                0, 0, 0, 0, parent, (HMENU)(uintptr_t)id,
                                (HINSTANCE)GetWindowLongPtrW(parent, GWLP_HINSTANCE), NULL);

    pane->window = view;
    prfdata_dark_controls_begin(ListView_GetHeader(view), PRFDATA_DARK_HEADER, pane->theme);
    SendMessageW(view, LVM_SETEXTENDEDLISTVIEWSTYLE, style, style);
    for (int i = 0; i < LEGEND_COLUMNS; i++) {
        LVCOLUMNW column = {.mask = LVCF_TEXT | LVCF_FMT};

        column.fmt = i == NAME ? LVCFMT_LEFT : LVCFMT_RIGHT;
        column.pszText = (wchar_t *)(uintptr_t)prfdata_strings_get(names[i]);
        SendMessageW(view, LVM_INSERTCOLUMNW, (WPARAM)i, (LPARAM)&column);
    }
}

void prfdata_legend_pane_apply_theme(const prfdata_legend_pane *pane)
{
    prfdata_theme_apply_to_list(pane->theme, pane->window);
    prfdata_legend_images_apply(pane->theme, pane->window);
}

/* ---- Values ---- */

/* Put a number with its unit. is_short: the column has no room for all digits. */
static void put_legend_number(const prfdata_legend_pane *pane, double number,
                              const prfdata_chart_series *series, bool is_short, wchar_t text[80])
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const size_t count =
        prfdata_number_line(number, series->type, series->unit, is_short, *pane->style, chars);

    prfdata_strings_text((prfdata_text){chars, count}, text, 60);
}

/* Returns whether a text fits into a column. Most texts are so short that they need not be
 * measured. */
static bool has_legend_room(const prfdata_legend_pane *pane, int column, const wchar_t *text)
{
    HWND view = pane->window;

    return wcslen(text) < 7 ||
           SendMessageW(view, LVM_GETSTRINGWIDTHW, 0, (LPARAM)text) + pane->theme->text_height <=
               SendMessageW(view, LVM_GETCOLUMNWIDTH, (WPARAM)column, 0);
}

static void add_legend_age(const prfdata_legend_pane *pane, int64_t age_ms, wchar_t text[80])
{
    wchar_t aged[PRFDATA_STRINGS_CHARS];
    wchar_t number[80];
    wchar_t seconds[20];

    if (!prfdata_viewer_is_old(pane->viewer, age_ms) || text[0] == 0)
        return;
    prfdata_strings_copy(number, text, 60);
    swprintf(seconds, 20, age_ms < 9950 ? L"%.1f" : L"%.0f", (double)age_ms / 1000);
    prfdata_strings_copy(text,
                         prfdata_strings_format(aged, IDS_LEGEND_OLD, number,
                                                prfdata_strings_decimal(*pane->style, seconds),
                                                NULL),
                         80);
}

static void set_legend_text(const prfdata_legend_pane *pane, int row, int column,
                            const wchar_t *text)
{
    wchar_t before[TEXT_CHARS];
    LVITEMW item = {.iSubItem = column, .pszText = before, .cchTextMax = TEXT_CHARS};

    before[0] = 0;
    SendMessageW(pane->window, LVM_GETITEMTEXTW, (WPARAM)row, (LPARAM)&item);
    if (wcscmp(before, text) == 0)
        /* Do not set the same text again, so that it does not flicker and screen readers stay
         * silent. */
        return;
    item.pszText = (wchar_t *)(uintptr_t)text;
    SendMessageW(pane->window, LVM_SETITEMTEXTW, (WPARAM)row, (LPARAM)&item);
}

static void show_legend_number(const prfdata_legend_pane *pane, uint32_t at, int column,
                               double number, int64_t age_ms)
{
    const prfdata_chart_series *series = pane->viewer->chart.series[at];
    wchar_t text[80];

    for (int is_short = 0; is_short < 2; is_short++) {
        put_legend_number(pane, number, series, is_short != 0, text);
        add_legend_age(pane, age_ms, text);
        if (has_legend_room(pane, column, text))
            break;
    }
    set_legend_text(pane, (int)at, column, text);
}

static void show_legend_line(const prfdata_legend_pane *pane, uint32_t at)
{
    const int image = (int)prfdata_bands_draw_colour(&pane->viewer->chart, at);
    LVITEMW item = {.mask = LVIF_IMAGE, .iItem = (int)at};

    if (SendMessageW(pane->window, LVM_GETITEMW, 0, (LPARAM)&item) && item.iImage == image)
        return;
    item.iImage = image;
    SendMessageW(pane->window, LVM_SETITEMW, 0, (LPARAM)&item);
}

static void update_legend_row(const prfdata_legend_pane *pane, uint32_t at)
{
    const prfdata_chart_series *series = pane->viewer->chart.series[at];
    HWND view = pane->window;
    const prfdata_chart_statistics all = prfdata_chart_statistics_of(&pane->viewer->chart, at);
    const double here = pane->hover < pane->viewer->chart.count
                            ? prfdata_chart_value_at(&pane->viewer->chart, at, pane->hover)
                            : (double)NAN;

    if ((ListView_GetCheckState(view, (int)at) == 0) != series->is_hidden)
        ListView_SetCheckState(view, (int)at, !series->is_hidden);
    show_legend_line(pane, at);
    show_legend_number(pane, at, HERE, here, 0);
    show_legend_number(pane, at, LAST, all.last, all.age_ms);
    show_legend_number(pane, at, LEAST, all.least, 0);
    show_legend_number(pane, at, MEAN, all.mean, 0);
    show_legend_number(pane, at, MOST, all.most, 0);
}

/* ---- Rows ---- */

static void insert_legend_row(const prfdata_legend_pane *pane, uint32_t at)
{
    HWND view = pane->window;
    const prfdata_chart_series *series = pane->viewer->chart.series[at];
    LVITEMW item = {.mask = LVIF_PARAM, .iItem = (int)at};

    item.lParam = (LPARAM)series->id;
    SendMessageW(view, LVM_INSERTITEMW, 0, (LPARAM)&item);
    ListView_SetCheckState(view, (int)at, !series->is_hidden);
    /* If the new line is the lowest percentile, the other percentiles get its colour. */
    InvalidateRect(view, NULL, FALSE);
}

/* Insert the row of a name without a line. The row has neither a box nor a sample of a line. */
static void insert_waiting_row(const prfdata_legend_pane *pane, uint32_t row)
{
    LVITEMW item = {.mask = LVIF_PARAM | LVIF_IMAGE, .iItem = (int)row};

    item.iImage = I_IMAGENONE;
    SendMessageW(pane->window, LVM_INSERTITEMW, 0, (LPARAM)&item);
    ListView_SetItemState(pane->window, (int)row, INDEXTOSTATEIMAGEMASK(0), LVIS_STATEIMAGEMASK);
}

static void show_names_heading(const prfdata_legend_pane *pane, const wchar_t *text)
{
    wchar_t before[TEXT_CHARS] = L"";
    LVCOLUMNW column = {.mask = LVCF_TEXT, .pszText = before, .cchTextMax = TEXT_CHARS};

    SendMessageW(pane->window, LVM_GETCOLUMNW, NAME, (LPARAM)&column);
    if (wcscmp(before, text) == 0)
        return;
    column.pszText = (wchar_t *)(uintptr_t)text;
    SendMessageW(pane->window, LVM_SETCOLUMNW, NAME, (LPARAM)&column);
}

/* Return why a row has no values. Empty: nothing is missing. */
static const wchar_t *absence_words(const prfdata_legend_pane *pane, uint32_t row,
                                    wchar_t room[TEXT_CHARS])
{
    static const uint32_t ids[PRFDATA_VIEWER_ABSENCES] = {
        [PRFDATA_VIEWER_AWAITED] = IDS_ROW_AWAITED,
        [PRFDATA_VIEWER_SILENT] = IDS_ROW_SILENT,
        [PRFDATA_VIEWER_UNKNOWN] = IDS_ROW_UNKNOWN,
        [PRFDATA_VIEWER_NO_OBJECT] = IDS_WORD_NO_OBJECT,
        [PRFDATA_VIEWER_NO_COUNTER] = IDS_WORD_NO_COUNTER,
        [PRFDATA_VIEWER_NO_INSTANCE] = IDS_WORD_NO_INSTANCE,
    };
    prfdata_text note;
    const prfdata_viewer_absence absence = prfdata_viewer_row_absence(pane->viewer, row, &note);

    if (absence == PRFDATA_VIEWER_PRESENT)
        return L"";
    if (absence == PRFDATA_VIEWER_UNKNOWN && !pane->viewer->is_live)
        return prfdata_strings_get(IDS_ROW_NOT_IN_FILE);
    return note.count > 0 ? prfdata_strings_text(note, room, TEXT_CHARS)
                          : prfdata_strings_get(ids[absence]);
}

static bool is_absent(const prfdata_legend_pane *pane, uint32_t row)
{
    prfdata_text note;

    return prfdata_viewer_row_absence(pane->viewer, row, &note) != PRFDATA_VIEWER_PRESENT;
}

static void show_row_name(const prfdata_legend_pane *pane, uint32_t row, prfdata_text name)
{
    wchar_t room[TEXT_CHARS];
    wchar_t words[TEXT_CHARS];
    wchar_t both[PRFDATA_STRINGS_CHARS];
    const wchar_t *text = prfdata_strings_text(name, room, TEXT_CHARS);
    const wchar_t *why = absence_words(pane, row, words);
    wchar_t shown[TEXT_CHARS];

    if (why[0]) {
        text = prfdata_strings_format(both, IDS_ROW_ABSENT, text, why, NULL);
        prfdata_strings_copy(shown, text, TEXT_CHARS);
        text = shown;
    }
    if (text != shown)
        prfdata_strings_copy(shown, text, TEXT_CHARS);
    set_legend_text(pane, (int)row, NAME, shown);
}

/* Show the common part of all paths in the heading, and the rest of each path in its row. */
static void show_line_names(const prfdata_legend_pane *pane)
{
    const prfdata_chart *chart = &pane->viewer->chart;
    const prfdata_line_names common = prfdata_line_names_find(chart);
    uint16_t chars[TEXT_CHARS];
    prfdata_text name = {chars, 0};
    wchar_t text[TEXT_CHARS];

    name.count = prfdata_line_names_put_pattern(chart, &common, chars, TEXT_CHARS - 1);
    show_names_heading(pane, name.count > 0 ? prfdata_strings_text(name, text, TEXT_CHARS)
                                            : prfdata_strings_get(IDS_LEGEND_NAME));
    for (uint32_t i = 0; i < chart->series_count; i++) {
        name.count = prfdata_line_names_put(chart, &common, i, chars, TEXT_CHARS - 1);
        show_row_name(pane, i, name);
    }
    for (uint32_t row = chart->series_count; row < prfdata_viewer_row_count(pane->viewer); row++)
        show_row_name(pane, row, prfdata_viewer_row_path(pane->viewer, row));
}

static LPARAM legend_param(const prfdata_legend_pane *pane, uint32_t at)
{
    LVITEMW item = {.mask = LVIF_PARAM, .iItem = (int)at};

    (void)SendMessageW(pane->window, LVM_GETITEMW, 0, (LPARAM)&item);
    return item.lParam;
}

/* Update the rows without a line. These rows follow the rows of lines, and have no id. */
static void update_waiting_rows(const prfdata_legend_pane *pane)
{
    HWND view = pane->window;
    const uint32_t first = pane->viewer->chart.series_count;
    const uint32_t count = prfdata_viewer_row_count(pane->viewer);

    for (uint32_t row = first; row < (uint32_t)ListView_GetItemCount(view);) {
        if (row >= count || legend_param(pane, row) != 0)
            (void)ListView_DeleteItem(view, (int)row);
        else
            row++;
    }
    while ((uint32_t)ListView_GetItemCount(view) < count)
        insert_waiting_row(pane, (uint32_t)ListView_GetItemCount(view));
}

/* Return the width of a column; 0 if there is no room for it. */
static int32_t width_of_column(const prfdata_widths *widths, int column)
{
    static const int32_t place[LEGEND_COLUMNS] = {
        [LAST] = 1, [HERE] = 2, [MOST] = 3, [MEAN] = 4, [LEAST] = 5};

    if (column == NAME)
        return widths->name;
    return place[column] <= widths->numbers ? widths->number : 0;
}

/* Return the width that a column has now. While no sample is under the pointer, the column HERE is
 * hidden, and the names get its room. */
static int32_t present_width(const prfdata_legend_pane *pane, int column)
{
    const bool has_hover = pane->hover < pane->viewer->chart.count;
    const int32_t width = width_of_column(&pane->widths, column);

    if (has_hover || (column != HERE && column != NAME))
        return width;
    return column == HERE ? 0 : width + width_of_column(&pane->widths, HERE);
}

/*
 * Set the widths of the columns. Columns that become narrower come first, so that no scroll bar
 * appears.
 */
static void set_widths(const prfdata_legend_pane *pane)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < LEGEND_COLUMNS; i++) {
            const int32_t width = present_width(pane, i);
            const int32_t before =
                (int32_t)SendMessageW(pane->window, LVM_GETCOLUMNWIDTH, (WPARAM)i, 0);

            if (pass == 0 ? width < before : width > before)
                (void)ListView_SetColumnWidth(pane->window, i, width);
        }
    }
    InvalidateRect(pane->window, NULL, FALSE);
}

/* Return the width in pixels of the widest hexadecimal number that any line may have. These numbers
 * are never shortened. 0: no line has hexadecimal numbers. */
static int32_t widest_number(const prfdata_legend_pane *pane)
{
    int32_t widest = 0;

    for (uint32_t i = 0; i < pane->viewer->chart.series_count; i++) {
        uint16_t chars[PRFDATA_NUMBER_CHARS];
        prfdata_text number = {chars, 0};
        wchar_t text[PRFDATA_NUMBER_CHARS + 2] = L"~"; /* shown before a number whose last digits
                                                          are lost */
        int32_t width = 0;

        number.count = prfdata_number_widest_hex(pane->viewer->chart.series[i]->type, chars);
        if (number.count > 0) {
            prfdata_strings_text(number, text + 1, PRFDATA_NUMBER_CHARS + 1);
            width = (int32_t)SendMessageW(pane->window, LVM_GETSTRINGWIDTHW, 0, (LPARAM)text) +
                    pane->theme->text_height;
        }
        widest = width > widest ? width : widest;
    }
    return widest;
}

void prfdata_legend_pane_update(prfdata_legend_pane *pane, uint32_t hover)
{
    HWND view = pane->window;
    const bool had_hover = pane->hover < pane->viewer->chart.count;

    pane->hover = hover;
    if (pane->width > 0 && widest_number(pane) != pane->widest)
        prfdata_legend_pane_arrange(pane, pane->width);
    if (had_hover != (hover < pane->viewer->chart.count))
        set_widths(pane);
    pane->is_filling = true;
    for (uint32_t i = 0; i < pane->viewer->chart.series_count; i++) {
        while ((uint32_t)ListView_GetItemCount(view) > i &&
               legend_param(pane, i) != (LPARAM)pane->viewer->chart.series[i]->id)
            (void)ListView_DeleteItem(view, (int)i);
        if ((uint32_t)ListView_GetItemCount(view) <= i)
            insert_legend_row(pane, i);
        if (GetWindowLongPtrW(view, GWL_STYLE) & WS_VISIBLE)
            update_legend_row(pane, i);
    }
    update_waiting_rows(pane);
    show_line_names(pane);
    pane->is_filling = false;
}

static int32_t room_for_columns(const prfdata_legend_pane *pane, int32_t width)
{
    return width - prfdata_theme_pixels(pane->theme, 8) -
           prfdata_theme_metric(pane->theme, SM_CXVSCROLL);
}

static int32_t height_of_header(HWND header)
{
    RECT area = {0, 0, INT16_MAX, INT16_MAX};
    WINDOWPOS place = {0};
    HDLAYOUT layout = {&area, &place};

    return SendMessageW(header, HDM_LAYOUT, 0, (LPARAM)&layout) ? place.cy : 0;
}

/* Return the height of a row. If there are no rows, return an estimate. */
static int32_t height_of_row(const prfdata_legend_pane *pane)
{
    RECT row = {.left = LVIR_BOUNDS};

    return SendMessageW(pane->window, LVM_GETITEMRECT, 0, (LPARAM)&row)
               ? row.bottom - row.top
               : pane->theme->text_height + 1;
}

int32_t prfdata_legend_pane_height(const prfdata_legend_pane *pane, int32_t width, int32_t height,
                                   int32_t most)
{
    const int32_t room = room_for_columns(pane, width);
    const prfdata_widths widths = prfdata_widths_legend(room, pane->widest, pane->theme->dpi);
    const bool has_bar = widths.name + widths.numbers * widths.number > room;
    const int32_t around = height_of_header(ListView_GetHeader(pane->window)) +
                           2 * prfdata_theme_metric(pane->theme, SM_CYBORDER) +
                           (has_bar ? prfdata_theme_metric(pane->theme, SM_CYHSCROLL) : 0);
    const int32_t row = height_of_row(pane);
    int32_t rows = height > 0 ? (height - around + row / 2) / row : ROWS_SEEN;

    while (rows > 1 && around + rows * row > most)
        rows--;
    return around + (rows > 1 ? rows : 1) * row;
}

void prfdata_legend_pane_arrange(prfdata_legend_pane *pane, int32_t width)
{
    const prfdata_widths before = pane->widths;

    pane->width = width;
    pane->widest = widest_number(pane);
    pane->widths =
        prfdata_widths_legend(room_for_columns(pane, width), pane->widest, pane->theme->dpi);
    set_widths(pane);
    if (pane->widths.name == before.name && pane->widths.number == before.number &&
        pane->widths.numbers == before.numbers)
        return; /* each column has the same room as before, so its texts stay */
    prfdata_legend_pane_update(pane, pane->hover);
}

uint32_t prfdata_legend_pane_selected_row(const prfdata_legend_pane *pane)
{
    const int at = ListView_GetNextItem(pane->window, -1, LVNI_SELECTED);

    return at >= 0 && (uint32_t)at < prfdata_viewer_row_count(pane->viewer) ? (uint32_t)at
                                                                            : UINT32_MAX;
}

uint32_t prfdata_legend_pane_selected(const prfdata_legend_pane *pane)
{
    const uint32_t row = prfdata_legend_pane_selected_row(pane);

    return row < pane->viewer->chart.series_count ? row : PRFDATA_CHART_SERIES;
}

void prfdata_legend_pane_select(prfdata_legend_pane *pane, uint32_t position)
{
    HWND view = pane->window;

    ListView_SetItemState(view, (int)position, LVIS_SELECTED | LVIS_FOCUSED,
                          LVIS_SELECTED | LVIS_FOCUSED);
    (void)ListView_EnsureVisible(view, (int)position, FALSE);
}

/* ---- Actions of the user ---- */

/* Tell the viewer that the user has checked, unchecked or selected a row. */
static void note_legend_change(prfdata_legend_pane *pane, const NMLISTVIEW *change)
{
    if (pane->is_filling || !(change->uChanged & LVIF_STATE) || change->iItem < 0)
        return;
    prfdata_viewer_hide_line(pane->viewer, (uint32_t)change->iItem,
                             !ListView_GetCheckState(pane->window, change->iItem));
    if ((change->uNewState ^ change->uOldState) & LVIS_SELECTED)
        prfdata_viewer_choose_line(pane->viewer, prfdata_legend_pane_selected(pane));
}

/* Draw the image of a selected line again. The list view has mixed the image with the colour of the
 * selection, so the dashes are lost. */
static void draw_selected_line(const prfdata_legend_pane *pane, HDC dc, uint32_t row)
{
    HIMAGELIST images = ListView_GetImageList(pane->window, LVSIL_SMALL);
    RECT icon = {.left = LVIR_ICON};

    if (images && SendMessageW(pane->window, LVM_GETITEMRECT, row, (LPARAM)&icon))
        (void)ImageList_Draw(images, (int)prfdata_bands_draw_colour(&pane->viewer->chart, row), dc,
                             icon.left, icon.top, ILD_NORMAL);
}

static void colours_of_row(const prfdata_legend_pane *pane, uint32_t row, COLORREF *text,
                           COLORREF *back)
{
    const bool has_focus = GetFocus() == pane->window;

    *text = is_absent(pane, row) ? pane->theme->faint : pane->theme->text;
    *back = pane->theme->back;
    if (!ListView_GetItemState(pane->window, row, LVIS_SELECTED))
        return;
    if (pane->theme->is_dark) {
        *back = has_focus ? pane->theme->chosen : pane->theme->lit;
        return;
    }
    *text = GetSysColor(has_focus ? COLOR_HIGHLIGHTTEXT : COLOR_BTNTEXT);
    *back = GetSysColor(has_focus ? COLOR_HIGHLIGHT : COLOR_BTNFACE);
}

/* Draw a name again with its middle cut, if the whole name has no room. The row keeps the whole
 * name for screen readers. */
static void draw_cut_name(const prfdata_legend_pane *pane, HDC dc, uint32_t row)
{
    wchar_t text[TEXT_CHARS] = L"";
    LVITEMW item = {.pszText = text, .cchTextMax = TEXT_CHARS};
    RECT label = {.left = LVIR_LABEL};
    HGDIOBJ before;
    COLORREF colour;
    COLORREF back;

    if (!SendMessageW(pane->window, LVM_GETITEMRECT, row, (LPARAM)&label) ||
        !SendMessageW(pane->window, LVM_GETITEMTEXTW, row, (LPARAM)&item) ||
        SendMessageW(pane->window, LVM_GETSTRINGWIDTHW, 0, (LPARAM)text) <=
            label.right - label.left - prfdata_theme_pixels(pane->theme, 4))
        return;
    colours_of_row(pane, row, &colour, &back);
    prfdata_theme_fill(dc, &label, back);
    InflateRect(&label, -prfdata_theme_pixels(pane->theme, 2), 0);
    before = SelectObject(dc, pane->theme->font);
    prfdata_strings_cut(dc, label.right - label.left, text, TEXT_CHARS);
    SetTextColor(dc, colour);
    SetBkMode(dc, TRANSPARENT);
    DrawTextW(dc, text, -1, &label, DT_SINGLELINE | DT_VCENTER | DT_NOPREFIX);
    SelectObject(dc, before);
}

static LRESULT draw_legend(const prfdata_legend_pane *pane, NMLVCUSTOMDRAW *draw)
{
    const uint32_t row = (uint32_t)draw->nmcd.dwItemSpec;
    LRESULT wish = CDRF_DODEFAULT;

    if (draw->nmcd.dwDrawStage == CDDS_PREPAINT)
        return CDRF_NOTIFYITEMDRAW;
    if (draw->nmcd.dwDrawStage == CDDS_ITEMPREPAINT)
        return CDRF_NOTIFYSUBITEMDRAW;
    if (row >= prfdata_viewer_row_count(pane->viewer))
        return CDRF_DODEFAULT;
    if (draw->nmcd.dwDrawStage == (CDDS_ITEMPOSTPAINT | CDDS_SUBITEM) && draw->iSubItem == NAME) {
        if (row < pane->viewer->chart.series_count &&
            ListView_GetItemState(pane->window, row, LVIS_SELECTED))
            draw_selected_line(pane, draw->nmcd.hdc, row);
        draw_cut_name(pane, draw->nmcd.hdc, row);
    }
    if (draw->nmcd.dwDrawStage != (CDDS_ITEMPREPAINT | CDDS_SUBITEM))
        return CDRF_DODEFAULT;
    if (draw->iSubItem == NAME)
        wish = CDRF_NOTIFYPOSTPAINT;
    draw->clrTextBk = pane->theme->back;
    draw->clrText = is_absent(pane, row) ? pane->theme->faint : pane->theme->text;
    (void)prfdata_dark_controls_selection(pane->theme, draw);
    return wish;
}

static void set_legend_tip(const prfdata_legend_pane *pane, NMLVGETINFOTIPW *tip)
{
    const uint32_t row = (uint32_t)tip->iItem;
    wchar_t path[TEXT_CHARS];
    wchar_t words[TEXT_CHARS];
    wchar_t both[PRFDATA_STRINGS_CHARS];
    const wchar_t *why;

    if (row >= prfdata_viewer_row_count(pane->viewer) || tip->cchTextMax <= 0)
        return;
    why = absence_words(pane, row, words);
    prfdata_strings_text(prfdata_viewer_row_path(pane->viewer, row), path, TEXT_CHARS);
    prfdata_strings_copy(
        tip->pszText, why[0] ? prfdata_strings_format(both, IDS_ROW_ABSENT, path, why, NULL) : path,
        tip->cchTextMax);
}

/* Give the first row the focus if no row has it, to show that the list has the keyboard focus. */
static void focus_a_row(const prfdata_legend_pane *pane)
{
    if (ListView_GetNextItem(pane->window, -1, LVNI_FOCUSED) < 0 &&
        ListView_GetItemCount(pane->window) > 0)
        ListView_SetItemState(pane->window, 0, LVIS_FOCUSED, LVIS_FOCUSED);
}

LRESULT prfdata_legend_pane_notify(prfdata_legend_pane *pane, const NMHDR *header)
{
    if (header->code == NM_SETFOCUS)
        focus_a_row(pane);
    if (header->code == NM_CUSTOMDRAW)
        return draw_legend(pane, (NMLVCUSTOMDRAW *)(uintptr_t)header);
    if (header->code == LVN_GETINFOTIPW)
        set_legend_tip(pane, (NMLVGETINFOTIPW *)(uintptr_t)header);
    if (header->code == LVN_ITEMCHANGED)
        note_legend_change(pane, (const NMLISTVIEW *)header);
    if (header->code == LVN_KEYDOWN && ((const NMLVKEYDOWN *)header)->wVKey == VK_DELETE)
        SendMessageW(GetParent(pane->window), WM_COMMAND, IDC_REMOVE, 0);
    return 0;
}
