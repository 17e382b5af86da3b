/* SPDX-License-Identifier: MIT */
/* Handles surrogates. */
#ifndef PRFDATA_NAMES_UTF16_H
#define PRFDATA_NAMES_UTF16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool prfdata_names_is_high_surrogate(uint32_t c)
{
    return c >= 0xD800 && c <= 0xDBFF;
}

static inline bool prfdata_names_is_low_surrogate(uint32_t c)
{
    return c >= 0xDC00 && c <= 0xDFFF;
}

static inline bool prfdata_names_is_surrogate(uint32_t c)
{
    return c >= 0xD800 && c <= 0xDFFF;
}

static inline uint32_t prfdata_names_join_surrogates(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/* Returns the code point or lone surrogate at *position, and moves *position past it. */
static inline uint32_t prfdata_names_take_utf16(const uint16_t *chars, size_t char_count,
                                                size_t *position)
{
    uint32_t unit = chars[(*position)++];

    if (prfdata_names_is_high_surrogate(unit) && *position < char_count &&
        prfdata_names_is_low_surrogate(chars[*position]))
        return prfdata_names_join_surrogates(unit, chars[(*position)++]);
    return unit;
}

#endif
