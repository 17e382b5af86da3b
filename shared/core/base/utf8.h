/* SPDX-License-Identifier: MIT */
/* Counts and cuts UTF-8 at the beginning of a character. The text need not be valid. */
#ifndef PRFDATA_UTF8_H
#define PRFDATA_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a byte continues a character. */
static inline bool prfdata_utf8_continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Return the size of a text of `size` bytes in a room of `room` bytes, cut before the first
 * character that does not fit as a whole. */
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
