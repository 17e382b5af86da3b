/* SPDX-License-Identifier: MIT */
/*
 * Opens, creates and protects the folders of an installation, and reads and writes the files in
 * them. Below the root, a folder is opened without following links. It stays open, so that it
 * cannot be replaced while the installer works in it. Windows only.
 */
#ifndef PRFDATA_DIRECTORY_H
#define PRFDATA_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/error.h>

typedef struct prfdata_directory {
    HANDLE handle;          /* NULL: not open */
    wchar_t path[MAX_PATH]; /* the final path, "C:\..." */
    bool created;           /* prfdata_directory_make() created the folder */
    /* The access that prfdata_directory_protect() replaced, or NULL. */
    PSECURITY_DESCRIPTOR old_access;
} prfdata_directory;

/*
 * Find the folder ProgramData (program_data.c), without variables of the environment. `path` has
 * room for MAX_PATH.
 */
uint32_t prfdata_directory_program_data(wchar_t *path);

/*
 * Find the final path of an open file or folder, in the form "C:\folder" or
 * "UNC\server\share\folder". It may differ from the path that was opened. `path` has room for
 * MAX_PATH.
 */
uint32_t prfdata_directory_final_path(HANDLE handle, wchar_t *path);

/* Open the existing folder in which the data folder is created. Links are followed. */
uint32_t prfdata_directory_open_root(prfdata_directory *directory, const wchar_t *path);

/*
 * Open the folder `name` in `parent`.
 *
 * access  In addition to reading: 0 or WRITE_DAC.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_DIRECTORY (a file or a link),
 *         ERROR_INVALID_OWNER, or what the system answered.
 */
uint32_t prfdata_directory_open(prfdata_directory *directory, const prfdata_directory *parent,
                                const wchar_t *name, DWORD access);

/*
 * Create the folder `name` in `parent` with the owner and access list of `sddl`, or open it if it
 * exists. `created` says which of the two was done. Returns what prfdata_directory_open() returns.
 */
uint32_t prfdata_directory_make(prfdata_directory *directory, const prfdata_directory *parent,
                                const wchar_t *name, const wchar_t *sddl);

/*
 * Give an open folder, not the files in it, the access list of `sddl`.
 *
 * changed  Whether the folder had another list, which prfdata_directory_undo() would restore.
 */
uint32_t prfdata_directory_protect(prfdata_directory *directory, const wchar_t *sddl,
                                   bool *changed);

/*
 * Undo prfdata_directory_make() and prfdata_directory_protect(): remove the folder if it was
 * created and is empty, or restore its access list. Returns whether anything was undone.
 */
bool prfdata_directory_undo(prfdata_directory *directory);

/* Close the folder, and remove it if it is empty; otherwise return ERROR_DIR_NOT_EMPTY. */
uint32_t prfdata_directory_remove(prfdata_directory *directory);

void prfdata_directory_close(prfdata_directory *directory);

/*
 * Read a whole plain file, at most 64 MiB.
 *
 * bytes  On success new memory; owner: the caller, free(). Untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_FILE_TOO_LARGE, or what the system answered.
 */
uint32_t prfdata_directory_read_file(const prfdata_directory *directory, const wchar_t *name,
                                     void **bytes, size_t *size);

/*
 * Write a file. It has the name "<name>.new" until it is complete, and an existing file stays until
 * then. If `name` is a link, the link is replaced, and nothing is written to its target.
 */
uint32_t prfdata_directory_write_file(const prfdata_directory *directory, const wchar_t *name,
                                      const void *bytes, size_t size);

/* Call `visit` with the name of every file in the folder. Subfolders are skipped. */
typedef void prfdata_directory_visitor(void *context, const wchar_t *name);
uint32_t prfdata_directory_visit_files(const prfdata_directory *directory,
                                       prfdata_directory_visitor *visit, void *context);

/*
 * Call `visit` with the name of every folder in the folder, except links and names with a dot at
 * the beginning.
 */
uint32_t prfdata_directory_visit_folders(const prfdata_directory *directory,
                                         prfdata_directory_visitor *visit, void *context);

/*
 * Remove a file. If it is a link, the link itself is removed. Also remove the incomplete file that
 * a killed installer left. Returns ERROR_FILE_NOT_FOUND if there is no file of this name.
 */
uint32_t prfdata_directory_remove_file(const prfdata_directory *directory, const wchar_t *name);

#endif
