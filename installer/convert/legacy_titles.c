/* SPDX-License-Identifier: MIT */
/* Collects the objects and counters of an .ini file. Portable. */
#include "convert/legacy_titles.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "convert/legacy_text.h"
#include "names/ascii.h"

typedef struct note_sink {
    prfdata_ini_note *note;
    void *context;
} note_sink;

static void note_symbol(const note_sink *sink, uint32_t line, prfdata_map_text symbol,
                        const char *what)
{
    prfdata_ini_file_note(sink->note, sink->context, line, symbol, what);
}

static bool ends_with_word(prfdata_map_text symbol, const char *word)
{
    const size_t size = strlen(word);

    return symbol.size >= size &&
           prfdata_map_lines_is((prfdata_map_text){symbol.at + symbol.size - size, size}, word);
}

/* Returns whether a symbol is a typical name of an object: PEER_OBJECT, VGAOBJ, OBJECT_1. */
static bool is_called_object(prfdata_map_text symbol)
{
    while (symbol.size > 0 && prfdata_ascii_is_digit((unsigned char)symbol.at[symbol.size - 1]))
        symbol.size--;
    if (symbol.size > 0 && symbol.at[symbol.size - 1] == '_')
        symbol.size--;
    return ends_with_word(symbol, "OBJ") || ends_with_word(symbol, "OBJECT");
}

static void guess_objects(prfdata_legacy_titles *set)
{
    for (size_t i = 0; i < set->count; i++) {
        set->items[i].is_object = i == 0 || is_called_object(set->items[i].symbol);
        set->items[i].is_guess = set->items[i].is_object;
    }
}

/*
 * Mark the items in [objects] as objects. If no item is in [objects], mark the item with the lowest
 * offset, and each item whose symbol is a typical name of an object.
 */
static void find_objects(const prfdata_ini_file *ini, prfdata_legacy_titles *set,
                         const note_sink *sink)
{
    size_t found = 0;

    for (size_t i = 0; i < set->count; i++) {
        set->items[i].is_object = prfdata_ini_file_is_object(ini, set->items[i].symbol);
        found += set->items[i].is_object;
    }
    if (found == 0 && ini->object_count > 0)
        note_symbol(sink, ini->objects[0].line, ini->objects[0].symbol,
                    "of [objects] has no title, and neither have the others there: which symbols "
                    "are objects is a guess.");
    if (found == 0)
        guess_objects(set);
    while (set->first_object < set->count && !set->items[set->first_object].is_object)
        set->first_object++;
    for (size_t i = 0; i < set->first_object; i++)
        note_symbol(
            sink, set->items[i].titles->line, set->items[i].symbol,
            "has a lower offset than every object, so it is written into the first object.");
}

static int order_offsets(const void *a, const void *b)
{
    const prfdata_titled *one = a, *other = b;

    if (one->offset != other->offset)
        return one->offset < other->offset ? -1 : 1;
    return prfdata_legacy_text_compare(one->symbol, other->symbol);
}

/*
 * Note odd offsets, and gaps between offsets, because lodctr demands the offsets 0, 2, 4 and so on.
 * A map allows all offsets, because it uses them as ids.
 */
static void note_offsets(const prfdata_legacy_titles *set, const note_sink *sink)
{
    uint32_t gaps = 0;

    for (size_t i = 0; i < set->count; i++) {
        const prfdata_titled *item = &set->items[i];

        if (item->offset % 2 != 0)
            note_symbol(sink, item->titles->line, item->symbol,
                        "has an odd offset, which lodctr refuses; a map may have it as an id.");
        gaps += item->offset > (i > 0 ? set->items[i - 1].offset + 2 : 0);
    }
    if (gaps > 0)
        note_symbol(sink, set->items[0].titles->line, set->items[0].symbol,
                    "and what follows it have other offsets than 0, 2, 4 and so on, which is "
                    "allowed for ids.");
}

static bool add_titled(prfdata_legacy_titles *set, const prfdata_symbol *symbol,
                       const prfdata_ini_title *titles, size_t count)
{
    prfdata_titled *items =
        prfdata_array_reserve(set->items, &set->capacity, set->count + 1, sizeof *items);

    if (!items)
        return false;
    set->items = items;
    items[set->count++] =
        (prfdata_titled){symbol->name, symbol->value, titles, count, false, false};
    return true;
}

/* Return the number of titles, from index `from` on, that have the same symbol as title `from`. */
static size_t count_titles(const prfdata_ini_file *ini, size_t from)
{
    size_t end = from + 1;

    while (end < ini->title_count &&
           prfdata_legacy_text_compare(ini->titles[end].symbol, ini->titles[from].symbol) == 0)
        end++;
    return end - from;
}

uint32_t prfdata_legacy_titles_make(const prfdata_ini_file *ini, const prfdata_symbol_file *symbols,
                                    prfdata_legacy_titles *set, prfdata_ini_note *note,
                                    void *context)
{
    const note_sink sink = {note, context};
    size_t count;

    memset(set, 0, sizeof *set);
    for (size_t i = 0; i < ini->title_count; i += count) {
        const prfdata_ini_title *titles = &ini->titles[i];
        const prfdata_symbol *symbol = prfdata_symbol_file_find(symbols, titles->symbol);

        count = count_titles(ini, i);
        if (!symbol || !symbol->has_value)
            note_symbol(&sink, titles->line, titles->symbol,
                        symbol ? "is not a number in the symbol file, and is left out."
                               : "is not in the symbol file, and is left out.");
        else if (!add_titled(set, symbol, titles, count))
            return ERROR_NOT_ENOUGH_MEMORY;
    }
    if (set->count == 0)
        return ERROR_INVALID_DATA;
    qsort(set->items, set->count, sizeof *set->items, order_offsets);
    note_offsets(set, &sink);
    find_objects(ini, set, &sink);
    return ERROR_SUCCESS;
}

const prfdata_ini_title *prfdata_legacy_titles_english(const prfdata_titled *item, bool is_help)
{
    const prfdata_ini_title *found = NULL;
    int rank = 0; /* of the language: 3 for 009, 2 for another English such as 409, 1 for others */

    for (size_t i = 0; i < item->title_count; i++) {
        const prfdata_ini_title *title = &item->titles[i];
        const bool is_english = title->language.at[1] == '0' && title->language.at[2] == '9';
        const int own = !is_english ? 1 : title->language.at[0] == '0' ? 3 : 2;

        if (title->is_help == is_help && title->value.size > 0 && own > rank) {
            found = title;
            rank = own;
        }
    }
    return found;
}

void prfdata_legacy_titles_free(prfdata_legacy_titles *set)
{
    free(set->items);
    memset(set, 0, sizeof *set);
}
