/* SPDX-License-Identifier: MIT */
/*
 * Joins the titles of an .ini file with the offsets of its symbol file, and sorts them by offset.
 * Portable.
 */
#ifndef PRFDATA_LEGACY_TITLES_H
#define PRFDATA_LEGACY_TITLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "convert/ini_file.h"
#include "convert/symbol_file.h"

typedef struct prfdata_titled {
    prfdata_map_text symbol; /* as the symbol file spells it */
    uint32_t offset;
    const prfdata_ini_title *titles; /* the titles of this symbol: names, then helps */
    size_t title_count;
    bool is_object;
    bool is_guess; /* is_object is a guess, because no item is in [objects] */
} prfdata_titled;

/* {0} is empty. Every text points into the text of the .ini file or of the symbol file. */
typedef struct prfdata_legacy_titles {
    prfdata_titled *items;
    size_t count;
    size_t capacity;
    size_t first_object; /* an index; the items before it are counters without an object */
} prfdata_legacy_titles;

/*
 * Join the files.
 *
 * note  Gets messages about symbols without an offset, and about unusual offsets and objects.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (nothing has both a title and an offset) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; prfdata_legacy_titles_free(), even after a failure.
 */
uint32_t prfdata_legacy_titles_make(const prfdata_ini_file *ini, const prfdata_symbol_file *symbols,
                                    prfdata_legacy_titles *set, prfdata_ini_note *note,
                                    void *context);

/*
 * Return the name or help of an item, in English (009), otherwise in another English, otherwise in
 * the first language. NULL if it has none.
 */
const prfdata_ini_title *prfdata_legacy_titles_english(const prfdata_titled *item, bool is_help);

void prfdata_legacy_titles_free(prfdata_legacy_titles *set);

#endif
