/* SPDX-License-Identifier: MIT */
/*
 * The common part of the os_..._win32.c, which nobody else includes. Names in it are those of the
 * file that has the function: prfdata_os_file_... is in os_file_win32.c.
 */
#ifndef PRFDATA_OS_WIN32_H
#define PRFDATA_OS_WIN32_H

#include "system/os.h"

#include <windows.h>
#include <winternl.h>

#define PRFDATA_OS_REGIONS_CHARS 1024 /* far more than any path that the installer writes */

#define PRFDATA_OS_SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

struct prfdata_os_directory {
    HANDLE file;
};

/* How a file is opened: the arguments of NtCreateFile. */
typedef struct prfdata_os_opening {
    ACCESS_MASK access;
    ULONG share;
    ULONG disposition;
    ULONG options;
} prfdata_os_opening;

/* Append ASCII text; false: too long. */
static inline bool prfdata_os_append_to_path(wchar_t *text, size_t capacity, const char *more)
{
    size_t used = 0;

    while (text[used] != 0)
        used++;
    for (; *more; more++) {
        if (used + 1 >= capacity)
            return false;
        text[used++] = (wchar_t)(unsigned char)*more;
    }
    text[used] = 0;
    return true;
}

/* Whether this thread impersonates a client. */
bool prfdata_os_carries_token(void);

/*
 * Append the path in the value `Regions` to `path`, if it is an absolute, plain one.
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA or what reading a setting returns.
 */
uint32_t prfdata_os_settings_append_regions_path(const char *service, wchar_t *path,
                                                 size_t capacity);

/* The error for a status of ntdll. */
uint32_t prfdata_os_file_status(NTSTATUS status);

/*
 * Open `name`: relative to a folder, or (folder NULL) a path of the object manager. Follows no link
 * and waits for no oplock. Returns ERROR_SHARING_VIOLATION if another program has the file open, if
 * an oplock is being broken, or while a scanner examines the file: os.h, "Refusals".
 */
uint32_t prfdata_os_file_open(HANDLE folder, wchar_t *name, const prfdata_os_opening *how,
                              HANDLE *file);

/* Open a region file. */
uint32_t prfdata_os_file_open_region(prfdata_os_directory *directory, const prfdata_os_name *name,
                                     const prfdata_os_opening *how, HANDLE *file);

uint32_t prfdata_os_file_attributes(HANDLE file, DWORD *attributes);

/*
 * Whether it is a plain file, and its size. Asks the handle, because a folder's listing may be
 * stale. Returns ERROR_INVALID_DATA if it is not a plain file.
 */
uint32_t prfdata_os_file_check_plain(HANDLE file, uint64_t *size);

/*
 * Whether the file is where it was asked for. Windows silently redirects old 32-bit programs,
 * which have no manifest, to a folder of the user's; no reader would look there.
 */
bool prfdata_os_place_is_inside(const prfdata_os_directory *directory, HANDLE file,
                                const prfdata_os_name *name);

/* Whether the file belongs to the account of this thread. */
bool prfdata_os_place_is_own_account(HANDLE file);

/* The account that owns the file; all bytes 0 if this handle may not read that. */
void prfdata_os_file_account(HANDLE file, prfdata_os_account *account);

/* Map the whole file, whose size the caller has just asked for. */
uint32_t prfdata_os_region_map_section(HANDLE file, uint64_t size, bool writable, uint8_t **bytes);

#endif
