/* SPDX-License-Identifier: MIT */
/* Parses queries, word by word. Knows the model, not what is collected. */
#include "collect/query.h"

#include <string.h>

#include "core/ascii.h"

/* A word of the query: not terminated, of any length. */
struct word {
    const uint16_t *start;
    size_t chars;
};

static bool is_query_blank(uint16_t unit)
{
    return unit == ' ' || (unit >= '\t' && unit <= '\r');
}

/* Take the next word from `*text`, which moves past it; chars is 0 at the end. */
static struct word next_query_word(const uint16_t **text)
{
    const uint16_t *cursor = *text;
    struct word found;

    while (is_query_blank(*cursor))
        cursor++;
    found.start = cursor;
    while (*cursor && !is_query_blank(*cursor))
        cursor++;
    found.chars = (size_t)(cursor - found.start);
    *text = cursor;
    return found;
}

/* Whether the word begins with `lower`, ignoring the case of ASCII letters. */
static bool query_begins_with(struct word word, const char *lower)
{
    const size_t length = strlen(lower);

    if (word.chars < length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (prfdata_ascii_lower(word.start[i]) != (unsigned char)lower[i])
            return false;
    return true;
}

static bool is_query_word(struct word word, const char *lower)
{
    return word.chars == strlen(lower) && query_begins_with(word, lower);
}

static struct word without_prefix(struct word word, const char *lower)
{
    if (query_begins_with(word, lower)) {
        word.start += strlen(lower);
        word.chars -= strlen(lower);
    }
    return word;
}

static bool is_query_number(struct word word)
{
    for (size_t i = 0; i < word.chars; i++)
        if (word.start[i] < '0' || word.start[i] > '9')
            return false;
    return word.chars > 0;
}

/* The number of the word; UINT32_MAX if it is none or larger than any title index. */
static uint32_t query_number(struct word word)
{
    uint64_t number = 0;

    if (!is_query_number(word))
        return UINT32_MAX;
    for (size_t i = 0; i < word.chars; i++) {
        number = number * 10 + (uint64_t)(word.start[i] - '0');
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
    const uint16_t *cursor = text ? text : nothing;
    struct word first = without_prefix(next_query_word(&cursor), "old_");

    memset(wanted, 0, model->object_count * sizeof *wanted);
    *metadata = is_query_word(first, "metadataglobal") || is_query_word(first, "metadatacostly");
    if (is_query_word(first, "global") || is_query_word(first, "metadataglobal")) {
        want_all(model, false, wanted);
    } else if (is_query_word(first, "costly") || is_query_word(first, "metadatacostly")) {
        want_all(model, true, wanted);
    } else if (is_query_number(first)) { /* even if no title index is so large */
        for (struct word word = first; word.chars > 0; word = next_query_word(&cursor))
            want_title(model, first_counter, query_number(word), wanted);
    }
    if (!*metadata)
        want_parents(model, wanted);
    return any_wanted(model, wanted);
}
