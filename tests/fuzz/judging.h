/* SPDX-License-Identifier: MIT */
/* For targets that collect: a provider, and the verdict of two readers that share nothing with it.
 */
#ifndef PRFDATA_TESTS_JUDGING_H
#define PRFDATA_TESTS_JUDGING_H

#include "collect/provider.h"
#include "support/provider/perf_reader.h"

/* The provider of the service that fuzz_map installs; every Collect looks for changes. */
prfdata_provider *fuzz_open_provider(void);

/*
 * Stop unless the reply is right by tests/support/provider/perf_reader.h and by prfcheck's rules,
 * where notes are allowed. Title indexes are those of fuzz_map.
 */
void judging_check(const perf_reply *reply);

/* Stop unless prfcheck's rules allow `newer` after `older`. */
void judging_check_change(const perf_reply *older, const perf_reply *newer);

#endif
