/* SPDX-License-Identifier: MIT */
/*
 * The terminal as a screen with keys: terminal_win32.c and terminal_posix.c. One for the whole
 * program, used by one thread.
 */
#ifndef PRFDATA_READER_TERMINAL_H
#define PRFDATA_READER_TERMINAL_H

#include "os/terminal_keys.h"

typedef enum prfdata_terminal_event {
    PRFDATA_TERMINAL_DUE,     /* it is `due_ms` */
    PRFDATA_TERMINAL_KEY,     /* a key was pressed */
    PRFDATA_TERMINAL_RESIZED, /* the screen may have another size; draw again */
    PRFDATA_TERMINAL_STOPPED  /* the program shall end, or the terminal has gone */
} prfdata_terminal_event;

/*
 * Change to a screen of the program's own, without cursor. Keys are delivered one by one, at once,
 * and are not shown.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_HANDLE (standard input or output is no terminal) or the
 *         system's error; the terminal is then as it was.
 */
uint32_t prfdata_terminal_open(void);

/* Restore the terminal as it was. Does nothing if it is not open. */
void prfdata_terminal_close(void);

/* The size of the screen in cells, each 1 to 1000; 80 and 24 if the system does not know. */
void prfdata_terminal_size(uint32_t *width, uint32_t *height);

/*
 * Show a frame: UTF-8 with the sequences that top_frame.h names, and no other control characters.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or the system's error.
 */
uint32_t prfdata_terminal_draw(const char *frame, size_t size);

/* Whether the terminal shows more than ASCII. */
bool prfdata_terminal_is_unicode(void);

/*
 * Wait for a key, at most until prfdata_os_milliseconds() is `due_ms`. Keys that were pressed
 * before are returned first, even if it is later than that.
 *
 * key  Set with PRFDATA_TERMINAL_KEY.
 */
prfdata_terminal_event prfdata_terminal_wait(uint64_t due_ms, uint32_t *key);

#endif
