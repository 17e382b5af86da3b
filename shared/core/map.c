/* SPDX-License-Identifier: MIT */
/*
 * The check of a map: each rule is one function that reports what breaks it. A map may come from
 * a programmer or from hostile bytes; nothing here trusts a kind, a number or the presence of a
 * text. How a mistake is told is in map_mistake.c.
 */
#include <stdbool.h>
#include <string.h>

#include <prfdata/map.h>

#include "core/counter_types.h"
#include "core/map_bytes.h"
#include "core/map_entries.h"
#include "core/names.h"
#include "core/perf_wire.h"

typedef struct findings {
    const prfdata_map *map;
    prfdata_map_mistake *mistakes;
    size_t capacity;
    size_t count;
} findings;

/* ---- Reporting ---- */

static void add(findings *found, const prfdata_map_mistake *mistake)
{
    if (found->count < found->capacity)
        found->mistakes[found->count] = *mistake;
    found->count++;
}

static void report_map(findings *found, prfdata_map_rule rule)
{
    prfdata_map_mistake mistake = {rule, 0, 0, 0, "", L"", found->map};

    if (found->map) {
        mistake.entry_index = found->map->entry_count;
        mistake.other_index = found->map->entry_count;
    }
    add(found, &mistake);
}

/* `other` is the entry that `index` is in conflict with; entry_count if there is none. */
static void report_conflict(findings *found, prfdata_map_rule rule, uint32_t index, uint32_t other)
{
    const prfdata_map_entry *entry = &found->map->entries[index];
    prfdata_map_mistake mistake = {rule,          index,       other,     entry->id,
                                   entry->symbol, entry->name, found->map};

    if (entry->kind == PRFDATA_ENTRY_OPTION) {
        uint32_t target = prfdata_map_entries_target(found->map, index);
        bool has_target = target < found->map->entry_count;

        mistake.id = has_target ? found->map->entries[target].id : 0;
        mistake.name = has_target ? found->map->entries[target].name : L"";
    }
    if (!mistake.symbol)
        mistake.symbol = "";
    if (!mistake.name)
        mistake.name = L"";
    add(found, &mistake);
}

static void report(findings *found, prfdata_map_rule rule, uint32_t index)
{
    report_conflict(found, rule, index, found->map->entry_count);
}

/* ---- Characters ---- */

static bool is_letter(unsigned char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static unsigned char lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? (unsigned char)(c + ('a' - 'A')) : c;
}

static bool equal_ascii(const char *a, const char *b)
{
    while (*a != 0 && lower((unsigned char)*a) == lower((unsigned char)*b)) {
        a++;
        b++;
    }
    return lower((unsigned char)*a) == lower((unsigned char)*b);
}

/* In UTF-16 code units; where there are lone surrogates, in elements. */
static size_t text_chars(const wchar_t *text)
{
    size_t chars = prfdata_names_utf16_from_wide(text, NULL, 0);

    return chars == SIZE_MAX ? wcslen(text) : chars;
}

/* The .ini strips blanks and quotes around a text. */
static bool is_stripped_by_ini(wchar_t c)
{
    return c == L' ' || c == L'"' || c == L'\'';
}

static bool has_bad_characters(const wchar_t *text, const char *forbidden)
{
    size_t length = wcslen(text);

    if (length > 0 && (is_stripped_by_ini(text[0]) || is_stripped_by_ini(text[length - 1])))
        return true;
    for (size_t i = 0; i < length; i++) {
        uint32_t c = (uint32_t)text[i];

        if (c < 0x20 || (c >= 0x7F && c <= 0x9F))
            return true;
        if (c < 0x7F && strchr(forbidden, (int)c))
            return true;
    }
    return prfdata_names_utf16_from_wide(text, NULL, 0) == SIZE_MAX;
}

/* ---- WMI names ---- */

/*
 * WMI derives class and property names: `%` becomes Percent, `/` Per, `#` Number; everything that
 * is no ASCII letter, digit or `_` is dropped. A fraction's base is <fraction>_Base.
 */
typedef struct wmi_name {
    const wchar_t *text;
    const char *word; /* stands for the character before `text` */
    const char *end;  /* comes behind the text */
} wmi_name;

