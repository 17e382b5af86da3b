/* SPDX-License-Identifier: MIT */
/*
 * Texts of the resource in the user's language, and texts, numbers and times in Windows' form. Only
 * the window's thread calls.
 */
#ifndef PRFDATA_READER_STRINGS_H
#define PRFDATA_READER_STRINGS_H

#include <windows.h>

#include "panes/resource.h"
#include "text/text.h"
#include "view/number.h"

#define PRFDATA_MOMENT_CHARS 120

/* What prfdata_strings_format() makes at most, with the NUL: two paths and a sentence. */
#define PRFDATA_STRINGS_CHARS 1024

/* A text of the resource; valid as long as the program runs. Empty: there is none. */
const wchar_t *prfdata_strings_get(uint32_t id);

/* The words of prfdata_details_put(), static. */
const char *const *prfdata_strings_details(void);
/* The same with %1 to %3 replaced, in `text`; cut to fit. Returns `text`. */
const wchar_t *prfdata_strings_format(wchar_t text[PRFDATA_STRINGS_CHARS], uint32_t id,
                                      const wchar_t *first, const wchar_t *second,
                                      const wchar_t *third);
/* The text as UTF-16 that ends with NUL, in `chars`; cut to fit. Returns `chars`. */
const wchar_t *prfdata_strings_text(prfdata_text text, wchar_t *chars, size_t capacity);
/* Copy a text, cut to fit. Capacities are in chars, with the NUL. */
void prfdata_strings_copy(wchar_t *to, const wchar_t *from, int capacity);
/* The text of chars that end with NUL; borrowed. */
prfdata_text prfdata_strings_borrow(const wchar_t *chars);
/* A number in C's form gets the user's decimal point, in its place. Returns `number`. */
const wchar_t *prfdata_strings_decimal(prfdata_number_style style, wchar_t *number);
/* A moment of the timeline as the user's clocks show it. */
SYSTEMTIME prfdata_strings_local_time(int64_t time_ms);
/* The day and the time of a moment, in the user's form. Returns `text`. */
const wchar_t *prfdata_strings_moment(int64_t time_ms, wchar_t text[PRFDATA_MOMENT_CHARS]);
/* The system's words for an error, or its number; cut to fit. Returns `words`. */
const wchar_t *prfdata_strings_system(uint32_t status, wchar_t *words, size_t capacity);
/* UTF-8 as UTF-16, for free(). NULL: no memory. */
wchar_t *prfdata_strings_wide(const char *bytes, size_t size);

#endif
