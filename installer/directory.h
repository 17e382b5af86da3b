/* SPDX-License-Identifier: MIT */
/*
 * Folders that only administrators change, and the files in them. A folder is opened without
 * following links and held open, so that nobody exchanges it while it is worked in. Windows only.
 */
#ifndef PRFDATA_DIRECTORY_H
#define PRFDATA_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/error.h>

typedef struct prfdata_directory {
    HANDLE handle;                   /* NULL: not open */
    wchar_t path[MAX_PATH];          /* the final path, "C:\..." */
    bool created;                    /* by this program */
    PSECURITY_DESCRIPTOR old_access; /* what prfdata_directory_protect() replaced, or NULL */
} prfdata_directory;

/* The folder ProgramData, whatever the environment says. `path` has room for MAX_PATH. */
uint32_t prfdata_directory_program_data(wchar_t *path);

/*
 * Find where an open file or folder really is, whatever path it was opened by: "C:\folder", or
 * "UNC\server\share\folder". `path` has room for MAX_PATH.
 */
uint32_t prfdata_directory_final_path(HANDLE handle, wchar_t *path);

/* Open an existing folder, following links: the place in which we make ours. */
uint32_t prfdata_directory_open_root(prfdata_directory *directory, const wchar_t *path);

/*
 * Open the folder `name` in `parent`.
 *
 * access  Beside reading: 0 or WRITE_DAC.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_DIRECTORY (a file or a link),
 *         ERROR_INVALID_OWNER, or what the system answered.
 */
uint32_t prfdata_directory_open(prfdata_directory *directory, const prfdata_directory *parent,
                                const wchar_t *name, DWORD access);

/*
 * Make the folder `name` in `parent` with the owner and access list of `sddl`, or open it. Same
 * returns. `created` tells which it was.
 */
uint32_t prfdata_directory_make(prfdata_directory *directory, const prfdata_directory *parent,
                                const wchar_t *name, const wchar_t *sddl);

/*
 * Give an opened folder, not what is in it, the access list of `sddl`; `changed` tells whether it
 * had another one, which prfdata_directory_undo() would give back.
 */
uint32_t prfdata_directory_protect(prfdata_directory *directory, const wchar_t *sddl,
                                   bool *changed);

/*
 * Take back what make and protect did: remove the folder if it was created and is empty. Returns
 * whether anything was taken back.
 */
bool prfdata_directory_undo(prfdata_directory *directory);

/* Close and remove the folder if it is empty; ERROR_DIR_NOT_EMPTY if not. */
uint32_t prfdata_directory_remove(prfdata_directory *directory);

/* Close; nothing happens if it is not open. */
void prfdata_directory_close(prfdata_directory *directory);

/* ---- Files in an opened folder ---- */

/*
 * Read a whole plain file, at most 16 MiB.
 *
 * bytes  On success new memory; owner: the caller, free(). Untouched on failure.
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_FILE_TOO_LARGE, ...
 */
uint32_t prfdata_directory_read_file(const prfdata_directory *directory, const wchar_t *name,
                                     void **bytes, size_t *size);

/* Write a file anew. One that is there is removed, never written through. */
uint32_t prfdata_directory_write_file(const prfdata_directory *directory, const wchar_t *name,
                                      const void *bytes, size_t size);

/* Call `visit` with the name of everything in the folder that is no folder. */
typedef void prfdata_directory_visitor(void *context, const wchar_t *name);
uint32_t prfdata_directory_visit_files(const prfdata_directory *directory,
                                       prfdata_directory_visitor *visit, void *context);

/* Remove a plain file, or a link itself, by handle. ERROR_FILE_NOT_FOUND if there is none. */
uint32_t prfdata_directory_remove_file(const prfdata_directory *directory, const wchar_t *name);

#endif
