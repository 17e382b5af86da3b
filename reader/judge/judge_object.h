/* SPDX-License-Identifier: MIT */
/* Judge the header of an object. */
#ifndef PRFDATA_READER_JUDGE_OBJECT_H
#define PRFDATA_READER_JUDGE_OBJECT_H

#include "judge/judged.h"

/*
 * Judge the fields of the header that say something about the object itself. Its lengths were
 * judged when it was read.
 *
 * o  With its counters read.
 */
void prfdata_judge_object_check(prfdata_judged *j, const prfdata_judged_object *o);

/* The first counter type of the object that counts in the object's own time; 0: none. */
uint32_t prfdata_judge_object_timer_type(const prfdata_judged_object *o);

#endif
