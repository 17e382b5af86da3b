/* SPDX-License-Identifier: MIT */
/* Sends tables through the check of maps. If a map is invalid, every mistake must have a message,
 * and no function may accept the map. If it is valid, encoding and decoding must give it back, and
 * its model must be in order. A small parser reads the title files of a valid map. They must have
 * every title once, and no line that loadperf would truncate.
 *
 * Input: the service's name, then entries. A field of 0 means something valid, so that valid maps
 * are not rare. */
#include <string.h>

#include "fuzz.h"
#include "map/counter_types.h"
#include "map/model.h"
#include "mapping.h"
#include "titles/title_text.h"

enum { MAX_ENTRIES = 40, MAX_TEXTS = 3 * MAX_ENTRIES + 1, LINE_CHARS = 1024 };

/* Texts of the current table, each in an allocation of exactly its size. */
static void *texts[MAX_TEXTS];
static size_t text_count;

/* ---- Making a table ---- */

static wchar_t *keep_wide(const wchar_t *chars, size_t count)
{
    wchar_t *text = fuzz_memory((count + 1) * sizeof *text);

    memcpy(text, chars, count * sizeof *text);
    text[count] = 0;
    texts[text_count++] = text;
    return text;
}

/* Make a text of the kind that the next byte chooses: 0 is a unique text made from `number`, up to
 * 0xDF is a short text from an alphabet, and the rest is a long text or NULL. */
static const wchar_t *make_wide(fuzz_input *input, unsigned number)
{
    static const wchar_t alphabet[] = {'a',    'B',    'b',    ' ',    '_',    '(', '/',    '"',
                                       '%',    '#',    0xE9,   0xC9,   0x17F,  's', 0x212A, 'k',
                                       0xD800, 0xDC00, 0xFEFF, 0xFFFF, '\n',   '=', '[',    ']',
                                       '.',    '\\',   0x7F,   '*',    0x2028, 'N', '1',    0};
    static const uint16_t lengths[] = {127, 128, 900, 901, 2000, 126, 899, 64};
    const uint8_t kind = fuzz_u8(input);
    wchar_t chars[2000];
    size_t count = 0;

    if (kind == 0xFF)
        return NULL;
    if (kind == 0) {
        char narrow[16];

        count = (size_t)snprintf(narrow, sizeof narrow, "N%u", number);
        for (size_t i = 0; i < count; i++)
            chars[i] = (wchar_t)narrow[i];
    } else if (kind < 0xE0) {
        for (; count < kind % 12u; count++)
            chars[count] = alphabet[fuzz_u8(input) % 32];
    } else {
        wchar_t unit = alphabet[fuzz_u8(input) % 32];

        for (; count < lengths[kind % 8]; count++)
            chars[count] = unit ? unit : 'x';
    }
    return keep_wide(chars, count);
}

static const char *make_narrow(fuzz_input *input, const char *start, unsigned number)
{
    static const char alphabet[] = "aA_zZ09.- bconCON1\x80\"=";
    const uint8_t kind = fuzz_u8(input);
    char chars[128];
    size_t count = 0;
    char *text;

    if (kind == 0xFF)
        return NULL;
    if (kind == 0) {
        count = (size_t)snprintf(chars, sizeof chars, "%s%u", start, number);
    } else if (kind < 0xF0) {
        for (; count < kind % 12u; count++)
            chars[count] = alphabet[fuzz_u8(input) % (sizeof alphabet - 1)];
    } else {
        count = 60u + kind % 30u;
        memset(chars, 'x', count);
    }
    text = fuzz_memory(count + 1);
    memcpy(text, chars, count);
    text[count] = 0;
    texts[text_count++] = text;
    return text;
}

static uint32_t choose(fuzz_input *input, const uint32_t *choices, size_t count)
{
    uint8_t byte = fuzz_u8(input);

    return byte == 0xFF ? fuzz_u32(input) : choices[byte % count];
}

