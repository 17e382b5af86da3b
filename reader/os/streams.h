/* SPDX-License-Identifier: MIT */
/* Lines for a standard stream, which may be a terminal. */
#ifndef PRFDATA_READER_STREAMS_H
#define PRFDATA_READER_STREAMS_H

#include "os/console.h"
#include "text/output.h"

/*
 * Write lines. They have names that other programs chose: on a terminal, what it could obey in them
 * is shown as U+FFFD; files and pipes get every byte.
 *
 * lines  As they were put; one that has failed is ERROR_NOT_ENOUGH_MEMORY.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or the system's error.
 */
uint32_t prfdata_streams_write_lines(prfdata_console_file file, const prfdata_output *lines);

#endif
