/* SPDX-License-Identifier: MIT */
/* Compares the decoder of encoded maps with a second one that was written from docs/map-bytes.md
 * only. Both must accept the same bytes and find the same map. If the minor version of the bytes is
 * 0, encoding the map again must give the same bytes.
 *
 * Input: one byte, then the map. Bit 0 of the byte: the target corrects magic, version and
 * total_bytes before it decodes. Bit 1: it corrects the hash, too, if the entries can be read. */
#include <string.h>

#include "fuzz.h"
#include "map/counter_types.h"
#include "map/model.h"
#include "mapping.h"

enum { MEND_HEADER = 0x01, MEND_HASH = 0x02, MAX_ENTRIES = 512, MAX_TEXT = 2048 };

/* ---- The second decoder ---- */

typedef struct bytes_left {
    const uint8_t *at;
    size_t size;
    bool failed; /* whether a read went beyond the end */
} bytes_left;

typedef struct map_bytes_text {
    const uint8_t *bytes;
    uint32_t size;
} map_bytes_text;

typedef struct map_bytes_entry {
    uint8_t kind;
    uint32_t id;
    uint32_t words[4]; /* the words between the id and the texts */
    map_bytes_text symbol, name, help;
    uint32_t option;
    /* Bounds of a distribution; other options have an argument in `highest` */
    uint64_t lowest, highest;
    uint32_t unit, per_octave, window_s;
} map_bytes_entry;

typedef struct decoded {
    map_bytes_text service;
    map_bytes_entry entries[MAX_ENTRIES];
    uint32_t count;
} decoded;

static uint32_t get(bytes_left *left, size_t size)
{
    uint32_t value = 0;

    if (left->size < size) {
        left->failed = true;
        return 0;
    }
    for (size_t i = 0; i < size; i++)
        value |= (uint32_t)left->at[i] << 8 * i;
    left->at += size;
    left->size -= size;
    return value;
}

static map_bytes_text get_text(bytes_left *left)
{
    map_bytes_text found = {NULL, get(left, 2)};

    if (left->size < found.size) {
        left->failed = true;
        found.size = 0;
        return found;
    }
    found.bytes = left->at;
    left->at += found.size;
    left->size -= found.size;
    return found;
}

static uint64_t get_wide(bytes_left *left)
{
    const uint64_t low = get(left, 4);

    return low | (uint64_t)get(left, 4) << 32;
}

/* Read the fields after the id of an option, except the texts of a metric. */
static void get_numbers(bytes_left *left, map_bytes_entry *found)
{
    if (found->option == 0x1000) {
        found->lowest = get_wide(left);
        found->highest = get_wide(left);
        found->unit = get(left, 4);
        found->per_octave = get(left, 4);
        found->window_s = get(left, 4);
    } else if (found->option == 0x10000 || found->option == 0x80000) {
        found->highest = get_wide(left);
    }
}

static void get_entry(bytes_left *left, map_bytes_entry *found)
{
    const size_t words[] = {0, 4, 3, 0};

    memset(found, 0, sizeof *found);
    found->kind = (uint8_t)get(left, 1);
    if (found->kind < 1 || found->kind > 3) {
        left->failed = true;
        return;
    }
    if (found->kind == 3)
        found->option = get(left, 4);
    found->id = get(left, 4);
    for (size_t i = 0; i < words[found->kind]; i++)
        found->words[i] = get(left, 4);
    if (found->kind == 3)
        get_numbers(left, found);
    if (found->kind == 3 && found->option != 0x10)
        return;
    if (found->kind != 3)
        found->symbol = get_text(left);
    found->name = get_text(left);
    found->help = get_text(left);
}

/* Read the entries by rules M6 to M9 of docs/map-bytes.md. Returns false if they cannot be read. */
static bool get_entries(const uint8_t *bytes, size_t size, decoded *map)
{
    bytes_left left = {bytes + 24, size - 24, false};
    uint32_t count;

    memcpy(&count, bytes + 12, 4);
    map->service = get_text(&left);
    if (count > MAX_ENTRIES)
        return false;
    for (map->count = 0; map->count < count && !left.failed; map->count++)
        get_entry(&left, &map->entries[map->count]);
    return !left.failed && (left.size == 0 || bytes[6] || bytes[7]);
}

