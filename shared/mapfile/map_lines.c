/* SPDX-License-Identifier: MIT */
/* Splits a map file into lines, and lines into their parts. */
#include "mapfile/map_lines.h"

#include <string.h>

#include "names/ascii.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static prfdata_map_text trim_text(prfdata_map_text text)
{
    while (text.size > 0 && is_blank(text.at[0])) {
        text.at++;
        text.size--;
    }
    while (text.size > 0 && is_blank(text.at[text.size - 1]))
        text.size--;
    return text;
}

bool prfdata_map_lines_split(prfdata_map_text text, char separator, prfdata_map_text *before,
                             prfdata_map_text *after)
{
    const char *found = text.size > 0 ? memchr(text.at, separator, text.size) : NULL;

    *before = *after = text;
    if (!found) {
        *before = trim_text(text);
        after->size = 0;
        return false;
    }
    before->size = (size_t)(found - text.at);
    after->at = found + 1;
    after->size = text.size - before->size - 1;
    *before = trim_text(*before);
    *after = trim_text(*after);
    return true;
}

/* `text` begins with a bracket. */
static void read_section_line(prfdata_map_text text, prfdata_map_line *line)
{
    if (text.size < 2 || text.at[text.size - 1] != ']') {
        line->kind = PRFDATA_MAP_LINE_WRONG_SECTION;
        return;
    }
    text.at++;
    text.size -= 2;
    text = trim_text(text);
    if (!prfdata_map_lines_split(text, ' ', &line->key, &line->value))
        (void)prfdata_map_lines_split(text, '\t', &line->key, &line->value);
    line->kind = PRFDATA_MAP_LINE_SECTION;
}

static void read_line(prfdata_map_text text, prfdata_map_line *line)
{
    if (text.size == 0 || text.at[0] == ';' || text.at[0] == '#') {
        line->kind = PRFDATA_MAP_LINE_NOTHING;
    } else if (text.at[0] == '[') {
        read_section_line(text, line);
    } else if (prfdata_map_lines_split(text, '=', &line->key, &line->value)) {
        line->kind = PRFDATA_MAP_LINE_PAIR;
    }
}

bool prfdata_map_lines_next(prfdata_map_lines *lines, prfdata_map_line *line)
{
    prfdata_map_text text;

    if (lines->rest.size == 0)
        return false;
    (void)prfdata_map_lines_split(lines->rest, '\n', &text, &lines->rest);
    memset(line, 0, sizeof *line);
    line->kind = PRFDATA_MAP_LINE_NEITHER;
    line->number = ++lines->number;
    read_line(text, line);
    return true;
}

bool prfdata_map_lines_is(prfdata_map_text text, const char *word)
{
    for (size_t i = 0; i < text.size; i++)
        if (word[i] == 0 || prfdata_ascii_lower(text.at[i]) != prfdata_ascii_lower(word[i]))
            return false;
    return word[text.size] == 0;
}

/* Returns 16 if `c` is not a hexadecimal digit. */
static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = (char)prfdata_ascii_lower(c);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

static bool read_digits(prfdata_map_text text, unsigned radix, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.size; i++) {
        const unsigned digit = digit_value(text.at[i]);

        if (digit >= radix || *number > (UINT64_MAX - digit) / radix)
            return false;
        *number = *number * radix + digit;
    }
    return text.size > 0;
}

static prfdata_map_text without_beginning(prfdata_map_text text, size_t size)
{
    text.at += size;
    text.size -= size;
    return text;
}

bool prfdata_map_lines_unsigned(prfdata_map_text text, uint64_t most, uint64_t *number)
{
    unsigned radix = 10;
    uint64_t value;

    if (text.size > 2 && text.at[0] == '0' && prfdata_ascii_lower(text.at[1]) == 'x') {
        text = without_beginning(text, 2);
        radix = 16;
    }
    if (!read_digits(text, radix, &value) || value > most)
        return false;
    *number = value;
    return true;
}

bool prfdata_map_lines_number(prfdata_map_text text, int64_t least, int64_t most, int64_t *number)
{
    const bool is_negative = least < 0 && text.size > 0 && text.at[0] == '-';
    uint64_t magnitude;
    int64_t value;

    if (!prfdata_map_lines_unsigned(is_negative ? without_beginning(text, 1) : text, INT64_MAX,
                                    &magnitude))
        return false;
    value = is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
    if (value < least || value > most)
        return false;
    *number = value;
    return true;
}
