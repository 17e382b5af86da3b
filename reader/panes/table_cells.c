/* SPDX-License-Identifier: MIT */
/*
 * Draws the cells of the table. Numbers without room for all digits are shortened. While columns
 * are scrolled sideways, the names cover other columns. Only cells that must be painted are drawn,
 * because invisible text costs as much as visible text.
 */
#include "panes/table_cells.h"

#include <string.h>
#include <wchar.h>

#include "panes/strings.h"

#define MARGIN 6 /* pixels between a text and the edge of its cell, at any DPI */
/* Pixels at the left of the first column that belong to no row of the list view. */
#define EDGE        2
#define CELL_CHARS  512
#define LOOK_FAINT  1u
#define LOOK_MARKED 2u
#define LOOK_LIT    4u
#define LOOK_BEYOND 8u

/* ---- Texts ---- */

static size_t put_whole_text(const prfdata_table_cells *cells, uint32_t row, uint32_t column,
                             uint16_t chars[CELL_CHARS])
{
    const prfdata_table *table = &cells->viewer->table;
    prfdata_text help;

    if (table->has_instances || column != 2)
        return prfdata_table_text(table, row, column == 0 ? PRFDATA_TABLE_LABEL : column - 1,
                                  *cells->style, chars, CELL_CHARS);
    help = table->shown[row]->help;
    if (help.count > CELL_CHARS)
        help.count = CELL_CHARS;
    if (help.count > 0)
        memcpy(chars, help.chars, help.count * sizeof *chars);
    return help.count;
}

/* Put a number in its short form, because cut digits would look like another number. Returns
 * whether there is a short form. */
static bool put_short_text(const prfdata_table_cells *cells, uint32_t row, uint32_t column,
                           wchar_t text[CELL_CHARS])
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    prfdata_text number = {chars, 0};

    if (column > 0 && column <= cells->viewer->table.column_count)
        number.count =
            prfdata_table_short(&cells->viewer->table, row, column - 1, *cells->style, chars);
    if (number.count > 0)
        prfdata_strings_text(number, text, CELL_CHARS);
    return number.count > 0;
}

static int32_t width_of_text(HDC dc, const wchar_t *text, size_t count)
{
    SIZE size = {0, 0};

    GetTextExtentPoint32W(dc, text, (int)count, &size);
    return size.cx;
}

/* Put the text of a cell. A number that has no room for all its digits is put in its short form.
 * Returns the width of the text. */
static int32_t put_fitting_text(const prfdata_table_cells *cells, HDC dc, int32_t width,
                                uint32_t row, uint32_t column, wchar_t text[CELL_CHARS])
{
    uint16_t chars[CELL_CHARS];
    const prfdata_text whole = {chars, put_whole_text(cells, row, column, chars)};
    int32_t wide;

    prfdata_strings_text(whole, text, CELL_CHARS);
    wide = width_of_text(dc, text, wcslen(text));
    if (wide + cells->theme->text_height > width && put_short_text(cells, row, column, text))
        wide = width_of_text(dc, text, wcslen(text));
    return wide;
}

void prfdata_table_cells_set_text(const prfdata_table_cells *cells, NMLVDISPINFOW *info)
{
    const uint32_t row = (uint32_t)info->item.iItem;
    const int column = info->item.iSubItem;
    HWND list = info->hdr.hwndFrom;
    wchar_t text[CELL_CHARS];
    HGDIOBJ before;
    HDC dc;

    if (!(info->item.mask & LVIF_TEXT) || row >= cells->viewer->table.shown_count ||
        info->item.cchTextMax < 1)
        return;
    dc = GetDC(list);
    before = SelectObject(dc, cells->theme->font);
    (void)put_fitting_text(cells, dc,
                           (int32_t)SendMessageW(list, LVM_GETCOLUMNWIDTH, (WPARAM)column, 0), row,
                           (uint32_t)column, text);
    SelectObject(dc, before);
    ReleaseDC(list, dc);
    prfdata_strings_copy(info->item.pszText, text, info->item.cchTextMax);
}

/* ---- Look ---- */

