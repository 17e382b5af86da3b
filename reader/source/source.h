/* SPDX-License-Identifier: MIT */
/*
 * Gives performance data of the system, of a provider DLL, of a service's regions or of a file.
 * Every kind of source gives PERF_DATA_BLOCKs and the titles that go with them, in the same way.
 */
#ifndef PRFDATA_READER_SOURCE_H
#define PRFDATA_READER_SOURCE_H

#include "block/sample.h"
#include "block/titles.h"
#include "text/messages.h"
#include "text/output.h"

typedef struct prfdata_source prfdata_source;

/* The title indexes of a service's objects and counters: those from `first` to `last`. */
typedef struct prfdata_source_titles {
    uint32_t first; /* not 0 */
    uint32_t last;
} prfdata_source_titles;

/* The functions of a kind of source. */
typedef struct prfdata_source_kind {
    /* As prfdata_source_take() and so on describe them. */
    uint32_t (*take)(prfdata_source *source, const uint16_t *query, void **bytes, size_t *size);
    uint32_t (*load_titles)(prfdata_source *source, prfdata_titles *titles);
    void (*close)(prfdata_source *source);
    bool is_recorded; /* its samples need no waiting, and end with ERROR_NO_MORE_ITEMS */
    uint32_t (*load_helps)(prfdata_source *source, prfdata_titles *titles); /* NULL: it has none */
    size_t (*computer)(prfdata_source *source, uint16_t *chars,
                       size_t capacity); /* NULL: this one's */
    uint32_t (*load_objects)(prfdata_source *source,
                             prfdata_name_table *objects);                /* NULL: all are meant */
    uint32_t (*load_ids)(prfdata_source *source, prfdata_titles *titles); /* NULL: it has none */
    uint32_t (*find_service)(prfdata_source *source, prfdata_text service,
                             prfdata_source_titles *titles); /* NULL: it knows no services */
    bool (*explain_absence)(prfdata_source *source, prfdata_text object,
                            prfdata_output *output);  /* NULL: it knows no reasons */
    uint64_t (*titles_stamp)(prfdata_source *source); /* NULL: its titles never change */
    /* Set which objects the sample that was taken last need not have; NULL: it was asked for all.
     */
    void (*note_elsewhere)(prfdata_source *source, prfdata_sample *sample);
} prfdata_source_kind;

/* The first member of the struct of every kind of source. */
struct prfdata_source {
    const prfdata_source_kind *kind;
    prfdata_messages *messages; /* what it has to report; borrowed; NULL: that is not wanted */
    uint32_t failure;           /* of a part of what was asked for, which was reported; or 0 */
    uint64_t deadline_ms;       /* when the answer must be there, by prfdata_os_milliseconds(); set
                                   by who takes samples; 0: no such time. Only sources that ask
                                   another process keep it. */
    uint32_t left_out;          /* providers that gave nothing for the last sample: they crashed, or
                                   did not answer in time; this is reported too */
    bool is_damaged;            /* something that it gave is damaged, which was reported */
    bool is_cut_short; /* a file ends too early, which was reported: other damage follows from it */
};

/*
 * Take a sample.
 *
 * query  "Global", or title indexes in decimal with blanks between them; NUL-terminated. A sample
 *        may hold more than was asked for.
 * bytes  On success a PERF_DATA_BLOCK; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, ERROR_NO_MORE_ITEMS (a recorded source is at its
 *         end), ERROR_INVALID_DATA (what the provider said about its reply is wrong, which was
 *         reported) or the system's or the provider's error.
 * Owner:   the caller; free().
 * Threads: one at a time.
 */
uint32_t prfdata_source_take(prfdata_source *source, const uint16_t *query, void **bytes,
                             size_t *size);

/*
 * Add the names that the source knows, in English and in the user's language.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or why there are none.
 */
uint32_t prfdata_source_load_titles(prfdata_source *source, prfdata_titles *titles);

/*
 * Get a number that is another one when titles may have changed: an installation wrote the title
 * database, or the service.
 */
uint64_t prfdata_source_titles_stamp(prfdata_source *source);

/*
 * Add the help texts that the source knows, and what our maps say of metrics. They take longer than
 * the names, and few readers need them.
 * Returns what prfdata_source_load_titles() returns; ERROR_SUCCESS if it never knows any.
 */
uint32_t prfdata_source_load_helps(prfdata_source *source, prfdata_titles *titles);

/*
 * Add the objects to read if the user names none. Of the system these are those of PrfData's
 * services: "Global" would call every provider of the computer.
 *
 * is_all  Set: to true, and nothing is added, if all objects of the source are meant.
 * Returns ERROR_SUCCESS (also if there is none), ERROR_NOT_ENOUGH_MEMORY or the registry's error.
 */
uint32_t prfdata_source_load_objects(prfdata_source *source, prfdata_name_table *objects,
                                     bool *is_all);

/*
 * Add the ids of the titles of PrfData's services, whose names are loaded.
 * Returns ERROR_SUCCESS (also if there is none), ERROR_NOT_ENOUGH_MEMORY or the registry's error.
 */
uint32_t prfdata_source_load_ids(prfdata_source *source, prfdata_titles *titles);

/*
 * Find the titles of a service, of any product.
 *
 * titles  Set on success.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (no service of this name has counters) or
 *         ERROR_NOT_SUPPORTED (the source does not know whose its objects are).
 */
uint32_t prfdata_source_find_service(prfdata_source *source, prfdata_text service,
                                     prfdata_source_titles *titles);

