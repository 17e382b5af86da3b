/* SPDX-License-Identifier: MIT */
/*
 * Opens a saved block or a recording of any size, and gives its bytes and samples. A timeline keeps
 * its files open, so that samples that have no room in memory can be read again.
 */
#ifndef PRFDATA_READER_RECORDING_FILE_H
#define PRFDATA_READER_RECORDING_FILE_H

#include "block/recording.h"
#include "viewer/timeline.h"

/* {0} is closed. */
typedef struct prfdata_recording_file {
    void *mapping; /* NULL: the file is empty */
    void *handle;  /* a HANDLE */
    size_t size;
    prfdata_recording recording;
} prfdata_recording_file;

/*
 * Open a file; its bytes are read when they are needed.
 *
 * path   With its NUL.
 * error  Set on ERROR_INVALID_DATA.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (the file does not begin with a data block's header),
 * ERROR_NOT_ENOUGH_MEMORY or the system's error.
 */
uint32_t prfdata_recording_file_open(prfdata_recording_file *file, const wchar_t *path,
                                     prfdata_decode_error *error);

/* Close the file and leave {0}. */
void prfdata_recording_file_close(prfdata_recording_file *file);

/* Return a store that has no files yet. {0}: no memory. Owner: the timeline. */
prfdata_timeline_store prfdata_recording_file_store(void);

/*
 * Add a recording to a timeline whose store is prfdata_recording_file_store() or {0}. The caller
 * can then close `file`. A store that is not {0} keeps the file itself open until the timeline is
 * released. Other programs may still write to the file, rename and delete it.
 *
 * damage  As for prfdata_timeline_add_recording().
 *
 * Returns what prfdata_timeline_add_recording() returns.
 */
uint32_t prfdata_recording_file_add(prfdata_timeline *timeline, const prfdata_recording_file *file,
                                    prfdata_timeline_damage *damage);

#endif
