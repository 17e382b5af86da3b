/* SPDX-License-Identifier: MIT */
/*
 * Updates the window when the viewer (viewer/viewer.h) has changed, and draws the changed parts
 * again. Also starts and stops showing a computer or a file.
 */
#include "prfview/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "channels/console.h"
#include "prfview/arrangement.h"
#include "prfview/hint.h"
#include "prfview/incoming.h"
#include "prfview/interval.h"
#include "prfview/pages.h"
#include "prfview/title_bar.h"
#include "prfview/tools.h"
#include "source/absent_object.h"

/* ---- Changes ---- */

static void want_shown_objects(prfdata_app *app)
{
    uint32_t titles[PRFDATA_VIEWER_WANTED_MOST];
    const size_t count = prfdata_viewer_wanted(&app->viewer, titles);

    prfdata_viewer_wish(&app->viewer); /* objects that are shown now may not have been read yet */
    if (app->reading && app->viewer.has_titles && !app->viewer.is_stale)
        prfdata_reading_want(app->reading, titles, count);
}

static void show_details(prfdata_app *app)
{
    prfdata_output output = {0};
    wchar_t *wide;

    if (app->page != PRFDATA_APP_DETAILS)
        return;
    prfdata_viewer_put_details(&app->viewer, &output, app->style);
    wide = prfdata_strings_wide(output.bytes, output.used);
    if (wide)
        prfdata_details_pane_show(&app->details,
                                  output.used > 0 ? wide : prfdata_strings_get(IDS_DETAILS_EMPTY));
    free(wide);
    prfdata_output_free(&output);
}

static void show_lines(prfdata_app *app)
{
    if (!app->had_lines) {
        app->had_lines = true;
        prfdata_arrangement_update(app);
    }
    if (app->page == PRFDATA_APP_DETAILS)
        prfdata_pages_show(app, PRFDATA_APP_CHART);
}

static void note_changed_viewer(void *context, unsigned what)
{
    prfdata_app *app = context;

    if (what & PRFDATA_VIEWER_LEAVES)
        prfdata_table_columns_keep(&app->table.columns);
    if (what & PRFDATA_VIEWER_TREE)
        prfdata_tree_pane_reset(&app->tree);
    if (what & PRFDATA_VIEWER_COLUMNS)
        prfdata_table_columns_make(&app->table.columns);
    if (what & PRFDATA_VIEWER_TABLE)
        prfdata_table_pane_update(&app->table);
    if (what & (PRFDATA_VIEWER_TABLE | PRFDATA_VIEWER_OBJECT | PRFDATA_VIEWER_TREE))
        prfdata_hint_update(app);
    if (what & PRFDATA_VIEWER_ROW)
        prfdata_table_pane_show_row(&app->table);
    if (what & PRFDATA_VIEWER_WANTED)
        want_shown_objects(app);
    if (what & PRFDATA_VIEWER_OBJECT)
        prfdata_tree_pane_select_object(&app->tree);
    if (what & (PRFDATA_VIEWER_OBJECT | PRFDATA_VIEWER_TREE))
        prfdata_title_bar_update(app->window, &app->viewer, app->file);
    if (what & PRFDATA_VIEWER_LINES)
        show_lines(app);
    if (what & PRFDATA_VIEWER_DETAILS)
        show_details(app);
    if (app->has_rows != (prfdata_viewer_row_count(&app->viewer) > 0)) {
        app->has_rows = !app->has_rows;
        prfdata_arrangement_update(app);
    }
    /* Also update a hidden legend, because commands apply to its rows. */
    if (what & PRFDATA_VIEWER_CHART) {
        prfdata_chart_pane_follow(&app->plot);
        prfdata_legend_pane_update(&app->legend, app->plot.hover);
        prfdata_chart_pane_update(&app->plot);
    }
}

/* Returns whether a file with this name exists. A name that begins with a backslash counts as a
 * counter path. */
static bool is_name_of_file(prfdata_text about, const wchar_t *name)
{
    return about.count > 0 && about.chars[0] != '\\' &&
           GetFileAttributesW(name) != INVALID_FILE_ATTRIBUTES;
}

