/* SPDX-License-Identifier: MIT */
/* Reads the command line of prfread: its arguments, and the settings file that they may name. */
#ifndef PRFDATA_READER_COMMAND_LINE_H
#define PRFDATA_READER_COMMAND_LINE_H

#include "prfread/options.h"
#include "prfread/settings.h"
#include "text/messages.h"

typedef struct prfdata_command_line {
    prfdata_options options; /* borrows from the arguments and from the fields below */
    prfdata_text *names;
    prfdata_lines lines; /* lines of the file of -config */
    prfdata_settings settings;
} prfdata_command_line;

/*
 * Read the file of -config, then the arguments after the program's name. Mistakes are reported.
 *
 * line       Set, even on failure; release with prfdata_command_line_free().
 * arguments  `count` strings with NULs; borrowed by the line.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (the arguments or the file are invalid),
 * ERROR_NOT_ENOUGH_MEMORY or the reason why the file cannot be read.
 */
uint32_t prfdata_command_line_read(prfdata_command_line *line, size_t count,
                                   const uint16_t *const *arguments, prfdata_messages *messages);

/* Release everything; {0} is allowed. */
void prfdata_command_line_free(prfdata_command_line *line);

#endif
