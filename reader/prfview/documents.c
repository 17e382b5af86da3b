/* SPDX-License-Identifier: MIT */
/* Files: samples and recordings, CSV and PNG, and what the window remembers. Knows Windows. */
#include "prfview/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <commdlg.h>
#include <shlobj.h>

#include "os/files.h"
#include "view/export.h"
#include "view/workspace.h"

#define WORKSPACE_NAME L"prfview.txt"

static prfdata_text text_of_wide(const wchar_t *chars)
{
    return prfdata_text_from_chars((const uint16_t *)chars);
}

static void report_file(const prfdata_app *app, uint32_t id, const wchar_t *path, uint32_t status)
{
    wchar_t words[300];

    if (FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, status, 0,
                       words, 300, NULL) == 0)
        swprintf(words, 300, L"%lu", (unsigned long)status);
    MessageBoxW(app->window, prfdata_strings_format(id, path, words, NULL),
                prfdata_strings_get(IDS_TITLE), MB_OK | MB_ICONWARNING);
}

/* ---- Choosing a file ---- */

/* A filter has NULs where its text has |. */
static const wchar_t *make_filter(uint32_t id, wchar_t filter[300])
{
    prfdata_strings_copy(filter, prfdata_strings_get(id), 299);
    filter[wcslen(filter) + 1] = 0;
    for (wchar_t *at = filter; *at; at++) {
        if (*at == '|')
            *at = 0;
    }
    return filter;
}

static bool choose_file(const prfdata_app *app, uint32_t filter_id, const wchar_t *extension,
                        bool is_saved, wchar_t path[MAX_PATH])
{
    wchar_t filter[300];
    OPENFILENAMEW choice = {.lStructSize = sizeof choice, .hwndOwner = app->window};

    path[0] = 0;
    choice.lpstrFilter = make_filter(filter_id, filter);
    choice.lpstrFile = path;
    choice.nMaxFile = MAX_PATH;
    choice.lpstrDefExt = extension;
    choice.Flags =
        OFN_HIDEREADONLY | OFN_NOCHANGEDIR | (is_saved ? OFN_OVERWRITEPROMPT : OFN_FILEMUSTEXIST);
    return is_saved ? GetSaveFileNameW(&choice) : GetOpenFileNameW(&choice);
}

/* ---- Opening ---- */

static void forget_samples(prfdata_app *app)
{
    prfdata_sample_free(app->older);
    prfdata_sample_free(app->newer);
    app->older = NULL;
    app->newer = NULL;
    app->looks_back = false;
    prfdata_timeline_free(&app->timeline);
    prfdata_chart_clear(&app->chart);
    app->detail_object = 0;
}

static void free_app_titles(prfdata_app *app)
{
    if (app->owns_titles)
        prfdata_titles_free(&app->titles);
    else
        prfdata_name_table_free(&app->titles.helps);
    memset(&app->titles, 0, sizeof app->titles);
    app->owns_titles = false;
}

static void name_computer(prfdata_app *app, const void *bytes, size_t size)
{
    prfdata_decode_block block;
    prfdata_decode_error error;

    app->computer = (prfdata_text){app->computer_chars, 0};
    if (prfdata_decode_open(bytes, size, &block, &error) != ERROR_INVALID_DATA)
        (void)prfdata_decode_computer(&block, app->computer_chars, 256, &app->computer.count,
                                      &error);
}

static void set_file(prfdata_app *app, prfdata_text path)
{
    uint16_t *chars = malloc((path.count + 1) * sizeof *chars);
    wchar_t name[300];

    free((void *)(uintptr_t)app->file.chars);
    app->file = (prfdata_text){0};
    if (!chars)
        return;
    if (path.count > 0)
        memcpy(chars, path.chars, path.count * sizeof *chars);
    chars[path.count] = 0;
    app->file.chars = chars;
    app->file.count = path.count;
    prfdata_strings_copy(name, prfdata_strings_get(IDS_TITLE), 300);
    if (path.count > 0) {
        wchar_t file[260];
        wchar_t title[300];

        prfdata_strings_text(path, file, 260);
        swprintf(title, 300, L"%ls \u2013 %ls", file, name);
        prfdata_strings_copy(name, title, 300);
    }
    SetWindowTextW(app->window, name);
}

