/* SPDX-License-Identifier: MIT */
/*
 * Declares functions for all *_posix.c files. They convert the system's errors to Win32 codes, and
 * ASCII to UTF-16.
 */
#ifndef PRFDATA_READER_POSIX_H
#define PRFDATA_READER_POSIX_H

#include <stddef.h>
#include <stdint.h>

/* Return the Win32 code for errno. */
uint32_t prfdata_posix_last_error(void);

/* Store at most `capacity` chars of ASCII text. Returns how many. */
size_t prfdata_posix_put_ascii(const char *text, uint16_t *chars, size_t capacity);

#endif
