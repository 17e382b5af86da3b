/* SPDX-License-Identifier: MIT */
/* Computes the values that readers of plan_world.h must show for counters that only grow. The
 * values follow from what the files contain now and contained at earlier checks. Each contributor
 * is treated separately, as decision 13 of docs/architecture.md describes. */
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

/* Compares the expected values with what a new reader shows. The system must let the reader open
 * files. */
void plan_truth_compare_new(const char *when);

#endif
