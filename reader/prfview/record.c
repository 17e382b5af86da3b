/* SPDX-License-Identifier: MIT */
/*
 * Records what is read straight to files, for as long as the disk has room: block/recorder.h says
 * what is appended, and when another file begins.
 */
#include "prfview/app.h"

#include <stdlib.h>

#include "block/saved_block.h"
#include "block/recorder.h"

#define PIECE_BYTES (PRFDATA_SAVED_BLOCK_LIMIT / 4) /* which this window opens in no time */

struct prfdata_record {
    prfdata_recorder recorder;
    prfdata_text path; /* of the first piece; owned */
    HANDLE file;       /* NULL: none is open */
};

static void close_piece(prfdata_record *record)
{
    if (record->file)
        CloseHandle(record->file);
    record->file = NULL;
}

void prfdata_record_end(prfdata_app *app)
{
    prfdata_record *record = app->record;

    if (!record)
        return;
    close_piece(record);
    prfdata_recorder_free(&record->recorder);
    prfdata_text_free(&record->path);
    free(record);
    app->record = NULL;
}

void prfdata_record_begin(prfdata_app *app, const wchar_t *path)
{
    prfdata_record *record = calloc(1, sizeof *record);
    wchar_t text[PRFDATA_STRINGS_CHARS];

    prfdata_record_end(app);
    if (!record || !prfdata_text_copy(prfdata_strings_borrow(path), &record->path)) {
        free(record);
        prfdata_saving_report(app, IDS_UNWRITABLE, path, ERROR_NOT_ENOUGH_MEMORY);
        return;
    }
    prfdata_recorder_init(&record->recorder, PIECE_BYTES);
    app->record = record;
    prfdata_status_bar_say(&app->status,
                           prfdata_strings_format(text, IDS_RECORDING, path, NULL, NULL));
}

void prfdata_record_renew(prfdata_app *app)
{
    if (app->record)
        prfdata_recorder_renew(&app->record->recorder);
}

static uint32_t create_piece(prfdata_record *record)
{
    prfdata_output name = {0};
    wchar_t *path;
    uint32_t status = ERROR_SUCCESS;

    prfdata_recorder_put_name(&record->recorder, record->path, &name);
    path = name.failed ? NULL : prfdata_strings_wide(name.bytes, name.used);
    prfdata_output_free(&name);
    if (!path)
        return ERROR_NOT_ENOUGH_MEMORY;
    record->file =
        CreateFileW(path, GENERIC_WRITE, FILE_SHARE_READ, NULL,
                    prfdata_recorder_may_replace(&record->recorder) ? CREATE_ALWAYS : CREATE_NEW,
                    FILE_ATTRIBUTE_NORMAL, NULL);
    if (record->file == INVALID_HANDLE_VALUE) {
        status = GetLastError();
        record->file = NULL;
    }
    free(path);
    return status;
}

/* Returns ERROR_SUCCESS or why the file cannot be made. */
static uint32_t begin_piece(prfdata_record *record)
{
    uint32_t status;

    close_piece(record);
    while ((status = create_piece(record)) == ERROR_FILE_EXISTS)
        prfdata_recorder_skip_name(&record->recorder);
    return status;
}

static uint32_t append_part(const prfdata_record *record, const prfdata_output *part)
{
    DWORD written = 0;

    if (part->failed)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!WriteFile(record->file, part->bytes, (DWORD)part->used, &written, NULL))
        return GetLastError();
    return written == part->used ? ERROR_SUCCESS : ERROR_DISK_FULL;
}

/* A recording that cannot go on ends, with all that was written; a box would stop the samples. */
void prfdata_record_add(prfdata_app *app, const prfdata_sample *sample)
{
    prfdata_record *record = app->record;
    prfdata_output part = {0};
    uint32_t status = ERROR_SUCCESS;
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t path[MAX_PATH];
    wchar_t words[PRFDATA_STATUS_CHARS];

    if (!record)
        return;
    if (prfdata_recorder_put(&record->recorder, sample, &app->viewer.titles, &part))
        status = begin_piece(record);
    if (status == ERROR_SUCCESS)
        status = append_part(record, &part);
    prfdata_output_free(&part);
    if (status == ERROR_SUCCESS)
        return;
    prfdata_strings_text(record->path, path, MAX_PATH);
    prfdata_status_bar_say(
        &app->status,
        prfdata_strings_format(text, IDS_UNWRITABLE, path,
                               prfdata_strings_system(status, words, PRFDATA_STATUS_CHARS), NULL));
    prfdata_record_end(app);
}
