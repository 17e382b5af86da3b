/* SPDX-License-Identifier: MIT */
/* -save: data blocks in files, to be read later or on another computer. */
#ifndef PRFDATA_READER_SAVE_H
#define PRFDATA_READER_SAVE_H

#include "prfread/task.h"

/*
 * Take a sample of the objects that the options name, or of all that "Global" gives, and write it
 * with its titles. With -si or -sc record samples (block/recorder.h), in pieces that -file can
 * read. A damaged sample is written as well. Everything that is wrong is reported.
 *
 * Returns prfdata_task_status().
 */
uint32_t prfdata_save_run(prfdata_task *task);

/* The recording; a piece is larger than piece_bytes only if one sample is. */
uint32_t prfdata_save_record(prfdata_task *task, size_t piece_bytes);

#endif