#define CHOOSE(input, ...)                                                                         \
    choose(input, (const uint32_t[]){__VA_ARGS__},                                                 \
           sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void make_object(fuzz_input *input, prfdata_map_entry *entry, uint32_t index)
{
    entry->max_instances = (int32_t)CHOOSE(input, UINT32_MAX, 4, 65535, 0, 65536, 1, 1000, 16);
    entry->max_name_chars = CHOOSE(input, 10, 0, 244, 245, 255, 256, 1, 40);
    entry->default_counter = CHOOSE(input, 0, 1, 2, 3, index + 1001);
}

static void make_counter(fuzz_input *input, prfdata_map_entry *entry)
{
    uint8_t type = fuzz_u8(input);

    entry->default_scale = (int32_t)CHOOSE(input, 0, 7, 8, UINT32_MAX, (uint32_t)-7, (uint32_t)-8);
    entry->type = type == 0xFF ? fuzz_u32(input)
                               : prfdata_counter_types_at(type % PRFDATA_COUNTER_TYPE_COUNT)->type;
}

/* Make a name and a unit. Most are valid. */
static void make_metric(fuzz_input *input, prfdata_map_entry *entry)
{
    static const wchar_t *const names[] = {L"a", L"a_bytes", L"a_overall",
                                           L"b", L"a_count", L"s_s1"};
    static const wchar_t *const metric_units[] = {L"", L"bytes", L"seconds", L"ratio", L"percent"};
    const uint8_t name = fuzz_u8(input);
    const uint8_t unit = fuzz_u8(input);

    entry->name = name < 0x80 ? names[name % 6] : make_wide(input, name);
    entry->help = unit < 0x80 ? metric_units[unit % 5] : make_wide(input, unit);
}

/* Make a distribution, or an option that shows one. Most are valid. */
static void make_distribution(fuzz_input *input, prfdata_map_entry *entry)
{
    static const uint64_t bounds[] = {1, 10, 1000, 1000000000, 0, UINT64_MAX, 5000, 10000};
    static const uint32_t options[] = {PRFDATA_OPTION_DISTRIBUTION, PRFDATA_OPTION_PERCENTILE,
                                       PRFDATA_OPTION_MEAN, PRFDATA_OPTION_SUM,
                                       PRFDATA_OPTION_AT_MOST};
    const uint8_t which = fuzz_u8(input);

    entry->option = options[which % 5];
    entry->id = 3000u + which / 5u % 4u;
    entry->highest = bounds[fuzz_u8(input) % 8];
    if (entry->option != PRFDATA_OPTION_DISTRIBUTION)
        return;
    entry->lowest = bounds[fuzz_u8(input) % 8];
    entry->unit = CHOOSE(input, 1, 2, 3, 0, 4);
    entry->buckets_per_octave = CHOOSE(input, 8, 4, 16, 32, 0, 5, 64);
    entry->window_s = CHOOSE(input, 60, 1, 3600, 0, 3601);
}

static void make_entry(fuzz_input *input, prfdata_map_entry *entry, uint32_t index, uint8_t kind)
{
    memset(entry, 0, sizeof *entry);
    entry->kind = kind % 8 < 2   ? PRFDATA_ENTRY_OBJECT
                  : kind % 8 < 5 ? PRFDATA_ENTRY_COUNTER
                  : kind % 8 < 7 ? PRFDATA_ENTRY_OPTION
                                 : kind / 8u;
    if (entry->kind == PRFDATA_ENTRY_OPTION) {
        entry->symbol = "OPTION";
        if (kind >= 0xE0) {
            entry->option = PRFDATA_OPTION_METRIC;
            make_metric(input, entry);
            return;
        }
        if (kind >= 0xC0) {
            make_distribution(input, entry);
            return;
        }
        entry->option =
            CHOOSE(input, PRFDATA_OPTION_TOTAL, PRFDATA_OPTION_COSTLY, PRFDATA_OPTION_PER_PROCESS,
                   PRFDATA_OPTION_PARENT, PRFDATA_OPTION_ACCUMULATING, PRFDATA_OPTION_MERGE_MAX, 3,
                   PRFDATA_OPTION_TOTAL_MEAN, PRFDATA_OPTION_HOT);
        entry->id = entry->option == PRFDATA_OPTION_PARENT ? 1000u + fuzz_u8(input) % 8u : 0;
        return;
    }
    entry->id = CHOOSE(input, index + 1000, 1, 2, 3, 0);
    entry->symbol = make_narrow(input, "S", index);
    entry->name = make_wide(input, index);
    entry->help = make_wide(input, index);
    entry->detail_level = CHOOSE(input, 100, 200, 300, 400, 0, 101);
    if (entry->kind == PRFDATA_ENTRY_OBJECT)
        make_object(input, entry, index);
    else
        make_counter(input, entry);
}

/* Give objects without a default counter their first counter as the default. */
static void choose_defaults(prfdata_map_entry *entries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].kind != PRFDATA_ENTRY_OBJECT || entries[i].default_counter)
            continue;
        for (uint32_t k = i + 1; k < count && !entries[i].default_counter; k++)
            if (entries[k].kind == PRFDATA_ENTRY_COUNTER)
                entries[i].default_counter = entries[k].id;
    }
}

static void make_map(fuzz_input *input, prfdata_map *map)
{
    prfdata_map_entry entries[MAX_ENTRIES];
    prfdata_map_entry *exact;
    uint32_t count = 0;

    text_count = 0;
    map->service = make_narrow(input, "Svc", 1);
    while (input->size > 0 && count < MAX_ENTRIES) {
        make_entry(input, &entries[count], count, fuzz_u8(input));
        count++;
    }
    choose_defaults(entries, count);
    exact = fuzz_memory(count * sizeof *exact);
    memcpy(exact, entries, count * sizeof *exact);
    map->entries = exact;
    map->entry_count = count;
    map->entry_bytes = sizeof *exact;
}

