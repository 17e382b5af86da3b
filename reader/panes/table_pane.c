/* SPDX-License-Identifier: MIT */
/*
 * Shows the viewer's table, the model, in a list view. The list view owns no data, and is told only
 * about differences: the number of rows, the selected rows, and the cells to paint. A sample causes
 * no message for each row, because there may be thousands of rows. In the list, column 0 is the
 * label, and column n + 1 is column n of the model.
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
    prfdata_table_screen_init(&pane->screen);
    pane->columns = (prfdata_table_columns){.viewer = pane->viewer, .theme = pane->theme};
    prfdata_table_columns_begin(&pane->columns, pane->window);
    pane->cells = (prfdata_table_cells){.viewer = pane->viewer,
                                        .theme = pane->theme,
                                        .style = pane->style,
                                        .names = &pane->columns.names,
                                        .screen = &pane->screen};
}

void prfdata_table_pane_free(prfdata_table_pane *pane)
{
    prfdata_table_screen_free(&pane->screen);
}

void prfdata_table_pane_apply_theme(const prfdata_table_pane *pane)
{
    prfdata_theme_apply_to_list(pane->theme, pane->window);
    prfdata_table_columns_apply_theme(&pane->columns);
    InvalidateRect(pane->window, NULL, FALSE);
}

int32_t prfdata_table_pane_excess(const prfdata_table_pane *pane)
{
    RECT row;
    RECT area;
    RECT header = {0, 0, 0, 0};

    if (!ListView_GetItemRect(pane->window, 0, &row, LVIR_BOUNDS) || row.bottom <= row.top ||
        !GetClientRect(pane->window, &area))
        return 0;
    GetClientRect(ListView_GetHeader(pane->window), &header);
    if (area.bottom - header.bottom < row.bottom - row.top)
        return 0;
    return (area.bottom - header.bottom) % (row.bottom - row.top);
}

/* ---- Rows ---- */

/* Read all selected rows from the list view, because its messages do not report all changes. */
static void read_selection(prfdata_table_pane *pane)
{
    const unsigned both = PRFDATA_TABLE_SELECTED | PRFDATA_TABLE_FOCUSED;
    HWND view = pane->window;
    const int focused = ListView_GetNextItem(view, -1, LVNI_FOCUSED);

    prfdata_table_screen_change(&pane->screen, 0, UINT32_MAX, both, 0);
    for (int row = ListView_GetNextItem(view, -1, LVNI_SELECTED); row >= 0;
         row = ListView_GetNextItem(view, row, LVNI_SELECTED))
        prfdata_table_screen_change(&pane->screen, (uint32_t)row, (uint32_t)row,
                                    PRFDATA_TABLE_SELECTED, PRFDATA_TABLE_SELECTED);
    if (focused >= 0)
        prfdata_table_screen_change(&pane->screen, (uint32_t)focused, (uint32_t)focused,
                                    PRFDATA_TABLE_FOCUSED, PRFDATA_TABLE_FOCUSED);
}

/*
 * Move the selection after rows have moved, because the list view keeps its selection by position.
 */
static void restore_selection(prfdata_table_pane *pane)
{
    const prfdata_table *table = &pane->viewer->table;

    for (uint32_t i = 0; prfdata_table_screen_differs(&pane->screen, table, &i); i++) {
        const unsigned wanted = prfdata_table_screen_wanted(table, i);

        ListView_SetItemState(pane->window, (int)i,
                              ((wanted & PRFDATA_TABLE_SELECTED) ? LVIS_SELECTED : 0u) |
                                  ((wanted & PRFDATA_TABLE_FOCUSED) ? LVIS_FOCUSED : 0u),
                              LVIS_SELECTED | LVIS_FOCUSED);
        prfdata_table_screen_change(&pane->screen, i, i,
                                    PRFDATA_TABLE_SELECTED | PRFDATA_TABLE_FOCUSED, wanted);
    }
}

