/* SPDX-License-Identifier: MIT */
/*
 * Decodes UTF-8, folds case, compares and hashes names, and cleans instance names.
 * names_convert.c has the other conversions.
 */
#include "names/names.h"

#include "names/names_fold.h"
#include "names/names_utf16.h"

const uint16_t prfdata_names_total[PRFDATA_NAMES_TOTAL_CHARS] = {'_', 'T', 'o', 't', 'a', 'l'};

/* The length in bytes of the character that begins with this byte; 0 if none does. */
static size_t utf8_character_bytes(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return 2;
    if (first >= 0xE0 && first <= 0xEF)
        return 3;
    if (first >= 0xF0 && first <= 0xF4)
        return 4;
    return 0;
}

/* The code point of these bytes; PRFDATA_NAMES_NO_CHARACTER if they are not valid UTF-8. */
static uint32_t take_utf8_character(const unsigned char *character, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t code_point = length == 1 ? character[0] : character[0] & (0xFFu >> (length + 1));

    for (size_t i = 1; i < length; i++) {
        if ((character[i] & 0xC0) != 0x80)
            return PRFDATA_NAMES_NO_CHARACTER;
        code_point = code_point << 6 | (character[i] & 0x3Fu);
    }
    if (code_point < least[length] || code_point > 0x10FFFF ||
        prfdata_names_is_surrogate(code_point))
        return PRFDATA_NAMES_NO_CHARACTER;
    return code_point;
}

uint32_t prfdata_names_next_utf8(const char *bytes, size_t size, size_t *position)
{
    const unsigned char *character = (const unsigned char *)bytes + *position;
    const size_t length = utf8_character_bytes(character[0]);
    uint32_t code_point = PRFDATA_NAMES_NO_CHARACTER;

    if (length > 0 && length <= size - *position)
        code_point = take_utf8_character(character, length);
    *position += code_point == PRFDATA_NAMES_NO_CHARACTER ? 1 : length;
    return code_point;
}

size_t prfdata_names_wide_from_utf8(const char *bytes, size_t size, wchar_t *text)
{
    size_t position = 0, used = 0;

    while (position < size) {
        uint32_t code_point = prfdata_names_next_utf8(bytes, size, &position);

        if (code_point == PRFDATA_NAMES_NO_CHARACTER || code_point == 0)
            return SIZE_MAX;
#if WCHAR_MAX <= 0xFFFF
        if (code_point > 0xFFFF) {
            text[used++] = (wchar_t)(0xD800 + ((code_point - 0x10000) >> 10));
            code_point = 0xDC00 + ((code_point - 0x10000) & 0x3FF);
        }
#endif
        text[used++] = (wchar_t)code_point;
    }
    text[used] = 0;
    return used;
}

/* The only range that may contain the code point is the last one that begins at or before it. */
static uint32_t fold_by_table(uint32_t code_point)
{
    size_t low = 0;
    size_t high = sizeof(prfdata_names_fold_ranges) / sizeof(prfdata_names_fold_ranges[0]);
    const prfdata_names_fold_range *range;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (prfdata_names_fold_ranges[middle].first <= code_point)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return code_point;
    range = &prfdata_names_fold_ranges[low - 1];
    if (code_point > range->last || (code_point - range->first) % range->step != 0)
        return code_point;
    return code_point + (uint32_t)range->delta;
}

uint32_t prfdata_names_fold(uint32_t code_point)
{
    if (code_point < 0x80)
        return code_point - 'A' < 26u ? code_point + ('a' - 'A') : code_point;
    return fold_by_table(code_point);
}

bool prfdata_names_equal(const uint16_t *a, size_t a_chars, const uint16_t *b, size_t b_chars)
{
    size_t a_position = 0, b_position = 0;

    /* Folding never changes the number of chars; scripts/make-names-fold checks that. */
    if (a_chars != b_chars)
        return false;
    while (a_position < a_chars && b_position < b_chars) {
        uint32_t a_code = prfdata_names_take_utf16(a, a_chars, &a_position);
        uint32_t b_code = prfdata_names_take_utf16(b, b_chars, &b_position);

        if (a_code != b_code && prfdata_names_fold(a_code) != prfdata_names_fold(b_code))
            return false;
    }
    return true;
}

uint64_t prfdata_names_hash(const uint16_t *chars, size_t char_count, uint64_t seed)
{
    uint64_t hash = seed ^ 0x9E3779B97F4A7C15u;
    size_t position = 0;

    while (position < char_count) {
        uint32_t code_point = prfdata_names_take_utf16(chars, char_count, &position);

        hash = (hash ^ prfdata_names_fold(code_point)) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return hash;
}

static uint16_t clean_char(uint16_t unit)
{
    switch (unit) {
    case '(':
        return '[';
    case ')':
        return ']';
    case '#':
    case '/':
    case '\\':
    case '*':
        return '_';
    default:
        return unit < 0x20 || (unit >= 0x7F && unit <= 0x9F) ? '_' : unit;
    }
}

void prfdata_names_clean(uint16_t *chars, size_t char_count)
{
    size_t position = 0;

    while (position < char_count) {
        size_t start = position;
        uint32_t code_point = prfdata_names_take_utf16(chars, char_count, &position);

        if (code_point > 0xFFFF)
            continue;
        chars[start] =
            prfdata_names_is_surrogate(code_point) ? '_' : clean_char((uint16_t)code_point);
    }
}
