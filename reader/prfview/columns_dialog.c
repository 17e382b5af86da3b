/* SPDX-License-Identifier: MIT */
/*
 * Shows the columns in a list with check boxes, in the order of the table. If the user chooses a
 * set of columns, only the list changes. The table changes when the user chooses OK.
 */
#include "prfview/columns_dialog.h"

#include <stdlib.h>

#define NAME_CHARS 60

typedef struct columns_dialog {
    prfdata_app *app;
    HWND window;
    uint32_t count;                             /* number of columns of counters */
    uint32_t order[PRFDATA_TABLE_COLUMNS_MOST]; /* from prfdata_table_columns_order(); changed by
                                                   the user */
} columns_dialog;

static HWND list_of(const columns_dialog *dialog)
{
    return GetDlgItem(dialog->window, IDD_COLUMNS_LIST);
}

static bool is_checked(const columns_dialog *dialog, uint32_t row)
{
    return ListView_GetCheckState(list_of(dialog), row) != 0;
}

/* ---- The list ---- */

static void insert_row(const columns_dialog *dialog, uint32_t row, bool is_shown)
{
    wchar_t name[200];
    LVITEMW item = {.mask = LVIF_TEXT, .iItem = (int)row, .pszText = name};

    prfdata_table_columns_name(&dialog->app->table.columns, dialog->order[row], name);
    SendMessageW(list_of(dialog), LVM_INSERTITEMW, 0, (LPARAM)&item);
    ListView_SetCheckState(list_of(dialog), row, is_shown);
}

static void select_row(const columns_dialog *dialog, uint32_t row)
{
    ListView_SetItemState(list_of(dialog), (int)row, LVIS_SELECTED | LVIS_FOCUSED,
                          LVIS_SELECTED | LVIS_FOCUSED);
    (void)ListView_EnsureVisible(list_of(dialog), (int)row, FALSE);
}

static void fill_list(const columns_dialog *dialog)
{
    const prfdata_table *table = &dialog->app->viewer.table;

    for (uint32_t i = 0; i < dialog->count; i++)
        insert_row(dialog, i, !table->columns[dialog->order[i] - 1].is_hidden);
    if (dialog->count > 0)
        select_row(dialog, 0);
}

static void move_row(columns_dialog *dialog, int by)
{
    const int row = ListView_GetNextItem(list_of(dialog), -1, LVNI_SELECTED);
    const int to = row + by;
    const uint32_t column = row >= 0 ? dialog->order[row] : 0;
    bool is_shown;

    if (row < 0 || to < 0 || (uint32_t)to >= dialog->count)
        return;
    is_shown = is_checked(dialog, (uint32_t)row);
    (void)ListView_DeleteItem(list_of(dialog), row);
    dialog->order[row] = dialog->order[to];
    dialog->order[to] = column;
    insert_row(dialog, (uint32_t)to, is_shown);
    select_row(dialog, (uint32_t)to);
}

/* ---- Sets ---- */

static void fill_sets(const columns_dialog *dialog)
{
    HWND sets = GetDlgItem(dialog->window, IDD_COLUMNS_SET);
    wchar_t name[NAME_CHARS];

    SendMessageW(sets, CB_RESETCONTENT, 0, 0);
    for (size_t i = 0;; i++) {
        const prfdata_text set = prfdata_column_sets_name(&dialog->app->column_sets, i);

        if (set.count == 0)
            return;
        SendMessageW(sets, CB_ADDSTRING, 0, (LPARAM)prfdata_strings_text(set, name, NAME_CHARS));
    }
}

static void save_set(const columns_dialog *dialog)
{
    wchar_t name[NAME_CHARS];

    GetDlgItemTextW(dialog->window, IDD_COLUMNS_SET, name, NAME_CHARS);
    for (uint32_t i = 0; i < dialog->count; i++) {
        wchar_t *path = prfdata_table_columns_path(&dialog->app->table.columns, dialog->order[i]);
        const prfdata_column_set_item item = {prfdata_strings_borrow(name),
                                              prfdata_strings_borrow(path ? path : L""), i,
                                              !is_checked(dialog, i)};

        if (path)
            prfdata_column_sets_put(&dialog->app->column_sets, &item);
        free(path);
    }
    fill_sets(dialog);
    SetDlgItemTextW(dialog->window, IDD_COLUMNS_SET, name);
}

static void delete_set(const columns_dialog *dialog)
{
    wchar_t name[NAME_CHARS];

    GetDlgItemTextW(dialog->window, IDD_COLUMNS_SET, name, NAME_CHARS);
    prfdata_column_sets_remove(&dialog->app->column_sets, prfdata_strings_borrow(name));
    fill_sets(dialog);
    SetDlgItemTextW(dialog->window, IDD_COLUMNS_SET, L"");
}

/* Return a column of the chosen set; NULL: the set lacks the column. */
static const prfdata_column_set_item *item_of_set(const columns_dialog *dialog, const wchar_t *name,
                                                  uint32_t column)
{
    wchar_t *path = prfdata_table_columns_path(&dialog->app->table.columns, column);
    const prfdata_column_set_item *item =
        path ? prfdata_column_sets_find(&dialog->app->column_sets, prfdata_strings_borrow(name),
                                        prfdata_strings_borrow(path))
             : NULL;

    free(path);
    return item;
}

/*
 * Show the chosen set in the list. The set's columns come first, in the order of the set. They are
 * checked unless the set hides them. The other columns follow, unchecked.
 */
