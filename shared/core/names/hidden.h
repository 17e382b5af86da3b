/* SPDX-License-Identifier: MIT */
/*
 * Shows what cannot be seen in a name or path that somebody else chose: control characters, which a
 * terminal may obey; characters without width, and marks that turn the direction of writing, by
 * which one name looks like another. They are written as \r, \n, \t, \u200B or \U000E0001. A
 * backslash stays one backslash: this is for people, and is not read back.
 */
#ifndef PRFDATA_HIDDEN_H
#define PRFDATA_HIDDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define PRFDATA_HIDDEN_CHARS 11 /* of one character, with a NUL */

/* Whether it cannot be seen. Half a surrogate pair is no character, and cannot. */
bool prfdata_hidden_is(uint32_t code_point);

/* Write a hidden character in ASCII, with a NUL. Returns the number of chars without it. */
size_t prfdata_hidden_escape(uint32_t code_point, char ascii[PRFDATA_HIDDEN_CHARS]);

/*
 * Write a text with its hidden characters shown.
 *
 * capacity  Of `shown`, with the NUL; not 0. What does not fit is cut between characters.
 */
void prfdata_hidden_show(const wchar_t *text, wchar_t *shown, size_t capacity);

#endif
