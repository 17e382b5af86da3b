/* SPDX-License-Identifier: MIT */
/* Compares, copies and converts UTF-16 texts, and matches them with patterns. */
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

#include "names/names.h"

prfdata_text prfdata_text_from_chars(const uint16_t *chars)
{
    prfdata_text text = {chars, 0};

    while (chars[text.count] != 0)
        text.count++;
    return text;
}

prfdata_text prfdata_text_part(prfdata_text text, size_t begin, size_t end)
{
    prfdata_text part = {text.chars, end - begin};

    if (text.chars)
        part.chars += begin;
    return part;
}

size_t prfdata_text_from_utf8(const char *bytes, size_t size, uint16_t *chars, size_t capacity)
{
    size_t count = 0;

    for (size_t at = 0; at < size;) {
        const uint32_t code_point = prfdata_names_next_utf8(bytes, size, &at);

        if (code_point == PRFDATA_NAMES_NO_CHARACTER)
            continue;
        if (capacity - count < 1u + (code_point > 0xFFFF))
            break;
        if (code_point > 0xFFFF)
            chars[count++] = (uint16_t)(0xD7C0 + (code_point >> 10));
        chars[count++] =
            (uint16_t)(code_point > 0xFFFF ? 0xDC00 + (code_point & 0x3FF) : code_point);
    }
    return count;
}

static bool is_blank_or_tab(uint16_t character)
{
    return character == ' ' || character == '\t' || character == 0xA0;
}

prfdata_text prfdata_text_trimmed(prfdata_text text)
{
    size_t begin = 0;
    size_t end = text.count;

    while (begin < end && is_blank_or_tab(text.chars[begin]))
        begin++;
    while (end > begin && is_blank_or_tab(text.chars[end - 1]))
        end--;
    return prfdata_text_part(text, begin, end);
}

void prfdata_text_free(prfdata_text *text)
{
    free((void *)(uintptr_t)text->chars);
    *text = (prfdata_text){NULL, 0};
}

/* Allocate room for `count` chars and a NUL, which is set; NULL: no memory. */
static uint16_t *make_text_room(size_t count)
{
    uint16_t *chars = count < SIZE_MAX / sizeof *chars ? malloc((count + 1) * sizeof *chars) : NULL;

    if (chars)
        chars[count] = 0;
    return chars;
}

bool prfdata_text_copy(prfdata_text from, prfdata_text *to)
{
    uint16_t *chars = make_text_room(from.count);

    if (!chars)
        return false;
    if (from.count > 0)
        memcpy(chars, from.chars, from.count * sizeof *chars);
    prfdata_text_free(to);
    *to = (prfdata_text){chars, from.count};
    return true;
}

bool prfdata_text_copy_as_pattern(prfdata_text from, prfdata_text *to)
{
    uint16_t *chars;

    if (from.count == 0) {
        prfdata_text_free(to);
        return true;
    }
    chars = make_text_room(from.count + 2);
    if (!chars)
        return false;
    memcpy(chars + 1, from.chars, from.count * sizeof *chars);
    chars[0] = chars[from.count + 1] = '*';
    prfdata_text_free(to);
    *to = (prfdata_text){chars, from.count + 2};
    return true;
}

static bool is_leading_surrogate(uint16_t value)
{
    return value >= 0xD800 && value <= 0xDBFF;
}

static bool is_trailing_surrogate(uint16_t value)
{
    return value >= 0xDC00 && value <= 0xDFFF;
}

