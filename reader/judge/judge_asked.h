/* SPDX-License-Identifier: MIT */
/* Compare what two queries gave. Portable. */
#ifndef PRFDATA_READER_JUDGE_ASKED_H
#define PRFDATA_READER_JUDGE_ASKED_H

#include "judge/judge.h"

/*
 * Find an object whose values are all 0 in `asked`, and not all in `all`. Once it may be chance.
 * Returns its title; 0: there is none.
 */
uint32_t prfdata_judge_asked_zero(const prfdata_judge_reply *all, const prfdata_judge_reply *asked);

#endif
