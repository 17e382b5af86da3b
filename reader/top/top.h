/* SPDX-License-Identifier: MIT */
#ifndef PRFDATA_READER_TOP_H
#define PRFDATA_READER_TOP_H

#include "source/session.h"

typedef struct prfdata_top_request {
    const prfdata_text *names; /* counter paths, and objects: these begin with no backslash */
    size_t name_count;         /* 0: what prfdata_source_load_objects() gives */
    uint32_t interval_ms;
    uint32_t sample_count; /* 0: until the user quits */
    bool is_capped;        /* percentages above 100 become 100 */

    /* Set: */
    uint32_t wanted;    /* how many names there are */
    uint32_t not_found; /* of these */
} prfdata_top_request;

/*
 * Show counters live until the user quits. An object is shown with all of its counters and
 * instances. Samples of a recorded source are shown as they are at its end. Standard input and
 * output must be a terminal.
 *
 * session  With messages. What is reported while the screen is used goes there afterwards.
 * request  `wanted` and `not_found` begin with 0.
 *
 * Returns ERROR_SUCCESS (also if nothing was found, which was reported), ERROR_INVALID_HANDLE
 * (there is no terminal), ERROR_NOT_ENOUGH_MEMORY or why the terminal failed; all are reported.
 */
uint32_t prfdata_top_run(prfdata_session *session, prfdata_top_request *request);

#endif
