/* SPDX-License-Identifier: MIT */
/* Text in the code pages of Windows, in which old providers name their instances. */
#ifndef PRFDATA_READER_ANSI_H
#define PRFDATA_READER_ANSI_H

#include <stddef.h>
#include <stdint.h>

#define PRFDATA_ANSI_ASCII 20127u /* what all code pages share */

/*
 * Convert `size` bytes of a Windows code page to UTF-16. ansi_win32.c knows every code page that
 * the system has, ansi_posix.c ASCII only; a byte that is not known becomes U+FFFD.
 *
 * chars  Room for `size` chars: no code page needs more chars than bytes.
 * Returns the number of chars.
 */
size_t prfdata_ansi_to_utf16(uint32_t code_page, const unsigned char *bytes, size_t size,
                             uint16_t *chars);

#endif
