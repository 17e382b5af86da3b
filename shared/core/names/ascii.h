/* SPDX-License-Identifier: MIT */
/* Handles ASCII letters and digits, independently of the locale. */
#ifndef PRFDATA_ASCII_H
#define PRFDATA_ASCII_H

#include <stdbool.h>

/* The lower-case letter for A to Z; every other value unchanged. */
static inline int prfdata_ascii_lower(int c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static inline bool prfdata_ascii_is_letter(unsigned char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static inline bool prfdata_ascii_is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

/* Whether two texts are equal ignoring ASCII case. */
static inline bool prfdata_ascii_equal(const char *a, const char *b)
{
    while (*a && prfdata_ascii_lower(*a) == prfdata_ascii_lower(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

#endif
