/* SPDX-License-Identifier: MIT */
/*
 * The check of a map: each rule is one function that reports what breaks it. A map may come from
 * a programmer or from hostile bytes; nothing here trusts a kind, a number or the presence of a
 * text. The sentences about mistakes are in map_mistake.c.
 */
#include "core/map_check.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "core/counter_types.h"
#include "core/distribution.h"
#include "core/health_word.h"
#include "core/map_bytes.h"
#include "core/map_options.h"
#include "core/metric.h"
#include "core/names.h"
#include "core/perf_wire.h"

typedef struct findings {
    const prfdata_map *map;
    prfdata_map_mistake *mistakes;
    size_t capacity;
    size_t count;
    const uint32_t *clashes; /* of each counter of the tree: that which has its metric's name */
} findings;

/* ---- Reporting ---- */

static void add_mistake(findings *found, const prfdata_map_mistake *mistake)
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
    add_mistake(found, &mistake);
}

/*
 * Report the line `index`.
 *
 * about  Whose id and name the mistake carries: the line itself, or what its option belongs to;
 *        NULL: there is none.
 * other  The line that it is in conflict with; entry_count: none.
 */
static void report_table_line(findings *found, prfdata_map_rule rule, uint32_t index,
                              const prfdata_map_entry *about, uint32_t other)
{
    prfdata_map_mistake mistake = {rule, index, other, 0, "", L"", found->map};

    if (found->map->entries[index].symbol)
        mistake.symbol = found->map->entries[index].symbol;
    if (about) {
        mistake.id = about->id;
        if (about->name)
            mistake.name = about->name;
    }
    add_mistake(found, &mistake);
}

static void report_conflict(findings *found, prfdata_map_rule rule, const prfdata_map_node *node,
                            uint32_t other)
{
    report_table_line(found, rule, node->index, node->entry, other);
}

static void report_node(findings *found, prfdata_map_rule rule, const prfdata_map_node *node)
{
    report_conflict(found, rule, node, found->map->entry_count);
}

/* An option without an object or counter before it: `target` is NULL. */
static void report_option(findings *found, prfdata_map_rule rule, uint32_t index,
                          const prfdata_map_node *target)
{
    report_table_line(found, rule, index, target ? target->entry : NULL, found->map->entry_count);
}

/* ---- Characters ---- */

static bool is_ascii_letter(unsigned char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_ascii_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
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
    const char *word; /* what is left of the word for the character before `text` */
    const char *end;  /* follows the text */
} wmi_name;