static uint32_t look_of(const prfdata_table_cells *cells, uint32_t row, uint32_t column)
{
    const prfdata_table_row *shown = cells->viewer->table.shown[row];
    const prfdata_cell *cell =
        column > 0 ? prfdata_table_cell_at(&cells->viewer->table, row, column - 1) : NULL;
    uint32_t look = 0;

    if ((column > 0 && prfdata_table_has_reason(&cells->viewer->table, row, column - 1)) ||
        shown->life.is_idle || !shown->life.is_present || shown->is_damaged)
        look |= LOOK_FAINT;
    if (shown->life.is_new ||
        (cell && cell->has_changed && cells->marks_changes && shown->life.is_present))
        look |= LOOK_MARKED;
    if (!shown->life.is_present)
        look |= LOOK_LIT;
    if (column > 0 && column <= cells->viewer->table.column_count && shown->life.is_present &&
        prfdata_table_is_beyond(&cells->viewer->table, shown, column - 1))
        look |= LOOK_BEYOND;
    return look;
}

typedef struct cell_colours {
    COLORREF text;
    COLORREF back;
} cell_colours;

static cell_colours colours_of_selected(const prfdata_theme *theme, bool has_focus)
{
    if (theme->is_dark)
        return (cell_colours){theme->text, has_focus ? theme->chosen : theme->lit};
    return (cell_colours){GetSysColor(has_focus ? COLOR_HIGHLIGHTTEXT : COLOR_BTNTEXT),
                          GetSysColor(has_focus ? COLOR_HIGHLIGHT : COLOR_BTNFACE)};
}

static cell_colours colours_of(const prfdata_table_cells *cells, uint32_t row, uint32_t column,
                               bool has_focus)
{
    const prfdata_theme *theme = cells->theme;
    const uint32_t look = look_of(cells, row, column);
    cell_colours colours = {theme->text, theme->back};

    if (row < cells->screen->row_count && (cells->screen->states[row] & PRFDATA_TABLE_SELECTED))
        return colours_of_selected(theme, has_focus);
    /* With high contrast only the system's colours may be used. */
    if (theme->is_contrast && (look & LOOK_BEYOND))
        return (cell_colours){theme->back, theme->text};
    if (theme->is_contrast)
        return colours;
    if (look & LOOK_FAINT)
        colours.text = theme->faint;
    if (look & LOOK_MARKED)
        colours.back = theme->mark;
    if (look & LOOK_LIT)
        colours.back = theme->lit;
    if (look & LOOK_BEYOND) {
        colours.text = theme->text;
        colours.back = theme->beyond;
    }
    return colours;
}

/* ---- Position ---- */

static uint32_t rows_seen(HWND list, const RECT *row, uint32_t first, uint32_t count)
{
    const int32_t height = row->bottom - row->top;
    RECT area;
    uint32_t seen;

    GetClientRect(list, &area);
    if (height <= 0 || first >= count || area.bottom <= row->top)
        return 0;
    seen = (uint32_t)((area.bottom - row->top + height - 1) / height);
    return seen < count - first ? seen : count - first;
}

static void measure(prfdata_table_cells *cells, HWND list)
{
    prfdata_table_place *place = &cells->place;
    HWND header = ListView_GetHeader(list);
    const int columns = Header_GetItemCount(header);
    RECT row = {0, 0, 0, 0};
    RECT cell;

    place->names = prfdata_frozen_column_place(cells->names);
    place->part = (prfdata_table_part){.first_row = (uint32_t)ListView_GetTopIndex(list)};
    if (ListView_GetItemRect(list, (int)place->part.first_row, &row, LVIR_BOUNDS))
        place->part.row_count =
            rows_seen(list, &row, place->part.first_row, cells->viewer->table.shown_count);
    place->top = row.top;
    place->row_height = row.bottom - row.top;
    place->window_width = place->names.window;
    for (int i = 0; i < columns && i < (int)PRFDATA_TABLE_COLUMNS_MOST; i++) {
        if (!SendMessageW(header, HDM_GETITEMRECT, (WPARAM)i, (LPARAM)&cell))
            break;
        place->left[i] = cell.left - place->names.scroll;
        place->right[i] = cell.right - place->names.scroll;
        place->part.column_count = (uint32_t)i + 1;
    }
}