/* Everything that the timeline holds, as if it came now. */
static void chart_timeline(prfdata_app *app)
{
    prfdata_sample *before = NULL;

    prfdata_chart_clear(&app->chart);
    for (size_t i = 0; i < app->timeline.count; i++) {
        prfdata_sample *sample = prfdata_timeline_sample(&app->timeline, i);

        if (!sample)
            break;
        (void)prfdata_chart_add_sample(&app->chart, app->timeline.entries[i].time_ms, before,
                                       sample);
        prfdata_sample_free(before);
        before = sample;
    }
    prfdata_sample_free(before);
}

static void show_recording(prfdata_app *app, prfdata_recording *recording, const void *bytes)
{
    prfdata_reading_stop(app->reading);
    app->reading = NULL;
    forget_samples(app);
    free_app_titles(app);
    app->titles = recording->titles;
    app->owns_titles = true;
    memset(&recording->titles, 0, sizeof recording->titles);
    name_computer(app, bytes, recording->blocks[0].size);
    prfdata_samples_begin(app);
    (void)prfdata_timeline_add_recording(&app->timeline, bytes, recording);
    chart_timeline(app);
    prfdata_samples_look_at_newest(app);
}

/* A file's bytes and the samples in them, for free() and prfdata_recording_free(). */
static uint32_t read_recording(const prfdata_app *app, prfdata_text path, void **bytes,
                               prfdata_recording *recording)
{
    prfdata_decode_error error;
    size_t size = 0;
    wchar_t name[MAX_PATH];
    uint32_t status = prfdata_files_read(path, PRFDATA_SAVED_BLOCK_LIMIT, bytes, &size);

    if (status == ERROR_SUCCESS)
        status = prfdata_recording_read(*bytes, size, recording, &error);
    if (status != ERROR_SUCCESS)
        report_file(app, IDS_FAILED, prfdata_strings_text(path, name, MAX_PATH), status);
    return status;
}

static void say_mistake(prfdata_app *app, const char *mistake)
{
    wchar_t *wide = mistake ? prfdata_strings_wide(mistake, strlen(mistake)) : NULL;

    if (wide)
        prfdata_main_window_say(app, wide);
    free(wide);
}

bool prfdata_documents_open(prfdata_app *app, prfdata_text path)
{
    prfdata_recording recording = {0};
    void *bytes = NULL;
    const bool is_read = read_recording(app, path, &bytes, &recording) == ERROR_SUCCESS;

    if (is_read) {
        show_recording(app, &recording, bytes);
        set_file(app, path);
        say_mistake(app, recording.mistake);
    }
    prfdata_recording_free(&recording);
    free(bytes);
    return is_read;
}

void prfdata_documents_append(prfdata_app *app, prfdata_text path)
{
    prfdata_recording recording = {0};
    void *bytes = NULL;

    if (read_recording(app, path, &bytes, &recording) == ERROR_SUCCESS) {
        (void)prfdata_timeline_add_recording(&app->timeline, bytes, &recording);
        chart_timeline(app);
        prfdata_samples_look_at_newest(app);
        say_mistake(app, recording.mistake);
    }
    prfdata_recording_free(&recording);
    free(bytes);
}

/* Back to this computer. */
static void go_live(prfdata_app *app)
{
    if (app->reading)
        return;
    forget_samples(app);
    prfdata_table_choose(&app->table, 0);
    free_app_titles(app);
    set_file(app, (prfdata_text){0});
    app->has_titles = false;
    app->reading = prfdata_reading_start(app->window, app->interval_ms);
}

/* ---- Saving ---- */

static void save_output(const prfdata_app *app, const wchar_t *path, const prfdata_output *output)
{
    const uint32_t status =
        output->failed ? ERROR_NOT_ENOUGH_MEMORY
                       : prfdata_files_write(text_of_wide(path), true, output->bytes, output->used);

    if (status != ERROR_SUCCESS)
        report_file(app, IDS_FAILED, path, status);
    else
        prfdata_main_window_say((prfdata_app *)(uintptr_t)app,
                                prfdata_strings_format(IDS_SAVED, path, NULL, NULL));
}

static void put_document(prfdata_app *app, uint32_t command, prfdata_output *output)
{
    if (command == IDC_SAVE_SAMPLE && app->newer)
        prfdata_saved_block_put(output, app->newer, &app->titles);
    else if (command == IDC_SAVE_RECORDING)
        prfdata_timeline_put(&app->timeline, &app->titles, output);
    else if (command == IDC_EXPORT_TABLE)
        prfdata_export_table(output, &app->table, false);
    else if (command == IDC_EXPORT_CHART)
        prfdata_export_chart(output, &app->chart, app->computer);
}

