/* SPDX-License-Identifier: MIT */
/* Runs the commands that copy: a table, a counter's path or a command line. */
#include "prfview/copying.h"

#include "channels/clipboard.h"
#include "prfview/focused_counter.h"
#include "text/arguments.h"
#include "view/details.h"
#include "view/export.h"

static void copy_text(prfdata_app *app, const prfdata_output *output)
{
    const bool is_copied = prfdata_clipboard_copy(app->window, output);

    prfdata_status_bar_say(&app->status,
                           prfdata_strings_get(is_copied ? IDS_COPIED : IDS_NOT_COPIED));
}

static void copy_table(prfdata_app *app)
{
    prfdata_output output = {0};
    const bool has_selection = ListView_GetSelectedCount(app->parts[PRFDATA_APP_TABLE]) > 0;

    prfdata_export_table(&output, &app->viewer.table, has_selection);
    copy_text(app, &output);
    prfdata_output_free(&output);
}

static void copy_path(prfdata_app *app)
{
    prfdata_output output = {0};
    prfdata_chart_key key = {0};

    if (!prfdata_focused_counter_find(app, &key))
        return;
    prfdata_viewer_put_path(&app->viewer, &output, &key);
    copy_text(app, &output);
    prfdata_output_free(&output);
}

static void copy_command_line(prfdata_app *app)
{
    prfdata_output output = {0};

    prfdata_output_format(&output, "prfview -si %g", app->interval_ms / 1000.0);
    if (app->file.count > 0) {
        prfdata_output_put_string(&output, " -file ");
        prfdata_arguments_put_for_cmd(&output, app->file);
    }
    if (app->remote.count > 0) {
        prfdata_output_put_string(&output, " -s ");
        prfdata_arguments_put_for_cmd(&output, app->remote);
    }
    for (uint32_t i = 0; i < prfdata_viewer_path_count(&app->viewer); i++) {
        const prfdata_text path = prfdata_viewer_path(&app->viewer, i);

        if (path.count == 0)
            continue;
        prfdata_output_put_string(&output, " ");
        prfdata_arguments_put_for_cmd(&output, path);
    }
    copy_text(app, &output);
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

void prfdata_copying_run(prfdata_app *app, uint32_t command)
{
    if (command == IDC_COPY)
        copy_focused(app);
    else if (command == IDC_COPY_PATH)
        copy_path(app);
    else
        copy_command_line(app);
}
