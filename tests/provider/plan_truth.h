/* SPDX-License-Identifier: MIT */
/*
 * Computes what readers of plan_world.h must show of counters that only grow, from the files and
 * from their contents at earlier checks. It treats each contributor by itself, as simply as
 * docs/architecture.md, decision 13, describes it.
 */
#ifndef PRFDATA_TESTS_PLAN_TRUTH_H
#define PRFDATA_TESTS_PLAN_TRUTH_H

#include "plan_world.h"

/* Forgets everything: readers begin. */
void plan_truth_begin(void);
void plan_truth_end(void);

/*
 * Records what the files contain now, and compares it with what a reader shows.
 *
 * may_ask  Whether the system lets readers open files. If not, no file may have been replaced or
 *          deleted since it last did.
 */
void plan_truth_compare(bool may_ask, const char *when);

/*
 * Does the same for a reader that begins now and has seen nothing yet. The system lets it open
 * files.
 */
void plan_truth_compare_new(const char *when);

#endif
