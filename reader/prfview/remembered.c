/* SPDX-License-Identifier: MIT */
/*
 * Saves and restores the window's settings: its place, what it shows, and how. They are in the
 * user's own file or in a workspace.
 */
#include "prfview/remembered.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <shlobj.h>

#include "channels/saving.h"
#include "os/files.h"
#include "prfview/arrangement.h"
#include "prfview/interval.h"
#include "prfview/pages.h"
#include "viewer/workspace.h"

#define OWN_FOLDER L"PrfData"
#define OWN_NAME   L"prfview.txt"

#define MOST_PIXELS 1000000

/* ---- Writing ---- */

/* Get %LOCALAPPDATA%\PrfData\prfview.txt, and create the folder. Returns false on failure. */
static bool own_workspace_path(wchar_t path[MAX_PATH])
{
    wchar_t folder[MAX_PATH];

    if (FAILED(SHGetFolderPathW(NULL, CSIDL_LOCAL_APPDATA | CSIDL_FLAG_CREATE, NULL, 0, folder)) ||
        wcslen(folder) + wcslen(L"\\" OWN_FOLDER L"\\" OWN_NAME) >= MAX_PATH)
        return false;
    swprintf(path, MAX_PATH, L"%ls\\" OWN_FOLDER, folder);
    (void)CreateDirectoryW(path, NULL);
    swprintf(path, MAX_PATH, L"%ls\\" OWN_FOLDER L"\\" OWN_NAME, folder);
    return true;
}

static void put_series(const prfdata_app *app, prfdata_workspace *workspace)
{
    for (uint32_t i = 0; i < prfdata_viewer_path_count(&app->viewer); i++) {
        if (prfdata_viewer_path(&app->viewer, i).count > 0)
            prfdata_workspace_put(workspace, "series", prfdata_viewer_path(&app->viewer, i));
    }
    /* Also put names that have no line now, for example because their service is not running. */
    for (size_t i = 0; i < app->viewer.name_count; i++)
        prfdata_workspace_put(workspace, "series", app->viewer.names[i]);
}

static void put_object_name(const prfdata_app *app, prfdata_workspace *workspace, const char *name,
                            uint32_t title)
{
    const prfdata_text object = prfdata_titles_name(&app->viewer.titles, PRFDATA_BY_ENGLISH, title);

    if (object.count > 0)
        prfdata_workspace_put(workspace, name, object);
}

static void put_workspace(const prfdata_app *app, prfdata_workspace *workspace)
{
    WINDOWPLACEMENT place = {.length = sizeof place};

    GetWindowPlacement(app->window, &place);
    prfdata_workspace_put_number(workspace, "left", place.rcNormalPosition.left);
    prfdata_workspace_put_number(workspace, "top", place.rcNormalPosition.top);
    prfdata_workspace_put_number(workspace, "right", place.rcNormalPosition.right);
    prfdata_workspace_put_number(workspace, "bottom", place.rcNormalPosition.bottom);
    prfdata_workspace_put_number(workspace, "maximized", place.showCmd == SW_SHOWMAXIMIZED);
    prfdata_workspace_put_number(workspace, "tree",
                                 MulDiv(app->tree_width, 96, (int)app->theme.dpi));
    if (app->is_table_part_chosen)
        prfdata_workspace_put_number(workspace, "table", app->table_part);
    prfdata_workspace_put_number(workspace, "page", (int32_t)app->page);
    prfdata_workspace_put_number(workspace, "interval", (int32_t)app->viewer.interval_ms);
    if (app->viewer.chart.fit_ms == 0)
        prfdata_workspace_put_number(workspace, "span", (int32_t)app->viewer.chart.span_ms);
    prfdata_workspace_put_number(workspace, "raw", app->viewer.table.shows_raw);
    prfdata_workspace_put_number(workspace, "hide-idle", app->viewer.table.hides_idle);
    prfdata_workspace_put_number(workspace, "mark-changes", app->table.cells.marks_changes);
    prfdata_workspace_put_number(workspace, "follow-row", app->table.follows_row);
    prfdata_workspace_put_number(workspace, "uncapped", !app->viewer.chart.is_capped);
    prfdata_workspace_put_number(workspace, "bands", !app->viewer.chart.hides_bands);
    prfdata_workspace_put_number(workspace, "totals", app->viewer.adds_totals);
    if (app->viewer.most_lines > 0)
        prfdata_workspace_put_number(workspace, "most-lines", (int32_t)app->viewer.most_lines);
    if (app->viewer.wanted.count > 0) /* the object that was shown may be missing now */
        prfdata_workspace_put(workspace, "object", app->viewer.wanted);
    else
        put_object_name(app, workspace, "object", app->viewer.table.object_title);
    put_series(app, workspace);
    prfdata_line_notes_put(&app->viewer.line_notes, workspace);
    if (app->legend_height > 0)
        prfdata_workspace_put_number(workspace, "legend",
                                     MulDiv(app->legend_height, 96, (int)app->theme.dpi));
    prfdata_column_notes_put(&app->table.columns.notes, workspace);
    prfdata_viewer_put_thresholds(&app->viewer, workspace);
    prfdata_column_sets_write(&app->column_sets, workspace);
}

