/* SPDX-License-Identifier: MIT */
/* Writes a recording. block/recorder.h decides what to append, and when another file begins. */
#include "channels/record.h"

#include <stdlib.h>

#include <windows.h>

#include "block/recorder.h"
#include "panes/strings.h"

struct prfdata_record {
    prfdata_recorder recorder;
    prfdata_text path; /* path of the first piece; owned */
    HANDLE file;       /* NULL: no file is open */
};

static void close_piece(prfdata_record *record)
{
    if (record->file)
        CloseHandle(record->file);
    record->file = NULL;
}

prfdata_record *prfdata_record_begin(prfdata_text path)
{
    prfdata_record *record = calloc(1, sizeof *record);

    if (!record || !prfdata_text_copy(path, &record->path)) {
        free(record);
        return NULL;
    }
    prfdata_recorder_init(&record->recorder, PRFDATA_RECORDER_PIECE_BYTES);
    return record;
}

void prfdata_record_end(prfdata_record *record)
{
    if (!record)
        return;
    close_piece(record);
    prfdata_recorder_free(&record->recorder);
    prfdata_text_free(&record->path);
    free(record);
}

prfdata_text prfdata_record_path(const prfdata_record *record)
{
    return record->path;
}

void prfdata_record_renew(prfdata_record *record)
{
    prfdata_recorder_renew(&record->recorder);
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

uint32_t prfdata_record_add(prfdata_record *record, const prfdata_sample *sample,
                            const prfdata_recording_note *note, const prfdata_titles *titles)
{
    prfdata_output part = {0};
    uint32_t status = ERROR_SUCCESS;

    if (prfdata_recorder_put(&record->recorder, sample, note, titles, &part))
        status = begin_piece(record);
    if (status == ERROR_SUCCESS)
        status = append_part(record, &part);
    prfdata_output_free(&part);
    return status;
}
