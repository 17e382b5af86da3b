/* SPDX-License-Identifier: MIT */
/*
 * Text conversion, case folding and clean instance names. A conversion takes code points from the
 * source one by one and puts each into the target. A full target is no longer written to, but what
 * would follow is still counted. Knows nothing of maps and regions.
 */
#include "core/names.h"

#include <string.h>

#include "core/names_fold.h"

#define REPLACEMENT 0xFFFDu

const uint16_t prfdata_names_total[PRFDATA_NAMES_TOTAL_CHARS] = {'_', 'T', 'o', 't', 'a', 'l'};

static bool is_high_surrogate(uint32_t c)
{
    return c >= 0xD800 && c <= 0xDBFF;
}

static bool is_low_surrogate(uint32_t c)
{
    return c >= 0xDC00 && c <= 0xDFFF;
}

static bool is_surrogate_character(uint32_t c)
{
    return c >= 0xD800 && c <= 0xDFFF;
}

static uint32_t join_surrogates(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/* The code point at *position; a lone surrogate is returned as it is. */
static uint32_t take_utf16_character(const uint16_t *chars, size_t char_count, size_t *position)
{
    uint32_t unit = chars[(*position)++];

    if (is_high_surrogate(unit) && *position < char_count && is_low_surrogate(chars[*position]))
        return join_surrogates(unit, chars[(*position)++]);
    return unit;
}

/* The code point, 0 at the end of the text (which is not passed), or PRFDATA_NAMES_NO_CHARACTER. */
static uint32_t take_wide_character(const wchar_t **text)
{
    uint32_t unit = (uint32_t) * *text;

    if (unit == 0)
        return 0;
    ++*text;
#if WCHAR_MAX <= 0xFFFF
    if (is_high_surrogate(unit) && is_low_surrogate((uint32_t) * *text))
        return join_surrogates(unit, (uint32_t) * (*text)++);
#endif
    return unit > 0x10FFFF || is_surrogate_character(unit) ? PRFDATA_NAMES_NO_CHARACTER : unit;
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

/* The bytes of the character that this byte begins, or 0. */
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

/* The code point of `size` bytes, or PRFDATA_NAMES_NO_CHARACTER if they are not its shortest form.
 */
static uint32_t take_utf8_character(const unsigned char *character, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t code_point = length == 1 ? character[0] : character[0] & (0xFFu >> (length + 1));

    for (size_t i = 1; i < length; i++) {
        if ((character[i] & 0xC0) != 0x80)
            return PRFDATA_NAMES_NO_CHARACTER;
        code_point = code_point << 6 | (character[i] & 0x3Fu);
    }
    if (code_point < least[length] || code_point > 0x10FFFF || is_surrogate_character(code_point))
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

size_t prfdata_names_utf8_from_utf16(const uint16_t *chars, size_t char_count, char *bytes,
                                     size_t capacity)
{
    size_t position = 0, used = 0;

    while (position < char_count) {
        uint32_t code_point = take_utf16_character(chars, char_count, &position);

        put_utf8_character(is_surrogate_character(code_point) ? REPLACEMENT : code_point, bytes,
                           capacity, &used);
    }
    return used;
}

/* The table without ASCII: the last range that begins at or before the code point, if any. */
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

    /* Folding keeps the number of chars: make-names-fold refuses a table that does not. */
    if (a_chars != b_chars)
        return false;
    while (a_position < a_chars && b_position < b_chars) {
        uint32_t a_code = take_utf16_character(a, a_chars, &a_position);
        uint32_t b_code = take_utf16_character(b, b_chars, &b_position);

        if (a_code != b_code && prfdata_names_fold(a_code) != prfdata_names_fold(b_code))
            return false;
    }
    return true;
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

uint64_t prfdata_names_hash(const uint16_t *chars, size_t char_count, uint64_t seed)
{
    uint64_t hash = seed ^ 0x9E3779B97F4A7C15u;
    size_t position = 0;

    while (position < char_count) {
        uint32_t code_point = take_utf16_character(chars, char_count, &position);

        /* An odd multiplier moves bits up, the shift brings them down again. */
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
        uint32_t code_point = take_utf16_character(chars, char_count, &position);

        if (code_point > 0xFFFF)
            continue;
        chars[start] = is_surrogate_character(code_point) ? '_' : clean_char((uint16_t)code_point);
    }
}
