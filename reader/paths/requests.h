/* SPDX-License-Identifier: MIT */
/*
 * The requests of a user: counter paths, on the command line and in the file of -cf, and whole
 * objects. A sample is taken of all objects that the requests name. Each sample gives the columns
 * that are new in it: an object, a counter or an instance may appear later than the request. A
 * request that is wrong never stops the others. When titles have changed, what is asked for is
 * looked up again.
 *
 *     status = prfdata_requests_make(&session, &texts, &requests);
 *     ...
 *     status = prfdata_requests_take(&session, &requests, &sample);
 *     status = prfdata_requests_add_columns(&session, &requests, sample, &columns);
 *     ...                                             // for each sample
 *     missing = prfdata_requests_missing_count(&requests);
 *     prfdata_requests_free(&requests);
 */
#ifndef PRFDATA_READER_REQUESTS_H
#define PRFDATA_READER_REQUESTS_H

#include "paths/columns.h"
#include "source/session.h"
#include "text/lines.h"

typedef struct prfdata_request {
    prfdata_text text;  /* as it was written; of a default object its name */
    prfdata_text file;  /* where it stands; empty: on the command line */
    uint32_t line;      /* in that file; 0: on the command line */
    bool may_be_object; /* without a backslash at its beginning it is an object, all of it */
    bool is_bad;        /* it is no path, or there is no such object; that was reported */
    bool is_absent;     /* and that is what is wrong: no title is called so */
    bool is_found;      /* a sample had something that it asks for */
    prfdata_resolver_result result; /* in the newest sample */
    prfdata_resolver_path path;
} prfdata_request;

/* What the user wrote; everything is borrowed until prfdata_requests_free(). */
typedef struct prfdata_requests_texts {
    const prfdata_text *names; /* of the command line and of -config */
    size_t name_count;
    const uint32_t *name_lines; /* the line of each in `name_file`; NULL, or 0: it has none */
    prfdata_text name_file;     /* of -config */
    bool takes_objects;  /* a name without a backslash at its beginning is an object, all of it */
    prfdata_text file;   /* of -cf, for messages; empty: none */
    prfdata_lines lines; /* of that file: paths */
} prfdata_requests_texts;

typedef struct prfdata_requests {
    prfdata_request *items;
    size_t count;
    prfdata_title_set set;       /* what to ask for: the objects, and those of instances' parents */
    uint16_t *query;             /* the same as text; NULL before the first sample */
    bool is_default;             /* the source chose the objects */
    prfdata_name_table defaults; /* these objects */
} prfdata_requests;

/* The name in service:NAME, which asks for everything of a service; empty: it is something else. */
prfdata_text prfdata_requests_service(prfdata_text text);

/*
 * Read what the user wrote. What is wrong is reported; the rest is asked for.
 *
 * requests  Set, also on failure: requests->count says how many there are.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_FOUND (nothing can be asked for) or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; release with prfdata_requests_free().
 */
uint32_t prfdata_requests_make(prfdata_session *session, const prfdata_requests_texts *texts,
                               prfdata_requests *requests);

/*
 * Ask for the objects that the source shows where the user names none, each as a whole:
 * prfdata_source_load_objects().
 *
 * requests  Set, also on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_FOUND (there are none) or ERROR_NOT_ENOUGH_MEMORY. Reports
 *         nothing.
 * Owner:   the caller; release with prfdata_requests_free().
 */
uint32_t prfdata_requests_make_default(prfdata_session *session, prfdata_requests *requests);

/* Release everything; {0} is allowed. */
void prfdata_requests_free(prfdata_requests *requests);

/* Take a sample, as prfdata_session_take_first() does. Returns what that returns. */
uint32_t prfdata_requests_take(prfdata_session *session, prfdata_requests *requests,
                               prfdata_sample **sample);

/*
 * Add columns for what is new in the sample, and report nothing.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_requests_match_columns(prfdata_requests *requests, const prfdata_sample *sample,
                                        prfdata_columns *columns);

/*
 * The same. If a request has never found anything, it is reported
 * why; later samples are also searched for it.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_requests_add_columns(prfdata_session *session, prfdata_requests *requests,
                                      const prfdata_sample *sample, prfdata_columns *columns);

/* Count the requests that are wrong. */
uint32_t prfdata_requests_bad_count(const prfdata_requests *requests);

/* Count, at the end, the requests that never found anything; objects by default never count. */
uint32_t prfdata_requests_missing_count(const prfdata_requests *requests);

#endif