static void save_document(prfdata_app *app, uint32_t command)
{
    const bool is_csv = command == IDC_EXPORT_TABLE || command == IDC_EXPORT_CHART;
    prfdata_output output = {0};
    wchar_t path[MAX_PATH];

    if (!choose_file(app, is_csv ? IDS_FILTER_CSV : IDS_FILTER_SAMPLES, is_csv ? L"csv" : L"prf",
                     true, path))
        return;
    put_document(app, command, &output);
    save_output(app, path, &output);
    prfdata_output_free(&output);
}

static void save_picture(prfdata_app *app)
{
    wchar_t path[MAX_PATH];
    uint32_t status;

    if (!choose_file(app, IDS_FILTER_PNG, L"png", true, path))
        return;
    status = prfdata_png_write(app, path);
    if (status != ERROR_SUCCESS)
        report_file(app, IDS_FAILED, path, status);
    else
        prfdata_main_window_say(app, prfdata_strings_format(IDS_SAVED, path, NULL, NULL));
}

/* ---- What the window remembers ---- */

/* In the user's own folder; it is made if it is not there. Returns false if it cannot be. */
static bool workspace_path(wchar_t path[MAX_PATH])
{
    wchar_t folder[MAX_PATH];

    if (FAILED(SHGetFolderPathW(NULL, CSIDL_LOCAL_APPDATA | CSIDL_FLAG_CREATE, NULL, 0, folder)) ||
        wcslen(folder) + 30 > MAX_PATH)
        return false;
    swprintf(path, MAX_PATH, L"%ls\\PrfData", folder);
    (void)CreateDirectoryW(path, NULL);
    swprintf(path, MAX_PATH, L"%ls\\%ls", folder, WORKSPACE_NAME);
    return true;
}

static void put_series(const prfdata_app *app, prfdata_workspace *workspace)
{
    for (uint32_t i = 0; i < app->chart.series_count; i++)
        prfdata_workspace_put(workspace, "series", app->chart.series[i]->path);
}

static void put_object_name(const prfdata_app *app, prfdata_workspace *workspace, const char *name,
                            uint32_t title)
{
    const prfdata_text object = prfdata_titles_name(&app->titles, PRFDATA_BY_ENGLISH, title);

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
    prfdata_workspace_put_number(workspace, "tree", app->tree_width);
    prfdata_workspace_put_number(workspace, "table", app->table_part);
    prfdata_workspace_put_number(workspace, "page", (int32_t)app->page);
    prfdata_workspace_put_number(workspace, "interval", (int32_t)app->interval_ms);
    prfdata_workspace_put_number(workspace, "span", (int32_t)app->chart.span_ms);
    prfdata_workspace_put_number(workspace, "raw", app->table.shows_raw);
    prfdata_workspace_put_number(workspace, "hide-idle", app->table.hides_idle);
    prfdata_workspace_put_number(workspace, "mark-changes", app->marks_changes);
    put_object_name(app, workspace, "object", app->table.object_title);
    put_series(app, workspace);
}

void prfdata_documents_save_workspace(prfdata_app *app, prfdata_text path)
{
    prfdata_workspace workspace = {0};
    wchar_t own[MAX_PATH];

    if (path.count == 0 && !workspace_path(own))
        return;
    prfdata_output_put_string(&workspace.text, "# prfview's workspace\r\n");
    put_workspace(app, &workspace);
    if (path.count > 0)
        save_output(app, (const wchar_t *)path.chars, &workspace.text);
    else if (!workspace.text.failed)
        (void)prfdata_files_write(text_of_wide(own), true, workspace.text.bytes,
                                  workspace.text.used);
    prfdata_workspace_free(&workspace);
}

/* A place that is on no screen any more is not restored. */
static void restore_place(const prfdata_app *app, const prfdata_workspace *workspace)
{
    WINDOWPLACEMENT place = {.length = sizeof place};
    RECT *area = &place.rcNormalPosition;

    area->left = prfdata_workspace_number(workspace, "left", 0);
    area->top = prfdata_workspace_number(workspace, "top", 0);
    area->right = prfdata_workspace_number(workspace, "right", 0);
    area->bottom = prfdata_workspace_number(workspace, "bottom", 0);
    if (area->right <= area->left || area->bottom <= area->top ||
        !MonitorFromRect(area, MONITOR_DEFAULTTONULL))
        return;
    place.showCmd =
        prfdata_workspace_number(workspace, "maximized", 0) ? SW_SHOWMAXIMIZED : SW_SHOWNORMAL;
    SetWindowPlacement(app->window, &place);
}

