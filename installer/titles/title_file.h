/* SPDX-License-Identifier: MIT */
/*
 * Writes one of the two title files in the data folder, <service>.ini and <service>.h, or restores
 * the previous file. title_text.h makes the texts. Windows only.
 */
#ifndef PRFDATA_TITLE_FILE_H
#define PRFDATA_TITLE_FILE_H

#include "map/model.h"
#include "report/report.h"
#include "windows/directory.h"

#define PRFDATA_TITLE_FILE_NAME_CHARS 96

typedef struct prfdata_title_file {
    const wchar_t *extension; /* L".ini" or L".h" */
    void *bytes;              /* bytes of the new file; heap */
    size_t size;
    void *old_bytes; /* bytes of the previous file; heap, or NULL if there was none */
    size_t old_size;
    bool is_written;
} prfdata_title_file;

/* Make the name of a title file. `name` has room for PRFDATA_TITLE_FILE_NAME_CHARS. */
void prfdata_title_file_name(const wchar_t *service, const wchar_t *extension, wchar_t *name);

/*
 * Write the file, unless a file with the same bytes exists. The result is reported. A file that
 * cannot be read is left as it is.
 *
 * file  Its old_bytes and is_written are set; release it with prfdata_title_file_free().
 *
 * Returns ERROR_SUCCESS, or the system's error, which is reported.
 */
uint32_t prfdata_title_file_write(prfdata_title_file *file, const prfdata_directory *folder,
                                  const wchar_t *service, const prfdata_report *report);

/*
 * Find out whether the files of a folder may be replaced. An existing file may be replaced if
 * PrfData made it, if it has the same bytes already, or if it is empty.
 *
 * files   The .ini and then the header.
 * advice  A sentence that says what else can be done.
 *
 * Returns ERROR_SUCCESS or ERROR_FILE_EXISTS (a file must not be replaced, or cannot be read),
 *         which is reported with the advice.
 */
uint32_t prfdata_title_file_check_own(const prfdata_title_file files[2],
                                      const prfdata_directory *folder, const wchar_t *service,
                                      const wchar_t *advice, const prfdata_report *report);

/* Returns whether PrfData made the file (for any map), or the file is empty or missing. */
bool prfdata_title_file_is_own(const prfdata_directory *folder, const wchar_t *service,
                               const wchar_t *extension);

/*
 * Compare a title file in a folder with the text that it should have for a registered map. The
 * languages of an .ini do not matter.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (it differs), or the reason why it could not be read.
 */
uint32_t prfdata_title_file_compare(const prfdata_directory *folder, const wchar_t *service,
                                    const wchar_t *extension, const prfdata_model *model);

/*
 * If the file was written, restore the previous file, or remove the new one if there was none.
 * Reports that the file is as before, or why it is not.
 */
void prfdata_title_file_undo(const prfdata_title_file *file, const prfdata_directory *folder,
                             const wchar_t *service, const prfdata_report *report);

void prfdata_title_file_free(prfdata_title_file *file);

#endif
