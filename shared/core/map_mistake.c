/* SPDX-License-Identifier: MIT */
/*
 * The sentences that a developer reads when a map is wrong. Each says what is wrong and what to do.
 * Texts of the map are shortened and cleaned, because they may be what is wrong. Which rule is
 * broken is found in map_check.c.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <prfdata/map.h>

#include "core/counter_types.h"
#include "core/distribution.h"
#include "core/lanes.h"
#include "core/map_options.h"
#include "core/map_tree.h"
#include "core/metric.h"
#include "core/names.h"

#define SHOWN_CHARS 64 /* of a symbol or name */

typedef struct sentence {
    char *text;
    size_t capacity;
    size_t used;
} sentence;

static void add_text(sentence *out, const char *text)
{
    size_t length = strlen(text);

    for (size_t i = 0; i < length; i++) {
        if (out->used + i < out->capacity)
            out->text[out->used + i] = text[i];
    }
    out->used += length;
}

static void describe_number(sentence *out, int64_t number)
{
    char digits[24];

    snprintf(digits, sizeof(digits), "%lld", (long long)number);
    add_text(out, digits);
}

static void describe_type(sentence *out, uint32_t type)
{
    const prfdata_counter_type *known = prfdata_counter_types_find(type);
    char digits[16];

    if (known) {
        add_text(out, "PERF_");
        add_text(out, known->name);
        return;
    }
    snprintf(digits, sizeof(digits), "0x%08X", (unsigned)type);
    add_text(out, digits);
}

/* A symbol or service, which may hold anything if it is wrong. */
static void describe_bytes(sentence *out, const char *text)
{
    char shown[SHOWN_CHARS + 1];
    const size_t size = prfdata_names_copy_shown(text, shown, sizeof shown);

    add_text(out, shown);
    if (text[size] != 0)
        add_text(out, "...");
}

static void describe_name(sentence *out, const wchar_t *name)
{
    uint16_t chars[SHOWN_CHARS];
    char bytes[3 * SHOWN_CHARS + 1];
    size_t count = 0, size;

    /* Element by element: a name may be wrong because it cannot be converted. */
    for (; count < SHOWN_CHARS && name[count] != 0; count++) {
        uint32_t c = (uint32_t)name[count];
        bool is_control = c < 0x20 || (c >= 0x7F && c <= 0x9F);

        chars[count] = is_control || c > 0xFFFF ? 0xFFFD : (uint16_t)c;
    }
    size = prfdata_names_utf8_from_utf16(chars, count, bytes, sizeof(bytes) - 1);
    bytes[size] = 0;
    add_text(out, "\"");
    add_text(out, bytes);
    add_text(out, name[count] != 0 ? "...\"" : "\"");
}

static void describe_entry(sentence *out, const char *symbol, uint32_t id, const wchar_t *name)
{
    describe_bytes(out, symbol[0] != 0 ? symbol : "(no symbol)");
    add_text(out, " (");
    describe_number(out, id);
    add_text(out, ", ");
    describe_name(out, name);
    add_text(out, ")");
}

static bool is_of_map(const prfdata_map_mistake *mistake)
{
    return !mistake->map || mistake->entry_index >= mistake->map->entry_count;
}

static const prfdata_map_entry *entry_of(const prfdata_map_mistake *mistake)
{
    return &mistake->map->entries[mistake->entry_index];
}

/* The object or counter that the option at `index` belongs to, or NULL. */
static const prfdata_map_entry *find_target(const prfdata_map *map, uint32_t index)
{
    while (index > 0) {
        index--;
        if (map->entries[index].kind != PRFDATA_ENTRY_OPTION)
            return &map->entries[index];
    }
    return NULL;
}