static void write_workspace(prfdata_app *app, prfdata_workspace *workspace)
{
    prfdata_table_columns_keep(&app->table.columns);
    prfdata_viewer_note_lines(&app->viewer);
    prfdata_output_put_string(&workspace->text, "# prfview's workspace\r\n");
    put_workspace(app, workspace);
    prfdata_viewer_put_order(&app->viewer, workspace);
}

void prfdata_remembered_save(prfdata_app *app, const wchar_t *path)
{
    prfdata_workspace workspace = {0};

    write_workspace(app, &workspace);
    prfdata_saving_write(app->window, &app->status, path, &workspace.text);
    prfdata_workspace_free(&workspace);
}

/*
 * Called when the window closes or the session ends. A failure is not shown, because a message
 * would only delay this end.
 */
void prfdata_remembered_save_own(prfdata_app *app)
{
    prfdata_workspace workspace = {0};
    wchar_t path[MAX_PATH];

    write_workspace(app, &workspace);
    if (!workspace.text.failed && own_workspace_path(path))
        (void)prfdata_files_write(prfdata_strings_borrow(path), true, workspace.text.bytes,
                                  workspace.text.used);
    prfdata_workspace_free(&workspace);
}

/* ---- Reading ---- */

/*
 * Read a number of pixels. A number that is too large for any screen is read as 0, so that
 * differences do not overflow.
 */
static int32_t place_number(const prfdata_workspace *workspace, const char *name)
{
    const int32_t number = prfdata_workspace_number(workspace, name, 0);

    return number > -MOST_PIXELS && number < MOST_PIXELS ? number : 0;
}

static int32_t fitted(int32_t at, int32_t size, int32_t least, int32_t room)
{
    if (at > least + room - size)
        at = least + room - size;
    return at < least ? least : at;
}

/* If the area is larger than all screens together, reduce it. Then move it onto the screens. A
 * workspace may come from a computer with a larger screen. */
static void fit_on_screens(RECT *area)
{
    const int32_t left = GetSystemMetrics(SM_XVIRTUALSCREEN);
    const int32_t top = GetSystemMetrics(SM_YVIRTUALSCREEN);
    const int32_t room_x = GetSystemMetrics(SM_CXVIRTUALSCREEN);
    const int32_t room_y = GetSystemMetrics(SM_CYVIRTUALSCREEN);
    int32_t width = area->right - area->left;
    int32_t height = area->bottom - area->top;

    width = width < room_x ? width : room_x;
    height = height < room_y ? height : room_y;
    area->left = fitted(area->left, width, left, room_x);
    area->top = fitted(area->top, height, top, room_y);
    area->right = area->left + width;
    area->bottom = area->top + height;
}

/* Returns whether another window of prfview has the same upper left corner as `area`. */
static bool is_taken(const prfdata_app *app, const RECT *area)
{
    wchar_t class_name[64];
    HWND other = NULL;
    RECT place;

    GetClassNameW(app->window, class_name, 64);
    while ((other = FindWindowExW(NULL, other, class_name, NULL)) != NULL) {
        if (other != app->window && GetWindowRect(other, &place) && place.left == area->left &&
            place.top == area->top)
            return true;
    }
    return false;
}

/* Restore the window's place, unless it is outside all screens. If another window of prfview is
 * there, move this one a little. */
static void restore_place(const prfdata_app *app, const prfdata_workspace *workspace)
{
    WINDOWPLACEMENT place = {.length = sizeof place};
    RECT *area = &place.rcNormalPosition;

    area->left = place_number(workspace, "left");
    area->top = place_number(workspace, "top");
    area->right = place_number(workspace, "right");
    area->bottom = place_number(workspace, "bottom");
    if (area->right <= area->left || area->bottom <= area->top ||
        !MonitorFromRect(area, MONITOR_DEFAULTTONULL))
        return;
    for (int i = 0; i < 10 && is_taken(app, area); i++)
        OffsetRect(area, prfdata_theme_pixels(&app->theme, 24),
                   prfdata_theme_pixels(&app->theme, 24));
    fit_on_screens(area);
    place.showCmd =
        prfdata_workspace_number(workspace, "maximized", 0) ? SW_SHOWMAXIMIZED : SW_SHOWNORMAL;
    SetWindowPlacement(app->window, &place);
}

