/* SPDX-License-Identifier: MIT */
/*
 * Reading one source: the source, what its titles mean, whose data it is, and what went wrong so
 * far. Failures are statuses and messages, which a program shows in its own way.
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
    prfdata_messages *messages; /* borrowed; NULL: they are not wanted */
    bool is_damaged;            /* a sample was, or a provider lied */
    bool is_misplaced;          /* a sample was as Wine makes it, whose objects no reader finds */
    uint32_t failure;           /* why the first sample that failed did; ERROR_SUCCESS: none did */
    bool is_cancelled;          /* a sample was not awaited: the program is to end */
    bool has_helps;             /* prfdata_session_load_helps() was called */
    uint64_t (*clock_ms)(void); /* prfdata_os_milliseconds(), until a test sets another */
    uint64_t titles_stamp;      /* prfdata_source_titles_stamp() when they were loaded last */
    bool is_unsettled;          /* compare them again, for an installation may go on */
    uint64_t titles_due_ms;     /* when, at the earliest */
    uint64_t settled_ms;        /* when an installation is over; a success then settles them */
} prfdata_session;

/*
 * Begin to read a source.
 *
 * source    Becomes the session's.
 * messages  Borrowed. Names that cannot be read are reported; without them indexes are shown.
 */
void prfdata_session_open(prfdata_session *session, prfdata_source *source,
                          prfdata_messages *messages);

/* Load help texts and metrics as well, now and always. Returns prfdata_source_load_helps(). */
uint32_t prfdata_session_load_helps(prfdata_session *session);

/*
 * Load the titles again if they have changed. Call it after each sample: what that shows was
 * installed before, and so were its titles. After their stamp has moved, and after the session was
 * opened, they are compared once a second until that succeeds two seconds later or more: an
 * installer takes a while, and samples may be far apart.
 *
 * found  Set to the new titles; owner: the caller.
 *
 * Returns false if they are the same, or cannot be read at the moment.
 */
bool prfdata_session_find_changed_titles(prfdata_session *session, prfdata_titles *found);

/* The same; the session has the new titles, at the same address, with another version. */
bool prfdata_session_renew_titles(prfdata_session *session);

/* Close the source and release everything; {0} is allowed. */
void prfdata_session_close(prfdata_session *session);

/* Whether anything that was read is damaged. */
bool prfdata_session_is_damaged(const prfdata_session *session);

/* What is wrong with a path of another computer than the one that is read. */
#define PRFDATA_SESSION_ONE_COMPUTER                                                               \
    "counters of another computer are read with -s, those of one computer at a time"

/* Whether every computer calls itself so, and the one of a recording too. */
bool prfdata_session_is_name_everywhere(prfdata_text computer);

/* Whether it is a name of the computer that the program runs on. */
bool prfdata_session_is_local(prfdata_text computer);

/* Whether a path means the computer that is read; an empty name does. */
bool prfdata_session_is_here(const prfdata_session *session, prfdata_text computer);

/*
 * The problem of an object that is not there. The text has static storage.
 *
 * is_titled  Whether any title is its name.
 * output     Empty at first: gets the whole sentence if the source knows why one of PrfData's is
 *            not shown.
 */
const char *prfdata_session_absence(const prfdata_session *session, prfdata_text object,
                                    bool is_titled, prfdata_output *output);

/*
 * Take a sample. Failures and damage are reported, and remembered in the session; the end of a
 * recorded source is no failure, and neither is it that the user ends the program meanwhile.
 *
 * query   As for prfdata_source_take().
 * sample  On success a new one, damaged or not; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or what prfdata_source_take() returns.
 * Owner:   the caller; release with prfdata_sample_free().
 */
uint32_t prfdata_session_take(prfdata_session *session, const uint16_t *query,
                              prfdata_sample **sample);

/*
 * Take a sample of the objects of the set ("Global" if it is empty), and again as long as that
 * shows objects that are parents in it and were not asked for.
 *
 * query   NULL, or what the call before gave for this set. On success what to ask for from now on;
 *         for free(). NULL on failure, and if the source's deadline leaves no time for the parents.
 * sample  As for prfdata_session_take().
 *
 * Returns what prfdata_session_take() returns.
 */
uint32_t prfdata_session_take_first(prfdata_session *session, prfdata_title_set *set,
                                    uint16_t **query, prfdata_sample **sample);

#endif
