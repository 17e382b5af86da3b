/* SPDX-License-Identifier: MIT */
/*
 * The list view shows the table model. It owns no data: it asks for the cells that it draws, so
 * thousands of rows cost nothing. Column 0 is the label; column n + 1 the n-th of the model.
 */

#include "prfview/app.h"

#include <stdio.h>

void prfdata_table_pane_create(prfdata_app *app)
{
    const DWORD style =
        LVS_EX_FULLROWSELECT | LVS_EX_DOUBLEBUFFER | LVS_EX_HEADERDRAGDROP | LVS_EX_LABELTIP;

    app->parts[PRFDATA_APP_TABLE] = CreateWindowExW(
        0, WC_LISTVIEWW, prfdata_strings_get(IDS_TABLE_LABEL),
        WS_CHILD | WS_VISIBLE | WS_TABSTOP | WS_BORDER | LVS_REPORT | LVS_OWNERDATA |
            LVS_SHOWSELALWAYS,
        0, 0, 0, 0, app->window, (HMENU)(uintptr_t)(PRFDATA_APP_TABLE + IDC_FIRST_PART),
        app->instance, NULL);
    SendMessageW(app->parts[PRFDATA_APP_TABLE], LVM_SETEXTENDEDLISTVIEWSTYLE, style, style);
    prfdata_frozen_column_begin(&app->names, app->parts[PRFDATA_APP_TABLE]);
}

/* ---- Rows ---- */

static const wchar_t *instances_heading(const prfdata_app *app, const wchar_t *name,
                                        wchar_t text[PRFDATA_STRINGS_CHARS])
{
    const prfdata_table *table = &app->viewer.table;
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    wchar_t shown[PRFDATA_NUMBER_CHARS + 1];
    wchar_t all[PRFDATA_NUMBER_CHARS + 1];
    prfdata_text number = {chars,
                           prfdata_number_whole(table->shown_present_count, app->style, chars)};

    prfdata_strings_text(number, shown, PRFDATA_NUMBER_CHARS + 1);
    if (table->shown_present_count == table->present_count)
        return prfdata_strings_format(
            text, table->present_count == 1 ? IDS_TABLE_ONE : IDS_TABLE_HEADING, name, shown, NULL);
    number.count = prfdata_number_whole(table->present_count, app->style, chars);
    prfdata_strings_text(number, all, PRFDATA_NUMBER_CHARS + 1);
    return prfdata_strings_format(text, IDS_TABLE_SOME, name, shown, all);
}

/* Whose numbers are old says so, and who makes them so. */
static const wchar_t *late_heading(const prfdata_app *app, const wchar_t *heading, uint32_t late_ms,
                                   wchar_t text[PRFDATA_STRINGS_CHARS])
{
    wchar_t seconds[20];

    if (late_ms == PRFDATA_NODE_AWAITED)
        return prfdata_strings_format(text, IDS_TABLE_AWAITED, heading, NULL, NULL);
    swprintf(seconds, 20, L"%.1f", late_ms / 1000.0);
    return prfdata_strings_format(text, IDS_TABLE_LATE, heading,
                                  prfdata_strings_decimal(app->style, seconds), NULL);
}

static void show_heading(const prfdata_app *app)
{
    const prfdata_table *table = &app->viewer.table;
    const prfdata_node *node = prfdata_tree_object(&app->viewer.tree, table->object_title);
    wchar_t name[200] = L"";
    wchar_t note[400];
    wchar_t room[PRFDATA_STRINGS_CHARS];
    wchar_t late[PRFDATA_STRINGS_CHARS];
    const wchar_t *text;

    if (node)
        prfdata_strings_text(node->name, name, 200);
    if (table->object_title == 0)
        text = prfdata_strings_get(IDS_TABLE_NONE);
    else if (node && node->is_silent)
        text = prfdata_strings_text(node->note, note, 400);
    else if (node && node->is_gone)
        text = prfdata_strings_format(room, IDS_TABLE_GONE, name,
                                      prfdata_strings_text(node->note, note, 400), NULL);
    else if (!table->is_present)
        text = prfdata_strings_format(room, IDS_TABLE_WAITING, name, NULL, NULL);
    else
        text = table->has_instances ? instances_heading(app, name, room) : name;
    if (node && node->late_ms > 0)
        text = late_heading(app, text, node->late_ms, late);
    SetWindowTextW(app->labels[PRFDATA_APP_TABLE], text);
}

