/* SPDX-License-Identifier: MIT */
/* Asks the system for the computer's names and for error texts, in system_win32.c and
 * system_posix.c. */
#ifndef PRFDATA_READER_SYSTEM_H
#define PRFDATA_READER_SYSTEM_H

#include "text/text.h"

/* Get the computer's name; at most `capacity` chars are stored. Returns how many, 0 if it has
 * none. */
size_t prfdata_system_computer(uint16_t *chars, size_t capacity);

/*
 * Get one of the names by which others may know this computer: short or DNS, with or without
 * domain. Two names may be equal.
 *
 * index     From 0.
 * capacity  The size of `chars`; names have at most 255 characters.
 * count     Set to the number of chars stored; 0: the computer has no name of this kind.
 *
 * Returns false after the last name.
 */
bool prfdata_system_name(size_t index, uint16_t *chars, size_t capacity, size_t *count);

/* Returns whether `name` is one of this computer's names, ignoring case. */
bool prfdata_system_is_computer(prfdata_text name);

/* Get the system's text for one of its errors, in UTF-16 without NUL. Returns the number of
 * chars. */
size_t prfdata_system_error_words(uint32_t status, uint16_t *chars, size_t capacity);

#endif
