/* SPDX-License-Identifier: MIT */
/*
 * Makes the table of a map from the lines of a map file. Knows the sections and keys; what a map
 * may say is for prfdata_map_check() to judge, whose mistakes get their lines here.
 */
#include <prfdata/map_file.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compiler.h"
#include "core/map_options.h"
#include "core/health_word.h"
#include "core/names.h"
#include "mapfile/encoding.h"
#include "mapfile/map_lines.h"
#include "mapfile/read_file.h"

/* Of a section; bits, so that a key can stand in several. */
enum { SECTION_INFO = 1, SECTION_OBJECT = 2, SECTION_COUNTER = 4 };

enum { MISTAKE_BYTES = 512, SHOWN_BYTES = 60, MOST_CHECKED_MISTAKES = 64 };

#define DEFAULT_NAME_CHARS 64

/* What stands beside an entry until the map is complete. */
typedef struct entry_note {
    uint32_t line;
    uint32_t reference_line;    /* of what follows */
    prfdata_map_text reference; /* the symbol of the default counter or the parent */
} entry_note;

typedef struct map_builder {
    prfdata_map *map;
    prfdata_map_entry *entries; /* the map's */
    entry_note *notes;          /* one per entry */
    uint32_t count;
    wchar_t *wide; /* where the next name or help goes */
    char *ascii;   /* where the next symbol goes */

    unsigned section; /* SECTION_...; 0: before the first, or in an unknown one */
    uint32_t section_line;
    prfdata_map_entry *target; /* the section's object or counter, NULL in others */
    unsigned seen;             /* a bit per key that stood in the section */
    bool has_info;

    uint32_t line;
    uint32_t mistake_count;
    prfdata_map_file_mistake *report;
    void *context;
} map_builder;

/* ---- Mistakes ---- */

static void report_mistake(map_builder *builder, uint32_t line, const char *format, ...)
    PRFDATA_PRINTF(3, 4);

static void report_mistake(map_builder *builder, uint32_t line, const char *format, ...)
{
    char text[MISTAKE_BYTES];
    va_list arguments;

    builder->mistake_count++;
    if (!builder->report)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    builder->report(builder->context, line, text);
}

