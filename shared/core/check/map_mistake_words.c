/* SPDX-License-Identifier: MIT */
/* Writes numbers, types and texts into messages about maps. */
#include "check/map_mistake_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "map/counter_types.h"
#include "names/names.h"

#define SHOWN_CHARS 64 /* the most characters of a symbol or name that a message shows */

void prfdata_map_mistake_words_add(prfdata_map_mistake_words *out, const char *text)
{
    size_t length = strlen(text);

    for (size_t i = 0; i < length; i++) {
        if (out->used + i < out->capacity)
            out->text[out->used + i] = text[i];
    }
    out->used += length;
}

void prfdata_map_mistake_words_number(prfdata_map_mistake_words *out, int64_t number)
{
    char digits[24];

    snprintf(digits, sizeof(digits), "%lld", (long long)number);
    prfdata_map_mistake_words_add(out, digits);
}

void prfdata_map_mistake_words_type(prfdata_map_mistake_words *out, uint32_t type)
{
    const prfdata_counter_type *known = prfdata_counter_types_find(type);
    char digits[16];

    if (known) {
        prfdata_map_mistake_words_add(out, "PERF_");
        prfdata_map_mistake_words_add(out, known->name);
        return;
    }
    snprintf(digits, sizeof(digits), "0x%08X", (unsigned)type);
    prfdata_map_mistake_words_add(out, digits);
}

void prfdata_map_mistake_words_bytes(prfdata_map_mistake_words *out, const char *text)
{
    char shown[SHOWN_CHARS + 1];
    const size_t size = prfdata_names_copy_shown(text, shown, sizeof shown);

    prfdata_map_mistake_words_add(out, shown);
    if (text[size] != 0)
        prfdata_map_mistake_words_add(out, "...");
}

void prfdata_map_mistake_words_name(prfdata_map_mistake_words *out, const wchar_t *name)
{
    uint16_t chars[SHOWN_CHARS];
    char bytes[3 * SHOWN_CHARS + 1];
    size_t count = 0, size;

    /* Converts element by element, because not every invalid name can be converted as a whole. */
    for (; count < SHOWN_CHARS && name[count] != 0; count++) {
        uint32_t c = (uint32_t)name[count];
        bool is_control = c < 0x20 || (c >= 0x7F && c <= 0x9F);

        chars[count] = is_control || c > 0xFFFF ? 0xFFFD : (uint16_t)c;
    }
    size = prfdata_names_utf8_from_utf16(chars, count, bytes, sizeof(bytes) - 1);
    bytes[size] = 0;
    prfdata_map_mistake_words_add(out, "\"");
    prfdata_map_mistake_words_add(out, bytes);
    prfdata_map_mistake_words_add(out, name[count] != 0 ? "...\"" : "\"");
}

void prfdata_map_mistake_words_entry(prfdata_map_mistake_words *out, const char *symbol,
                                     uint32_t id, const wchar_t *name)
{
    prfdata_map_mistake_words_bytes(out, symbol[0] != 0 ? symbol : "(no symbol)");
    prfdata_map_mistake_words_add(out, " (");
    prfdata_map_mistake_words_number(out, id);
    prfdata_map_mistake_words_add(out, ", ");
    prfdata_map_mistake_words_name(out, name);
    prfdata_map_mistake_words_add(out, ")");
}

/* The length without an incomplete last character. */
static size_t cut_at_character(const char *text, size_t length)
{
    size_t start = length;

    while (start > 0 && prfdata_utf8_continues(text[start - 1]))
        start--;
    if (start > 0 && (unsigned char)text[start - 1] >= 0xC0) {
        unsigned char first = (unsigned char)text[start - 1];
        size_t needed = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;

        if (length - (start - 1) < needed)
            return start - 1;
    }
    return length;
}

void prfdata_map_mistake_words_end(prfdata_map_mistake_words *out)
{
    const size_t capacity = out->capacity;
    const size_t length = out->used < capacity ? out->used : capacity - 1;

    if (capacity > 0)
        out->text[out->used < capacity ? length : cut_at_character(out->text, length)] = 0;
}