static unsigned char take_wmi(wmi_name *name)
{
    for (;;) {
        uint32_t c;

        if (*name->word != 0)
            return (unsigned char)prfdata_ascii_lower(*name->word++);
        c = (uint32_t)*name->text;
        if (c == 0)
            return *name->end != 0 ? (unsigned char)prfdata_ascii_lower(*name->end++) : 0;
        name->text++;
        if (c == '%')
            name->word = "Percent";
        else if (c == '/')
            name->word = "Per";
        else if (c == '#')
            name->word = "Number";
        else if (c < 0x80 && (is_ascii_letter((unsigned char)c) ||
                              is_ascii_digit((unsigned char)c) || c == '_'))
            return (unsigned char)prfdata_ascii_lower((int)c);
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

/* The properties that every performance class inherits from Win32_Perf. */
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

static bool is_named_line(const prfdata_map_entry *entry)
{
    return entry->kind == PRFDATA_ENTRY_OBJECT || entry->kind == PRFDATA_ENTRY_COUNTER;
}

static bool is_distribution(const prfdata_map_entry *entry)
{
    return entry->kind == PRFDATA_ENTRY_OPTION && entry->option == PRFDATA_OPTION_DISTRIBUTION;
}

/* The first line before `index` that has this id; `index`: there is none. */
static uint32_t find_earlier_id(const prfdata_map *map, uint32_t index, uint32_t id)
{
    for (uint32_t i = 0; i < index; i++) {
        const prfdata_map_entry *earlier = &map->entries[i];

        if ((is_named_line(earlier) || is_distribution(earlier)) && earlier->id == id)
            return i;
    }
    return index;
}

static bool has_type_flag(const prfdata_map_node *counter, uint32_t flag)
{
    return counter->type && (counter->type->flags & flag) != 0;
}

/* A base has neither title nor WMI property of its own name: users call it what they like. */
static bool is_shown(const prfdata_map_node *node)
{
    return !has_type_flag(node, PRFDATA_TYPE_BASE);
}

static bool is_identifier(const char *symbol)
{
    size_t length = 0;

    if (is_ascii_digit((unsigned char)symbol[0]))
        return false;
    while (symbol[length] != 0) {
        unsigned char c = (unsigned char)symbol[length];

        if (++length > PRFDATA_MAX_SYMBOL_CHARS ||
            !(is_ascii_letter(c) || is_ascii_digit(c) || c == '_'))
            return false;
    }
    return length > 0;
}

static void check_texts_present(findings *found, const prfdata_map_node *node)
{
    if (!node->entry->symbol || !node->entry->name || !node->entry->help)
        report_node(found, PRFDATA_MAP_RULE_MAP, node);
}

static void check_symbol(findings *found, const prfdata_map_node *node)
{
    const prfdata_map_entry *entry = node->entry;

    if (!entry->symbol)
        return;
    if (!is_identifier(entry->symbol)) {
        report_node(found, PRFDATA_MAP_RULE_SYMBOL, node);
        return;
    }
    for (uint32_t i = 0; i < node->index; i++) {
        const prfdata_map_entry *earlier = &found->map->entries[i];

        /* The same symbol with the same id is the same line twice: one mistake is enough. */
        if (is_named_line(earlier) && earlier->symbol && earlier->id != entry->id &&
            prfdata_ascii_equal(earlier->symbol, entry->symbol)) {
            report_conflict(found, PRFDATA_MAP_RULE_SYMBOL, node, i);
            return;
        }
    }
}

static void check_id(findings *found, const prfdata_map_node *node)
{
    const uint32_t earlier = find_earlier_id(found->map, node->index, node->entry->id);

    if (earlier < node->index)
        report_conflict(found, PRFDATA_MAP_RULE_DUPLICATE_ID, node, earlier);
}

static void check_name(findings *found, const prfdata_map_node *node)
{
    const prfdata_map_entry *entry = node->entry;
    size_t chars;

    if (!entry->name)
        return;
    chars = text_chars(entry->name);
    if (chars == 0 || chars > PRFDATA_MAX_NAME_CHARS)
        report_node(found, PRFDATA_MAP_RULE_NAME_LENGTH, node);
    if (has_bad_characters(entry->name, entry->kind == PRFDATA_ENTRY_OBJECT ? "\\()/#*" : "\\()#*"))
        report_node(found, PRFDATA_MAP_RULE_NAME_CHARACTERS, node);
}

static void check_help(findings *found, const prfdata_map_node *node)
{
    const wchar_t *help = node->entry->help;
    size_t chars;

    if (!help)
        return;
    chars = text_chars(help);
    if (chars == 0 || chars > PRFDATA_MAX_HELP_CHARS)
        report_node(found, PRFDATA_MAP_RULE_HELP_LENGTH, node);
    if (has_bad_characters(help, ""))
        report_node(found, PRFDATA_MAP_RULE_HELP_CHARACTERS, node);
}

static void check_detail_level(findings *found, const prfdata_map_node *node)
{
    switch (node->entry->detail_level) {
    case PERF_DETAIL_NOVICE:
    case PERF_DETAIL_ADVANCED:
    case PERF_DETAIL_EXPERT:
    case PERF_DETAIL_WIZARD:
        return;
    default:
        report_node(found, PRFDATA_MAP_RULE_DETAIL_LEVEL, node);
    }
}

/* `first`: where the siblings begin, objects of the map or counters of one object. */
static bool check_duplicate_name(findings *found, const prfdata_map_node *node,
                                 const prfdata_map_node *first)
{
    for (const prfdata_map_node *earlier = first; earlier < node; earlier++) {
        if (is_shown(earlier) && earlier->entry->name &&
            prfdata_names_wide_equal(earlier->entry->name, node->entry->name)) {
            report_conflict(found, PRFDATA_MAP_RULE_DUPLICATE_NAME, node, earlier->index);
            return false;
        }
    }
    return true;
}

static bool wmi_conflict(const prfdata_map_node *a, const prfdata_map_node *b)
{
    const wchar_t *a_name = a->entry->name;
    const wchar_t *b_name = b->entry->name;

    return wmi_equal(a_name, "", b_name, "") ||
           (a->has_base && wmi_equal(a_name, "_Base", b_name, "")) ||
           (b->has_base && wmi_equal(a_name, "", b_name, "_Base"));
}

static void check_wmi_name(findings *found, const prfdata_map_node *node,
                           const prfdata_map_node *first)
{
    const wchar_t *name = node->entry->name;

    if (wmi_is_empty(name) ||
        (node->entry->kind == PRFDATA_ENTRY_COUNTER && wmi_is_inherited(name))) {
        report_node(found, PRFDATA_MAP_RULE_WMI_NAME, node);
        return;
    }
    for (const prfdata_map_node *earlier = first; earlier < node; earlier++) {
        if (is_shown(earlier) && earlier->entry->name && wmi_conflict(node, earlier)) {
            report_conflict(found, PRFDATA_MAP_RULE_WMI_NAME, node, earlier->index);
            return;
        }
    }
}

static void check_unique_name(findings *found, const prfdata_map_node *node,
                              const prfdata_map_node *first)
{
    const wchar_t *name = node->entry->name;

    /* An empty name has been reported; names that are equal are equal for WMI too. */
    if (!name || name[0] == 0 || !is_shown(node))
        return;
    if (check_duplicate_name(found, node, first))
        check_wmi_name(found, node, first);
}

static void check_named_node(findings *found, const prfdata_map_node *node,
                             const prfdata_map_node *first_sibling)
{
    check_texts_present(found, node);
    check_symbol(found, node);
    check_id(found, node);
    check_name(found, node);
    check_unique_name(found, node, first_sibling);
    check_help(found, node);
    check_detail_level(found, node);
}

/* ---- Rules of objects ---- */

static bool entry_has_instances(const prfdata_map_entry *object)
{
    return object->max_instances != PERF_NO_INSTANCES;
}

static void check_counter_count(findings *found, const prfdata_map_node *object)
{
    if (object->counter_count == 0)
        report_node(found, PRFDATA_MAP_RULE_NO_COUNTER, object);
    if (object->counter_count > PRFDATA_MAX_COUNTERS)
        report_node(found, PRFDATA_MAP_RULE_TOO_MANY, object);
}

static void check_default_counter(findings *found, const prfdata_map_node *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_map_node *counter = &object->counters[i];

        if (counter->entry->id == object->entry->default_counter && is_shown(counter) &&
            counter->entry->type != PERF_COUNTER_NODATA)
            return;
    }
    if (object->counter_count > 0) /* else NO_COUNTER says it */
        report_node(found, PRFDATA_MAP_RULE_DEFAULT_COUNTER, object);
}

static uint64_t round_up_to_8(uint64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* What the provider emits for this object when every instance exists and has the longest name. */
static uint64_t most_reply_bytes(const prfdata_map_node *object)
{
    uint64_t instances = (uint64_t)object->entry->max_instances;
    uint64_t name_bytes = 2 * (prfdata_map_tree_name_chars(object) + 1);
    uint64_t definitions = sizeof(prfdata_perf_object_type) +
                           object->counter_count * sizeof(prfdata_perf_counter_definition);
    uint32_t block_bytes = sizeof(prfdata_perf_counter_block);

    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (object->counters[i].type)
            prfdata_counter_types_place(object->counters[i].type, &block_bytes);
    }
    if (object->options & PRFDATA_OPTION_TOTAL)
        instances++;
    return definitions +
           instances * (round_up_to_8(sizeof(prfdata_perf_instance_definition) + name_bytes) +
                        round_up_to_8(block_bytes));
}

static void check_capacity(findings *found, const prfdata_map_node *object)
{
    const prfdata_map_entry *entry = object->entry;
    bool name_fits = entry->max_name_chars > 0 &&
                     prfdata_map_tree_name_chars(object) <= PRFDATA_MAX_INSTANCE_NAME_CHARS;

    if (!entry_has_instances(entry))
        return;
    if (entry->max_instances < 1 || entry->max_instances > PRFDATA_MAX_INSTANCES)
        report_node(found, PRFDATA_MAP_RULE_CAPACITY, object);
    else if (name_fits && most_reply_bytes(object) > PRFDATA_MAX_OBJECT_BYTES)
        report_node(found, PRFDATA_MAP_RULE_CAPACITY, object);
    if (!name_fits)
        report_node(found, PRFDATA_MAP_RULE_INSTANCE_NAME, object);
}

/* Reported once: at the object with which the limit is exceeded. */
static void check_lanes(findings *found, const prfdata_map_tree *tree,
                        const prfdata_map_node *object)
{
    const uint64_t own_bytes = prfdata_map_tree_lanes_bytes(object);
    uint64_t bytes = 0;

    for (const prfdata_map_node *earlier = tree->objects; earlier < object; earlier++)
        bytes += prfdata_map_tree_lanes_bytes(earlier);
    if (bytes <= PRFDATA_MAX_LANES_BYTES && own_bytes > PRFDATA_MAX_LANES_BYTES - bytes)
        report_node(found, PRFDATA_MAP_RULE_LANES, object);
}

static uint32_t count_health_counters(const prfdata_map_node *object)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < object->counter_count; i++)
        count += (object->counters[i].options & PRFDATA_OPTION_HEALTH) != 0;
    return count;
}

