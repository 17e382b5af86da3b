/* SPDX-License-Identifier: MIT */
/* What prfread says about its work: lines on standard error. */
#ifndef PRFDATA_READER_SAY_H
#define PRFDATA_READER_SAY_H

#include "console.h"

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

#endif