static void free_map(const prfdata_map *map)
{
    free((void *)(uintptr_t)map->entries);
    while (text_count > 0)
        free(texts[--text_count]);
}

/* ---- Invalid maps ---- */

/* Returns whether the bytes before the NUL are complete UTF-8 sequences. */
static bool is_utf8(const char *text)
{
    while (*text) {
        unsigned char first = (unsigned char)*text++;
        int more = first < 0x80 ? 0 : first < 0xC0 ? -1 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;

        if (more < 0)
            return false;
        while (more-- > 0)
            if (((unsigned char)*text++ & 0xC0) != 0x80)
                return false;
    }
    return true;
}

static void check_sentence(const prfdata_map_mistake *mistake, size_t capacity)
{
    char *text = fuzz_memory(capacity);
    size_t length = prfdata_map_mistake_text(mistake, text, capacity);

    FUZZ_CHECK(length > 10);
    FUZZ_CHECK(strlen(text) == (length < capacity ? length : strlen(text)));
    FUZZ_CHECK(memchr(text, 0, capacity) != NULL && is_utf8(text));
    free(text);
}

static void check_wrong(const prfdata_map *map, size_t mistake_count, size_t capacity)
{
    prfdata_map_mistake *mistakes = fuzz_memory(capacity * sizeof *mistakes);
    const size_t stored = mistake_count < capacity ? mistake_count : capacity;
    prfdata_model *model;

    FUZZ_CHECK(prfdata_map_check(map, mistakes, capacity) == mistake_count);
    for (size_t i = 0; i < stored; i++) {
        const prfdata_map_mistake *mistake = &mistakes[i];

        FUZZ_CHECK(mistake->rule > PRFDATA_MAP_RULE_NONE &&
                   mistake->rule <= PRFDATA_MAP_RULE_TOO_LARGE);
        FUZZ_CHECK(mistake->map == map && mistake->symbol && mistake->name);
        FUZZ_CHECK(mistake->entry_index <= map->entry_count);
        FUZZ_CHECK(mistake->other_index <= map->entry_count);
        check_sentence(mistake, i % 2 ? 512 : 1 + i * 7 % 80);
    }
    free(mistakes);
    FUZZ_CHECK(prfdata_model_make(map, &model) == ERROR_INVALID_PARAMETER);
}

/* ---- Title files ---- */

typedef struct map_check_lines {
    const uint8_t *at; /* UTF-16LE if unit_bytes is 2, otherwise bytes */
    size_t left;
    size_t unit_bytes;
} map_check_lines;

/* Get the next line without its CRLF. Returns its number of chars, or -1 at the end. */
static int next_line(map_check_lines *file, uint16_t *line)
{
    int count = 0;

    if (file->left == 0)
        return -1;
    for (;;) {
        uint16_t unit;

        FUZZ_CHECK(file->left >= file->unit_bytes); /* the last line must also have an end */
        unit = file->at[0];
        if (file->unit_bytes == 2)
            unit = (uint16_t)(unit | file->at[1] << 8);
        file->at += file->unit_bytes;
        file->left -= file->unit_bytes;
        if (unit == '\n')
            break;
        FUZZ_CHECK(unit != 0);
        line[count++] = unit;
        FUZZ_CHECK(count < LINE_CHARS);
    }
    FUZZ_CHECK(count > 0 && line[--count] == '\r');
    for (int i = 0; i < count; i++)
        FUZZ_CHECK(line[i] != '\r');
    return count;
}

/* Convert a string to UTF-16 without using our own code. */
static int put_wide(uint16_t *line, const wchar_t *text)
{
    int count = 0;

    for (; *text; text++) {
        uint32_t point = (uint32_t)*text;

        if (point > 0xFFFF) {
            line[count++] = (uint16_t)(0xD7C0 + (point >> 10));
            point = 0xDC00 + (point & 0x3FF);
        }
        line[count++] = (uint16_t)point;
    }
    return count;
}

static void expect_line(map_check_lines *file, const char *start, const wchar_t *rest)
{
    uint16_t expected[LINE_CHARS + 200], line[LINE_CHARS];
    int count = 0;

    for (; *start; start++)
        expected[count++] = (unsigned char)*start;
    if (rest)
        count += put_wide(expected + count, rest);
    FUZZ_CHECK(next_line(file, line) == count);
    FUZZ_CHECK(!memcmp(line, expected, (size_t)count * sizeof line[0]));
}