/* One object shows health, and nothing else; it has no instances. */
static void check_health_object(findings *found, const prfdata_map_tree *tree,
                                const prfdata_map_node *object)
{
    const uint32_t count = count_health_counters(object);
    bool is_right = count == object->counter_count && !entry_has_instances(object->entry);

    for (const prfdata_map_node *earlier = tree->objects; earlier < object; earlier++)
        is_right = is_right && count_health_counters(earlier) == 0;
    if (count > 0 && !is_right)
        report_node(found, PRFDATA_MAP_RULE_HEALTH, object);
}

static void check_object_rules(findings *found, const prfdata_map_tree *tree,
                               const prfdata_map_node *object)
{
    check_named_node(found, object, tree->objects);
    check_counter_count(found, object);
    check_default_counter(found, object);
    check_capacity(found, object);
    check_lanes(found, tree, object);
    check_health_object(found, tree, object);
}

/* ---- Rules of counters ---- */

static void check_base_missing(findings *found, const prfdata_map_node *counter)
{
    if (has_type_flag(counter, PRFDATA_TYPE_NEEDS_BASE) && !counter->has_base)
        report_node(found, PRFDATA_MAP_RULE_BASE_MISSING, counter);
}

/* `first`: of the table's counters. Only the next counter makes a `has_base`. */
static void check_base_alone(findings *found, const prfdata_map_node *counter,
                             const prfdata_map_node *first)
{
    if (has_type_flag(counter, PRFDATA_TYPE_BASE) && (counter == first || !counter[-1].has_base))
        report_node(found, PRFDATA_MAP_RULE_BASE_ALONE, counter);
}

