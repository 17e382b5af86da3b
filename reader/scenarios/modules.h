/* SPDX-License-Identifier: MIT */
/* Finds DLLs that a provider has loaded, and that stay loaded after the provider was unloaded.
 * Windows only. */
#ifndef PRFDATA_READER_MODULES_H
#define PRFDATA_READER_MODULES_H

#include <stdbool.h>
#include <wchar.h>

/* Note which modules this process has. Call this before the provider is loaded for the first time;
 * later calls change nothing. */
void prfdata_modules_note(void);

/*
 * Find a module that was not noted and lies in the library's folder or below it. Modules elsewhere
 * are ignored, because the system and other programs load DLLs into any process. Nothing is found
 * if the library is in the system's folder.
 *
 * library  Full path.
 * path     Gets the module's path, if a module is found. Has room for `chars` characters.
 */
bool prfdata_modules_find_new(const wchar_t *library, wchar_t *path, size_t chars);

#endif
