/* SPDX-License-Identifier: MIT */
/* Implements -save, which writes data blocks to files, to be read later or on another computer. */
#ifndef PRFDATA_READER_SAVE_H
#define PRFDATA_READER_SAVE_H

#include "prfread/task.h"

/*
 * Take a sample of the objects that the options name, or of all that "Global" returns, and write it
 * with its titles. With -si or -sc, unless -sc is 1, record samples (block/recorder.h) in pieces
 * that -file can read. A damaged sample is written as well. All problems are reported.
 *
 * Returns prfdata_task_status().
 */
uint32_t prfdata_save_run(prfdata_task *task);

/* Make the recording; a piece exceeds piece_bytes only if a single sample does. */
uint32_t prfdata_save_record(prfdata_task *task, size_t piece_bytes);

#endif
