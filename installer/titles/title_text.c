/* SPDX-License-Identifier: MIT */
/*
 * Makes the texts of the two title files. Microsoft describes the grammar under "Adding Counter
 * Names and Descriptions to the Registry". The empty first line, UTF-16 and the byte order mark are
 * what .NET writes. loadperf does not preprocess the header, so it may have only `#define SYMBOL
 * offset` lines, no comments and no guard.
 */
#include "titles/title_text.h"

#include <stdlib.h>
#include <string.h>

#include "names/names.h"

/* Writes at most `capacity` bytes of a text. `used` counts all bytes of the text, so a capacity of
 * 0 measures the text. */
typedef struct title_writer {
    unsigned char *bytes;
    size_t capacity;
    size_t used;
    size_t char_bytes; /* 2: UTF-16LE; 1: ASCII */
} title_writer;

/* The title of a number. */
typedef struct title_line {
    const prfdata_map_entry *entry; /* NULL if the number is no longer used */
    uint32_t offset;
    bool is_object;
    const char *language;
} title_line;

typedef void title_visitor(title_writer *text, const title_line *title);
typedef void write_function(title_writer *text, const prfdata_model *model,
                            const prfdata_title_languages *languages);

static void put_title_char(title_writer *text, uint32_t character)
{
    for (size_t i = 0; i < text->char_bytes; i++) {
        if (text->used < text->capacity)
            text->bytes[text->used] = (unsigned char)(character >> (8 * i));
        text->used++;
    }
}

static void put_title_ascii(title_writer *text, const char *ascii)
{
    for (; *ascii; ascii++)
        put_title_char(text, (unsigned char)*ascii);
}

static void put_title_number(title_writer *text, uint32_t number)
{
    if (number >= 10)
        put_title_number(text, number / 10);
    put_title_char(text, '0' + number % 10);
}

/* Names and help are checked text of at most PRFDATA_MAX_HELP_CHARS chars. */
static void put_title_wide(title_writer *text, const wchar_t *wide)
{
    uint16_t chars[PRFDATA_MAX_HELP_CHARS];
    size_t count = prfdata_names_utf16_from_wide(wide, chars, PRFDATA_MAX_HELP_CHARS);

    for (size_t i = 0; i < count && i < PRFDATA_MAX_HELP_CHARS; i++)
        put_title_char(text, chars[i]);
}

static void visit_titles(title_writer *text, const prfdata_model *model, const char *language,
                         title_visitor *visit)
{
    for (uint32_t number = 0; number < model->number_count; number++) {
        title_line line = {.offset = 2 * number, .language = language};
        prfdata_model_title title;

        if (prfdata_model_find_title(model, line.offset, &title)) {
            line.entry = title.counter ? title.counter->entry : title.object->entry;
            line.is_object = !title.counter;
        }
        visit(text, &line);
    }
}

/*
 * The symbol of an unused number differs from all symbols of the map, because the check of maps
 * refuses symbols that begin with PRFDATA_.
 */
static void put_symbol(title_writer *text, const title_line *title)
{
    if (title->entry) {
        put_title_ascii(text, title->entry->symbol);
        return;
    }
    put_title_ascii(text, PRFDATA_TITLE_UNUSED_SYMBOL);
    put_title_number(text, title->offset);
}

static void put_ini_key(title_writer *text, const title_line *title, const char *kind)
{
    put_symbol(text, title);
    put_title_ascii(text, "_");
    put_title_ascii(text, title->language);
    put_title_ascii(text, "_");
    put_title_ascii(text, kind);
    put_title_ascii(text, "=");
}

static void put_object_line(title_writer *text, const title_line *title)
{
    if (!title->is_object)
        return;
    put_ini_key(text, title, "NAME");
    put_title_ascii(text, "\r\n");
}

static void put_text_lines(title_writer *text, const title_line *title)
{
    const wchar_t *unused = PRFDATA_TITLE_UNUSED_WIDE;

    put_ini_key(text, title, "NAME");
    put_title_wide(text, title->entry ? title->entry->name : unused);
    put_title_ascii(text, "\r\n");
    put_ini_key(text, title, "HELP");
    put_title_wide(text, title->entry ? title->entry->help : unused);
    put_title_ascii(text, "\r\n");
}

