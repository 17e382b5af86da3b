/* SPDX-License-Identifier: MIT */
#ifndef PRFDATA_READER_TOP_H
#define PRFDATA_READER_TOP_H

#include "source/session.h"

/*
 * Show the counters of the session's paths, live, until the user quits. A name that begins with
 * no backslash is an object, all of it; no name at all means what prfdata_source_load_objects()
 * gives. Samples of a recorded source are shown as they are at its end. Standard input and output
 * must be a terminal; else that is told, as system_failed.
 */
void prfdata_top_run(prfdata_session *session);

#endif
