/* SPDX-License-Identifier: MIT */
/*
 * What only many replies in a row show: names that never stay, children that change their parents
 * all the time, fractions that stay above their base. Once that is nothing: value and base are not
 * read at one moment. It is counted how often it happens. Portable.
 */
#ifndef PRFDATA_READER_JUDGE_RUN_H
#define PRFDATA_READER_JUDGE_RUN_H

#include "judge/judge.h"

/* All zeros: nothing was seen. */
typedef struct prfdata_judge_run {
    uint32_t pairs;         /* of replies that follow one another */
    uint32_t renamed_pairs; /* in which this object had new names only */
    uint32_t renamed_title;
    uint32_t moved_pairs; /* in which a child of this object had another parent */
    uint32_t moved_title;
    uint64_t above;         /* a fraction that is above its base, by hash; 0: none */
    uint32_t above_counter; /* its title */
    uint32_t above_pairs;   /* in a row */
    uint32_t most_above_pairs;
    uint32_t most_above_counter;
    bool is_still_above; /* in the pair that is looked at; the next is the first other one */
    uint64_t next_above;
    uint32_t next_above_counter;
} prfdata_judge_run;

/* Take one more pair. Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. */
uint32_t prfdata_judge_run_add(prfdata_judge_run *run, const prfdata_judge_reply *older,
                               const prfdata_judge_reply *newer);

/* Judge what was seen. */
void prfdata_judge_run_end(const prfdata_judge_run *run, prfdata_findings *findings);

#endif
