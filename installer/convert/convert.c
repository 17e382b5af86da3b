/* SPDX-License-Identifier: MIT */
/*
 * Makes the map file, with a question mark for each value that a person must fill in. Then makes it
 * once more, with a valid value instead of each question mark. The check of maps reads this second
 * text and finds all other mistakes.
 */
#include "convert/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/map_file.h>

#include "convert/ini_file.h"
#include "convert/legacy_text.h"
#include "convert/legacy_titles.h"
#include "convert/symbol_file.h"
#include "convert/title_name.h"
#include "names/ascii.h"

typedef struct conversion {
    const prfdata_convert_source *source;
    prfdata_check_line *line;
    void *context;
    prfdata_legacy_text ini_text;
    prfdata_legacy_text header_text;
    prfdata_ini_file ini;
    prfdata_symbol_file symbols;
    prfdata_legacy_titles titles;
} conversion;

static void say_about(const conversion *work, const char *file, uint32_t number, const char *text)
{
    char whole[PRFDATA_CHECK_LINE_BYTES];

    if (number > 0)
        (void)snprintf(whole, sizeof whole, "%s:%u: %s", file, (unsigned)number, text);
    else
        (void)snprintf(whole, sizeof whole, "%s: %s", file, text);
    work->line(work->context, true, whole);
}

static void note_about_ini(void *context, uint32_t number, const char *text)
{
    const conversion *work = context;

    say_about(work, work->source->ini_name, number, text);
}

static void note_about_map(void *context, uint32_t number, const char *text)
{
    const conversion *work = context;

    say_about(work, work->source->map_name, number, text);
}

typedef struct map_writer {
    const conversion *work;
    prfdata_quoted_text *text;
    bool is_filled; /* valid values are written instead of question marks */
    size_t open_count;
} map_writer;

static void put_string(map_writer *out, const char *text)
{
    prfdata_quoted_text_put(out->text, text);
}

static void put_slice(map_writer *out, prfdata_map_text text)
{
    prfdata_quoted_text_put_bytes(out->text, text.at, text.size);
}

/* Put a text with blanks instead of tabs. */
static void put_one_line(map_writer *out, prfdata_map_text text)
{
    for (size_t i = 0; i < text.size; i++)
        prfdata_quoted_text_put_bytes(out->text, text.at[i] == '\t' ? " " : text.at + i, 1);
}

static void put_open(map_writer *out, const char *key, const char *filled)
{
    out->open_count++;
    put_string(out, out->is_filled ? filled : key);
    put_string(out, out->is_filled ? "\n" : "=?\n");
}

static void put_head(map_writer *out)
{
    const prfdata_convert_source *source = out->work->source;

    put_string(out, "; Made of ");
    put_string(out, source->ini_name);
    put_string(out, " and ");
    put_string(out, source->header_name);
    put_string(out, " by ");
    put_string(out, source->program);
    put_string(
        out,
        " -Convert. Fill in each ?: neither file says it.\n"
        ";   type       the CounterType in your DLL, such as PERF_COUNTER_BULK_COUNT\n"
        ";   instances  how many one program may have; remove the line where your DLL says\n"
        ";              PERF_NO_INSTANCES\n"
        "; Where your DLL has more than the usual, add default= (without it the first counter),\n"
        "; scale= (without it 0) and detail= (without it novice). An id is the offset of before "
        "and\n"
        "; keeps its meaning, whatever is renamed. Readers of all languages get the English "
        "titles;\n"
        "; those of other languages stand here as comments.\n"
        "[info]\ndrivername=");
    put_one_line(out, out->work->ini.service);
    put_string(out, "\n");
}

static void put_original(map_writer *out, prfdata_map_text title, const char *rules)
{
    put_string(out, "; It was \"");
    put_one_line(out, title);
    put_string(out, "\". ");
    put_string(out, rules);
    put_string(out, " This is a proposal:\n");
}

/*
 * Put a comment if a title is not English. A person must translate the title, because the texts of
 * a map are English.
 */
static void put_foreign(map_writer *out, const prfdata_ini_title *title)
{
    if (title->language.at[1] == '0' && title->language.at[2] == '9')
        return;
    put_string(out, "; It has no English text; this is ");
    put_slice(out, title->language);
    put_string(out, ".\n");
}

static void put_changed_name(map_writer *out, const prfdata_titled *item,
                             const prfdata_ini_title *title)
{
    put_original(out, title->value,
                 item->is_object
                     ? "The name of an object has none of \\ ( ) / # *, no blank or quotation mark "
                       "at its ends, and at most 127 characters."
                     : "A name has none of \\ ( ) # *, no blank or quotation mark at its ends, and "
                       "at most 127 characters.");
    if (!out->is_filled)
        prfdata_ini_file_note(note_about_ini, (void *)out->work, title->line, title->value,
                              "cannot be a name in a map; the map file has a proposal.");
}

