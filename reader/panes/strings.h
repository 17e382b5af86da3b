/* SPDX-License-Identifier: MIT */
/*
 * Loads texts of the resource in the user's language, and converts texts, numbers and times to
 * Windows' forms. Call it only from the window's thread.
 */
#ifndef PRFDATA_READER_STRINGS_H
#define PRFDATA_READER_STRINGS_H

#include <windows.h>

#include "panes/resource.h"
#include "text/text.h"
#include "view/number.h"

#define PRFDATA_MOMENT_CHARS 120

#define PRFDATA_STRINGS_COUNT (PRFDATA_NUMBER_CHARS + 1)
/* Longest result of prfdata_strings_format(), with the NUL: two paths and a sentence. */
#define PRFDATA_STRINGS_CHARS 1024

/* Return a text of the resource; valid as long as the program runs. Empty: there is none. */
const wchar_t *prfdata_strings_get(uint32_t id);

/* Set the words of text/words.h to the user's language. Call it before other threads begin. */
void prfdata_strings_use_words(void);
/* Put a text of the resource into `text`, with %1 to %3 replaced; cut if necessary. Returns
 * `text`. */
const wchar_t *prfdata_strings_format(wchar_t text[PRFDATA_STRINGS_CHARS], uint32_t id,
                                      const wchar_t *first, const wchar_t *second,
                                      const wchar_t *third);
/* Put the text as UTF-16 with a NUL into `chars`; cut if necessary. Returns `chars`. */
const wchar_t *prfdata_strings_text(prfdata_text text, wchar_t *chars, size_t capacity);
/* Copy a text; cut if necessary. `capacity` is in chars, with the NUL. */
void prfdata_strings_copy(wchar_t *to, const wchar_t *from, int capacity);
/* Return a text that borrows chars, which end with NUL. */
prfdata_text prfdata_strings_borrow(const wchar_t *chars);
/* Return how the user writes numbers; the user may change that while the program runs. */
prfdata_number_style prfdata_strings_number_style(void);

/* Replace the point in a number by the user's decimal separator. Returns `number`. */
const wchar_t *prfdata_strings_decimal(prfdata_number_style style, wchar_t *number);
/* Put a count with the user's separators between thousands. Returns `text`. */
const wchar_t *prfdata_strings_count(prfdata_number_style style, uint64_t count,
                                     wchar_t text[PRFDATA_STRINGS_COUNT]);
/* Return a time of the timeline as local time. */
SYSTEMTIME prfdata_strings_local_time(int64_t time_ms);
/* Returns whether two times of the timeline are on one day of local time. */
bool prfdata_strings_is_same_day(int64_t a_ms, int64_t b_ms);
/* Put the time of day of a moment in the user's form. Returns `text`. */
const wchar_t *prfdata_strings_time(int64_t time_ms, bool has_seconds,
                                    wchar_t text[PRFDATA_MOMENT_CHARS]);
/* Put the day and the time of a moment in the user's form. Returns `text`. */
const wchar_t *prfdata_strings_moment(int64_t time_ms, wchar_t text[PRFDATA_MOMENT_CHARS]);
/* Put the system's words for an error, or the number of the error if the words are unknown or do
 * not fit. Returns `words`. */
const wchar_t *prfdata_strings_system(uint32_t status, wchar_t *words, size_t capacity);
/*
 * Shorten a name in its middle, in place, so that it fits into a width in pixels. The font must be
 * selected into dc. capacity: the size of `text` in chars, with the NUL; above 1.
 */
void prfdata_strings_cut(HDC dc, int32_t width, wchar_t *text, size_t capacity);
/* Convert UTF-8 to UTF-16, for free(). NULL: no memory. */
wchar_t *prfdata_strings_wide(const char *bytes, size_t size);

#endif
