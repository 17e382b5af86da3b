/* SPDX-License-Identifier: MIT */
/*
 * Helps all *_posix.c files: converts the system's errors to Win32 codes, converts ASCII to UTF-16,
 * and waits for non-blocking pipes.
 */
#ifndef PRFDATA_READER_POSIX_H
#define PRFDATA_READER_POSIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return the Win32 code for errno; ERROR_CANCELLED if a signal has interrupted the call. */
uint32_t prfdata_posix_last_error(void);

/*
 * Returns whether a read or write that failed may succeed now: a signal has interrupted it, or
 * another program has made the pipe non-blocking. For a non-blocking pipe, first waits until the
 * pipe is ready, or a signal arrives.
 *
 * events  POLLIN or POLLOUT.
 */
bool prfdata_posix_may_try_again(int file, short events);

/* Store at most `capacity` chars of ASCII text. Returns how many. */
size_t prfdata_posix_put_ascii(const char *text, uint16_t *chars, size_t capacity);

#endif
