/* SPDX-License-Identifier: MIT */
/*
 * Finds titles in a list, and never reads beyond the given chars. title_database.c gets the list
 * from the system.
 */
#include "titles/title_list.h"

#include <string.h>

#include <prfdata/map.h>

#include "names/names.h"

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

/*
 * Read an index. Returns 0 if it is invalid; no title has the index 0. Readers accept at most seven
 * digits.
 */
static uint32_t read_title_index(const uint16_t *chars, size_t length)
{
    uint32_t number = 0;

    if (length > 7)
        return 0;
    for (size_t i = 0; i < length; i++) {
        if (chars[i] < '0' || chars[i] > '9')
            return 0;
        number = number * 10 + (uint32_t)(chars[i] - '0');
    }
    return number;
}

typedef struct title_pair {
    uint32_t index;
    const uint16_t *text;
    size_t text_chars;
} title_pair;

/* Take the pair at `*at`. Returns false at the end of the list or at a damaged place. */
static bool take_title_pair(const uint16_t *chars, size_t char_count, size_t *at, title_pair *pair)
{
    size_t length;

    if (!measure_title(chars + *at, char_count - *at, &length) || length == 0)
        return false;
    pair->index = read_title_index(chars + *at, length);
    *at += length + 1;
    pair->text = chars + *at;
    if (!measure_title(pair->text, char_count - *at, &pair->text_chars))
        return false;
    *at += pair->text_chars + 1;
    return true;
}

static bool is_title_text(const title_pair *pair, const wchar_t *wanted)
{
    uint16_t chars[PRFDATA_MAX_HELP_CHARS];
    size_t count = prfdata_names_utf16_from_wide(wanted, chars, PRFDATA_MAX_HELP_CHARS);

    return count <= PRFDATA_MAX_HELP_CHARS && count == pair->text_chars &&
           memcmp(chars, pair->text, count * sizeof chars[0]) == 0;
}

bool prfdata_title_list_find(const uint16_t *chars, size_t char_count, const wchar_t *text,
                             size_t *at, uint32_t *index)
{
    title_pair pair;

    while (take_title_pair(chars, char_count, at, &pair))
        if (pair.index > 0 && is_title_text(&pair, text)) {
            *index = pair.index;
            return true;
        }
    return false;
}

size_t prfdata_title_list_match(const uint16_t *chars, size_t char_count, uint32_t first,
                                const wchar_t **texts, size_t text_count)
{
    size_t left = text_count;
    size_t at = 0;
    title_pair pair;

    while (left > 0 && take_title_pair(chars, char_count, &at, &pair)) {
        size_t number = ((size_t)pair.index - first) / 2;

        if (pair.index == 0 || pair.index < first || (pair.index - first) % 2 != 0 ||
            number >= text_count || !texts[number] || !is_title_text(&pair, texts[number]))
            continue;
        texts[number] = NULL;
        left--;
    }
    return left;
}
