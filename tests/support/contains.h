/* SPDX-License-Identifier: MIT */
/* Checks whether a text contains a part. If not, the failing test shows the text and the part. */
#ifndef PRFDATA_TESTS_CONTAINS_H
#define PRFDATA_TESTS_CONTAINS_H

#include <string.h>
#include <wchar.h>

#include "support/test.h"

static inline void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in\n%s", part, text);
}

static inline void assert_contains_wide(const wchar_t *text, const wchar_t *part)
{
    if (!wcsstr(text, part))
        fail_msg("no \"%ls\" in\n%ls", part, text);
}

static inline void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("\"%s\" is in:\n%s", part, text);
}

#endif
