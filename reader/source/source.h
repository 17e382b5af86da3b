/* SPDX-License-Identifier: MIT */
/*
 * Provides performance data of the system, of another computer, of a provider DLL, of a service's
 * regions or of a file. Every kind of source returns PERF_DATA_BLOCKs and the titles that belong to
 * them, through the same functions.
 */
#ifndef PRFDATA_READER_SOURCE_H
#define PRFDATA_READER_SOURCE_H

#include "block/sample.h"
#include "block/titles.h"
#include "text/messages.h"
#include "text/output.h"

typedef struct prfdata_source prfdata_source;

/* A range of title indexes, both ends included. A service's objects and counters have every second
 * index, and their help texts have those between. */
typedef struct prfdata_source_titles {
    uint32_t first; /* not 0 */
    uint32_t last;
} prfdata_source_titles;

/* The functions of a kind of source. `take`, `load_titles` and `close` are never NULL. */
typedef struct prfdata_source_kind {
    /* See prfdata_source_take() and the functions after it. */
    uint32_t (*take)(prfdata_source *source, const uint16_t *query, void **bytes, size_t *size);
    uint32_t (*load_titles)(prfdata_source *source, prfdata_titles *titles);
    void (*close)(prfdata_source *source);
    bool is_recorded; /* samples come without waiting, and end with ERROR_NO_MORE_ITEMS */
    uint32_t (*load_helps)(prfdata_source *source,
                           prfdata_titles *titles); /* NULL: no help texts */
    size_t (*computer)(prfdata_source *source, uint16_t *chars,
                       size_t capacity); /* NULL: the name of this computer */
    uint32_t (*load_objects)(prfdata_source *source,
                             prfdata_name_table *objects); /* NULL: read all objects */
    uint32_t (*load_ids)(prfdata_source *source, prfdata_titles *titles); /* NULL: no ids */
    uint32_t (*find_service)(prfdata_source *source, prfdata_text service,
                             /* NULL: this kind does not know to which services objects belong */
                             prfdata_source_titles *titles);
    bool (*explain_absence)(prfdata_source *source, prfdata_text object,
                            /* NULL: this kind never knows why an object is missing */
                            prfdata_output *output);
    uint64_t (*titles_stamp)(prfdata_source *source); /* NULL: titles of this kind never change */
    /*
     * Note in the newest sample which objects it may lack, and whether there is a gap before it.
     * NULL: this kind never has anything to note.
     */
    void (*note_sample)(prfdata_source *source, prfdata_sample *sample);
} prfdata_source_kind;

/* The first member of the struct of every kind of source. */
struct prfdata_source {
    const prfdata_source_kind *kind;
    prfdata_messages *messages; /* for the source's reports; borrowed; NULL: not wanted */
    uint32_t failure;     /* status of the last failed part of a question, already reported; not
                             changed by later successes; 0: none failed */
    uint64_t deadline_ms; /* deadline for the answer, by prfdata_os_milliseconds(); set by the
                             caller that takes samples; 0: none. Only sources that ask another
                             process observe it. */
    uint32_t left_out; /* number of providers without data in the last sample because they crashed
                          or did not answer in time; also reported */
    bool is_damaged;   /* some data of the source is damaged; already reported */
    bool is_cut_short; /* a file ends within its first block, which explains other damage; already
                          reported */
};

/*
 * Take a sample.
 *
 * query  "Global", or title indexes in decimal with blanks between them; NUL-terminated. A sample
 *        may hold more than was asked for.
 * bytes  On success a PERF_DATA_BLOCK; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, ERROR_NO_MORE_ITEMS (a recorded source is at its
 * end), ERROR_INVALID_DATA (the provider described its reply incorrectly, or a file became shorter)
 * or the system's or the provider's error. Owner: the caller; free(). Threads: one at a time.
 */
uint32_t prfdata_source_take(prfdata_source *source, const uint16_t *query, void **bytes,
                             size_t *size);