static void check_single_inverse(findings *found, const prfdata_map_node *counter,
                                 const prfdata_map_node *object)
{
    if (!has_type_flag(counter, PRFDATA_TYPE_SINGLE_INVERSE))
        return;
    if (!(object->options & PRFDATA_OPTION_PER_PROCESS) || (object->options & PRFDATA_OPTION_TOTAL))
        report_node(found, PRFDATA_MAP_RULE_SINGLE_INVERSE, counter);
}

static void check_type(findings *found, const prfdata_map_node *counter)
{
    if (!counter->type)
        report_node(found, PRFDATA_MAP_RULE_UNKNOWN_TYPE, counter);
    else if (has_type_flag(counter, PRFDATA_TYPE_NOT_YET))
        report_node(found, PRFDATA_MAP_RULE_TYPE_NOT_YET, counter);
}

static void check_metric_taken(findings *found, const prfdata_map_tree *tree,
                               const prfdata_map_node *counter)
{
    const uint32_t clash = found->clashes[counter - tree->counters];

    if (clash != PRFDATA_NONE)
        report_conflict(found, PRFDATA_MAP_RULE_METRIC_TAKEN, counter, tree->counters[clash].index);
}

/* `object` is the counter's, or NULL. */
static void check_counter_rules(findings *found, const prfdata_map_tree *tree,
                                const prfdata_map_node *counter, const prfdata_map_node *object)
{
    if (!object)
        report_node(found, PRFDATA_MAP_RULE_COUNTER_FIRST, counter);
    check_named_node(found, counter, object ? object->counters : tree->counters);
    if (counter->entry->default_scale < -7 || counter->entry->default_scale > 7)
        report_node(found, PRFDATA_MAP_RULE_SCALE, counter);
    check_type(found, counter);
    check_base_missing(found, counter);
    check_base_alone(found, counter, tree->counters);
    check_metric_taken(found, tree, counter);
    if (object)
        check_single_inverse(found, counter, object);
}

