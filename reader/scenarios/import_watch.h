/* SPDX-License-Identifier: MIT */
/*
 * Counts calls that a provider makes through its own imports and should not make: it closes a
 * handle that is not open, or a Collect writes a file, reports an event or asks for performance
 * data. Calls that another library makes for the provider are not noticed, nor calls while it is
 * being loaded.
 */
#ifndef PRFDATA_READER_IMPORT_WATCH_H
#define PRFDATA_READER_IMPORT_WATCH_H

#include <windows.h>

typedef enum prfdata_import {
    PRFDATA_IMPORT_BAD_CLOSE,  /* a handle that is not open is closed, by any thread */
    PRFDATA_IMPORT_FILE_WRITE, /* a Collect writes a file on a disk */
    PRFDATA_IMPORT_EVENT,      /* a Collect reports an event */
    PRFDATA_IMPORT_PERF_QUERY, /* a Collect asks HKEY_PERFORMANCE_DATA */
    PRFDATA_IMPORT_COUNT
} prfdata_import;

/* Watch a library that was just loaded, until it is unloaded. */
void prfdata_import_watch_begin(HMODULE module);

/* Return how often that happened since the last call with this kind. Threads: any. */
unsigned prfdata_import_watch_take(prfdata_import kind);

#endif