static unsigned char take_wmi(wmi_name *name)
{
    for (;;) {
        uint32_t c;

        if (*name->word != 0)
            return lower((unsigned char)*name->word++);
        c = (uint32_t)*name->text;
        if (c == 0)
            return *name->end != 0 ? lower((unsigned char)*name->end++) : 0;
        name->text++;
        if (c == '%')
            name->word = "Percent";
        else if (c == '/')
            name->word = "Per";
        else if (c == '#')
            name->word = "Number";
        else if (c < 0x80 &&
                 (is_letter((unsigned char)c) || is_digit((unsigned char)c) || c == '_'))
            return lower((unsigned char)c);
    }
}

static bool wmi_equal(const wchar_t *a_text, const char *a_end, const wchar_t *b_text,
                      const char *b_end)
{
    wmi_name a = {a_text, "", a_end};
    wmi_name b = {b_text, "", b_end};
    unsigned char c;

    do {
        c = take_wmi(&a);
        if (c != take_wmi(&b))
            return false;
    } while (c != 0);
    return true;
}

static bool wmi_is_empty(const wchar_t *text)
{
    return wmi_equal(text, "", L"", "");
}

/* What every performance class has already: Win32_Perf's properties. */
static bool wmi_is_inherited(const wchar_t *text)
{
    static const wchar_t *const properties[] = {
        L"Caption",          L"Description",        L"Name",
        L"Frequency_Object", L"Frequency_PerfTime", L"Frequency_Sys100NS",
        L"Timestamp_Object", L"Timestamp_PerfTime", L"Timestamp_Sys100NS",
    };

    for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
        if (wmi_equal(text, "", properties[i], ""))
            return true;
    }
    return false;
}

/* ---- Rules of objects and counters alike ---- */

static bool is_named(const prfdata_map_entry *entry)
{
    return entry->kind == PRFDATA_ENTRY_OBJECT || entry->kind == PRFDATA_ENTRY_COUNTER;
}

static bool has_type_flag(const prfdata_map_entry *counter, uint32_t flag)
{
    const prfdata_counter_type *type = prfdata_counter_types_find(counter->type);

    return type && (type->flags & flag) != 0;
}

/* A base has neither title nor WMI property of its own name: users call it what they like. */
static bool is_shown(const prfdata_map_entry *entry)
{
    return entry->kind == PRFDATA_ENTRY_OBJECT ||
           (entry->kind == PRFDATA_ENTRY_COUNTER && !has_type_flag(entry, PRFDATA_TYPE_BASE));
}

static bool is_identifier(const char *symbol)
{
    size_t length = 0;

    if (is_digit((unsigned char)symbol[0]))
        return false;
    while (symbol[length] != 0) {
        unsigned char c = (unsigned char)symbol[length];

        if (++length > PRFDATA_MAX_SYMBOL_CHARS || !(is_letter(c) || is_digit(c) || c == '_'))
            return false;
    }
    return length > 0;
}

static void check_texts_present(findings *found, uint32_t index)
{
    const prfdata_map_entry *entry = &found->map->entries[index];

    if (!entry->symbol || !entry->name || !entry->help)
        report(found, PRFDATA_MAP_RULE_MAP, index);
}

static void check_symbol(findings *found, uint32_t index)
{
    const prfdata_map_entry *entry = &found->map->entries[index];

    if (!entry->symbol)
        return;
    if (!is_identifier(entry->symbol)) {
        report(found, PRFDATA_MAP_RULE_SYMBOL, index);
        return;
    }
    for (uint32_t i = 0; i < index; i++) {
        const prfdata_map_entry *earlier = &found->map->entries[i];

        /* The same symbol with the same id is the same line twice: one mistake is enough. */
        if (is_named(earlier) && earlier->symbol && earlier->id != entry->id &&
            equal_ascii(earlier->symbol, entry->symbol)) {
            report_conflict(found, PRFDATA_MAP_RULE_SYMBOL, index, i);
            return;
        }
    }
}

static void check_id(findings *found, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        const prfdata_map_entry *earlier = &found->map->entries[i];

        if (is_named(earlier) && earlier->id == found->map->entries[index].id) {
            report_conflict(found, PRFDATA_MAP_RULE_DUPLICATE_ID, index, i);
            return;
        }
    }
}

