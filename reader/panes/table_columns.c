/* SPDX-License-Identifier: MIT */
/* Manages the columns of the table. Column 0 is the label. Column n + 1 is column n of the model,
 * which is the viewer's table. If counters are rows, the last column has the help texts. */
#include "panes/table_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "panes/dark_controls.h"
#include "panes/strings.h"
#include "panes/window_state.h"
#include "view/heading.h"
#include "view/widths.h"

#define HELP_WIDTH  200 /* smallest width of help texts, in pixels at 96 DPI */
#define TIP_WIDTH   500
#define LEAST_NAMES 150 /* smallest width of names of counters, in pixels at 96 DPI */

static uint32_t column_count(const prfdata_table *table)
{
    const bool has_helps = !table->has_instances && table->column_count > 0;
    const uint32_t count = 1 + table->column_count + has_helps;

    return count < PRFDATA_TABLE_COLUMNS_MOST ? count : PRFDATA_TABLE_COLUMNS_MOST;
}

/* Return the column of the model; NULL: it is the column of labels or of help texts. */
static prfdata_table_column *model_column(const prfdata_table *table, uint32_t at)
{
    return at > 0 && at <= table->column_count ? &table->columns[at - 1] : NULL;
}

static bool is_help_column(const prfdata_table *table, uint32_t at)
{
    return at > 0 && !model_column(table, at);
}

static void add_unit(const prfdata_table *table, const prfdata_table_column *column,
                     wchar_t name[200])
{
    const char *unit = prfdata_heading_unit(column, table->shows_raw);
    const size_t length = wcslen(name);
    wchar_t *wide = unit[0] ? prfdata_strings_wide(unit, strlen(unit)) : NULL;

    if (wide && length + wcslen(wide) + 4 < 200)
        (void)swprintf(name + length, 200 - length, L" (%ls)", wide);
    free(wide);
}

static void name_column(const prfdata_table *table, uint32_t at, wchar_t name[200])
{
    const prfdata_table_column *column = model_column(table, at);
    uint16_t digits[12];

    if (at == 0)
        prfdata_strings_copy(
            name,
            prfdata_strings_get(table->has_instances ? IDS_COLUMN_INSTANCE : IDS_COLUMN_COUNTER),
            200);
    else if (!column)
        prfdata_strings_copy(name, prfdata_strings_get(IDS_COLUMN_HELP), 200);
    else if (column->counter_title == 0)
        prfdata_strings_copy(name, prfdata_strings_get(IDS_COLUMN_VALUE), 200);
    else {
        prfdata_strings_text(
            prfdata_titles_name_or_index(table->titles, column->counter_title, digits), name, 200);
        add_unit(table, column, name);
    }
}

/*
 * Make the path of a column: \Object\Counter, or \Object\* for the column of labels. If counters
 * are rows, the path is \Object\0 for the column of values, and \Object\? for the help texts.
 */
static wchar_t *column_path(const prfdata_table *table, uint32_t at)
{
    const prfdata_table_column *column = model_column(table, at);
    uint16_t digits[12];
    prfdata_output path = {0};
    wchar_t *wide;

    prfdata_output_put_string(&path, "\\");
    prfdata_output_put_text(
        &path, prfdata_titles_name_or_index(table->titles, table->object_title, digits));
    prfdata_output_put_string(&path, at == 0 ? "\\*" : column ? "\\" : "\\?");
    if (column)
        prfdata_output_put_text(
            &path, prfdata_titles_name_or_index(table->titles, column->counter_title, digits));
    wide = path.failed ? NULL : prfdata_strings_wide(path.bytes, path.used);
    prfdata_output_free(&path);
    return wide;
}

/* ---- Widths ---- */

static int32_t column_width(const prfdata_table_columns *columns, uint32_t at)
{
    return (int32_t)SendMessageW(columns->list, LVM_GETCOLUMNWIDTH, at, 0);
}

/* Returns whether the user has changed the width that this file gave the column. */
static bool is_width_chosen(const prfdata_table_columns *columns, uint32_t at)
{
    return column_width(columns, at) != columns->given[at];
}

static int32_t text_width_in(const prfdata_table_columns *columns, const wchar_t *text,
                             int32_t margin)
{
    return (int32_t)SendMessageW(columns->list, LVM_GETSTRINGWIDTHW, 0, (LPARAM)text) + margin;
}

static int32_t list_width(const prfdata_table_columns *columns)
{
    RECT area;

    GetClientRect(columns->list, &area);
    return area.right;
}

/* Return the width of help texts: the room that the other columns leave, but at least HELP_WIDTH
 * and the width of the widest text. */
