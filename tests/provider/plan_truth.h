/* SPDX-License-Identifier: MIT */
/* Computes the values that readers of plan_world.h must show for counters that only grow. It uses
 * the files and what they contained at earlier checks. It treats each contributor separately, as
 * docs/architecture.md, decision 13, describes it. */
#ifndef PRFDATA_TESTS_PLAN_TRUTH_H
#define PRFDATA_TESTS_PLAN_TRUTH_H

#include "plan_world.h"

/* Forgets everything. The readers must be new, too. */
void plan_truth_begin(void);
void plan_truth_end(void);

/* Records the current content of the files, and compares it with what both readers show.
 *
 * may_ask  Whether the system lets readers open files. If not, no file may have been replaced or
 *          deleted since readers could last open files. */
void plan_truth_compare(bool may_ask, const char *when);

/* Compares with a reader that begins now and has seen nothing yet. The system must let it open
 * files. */
void plan_truth_compare_new(const char *when);

#endif
