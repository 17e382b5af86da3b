/* SPDX-License-Identifier: MIT */
/* Shortens a name so that it fits into a width, as view/middle_cut.h describes. */
#ifndef PRFDATA_READER_CUT_TEXT_H
#define PRFDATA_READER_CUT_TEXT_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <stdint.h>

/*
 * Shorten a text, in place, to a width in pixels.
 *
 * dc        Its font is that of the text.
 * capacity  Of the text, in chars with the NUL; above 1.
 */
void prfdata_cut_text(HDC dc, int32_t width, wchar_t *text, size_t capacity);

#endif