static void check_name(findings *found, uint32_t index)
{
    const prfdata_map_entry *entry = &found->map->entries[index];
    size_t chars;

    if (!entry->name)
        return;
    chars = text_chars(entry->name);
    if (chars == 0 || chars > PRFDATA_MAX_NAME_CHARS)
        report(found, PRFDATA_MAP_RULE_NAME_LENGTH, index);
    if (has_bad_characters(entry->name, entry->kind == PRFDATA_ENTRY_OBJECT ? "\\()/#*" : "\\()#*"))
        report(found, PRFDATA_MAP_RULE_NAME_CHARACTERS, index);
}

static void check_help(findings *found, uint32_t index)
{
    const prfdata_map_entry *entry = &found->map->entries[index];
    size_t chars;

    if (!entry->help)
        return;
    chars = text_chars(entry->help);
    if (chars == 0 || chars > PRFDATA_MAX_HELP_CHARS)
        report(found, PRFDATA_MAP_RULE_HELP_LENGTH, index);
    if (has_bad_characters(entry->help, ""))
        report(found, PRFDATA_MAP_RULE_HELP_CHARACTERS, index);
}

static void check_detail_level(findings *found, uint32_t index)
{
    switch (found->map->entries[index].detail_level) {
    case PERF_DETAIL_NOVICE:
    case PERF_DETAIL_ADVANCED:
    case PERF_DETAIL_EXPERT:
    case PERF_DETAIL_WIZARD:
        return;
    default:
        report(found, PRFDATA_MAP_RULE_DETAIL_LEVEL, index);
    }
}

/* `first`: where the siblings begin, objects of the map or counters of one object. */
static bool check_duplicate_name(findings *found, uint32_t index, uint32_t first)
{
    const prfdata_map_entry *entry = &found->map->entries[index];

    for (uint32_t i = first; i < index; i++) {
        const prfdata_map_entry *earlier = &found->map->entries[i];

        if (earlier->kind == entry->kind && is_shown(earlier) && earlier->name &&
            prfdata_names_wide_equal(earlier->name, entry->name)) {
            report_conflict(found, PRFDATA_MAP_RULE_DUPLICATE_NAME, index, i);
            return false;
        }
    }
    return true;
}

static bool wmi_conflict(const prfdata_map *map, uint32_t a_index, uint32_t b_index)
{
    const prfdata_map_entry *a = &map->entries[a_index];
    const prfdata_map_entry *b = &map->entries[b_index];

    if (wmi_equal(a->name, "", b->name, ""))
        return true;
    return (prfdata_map_entries_has_base(map, a_index) &&
            wmi_equal(a->name, "_Base", b->name, "")) ||
           (prfdata_map_entries_has_base(map, b_index) && wmi_equal(a->name, "", b->name, "_Base"));
}

static void check_wmi_name(findings *found, uint32_t index, uint32_t first)
{
    const prfdata_map_entry *entry = &found->map->entries[index];

    if (wmi_is_empty(entry->name) ||
        (entry->kind == PRFDATA_ENTRY_COUNTER && wmi_is_inherited(entry->name))) {
        report(found, PRFDATA_MAP_RULE_WMI_NAME, index);
        return;
    }
    for (uint32_t i = first; i < index; i++) {
        const prfdata_map_entry *earlier = &found->map->entries[i];

        if (earlier->kind == entry->kind && is_shown(earlier) && earlier->name &&
            wmi_conflict(found->map, index, i)) {
            report_conflict(found, PRFDATA_MAP_RULE_WMI_NAME, index, i);
            return;
        }
    }
}

static void check_unique_name(findings *found, uint32_t index, uint32_t first)
{
    const prfdata_map_entry *entry = &found->map->entries[index];

    /* An empty name has been reported; names that are equal are equal for WMI too. */
    if (!entry->name || entry->name[0] == 0 || !is_shown(entry))
        return;
    if (check_duplicate_name(found, index, first))
        check_wmi_name(found, index, first);
}

