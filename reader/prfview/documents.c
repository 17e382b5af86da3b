/* SPDX-License-Identifier: MIT */
/* Files: samples and recordings, CSV and PNG. */
#include "prfview/documents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <commdlg.h>

#include "os/files.h"
#include "panes/png.h"
#include "prfview/changes.h"
#include "prfview/computer_dialog.h"
#include "prfview/remembered.h"
#include "prfview/saving.h"
#include "prfview/title_bar.h"
#include "source/file_pair.h"
#include "view/export.h"

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

static void name_computer(prfdata_app *app, const void *bytes, size_t size)
{
    prfdata_decode_block block;
    prfdata_decode_error error;

    app->viewer.computer = (prfdata_text){app->viewer.computer_chars, 0};
    if (prfdata_decode_open(bytes, size, &block, &error) != ERROR_INVALID_DATA)
        (void)prfdata_decode_computer(&block, app->viewer.computer_chars, 256,
                                      &app->viewer.computer.count, &error);
}

static void set_file(prfdata_app *app, prfdata_text path)
{
    if (!prfdata_text_copy(path, &app->file))
        prfdata_text_free(&app->file);
    prfdata_title_bar_update(app->window, &app->viewer, app->file);
}

/* What is wrong in the sample that is shown: a file may be cut, and show nothing. */
static void say_damage(prfdata_app *app, const prfdata_decode_error *damage)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];
    char ascii[200];
    wchar_t *wide;

    prfdata_decode_error_text(damage, ascii, sizeof ascii);
    wide = prfdata_strings_wide(ascii, strlen(ascii));
    if (wide)
        prfdata_status_bar_say(&app->status,
                               prfdata_strings_format(text, IDS_DAMAGED, wide, NULL, NULL));
    free(wide);
}

/* What is doubtful of a file, in the status bar. */
static void say_doubts(prfdata_app *app, const char *mistake, size_t skipped)
{
    wchar_t *wide = mistake ? prfdata_strings_wide(mistake, strlen(mistake)) : NULL;
    const prfdata_sample *shown = prfdata_viewer_shown(&app->viewer);
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t number[20];

    swprintf(number, 20, L"%lu", (unsigned long)skipped);
    if (wide)
        prfdata_status_bar_say(&app->status, wide);
    else if (skipped > 0)
        prfdata_status_bar_say(&app->status,
                               prfdata_strings_format(text, IDS_SKIPPED, number, NULL, NULL));
    else if (shown && shown->damage_count > 0)
        say_damage(app, &shown->damage);
    free(wide);
}

void prfdata_documents_end_record(prfdata_app *app)
{
    prfdata_record_end(app->record);
    app->record = NULL;
}

static void show_recording(prfdata_app *app, prfdata_recording *recording, const void *bytes)
{
    size_t skipped;

    prfdata_documents_end_record(app);
    prfdata_changes_end(app); /* what it shows borrows the reading's names */
    prfdata_reading_stop(app->reading);
    app->reading = NULL;
    prfdata_text_free(&app->remote);
    app->viewer.titles = recording->titles;
    app->viewer.owns_titles = true;
    memset(&recording->titles, 0, sizeof recording->titles);
    name_computer(app, bytes, recording->blocks[0].size);
    prfdata_changes_begin(app);
    (void)prfdata_timeline_add_recording(&app->viewer.timeline, bytes, recording, &skipped);
    prfdata_viewer_take_timeline(&app->viewer);
    if (app->options->workspace.count > 0) /* the own one is of the live window */
        prfdata_remembered_begin(app);
    prfdata_viewer_begin_names(&app->viewer);
    say_doubts(app, recording->mistake, skipped);
}

/* In the words of the decoder: what is wrong, and at which byte. */
static void report_damage(const prfdata_app *app, const wchar_t *name,
                          const prfdata_decode_error *error)
{
    char ascii[200];
    wchar_t *words;

    prfdata_decode_error_text(error, ascii, sizeof ascii);
    words = prfdata_strings_wide(ascii, strlen(ascii));
    if (words)
        prfdata_saving_report_text(app->window, IDS_UNREADABLE, name, words);
    free(words);
}

/* The system's words for a file that is too large would be "more data is available". */
static void report_unread_file(const prfdata_app *app, const wchar_t *name, uint32_t status)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t most[20];

    swprintf(most, 20, L"%u", PRFDATA_SAVED_BLOCK_LIMIT >> 20);
    if (status == ERROR_MORE_DATA)
        prfdata_saving_report_text(app->window, IDS_UNREADABLE, name,
                                   prfdata_strings_format(text, IDS_TOO_LARGE, most, NULL, NULL));
    else
        prfdata_saving_report(app->window, IDS_UNREADABLE, name, status);
}