static void choose_set(columns_dialog *dialog)
{
    HWND sets = GetDlgItem(dialog->window, IDD_COLUMNS_SET);
    const LRESULT chosen = SendMessageW(sets, CB_GETCURSEL, 0, 0);
    uint32_t positions[PRFDATA_TABLE_COLUMNS_MOST];
    uint32_t before[PRFDATA_TABLE_COLUMNS_MOST];
    int order[PRFDATA_TABLE_COLUMNS_MOST];
    wchar_t name[NAME_CHARS];

    if (chosen < 0 || SendMessageW(sets, CB_GETLBTEXTLEN, (WPARAM)chosen, 0) >= NAME_CHARS)
        return;
    SendMessageW(sets, CB_GETLBTEXT, (WPARAM)chosen, (LPARAM)name);
    for (uint32_t i = 0; i < dialog->count; i++) {
        const prfdata_column_set_item *item = item_of_set(dialog, name, dialog->order[i]);

        before[i] = dialog->order[i];
        positions[i] = item ? item->position : UINT32_MAX;
    }
    prfdata_column_notes_order(positions, dialog->count, order);
    (void)ListView_DeleteAllItems(list_of(dialog));
    for (uint32_t i = 0; i < dialog->count; i++)
        dialog->order[i] = before[order[i]];
    for (uint32_t i = 0; i < dialog->count; i++) {
        const prfdata_column_set_item *item = item_of_set(dialog, name, dialog->order[i]);

        insert_row(dialog, i, item && !item->is_hidden);
    }
}

/* ---- The dialog ---- */

static void name_controls(HWND window)
{
    static const struct {
        int control;
        uint32_t text;
    } texts[] = {{IDD_COLUMNS_UP, IDS_COLUMNS_UP},
                 {IDD_COLUMNS_DOWN, IDS_COLUMNS_DOWN},
                 {IDD_COLUMNS_LABEL, IDS_COLUMNS_SET},
                 {IDD_COLUMNS_SAVE, IDS_COLUMNS_SAVE},
                 {IDD_COLUMNS_DELETE, IDS_COLUMNS_DELETE},
                 {IDOK, IDS_OK_BUTTON},
                 {IDCANCEL, IDS_CANCEL_BUTTON}};

    SetWindowTextW(window, prfdata_strings_get(IDS_COLUMNS_TITLE));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        SetDlgItemTextW(window, texts[i].control, prfdata_strings_get(texts[i].text));
}

static void begin_dialog(columns_dialog *dialog)
{
    HWND list = list_of(dialog);
    LVCOLUMNW column = {.mask = LVCF_WIDTH};
    RECT area;

    name_controls(dialog->window);
    GetClientRect(list, &area);
    column.cx = area.right - prfdata_theme_metric(&dialog->app->theme, SM_CXVSCROLL);
    SendMessageW(list, LVM_SETEXTENDEDLISTVIEWSTYLE, LVS_EX_CHECKBOXES | LVS_EX_FULLROWSELECT,
                 LVS_EX_CHECKBOXES | LVS_EX_FULLROWSELECT);
    SendMessageW(list, LVM_INSERTCOLUMNW, 0, (LPARAM)&column);
    SendDlgItemMessageW(dialog->window, IDD_COLUMNS_SET, CB_LIMITTEXT, NAME_CHARS - 1, 0);
    prfdata_theme_apply(&dialog->app->theme, dialog->window);
    prfdata_theme_apply_to_list(&dialog->app->theme, list);
    fill_list(dialog);
    fill_sets(dialog);
}

/* Give the table the columns of the list. At least one stays visible. */
static void apply_list(const columns_dialog *dialog)
{
    bool hidden[PRFDATA_TABLE_COLUMNS_MOST];
    bool is_any_shown = false;

    for (uint32_t i = 0; i < dialog->count; i++) {
        hidden[i] = !is_checked(dialog, i);
        is_any_shown = is_any_shown || !hidden[i];
    }
    if (!is_any_shown && dialog->count > 0)
        hidden[0] = false;
    prfdata_table_columns_set(&dialog->app->table.columns, dialog->order, hidden, dialog->count);
}

static void run_control(columns_dialog *dialog, int control, int code)
{
    switch (control) {
    case IDD_COLUMNS_UP:
        move_row(dialog, -1);
        break;
    case IDD_COLUMNS_DOWN:
        move_row(dialog, 1);
        break;
    case IDD_COLUMNS_SAVE:
        save_set(dialog);
        break;
    case IDD_COLUMNS_DELETE:
        delete_set(dialog);
        break;
    case IDD_COLUMNS_SET:
        if (code == CBN_SELCHANGE)
            choose_set(dialog);
        break;
    case IDOK:
        apply_list(dialog);
        EndDialog(dialog->window, 1);
        break;
    case IDCANCEL:
        EndDialog(dialog->window, 0);
        break;
    default:
        break;
    }
}

static INT_PTR CALLBACK columns_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    columns_dialog *dialog = (columns_dialog *)GetWindowLongPtrW(window, DWLP_USER);

    switch (message) {
    case WM_INITDIALOG:
        SetWindowLongPtrW(window, DWLP_USER, lparam);
        dialog = (columns_dialog *)lparam;
        dialog->window = window;
        begin_dialog(dialog);
        return TRUE;
    case WM_COMMAND:
        run_control(dialog, LOWORD(wparam), HIWORD(wparam));
        return TRUE;
    default:
        return FALSE;
    }
}

void prfdata_columns_dialog_run(prfdata_app *app)
{
    columns_dialog *dialog = calloc(1, sizeof *dialog);

    if (dialog && app->viewer.table.has_instances) {
        dialog->app = app;
        dialog->count = prfdata_table_columns_order(&app->table.columns, dialog->order);
        (void)DialogBoxParamW(app->instance, MAKEINTRESOURCEW(IDD_COLUMNS), app->window,
                              columns_procedure, (LPARAM)dialog);
    }
    free(dialog);
}
