/* SPDX-License-Identifier: MIT */
/*
 * Watches what a library closes: its imports of CloseHandle lead here first, so that a handle that
 * is not open is noticed, and nothing else changes. The process's own setting for that, strict
 * handle checks, would fault in the system's libraries also.
 */
#ifndef PRFDATA_READER_HANDLE_WATCH_H
#define PRFDATA_READER_HANDLE_WATCH_H

#include <windows.h>

/* Watch a library that was just loaded, until it is unloaded. */
void prfdata_handle_watch_begin(HMODULE module);

/* How many handles it closed that were not open, since the last call. Threads: any. */
unsigned prfdata_handle_watch_take(void);

#endif