/* Rows have moved: the list view's selection, which it keeps by position, follows them. */
static void restore_selection(const prfdata_app *app)
{
    HWND view = app->parts[PRFDATA_APP_TABLE];
    const prfdata_table *table = &app->viewer.table;

    for (uint32_t i = 0; i < table->shown_count; i++) {
        const UINT wanted = (table->shown[i]->is_selected ? LVIS_SELECTED : 0u) |
                            (table->shown[i]->is_focused ? LVIS_FOCUSED : 0u);
        const UINT is = ListView_GetItemState(view, (int)i, LVIS_SELECTED | LVIS_FOCUSED);

        if (is != wanted)
            ListView_SetItemState(view, (int)i, wanted, LVIS_SELECTED | LVIS_FOCUSED);
    }
}

/* Which rows are selected, without the messages about it that restoring causes. */
static bool restores;

/* Rows move below the eye: what is looked at is a place, not a row that may be anywhere now. */
static void keep_top_row(HWND view, int top)
{
    const int moved = top - ListView_GetTopIndex(view);
    RECT row;

    if (moved != 0 && ListView_GetItemRect(view, 0, &row, LVIR_BOUNDS))
        (void)ListView_Scroll(view, 0, moved * (row.bottom - row.top));
}

void prfdata_table_pane_update(prfdata_app *app)
{
    HWND view = app->parts[PRFDATA_APP_TABLE];
    const int top = ListView_GetTopIndex(view);

    if ((uint32_t)ListView_GetItemCount(view) != app->viewer.table.shown_count)
        SendMessageW(view, LVM_SETITEMCOUNT, app->viewer.table.shown_count,
                     LVSICF_NOINVALIDATEALL | LVSICF_NOSCROLL);
    restores = true;
    restore_selection(app);
    restores = false;
    keep_top_row(view, top);
    prfdata_table_columns_fit(app);
    InvalidateRect(view, NULL, FALSE);
    show_heading(app);
}

/* The list view says which rows changed; with many, that a range did. */
static void note_selection(prfdata_app *app, int from, int to)
{
    HWND view = app->parts[PRFDATA_APP_TABLE];

    if (restores)
        return;
    for (int i = from; i <= to && i < (int)app->viewer.table.shown_count; i++) {
        const UINT state = ListView_GetItemState(view, i, LVIS_SELECTED | LVIS_FOCUSED);

        app->viewer.table.shown[i]->is_selected = (state & LVIS_SELECTED) != 0;
        app->viewer.table.shown[i]->is_focused = (state & LVIS_FOCUSED) != 0;
    }
}

static void note_changed_row(prfdata_app *app, const NMLISTVIEW *change)
{
    prfdata_text label = {0};
    uint32_t counter = 0;

    if (restores)
        return;
    if (change->iItem < 0)
        note_selection(app, 0, (int)app->viewer.table.shown_count - 1);
    else
        note_selection(app, change->iItem, change->iItem);
    if ((change->uNewState & LVIS_FOCUSED) && prfdata_table_pane_counter(app, &counter, &label))
        prfdata_viewer_choose_cell(&app->viewer, counter, label);
}

bool prfdata_table_pane_counter(const prfdata_app *app, uint32_t *counter, prfdata_text *label)
{
    const prfdata_table *table = &app->viewer.table;
    const int row = ListView_GetNextItem(app->parts[PRFDATA_APP_TABLE], -1, LVNI_FOCUSED);
    uint32_t column = app->viewer.column;

    if (row < 0 || (uint32_t)row >= table->shown_count)
        return false;
    if (column >= table->column_count)
        column = 0;
    if (!table->has_instances)
        column = 0;
    *counter = prfdata_table_counter(table, (uint32_t)row, column);
    *label = table->has_instances ? table->shown[row]->label : (prfdata_text){0};
    return *counter != 0;
}

