/* SPDX-License-Identifier: MIT */
/*
 * The lines of a map file: sections, keys with their values, and what is neither. Knows no map.
 */
#ifndef PRFDATA_MAPFILE_LINES_H
#define PRFDATA_MAPFILE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the file; not NUL-terminated. */
typedef struct prfdata_lines_text {
    const char *at;
    size_t size;
} prfdata_lines_text;

typedef enum prfdata_line_kind {
    PRFDATA_LINE_NOTHING, /* empty, or a comment */
    PRFDATA_LINE_SECTION, /* [word] or [word symbol] */
    PRFDATA_LINE_PAIR,    /* key=value */
    PRFDATA_LINE_NEITHER
} prfdata_line_kind;

typedef struct prfdata_line {
    prfdata_line_kind kind;
    uint32_t number;          /* from 1 */
    prfdata_lines_text key;   /* or the section's word */
    prfdata_lines_text value; /* or the section's symbol; size 0: there is none */
} prfdata_line;

typedef struct prfdata_lines {
    prfdata_lines_text rest;
    uint32_t number; /* of the last line */
} prfdata_lines;

/*
 * Take the next line, without its blanks at both ends. Lines end with LF or CR LF. Returns false
 * after the last one.
 */
bool prfdata_lines_next(prfdata_lines *lines, prfdata_line *line);

/*
 * Split a text before the first `separator`, which goes with neither part, and trim both. Returns
 * whether there is one; else all of it is `before`.
 */
bool prfdata_lines_split(prfdata_lines_text text, char separator, prfdata_lines_text *before,
                         prfdata_lines_text *after);

/* Whether a text is this word, ignoring ASCII case. */
bool prfdata_lines_is(prfdata_lines_text text, const char *word);

/*
 * The value of a decimal number, or of a hexadecimal one after 0x; with `-` in front if `least` is
 * below 0. Returns false if it is no number or not in the range.
 */
bool prfdata_lines_number(prfdata_lines_text text, int64_t least, int64_t most, int64_t *number);

#endif
