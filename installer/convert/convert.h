/* SPDX-License-Identifier: MIT */
/*
 * Makes a map file from an .ini file for lodctr and its symbol file, for a provider that was
 * written by hand (docs/migrating.md). A question mark marks each value that neither file gives.
 * Portable.
 */
#ifndef PRFDATA_CONVERT_H
#define PRFDATA_CONVERT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "report/check.h"
#include "report/quoted_text.h"

#define PRFDATA_MAX_CONVERTED_BYTES (1024u * 1024) /* in each of the two files */

/* The message about a file that prfdata_legacy_text_decode() refuses. */
#define PRFDATA_CONVERT_NO_TEXT "The file is not a text file: it has a byte 0."

typedef struct prfdata_convert_source {
    const char *program; /* the converting program, for the first line */
    const char *ini_name;
    const void *ini;
    size_t ini_size;
    const char *header_name;
    const void *header;
    size_t header_size;
    const char *map_name;
} prfdata_convert_source;

/*
 * Make the map file.
 *
 * line  Gets messages such as "my.ini:12: <message>" about both files. Also gets the number of
 *       question marks, and the mistakes that the map would still have after they are filled in.
 * text  {0}; gets the map file in UTF-8. Release it with prfdata_quoted_text_free(), also on
 *       failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (a file cannot be used: the last line says why) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_convert(const prfdata_convert_source *source, prfdata_check_line *line,
                         void *context, prfdata_quoted_text *text);

/*
 * Make the map file from an .ini file and its symbol file. Both must be in one folder.
 *
 * map_name  The path of the map file, for messages; NULL if there is no path.
 *
 * Returns the same as prfdata_convert(), or the system's error if a file cannot be read. A line
 * then names the file.
 */
uint32_t prfdata_convert_file(const wchar_t *path, const char *program, const wchar_t *map_name,
                              prfdata_check_line *line, void *context, prfdata_quoted_text *text);

#endif
