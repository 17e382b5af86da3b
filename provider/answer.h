/* SPDX-License-Identifier: MIT */
/*
 * The answer to one query: objects by their plans where these hold, the others merged from
 * snapshots. Both ways give the same bytes.
 */
#ifndef PRFDATA_ANSWER_H
#define PRFDATA_ANSWER_H

#include "provider/collect.h"
#include "provider/present.h"

/*
 * What is asked for, and of what. It is not cleared first, which would take as long as a small
 * answer: what it "gets" is set by prfdata_answer_put().
 */
typedef struct prfdata_answering {
    const prfdata_present *present;
    const prfdata_prepared *prepared; /* of the present; it asks for something */
    prfdata_events *events;
    uint64_t seed;                  /* of the merge */
    uint32_t failed_object;         /* gets whose plan did not hold; PRFDATA_NONE: none */
    uint32_t tries_left;            /* prfdata_plan_put() */
    bool uses_plans;                /* else all is merged */
    bool may_renew;                 /* plans that do not hold; else what they are of is merged */
    bool is_all_planned;            /* gets whether nothing was merged; then there are no counts */
    prfdata_provider_counts counts; /* gets what could not be shown */
    uint64_t stamp;                 /* gets when all values had been read, in ticks */
} prfdata_answering;

/*
 * Put the answer.
 *
 * block    Gets it; if it does not fit, nothing is written.
 * objects  Gets how many objects were put.
 *
 * Returns ERROR_SUCCESS, ERROR_MORE_DATA, ERROR_REVISION_MISMATCH (a later installation was shown
 *         meanwhile), ERROR_NOT_FOUND (with may_renew only: plans were renewed, ask a newer
 * present) or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_answer_put(prfdata_answering *asked, prfdata_perf_block *block, uint32_t *objects);

/* Its second half: put an answer that is not all by plans, after `asked` was prepared for it. */
uint32_t prfdata_answer_put_merged(prfdata_answering *asked, prfdata_perf_block *block,
                                   uint32_t *objects);

#endif
