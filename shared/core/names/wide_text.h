/* SPDX-License-Identifier: MIT */
/* Handles wide-character texts in arrays of a fixed size. */
#ifndef PRFDATA_WIDE_TEXT_H
#define PRFDATA_WIDE_TEXT_H

#include <stddef.h>
#include <wchar.h>

/* Append to a text in an array of `capacity` chars; a longer result is cut. */
static inline void prfdata_wide_text_append(wchar_t *text, size_t capacity, const wchar_t *more)
{
    size_t used = wcslen(text);

    while (*more && used + 1 < capacity)
        text[used++] = *more++;
    text[used] = 0;
}

#endif