/* Return the area of a cell. Names stay at the left edge while other columns are scrolled. */
static RECT area_of(const prfdata_table_place *place, uint32_t row, uint32_t column)
{
    const int32_t top = place->top + (int32_t)(row - place->part.first_row) * place->row_height;
    const int32_t names = prfdata_frozen_width(&place->names);

    if (column == 0 && names > 0)
        return (RECT){0, top, names, top + place->row_height};
    return (RECT){place->left[column] + (column == 0 ? EDGE : 0), top, place->right[column],
                  top + place->row_height};
}

static bool is_column_seen(const prfdata_table_place *place, uint32_t column)
{
    if (column == 0)
        return true;
    return place->right[column] > place->left[column] &&
           place->left[column] < place->window_width &&
           place->right[column] > prfdata_frozen_width(&place->names);
}

/* ---- Cells to paint ---- */

static bool has_cell_changed(prfdata_table_cells *cells, uint32_t row, uint32_t column)
{
    uint16_t chars[CELL_CHARS];
    prfdata_text text = {chars, 0};

    if (!is_column_seen(&cells->place, column)) {
        (void)prfdata_table_screen_show(cells->screen, row, column, PRFDATA_TABLE_UNKNOWN);
        return false;
    }
    text.count = put_whole_text(cells, row, column, chars);
    return prfdata_table_screen_show(cells->screen, row, column,
                                     prfdata_table_screen_mark(text, look_of(cells, row, column)));
}

static void add_area(HRGN region, HRGN spare, const RECT *area)
{
    SetRectRgn(spare, area->left, area->top, area->right, area->bottom);
    CombineRgn(region, region, spare, RGN_OR);
}

/* Add the changed cells of a row to the region. Adjacent cells become one rectangle. */
static void add_changed_row(prfdata_table_cells *cells, uint32_t row, HRGN region, HRGN spare)
{
    RECT changed = {0, 0, 0, 0};

    for (uint32_t i = 0; i < cells->place.part.column_count; i++) {
        const RECT area = area_of(&cells->place, row, i);

        if (!has_cell_changed(cells, row, i))
            continue;
        if (changed.right > changed.left && area.left == changed.right) {
            changed.right = area.right;
            continue;
        }
        if (changed.right > changed.left)
            add_area(region, spare, &changed);
        changed = area;
    }
    if (changed.right > changed.left)
        add_area(region, spare, &changed);
}

void prfdata_table_cells_update(prfdata_table_cells *cells, HWND list)
{
    HRGN region = CreateRectRgn(0, 0, 0, 0);
    HRGN spare = CreateRectRgn(0, 0, 0, 0);
    const prfdata_table_part *part = &cells->place.part;
    RECT box;

    measure(cells, list);
    if (!prfdata_table_screen_see(cells->screen, *part)) {
        InvalidateRect(list, NULL, FALSE);
    } else {
        for (uint32_t i = 0; i < part->row_count; i++)
            add_changed_row(cells, part->first_row + i, region, spare);
        if (GetRgnBox(region, &box) != NULLREGION)
            InvalidateRgn(list, region, FALSE);
    }
    DeleteObject(spare);
    DeleteObject(region);
}

/* ---- Drawing ---- */

static bool is_painted(const prfdata_table_cells *cells, const RECT *area)
{
    return !cells->names->painted || RectInRegion(cells->names->painted, area);
}

static bool is_number_column(const prfdata_table_cells *cells, uint32_t column)
{
    return column > 0 && column <= cells->viewer->table.column_count;
}

static void draw_text(const prfdata_table_cells *cells, HDC dc, const RECT *area, uint32_t row,
                      uint32_t column)
{
    const int32_t width = area->right - area->left;
    const int32_t margin = column == 0 && area->left == EDGE ? MARGIN - EDGE : MARGIN;
    RECT place = {area->left + margin, area->top, area->right - MARGIN, area->bottom};
    wchar_t text[CELL_CHARS];
    const int32_t wide = put_fitting_text(cells, dc, width, row, column, text);
    TEXTMETRICW metrics;

    GetTextMetricsW(dc, &metrics);
    if (wide > place.right - place.left && column > 0) {
        ExtTextOutW(dc, 0, 0, ETO_OPAQUE, area, NULL, 0, NULL);
        /* Do not use DT_VCENTER, because the text might then be a pixel lower than in the other
         * cells of the row. */
        place.top += (area->bottom - area->top - metrics.tmHeight) / 2;
        DrawTextW(dc, text, -1, &place, DT_SINGLELINE | DT_END_ELLIPSIS | DT_NOPREFIX);
        return;
    }
    if (wide > place.right - place.left)
        prfdata_strings_cut(dc, place.right - place.left, text, CELL_CHARS);
    ExtTextOutW(dc, is_number_column(cells, column) ? place.right - wide : place.left,
                area->top + (area->bottom - area->top - metrics.tmHeight) / 2,
                ETO_OPAQUE | ETO_CLIPPED, area, text, (UINT)wcslen(text), NULL);
}

