/* SPDX-License-Identifier: MIT */
/*
 * Opens files and folders that other accounts may write to. A program that holds an oplock on a
 * file could keep CreateFileW waiting forever, so these functions do not wait for oplocks. A
 * scanner may refuse such an open, so a refused open is tried again after a pause. The pauses for
 * all files together take at most a second, until prfdata_site_enter() allows another second.
 * Windows only.
 */
#ifndef PRFDATA_FILE_HANDLE_H
#define PRFDATA_FILE_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/error.h>

/*
 * Open an existing file or folder, as CreateFileW does with OPEN_EXISTING.
 *
 * path    May be relative. The full path has fewer than MAX_PATH chars.
 * access  Rights; FILE_READ_ATTRIBUTES and SYNCHRONIZE are added.
 * share   FILE_SHARE_...
 * flags   FILE_FLAG_OPEN_REPARSE_POINT: opens a link itself, not its target;
 *         FILE_FLAG_BACKUP_SEMANTICS: also opens folders.
 * handle  On success the open file, not inheritable. Untouched on failure. Owner: the caller,
 *         CloseHandle().
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND, ERROR_FILENAME_EXCED_RANGE,
 *         ERROR_SHARING_VIOLATION (the file is in use, or the opens were refused until the time was
 *         over), ERROR_DELETE_PENDING (a program still has the deleted file open),
 *         ERROR_ACCESS_DENIED (also: a folder without FILE_FLAG_BACKUP_SEMANTICS), or what else the
 *         system answered.
 */
uint32_t prfdata_file_handle_open(const wchar_t *path, DWORD access, DWORD share, DWORD flags,
                                  HANDLE *handle);

/*
 * Try once to open a file. Returns ERROR_SHARING_VIOLATION if the file is in use, or if a scanner
 * refuses the open.
 */
uint32_t prfdata_file_handle_try(const wchar_t *path, DWORD access, DWORD share, DWORD flags,
                                 HANDLE *handle);

/*
 * Try once to open a file, or a link itself, only to delete it. No right on the file is needed if
 * the caller may delete children of the file's folder ("File security and access rights",
 * learn.microsoft.com), so the file's access list does not matter. The handle is only for the
 * functions below that remove a file.
 */
uint32_t prfdata_file_handle_try_delete(const wchar_t *path, HANDLE *handle);

/* Pause before another try. Returns false, without a pause, if there is no time left. */
bool prfdata_file_handle_wait(void);

/* Allow prfdata_file_handle_wait() to pause for another second in total. */
void prfdata_file_handle_renew_patience(void);

/*
 * Create a file for writing. No other program can open it while the handle is open. The handle may
 * also rename and remove the file. Returns ERROR_FILE_EXISTS, or an error of
 * prfdata_file_handle_open().
 */
uint32_t prfdata_file_handle_create(const wchar_t *path, HANDLE *handle);

/*
 * Give a file another name by its handle, which must allow DELETE.
 *
 * replaces  Whether an existing file of that name is replaced. The replacement is one step, so a
 *           file of that name exists at all times.
 *
 * Returns ERROR_SUCCESS; ERROR_ALREADY_EXISTS if a file of that name exists and `replaces` is
 *         false, or on some file systems if that file is read-only; or the system's error.
 */
uint32_t prfdata_file_handle_rename(HANDLE handle, const wchar_t *path, bool replaces);

/* Remove a file, a link itself or an empty folder by its handle, which must allow DELETE. */
uint32_t prfdata_file_handle_remove(HANDLE handle);

/*
 * Do what prfdata_file_handle_remove() does, but also remove a file that has the attribute
 * read-only, if the system has a call for that.
 */
uint32_t prfdata_file_handle_remove_read_only(HANDLE handle);

/*
 * Remove a file by its handle. If the file system knows POSIX semantics, the name is free when the
 * handle is closed, even if other programs have the file open (learn.microsoft.com,
 * "FILE_DISPOSITION_INFO_EX"). Otherwise the name is free when the last program has closed the
 * file. Regions of this boot are not removed this way, because readers find out by the name whether
 * a region is still there.
 */
uint32_t prfdata_file_handle_remove_at_once(HANDLE handle);

#endif