static uint32_t wanted_top(const prfdata_table_pane *pane)
{
    return prfdata_table_screen_top(
        &pane->screen, &pane->viewer->table, (uint32_t)ListView_GetTopIndex(pane->window),
        (uint32_t)ListView_GetCountPerPage(pane->window), pane->follows_row);
}

/* Scroll so that the row `top` is at the top. Wine's list view may have scrolled to a row that got
 * the focus. */
static void set_top(HWND view, uint32_t top)
{
    const int moved = (int)top - ListView_GetTopIndex(view);
    RECT row;

    if (moved != 0 && ListView_GetItemRect(view, 0, &row, LVIR_BOUNDS))
        (void)ListView_Scroll(view, 0, moved * (row.bottom - row.top));
}

/* Set the number of rows. If rows were removed, read the selection again, because the list view has
 * forgotten the states of these rows. */
static void set_row_count(prfdata_table_pane *pane)
{
    const uint32_t count = pane->viewer->table.shown_count;
    const uint32_t before = pane->screen.row_count;
    const prfdata_table_part *part = &pane->cells.place.part;

    if (count == before || !prfdata_table_screen_resize(&pane->screen, count))
        return;
    SendMessageW(pane->window, LVM_SETITEMCOUNT, count, LVSICF_NOINVALIDATEALL | LVSICF_NOSCROLL);
    if (count < before)
        read_selection(pane);
    if (count < part->first_row + part->row_count || count == 0 || before == 0)
        InvalidateRect(pane->window, NULL, FALSE);
}

void prfdata_table_pane_update(prfdata_table_pane *pane)
{
    const uint32_t top = wanted_top(pane);

    /* Ignore what the list view reports while the program, not the user, changes the rows. */
    pane->is_restoring = true;
    set_row_count(pane);
    restore_selection(pane);
    pane->is_restoring = false;
    set_top(pane->window, top);
    prfdata_table_columns_fit(&pane->columns);
    prfdata_table_cells_update(&pane->cells, pane->window);
    prfdata_table_head_show(pane->head, pane->viewer, *pane->style);
}

static unsigned states_of(UINT state)
{
    return ((state & LVIS_SELECTED) ? PRFDATA_TABLE_SELECTED : 0u) |
           ((state & LVIS_FOCUSED) ? PRFDATA_TABLE_FOCUSED : 0u);
}

/*
 * Note the changed states of rows `first` to `last`. If `first` is below 0, all rows have changed.
 * The list view does not report all changes. If the number of selected rows shows that a change was
 * not reported, read the states of all rows.
 */
static void note_selection(prfdata_table_pane *pane, int first, int last, UINT before, UINT now)
{
    if (pane->is_restoring)
        return;
    prfdata_table_screen_change(&pane->screen, first < 0 ? 0 : (uint32_t)first,
                                first < 0 ? UINT32_MAX : (uint32_t)last, states_of(before ^ now),
                                states_of(now));
    if (ListView_GetSelectedCount(pane->window) != pane->screen.selected_count)
        read_selection(pane);
    prfdata_table_screen_keep(&pane->screen, &pane->viewer->table);
}

static void note_selected_range(prfdata_table_pane *pane, const NMLVODSTATECHANGE *change)
{
    note_selection(pane, change->iFrom, change->iTo, change->uOldState, change->uNewState);
}

static void note_changed_row(prfdata_table_pane *pane, const NMLISTVIEW *change)
{
    prfdata_text label = {0};
    uint32_t counter = 0;

    if (pane->is_restoring || !(change->uChanged & LVIF_STATE))
        return;
    note_selection(pane, change->iItem, change->iItem, change->uOldState, change->uNewState);
    if ((change->uNewState & LVIS_FOCUSED) && prfdata_table_pane_counter(pane, &counter, &label))
        prfdata_viewer_choose_cell(pane->viewer, counter, label);
}

