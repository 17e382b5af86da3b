/* SPDX-License-Identifier: MIT */
/*
 * Walking through the arguments of a command line in typeperf's manner: options are marked with -
 * or /, in any case; the value of an option is the next argument. Each program knows its own
 * options.
 */
#ifndef PRFDATA_ARGUMENTS_H
#define PRFDATA_ARGUMENTS_H

#include "text/output.h"
#include "text/text.h"

/* What is wrong with a command line. */
typedef struct prfdata_arguments_error {
    prfdata_text argument; /* the wrong one, borrowed; empty: something is missing at the end */
    const char *reason;    /* static storage */
} prfdata_arguments_error;

typedef struct prfdata_arguments {
    const uint16_t *const *items; /* those after the program's name; borrowed, NUL-terminated */
    size_t count;
    size_t position; /* of the next one */
    prfdata_arguments_error *error;
} prfdata_arguments;

/* Take the next argument; false: there is none. */
bool prfdata_arguments_next(prfdata_arguments *arguments, prfdata_text *argument);

/* Take the next argument as the value of `option`. False: there is none, which is the error. */
bool prfdata_arguments_take_value(prfdata_arguments *arguments, prfdata_text option,
                                  prfdata_text *value);

/* Set the error. Returns false. */
bool prfdata_arguments_fail(prfdata_arguments *arguments, prfdata_text argument,
                            const char *reason);

/* Whether the argument begins with - or /. */
bool prfdata_arguments_is_marked(prfdata_text argument);

/*
 * Put an argument as a part of a Windows command line: in quotes if it needs them, so that
 * CommandLineToArgvW() and the C library's start give it back.
 */
void prfdata_arguments_put_quoted(prfdata_output *line, prfdata_text argument);

/*
 * Put an argument as a part of a line that somebody pastes at the prompt of cmd: it gets one
 * argument, whatever a name contains that another program chose. Its quotes and percent signs are
 * kept from cmd by carets. Control characters, which no line may have, become *, which a path
 * understands as any characters.
 */
void prfdata_arguments_put_for_cmd(prfdata_output *line, prfdata_text argument);

/* Whether a marked argument is the option of this name, in any case. */
bool prfdata_arguments_is_option(prfdata_text argument, const char *name);

#endif