static void put_define_line(title_writer *text, const title_line *title)
{
    put_title_ascii(text, "#define ");
    put_symbol(text, title);
    put_title_ascii(text, " ");
    put_title_number(text, title->offset);
    put_title_ascii(text, "\r\n");
}

/* Every value is "English", the language of the texts. The system ignores the values. */
static void put_language_line(title_writer *text, const char *language)
{
    put_title_ascii(text, language);
    put_title_ascii(text, "=English\r\n");
}

static void write_ini_text(title_writer *text, const prfdata_model *model,
                           const prfdata_title_languages *languages)
{
    text->char_bytes = 2;
    put_title_char(text, 0xFEFF);
    put_title_ascii(text, "\r\n[info]\r\ndrivername=");
    put_title_ascii(text, model->map->service);
    put_title_ascii(text, "\r\nsymbolfile=");
    put_title_ascii(text, model->map->service);
    /*
     * Without [objects] the system would not know the provider's objects, and would ask the
     * provider for every object. Lines for one language are enough.
     */
    put_title_ascii(text, ".h\r\n\r\n[objects]\r\n");
    visit_titles(text, model, PRFDATA_TITLE_ENGLISH, put_object_line);
    put_title_ascii(text, "\r\n[languages]\r\n");
    put_language_line(text, PRFDATA_TITLE_ENGLISH);
    for (size_t i = 0; i < languages->count; i++)
        put_language_line(text, languages->ids[i]);
    put_title_ascii(text, "\r\n[text]\r\n");
    visit_titles(text, model, PRFDATA_TITLE_ENGLISH, put_text_lines);
    for (size_t i = 0; i < languages->count; i++)
        visit_titles(text, model, languages->ids[i], put_text_lines);
}

static void write_header_text(title_writer *text, const prfdata_model *model,
                              const prfdata_title_languages *languages)
{
    (void)languages;
    text->char_bytes = 1;
    visit_titles(text, model, PRFDATA_TITLE_ENGLISH, put_define_line);
}

