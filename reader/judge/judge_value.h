/* SPDX-License-Identifier: MIT */
/* Judge the values of one reply. */
#ifndef PRFDATA_READER_JUDGE_VALUE_H
#define PRFDATA_READER_JUDGE_VALUE_H

#include "judge/judged.h"

/* Judge the values that one reply alone shows to be wrong: the starts of elapsed times. */
void prfdata_judge_value_check(prfdata_judged *j, const prfdata_judged_object *o);

#endif
