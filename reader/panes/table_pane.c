/* SPDX-License-Identifier: MIT */
/*
 * The list view shows the table model. It owns no data: it asks for the cells that it draws, so
 * thousands of rows cost nothing. Column 0 is the label; column n + 1 the n-th of the model.
 */
#include "panes/table_pane.h"

#include "panes/strings.h"
#include "panes/table_head.h"

void prfdata_table_pane_create(prfdata_table_pane *pane, HWND parent, uint32_t id)
{
    const DWORD style =
        LVS_EX_FULLROWSELECT | LVS_EX_DOUBLEBUFFER | LVS_EX_HEADERDRAGDROP | LVS_EX_LABELTIP;

    pane->window = CreateWindowExW(0, WC_LISTVIEWW, prfdata_strings_get(IDS_TABLE_LABEL),
                                   WS_CHILD | WS_VISIBLE | WS_TABSTOP | WS_BORDER | LVS_REPORT |
                                       LVS_OWNERDATA | LVS_SHOWSELALWAYS,
                                   0, 0, 0, 0, parent, (HMENU)(uintptr_t)id,
                                   (HINSTANCE)GetWindowLongPtrW(parent, GWLP_HINSTANCE), NULL);
    SendMessageW(pane->window, LVM_SETEXTENDEDLISTVIEWSTYLE, style, style);
    pane->columns = (prfdata_table_columns){.viewer = pane->viewer, .theme = pane->theme};
    prfdata_table_columns_begin(&pane->columns, pane->window);
    pane->cells = (prfdata_table_cells){.viewer = pane->viewer,
                                        .theme = pane->theme,
                                        .style = pane->style,
                                        .names = &pane->columns.names};
}

void prfdata_table_pane_apply_theme(const prfdata_table_pane *pane)
{
    prfdata_theme_apply_to_list(pane->theme, pane->window);
    prfdata_table_columns_apply_theme(&pane->columns);
}

/* ---- Rows ---- */

/* Rows have moved: the list view's selection, which it keeps by position, follows them. */
static void restore_selection(const prfdata_table_pane *pane)
{
    HWND view = pane->window;
    const prfdata_table *table = &pane->viewer->table;

    for (uint32_t i = 0; i < table->shown_count; i++) {
        const UINT wanted = (table->shown[i]->is_selected ? LVIS_SELECTED : 0u) |
                            (table->shown[i]->is_focused ? LVIS_FOCUSED : 0u);
        const UINT is = ListView_GetItemState(view, (int)i, LVIS_SELECTED | LVIS_FOCUSED);

        if (is != wanted)
            ListView_SetItemState(view, (int)i, wanted, LVIS_SELECTED | LVIS_FOCUSED);
    }
}

/* Rows move below the eye: what is looked at is a place, not a row that may be anywhere now. */
static void keep_top_row(HWND view, int top)
{
    const int moved = top - ListView_GetTopIndex(view);
    RECT row;

    if (moved != 0 && ListView_GetItemRect(view, 0, &row, LVIR_BOUNDS))
        (void)ListView_Scroll(view, 0, moved * (row.bottom - row.top));
}

void prfdata_table_pane_update(prfdata_table_pane *pane)
{
    HWND view = pane->window;
    const int top = ListView_GetTopIndex(view);

    /* Of rows that are no more the list view lets go by their place: that is nobody's wish. */
    pane->is_restoring = true;
    if ((uint32_t)ListView_GetItemCount(view) != pane->viewer->table.shown_count)
        SendMessageW(view, LVM_SETITEMCOUNT, pane->viewer->table.shown_count,
                     LVSICF_NOINVALIDATEALL | LVSICF_NOSCROLL);
    restore_selection(pane);
    pane->is_restoring = false;
    keep_top_row(view, top);
    prfdata_table_columns_fit(&pane->columns);
    InvalidateRect(view, NULL, FALSE);
    prfdata_table_head_show(pane->head, pane->viewer, *pane->style);
}

/* The list view says which rows changed; with many, that a range did. */
static void note_selection(prfdata_table_pane *pane, int from, int to)
{
    HWND view = pane->window;

    if (pane->is_restoring)
        return;
    for (int i = from; i <= to && i < (int)pane->viewer->table.shown_count; i++) {
        const UINT state = ListView_GetItemState(view, i, LVIS_SELECTED | LVIS_FOCUSED);

        pane->viewer->table.shown[i]->is_selected = (state & LVIS_SELECTED) != 0;
        pane->viewer->table.shown[i]->is_focused = (state & LVIS_FOCUSED) != 0;
    }
}

