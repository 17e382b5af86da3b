/* SPDX-License-Identifier: MIT */
/*
 * The answer to one query by merging: the way that shows everything. At its end it learns the plans
 * by which the next answer may be faster. It leaves regions to regions/ and merge/, and the reply
 * to reply/reply.h.
 */
#ifndef PRFDATA_MERGED_ANSWER_H
#define PRFDATA_MERGED_ANSWER_H

#include "collect/request.h"

/*
 * Put the answer; if it does not fit, nothing is written.
 *
 * Returns PRFDATA_DONE, PRFDATA_NO_ROOM, PRFDATA_STALE (what is shown was replaced
 *         meanwhile: ask a newer basis) or PRFDATA_NO_MEMORY.
 */
prfdata_result prfdata_merged_answer_put(prfdata_collect_request *request);

#endif