static void describe_subject(sentence *out, const prfdata_map_mistake *mistake)
{
    const prfdata_map_entry *target;

    if (is_of_map(mistake)) {
        add_text(out, "the map");
        return;
    }
    if (entry_of(mistake)->kind != PRFDATA_ENTRY_OPTION) {
        describe_entry(out, mistake->symbol, mistake->id, mistake->name);
        return;
    }
    describe_bytes(out, mistake->symbol);
    target = find_target(mistake->map, mistake->entry_index);
    if (target) {
        add_text(out, " after ");
        describe_entry(out, target->symbol ? target->symbol : "", mistake->id, mistake->name);
    }
}

static void describe_other(sentence *out, const prfdata_map_mistake *mistake)
{
    const prfdata_map_entry *other;

    if (mistake->other_index >= mistake->map->entry_count) {
        add_text(out, "another");
        return;
    }
    other = &mistake->map->entries[mistake->other_index];
    describe_entry(out, other->symbol ? other->symbol : "", other->id,
                   other->name ? other->name : L"");
}

static bool has_other_line(const prfdata_map_mistake *mistake)
{
    return mistake->other_index < mistake->map->entry_count;
}

static void describe_map_rule(sentence *out)
{
    add_text(out, "the table is missing or of another version of <prfdata/map.h>, or this line has "
                  "no symbol, name or help or is of an unknown kind; write it with the "
                  "PRFDATA_MAP_ macros and rebuild everything that includes the header");
}

static void describe_service_name(sentence *out, const prfdata_map_mistake *mistake)
{
    add_text(out, "the service name \"");
    describe_bytes(out, mistake->map->service ? mistake->map->service : "");
    add_text(out, "\" is not allowed; use 1 to ");
    describe_number(out, PRFDATA_MAX_SERVICE_CHARS);
    add_text(out, " of A-Z a-z 0-9 blank . _ -, begin with a letter or digit, end with neither dot "
                  "nor blank, and avoid device names like CON or LPT1, and names that end in "
                  ".ini or .h");
}

static void describe_too_many(sentence *out, const prfdata_map_mistake *mistake)
{
    add_text(out, "it has more than ");
    describe_number(out, is_of_map(mistake) ? PRFDATA_MAX_OBJECTS : PRFDATA_MAX_COUNTERS);
    add_text(out, is_of_map(mistake)
                      ? " objects; split it into several maps, each with its own service"
                      : " counters; split the object");
}

static void describe_symbol(sentence *out, const prfdata_map_mistake *mistake)
{
    if (has_other_line(mistake)) {
        add_text(out, "the symbol equals that of ");
        describe_other(out, mistake);
        add_text(out, " ignoring case, as title files do; rename one of them");
        return;
    }
    add_text(out, "the symbol is not a C identifier of 1 to ");
    describe_number(out, PRFDATA_MAX_SYMBOL_CHARS);
    add_text(out, " characters; define one with PRFDATA_DEFINE_OBJECT or PRFDATA_DEFINE_COUNTER "
                  "and name it in the map");
}

static void describe_duplicate(sentence *out, const prfdata_map_mistake *mistake, const char *what)
{
    add_text(out, what);
    add_text(out, " is already that of ");
    describe_other(out, mistake);
}

static void describe_length(sentence *out, const char *what, unsigned most)
{
    add_text(out, what);
    add_text(out, " must have 1 to ");
    describe_number(out, most);
    add_text(out, " characters (UTF-16 code units)");
}

static void describe_name_characters(sentence *out, const prfdata_map_mistake *mistake)
{
    add_text(out, "the name must not contain ");
    add_text(out, entry_of(mistake)->kind == PRFDATA_ENTRY_OBJECT ? "\\ ( ) / # *" : "\\ ( ) # *");
    add_text(out, ", control characters or half a surrogate pair, nor begin or end with a blank or "
                  "a quotation mark");
}

static void describe_wmi_name(sentence *out, const prfdata_map_mistake *mistake)
{
    if (has_other_line(mistake)) {
        add_text(out, "for WMI, which keeps letters, digits and _ only and calls a base "
                      "<name>_Base, the name is in conflict with ");
        describe_other(out, mistake);
        add_text(out, "; rename one of them");
        return;
    }
    add_text(out, "for WMI, which keeps letters, digits and _ only, the name is empty or one that "
                  "every performance class has already (Name, Caption, Description, Frequency_..., "
                  "Timestamp_...); give it another");
}

