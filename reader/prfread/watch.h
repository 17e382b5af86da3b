/* SPDX-License-Identifier: MIT */
/* Prints a row of values for each sample after the first. This is what prfread does with counter
 * paths, unless an option or the format names another task. */
#ifndef PRFDATA_READER_WATCH_H
#define PRFDATA_READER_WATCH_H

#include "prfread/task.h"

/*
 * Print rows until there are as many as the user wants, a recording ends, or Ctrl+C is pressed. If
 * a recording has only one sample, print one row. All problems are reported.
 *
 * Returns prfdata_task_status().
 */
uint32_t prfdata_watch_run(prfdata_task *task);

#endif
