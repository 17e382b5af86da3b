/* SPDX-License-Identifier: MIT */
/* Makes UTF-16 texts from ASCII, and compares them with ASCII. */
#ifndef PRFDATA_TESTS_ASCII_TEXT_H
#define PRFDATA_TESTS_ASCII_TEXT_H

#include <stdlib.h>
#include <string.h>

#include "text/text.h"

/* Write the text to `chars`, which has room for it and a NUL. */
static inline prfdata_text ascii_text(const char *ascii, uint16_t *chars)
{
    prfdata_text text = {chars, strlen(ascii)};

    for (size_t i = 0; i <= text.count; i++)
        chars[i] = (unsigned char)ascii[i];
    return text;
}

static inline bool ascii_text_is(prfdata_text text, const char *ascii)
{
    if (text.count != strlen(ascii))
        return false;
    for (size_t i = 0; i < text.count; i++) {
        if (text.chars[i] != (unsigned char)ascii[i])
            return false;
    }
    return true;
}

/* Free the arguments of a command line. */
static inline void ascii_drop(uint16_t **arguments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(arguments[i]);
}

#endif