/* ---- The cell that commands are about ---- */

static void show_column(const prfdata_app *app)
{
    HWND view = app->parts[PRFDATA_APP_TABLE];
    const prfdata_frozen names = prfdata_frozen_column_place(&app->names);
    const int row = ListView_GetNextItem(view, -1, LVNI_FOCUSED);
    RECT cell;
    int32_t by;

    if (row < 0 ||
        !ListView_GetSubItemRect(view, row, (int)app->viewer.column + 1, LVIR_BOUNDS, &cell))
        return;
    by = prfdata_frozen_reveal(&names, cell.left, cell.right);
    if (by != 0)
        (void)ListView_Scroll(view, by, 0);
}

void prfdata_table_pane_choose_column(prfdata_app *app, uint32_t column)
{
    prfdata_text label = {0};
    uint32_t counter = 0;

    if (column >= app->viewer.table.column_count || column == app->viewer.column)
        return;
    app->viewer.column = column;
    InvalidateRect(app->parts[PRFDATA_APP_TABLE], NULL, FALSE);
    if (prfdata_table_pane_counter(app, &counter, &label))
        prfdata_viewer_choose_cell(&app->viewer, counter, label);
}

void prfdata_table_pane_step_column(prfdata_app *app, int by)
{
    prfdata_table_pane_choose_column(app, prfdata_table_columns_next(app, app->viewer.column, by));
    show_column(app);
}

/* The column at a place of the list, 0 over names: they cover what is scrolled below them. */
static int column_at(const prfdata_app *app, POINT at)
{
    const prfdata_frozen names = prfdata_frozen_column_place(&app->names);
    LVHITTESTINFO hit = {.pt = at};

    if (prfdata_frozen_covers(&names, at.x) ||
        ListView_SubItemHitTest(app->parts[PRFDATA_APP_TABLE], &hit) < 0)
        return 0;
    return hit.iSubItem;
}

/* Over a name the chosen column stays. */
static void choose_column_at(prfdata_app *app, POINT at)
{
    const int column = column_at(app, at);

    if (column > 0)
        prfdata_table_pane_choose_column(app, (uint32_t)column - 1);
}

void prfdata_table_pane_show_row(const prfdata_app *app)
{
    for (uint32_t i = 0; i < app->viewer.table.shown_count; i++) {
        if (app->viewer.table.shown[i]->is_focused)
            (void)ListView_EnsureVisible(app->parts[PRFDATA_APP_TABLE], (int)i, FALSE);
    }
}

static void sort_by(prfdata_app *app, int column)
{
    const uint32_t wanted = column == 0 ? PRFDATA_TABLE_LABEL : (uint32_t)column - 1;

    if (wanted != PRFDATA_TABLE_LABEL && wanted >= app->viewer.table.column_count)
        return;
    if (wanted != PRFDATA_TABLE_LABEL)
        prfdata_table_pane_choose_column(app, wanted);
    prfdata_viewer_sort(&app->viewer, wanted);
    prfdata_table_columns_show_sort(app);
}

void prfdata_table_pane_sort(prfdata_app *app)
{
    sort_by(app, (int)app->viewer.column + 1);
}

/* ---- What the user does ---- */

