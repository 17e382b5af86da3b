/* SPDX-License-Identifier: MIT */
/*
 * Makes a map from the text of a map file. map_file_sections.c makes entries from the lines. At the
 * end, this file looks up the entries to which symbols refer, such as a default counter. It adds
 * line numbers to the mistakes that prfdata_map_check() finds.
 */
#include <prfdata/map_file.h>

#include <stdlib.h>
#include <string.h>

#include "mapfile/encoding.h"
#include "mapfile/map_builder.h"
#include "mapfile/read_file.h"

enum { MOST_CHECKED_MISTAKES = 64 };

/*
 * Find an entry of this kind by its symbol: a counter of the object at the index `from`, or any
 * object. Returns NULL if there is none.
 */
static const prfdata_map_entry *find_symbol(const prfdata_map_builder *builder, uint32_t from,
                                            uint32_t kind, prfdata_map_text symbol)
{
    const bool is_of_object = kind == PRFDATA_ENTRY_COUNTER;

    for (uint32_t i = is_of_object ? from + 1 : 0; i < builder->count; i++) {
        const prfdata_map_entry *entry = &builder->entries[i];

        if (is_of_object && entry->kind == PRFDATA_ENTRY_OBJECT)
            return NULL;
        if (entry->kind == kind && prfdata_map_lines_is(symbol, entry->symbol))
            return entry;
    }
    return NULL;
}

static void resolve_reference(prfdata_map_builder *builder, uint32_t index)
{
    prfdata_map_entry *entry = &builder->entries[index];
    const prfdata_map_note *note = &builder->notes[index];
    const bool is_default = entry->kind == PRFDATA_ENTRY_OBJECT;
    const prfdata_map_entry *found = find_symbol(
        builder, index, is_default ? PRFDATA_ENTRY_COUNTER : PRFDATA_ENTRY_OBJECT, note->reference);
    char shown[PRFDATA_MAP_SHOWN_BYTES + 8];

    if (!found)
        prfdata_map_builder_report(builder, note->reference_line,
                                   is_default ? "This object has no counter %s."
                                              : "There is no object %s.",
                                   prfdata_map_builder_quote(note->reference, shown));
    else if (is_default)
        entry->default_counter = found->id;
    else
        entry->id = found->id;
}

/* Without default=, an object's first counter is its default. */
static void choose_default(prfdata_map_builder *builder, uint32_t index)
{
    for (uint32_t i = index + 1;
         i < builder->count && builder->entries[i].kind != PRFDATA_ENTRY_OBJECT; i++)
        if (builder->entries[i].kind == PRFDATA_ENTRY_COUNTER) {
            builder->entries[index].default_counter = builder->entries[i].id;
            return;
        }
}

static void resolve_references(prfdata_map_builder *builder)
{
    for (uint32_t i = 0; i < builder->count; i++) {
        if (builder->notes[i].reference_line != 0)
            resolve_reference(builder, i);
        else if (builder->entries[i].kind == PRFDATA_ENTRY_OBJECT)
            choose_default(builder, i);
    }
}

static void check_built_map(prfdata_map_builder *builder)
{
    prfdata_map_mistake mistakes[MOST_CHECKED_MISTAKES];
    const size_t count = prfdata_map_check(builder->map, mistakes, MOST_CHECKED_MISTAKES);
    char text[PRFDATA_MAP_MISTAKE_BYTES];

    for (size_t i = 0; i < count && i < MOST_CHECKED_MISTAKES; i++) {
        const uint32_t index = mistakes[i].entry_index;

        prfdata_map_mistake_text(&mistakes[i], text, sizeof text);
        prfdata_map_builder_report(builder, index < builder->count ? builder->notes[index].line : 0,
                                   "%s", text);
    }
}

static void build_map(prfdata_map_builder *builder, prfdata_map_text text)
{
    prfdata_map_lines lines = {text, 0};
    prfdata_map_line line;

    if (text.size > 0 && memchr(text.at, 0, text.size)) {
        prfdata_map_builder_report(builder, 0,
                                   "The file has a byte 0. If it is text, save it as UTF-8, or as "
                                   "UTF-16 with a byte order mark.");
        return;
    }
    while (prfdata_map_lines_next(&lines, &line))
        prfdata_map_file_sections_line(builder, &line);
    prfdata_map_file_sections_end(builder);
    if (!builder->has_info)
        prfdata_map_builder_report(builder, 0,
                                   "The file lacks the section [info] with drivername=.");
    if (builder->mistake_count > 0)
        return; /* further mistakes might be consequences of those that were found */
    resolve_references(builder);
    builder->map->entry_count = builder->count;
    if (builder->mistake_count == 0)
        check_built_map(builder);
}

/*
 * Allocates one block for the map, its entries, its names and helps, and its symbols, in this
 * order, so that each part is aligned.
 */
static prfdata_map *allocate_file_map(prfdata_map_builder *builder, size_t line_count, size_t size)
{
    const size_t entries_bytes = line_count * sizeof(prfdata_map_entry);
    const size_t wide_bytes = (size + 1) * sizeof(wchar_t);
    prfdata_map *map = calloc(1, sizeof *map + entries_bytes + wide_bytes + size + 1);

    if (!map)
        return NULL;
    map->entry_bytes = sizeof(prfdata_map_entry);
    builder->entries = (prfdata_map_entry *)(map + 1);
    map->entries = builder->entries;
    builder->wide = (wchar_t *)(void *)((unsigned char *)(map + 1) + entries_bytes);
    builder->ascii = (char *)builder->wide + wide_bytes;
    builder->map = map;
    return map;
}

static uint32_t parse_utf8(prfdata_map_text text, prfdata_map_file_mistake *report, void *context,
                           prfdata_map **map)
{
    prfdata_map_builder builder = {.report = report, .context = context};
    size_t line_count = 1;

    for (size_t i = 0; i < text.size; i++)
        line_count += text.at[i] == '\n';
    builder.notes = calloc(line_count, sizeof *builder.notes);
    if (!builder.notes || !allocate_file_map(&builder, line_count, text.size)) {
        free(builder.notes);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    build_map(&builder, text);
    free(builder.notes);
    if (builder.mistake_count > 0) {
        free(builder.map);
        return ERROR_INVALID_DATA;
    }
    *map = builder.map;
    return ERROR_SUCCESS;
}

uint32_t prfdata_map_file_parse(const void *bytes, size_t size, prfdata_map_file_mistake *report,
                                void *context, prfdata_map **map)
{
    prfdata_encoding_text decoded;
    uint32_t status = prfdata_encoding_decode(bytes, size, &decoded);

    if (!status && decoded.mistake) {
        if (report)
            report(context, decoded.mistake_line, decoded.mistake);
        status = ERROR_INVALID_DATA;
    } else if (!status) {
        const prfdata_map_text text = {decoded.at, decoded.size};

        status = parse_utf8(text, report, context, map);
    }
    free(decoded.owned);
    return status;
}

uint32_t prfdata_map_file_read(const wchar_t *path, prfdata_map_file_mistake *report, void *context,
                               prfdata_map **map)
{
    void *bytes;
    size_t size;
    uint32_t status = prfdata_read_file(path, PRFDATA_MAX_MAP_FILE_BYTES, &bytes, &size);

    if (status)
        return status;
    status = prfdata_map_file_parse(bytes, size, report, context, map);
    free(bytes);
    return status;
}

void prfdata_map_file_free(prfdata_map *map)
{
    free(map);
}
