/* SPDX-License-Identifier: MIT */
/* Turns the text of a file for lodctr into UTF-8. Portable. */
#include "convert/legacy_text.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "mapfile/encoding.h"
#include "names/ascii.h"
#include "names/names.h"

#define CTRL_Z 0x1A /* the end of a text file for editors of DOS; lodctr stops there */

/*
 * The characters 0x80 to 0x9F of Windows-1252 (the Unicode Consortium's CP1252.TXT). All other
 * characters are those of Latin-1.
 */
static const uint16_t upper_1252[32] = {
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};

static uint16_t char_of_1252(unsigned char byte)
{
    return byte >= 0x80 && byte < 0xA0 ? upper_1252[byte - 0x80] : byte;
}

static bool is_utf8(prfdata_map_text text)
{
    for (size_t at = 0; at < text.size;)
        if (prfdata_names_next_utf8(text.at, text.size, &at) == PRFDATA_NAMES_NO_CHARACTER)
            return false;
    return true;
}

/* Replace the control characters of ASCII and Latin-1 by blanks, except tabs, LF and CR LF. */
static void blank_controls(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];

        const bool ends_line = c == '\n' || (c == '\r' && i + 1 < size && text[i + 1] == '\n');

        if ((c < ' ' && !ends_line && c != '\t') || c == 0x7F) {
            text[i] = ' ';
        } else if (c == 0xC2 && i + 1 < size && (unsigned char)text[i + 1] < 0xA0) {
            text[i] = ' ';
            text[i + 1] = ' ';
        }
    }
}

static uint32_t decode_1252(prfdata_map_text bytes, prfdata_legacy_text *text)
{
    uint16_t *chars = malloc((bytes.size + 1) * sizeof *chars);
    const size_t most = 3 * bytes.size + 1;
    char *made = malloc(most);
    size_t size = 0;

    if (chars && made) {
        for (size_t i = 0; i < bytes.size; i++)
            chars[i] = char_of_1252((unsigned char)bytes.at[i]);
        size = prfdata_names_utf8_from_utf16(chars, bytes.size, made, most);
    }
    free(chars);
    if (!chars || !made) {
        free(made);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    text->owned = made;
    text->text = (prfdata_map_text){made, size};
    text->is_windows_1252 = true;
    return ERROR_SUCCESS;
}

static prfdata_map_text before_ctrl_z(prfdata_map_text text)
{
    const char *end = text.size > 0 ? memchr(text.at, CTRL_Z, text.size) : NULL;

    if (end)
        text.size = (size_t)(end - text.at);
    return text;
}

static uint32_t keep_utf8(prfdata_map_text bytes, prfdata_legacy_text *text)
{
    text->owned = malloc(bytes.size + 1);
    if (!text->owned)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (bytes.size > 0)
        memcpy(text->owned, bytes.at, bytes.size);
    text->text = (prfdata_map_text){text->owned, bytes.size};
    return ERROR_SUCCESS;
}

/* Decode bytes that have a byte order mark, or that are not UTF-16. */
static uint32_t decode_marked(const void *bytes, size_t size, prfdata_legacy_text *text)
{
    prfdata_encoding_text decoded;
    uint32_t status = prfdata_encoding_decode(bytes, size, &decoded);
    prfdata_map_text found;

    if (status)
        return status;
    found = before_ctrl_z((prfdata_map_text){decoded.at, decoded.size});
    if (found.size > 0 && memchr(found.at, 0, found.size))
        status = ERROR_INVALID_DATA;
    else
        status = is_utf8(found) ? keep_utf8(found, text) : decode_1252(found, text);
    if (!status)
        blank_controls(text->owned, text->text.size);
    free(decoded.owned);
    return status;
}

static uint32_t decode_unmarked_utf16(const void *bytes, size_t size, prfdata_legacy_text *text)
{
    unsigned char *marked = malloc(size + 2);
    uint32_t status;

    if (!marked)
        return ERROR_NOT_ENOUGH_MEMORY;
    marked[0] = 0xFF;
    marked[1] = 0xFE;
    memcpy(marked + 2, bytes, size);
    status = decode_marked(marked, size + 2, text);
    free(marked);
    return status;
}

uint32_t prfdata_legacy_text_decode(const void *bytes, size_t size, prfdata_legacy_text *text)
{
    const unsigned char *at = bytes;

    memset(text, 0, sizeof *text);
    /* Without a mark, UTF-16LE is recognized by an ASCII character at the beginning. */
    if (size >= 2 && at[0] != 0 && at[0] < 0x80 && at[1] == 0)
        return decode_unmarked_utf16(bytes, size, text);
    return decode_marked(bytes, size, text);
}

void prfdata_legacy_text_free(prfdata_legacy_text *text)
{
    free(text->owned);
    memset(text, 0, sizeof *text);
}

bool prfdata_legacy_text_next(prfdata_map_text *rest, prfdata_map_text *line)
{
    if (rest->size == 0)
        return false;
    (void)prfdata_map_lines_split(*rest, '\n', line, rest);
    return true;
}

int prfdata_legacy_text_compare(prfdata_map_text a, prfdata_map_text b)
{
    const size_t common = a.size < b.size ? a.size : b.size;

    for (size_t i = 0; i < common; i++) {
        const int difference = prfdata_ascii_lower((unsigned char)a.at[i]) -
                               prfdata_ascii_lower((unsigned char)b.at[i]);

        if (difference != 0)
            return difference;
    }
    return a.size < b.size ? -1 : a.size > b.size;
}