static uint32_t make_title_text(const prfdata_model *model,
                                const prfdata_title_languages *languages, write_function *write,
                                void **bytes, size_t *size)
{
    title_writer text = {0};

    write(&text, model, languages);
    text.capacity = text.used;
    text.used = 0;
    text.bytes = malloc(text.capacity + 1); /* malloc(0) may return NULL */
    if (!text.bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    write(&text, model, languages);
    *bytes = text.bytes;
    *size = text.used;
    return ERROR_SUCCESS;
}

uint32_t prfdata_title_text_ini(const prfdata_model *model,
                                const prfdata_title_languages *languages, void **bytes,
                                size_t *size)
{
    return make_title_text(model, languages, write_ini_text, bytes, size);
}

uint32_t prfdata_title_text_header(const prfdata_model *model, void **bytes, size_t *size)
{
    return make_title_text(model, NULL, write_header_text, bytes, size);
}

/* A text in UTF-16LE. */
typedef struct title_reader {
    const unsigned char *at;
    size_t chars; /* the chars that are left */
} title_reader;

static unsigned char_ahead(const title_reader *text, size_t index)
{
    return (unsigned)(text->at[2 * index] | text->at[2 * index + 1] << 8);
}

static void skip_chars(title_reader *text, size_t count)
{
    text->at += 2 * count;
    text->chars -= count;
}

static bool skip_ascii(title_reader *text, const char *ascii)
{
    const size_t count = strlen(ascii);

    if (text->chars < count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (char_ahead(text, i) != (unsigned char)ascii[i])
            return false;
    skip_chars(text, count);
    return true;
}

/* Return the number of chars in the line, without its end. */
static size_t line_chars(const title_reader *text)
{
    size_t count = 0;

    while (count < text->chars && char_ahead(text, count) != '\r')
        count++;
    return count;
}

static title_reader read_title_chars(const void *bytes, size_t size)
{
    return (title_reader){bytes, size / 2};
}

/* Skip [info], whose two lines must name the same service. Returns false if the text differs. */
static bool skip_info(title_reader *text)
{
    title_reader service, file;
    size_t chars;

    if (!skip_ascii(text, "\r\n[info]\r\ndrivername="))
        return false;
    service = *text;
    chars = line_chars(text);
    skip_chars(text, chars);
    if (!skip_ascii(text, "\r\nsymbolfile="))
        return false;
    file = *text;
    if (file.chars < chars || memcmp(file.at, service.at, 2 * chars) != 0)
        return false;
    skip_chars(text, chars);
    return skip_ascii(text, ".h\r\n\r\n[objects]\r\n");
}

bool prfdata_title_text_is_own_ini(const void *bytes, size_t size)
{
    title_reader text = read_title_chars(bytes, size);

    if (text.chars == 0 || char_ahead(&text, 0) != 0xFEFF)
        return false;
    skip_chars(&text, 1);
    return skip_info(&text);
}

/* Returns whether the line is SYMBOL_009_NAME=...; `symbol_chars` gets the length of the symbol. */
static bool is_english_name(const title_reader *line, size_t chars, size_t *symbol_chars)
{
    static const char key[] = "_" PRFDATA_TITLE_ENGLISH "_NAME=";

    for (size_t i = 0; i + sizeof key - 1 <= chars; i++) {
        title_reader rest = *line;

        if (char_ahead(line, i) == '=')
            return false; /* a title follows, in which the key means nothing */
        skip_chars(&rest, i);
        if (skip_ascii(&rest, key)) {
            *symbol_chars = i;
            return true;
        }
    }
    return false;
}

static void put_defined(title_writer *text, const title_reader *symbol, size_t chars,
                        uint32_t number)
{
    put_title_ascii(text, "#define ");
    for (size_t i = 0; i < chars; i++)
        put_title_char(text, char_ahead(symbol, i));
    put_title_ascii(text, " ");
    put_title_number(text, number);
    put_title_ascii(text, "\r\n");
}

/*
 * Writes the header that belongs to an .ini. The names in [text] have the offsets 0, 2, 4, ...
 */
static void write_header_of_ini(title_writer *header, title_reader text)
{
    uint32_t number = 0;
    bool is_text = false;

    while (text.chars > 0) {
        const size_t chars = line_chars(&text);
        title_reader begin = text;
        size_t symbol_chars;

        if (is_text && is_english_name(&text, chars, &symbol_chars)) {
            put_defined(header, &text, symbol_chars, number);
            number += 2;
        }
        is_text = is_text || skip_ascii(&begin, "[text]\r\n");
        skip_chars(&text, chars);
        if (!skip_ascii(&text, "\r\n"))
            return;
    }
}

/* Adds the language of a line of the form 00C=... */
static void add_title_language(title_reader line, prfdata_title_languages *languages)
{
    wchar_t name[4] = {0};

    if (line.chars < 4 || char_ahead(&line, 3) != '=')
        return;
    for (size_t i = 0; i < 3; i++)
        name[i] = (wchar_t)char_ahead(&line, i);
    prfdata_title_languages_add(languages, name);
}

void prfdata_title_text_languages(const void *bytes, size_t size,
                                  prfdata_title_languages *languages)
{
    title_reader text = read_title_chars(bytes, size);
    bool is_list = false;

    languages->count = 0;
    while (text.chars > 0) {
        title_reader begin = text;

        if (skip_ascii(&begin, "[text]"))
            return;
        if (is_list)
            add_title_language(text, languages);
        is_list = is_list || skip_ascii(&begin, "[languages]");
        skip_chars(&text, line_chars(&text));
        if (!skip_ascii(&text, "\r\n"))
            return;
    }
}

bool prfdata_title_text_is_own_header(const void *bytes, size_t size, const void *ini,
                                      size_t ini_size)
{
    title_writer header = {0};
    bool is_same;

    if (!prfdata_title_text_is_own_ini(ini, ini_size))
        return false;
    header.char_bytes = 1;
    write_header_of_ini(&header, read_title_chars(ini, ini_size));
    if (header.used != size)
        return false;
    header.bytes = malloc(size + 1);
    if (!header.bytes)
        return false;
    header.capacity = size;
    header.used = 0;
    write_header_of_ini(&header, read_title_chars(ini, ini_size));
    is_same = memcmp(header.bytes, bytes, size) == 0;
    free(header.bytes);
    return is_same;
}
