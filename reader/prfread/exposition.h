/* SPDX-License-Identifier: MIT */
/* The formats for Prometheus, -serve and -explain. */
#ifndef PRFDATA_READER_EXPOSITION_H
#define PRFDATA_READER_EXPOSITION_H

#include "prfread/task.h"

/*
 * Print an exposition of the paths: one, or as many as -sc says, or until Ctrl+C with -si. Each
 * takes the place of the one before in the file of -o. Everything that is wrong is reported.
 *
 * Returns prfdata_task_status(); so do the others.
 */
uint32_t prfdata_exposition_print(prfdata_task *task);

/* Answer Prometheus until Ctrl+C, with the paths, or with the source's default objects. */
uint32_t prfdata_exposition_serve(prfdata_task *task);

/* Print which metrics the counters of the same paths or objects become, or why they become none. */
uint32_t prfdata_exposition_explain(prfdata_task *task);

#endif
