/* SPDX-License-Identifier: MIT */
/*
 * Reads one source: keeps the source, its titles, and what has failed so far. It reports failures
 * as statuses and messages, which each program shows in its own way.
 */
#ifndef PRFDATA_READER_SESSION_H
#define PRFDATA_READER_SESSION_H

#include "block/sample.h"
#include "block/title_set.h"
#include "source/source.h"

typedef struct prfdata_session {
    prfdata_source *source; /* owned */
    prfdata_titles titles;
    uint16_t computer_chars[256];
    prfdata_text computer;
    prfdata_messages *messages; /* borrowed; NULL: not wanted */
    bool is_damaged;   /* a sample was damaged, or a provider described its reply incorrectly */
    bool is_misplaced; /* a sample had the misplaced layout that Wine makes, in which readers find
                          no objects */
    uint32_t failure;  /* the first failure of a sample, or of a part of a sample (source->failure);
                          ERROR_SUCCESS: none. ERROR_INVALID_DATA sets is_damaged instead. */
    bool is_cancelled; /* a sample was not awaited, because the program is about to end */
    bool has_helps;    /* prfdata_session_load_helps() was called */
    uint64_t (*clock_ms)(void); /* prfdata_os_milliseconds(); tests replace it */
    uint64_t titles_stamp;      /* the source's stamp before the last attempt to load titles */
    bool is_unsettled;          /* compare titles again, because an installation may be running */
    uint64_t titles_due_ms;     /* earliest time of the next comparison */
    uint64_t settled_ms; /* titles are compared until a comparison succeeds at this time or later */
} prfdata_session;

/*
 * Begin to read a source.
 *
 * source    The session takes ownership.
 * messages  Borrowed. If the names cannot be read, this is reported and indexes are shown instead.
 */
void prfdata_session_open(prfdata_session *session, prfdata_source *source,
                          prfdata_messages *messages);

/* Load help texts and metrics as well, now and whenever titles are loaded. Returns what
 * prfdata_source_load_helps() returns. */
uint32_t prfdata_session_load_helps(prfdata_session *session);

/*
 * Load the titles again if they may have changed. Call this after each sample, because the titles
 * of the sample's objects are installed by then. After the session was opened, and after each
 * change of the stamp, the titles are compared once a second. The comparisons end when one
 * succeeds after at least two seconds, because an installer needs time.
 *
 * found  Set to the new titles; owner: the caller.
 *
 * Returns false if the titles are the same, or cannot be read at the moment.
 */
bool prfdata_session_find_changed_titles(prfdata_session *session, prfdata_titles *found);

/*
 * Do what prfdata_session_find_changed_titles() does, and put the new titles into the session, at
 * the same address and with another version. Returns false if they have not changed.
 */
bool prfdata_session_renew_titles(prfdata_session *session);

/* Close the source and release everything; {0} is allowed. */
void prfdata_session_close(prfdata_session *session);

/* Returns whether anything that was read is damaged. */
bool prfdata_session_is_damaged(const prfdata_session *session);

/* The message for a path that names another computer than the one that is read. */
#define PRFDATA_SESSION_ONE_COMPUTER                                                               \
    "counters of another computer are read with -s, those of one computer at a time"

/*
 * Returns whether this is a name such as localhost, by which every computer means itself. In a
 * recording, such a name means the recorded computer.
 */
bool prfdata_session_is_name_everywhere(prfdata_text computer);

/* Returns whether this is a name of the computer that the program runs on. True for an empty
 * name. */
bool prfdata_session_is_local(prfdata_text computer);

/* Returns whether a path's computer is the one that is read. True for an empty name. If a file is
 * read, also true for names that every computer has. */
bool prfdata_session_is_here(const prfdata_session *session, prfdata_text computer);

/*
 * Return the problem of an object that was not found. The text has static storage.
 *
 * is_titled  Whether any title has the object's name.
 * output     Empty at first. Gets the whole message if the source knows why no provider shows the
 *            object. NULL: do not search for a reason.
 */
const char *prfdata_session_absence(const prfdata_session *session, prfdata_text object,
                                    bool is_titled, prfdata_output *output);

/*
 * Take a sample. Failures and damage are reported, and remembered in the session. Two outcomes are
 * not failures: a recorded source is at its end, or the user ends the program during the call.
 *
 * query   As for prfdata_source_take().
 * sample  On success a new one, damaged or not; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or what prfdata_source_take() returns. Owner: the
 * caller; release with prfdata_sample_free().
 */
uint32_t prfdata_session_take(prfdata_session *session, const uint16_t *query,
                              prfdata_sample **sample);

/*
 * Take a sample of the objects of the set ("Global" if the set is empty). Repeat this while the
 * sample shows parents that were not asked for. Do not repeat it if the source is recorded, or if
 * the set has more than 1000 objects.
 *
 * query   NULL, or the result of the previous call for this set. Becomes the query for the next
 *         call; release with free(). Becomes NULL instead on failure, and if the source's deadline
 *         leaves no time for the parents.
 * sample  As for prfdata_session_take().
 *
 * Returns what prfdata_session_take() returns.
 */
uint32_t prfdata_session_take_first(prfdata_session *session, prfdata_title_set *set,
                                    uint16_t **query, prfdata_sample **sample);

#endif
