/* SPDX-License-Identifier: MIT */
/* Parses queries word by word. */
#include "collect/query.h"

#include <string.h>

#include "base/compiler.h"

static bool is_query_blank(uint16_t unit)
{
    return unit == ' ' || (unit >= '\t' && unit <= '\r');
}

static bool ends_query_word(uint16_t unit)
{
    return unit == 0 || is_query_blank(unit);
}

static const uint16_t *after_blanks(const uint16_t *text)
{
    while (is_query_blank(*text))
        text++;
    return text;
}

/*
 * Returns what follows the letters `lower` if the text begins with them, ignoring case; otherwise
 * NULL.
 */
static const uint16_t *after_beginning(const uint16_t *text, const char *lower)
{
    size_t i = 0;

    for (; lower[i]; i++)
        if ((text[i] | ('a' - 'A')) != (unsigned char)lower[i])
            return NULL;
    return text + i;
}

static const uint16_t *without_old(const uint16_t *text)
{
    const uint16_t *after = after_beginning(text, "old");

    return after && *after == '_' ? after + 1 : text;
}

static const uint16_t *without_metadata(const uint16_t *text)
{
    const uint16_t *after = after_beginning(text, "metadata");

    return after ? after : text;
}

static bool is_query_word(const uint16_t *text, const char *lower)
{
    const uint16_t *after = after_beginning(text, lower);

    return after && ends_query_word(*after);
}

static bool is_query_digit(uint16_t unit)
{
    return unit >= '0' && unit <= '9';
}

static bool is_query_number(const uint16_t *text)
{
    const uint16_t *cursor = text;

    while (is_query_digit(*cursor))
        cursor++;
    return cursor > text && ends_query_word(*cursor);
}

/*
 * Parses one word as a number and moves the text to the end of the word. Returns UINT32_MAX if the
 * word is not a number or is larger than any title index.
 */
static uint32_t take_query_number(const uint16_t **text)
{
    const uint16_t *cursor = *text;
    uint64_t number = 0;

    for (; !ends_query_word(*cursor); cursor++) {
        number = is_query_digit(*cursor) ? number * 10 + (uint64_t)(*cursor - '0') : UINT32_MAX;
        if (number >= UINT32_MAX)
            number = UINT32_MAX; /* ten times this still fits 64 bits */
    }
    *text = cursor;
    return (uint32_t)number;
}

/* Marks an object and its parents, because readers cannot resolve an object without its parents. */
static void want_object(const prfdata_model *model, uint32_t index, bool *wanted)
{
    for (; index != PRFDATA_NONE && !wanted[index]; index = model->objects[index].parent_index)
        wanted[index] = true;
}

/*
 * Marks the costly objects if `costly` is set, otherwise all other objects. Also marks the parents
 * of these objects, unless `metadata` is set. Parents come before their children, so the loop does
 * not clear a mark of a parent again. This function and those below return whether any object is
 * wanted.
 */
static bool want_kind(const prfdata_model *model, bool costly, bool metadata, bool *wanted)
{
    bool any = false;

    for (uint32_t i = 0; i < model->object_count; i++) {
        const bool is_of_kind = !(model->objects[i].options & PRFDATA_OPTION_COSTLY) != costly;

        any |= is_of_kind;
        wanted[i] = is_of_kind;
        if (is_of_kind && !metadata)
            want_object(model, model->objects[i].parent_index, wanted);
    }
    return any;
}

static bool want_title(const prfdata_model *model, uint32_t first_counter, uint32_t title,
                       bool *wanted)
{
    bool any = false;

    if (title == UINT32_MAX)
        return false;
    for (uint32_t i = 0; i < model->object_count; i++) {
        if (first_counter + model->objects[i].title_offset != title)
            continue;
        any = true;
        want_object(model, i, wanted);
    }
    return any;
}

PRFDATA_NOINLINE static bool want_titles(const prfdata_model *model, uint32_t first_counter,
                                         const uint16_t *word, bool *wanted)
{
    bool any = false;

    memset(wanted, 0, model->object_count * sizeof *wanted);
    for (; *word; word = after_blanks(word))
        any |= want_title(model, first_counter, take_query_number(&word), wanted);
    return any;
}

bool prfdata_query_parse(const uint16_t *text, const prfdata_model *model, uint32_t first_counter,
                         bool *wanted, bool *metadata)
{
    static const uint16_t nothing[] = {0};
    const uint16_t *whole = without_old(after_blanks(text ? text : nothing));
    const uint16_t *first = without_metadata(whole);

    *metadata = first != whole;
    if (is_query_word(first, "global"))
        return want_kind(model, false, *metadata, wanted);
    if (is_query_word(first, "costly"))
        return want_kind(model, true, *metadata, wanted);
    /* A query of titles begins with a number. want_titles() skips numbers that are too large. */
    if (!is_query_number(whole))
        whole = nothing;
    return want_titles(model, first_counter, whole, wanted);
}
