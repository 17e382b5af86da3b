/* SPDX-License-Identifier: MIT */
/*
 * Adds numbers, types, and texts of the map to a message about a mistake in a map. Texts of the map
 * are shortened and cleaned, because a text may itself be the mistake.
 */
#ifndef PRFDATA_MAP_MISTAKE_WORDS_H
#define PRFDATA_MAP_MISTAKE_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* A message that is being written. `used` also counts the bytes that did not fit. */
typedef struct prfdata_map_mistake_words {
    char *text;
    size_t capacity;
    size_t used;
} prfdata_map_mistake_words;

void prfdata_map_mistake_words_add(prfdata_map_mistake_words *out, const char *text);
void prfdata_map_mistake_words_number(prfdata_map_mistake_words *out, int64_t number);

/* Add the name of a predefined counter type, or the number of another type. */
void prfdata_map_mistake_words_type(prfdata_map_mistake_words *out, uint32_t type);

/* Add a symbol or a service name. It may contain any bytes, because it may be invalid. */
void prfdata_map_mistake_words_bytes(prfdata_map_mistake_words *out, const char *text);

/* Add a name in quotation marks. */
void prfdata_map_mistake_words_name(prfdata_map_mistake_words *out, const wchar_t *name);

/* Add an object or counter as SYMBOL (id, "name"). */
void prfdata_map_mistake_words_entry(prfdata_map_mistake_words *out, const char *symbol,
                                     uint32_t id, const wchar_t *name);

/* End the text with NUL within its capacity, at a character boundary. */
void prfdata_map_mistake_words_end(prfdata_map_mistake_words *out);

#endif
