/* SPDX-License-Identifier: MIT */
/* Declares a provider for targets that collect, and the verdict of two readers that share no code
 * with it. */
#ifndef PRFDATA_TESTS_VALIDATING_H
#define PRFDATA_TESTS_VALIDATING_H

#include "collect/provider.h"
#include "support/provider/perf_reader.h"

/* Opens the provider of the service that fuzz_map installs. Every Collect checks for changes. */
prfdata_provider *fuzz_open_provider(const prfdata_model *model);

/* Stops unless the reply is valid by tests/support/provider/perf_reader.h and by prfcheck's rules,
 * except notes and two rules about values. Title indexes are those of fuzz_map. */
void validating_check(const perf_reply *reply);

/* Stops unless prfcheck's rules allow `newer` after `older`. Ignores notes and two rules about
 * values. */
void validating_check_change(const perf_reply *older, const perf_reply *newer);

#endif
