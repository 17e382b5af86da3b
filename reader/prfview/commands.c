/* SPDX-License-Identifier: MIT */
/* Lists the commands with their menus and keys, and runs them. */
#include "prfview/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <shellapi.h>

#include "panes/dark_menu.h"
#include "prfview/columns_dialog.h"
#include "prfview/copying.h"
#include "prfview/documents.h"
#include "prfview/focused_counter.h"
#include "prfview/interval.h"
#include "prfview/most_lines_dialog.h"
#include "prfview/pages.h"
#include "prfview/text_window.h"
#include "prfview/threshold_dialog.h"
#include "prfview/tools.h"
#include "source/child.h"
#include "text/arguments.h"

/* ---- Menus and keys ---- */

typedef struct menu_command {
    uint16_t menu;    /* IDS_MENU_... */
    uint16_t command; /* 0: a separator */
    uint16_t key;     /* virtual key; 0: none */
    uint16_t flags;   /* FCONTROL, FSHIFT, FALT */
} menu_command;

static const menu_command all_commands[] = {
    {IDS_MENU_FILE, IDC_OPEN, 'O', FCONTROL},
    {IDS_MENU_FILE, IDC_LIVE, 'L', FCONTROL},
    {IDS_MENU_FILE, IDC_COMPUTER, 0, 0},
    {IDS_MENU_FILE, 0, 0, 0},
    {IDS_MENU_FILE, IDC_SAVE_SAMPLE, 'S', FCONTROL},
    {IDS_MENU_FILE, IDC_SAVE_RECORDING, 'S', FCONTROL | FSHIFT},
    {IDS_MENU_FILE, IDC_RECORD, 0, 0},
    {IDS_MENU_FILE, 0, 0, 0},
    {IDS_MENU_FILE, IDC_EXPORT_TABLE, 'E', FCONTROL},
    {IDS_MENU_FILE, IDC_EXPORT_CHART, 0, 0},
    {IDS_MENU_FILE, IDC_EXPORT_PICTURE, 0, 0},
    {IDS_MENU_FILE, 0, 0, 0},
    {IDS_MENU_FILE, IDC_OPEN_WORKSPACE, 0, 0},
    {IDS_MENU_FILE, IDC_SAVE_WORKSPACE, 0, 0},
    {IDS_MENU_FILE, 0, 0, 0},
    {IDS_MENU_FILE, IDC_EXIT, 0, 0},
    {IDS_MENU_EDIT, IDC_COPY, 'C', FCONTROL},
    {IDS_MENU_EDIT, IDC_COPY_PATH, 'C', FCONTROL | FSHIFT},
    {IDS_MENU_EDIT, IDC_COPY_COMMAND, 0, 0},
    {IDS_MENU_EDIT, IDC_SELECT_ALL, 'A', FCONTROL},
    {IDS_MENU_EDIT, 0, 0, 0},
    {IDS_MENU_EDIT, IDC_SEARCH, 'F', FCONTROL},
    {IDS_MENU_EDIT, IDC_CLEAR_SEARCH, 0, 0},
    {IDS_MENU_VIEW, IDC_REFRESH, VK_F5, 0},
    {IDS_MENU_VIEW, IDC_PAUSE, 'P', FCONTROL},
    {IDS_MENU_VIEW, IDS_MENU_INTERVAL, 0, 0},
    {IDS_MENU_VIEW, IDC_READ_ALL, VK_F5, FCONTROL},
    {IDS_MENU_VIEW, 0, 0, 0},
    {IDS_MENU_VIEW, IDC_RAW, 'R', FCONTROL},
    {IDS_MENU_VIEW, IDC_HIDE_IDLE, 'I', FCONTROL},
    {IDS_MENU_VIEW, IDC_MARK_CHANGES, 'M', FCONTROL},
    {IDS_MENU_VIEW, IDC_FOLLOW_ROW, 0, 0},
    {IDS_MENU_VIEW, IDC_SORT, 'T', FCONTROL},
    {IDS_MENU_VIEW, IDC_COLUMNS, 0, 0},
    {IDS_MENU_VIEW, IDC_HIDE_COLUMN, 0, 0},
    {IDS_MENU_VIEW, IDC_ALL_COLUMNS, 0, 0},
    {IDS_MENU_VIEW, 0, 0, 0},
    {IDS_MENU_VIEW, IDC_SHOW_CHART, '1', FCONTROL},
    {IDS_MENU_VIEW, IDC_SHOW_HISTOGRAM, '2', FCONTROL},
    {IDS_MENU_VIEW, IDC_SHOW_DETAILS, '3', FCONTROL},
    {IDS_MENU_VIEW, IDC_NEXT_PANE, VK_F6, 0},
    {IDS_MENU_VIEW, IDC_PREVIOUS_PANE, VK_F6, FSHIFT},
    {IDS_MENU_CHART, IDC_ADD, 'D', FCONTROL},
    {IDS_MENU_CHART, IDC_REMOVE, VK_DELETE, FCONTROL},
    {IDS_MENU_CHART, IDC_REMOVE_ALL, VK_DELETE, FCONTROL | FSHIFT},
    {IDS_MENU_CHART, IDC_HIDE_LINE, 'H', FCONTROL},
    {IDS_MENU_CHART, IDC_OWN_CHART, 'B', FCONTROL},
    {IDS_MENU_CHART, IDC_LOG, 'G', FCONTROL},
    {IDS_MENU_CHART, IDC_COLOUR, 'K', FCONTROL},
    {IDS_MENU_CHART, IDC_THRESHOLD, 0, 0},
    {IDS_MENU_CHART, IDC_BANDS, 0, 0},
    {IDS_MENU_CHART, IDC_TOTALS, 0, 0},
    {IDS_MENU_CHART, IDC_MOST_LINES, 0, 0},
    {IDS_MENU_CHART, IDC_UNCAPPED, 0, 0},
    {IDS_MENU_CHART, 0, 0, 0},
    {IDS_MENU_CHART, IDC_ZOOM_IN, VK_OEM_PLUS, FCONTROL},
    {IDS_MENU_CHART, IDC_ZOOM_OUT, VK_OEM_MINUS, FCONTROL},
    {IDS_MENU_CHART, IDC_ALL_TIMES, '0', FCONTROL},
    {IDS_MENU_CHART, IDC_BACK, VK_LEFT, FALT},
    {IDS_MENU_CHART, IDC_FORWARD, VK_RIGHT, FALT},
    {IDS_MENU_CHART, IDC_NEWEST, VK_END, FCONTROL},
    {IDS_MENU_HELP, IDC_KEYS, VK_F1, 0},
    {IDS_MENU_HELP, IDC_RIGHTS, 0, 0},
    {IDS_MENU_HELP, IDC_ELEVATE, 0, 0},
    {IDS_MENU_HELP, 0, 0, 0},
    {IDS_MENU_HELP, IDC_ABOUT, 0, 0},
};