/* ---- Rules of options ---- */

/* Whether an option between `target` and `index` is the same or contradicts. */
static bool option_conflicts(const prfdata_map *map, const prfdata_map_node *target, uint32_t index,
                             const prfdata_map_option *option)
{
    for (uint32_t i = target->index + 1; i < index; i++) {
        if (map->entries[i].option & ((option->may_repeat ? 0 : option->bit) | option->excludes))
            return true;
    }
    return false;
}

/* The object before `child` with this id and with instances, or NULL. */
static const prfdata_map_node *find_parent(const prfdata_map_tree *tree, uint32_t id,
                                           const prfdata_map_node *child)
{
    for (uint32_t i = 0; i < tree->object_count && tree->objects[i].index < child->index; i++) {
        if (tree->objects[i].entry->id == id)
            return entry_has_instances(tree->objects[i].entry) ? &tree->objects[i] : NULL;
    }
    return NULL;
}

/* `target` is the object that the option at `index` follows; the option names its parent. */
static void check_parent(findings *found, const prfdata_map_tree *tree, uint32_t index,
                         const prfdata_map_node *target)
{
    const prfdata_map_node *parent = find_parent(tree, tree->map->entries[index].id, target);

    if (!parent)
        report_option(found, PRFDATA_MAP_RULE_PARENT, index, target);
    else if ((parent->options & PRFDATA_OPTION_COSTLY) &&
             !(target->options & PRFDATA_OPTION_COSTLY))
        report_table_line(found, PRFDATA_MAP_RULE_COSTLY_PARENT, index, target->entry,
                          parent->index);
}

/* `target` is the counter that the option at `index` names in other systems. */
static void check_metric(findings *found, uint32_t index, const prfdata_map_node *target)
{
    const prfdata_map_entry *entry = &found->map->entries[index];

    if (!entry->name || !prfdata_metric_is_name(entry->name))
        report_option(found, PRFDATA_MAP_RULE_METRIC_NAME, index, target);
    if (!entry->help || !prfdata_metric_is_unit(entry->help, target->entry->type))
        report_option(found, PRFDATA_MAP_RULE_METRIC_UNIT, index, target);
}

/* Whether a distribution may be declared so. `shape` gets what follows from it. */
static bool is_right_distribution(const prfdata_map_entry *entry, prfdata_distribution_shape *shape)
{
    return entry->unit >= PRFDATA_UNIT_NUMBER && entry->unit <= PRFDATA_UNIT_100NS &&
           prfdata_distribution_shape_make(entry->lowest, entry->highest, entry->buckets_per_octave,
                                           entry->window_s, shape);
}

/* The line at `index` declares a distribution of `object`. */
static void check_distribution(findings *found, uint32_t index, const prfdata_map_node *object)
{
    const prfdata_map *map = found->map;
    const int32_t instances = object->entry->max_instances;
    const uint64_t slots = instances > 0 ? (uint64_t)instances : 1;
    const uint32_t same_id = find_earlier_id(map, index, map->entries[index].id);
    uint32_t line = object->index + 1;
    prfdata_distribution_shape shape;
    uint32_t count = 0;
    uint64_t before = 0;
    uint64_t bytes = 0;

    if (same_id < index)
        report_table_line(found, PRFDATA_MAP_RULE_DUPLICATE_ID, index, object->entry, same_id);
    while (line <= index) {
        const prfdata_map_entry *entry = prfdata_map_tree_next_distribution(map, &line);

        count++;
        before += bytes;
        bytes = is_right_distribution(entry, &shape) ? prfdata_distribution_bytes(&shape) : 0;
    }
    if (bytes == 0 || count > PRFDATA_MAX_DISTRIBUTIONS)
        report_option(found, PRFDATA_MAP_RULE_DISTRIBUTION, index, object);
    if (before * slots <= PRFDATA_MAX_DISTRIBUTIONS_BYTES &&
        (before + bytes) * slots > PRFDATA_MAX_DISTRIBUTIONS_BYTES)
        report_option(found, PRFDATA_MAP_RULE_DISTRIBUTION_BYTES, index, object);
}

