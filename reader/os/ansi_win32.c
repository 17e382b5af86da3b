/* SPDX-License-Identifier: MIT */
/* Code pages by the system's own tables. Knows Windows. */
#include "os/ansi.h"

#include <windows.h>

#define MOST_CHAR_BYTES 4 /* of a character in any code page */

void prfdata_ansi_page_open(prfdata_ansi_page *page)
{
    page->converter = NULL; /* the number is enough */
}

void prfdata_ansi_page_close(prfdata_ansi_page *page)
{
    (void)page;
}

size_t prfdata_ansi_page_next(const prfdata_ansi_page *page, const unsigned char *bytes,
                              size_t size, uint16_t *chars, size_t *count)
{
    /* Else a first byte without its second one would be a character to some systems. */
    size_t length = IsDBCSLeadByteEx(page->number, bytes[0]) ? 2 : 1;

    for (; length <= size && length <= MOST_CHAR_BYTES; length++) {
        const int made =
            MultiByteToWideChar(page->number, MB_ERR_INVALID_CHARS, (const char *)bytes,
                                (int)length, (WCHAR *)chars, (int)length);

        if (made > 0) {
            *count = (size_t)made;
            return length;
        }
    }
    return 0;
}
