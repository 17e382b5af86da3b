/* SPDX-License-Identifier: MIT */
/*
 * Writes, compares and restores title files. A file that has the same bytes already is not written.
 * Windows only.
 */
#include "titles/title_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "titles/title_text.h"

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
    /* An existing file must be read first, because prfdata_title_file_undo() restores its bytes. */
    if (status && status != ERROR_FILE_NOT_FOUND)
        return prfdata_report_error(report, status, L"Title file %ls\\%ls cannot be read",
                                    folder->path, name);
    status = prfdata_directory_write_file(folder, name, file->bytes, file->size);
    if (status)
        return prfdata_report_error(report, status, L"Title file %ls\\%ls", folder->path, name);
    file->is_written = true;
    prfdata_report_line(report, PRFDATA_STEP_DONE, L"Title file written: %ls\\%ls", folder->path,
                        name);
    return ERROR_SUCCESS;
}

typedef struct found_file {
    uint32_t status;
    void *bytes;
    size_t size;
} found_file;

static void find_title_file(const prfdata_title_file *file, const prfdata_directory *folder,
                            const wchar_t *service, found_file *found)
{
    wchar_t name[PRFDATA_TITLE_FILE_NAME_CHARS];

    prfdata_title_file_name(service, file->extension, name);
    found->status = prfdata_directory_read_file(folder, name, &found->bytes, &found->size);
}

static bool has_same_bytes(const prfdata_title_file *file, const found_file *found)
{
    return found->size == file->size && memcmp(found->bytes, file->bytes, file->size) == 0;
}

/*
 * Returns whether PrfData made a file, or the file is empty or missing. Returns false if the file
 * cannot be read. A header counts as made by PrfData if it belongs to PrfData's .ini next to it.
 */
static bool was_made_here(const found_file found[2], int which)
{
    const found_file *ini = &found[0], *file = &found[which];

    if (file->status)
        return file->status == ERROR_FILE_NOT_FOUND;
    if (file->size == 0)
        return true;
    return which == 0 ? prfdata_title_text_is_own_ini(ini->bytes, ini->size)
                      : !ini->status && prfdata_title_text_is_own_header(file->bytes, file->size,
                                                                         ini->bytes, ini->size);
}

uint32_t prfdata_title_file_check_own(const prfdata_title_file files[2],
                                      const prfdata_directory *folder, const wchar_t *service,
                                      const wchar_t *advice, const prfdata_report *report)
{
    found_file found[2] = {{0, NULL, 0}, {0, NULL, 0}};
    uint32_t status = ERROR_SUCCESS;

    for (int i = 0; i < 2; i++)
        find_title_file(&files[i], folder, service, &found[i]);
    for (int i = 0; i < 2; i++) {
        if (was_made_here(found, i) || (!found[i].status && has_same_bytes(&files[i], &found[i])))
            continue;
        prfdata_report_line(report, PRFDATA_STEP_FAILED,
                            L"Nothing was written: %ls\\%ls%ls is there, and was not written by "
                            L"PrfData. %ls",
                            folder->path, service, files[i].extension, advice);
        status = ERROR_FILE_EXISTS;
    }
    free(found[0].bytes);
    free(found[1].bytes);
    return status;
}

bool prfdata_title_file_is_own(const prfdata_directory *folder, const wchar_t *service,
                               const wchar_t *extension)
{
    const prfdata_title_file files[2] = {{.extension = L".ini"}, {.extension = L".h"}};
    found_file found[2] = {{0, NULL, 0}, {0, NULL, 0}};
    bool is_own;

    for (int i = 0; i < 2; i++)
        find_title_file(&files[i], folder, service, &found[i]);
    is_own = was_made_here(found, wcscmp(extension, L".ini") != 0);
    free(found[0].bytes);
    free(found[1].bytes);
    return is_own;
}

static uint32_t make_wanted(const prfdata_title_file *file, const found_file *found,
                            const prfdata_model *model, void **bytes, size_t *size)
{
    prfdata_title_languages languages;

    if (wcscmp(file->extension, L".ini") != 0)
        return prfdata_title_text_header(model, bytes, size);
    prfdata_title_text_languages(found->bytes, found->size, &languages);
    return prfdata_title_text_ini(model, &languages, bytes, size);
}

uint32_t prfdata_title_file_compare(const prfdata_directory *folder, const wchar_t *service,
                                    const wchar_t *extension, const prfdata_model *model)
{
    prfdata_title_file wanted = {.extension = extension};
    found_file found = {0};
    uint32_t status;

    find_title_file(&wanted, folder, service, &found);
    status = found.status;
    if (!status)
        status = make_wanted(&wanted, &found, model, &wanted.bytes, &wanted.size);
    if (!status && !has_same_bytes(&wanted, &found))
        status = ERROR_INVALID_DATA;
    free(found.bytes);
    prfdata_title_file_free(&wanted);
    return status;
}

void prfdata_title_file_undo(const prfdata_title_file *file, const prfdata_directory *folder,
                             const wchar_t *service, const prfdata_report *report)
{
    wchar_t name[PRFDATA_TITLE_FILE_NAME_CHARS];
    uint32_t status;

    if (!file->is_written)
        return;
    prfdata_title_file_name(service, file->extension, name);
    if (file->old_bytes) {
        status = prfdata_directory_write_file(folder, name, file->old_bytes, file->old_size);
    } else {
        status = prfdata_directory_remove_file(folder, name);
        if (status == ERROR_FILE_NOT_FOUND) /* as before the installation */
            status = ERROR_SUCCESS;
    }
    if (status)
        prfdata_report_left(report, status, L"Title file not restored: %ls\\%ls", folder->path,
                            name);
    else
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
