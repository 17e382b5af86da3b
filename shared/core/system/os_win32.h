/* SPDX-License-Identifier: MIT */
/*
 * Declares what the os_..._win32.c files share. The prefix of a name tells its file:
 * prfdata_os_file_... is in os_file_win32.c.
 */
#ifndef PRFDATA_OS_WIN32_H
#define PRFDATA_OS_WIN32_H

#include "system/os.h"

#include <windows.h>
#include <winternl.h>

#define PRFDATA_OS_REGIONS_CHARS 1024 /* far longer than any path that the installer writes */

#define PRFDATA_OS_SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

struct prfdata_os_directory {
    HANDLE file;
};

/* The arguments of NtCreateFile that say how to open a file. */
typedef struct prfdata_os_opening {
    ACCESS_MASK access;
    ULONG share;
    ULONG disposition;
    ULONG options;
} prfdata_os_opening;

/* Append ASCII text; false if the result is too long. */
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
 * Append the value `Regions`, an absolute, plain path, to `path`.
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (the value is too long, or not an absolute, plain path)
 *         or what reading a setting returns.
 */
uint32_t prfdata_os_settings_append_regions_path(const char *service, wchar_t *path,
                                                 size_t capacity);

uint32_t prfdata_os_file_status(NTSTATUS status);

/*
 * Open the file `name` in `folder`. If `folder` is NULL, `name` is a path of the object manager.
 * Does not follow links or wait for oplocks. Returns ERROR_SHARING_VIOLATION if another program has
 * the file open and does not share it, if another program has not yet given up its oplock, or while
 * a scanner examines the file (os.h, "Refusals").
 */
uint32_t prfdata_os_file_open(HANDLE folder, wchar_t *name, const prfdata_os_opening *how,
                              HANDLE *file);

uint32_t prfdata_os_file_open_region(prfdata_os_directory *directory, const prfdata_os_name *name,
                                     const prfdata_os_opening *how, HANDLE *file);

uint32_t prfdata_os_file_attributes(HANDLE file, DWORD *attributes);

/*
 * Check that an open file is a plain file, and get its size. Queries the handle, because a folder's
 * listing may be stale. Returns ERROR_SUCCESS, ERROR_INVALID_DATA (not a plain file) or another
 * system error.
 */
uint32_t prfdata_os_file_check_plain(HANDLE file, uint64_t *size);

/*
 * Whether the file really is in the folder in which it was opened. Windows silently redirects old
 * 32-bit programs without a manifest to a folder of the user, which no reader searches.
 */
bool prfdata_os_place_is_inside(const prfdata_os_directory *directory, HANDLE file,
                                const prfdata_os_name *name);

/* Calls prfdata_os_account_is_own() for the owner of the file. */
bool prfdata_os_place_is_own_account(HANDLE file);

/* The account that owns the file; all bytes 0 if the handle lacks the right READ_CONTROL. */
void prfdata_os_file_account(HANDLE file, prfdata_os_account *account);

/* Map the whole file. `size` is the size of the file. */
uint32_t prfdata_os_region_map_section(HANDLE file, uint64_t size, bool writable, uint8_t **bytes);

#endif
