/* SPDX-License-Identifier: MIT */
/* The command line of prfread: its arguments, and the settings file that they may name. */
#ifndef PRFDATA_READER_COMMAND_LINE_H
#define PRFDATA_READER_COMMAND_LINE_H

#include "prfread/options.h"
#include "prfread/settings.h"
#include "text/messages.h"

typedef struct prfdata_command_line {
    prfdata_options options; /* borrows from the arguments and from what follows */
    prfdata_text *names;
    prfdata_lines lines; /* of -config */
    prfdata_settings settings;
} prfdata_command_line;

/*
 * Read the arguments after the program's name, and before them the file of -config. Mistakes are
 * reported.
 *
 * line       Set, also on failure; release with prfdata_command_line_free().
 * arguments  `count` texts with NULs; borrowed by the line.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (the arguments or the file are wrong),
 *         ERROR_NOT_ENOUGH_MEMORY or why the file cannot be read.
 */
uint32_t prfdata_command_line_read(prfdata_command_line *line, size_t count,
                                   const uint16_t *const *arguments, prfdata_messages *messages);

/* Release everything; {0} is allowed. */
void prfdata_command_line_free(prfdata_command_line *line);

#endif
