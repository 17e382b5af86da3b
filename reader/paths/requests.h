/* SPDX-License-Identifier: MIT */
/*
 * Keeps the requests of a user: counter paths and whole objects, from the command line or files.
 * Samples are taken of all objects that the requests name. Columns are added with each sample,
 * because an object, a counter or an instance may appear later than the request. An invalid request
 * never stops the others. When titles have changed, all names are looked up again.
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
    prfdata_text text;  /* as written; for a default object, its name */
    prfdata_text file;  /* file that contains it; empty: the command line */
    uint32_t line;      /* line in that file; 0: the command line */
    bool may_be_object; /* if the text does not begin with a backslash, it means a whole object */
    bool is_bad;        /* the text is no path, or it names another computer, or it names an
                           object or a service that was not found. The request was reported,
                           unless it became bad when titles changed */
    bool is_absent;     /* the request is bad because no title has the object's name */
    bool is_found;      /* some sample had something that the request asks for */
    prfdata_resolver_result result; /* the result in the newest sample */
    prfdata_resolver_path path;
} prfdata_request;

/* The texts that the user wrote; all borrowed until prfdata_requests_free(). */
typedef struct prfdata_requests_texts {
    const prfdata_text *names; /* from the command line and from -config */
    size_t name_count;
    /* Line of each name in `name_file`; 0: the name is from the command line. NULL: all names are
     * from the command line. */
    const uint32_t *name_lines;
    prfdata_text name_file; /* file of -config */
    bool takes_objects;     /* a name without a backslash at its beginning means a whole object */
    prfdata_text file;      /* file of -cf, for messages; empty: none */
    prfdata_lines lines;    /* the lines of that file, which are paths */
} prfdata_requests_texts;

typedef struct prfdata_requests {
    prfdata_request *items;
    size_t count;
    prfdata_title_set set;       /* the objects to ask for, with the parents of their instances */
    uint16_t *query;             /* `set` as a query string; NULL: it must be made again */
    uint32_t searched_count;     /* number of mistakes for which a search was wanted */
    bool is_default;             /* the source chose the objects */
    prfdata_name_table defaults; /* the objects that the source chose */
} prfdata_requests;

/* Return NAME if the text is service:NAME, which asks for all objects of a service. Otherwise the
 * result is empty. */
prfdata_text prfdata_requests_service(prfdata_text text);

/*
 * Read what the user wrote. A request with a mistake is reported and has `is_bad` set.
 *
 * requests  Set, even on failure. It has one item for each text, unless memory is exhausted.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_FOUND (nothing can be asked for) or ERROR_NOT_ENOUGH_MEMORY.
 * Owner: the caller; release with prfdata_requests_free().
 */
uint32_t prfdata_requests_make(prfdata_session *session, const prfdata_requests_texts *texts,
                               prfdata_requests *requests);

/*
 * Request whole objects: those that the source shows if the user names none
 * (prfdata_source_load_objects()).
 *
 * requests  Set, even on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_FOUND (there are none) or ERROR_NOT_ENOUGH_MEMORY. Reports
 * nothing. Owner: the caller; release with prfdata_requests_free().
 */
uint32_t prfdata_requests_make_default(prfdata_session *session, prfdata_requests *requests);

/* Release everything; {0} is allowed. */
void prfdata_requests_free(prfdata_requests *requests);

/*
 * Take a sample, and return what prfdata_session_take_first() returns. If titles have changed, the
 * names of the requests are looked up again, and the sample is taken again. Reports requests that
 * can mean two counters of the sample.
 */
uint32_t prfdata_requests_take(prfdata_session *session, prfdata_requests *requests,
                               prfdata_sample **sample);

/*
 * Add columns for everything new in the sample, and report nothing.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_requests_match_columns(prfdata_requests *requests, const prfdata_sample *sample,
                                        prfdata_columns *columns);

/*
 * Add columns for everything new in the sample. For each valid request that has not found anything
 * yet, report the reason.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_requests_add_columns(prfdata_session *session, prfdata_requests *requests,
                                      const prfdata_sample *sample, prfdata_columns *columns);

uint32_t prfdata_requests_bad_count(const prfdata_requests *requests);

/* Return how many requests never found anything, including invalid requests; 0 for default objects.
 * Call this after the last sample. */
uint32_t prfdata_requests_missing_count(const prfdata_requests *requests);

#endif
