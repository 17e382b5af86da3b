/* SPDX-License-Identifier: MIT */
/* Replaces percent signs in texts, without changing the length of a text. */
#include "system/event_text.h"

#include <stdbool.h>

enum { FULLWIDTH_PERCENT = 0xFF05 };

static bool begins_insertion(wchar_t c)
{
    return (c >= L'0' && c <= L'9') || c == L'%' || c == L'{';
}

void prfdata_event_text_protect(wchar_t *text)
{
    for (; *text; text++)
        if (*text == L'%' && begins_insertion(text[1]))
            *text = FULLWIDTH_PERCENT;
}
