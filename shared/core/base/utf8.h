/* SPDX-License-Identifier: MIT */
/* Counts the characters of UTF-8 text, and cuts text between them. The text need not be valid. */
#ifndef PRFDATA_UTF8_H
#define PRFDATA_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a byte continues a character. */
static inline bool prfdata_utf8_continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Return how many of a text's `size` bytes fit into `room` bytes without cutting a character. */
static inline size_t prfdata_utf8_fit(const char *text, size_t size, size_t room)
{
    if (size <= room)
        return size;
    while (room > 0 && prfdata_utf8_continues(text[room]))
        room--;
    return room;
}

static inline size_t prfdata_utf8_count(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += !prfdata_utf8_continues(*text);
    return count;
}

#endif
