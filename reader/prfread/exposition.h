/* SPDX-License-Identifier: MIT */
/* Declares the tasks for Prometheus: printing expositions, -serve and -explain. */
#ifndef PRFDATA_READER_EXPOSITION_H
#define PRFDATA_READER_EXPOSITION_H

#include "prfread/task.h"

/*
 * Print one exposition of the paths. -sc sets another number; -si without -sc prints until Ctrl+C.
 * With -o, each exposition replaces the previous one in the file. All problems are reported.
 *
 * Returns prfdata_task_status(), like the other functions.
 */
uint32_t prfdata_exposition_print(prfdata_task *task);

/* Answer Prometheus until Ctrl+C with the counters of the paths. If there are no paths, answer with
 * the source's default objects. */
uint32_t prfdata_exposition_serve(prfdata_task *task);

/* Print which metrics the requested counters become, or why they become none. */
uint32_t prfdata_exposition_explain(prfdata_task *task);

#endif
