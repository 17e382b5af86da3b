/* SPDX-License-Identifier: MIT */
/*
 * Counts the damaged samples of all files that are shown together, such as the pieces of a
 * recording or the two files after -file. Use it from one thread at a time.
 */
#ifndef PRFDATA_READER_OPENED_FILES_H
#define PRFDATA_READER_OPENED_FILES_H

#include "viewer/timeline.h"

/* {0}: no file is open. */
typedef struct prfdata_opened_files {
    uint32_t count;
    prfdata_timeline_damage damage; /* damage of all files together; first_left_out is an offset in
                                       left_out_file, first_in_part an offset in in_part_file */
    prfdata_text left_out_file;     /* path of the first file with samples that were left out;
                                       owned */
    prfdata_text in_part_file;      /* path of the first file with samples that are damaged in part;
                                       owned */
    const char *mistake; /* why the rest of a file cannot be read; NULL: everything was read */
    size_t mistake_offset;
    prfdata_text mistake_file; /* path of the file with the mistake; owned */
} prfdata_opened_files;

/*
 * Add a file.
 *
 * path    Copied.
 * damage  Damage of this file only.
 */
void prfdata_opened_files_add(prfdata_opened_files *files, prfdata_text path,
                              const prfdata_recording *recording,
                              const prfdata_timeline_damage *damage);

/* Release everything and leave {0}. */
void prfdata_opened_files_free(prfdata_opened_files *files);

#endif
