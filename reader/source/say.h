/* SPDX-License-Identifier: MIT */
/* What prfread says about its work: lines on standard error. And lines as a terminal may get them.
 */
#ifndef PRFDATA_READER_SAY_H
#define PRFDATA_READER_SAY_H

#include "os/console.h"
#include "text/output.h"

/* No subject. */
extern const prfdata_text prfdata_say_nothing;

/* "<kind>: <subject>: <text>", or without subject. */
void prfdata_say(const char *kind, prfdata_text subject, const char *text);

/* The same, as an error. */
void prfdata_say_error(prfdata_text subject, const char *text);

/* "Error: <file>: line 3: <subject>: <text>". line 0: of the whole file; then no subject. */
void prfdata_say_line_error(prfdata_text file, uint32_t line, prfdata_text subject,
                            const char *text);

/* "Error: <subject>: <what>: error 5 Access is denied." */
void prfdata_say_system_error(prfdata_text subject, const char *what, uint32_t status);

/*
 * Write lines. They have names that other programs chose: on a terminal, what it could obey in them
 * is shown as U+FFFD; files and pipes get every byte.
 *
 * lines  As they were put; one that has failed is ERROR_NOT_ENOUGH_MEMORY.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or the system's error.
 */
uint32_t prfdata_say_lines(prfdata_console_file file, const prfdata_output *lines);

#endif
