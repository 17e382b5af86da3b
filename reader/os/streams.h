/* SPDX-License-Identifier: MIT */
/*
 * Gives the standard streams, and writes UTF-8 to them and to files. files.h reads streams.
 * Implemented in streams_win32.c and streams_posix.c; streams.c is shared.
 */
#ifndef PRFDATA_READER_STREAMS_H
#define PRFDATA_READER_STREAMS_H

#include "text/output.h"

/* A handle on Windows, a descriptor on other systems. */
typedef intptr_t prfdata_stream;

prfdata_stream prfdata_streams_in(void);
prfdata_stream prfdata_streams_out(void);
prfdata_stream prfdata_streams_err(void);

/* Returns whether the stream is a terminal. */
bool prfdata_streams_is_terminal(prfdata_stream stream);

/*
 * Write all of a UTF-8 text.
 * Returns ERROR_SUCCESS or the system's error.
 */
uint32_t prfdata_streams_write(prfdata_stream stream, const void *bytes, size_t size);

/* Put lines that end in CR and LF. Outside Windows, each end becomes LF. */
void prfdata_streams_put_lines(prfdata_output *output, const prfdata_output *lines);

/*
 * Write lines. In files and pipes they have the line ends of the system. The lines contain names
 * that other programs chose, so a terminal gets U+FFFD instead of characters that it could obey.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY (also returned for incomplete `lines`) or the
 * system's error.
 */
uint32_t prfdata_streams_write_lines(prfdata_stream stream, const prfdata_output *lines);

/*
 * Return the error of the first prfdata_streams_write_lines() to standard output that failed,
 * usually because the disk is full. ERROR_SUCCESS if none failed. A program can thus continue to
 * print, and report at its end that the output is incomplete.
 */
uint32_t prfdata_streams_out_failure(void);

#endif
