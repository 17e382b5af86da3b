/* SPDX-License-Identifier: MIT */
/* Reads the lines of a text file that a user wrote: the file of -cf or of -config. */
#ifndef PRFDATA_READER_LINES_FILE_H
#define PRFDATA_READER_LINES_FILE_H

#include "text/lines.h"
#include "text/messages.h"

/*
 * Read a file. Failures are reported.
 *
 * path   "-": standard input.
 * lines  On success the lines of the file; release with prfdata_lines_free().
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (the file is not a text), ERROR_NOT_ENOUGH_MEMORY or
 * the system's error.
 */
uint32_t prfdata_lines_file_read(prfdata_text path, prfdata_messages *messages,
                                 prfdata_lines *lines);

#endif