/* Returns whether commands apply to this cell. */
static bool is_chosen_cell(const prfdata_table_cells *cells, uint32_t row, uint32_t column)
{
    const uint32_t chosen = cells->viewer->table.has_instances ? cells->viewer->column : 0;

    return column == chosen + 1 && row == cells->screen->focused;
}

static void frame_cell(HDC dc, const RECT *area, COLORREF colour)
{
    SetDCBrushColor(dc, colour);
    FrameRect(dc, area, (HBRUSH)GetStockObject(DC_BRUSH));
}

static void draw_cell(const prfdata_table_cells *cells, HDC dc, uint32_t row, uint32_t column,
                      bool has_focus)
{
    const RECT area = area_of(&cells->place, row, column);
    const cell_colours colours = colours_of(cells, row, column, has_focus);

    if (!is_painted(cells, &area))
        return;
    SetTextColor(dc, colours.text);
    SetBkColor(dc, colours.back);
    draw_text(cells, dc, &area, row, column);
    if (has_focus && is_chosen_cell(cells, row, column))
        frame_cell(dc, &area, colours.text);
}

static void draw_edge(const prfdata_table_cells *cells, HDC dc, uint32_t row)
{
    RECT area = area_of(&cells->place, row, 0);

    area.left = area.right - 1;
    SetBkColor(dc, cells->theme->faint);
    ExtTextOutW(dc, 0, 0, ETO_OPAQUE, &area, NULL, 0, NULL);
}

static void draw_row(const prfdata_table_cells *cells, HDC dc, uint32_t row, bool has_focus)
{
    HGDIOBJ before = SelectObject(dc, cells->theme->font);
    const int mode = SetBkMode(dc, TRANSPARENT);

    for (uint32_t i = 1; i < cells->place.part.column_count; i++) {
        if (is_column_seen(&cells->place, i))
            draw_cell(cells, dc, row, i, has_focus);
    }
    /* Draw the name last, because it must cover the columns that were scrolled below it. */
    draw_cell(cells, dc, row, 0, has_focus);
    if (prfdata_frozen_width(&cells->place.names) > 0)
        draw_edge(cells, dc, row);
    SetBkMode(dc, mode);
    SelectObject(dc, before);
}

/* Draw the focus around an empty table, in which no row could show it. */
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

static LRESULT begin_drawing(prfdata_table_cells *cells, HWND list)
{
    const bool has_row = cells->viewer->table.shown_count > 0;

    measure(cells, list);
    return CDRF_NOTIFYITEMDRAW | (!has_row && GetFocus() == list ? CDRF_NOTIFYPOSTPAINT : 0);
}

LRESULT prfdata_table_cells_draw(prfdata_table_cells *cells, NMLVCUSTOMDRAW *draw)
{
    HWND list = draw->nmcd.hdr.hwndFrom;

    switch (draw->nmcd.dwDrawStage) {
    case CDDS_PREPAINT:
        return begin_drawing(cells, list);
    case CDDS_POSTPAINT:
        draw_table_focus(cells, list, draw->nmcd.hdc);
        return CDRF_DODEFAULT;
    case CDDS_ITEMPREPAINT:
        if (draw->nmcd.dwItemSpec < cells->viewer->table.shown_count)
            draw_row(cells, draw->nmcd.hdc, (uint32_t)draw->nmcd.dwItemSpec, GetFocus() == list);
        return CDRF_SKIPDEFAULT;
    default:
        return CDRF_DODEFAULT;
    }
}
