/* SPDX-License-Identifier: MIT */
/* Formats wide-character strings, and reports a string that does not fit. */
#ifndef PRFDATA_WIDE_FORMAT_H
#define PRFDATA_WIDE_FORMAT_H

#include <stddef.h>
#include <wchar.h>

/*
 * Write a string as swprintf() does. This function exists because the swprintf() of mingw-w64 does
 * not report a string that does not fit: it cuts the string and returns the uncut length.
 *
 * text  Gets the string; "" on failure. Room for `capacity` elements, the NUL included.
 *
 * Returns the length of the string; -1 if it does not fit.
 */
int prfdata_wide_format(wchar_t *text, size_t capacity, const wchar_t *format, ...);

#endif
