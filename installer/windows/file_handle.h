/* SPDX-License-Identifier: MIT */
/*
 * Opens files and folders that other accounts may write to, without waiting for long: a program
 * that holds an oplock on a file would keep CreateFileW waiting for as long as it likes, and an
 * elevated installer with it. All such waiting of a process together takes at most two seconds.
 *  Windows only.
 */
#ifndef PRFDATA_FILE_HANDLE_H
#define PRFDATA_FILE_HANDLE_H

#include <stdint.h>

#include <windows.h>

#include <prfdata/error.h>

/*
 * Open an existing file or folder, as CreateFileW does with OPEN_EXISTING.
 *
 * path    Need not be full. At most MAX_PATH chars when it is.
 * access  Rights; FILE_READ_ATTRIBUTES and SYNCHRONIZE are added.
 * share   FILE_SHARE_...
 * flags   FILE_FLAG_OPEN_REPARSE_POINT: a link itself, not what it leads to;
 *         FILE_FLAG_BACKUP_SEMANTICS: folders as well.
 * handle  On success the open file, not inheritable. Untouched on failure. Owner: the caller,
 *         CloseHandle().
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND, ERROR_FILENAME_EXCED_RANGE,
 *         ERROR_SHARING_VIOLATION (in use, or another program does not give up its oplock),
 *         ERROR_ACCESS_DENIED (also: a folder without FILE_FLAG_BACKUP_SEMANTICS), or what else the
 *         system answered.
 */
uint32_t prfdata_file_handle_open(const wchar_t *path, DWORD access, DWORD share, DWORD flags,
                                  HANDLE *handle);

/*
 * Create a file for writing that shares nothing; its handle also renames and removes it. Returns
 * ERROR_FILE_EXISTS, or as above.
 */
uint32_t prfdata_file_handle_create(const wchar_t *path, HANDLE *handle);

/*
 * Give a file that prfdata_file_handle_create() has made another name, without opening it again.
 * Returns ERROR_ALREADY_EXISTS, or what the system answered.
 */
uint32_t prfdata_file_handle_rename(HANDLE handle, const wchar_t *path);

/* Remove a file, a link itself or an empty folder by its handle, which must allow DELETE. */
uint32_t prfdata_file_handle_remove(HANDLE handle);

#endif
