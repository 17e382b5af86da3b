/* SPDX-License-Identifier: MIT */
/* The command line of prfview: -x or /x, in any case, as prfread has it. */
#ifndef PRFDATA_READER_VIEW_OPTIONS_H
#define PRFDATA_READER_VIEW_OPTIONS_H

#include "text/arguments.h"

#define PRFDATA_VIEW_NAMES 64 /* paths and objects; there are no more lines in a chart */

#define PRFDATA_VIEW_LEAST_INTERVAL_MS 200u
#define PRFDATA_VIEW_MOST_INTERVAL_MS  60000u

#define PRFDATA_VIEW_READER_HANDLES 2

typedef struct prfdata_view_options {
    bool help;
    bool version;
    prfdata_text file;      /* -file: a saved block or a recording */
    prfdata_text newer;     /* a second file after -file */
    prfdata_text workspace; /* -w */
    prfdata_text computer;  /* -s: another one; without backslashes before it */
    uint32_t interval_ms;   /* -si; 0: not given */
    bool is_reader; /* -provider-process, of the program itself: the process that asks providers */
    uint32_t reader_handles[PRFDATA_VIEW_READER_HANDLES]; /* its values */
    bool is_dark;                                         /* -dark: whatever the system says */
    prfdata_text names[PRFDATA_VIEW_NAMES];
    size_t name_count;
} prfdata_view_options;

/*
 * Parse the arguments after the program's name.
 *
 * options  Set on success; borrows from the arguments.
 * error    Set on failure; borrows from the arguments.
 *
 * Returns false if the arguments are wrong.
 */
bool prfdata_view_options_parse(size_t count, const uint16_t *const *arguments,
                                prfdata_view_options *options, prfdata_arguments_error *error);

/* The computer to be read: that of -s, or of all paths if there is no file; empty: this one. */
prfdata_text prfdata_view_options_computer(const prfdata_view_options *options);

/*
 * Take the name of a computer as people write it: without backslashes before it. Returns false if
 * there is none, or chars in it that no name has.
 */
bool prfdata_view_options_name_computer(prfdata_text text, prfdata_text *computer);

/* Read seconds such as 0.2 or 60 as milliseconds. Returns false if it is no such number. */
bool prfdata_view_options_interval(prfdata_text text, uint32_t *interval_ms);

#endif
