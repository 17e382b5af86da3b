/* SPDX-License-Identifier: MIT */
/* Splits the bytes of a text file into lines. The callers read the files. */
#include "text/lines.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/bytes.h"
#include "names/names.h"

static uint32_t set_lines_error(prfdata_lines_error *error, uint32_t line, const char *reason)
{
    error->line = line;
    error->reason = reason;
    return ERROR_INVALID_DATA;
}

/* Return the number of the first line that is not UTF-8. */
static uint32_t first_wrong_line(const char *bytes, size_t size, wchar_t *wide)
{
    uint32_t line = 1;

    for (size_t begin = 0; begin < size; line++) {
        const char *end = memchr(bytes + begin, '\n', size - begin);
        size_t count = end ? (size_t)(end - bytes) - begin : size - begin;

        if (prfdata_names_wide_from_utf8(bytes + begin, count, wide) == SIZE_MAX)
            break;
        begin += count + 1;
    }
    return line;
}

/* `chars` has room for size + 1. */
static uint32_t decode_utf8_file(const char *bytes, size_t size, uint16_t *chars, size_t *count,
                                 prfdata_lines_error *error)
{
    wchar_t *wide = malloc((size + 1) * sizeof *wide);
    uint32_t status = ERROR_SUCCESS;

    if (!wide)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (prfdata_names_wide_from_utf8(bytes, size, wide) == SIZE_MAX)
        status = set_lines_error(error, first_wrong_line(bytes, size, wide),
                                 "not UTF-8. Save the file as UTF-8");
    else
        *count = prfdata_names_utf16_from_wide(wide, chars, size);
    free(wide);
    return status;
}

static uint32_t decode_utf16_file(prfdata_bytes bytes, uint16_t *chars, size_t *count,
                                  prfdata_lines_error *error)
{
    if (bytes.size % 2 != 0)
        return set_lines_error(error, 0, "UTF-16 with half a character at its end");
    *count = bytes.size / 2;
    for (size_t i = 0; i < *count; i++)
        chars[i] = prfdata_bytes_get16(bytes, 2 * i);
    return ERROR_SUCCESS;
}

static uint32_t decode_text_file(const unsigned char *bytes, size_t size, uint16_t *chars,
                                 size_t *count, prfdata_lines_error *error)
{
    if (size >= 2 && bytes[0] == 0xFF && bytes[1] == 0xFE)
        return decode_utf16_file((prfdata_bytes){bytes + 2, size - 2}, chars, count, error);
    if (size >= 2 && bytes[0] == 0xFE && bytes[1] == 0xFF)
        return set_lines_error(error, 0, "UTF-16 in big-endian order. Save the file as UTF-8");
    if (size >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF)
        return decode_utf8_file((const char *)bytes + 3, size - 3, chars, count, error);
    return decode_utf8_file((const char *)bytes, size, chars, count, error);
}

static bool is_blank_char(uint16_t value)
{
    return value == ' ' || value == '\t' || value == '\r' || value == 0xA0;
}

/*
 * Remove the blanks around a line, and then a pair of quotes around it. A path keeps the blanks at
 * its end, because they may belong to the title of its counter.
 */
static prfdata_text trimmed_line(prfdata_text text)
{
    size_t begin = 0;
    size_t end = text.count;

    if (end > 0 && text.chars[end - 1] == '\r')
        end--;

    while (begin < end && is_blank_char(text.chars[begin]))
        begin++;
    if (begin < end && text.chars[begin] == '\\')
        return prfdata_text_part(text, begin, end);
    while (end > begin && is_blank_char(text.chars[end - 1]))
        end--;
    if (end - begin >= 2 && text.chars[begin] == '"' && text.chars[end - 1] == '"') {
        begin++;
        end--;
    }
    return prfdata_text_part(text, begin, end);
}

static size_t count_lines(const uint16_t *chars, size_t count)
{
    size_t lines = 1;

    for (size_t i = 0; i < count; i++)
        lines += chars[i] == '\n';
    return lines;
}

/* `chars` has room for a NUL after the last char. */
static uint32_t split_lines(uint16_t *chars, size_t count, prfdata_lines *lines,
                            prfdata_lines_error *error)
{
    uint32_t number = 1;

    for (size_t begin = 0; begin < count; number++) {
        size_t end = begin;
        prfdata_text text;

        while (end < count && chars[end] != '\n') {
            if (chars[end++] == 0)
                return set_lines_error(error, number, "a character is NUL");
        }
        text = trimmed_line((prfdata_text){chars + begin, end - begin});
        begin = end + 1;
        if (text.count == 0 || text.chars[0] == '#' || text.chars[0] == ';')
            continue;
        chars[(text.chars - chars) + (ptrdiff_t)text.count] = 0;
        lines->items[lines->count].text = text;
        lines->items[lines->count].number = number;
        lines->count++;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_lines_make(const void *bytes, size_t size, prfdata_lines *lines,
                            prfdata_lines_error *error)
{
    prfdata_lines made = {NULL, 0, NULL};
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;
    size_t count = 0;

    made.chars = malloc((size + 1) * sizeof *made.chars);
    if (!made.chars)
        return status;
    status = decode_text_file(bytes, size, made.chars, &count, error);
    if (status != ERROR_SUCCESS)
        goto free_made;

    status = ERROR_NOT_ENOUGH_MEMORY;
    made.items = malloc(count_lines(made.chars, count) * sizeof *made.items);
    if (!made.items)
        goto free_made;
    status = split_lines(made.chars, count, &made, error);
    if (status != ERROR_SUCCESS)
        goto free_made;
    *lines = made;
    return ERROR_SUCCESS;
free_made:
    prfdata_lines_free(&made);
    return status;
}

void prfdata_lines_free(prfdata_lines *lines)
{
    free(lines->items);
    free(lines->chars);
    memset(lines, 0, sizeof *lines);
}
