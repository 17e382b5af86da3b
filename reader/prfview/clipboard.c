/* SPDX-License-Identifier: MIT */
/* Copies a table, a counter's path or a command line to the clipboard. */
#include "prfview/app.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "view/details.h"
#include "view/export.h"

/* A text in memory that the clipboard can own; NULL: no memory. */
static HGLOBAL clipboard_memory(const wchar_t *text)
{
    const size_t size = (wcslen(text) + 1) * sizeof *text;
    HGLOBAL memory = GlobalAlloc(GMEM_MOVEABLE, size);
    void *to = memory ? GlobalLock(memory) : NULL;

    if (to) {
        memcpy(to, text, size);
        GlobalUnlock(memory);
    }
    return memory;
}

/* Another program may have it open for a moment. */
static bool open_clipboard(const prfdata_app *app)
{
    for (int i = 0; i < 10; i++) {
        if (OpenClipboard(app->window))
            return true;
        Sleep(20);
    }
    return false;
}

static void copy_utf8(prfdata_app *app, const prfdata_output *output)
{
    wchar_t *wide = output->failed ? NULL : prfdata_strings_wide(output->bytes, output->used);
    bool is_copied = false;

    if (wide && open_clipboard(app)) {
        EmptyClipboard();
        is_copied = SetClipboardData(CF_UNICODETEXT, clipboard_memory(wide)) != NULL;
        CloseClipboard();
    }
    prfdata_status_bar_say(&app->status,
                           prfdata_strings_get(is_copied ? IDS_COPIED : IDS_NOT_COPIED));
    free(wide);
}

static void copy_table(prfdata_app *app)
{
    prfdata_output output = {0};
    const bool has_selection = ListView_GetSelectedCount(app->parts[PRFDATA_APP_TABLE]) > 0;

    prfdata_export_table(&output, &app->viewer.table, has_selection);
    copy_utf8(app, &output);
    prfdata_output_free(&output);
}

static void copy_path(prfdata_app *app)
{
    prfdata_output output = {0};
    prfdata_chart_key key = {0};

    if (!prfdata_focused_counter_find(app, &key))
        return;
    prfdata_details_put_path(&output, &key, &app->viewer.titles, key.label.count > 0);
    copy_utf8(app, &output);
    prfdata_output_free(&output);
}

static void copy_command_line(prfdata_app *app)
{
    prfdata_output output = {0};

    prfdata_output_format(&output, "prfview -si %g", app->interval_ms / 1000.0);
    if (app->file.count > 0) {
        prfdata_output_put_string(&output, " -file \"");
        prfdata_output_put_text(&output, app->file);
        prfdata_output_put_string(&output, "\"");
    }
    if (app->remote.count > 0) {
        prfdata_output_put_string(&output, " -s ");
        prfdata_output_put_text(&output, app->remote);
    }
    for (uint32_t i = 0; i < app->viewer.chart.series_count; i++) {
        prfdata_output_put_string(&output, " \"");
        prfdata_output_put_text(&output, app->viewer.chart.series[i]->path);
        prfdata_output_put_string(&output, "\"");
    }
    copy_utf8(app, &output);
    prfdata_output_free(&output);
}

static void copy_focused(prfdata_app *app)
{
    HWND focus = GetFocus();

    if (focus == app->parts[PRFDATA_APP_BYTES] || focus == app->parts[PRFDATA_APP_SEARCH])
        SendMessageW(focus, WM_COPY, 0, 0);
    else if (focus == app->parts[PRFDATA_APP_TREE] || focus == app->parts[PRFDATA_APP_LEGEND])
        copy_path(app);
    else
        copy_table(app);
}

void prfdata_clipboard_run(prfdata_app *app, uint32_t command)
{
    if (command == IDC_COPY)
        copy_focused(app);
    else if (command == IDC_COPY_PATH)
        copy_path(app);
    else
        copy_command_line(app);
}
