/* SPDX-License-Identifier: MIT */
/* Decodes a text file: UTF-8, or UTF-16 with a byte order mark. */
#ifndef PRFDATA_MAPFILE_ENCODING_H
#define PRFDATA_MAPFILE_ENCODING_H

#include <stddef.h>
#include <stdint.h>

/* The text in UTF-8, without a byte order mark. */
typedef struct prfdata_encoding_text {
    const char *at; /* in `owned`, or in the file's bytes */
    size_t size;
    void *owned; /* for free(); NULL: `at` is in the file's bytes */
    /* describes the first character that is not valid UTF-16; NULL if all are valid */
    const char *mistake;
    uint32_t mistake_line; /* the line of the mistake; the first line is 1 */
} prfdata_encoding_text;

/*
 * Decode a file. Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. Does not check whether bytes are
 * valid UTF-8. In UTF-16, a lone surrogate becomes U+FFFD, an odd last byte is left out, and
 * `mistake` is set. `text` is always set.
 */
uint32_t prfdata_encoding_decode(const void *bytes, size_t size, prfdata_encoding_text *text);

#endif
