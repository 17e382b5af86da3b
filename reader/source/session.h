/* SPDX-License-Identifier: MIT */
/*
 * What all tasks of prfread share: the options, where samples come from, what their titles mean,
 * and what went wrong so far, which becomes the exit code.
 */
#ifndef PRFDATA_READER_SESSION_H
#define PRFDATA_READER_SESSION_H

#include "os/console.h"
#include "prfread/options.h"
#include "text/output.h"
#include "block/sample.h"
#include "source/source.h"

typedef struct prfdata_session {
    prfdata_options options;
    prfdata_source *source;
    prfdata_titles titles;
    uint16_t computer_chars[256];
    prfdata_text computer;
    prfdata_console_file out; /* standard output, or the file of -o while it is open */
    uint32_t wanted;          /* paths or objects asked for */
    uint32_t not_found;       /* of these */
    bool system_failed;
    bool damaged;
} prfdata_session;

/* The title indexes to ask for. {0} is the empty set. */
typedef struct prfdata_index_set {
    uint32_t *items; /* for free() */
    size_t count;
    size_t capacity;
} prfdata_index_set;

/* Whether a path means this computer; an empty name does. */
bool prfdata_session_is_here(const prfdata_session *session, prfdata_text computer);

/* Add an index that may be there already; false: no memory. */
bool prfdata_session_add_index(prfdata_index_set *set, uint32_t index);

/*
 * Add every title index that `name` may mean, in the first way in which it means any; false if
 * there is none.
 */
bool prfdata_session_add_object(const prfdata_session *session, prfdata_index_set *set,
                                prfdata_text name);

/*
 * Take a sample without a word about it.
 *
 * sample  On success a new one, damaged or not; untouched on failure.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or what prfdata_source_take() returns; failures
 *         are remembered in the session.
 */
uint32_t prfdata_session_take_silently(prfdata_session *session, const uint16_t *query,
                                       prfdata_sample **sample);

/* Take a sample; NULL if there is none. Failures and damage are told, once each. */
prfdata_sample *prfdata_session_take(prfdata_session *session, const uint16_t *query);

/*
 * Take a sample of the objects of the set ("Global" if it is empty), and again as long as that
 * brings new objects to light that are parents in it.
 *
 * query  NULL, or what the call before gave for this set. On success what to ask for from now on;
 *        for free(). On failure NULL.
 */
prfdata_sample *prfdata_session_take_first(prfdata_session *session, prfdata_index_set *set,
                                           uint16_t **query);

/* Let `out` be the file of -o, if there is one. Failure is told, and false. */
bool prfdata_session_open_out(prfdata_session *session);

/* Let `out` be standard output again. Failure is told. */
void prfdata_session_close_out(prfdata_session *session);

/* Write what was collected to `out` and forget it. Failure is told, and false. */
bool prfdata_session_flush(prfdata_session *session, prfdata_output *output);

#endif
