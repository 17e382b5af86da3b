/* SPDX-License-Identifier: MIT */
/*
 * UTF-16 text that the caller owns, compared without regard to case, as counter names are;
 * names/names.h has the folding.
 */
#ifndef PRFDATA_READER_TEXT_H
#define PRFDATA_READER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is the empty text. */
typedef struct prfdata_text {
    const uint16_t *chars; /* borrowed; no NUL needed */
    size_t count;          /* of chars: UTF-16 code units */
} prfdata_text;

/* The text of `chars` up to their NUL, without it. */
prfdata_text prfdata_text_from_chars(const uint16_t *chars);

/* The chars from position `begin` to before `end`; begin <= end <= text.count. */
prfdata_text prfdata_text_part(prfdata_text text, size_t begin, size_t end);

/* Without the blanks, no-break ones too, and tabs at both ends. */
prfdata_text prfdata_text_trimmed(prfdata_text text);

/*
 * Make `to`, which is owned, a copy that ends with NUL; what it was is released with free().
 * Returns false: no memory, and nothing changed.
 */
bool prfdata_text_copy(prfdata_text from, prfdata_text *to);

/* The same with a * before and after it: a pattern for what holds it. Empty: {0}. */
bool prfdata_text_copy_as_pattern(prfdata_text from, prfdata_text *to);

/* Release a text that is owned; {0} is left. */
void prfdata_text_free(prfdata_text *text);

/*
 * Store UTF-8 as chars; bytes that are none are left out.
 *
 * chars  Gets at most `capacity`.
 * Returns how many.
 */
size_t prfdata_text_from_utf8(const char *bytes, size_t size, uint16_t *chars, size_t capacity);

/*
 * The code point at *position, a position in chars below text.count; moves it to the next code
 * point. Half a surrogate pair is returned as it is.
 */
uint32_t prfdata_text_next(prfdata_text text, size_t *position);

/* Order two texts ignoring case, code point by code point: below 0, 0 or above 0. */
int prfdata_text_compare(prfdata_text a, prfdata_text b);

/* Whether two texts are equal ignoring case. */
bool prfdata_text_equal(prfdata_text a, prfdata_text b);

/* Whether they have the same chars, case and all. */
bool prfdata_text_is_same(prfdata_text a, prfdata_text b);

/* Put a text after `used` chars, which have room for it. Returns how many chars there are then. */
size_t prfdata_text_append(uint16_t *chars, size_t used, prfdata_text text);

/* Whether a text is equal, ignoring case, to one of ASCII that ends with NUL. */
bool prfdata_text_equal_ascii(prfdata_text text, const char *ascii);

/* Whether `text` matches `pattern` ignoring case; * matches any characters or none. */
bool prfdata_text_matches(prfdata_text pattern, prfdata_text text);

/* Whether a text holds a *. */
bool prfdata_text_has_wildcard(prfdata_text text);

/* Whether it is nothing else: in a path that stands for everything, so it is no name that a path
 * can have. */
bool prfdata_text_is_star(prfdata_text text);

/* How a written name is compared with a real one, which may itself hold a * or end with a blank. */
typedef enum prfdata_text_fit {
    PRFDATA_TEXT_AS_PATTERN, /* * matches any characters or none */
    PRFDATA_TEXT_LITERALLY,  /* * is a character, but a name of nothing else is a pattern */
    PRFDATA_TEXT_TRIMMED     /* literally; blanks at both ends do not count */
} prfdata_text_fit;

/* Whether `text` is what `written` names, ignoring case. */
bool prfdata_text_fits(prfdata_text written, prfdata_text text, prfdata_text_fit fit);

/*
 * Read a decimal number of 1 to 10 digits that is the whole text. Returns false, and stores
 * nothing, if it is something else or above UINT32_MAX.
 */
bool prfdata_text_number(prfdata_text text, uint32_t *number);

#endif