#define COMMAND_COUNT (sizeof all_commands / sizeof all_commands[0])

static HMENU interval_menu(const prfdata_app *app)
{
    HMENU menu = CreatePopupMenu();
    wchar_t text[PRFDATA_STRINGS_CHARS];

    for (uint32_t i = 0; i < IDC_INTERVAL_COUNT; i++)
        AppendMenuW(menu, MF_STRING, IDC_INTERVAL + i,
                    prfdata_interval_text(app->style, prfdata_interval_of_menu(i), text));
    return menu;
}

static void append_command(const prfdata_app *app, HMENU menu, const menu_command *command)
{
    if (command->command == 0) {
        AppendMenuW(menu, MF_SEPARATOR, 0, NULL);
    } else if (command->command != IDS_MENU_INTERVAL) {
        AppendMenuW(menu, MF_STRING, command->command, prfdata_strings_get(command->command));
    } else {
        AppendMenuW(menu, MF_POPUP, (UINT_PTR)interval_menu(app),
                    prfdata_strings_get(IDS_MENU_INTERVAL));
    }
}

HMENU prfdata_commands_menu(const prfdata_app *app)
{
    HMENU bar = CreateMenu();

    for (uint32_t id = IDS_MENU_FILE; id <= IDS_MENU_HELP; id++) {
        HMENU menu = CreatePopupMenu();

        for (size_t i = 0; i < COMMAND_COUNT; i++) {
            if (all_commands[i].menu == id)
                append_command(app, menu, &all_commands[i]);
        }
        AppendMenuW(bar, MF_POPUP, (UINT_PTR)menu, prfdata_strings_get(id));
    }
    return bar;
}