/* The line at `index` says what a counter of `object` shows. */
static void check_shown(findings *found, uint32_t index, const prfdata_map_node *counter,
                        const prfdata_map_node *object)
{
    const prfdata_map_entry *shows = &found->map->entries[index];
    uint32_t line = object ? object->index + 1 : found->map->entry_count;
    const prfdata_map_entry *entry = prfdata_map_tree_next_distribution(found->map, &line);

    while (entry && entry->id != shows->id)
        entry = prfdata_map_tree_next_distribution(found->map, &line);
    if (!entry || (shows->option == PRFDATA_OPTION_PERCENTILE &&
                   (shows->highest < 1 || shows->highest > 10000)))
        report_option(found, PRFDATA_MAP_RULE_SHOWN, index, counter);
}

/* Whether a counter accumulates, and is no base. */
static bool accumulates(const prfdata_map_node *counter)
{
    return !has_type_flag(counter, PRFDATA_TYPE_BASE) &&
           prfdata_map_tree_merge(counter, NULL) == PRFDATA_MERGE_ACCUMULATE;
}

/* `object`: the present one, which `target` is or belongs to; NULL: there is none. */
static void check_option(findings *found, const prfdata_map_tree *tree, uint32_t index,
                         const prfdata_map_node *target, const prfdata_map_node *object)
{
    const prfdata_map_entry *entry = &tree->map->entries[index];
    const prfdata_map_option *option = prfdata_map_options_find(entry->option);

    if (!option || !prfdata_map_options_suits(option, target->entry) ||
        (option->needs_total && !(object && (object->options & PRFDATA_OPTION_TOTAL))) ||
        (option->needs_accumulating && !accumulates(target)) ||
        option_conflicts(tree->map, target, index, option))
        report_option(found, PRFDATA_MAP_RULE_OPTION, index, target);
    else if (option->has_texts)
        check_metric(found, index, target);
    if (option && option->names_parent)
        check_parent(found, tree, index, target);
    if (option && option->bit == PRFDATA_OPTION_DISTRIBUTION &&
        target->entry->kind == PRFDATA_ENTRY_OBJECT)
        check_distribution(found, index, target);
    if (option && option->shows)
        check_shown(found, index, target, object);
    if (option && option->names_health && !prfdata_health_word(entry->id))
        report_option(found, PRFDATA_MAP_RULE_HEALTH, index, target);
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
        return has_number && (prfdata_ascii_equal(stem, "com") || prfdata_ascii_equal(stem, "lpt"));
    }
    for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
        if (prfdata_ascii_equal(stem, devices[i]))
            return true;
    }
    return false;
}

/* The data folder has a folder for each service, and beside it the files <service>.ini and .h. */
static bool is_title_file_name(const char *service, size_t length)
{
    return (length > 4 && prfdata_ascii_equal(service + length - 4, ".ini")) ||
           (length > 2 && prfdata_ascii_equal(service + length - 2, ".h"));
}

static bool is_service_name(const char *service)
{
    size_t length = 0;

    while (service[length] != 0) {
        unsigned char c = (unsigned char)service[length];
        bool is_plain = is_ascii_letter(c) || is_ascii_digit(c);

        if (++length > PRFDATA_MAX_SERVICE_CHARS)
            return false;
        if (!is_plain && (length == 1 || !strchr(" ._-", c)))
            return false;
    }
    if (length == 0 || service[length - 1] == '.' || service[length - 1] == ' ')
        return false;
    return !is_device_name(service) && !is_title_file_name(service, length);
}

