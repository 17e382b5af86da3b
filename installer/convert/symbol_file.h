/* SPDX-License-Identifier: MIT */
/*
 * Reads the symbol file of an .ini for lodctr. It is a C header, of which only the lines `#define
 * SYMBOL value` are read. If a symbol has several such lines, the first one counts, even if its
 * value is not a number. Portable.
 */
#ifndef PRFDATA_SYMBOL_FILE_H
#define PRFDATA_SYMBOL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mapfile/map_lines.h"

typedef struct prfdata_symbol {
    prfdata_map_text name;
    uint32_t value;
    bool has_value; /* its value is a number */
} prfdata_symbol;

/* {0} is empty. */
typedef struct prfdata_symbol_file {
    char *owned; /* the text without comments; the names point into it */
    prfdata_symbol *symbols;
    size_t count;
    size_t capacity;
} prfdata_symbol_file;

/*
 * Read the symbols of a header, and sort them by name, ignoring case.
 *
 * text  UTF-8; it may be released afterwards.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; prfdata_symbol_file_free(), even after a failure.
 */
uint32_t prfdata_symbol_file_read(prfdata_map_text text, prfdata_symbol_file *file);

/* Return the symbol of this name, ignoring case as lodctr does, or NULL. */
const prfdata_symbol *prfdata_symbol_file_find(const prfdata_symbol_file *file,
                                               prfdata_map_text name);

void prfdata_symbol_file_free(prfdata_symbol_file *file);

#endif