static void check_named(findings *found, uint32_t index, uint32_t first_sibling)
{
    check_texts_present(found, index);
    check_symbol(found, index);
    check_id(found, index);
    check_name(found, index);
    check_unique_name(found, index, first_sibling);
    check_help(found, index);
    check_detail_level(found, index);
}

/* ---- Rules of objects ---- */

static bool has_instances(const prfdata_map_entry *object)
{
    return object->max_instances != PERF_NO_INSTANCES;
}

static uint32_t count_kind(const prfdata_map *map, uint32_t first, uint32_t end, uint32_t kind)
{
    uint32_t count = 0;

    for (uint32_t i = first; i < end; i++)
        count += map->entries[i].kind == kind;
    return count;
}

static void check_counter_count(findings *found, uint32_t index, uint32_t end)
{
    uint32_t count = count_kind(found->map, index, end, PRFDATA_ENTRY_COUNTER);

    if (count == 0)
        report(found, PRFDATA_MAP_RULE_NO_COUNTER, index);
    if (count > PRFDATA_MAX_COUNTERS)
        report(found, PRFDATA_MAP_RULE_TOO_MANY, index);
}

static void check_default_counter(findings *found, uint32_t index, uint32_t end)
{
    const prfdata_map *map = found->map;
    bool has_counter = false;

    for (uint32_t i = index + 1; i < end; i++) {
        const prfdata_map_entry *counter = &map->entries[i];

        if (counter->kind != PRFDATA_ENTRY_COUNTER)
            continue;
        has_counter = true;
        if (counter->id == map->entries[index].default_counter && is_shown(counter) &&
            counter->type != PERF_COUNTER_NODATA)
            return;
    }
    if (has_counter) /* else NO_COUNTER says it */
        report(found, PRFDATA_MAP_RULE_DEFAULT_COUNTER, index);
}

