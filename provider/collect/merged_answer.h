/* SPDX-License-Identifier: MIT */
/*
 * Answers one query by merging all regions; this works in every case. Afterwards it makes plans, if
 * plans are possible, so that the next answer is faster.
 */
#ifndef PRFDATA_MERGED_ANSWER_H
#define PRFDATA_MERGED_ANSWER_H

#include "collect/request.h"

/*
 * Writes the answer. If it does not fit, nothing is written.
 *
 * Returns PRFDATA_DONE, PRFDATA_NO_ROOM, PRFDATA_STALE (snapshot/result.h says why; the caller
 *         tries again with the newest basis) or PRFDATA_NO_MEMORY.
 */
prfdata_result prfdata_merged_answer_put(prfdata_collect_request *request);

#endif