static void put_name(map_writer *out, const prfdata_titled *item, const prfdata_ini_title *title)
{
    const prfdata_map_text value = title ? title->value : item->symbol;
    char *name = malloc(prfdata_title_name_room(value.size));
    prfdata_map_text proposed = {name, 0};

    if (!name) {
        out->text->has_failed = true;
        return;
    }
    proposed.size = prfdata_title_name_propose(value, item->is_object, name);
    if (proposed.size == 0)
        proposed = item->symbol;
    if (!title)
        put_string(out, "; The .ini has no name for it; this is its symbol.\n");
    else if (proposed.size != value.size || memcmp(proposed.at, value.at, value.size) != 0)
        put_changed_name(out, item, title);
    if (title)
        put_foreign(out, title);
    put_string(out, "name=");
    put_one_line(out, proposed);
    put_string(out, "\n");
    free(name);
}

static bool is_stripped_byte(char c)
{
    return c == ' ' || c == '\t' || c == '"' || c == '\'';
}

/*
 * Make a help that a map allows: not too long, and without blanks or quotation marks at its ends.
 */
static prfdata_map_text proper_help(prfdata_map_text help)
{
    while (help.size > 0 && is_stripped_byte(help.at[0])) {
        help.at++;
        help.size--;
    }
    help.size = prfdata_title_name_cut(help.at, help.size, PRFDATA_MAX_HELP_CHARS);
    while (help.size > 0 && is_stripped_byte(help.at[help.size - 1]))
        help.size--;
    return help;
}

/*
 * Every entry of a map needs a help. If the .ini has none, put the name or, if that is missing too,
 * the symbol.
 */
static void put_help(map_writer *out, const prfdata_titled *item, const prfdata_ini_title *help,
                     const prfdata_ini_title *name)
{
    const prfdata_map_text value = help ? help->value : name ? name->value : item->symbol;
    prfdata_map_text proper = proper_help(value);

    if (proper.size == 0)
        proper = item->symbol;
    if (!help)
        put_string(out, "; The .ini has no explanation of it.\n");
    else if (proper.size != value.size)
        put_original(out, value,
                     "A help has at most 900 characters, and no quotation mark at its ends.");
    if (help)
        put_foreign(out, help);
    put_string(out, "help=");
    put_one_line(out, proper);
    put_string(out, "\n");
}

/* Put a comment for each title that the map does not use. */
static void put_other_titles(map_writer *out, const prfdata_titled *item,
                             const prfdata_ini_title *name, const prfdata_ini_title *help)
{
    for (size_t i = 0; i < item->title_count; i++) {
        const prfdata_ini_title *title = &item->titles[i];
        const prfdata_map_text language =
            prfdata_ini_file_language(&out->work->ini, title->language);

        if (title == name || title == help)
            continue;
        put_string(out, "; ");
        put_slice(out, title->language);
        if (language.size > 0) {
            put_string(out, " (");
            put_one_line(out, language);
            put_string(out, ")");
        }
        put_string(out, title->is_help ? " help=" : " name=");
        put_one_line(out, title->value);
        put_string(out, "\n");
    }
}

static bool ends_with_base(prfdata_map_text text)
{
    const size_t size = sizeof "base" - 1;

    return text.size >= size &&
           prfdata_map_lines_is((prfdata_map_text){text.at + text.size - size, size}, "base");
}

static void put_item_head(map_writer *out, const prfdata_titled *item)
{
    put_string(out, item->is_object ? "\n[object " : "\n[counter ");
    put_slice(out, item->symbol);
    prfdata_quoted_text_format(out->text, "]\nid=%u\n", (unsigned)item->offset);
    if (item->is_guess)
        put_string(out, "; That it is an object is a guess: the .ini has no [objects] that says "
                        "so.\n");
}

static void put_item(map_writer *out, const prfdata_titled *item)
{
    const prfdata_ini_title *name = prfdata_legacy_titles_english(item, false);
    const prfdata_ini_title *help = prfdata_legacy_titles_english(item, true);

    put_item_head(out, item);
    put_name(out, item, name);
    put_help(out, item, help, name);
    put_other_titles(out, item, name, help);
    if (item->is_object) {
        put_open(out, "instances", "; instances");
        return;
    }
    if (ends_with_base(item->symbol) || (name && ends_with_base(name->value)))
        put_string(out,
                   "; Perhaps the base of the counter before it: then it stands directly after "
                   "that, with a type such as PERF_AVERAGE_BASE.\n");
    put_open(out, "type", "type=PERF_COUNTER_RAWCOUNT");
}

