/* SPDX-License-Identifier: MIT */
/* The command line of prfread, in typeperf's manner: -x or /x, in any case. Portable. */
#ifndef PRFDATA_READER_OPTIONS_H
#define PRFDATA_READER_OPTIONS_H

#include "text.h"

typedef enum prfdata_options_task {
    PRFDATA_TASK_WATCH,          /* print the values of counter paths */
    PRFDATA_TASK_LIST,           /* -q */
    PRFDATA_TASK_LIST_INSTANCES, /* -qx */
    PRFDATA_TASK_DUMP,           /* -dump */
    PRFDATA_TASK_HELP            /* -? */
} prfdata_options_task;

typedef struct prfdata_options {
    prfdata_options_task task;
    uint32_t interval_ms;  /* -si; 1000 */
    uint32_t sample_count; /* -sc; 0: until somebody stops it */
    prfdata_text file;     /* -o; empty: standard output */
    bool overwrite;        /* -y */
    prfdata_text *names;   /* counter paths, or objects; in the caller's room */
    size_t name_count;
} prfdata_options;

typedef struct prfdata_options_error {
    prfdata_text argument; /* the wrong one; empty: something is missing at the end */
    const char *reason;    /* static storage */
} prfdata_options_error;

/*
 * Understand the arguments behind the program's name.
 *
 * names    Room for `count` texts, which borrow from the arguments.
 * options  Set on success.
 * error    Set on failure; borrows from the arguments.
 */
bool prfdata_options_parse(size_t count, const uint16_t *const *arguments, prfdata_text *names,
                           prfdata_options *options, prfdata_options_error *error);

#endif