static void describe_default_counter(sentence *out, const prfdata_map_mistake *mistake)
{
    add_text(out, "its default counter ");
    describe_number(out, entry_of(mistake)->default_counter);
    add_text(out, " is not a counter of this object that readers show; name one of its counters "
                  "that is neither a base nor PERF_COUNTER_NODATA");
}

static void describe_capacity(sentence *out, const prfdata_map_mistake *mistake)
{
    int32_t instances = entry_of(mistake)->max_instances;

    if (instances >= 1 && instances <= PRFDATA_MAX_INSTANCES) {
        add_text(out, "with ");
        describe_number(out, instances);
        add_text(out, " instances a reply would exceed ");
        describe_number(out, PRFDATA_MAX_OBJECT_BYTES / (1024 * 1024));
        add_text(out, " MiB; lower max_instances or split the object");
        return;
    }
    add_text(out, "max_instances is ");
    describe_number(out, instances);
    add_text(out, "; it must be 1 to ");
    describe_number(out, PRFDATA_MAX_INSTANCES);
    add_text(out, ", or PERF_NO_INSTANCES");
}

static void describe_instance_name(sentence *out)
{
    add_text(out, "max_name_chars must be 1 to ");
    describe_number(out, PRFDATA_MAX_INSTANCE_NAME_CHARS);
    add_text(out, " for an object with instances; 1 to ");
    describe_number(out, PRFDATA_MAX_INSTANCE_NAME_CHARS - PRFDATA_PROCESS_SUFFIX_CHARS);
    add_text(out, " with PRFDATA_MAP_PER_PROCESS, which appends up to ");
    describe_number(out, PRFDATA_PROCESS_SUFFIX_CHARS);
    add_text(out, " characters");
}

static void describe_unknown_type(sentence *out, const prfdata_map_mistake *mistake)
{
    add_text(out, "the type ");
    describe_type(out, entry_of(mistake)->type);
    add_text(out, " is none of winperf.h's predefined types; use one of them");
}

static void describe_type_not_yet(sentence *out, const prfdata_map_mistake *mistake)
{
    add_text(out, "the type ");
    describe_type(out, entry_of(mistake)->type);
    add_text(out, " is not supported; no common reader shows it");
}

static void describe_base_missing(sentence *out, const prfdata_map_mistake *mistake)
{
    const prfdata_counter_type *type = prfdata_counter_types_find(entry_of(mistake)->type);

    describe_type(out, type->type);
    add_text(out, " needs a counter of the type ");
    describe_type(out, type->base_type);
    add_text(out, " directly after it");
}

static void describe_base_alone(sentence *out, const prfdata_map_mistake *mistake)
{
    add_text(out, "a counter of the type ");
    describe_type(out, entry_of(mistake)->type);
    add_text(out, " must directly follow the counter that it is the base of:");
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_at(i);

        if (type->base_type == entry_of(mistake)->type && type->base_type != 0) {
            add_text(out, " ");
            describe_type(out, type->type);
        }
    }
}

static void describe_single_inverse(sentence *out, const prfdata_map_mistake *mistake)
{
    describe_type(out, entry_of(mistake)->type);
    add_text(out,
             " of several processes cannot be merged; put it into an object with instances and "
             "PRFDATA_MAP_PER_PROCESS but without PRFDATA_MAP_TOTAL, or use the type without _INV");
}

static void describe_option(sentence *out, const prfdata_map_mistake *mistake)
{
    const prfdata_map_option *option = prfdata_map_options_find(entry_of(mistake)->option);

    add_text(out, option ? option->advice : "this option is unknown; use the PRFDATA_MAP_ macros");
}

