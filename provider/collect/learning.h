/* SPDX-License-Identifier: MIT */
/* Learning from a merge: the plans by which the next answer may be faster. */
#ifndef PRFDATA_LEARNING_H
#define PRFDATA_LEARNING_H

#include "collect/request.h"

/*
 * Whether a merge of which all regions were read may be answered by plans from now on: they see
 * every change after which another merge would show something else, but not that a region can be
 * read again.
 */
bool prfdata_learning_may(const prfdata_collect_request *request, const prfdata_reply *reply);

/*
 * Make plans of all wanted objects, and have the basis learn them.
 *
 * bytes  What was written; NULL: nothing. Readers try again with more room, in small steps: from
 * now on by plan.
 */
void prfdata_learning_learn(const prfdata_collect_request *request, const prfdata_reply *reply,
                            const uint8_t *bytes);

#endif
