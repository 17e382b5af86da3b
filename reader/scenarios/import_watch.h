/* SPDX-License-Identifier: MIT */
/*
 * Counts forbidden calls that a provider makes through its own imports. The provider should never
 * close a handle that is not open, set the default DLL directories of the process, or leave global
 * atoms. A Collect should not start a process or ask for performance data. A Collect should not
 * write a file, a registry value, an event, or a text for a debugger.
 *
 * Calls that other libraries make for the provider are not noticed, with one exception: a Collect
 * that writes a file through the C library (msvcrt.dll, ucrtbase.dll). Calls while the provider is
 * being loaded are not noticed.
 */
#ifndef PRFDATA_READER_IMPORT_WATCH_H
#define PRFDATA_READER_IMPORT_WATCH_H

#include <windows.h>

typedef enum prfdata_import {
    PRFDATA_IMPORT_BAD_CLOSE,   /* a handle that is not open is closed, by any thread */
    PRFDATA_IMPORT_DIRECTORIES, /* SetDefaultDllDirectories is called, by any thread */
    PRFDATA_IMPORT_FILE_WRITE,  /* a Collect writes a file on a disk */
    PRFDATA_IMPORT_EVENT,       /* a Collect reports an event */
    PRFDATA_IMPORT_PERF_QUERY,  /* a Collect asks HKEY_PERFORMANCE_DATA */
    PRFDATA_IMPORT_REGISTRY,    /* a Collect writes a value of the registry */
    PRFDATA_IMPORT_PROCESS,     /* a Collect starts a process */
    PRFDATA_IMPORT_DEBUG_TEXT,  /* a Collect writes a text for a debugger */
    PRFDATA_IMPORT_COUNT
} prfdata_import;

/* Watch a library that was just loaded, until it is unloaded. */
void prfdata_import_watch_begin(HMODULE module);

/* Return how many calls of this kind were noticed since this function was last called for this
 * kind. Threads: any. */
unsigned prfdata_import_watch_take(prfdata_import kind);

/* Return how many global atoms the watched libraries have added and not deleted. */
unsigned prfdata_import_watch_global_atoms(void);

#endif
