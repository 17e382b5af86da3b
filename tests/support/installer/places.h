/* SPDX-License-Identifier: MIT */
/* Makes paths and files, and says whether files and registry keys exist. Windows only. */
#ifndef PRFDATA_TESTS_PLACES_H
#define PRFDATA_TESTS_PLACES_H

#include <stdbool.h>
#include <wchar.h>

#include <windows.h>

/* Make the path of a file in a folder. `path` has room for MAX_PATH chars. */
void path_in(wchar_t *path, const wchar_t *folder, const wchar_t *name);

/* Make the path of a file next to this program. `path` has room for MAX_PATH chars. */
void path_beside(wchar_t *path, const wchar_t *name);

bool exists(const wchar_t *path);
bool exists_in(const wchar_t *folder, const wchar_t *name);

/* Write a file. An existing file is overwritten. */
void write_file(const wchar_t *path, const void *bytes, DWORD size);
/* Write a file of one byte. */
void write_file_in(const wchar_t *folder, const wchar_t *name);

/* Returns whether a key of HKEY_LOCAL_MACHINE exists. */
bool has_key(const wchar_t *path);

#endif
