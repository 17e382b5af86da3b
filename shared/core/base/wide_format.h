/* SPDX-License-Identifier: MIT */
/* Formats a wide-character text that must be whole, such as a path. */
#ifndef PRFDATA_WIDE_FORMAT_H
#define PRFDATA_WIDE_FORMAT_H

#include <stddef.h>
#include <wchar.h>

/*
 * Write a text as swprintf() does. Call this function wherever the result matters, because the
 * swprintf() of mingw-w64 does not report a text that does not fit: it cuts the text, and returns
 * the length that the whole text would have.
 *
 * text  Gets the text; "" on failure. Room for `capacity` chars, the NUL included.
 *
 * Returns the length of the text; -1 if it does not fit.
 */
int prfdata_wide_format(wchar_t *text, size_t capacity, const wchar_t *format, ...);

#endif