static void restore_view(prfdata_app *app, const prfdata_workspace *workspace)
{
    const uint32_t interval = (uint32_t)prfdata_workspace_number(workspace, "interval", 1000);
    const int32_t span = prfdata_workspace_number(workspace, "span", 0);
    const int32_t page = prfdata_workspace_number(workspace, "page", 0);

    if (prfdata_workspace_number(workspace, "tree", 0) > 0)
        app->tree_width =
            prfdata_theme_pixels(&app->theme, prfdata_workspace_number(workspace, "tree", 0));
    if (prfdata_workspace_number(workspace, "table", 0) > 0) {
        app->table_part = prfdata_workspace_number(workspace, "table", 0);
        app->is_table_part_chosen = true;
    }
    app->legend_height = prfdata_theme_pixels(&app->theme, place_number(workspace, "legend"));
    app->viewer.table.shows_raw = prfdata_workspace_number(workspace, "raw", 0) != 0;
    app->viewer.table.hides_idle = prfdata_workspace_number(workspace, "hide-idle", 0) != 0;
    app->table.cells.marks_changes = prfdata_workspace_number(workspace, "mark-changes", 0) != 0;
    app->table.follows_row = prfdata_workspace_number(workspace, "follow-row", 0) != 0;
    prfdata_viewer_cap(&app->viewer, prfdata_workspace_number(workspace, "uncapped", 0) == 0);
    app->viewer.chart.hides_bands = prfdata_workspace_number(workspace, "bands", 1) == 0;
    prfdata_viewer_set_most_lines(&app->viewer,
                                  (uint32_t)prfdata_workspace_number(workspace, "most-lines", 0));
    app->viewer.adds_totals = prfdata_workspace_number(workspace, "totals", 0) != 0;
    if (span >= PRFDATA_CHART_LEAST_SPAN_MS && span <= PRFDATA_CHART_MOST_SPAN_MS) {
        app->viewer.chart.span_ms = span;
        app->viewer.chart.fit_ms = 0;
    }
    if (page >= PRFDATA_APP_CHART && page <= PRFDATA_APP_DETAILS)
        prfdata_pages_show(app, (prfdata_app_page)page);
    if (app->options->interval_ms == 0 && interval >= PRFDATA_VIEW_LEAST_INTERVAL_MS &&
        interval <= PRFDATA_VIEW_MOST_INTERVAL_MS)
        prfdata_interval_set(app, interval);
}

static void restore_names(prfdata_app *app, const prfdata_workspace *workspace)
{
    prfdata_text value;

    if (prfdata_workspace_get(workspace, "object", 0, &value))
        prfdata_viewer_add_name(&app->viewer, value);
    for (size_t i = 0; prfdata_workspace_get(workspace, "series", i, &value); i++)
        prfdata_viewer_add_name(&app->viewer, value);
}

/* How to use the names of objects and counters in a workspace. NO_NAMES ignores them, because the
 * command line has names. MORE_NAMES adds them to the shown names. NAMES_INSTEAD replaces the shown
 * names. */
typedef enum workspace_names { NO_NAMES, MORE_NAMES, NAMES_INSTEAD } workspace_names;

/* Load a workspace. If it cannot be read, nothing changes. */
static uint32_t load_workspace(prfdata_app *app, const wchar_t *path, workspace_names names)
{
    prfdata_workspace workspace = {0};
    void *bytes = NULL;
    size_t size = 0;
    uint32_t status =
        prfdata_files_read(prfdata_strings_borrow(path), PRFDATA_LINES_MAX_BYTES, &bytes, &size);

    if (status == ERROR_SUCCESS)
        status = prfdata_workspace_read(&workspace, bytes, size);
    if (status == ERROR_SUCCESS) {
        if (names == NAMES_INSTEAD) {
            prfdata_viewer_name_shown(&app->viewer);
            prfdata_viewer_forget_names(&app->viewer);
        }
        restore_place(app, &workspace);
        restore_view(app, &workspace);
        prfdata_column_notes_free(&app->table.columns.notes);
        prfdata_column_notes_read(&app->table.columns.notes, &workspace);
        prfdata_column_sets_read(&app->column_sets, &workspace);
        prfdata_line_notes_free(&app->viewer.line_notes);
        prfdata_line_notes_read(&app->viewer.line_notes, &workspace);
        prfdata_viewer_read_order(&app->viewer, &workspace);
        prfdata_viewer_read_thresholds(&app->viewer, &workspace);
        prfdata_table_columns_make(&app->table.columns);
        prfdata_arrangement_update(app);
        if (names != NO_NAMES)
            restore_names(app, &workspace);
    }
    prfdata_workspace_free(&workspace);
    free(bytes);
    return status;
}

void prfdata_remembered_open(prfdata_app *app, const wchar_t *path)
{
    const uint32_t status = load_workspace(app, path, NAMES_INSTEAD);

    if (status != ERROR_SUCCESS) {
        prfdata_saving_report(app->window, IDS_UNREADABLE, path, status);
        return;
    }
    prfdata_viewer_begin_names(&app->viewer);
    prfdata_viewer_report(&app->viewer, PRFDATA_VIEWER_CHART);
}

void prfdata_remembered_begin(prfdata_app *app)
{
    const prfdata_text given = app->options->workspace;
    const workspace_names names = app->options->name_count == 0 ? MORE_NAMES : NO_NAMES;
    wchar_t own[MAX_PATH];
    uint32_t status;

    if (app->is_restored)
        return;
    app->is_restored = true;
    if (given.count > 0) {
        const wchar_t *path = (const wchar_t *)given.chars;

        status = load_workspace(app, path, names);
        if (status != ERROR_SUCCESS)
            prfdata_saving_report(app->window, IDS_UNREADABLE, path, status);
    } else if (own_workspace_path(own)) {
        (void)load_workspace(app, own, names);
    }
}
