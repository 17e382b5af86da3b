/* SPDX-License-Identifier: MIT */
/* Checks that lines fit an 80-column console. A console that writes a line of exactly 80 characters
 * shows an empty line after it, so 79 is the limit. */
#ifndef PRFDATA_TESTS_CONSOLE_H
#define PRFDATA_TESTS_CONSOLE_H

#include <string.h>

#include "support/test.h"

/* Fail at the first line that is too long. ASCII only. */
static inline void assert_fits_console(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\r\n");

        if (length > 79)
            fail_msg("%u columns: %.*s", (unsigned)length, (int)length, text);
        text += length;
        text += strspn(text, "\r\n");
    }
}

#endif
