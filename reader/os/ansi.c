/* SPDX-License-Identifier: MIT */
/*
 * Converts text of a code page, character by character. This file converts the code pages that
 * every reader needs, and the system converts the others.
 */
#include "os/ansi.h"

#include "names/names.h"

#define WINDOWS_1252 1252u
#define ISO_8859_1   28591u

/* 0x80 to 0x9F in 1252, as MultiByteToWideChar converts them; five are control characters. */
static const uint16_t upper_1252[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

static size_t next_utf8_character(const unsigned char *bytes, size_t size, uint16_t *chars,
                                  size_t *count)
{
    size_t length = 0;
    const uint32_t code_point = prfdata_names_next_utf8((const char *)bytes, size, &length);

    if (code_point == PRFDATA_NAMES_NO_CHARACTER)
        return 0;
    if (code_point < 0x10000) {
        chars[0] = (uint16_t)code_point;
        *count = 1;
        return length;
    }
    chars[0] = (uint16_t)(0xD800 + ((code_point - 0x10000) >> 10));
    chars[1] = (uint16_t)(0xDC00 + (code_point & 0x3FF));
    *count = 2;
    return length;
}

/* Convert the next character, which begins with a byte above ASCII. Returns its length in bytes; 0:
 * it is invalid. */
static size_t next_page_character(const prfdata_ansi_page *page, const unsigned char *bytes,
                                  size_t size, uint16_t *chars, size_t *count)
{
    switch (page->number) {
    case PRFDATA_ANSI_ASCII:
        return 0;
    case PRFDATA_ANSI_UTF_8:
        return next_utf8_character(bytes, size, chars, count);
    case ISO_8859_1:
    case WINDOWS_1252:
        chars[0] = page->number == WINDOWS_1252 && bytes[0] < 0xA0 ? upper_1252[bytes[0] - 0x80]
                                                                   : bytes[0];
        *count = 1;
        return 1;
    default:
        return prfdata_ansi_page_next(page, bytes, size, chars, count);
    }
}

size_t prfdata_ansi_to_utf16(uint32_t code_page, const unsigned char *bytes, size_t size,
                             uint16_t *chars)
{
    prfdata_ansi_page page = {code_page, NULL};
    size_t used = 0;

    prfdata_ansi_page_open(&page);
    for (size_t at = 0; at < size;) {
        size_t count = 0;
        size_t length = 0;

        if (bytes[at] >= 0x80)
            length = next_page_character(&page, bytes + at, size - at, chars + used, &count);
        if (length == 0) {
            chars[used++] =
                (uint16_t)(bytes[at] < 0x80 ? bytes[at] : PRFDATA_ANSI_LONE_BYTE + bytes[at]);
            at++;
            continue;
        }
        used += count;
        at += length;
    }
    prfdata_ansi_page_close(&page);
    return used;
}
