/* SPDX-License-Identifier: MIT */
/* Parses queries, word by word. Knows the model, not what is collected. */
#include "collect/query.h"

#include <string.h>

#include "core/ascii.h"

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

static const uint16_t *after_query_word(const uint16_t *text)
{
    while (!ends_query_word(*text))
        text++;
    return text;
}

/* What follows `lower`, if the text begins with it, ignoring the case of ASCII letters; or NULL. */
static const uint16_t *after_beginning(const uint16_t *text, const char *lower)
{
    for (; *lower; lower++, text++)
        if (prfdata_ascii_lower(*text) != (unsigned char)*lower)
            return NULL;
    return text;
}

static const uint16_t *without_prefix(const uint16_t *text, const char *lower)
{
    const uint16_t *after = after_beginning(text, lower);

    return after ? after : text;
}

static bool is_query_word(const uint16_t *text, const char *lower)
{
    const uint16_t *after = after_beginning(text, lower);

    return after && ends_query_word(*after);
}

static bool is_query_number(const uint16_t *text)
{
    const uint16_t *cursor = text;

    while (*cursor >= '0' && *cursor <= '9')
        cursor++;
    return cursor > text && ends_query_word(*cursor);
}

/* The number that a word is; UINT32_MAX if it is none or larger than any title index. */
static uint32_t query_number(const uint16_t *text)
{
    uint64_t number = 0;

    if (!is_query_number(text))
        return UINT32_MAX;
    for (; !ends_query_word(*text); text++) {
        number = number * 10 + (uint64_t)(*text - '0');
        if (number >= UINT32_MAX)
            number = UINT32_MAX; /* ten times this still fits 64 bits */
    }
    return (uint32_t)number;
}

static void want_all(const prfdata_model *model, bool costly, bool *wanted)
{
    for (uint32_t i = 0; i < model->object_count; i++)
        wanted[i] = !(model->objects[i].options & PRFDATA_OPTION_COSTLY) == !costly;
}

static void want_title(const prfdata_model *model, uint32_t first_counter, uint32_t title,
                       bool *wanted)
{
    if (title == UINT32_MAX)
        return;
    for (uint32_t i = 0; i < model->object_count; i++)
        if (first_counter + model->objects[i].title_offset == title)
            wanted[i] = true;
}

/* Parents come before their children in the model: one pass from the end finds them all. */
static void want_parents(const prfdata_model *model, bool *wanted)
{
    for (uint32_t i = model->object_count; i-- > 0;)
        if (wanted[i] && model->objects[i].parent_index != PRFDATA_NONE)
            wanted[model->objects[i].parent_index] = true;
}

static bool any_wanted(const prfdata_model *model, const bool *wanted)
{
    for (uint32_t i = 0; i < model->object_count; i++)
        if (wanted[i])
            return true;
    return false;
}

bool prfdata_query_parse(const uint16_t *text, const prfdata_model *model, uint32_t first_counter,
                         bool *wanted, bool *metadata)
{
    static const uint16_t nothing[] = {0};
    const uint16_t *whole = without_prefix(after_blanks(text ? text : nothing), "old_");
    const uint16_t *first = without_prefix(whole, "metadata");

    memset(wanted, 0, model->object_count * sizeof *wanted);
    *metadata = first != whole;
    if (is_query_word(first, "global")) {
        want_all(model, false, wanted);
    } else if (is_query_word(first, "costly")) {
        want_all(model, true, wanted);
    } else if (is_query_number(whole)) { /* even if no title index is so large */
        for (const uint16_t *word = whole; *word; word = after_blanks(after_query_word(word)))
            want_title(model, first_counter, query_number(word), wanted);
    }
    if (!*metadata)
        want_parents(model, wanted);
    return any_wanted(model, wanted);
}
