/* SPDX-License-Identifier: MIT */
/*
 * Converts a file to UTF-8 if it begins with a byte order mark of UTF-16. Other files stay as they
 * are, except that a byte order mark of UTF-8 is removed.
 */
#include "mapfile/encoding.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "names/names.h"
#include "names/names_utf16.h"

/* Returns the index of the first surrogate that is not part of a pair; `count` if there is none. */
static size_t find_lone_surrogate(const uint16_t *chars, size_t count)
{
    for (size_t at = 0; at < count;) {
        const size_t begin = at;

        if (prfdata_names_is_surrogate(prfdata_names_take_utf16(chars, count, &at)))
            return begin;
    }
    return count;
}

static void find_mistake(const uint16_t *chars, size_t count, bool has_odd_byte,
                         prfdata_encoding_text *text)
{
    const size_t wrong = find_lone_surrogate(chars, count);

    if (wrong < count)
        text->mistake = "This line has half a surrogate pair, which is not a character of UTF-16. "
                        "Write the character again, and save the file.";
    else if (has_odd_byte)
        text->mistake = "The file ends in the middle of a character of UTF-16, so it may be "
                        "incomplete. Get it again, or save it again as UTF-8.";
    else
        return;
    text->mistake_line = 1;
    for (size_t i = 0; i < wrong; i++)
        text->mistake_line += chars[i] == '\n';
}

static uint32_t decode_utf16(const unsigned char *bytes, size_t size, int first_is_low,
                             prfdata_encoding_text *text)
{
    const size_t count = size / 2;
    uint16_t *chars = malloc(size + 2);

    if (!chars)
        return ERROR_NOT_ENOUGH_MEMORY;
    for (size_t i = 0; i < count; i++)
        chars[i] = (uint16_t)(bytes[2 * i] << (first_is_low ? 0 : 8) |
                              bytes[2 * i + 1] << (first_is_low ? 8 : 0));
    find_mistake(chars, count, size % 2 != 0, text);
    text->size = prfdata_names_utf8_from_utf16(chars, count, NULL, 0);
    text->owned = malloc(text->size + 1);
    if (text->owned)
        prfdata_names_utf8_from_utf16(chars, count, text->owned, text->size);
    text->at = text->owned;
    free(chars);
    return text->owned ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

uint32_t prfdata_encoding_decode(const void *bytes, size_t size, prfdata_encoding_text *text)
{
    const unsigned char *at = bytes;

    memset(text, 0, sizeof *text);
    if (size >= 2 && at[0] == 0xFF && at[1] == 0xFE)
        return decode_utf16(at + 2, size - 2, 1, text);
    if (size >= 2 && at[0] == 0xFE && at[1] == 0xFF)
        return decode_utf16(at + 2, size - 2, 0, text);
    text->at = bytes;
    text->size = size;
    if (size >= 3 && at[0] == 0xEF && at[1] == 0xBB && at[2] == 0xBF) {
        text->at += 3;
        text->size -= 3;
    }
    return ERROR_SUCCESS;
}
