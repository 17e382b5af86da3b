/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes values of open registry keys: numbers, texts, bytes. service_key.h knows the
 * values of a service. Windows only.
 */
#ifndef PRFDATA_REGISTRY_H
#define PRFDATA_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/error.h>

/*
 * Read a REG_DWORD.
 *
 * number  Untouched on failure.
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_INVALID_DATA (another type), or what the
 *         system answered.
 */
uint32_t prfdata_registry_number(HKEY key, const wchar_t *name, DWORD *number);

uint32_t prfdata_registry_set_number(HKEY key, const wchar_t *name, DWORD number);

/*
 * Read a REG_SZ or a REG_EXPAND_SZ, not expanded. Returns false, with "", if it is absent, too long
 * or of another type.
 */
bool prfdata_registry_text(HKEY key, const wchar_t *name, wchar_t *text, size_t capacity);

/*
 * Read a path as the system uses it: a REG_SZ unchanged, a REG_EXPAND_SZ expanded.
 *
 * path  Room for MAX_PATH. On ERROR_FILENAME_EXCED_RANGE it is the registered text, on
 *       ERROR_FILE_NOT_FOUND "".
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (absent, too long or of another type) or
 *         ERROR_FILENAME_EXCED_RANGE (too long when it is expanded).
 */
uint32_t prfdata_registry_path(HKEY key, const wchar_t *name, wchar_t *path);

/*
 * Read a value of any type.
 *
 * data  On success new memory of `size` bytes; owner: the caller, free(). Untouched on failure.
 */
uint32_t prfdata_registry_value(HKEY key, const wchar_t *name, DWORD *type, BYTE **data,
                                DWORD *size);

bool prfdata_registry_has(HKEY key, const wchar_t *name, DWORD type, const void *data, size_t size);

/* Count the subkeys and values of a key. Returns false on failure. */
bool prfdata_registry_count(HKEY key, DWORD *subkeys, DWORD *values);

bool prfdata_registry_is_empty(HKEY key);

#endif
