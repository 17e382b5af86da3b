/* SPDX-License-Identifier: MIT */
/* Read a reply into its objects, counters and instances. */
#ifndef PRFDATA_READER_JUDGE_REPLY_H
#define PRFDATA_READER_JUDGE_REPLY_H

#include "judge/judged.h"

/*
 * Begin with a reply and read it as far as its lengths are right. Judges the lengths and what else
 * decides where the parts are.
 *
 * titles    NULL: not known, not judged.
 * findings  NULL: the reply is only read.
 *
 * Owner: the caller; release with prfdata_judged_free().
 */
void prfdata_judge_reply_read(prfdata_judged *j, const prfdata_judge_reply *reply,
                              const prfdata_judge_titles *titles, bool is_metadata,
                              prfdata_findings *findings);

/* Judge whether a title has two objects. */
void prfdata_judge_reply_check(prfdata_judged *j);

#endif