HACCEL prfdata_commands_accelerators(void)
{
    ACCEL keys[COMMAND_COUNT + 4];
    int count = 0;

    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (all_commands[i].key == 0)
            continue;
        keys[count++] = (ACCEL){(BYTE)(FVIRTKEY | all_commands[i].flags), all_commands[i].key,
                                all_commands[i].command};
    }
    keys[count++] = (ACCEL){FVIRTKEY | FCONTROL, VK_ADD, IDC_ZOOM_IN};
    keys[count++] = (ACCEL){FVIRTKEY | FCONTROL, VK_SUBTRACT, IDC_ZOOM_OUT};
    return CreateAcceleratorTableW(keys, count);
}

static void check_command(const prfdata_app *app, uint32_t command, bool is_on)
{
    for (size_t i = 0; i < PRFDATA_APP_MENUS; i++)
        CheckMenuItem(app->menus[i], command,
                      MF_BYCOMMAND | (is_on ? (UINT)MF_CHECKED : (UINT)MF_UNCHECKED));
}

static void enable_command(const prfdata_app *app, uint32_t command, bool is_on)
{
    for (size_t i = 0; i < PRFDATA_APP_MENUS; i++)
        EnableMenuItem(app->menus[i], command,
                       MF_BYCOMMAND | (is_on ? (UINT)MF_ENABLED : (UINT)MF_GRAYED));
}

static bool is_elevated(void)
{
    TOKEN_ELEVATION elevation = {0};
    DWORD size = 0;
    HANDLE token;
    bool is_known;

    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return false;
    is_known = GetTokenInformation(token, TokenElevation, &elevation, sizeof elevation, &size);
    CloseHandle(token);
    return is_known && elevation.TokenIsElevated != 0;
}

/* Disable commands that would do nothing now. */
static void enable_possible(const prfdata_app *app)
{
    const prfdata_table *table = &app->viewer.table;
    const bool has_lines = app->viewer.chart.series_count > 0;
    const bool has_counter =
        table->shown_count > 0 || has_lines || prfdata_tree_pane_selected(&app->tree) != NULL;
    uint32_t hidden = 0;

    for (uint32_t i = 0; i < table->column_count; i++)
        hidden += table->columns[i].is_hidden;
    for (uint32_t i = 0; i < IDC_INTERVAL_COUNT; i++)
        enable_command(app, IDC_INTERVAL + i, app->reading != NULL);
    enable_command(app, IDC_ADD, has_counter);
    enable_command(app, IDC_COPY_PATH, has_counter);
    enable_command(app, IDC_THRESHOLD, table->shown_count > 0 || has_lines);
    enable_command(app, IDC_SELECT_ALL, table->shown_count > 0);
    enable_command(app, IDC_EXPORT_TABLE, table->shown_count > 0);
    enable_command(app, IDC_SORT, table->column_count > 0);
    enable_command(app, IDC_HIDE_COLUMN, table->has_instances && table->column_count > hidden);
    enable_command(app, IDC_ALL_COLUMNS, hidden > 0);
    enable_command(app, IDC_COLUMNS, table->has_instances && table->column_count > 0);
    enable_command(app, IDC_CLEAR_SEARCH, GetWindowTextLengthW(app->parts[PRFDATA_APP_SEARCH]) > 0);
    enable_command(app, IDC_ALL_TIMES, has_lines);
    enable_command(app, IDC_ZOOM_IN, has_lines);
    enable_command(app, IDC_ZOOM_OUT, has_lines);
    enable_command(app, IDC_BACK, has_lines);
    enable_command(app, IDC_FORWARD, has_lines && !app->viewer.chart.follows);
    enable_command(app, IDC_NEWEST,
                   app->viewer.looks_back || (has_lines && !app->viewer.chart.follows));
}

