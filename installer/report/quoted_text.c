/* SPDX-License-Identifier: MIT */
/* Implements a growing array of bytes, and the escapes of each language. Portable. */
#include "report/quoted_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "names/hidden.h"
#include "names/names.h"

enum { FORMAT_BYTES = 512 };

void prfdata_quoted_text_free(prfdata_quoted_text *text)
{
    free(text->bytes);
    memset(text, 0, sizeof *text);
}

const char *prfdata_quoted_text_get(const prfdata_quoted_text *text)
{
    return text->used > 0 ? text->bytes : "";
}

/* Make room for `count` more bytes, and a NUL after them. Returns NULL if memory is exhausted. */
static char *reserve_emit_bytes(prfdata_quoted_text *text, size_t count)
{
    char *grown = NULL;

    if (count < SIZE_MAX - text->used)
        grown = prfdata_array_reserve(text->bytes, &text->capacity, text->used + count + 1, 1);
    if (!grown) {
        text->has_failed = true;
        return NULL;
    }
    text->bytes = grown;
    return grown + text->used;
}

static void add_emit_bytes(prfdata_quoted_text *text, size_t count)
{
    text->used += count;
    text->bytes[text->used] = 0;
}

void prfdata_quoted_text_put_bytes(prfdata_quoted_text *text, const char *bytes, size_t count)
{
    char *room = reserve_emit_bytes(text, count);

    if (!room)
        return;
    memcpy(room, bytes, count);
    add_emit_bytes(text, count);
}

void prfdata_quoted_text_put(prfdata_quoted_text *text, const char *string)
{
    prfdata_quoted_text_put_bytes(text, string, strlen(string));
}

void prfdata_quoted_text_format(prfdata_quoted_text *text, const char *format, ...)
{
    char line[FORMAT_BYTES];
    va_list values;
    int count;

    va_start(values, format);
    count = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    if (count < 0 || (size_t)count >= sizeof line)
        text->has_failed = true;
    else
        prfdata_quoted_text_put_bytes(text, line, (size_t)count);
}

void prfdata_quoted_text_put_wide(prfdata_quoted_text *text, const wchar_t *wide)
{
    const size_t count = prfdata_names_utf8_from_wide(wide, NULL, 0);
    char *room = count != SIZE_MAX ? reserve_emit_bytes(text, count) : NULL;

    if (!room) {
        text->has_failed = true;
        return;
    }
    (void)prfdata_names_utf8_from_wide(wide, room, count);
    add_emit_bytes(text, count);
}

/*
 * Returns whether a character is written as \u and four digits: JSON, YAML or TOML demand that, or
 * a person could not see the character. Four digits cannot express a character above U+FFFF.
 */
static bool is_escaped(uint32_t c)
{
    return c <= 0xFFFF && (prfdata_hidden_is(c) || c >= 0xFFFE);
}

/* Put `c`; `bytes` are its UTF-8. */
static void put_quoted_char(prfdata_quoted_text *text, uint32_t c, const char *bytes, size_t count)
{
    if (c == '"' || c == '\\')
        prfdata_quoted_text_format(text, "\\%c", (int)c);
    else if (is_escaped(c))
        prfdata_quoted_text_format(text, "\\u%04x", (unsigned)c);
    else
        prfdata_quoted_text_put_bytes(text, bytes, count);
}

void prfdata_quoted_text_put_quoted(prfdata_quoted_text *text, const char *string)
{
    const size_t size = strlen(string);

    prfdata_quoted_text_put_bytes(text, "\"", 1);
    for (size_t at = 0; at < size;) {
        const size_t begin = at;
        const uint32_t c = prfdata_names_next_utf8(string, size, &at);

        put_quoted_char(text, c, string + begin, at - begin);
    }
    prfdata_quoted_text_put_bytes(text, "\"", 1);
}

static bool is_pair(const wchar_t *wide)
{
    return (unsigned)wide[0] >= 0xD800 && (unsigned)wide[0] <= 0xDBFF &&
           (unsigned)wide[1] >= 0xDC00 && (unsigned)wide[1] <= 0xDFFF;
}

void prfdata_quoted_text_put_quoted_wide(prfdata_quoted_text *text, const wchar_t *wide)
{
    prfdata_quoted_text_put_bytes(text, "\"", 1);
    while (*wide) {
        const wchar_t one[3] = {wide[0], is_pair(wide) ? wide[1] : 0, 0};
        char bytes[4];
        const size_t count = prfdata_names_utf8_from_wide(one, bytes, sizeof bytes);
        size_t at = 0;

        if (count == SIZE_MAX)
            prfdata_quoted_text_format(text, "\\u%04x", (unsigned)*wide & 0xFFFF);
        else
            put_quoted_char(text, prfdata_names_next_utf8(bytes, count, &at), bytes, count);
        wide += count != SIZE_MAX && one[1] ? 2 : 1;
    }
    prfdata_quoted_text_put_bytes(text, "\"", 1);
}

void prfdata_quoted_text_put_replaced(prfdata_quoted_text *text, const char *string,
                                      const char *from, const char *to)
{
    const char *found;

    for (; (found = strstr(string, from)) != NULL; string = found + strlen(from)) {
        prfdata_quoted_text_put_bytes(text, string, (size_t)(found - string));
        prfdata_quoted_text_put(text, to);
    }
    prfdata_quoted_text_put(text, string);
}

/*
 * Find the mark that would begin a list, a heading or a horizontal line in Markdown. Only digits
 * may be before the mark. Returns the index of the mark; SIZE_MAX if there is none.
 */
static size_t find_block_mark(const char *string)
{
    const size_t digits = strspn(string, "0123456789");

    if (digits > 0)
        return string[digits] == '.' || string[digits] == ')' ? digits : SIZE_MAX;
    return string[0] != 0 && strchr("+-=", string[0]) ? 0 : SIZE_MAX;
}

void prfdata_quoted_text_put_markdown(prfdata_quoted_text *text, const char *string)
{
    /* Characters that have a meaning anywhere in a line, unless a backslash is before them. */
    static const char special[] = "\\`*_[]#|~";
    const size_t mark = find_block_mark(string);

    for (size_t i = 0; string[i]; i++) {
        const char c = string[i];

        if (c == '<' || c == '>' || c == '&')
            prfdata_quoted_text_put(text, c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;");
        else if (i == mark || strchr(special, c))
            prfdata_quoted_text_format(text, "\\%c", c);
        else
            prfdata_quoted_text_put_bytes(text, string + i, 1);
    }
}
