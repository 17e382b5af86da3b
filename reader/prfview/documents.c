/* SPDX-License-Identifier: MIT */
/* Opens files and computers, and records samples. Saves samples and recordings, and exports CSV and
 * PNG. */
#include "prfview/documents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <commdlg.h>

#include "block/recorder.h"
#include "channels/recording_file.h"
#include "channels/saving.h"
#include "panes/png.h"
#include "prfview/changes.h"
#include "prfview/interval.h"
#include "prfview/name_dialog.h"
#include "prfview/remembered.h"
#include "prfview/title_bar.h"
#include "source/file_pair.h"
#include "view/export.h"

/* Limit for a file's samples in memory. The newest samples are kept. Older ones are read from the
 * file again when they are needed. */
#define FILE_BYTES (256u << 20)

/* ---- Choosing a file ---- */

/* Make the filter for a file dialog from a text with | in place of NULs. */
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

/*
 * Let the user choose a file. The dialog changes the current folder. Paths of the command line may
 * be relative to the former folder, so this function restores it. OFN_NOCHANGEDIR has no effect in
 * GetOpenFileName() (learn.microsoft.com, "OPENFILENAMEW structure").
 */
static bool run_file_dialog(OPENFILENAMEW *choice, bool is_saved)
{
    wchar_t folder[MAX_PATH];
    const DWORD chars = GetCurrentDirectoryW(MAX_PATH, folder);
    const bool is_chosen = is_saved ? GetSaveFileNameW(choice) : GetOpenFileNameW(choice);

    if (chars > 0 && chars < MAX_PATH)
        (void)SetCurrentDirectoryW(folder);
    return is_chosen;
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
    choice.Flags = OFN_HIDEREADONLY | (is_saved ? OFN_OVERWRITEPROMPT : OFN_FILEMUSTEXIST);
    return run_file_dialog(&choice, is_saved);
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

void prfdata_documents_end_record(prfdata_app *app)
{
    prfdata_record_end(app->record);
    app->record = NULL;
    prfdata_interval_apply_pause(app);
}

static const void *bytes_of(const prfdata_recording_file *file)
{
    return file->mapping; /* not NULL, because a recording has at least a header */
}

#define SIGNATURE_BYTES 8 /* PERF_DATA_BLOCK.Signature */

/* Report damage in the words of the decoder: the problem, and its position in bytes. */
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

/* Open a recording. Returns whether it is open; otherwise the reason was shown. */
static bool open_recording(const prfdata_app *app, prfdata_text path, prfdata_recording_file *file)
{
    prfdata_decode_error error;
    wchar_t name[MAX_PATH];
    const uint32_t status =
        prfdata_recording_file_open(file, prfdata_strings_text(path, name, MAX_PATH), &error);

    if (status == ERROR_INVALID_DATA && error.offset < SIGNATURE_BYTES)
        prfdata_saving_report_text(app->window, IDS_NO_RECORDING, name, L"");
    else if (status == ERROR_INVALID_DATA)
        report_damage(app, name, &error);
    else if (status != ERROR_SUCCESS)
        prfdata_saving_report(app->window, IDS_UNREADABLE, name, status);
    return status == ERROR_SUCCESS;
}

/* ---- Problems of a file ---- */

static void add_sentence(wchar_t all[PRFDATA_STRINGS_CHARS], const wchar_t *sentence)
{
    wchar_t before[PRFDATA_STRINGS_CHARS];

    prfdata_strings_copy(before, all, PRFDATA_STRINGS_CHARS);
    if (before[0])
        (void)swprintf(all, PRFDATA_STRINGS_CHARS, L"%ls; %ls", before, sentence);
    else
        prfdata_strings_copy(all, sentence, PRFDATA_STRINGS_CHARS);
}

/* Write an offset in a file. If several files are open, the name of the file follows. */
static const wchar_t *put_place(const prfdata_app *app, size_t offset, prfdata_text path,
                                wchar_t text[PRFDATA_STRINGS_CHARS])
{
    wchar_t number[PRFDATA_STRINGS_COUNT];
    wchar_t name[MAX_PATH];
    const wchar_t *folder;

    prfdata_strings_copy(text, prfdata_strings_count(app->style, offset, number),
                         PRFDATA_STRINGS_CHARS);
    if (app->opened.count < 2)
        return text;
    prfdata_strings_text(path, name, MAX_PATH);
    folder = wcsrchr(name, '\\');
    return prfdata_strings_format(text, IDS_FILE_PLACE,
                                  prfdata_strings_count(app->style, offset, number),
                                  folder ? folder + 1 : name, NULL);
}

/* Add a text that says how many of all samples have a problem, and where the first sample with the
 * problem is. */
static void add_damaged(const prfdata_app *app, wchar_t all[PRFDATA_STRINGS_CHARS], uint32_t id,
                        size_t count, size_t first, prfdata_text file)
{
    wchar_t numbers[2][PRFDATA_STRINGS_COUNT];
    wchar_t place[PRFDATA_STRINGS_CHARS];
    wchar_t text[PRFDATA_STRINGS_CHARS];

    if (count > 0)
        add_sentence(all,
                     prfdata_strings_format(
                         text, id, prfdata_strings_count(app->style, count, numbers[0]),
                         prfdata_strings_count(app->style, app->opened.damage.samples, numbers[1]),
                         put_place(app, first, file, place)));
}

static void add_end(const prfdata_app *app, wchar_t all[PRFDATA_STRINGS_CHARS])
{
    const prfdata_opened_files *files = &app->opened;
    wchar_t place[PRFDATA_STRINGS_CHARS];
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t *words =
        files->mistake ? prfdata_strings_wide(files->mistake, strlen(files->mistake)) : NULL;

    if (words)
        add_sentence(all, prfdata_strings_format(
                              text, IDS_FILE_ENDS,
                              put_place(app, files->mistake_offset, files->mistake_file, place),
                              words, NULL));
    free(words);
}

static size_t shown_count(const prfdata_viewer *viewer)
{
    const prfdata_timeline *timeline = &viewer->timeline;

    if (timeline->count == 0 || viewer->chart.count == 0)
        return timeline->count;
    return timeline->count - prfdata_timeline_find(timeline, viewer->chart.times_ms[0]);
}

/*
 * Show facts about the files in the status bar:
 * - the number of files and samples, if there are several files;
 * - the damage;
 * - the number of samples in the chart, if the chart lacks some.
 */
static void say_doubts(prfdata_app *app)
{
    const prfdata_timeline_damage *damage = &app->opened.damage;
    const size_t good = damage->samples - damage->left_out;
    wchar_t all[PRFDATA_STRINGS_CHARS] = L"";
    wchar_t numbers[2][PRFDATA_STRINGS_COUNT];
    wchar_t text[PRFDATA_STRINGS_CHARS];

    if (app->opened.count > 1)
        add_sentence(all,
                     prfdata_strings_format(
                         text, IDS_FILE_PIECES,
                         prfdata_strings_count(app->style, app->opened.count, numbers[0]),
                         prfdata_strings_count(app->style, damage->samples, numbers[1]), NULL));
    add_damaged(app, all, IDS_FILE_LEFT_OUT, damage->left_out, damage->first_left_out,
                app->opened.left_out_file);
    add_damaged(app, all, IDS_FILE_IN_PART, damage->in_part, damage->first_in_part,
                app->opened.in_part_file);
    add_end(app, all);
    if (good > shown_count(&app->viewer))
        add_sentence(all,
                     prfdata_strings_format(
                         text, IDS_FILE_PART,
                         prfdata_strings_count(app->style, shown_count(&app->viewer), numbers[0]),
                         prfdata_strings_count(app->style, good, numbers[1]), NULL));
    prfdata_status_bar_set(&app->status, PRFDATA_NOTICES_FILE, all);
}

static void add_file(prfdata_app *app, prfdata_text path, const prfdata_recording_file *file)
{
    prfdata_timeline_damage damage = {0};

    (void)prfdata_recording_file_add(&app->viewer.timeline, file, &damage);
    prfdata_opened_files_add(&app->opened, path, &file->recording, &damage);
}

/* ---- The pieces of a recording ---- */

static prfdata_file_pair_part part_of_viewer(const prfdata_app *app, prfdata_decode_block *block)
{
    const prfdata_timeline *timeline = &app->viewer.timeline;
    prfdata_decode_error error;

    *block = (prfdata_decode_block){0};
    if (timeline->count > 0) /* the newest sample is always in memory */
        (void)prfdata_decode_open(timeline->entries[timeline->count - 1].bytes,
                                  timeline->entries[timeline->count - 1].size, block, &error);
    return (prfdata_file_pair_part){app->file, &block->header, app->viewer.computer,
                                    &app->viewer.titles};
}

/* Returns whether a file comes from the same computer as the previous piece and is not older. An
 * unrelated file may have the name of the next piece. */
static bool goes_on(const prfdata_app *app, const prfdata_recording_file *file)
{
    const prfdata_timeline *timeline = &app->viewer.timeline;
    prfdata_decode_block block;
    prfdata_decode_error error;
    uint16_t chars[256];
    prfdata_text computer = {chars, 0};

    if (timeline->count == 0 || prfdata_decode_open(bytes_of(file), file->recording.blocks[0].size,
                                                    &block, &error) == ERROR_INVALID_DATA)
        return false;
    (void)prfdata_decode_computer(&block, chars, 256, &computer.count, &error);
    return prfdata_text_equal(computer, app->viewer.computer) &&
           block.header.perf_time_100ns / 10000 >= timeline->entries[timeline->count - 1].time_ms;
}

/*
 * Use the titles of the next piece, too. If they contradict the current titles, change the earlier
 * samples to the new titles. Titles may contradict if counters were installed between two pieces.
 */
static void take_piece_titles(prfdata_app *app, prfdata_titles *titles)
{
    prfdata_titles *before = &app->viewer.titles;
    prfdata_decode_block block;
    const prfdata_file_pair_part older = part_of_viewer(app, &block);
    const prfdata_file_pair_part newer = {app->file, older.header, older.computer, titles};
    prfdata_title_moves moves;

    if (prfdata_file_pair_check(&older, &newer, NULL) != ERROR_SUCCESS &&
        prfdata_title_moves_find(&moves, before, titles) == ERROR_SUCCESS) {
        prfdata_timeline_move_titles(&app->viewer.timeline, &moves);
        prfdata_title_moves_free(&moves);
        prfdata_titles_free(before);
        *before = *titles;
        memset(titles, 0, sizeof *titles);
    }
    (void)prfdata_name_table_add_all(&before->english, &titles->english);
    (void)prfdata_name_table_add_all(&before->helps, &titles->helps);
}

/* Add the further files of a recording, named -2, -3 and so on (block/recorder.h). */
static void add_pieces(prfdata_app *app, prfdata_text first)
{
    prfdata_recorder recorder = {.piece = 2};

    for (bool is_there = true; is_there; recorder.piece++) {
        prfdata_output name = {0};
        prfdata_recording_file file;
        prfdata_decode_error error;
        wchar_t *path;
        uint32_t status;

        prfdata_recorder_put_name(&recorder, first, &name);
        path = name.failed ? NULL : prfdata_strings_wide(name.bytes, name.used);
        prfdata_output_free(&name);
        is_there = path && GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
        status = is_there ? prfdata_recording_file_open(&file, path, &error) : ERROR_FILE_NOT_FOUND;
        if (status == ERROR_SUCCESS && goes_on(app, &file)) {
            take_piece_titles(app, &file.recording.titles);
            add_file(app, prfdata_strings_borrow(path), &file);
        }
        if (status == ERROR_SUCCESS)
            prfdata_recording_file_close(&file);
        free(path);
    }
}

/* ---- A file ---- */

static void show_recording(prfdata_app *app, prfdata_recording_file *file, prfdata_text path)
{
    HCURSOR before = SetCursor(LoadCursorW(NULL, (LPCWSTR)IDC_WAIT));

    prfdata_documents_end_record(app);
    prfdata_changes_end(app); /* first, because the window borrows names from the reading */
    prfdata_reading_stop(app->reading);
    app->reading = NULL;
    prfdata_text_free(&app->remote);
    app->viewer.titles = file->recording.titles;
    app->viewer.owns_titles = true;
    memset(&file->recording.titles, 0, sizeof file->recording.titles);
    app->viewer.timeline.most_bytes = FILE_BYTES;
    app->viewer.timeline.store = prfdata_recording_file_store();
    name_computer(app, bytes_of(file), file->recording.blocks[0].size);
    add_file(app, path, file);
    add_pieces(app, path);
    prfdata_changes_begin(app);
    prfdata_viewer_take_timeline(&app->viewer);
    /* The user's own workspace is for live data, so a file gets only the workspace of -w. */
    if (app->options->workspace.count > 0)
        prfdata_remembered_begin(app);
    prfdata_viewer_begin_names(&app->viewer);
    say_doubts(app);
    SetCursor(before);
}

bool prfdata_documents_open(prfdata_app *app, prfdata_text path)
{
    prfdata_recording_file file;

    if (!open_recording(app, path, &file))
        return false;
    show_recording(app, &file, path);
    set_file(app, path);
    prfdata_recording_file_close(&file);
    return true;
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

/* Returns whether a newer file belongs to the shown one; otherwise the reason was shown. */
static bool goes_with_file(const prfdata_app *app, prfdata_text path,
                           const prfdata_recording_file *file)
{
    prfdata_decode_block blocks[2];
    prfdata_decode_error error;
    uint16_t computer[256];
    const prfdata_file_pair_part older = part_of_viewer(app, &blocks[0]);
    prfdata_file_pair_part newer = {
        path, &blocks[1].header, {computer, 0}, &file->recording.titles};
    prfdata_messages messages = {0};
    bool is_pair;

    if (!blocks[0].bytes || prfdata_decode_open(bytes_of(file), file->recording.blocks[0].size,
                                                &blocks[1], &error) == ERROR_INVALID_DATA)
        return true; /* there is nothing to compare */
    (void)prfdata_decode_computer(&blocks[1], computer, 256, &newer.computer.count, &error);
    is_pair = prfdata_file_pair_check(&older, &newer, &messages) == ERROR_SUCCESS;
    if (messages.count > 0)
        show_message(app, &messages.items[0]);
    prfdata_messages_free(&messages);
    return is_pair;
}

static void append_recording(prfdata_app *app, prfdata_text path,
                             const prfdata_recording_file *file)
{
    (void)prfdata_name_table_add_all(&app->viewer.titles.english, &file->recording.titles.english);
    (void)prfdata_name_table_add_all(&app->viewer.titles.helps, &file->recording.titles.helps);
    prfdata_titles_index_names(&app->viewer.titles);
    add_file(app, path, file);
    prfdata_viewer_take_timeline(&app->viewer);
    say_doubts(app);
}

void prfdata_documents_append(prfdata_app *app, prfdata_text path)
{
    prfdata_recording_file file;

    if (!open_recording(app, path, &file))
        return;
    if (goes_with_file(app, path, &file))
        append_recording(app, path, &file);
    prfdata_recording_file_close(&file);
}

static void begin_reading(prfdata_app *app)
{
    prfdata_changes_end(app); /* first, because the window borrows names from the reading */
    prfdata_reading_stop(app->reading);
    app->viewer.timeline.most_bytes = PRFDATA_DOCUMENTS_LIVE_BYTES;
    app->reading = prfdata_reading_start(app->window, app->remote, app->viewer.interval_ms);
}

void prfdata_documents_read_computer(prfdata_app *app, prfdata_text computer)
{
    prfdata_documents_end_record(app);
    if (prfdata_session_is_local(computer) || !prfdata_text_copy(computer, &app->remote))
        prfdata_text_free(&app->remote);
    begin_reading(app);
    set_file(app, (prfdata_text){0});
}

static void go_live(prfdata_app *app)
{
    if (!app->reading || app->remote.count > 0)
        prfdata_documents_read_computer(app, (prfdata_text){0});
}

static void read_other_computer(prfdata_app *app)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t name[256] = L"";
    prfdata_text computer;

    if (!prfdata_name_dialog_ask(app->window, &app->theme, IDS_COMPUTER_TITLE,
                                 prfdata_strings_get(IDS_COMPUTER_LABEL), name, 256) ||
        name[0] == 0)
        return;
    if (prfdata_view_options_name_computer(prfdata_strings_borrow(name), &computer))
        prfdata_documents_read_computer(app, computer);
    else
        prfdata_status_bar_say(&app->status,
                               prfdata_strings_format(text, IDS_NO_COMPUTER, name, NULL, NULL));
}

/* Starts another reading. The shown titles stay until the new ones are there. */
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
        /* This reading can be released at once, because its titles have not been shown. */
        prfdata_reading_stop(app->reading);
    } else {
        prfdata_reading_end(app->reading);
        app->former = app->reading;
    }
    app->reading = prfdata_reading_start(app->window, app->remote, app->viewer.interval_ms);
    prfdata_interval_apply_pause(app);
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
    app->record = prfdata_record_begin(prfdata_strings_borrow(path));
    if (!app->record)
        prfdata_saving_report(app->window, IDS_UNWRITABLE, path, ERROR_NOT_ENOUGH_MEMORY);
    prfdata_interval_apply_pause(app);
    /* Clear the last message, because the status bar shows that a recording is running. */
    prfdata_status_bar_say(&app->status, L"");
    prfdata_changes_show_status(app);
}

static void toggle_record(prfdata_app *app)
{
    wchar_t path[MAX_PATH];

    if (app->record) {
        prfdata_documents_end_record(app);
        prfdata_changes_show_status(app);
    } else if (app->reading && choose_file(app, IDS_FILTER_SAMPLES, L"prf", true, path)) {
        begin_record(app, path);
    }
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
