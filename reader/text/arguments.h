/* SPDX-License-Identifier: MIT */
/*
 * Walks through the arguments of a command line, and quotes arguments for another command line. As
 * in typeperf, an option begins with - or /, upper and lower case do not differ, and the value of
 * an option is the next argument.
 */
#ifndef PRFDATA_ARGUMENTS_H
#define PRFDATA_ARGUMENTS_H

#include "text/output.h"
#include "text/text.h"

typedef struct prfdata_arguments_error {
    /* The invalid argument, borrowed; empty: something is missing at the end. */
    prfdata_text argument;
    const char *reason; /* static storage */
} prfdata_arguments_error;

typedef struct prfdata_arguments {
    /* The arguments after the program's name; borrowed, NUL-terminated. */
    const uint16_t *const *items;
    size_t count;
    size_t position; /* position of the next argument */
    prfdata_arguments_error *error;
} prfdata_arguments;

/* Take the next argument. Returns false if there is none. */
bool prfdata_arguments_next(prfdata_arguments *arguments, prfdata_text *argument);

/* Take the next argument as the value of `option`. If there is none, sets the error and returns
 * false. */
bool prfdata_arguments_take_value(prfdata_arguments *arguments, prfdata_text option,
                                  prfdata_text *value);

/* Set the error. Returns false. */
bool prfdata_arguments_fail(prfdata_arguments *arguments, prfdata_text argument,
                            const char *reason);

/* Returns whether the argument begins with - or /. */
bool prfdata_arguments_is_marked(prfdata_text argument);

/*
 * Put an argument as a part of a Windows command line, in quotes if necessary, so that
 * CommandLineToArgvW() and the C library return it unchanged.
 */
void prfdata_arguments_put_quoted(prfdata_output *line, prfdata_text argument);

/*
 * Put an argument into a line that somebody will paste at the prompt of cmd. Even if another
 * program chose the characters of a name, the text remains one argument, because carets protect
 * quotes and percent signs from cmd. A line cannot contain control characters, so they become *,
 * which matches any characters in a path.
 */
void prfdata_arguments_put_for_cmd(prfdata_output *line, prfdata_text argument);

/* Returns whether a marked argument is the option of this name, in any case. */
bool prfdata_arguments_is_option(prfdata_text argument, const char *name);

#endif
