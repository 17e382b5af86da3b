/* SPDX-License-Identifier: MIT */
/* Converts text in the code pages of Windows, in which old providers name their instances. */
#ifndef PRFDATA_READER_ANSI_H
#define PRFDATA_READER_ANSI_H

#include <stddef.h>
#include <stdint.h>

#define PRFDATA_ANSI_ASCII 20127u /* ASCII, which all code pages have in common */
#define PRFDATA_ANSI_UTF_8 65001u

/*
 * A byte above ASCII becomes a character from U+F080 to U+F0FF if its code page is not known or
 * does not define the byte. So names that differ stay different. Windows uses these characters of
 * the private use area for the bytes of its symbol fonts.
 */
#define PRFDATA_ANSI_LONE_BYTE 0xF000u

/*
 * Convert `size` bytes of a Windows code page to UTF-16. UTF-8, 1252, ISO 8859-1 and ASCII are
 * known everywhere. Other pages are known if the system knows them; outside Windows, ansi_posix.c
 * must also list them.
 *
 * chars  Room for `size` chars, because no code page needs more chars than bytes.
 * Returns the number of chars.
 */
size_t prfdata_ansi_to_utf16(uint32_t code_page, const unsigned char *bytes, size_t size,
                             uint16_t *chars);

/*
 * Return the code page that Windows uses for programs without Unicode. PDH uses it for text logs.
 * On systems other than Windows, return UTF-8.
 */
uint32_t prfdata_ansi_system_page(void);

/*
 * Convert UTF-8 to the system's code page.
 *
 * bytes  Room for PRFDATA_ANSI_MOST_BYTES * size bytes.
 * used   Set to the number of bytes stored.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (the code page lacks some characters, which became ?),
 * ERROR_NOT_ENOUGH_MEMORY or the system's error. On the last two, nothing is stored.
 */
uint32_t prfdata_ansi_from_utf8(const char *text, size_t size, char *bytes, size_t *used);

#define PRFDATA_ANSI_MOST_BYTES 4 /* largest size of a character in any code page */

/* ---- Used by ansi.c: the system's own tables, in ansi_posix.c and ansi_win32.c ---- */

typedef struct prfdata_ansi_page {
    uint32_t number;
    void *converter; /* the system's converter; NULL: the system has none, or needs none */
} prfdata_ansi_page;

/* Find the converter of page->number. */
void prfdata_ansi_page_open(prfdata_ansi_page *page);

void prfdata_ansi_page_close(prfdata_ansi_page *page);

/*
 * Convert the first character of `bytes`.
 *
 * chars  Room for as many chars as the character has bytes.
 * count  Set to the number of chars.
 * Returns the length of the character in bytes; 0: the code page has no character that begins with
 * these bytes.
 */
size_t prfdata_ansi_page_next(const prfdata_ansi_page *page, const unsigned char *bytes,
                              size_t size, uint16_t *chars, size_t *count);

#endif
