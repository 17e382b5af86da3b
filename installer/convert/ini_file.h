/* SPDX-License-Identifier: MIT */
/*
 * Reads an .ini file for lodctr: the service, its symbol file, and the titles and explanations of
 * its symbols in every language. The symbol file has the offsets of the symbols. Portable.
 */
#ifndef PRFDATA_INI_FILE_H
#define PRFDATA_INI_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mapfile/map_lines.h"

/* A line of [text], or of [objects]. */
typedef struct prfdata_ini_title {
    prfdata_map_text symbol;
    prfdata_map_text language; /* three hexadecimal digits */
    prfdata_map_text value;
    bool is_help;
    uint32_t line;
} prfdata_ini_title;

/* A line of [languages]. */
typedef struct prfdata_ini_language {
    prfdata_map_text id;
    prfdata_map_text name;
} prfdata_ini_language;

/* {0} is empty. The texts point into the text that was read. */
typedef struct prfdata_ini_file {
    prfdata_map_text service;
    prfdata_map_text symbol_file;
    prfdata_ini_title *titles; /* sorted by symbol, kind (names first) and language */
    size_t title_count;
    size_t title_capacity;
    prfdata_ini_title *objects; /* sorted by symbol */
    size_t object_count;
    size_t object_capacity;
    prfdata_ini_language *languages;
    size_t language_count;
    size_t language_capacity;
} prfdata_ini_file;

/*
 * Gets a message about each unusable or unusual part of a file.
 *
 * line  From 1.
 * text  A message in UTF-8, valid during the call.
 */
typedef void prfdata_ini_note(void *context, uint32_t line, const char *text);

/*
 * Call `note` with a message. The message begins with `about`, a part of the file, in quotation
 * marks. `what` follows, such as "is left out."
 */
void prfdata_ini_file_note(prfdata_ini_note *note, void *context, uint32_t line,
                           prfdata_map_text about, const char *what);

/*
 * Read a file, which may hold any text.
 *
 * text  Valid UTF-8; it must stay valid as long as `file`.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; prfdata_ini_file_free(), even after a failure.
 */
uint32_t prfdata_ini_file_read(prfdata_map_text text, prfdata_ini_file *file,
                               prfdata_ini_note *note, void *context);

/* Returns whether [objects] has the symbol. */
bool prfdata_ini_file_is_object(const prfdata_ini_file *file, prfdata_map_text symbol);

/* Return the name that [languages] gives a language; size 0 if it gives none. */
prfdata_map_text prfdata_ini_file_language(const prfdata_ini_file *file, prfdata_map_text id);

void prfdata_ini_file_free(prfdata_ini_file *file);

#endif
