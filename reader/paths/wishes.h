/* SPDX-License-Identifier: MIT */
/*
 * The counter paths that somebody asks for, on the command line and in the file of -cf. Each sample
 * is asked for all of their objects and gives the columns that are new in it; so an object, a
 * counter or an instance may come later than the path. One bad path never stops the others.
 */
#ifndef PRFDATA_READER_WISHES_H
#define PRFDATA_READER_WISHES_H

#include "paths/columns.h"
#include "text/lines.h"
#include "source/session.h"

typedef struct prfdata_wish {
    prfdata_text text; /* as it was written */
    uint32_t line;     /* in the file of -cf; 0: it comes from the command line */
    bool is_bad;       /* it is no path, or nothing has its object's name; that was told */
    bool has_columns;
    uint32_t told; /* why it has none: PRFDATA_STATUS_... */
    prfdata_columns_path path;
} prfdata_wish;

typedef struct prfdata_wishes {
    prfdata_wish *items;
    size_t count;
    prfdata_lines lines;   /* of -cf */
    prfdata_index_set set; /* what to ask for: the objects, and those of instances' parents */
    uint16_t *query;       /* the same as text; NULL before the first sample */
} prfdata_wishes;

/*
 * Read the paths of the session's options. What is wrong with some is told, and counted in
 * session->wanted; prfdata_wishes_count_missing() counts the rest.
 *
 * Returns false if nothing can be asked for, which was told, too.
 */
bool prfdata_wishes_make(prfdata_session *session, prfdata_wishes *wishes);

/* Release everything; {0} is allowed. */
void prfdata_wishes_free(prfdata_wishes *wishes);

/* Take a sample; NULL if there is none. Failures are told. */
prfdata_sample *prfdata_wishes_take(prfdata_session *session, prfdata_wishes *wishes);

/*
 * Add columns for what is new in the sample. Of a path that has none yet it is told why, once for
 * each reason; it goes on being asked for.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_wishes_add(prfdata_session *session, prfdata_wishes *wishes,
                            const prfdata_sample *sample, prfdata_columns *columns);

/* At the end: count in session->not_found what never had a column. */
void prfdata_wishes_count_missing(prfdata_session *session, const prfdata_wishes *wishes);

#endif