static uint64_t round_up_8(uint64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* What the provider emits for this object when every instance exists and has the longest name. */
static uint64_t reply_bytes(const prfdata_map *map, uint32_t index, uint32_t end)
{
    const prfdata_map_entry *object = &map->entries[index];
    uint64_t instances = (uint64_t)object->max_instances;
    uint64_t name_bytes = 2 * (prfdata_map_entries_name_chars(map, index) + 1);
    uint64_t definitions = sizeof(prfdata_perf_object_type);
    uint32_t block_bytes = sizeof(prfdata_perf_counter_block);

    for (uint32_t i = index + 1; i < end; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_find(map->entries[i].type);

        if (map->entries[i].kind != PRFDATA_ENTRY_COUNTER)
            continue;
        definitions += sizeof(prfdata_perf_counter_definition);
        if (type)
            prfdata_counter_types_place(type, &block_bytes);
    }
    if (prfdata_map_entries_options(map, index, NULL) & PRFDATA_OPTION_TOTAL)
        instances++;
    return definitions +
           instances * (round_up_8(sizeof(prfdata_perf_instance_definition) + name_bytes) +
                        round_up_8(block_bytes));
}

static void check_capacity(findings *found, uint32_t index, uint32_t end)
{
    const prfdata_map *map = found->map;
    const prfdata_map_entry *object = &map->entries[index];
    bool name_fits = object->max_name_chars > 0 &&
                     prfdata_map_entries_name_chars(map, index) <= PRFDATA_MAX_INSTANCE_NAME_CHARS;

    if (!has_instances(object))
        return;
    if (object->max_instances < 1 || object->max_instances > PRFDATA_MAX_INSTANCES)
        report(found, PRFDATA_MAP_RULE_CAPACITY, index);
    else if (name_fits && reply_bytes(map, index, end) > PRFDATA_MAX_OBJECT_BYTES)
        report(found, PRFDATA_MAP_RULE_CAPACITY, index);
    if (!name_fits)
        report(found, PRFDATA_MAP_RULE_INSTANCE_NAME, index);
}

static void check_object(findings *found, uint32_t index)
{
    uint32_t end = prfdata_map_entries_object_end(found->map, index);

    check_named(found, index, 0);
    check_counter_count(found, index, end);
    check_default_counter(found, index, end);
    check_capacity(found, index, end);
}

/* ---- Rules of counters ---- */

static void check_base_missing(findings *found, uint32_t index)
{
    if (has_type_flag(&found->map->entries[index], PRFDATA_TYPE_NEEDS_BASE) &&
        !prfdata_map_entries_has_base(found->map, index))
        report(found, PRFDATA_MAP_RULE_BASE_MISSING, index);
}

static void check_base_alone(findings *found, uint32_t index)
{
    const prfdata_map *map = found->map;
    uint32_t before = prfdata_map_entries_target(map, index);

    if (!has_type_flag(&map->entries[index], PRFDATA_TYPE_BASE))
        return;
    if (before == map->entry_count || !prfdata_map_entries_has_base(map, before))
        report(found, PRFDATA_MAP_RULE_BASE_ALONE, index);
}

static void check_single_inverse(findings *found, uint32_t index, uint32_t object)
{
    uint32_t options;

    if (!has_type_flag(&found->map->entries[index], PRFDATA_TYPE_SINGLE_INVERSE))
        return;
    options = prfdata_map_entries_options(found->map, object, NULL);
    if (!(options & PRFDATA_OPTION_PER_PROCESS) || (options & PRFDATA_OPTION_TOTAL))
        report(found, PRFDATA_MAP_RULE_SINGLE_INVERSE, index);
}

static void check_type(findings *found, uint32_t index)
{
    const prfdata_map_entry *counter = &found->map->entries[index];

    if (!prfdata_counter_types_find(counter->type))
        report(found, PRFDATA_MAP_RULE_UNKNOWN_TYPE, index);
    else if (has_type_flag(counter, PRFDATA_TYPE_NOT_YET))
        report(found, PRFDATA_MAP_RULE_TYPE_NOT_YET, index);
}

/* `object` is the counter's, or entry_count. */
static void check_counter(findings *found, uint32_t index, uint32_t object)
{
    const prfdata_map_entry *counter = &found->map->entries[index];
    bool has_object = object < found->map->entry_count;

    if (!has_object)
        report(found, PRFDATA_MAP_RULE_COUNTER_FIRST, index);
    check_named(found, index, has_object ? object : 0);
    if (counter->default_scale < -7 || counter->default_scale > 7)
        report(found, PRFDATA_MAP_RULE_SCALE, index);
    check_type(found, index);
    check_base_missing(found, index);
    check_base_alone(found, index);
    if (has_object)
        check_single_inverse(found, index, object);
}

/* ---- Rules of options ---- */

/* Whether the option means anything behind this object or counter. */
static bool option_suits(uint32_t option, const prfdata_map_entry *target)
{
    bool is_object = target->kind == PRFDATA_ENTRY_OBJECT;

    switch (option) {
    case PRFDATA_OPTION_ACCUMULATING:
        return !is_object && has_type_flag(target, PRFDATA_TYPE_MAY_ACCUMULATE);
    case PRFDATA_OPTION_MERGE_MAX:
        return !is_object && has_type_flag(target, PRFDATA_TYPE_MAY_MERGE_MAX);
    case PRFDATA_OPTION_COSTLY:
        return is_object;
    case PRFDATA_OPTION_PER_PROCESS:
    case PRFDATA_OPTION_TOTAL:
    case PRFDATA_OPTION_PARENT:
        return is_object && has_instances(target);
    default:
        return false;
    }
}

/* Whether an option between `target` and `index` is the same or contradicts. */
static bool option_conflicts(const prfdata_map *map, uint32_t target, uint32_t index)
{
    static const uint32_t either_or = PRFDATA_OPTION_ACCUMULATING | PRFDATA_OPTION_MERGE_MAX;
    uint32_t option = map->entries[index].option;
    uint32_t refused = (option & either_or) != 0 ? either_or : option;

    for (uint32_t i = target + 1; i < index; i++) {
        if (map->entries[i].option & refused)
            return true;
    }
    return false;
}

static bool is_parent(const prfdata_map *map, uint32_t id, uint32_t child)
{
    for (uint32_t i = 0; i < child; i++) {
        const prfdata_map_entry *entry = &map->entries[i];

        if (entry->kind == PRFDATA_ENTRY_OBJECT && entry->id == id)
            return has_instances(entry);
    }
    return false;
}

static void check_option(findings *found, uint32_t index)
{
    const prfdata_map *map = found->map;
    const prfdata_map_entry *option = &map->entries[index];
    uint32_t target = prfdata_map_entries_target(map, index);

    if (target == map->entry_count) {
        report(found, PRFDATA_MAP_RULE_OPTION, index);
        return;
    }
    if (!is_named(&map->entries[target]))
        return; /* nobody knows what it is about, and that line is reported */
    if (!option_suits(option->option, &map->entries[target]) ||
        option_conflicts(map, target, index))
        report(found, PRFDATA_MAP_RULE_OPTION, index);
    if (option->option == PRFDATA_OPTION_PARENT && !is_parent(map, option->id, target))
        report(found, PRFDATA_MAP_RULE_PARENT, index);
}

/* ---- Rules of the map ---- */

/* The part before the first dot decides, and blanks before the dot do not count. */
static bool is_device_name(const char *service)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul"};
    char stem[5] = "";
    size_t length = strcspn(service, ".");

    while (length > 0 && service[length - 1] == ' ')
        length--;
    if (length < 3 || length > 4)
        return false;
    memcpy(stem, service, length);
    if (length == 4) {
        bool has_number = stem[3] >= '1' && stem[3] <= '9';

        stem[3] = 0;
        return has_number && (equal_ascii(stem, "com") || equal_ascii(stem, "lpt"));
    }
    for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
        if (equal_ascii(stem, devices[i]))
            return true;
    }
    return false;
}

