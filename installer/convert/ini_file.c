/* SPDX-License-Identifier: MIT */
/*
 * Reads an .ini file for lodctr. Microsoft's "Adding Counter Names and Descriptions to the
 * Registry" has the grammar. Sections may be in any order, and keys in any order and case. Lines
 * that begin with // or ; are comments. Lines that begin with # are skipped as well.
 */
#include "convert/ini_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "base/utf8.h"
#include "convert/legacy_text.h"
#include "names/ascii.h"
#include "names/names.h"

typedef enum ini_section {
    INI_NONE,
    INI_INFO,
    INI_OBJECTS,
    INI_LANGUAGES,
    INI_TEXT,
    INI_OTHER
} ini_section;

typedef struct ini_reading {
    prfdata_ini_file *file;
    ini_section section;
    uint32_t line;
    prfdata_ini_note *note;
    void *context;
    bool has_failed; /* memory was exhausted */
} ini_reading;

enum { SHOWN_BYTES = 80, NOTE_BYTES = 256, MOST_LANGUAGES = 256 };

void prfdata_ini_file_note(prfdata_ini_note *note, void *context, uint32_t line,
                           prfdata_map_text about, const char *what)
{
    char copy[SHOWN_BYTES], shown[SHOWN_BYTES], text[NOTE_BYTES];
    const size_t size = prfdata_utf8_fit(about.at, about.size, sizeof copy - 1);

    if (size > 0)
        memcpy(copy, about.at, size);
    copy[size] = 0;
    (void)prfdata_names_copy_shown(copy, shown, sizeof shown);
    (void)snprintf(text, sizeof text, "\"%s%s\" %s", shown, size < about.size ? "..." : "", what);
    note(context, line, text);
}

static void note_line(const ini_reading *reading, prfdata_map_text about, const char *what)
{
    prfdata_ini_file_note(reading->note, reading->context, reading->line, about, what);
}

/* Remove the quotation marks around a value, as the system does. */
static prfdata_map_text without_quotes(prfdata_map_text text)
{
    if (text.size >= 2 && (text.at[0] == '"' || text.at[0] == '\'') &&
        text.at[text.size - 1] == text.at[0]) {
        text.at++;
        text.size -= 2;
    }
    return text;
}

static bool is_hexadecimal(char c)
{
    const int lower = prfdata_ascii_lower((unsigned char)c);

    return prfdata_ascii_is_digit((unsigned char)c) || (lower >= 'a' && lower <= 'f');
}

/*
 * Remove `word`, such as "_HELP", from the end of a key. Returns false, and changes nothing, if the
 * key does not end with `word` or is only `word`.
 */
static bool take_end(prfdata_map_text *key, const char *word)
{
    const size_t size = strlen(word);
    prfdata_map_text end;

    if (key->size <= size)
        return false;
    end = (prfdata_map_text){key->at + key->size - size, size};
    if (!prfdata_map_lines_is(end, word))
        return false;
    key->size -= size;
    return true;
}

/* Read a key such as SYMBOL_009_NAME or SYMBOL_009_HELP. */
static bool read_title_key(prfdata_map_text key, prfdata_ini_title *title)
{
    const size_t language_bytes = 4; /* three digits, and the _ before them */

    title->is_help = take_end(&key, "_HELP");
    if (!title->is_help && !take_end(&key, "_NAME"))
        return false;
    if (key.size <= language_bytes || key.at[key.size - language_bytes] != '_')
        return false;
    title->language = (prfdata_map_text){key.at + key.size - 3, 3};
    for (size_t i = 0; i < 3; i++)
        if (!is_hexadecimal(title->language.at[i]))
            return false;
    key.size -= language_bytes;
    title->symbol = key;
    return true;
}

static void read_info(ini_reading *reading, prfdata_map_text key, prfdata_map_text value)
{
    prfdata_map_text *place = NULL;

    /* Microsoft's page first had the key applicationname instead of drivername. */
    if (prfdata_map_lines_is(key, "drivername") || prfdata_map_lines_is(key, "applicationname"))
        place = &reading->file->service;
    else if (prfdata_map_lines_is(key, "symbolfile"))
        place = &reading->file->symbol_file;
    if (place && place->size == 0)
        *place = without_quotes(value);
}

static void add_title(ini_reading *reading, prfdata_map_text key, prfdata_map_text value)
{
    const bool is_text = reading->section == INI_TEXT;
    prfdata_ini_file *file = reading->file;
    prfdata_ini_title **list = is_text ? &file->titles : &file->objects;
    size_t *count = is_text ? &file->title_count : &file->object_count;
    size_t *capacity = is_text ? &file->title_capacity : &file->object_capacity;
    prfdata_ini_title title = {.value = without_quotes(value), .line = reading->line};
    prfdata_ini_title *items;

    if (!read_title_key(key, &title)) {
        note_line(reading, key,
                  "is neither SYMBOL_LANGUAGE_NAME nor SYMBOL_LANGUAGE_HELP, and is left out.");
        return;
    }
    items = prfdata_array_reserve(*list, capacity, *count + 1, sizeof *items);
    if (!items) {
        reading->has_failed = true;
        return;
    }
    *list = items;
    items[(*count)++] = title;
}

