/* SPDX-License-Identifier: MIT */
/* Converts code pages with the system's own tables. */
#include "os/ansi.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include <windows.h>

void prfdata_ansi_page_open(prfdata_ansi_page *page)
{
    page->converter = NULL; /* Windows needs only the number of the page */
}

void prfdata_ansi_page_close(prfdata_ansi_page *page)
{
    (void)page;
}

size_t prfdata_ansi_page_next(const prfdata_ansi_page *page, const unsigned char *bytes,
                              size_t size, uint16_t *chars, size_t *count)
{
    /* Check the length, because some systems convert a lead byte without its second byte. */
    size_t length = IsDBCSLeadByteEx(page->number, bytes[0]) ? 2 : 1;

    for (; length <= size && length <= PRFDATA_ANSI_MOST_BYTES; length++) {
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

uint32_t prfdata_ansi_system_page(void)
{
    return GetACP();
}

uint32_t prfdata_ansi_from_utf8(const char *text, size_t size, char *bytes, size_t *used)
{
    /*
     * For UTF-8, WideCharToMultiByte accepts neither WC_NO_BEST_FIT_CHARS nor the last two
     * arguments.
     */
    const bool is_utf8 = GetACP() == PRFDATA_ANSI_UTF_8;
    uint32_t status = ERROR_SUCCESS;
    BOOL is_incomplete = FALSE;
    wchar_t *wide;
    int chars;
    int made = 0;

    *used = 0;
    if (size == 0)
        return ERROR_SUCCESS;
    wide = size <= INT_MAX / PRFDATA_ANSI_MOST_BYTES ? malloc(size * sizeof *wide) : NULL;
    if (!wide)
        return ERROR_NOT_ENOUGH_MEMORY;
    chars = MultiByteToWideChar(CP_UTF8, 0, text, (int)size, wide, (int)size);
    /* Do not replace characters by similar ones, because names that differ would look the same. */
    if (chars > 0)
        made = WideCharToMultiByte(CP_ACP, is_utf8 ? 0 : WC_NO_BEST_FIT_CHARS, wide, chars, bytes,
                                   (int)size * PRFDATA_ANSI_MOST_BYTES, is_utf8 ? NULL : "?",
                                   is_utf8 ? NULL : &is_incomplete);
    if (made > 0)
        *used = (size_t)made;
    else
        status = GetLastError();
    free(wide);
    return status == ERROR_SUCCESS && is_incomplete ? ERROR_INVALID_DATA : status;
}