/*
 * Say why no provider shows an object, if it is one of PrfData's.
 *
 * output  Gets a part of a sentence; what is missing in it for lack of memory is left out.
 *
 * Returns whether anything is known.
 */
bool prfdata_source_explain_absence(prfdata_source *source, prfdata_text object,
                                    prfdata_output *output);

/* Get the name of the computer that the data is of; at most `capacity` chars. Returns how many. */
size_t prfdata_source_computer(prfdata_source *source, uint16_t *chars, size_t capacity);

/* Release the source; NULL is allowed. */
void prfdata_source_close(prfdata_source *source);

/* ---- The kinds ---- */

/*
 * Each takes `messages`, which gets what is wrong or doubtful, on opening and later; borrowed until
 * the source is closed. NULL: that is not wanted.
 */

/*
 * The system: RegQueryValueEx on HKEY_PERFORMANCE_DATA. Windows only.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_source_open_system(prfdata_messages *messages, prfdata_source **source);

/* How the providers of the system are asked in another process. */
typedef struct prfdata_source_apart {
    uint32_t limit_ms;      /* that an answer may take */
    uint32_t again_ms;      /* until a provider that was left out is asked again */
    const wchar_t *program; /* which is started for it, as child.h says; NULL: this one; borrowed */
} prfdata_source_apart;

/*
 * The same in another process, which a provider that crashes or hangs takes along. It is reported,
 * with every sample, and left out of this and further ones, until it answers a question that it is
 * asked now and then, for which nobody waits. A sample fails with ERROR_BROKEN_PIPE or
 * ERROR_TIMEOUT, which is also the source's `failure`, if nothing is left, and with ERROR_CANCELLED
 * after the request of os/stop.h. If no process can be started, which is reported, samples are
 * taken in this one. Windows only.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_source_open_apart(const prfdata_source_apart *how, prfdata_messages *messages,
                                   prfdata_source **source);

/*
 * Another computer's system, by its service Remote Registry. Windows only.
 *
 * computer  Its name, without backslashes.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or why it cannot be connected to, which is
 *         reported.
 */
uint32_t prfdata_source_open_computer(prfdata_text computer, prfdata_messages *messages,
                                      prfdata_source **source);

/* The titles of this computer, for sources of live data. Windows only. */
uint32_t prfdata_source_load_system_titles(prfdata_source *source, prfdata_titles *titles);
uint32_t prfdata_source_load_system_objects(prfdata_source *source, prfdata_name_table *objects);
bool prfdata_source_explain_system_absence(prfdata_source *source, prfdata_text object,
                                           prfdata_output *output);
uint32_t prfdata_source_load_system_helps(prfdata_source *source, prfdata_titles *titles);
uint32_t prfdata_source_load_system_ids(prfdata_source *source, prfdata_titles *titles);
uint64_t prfdata_source_system_titles_stamp(prfdata_source *source);

/* prfdata_source_find_service() of this computer's registry. Windows only. */
uint32_t prfdata_source_find_system_service(prfdata_source *source, prfdata_text service,
                                            prfdata_source_titles *titles);

/* A provider DLL and how to call it. All texts are borrowed. */
typedef struct prfdata_source_dll {
    prfdata_text name;           /* the DLL's path, or a service whose Library it is */
    prfdata_text open_export;    /* the names of its functions; empty: as registered, or */
    prfdata_text collect_export; /* PrfDataOpen, PrfDataCollect and PrfDataClose */
    prfdata_text close_export;

    /*
     * Called when the DLL faults, in the thread that it faulted in: write the text, a sentence in
     * UTF-8, and end the process. It may neither allocate memory nor take a lock.
     */
    void (*fault)(const char *text);
} prfdata_source_dll;

/*
 * A provider DLL, called in this process as the system calls it: Open, Collect, Close. A fault of
 * the DLL is one of this process, and ends it. Windows only.
 *
 * dll  Its texts are borrowed until the source is closed.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_NOT_ENOUGH_MEMORY, or why it cannot be loaded
 *         or opened.
 */
uint32_t prfdata_source_open_dll(const prfdata_source_dll *dll, prfdata_messages *messages,
                                 prfdata_source **source);

/*
 * The region files of a service's programs, read by the provider's own code: neither perflib nor
 * titles are needed. Names and help texts are those of the service's map; title indexes are the
 * installed ones, else 2, 4, ... What is left out of replies is also reported.
 *
 * service  Borrowed until the source is closed.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (no service, no map or no folder),
 *         ERROR_ACCESS_DENIED, ERROR_INVALID_NAME, ERROR_INVALID_DATA (the map or the folder's
 *         path is damaged), ERROR_REVISION_MISMATCH or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_source_open_regions(prfdata_text service, prfdata_messages *messages,
                                     prfdata_source **source);

/*
 * Saved blocks: one, or (`newer` not empty) two of one computer, which come in this order.
 *
 * older, newer  Paths; borrowed until the source is closed.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (one is no saved block, or its header is damaged),
 *         ERROR_INVALID_PARAMETER (values computed from both would be wrong: they are of two
 *         computers, or title indexes changed between them), ERROR_MORE_DATA (one is too large),
 *         ERROR_NOT_ENOUGH_MEMORY or the system's error.
 */
uint32_t prfdata_source_open_files(prfdata_text older, prfdata_text newer,
                                   prfdata_messages *messages, prfdata_source **source);

#endif
