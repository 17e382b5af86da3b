/* SPDX-License-Identifier: MIT */
/*
 * One of the two title files in the data folder, <service>.ini and <service>.h: writes it, or
 * restores what was there before. title_text.h makes its text. Windows only.
 */
#ifndef PRFDATA_TITLE_FILE_H
#define PRFDATA_TITLE_FILE_H

#include "map/model.h"
#include "report/report.h"
#include "windows/directory.h"

/* Room for the name of a title file. */
#define PRFDATA_TITLE_FILE_NAME_CHARS 96

typedef struct prfdata_title_file {
    const wchar_t *extension; /* L".ini" or L".h" */
    void *bytes;              /* of the new file; heap */
    size_t size;
    void *old_bytes; /* of the file that was there; heap, or NULL */
    size_t old_size;
    bool is_written;
} prfdata_title_file;

/* Make the name of a title file. `name` has room for PRFDATA_TITLE_FILE_NAME_CHARS. */
void prfdata_title_file_name(const wchar_t *service, const wchar_t *extension, wchar_t *name);

/*
 * Write the file and report it, unless a file with the same bytes is there.
 *
 * file  Its old_bytes and is_written are set; release with prfdata_title_file_free().
 *
 * Returns ERROR_SUCCESS, or what the system answered, which is reported.
 */
uint32_t prfdata_title_file_write(prfdata_title_file *file, const prfdata_directory *folder,
                                  const wchar_t *service, const prfdata_report *report);

/*
 * Find out whether the files of a folder may be replaced: what is there was made here, has the same
 * bytes already, or is empty.
 *
 * files   The .ini and then the header.
 * advice  What else can be done, as a sentence.
 *
 * Returns ERROR_SUCCESS, or ERROR_FILE_EXISTS, which is reported with the advice.
 */
uint32_t prfdata_title_file_check_own(const prfdata_title_file files[2],
                                      const prfdata_directory *folder, const wchar_t *service,
                                      const wchar_t *advice, const prfdata_report *report);

/* Whether the file of a folder was made here, for whatever map, or is empty, or not there. */
bool prfdata_title_file_is_own(const prfdata_directory *folder, const wchar_t *service,
                               const wchar_t *extension);

/*
 * Whether a file of a folder is that of a registered map, in the languages that it has. The .ini
 * of another version is not.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (it is not), or why it could not be read.
 */
uint32_t prfdata_title_file_compare(const prfdata_directory *folder, const wchar_t *service,
                                    const wchar_t *extension, const prfdata_model *model);

/* If the file was written, restore or remove it, and report that. */
void prfdata_title_file_undo(const prfdata_title_file *file, const prfdata_directory *folder,
                             const wchar_t *service, const prfdata_report *report);

void prfdata_title_file_free(prfdata_title_file *file);

#endif
