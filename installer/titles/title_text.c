/* SPDX-License-Identifier: MIT */
/*
 * Microsoft describes the grammar under "Adding Counter Names and Descriptions to the Registry".
 * The empty first line, UTF-16 and the byte order mark are what .NET writes. loadperf does not
 * preprocess the header: it may have only `#define SYMBOL offset` lines, no comments and no guard.
 */
#include "titles/title_text.h"

#include <stdlib.h>
#include <string.h>

#include "core/names.h"

/* Writes up to `capacity` bytes and counts all of them. A capacity of 0 measures the text. */
typedef struct title_writer {
    unsigned char *bytes;
    size_t capacity;
    size_t used;
    size_t char_bytes; /* 2: UTF-16LE; 1: ASCII */
} title_writer;

/* The title of a number. */
typedef struct title_line {
    const prfdata_map_entry *entry; /* NULL: it is no longer used */
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

/* Only PrfData's own names begin with PRFDATA_, so no id of a map has this symbol. */
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

/* The system ignores the values; this one says what the language gets. */
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
    /* Without [objects] the system would ask the provider always; one language will do. */
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