static int32_t help_width(const prfdata_table_columns *columns)
{
    const prfdata_table *table = &columns->viewer->table;
    int32_t width = list_width(columns) - column_width(columns, 0) - column_width(columns, 1);
    const int32_t least = prfdata_theme_pixels(columns->theme, HELP_WIDTH);

    width = width > least ? width : least;
    for (uint32_t i = 0; i < table->shown_count; i++) {
        wchar_t text[512];
        const int32_t own =
            text_width_in(columns, prfdata_strings_text(table->shown[i]->help, text, 512),
                          columns->theme->text_height);

        width = own > width ? own : width;
    }
    return width;
}

static int32_t width_of_hexadecimal(const prfdata_table_columns *columns, uint32_t type)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const prfdata_text number = {chars, prfdata_number_widest_hex(type, chars)};
    wchar_t text[PRFDATA_NUMBER_CHARS + 1];

    return number.count == 0
               ? 0
               : text_width_in(columns,
                               prfdata_strings_text(number, text, PRFDATA_NUMBER_CHARS + 1),
                               columns->theme->text_height);
}

/* Return the width of the widest hexadecimal number that a column may have. These numbers are never
 * shortened. 0: the column has no hexadecimal numbers. */
static int32_t hexadecimal_width(const prfdata_table_columns *columns, uint32_t at)
{
    const prfdata_table *table = &columns->viewer->table;
    int32_t widest = 0;

    if (table->has_instances)
        return width_of_hexadecimal(columns, model_column(table, at)->type);
    for (uint32_t i = 0; i < table->row_count; i++) { /* each row has its own counter */
        const prfdata_cell *cell = &table->rows[i]->cells[at - 1];
        const int32_t width = cell->has_raw ? width_of_hexadecimal(columns, cell->type) : 0;

        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Return the width of the widest name of a counter, at least LEAST_NAMES, but at most `most`. */
static int32_t width_of_counter_names(const prfdata_table_columns *columns, int32_t most)
{
    const prfdata_table *table = &columns->viewer->table;
    int32_t widest = prfdata_theme_pixels(columns->theme, LEAST_NAMES);

    for (uint32_t i = 0; i < table->row_count && widest < most; i++) {
        wchar_t text[200];
        const int32_t width =
            text_width_in(columns, prfdata_strings_text(table->rows[i]->label, text, 200),
                          columns->theme->text_height);

        widest = width > widest ? width : widest;
    }
    return widest < most ? widest : most;
}

/* Return the default width of a column. A long heading widens it to at most a fifth of the list. */
static int32_t usual_width(const prfdata_table_columns *columns, uint32_t at)
{
    const prfdata_table *table = &columns->viewer->table;
    const int32_t room = list_width(columns);
    const prfdata_widths widths =
        prfdata_widths_table(room, table->column_count, table->has_instances, columns->theme->dpi);
    wchar_t name[200];
    int32_t heading;
    int32_t number;

    if (at == 0)
        return table->has_instances ? widths.name : width_of_counter_names(columns, widths.name);
    if (is_help_column(table, at))
        return help_width(columns);
    name_column(table, at, name);
    heading = text_width_in(columns, name, 2 * columns->theme->text_height);
    heading = heading < room / 5 ? heading : room / 5;
    heading = heading > widths.number ? heading : widths.number;
    number = hexadecimal_width(columns, at);
    return heading > number ? heading : number;
}

/*
 * Return the width of the column of names. If the object has instances, the other columns must
 * already have their widths, because the result depends on them (prfdata_widths_whole()).
 */
static int32_t name_width(const prfdata_table_columns *columns)
{
    const prfdata_table *table = &columns->viewer->table;
    const uint32_t count = column_count(table);
    const int32_t usual = usual_width(columns, 0);
    int order[PRFDATA_TABLE_COLUMNS_MOST];
    int32_t others[PRFDATA_TABLE_COLUMNS_MOST];
    uint32_t used = 0;

    if (!table->has_instances ||
        !SendMessageW(columns->list, LVM_GETCOLUMNORDERARRAY, count, (LPARAM)order))
        return usual;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t width = order[i] > 0 ? column_width(columns, (uint32_t)order[i]) : 0;

        if (width > 0)
            others[used++] = width;
    }
    return prfdata_widths_whole(list_width(columns), usual, others, used);
}

/* Give a column its default width, unless the user has hidden it or changed its width. */
static void fit_column(prfdata_table_columns *columns, uint32_t at)
{
    const prfdata_table_column *column = model_column(&columns->viewer->table, at);
    int32_t width;

    if ((column && column->is_hidden) || is_width_chosen(columns, at))
        return;
    width = at == 0 ? name_width(columns) : usual_width(columns, at);
    if (width != columns->given[at])
        (void)ListView_SetColumnWidth(columns->list, (int)at, width);
    columns->given[at] = width;
}

void prfdata_table_columns_fit(prfdata_table_columns *columns)
{
    const prfdata_table *table = &columns->viewer->table;
    const uint32_t count = column_count(table);
    const bool has_same_room = list_width(columns) == columns->shared;

    if ((uint32_t)Header_GetItemCount(ListView_GetHeader(columns->list)) != count)
        return;
    columns->shared = list_width(columns);
    /* If counters are rows, the widths also depend on the texts of the rows. */
    if (has_same_room && table->has_instances)
        return;
    if (!table->has_instances)
        fit_column(columns, 0); /* before the help texts, which get the room that the names leave */
    for (uint32_t i = 1; i < count; i++)
        fit_column(columns, i);
    if (table->has_instances)
        /* After the numbers, because the names get the room that the numbers leave. */
        fit_column(columns, 0);
}

/* ---- Creation ---- */

/* Restore the user's changes to a column: its place, and whether it is hidden. Returns its
 * width. */
static int32_t restore_column(prfdata_table_columns *columns, uint32_t at, uint32_t *position)
{
    wchar_t *path = column_path(&columns->viewer->table, at);
    const prfdata_column_note *note =
        path ? prfdata_column_notes_find(&columns->notes, prfdata_strings_borrow(path)) : NULL;
    prfdata_table_column *column = model_column(&columns->viewer->table, at);
    const bool is_chosen = note && note->width > 0;
    const int32_t width = is_chosen ? prfdata_theme_pixels(columns->theme, (int32_t)note->width)
                                    : usual_width(columns, at);

    *position = note && at > 0 ? note->position : at;
    columns->given[at] = is_chosen ? 0 : width;
    if (note && column)
        column->is_hidden = note->is_hidden;
    free(path);
    return width;
}

static void insert_column(prfdata_table_columns *columns, uint32_t at, uint32_t *position)
{
    const prfdata_table_column *model = model_column(&columns->viewer->table, at);
    LVCOLUMNW column = {.mask = LVCF_TEXT | LVCF_WIDTH | LVCF_FMT | LVCF_SUBITEM};
    wchar_t name[200];

    name_column(&columns->viewer->table, at, name);
    column.cx = restore_column(columns, at, position);
    if (model && model->is_hidden)
        column.cx = 0;
    column.fmt = model ? LVCFMT_RIGHT : LVCFMT_LEFT;
    column.pszText = name;
    column.iSubItem = (int)at;
    SendMessageW(columns->list, LVM_INSERTCOLUMNW, (WPARAM)at, (LPARAM)&column);
}

void prfdata_table_columns_make(prfdata_table_columns *columns)
{
    HWND view = columns->list;
    const uint32_t count = column_count(&columns->viewer->table);
    uint32_t positions[PRFDATA_TABLE_COLUMNS_MOST];
    int order[PRFDATA_TABLE_COLUMNS_MOST];
    bool was_held;

    columns->shared = list_width(columns);
    /* was_held is false if a hint is shown in place of the table. */
    was_held = prfdata_window_state_hold(view);
    while (SendMessageW(view, LVM_DELETECOLUMN, 0, 0))
        ;
    for (uint32_t i = 0; i < count; i++)
        insert_column(columns, i, &positions[i]);
    prfdata_column_notes_order(positions, count, order);
    SendMessageW(view, LVM_SETCOLUMNORDERARRAY, count, (LPARAM)order);
    fit_column(columns, 0);
    prfdata_table_columns_show_sort(columns);
    prfdata_window_state_paint(view, was_held);
    InvalidateRect(view, NULL, FALSE);
}

void prfdata_table_columns_show_sort(const prfdata_table_columns *columns)
{
    HWND header = ListView_GetHeader(columns->list);
    const int sorted = columns->viewer->table.sort_column == PRFDATA_TABLE_LABEL
                           ? 0
                           : (int)columns->viewer->table.sort_column + 1;
    const int count = Header_GetItemCount(header);

    for (int i = 0; i < count; i++) {
        HDITEMW item = {.mask = HDI_FORMAT};

        SendMessageW(header, HDM_GETITEMW, (WPARAM)i, (LPARAM)&item);
        item.fmt &= ~(HDF_SORTUP | HDF_SORTDOWN);
        if (i == sorted)
            item.fmt |= columns->viewer->table.sorts_descending ? HDF_SORTDOWN : HDF_SORTUP;
        SendMessageW(header, HDM_SETITEMW, (WPARAM)i, (LPARAM)&item);
    }
    prfdata_frozen_column_update(&columns->names);
}

/* ---- Tips ---- */

/* Return the model's column whose heading is under the pointer, or NULL. */
static const prfdata_table_column *pointed_column(const prfdata_table_columns *columns)
{
    HWND header = ListView_GetHeader(columns->list);
    HDHITTESTINFO hit = {.iItem = -1};

    GetCursorPos(&hit.pt);
    ScreenToClient(header, &hit.pt);
    if (SendMessageW(header, HDM_HITTEST, 0, (LPARAM)&hit) < 0)
        return NULL;
    return model_column(&columns->viewer->table, (uint32_t)hit.iItem);
}

static void create_tips(prfdata_table_columns *columns)
{
    HWND header = ListView_GetHeader(columns->list);
    HWND parent = GetParent(columns->list);
    TOOLINFOW tool = {.cbSize = sizeof tool,
                      .uFlags = TTF_IDISHWND,
                      .hwnd = parent,
                      .uId = (UINT_PTR)header,
                      .lpszText = LPSTR_TEXTCALLBACKW};

    columns->tips = CreateWindowExW(
        WS_EX_TOPMOST, TOOLTIPS_CLASSW, NULL, WS_POPUP | TTS_ALWAYSTIP | TTS_NOPREFIX, 0, 0, 0, 0,
        parent, NULL, (HINSTANCE)GetWindowLongPtrW(parent, GWLP_HINSTANCE), NULL);
    SendMessageW(columns->tips, TTM_ADDTOOLW, 0, (LPARAM)&tool);
}

void prfdata_table_columns_apply_theme(const prfdata_table_columns *columns)
{
    SendMessageW(columns->tips, TTM_SETMAXTIPWIDTH, 0,
                 prfdata_theme_pixels(columns->theme, TIP_WIDTH));
}

void prfdata_table_columns_begin(prfdata_table_columns *columns, HWND list)
{
    columns->list = list;
    columns->header = ListView_GetHeader(list);
    prfdata_frozen_column_begin(&columns->names, list);
    prfdata_dark_controls_begin(ListView_GetHeader(list), PRFDATA_DARK_HEADER, columns->theme);
    prfdata_dark_controls_begin(columns->names.heading, PRFDATA_DARK_HEADER, columns->theme);
    create_tips(columns);
}

void prfdata_table_columns_set_tip(const prfdata_table_columns *columns, NMTTDISPINFOW *tip)
{
    static wchar_t text[800];
    const prfdata_table_column *column = pointed_column(columns);

    prfdata_strings_text(column ? column->help : (prfdata_text){0}, text, 800);
    tip->lpszText = text;
}

void prfdata_table_columns_relay(const prfdata_table_columns *columns, const MSG *message)
{
    if (message->hwnd == columns->header && message->message >= WM_MOUSEFIRST &&
        message->message <= WM_MOUSELAST)
        SendMessageW(columns->tips, TTM_RELAYEVENT, 0, (LPARAM)message);
}

/* Hides a tip when the pointer leaves the heading to which the tip belongs. */
/* cppcheck-suppress constParameter; Windows declares the type of `window` */
void prfdata_table_columns_move_pointer(prfdata_table_columns *columns, HWND window)
{
    const prfdata_table_column *column = NULL;

    if (window == ListView_GetHeader(columns->list))
        column = pointed_column(columns);
    if (column == columns->tipped)
        return;
    columns->tipped = column;
    SendMessageW(columns->tips, TTM_POP, 0, 0);
}

/* ---- Actions of the user ---- */

uint32_t prfdata_table_columns_next(const prfdata_table_columns *columns, uint32_t column, int by)
{
    HWND view = columns->list;
    const int count = (int)column_count(&columns->viewer->table);
    int order[PRFDATA_TABLE_COLUMNS_MOST];
    int at = 0;

    if (!SendMessageW(view, LVM_GETCOLUMNORDERARRAY, (WPARAM)count, (LPARAM)order))
        return column;
    while (at < count && order[at] != (int)column + 1)
        at++;
    for (at += by; at >= 0 && at < count; at += by) {
        const prfdata_table_column *next =
            model_column(&columns->viewer->table, (uint32_t)order[at]);

        if (next && !next->is_hidden)
            return (uint32_t)order[at] - 1;
    }
    return column;
}

void prfdata_table_columns_show(prfdata_table_columns *columns)
{
    for (uint32_t i = 1; i <= columns->viewer->table.column_count && i < PRFDATA_TABLE_COLUMNS_MOST;
         i++) {
        prfdata_table_column *column = model_column(&columns->viewer->table, i);
        uint32_t position;

        if (!column->is_hidden)
            continue;
        (void)ListView_SetColumnWidth(columns->list, (int)i, restore_column(columns, i, &position));
        column->is_hidden = false;
    }
}

/* ---- Remembering the user's changes ---- */

/* Returns whether the user has changed a column, or there is an old note about the column. */
static bool is_column_worth_noting(const prfdata_table_columns *columns, uint32_t at,
                                   const prfdata_column_note *note)
{
    return note->is_hidden || note->width > 0 || note->position != at ||
           prfdata_column_notes_find(&columns->notes, note->path);
}

static prfdata_column_note note_of_column(const prfdata_table_columns *columns, uint32_t at,
                                          prfdata_text path, uint32_t position)
{
    const prfdata_table_column *column = model_column(&columns->viewer->table, at);
    const prfdata_column_note *before = prfdata_column_notes_find(&columns->notes, path);
    prfdata_column_note note = {.path = path, .position = position};

    note.is_hidden = column && column->is_hidden;
    if (note.is_hidden)
        note.width = before ? before->width : 0;
    else if (is_width_chosen(columns, at))
        note.width = (uint32_t)MulDiv(column_width(columns, at), 96, (int)columns->theme->dpi);
    return note;
}

void prfdata_table_columns_keep(prfdata_table_columns *columns)
{
    HWND view = columns->list;
    const uint32_t count = column_count(&columns->viewer->table);
    uint32_t positions[PRFDATA_TABLE_COLUMNS_MOST] = {0};
    int order[PRFDATA_TABLE_COLUMNS_MOST];
    bool is_worth = false;

    if (columns->viewer->table.column_count == 0 || !columns->viewer->has_titles ||
        (uint32_t)Header_GetItemCount(ListView_GetHeader(view)) != count ||
        !SendMessageW(view, LVM_GETCOLUMNORDERARRAY, count, (LPARAM)order))
        return;
    for (uint32_t i = 0; i < count; i++)
        positions[order[i]] = i;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            wchar_t *path = column_path(&columns->viewer->table, i);
            prfdata_column_note note;

            if (!path)
                continue;
            note = note_of_column(columns, i, prfdata_strings_borrow(path), positions[i]);
            if (pass == 0)
                is_worth = is_worth || is_column_worth_noting(columns, i, &note);
            else if (is_worth)
                prfdata_column_notes_set(&columns->notes, &note);
            free(path);
        }
    }
}