/* Type a name to go to it. */
static LRESULT find_row(const prfdata_app *app, const NMLVFINDITEMW *find)
{
    uint16_t chars[100];
    prfdata_text wanted = {chars, 0};

    if (!(find->lvfi.flags & (LVFI_STRING | LVFI_PARTIAL)) || !find->lvfi.psz)
        return -1;
    while (find->lvfi.psz[wanted.count] && wanted.count < 100) {
        chars[wanted.count] = find->lvfi.psz[wanted.count];
        wanted.count++;
    }
    for (uint32_t i = 0; i < app->viewer.table.shown_count; i++) {
        const uint32_t at = ((uint32_t)find->iStart + i) % app->viewer.table.shown_count;
        const prfdata_text label = app->viewer.table.shown[at]->label;

        if (label.count >= wanted.count &&
            prfdata_text_equal(prfdata_text_part(label, 0, wanted.count), wanted))
            return (LRESULT)at;
    }
    return -1;
}

/* The cell under the pointer, of the clicked column. */
static void add_clicked_cell(prfdata_app *app, const NMITEMACTIVATE *click)
{
    const uint32_t row = (uint32_t)click->iItem;
    const int at = column_at(app, click->ptAction);
    const uint32_t column = at > 0 ? (uint32_t)at - 1 : 0;
    prfdata_chart_key key = {app->viewer.table.object_title, 0, {0}};

    if (click->iItem < 0 || row >= app->viewer.table.shown_count)
        return;
    key.counter_title = prfdata_table_counter(&app->viewer.table, row, column);
    if (app->viewer.table.has_instances)
        key.label = app->viewer.table.shown[row]->label;
    if (key.counter_title != 0)
        prfdata_viewer_add_line(&app->viewer, &key);
}

static LRESULT begin_cell_drag(prfdata_app *app, POINT at)
{
    choose_column_at(app, at);
    app->dragged_from = app->parts[PRFDATA_APP_TABLE];
    SetCapture(app->window);
    return 0;
}

LRESULT prfdata_table_pane_notify(prfdata_app *app, const NMHDR *header)
{
    switch (header->code) {
    case LVN_GETDISPINFOW:
        prfdata_table_cells_set_text(app, (NMLVDISPINFOW *)(uintptr_t)header);
        return 0;
    case NM_CUSTOMDRAW:
        return prfdata_table_cells_draw(app, (NMLVCUSTOMDRAW *)(uintptr_t)header);
    case LVN_COLUMNCLICK:
        sort_by(app, ((const NMLISTVIEW *)header)->iSubItem);
        return 0;
    case LVN_ITEMCHANGED:
        note_changed_row(app, (const NMLISTVIEW *)header);
        return 0;
    case LVN_ODSTATECHANGED:
        note_selection(app, ((const NMLVODSTATECHANGE *)header)->iFrom,
                       ((const NMLVODSTATECHANGE *)header)->iTo);
        return 0;
    case LVN_ODFINDITEMW:
        return find_row(app, (const NMLVFINDITEMW *)header);
    case NM_CLICK:
    case NM_RCLICK:
        choose_column_at(app, ((const NMITEMACTIVATE *)header)->ptAction);
        return 0;
    case NM_SETFOCUS:
    case NM_KILLFOCUS:
        InvalidateRect(app->parts[PRFDATA_APP_TABLE], NULL, FALSE);
        return 0;
    case NM_DBLCLK:
        add_clicked_cell(app, (const NMITEMACTIVATE *)header);
        return 0;
    case NM_RETURN:
        SendMessageW(app->window, WM_COMMAND, IDC_ADD, 0);
        return 0;
    case LVN_BEGINDRAG:
        return begin_cell_drag(app, ((const NMLISTVIEW *)header)->ptAction);
    default:
        return 0;
    }
}

void prfdata_table_pane_hide_column(prfdata_app *app)
{
    const uint32_t column = app->viewer.column;
    uint32_t next = prfdata_table_columns_next(app, column, 1);

    if (column >= app->viewer.table.column_count)
        return;
    prfdata_table_columns_keep(app); /* its width */
    app->viewer.table.columns[column].is_hidden = true;
    (void)ListView_SetColumnWidth(app->parts[PRFDATA_APP_TABLE], (int)column + 1, 0);
    if (next == column)
        next = prfdata_table_columns_next(app, column, -1);
    prfdata_table_pane_choose_column(app, next);
}
