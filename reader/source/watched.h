/* SPDX-License-Identifier: MIT */
/*
 * Lists the state that a provider must not change in the process and the thread, reads this state,
 * and restores a part of it. caller.c reads the processor state, priority and error modes itself,
 * because it needs their values, not only whether they changed. Windows only.
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
    PRFDATA_WATCHED_WAITING_CALLS,
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

/* Indexed by prfdata_watched: the state itself if it is a number, otherwise a hash of it. */
typedef struct prfdata_watched_values {
    uint64_t of[PRFDATA_WATCHED_COUNT];
} prfdata_watched_values;

/* Return the name, such as "the current directory". */
const char *prfdata_watched_name(prfdata_watched watched);

/* Returns whether the state belongs to the thread; otherwise it belongs to the process. */
bool prfdata_watched_is_of_thread(prfdata_watched watched);

/*
 * Make standard output a temporary file, and watch the file's size. A provider must write nothing
 * there, because its output would be mixed with a reader's own output. The file is deleted when
 * this process ends. Call this only in a process that itself writes nothing to standard output. If
 * no file can be made, the output is not watched.
 */
void prfdata_watched_begin_output(void);

/* Read the current values of the process and this thread. */
void prfdata_watched_read(prfdata_watched_values *values);

/* Restore the values that have changed, if the recorded number is enough to restore them. */
void prfdata_watched_restore(const prfdata_watched_values *before,
                             const prfdata_watched_values *after);

#endif
