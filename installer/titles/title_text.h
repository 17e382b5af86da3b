/* SPDX-License-Identifier: MIT */
/*
 * Makes the contents of the two files that loadperf reads: the .ini with the titles, and its symbol
 * header. Portable.
 *
 * Titles are in the order of their numbers; base counters have no number. A number that is no
 * longer used keeps a symbol and a text, because loadperf wants offsets without gaps. The .ini
 * refers to the header as <service>.h, so both files must be in the same folder and have the
 * service's name.
 */
#ifndef PRFDATA_TITLE_TEXT_H
#define PRFDATA_TITLE_TEXT_H

#include <stdbool.h>

#include "map/model.h"
#include "titles/title_languages.h"

#define PRFDATA_TITLE_UNUSED_SYMBOL "PRFDATA_NO_LONGER_USED_" /* the offset follows */
#define PRFDATA_TITLE_UNUSED_WIDE   L"" PRFDATA_TITLE_UNUSED

/*
 * Make the .ini: UTF-16LE with a byte order mark, an empty first line, and CRLF line ends.
 *
 * languages  The languages that get the map's English titles, in addition to English.
 * bytes      On success the new text; untouched on failure. Owner: the caller, free().
 * size       In bytes.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_title_text_ini(const prfdata_model *model,
                                const prfdata_title_languages *languages, void **bytes,
                                size_t *size);

/*
 * Make the symbol header: ASCII with CRLF line ends. `bytes`, `size` and the results are those of
 * prfdata_title_text_ini().
 */
uint32_t prfdata_title_text_header(const prfdata_model *model, void **bytes, size_t *size);

/* Find the languages, except English, of an .ini that PrfData made. */
void prfdata_title_text_languages(const void *bytes, size_t size,
                                  prfdata_title_languages *languages);

/*
 * Returns whether these bytes are an .ini that PrfData made, of any map: UTF-16 with an empty first
 * line, and with [info] and [objects] as only PrfData writes them.
 */
bool prfdata_title_text_is_own_ini(const void *bytes, size_t size);

/* Returns whether PrfData made this .ini and these bytes are its header. */
bool prfdata_title_text_is_own_header(const void *bytes, size_t size, const void *ini,
                                      size_t ini_size);

#endif
