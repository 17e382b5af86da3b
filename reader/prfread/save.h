/* SPDX-License-Identifier: MIT */
/* -save: a data block in a file, to be read later or on another computer. */
#ifndef PRFDATA_READER_SAVE_H
#define PRFDATA_READER_SAVE_H

#include "prfread/task.h"

/*
 * Take a sample of the objects that the options name, or of all that "Global" gives, and write it
 * with its titles. A damaged sample is written, too. Everything that is wrong is reported.
 *
 * Returns prfdata_task_status().
 */
uint32_t prfdata_save_run(prfdata_task *task);

#endif
