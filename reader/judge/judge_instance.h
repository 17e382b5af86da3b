/* SPDX-License-Identifier: MIT */
/* Read and judge the instances of an object, or its one counter block. */
#ifndef PRFDATA_READER_JUDGE_INSTANCE_H
#define PRFDATA_READER_JUDGE_INSTANCE_H

#include "judge/judged.h"

/*
 * Read what follows the object's definitions as far as its lengths are right. Judges the lengths,
 * the number of instances and their names.
 *
 * o  After prfdata_judge_counter_read().
 */
void prfdata_judge_instance_read(prfdata_judged *j, prfdata_judged_object *o);

/*
 * Judge the instances that were read: whether their blocks hold all values, their parents, and
 * names that are there twice.
 *
 * j  With all objects read and sorted.
 */
void prfdata_judge_instance_check(prfdata_judged *j, const prfdata_judged_object *o);

#endif
