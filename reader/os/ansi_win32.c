/* SPDX-License-Identifier: MIT */
/* Code pages by the system's own tables. Knows Windows. */
#include "os/ansi.h"

#include <limits.h>

#include <windows.h>

size_t prfdata_ansi_to_utf16(uint32_t code_page, const unsigned char *bytes, size_t size,
                             uint16_t *chars)
{
    int count = 0;

    if (size == 0)
        return 0;
    /* For ASCII Windows clears bit 7, which gives another letter instead of U+FFFD. */
    if (size <= INT_MAX && code_page != PRFDATA_ANSI_ASCII)
        count = MultiByteToWideChar(code_page, 0, (const char *)bytes, (int)size, (WCHAR *)chars,
                                    (int)size);
    if (count > 0)
        return (size_t)count;

    for (size_t i = 0; i < size; i++)
        chars[i] = bytes[i] < 0x80 ? bytes[i] : 0xFFFD;
    return size;
}
