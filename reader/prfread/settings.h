/* SPDX-License-Identifier: MIT */
/*
 * The settings file of -config, as typeperf and relog have it: the name of an option in brackets on
 * a line of its own, its values on the lines below, counter paths under [c].
 *
 *   [f]
 *   TSV
 *   [si]
 *   1:00
 *   [y]
 *   [c]
 *   \Memory\Available Bytes
 *
 * It is read as if its options were on the command line: only [c] has a meaning here, the rest is
 * options.c's.
 */
#ifndef PRFDATA_READER_SETTINGS_H
#define PRFDATA_READER_SETTINGS_H

#include "prfread/options.h"
#include "text/lines.h"

typedef struct prfdata_settings {
    const uint16_t **arguments; /* "-f", "TSV", ...; NUL-terminated; the lines' or `chars`' */
    uint32_t *numbers;          /* the line of each */
    size_t count;
    uint16_t *chars; /* of the options */
} prfdata_settings;

typedef struct prfdata_settings_error {
    uint32_t line;
    prfdata_arguments_error option;
} prfdata_settings_error;

/*
 * Read the lines into the options.
 *
 * lines     Borrowed by the options.
 * settings  On success what else the options borrow.
 * options   As for prfdata_options_read(), with room for as many names as there are lines.
 * error     Set on ERROR_INVALID_DATA; borrows from the lines.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_settings_read(const prfdata_lines *lines, prfdata_settings *settings,
                               prfdata_options *options, prfdata_settings_error *error);

/* The line of an argument that the options borrow from the settings; 0: it is not theirs. */
uint32_t prfdata_settings_line(const prfdata_settings *settings, prfdata_text argument);

/* Release everything; {0} is allowed. */
void prfdata_settings_free(prfdata_settings *settings);

#endif
