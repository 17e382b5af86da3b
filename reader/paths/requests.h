/* SPDX-License-Identifier: MIT */
/*
 * The counter paths that somebody asks for, on the command line and in the file of -cf. Each sample
 * is asked for all of their objects and gives the columns that are new in it; so an object, a
 * counter or an instance may come later than the path. One bad path never stops the others.
 */
#ifndef PRFDATA_READER_REQUESTS_H
#define PRFDATA_READER_REQUESTS_H

#include "paths/columns.h"
#include "source/session.h"
#include "text/lines.h"

typedef struct prfdata_request {
    prfdata_text text; /* as it was written */
    uint32_t line;     /* in the file of -cf; 0: it comes from the command line */
    bool is_bad;       /* it is no path, or nothing has its object's name; that was reported */
    bool has_columns;
    prfdata_columns_path path;
} prfdata_request;

/* What is asked for; everything is borrowed until prfdata_requests_free(). */
typedef struct prfdata_requests_texts {
    const prfdata_text *names; /* of the command line */
    size_t name_count;
    prfdata_text file;   /* of -cf, for messages; empty: none */
    prfdata_lines lines; /* of that file */
} prfdata_requests_texts;

typedef struct prfdata_requests {
    prfdata_request *items;
    size_t count;
    prfdata_text file;     /* of -cf */
    prfdata_title_set set; /* what to ask for: the objects, and those of instances' parents */
    uint16_t *query;       /* the same as text; NULL before the first sample */
} prfdata_requests;

/*
 * Read the paths of a request. What is wrong with some is reported; the others are asked for.
 *
 * requests  Set, also on failure: requests->count says how many there are.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_FOUND (nothing can be asked for) or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_requests_make(prfdata_session *session, const prfdata_requests_texts *texts,
                               prfdata_requests *requests);

/* Release everything; {0} is allowed. */
void prfdata_requests_free(prfdata_requests *requests);

/* Take a sample, as prfdata_session_take_first() does. Returns what that returns. */
uint32_t prfdata_requests_take(prfdata_session *session, prfdata_requests *requests,
                               prfdata_sample **sample);

/*
 * Add columns for what is new in the sample. Of a path that has none yet it is reported why; it
 * goes on being asked for.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_requests_add(prfdata_session *session, prfdata_requests *requests,
                              const prfdata_sample *sample, prfdata_columns *columns);

/* At the end: how many never had a column. */
uint32_t prfdata_requests_missing_count(const prfdata_requests *requests);

#endif
