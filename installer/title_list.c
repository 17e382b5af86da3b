/* SPDX-License-Identifier: MIT */
/* It never reads beyond the given chars. Where the list comes from is for the callers to know. */
#include "installer/title_list.h"

#include <stdbool.h>

/* Measure the text at `chars`. Returns false if no NUL ends it. */
static bool measure_title(const uint16_t *chars, size_t char_count, size_t *length)
{
    for (size_t i = 0; i < char_count; i++) {
        if (chars[i] == 0) {
            *length = i;
            return true;
        }
    }
    return false;
}

/* Whether the text is this number. Readers accept at most seven digits. */
static bool is_title_index(const uint16_t *chars, size_t length, uint32_t wanted)
{
    uint32_t number = 0;

    if (length == 0 || length > 7)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (chars[i] < '0' || chars[i] > '9')
            return false;
        number = number * 10 + (uint32_t)(chars[i] - '0');
    }
    return number == wanted;
}

const uint16_t *prfdata_title_list_find(const uint16_t *chars, size_t char_count, uint32_t index,
                                        size_t *title_chars)
{
    size_t at = 0;
    size_t length, text_length;

    while (measure_title(chars + at, char_count - at, &length) && length > 0) {
        const uint16_t *text = chars + at + length + 1;

        if (!measure_title(text, char_count - at - length - 1, &text_length))
            return NULL;
        if (is_title_index(chars + at, length, index)) {
            *title_chars = text_length;
            return text;
        }
        at += length + 1 + text_length + 1;
    }
    return NULL;
}