bool prfdata_table_pane_counter(const prfdata_table_pane *pane, uint32_t *counter,
                                prfdata_text *label)
{
    const prfdata_table *table = &pane->viewer->table;
    const uint32_t row = pane->screen.focused;
    uint32_t column = pane->viewer->column;

    if (row >= table->shown_count)
        return false;
    if (column >= table->column_count)
        column = 0;
    if (!table->has_instances)
        column = 0;
    *counter = prfdata_table_counter(table, row, column);
    *label = table->has_instances ? table->shown[row]->label : (prfdata_text){0};
    return *counter != 0;
}

/* ---- The cell that commands apply to ---- */

static void show_column(const prfdata_table_pane *pane)
{
    HWND view = pane->window;
    const prfdata_frozen names = prfdata_frozen_column_place(&pane->columns.names);
    RECT cell;
    int32_t by;

    if (pane->screen.focused >= pane->screen.row_count ||
        !ListView_GetSubItemRect(view, (int)pane->screen.focused, (int)pane->viewer->column + 1,
                                 LVIR_BOUNDS, &cell))
        return;
    by = prfdata_frozen_reveal(&names, cell.left, cell.right);
    if (by != 0)
        (void)ListView_Scroll(view, by, 0);
}

/* Redraw the row with the focus, because it contains the chosen cell. */
static void redraw_focused_row(const prfdata_table_pane *pane)
{
    RECT row;

    if (pane->screen.focused >= pane->screen.row_count ||
        !ListView_GetItemRect(pane->window, (int)pane->screen.focused, &row, LVIR_BOUNDS))
        return;
    /* Include the column of names, which stays at the left while other columns are scrolled. */
    row.left = 0;
    InvalidateRect(pane->window, &row, FALSE);
}

static void choose_column(prfdata_table_pane *pane, uint32_t column)
{
    prfdata_text label = {0};
    uint32_t counter = 0;

    if (column >= pane->viewer->table.column_count || column == pane->viewer->column)
        return;
    pane->viewer->column = column;
    redraw_focused_row(pane);
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

/* Return the column at a place of the list. Returns 0 outside of all rows, and over names, which
 * cover the columns that are scrolled below them. */
static int column_at(const prfdata_table_pane *pane, POINT at)
{
    const prfdata_frozen names = prfdata_frozen_column_place(&pane->columns.names);
    LVHITTESTINFO hit = {.pt = at};

    if (prfdata_frozen_covers(&names, at.x) || ListView_SubItemHitTest(pane->window, &hit) < 0)
        return 0;
    return hit.iSubItem;
}

/* Choose the column at a place. Over a name or outside of all rows, the chosen column stays. */
static void choose_column_at(prfdata_table_pane *pane, POINT at)
{
    const int column = column_at(pane, at);

    if (column > 0)
        choose_column(pane, (uint32_t)column - 1);
}

void prfdata_table_pane_show_row(const prfdata_table_pane *pane)
{
    if (pane->screen.focused < pane->screen.row_count)
        (void)ListView_EnsureVisible(pane->window, (int)pane->screen.focused, FALSE);
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

/* ---- Actions of the user ---- */

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

/* Give a visible row the focus if no row has it, to show that the table has the keyboard focus. */
static void focus_a_row(const prfdata_table_pane *pane)
{
    if (pane->screen.focused >= pane->screen.row_count && pane->screen.row_count > 0)
        ListView_SetItemState(pane->window, ListView_GetTopIndex(pane->window), LVIS_FOCUSED,
                              LVIS_FOCUSED);
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
        note_selected_range(pane, (const NMLVODSTATECHANGE *)header);
        return 0;
    case LVN_ODFINDITEMW:
        return find_row(pane, (const NMLVFINDITEMW *)header);
    case NM_CLICK:
    case NM_RCLICK:
        choose_column_at(pane, ((const NMITEMACTIVATE *)header)->ptAction);
        return 0;
    case NM_SETFOCUS:
        focus_a_row(pane);
        InvalidateRect(pane->window, NULL, FALSE);
        return 0;
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
