/* SPDX-License-Identifier: MIT */
/*
 * Reads the settings file of -config, which looks like those of typeperf and relog. The name of an
 * option stands in brackets on its own line. The lines below have the option's values. Counter
 * paths stand below [c].
 *
 *   [f]
 *   TSV
 *   [si]
 *   1:00
 *   [y]
 *   [c]
 *   \Memory\Available Bytes
 *
 * The options have the same effect as on the command line.
 */
#ifndef PRFDATA_READER_SETTINGS_H
#define PRFDATA_READER_SETTINGS_H

#include "prfread/options.h"
#include "text/lines.h"

typedef struct prfdata_settings {
    const uint16_t **arguments; /* "-f", "TSV", ...; NUL-terminated; in `chars` or the lines */
    uint32_t *numbers;          /* line of each argument */
    size_t count;
    uint16_t *chars; /* chars of the options */
} prfdata_settings;

typedef struct prfdata_settings_error {
    uint32_t line;
    prfdata_arguments_error option;
} prfdata_settings_error;

/*
 * Read the lines into the options.
 *
 * lines     Borrowed by the options.
 * settings  On success the other data that the options borrow.
 * options   Changed as by prfdata_options_read(). Needs room for as many names as there are lines.
 * error     Set on ERROR_INVALID_DATA; borrows from the lines.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_settings_read(const prfdata_lines *lines, prfdata_settings *settings,
                               prfdata_options *options, prfdata_settings_error *error);

/*
 * Return the line of an argument that the options borrow from the settings; 0: the argument is not
 * from the settings.
 */
uint32_t prfdata_settings_line(const prfdata_settings *settings, prfdata_text argument);

/*
 * Set the line of each name in `lines`; 0: the name is not from the settings.
 *
 * names  Names of the options, in their order: first those of the settings.
 */
void prfdata_settings_name_lines(const prfdata_settings *settings, const prfdata_text *names,
                                 size_t count, uint32_t *lines);

/* Release everything; {0} is allowed. */
void prfdata_settings_free(prfdata_settings *settings);

#endif
