/* SPDX-License-Identifier: MIT */
/*
 * Numbers without room for their digits are shortened. While columns are scrolled sideways, names
 * are drawn over them.
 */
#include "panes/table_cells.h"

#include "panes/dark_controls.h"
#include "panes/strings.h"

#define NAME_MARGIN 6 /* pixels */

/* ---- Texts ---- */

/* Whether a text is not cut in a column. */
static bool has_room(const prfdata_table_cells *cells, HWND list, int column, const wchar_t *text)
{
    return SendMessageW(list, LVM_GETSTRINGWIDTHW, 0, (LPARAM)text) + cells->theme->text_height <=
           SendMessageW(list, LVM_GETCOLUMNWIDTH, (WPARAM)column, 0);
}

/* Some of a number's digits are another number. */
static void shorten_number(const prfdata_table_cells *cells, uint32_t row, uint32_t column,
                           NMLVDISPINFOW *info)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    prfdata_text text = {chars, 0};

    text.count = prfdata_table_short(&cells->viewer->table, row, column, *cells->style, chars);
    if (text.count > 0 &&
        !has_room(cells, info->hdr.hwndFrom, info->item.iSubItem, info->item.pszText))
        prfdata_strings_text(text, info->item.pszText, (size_t)info->item.cchTextMax);
}

void prfdata_table_cells_set_text(const prfdata_table_cells *cells, NMLVDISPINFOW *info)
{
    const uint32_t row = (uint32_t)info->item.iItem;
    const uint32_t column =
        info->item.iSubItem == 0 ? PRFDATA_TABLE_LABEL : (uint32_t)info->item.iSubItem - 1;
    uint16_t chars[512];
    prfdata_text text = {chars, 0};

    if (!(info->item.mask & LVIF_TEXT) || row >= cells->viewer->table.shown_count)
        return;
    if (!cells->viewer->table.has_instances && column == 1)
        text = cells->viewer->table.shown[row]->help;
    else
        text.count =
            prfdata_table_text(&cells->viewer->table, row, column, *cells->style, chars, 512);
    if (info->item.cchTextMax < 1)
        return;
    prfdata_strings_text(text, info->item.pszText, (size_t)info->item.cchTextMax);
    if (column < cells->viewer->table.column_count)
        shorten_number(cells, row, column, info);
}

/* ---- Drawing ---- */

static void set_colours(const prfdata_table_cells *cells, NMLVCUSTOMDRAW *draw)
{
    const uint32_t row = (uint32_t)draw->nmcd.dwItemSpec;
    const prfdata_table_row *shown = cells->viewer->table.shown[row];
    const prfdata_cell *cell =
        draw->iSubItem > 0
            ? prfdata_table_cell_at(&cells->viewer->table, row, (uint32_t)draw->iSubItem - 1)
            : NULL;

    draw->clrTextBk = cells->theme->back;
    draw->clrText = cells->theme->text;
    if (prfdata_dark_controls_selection(cells->theme, draw))
        return;
    if (cells->theme->is_contrast)
        return;
    if (shown->life.is_idle || !shown->life.is_present || shown->is_damaged)
        draw->clrText = cells->theme->faint;
    if (shown->life.is_new ||
        (cell && cell->has_changed && cells->marks_changes && shown->life.is_present))
        draw->clrTextBk = cells->theme->mark;
    if (!shown->life.is_present)
        draw->clrTextBk = cells->theme->lit;
}

/* Whether a drawn cell is the one that commands are about, and the keyboard is there. */
static bool is_chosen_cell(const prfdata_table_cells *cells, const NMLVCUSTOMDRAW *draw)
{
    HWND view = draw->nmcd.hdr.hwndFrom;

    return cells->viewer->table.has_instances && draw->iSubItem == (int)cells->viewer->column + 1 &&
           GetFocus() == view &&
           ListView_GetItemState(view, (int)draw->nmcd.dwItemSpec, LVIS_FOCUSED) != 0;
}

static void frame_cell(const prfdata_table_cells *cells, const NMLVCUSTOMDRAW *draw)
{
    HWND view = draw->nmcd.hdr.hwndFrom;
    const int row = (int)draw->nmcd.dwItemSpec;
    const bool is_lit =
        !cells->theme->is_dark && ListView_GetItemState(view, row, LVIS_SELECTED) != 0;
    RECT cell;

    if (!ListView_GetSubItemRect(view, row, draw->iSubItem, LVIR_BOUNDS, &cell))
        return;
    SetDCBrushColor(draw->nmcd.hdc, is_lit ? GetSysColor(COLOR_HIGHLIGHTTEXT) : cells->theme->text);
    FrameRect(draw->nmcd.hdc, &cell, (HBRUSH)GetStockObject(DC_BRUSH));
}

/* A table without rows has no row that would show where the keyboard is. */
static bool is_focus_unseen(const prfdata_table_cells *cells, const NMLVCUSTOMDRAW *draw)
{
    return cells->viewer->table.shown_count == 0 && GetFocus() == draw->nmcd.hdr.hwndFrom;
}

static void draw_table_focus(const prfdata_table_cells *cells, HWND list, HDC dc)
{
    RECT header;
    RECT area;

    GetClientRect(list, &area);
    if (GetClientRect(ListView_GetHeader(list), &header))
        area.top += header.bottom;
    SetTextColor(dc, cells->theme->text);
    SetBkColor(dc, cells->theme->back);
    DrawFocusRect(dc, &area);
}