static void note_changed_row(prfdata_table_pane *pane, const NMLISTVIEW *change)
{
    prfdata_text label = {0};
    uint32_t counter = 0;

    if (pane->is_restoring)
        return;
    if (change->iItem < 0)
        note_selection(pane, 0, (int)pane->viewer->table.shown_count - 1);
    else
        note_selection(pane, change->iItem, change->iItem);
    if ((change->uNewState & LVIS_FOCUSED) && prfdata_table_pane_counter(pane, &counter, &label))
        prfdata_viewer_choose_cell(pane->viewer, counter, label);
}

bool prfdata_table_pane_counter(const prfdata_table_pane *pane, uint32_t *counter,
                                prfdata_text *label)
{
    const prfdata_table *table = &pane->viewer->table;
    const int row = ListView_GetNextItem(pane->window, -1, LVNI_FOCUSED);
    uint32_t column = pane->viewer->column;

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

static void show_column(const prfdata_table_pane *pane)
{
    HWND view = pane->window;
    const prfdata_frozen names = prfdata_frozen_column_place(&pane->columns.names);
    const int row = ListView_GetNextItem(view, -1, LVNI_FOCUSED);
    RECT cell;
    int32_t by;

    if (row < 0 ||
        !ListView_GetSubItemRect(view, row, (int)pane->viewer->column + 1, LVIR_BOUNDS, &cell))
        return;
    by = prfdata_frozen_reveal(&names, cell.left, cell.right);
    if (by != 0)
        (void)ListView_Scroll(view, by, 0);
}

static void choose_column(prfdata_table_pane *pane, uint32_t column)
{
    prfdata_text label = {0};
    uint32_t counter = 0;

    if (column >= pane->viewer->table.column_count || column == pane->viewer->column)
        return;
    pane->viewer->column = column;
    InvalidateRect(pane->window, NULL, FALSE);
    if (prfdata_table_pane_counter(pane, &counter, &label))
        prfdata_viewer_choose_cell(pane->viewer, counter, label);
}

void prfdata_table_pane_choose_heading(prfdata_table_pane *pane, HWND window, POINT at)
{
    HDHITTESTINFO hit = {.pt = at};

    if (window != ListView_GetHeader(pane->window))
        return;
    ScreenToClient(window, &hit.pt);
    if (SendMessageW(window, HDM_HITTEST, 0, (LPARAM)&hit) > 0)
        choose_column(pane, (uint32_t)hit.iItem - 1);
}

void prfdata_table_pane_step_column(prfdata_table_pane *pane, int by)
{
    choose_column(pane, prfdata_table_columns_next(&pane->columns, pane->viewer->column, by));
    show_column(pane);
}

/* The column at a place of the list, 0 over names: they cover what is scrolled below them. */
static int column_at(const prfdata_table_pane *pane, POINT at)
{
    const prfdata_frozen names = prfdata_frozen_column_place(&pane->columns.names);
    LVHITTESTINFO hit = {.pt = at};

    if (prfdata_frozen_covers(&names, at.x) || ListView_SubItemHitTest(pane->window, &hit) < 0)
        return 0;
    return hit.iSubItem;
}

/* Over a name the chosen column stays. */
static void choose_column_at(prfdata_table_pane *pane, POINT at)
{
    const int column = column_at(pane, at);

    if (column > 0)
        choose_column(pane, (uint32_t)column - 1);
}

void prfdata_table_pane_show_row(const prfdata_table_pane *pane)
{
    for (uint32_t i = 0; i < pane->viewer->table.shown_count; i++) {
        if (pane->viewer->table.shown[i]->is_focused)
            (void)ListView_EnsureVisible(pane->window, (int)i, FALSE);
    }
}

static void sort_by(prfdata_table_pane *pane, int column)
{
    const uint32_t wanted = column == 0 ? PRFDATA_TABLE_LABEL : (uint32_t)column - 1;

    if (wanted != PRFDATA_TABLE_LABEL && wanted >= pane->viewer->table.column_count)
        return;
    if (wanted != PRFDATA_TABLE_LABEL)
        choose_column(pane, wanted);
    prfdata_viewer_sort(pane->viewer, wanted);
    prfdata_table_columns_show_sort(&pane->columns);
}

void prfdata_table_pane_sort(prfdata_table_pane *pane)
{
    sort_by(pane, (int)pane->viewer->column + 1);
}

/* ---- What the user does ---- */

/* Type a name to go to it. */
static LRESULT find_row(const prfdata_table_pane *pane, const NMLVFINDITEMW *find)
{
    uint16_t chars[100];
    prfdata_text wanted = {chars, 0};

    if (!(find->lvfi.flags & (LVFI_STRING | LVFI_PARTIAL)) || !find->lvfi.psz)
        return -1;
    while (find->lvfi.psz[wanted.count] && wanted.count < 100) {
        chars[wanted.count] = find->lvfi.psz[wanted.count];
        wanted.count++;
    }
    for (uint32_t i = 0; i < pane->viewer->table.shown_count; i++) {
        const uint32_t at = ((uint32_t)find->iStart + i) % pane->viewer->table.shown_count;
        const prfdata_text label = pane->viewer->table.shown[at]->label;

        if (label.count >= wanted.count &&
            prfdata_text_equal(prfdata_text_part(label, 0, wanted.count), wanted))
            return (LRESULT)at;
    }
    return -1;
}

/* The cell under the pointer, of the clicked column. */
static void add_clicked_cell(prfdata_table_pane *pane, const NMITEMACTIVATE *click)
{
    const uint32_t row = (uint32_t)click->iItem;
    const int at = column_at(pane, click->ptAction);
    const uint32_t column = at > 0 ? (uint32_t)at - 1 : 0;
    prfdata_chart_key key = {pane->viewer->table.object_title, 0, {0}};

    if (click->iItem < 0 || row >= pane->viewer->table.shown_count)
        return;
    key.counter_title = prfdata_table_counter(&pane->viewer->table, row, column);
    if (pane->viewer->table.has_instances)
        key.label = pane->viewer->table.shown[row]->label;
    if (key.counter_title != 0)
        prfdata_viewer_add_line(pane->viewer, &key);
}

static LRESULT begin_cell_drag(prfdata_table_pane *pane, POINT at)
{
    choose_column_at(pane, at);
    SendMessageW(GetParent(pane->window), WM_COMMAND,
                 MAKEWPARAM(GetDlgCtrlID(pane->window), PRFDATA_TABLE_PANE_DRAGS),
                 (LPARAM)pane->window);
    return 0;
}

LRESULT prfdata_table_pane_notify(prfdata_table_pane *pane, const NMHDR *header)
{
    switch (header->code) {
    case LVN_GETDISPINFOW:
        prfdata_table_cells_set_text(&pane->cells, (NMLVDISPINFOW *)(uintptr_t)header);
        return 0;
    case NM_CUSTOMDRAW:
        return prfdata_table_cells_draw(&pane->cells, (NMLVCUSTOMDRAW *)(uintptr_t)header);
    case LVN_COLUMNCLICK:
        sort_by(pane, ((const NMLISTVIEW *)header)->iSubItem);
        return 0;
    case LVN_ITEMCHANGED:
        note_changed_row(pane, (const NMLISTVIEW *)header);
        return 0;
    case LVN_ODSTATECHANGED:
        note_selection(pane, ((const NMLVODSTATECHANGE *)header)->iFrom,
                       ((const NMLVODSTATECHANGE *)header)->iTo);
        return 0;
    case LVN_ODFINDITEMW:
        return find_row(pane, (const NMLVFINDITEMW *)header);
    case NM_CLICK:
    case NM_RCLICK:
        choose_column_at(pane, ((const NMITEMACTIVATE *)header)->ptAction);
        return 0;
    case NM_SETFOCUS:
    case NM_KILLFOCUS:
        InvalidateRect(pane->window, NULL, FALSE);
        return 0;
    case NM_DBLCLK:
        add_clicked_cell(pane, (const NMITEMACTIVATE *)header);
        return 0;
    case NM_RETURN:
        SendMessageW(GetParent(pane->window), WM_COMMAND, IDC_ADD, 0);
        return 0;
    case LVN_BEGINDRAG:
        return begin_cell_drag(pane, ((const NMLISTVIEW *)header)->ptAction);
    default:
        return 0;
    }
}

void prfdata_table_pane_hide_column(prfdata_table_pane *pane)
{
    const uint32_t column = pane->viewer->column;
    uint32_t next = prfdata_table_columns_next(&pane->columns, column, 1);

    if (column >= pane->viewer->table.column_count)
        return;
    prfdata_table_columns_hide(&pane->columns, column);
    if (next == column)
        next = prfdata_table_columns_next(&pane->columns, column, -1);
    choose_column(pane, next);
}
