/* SPDX-License-Identifier: MIT */
/*
 * Handles UTF-16 text. All comparisons except prfdata_text_is_same() ignore case, because the case
 * of counter names does not matter.
 */
#ifndef PRFDATA_READER_TEXT_H
#define PRFDATA_READER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is the empty text. */
typedef struct prfdata_text {
    const uint16_t *chars; /* borrowed; no NUL needed */
    size_t count;          /* number of UTF-16 code units */
} prfdata_text;

/* Return the text of `chars` up to their NUL, which is left out. */
prfdata_text prfdata_text_from_chars(const uint16_t *chars);

/* Return the chars in [begin, end); begin <= end <= text.count. */
prfdata_text prfdata_text_part(prfdata_text text, size_t begin, size_t end);

/* Remove blanks, no-break blanks and tabs at both ends. */
prfdata_text prfdata_text_trimmed(prfdata_text text);

/*
 * Replace `to`, which is owned, by a copy that ends with NUL; the previous chars are released with
 * free().
 * Returns false: no memory, and nothing changed.
 */
bool prfdata_text_copy(prfdata_text from, prfdata_text *to);

/*
 * Do what prfdata_text_copy() does, but put a * before and after the text, which makes a pattern
 * for texts that contain it. An empty text becomes {0}.
 */
bool prfdata_text_copy_as_pattern(prfdata_text from, prfdata_text *to);

/* Release an owned text and leave {0}. */
void prfdata_text_free(prfdata_text *text);

/*
 * Convert UTF-8 to chars; invalid bytes are left out.
 *
 * chars  Gets at most `capacity`.
 * Returns the number of chars.
 */
size_t prfdata_text_from_utf8(const char *bytes, size_t size, uint16_t *chars, size_t capacity);

/*
 * Convert a text to UTF-8 and end it with NUL; a lone surrogate becomes U+FFFD.
 *
 * bytes  Gets at most `capacity` bytes, the NUL included; capacity > 0. A longer text is cut before
 *        the first character that does not fit.
 */
void prfdata_text_to_utf8(prfdata_text text, char *bytes, size_t capacity);

/*
 * Return the code point at *position, which is below text.count, and move the position to the next
 * code point. An unpaired surrogate is returned unchanged.
 */
uint32_t prfdata_text_next(prfdata_text text, size_t *position);

/* Order two texts ignoring case, code point by code point: below 0, 0 or above 0. */
int prfdata_text_compare(prfdata_text a, prfdata_text b);

/*
 * Order two texts as people order names: as prfdata_text_compare() does, except that digits are
 * compared as numbers, so "row 2" comes before "row 10". Texts that differ only in zeros before a
 * number are ordered as by prfdata_text_compare().
 */
int prfdata_text_compare_naturally(prfdata_text a, prfdata_text b);

bool prfdata_text_equal(prfdata_text a, prfdata_text b);

/* Returns whether two texts have the same chars, including case. */
bool prfdata_text_is_same(prfdata_text a, prfdata_text b);

/* Append a text to `used` chars, which must have room for it. Returns the new number of chars. */
size_t prfdata_text_append(uint16_t *chars, size_t used, prfdata_text text);

/* Returns whether a text equals, ignoring case, an ASCII string that ends with NUL. */
bool prfdata_text_equal_ascii(prfdata_text text, const char *ascii);

/* Returns whether `text` matches `pattern` ignoring case; * matches any characters or none. */
bool prfdata_text_matches(prfdata_text pattern, prfdata_text text);

bool prfdata_text_has_wildcard(prfdata_text text);

/*
 * Returns whether a text is only a *. In a path, * means everything, so a path cannot contain it as
 * a name.
 */
bool prfdata_text_is_star(prfdata_text text);

/*
 * The ways to compare a name that a person wrote with a real name, which may itself contain a * or
 * end with a blank.
 */
typedef enum prfdata_text_fit {
    PRFDATA_TEXT_AS_PATTERN, /* a * matches any characters or none */
    PRFDATA_TEXT_LITERALLY,  /* a * is an ordinary character; a written "*" fits nothing */
    PRFDATA_TEXT_TRIMMED     /* a * is an ordinary character; blanks at both ends are ignored */
} prfdata_text_fit;

/* Returns whether `written` names `text`, ignoring case. */
bool prfdata_text_fits(prfdata_text written, prfdata_text text, prfdata_text_fit fit);

/*
 * Read a decimal number of 1 to 10 digits that is the whole text. Returns false, and stores
 * nothing, if it is something else or above UINT32_MAX.
 */
bool prfdata_text_number(prfdata_text text, uint32_t *number);

#endif
