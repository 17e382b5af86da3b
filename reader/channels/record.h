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

/* Begin to record to one or more files. The first file is created with the first sample. Returns
 * NULL if there is no memory. */
prfdata_record *prfdata_record_begin(prfdata_text path);

/* End the recording. The files then contain everything that was recorded. NULL is allowed. */
void prfdata_record_end(prfdata_record *record);

/* Return the path of the first file; borrowed. */
prfdata_text prfdata_record_path(const prfdata_record *record);

/*
 * Add a sample.
 * note  Why the sample lacks some objects; NULL: unknown.
 * Returns ERROR_SUCCESS or the reason why the sample cannot be added.
 */
uint32_t prfdata_record_add(prfdata_record *record, const prfdata_sample *sample,
                            const prfdata_recording_note *note, const prfdata_titles *titles);

/* Begin another file with the next sample, because titles have changed. */
void prfdata_record_renew(prfdata_record *record);

#endif
