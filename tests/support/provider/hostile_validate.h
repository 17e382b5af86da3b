/* SPDX-License-Identifier: MIT */
/* Checks a reply for the sample map with two independent implementations of the rules. */
#ifndef PRFDATA_TESTS_HOSTILE_VALIDATE_H
#define PRFDATA_TESTS_HOSTILE_VALIDATE_H

#include "support/provider/perf_reader.h"

/* Returns NULL, or the first mistake, which may be stored in `text`. Does not assert. Threads:
 * any. */
const char *hostile_mistake(const perf_reply *reply, uint32_t first_counter, char *text,
                            size_t text_bytes);

#endif