/* A file's bytes and the samples in them, for free() and prfdata_recording_free(). */
static uint32_t read_recording(const prfdata_app *app, prfdata_text path, void **bytes,
                               prfdata_recording *recording)
{
    prfdata_decode_error error;
    size_t size = 0;
    wchar_t name[MAX_PATH];
    uint32_t status = prfdata_files_read(path, PRFDATA_SAVED_BLOCK_LIMIT, bytes, &size);

    prfdata_strings_text(path, name, MAX_PATH);
    if (status != ERROR_SUCCESS) {
        report_unread_file(app, name, status);
        return status;
    }
    status = prfdata_recording_read(*bytes, size, recording, &error);
    if (status == ERROR_INVALID_DATA)
        report_damage(app, name, &error);
    else if (status != ERROR_SUCCESS)
        prfdata_saving_report(app->window, IDS_UNREADABLE, name, status);
    return status;
}

bool prfdata_documents_open(prfdata_app *app, prfdata_text path)
{
    prfdata_recording recording = {0};
    void *bytes = NULL;
    const bool is_read = read_recording(app, path, &bytes, &recording) == ERROR_SUCCESS;

    if (is_read) {
        show_recording(app, &recording, bytes);
        set_file(app, path);
    }
    prfdata_recording_free(&recording);
    free(bytes);
    return is_read;
}

static void show_message(const prfdata_app *app, const prfdata_message *message)
{
    prfdata_output text = {0};
    wchar_t *wide;

    prfdata_messages_write(&text, message, (prfdata_text){0});
    wide = prfdata_strings_wide(text.bytes, text.used);
    if (wide)
        MessageBoxW(app->window, wide, prfdata_strings_get(IDS_TITLE), MB_OK | MB_ICONWARNING);
    free(wide);
    prfdata_output_free(&text);
}

/* Whether a newer file goes with what is shown; why it does not is shown. */
static bool goes_with_file(const prfdata_app *app, prfdata_text path, const void *bytes,
                           const prfdata_recording *recording)
{
    prfdata_decode_block blocks[2];
    prfdata_decode_error error;
    uint16_t computer[256];
    prfdata_file_pair_part older = {app->file, &blocks[0].header, app->viewer.computer,
                                    &app->viewer.titles};
    prfdata_file_pair_part newer = {path, &blocks[1].header, {computer, 0}, &recording->titles};
    prfdata_messages messages = {0};
    bool is_pair;

    if (app->viewer.timeline.count == 0 ||
        prfdata_decode_open(app->viewer.timeline.entries[0].bytes,
                            app->viewer.timeline.entries[0].size, &blocks[0],
                            &error) == ERROR_INVALID_DATA ||
        prfdata_decode_open(bytes, recording->blocks[0].size, &blocks[1], &error) ==
            ERROR_INVALID_DATA)
        return true; /* there is nothing to compare */
    (void)prfdata_decode_computer(&blocks[1], computer, 256, &newer.computer.count, &error);
    is_pair = prfdata_file_pair_check(&older, &newer, &messages) == ERROR_SUCCESS;
    if (messages.count > 0)
        show_message(app, &messages.items[0]);
    prfdata_messages_free(&messages);
    return is_pair;
}

static void append_recording(prfdata_app *app, const prfdata_recording *recording,
                             const void *bytes)
{
    size_t skipped;

    (void)prfdata_name_table_add_all(&app->viewer.titles.english, &recording->titles.english);
    (void)prfdata_name_table_add_all(&app->viewer.titles.helps, &recording->titles.helps);
    (void)prfdata_timeline_add_recording(&app->viewer.timeline, bytes, recording, &skipped);
    prfdata_viewer_take_timeline(&app->viewer);
    say_doubts(app, recording->mistake, skipped);
}

void prfdata_documents_append(prfdata_app *app, prfdata_text path)
{
    prfdata_recording recording = {0};
    void *bytes = NULL;

    if (read_recording(app, path, &bytes, &recording) == ERROR_SUCCESS &&
        goes_with_file(app, path, bytes, &recording))
        append_recording(app, &recording, bytes);
    prfdata_recording_free(&recording);
    free(bytes);
}

static void begin_reading(prfdata_app *app)
{
    prfdata_changes_end(app); /* what it shows borrows the reading's names */
    prfdata_reading_stop(app->reading);
    app->reading = prfdata_reading_start(app->window, app->remote, app->interval_ms);
}

void prfdata_documents_read_computer(prfdata_app *app, prfdata_text computer)
{
    prfdata_documents_end_record(app);
    if (prfdata_session_is_local(computer) || !prfdata_text_copy(computer, &app->remote))
        prfdata_text_free(&app->remote);
    begin_reading(app);
    set_file(app, (prfdata_text){0});
}

