/* SPDX-License-Identifier: MIT */
/* Without Windows there are no code pages: what all of them share is ASCII. */
#include "os/ansi.h"

size_t prfdata_ansi_to_utf16(uint32_t code_page, const unsigned char *bytes, size_t size,
                             uint16_t *chars)
{
    (void)code_page;
    for (size_t i = 0; i < size; i++)
        chars[i] = bytes[i] < 0x80 ? bytes[i] : 0xFFFD;
    return size;
}