/* If the text is about a name on the command line, also print it in the console. */
static void say_in_console(const prfdata_app *app, prfdata_text about, const wchar_t *text)
{
    wchar_t line[PRFDATA_STRINGS_CHARS + 16];

    for (size_t i = 0; i < app->options->name_count; i++) {
        if (!prfdata_text_equal(app->options->names[i], about))
            continue;
        (void)swprintf(line, PRFDATA_STRINGS_CHARS + 16, L"prfview: %ls\n", text);
        (void)prfdata_console_say(line);
        return;
    }
}

static void say_of_viewer(void *context, prfdata_viewer_saying saying, prfdata_text about)
{
    static const uint32_t ids[] = {[PRFDATA_VIEWER_FULL_CHART] = IDS_FULL_CHART,
                                   [PRFDATA_VIEWER_NOT_FOUND] = IDS_NOT_FOUND,
                                   [PRFDATA_VIEWER_OTHER_COMPUTER] = IDS_OTHER_COMPUTER};
    prfdata_app *app = context;
    uint32_t id = ids[saying];
    prfdata_text similar = {0};
    wchar_t name[300];
    wchar_t meant[300];
    wchar_t text[PRFDATA_STRINGS_CHARS];

    prfdata_strings_text(about, name, 300);
    if (saying == PRFDATA_VIEWER_NOT_FOUND && is_name_of_file(about, name))
        id = IDS_NAME_OF_FILE;
    if (id == IDS_NOT_FOUND)
        similar = prfdata_viewer_similar(&app->viewer, about);
    prfdata_strings_text(similar, meant, 300);
    prfdata_strings_format(text, similar.count > 0 ? IDS_MEANT : id, name, meant, NULL);
    prfdata_status_bar_say(&app->status, text);
    say_in_console(app, about, text);
}

static void ask_for_silent_object(void *context, uint32_t title)
{
    const prfdata_app *app = context;

    if (app->reading)
        prfdata_reading_ask_again(app->reading, title);
}

void prfdata_changes_observe(prfdata_app *app, size_t timeline_bytes)
{
    const prfdata_viewer_observer observer = {app, note_changed_viewer, say_of_viewer,
                                              ask_for_silent_object};

    prfdata_viewer_init(&app->viewer, &observer, timeline_bytes);
    app->viewer.chart.fit_ms = PRFDATA_CHART_LIVE_SPAN_MS;
}

static void set_hidden_lines(prfdata_app *app)
{
    const uint32_t hidden = prfdata_viewer_hidden_count(&app->viewer);
    const uint32_t shown = app->viewer.chart.series_count;
    wchar_t text[PRFDATA_STRINGS_CHARS] = L"";
    wchar_t counts[2][PRFDATA_STRINGS_COUNT];

    if (hidden > 0)
        prfdata_strings_format(text, IDS_HIDDEN_LINES,
                               prfdata_strings_count(app->style, shown, counts[0]),
                               prfdata_strings_count(app->style, shown + hidden, counts[1]), NULL);
    prfdata_status_bar_set(&app->status, PRFDATA_NOTICES_LINES, text);
}

static void set_sample_damage(prfdata_app *app)
{
    const prfdata_sample *shown = prfdata_viewer_shown(&app->viewer);
    wchar_t text[PRFDATA_STRINGS_CHARS] = L"";
    char ascii[200];
    wchar_t *words = NULL;

    if (shown && shown->damage_count > 0) {
        prfdata_decode_error_text(&shown->damage, ascii, sizeof ascii);
        words = prfdata_strings_wide(ascii, strlen(ascii));
    }
    if (words)
        prfdata_strings_format(text, IDS_DAMAGED, words, NULL, NULL);
    prfdata_status_bar_set(&app->status, PRFDATA_NOTICES_SAMPLE, text);
    free(words);
}

/*
 * Set the states of the status bar, except two: main_window.c sets the result of a search, and
 * documents.c sets the facts about files.
 */
