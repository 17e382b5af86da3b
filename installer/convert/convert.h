/* SPDX-License-Identifier: MIT */
/*
 * Makes a map file of an .ini for lodctr and its symbol file, for a provider that was written by
 * hand (docs/migrating.md). A question mark marks what neither file says. Portable.
 */
#ifndef PRFDATA_CONVERT_H
#define PRFDATA_CONVERT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "report/check.h"
#include "report/quoted_text.h"

#define PRFDATA_MAX_CONVERTED_BYTES (1024u * 1024) /* of each file */

typedef struct prfdata_convert_source {
    const char *program; /* that converts, for the first line */
    const char *ini_name;
    const void *ini;
    size_t ini_size;
    const char *header_name;
    const void *header;
    size_t header_size;
    const char *map_name; /* of the map file, for the lines about it */
} prfdata_convert_source;

/*
 * Make the map file.
 *
 * line  Gets a line for each thing that cannot be taken over, for each mistake that the map would
 *       have when its question marks are filled in, and at the end for what is to be filled in:
 *       "my.ini:12: <sentence>".
 * text  {0}; the map file in UTF-8. Release it with prfdata_quoted_text_free(), also on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (it is no such .ini: the last line says why) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_convert(const prfdata_convert_source *source, prfdata_check_line *line,
                         void *context, prfdata_quoted_text *text);

/*
 * The same with a file; its symbol file is looked for in its folder, as lodctr does.
 *
 * map_name  Of the map file, or NULL: it has none yet.
 *
 * Returns also what the system answered where a file could not be read; a line says it.
 */
uint32_t prfdata_convert_file(const wchar_t *path, const char *program, const wchar_t *map_name,
                              prfdata_check_line *line, void *context, prfdata_quoted_text *text);

#endif
