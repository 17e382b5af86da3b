/* SPDX-License-Identifier: MIT */
/*
 * Reads a symbol file for lodctr, such as the header in Microsoft's "Adding Counter Names and
 * Descriptions to the Registry". A header also has include guards, comments, and constants that are
 * not numbers. Portable.
 */
#include "convert/symbol_file.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "convert/legacy_text.h"
#include "names/ascii.h"

/* Return the length in bytes of a comment that begins at `at`; 0 if none begins there. */
static size_t comment_bytes(const char *at, size_t size)
{
    const bool is_block = size >= 2 && at[0] == '/' && at[1] == '*';
    size_t end = 2;

    if (!is_block && !(size >= 2 && at[0] == '/' && at[1] == '/'))
        return 0;
    if (!is_block) {
        while (end < size && at[end] != '\n')
            end++;
        return end;
    }
    while (end < size && !(at[end] == '/' && at[end - 1] == '*' && end > 2))
        end++;
    return end < size ? end + 1 : size;
}

/* Put blanks in place of comments, but keep the line ends in them. Join continued lines: put blanks
 * in place of the backslash and of the line end after it. */
static void blank_comments(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const size_t comment = comment_bytes(text + i, size - i);

        for (size_t k = i; k < i + comment; k++)
            if (text[k] != '\n')
                text[k] = ' ';
        if (text[i] == '\\' && i + 1 < size && (text[i + 1] == '\n' || text[i + 1] == '\r')) {
            text[i] = ' ';
            if (text[i + 1] == '\r' && i + 2 < size && text[i + 2] == '\n')
                text[i + 2] = ' ';
            text[i + 1] = ' ';
        }
        i += comment > 0 ? comment - 1 : 0;
    }
}

static prfdata_map_text after_blanks(prfdata_map_text text)
{
    while (text.size > 0 && (text.at[0] == ' ' || text.at[0] == '\t')) {
        text.at++;
        text.size--;
    }
    return text;
}

/* Take the letters, digits and _ at the beginning, and the blanks after them. */
static prfdata_map_text take_word(prfdata_map_text *text)
{
    prfdata_map_text word = {text->at, 0};

    while (text->size > 0 &&
           (prfdata_ascii_is_letter((unsigned char)text->at[0]) ||
            prfdata_ascii_is_digit((unsigned char)text->at[0]) || text->at[0] == '_')) {
        text->at++;
        text->size--;
        word.size++;
    }
    *text = after_blanks(*text);
    return word;
}

/* Remove the parentheses around a number, and a suffix of C such as UL. */
static prfdata_map_text bare_number(prfdata_map_text text)
{
    while (text.size >= 2 && text.at[0] == '(' && text.at[text.size - 1] == ')') {
        text.size -= 2;
        text.at++;
        text = after_blanks(text);
        while (text.size > 0 && (text.at[text.size - 1] == ' ' || text.at[text.size - 1] == '\t'))
            text.size--;
    }
    while (text.size > 1 && strchr("uUlL", text.at[text.size - 1]))
        text.size--;
    return text;
}

/* Returns whether a line defines a symbol with a value; an include guard has none. */
static bool read_definition(prfdata_map_text line, prfdata_symbol *symbol)
{
    uint64_t value = 0;

    if (line.size == 0 || line.at[0] != '#')
        return false;
    line.at++;
    line.size--;
    line = after_blanks(line);
    if (!prfdata_map_lines_is(take_word(&line), "define"))
        return false;
    symbol->name = take_word(&line);
    symbol->has_value = prfdata_map_lines_unsigned(bare_number(line), UINT32_MAX, &value);
    symbol->value = (uint32_t)value;
    return symbol->name.size > 0 && line.size > 0;
}

static bool add_symbol(prfdata_symbol_file *file, const prfdata_symbol *symbol)
{
    prfdata_symbol *symbols =
        prfdata_array_reserve(file->symbols, &file->capacity, file->count + 1, sizeof *symbols);

    if (!symbols)
        return false;
    file->symbols = symbols;
    symbols[file->count++] = *symbol;
    return true;
}

/*
 * If two symbols have the same name, the first one in the file counts. All names point into one
 * text, so the first one has the lower address.
 */
static int order_symbols(const void *a, const void *b)
{
    const prfdata_symbol *one = a, *other = b;
    const int order = prfdata_legacy_text_compare(one->name, other->name);

    if (order != 0)
        return order;
    return one->name.at < other->name.at ? -1 : one->name.at > other->name.at;
}

uint32_t prfdata_symbol_file_read(prfdata_map_text text, prfdata_symbol_file *file)
{
    prfdata_map_text rest, line;

    memset(file, 0, sizeof *file);
    file->owned = malloc(text.size + 1);
    if (!file->owned)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (text.size > 0)
        memcpy(file->owned, text.at, text.size);
    blank_comments(file->owned, text.size);
    rest = (prfdata_map_text){file->owned, text.size};
    while (prfdata_legacy_text_next(&rest, &line)) {
        prfdata_symbol symbol;

        if (read_definition(line, &symbol) && !add_symbol(file, &symbol))
            return ERROR_NOT_ENOUGH_MEMORY;
    }
    if (file->count > 0)
        qsort(file->symbols, file->count, sizeof *file->symbols, order_symbols);
    return ERROR_SUCCESS;
}

const prfdata_symbol *prfdata_symbol_file_find(const prfdata_symbol_file *file,
                                               prfdata_map_text name)
{
    size_t low = 0, high = file->count;

    while (low < high) { /* find the first symbol that is not below `name` */
        const size_t middle = low + (high - low) / 2;

        if (prfdata_legacy_text_compare(file->symbols[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < file->count && prfdata_legacy_text_compare(file->symbols[low].name, name) == 0)
        return &file->symbols[low];
    return NULL;
}

void prfdata_symbol_file_free(prfdata_symbol_file *file)
{
    free(file->owned);
    free(file->symbols);
    memset(file, 0, sizeof *file);
}
