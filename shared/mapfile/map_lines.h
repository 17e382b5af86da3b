/* SPDX-License-Identifier: MIT */
/* Splits a map file into lines: sections, keys with their values, and lines that are neither. */
#ifndef PRFDATA_MAPFILE_MAP_LINES_H
#define PRFDATA_MAPFILE_MAP_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the file; not NUL-terminated. */
typedef struct prfdata_map_text {
    const char *at;
    size_t size;
} prfdata_map_text;

typedef enum prfdata_map_line_kind {
    PRFDATA_MAP_LINE_NOTHING,       /* empty, or a comment */
    PRFDATA_MAP_LINE_SECTION,       /* [word] or [word symbol] */
    PRFDATA_MAP_LINE_WRONG_SECTION, /* begins with [ and does not end with ] */
    PRFDATA_MAP_LINE_PAIR,          /* key=value */
    PRFDATA_MAP_LINE_NEITHER
} prfdata_map_line_kind;

typedef struct prfdata_map_line {
    prfdata_map_line_kind kind;
    uint32_t number;        /* from 1 */
    prfdata_map_text key;   /* of a section: its word */
    prfdata_map_text value; /* of a section: its symbol; size 0: it has none */
} prfdata_map_line;

typedef struct prfdata_map_lines {
    prfdata_map_text rest;
    uint32_t number; /* number of the line that was read last */
} prfdata_map_lines;

/*
 * Take the next line, without the blanks at both ends. Lines end with LF or CR LF. Returns false
 * after the last line.
 */
bool prfdata_map_lines_next(prfdata_map_lines *lines, prfdata_map_line *line);

/*
 * Split a text at the first `separator`, which is in neither part, and trim both parts. If there is
 * no separator, `before` is the whole text, `after` is empty, and the result is false.
 */
bool prfdata_map_lines_split(prfdata_map_text text, char separator, prfdata_map_text *before,
                             prfdata_map_text *after);

/* Returns whether a text is this word, ignoring ASCII case. */
bool prfdata_map_lines_is(prfdata_map_text text, const char *word);

/*
 * Read a number, decimal or, after 0x, hexadecimal. A minus sign is accepted only if `least` is
 * below 0. Returns false if the text is not a number, or the number is not in the range.
 */
bool prfdata_map_lines_number(prfdata_map_text text, int64_t least, int64_t most, int64_t *number);

/* Read a number from 0 to `most`, as prfdata_map_lines_number() does, but without a minus sign. */
bool prfdata_map_lines_unsigned(prfdata_map_text text, uint64_t most, uint64_t *number);

#endif