static void describe_metric_name(sentence *out, const prfdata_map_mistake *mistake)
{
    const wchar_t *name = entry_of(mistake)->name;

    add_text(out, "the metric's name ");
    describe_name(out, name ? name : L"");
    add_text(out, " is not allowed; use 1 to ");
    describe_number(out, PRFDATA_MAX_METRIC_CHARS);
    add_text(out, " of a-z 0-9 _, begin with a letter but not with prfread_, put one _ between "
                  "words, and leave out a last _total, _count, _sum, _bucket, _created, _info, "
                  "_gcount or _gsum, which is appended where it belongs");
}

static void describe_metric_unit(sentence *out, const prfdata_map_mistake *mistake)
{
    const wchar_t *unit = entry_of(mistake)->help;
    const prfdata_map_entry *counter = find_target(mistake->map, mistake->entry_index);
    const prfdata_metric_part *part =
        counter ? prfdata_metric_part_first(counter->type, false) : NULL;

    add_text(out, "the unit ");
    describe_name(out, unit ? unit : L"");
    if (part && prfdata_metric_part_unit(part)[0] != 0) {
        add_text(out, " is not that of ");
        describe_type(out, counter->type);
        add_text(out, ", which is in ");
        add_text(out, prfdata_metric_part_unit(part));
        add_text(out, "; say that, or \"\"");
        return;
    }
    add_text(out, " is unknown; use \"\"");
    for (size_t i = 1; prfdata_metric_unit_at(i, NULL, NULL); i++) {
        add_text(out, prfdata_metric_unit_at(i + 1, NULL, NULL) ? ", " : " or ");
        add_text(out, prfdata_metric_unit_at(i, NULL, NULL));
    }
}

/* What the option at the mistake names: the object or counter of its id, if there is one. */
static void describe_named(sentence *out, const prfdata_map_mistake *mistake)
{
    const uint32_t id = entry_of(mistake)->id;

    for (uint32_t i = 0; i < mistake->map->entry_count; i++) {
        const prfdata_map_entry *entry = &mistake->map->entries[i];

        if (entry->kind != PRFDATA_ENTRY_OPTION && entry->id == id) {
            describe_entry(out, entry->symbol ? entry->symbol : "", id,
                           entry->name ? entry->name : L"");
            return;
        }
    }
    describe_number(out, id);
}

static void describe_parent(sentence *out, const prfdata_map_mistake *mistake)
{
    add_text(out, "the parent ");
    describe_named(out, mistake);
    add_text(out, " is not an object with instances that stands earlier in the map; name one");
}

static void describe_costly_parent(sentence *out, const prfdata_map_mistake *mistake)
{
    add_text(out, "the parent ");
    describe_named(out, mistake);
    add_text(out,
             " is costly and this object is not, so that \"Global\" would return the parent for "
             "it; put PRFDATA_MAP_COSTLY after this object too");
}

static void describe_lanes(sentence *out)
{
    add_text(out, "with this object the map's hot counters take more than ");
    describe_number(out, PRFDATA_MAX_LANES_BYTES / 1024);
    add_text(out, " KiB in a region, ");
    describe_number(out, (int64_t)PRFDATA_LANES * (int64_t)sizeof(uint64_t));
    add_text(out, " bytes for each counter of each instance; lower max_instances, or leave out "
                  "PRFDATA_MAP_HOT where few threads count at once");
}

static void describe_distribution(sentence *out)
{
    add_text(out,
             "the unit must be PRFDATA_UNIT_NUMBER, _BYTES or _100NS, the lowest value at most "
             "the highest and that at most ");
    describe_number(out, INT64_MAX);
    add_text(out, ", the buckets per octave 4, 8, 16 or 32, the window 1 to ");
    describe_number(out, PRFDATA_DISTRIBUTION_MAX_WINDOW_S);
    add_text(out, " seconds, and an object has at most ");
    describe_number(out, PRFDATA_MAX_DISTRIBUTIONS);
    add_text(out, " distributions");
}