/* Apply M10 to a name or help text. Returns how many elements `wide` gets, or -1. */
static int widen(map_bytes_text from, wchar_t *wide)
{
    int used = 0;

    for (uint32_t i = 0; i < from.size;) {
        static const uint32_t least[] = {1, 1, 0x80, 0x800, 0x10000};
        uint8_t first = from.bytes[i];
        uint32_t bytes = first < 0x80   ? 1
                         : first < 0xC0 ? 0
                         : first < 0xE0 ? 2
                         : first < 0xF0 ? 3
                         : first < 0xF8 ? 4
                                        : 0;
        uint32_t point = bytes == 1 ? first : first & (0x7Fu >> bytes);

        if (bytes == 0 || bytes > from.size - i)
            return -1;
        for (uint32_t k = 1; k < bytes; k++) {
            if ((from.bytes[i + k] & 0xC0) != 0x80)
                return -1;
            point = point << 6 | (from.bytes[i + k] & 0x3F);
        }
        if (point < least[bytes] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
            return -1;
        if (sizeof(wchar_t) == 2 && point > 0xFFFF) {
            wide[used++] = (wchar_t)(0xD800 + ((point - 0x10000) >> 10));
            point = 0xDC00 + (point & 0x3FF);
        }
        wide[used++] = (wchar_t)point;
        i += bytes;
    }
    wide[used] = 0;
    return used;
}

/* ---- The hash of the second decoder ---- */

static void hash_bytes(uint64_t *hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3u;
}

static void hash_number(uint64_t *hash, uint32_t number)
{
    hash_bytes(hash, &number, 4);
}

static void hash_text(uint64_t *hash, map_bytes_text from)
{
    hash_number(hash, from.size);
    hash_bytes(hash, from.bytes, from.size);
}

/* Return the options after an entry as bits, and the id of the parent. */
static uint32_t options_of(const decoded *map, uint32_t index, uint32_t *parent)
{
    uint32_t options = 0;

    for (uint32_t k = index + 1; k < map->count && map->entries[k].kind == 3; k++) {
        options |= map->entries[k].option;
        if (map->entries[k].option == 0x800)
            *parent = map->entries[k].id;
    }
    return options;
}

static uint32_t class_of(prfdata_merging merge, uint32_t options)
{
    if (options & 0x1)
        return 1;
    if (options & 0x2)
        return 2;
    switch (merge) {
    case PRFDATA_MERGING_ACCUMULATE:
        return 1;
    case PRFDATA_MERGING_SUM:
    case PRFDATA_MERGING_MAX:
        return 2;
    case PRFDATA_MERGING_NEWEST:
        return 3;
    case PRFDATA_MERGING_OLDEST_START:
        return 4;
    case PRFDATA_MERGING_NOTHING:
        break;
    }
    return 0;
}

static void hash_wide(uint64_t *hash, uint64_t number)
{
    hash_number(hash, (uint32_t)number);
    hash_number(hash, (uint32_t)(number >> 32));
}

/* Return the option by which a counter shows a distribution, or NULL. */
static const map_bytes_entry *shown_by(const decoded *map, uint32_t index)
{
    for (uint32_t k = index + 1; k < map->count && map->entries[k].kind == 3; k++)
        if (map->entries[k].option & 0xF0000)
            return &map->entries[k];
    return NULL;
}

static void hash_shown(uint64_t *hash, const map_bytes_entry *shown)
{
    hash_number(hash, shown->option);
    hash_number(hash, shown->id);
    hash_wide(hash, shown->highest);
}

/* Return the number of a bucket (docs/region-format.md, "Buckets"): 2^b buckets with one value
 * each, then 2^b in each octave. */
static uint32_t bucket_number(uint32_t b, uint64_t value)
{
    uint32_t octaves = 0;

    while (value >> octaves >= (uint64_t)2 << b)
        octaves++;
    return value >> b == 0 ? (uint32_t)value : (octaves << b) + (uint32_t)(value >> octaves);
}

/* Return the factor that rule E1 of docs/region-format.md defines. */
static uint32_t epoch_factor(uint32_t window_s)
{
    const uint64_t quarter_units = ((uint64_t)window_s * 1000 + 1023) / 1024;

    return quarter_units > 0 ? (uint32_t)(UINT32_MAX / quarter_units) : 0;
}

static void hash_distribution(uint64_t *hash, const map_bytes_entry *d)
{
    uint32_t b = 0;

    while (b < 31 && 1u << b < d->per_octave)
        b++;
    hash_number(hash, 0x1000);
    hash_number(hash, d->id);
    hash_number(hash, d->unit);
    hash_number(hash, b);
    hash_number(hash, bucket_number(b, d->lowest));
    hash_number(hash, bucket_number(b, d->highest) - bucket_number(b, d->lowest) + 1);
    hash_number(hash, epoch_factor(d->window_s));
}

static void hash_distributions(uint64_t *hash, const decoded *map, uint32_t index)
{
    for (uint32_t k = index + 1; k < map->count && map->entries[k].kind == 3; k++)
        if (map->entries[k].option == 0x1000)
            hash_distribution(hash, &map->entries[k]);
}

/* Hash a counter. `before` is the counter before it, or NULL. The hash of an invalid map does not
 * matter, because the map is refused anyway. */
static void hash_counter(uint64_t *hash, const decoded *map, uint32_t index,
                         const map_bytes_entry *before)
{
    static const prfdata_counter_type none;
    const prfdata_counter_type *type = prfdata_counter_types_find(map->entries[index].words[2]);
    const prfdata_counter_type *fraction =
        before ? prfdata_counter_types_find(before->words[2]) : NULL;
    const bool is_base = type && (type->flags & PRFDATA_TYPE_BASE) != 0;
    uint32_t parent;
    uint32_t options = options_of(map, index, &parent);
    const map_bytes_entry *shown = shown_by(map, index);

    if (!type)
        type = &none;
    if (is_base && fraction) {
        options = options_of(map, (uint32_t)(before - map->entries), &parent);
        shown = shown_by(map, (uint32_t)(before - map->entries));
    }
    hash_number(hash, is_base);
    if (is_base && fraction && (fraction->flags & PRFDATA_TYPE_STAMPED)) {
        hash_number(hash, 3);
        hash_number(hash, fraction->ticks);
    } else {
        hash_number(hash, class_of(type->merging, options));
        hash_number(hash, type->ticks);
    }
    if (options & 0x8)
        hash_number(hash, 8);
    if (shown && class_of(type->merging, options) == 1)
        hash_shown(hash, shown);
}

static uint64_t hash_of(const decoded *map)
{
    uint64_t hash = 0xCBF29CE484222325u;
    const map_bytes_entry *before = NULL;
    uint32_t object = UINT32_MAX;

    hash_text(&hash, map->service);
    for (uint32_t i = 0; i < map->count; i++) {
        const map_bytes_entry *e = &map->entries[i];
        uint32_t parent = 0;
        const uint32_t options = options_of(map, i, &parent);
        const bool has_instances = e->words[2] != UINT32_MAX;

        if (e->kind == 3)
            continue;
        if (e->kind == 1 && object != UINT32_MAX)
            hash_distributions(&hash, map, object);
        if (e->kind == 1)
            object = i;
        hash_number(&hash, e->kind);
        hash_number(&hash, e->id);
        if (e->kind == 1) {
            hash_number(&hash, has_instances);
            hash_number(&hash, (options & 0x100) != 0);
            hash_number(&hash, !has_instances    ? 0
                               : options & 0x100 ? e->words[3] + 11
                                                 : e->words[3]);
            hash_number(&hash, parent);
            before = NULL;
        } else {
            hash_counter(&hash, map, i, before);
            before = e;
        }
    }
    if (object != UINT32_MAX)
        hash_distributions(&hash, map, object);
    return hash ? hash : 1;
}

/* ---- The verdict of the second decoder ---- */

static wchar_t wide_texts[MAX_ENTRIES][2][MAX_TEXT];
static char symbols[MAX_ENTRIES][MAX_TEXT];
static char service[MAX_TEXT];
static prfdata_map_entry table[MAX_ENTRIES];

static bool narrow(map_bytes_text from, char *chars)
{
    if (from.size >= MAX_TEXT || memchr(from.size ? (const char *)from.bytes : "x", 0, from.size))
        return false;
    if (from.size)
        memcpy(chars, from.bytes, from.size);
    chars[from.size] = 0;
    return true;
}

/* Build the map that the bytes describe. Returns false if a text is invalid (M10). */
static bool build(const decoded *from, prfdata_map *map)
{
    memset(table, 0, from->count * sizeof table[0]);
    for (uint32_t i = 0; i < from->count; i++) {
        const map_bytes_entry *e = &from->entries[i];

        table[i].kind = e->kind;
        table[i].id = e->id;
        table[i].option = e->option;
        table[i].symbol = "";
        table[i].lowest = e->lowest;
        table[i].highest = e->highest;
        table[i].unit = e->unit;
        table[i].buckets_per_octave = e->per_octave;
        table[i].window_s = e->window_s;
        if (e->kind == 3 && e->option != 0x10)
            continue;
        if (!narrow(e->symbol, symbols[i]) || widen(e->name, wide_texts[i][0]) < 0 ||
            widen(e->help, wide_texts[i][1]) < 0)
            return false;
        table[i].symbol = e->kind == 3 ? "" : symbols[i];
        table[i].name = wide_texts[i][0];
        table[i].help = wide_texts[i][1];
        table[i].detail_level = e->words[0];
        if (e->kind == 1) {
            table[i].default_counter = e->words[1];
            table[i].max_instances = (int32_t)e->words[2];
            table[i].max_name_chars = e->words[3];
        } else {
            table[i].default_scale = (int32_t)e->words[1];
            table[i].type = e->words[2];
        }
    }
    map->entry_bytes = sizeof table[0];
    map->entry_count = from->count;
    map->entries = table;
    map->service = service;
    return narrow(from->service, service);
}

/* ---- The target ---- */

static void mend(uint8_t *bytes, size_t size, uint8_t how, decoded *map)
{
    static const uint8_t start[] = {'P', 'R', 'F', 'M', 1, 0};
    const uint32_t total = (uint32_t)size;

    if (size < 24)
        return;
    if (how & MEND_HEADER) {
        memcpy(bytes, start, sizeof start);
        memcpy(bytes + 8, &total, sizeof total);
    }
    if ((how & MEND_HASH) && get_entries(bytes, size, map)) {
        uint64_t hash = hash_of(map);

        memcpy(bytes + 16, &hash, sizeof hash);
    }
}

static uint32_t expect(const uint8_t *bytes, size_t size, decoded *map, prfdata_map *built)
{
    uint64_t hash;

    if (size < 24 || memcmp(bytes, "PRFM", 4))
        return ERROR_INVALID_DATA;
    if (bytes[4] != 1 || bytes[5])
        return ERROR_REVISION_MISMATCH;
    if ((bytes[8] | bytes[9] << 8 | bytes[10] << 16) != (int)size || bytes[11])
        return ERROR_INVALID_DATA;
    if (!get_entries(bytes, size, map) || !build(map, built))
        return ERROR_INVALID_DATA;
    hash = hash_of(map);
    if (memcmp(bytes + 16, &hash, 8) || prfdata_map_check(built, NULL, 0) != 0)
        return ERROR_INVALID_DATA;
    return ERROR_SUCCESS;
}

static void check_same(const prfdata_map *a, const prfdata_map *b)
{
    FUZZ_CHECK(a->entry_count == b->entry_count && !strcmp(a->service, b->service));
    for (uint32_t i = 0; i < a->entry_count; i++) {
        const prfdata_map_entry *x = &a->entries[i];
        const prfdata_map_entry *y = &b->entries[i];

        FUZZ_CHECK(x->kind == y->kind && x->id == y->id && x->option == y->option);
        FUZZ_CHECK(x->detail_level == y->detail_level && x->type == y->type);
        FUZZ_CHECK(x->default_counter == y->default_counter);
        FUZZ_CHECK(x->max_instances == y->max_instances);
        FUZZ_CHECK(x->max_name_chars == y->max_name_chars);
        FUZZ_CHECK(x->default_scale == y->default_scale);
        FUZZ_CHECK(x->lowest == y->lowest && x->highest == y->highest && x->unit == y->unit);
        FUZZ_CHECK(x->buckets_per_octave == y->buckets_per_octave);
        FUZZ_CHECK(x->window_s == y->window_s);
        if (x->kind != PRFDATA_ENTRY_OPTION)
            FUZZ_CHECK(!strcmp(x->symbol, y->symbol));
        else if (x->option != PRFDATA_OPTION_METRIC)
            continue;
        FUZZ_CHECK(!wcscmp(x->name, y->name) && !wcscmp(x->help, y->help));
    }
}

static void check_accepted(const uint8_t *bytes, size_t size, const prfdata_map *map)
{
    size_t again_bytes;
    uint8_t *again = mapping_encode(map, &again_bytes);

    if (bytes[6] == 0 && bytes[7] == 0) /* minor version 0 has exactly one encoding */
        FUZZ_CHECK(again_bytes == size && !memcmp(again, bytes, size));
    FUZZ_CHECK(!memcmp(again + 16, bytes + 16, 8));
    mapping_check_model(map);
    free(again);
}

/* Returns whether the mistake breaks a rule that readers do not check, because it is only for
 * people who make maps. */
static bool is_about_texts(const prfdata_map_mistake *mistake)
{
    switch (mistake->rule) {
    case PRFDATA_MAP_RULE_SERVICE_NAME:
    case PRFDATA_MAP_RULE_SYMBOL:
    case PRFDATA_MAP_RULE_NAME_LENGTH:
    case PRFDATA_MAP_RULE_NAME_CHARACTERS:
    case PRFDATA_MAP_RULE_DUPLICATE_NAME:
    case PRFDATA_MAP_RULE_WMI_NAME:
    case PRFDATA_MAP_RULE_HELP_LENGTH:
    case PRFDATA_MAP_RULE_HELP_CHARACTERS:
    case PRFDATA_MAP_RULE_DETAIL_LEVEL:
    case PRFDATA_MAP_RULE_METRIC_NAME:
    case PRFDATA_MAP_RULE_METRIC_UNIT:
    case PRFDATA_MAP_RULE_METRIC_TAKEN:
        return true;
    case PRFDATA_MAP_RULE_OPTION: /* a metric where none is allowed */
        return mistake->map->entries[mistake->entry_index].option == PRFDATA_OPTION_METRIC;
    default:
        return false;
    }
}

/* Check that a map has only mistakes about texts if prfdata_model_read() accepts it and
 * prfdata_model_from_bytes() refuses it. */
static void check_read(const uint8_t *bytes, size_t size, uint32_t expected,
                       const prfdata_map *built)
{
    static prfdata_map_mistake mistakes[4096];
    prfdata_model *model = NULL;
    const uint32_t status = prfdata_model_read(bytes, size, &model);
    size_t count;

    FUZZ_CHECK(expected || !status);
    if (!status && expected) {
        count = prfdata_map_check(built, mistakes, sizeof mistakes / sizeof mistakes[0]);
        FUZZ_CHECK(count > 0);
        for (size_t i = 0; i < count && i < sizeof mistakes / sizeof mistakes[0]; i++)
            FUZZ_CHECK(is_about_texts(&mistakes[i]));
    }
    if (!status)
        check_same(model->map, built);
    prfdata_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static decoded second;
    prfdata_map built;
    prfdata_model *model = NULL;
    uint8_t *exact;
    uint32_t status;

    if (size == 0 || size > MAX_TEXT)
        return 0;
    exact = malloc(size - 1);
    if (size > 1)
        memcpy(exact, bytes + 1, size - 1);
    mend(exact, size - 1, bytes[0], &second);
    status = prfdata_model_from_bytes(exact, size - 1, &model);
    FUZZ_CHECK(status == expect(exact, size - 1, &second, &built));
    check_read(exact, size - 1, status, &built);
    if (!status) {
        check_same(model->map, &built);
        check_accepted(exact, size - 1, model->map);
        prfdata_model_free(model);
    }
    free(exact);
    return 0;
}
