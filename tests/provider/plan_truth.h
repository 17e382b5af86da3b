/* SPDX-License-Identifier: MIT */
/*
 * What readers of plan_world.h have to show of counters that only grow, computed from the files
 * themselves and what they held at earlier looks: each contributor by itself, and no more cleverly
 * than docs/architecture.md, decision 13, says it.
 */
#ifndef PRFDATA_TESTS_PLAN_TRUTH_H
#define PRFDATA_TESTS_PLAN_TRUTH_H

#include "plan_world.h"

/* Forget everything: readers begin. */
void plan_truth_begin(void);
void plan_truth_end(void);

/*
 * Note what the files hold now, and compare with what a reader shows.
 *
 * may_ask  The system lets readers open files. Else no file may have been replaced or deleted since
 *          it last did.
 */
void plan_truth_compare(bool may_ask, const char *when);

/* The same of a reader that begins now: it has seen nothing yet. The system lets it open files. */
void plan_truth_compare_new(const char *when);

#endif