static bool is_service_name(const char *service)
{
    size_t length = 0;

    while (service[length] != 0) {
        unsigned char c = (unsigned char)service[length];
        bool is_plain = is_letter(c) || is_digit(c);

        if (++length > PRFDATA_MAX_SERVICE_CHARS)
            return false;
        if (!is_plain && (length == 1 || !strchr(" ._-", c)))
            return false;
    }
    if (length == 0 || service[length - 1] == '.' || service[length - 1] == ' ')
        return false;
    return !is_device_name(service);
}

static void check_whole(findings *found)
{
    const prfdata_map *map = found->map;
    uint32_t object_count = count_kind(map, 0, map->entry_count, PRFDATA_ENTRY_OBJECT);

    if (!map->service || !is_service_name(map->service))
        report_map(found, PRFDATA_MAP_RULE_SERVICE_NAME);
    if (object_count == 0)
        report_map(found, PRFDATA_MAP_RULE_NO_OBJECT);
    if (object_count > PRFDATA_MAX_OBJECTS)
        report_map(found, PRFDATA_MAP_RULE_TOO_MANY);
    if (prfdata_map_bytes_size(map) > PRFDATA_MAX_MAP_BYTES)
        report_map(found, PRFDATA_MAP_RULE_TOO_LARGE);
}

static void check_entries(findings *found)
{
    const prfdata_map *map = found->map;
    uint32_t object = map->entry_count;

    for (uint32_t i = 0; i < map->entry_count; i++) {
        switch (map->entries[i].kind) {
        case PRFDATA_ENTRY_OBJECT:
            object = i;
            check_object(found, i);
            break;
        case PRFDATA_ENTRY_COUNTER:
            check_counter(found, i, object);
            break;
        case PRFDATA_ENTRY_OPTION:
            check_option(found, i);
            break;
        default:
            report(found, PRFDATA_MAP_RULE_MAP, i);
        }
    }
}

size_t prfdata_map_check(const prfdata_map *map, prfdata_map_mistake *mistakes, size_t capacity)
{
    findings found = {map, mistakes, capacity, 0};

    if (!map || map->entry_bytes != sizeof(prfdata_map_entry) ||
        (!map->entries && map->entry_count > 0)) {
        report_map(&found, PRFDATA_MAP_RULE_MAP);
        return found.count;
    }
    /* Whatever it says, it cannot be encoded; and the rules of unique names take quadratic time. */
    if (map->entry_count > PRFDATA_MAX_MAP_BYTES / PRFDATA_MAP_BYTES_LEAST_ENTRY) {
        report_map(&found, PRFDATA_MAP_RULE_TOO_LARGE);
        return found.count;
    }
    check_entries(&found);
    check_whole(&found);
    return found.count;
}
