/* SPDX-License-Identifier: MIT */
/* Decodes the key sequences of VT100, xterm and their descendants. */
#include "os/terminal_keys.h"

#include <wchar.h>

#include "names/names.h"

#define MAX_SEQUENCE 32 /* bytes */

static uint32_t key_of_letter(unsigned char letter)
{
    switch (letter) {
    case 'A':
        return PRFDATA_KEY_UP;
    case 'B':
        return PRFDATA_KEY_DOWN;
    case 'C':
        return PRFDATA_KEY_RIGHT;
    case 'D':
        return PRFDATA_KEY_LEFT;
    case 'H':
        return PRFDATA_KEY_HOME;
    case 'F':
        return PRFDATA_KEY_END;
    default:
        return PRFDATA_KEY_OTHER;
    }
}

/* Return the key of ESC [ number ~ */
static uint32_t key_of_digit(unsigned char digit)
{
    switch (digit) {
    case '1':
    case '7':
        return PRFDATA_KEY_HOME;
    case '4':
    case '8':
        return PRFDATA_KEY_END;
    case '5':
        return PRFDATA_KEY_PAGE_UP;
    case '6':
        return PRFDATA_KEY_PAGE_DOWN;
    default:
        return PRFDATA_KEY_OTHER;
    }
}

/* Take a control sequence: ESC [ parameters final-byte. */
static size_t take_control_key(const unsigned char *bytes, size_t size, uint32_t *key)
{
    for (size_t i = 2; i < size && i < MAX_SEQUENCE; i++) {
        if (bytes[i] < 0x20 || bytes[i] > 0x7E) {
            *key = PRFDATA_KEY_OTHER; /* another key interrupts the sequence */
            return i;
        }
        if (bytes[i] < 0x40)
            continue;
        *key = bytes[i] == '~' && i == 3 ? key_of_digit(bytes[2]) : key_of_letter(bytes[i]);
        return i + 1;
    }
    if (size < MAX_SEQUENCE)
        return 0;
    *key = PRFDATA_KEY_OTHER;
    return MAX_SEQUENCE;
}

static size_t take_escape_key(const unsigned char *bytes, size_t size, bool is_all, uint32_t *key)
{
    size_t taken = 0;

    if (size > 1 && bytes[1] == '[') {
        taken = take_control_key(bytes, size, key);
    } else if (size > 2 && bytes[1] == 'O') {
        *key = key_of_letter(bytes[2]);
        taken = 3;
    } else if (size > 1 && bytes[1] != 'O') {
        *key = PRFDATA_KEY_ESCAPE;
        return 1;
    }
    if (taken > 0 || !is_all)
        return taken;
    *key = size == 1 ? PRFDATA_KEY_ESCAPE : PRFDATA_KEY_OTHER;
    return size;
}

static size_t take_utf8_key(const unsigned char *bytes, size_t size, bool is_all, uint32_t *key)
{
    size_t length = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2;
    wchar_t wide[5];
    size_t count;

    if (bytes[0] < 0xC2 || bytes[0] > 0xF4) {
        *key = PRFDATA_KEY_OTHER;
        return 1;
    }
    if (size < length && !is_all)
        return 0;
    if (size < length)
        length = size;
    *key = PRFDATA_KEY_OTHER;
    count = prfdata_names_wide_from_utf8((const char *)bytes, length, wide);
    if (count == SIZE_MAX)
        return 1;
    *key = (uint32_t)wide[0];
    if (count == 2) /* a surrogate pair */
        *key = 0x10000u + (((uint32_t)wide[0] & 0x3FF) << 10) + ((uint32_t)wide[1] & 0x3FF);
    return length;
}

size_t prfdata_terminal_keys_take(const unsigned char *bytes, size_t size, bool is_all,
                                  uint32_t *key)
{
    if (size == 0)
        return 0;
    if (bytes[0] == PRFDATA_KEY_ESCAPE)
        return take_escape_key(bytes, size, is_all, key);
    if (bytes[0] >= 0x80)
        return take_utf8_key(bytes, size, is_all, key);
    *key = bytes[0] == 0x7F ? PRFDATA_KEY_BACKSPACE : bytes[0] == '\n' ? '\r' : bytes[0];
    return 1;
}
