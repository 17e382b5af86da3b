/* SPDX-License-Identifier: MIT */
/*
 * Copies a provider DLL to a file next to it. The copy is registered instead of the DLL that came
 * with the program, so readers never hold the program's DLL open. The copy's name ends with a hash
 * of its content, so an upgrade never replaces a file that readers have loaded. Windows only.
 */
#ifndef PRFDATA_DLL_COPY_H
#define PRFDATA_DLL_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

#include "report/report.h"

/*
 * Make the path of a DLL's copy: `<service>Prf-<16 hexadecimal digits>.dll` in the DLL's folder.
 *
 * dll, bytes, size  The path of the DLL, and its content.
 * path              Room for MAX_PATH.
 *
 * Returns ERROR_SUCCESS or ERROR_FILENAME_EXCED_RANGE.
 */
uint32_t prfdata_dll_copy_path(const wchar_t *service, const wchar_t *dll, const void *bytes,
                               size_t size, wchar_t *path);

typedef enum prfdata_dll_copy_change {
    PRFDATA_DLL_COPY_SAME,
    PRFDATA_DLL_COPY_MADE,
    PRFDATA_DLL_COPY_REPAIRED /* a file of this name had other bytes */
} prfdata_dll_copy_change;

/*
 * Write the copy, unless it exists with these bytes. The file gets its name when it is complete.
 * After a failure, an older file of this name is still there.
 *
 * change  Untouched on failure.
 *
 * Returns ERROR_SUCCESS or the system's error.
 */
uint32_t prfdata_dll_copy_make(const wchar_t *path, const void *bytes, size_t size,
                               prfdata_dll_copy_change *change);

/*
 * Remove the copies of the service in the folder of `place`, and the files that an interrupted
 * installation left there. A copy that readers have loaded is renamed. Each file is reported.
 *
 * place          The path of any file in that folder. If it is "" or has no folder, nothing is
 *                done.
 * keep           The path of the copy that stays, or "".
 * is_last_sweep  Whether this folder is swept for the last time. If so, Windows is asked to delete
 *                loaded copies at its next restart; otherwise the next sweep deletes them.
 *
 * Returns the number of removed files.
 */
size_t prfdata_dll_copy_sweep(const wchar_t *service, const wchar_t *place, const wchar_t *keep,
                              bool is_last_sweep, const prfdata_report *report);

#endif
