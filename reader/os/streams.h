/* SPDX-License-Identifier: MIT */
/*
 * Standard input, output and error, and what is written to them and to files: UTF-8.
 * streams_win32.c and streams_posix.c; streams.c is the same for both.
 */
#ifndef PRFDATA_READER_STREAMS_H
#define PRFDATA_READER_STREAMS_H

#include "text/output.h"

/* A handle on Windows, elsewhere a descriptor. */
typedef intptr_t prfdata_stream;

prfdata_stream prfdata_streams_in(void);  /* standard input */
prfdata_stream prfdata_streams_out(void); /* standard output */
prfdata_stream prfdata_streams_err(void); /* standard error */

/* Whether a person sees what is written there. */
bool prfdata_streams_is_terminal(prfdata_stream stream);

/*
 * Write UTF-8, all of it.
 * Returns ERROR_SUCCESS or the system's error.
 */
uint32_t prfdata_streams_write(prfdata_stream stream, const void *bytes, size_t size);

/*
 * Put lines, each of which ends in CR and LF, with the line ends of the system: on Linux LF alone.
 */
void prfdata_streams_put_lines(prfdata_output *output, const prfdata_output *lines);

/*
 * Write lines, with the line ends of the system. They have names that other programs chose: on a
 * terminal, what it could obey in them is shown as U+FFFD; files and pipes get every byte.
 *
 * lines  As they were put; one that has failed is ERROR_NOT_ENOUGH_MEMORY.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or the system's error.
 */
uint32_t prfdata_streams_write_lines(prfdata_stream stream, const prfdata_output *lines);

/*
 * Why standard output did not take the first lines that it did not take: a full disk, mostly. For a
 * program that goes on printing, and says at its end that the output is not whole. ERROR_SUCCESS:
 * it took all lines.
 */
uint32_t prfdata_streams_out_failure(void);

#endif
