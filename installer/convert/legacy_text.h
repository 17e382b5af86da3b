/* SPDX-License-Identifier: MIT */
/*
 * Makes UTF-8 from a file for lodctr. Such a file is encoded in UTF-16, in UTF-8 or in the code
 * page of the computer where it was written. It may end with Ctrl-Z. Portable.
 */
#ifndef PRFDATA_LEGACY_TEXT_H
#define PRFDATA_LEGACY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mapfile/map_lines.h"

/* {0} is empty. */
typedef struct prfdata_legacy_text {
    prfdata_map_text text; /* valid UTF-8 without NUL and Ctrl-Z */
    char *owned;
    bool is_windows_1252; /* the file is not Unicode, so letters beyond ASCII are a guess */
} prfdata_legacy_text;

/*
 * Decode the bytes of a file.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (the file has a NUL, so it is not text) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; prfdata_legacy_text_free(). The bytes may be released before the text.
 */
uint32_t prfdata_legacy_text_decode(const void *bytes, size_t size, prfdata_legacy_text *text);

void prfdata_legacy_text_free(prfdata_legacy_text *text);

/* Take the next line, trimmed, from the rest of a text. Returns false after the last line. */
bool prfdata_legacy_text_next(prfdata_map_text *rest, prfdata_map_text *line);

/* Compare two texts, ignoring ASCII case: below 0, 0 or above 0. */
int prfdata_legacy_text_compare(prfdata_map_text a, prfdata_map_text b);

#endif