void prfdata_commands_update_menu(prfdata_app *app)
{
    const uint32_t line = prfdata_legend_pane_selected(&app->legend);
    const bool has_line = line < PRFDATA_CHART_SERIES;
    const bool is_live = app->reading != NULL;

    check_command(app, IDC_PAUSE, app->viewer.is_paused);
    check_command(app, IDC_RAW, app->viewer.table.shows_raw);
    check_command(app, IDC_HIDE_IDLE, app->viewer.table.hides_idle);
    check_command(app, IDC_MARK_CHANGES, app->table.cells.marks_changes);
    check_command(app, IDC_FOLLOW_ROW, app->table.follows_row);
    check_command(app, IDC_UNCAPPED, !app->viewer.chart.is_capped);
    check_command(app, IDC_BANDS, !app->viewer.chart.hides_bands);
    check_command(app, IDC_TOTALS, app->viewer.adds_totals);
    CheckMenuRadioItem(app->menus[PRFDATA_APP_BAR], IDC_SHOW_CHART, IDC_SHOW_DETAILS,
                       IDC_SHOW_CHART + (uint32_t)app->page, MF_BYCOMMAND);
    for (uint32_t i = 0; i < IDC_INTERVAL_COUNT; i++)
        check_command(app, IDC_INTERVAL + i,
                      prfdata_interval_of_menu(i) == app->viewer.interval_ms);
    enable_command(app, IDC_LIVE, !is_live || app->remote.count > 0);
    enable_command(app, IDC_REFRESH, is_live);
    enable_command(app, IDC_PAUSE, is_live);
    enable_command(app, IDC_READ_ALL, is_live);
    enable_command(app, IDC_RECORD, prfdata_tools_can_record(app));
    for (size_t i = 0; i < PRFDATA_APP_MENUS; i++)
        prfdata_dark_menu_name(app->menus[i], IDC_RECORD,
                               prfdata_strings_get(app->record ? IDS_STOP_RECORDING : IDC_RECORD));
    enable_command(app, IDC_REMOVE, prfdata_legend_pane_selected_row(&app->legend) != UINT32_MAX);
    enable_command(app, IDC_HIDE_LINE, has_line);
    enable_command(app, IDC_OWN_CHART, has_line);
    enable_command(app, IDC_LOG, app->viewer.chart.series_count > 0);
    check_command(app, IDC_LOG, prfdata_viewer_is_log(&app->viewer, has_line ? line : 0));
    enable_command(app, IDC_COLOUR, has_line);
    enable_command(app, IDC_REMOVE_ALL, prfdata_viewer_row_count(&app->viewer) > 0);
    enable_command(app, IDC_EXPORT_CHART, app->viewer.chart.series_count > 0);
    enable_command(app, IDC_EXPORT_PICTURE, app->viewer.chart.series_count > 0);
    enable_command(app, IDC_SAVE_SAMPLE, app->viewer.timeline.count > 0);
    enable_command(app, IDC_SAVE_RECORDING, app->viewer.timeline.count > 0);
    enable_command(app, IDC_ELEVATE, !is_elevated());
    enable_possible(app);
}

/* ---- The chart ---- */

static void add_focused(prfdata_app *app)
{
    prfdata_chart_key key = {0};

    if (GetFocus() == app->parts[PRFDATA_APP_TABLE] &&
        ListView_GetSelectedCount(app->parts[PRFDATA_APP_TABLE]) > 0)
        prfdata_viewer_add_selected(&app->viewer);
    else if (prfdata_focused_counter_find(app, &key))
        prfdata_viewer_add_line(&app->viewer, &key);
}

/* Apply a command to the line that is selected in the legend. If no line is selected, IDC_LOG
 * applies to the first line. After a removal, select the next row. */
