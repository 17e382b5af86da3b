/* SPDX-License-Identifier: MIT */
/*
 * Column 0 is the label; column n + 1 the n-th of the model.
 */
#include "panes/table_columns.h"

#include <stdlib.h>

#include "panes/dark_controls.h"
#include "panes/strings.h"

#define LABEL_WIDTH  200 /* pixels at 96 DPI */
#define VALUE_WIDTH  110
#define HELP_WIDTH   200 /* at least */
#define TIP_WIDTH    500
#define MOST_COLUMNS 1000u

/* What a column is, whether it is there now or not. */
typedef struct column_place {
    wchar_t name[200];
    wchar_t *path;  /* by which it is remembered; for free(); NULL: it is not */
    int width;      /* if the user did not choose another */
    bool is_chosen; /* by the user, when it was made */
} column_place;

static uint32_t column_count(const prfdata_table *table)
{
    const bool has_helps = !table->has_instances && table->column_count > 0;
    const uint32_t count = 1 + table->column_count + has_helps;

    return count < MOST_COLUMNS ? count : MOST_COLUMNS;
}

/* The n-th of the model, or NULL: the label's column or that of the help texts. */
static prfdata_table_column *model_column(const prfdata_table *table, uint32_t at)
{
    return at > 0 && at <= table->column_count ? &table->columns[at - 1] : NULL;
}

static bool is_help_column(const prfdata_table *table, uint32_t at)
{
    return at > 0 && !model_column(table, at);
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
    else
        prfdata_strings_text(
            prfdata_titles_name_or_index(table->titles, column->counter_title, digits), name, 200);
}

/* \Object\Counter; the label is \Object\*, values and help texts have no counter. */
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

/* A heading is not cut, unless it would leave no room for others. */
static int default_width(const prfdata_table_columns *columns, uint32_t at, const wchar_t *name)
{
    const prfdata_table *table = &columns->viewer->table;
    const int least = at == 0 ? LABEL_WIDTH * (table->has_instances ? 2 : 3) / 2
                              : (model_column(table, at) ? VALUE_WIDTH : HELP_WIDTH);
    const int heading = (int)SendMessageW(columns->list, LVM_GETSTRINGWIDTHW, 0, (LPARAM)name) +
                        2 * columns->theme->text_height;
    const int pixels = prfdata_theme_pixels(columns->theme, least);
    RECT area;
    int most;

    GetClientRect(columns->list, &area);
    most = (area.right - area.left) / 3;
    return heading <= pixels || most <= pixels ? pixels : heading < most ? heading : most;
}

static column_place place_of_column(const prfdata_table_columns *columns, uint32_t at)
{
    column_place place;

    name_column(&columns->viewer->table, at, place.name);
    place.path = column_path(&columns->viewer->table, at);
    place.width = default_width(columns, at, place.name);
    place.is_chosen = false;
    return place;
}

/* ---- Making ---- */

/* What the user made of a column, or what it is if nothing. */
static void restore_column(prfdata_table_columns *columns, uint32_t at, column_place *place,
                           uint32_t *position)
{
    const prfdata_column_note *note =
        place->path
            ? prfdata_column_notes_find(&columns->notes, prfdata_strings_borrow(place->path))
            : NULL;
    prfdata_table_column *column = model_column(&columns->viewer->table, at);

    *position = note && at > 0 ? note->position : at;
    place->is_chosen = note && note->width > 0;
    if (place->is_chosen)
        place->width = prfdata_theme_pixels(columns->theme, (int32_t)note->width);
    if (note && column)
        column->is_hidden = note->is_hidden;
}

static void insert_column(const prfdata_table_columns *columns, uint32_t at, column_place *place)
{
    const prfdata_table_column *model = model_column(&columns->viewer->table, at);
    LVCOLUMNW column = {.mask = LVCF_TEXT | LVCF_WIDTH | LVCF_FMT | LVCF_SUBITEM};

    column.fmt = model ? LVCFMT_RIGHT : LVCFMT_LEFT;
    column.cx = model && model->is_hidden ? 0 : place->width;
    column.pszText = place->name;
    column.iSubItem = (int)at;
    SendMessageW(columns->list, LVM_INSERTCOLUMNW, (WPARAM)at, (LPARAM)&column);
}

