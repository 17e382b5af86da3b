/* SPDX-License-Identifier: MIT */
/* Judge the fields that objects and counter definitions have in common. */
#ifndef PRFDATA_READER_JUDGE_FIELDS_H
#define PRFDATA_READER_JUDGE_FIELDS_H

#include "judge/judged.h"

/* Judge a field; `at` is its offset in the reply, `name` what winperf.h calls it. */
void prfdata_judge_fields_name_index(prfdata_judged *j, uint64_t at, uint32_t index,
                                     const char *name);
void prfdata_judge_fields_help_index(prfdata_judged *j, uint64_t at, uint32_t index,
                                     const char *name);
void prfdata_judge_fields_title_pointer(prfdata_judged *j, uint64_t at, uint32_t pointer,
                                        const char *name);

/*
 * Judge whether a help index is the one that loadperf gave to the name; what is no index of the
 * service is not judged once more. `at` is the help index's offset in the reply.
 */
void prfdata_judge_fields_help_of(prfdata_judged *j, uint64_t at, uint32_t name, uint32_t help);

/* Whether winperf.h has this detail level. */
bool prfdata_judge_fields_is_detail_level(uint32_t level);

/*
 * Judge whether a detail level is listed at all: PdhEnumObjects and PdhEnumObjectItems, and by them
 * the dialogs of PerfMon, return what has at most the level that they are asked for, and 400 is the
 * highest that there is (learn.microsoft.com). `name` is what winperf.h calls it.
 */
void prfdata_judge_fields_detail_level(prfdata_judged *j, uint64_t at, uint32_t level,
                                       const char *name);

#endif