static void change_line(prfdata_app *app, uint32_t command)
{
    const prfdata_chart *chart = &app->viewer.chart;
    const uint32_t row = prfdata_legend_pane_selected_row(&app->legend);
    const uint32_t at = row == UINT32_MAX && command == IDC_LOG ? 0 : row;

    if (at == UINT32_MAX || (at >= chart->series_count && command != IDC_REMOVE))
        return;
    if (command == IDC_HIDE_LINE)
        prfdata_viewer_hide_line(&app->viewer, at, !chart->series[at]->is_hidden);
    else if (command == IDC_OWN_CHART)
        prfdata_viewer_toggle_own_pane(&app->viewer, at);
    else if (command == IDC_LOG)
        prfdata_viewer_toggle_log(&app->viewer, at);
    else if (command == IDC_COLOUR)
        prfdata_viewer_change_colour(&app->viewer, at);
    else
        prfdata_viewer_remove_line(&app->viewer, at);
    if (command == IDC_REMOVE && at < prfdata_viewer_row_count(&app->viewer))
        prfdata_legend_pane_select(&app->legend, at);
    InvalidateRect(app->parts[PRFDATA_APP_LEGEND], NULL, FALSE);
}

static void change_chart(prfdata_app *app, uint32_t command)
{
    prfdata_viewer *viewer = &app->viewer;

    switch (command) {
    case IDC_REMOVE_ALL:
        prfdata_viewer_remove_lines(viewer);
        break;
    case IDC_BANDS:
        prfdata_viewer_toggle_bands(viewer);
        InvalidateRect(app->parts[PRFDATA_APP_LEGEND], NULL, FALSE);
        break;
    case IDC_THRESHOLD:
        prfdata_threshold_dialog_run(app);
        break;
    case IDC_MOST_LINES:
        prfdata_most_lines_dialog_run(app);
        break;
    case IDC_TOTALS:
        viewer->adds_totals = !viewer->adds_totals;
        break;
    case IDC_ZOOM_IN:
    case IDC_ZOOM_OUT:
        prfdata_viewer_zoom(viewer, command == IDC_ZOOM_IN);
        break;
    case IDC_ALL_TIMES:
        prfdata_viewer_show_all(viewer);
        break;
    case IDC_BACK:
    case IDC_FORWARD:
        prfdata_viewer_turn(viewer, command == IDC_BACK ? -0.5 : 0.5);
        break;
    case IDC_NEWEST:
        prfdata_viewer_look_at_newest(viewer);
        break;
    default:
        change_line(app, command);
        break;
    }
}

/* ---- The view ---- */

static void toggle_pause(prfdata_app *app)
{
    if (!app->reading)
        return;
    prfdata_viewer_pause(&app->viewer, !app->viewer.is_paused);
    prfdata_interval_apply_pause(app);
    prfdata_interval_show_pause(app);
}

static bool is_part_usable(const prfdata_app *app, int part)
{
    return app->parts[part] && IsWindowVisible(app->parts[part]) &&
           IsWindowEnabled(app->parts[part]);
}

/* Handle F6: focus the next part, or the previous part if `by` is -1. Skip the list of intervals,
 * the buttons and the tabs, which Tab reaches. */
static void focus_next_part(prfdata_app *app, int by)
{
    HWND focus = GetFocus();
    int part = 0;

    for (int i = 0; i < PRFDATA_APP_PARTS; i++) {
        if (app->parts[i] == focus)
            part = i;
    }
    for (int i = 0; i < PRFDATA_APP_PARTS; i++) {
        part = (part + by + PRFDATA_APP_PARTS) % PRFDATA_APP_PARTS;
        if (part != PRFDATA_APP_INTERVAL && part != PRFDATA_APP_PAUSE &&
            part != PRFDATA_APP_REFRESH && part != PRFDATA_APP_TABS && is_part_usable(app, part))
            break;
    }
    /* Show the focus, because Windows may hide it until the user presses Tab or an arrow key. */
    SendMessageW(app->window, WM_CHANGEUISTATE, MAKEWPARAM(UIS_CLEAR, UISF_HIDEFOCUS), 0);
    SetFocus(app->parts[part]);
}

