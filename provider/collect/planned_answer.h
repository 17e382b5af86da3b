/* SPDX-License-Identifier: MIT */
/*
 * Answers by plans only: what a Collect of a reader that asks for the same again and again comes
 * to. No allocation but for large objects, or where the caller's room is almost used up, and no
 * lock but that of the sums. Where a plan is missing, merged_answer.h merges.
 */
#ifndef PRFDATA_PLANNED_ANSWER_H
#define PRFDATA_PLANNED_ANSWER_H

#include "collect/request.h"

/*
 * Put the answer, if all wanted objects have plans and these are valid.
 *
 * Returns PRFDATA_DONE, PRFDATA_NO_ROOM or PRFDATA_STALE: what was written does not count.
 */
prfdata_result prfdata_planned_answer_put(prfdata_collect_request *request);

#endif
