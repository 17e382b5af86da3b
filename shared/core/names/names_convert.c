/* SPDX-License-Identifier: MIT */
/*
 * Converts text from wchar_t and UTF-16, compares wide texts, and replaces unprintable characters.
 */
#include "names/names.h"

#include <string.h>

#include "names/names_utf16.h"

#define REPLACEMENT 0xFFFDu

/*
 * Returns the next code point and moves past it. Returns 0 at the end of the text without moving,
 * and PRFDATA_NAMES_NO_CHARACTER for an invalid character.
 */
static uint32_t take_wide_character(const wchar_t **text)
{
    uint32_t unit = (uint32_t) * *text;

    if (unit == 0)
        return 0;
    ++*text;
#if WCHAR_MAX <= 0xFFFF
    if (prfdata_names_is_high_surrogate(unit) && prfdata_names_is_low_surrogate((uint32_t) * *text))
        return prfdata_names_join_surrogates(unit, (uint32_t) * (*text)++);
#endif
    return unit > 0x10FFFF || prfdata_names_is_surrogate(unit) ? PRFDATA_NAMES_NO_CHARACTER : unit;
}

static void store_chars(uint32_t unit, uint16_t *chars, size_t capacity, size_t *used)
{
    if (*used < capacity)
        chars[*used] = (uint16_t)unit;
    ++*used;
}

static void put_utf16_character(uint32_t code_point, uint16_t *chars, size_t capacity, size_t *used)
{
    if (code_point > 0xFFFF) {
        store_chars(0xD800 + ((code_point - 0x10000) >> 10), chars, capacity, used);
        store_chars(0xDC00 + ((code_point - 0x10000) & 0x3FF), chars, capacity, used);
    } else {
        store_chars(code_point, chars, capacity, used);
    }
}

static void put_byte(uint32_t byte, char *bytes, size_t capacity, size_t *used)
{
    if (*used < capacity)
        bytes[*used] = (char)(unsigned char)byte;
    ++*used;
}

static void put_utf8_character(uint32_t code_point, char *bytes, size_t capacity, size_t *used)
{
    if (code_point < 0x80) {
        put_byte(code_point, bytes, capacity, used);
        return;
    }
    if (code_point < 0x800) {
        put_byte(0xC0 | code_point >> 6, bytes, capacity, used);
    } else if (code_point < 0x10000) {
        put_byte(0xE0 | code_point >> 12, bytes, capacity, used);
        put_byte(0x80 | (code_point >> 6 & 0x3F), bytes, capacity, used);
    } else {
        put_byte(0xF0 | code_point >> 18, bytes, capacity, used);
        put_byte(0x80 | (code_point >> 12 & 0x3F), bytes, capacity, used);
        put_byte(0x80 | (code_point >> 6 & 0x3F), bytes, capacity, used);
    }
    put_byte(0x80 | (code_point & 0x3F), bytes, capacity, used);
}

size_t prfdata_names_utf16_from_wide(const wchar_t *text, uint16_t *chars, size_t capacity)
{
    size_t used = 0;
    uint32_t code_point;

    while ((code_point = take_wide_character(&text)) != 0) {
        if (code_point == PRFDATA_NAMES_NO_CHARACTER)
            return SIZE_MAX;
        put_utf16_character(code_point, chars, capacity, &used);
    }
    return used;
}

size_t prfdata_names_utf8_from_wide(const wchar_t *text, char *bytes, size_t capacity)
{
    size_t used = 0;
    uint32_t code_point;

    while ((code_point = take_wide_character(&text)) != 0) {
        if (code_point == PRFDATA_NAMES_NO_CHARACTER)
            return SIZE_MAX;
        put_utf8_character(code_point, bytes, capacity, &used);
    }
    return used;
}

size_t prfdata_names_copy_shown(const char *text, char *shown, size_t capacity)
{
    const size_t size = strlen(text);
    size_t position = 0;
    size_t used = 0;

    while (position < size) {
        size_t next = position;
        const uint32_t c = prfdata_names_next_utf8(text, size, &next);
        const bool is_shown =
            c != PRFDATA_NAMES_NO_CHARACTER && c >= 0x20 && (c < 0x7F || c > 0x9F);

        if (used + (next - position) >= capacity)
            break;
        if (is_shown)
            memcpy(shown + used, text + position, next - position);
        else
            shown[used] = '?';
        used += is_shown ? next - position : 1;
        position = next;
    }
    shown[used] = 0;
    return position;
}

size_t prfdata_names_utf8_from_utf16(const uint16_t *chars, size_t char_count, char *bytes,
                                     size_t capacity)
{
    size_t position = 0, used = 0;

    while (position < char_count) {
        uint32_t code_point = prfdata_names_take_utf16(chars, char_count, &position);

        put_utf8_character(prfdata_names_is_surrogate(code_point) ? REPLACEMENT : code_point, bytes,
                           capacity, &used);
    }
    return used;
}

bool prfdata_names_wide_equal(const wchar_t *a, const wchar_t *b)
{
    uint32_t a_code, b_code;

    do {
        a_code = take_wide_character(&a);
        b_code = take_wide_character(&b);
        if (a_code != b_code && prfdata_names_fold(a_code) != prfdata_names_fold(b_code))
            return false;
    } while (a_code != 0);
    return true;
}
