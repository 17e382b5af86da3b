/* SPDX-License-Identifier: MIT */
/*
 * Records samples directly to files, as long as the disk has room. Use it from one thread at a
 * time.
 */
#ifndef PRFDATA_READER_RECORD_H
#define PRFDATA_READER_RECORD_H

#include "block/recording.h"
#include "block/sample.h"
#include "block/titles.h"

typedef struct prfdata_record prfdata_record;

/* Begin to record to a file, or several; the first file is created with the first sample. NULL: no
 * memory. */
prfdata_record *prfdata_record_begin(prfdata_text path);

/* End the recording; everything recorded is in the files. NULL is allowed. */
void prfdata_record_end(prfdata_record *record);

/* Return the path of the first file; borrowed. */
prfdata_text prfdata_record_path(const prfdata_record *record);

/*
 * Add a sample.
 * note  What is known about the objects that it lacks.
 * Returns ERROR_SUCCESS or the reason why that is not possible.
 */
uint32_t prfdata_record_add(prfdata_record *record, const prfdata_sample *sample,
                            const prfdata_recording_note *note, const prfdata_titles *titles);

/* Titles have changed: the next sample begins another file. */
void prfdata_record_renew(prfdata_record *record);

#endif
