/* SPDX-License-Identifier: MIT */
/* Checks whether two files of saved samples belong together, so that values can be computed from
 * both. */
#ifndef PRFDATA_READER_FILE_PAIR_H
#define PRFDATA_READER_FILE_PAIR_H

#include "block/decode.h"
#include "block/titles.h"
#include "text/messages.h"

typedef struct prfdata_file_pair_part {
    prfdata_text path;
    const prfdata_perf_data_block *header; /* header of the file's first block */
    prfdata_text computer;                 /* empty: the block names no computer */
    const prfdata_titles *titles;
} prfdata_file_pair_part;

/*
 * Check a newer file against an older one.
 *
 * messages  Gets the reason why the files do not belong together, or doubts about their times.
 *           NULL: not wanted.
 *
 * Returns ERROR_SUCCESS, or ERROR_INVALID_PARAMETER: values computed from both files would be
 * incorrect.
 */
uint32_t prfdata_file_pair_check(const prfdata_file_pair_part *older,
                                 const prfdata_file_pair_part *newer, prfdata_messages *messages);

#endif