static void check_whole_map(findings *found, const prfdata_map_tree *tree)
{
    const prfdata_map *map = tree->map;

    if (!map->service || !is_service_name(map->service))
        report_map(found, PRFDATA_MAP_RULE_SERVICE_NAME);
    if (tree->object_count == 0)
        report_map(found, PRFDATA_MAP_RULE_NO_OBJECT);
    if (tree->object_count > PRFDATA_MAX_OBJECTS)
        report_map(found, PRFDATA_MAP_RULE_TOO_MANY);
    if (prfdata_map_bytes_size(map) > PRFDATA_MAX_MAP_BYTES)
        report_map(found, PRFDATA_MAP_RULE_TOO_LARGE);
}

/* The tree's objects and counters stand in the order of the table: each line takes the next. */
static void check_lines(findings *found, const prfdata_map_tree *tree)
{
    const prfdata_map_node *next_object = tree->objects;
    const prfdata_map_node *next_counter = tree->counters;
    const prfdata_map_node *object = NULL;
    const prfdata_map_node *target = NULL; /* of the options that follow */
    bool is_target_unknown = false;

    for (uint32_t i = 0; i < tree->map->entry_count; i++) {
        switch (tree->map->entries[i].kind) {
        case PRFDATA_ENTRY_OBJECT:
            target = object = next_object++;
            check_object_rules(found, tree, object);
            break;
        case PRFDATA_ENTRY_COUNTER:
            target = next_counter++;
            check_counter_rules(found, tree, target, object);
            break;
        case PRFDATA_ENTRY_OPTION:
            if (target)
                check_option(found, tree, i, target, object);
            else if (!is_target_unknown) /* else that line has been reported */
                report_option(found, PRFDATA_MAP_RULE_OPTION, i, NULL);
            break;
        default:
            target = NULL;
            is_target_unknown = true;
            report_table_line(found, PRFDATA_MAP_RULE_MAP, i, &tree->map->entries[i],
                              tree->map->entry_count);
        }
    }
}

/* Whether the table can be read at all, and in reasonable time. */
static bool check_table(findings *found)
{
    const prfdata_map *map = found->map;

    if (!map || map->entry_bytes != sizeof(prfdata_map_entry) ||
        (!map->entries && map->entry_count > 0)) {
        report_map(found, PRFDATA_MAP_RULE_MAP);
        return false;
    }
    /* So many lines cannot be encoded, and checking that names are unique takes quadratic time. */
    if (map->entry_count > PRFDATA_MAX_MAP_BYTES / PRFDATA_MAP_BYTES_LEAST_ENTRY) {
        report_map(found, PRFDATA_MAP_RULE_TOO_LARGE);
        return false;
    }
    return true;
}

/* `tree` gets the tree if the table can be read, right or wrong. Returns ERROR_NOT_ENOUGH_MEMORY
 * or ERROR_SUCCESS. */
static uint32_t check_map(findings *found, prfdata_map_tree **tree)
{
    uint32_t *clashes;
    uint32_t status;

    *tree = NULL;
    if (!check_table(found))
        return ERROR_SUCCESS;
    if (prfdata_map_tree_make(found->map, tree))
        return ERROR_NOT_ENOUGH_MEMORY;
    clashes = malloc(((size_t)(*tree)->counter_count + 1) * sizeof *clashes);
    status = clashes ? prfdata_metric_find_clashes(*tree, clashes) : ERROR_NOT_ENOUGH_MEMORY;
    if (status == ERROR_SUCCESS) {
        found->clashes = clashes;
        check_lines(found, *tree);
        check_whole_map(found, *tree);
    }
    found->clashes = NULL;
    free(clashes);
    return status;
}

uint32_t prfdata_map_check_nest(const prfdata_map *map, prfdata_map_tree **tree)
{
    findings found = {map, NULL, 0, 0, NULL};
    prfdata_map_tree *made;
    uint32_t status = check_map(&found, &made);

    if (!status && found.count > 0)
        status = ERROR_INVALID_PARAMETER;
    if (status)
        free(made);
    else
        *tree = made;
    return status;
}

size_t prfdata_map_check(const prfdata_map *map, prfdata_map_mistake *mistakes, size_t capacity)
{
    findings found = {map, mistakes, capacity, 0, NULL};
    prfdata_map_tree *tree;

    if (check_map(&found, &tree))
        report_map(&found, PRFDATA_MAP_RULE_NO_MEMORY);
    free(tree);
    return found.count;
}
