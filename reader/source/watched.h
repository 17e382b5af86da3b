/* SPDX-License-Identifier: MIT */
/*
 * The state of the process and of the thread that a provider must leave as it was: one table of
 * what is read before a call and after it. caller.h reads processor, priority and error modes,
 * because it needs more of them than whether they changed. Windows only.
 */
#ifndef PRFDATA_READER_WATCHED_H
#define PRFDATA_READER_WATCHED_H

#include <stdbool.h>
#include <stdint.h>

typedef enum prfdata_watched {
    PRFDATA_WATCHED_TOKEN,
    PRFDATA_WATCHED_COM,
    PRFDATA_WATCHED_LOCALE,
    PRFDATA_WATCHED_THREAD_AFFINITY,
    PRFDATA_WATCHED_LANGUAGE,
    PRFDATA_WATCHED_FIBER,
    PRFDATA_WATCHED_AWAKE,
    PRFDATA_WATCHED_DIRECTORY,
    PRFDATA_WATCHED_PRIORITY_CLASS,
    PRFDATA_WATCHED_AFFINITY,
    PRFDATA_WATCHED_PRIVILEGES,
    PRFDATA_WATCHED_LIBRARY_FOLDER,
    PRFDATA_WATCHED_ENVIRONMENT,
    PRFDATA_WATCHED_STANDARD_HANDLES,
    PRFDATA_WATCHED_OUTPUT,
    PRFDATA_WATCHED_C_LOCALE,
    PRFDATA_WATCHED_COUNT
} prfdata_watched;

/* By prfdata_watched: numbers, or hashes of texts. */
typedef struct prfdata_watched_values {
    uint64_t of[PRFDATA_WATCHED_COUNT];
} prfdata_watched_values;

/* "the current directory". */
const char *prfdata_watched_name(prfdata_watched watched);

/* Whether it is the thread's, not the process's. */
bool prfdata_watched_is_of_thread(prfdata_watched watched);

/*
 * From now on standard output is a file that goes with this process, and its size is watched: a
 * reader's own output would be spoiled by what a provider writes. For a process that writes nothing
 * there itself. Where no file can be made, it is not watched.
 */
void prfdata_watched_begin_output(void);

/* Read what the process and this thread have now. */
void prfdata_watched_read(prfdata_watched_values *values);

/* Give this thread and the process back what they had, where a number says what that was. */
void prfdata_watched_restore(const prfdata_watched_values *before,
                             const prfdata_watched_values *after);

#endif