/*
 * Add the names that the source knows, in English and in the user's language.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or the reason why there are none.
 */
uint32_t prfdata_source_load_titles(prfdata_source *source, prfdata_titles *titles);

/*
 * Get a number that changes when an installation may have changed titles. For another computer,
 * only writes to its title database are noticed. The number is 0 if the titles never change.
 */
uint64_t prfdata_source_titles_stamp(prfdata_source *source);

/*
 * Add the help texts and the metrics of PrfData's maps, as far as the source knows them. Loading
 * them takes longer than loading names, and few readers need them. Returns what
 * prfdata_source_load_titles() returns; ERROR_SUCCESS if this kind of source has none.
 */
uint32_t prfdata_source_load_helps(prfdata_source *source, prfdata_titles *titles);

/*
 * Add the objects to read if the user names none. For the system, these are the objects of
 * PrfData's services, because "Global" would call every provider of the computer.
 *
 * is_all  Set to true, and no object is added, if all objects of the source must be read.
 * Returns ERROR_SUCCESS (even if there is none), ERROR_NOT_ENOUGH_MEMORY or the registry's error.
 */
uint32_t prfdata_source_load_objects(prfdata_source *source, prfdata_name_table *objects,
                                     bool *is_all);

/*
 * Add the ids of those titles of PrfData's services whose names are loaded.
 * Returns ERROR_SUCCESS (even if there is none), ERROR_NOT_ENOUGH_MEMORY or the registry's error.
 */
uint32_t prfdata_source_load_ids(prfdata_source *source, prfdata_titles *titles);

/*
 * Find the titles of a service, of any product.
 *
 * titles  Set on success.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (no service of this name has counters) or
 * ERROR_NOT_SUPPORTED (the source does not know to which services its objects belong).
 */
uint32_t prfdata_source_find_service(prfdata_source *source, prfdata_text service,
                                     prfdata_source_titles *titles);

/*
 * Say why no provider shows an object, as far as the source knows.
 *
 * output  Gets a part of a message. Without memory, parts of it are left out.
 *
 * Returns whether anything is known.
 */
bool prfdata_source_explain_absence(prfdata_source *source, prfdata_text object,
                                    prfdata_output *output);

/* Get the name of the computer that the data comes from; at most `capacity` chars. Returns the
 * number of chars. */
size_t prfdata_source_computer(prfdata_source *source, uint16_t *chars, size_t capacity);

/* Release the source; NULL is allowed. */
void prfdata_source_close(prfdata_source *source);

/* ---- The kinds ---- */

/*
 * The `messages` of the following functions get errors and warnings, on opening and later. They are
 * borrowed until the source is closed. NULL: not wanted.
 */

/*
 * Open the system: RegQueryValueEx on HKEY_PERFORMANCE_DATA. Windows only.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_source_open_system(prfdata_messages *messages, prfdata_source **source);

/* Settings for asking the system's providers in another process. */
typedef struct prfdata_source_apart {
    uint32_t limit_ms;      /* longest duration of an answer; the first answer of a process has at
                               least PRFDATA_WORKERS_FIRST_MS */
    uint32_t again_ms;      /* time until a provider that was left out is asked again */
    const wchar_t *program; /* program to start for the other process, see child.h; NULL: this
                               program; borrowed */
} prfdata_source_apart;

/*
 * Open the system through another process, so that a provider that crashes or hangs takes down only
 * that process. Such a provider is reported with every sample, and left out of this sample and
 * later ones until it answers. It is asked again from time to time, without delaying anyone. If no
 * provider is left, a sample fails with ERROR_BROKEN_PIPE or ERROR_TIMEOUT, which is also the
 * source's `failure`. After a stop is requested (os/stop.h), samples fail with ERROR_CANCELLED. If
 * no process can be started, which is reported, samples are taken in this process. Windows only.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_source_open_apart(const prfdata_source_apart *how, prfdata_messages *messages,
                                   prfdata_source **source);

/*
 * Open another computer's system through its Remote Registry service. Windows only.
 *
 * computer  The computer's name, without backslashes.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or the reason why it cannot be reached, which is
 * reported.
 */
