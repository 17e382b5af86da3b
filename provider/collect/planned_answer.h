/* SPDX-License-Identifier: MIT */
/*
 * Answers from plans only. This is the fast path, for readers that repeat the same query. It
 * allocates memory only if an object has many cells, or if the answer almost fills the buffer. It
 * takes no lock except the carry's, for totals.
 */
#ifndef PRFDATA_PLANNED_ANSWER_H
#define PRFDATA_PLANNED_ANSWER_H

#include "collect/request.h"

/*
 * Writes the answer, if all wanted objects have valid plans.
 *
 * Returns PRFDATA_DONE, PRFDATA_NO_ROOM or PRFDATA_STALE. After PRFDATA_STALE, the caller must
 * ignore what was written.
 */
prfdata_result prfdata_planned_answer_put(prfdata_collect_request *request);

#endif