/* ---- Help ---- */

static void show_text(const prfdata_app *app, uint32_t id)
{
    MessageBoxW(app->window, prfdata_strings_get(id), prfdata_strings_get(IDS_TITLE),
                MB_OK | MB_ICONINFORMATION);
}

/* Put the key of a command, then the name of the command without "&". */
static void put_command(prfdata_output *output, const wchar_t *text)
{
    const wchar_t *key = wcschr(text, L'\t');
    const prfdata_text whole = prfdata_strings_borrow(text);
    const size_t end = key ? (size_t)(key - text) : whole.count;
    size_t begin = 0;

    prfdata_output_put_text(output, prfdata_text_part(whole, end + (key != NULL), whole.count));
    prfdata_output_put_string(output, "\t");
    for (size_t i = 0; i < end; i++) {
        if (text[i] != L'&')
            continue;
        prfdata_output_put_text(output, prfdata_text_part(whole, begin, i));
        begin = i + 1;
    }
    prfdata_output_put_text(output, prfdata_text_part(whole, begin, end));
    prfdata_output_put_string(output, "\r\n");
}

/* Put a text of the resource, with CR LF at the end of each line. */
static void put_lines(prfdata_output *output, const wchar_t *text)
{
    const prfdata_text whole = prfdata_strings_borrow(text);
    size_t at = 0;

    while (at < whole.count) {
        const size_t end = at + wcscspn(text + at, L"\n");

        prfdata_output_put_text(output, prfdata_text_part(whole, at, end));
        prfdata_output_put_string(output, "\r\n");
        at = end + 1;
    }
}

static void show_keys(const prfdata_app *app)
{
    prfdata_output output = {0};

    put_lines(&output, prfdata_strings_get(IDS_KEYS_TEXT));
    prfdata_output_put_string(&output, "\r\n");
    put_lines(&output, prfdata_strings_get(IDS_COMMANDS_TEXT));
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const wchar_t *text = prfdata_strings_get(all_commands[i].command);

        if (all_commands[i].command != 0 && wcschr(text, L'\t'))
            put_command(&output, text);
    }
    prfdata_text_window_show(app->window, &app->theme, prfdata_strings_get(IDS_TITLE), &output);
    prfdata_output_free(&output);
}

/*
 * Return the arguments with which an elevated process shows the same file or computer. The caller
 * releases them with free(). NULL: no memory, or the path of the file is too long.
 */
static wchar_t *arguments_of_elevated(const prfdata_app *app)
{
    prfdata_output output = {0};
    wchar_t name[MAX_PATH];
    wchar_t full[MAX_PATH];
    DWORD chars;
    wchar_t *wide;

    /* The path must be complete, because the elevated process has another current folder. */
    if (app->file.count > 0) {
        chars =
            GetFullPathNameW(prfdata_strings_text(app->file, name, MAX_PATH), MAX_PATH, full, NULL);
        if (chars == 0 || chars >= MAX_PATH)
            return NULL;
        prfdata_output_put_string(&output, "-file ");
        prfdata_arguments_put_quoted(&output, prfdata_strings_borrow(full));
    } else if (app->remote.count > 0) {
        prfdata_output_put_string(&output, "-s ");
        prfdata_arguments_put_quoted(&output, app->remote);
    }
    wide = output.failed ? NULL : prfdata_strings_wide(output.bytes, output.used);
    prfdata_output_free(&output);
    return wide;
}

static void elevate(prfdata_app *app)
{
    wchar_t *arguments = arguments_of_elevated(app);
    wchar_t path[MAX_PATH];
    const bool is_started =
        arguments && prfdata_child_program_path(path) == ERROR_SUCCESS &&
        (INT_PTR)ShellExecuteW(app->window, L"runas", path, arguments, NULL, SW_SHOWNORMAL) > 32;

    free(arguments);
    if (is_started)
        PostMessageW(app->window, WM_CLOSE, 0, 0);
}

static void ask_again(prfdata_app *app)
{
    if (!app->reading || !prfdata_viewer_refresh(&app->viewer))
        return;
    prfdata_reading_refresh(app->reading);
    prfdata_table_pane_update(&app->table);
}

