/* SPDX-License-Identifier: MIT */
/* Decodes the bytes that a terminal sends for keys. */
#ifndef PRFDATA_READER_TERMINAL_KEYS_H
#define PRFDATA_READER_TERMINAL_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key is the code point of its character, or one of these. */
enum {
    PRFDATA_KEY_CTRL_C = 0x03,
    PRFDATA_KEY_BACKSPACE = 0x08, /* terminals send 0x08 or 0x7F */
    PRFDATA_KEY_ENTER = 0x0D,
    PRFDATA_KEY_ESCAPE = 0x1B,
    PRFDATA_KEY_UP = 0x110000, /* above the last code point */
    PRFDATA_KEY_DOWN,
    PRFDATA_KEY_PAGE_UP,
    PRFDATA_KEY_PAGE_DOWN,
    PRFDATA_KEY_HOME,
    PRFDATA_KEY_END,
    PRFDATA_KEY_LEFT,
    PRFDATA_KEY_RIGHT,
    PRFDATA_KEY_OTHER
};

/*
 * Take the next key from the bytes of a terminal.
 *
 * is_all  No more bytes will follow soon. Then a single escape character is the key Esc, and an
 *         incomplete sequence is PRFDATA_KEY_OTHER.
 * key     Set if something was taken.
 *
 * Returns the number of bytes of the key. 0: `size` is 0, or the sequence is incomplete and
 * `is_all` is false.
 */
size_t prfdata_terminal_keys_take(const unsigned char *bytes, size_t size, bool is_all,
                                  uint32_t *key);

#endif
