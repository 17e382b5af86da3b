/* SPDX-License-Identifier: MIT */
/*
 * Controls the terminal as a screen with keys, in terminal_win32.c and terminal_posix.c. A program
 * has one terminal, and only one thread of the program may use it.
 */
#ifndef PRFDATA_READER_TERMINAL_H
#define PRFDATA_READER_TERMINAL_H

#include "os/terminal_keys.h"

typedef enum prfdata_terminal_event {
    PRFDATA_TERMINAL_DUE, /* the time is `due_ms` */
    PRFDATA_TERMINAL_KEY,
    PRFDATA_TERMINAL_RESIZED, /* the screen may have another size; draw again */
    PRFDATA_TERMINAL_STOPPED  /* the program must end, or the terminal no longer exists */
} prfdata_terminal_event;

/*
 * Change to a separate screen of the program, without cursor. Keys are delivered one by one, at
 * once, and are not shown.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_HANDLE (standard input or output is not a terminal) or the
 * system's error; on failure the terminal is unchanged.
 */
uint32_t prfdata_terminal_open(void);

/* Restore the terminal as it was. Does nothing if it is not open. */
void prfdata_terminal_close(void);

/* Get the screen's size in cells. Both numbers are 1 to 1000. If the size is unknown, they are 80
 * and 24. */
void prfdata_terminal_size(uint32_t *width, uint32_t *height);

/*
 * Show a frame: UTF-8 with the sequences that top_frame.h lists, and no other control characters.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, ERROR_INVALID_DATA (on Windows: the frame is not
 * UTF-8) or the system's error.
 */
uint32_t prfdata_terminal_draw(const char *frame, size_t size);

/* Returns whether the terminal shows more than ASCII. */
bool prfdata_terminal_is_unicode(void);

/*
 * Wait for a key, at most until prfdata_os_milliseconds() is `due_ms`. Keys that were pressed
 * before are returned first, even if that time has passed.
 *
 * key  Set with PRFDATA_TERMINAL_KEY.
 */
prfdata_terminal_event prfdata_terminal_wait(uint64_t due_ms, uint32_t *key);

#endif
