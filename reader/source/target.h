/* SPDX-License-Identifier: MIT */
/*
 * Which provider is checked or read: what the registry says about it, and what the user says
 * instead. Knows Windows.
 */
#ifndef PRFDATA_READER_TARGET_H
#define PRFDATA_READER_TARGET_H

#include <windows.h>

#include "text/text.h"

/* What the user says. A text is borrowed; an empty one, and a 0, say nothing. */
typedef struct prfdata_target_request {
    prfdata_text service; /* what the registry says about it; else */
    prfdata_text dll;     /* this path, and nothing is read from the registry */
    prfdata_text open;    /* the DLL's functions; PrfDataOpen, PrfDataCollect, PrfDataClose */
    prfdata_text collect;
    prfdata_text close;
    bool has_context;
    prfdata_text context; /* what Open gets */
    uint32_t first;       /* title indexes */
    uint32_t last;
    uint32_t limit_s; /* for each call */
} prfdata_target_request;

/* The title indexes of the service, as loadperf assigned them; 0: not known. */
typedef struct prfdata_target_titles {
    uint32_t first_counter;
    uint32_t last_counter;
    uint32_t first_help;
    uint32_t last_help;
} prfdata_target_titles;

typedef struct prfdata_target {
    wchar_t library[1024]; /* a full path, if it could be made one */
    char open[256];
    char collect[256];
    char close[256];
    wchar_t context[1024]; /* ends with two NULs */
    bool has_context;
    prfdata_target_titles titles;
    uint32_t open_limit_ms;
    uint32_t collect_limit_ms;
    bool answers_metadata; /* it says so */
    bool is_disabled;
    bool is_relative; /* Library is not a full path */
} prfdata_target;

/*
 * Find out what the request means.
 *
 * what  On failure what could not be read, such as a value's name; static storage.
 * Returns ERROR_SUCCESS, or the registry's error.
 */
uint32_t prfdata_target_find(const prfdata_target_request *request, prfdata_target *target,
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