/* Back to this computer. */
static void go_live(prfdata_app *app)
{
    if (!app->reading || app->remote.count > 0)
        prfdata_documents_read_computer(app, (prfdata_text){0});
}

static void read_other_computer(prfdata_app *app)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t name[256];
    prfdata_text computer;

    if (!prfdata_computer_dialog_ask(app->window, &app->theme, name, 256))
        return;
    if (prfdata_view_options_name_computer(prfdata_strings_borrow(name), &computer))
        prfdata_documents_read_computer(app, computer);
    else
        prfdata_status_bar_say(&app->status,
                               prfdata_strings_format(text, IDS_NO_COMPUTER, name, NULL, NULL));
}

/* The titles that are shown stay until the others are there. */
void prfdata_documents_read_again(prfdata_app *app)
{
    if (!app->reading)
        return;
    if (app->record)
        prfdata_record_renew(app->record);
    if (!app->viewer.has_titles) {
        begin_reading(app);
        return;
    }
    prfdata_viewer_note_stale(&app->viewer);
    if (app->former) {
        prfdata_reading_stop(app->reading); /* its titles were not shown yet */
    } else {
        prfdata_reading_end(app->reading);
        app->former = app->reading;
    }
    app->reading = prfdata_reading_start(app->window, app->remote, app->interval_ms);
    if (app->reading && app->viewer.is_paused)
        prfdata_reading_pause(app->reading, true);
}

/* ---- Saving ---- */

static void put_document(prfdata_app *app, uint32_t command, prfdata_output *output)
{
    const prfdata_sample *shown = prfdata_viewer_shown(&app->viewer);

    if (command == IDC_SAVE_SAMPLE && shown)
        prfdata_saved_block_put(output, shown, &app->viewer.titles);
    else if (command == IDC_SAVE_RECORDING)
        prfdata_timeline_put(&app->viewer.timeline, &app->viewer.titles, output);
    else if (command == IDC_EXPORT_TABLE)
        prfdata_export_table(output, &app->viewer.table, false);
    else if (command == IDC_EXPORT_CHART)
        prfdata_export_chart(output, &app->viewer.chart, app->viewer.computer);
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
    prfdata_saving_write(app->window, &app->status, path, &output);
    prfdata_output_free(&output);
}

static void save_picture(prfdata_app *app)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t path[MAX_PATH];
    uint32_t status;

    if (!choose_file(app, IDS_FILTER_PNG, L"png", true, path))
        return;
    status = prfdata_png_write(&app->plot, path);
    if (status != ERROR_SUCCESS)
        prfdata_saving_report(app->window, IDS_UNWRITABLE, path, status);
    else
        prfdata_status_bar_say(&app->status,
                               prfdata_strings_format(text, IDS_SAVED, path, NULL, NULL));
}

/* ---- Commands ---- */

static void begin_record(prfdata_app *app, const wchar_t *path)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];

    app->record = prfdata_record_begin(prfdata_strings_borrow(path));
    if (!app->record)
        prfdata_saving_report(app->window, IDS_UNWRITABLE, path, ERROR_NOT_ENOUGH_MEMORY);
    else
        prfdata_status_bar_say(&app->status,
                               prfdata_strings_format(text, IDS_RECORDING, path, NULL, NULL));
}

static void toggle_record(prfdata_app *app)
{
    wchar_t path[MAX_PATH];

    if (app->record)
        prfdata_documents_end_record(app);
    else if (app->reading && choose_file(app, IDS_FILTER_SAMPLES, L"prf", true, path))
        begin_record(app, path);
}

static void open_document(prfdata_app *app, uint32_t command)
{
    wchar_t path[MAX_PATH];
    const uint32_t filter = command == IDC_OPEN ? IDS_FILTER_SAMPLES : IDS_FILTER_WORKSPACE;

    if (!choose_file(app, filter, NULL, false, path))
        return;
    if (command == IDC_OPEN) {
        (void)prfdata_documents_open(app, prfdata_strings_borrow(path));
        return;
    }
    prfdata_remembered_open(app, path);
}

void prfdata_documents_run(prfdata_app *app, uint32_t command)
{
    wchar_t path[MAX_PATH];

    if (command == IDC_OPEN || command == IDC_OPEN_WORKSPACE)
        open_document(app, command);
    else if (command == IDC_LIVE)
        go_live(app);
    else if (command == IDC_COMPUTER)
        read_other_computer(app);
    else if (command == IDC_EXPORT_PICTURE)
        save_picture(app);
    else if (command == IDC_RECORD)
        toggle_record(app);
    else if (command != IDC_SAVE_WORKSPACE)
        save_document(app, command);
    else if (choose_file(app, IDS_FILTER_WORKSPACE, L"txt", true, path))
        prfdata_remembered_save(app, path);
}