static bool has_title(const prfdata_map *map, uint32_t index)
{
    const prfdata_counter_type *type = prfdata_counter_types_find(map->entries[index].type);

    if (map->entries[index].kind != PRFDATA_ENTRY_COUNTER)
        return map->entries[index].kind == PRFDATA_ENTRY_OBJECT;
    return !(type->flags & PRFDATA_TYPE_BASE);
}

static void expect_key(map_check_lines *file, const prfdata_map_entry *entry, const char *kind,
                       const wchar_t *text)
{
    char key[128];

    snprintf(key, sizeof key, "%s_009_%s=", entry->symbol, kind);
    expect_line(file, key, text);
}

static void check_ini(const prfdata_map *map, const prfdata_model *model)
{
    static const prfdata_title_languages english_only;
    char service[128];
    void *bytes;
    size_t size;
    map_check_lines file;

    FUZZ_CHECK(!prfdata_title_text_ini(model, &english_only, &bytes, &size));
    FUZZ_CHECK(size >= 2 && size % 2 == 0 && !memcmp(bytes, "\xFF\xFE", 2));
    file.at = (uint8_t *)bytes + 2;
    file.left = size - 2;
    file.unit_bytes = 2;
    expect_line(&file, "", NULL);
    expect_line(&file, "[info]", NULL);
    snprintf(service, sizeof service, "drivername=%s", map->service);
    expect_line(&file, service, NULL);
    snprintf(service, sizeof service, "symbolfile=%s.h", map->service);
    expect_line(&file, service, NULL);
    expect_line(&file, "", NULL);
    expect_line(&file, "[objects]", NULL);
    for (uint32_t i = 0; i < map->entry_count; i++)
        if (map->entries[i].kind == PRFDATA_ENTRY_OBJECT)
            expect_key(&file, &map->entries[i], "NAME", NULL);
    expect_line(&file, "", NULL);
    expect_line(&file, "[languages]", NULL);
    expect_line(&file, "009=English", NULL);
    expect_line(&file, "", NULL);
    expect_line(&file, "[text]", NULL);
    for (uint32_t i = 0; i < map->entry_count; i++) {
        if (!has_title(map, i))
            continue;
        expect_key(&file, &map->entries[i], "NAME", map->entries[i].name);
        expect_key(&file, &map->entries[i], "HELP", map->entries[i].help);
    }
    FUZZ_CHECK(file.left == 0);
    free(bytes);
}

static void check_header(const prfdata_map *map, const prfdata_model *model)
{
    unsigned offset = 0;
    void *bytes;
    size_t size;
    map_check_lines file;

    FUZZ_CHECK(!prfdata_title_text_header(model, &bytes, &size));
    file.at = bytes;
    file.left = size;
    file.unit_bytes = 1;
    for (uint32_t i = 0; i < map->entry_count; i++) {
        char line[128];

        if (!has_title(map, i))
            continue;
        snprintf(line, sizeof line, "#define %s %u", map->entries[i].symbol, offset);
        expect_line(&file, line, NULL);
        offset += 2;
    }
    FUZZ_CHECK(file.left == 0);
    free(bytes);
}

/* Check that no two titles have the same key, ignoring case. */
static void check_keys(const prfdata_map *map)
{
    for (uint32_t i = 0; i < map->entry_count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const char *a = map->entries[i].symbol, *b = map->entries[k].symbol;

            if (!has_title(map, i) || !has_title(map, k))
                continue;
            while (*a && *b && (*a == *b || ((*a | 32) == (*b | 32) && (*a | 32) >= 'a'))) {
                a++;
                b++;
            }
            FUZZ_CHECK(*a || *b);
        }
}

/* ---- Valid maps ---- */

static void check_right(const prfdata_map *map)
{
    size_t size, again_size;
    uint8_t *bytes = mapping_encode(map, &size), *again;
    prfdata_model *decoded;
    prfdata_model *model;

    FUZZ_CHECK(!prfdata_model_from_bytes(bytes, size, &decoded));
    again = mapping_encode(decoded->map, &again_size);
    FUZZ_CHECK(again_size == size && !memcmp(again, bytes, size));
    mapping_check_model(map);
    FUZZ_CHECK(!prfdata_model_make(map, &model));
    FUZZ_CHECK(decoded->hash == model->hash);
    check_ini(map, model);
    check_header(map, model);
    check_keys(map);
    prfdata_model_free(model);
    prfdata_model_free(decoded);
    free(again);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_input input = {bytes, size};
    size_t mistake_count;
    prfdata_map map;

    make_map(&input, &map);
    mistake_count = prfdata_map_check(&map, NULL, 0);
    if (mistake_count == 0)
        check_right(&map);
    else
        check_wrong(&map, mistake_count, size % 3 ? mistake_count : mistake_count / 2);
    free_map(&map);
    return 0;
}