void prfdata_table_columns_hide(prfdata_table_columns *columns, uint32_t column)
{
    prfdata_table_columns_keep(columns); /* note the column's width before the column is hidden */
    columns->viewer->table.columns[column].is_hidden = true;
    (void)ListView_SetColumnWidth(columns->list, (int)column + 1, 0);
}

/* ---- Choosing columns ---- */

void prfdata_table_columns_name(const prfdata_table_columns *columns, uint32_t at,
                                wchar_t name[200])
{
    name_column(&columns->viewer->table, at, name);
}

wchar_t *prfdata_table_columns_path(const prfdata_table_columns *columns, uint32_t at)
{
    return column_path(&columns->viewer->table, at);
}

uint32_t prfdata_table_columns_order(const prfdata_table_columns *columns,
                                     uint32_t order[PRFDATA_TABLE_COLUMNS_MOST])
{
    const uint32_t count = column_count(&columns->viewer->table);
    int shown[PRFDATA_TABLE_COLUMNS_MOST];
    uint32_t used = 0;

    if (!SendMessageW(columns->list, LVM_GETCOLUMNORDERARRAY, count, (LPARAM)shown))
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        if (model_column(&columns->viewer->table, (uint32_t)shown[i]))
            order[used++] = (uint32_t)shown[i];
    }
    return used;
}

void prfdata_table_columns_set(prfdata_table_columns *columns, const uint32_t *order,
                               const bool *hidden, uint32_t count)
{
    prfdata_table_columns_keep(columns);
    for (uint32_t i = 0; i < count; i++) {
        wchar_t *path = column_path(&columns->viewer->table, order[i]);
        const prfdata_column_note *before =
            path ? prfdata_column_notes_find(&columns->notes, prfdata_strings_borrow(path)) : NULL;
        const prfdata_column_note note = {.path = prfdata_strings_borrow(path ? path : L""),
                                          .position = i + 1,
                                          .width = before ? before->width : 0,
                                          .is_hidden = hidden[i]};

        if (path)
            prfdata_column_notes_set(&columns->notes, &note);
        free(path);
    }
    prfdata_table_columns_make(columns);
}