uint32_t prfdata_source_open_computer(prfdata_text computer, prfdata_messages *messages,
                                      prfdata_source **source);

/* Each function does for this computer's registry what the function without "system" in its name
 * does. Windows only. */
uint32_t prfdata_source_load_system_titles(prfdata_source *source, prfdata_titles *titles);
uint32_t prfdata_source_load_system_objects(prfdata_source *source, prfdata_name_table *objects);
bool prfdata_source_explain_system_absence(prfdata_source *source, prfdata_text object,
                                           prfdata_output *output);
uint32_t prfdata_source_load_system_helps(prfdata_source *source, prfdata_titles *titles);
uint32_t prfdata_source_load_system_ids(prfdata_source *source, prfdata_titles *titles);
uint64_t prfdata_source_system_titles_stamp(prfdata_source *source);
uint32_t prfdata_source_find_system_service(prfdata_source *source, prfdata_text service,
                                            prfdata_source_titles *titles);

/* A provider DLL and how to call it. All strings are borrowed. */
typedef struct prfdata_source_dll {
    prfdata_text name;        /* path of the DLL, or name of a service whose Library is the DLL */
    prfdata_text open_export; /* names of its functions; empty: the registered names, or the
                                 defaults of prfdata_registration_of_dll() */
    prfdata_text collect_export;
    prfdata_text close_export;

    /*
     * Called if the DLL faults, in the thread that faulted. Write `text`, a message in UTF-8, and
     * end the process. The function must neither allocate memory nor take a lock.
     */
    void (*fault)(const char *text);
} prfdata_source_dll;

/*
 * Returns whether the text after -dll may name a file: it has a folder or a drive, or ends in .dll.
 * Any other text means a service, even if the current folder has a file of this name, because
 * another program may have put the file there.
 */
bool prfdata_source_dll_may_be_file(prfdata_text name);

/*
 * Open a provider DLL, which is called in this process as the system calls it: Open, Collect,
 * Close. A fault of the DLL is a fault of this process and ends it. Windows only.
 *
 * dll  Its strings are borrowed until the source is closed.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_NOT_ENOUGH_MEMORY, or the reason why it cannot
 * be loaded or opened.
 */
uint32_t prfdata_source_open_dll(const prfdata_source_dll *dll, prfdata_messages *messages,
                                 prfdata_source **source);

/*
 * Open the region files of a service's programs. The provider's own code reads them; neither
 * perflib nor titles are needed. Names and help texts come from the service's map; title indexes
 * are the installed ones, otherwise 2, 4, ... Regions that are left out of replies are reported.
 *
 * service  Borrowed until the source is closed.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND or ERROR_PATH_NOT_FOUND (no service, no map or no
 * folder), ERROR_ACCESS_DENIED, ERROR_INVALID_NAME, ERROR_INVALID_DATA (the map or the folder's
 * path is damaged), ERROR_REVISION_MISMATCH, ERROR_NOT_ENOUGH_MEMORY or the system's error.
 */
uint32_t prfdata_source_open_regions(prfdata_text service, prfdata_messages *messages,
                                     prfdata_source **source);

/*
 * Open saved blocks: one file; or, if `newer` is not empty, two files of one computer, the older
 * one first.
 *
 * older, newer  Paths; borrowed until the source is closed.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (one is no saved block, or its header is damaged),
 * ERROR_INVALID_PARAMETER (values computed from both would be incorrect, see file_pair.h),
 * ERROR_MORE_DATA (one is too large, and not a file on a disk), ERROR_NOT_ENOUGH_MEMORY or the
 * system's error.
 */
uint32_t prfdata_source_open_files(prfdata_text older, prfdata_text newer,
                                   prfdata_messages *messages, prfdata_source **source);

#endif