static void restore_view(prfdata_app *app, const prfdata_workspace *workspace)
{
    const int32_t interval = prfdata_workspace_number(workspace, "interval", 1000);
    const int32_t span = prfdata_workspace_number(workspace, "span", 0);
    const int32_t page = prfdata_workspace_number(workspace, "page", 0);

    app->tree_width = prfdata_workspace_number(workspace, "tree", app->tree_width);
    app->table_part = prfdata_workspace_number(workspace, "table", app->table_part);
    app->table.shows_raw = prfdata_workspace_number(workspace, "raw", 0) != 0;
    app->table.hides_idle = prfdata_workspace_number(workspace, "hide-idle", 0) != 0;
    app->marks_changes = prfdata_workspace_number(workspace, "mark-changes", 1) != 0;
    if (span >= PRFDATA_CHART_LEAST_SPAN_MS && span <= PRFDATA_CHART_MOST_SPAN_MS)
        app->chart.span_ms = span;
    if (page >= PRFDATA_APP_CHART && page <= PRFDATA_APP_DETAILS)
        prfdata_main_window_show_page(app, (prfdata_app_page)page);
    for (uint32_t i = 0; i < IDC_INTERVAL_COUNT && app->options->interval_ms == 0; i++) {
        if (prfdata_commands_interval(i) == (uint32_t)interval)
            prfdata_commands_run(app, IDC_INTERVAL + i);
    }
}

static void add_restored_name(prfdata_app *app, prfdata_text name)
{
    prfdata_view_options *options = (prfdata_view_options *)(uintptr_t)app->options;

    if (options->name_count < PRFDATA_VIEW_NAMES)
        options->names[options->name_count++] = name;
}

void prfdata_documents_load_workspace(prfdata_app *app, prfdata_text path)
{
    static prfdata_workspace workspace; /* names of it are looked up later */
    wchar_t own[MAX_PATH];
    void *bytes = NULL;
    size_t size = 0;
    prfdata_text value;

    if (path.count == 0 && !workspace_path(own))
        return;
    prfdata_workspace_free(&workspace);
    if (prfdata_files_read(path.count > 0 ? path : text_of_wide(own), PRFDATA_LINES_MAX_BYTES,
                           &bytes, &size) != ERROR_SUCCESS)
        return;
    if (prfdata_workspace_read(&workspace, bytes, size) == ERROR_SUCCESS) {
        restore_place(app, &workspace);
        restore_view(app, &workspace);
        prfdata_main_window_arrange(app);
        if (app->options->name_count == 0) {
            if (prfdata_workspace_get(&workspace, "object", 0, &value))
                add_restored_name(app, value);
            for (size_t i = 0; prfdata_workspace_get(&workspace, "series", i, &value); i++)
                add_restored_name(app, value);
        }
    }
    free(bytes);
}

/* ---- Commands ---- */

static void open_document(prfdata_app *app, uint32_t command)
{
    wchar_t path[MAX_PATH];
    const uint32_t filter = command == IDC_OPEN ? IDS_FILTER_SAMPLES : IDS_FILTER_WORKSPACE;

    if (!choose_file(app, filter, NULL, false, path))
        return;
    if (command == IDC_OPEN) {
        (void)prfdata_documents_open(app, text_of_wide(path));
        return;
    }
    ((prfdata_view_options *)(uintptr_t)app->options)->name_count = 0;
    prfdata_documents_load_workspace(app, text_of_wide(path));
    app->pending_names = app->options->name_count;
    prfdata_samples_resolve_names(app);
}

void prfdata_documents_run(prfdata_app *app, uint32_t command)
{
    wchar_t path[MAX_PATH];

    if (command == IDC_OPEN || command == IDC_OPEN_WORKSPACE)
        open_document(app, command);
    else if (command == IDC_LIVE)
        go_live(app);
    else if (command == IDC_EXPORT_PICTURE)
        save_picture(app);
    else if (command != IDC_SAVE_WORKSPACE)
        save_document(app, command);
    else if (choose_file(app, IDS_FILTER_WORKSPACE, L"txt", true, path))
        prfdata_documents_save_workspace(app, text_of_wide(path));
}