static void add_language(ini_reading *reading, prfdata_map_text key, prfdata_map_text value)
{
    prfdata_ini_file *file = reading->file;
    prfdata_ini_language *items;

    if (file->language_count == MOST_LANGUAGES) {
        note_line(reading, key, "is one language too many, and its name is left out.");
        return;
    }
    items = prfdata_array_reserve(file->languages, &file->language_capacity,
                                  file->language_count + 1, sizeof *items);
    if (!items) {
        reading->has_failed = true;
        return;
    }
    file->languages = items;
    items[file->language_count++] = (prfdata_ini_language){key, without_quotes(value)};
}

static void read_ini_pair(ini_reading *reading, prfdata_map_text key, prfdata_map_text value)
{
    switch (reading->section) {
    case INI_INFO:
        read_info(reading, key, value);
        break;
    case INI_LANGUAGES:
        add_language(reading, key, value);
        break;
    case INI_OBJECTS:
    case INI_TEXT:
        add_title(reading, key, value);
        break;
    case INI_NONE:
        note_line(reading, key, "comes before the first section, and is left out.");
        break;
    case INI_OTHER:
        break; /* begin_ini_section() has noted that the section is unknown */
    }
}

/* `line` begins with a bracket. Text after the closing bracket is a comment. */
static void begin_ini_section(ini_reading *reading, prfdata_map_text line)
{
    static const struct {
        const char *word;
        ini_section section;
    } sections[] = {{"info", INI_INFO},
                    {"objects", INI_OBJECTS},
                    {"languages", INI_LANGUAGES},
                    {"text", INI_TEXT}};
    prfdata_map_text word, rest;

    line.at++;
    line.size--;
    (void)prfdata_map_lines_split(line, ']', &word, &rest);
    reading->section = INI_OTHER;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (prfdata_map_lines_is(word, sections[i].word))
            reading->section = sections[i].section;
    if (reading->section == INI_OTHER)
        note_line(reading, word, "is not a section of such a file, and is left out.");
}

static bool is_comment(prfdata_map_text line)
{
    return line.size == 0 || line.at[0] == ';' || line.at[0] == '#' ||
           (line.size >= 2 && line.at[0] == '/' && line.at[1] == '/');
}

static void read_ini_line(ini_reading *reading, prfdata_map_text line)
{
    prfdata_map_text key, value;

    if (is_comment(line))
        return;
    if (line.at[0] == '[')
        begin_ini_section(reading, line);
    else if (prfdata_map_lines_split(line, '=', &key, &value))
        read_ini_pair(reading, key, value);
    else
        note_line(reading, line, "is not a section, key or comment, and is left out.");
}

static int order_titles(const void *a, const void *b)
{
    const prfdata_ini_title *one = a, *other = b;
    int order = prfdata_legacy_text_compare(one->symbol, other->symbol);

    if (order == 0)
        order = one->is_help - other->is_help;
    if (order == 0)
        order = prfdata_legacy_text_compare(one->language, other->language);
    if (order == 0)
        order = one->line < other->line ? -1 : one->line > other->line;
    return order;
}

uint32_t prfdata_ini_file_read(prfdata_map_text text, prfdata_ini_file *file,
                               prfdata_ini_note *note, void *context)
{
    ini_reading reading = {file, INI_NONE, 0, note, context, false};
    prfdata_map_text line;

    memset(file, 0, sizeof *file);
    while (!reading.has_failed && prfdata_legacy_text_next(&text, &line)) {
        reading.line++;
        read_ini_line(&reading, line);
    }
    if (file->title_count > 0)
        qsort(file->titles, file->title_count, sizeof *file->titles, order_titles);
    if (file->object_count > 0)
        qsort(file->objects, file->object_count, sizeof *file->objects, order_titles);
    return reading.has_failed ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}

bool prfdata_ini_file_is_object(const prfdata_ini_file *file, prfdata_map_text symbol)
{
    size_t low = 0, high = file->object_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = prfdata_legacy_text_compare(file->objects[middle].symbol, symbol);

        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

prfdata_map_text prfdata_ini_file_language(const prfdata_ini_file *file, prfdata_map_text id)
{
    for (size_t i = 0; i < file->language_count; i++)
        if (prfdata_legacy_text_compare(file->languages[i].id, id) == 0)
            return file->languages[i].name;
    return (prfdata_map_text){NULL, 0};
}

void prfdata_ini_file_free(prfdata_ini_file *file)
{
    free(file->titles);
    free(file->objects);
    free(file->languages);
    memset(file, 0, sizeof *file);
}