/* ---- Names, while the other columns are scrolled below them ---- */

static void set_name_colours(const prfdata_table_cells *cells, NMLVCUSTOMDRAW *draw)
{
    HWND view = draw->nmcd.hdr.hwndFrom;
    const bool has_focus = GetFocus() == view;

    set_colours(cells, draw);
    if (cells->theme->is_dark ||
        !ListView_GetItemState(view, (int)draw->nmcd.dwItemSpec, LVIS_SELECTED))
        return;
    draw->clrText = GetSysColor(has_focus ? COLOR_HIGHLIGHTTEXT : COLOR_BTNTEXT);
    draw->clrTextBk = GetSysColor(has_focus ? COLOR_HIGHLIGHT : COLOR_BTNFACE);
}

/* As the list view draws a text: so far from the edge at any DPI. */
static void draw_name(const prfdata_table_cells *cells, NMLVCUSTOMDRAW *draw, const RECT *cell)
{
    HDC dc = draw->nmcd.hdc;
    RECT place = {cell->left + NAME_MARGIN, cell->top, cell->right - NAME_MARGIN, cell->bottom};
    wchar_t text[512];

    set_name_colours(cells, draw);
    SetBkColor(dc, draw->clrTextBk);
    ExtTextOutW(dc, 0, 0, ETO_OPAQUE, cell, NULL, 0, NULL);
    SetTextColor(dc, draw->clrText);
    DrawTextW(
        dc,
        prfdata_strings_text(cells->viewer->table.shown[draw->nmcd.dwItemSpec]->label, text, 512),
        -1, &place, DT_SINGLELINE | DT_VCENTER | DT_END_ELLIPSIS | DT_NOPREFIX);
}

static void draw_names(const prfdata_table_cells *cells, const NMLVCUSTOMDRAW *whole)
{
    HWND view = whole->nmcd.hdr.hwndFrom;
    const int first = ListView_GetTopIndex(view);
    const int end = first + ListView_GetCountPerPage(view) + 1; /* the last is seen in part */
    const prfdata_frozen names = prfdata_frozen_column_place(cells->names);
    const int32_t width = prfdata_frozen_width(&names);
    RECT row;

    for (int i = first; i < end && (uint32_t)i < cells->viewer->table.shown_count; i++) {
        NMLVCUSTOMDRAW draw = *whole;

        if (!ListView_GetItemRect(view, i, &row, LVIR_BOUNDS))
            continue;
        draw.nmcd.dwItemSpec = (DWORD_PTR)i;
        draw.iSubItem = 0;
        row.left = 0;
        row.right = width;
        draw_name(cells, &draw, &row);
        row.left = row.right - 1; /* where the others begin */
        SetBkColor(whole->nmcd.hdc, cells->theme->faint);
        ExtTextOutW(whole->nmcd.hdc, 0, 0, ETO_OPAQUE, &row, NULL, 0, NULL);
    }
}

static bool covers_names(const prfdata_table_cells *cells)
{
    const prfdata_frozen names = prfdata_frozen_column_place(cells->names);

    return prfdata_frozen_width(&names) > 0;
}

/* ---- All of it ---- */

static LRESULT begin_drawing(const prfdata_table_cells *cells, const NMLVCUSTOMDRAW *draw)
{
    return CDRF_NOTIFYITEMDRAW |
           (is_focus_unseen(cells, draw) || covers_names(cells) ? CDRF_NOTIFYPOSTPAINT : 0);
}

static void end_drawing(const prfdata_table_cells *cells, const NMLVCUSTOMDRAW *draw)
{
    HGDIOBJ before = SelectObject(draw->nmcd.hdc, cells->theme->font);

    SetBkMode(draw->nmcd.hdc, TRANSPARENT);
    if (covers_names(cells))
        draw_names(cells, draw);
    if (is_focus_unseen(cells, draw))
        draw_table_focus(cells, draw->nmcd.hdr.hwndFrom, draw->nmcd.hdc);
    SelectObject(draw->nmcd.hdc, before);
}

LRESULT prfdata_table_cells_draw(const prfdata_table_cells *cells, NMLVCUSTOMDRAW *draw)
{
    switch (draw->nmcd.dwDrawStage) {
    case CDDS_PREPAINT:
        return begin_drawing(cells, draw);
    case CDDS_POSTPAINT:
        end_drawing(cells, draw);
        return CDRF_DODEFAULT;
    case CDDS_ITEMPREPAINT:
        return CDRF_NOTIFYSUBITEMDRAW;
    case CDDS_ITEMPREPAINT | CDDS_SUBITEM:
        if (draw->nmcd.dwItemSpec >= cells->viewer->table.shown_count)
            return CDRF_DODEFAULT;
        set_colours(cells, draw);
        return is_chosen_cell(cells, draw) ? CDRF_NOTIFYPOSTPAINT : CDRF_DODEFAULT;
    case CDDS_ITEMPOSTPAINT | CDDS_SUBITEM:
        frame_cell(cells, draw);
        return CDRF_DODEFAULT;
    default:
        return CDRF_DODEFAULT;
    }
}
