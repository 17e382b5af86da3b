/* SPDX-License-Identifier: MIT */
/* Read and judge the counter definitions of an object. */
#ifndef PRFDATA_READER_JUDGE_COUNTER_H
#define PRFDATA_READER_JUDGE_COUNTER_H

#include "judge/judged.h"

/*
 * Read the definitions as far as their lengths are right, and find where the object's contents
 * begin. Judges the lengths.
 */
void prfdata_judge_counter_read(prfdata_judged *j, prfdata_judged_object *o);

/* Judge the definitions that were read: each by itself, with its base, and against the others. */
void prfdata_judge_counter_check(prfdata_judged *j, const prfdata_judged_object *o);

/* Whether it is the base of another one: no list shows it. */
bool prfdata_judge_counter_is_base(const prfdata_judged_counter *c);

#endif
