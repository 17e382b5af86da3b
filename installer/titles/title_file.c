/* SPDX-License-Identifier: MIT */
/* Windows only. A file is compared first, so that installing again changes only what differs. */
#include "titles/title_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

void prfdata_title_file_name(const wchar_t *service, const wchar_t *extension, wchar_t *name)
{
    (void)swprintf(name, PRFDATA_TITLE_FILE_NAME_CHARS, L"%ls%ls", service, extension);
}

uint32_t prfdata_title_file_write(prfdata_title_file *file, const prfdata_directory *folder,
                                  const wchar_t *service, const prfdata_report *report)
{
    wchar_t name[PRFDATA_TITLE_FILE_NAME_CHARS];
    uint32_t status;

    prfdata_title_file_name(service, file->extension, name);
    status = prfdata_directory_read_file(folder, name, &file->old_bytes, &file->old_size);
    if (!status && file->old_size == file->size &&
        memcmp(file->old_bytes, file->bytes, file->size) == 0) {
        prfdata_report_line(report, PRFDATA_STEP_SAME, L"Title file unchanged: %ls\\%ls",
                            folder->path, name);
        return ERROR_SUCCESS;
    }
    status = prfdata_directory_write_file(folder, name, file->bytes, file->size);
    if (status)
        return prfdata_report_error(report, status, L"Title file %ls\\%ls", folder->path, name);
    file->is_written = true;
    prfdata_report_line(report, PRFDATA_STEP_DONE, L"Title file written: %ls\\%ls", folder->path,
                        name);
    return ERROR_SUCCESS;
}

void prfdata_title_file_undo(const prfdata_title_file *file, const prfdata_directory *folder,
                             const wchar_t *service, const prfdata_report *report)
{
    wchar_t name[PRFDATA_TITLE_FILE_NAME_CHARS];

    if (!file->is_written)
        return;
    prfdata_title_file_name(service, file->extension, name);
    if (file->old_bytes)
        prfdata_directory_write_file(folder, name, file->old_bytes, file->old_size);
    else
        prfdata_directory_remove_file(folder, name);
    prfdata_report_line(report, PRFDATA_STEP_UNDONE, L"Title file as before: %ls\\%ls",
                        folder->path, name);
}

void prfdata_title_file_free(prfdata_title_file *file)
{
    free(file->bytes);
    free(file->old_bytes);
    file->bytes = NULL;
    file->old_bytes = NULL;
}