/* What one instance keeps of the distribution of this line; it was checked. */
static uint64_t distribution_bytes(const prfdata_map_entry *entry)
{
    prfdata_distribution_shape shape;

    return prfdata_distribution_shape_make(entry->lowest, entry->highest, entry->buckets_per_octave,
                                           entry->window_s, &shape)
               ? prfdata_distribution_bytes(&shape)
               : 0;
}

static void describe_distribution_bytes(sentence *out, const prfdata_map_mistake *mistake)
{
    add_text(out, "with it the distributions of all instances take more than ");
    describe_number(out, PRFDATA_MAX_DISTRIBUTIONS_BYTES / 1024 / 1024);
    add_text(out, " MiB in a region, this one ");
    describe_number(out, (int64_t)distribution_bytes(entry_of(mistake)));
    add_text(out, " bytes for each instance; lower max_instances, or choose fewer buckets per "
                  "octave or a smaller range");
}

static void describe_shown(sentence *out, const prfdata_map_mistake *mistake)
{
    add_text(out, "the distribution ");
    describe_number(out, entry_of(mistake)->id);
    add_text(out,
             " must be declared with PRFDATA_MAP_DISTRIBUTION after this counter's object, and "
             "the share of a percentile be 1 to 10,000: 9900 is p99");
}

static void describe_health(sentence *out)
{
    add_text(out,
             "the health of the service is shown by the counters of one object, all of which "
             "have PRFDATA_MAP_HEALTH_OF with PRFDATA_HEALTH_PUBLISHERS or another one; it has "
             "PERF_NO_INSTANCES, and a map has one of them: PRFDATA_MAP_HEALTH makes it");
}