/* ---- Running commands ---- */

static void run_view_command(prfdata_app *app, uint32_t command)
{
    switch (command) {
    case IDC_REFRESH:
        ask_again(app);
        break;
    case IDC_PAUSE:
        toggle_pause(app);
        break;
    case IDC_READ_ALL:
        prfdata_object_search_begin(&app->object_search, &app->viewer);
        if (app->reading)
            prfdata_reading_read_all(app->reading);
        break;
    case IDC_RAW:
        prfdata_viewer_show_raw(&app->viewer, !app->viewer.table.shows_raw);
        break;
    case IDC_HIDE_IDLE:
        app->viewer.table.hides_idle = !app->viewer.table.hides_idle;
        prfdata_viewer_arrange(&app->viewer);
        break;
    case IDC_MARK_CHANGES:
        app->table.cells.marks_changes = !app->table.cells.marks_changes;
        prfdata_viewer_arrange(&app->viewer);
        break;
    case IDC_FOLLOW_ROW:
        app->table.follows_row = !app->table.follows_row;
        break;
    case IDC_UNCAPPED:
        prfdata_viewer_cap(&app->viewer, !app->viewer.chart.is_capped);
        break;
    case IDC_COLUMNS:
        prfdata_columns_dialog_run(app);
        break;
    case IDC_HIDE_COLUMN:
        prfdata_table_pane_hide_column(&app->table);
        break;
    case IDC_ALL_COLUMNS:
        prfdata_table_columns_show(&app->table.columns);
        break;
    case IDC_SORT:
        prfdata_table_pane_sort(&app->table);
        break;
    default:
        focus_next_part(app, command == IDC_NEXT_PANE ? 1 : -1);
        break;
    }
}

static void run_other_command(prfdata_app *app, uint32_t command)
{
    switch (command) {
    case IDC_EXIT:
        PostMessageW(app->window, WM_CLOSE, 0, 0);
        break;
    case IDC_COPY:
    case IDC_COPY_PATH:
    case IDC_COPY_COMMAND:
        prfdata_copying_run(app, command);
        break;
    case IDC_SELECT_ALL:
        prfdata_copying_select_all(app);
        break;
    case IDC_SEARCH:
        SetFocus(app->parts[PRFDATA_APP_SEARCH]);
        SendMessageW(app->parts[PRFDATA_APP_SEARCH], EM_SETSEL, 0, -1);
        break;
    case IDC_CLEAR_SEARCH:
        SetWindowTextW(app->parts[PRFDATA_APP_SEARCH], L"");
        break;
    case IDC_KEYS:
        show_keys(app);
        break;
    case IDC_RIGHTS:
        show_text(app, is_elevated() ? IDS_RIGHTS_ADMIN : IDS_RIGHTS_USER);
        break;
    case IDC_ELEVATE:
        elevate(app);
        break;
    case IDC_ABOUT:
        show_text(app, IDS_ABOUT_TEXT);
        break;
    default:
        break;
    }
}

void prfdata_commands_run(prfdata_app *app, uint32_t command)
{
    if (command >= IDC_INTERVAL && command < IDC_INTERVAL + IDC_INTERVAL_COUNT)
        prfdata_interval_set(app, prfdata_interval_of_menu(command - IDC_INTERVAL));
    else if (command >= IDC_SHOW_CHART && command <= IDC_SHOW_DETAILS)
        prfdata_pages_show(app, (prfdata_app_page)(command - IDC_SHOW_CHART));
    else if (command == IDC_ADD)
        add_focused(app);
    else if (command > IDC_ADD && command <= IDC_MOST_LINES)
        change_chart(app, command);
    else if ((command >= IDC_OPEN && command <= IDC_LIVE) || command == IDC_RECORD ||
             command == IDC_COMPUTER)
        prfdata_documents_run(app, command);
    else if (command >= IDC_REFRESH && command <= IDC_COLUMNS)
        run_view_command(app, command);
    else
        run_other_command(app, command);
}
