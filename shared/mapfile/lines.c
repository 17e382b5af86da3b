/* SPDX-License-Identifier: MIT */
/*
 * Splits a map file into lines, and lines into their parts. Does not know which sections and keys
 * there are.
 */
#include "mapfile/lines.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static prfdata_lines_text trim_text(prfdata_lines_text text)
{
    while (text.size > 0 && is_blank(text.at[0])) {
        text.at++;
        text.size--;
    }
    while (text.size > 0 && is_blank(text.at[text.size - 1]))
        text.size--;
    return text;
}

bool prfdata_lines_split(prfdata_lines_text text, char separator, prfdata_lines_text *before,
                         prfdata_lines_text *after)
{
    const char *found = text.size > 0 ? memchr(text.at, separator, text.size) : NULL;

    *before = *after = text;
    if (!found) {
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
static void read_section_line(prfdata_lines_text text, prfdata_line *line)
{
    if (text.size < 2 || text.at[text.size - 1] != ']')
        return;
    text.at++;
    text.size -= 2;
    (void)prfdata_lines_split(trim_text(text), ' ', &line->key, &line->value);
    line->kind = PRFDATA_LINE_SECTION;
}

static void read_line(prfdata_lines_text text, prfdata_line *line)
{
    if (text.size == 0 || text.at[0] == ';' || text.at[0] == '#') {
        line->kind = PRFDATA_LINE_NOTHING;
    } else if (text.at[0] == '[') {
        read_section_line(text, line);
    } else if (prfdata_lines_split(text, '=', &line->key, &line->value)) {
        line->kind = PRFDATA_LINE_PAIR;
    }
}

bool prfdata_lines_next(prfdata_lines *lines, prfdata_line *line)
{
    prfdata_lines_text text;

    if (lines->rest.size == 0)
        return false;
    (void)prfdata_lines_split(lines->rest, '\n', &text, &lines->rest);
    memset(line, 0, sizeof *line);
    line->kind = PRFDATA_LINE_NEITHER;
    line->number = ++lines->number;
    read_line(trim_text(text), line);
    return true;
}

static char lower_of(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool prfdata_lines_is(prfdata_lines_text text, const char *word)
{
    for (size_t i = 0; i < text.size; i++)
        if (word[i] == 0 || lower_of(text.at[i]) != lower_of(word[i]))
            return false;
    return word[text.size] == 0;
}

/* 16 and more: no digit. */
static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = lower_of(c);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

static bool read_digits(prfdata_lines_text text, unsigned radix, int64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (digit_value(text.at[i]) >= radix || *number > INT64_MAX / 32)
            return false;
        *number = *number * radix + digit_value(text.at[i]);
    }
    return text.size > 0;
}

static prfdata_lines_text without_beginning(prfdata_lines_text text, size_t size)
{
    text.at += size;
    text.size -= size;
    return text;
}

bool prfdata_lines_number(prfdata_lines_text text, int64_t least, int64_t most, int64_t *number)
{
    const bool is_negative = least < 0 && text.size > 0 && text.at[0] == '-';
    unsigned radix = 10;
    int64_t value;

    if (is_negative)
        text = without_beginning(text, 1);
    if (text.size > 2 && text.at[0] == '0' && lower_of(text.at[1]) == 'x') {
        text = without_beginning(text, 2);
        radix = 16;
    }
    if (!read_digits(text, radix, &value))
        return false;
    value = is_negative ? -value : value;
    if (value < least || value > most)
        return false;
    *number = value;
    return true;
}
