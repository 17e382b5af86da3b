/* SPDX-License-Identifier: MIT */
/* Copies to the clipboard what a command asks for: the table, the lines of the chart, a selected
 * text, a path, or a command line. */
#include "prfview/copying.h"

#include "channels/clipboard.h"
#include "prfview/focused_counter.h"
#include "text/arguments.h"
#include "view/copy.h"

static void copy_text(prfdata_app *app, const prfdata_output *output)
{
    const bool is_copied = prfdata_clipboard_copy(app->window, output);

    prfdata_status_bar_say(&app->status,
                           prfdata_strings_get(is_copied ? IDS_COPIED : IDS_NOT_COPIED));
}

static prfdata_text word(uint32_t id)
{
    return prfdata_strings_borrow(prfdata_strings_get(id));
}

static prfdata_copy_words copy_words(void)
{
    return (prfdata_copy_words){.instance = word(IDS_COLUMN_INSTANCE),
                                .counter = word(IDS_COLUMN_COUNTER),
                                .value = word(IDS_COLUMN_VALUE),
                                .help = word(IDS_COLUMN_HELP),
                                .line = word(IDS_LEGEND_NAME),
                                .last = word(IDS_LEGEND_LAST),
                                .least = word(IDS_LEGEND_LEAST),
                                .mean = word(IDS_LEGEND_MEAN),
                                .most = word(IDS_LEGEND_MOST)};
}

static void copy_lines(prfdata_app *app)
{
    const prfdata_copy_words words = copy_words();
    prfdata_output output = {0};

    prfdata_copy_lines(&output, &app->viewer.chart, &words, app->style);
    copy_text(app, &output);
    prfdata_output_free(&output);
}

static void copy_table(prfdata_app *app)
{
    prfdata_output output = {0};
    const prfdata_copy_words words = copy_words();
    const bool has_selection = ListView_GetSelectedCount(app->parts[PRFDATA_APP_TABLE]) > 0;

    prfdata_copy_table(&output, &app->viewer.table, &words, app->style, has_selection);
    copy_text(app, &output);
    prfdata_output_free(&output);
}

/* If the tree has the focus, copy the path of the selected node; otherwise copy the path of the
 * counter that commands apply to. */
static void copy_path(prfdata_app *app)
{
    prfdata_node *node =
        GetFocus() == app->parts[PRFDATA_APP_TREE] ? prfdata_tree_pane_selected(&app->tree) : NULL;
    prfdata_output output = {0};
    prfdata_chart_key key = {0};

    if (node)
        prfdata_viewer_put_node_path(&app->viewer, &output, node);
    else if (prfdata_focused_counter_find(app, &key))
        prfdata_viewer_put_path(&app->viewer, &output, &key);
    else
        return;
    copy_text(app, &output);
    prfdata_output_free(&output);
}

static void copy_command_line(prfdata_app *app)
{
    prfdata_output output = {0};

    prfdata_output_format(&output, "prfview -si %g", app->viewer.interval_ms / 1000.0);
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
    else if (focus == app->parts[PRFDATA_APP_TREE])
        copy_path(app);
    else if ((focus == app->parts[PRFDATA_APP_LEGEND] || focus == app->parts[PRFDATA_APP_PLOT]) &&
             app->viewer.chart.series_count > 0)
        copy_lines(app);
    else
        copy_table(app);
}

void prfdata_copying_select_all(prfdata_app *app)
{
    HWND focus = GetFocus();
    HWND table = app->parts[PRFDATA_APP_TABLE];

    if (focus == app->parts[PRFDATA_APP_BYTES] || focus == app->parts[PRFDATA_APP_SEARCH]) {
        SendMessageW(focus, EM_SETSEL, 0, -1);
        return;
    }
    ListView_SetItemState(table, -1, LVIS_SELECTED, LVIS_SELECTED);
    SetFocus(table);
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
