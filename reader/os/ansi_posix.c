/* SPDX-License-Identifier: MIT */
/* Without the tables of Windows only ASCII is known, which all code pages share. */
#include "os/ansi.h"

size_t prfdata_ansi_to_utf16(uint32_t code_page, const unsigned char *bytes, size_t size,
                             uint16_t *chars)
{
    (void)code_page;
    for (size_t i = 0; i < size; i++)
        chars[i] = bytes[i] < 0x80 ? bytes[i] : 0xFFFD;
    return size;
}
