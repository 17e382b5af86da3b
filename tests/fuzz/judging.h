/* SPDX-License-Identifier: MIT */
/* The verdict of two readers that share nothing with the provider, for targets that collect. */
#ifndef PRFDATA_TESTS_JUDGING_H
#define PRFDATA_TESTS_JUDGING_H

#include "support/perf_reader.h"

/*
 * Stop unless the reply is right by tests/support/perf_reader.h and by prfcheck's rules, where
 * notes are allowed. Title indexes are those of fuzz_map.
 */
void judging_check(const perf_reply *reply);

/* Stop unless prfcheck's rules allow `newer` after `older`. */
void judging_check_change(const perf_reply *older, const perf_reply *newer);

#endif
