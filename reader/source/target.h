/* SPDX-License-Identifier: MIT */
/* Which provider is checked or read, as the registry or the command line says. Knows Windows. */
#ifndef PRFDATA_READER_TARGET_H
#define PRFDATA_READER_TARGET_H

#include <windows.h>

#include "prfcheck/check_options.h"
#include "prfcheck/judge.h"

typedef struct prfdata_target {
    wchar_t library[1024]; /* a full path, if it could be made one */
    char open[256];
    char collect[256];
    char close[256];
    wchar_t context[1024]; /* ends with two NULs */
    bool has_context;
    prfdata_judge_titles titles;
    uint32_t open_limit_ms;
    uint32_t collect_limit_ms;
    bool answers_metadata; /* it says so */
    bool is_disabled;
    bool is_relative; /* Library is not a full path */
} prfdata_target;

/*
 * Find out what the options mean.
 *
 * what  On failure what could not be read, such as a value's name; static storage.
 * Returns ERROR_SUCCESS, or the registry's error.
 */
uint32_t prfdata_target_find(const prfdata_check_options *options, prfdata_target *target,
                             const char **what);

/*
 * Find a service whose Library is this DLL.
 *
 * dll      A full path.
 * service  Room for the name of a key, 256 chars; set if there is one.
 * Returns whether there is.
 */
bool prfdata_target_find_service(const wchar_t *dll, wchar_t *service);

/* Whether a service of this name has a Performance key. */
bool prfdata_target_has_service(prfdata_text service);

#endif
