/* SPDX-License-Identifier: MIT */
/*
 * The words of which sentences about mistakes of a map are made: numbers, types, and texts of the
 * map, shortened and cleaned, because they may be what is wrong. map_mistake.c makes the sentences.
 */
#ifndef PRFDATA_MAP_MISTAKE_WORDS_H
#define PRFDATA_MAP_MISTAKE_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* A text that grows: never beyond its capacity, but what would follow is still counted. */
typedef struct prfdata_map_mistake_words {
    char *text;
    size_t capacity;
    size_t used;
} prfdata_map_mistake_words;

void prfdata_map_mistake_words_add(prfdata_map_mistake_words *out, const char *text);
void prfdata_map_mistake_words_number(prfdata_map_mistake_words *out, int64_t number);

/* The name of a counter type, or its number. */
void prfdata_map_mistake_words_type(prfdata_map_mistake_words *out, uint32_t type);

/* A symbol or service, which may hold anything if it is wrong. */
void prfdata_map_mistake_words_bytes(prfdata_map_mistake_words *out, const char *text);

/* A name in quotation marks. */
void prfdata_map_mistake_words_name(prfdata_map_mistake_words *out, const wchar_t *name);

/* An object or counter: SYMBOL (id, "name"). */
void prfdata_map_mistake_words_entry(prfdata_map_mistake_words *out, const char *symbol,
                                     uint32_t id, const wchar_t *name);

/* End the text with NUL within its capacity, between two characters. */
void prfdata_map_mistake_words_end(prfdata_map_mistake_words *out);

#endif
