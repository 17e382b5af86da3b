/* SPDX-License-Identifier: MIT */
/*
 * Shows invisible characters in a name or path that another person chose. A terminal may obey
 * control characters. Characters without width, and marks that change the direction of writing,
 * can make one name look like another. All these characters are written like \r, \n, \t, \u200B or
 * \U000E0001. A backslash stays one backslash, because the result is for people and is not read
 * back.
 */
#ifndef PRFDATA_HIDDEN_H
#define PRFDATA_HIDDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define PRFDATA_HIDDEN_CHARS 11 /* the most chars for one character, with the NUL */

/* Whether a code point is invisible, or is a lone surrogate. */
bool prfdata_hidden_is(uint32_t code_point);

/*
 * Whether a code point looks like a blank, but is none, such as a no-break space. These characters
 * are ordinary in some languages, so prfdata_hidden_show() leaves them unchanged.
 */
bool prfdata_hidden_is_blank(uint32_t code_point);

/* Write a hidden character in ASCII, with a NUL. Returns the number of chars before the NUL. */
size_t prfdata_hidden_escape(uint32_t code_point, char ascii[PRFDATA_HIDDEN_CHARS]);

/*
 * Write a text with its invisible characters shown.
 *
 * capacity  The elements of `shown`, with the NUL; not 0. A longer text is cut between characters.
 */
void prfdata_hidden_show(const wchar_t *text, wchar_t *shown, size_t capacity);

#endif