static void describe_rule(sentence *out, const prfdata_map_mistake *mistake)
{
    switch (mistake->rule) {
    case PRFDATA_MAP_RULE_NONE:
        add_text(out, "nothing is wrong");
        return;
    case PRFDATA_MAP_RULE_MAP:
        describe_map_rule(out);
        return;
    case PRFDATA_MAP_RULE_SERVICE_NAME:
        describe_service_name(out, mistake);
        return;
    case PRFDATA_MAP_RULE_NO_OBJECT:
        add_text(out, "it has no object; begin it with PRFDATA_MAP_OBJ");
        return;
    case PRFDATA_MAP_RULE_TOO_MANY:
        describe_too_many(out, mistake);
        return;
    case PRFDATA_MAP_RULE_COUNTER_FIRST:
        add_text(out, "the counter belongs to no object; put PRFDATA_MAP_OBJ before it");
        return;
    case PRFDATA_MAP_RULE_NO_COUNTER:
        add_text(out, "the object has no counter; put PRFDATA_MAP_CTR after it");
        return;
    case PRFDATA_MAP_RULE_SYMBOL:
        describe_symbol(out, mistake);
        return;
    case PRFDATA_MAP_RULE_DUPLICATE_ID:
        describe_duplicate(out, mistake, "the id");
        add_text(out, "; give every object and counter its own");
        return;
    case PRFDATA_MAP_RULE_NAME_LENGTH:
        describe_length(out, "the name", PRFDATA_MAX_NAME_CHARS);
        return;
    case PRFDATA_MAP_RULE_NAME_CHARACTERS:
        describe_name_characters(out, mistake);
        return;
    case PRFDATA_MAP_RULE_DUPLICATE_NAME:
        describe_duplicate(out, mistake, "the name, ignoring case,");
        add_text(out, "; rename one of them");
        return;
    case PRFDATA_MAP_RULE_WMI_NAME:
        describe_wmi_name(out, mistake);
        return;
    case PRFDATA_MAP_RULE_HELP_LENGTH:
        describe_length(out, "the help", PRFDATA_MAX_HELP_CHARS);
        return;
    case PRFDATA_MAP_RULE_HELP_CHARACTERS:
        add_text(out, "the help must not contain control characters or half a surrogate pair, nor "
                      "begin or end with a blank or a quotation mark");
        return;
    case PRFDATA_MAP_RULE_DETAIL_LEVEL:
        add_text(out, "the detail level must be PERF_DETAIL_NOVICE, _ADVANCED, _EXPERT or _WIZARD");
        return;
    case PRFDATA_MAP_RULE_SCALE:
        add_text(out, "the default scale is a power of ten and must be -7 to 7");
        return;
    case PRFDATA_MAP_RULE_DEFAULT_COUNTER:
        describe_default_counter(out, mistake);
        return;
    case PRFDATA_MAP_RULE_CAPACITY:
        describe_capacity(out, mistake);
        return;
    case PRFDATA_MAP_RULE_INSTANCE_NAME:
        describe_instance_name(out);
        return;
    case PRFDATA_MAP_RULE_UNKNOWN_TYPE:
        describe_unknown_type(out, mistake);
        return;
    case PRFDATA_MAP_RULE_TYPE_NOT_YET:
        describe_type_not_yet(out, mistake);
        return;
    case PRFDATA_MAP_RULE_BASE_MISSING:
        describe_base_missing(out, mistake);
        return;
    case PRFDATA_MAP_RULE_BASE_ALONE:
        describe_base_alone(out, mistake);
        return;
    case PRFDATA_MAP_RULE_SINGLE_INVERSE:
        describe_single_inverse(out, mistake);
        return;
    case PRFDATA_MAP_RULE_OPTION:
        describe_option(out, mistake);
        return;
    case PRFDATA_MAP_RULE_METRIC_NAME:
        describe_metric_name(out, mistake);
        return;
    case PRFDATA_MAP_RULE_METRIC_UNIT:
        describe_metric_unit(out, mistake);
        return;
    case PRFDATA_MAP_RULE_METRIC_TAKEN:
        describe_duplicate(out, mistake, "the name of its metric, with unit,");
        add_text(out, "; say another one with PRFDATA_MAP_METRIC after one of them");
        return;
    case PRFDATA_MAP_RULE_PARENT:
        describe_parent(out, mistake);
        return;
    case PRFDATA_MAP_RULE_COSTLY_PARENT:
        describe_costly_parent(out, mistake);
        return;
    case PRFDATA_MAP_RULE_LANES:
        describe_lanes(out);
        return;
    case PRFDATA_MAP_RULE_DISTRIBUTION:
        describe_distribution(out);
        return;
    case PRFDATA_MAP_RULE_DISTRIBUTION_BYTES:
        describe_distribution_bytes(out, mistake);
        return;
    case PRFDATA_MAP_RULE_HEALTH:
        describe_health(out);
        return;
    case PRFDATA_MAP_RULE_SHOWN:
        describe_shown(out, mistake);
        return;
    case PRFDATA_MAP_RULE_TOO_LARGE:
        add_text(out, "encoded it exceeds ");
        describe_number(out, PRFDATA_MAX_MAP_BYTES / 1024);
        add_text(
            out,
            " KiB; shorten help texts or split it into several maps, each with its own service");
        return;
    case PRFDATA_MAP_RULE_NO_MEMORY:
        add_text(out, "there is not enough memory to check it");
        return;
    }
}

/* The length without the bytes of a last character that is incomplete. */
static size_t cut_at_character(const char *text, size_t length)
{
    size_t start = length;

    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start > 0 && (unsigned char)text[start - 1] >= 0xC0) {
        unsigned char first = (unsigned char)text[start - 1];
        size_t needed = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;

        if (length - (start - 1) < needed)
            return start - 1;
    }
    return length;
}

size_t prfdata_map_mistake_text(const prfdata_map_mistake *mistake, char *text, size_t capacity)
{
    sentence out = {text, capacity, 0};

    describe_subject(&out, mistake);
    add_text(&out, ": ");
    describe_rule(&out, mistake);
    add_text(&out, ".");

    if (capacity > 0) {
        size_t length = out.used < capacity ? out.used : capacity - 1;

        text[out.used < capacity ? length : cut_at_character(text, length)] = 0;
    }
    return out.used;
}
