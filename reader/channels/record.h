/* SPDX-License-Identifier: MIT */
/*
 * Records what is read straight to files, for as long as the disk has room. One thread at a time.
 */
#ifndef PRFDATA_READER_RECORD_H
#define PRFDATA_READER_RECORD_H

#include "block/recording.h"
#include "block/sample.h"
#include "block/titles.h"

typedef struct prfdata_record prfdata_record;

/* Record to a file, or several; the first is made with the first sample. NULL: no memory. */
prfdata_record *prfdata_record_begin(prfdata_text path);

/* End, with all that was written. NULL is allowed. */
void prfdata_record_end(prfdata_record *record);

/* The path of the first file; borrowed. */
prfdata_text prfdata_record_path(const prfdata_record *record);

/*
 * Add a sample.
 * note  What is known of the objects that it lacks.
 * Returns ERROR_SUCCESS or why that is not possible.
 */
uint32_t prfdata_record_add(prfdata_record *record, const prfdata_sample *sample,
                            const prfdata_recording_note *note, const prfdata_titles *titles);

/* The titles are others from now on: the next sample begins another file. */
void prfdata_record_renew(prfdata_record *record);

#endif
