/* SPDX-License-Identifier: MIT */
/* Reads the command line of prfview. Options begin with - or /, and their case does not
 * matter. */
#ifndef PRFDATA_READER_VIEW_OPTIONS_H
#define PRFDATA_READER_VIEW_OPTIONS_H

#include "text/arguments.h"

#define PRFDATA_VIEW_NAMES 64 /* limit for paths and objects; a chart has no more lines */

#define PRFDATA_VIEW_LEAST_INTERVAL_MS 200u
#define PRFDATA_VIEW_MOST_INTERVAL_MS  60000u

#define PRFDATA_VIEW_READER_HANDLES 2

typedef struct prfdata_view_options {
    bool help;
    bool version;
    prfdata_text file;      /* -file: a saved block or a recording */
    prfdata_text newer;     /* a second file after -file */
    prfdata_text workspace; /* -w */
    prfdata_text computer;  /* -s: another computer; without leading backslashes */
    uint32_t interval_ms;   /* -si; 0: not given */
    bool is_reader;         /* -provider-process: this is the process that asks providers. Only the
                               program itself uses this option. */
    uint32_t reader_handles[PRFDATA_VIEW_READER_HANDLES]; /* the values of -provider-process */
    bool is_dark; /* -dark: use dark colours, whatever the system's setting is */
    prfdata_text names[PRFDATA_VIEW_NAMES];
    size_t name_count;
} prfdata_view_options;

/*
 * Parse the arguments after the program's name.
 *
 * options  Set on success; borrows from the arguments.
 * error    Set on failure; borrows from the arguments.
 *
 * Returns false if the arguments are invalid.
 */
bool prfdata_view_options_parse(size_t count, const uint16_t *const *arguments,
                                prfdata_view_options *options, prfdata_arguments_error *error);

/*
 * Return the computer to read: that of -s; otherwise, if no file is given and all names are paths
 * of one computer, that computer. Empty: this computer.
 */
prfdata_text prfdata_view_options_computer(const prfdata_view_options *options);

/*
 * Parse the name of a computer as people write it, with or without leading backslashes. Returns
 * false if it is empty or too long, or contains chars that no name has.
 */
bool prfdata_view_options_name_computer(prfdata_text text, prfdata_text *computer);

/* Read seconds, from 0.2 to 60, as milliseconds. Returns false if the text is not such a number. */
bool prfdata_view_options_interval(prfdata_text text, uint32_t *interval_ms);

#endif
