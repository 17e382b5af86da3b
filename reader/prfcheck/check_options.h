/* SPDX-License-Identifier: MIT */
/* Parses the command line of prfcheck. Options begin with - or /, in any case, as in prfread. */
#ifndef PRFDATA_READER_CHECK_OPTIONS_H
#define PRFDATA_READER_CHECK_OPTIONS_H

#include "text/arguments.h"

#define PRFDATA_CHECK_MOST_ACCEPTED 256u /* most mistakes that the options may accept */

typedef struct prfdata_check_options {
    bool help;
    bool version;
    bool verbose;
    bool quick;
    bool all;         /* -all; `service` is empty at first, and later names the provider that is
                         checked */
    bool is_json;     /* -f JSON */
    bool is_junit;    /* -f JUnit */
    bool fails_error; /* -fail error: warnings do not fail the check */
    prfdata_text fail;
    prfdata_text accept[PRFDATA_CHECK_MOST_ACCEPTED]; /* values of -accept and lines of @FILEs */
    size_t accept_count;
    prfdata_text save; /* -save: the folder; empty: none */
    prfdata_text format;
    prfdata_text service;
    prfdata_text dll; /* -dll; `service` is then empty */
    prfdata_text open;
    prfdata_text collect;
    prfdata_text close;
    prfdata_text context;
    bool has_context;
    uint32_t first; /* -first; 0: not given */
    uint32_t last;
    uint32_t seconds;
    uint32_t limit;   /* -limit, seconds; 0: not given */
    uint32_t each;    /* -each, seconds */
    uint32_t silence; /* -silence, seconds */
    uint32_t wait;    /* -wait, seconds */
    prfdata_text only;
    /* The following options are not for users. prfcheck gives them to its own processes. */
    bool is_worker;
    uint32_t pipe; /* -worker */
    uint32_t from;
    uint32_t expect; /* -expect: the extent to wait for (reply_objects.h); 0: any object */
    /* -again: a digit for each scenario; 1: run the scenario, 0: leave it out. */
    prfdata_text again;
    bool is_beside;
    uint32_t beside; /* -beside: run as the second process, with this handle of the shared memory */
} prfdata_check_options;

/* Parse the arguments after the program's name.
 *
 * options  Set on success; borrows from the arguments.
 * error    Set on failure; borrows from the arguments.
 *
 * Returns false if the arguments are invalid. */
bool prfdata_check_options_parse(size_t count, const uint16_t *const *arguments,
                                 prfdata_check_options *options, prfdata_arguments_error *error);

#endif
