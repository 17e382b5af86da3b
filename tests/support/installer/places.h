/* SPDX-License-Identifier: MIT */
/* Where things are on Windows: files in folders, keys. Windows only. */
#ifndef PRFDATA_TESTS_PLACES_H
#define PRFDATA_TESTS_PLACES_H

#include <stdbool.h>
#include <wchar.h>

#include <windows.h>

/* The path of a file in a folder. path  Room for MAX_PATH. */
void path_in(wchar_t *path, const wchar_t *folder, const wchar_t *name);

/* The path of a file beside this program. path  Room for MAX_PATH. */
void path_beside(wchar_t *path, const wchar_t *name);

bool exists(const wchar_t *path);
bool exists_in(const wchar_t *folder, const wchar_t *name);

/* Whether there is a key of HKEY_LOCAL_MACHINE. */
bool has_key(const wchar_t *path);

#endif
