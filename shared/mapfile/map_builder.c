/* SPDX-License-Identifier: MIT */
/* Adds entries and texts to a map while its map file is read, and reports mistakes. */
#include "mapfile/map_builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "names/names.h"

void prfdata_map_builder_report(prfdata_map_builder *builder, uint32_t line, const char *format,
                                ...)
{
    char text[PRFDATA_MAP_MISTAKE_BYTES];
    va_list arguments;

    builder->mistake_count++;
    if (!builder->report)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    builder->report(builder->context, line, text);
}

const char *prfdata_map_builder_quote(prfdata_map_text text, char *shown)
{
    size_t used = 0;
    size_t position = 0;

    shown[used++] = '"';
    while (position < text.size && used < PRFDATA_MAP_SHOWN_BYTES - 4) {
        const size_t start = position;
        const uint32_t c = prfdata_names_next_utf8(text.at, text.size, &position);

        if (c == PRFDATA_NAMES_NO_CHARACTER || c < ' ' || (c >= 0x7F && c <= 0x9F)) {
            shown[used++] = '?';
        } else {
            memcpy(shown + used, text.at + start, position - start);
            used += position - start;
        }
    }
    memcpy(shown + used, position < text.size ? "...\"" : "\"", position < text.size ? 5 : 2);
    return shown;
}

const char *prfdata_map_builder_keep_ascii(prfdata_map_builder *builder, prfdata_map_text text)
{
    char *kept = builder->ascii;

    memcpy(kept, text.at, text.size);
    kept[text.size] = 0;
    builder->ascii += text.size + 1;
    return kept;
}

const wchar_t *prfdata_map_builder_keep_wide(prfdata_map_builder *builder, prfdata_map_text text)
{
    wchar_t *kept = builder->wide;
    const size_t length = prfdata_names_wide_from_utf8(text.at, text.size, kept);

    if (length == SIZE_MAX)
        return NULL;
    builder->wide += length + 1;
    return kept;
}

prfdata_map_entry *prfdata_map_builder_add(prfdata_map_builder *builder, uint32_t kind,
                                           const char *symbol)
{
    prfdata_map_entry *entry = &builder->entries[builder->count];

    builder->notes[builder->count++].line = builder->line;
    entry->kind = kind;
    entry->symbol = symbol;
    return entry;
}

void prfdata_map_builder_add_object(prfdata_map_builder *builder, const char *symbol)
{
    builder->target = prfdata_map_builder_add(builder, PRFDATA_ENTRY_OBJECT, symbol);
    builder->target->detail_level = PERF_DETAIL_NOVICE;
    builder->target->max_instances = PERF_NO_INSTANCES;
}

void prfdata_map_builder_add_counter(prfdata_map_builder *builder, const char *symbol)
{
    builder->target = prfdata_map_builder_add(builder, PRFDATA_ENTRY_COUNTER, symbol);
    builder->target->detail_level = PERF_DETAIL_NOVICE;
}

void prfdata_map_builder_refer(prfdata_map_builder *builder, const prfdata_map_entry *entry,
                               prfdata_map_text symbol)
{
    prfdata_map_note *note = &builder->notes[entry - builder->entries];

    note->reference = symbol;
    note->reference_line = builder->line;
}