uint32_t prfdata_text_next(prfdata_text text, size_t *position)
{
    uint16_t value = text.chars[(*position)++];

    if (is_leading_surrogate(value) && *position < text.count &&
        is_trailing_surrogate(text.chars[*position])) {
        uint16_t low = text.chars[(*position)++];

        return 0x10000u + ((uint32_t)(value - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
    }
    return value;
}

void prfdata_text_to_utf8(prfdata_text text, char *bytes, size_t capacity)
{
    size_t position = 0;
    size_t used = 0;

    while (position < text.count) {
        const size_t begin = position;
        const size_t room = capacity - 1 - used;
        size_t size;

        (void)prfdata_text_next(text, &position);
        size =
            prfdata_names_utf8_from_utf16(text.chars + begin, position - begin, bytes + used, room);
        if (size > room)
            break;
        used += size;
    }
    bytes[used] = '\0';
}

static uint32_t next_folded(prfdata_text text, size_t *position)
{
    return prfdata_names_fold(prfdata_text_next(text, position));
}

int prfdata_text_compare(prfdata_text a, prfdata_text b)
{
    size_t a_position = 0;
    size_t b_position = 0;

    while (a_position < a.count && b_position < b.count) {
        uint32_t a_point = next_folded(a, &a_position);
        uint32_t b_point = next_folded(b, &b_position);

        if (a_point != b_point)
            return a_point < b_point ? -1 : 1;
    }
    return (a_position < a.count) - (b_position < b.count);
}

static bool is_digit_at(prfdata_text text, size_t at)
{
    return at < text.count && text.chars[at] >= '0' && text.chars[at] <= '9';
}

/* Return the digits of the number at *at, without leading zeros, and move *at past the number. */
static prfdata_text take_digits(prfdata_text text, size_t *at)
{
    size_t begin = *at;
    size_t end;

    while (text.chars[begin] == '0' && is_digit_at(text, begin + 1))
        begin++;
    end = begin;
    while (is_digit_at(text, end))
        end++;
    *at = end;
    return prfdata_text_part(text, begin, end);
}

static int compare_digits(prfdata_text a, prfdata_text b)
{
    if (a.count != b.count)
        return a.count < b.count ? -1 : 1;
    for (size_t i = 0; i < a.count; i++) {
        if (a.chars[i] != b.chars[i])
            return a.chars[i] < b.chars[i] ? -1 : 1;
    }
    return 0;
}

/* Return the length of the common beginning of two texts. It does not end inside a number or a
 * surrogate pair. */
static size_t common_chars(prfdata_text a, prfdata_text b)
{
    size_t at = 0;

    while (at < a.count && at < b.count && a.chars[at] == b.chars[at])
        at++;
    while (at > 0 && is_digit_at(a, at - 1))
        at--;
    if (at > 0 && is_leading_surrogate(a.chars[at - 1]))
        at--;
    return at;
}

int prfdata_text_compare_naturally(prfdata_text a, prfdata_text b)
{
    /* Skip the common beginning, because names of one object often begin alike. */
    size_t a_position = common_chars(a, b);
    size_t b_position = a_position;

    while (a_position < a.count && b_position < b.count) {
        int order;

        if (is_digit_at(a, a_position) && is_digit_at(b, b_position)) {
            const prfdata_text digits = take_digits(a, &a_position);

            order = compare_digits(digits, take_digits(b, &b_position));
        } else {
            const uint32_t a_point = next_folded(a, &a_position);
            const uint32_t b_point = next_folded(b, &b_position);

            order = (a_point > b_point) - (a_point < b_point);
        }
        if (order != 0)
            return order;
    }
    if (a_position < a.count || b_position < b.count)
        return a_position < a.count ? 1 : -1;
    return prfdata_text_compare(a, b);
}

bool prfdata_text_equal(prfdata_text a, prfdata_text b)
{
    return prfdata_text_compare(a, b) == 0;
}

bool prfdata_text_is_same(prfdata_text a, prfdata_text b)
{
    return a.count == b.count &&
           (a.count == 0 || memcmp(a.chars, b.chars, a.count * sizeof *a.chars) == 0);
}

size_t prfdata_text_append(uint16_t *chars, size_t used, prfdata_text text)
{
    if (text.count > 0)
        memcpy(chars + used, text.chars, text.count * sizeof *chars);
    return used + text.count;
}

bool prfdata_text_equal_ascii(prfdata_text text, const char *ascii)
{
    size_t position = 0;

    for (; *ascii && position < text.count; ascii++) {
        if (next_folded(text, &position) != prfdata_names_fold((unsigned char)*ascii))
            return false;
    }
    return !*ascii && position == text.count;
}

/*
 * Compares the text with the pattern from left to right. After a mismatch, the last * matches one
 * more character. An earlier * is not tried again, because the last * can match any characters.
 */
bool prfdata_text_matches(prfdata_text pattern, prfdata_text text)
{
    size_t in_pattern = 0;
    size_t in_text = 0;
    size_t star = SIZE_MAX; /* position in the pattern after the last * so far */
    size_t star_text = 0;   /* position in the text after the characters that this * matches */

    for (;;) {
        if (in_pattern < pattern.count && pattern.chars[in_pattern] == '*') {
            star = ++in_pattern;
            star_text = in_text;
            continue;
        }
        if (in_text == text.count && in_pattern == pattern.count)
            return true;
        if (in_text < text.count && in_pattern < pattern.count) {
            size_t pattern_next = in_pattern;
            size_t text_next = in_text;

            if (next_folded(pattern, &pattern_next) == next_folded(text, &text_next)) {
                in_pattern = pattern_next;
                in_text = text_next;
                continue;
            }
        }
        if (star == SIZE_MAX || star_text == text.count)
            return false;
        (void)next_folded(text, &star_text);
        in_text = star_text;
        in_pattern = star;
    }
}

bool prfdata_text_is_star(prfdata_text text)
{
    return text.count == 1 && text.chars[0] == '*';
}

bool prfdata_text_has_wildcard(prfdata_text text)
{
    for (size_t i = 0; i < text.count; i++) {
        if (text.chars[i] == '*')
            return true;
    }
    return false;
}

bool prfdata_text_fits(prfdata_text written, prfdata_text text, prfdata_text_fit fit)
{
    switch (fit) {
    case PRFDATA_TEXT_LITERALLY:
        return !prfdata_text_is_star(written) && prfdata_text_equal(written, text);
    case PRFDATA_TEXT_TRIMMED:
        return prfdata_text_equal(prfdata_text_trimmed(written), prfdata_text_trimmed(text));
    default:
        return prfdata_text_has_wildcard(written) ? prfdata_text_matches(written, text)
                                                  : prfdata_text_equal(written, text);
    }
}

bool prfdata_text_number(prfdata_text text, uint32_t *number)
{
    uint64_t value = 0;

    if (text.count == 0 || text.count > 10)
        return false;
    for (size_t i = 0; i < text.count; i++) {
        if (text.chars[i] < '0' || text.chars[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(text.chars[i] - '0');
    }
    if (value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}
