/* SPDX-License-Identifier: MIT */
/* What two judges who do not know of each other say of a reply for the sample map. */
#ifndef PRFDATA_TESTS_HOSTILE_JUDGE_H
#define PRFDATA_TESTS_HOSTILE_JUDGE_H

#include "support/perf_reader.h"

/*
 * Returns NULL, or the first mistake, which may be in `text`. Does not assert.
 * Threads: any.
 */
const char *hostile_mistake(const perf_reply *reply, uint32_t first_counter, char *text,
                            size_t text_bytes);

#endif
