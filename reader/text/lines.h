/* SPDX-License-Identifier: MIT */
/*
 * Reads the lines of a text file that a person wrote: UTF-8, with or without a byte order mark, or
 * UTF-16LE with one. Lines end in LF or CR LF. Blanks around a line are removed, and then a pair of
 * quotes around it. A line that begins with a backslash, as a path does, keeps the blanks at its
 * end. Lines that are empty or begin with # or ; are left out.
 */
#ifndef PRFDATA_READER_LINES_H
#define PRFDATA_READER_LINES_H

#include "text/text.h"

#define PRFDATA_LINES_MAX_BYTES 0x400000u /* more bytes than a person writes */

typedef struct prfdata_line {
    prfdata_text text; /* not empty; a NUL follows it */
    uint32_t number;   /* in the file, from 1 */
} prfdata_line;

typedef struct prfdata_lines {
    prfdata_line *items;
    size_t count;
    uint16_t *chars; /* chars of all texts */
} prfdata_lines;

typedef struct prfdata_lines_error {
    uint32_t line;      /* line of the mistake; 0: it concerns the whole file */
    const char *reason; /* static storage */
} prfdata_lines_error;

/*
 * Split the bytes of a file into lines.
 *
 * size   0 to PRFDATA_LINES_MAX_BYTES.
 * lines  On success the file's lines; release with prfdata_lines_free().
 * error  Set on ERROR_INVALID_DATA.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (another encoding, or a NUL in the text) or
 * ERROR_NOT_ENOUGH_MEMORY. Threads: any.
 */
uint32_t prfdata_lines_make(const void *bytes, size_t size, prfdata_lines *lines,
                            prfdata_lines_error *error);

/* Release everything; {0} is allowed. */
void prfdata_lines_free(prfdata_lines *lines);

#endif