/* A text of the file for a sentence: in quotes, not too long, UTF-8 without control characters. */
static const char *quote_text(prfdata_map_text text, char *shown)
{
    size_t used = 0;
    size_t position = 0;

    shown[used++] = '"';
    while (position < text.size && used < SHOWN_BYTES - 4) {
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

/* ---- Texts ---- */

static const char *keep_ascii(map_builder *builder, prfdata_map_text text)
{
    char *kept = builder->ascii;

    memcpy(kept, text.at, text.size);
    kept[text.size] = 0;
    builder->ascii += text.size + 1;
    return kept;
}

/* NULL: it is not UTF-8. */
static const wchar_t *keep_wide(map_builder *builder, prfdata_map_text text)
{
    wchar_t *kept = builder->wide;
    const size_t length = prfdata_names_wide_from_utf8(text.at, text.size, kept);

    if (length == SIZE_MAX)
        return NULL;
    builder->wide += length + 1;
    return kept;
}

/* ---- Entries ---- */

/* A line adds one entry at most, so there is room. */
static prfdata_map_entry *add_entry(map_builder *builder, uint32_t kind, const char *symbol)
{
    prfdata_map_entry *entry = &builder->entries[builder->count];

    builder->notes[builder->count++].line = builder->line;
    entry->kind = kind;
    entry->symbol = symbol;
    return entry;
}

static void add_object(map_builder *builder, const char *symbol)
{
    builder->target = add_entry(builder, PRFDATA_ENTRY_OBJECT, symbol);
    builder->target->detail_level = PERF_DETAIL_NOVICE;
    builder->target->max_instances = PERF_NO_INSTANCES;
}

static void add_counter(map_builder *builder, const char *symbol)
{
    builder->target = add_entry(builder, PRFDATA_ENTRY_COUNTER, symbol);
    builder->target->detail_level = PERF_DETAIL_NOVICE;
}

static void refer_to(map_builder *builder, const prfdata_map_entry *entry, prfdata_map_text symbol)
{
    entry_note *note = &builder->notes[entry - builder->entries];

    note->reference = symbol;
    note->reference_line = builder->line;
}

/* ---- Keys: each returns NULL, or what the value has to be ---- */

static const char *set_service(map_builder *builder, prfdata_map_text value)
{
    builder->map->service = keep_ascii(builder, value);
    return NULL;
}

static const char *set_id(map_builder *builder, prfdata_map_text value)
{
    int64_t number;

    if (!prfdata_map_lines_number(value, 0, UINT32_MAX, &number))
        return "a number from 0 to 4294967295";
    builder->target->id = (uint32_t)number;
    return NULL;
}

static const char *set_name(map_builder *builder, prfdata_map_text value)
{
    builder->target->name = keep_wide(builder, value);
    return builder->target->name ? NULL : "text in UTF-8; save the file in that encoding";
}

static const char *set_help(map_builder *builder, prfdata_map_text value)
{
    builder->target->help = keep_wide(builder, value);
    return builder->target->help ? NULL : "text in UTF-8; save the file in that encoding";
}

static const char *set_detail(map_builder *builder, prfdata_map_text value)
{
    static const char *const words[] = {"novice", "advanced", "expert", "wizard"};

    for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (prfdata_map_lines_is(value, words[i])) {
            builder->target->detail_level = PERF_DETAIL_NOVICE * (i + 1);
            return NULL;
        }
    return "novice, advanced, expert or wizard";
}

static const char *set_default(map_builder *builder, prfdata_map_text value)
{
    refer_to(builder, builder->target, value);
    return NULL;
}

static const char *set_instances(map_builder *builder, prfdata_map_text value)
{
    int64_t number;

    if (!prfdata_map_lines_number(value, 1, PRFDATA_MAX_INSTANCES, &number))
        return "a number from 1 to 65535; leave the key out for an object without instances";
    builder->target->max_instances = (int32_t)number;
    if (builder->target->max_name_chars == 0)
        builder->target->max_name_chars = DEFAULT_NAME_CHARS;
    return NULL;
}

static const char *set_name_chars(map_builder *builder, prfdata_map_text value)
{
    int64_t number;

    if (!prfdata_map_lines_number(value, 1, PRFDATA_MAX_INSTANCE_NAME_CHARS, &number))
        return "a number from 1 to 255";
    builder->target->max_name_chars = (uint32_t)number;
    return NULL;
}

static const char *set_scale(map_builder *builder, prfdata_map_text value)
{
    int64_t number;

    if (!prfdata_map_lines_number(value, -7, 7, &number))
        return "a power of ten, from -7 to 7";
    builder->target->default_scale = (int32_t)number;
    return NULL;
}

static const char *set_type(map_builder *builder, prfdata_map_text value)
{
    static const char prefix[] = "PERF_";
    prfdata_map_text name = value;

    if (name.size > sizeof prefix - 1) {
        name.size = sizeof prefix - 1;
        if (prfdata_map_lines_is(name, prefix)) {
            name.at += sizeof prefix - 1;
            name.size = value.size - (sizeof prefix - 1);
        } else {
            name.size = value.size;
        }
    }
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++)
        if (prfdata_map_lines_is(name, prfdata_counter_types_at(i)->name)) {
            builder->target->type = prfdata_counter_types_at(i)->type;
            return NULL;
        }
    return "the name of one of Windows' counter types, such as PERF_COUNTER_BULK_COUNT";
}

typedef struct map_key {
    const char *word;
    unsigned sections; /* in which it may stand */
    bool is_required;
    const char *(*set)(map_builder *builder, prfdata_map_text value);
} map_key;

static const map_key keys[] = {
    {"drivername", SECTION_INFO, true, set_service},
    {"id", SECTION_OBJECT | SECTION_COUNTER, true, set_id},
    {"name", SECTION_OBJECT | SECTION_COUNTER, true, set_name},
    {"help", SECTION_OBJECT | SECTION_COUNTER, true, set_help},
    {"detail", SECTION_OBJECT | SECTION_COUNTER, false, set_detail},
    {"default", SECTION_OBJECT, false, set_default},
    {"instances", SECTION_OBJECT, false, set_instances},
    {"name_chars", SECTION_OBJECT, false, set_name_chars},
    {"type", SECTION_COUNTER, true, set_type},
    {"scale", SECTION_COUNTER, false, set_scale},
};

enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static void set_key(map_builder *builder, const prfdata_map_line *line, uint32_t index)
{
    char shown[SHOWN_BYTES + 8];
    const char *expected;

    if (builder->seen & 1u << index) {
        report_mistake(builder, line->number, "%s= stands twice in this section.",
                       keys[index].word);
        return;
    }
    builder->seen |= 1u << index;
    expected = keys[index].set(builder, line->value);
    if (expected)
        report_mistake(builder, line->number, "%s=%s is wrong; it is %s.", keys[index].word,
                       quote_text(line->value, shown), expected);
}

/* ---- Options: the macros of <prfdata/map.h>, without PRFDATA_MAP_ ---- */

static const prfdata_map_option *find_option(prfdata_map_text word)
{
    const size_t prefix_size = sizeof "PRFDATA_MAP_" - 1;

    for (size_t i = 0; i < prfdata_map_options_count(); i++)
        if (prfdata_map_lines_is(word, prfdata_map_options_at(i)->symbol + prefix_size))
            return prfdata_map_options_at(i);
    return NULL;
}

/* `value` is the metric's name and, after a blank, its unit. */
static void add_metric(map_builder *builder, const prfdata_map_line *line, prfdata_map_entry *entry)
{
    prfdata_map_text name, unit;

    (void)prfdata_map_lines_split(line->value, ' ', &name, &unit);
    entry->name = keep_wide(builder, name);
    entry->help = keep_wide(builder, unit);
    if (!entry->name || !entry->help)
        report_mistake(builder, line->number,
                       "metric= is wrong; it is a name of ASCII characters and, after a blank, a "
                       "unit.");
}

/*
 * The next number of a value, or `otherwise` where there is none. Sets `*is_right` to false if it
 * is no number up to `most`.
 */
static uint64_t take_number(prfdata_map_text *rest, uint64_t most, uint64_t otherwise,
                            bool *is_right)
{
    prfdata_map_text word;
    uint64_t number = 0;

    if (rest->size == 0)
        return otherwise;
    (void)prfdata_map_lines_split(*rest, ' ', &word, rest);
    *is_right &= prfdata_map_lines_unsigned(word, most, &number);
    return number;
}

static uint32_t take_number32(prfdata_map_text *rest, uint32_t otherwise, bool *is_right)
{
    return (uint32_t)take_number(rest, UINT32_MAX, otherwise, is_right);
}

static uint32_t take_unit(prfdata_map_text *rest, bool *is_right)
{
    prfdata_map_text word;

    (void)prfdata_map_lines_split(*rest, ' ', &word, rest);
    if (prfdata_map_lines_is(word, "100ns"))
        return PRFDATA_UNIT_100NS;
    if (prfdata_map_lines_is(word, "bytes"))
        return PRFDATA_UNIT_BYTES;
    *is_right &= prfdata_map_lines_is(word, "number");
    return PRFDATA_UNIT_NUMBER;
}

/* `value`: id, unit, lowest and highest value, and perhaps buckets per octave and window. */
static void add_distribution(map_builder *builder, const prfdata_map_line *line,
                             prfdata_map_entry *entry)
{
    prfdata_map_text rest = line->value;
    bool is_right = true;

    entry->id = take_number32(&rest, 0, &is_right);
    entry->unit = take_unit(&rest, &is_right);
    entry->lowest = take_number(&rest, UINT64_MAX, 1, &is_right);
    entry->highest = take_number(&rest, UINT64_MAX, 0, &is_right); /* which the check refuses */
    entry->buckets_per_octave = take_number32(&rest, 8, &is_right);
    entry->window_s = take_number32(&rest, 60, &is_right);
    if (!is_right || rest.size > 0)
        report_mistake(
            builder, line->number,
            "distribution= is wrong; it is an id, the unit (100ns, bytes or number), the "
            "lowest and the highest value and, if need be, buckets per octave and "
            "seconds, with blanks between them.");
}

/* `value`: the distribution's id and, of percentiles and bounds, another number. */
static void add_shown(map_builder *builder, const prfdata_map_line *line, prfdata_map_entry *entry)
{
    const bool has_argument =
        entry->option == PRFDATA_OPTION_PERCENTILE || entry->option == PRFDATA_OPTION_AT_MOST;
    prfdata_map_text rest = line->value;
    bool is_right = true;
    char key[SHOWN_BYTES + 8];

    entry->id = take_number32(&rest, 0, &is_right);
    if (has_argument)
        entry->highest = take_number(
            &rest, UINT64_MAX, entry->option == PRFDATA_OPTION_AT_MOST ? UINT64_MAX : 0, &is_right);
    if (!is_right || rest.size > 0)
        report_mistake(builder, line->number, "%s= is wrong; it is the id of a distribution%s.",
                       quote_text(line->key, key),
                       has_argument ? " and, after a blank, a number" : "");
}

/* `value`: a word. */
static void add_health(map_builder *builder, const prfdata_map_line *line, prfdata_map_entry *entry)
{
    char value[SHOWN_BYTES + 8];

    for (uint32_t i = 1; i <= PRFDATA_HEALTH_LAST; i++)
        if (prfdata_map_lines_is(line->value, prfdata_health_word(i)))
            entry->id = i;
    if (entry->id == 0)
        report_mistake(builder, line->number,
                       "health_of=%s is wrong; it is publishers, ended, unreadable, unshown, "
                       "dropped, torn or collect_us.",
                       quote_text(line->value, value));
}

static void add_option(map_builder *builder, const prfdata_map_line *line,
                       const prfdata_map_option *option)
{
    const bool is_switch = !option->names_parent && !option->needs_metric && !option->shows &&
                           !option->names_health && !option->may_repeat;
    char key[SHOWN_BYTES + 8], value[SHOWN_BYTES + 8];
    prfdata_map_entry *entry;

    if (is_switch && prfdata_map_lines_is(line->value, "no"))
        return;
    if (is_switch && !prfdata_map_lines_is(line->value, "yes")) {
        report_mistake(builder, line->number, "%s=%s is wrong; it is yes or no.",
                       quote_text(line->key, key), quote_text(line->value, value));
        return;
    }
    entry = add_entry(builder, PRFDATA_ENTRY_OPTION, option->symbol);
    entry->option = option->bit;
    if (option->names_parent)
        refer_to(builder, entry, line->value);
    if (option->needs_metric)
        add_metric(builder, line, entry);
    if (option->bit == PRFDATA_OPTION_DISTRIBUTION)
        add_distribution(builder, line, entry);
    if (option->shows)
        add_shown(builder, line, entry);
    if (option->names_health)
        add_health(builder, line, entry);
}

/* ---- Lines ---- */

static void read_pair_line(map_builder *builder, const prfdata_map_line *line)
{
    const prfdata_map_option *option = find_option(line->key);
    char shown[SHOWN_BYTES + 8];

    if (builder->section == 0)
        return; /* the section itself was a mistake */
    for (uint32_t i = 0; i < KEY_COUNT; i++)
        if ((keys[i].sections & builder->section) &&
            prfdata_map_lines_is(line->key, keys[i].word)) {
            set_key(builder, line, i);
            return;
        }
    if (option && builder->target && builder->target->kind == option->kind)
        add_option(builder, line, option);
    else
        report_mistake(builder, line->number, "The key %s does not belong in this section.",
                       quote_text(line->key, shown));
}

static void end_section(map_builder *builder)
{
    for (uint32_t i = 0; i < KEY_COUNT; i++)
        if (keys[i].is_required && (keys[i].sections & builder->section) &&
            !(builder->seen & 1u << i))
            report_mistake(builder, builder->section_line, "This section lacks %s=.", keys[i].word);
    if (builder->section == SECTION_OBJECT && builder->target->max_name_chars != 0 &&
        builder->target->max_instances == PERF_NO_INSTANCES)
        report_mistake(builder, builder->section_line,
                       "This object has name_chars=, but no instances=.");
}

static unsigned section_of(prfdata_map_text word)
{
    if (prfdata_map_lines_is(word, "info"))
        return SECTION_INFO;
    if (prfdata_map_lines_is(word, "object"))
        return SECTION_OBJECT;
    return prfdata_map_lines_is(word, "counter") ? SECTION_COUNTER : 0;
}

static void begin_section(map_builder *builder, const prfdata_map_line *line)
{
    char shown[SHOWN_BYTES + 8];

    end_section(builder);
    builder->section = section_of(line->key);
    builder->section_line = line->number;
    builder->target = NULL;
    builder->seen = 0;
    switch (builder->section) {
    case SECTION_INFO:
        if (builder->has_info)
            report_mistake(builder, line->number, "[info] stands twice.");
        builder->has_info = true;
        return;
    case SECTION_OBJECT:
        add_object(builder, keep_ascii(builder, line->value));
        return;
    case SECTION_COUNTER:
        add_counter(builder, keep_ascii(builder, line->value));
        return;
    default:
        report_mistake(builder, line->number,
                       "There is no section %s; there are [info], [object SYMBOL] and "
                       "[counter SYMBOL].",
                       quote_text(line->key, shown));
    }
}

static void read_map_line(map_builder *builder, const prfdata_map_line *line)
{
    builder->line = line->number;
    if (line->kind == PRFDATA_MAP_LINE_NEITHER)
        report_mistake(builder, line->number,
                       "This is no section, no key=value, and no comment (; or # in front).");
    else if (line->kind == PRFDATA_MAP_LINE_SECTION)
        begin_section(builder, line);
    else if (line->kind == PRFDATA_MAP_LINE_PAIR && builder->section_line == 0)
        report_mistake(builder, line->number, "A section such as [info] has to come first.");
    else if (line->kind == PRFDATA_MAP_LINE_PAIR)
        read_pair_line(builder, line);
}

/* ---- The whole ---- */

/* The counter of the object at `from`, or the object of the map, that has this symbol. */
static const prfdata_map_entry *find_symbol(const map_builder *builder, uint32_t from,
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

static void resolve_reference(map_builder *builder, uint32_t index)
{
    prfdata_map_entry *entry = &builder->entries[index];
    const entry_note *note = &builder->notes[index];
    const bool is_default = entry->kind == PRFDATA_ENTRY_OBJECT;
    const prfdata_map_entry *found = find_symbol(
        builder, index, is_default ? PRFDATA_ENTRY_COUNTER : PRFDATA_ENTRY_OBJECT, note->reference);
    char shown[SHOWN_BYTES + 8];

    if (!found)
        report_mistake(builder, note->reference_line,
                       is_default ? "This object has no counter %s." : "There is no object %s.",
                       quote_text(note->reference, shown));
    else if (is_default)
        entry->default_counter = found->id;
    else
        entry->id = found->id;
}

/* Without default=, an object's first counter is its default. */
static void choose_default(map_builder *builder, uint32_t index)
{
    for (uint32_t i = index + 1;
         i < builder->count && builder->entries[i].kind != PRFDATA_ENTRY_OBJECT; i++)
        if (builder->entries[i].kind == PRFDATA_ENTRY_COUNTER) {
            builder->entries[index].default_counter = builder->entries[i].id;
            return;
        }
}

static void resolve_references(map_builder *builder)
{
    for (uint32_t i = 0; i < builder->count; i++) {
        if (builder->notes[i].reference_line != 0)
            resolve_reference(builder, i);
        else if (builder->entries[i].kind == PRFDATA_ENTRY_OBJECT)
            choose_default(builder, i);
    }
}

static void check_built_map(map_builder *builder)
{
    prfdata_map_mistake mistakes[MOST_CHECKED_MISTAKES];
    const size_t count = prfdata_map_check(builder->map, mistakes, MOST_CHECKED_MISTAKES);
    char text[MISTAKE_BYTES];

    for (size_t i = 0; i < count && i < MOST_CHECKED_MISTAKES; i++) {
        const uint32_t index = mistakes[i].entry_index;

        prfdata_map_mistake_text(&mistakes[i], text, sizeof text);
        report_mistake(builder, index < builder->count ? builder->notes[index].line : 0, "%s",
                       text);
    }
}

static void build_map(map_builder *builder, prfdata_map_text text)
{
    prfdata_map_lines lines = {text, 0};
    prfdata_map_line line;

    if (text.size > 0 && memchr(text.at, 0, text.size)) {
        report_mistake(builder, 0, "The file is no text: it has a byte 0.");
        return;
    }
    while (prfdata_map_lines_next(&lines, &line))
        read_map_line(builder, &line);
    end_section(builder);
    if (!builder->has_info)
        report_mistake(builder, 0, "The file lacks the section [info] with drivername=.");
    if (builder->mistake_count > 0)
        return; /* what the check finds might follow from them */
    resolve_references(builder);
    builder->map->entry_count = builder->count;
    if (builder->mistake_count == 0)
        check_built_map(builder);
}

/* The map, its entries, names and helps, symbols: in falling alignment, in one allocation. */
static prfdata_map *allocate_file_map(map_builder *builder, size_t line_count, size_t size)
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
    map_builder builder = {.report = report, .context = context};
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

    if (!status) {
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
