/* SPDX-License-Identifier: MIT */
/*
 * Answers by plans only: what a Collect of a reader that asks for the same again and again comes
 * to. Each answer begins here (prfdata_answer_put()); answer.c merges where this fails.
 */
#ifndef PRFDATA_PLANNED_ANSWER_H
#define PRFDATA_PLANNED_ANSWER_H

#include "provider/answer.h"

/*
 * What instances that are added during a Collect may take; more have no time to come. An answer
 * that grows when a plan fails must not have overwritten a buffer that is too small for it.
 */
#define PRFDATA_PLANNED_ANSWER_ROOM 4096

/*
 * Whether plans may show anything of a set: it is the newest, and every file of the folder could be
 * looked at.
 *
 * set  NULL: there is none.
 */
bool prfdata_planned_answer_is_possible(const prfdata_answering *asked,
                                        const prfdata_region_set *set);

/*
 * Renew the plans that no longer hold and can be renewed.
 *
 * asked  Its counts get how many.
 * Returns whether there are newer ones now, for a newer present.
 */
bool prfdata_planned_answer_renew(prfdata_answering *asked);

/* Note in `asked` that all values have been read now. Returns that time, in ticks. */
uint64_t prfdata_planned_answer_stamp(prfdata_answering *asked);

/* Fill in the object of the service's health, which begins at `offset` of the block. */
void prfdata_planned_answer_put_health(const prfdata_answering *asked, prfdata_perf_block *block,
                                       size_t offset);

#endif