/* Counters that come before the first object are put into it. */
static void put_map(map_writer *out)
{
    const prfdata_legacy_titles *set = &out->work->titles;
    const size_t first = set->first_object;

    put_head(out);
    if (first < set->count)
        put_item(out, &set->items[first]);
    for (size_t i = 0; i < set->count; i++)
        if (i != first)
            put_item(out, &set->items[i]);
}

static void check_filled_map(const conversion *work, size_t size)
{
    prfdata_quoted_text filled = {0};
    map_writer out = {work, &filled, true, 0};
    prfdata_map *map = NULL;

    put_map(&out);
    if (!filled.has_failed && prfdata_map_file_parse(filled.bytes, filled.used, note_about_map,
                                                     (void *)work, &map) == ERROR_SUCCESS)
        prfdata_map_file_free(map);
    prfdata_quoted_text_free(&filled);
    if (size > PRFDATA_MAX_MAP_FILE_BYTES)
        note_about_map((void *)work, 0,
                       "The file is too long for a map file; remove the comments in it.");
}

static void say_what_is_open(const conversion *work, size_t open_count)
{
    size_t objects = 0;
    char text[160];

    for (size_t i = 0; i < work->titles.count; i++)
        objects += work->titles.items[i].is_object;
    (void)snprintf(
        text, sizeof text, "Objects: %u, counters: %u. Fill in what is marked with a ?: %u lines.",
        (unsigned)objects, (unsigned)(work->titles.count - objects), (unsigned)open_count);
    say_about(work, work->source->map_name, 0, text);
}

static uint32_t refuse_file(const conversion *work, const char *file, const char *why)
{
    say_about(work, file, 0, why);
    return ERROR_INVALID_DATA;
}

static uint32_t decode_file(const conversion *work, const char *name, const void *bytes,
                            size_t size, prfdata_legacy_text *text)
{
    const uint32_t status = prfdata_legacy_text_decode(bytes, size, text);

    if (status == ERROR_INVALID_DATA)
        return refuse_file(work, name, PRFDATA_CONVERT_NO_TEXT);
    if (!status && text->is_windows_1252)
        say_about(work, name, 0,
                  "The file is neither UTF-8 nor UTF-16, and was read as Windows-1252: check the "
                  "letters beyond ASCII.");
    return status;
}

static uint32_t read_ini(conversion *work)
{
    const prfdata_convert_source *source = work->source;
    uint32_t status =
        decode_file(work, source->ini_name, source->ini, source->ini_size, &work->ini_text);

    if (!status)
        status =
            prfdata_ini_file_read(work->ini_text.text, &work->ini, note_about_ini, (void *)work);
    if (status)
        return status;
    if (work->ini.service.size == 0)
        return refuse_file(
            work, source->ini_name,
            "It lacks drivername= in the section [info], so it is not a file for lodctr.");
    if (work->ini.title_count == 0)
        return refuse_file(work, source->ini_name, "It has no titles in a section [text].");
    return ERROR_SUCCESS;
}

static uint32_t read_header(conversion *work)
{
    const prfdata_convert_source *source = work->source;
    uint32_t status = decode_file(work, source->header_name, source->header, source->header_size,
                                  &work->header_text);

    if (!status)
        status = prfdata_symbol_file_read(work->header_text.text, &work->symbols);
    if (!status)
        status = prfdata_legacy_titles_make(&work->ini, &work->symbols, &work->titles,
                                            note_about_ini, work);
    if (status == ERROR_INVALID_DATA && work->header_text.owned)
        return refuse_file(work, source->header_name,
                           "The header defines none of the symbols of the .ini file. Check whether "
                           "the header belongs to this .ini file.");
    return status;
}

static void release_conversion(conversion *work)
{
    prfdata_legacy_titles_free(&work->titles);
    prfdata_symbol_file_free(&work->symbols);
    prfdata_ini_file_free(&work->ini);
    prfdata_legacy_text_free(&work->header_text);
    prfdata_legacy_text_free(&work->ini_text);
}

static uint32_t write_converted(const conversion *work, prfdata_quoted_text *text)
{
    map_writer out = {work, text, false, 0};

    put_map(&out);
    if (text->has_failed)
        return ERROR_NOT_ENOUGH_MEMORY;
    check_filled_map(work, text->used);
    say_what_is_open(work, out.open_count);
    return ERROR_SUCCESS;
}

uint32_t prfdata_convert(const prfdata_convert_source *source, prfdata_check_line *line,
                         void *context, prfdata_quoted_text *text)
{
    conversion work = {.source = source, .line = line, .context = context};
    uint32_t status = read_ini(&work);

    if (!status)
        status = read_header(&work);
    if (!status)
        status = write_converted(&work, text);
    release_conversion(&work);
    return status;
}