static void set_states(prfdata_app *app)
{
    const prfdata_text silence = prfdata_viewer_silence(&app->viewer);
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t path[MAX_PATH];

    text[0] = 0;
    if (app->record)
        prfdata_strings_format(
            text, IDS_RECORDING,
            prfdata_strings_text(prfdata_record_path(app->record), path, MAX_PATH), NULL, NULL);
    prfdata_status_bar_set(&app->status, PRFDATA_NOTICES_RECORDING, text);
    prfdata_status_bar_set(&app->status, PRFDATA_NOTICES_UNREACHED, app->unreached);
    set_hidden_lines(app);
    set_sample_damage(app);
    prfdata_status_bar_set(&app->status, PRFDATA_NOTICES_SILENT,
                           prfdata_strings_text(silence, text, PRFDATA_STRINGS_CHARS));
}

static const wchar_t *put_awaited(const prfdata_app *app, const prfdata_reading_wait *wait,
                                  wchar_t text[200])
{
    const prfdata_node *node = wait->title > 0 && app->viewer.has_titles
                                   ? prfdata_tree_object(&app->viewer.tree, wait->title)
                                   : NULL;

    if (node)
        return prfdata_strings_text(node->name, text, 200);
    prfdata_strings_copy(
        text, wait->service[0] ? wait->service : prfdata_strings_get(IDS_SEVERAL_PROVIDERS), 200);
    return text;
}

void prfdata_changes_show_status(prfdata_app *app)
{
    prfdata_reading_wait wait = {0};
    wchar_t awaited[200];

    if (app->reading)
        prfdata_reading_get_wait(app->reading, &wait);
    set_states(app);
    prfdata_status_bar_update(&app->status, app->reading != NULL, wait.ms,
                              put_awaited(app, &wait, awaited));
    prfdata_tools_update(app);
}

/* ---- The source ---- */

static prfdata_viewer_words viewer_words(const prfdata_app *app)
{
    const bool is_live = app->reading != NULL;

    return (prfdata_viewer_words){
        .groups = {prfdata_strings_borrow(prfdata_strings_get(IDS_GROUP_SERVICES)),
                   prfdata_strings_borrow(prfdata_strings_get(IDS_GROUP_COMMON)),
                   prfdata_strings_borrow(
                       prfdata_strings_get(is_live ? IDS_GROUP_OTHERS : IDS_GROUP_FILE))},
        .absent =
            prfdata_strings_borrow(prfdata_strings_get(is_live ? IDS_ABSENT : IDS_ABSENT_IN_FILE)),
        .explain = is_live && app->remote.count == 0 ? prfdata_absent_object_explain : NULL};
}

void prfdata_changes_begin(prfdata_app *app)
{
    const bool is_live = app->reading != NULL;
    const prfdata_viewer_words words = viewer_words(app);

    EnableWindow(app->parts[PRFDATA_APP_PAUSE], is_live);
    EnableWindow(app->parts[PRFDATA_APP_REFRESH], is_live);
    EnableWindow(app->parts[PRFDATA_APP_INTERVAL], is_live);
    if (is_live && app->viewer.chart.fit_ms > 0)
        app->viewer.chart.fit_ms = PRFDATA_CHART_LIVE_SPAN_MS;
    app->viewer.is_live = is_live;
    app->viewer.is_remote = app->remote.count > 0;
    prfdata_viewer_begin(&app->viewer, &words,
                         is_live ? prfdata_reading_objects(app->reading) : NULL);
}

/* Release the previous reading. Call this when nothing on the screen borrows from its titles. */
static void release_former(prfdata_app *app)
{
    prfdata_reading_stop(app->former);
    app->former = NULL;
}

void prfdata_changes_renew(prfdata_app *app, const prfdata_titles *titles)
{
    const prfdata_viewer_words words = viewer_words(app);

    prfdata_tree_pane_clear(&app->tree);
    prfdata_viewer_renew(&app->viewer, &words, prfdata_reading_objects(app->reading), titles);
    release_former(app);
}

void prfdata_changes_end(prfdata_app *app)
{
    app->unreached[0] = 0;
    prfdata_opened_files_free(&app->opened);
    prfdata_status_bar_set(&app->status, PRFDATA_NOTICES_FILE, L"");
    prfdata_status_bar_forget_samples(&app->status);
    prfdata_tree_pane_clear(&app->tree);
    prfdata_viewer_end(&app->viewer);
    release_former(app);
    prfdata_interval_show_pause(app);
}