void prfdata_table_columns_make(prfdata_table_columns *columns)
{
    HWND view = columns->list;
    const uint32_t count = column_count(&columns->viewer->table);
    uint32_t positions[MOST_COLUMNS];
    int order[MOST_COLUMNS];

    SendMessageW(view, WM_SETREDRAW, FALSE, 0);
    while (SendMessageW(view, LVM_DELETECOLUMN, 0, 0))
        ;
    for (uint32_t i = 0; i < count; i++) {
        column_place place = place_of_column(columns, i);

        restore_column(columns, i, &place, &positions[i]);
        insert_column(columns, i, &place);
        if (is_help_column(&columns->viewer->table, i))
            columns->help_width = place.is_chosen ? 0 : place.width;
        free(place.path);
    }
    prfdata_column_notes_order(positions, count, order);
    SendMessageW(view, LVM_SETCOLUMNORDERARRAY, count, (LPARAM)order);
    prfdata_table_columns_show_sort(columns);
    SendMessageW(view, WM_SETREDRAW, TRUE, 0);
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

/* ---- Help texts ---- */

static int32_t column_width(const prfdata_table_columns *columns, uint32_t at)
{
    return (int32_t)SendMessageW(columns->list, LVM_GETCOLUMNWIDTH, at, 0);
}

static int32_t widest_help(const prfdata_table_columns *columns)
{
    const prfdata_table *table = &columns->viewer->table;
    int32_t widest = prfdata_theme_pixels(columns->theme, HELP_WIDTH);

    for (uint32_t i = 0; i < table->shown_count; i++) {
        wchar_t text[512];
        const LPARAM help = (LPARAM)prfdata_strings_text(table->shown[i]->help, text, 512);
        const int32_t width = (int32_t)SendMessageW(columns->list, LVM_GETSTRINGWIDTHW, 0, help) +
                              columns->theme->text_height;

        widest = width > widest ? width : widest;
    }
    return widest;
}

void prfdata_table_columns_fit(prfdata_table_columns *columns)
{
    const prfdata_table *table = &columns->viewer->table;
    const uint32_t help = table->column_count + 1;
    RECT area;
    int32_t width;

    if (table->has_instances || table->column_count == 0 ||
        column_width(columns, help) != columns->help_width) /* the user has chosen another */
        return;
    GetClientRect(columns->list, &area);
    width = area.right;
    for (uint32_t i = 0; i < help; i++)
        width -= column_width(columns, i);
    if (width < widest_help(columns))
        width = widest_help(columns);
    if (width != columns->help_width)
        (void)ListView_SetColumnWidth(columns->list, (int)help, width);
    columns->help_width = width;
}

/* ---- Tips ---- */

/* The column of the model whose heading is under the pointer, or NULL. */
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
                      .uFlags = TTF_IDISHWND | TTF_SUBCLASS,
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

/* A tip is of the heading that it came up at. */
/* cppcheck-suppress constParameter; the type is Windows' */
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

/* ---- What the user does ---- */

uint32_t prfdata_table_columns_next(const prfdata_table_columns *columns, uint32_t column, int by)
{
    HWND view = columns->list;
    const int count = (int)column_count(&columns->viewer->table);
    int order[MOST_COLUMNS];
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
    for (uint32_t i = 1; i <= columns->viewer->table.column_count && i < MOST_COLUMNS; i++) {
        prfdata_table_column *column = model_column(&columns->viewer->table, i);
        column_place place;
        uint32_t position;

        if (!column->is_hidden)
            continue;
        place = place_of_column(columns, i);
        restore_column(columns, i, &place, &position);
        free(place.path);
        column->is_hidden = false;
        (void)ListView_SetColumnWidth(columns->list, (int)i, place.width);
    }
}

/* ---- Remembering ---- */

/* Columns that are as they were made are not worth a note, unless there is one that says else. */
static bool is_column_worth_noting(const prfdata_table_columns *columns, uint32_t at,
                                   const column_place *place, const prfdata_column_note *note)
{
    const prfdata_table_column *column = model_column(&columns->viewer->table, at);
    const int32_t width =
        is_help_column(&columns->viewer->table, at) ? columns->help_width : (int32_t)place->width;

    return (column && column->is_hidden) || column_width(columns, at) != width ||
           note->position != at || prfdata_column_notes_find(&columns->notes, note->path);
}

static prfdata_column_note note_of_column(const prfdata_table_columns *columns, uint32_t at,
                                          const column_place *place, uint32_t position)
{
    const prfdata_table_column *column = model_column(&columns->viewer->table, at);
    const int32_t width = column_width(columns, at);
    prfdata_column_note note = {.path = prfdata_strings_borrow(place->path), .position = position};
    const prfdata_column_note *before = prfdata_column_notes_find(&columns->notes, note.path);

    note.is_hidden = column && column->is_hidden;
    if (note.is_hidden)
        note.width =
            before ? before->width : (uint32_t)MulDiv(place->width, 96, (int)columns->theme->dpi);
    else if (!is_help_column(&columns->viewer->table, at) || width != columns->help_width)
        note.width = (uint32_t)MulDiv(width, 96, (int)columns->theme->dpi);
    return note;
}

void prfdata_table_columns_keep(prfdata_table_columns *columns)
{
    HWND view = columns->list;
    const uint32_t count = column_count(&columns->viewer->table);
    uint32_t positions[MOST_COLUMNS] = {0};
    int order[MOST_COLUMNS];
    bool is_worth = false;

    if (columns->viewer->table.column_count == 0 || !columns->viewer->has_titles ||
        (uint32_t)Header_GetItemCount(ListView_GetHeader(view)) != count ||
        !SendMessageW(view, LVM_GETCOLUMNORDERARRAY, count, (LPARAM)order))
        return;
    for (uint32_t i = 0; i < count; i++)
        positions[order[i]] = i;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            const column_place place = place_of_column(columns, i);
            prfdata_column_note note;

            if (!place.path)
                continue;
            note = note_of_column(columns, i, &place, positions[i]);
            if (pass == 0)
                is_worth = is_worth || is_column_worth_noting(columns, i, &place, &note);
            else if (is_worth)
                prfdata_column_notes_set(&columns->notes, &note);
            free(place.path);
        }
    }
}

void prfdata_table_columns_hide(prfdata_table_columns *columns, uint32_t column)
{
    prfdata_table_columns_keep(columns); /* its width */
    columns->viewer->table.columns[column].is_hidden = true;
    (void)ListView_SetColumnWidth(columns->list, (int)column + 1, 0);
}
