/* SPDX-License-Identifier: MIT */
/*
 * UTF-16 text that somebody else owns, compared without regard to case, as counter names are.
 * Knows nothing of paths and blocks; core/names.h has the folding.
 */
#ifndef PRFDATA_READER_TEXT_H
#define PRFDATA_READER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `count` chars, no NUL needed. {0} is the empty text. */
typedef struct prfdata_text {
    const uint16_t *chars;
    size_t count;
} prfdata_text;

/* The text up to the NUL, without it. */
prfdata_text prfdata_text_from_chars(const uint16_t *chars);

/* The part of `text` from `begin` to before `end`. */
prfdata_text prfdata_text_part(prfdata_text text, size_t begin, size_t end);

/*
 * The code point at *position, which is below text.count and moves behind it. Half a surrogate pair
 * is itself.
 */
uint32_t prfdata_text_next(prfdata_text text, size_t *position);

/* Order two texts ignoring case, code point by code point: below 0, 0 or above 0. */
int prfdata_text_compare(prfdata_text a, prfdata_text b);

bool prfdata_text_equal(prfdata_text a, prfdata_text b);

/* The same for a text of ours. */
bool prfdata_text_equal_ascii(prfdata_text text, const char *ascii);

/* Whether `text` fits `pattern` ignoring case, where * stands for any characters or none. */
bool prfdata_text_matches(prfdata_text pattern, prfdata_text text);

bool prfdata_text_has_wildcard(prfdata_text text);

/* Read a decimal number that fills the whole text; false, and nothing stored, if it is none. */
bool prfdata_text_number(prfdata_text text, uint32_t *number);

#endif
