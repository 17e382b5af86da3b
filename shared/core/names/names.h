/* SPDX-License-Identifier: MIT */
/*
 * Converts, compares and cleans texts. They are UTF-16 in regions and replies, wchar_t in the calls
 * of programs (UTF-16 on Windows, UTF-32 elsewhere), and UTF-8 in encoded maps. The checks of maps
 * and instances decide which names are allowed.
 */
#ifndef PRFDATA_NAMES_H
#define PRFDATA_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/*
 * Convert NUL-terminated wide text to UTF-16.
 *
 * chars  Gets at most `capacity` chars, no NUL; may be NULL if capacity is 0.
 * Returns the number of chars of the whole text, or SIZE_MAX if it has a lone surrogate or a value
 *         that is not a character.
 */
size_t prfdata_names_utf16_from_wide(const wchar_t *text, uint16_t *chars, size_t capacity);

/*
 * Convert NUL-terminated wide text to UTF-8. Arguments and result are those of
 * prfdata_names_utf16_from_wide(), in bytes instead of chars.
 */
size_t prfdata_names_utf8_from_wide(const wchar_t *text, char *bytes, size_t capacity);

#define PRFDATA_NAMES_NO_CHARACTER UINT32_MAX

/*
 * Return the code point at *position, which is below `size`, and move *position past it. If the
 * bytes are not valid UTF-8, return PRFDATA_NAMES_NO_CHARACTER and move *position by one.
 */
uint32_t prfdata_names_next_utf8(const char *bytes, size_t size, size_t *position);

/*
 * Convert `size` bytes of UTF-8 to wide text and end it with NUL.
 *
 * text  Memory for size + 1 elements.
 * Returns the number of elements without the NUL, or SIZE_MAX if the bytes are not valid UTF-8.
 *         Overlong forms, surrogates, NUL bytes and values above 0x10FFFF are not valid.
 */
size_t prfdata_names_wide_from_utf8(const char *bytes, size_t size, wchar_t *text);

/*
 * Convert `char_count` chars of UTF-16 to UTF-8; a lone surrogate becomes U+FFFD.
 * `bytes` gets at most `capacity` bytes, no NUL. Returns the number of bytes of the whole text.
 */
size_t prfdata_names_utf8_from_utf16(const uint16_t *chars, size_t char_count, char *bytes,
                                     size_t capacity);

/*
 * Copy a text that may contain anything. Each control character becomes ?, and so does each byte
 * that is not part of a UTF-8 character.
 *
 * shown  Gets at most `capacity` bytes with the NUL.
 * Returns the number of bytes of `text` that were copied, less than all if `shown` is too small.
 */
size_t prfdata_names_copy_shown(const char *text, char *shown, size_t capacity);

/* The simple Unicode case folding of one code point (names_fold.h, the same on all systems). */
uint32_t prfdata_names_fold(uint32_t code_point);

/* Whether two UTF-16 texts are equal ignoring case (prfdata_names_fold()). */
bool prfdata_names_equal(const uint16_t *a, size_t a_chars, const uint16_t *b, size_t b_chars);

/*
 * Whether two NUL-terminated wide texts are equal ignoring case. All values that are not characters
 * count as equal to each other.
 */
bool prfdata_names_wide_equal(const wchar_t *a, const wchar_t *b);

/* A hash of UTF-16 text. Texts that prfdata_names_equal calls equal have the same hash. */
uint64_t prfdata_names_hash(const uint16_t *chars, size_t char_count, uint64_t seed);

/*
 * Make an instance name harmless for counter paths, in place. ( ) # / \ * become [ ] _ _ _ _.
 * Control characters (U+0000..1F, U+007F..9F) and lone surrogates become _. The length does not
 * change.
 */
void prfdata_names_clean(uint16_t *chars, size_t char_count);

/* `_Total`: the instance that PRFDATA_MAP_TOTAL adds. */
enum { PRFDATA_NAMES_TOTAL_CHARS = 6 };
extern const uint16_t prfdata_names_total[PRFDATA_NAMES_TOTAL_CHARS];

#endif
