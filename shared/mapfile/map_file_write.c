/* SPDX-License-Identifier: MIT */
/* Writes a map as a map file or as C. */
#include <prfdata/map_file.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "map/map_options.h"
#include "names/ascii.h"
#include "names/names.h"
#include "region/health_word.h"

typedef struct map_text {
    const prfdata_map *map;
    char *at;
    size_t capacity;
    size_t used; /* size of the whole text, even if it does not fit */
} map_text;

enum { LINE_BYTES = 256 }; /* put_line() writes no names or helps, which may be longer */

#define OPTION_PREFIX_CHARS (sizeof "PRFDATA_MAP_" - 1)

static const char *const detail_words[] = {"novice", "advanced", "expert", "wizard"};
static const char *const detail_names[] = {"PERF_DETAIL_NOVICE", "PERF_DETAIL_ADVANCED",
                                           "PERF_DETAIL_EXPERT", "PERF_DETAIL_WIZARD"};

static void put_bytes(map_text *out, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (out->used + i + 1 < out->capacity)
            out->at[out->used + i] = bytes[i];
    out->used += size;
}

static void put_text(map_text *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

static void put_line(map_text *out, const char *format, ...) PRFDATA_PRINTF(2, 3);

static void put_line(map_text *out, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    put_text(out, line);
}

static const char *detail_of(const prfdata_map_entry *entry, const char *const *words)
{
    return words[entry->detail_level / PERF_DETAIL_NOVICE - 1];
}

static const char *type_of(const prfdata_map_entry *entry)
{
    return prfdata_counter_types_find(entry->type)->name;
}

static const char *symbol_of(const prfdata_map *map, uint32_t kind, uint32_t id)
{
    for (uint32_t i = 0; i < map->entry_count; i++)
        if (map->entries[i].kind == kind && map->entries[i].id == id)
            return map->entries[i].symbol;
    return "";
}

/* In a valid map the metric and its unit are short and ASCII, so they fit into the buffers. */
static void put_metric(map_text *out, const prfdata_map_entry *entry, const char *between)
{
    char name[PRFDATA_MAX_METRIC_CHARS], unit[PRFDATA_MAX_METRIC_CHARS];
    const size_t name_size = prfdata_names_utf8_from_wide(entry->name, name, sizeof name);
    const size_t unit_size = prfdata_names_utf8_from_wide(entry->help, unit, sizeof unit);

    put_bytes(out, name, name_size);
    put_text(out, between);
    put_bytes(out, unit, unit_size);
}

static bool has_argument(const prfdata_map_entry *entry)
{
    return entry->option == PRFDATA_OPTION_PERCENTILE ||
           (entry->option == PRFDATA_OPTION_AT_MOST && entry->highest != UINT64_MAX);
}

/* In C a number beyond INT64_MAX is not valid without the suffix `u`. */
static void put_number(map_text *out, uint64_t number, bool is_c)
{
    put_line(out, "%llu%s", (unsigned long long)number, is_c && number > INT64_MAX ? "u" : "");
}

static void put_distribution(map_text *out, const prfdata_map_entry *entry, const char *unit,
                             const char *between, bool is_c)
{
    put_line(out, "%u%s%s%s", (unsigned)entry->id, between, unit, between);
    put_number(out, entry->lowest, is_c);
    put_text(out, between);
    put_number(out, entry->highest, is_c);
    put_line(out, "%s%u%s%u", between, (unsigned)entry->buckets_per_octave, between,
             (unsigned)entry->window_s);
}

static void put_shown(map_text *out, const prfdata_map_entry *entry, const char *between, bool is_c)
{
    put_line(out, "%u", (unsigned)entry->id);
    if (!has_argument(entry))
        return;
    put_text(out, between);
    put_number(out, entry->highest, is_c);
}

static const char *unit_word(const prfdata_map_entry *entry)
{
    return entry->unit == PRFDATA_UNIT_100NS   ? "100ns"
           : entry->unit == PRFDATA_UNIT_BYTES ? "bytes"
                                               : "number";
}

static const char *unit_name(const prfdata_map_entry *entry)
{
    return entry->unit == PRFDATA_UNIT_100NS   ? "PRFDATA_UNIT_100NS"
           : entry->unit == PRFDATA_UNIT_BYTES ? "PRFDATA_UNIT_BYTES"
                                               : "PRFDATA_UNIT_NUMBER";
}

static void put_value(map_text *out, const char *key, const wchar_t *text)
{
    char bytes[4 * PRFDATA_MAX_HELP_CHARS];
    const size_t size = prfdata_names_utf8_from_wide(text, bytes, sizeof bytes);

    put_text(out, key);
    put_bytes(out, bytes, size);
    put_text(out, "\n");
}

static void write_file_object(map_text *out, const prfdata_map_entry *entry)
{
    put_line(out, "\n[object %s]\nid=%u\n", entry->symbol, (unsigned)entry->id);
    put_value(out, "name=", entry->name);
    put_value(out, "help=", entry->help);
    put_line(out, "detail=%s\ndefault=%s\n", detail_of(entry, detail_words),
             symbol_of(out->map, PRFDATA_ENTRY_COUNTER, entry->default_counter));
    if (entry->max_instances != PERF_NO_INSTANCES)
        put_line(out, "instances=%d\nname_chars=%u\n", (int)entry->max_instances,
                 (unsigned)entry->max_name_chars);
}

static void write_file_counter(map_text *out, const prfdata_map_entry *entry)
{
    put_line(out, "\n[counter %s]\nid=%u\n", entry->symbol, (unsigned)entry->id);
    put_value(out, "name=", entry->name);
    put_value(out, "help=", entry->help);
    put_line(out, "type=PERF_%s\ndetail=%s\n", type_of(entry), detail_of(entry, detail_words));
    if (entry->default_scale != 0)
        put_line(out, "scale=%d\n", (int)entry->default_scale);
}

static void write_file_option(map_text *out, const prfdata_map_entry *entry)
{
    const prfdata_map_option *option = prfdata_map_options_find(entry->option);
    char key[LINE_BYTES];

    snprintf(key, sizeof key, "%s", option->symbol + OPTION_PREFIX_CHARS);
    for (char *c = key; *c != 0; c++)
        *c = (char)prfdata_ascii_lower(*c);
    put_line(out, "%s=", key);
    if (option->needs_metric)
        put_metric(out, entry, " ");
    else if (option->bit == PRFDATA_OPTION_DISTRIBUTION)
        put_distribution(out, entry, unit_word(entry), " ", false);
    else if (option->shows)
        put_shown(out, entry, " ", false);
    else if (option->names_health)
        put_text(out, prfdata_health_word(entry->id));
    else
        put_text(out, option->names_parent ? symbol_of(out->map, PRFDATA_ENTRY_OBJECT, entry->id)
                                           : "yes");
    put_text(out, "\n");
}

static void write_file(map_text *out)
{
    put_text(out, "[info]\ndrivername=");
    put_text(out, out->map->service);
    put_text(out, "\n");
    for (uint32_t i = 0; i < out->map->entry_count; i++) {
        const prfdata_map_entry *entry = &out->map->entries[i];

        if (entry->kind == PRFDATA_ENTRY_OBJECT)
            write_file_object(out, entry);
        else if (entry->kind == PRFDATA_ENTRY_COUNTER)
            write_file_counter(out, entry);
        else
            write_file_option(out, entry);
    }
}

/* Uses the escapes of C11, 6.4.3 and 6.4.4.4. The escape \? avoids trigraphs. */
static void put_c_character(map_text *out, uint32_t c)
{
    if (c == '"' || c == '\\' || c == '?')
        put_line(out, "\\%c", (char)c);
    else if (c < 0x7F)
        put_line(out, "%c", (char)c);
    else if (c <= 0xFFFF)
        put_line(out, "\\u%04X", (unsigned)c);
    else
        put_line(out, "\\U%08X", (unsigned)c);
}

static void put_c_string(map_text *out, const wchar_t *text)
{
    char bytes[4 * PRFDATA_MAX_HELP_CHARS];
    const size_t size = prfdata_names_utf8_from_wide(text, bytes, sizeof bytes);

    put_text(out, "L\"");
    for (size_t position = 0; position < size;)
        put_c_character(out, prfdata_names_next_utf8(bytes, size, &position));
    put_text(out, "\"");
}

static void write_c_texts(map_text *out, const char *macro, const prfdata_map_entry *entry)
{
    put_line(out, "%s(%s,\n        ", macro, entry->symbol);
    put_c_string(out, entry->name);
    put_text(out, ",\n        ");
    put_c_string(out, entry->help);
    put_text(out, ",\n        ");
}

static void write_c_object(map_text *out, const prfdata_map_entry *entry)
{
    char instances[24] = "PERF_NO_INSTANCES";

    if (entry->max_instances != PERF_NO_INSTANCES)
        snprintf(instances, sizeof instances, "%d", (int)entry->max_instances);
    write_c_texts(out, "    PRFDATA_MAP_OBJ", entry);
    put_line(out, "%s, %s, %s, %u)\n", detail_of(entry, detail_names),
             symbol_of(out->map, PRFDATA_ENTRY_COUNTER, entry->default_counter), instances,
             (unsigned)entry->max_name_chars);
}

static void write_c_counter(map_text *out, const prfdata_map_entry *entry)
{
    write_c_texts(out, "    PRFDATA_MAP_CTR", entry);
    put_line(out, "%s, %d, PERF_%s)\n", detail_of(entry, detail_names), (int)entry->default_scale,
             type_of(entry));
}

/* The name of a macro of <prfdata/map.h> that makes this option. */
static const char *c_macro_of(const prfdata_map_entry *entry)
{
    if (entry->option == PRFDATA_OPTION_DISTRIBUTION)
        return "PRFDATA_MAP_DISTRIBUTION_WITH";
    if (entry->option == PRFDATA_OPTION_AT_MOST && !has_argument(entry))
        return "PRFDATA_MAP_COUNT"; /* without a bound, all values are counted */
    return prfdata_map_options_find(entry->option)->symbol;
}

static void put_health_name(map_text *out, const prfdata_map_entry *entry)
{
    put_text(out, "PRFDATA_HEALTH_");
    for (const char *c = prfdata_health_word(entry->id); *c != 0; c++)
        put_line(out, "%c", *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
}

static void write_c_option(map_text *out, const prfdata_map_entry *entry)
{
    const prfdata_map_option *option = prfdata_map_options_find(entry->option);

    put_line(out, "    %s(", c_macro_of(entry));
    if (option->needs_metric) {
        put_text(out, "\"");
        put_metric(out, entry, "\", \"");
        put_text(out, "\"");
    } else if (option->bit == PRFDATA_OPTION_DISTRIBUTION) {
        put_distribution(out, entry, unit_name(entry), ", ", true);
    } else if (option->shows) {
        put_shown(out, entry, ", ", true);
    } else if (option->names_health) {
        put_health_name(out, entry);
    } else if (option->names_parent) {
        put_text(out, symbol_of(out->map, PRFDATA_ENTRY_OBJECT, entry->id));
    }
    put_text(out, ")\n");
}

static void write_c_ids(map_text *out)
{
    for (uint32_t i = 0; i < out->map->entry_count; i++) {
        const prfdata_map_entry *entry = &out->map->entries[i];

        if (entry->kind != PRFDATA_ENTRY_OPTION)
            put_line(out, "PRFDATA_DEFINE_%s(%s, %u);\n",
                     entry->kind == PRFDATA_ENTRY_OBJECT ? "OBJECT" : "COUNTER", entry->symbol,
                     (unsigned)entry->id);
    }
}

static void write_c(map_text *out)
{
    put_text(out, "#include <prfdata/map.h>\n\n");
    write_c_ids(out);
    put_text(out, "\nPRFDATA_MAP_BEGIN()\n");
    for (uint32_t i = 0; i < out->map->entry_count; i++) {
        const prfdata_map_entry *entry = &out->map->entries[i];

        if (entry->kind == PRFDATA_ENTRY_OBJECT)
            write_c_object(out, entry);
        else if (entry->kind == PRFDATA_ENTRY_COUNTER)
            write_c_counter(out, entry);
        else
            write_c_option(out, entry);
    }
    put_text(out, "PRFDATA_MAP_END(\"");
    put_text(out, out->map->service);
    put_text(out, "\")\n");
}

size_t prfdata_map_file_write(const prfdata_map *map, prfdata_map_file_form form, char *text,
                              size_t capacity)
{
    map_text out = {map, text, capacity, 0};

    if (form == PRFDATA_MAP_FILE_C)
        write_c(&out);
    else
        write_file(&out);
    if (capacity > 0)
        text[out.used < capacity ? out.used : capacity - 1] = 0;
    return out.used;
}
