/* SPDX-License-Identifier: MIT */
/*
 * Writes the messages that a developer reads if a map is invalid. A message says what is wrong and
 * what to do.
 */
#include <stdbool.h>
#include <stddef.h>

#include <prfdata/map.h>

#include "check/map_advice.h"
#include "check/map_mistake_words.h"
#include "counting/distribution.h"
#include "counting/lanes.h"
#include "map/map_tree.h"
#include "metric/metric.h"
#include "names/c_word.h"

static bool is_of_map(const prfdata_map_mistake *mistake)
{
    return !mistake->map || mistake->entry_index >= mistake->map->entry_count;
}

static const prfdata_map_entry *entry_of(const prfdata_map_mistake *mistake)
{
    return &mistake->map->entries[mistake->entry_index];
}

/* The object or counter to which an option at the line `index` belongs, or NULL. */
static const prfdata_map_entry *find_target(const prfdata_map *map, uint32_t index)
{
    while (index > 0) {
        index--;
        if (map->entries[index].kind != PRFDATA_ENTRY_OPTION)
            return &map->entries[index];
    }
    return NULL;
}

static void describe_subject(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    const prfdata_map_entry *target;

    if (is_of_map(mistake)) {
        prfdata_map_mistake_words_add(out, "the map");
        return;
    }
    if (entry_of(mistake)->kind != PRFDATA_ENTRY_OPTION) {
        prfdata_map_mistake_words_entry(out, mistake->symbol, mistake->id, mistake->name);
        return;
    }
    prfdata_map_mistake_words_bytes(out, mistake->symbol);
    target = find_target(mistake->map, mistake->entry_index);
    if (target) {
        prfdata_map_mistake_words_add(out, " after ");
        prfdata_map_mistake_words_entry(out, target->symbol ? target->symbol : "", mistake->id,
                                        mistake->name);
    }
}

static void describe_other(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    const prfdata_map_entry *other;

    if (mistake->other_index >= mistake->map->entry_count) {
        prfdata_map_mistake_words_add(out, "another");
        return;
    }
    other = &mistake->map->entries[mistake->other_index];
    prfdata_map_mistake_words_entry(out, other->symbol ? other->symbol : "", other->id,
                                    other->name ? other->name : L"");
}

static bool has_other_line(const prfdata_map_mistake *mistake)
{
    return mistake->other_index < mistake->map->entry_count;
}

static void describe_service_name(prfdata_map_mistake_words *out,
                                  const prfdata_map_mistake *mistake)
{
    prfdata_map_mistake_words_add(out, "the service name \"");
    prfdata_map_mistake_words_bytes(out, mistake->map->service ? mistake->map->service : "");
    prfdata_map_mistake_words_add(out, "\" is not allowed; use 1 to ");
    prfdata_map_mistake_words_number(out, PRFDATA_MAX_SERVICE_CHARS);
    prfdata_map_mistake_words_add(
        out, " of A-Z a-z 0-9 blank . _ -, begin with a letter or digit, end with neither dot "
             "nor blank, and avoid device names like CON or LPT1, and names that end in "
             ".ini or .h");
}

static void describe_too_many(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    prfdata_map_mistake_words_add(out, "it has more than ");
    prfdata_map_mistake_words_number(out, is_of_map(mistake) ? PRFDATA_MAX_OBJECTS
                                                             : PRFDATA_MAX_COUNTERS);
    prfdata_map_mistake_words_add(
        out, is_of_map(mistake) ? " objects; split it into several maps, each with its own service"
                                : " counters; split the object");
}

static void describe_symbol(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    if (has_other_line(mistake)) {
        prfdata_map_mistake_words_add(out, "the symbol equals that of ");
        describe_other(out, mistake);
        prfdata_map_mistake_words_add(out, " ignoring case, as title files do; rename one of them");
        return;
    }
    if (prfdata_c_word_is_keyword(mistake->symbol)) {
        prfdata_map_mistake_words_add(out, "the symbol is a keyword of C or C++, so no program can "
                                           "use it as a name; choose another one");
        return;
    }
    if (prfdata_c_word_is_reserved(mistake->symbol)) {
        prfdata_map_mistake_words_add(
            out,
            "names that begin with _ or contain __ belong to compilers; choose another symbol");
        return;
    }
    if (prfdata_c_word_is_prfdatas(mistake->symbol)) {
        prfdata_map_mistake_words_add(
            out, "names that begin with PRFDATA_ belong to PrfData; choose another symbol");
        return;
    }
    prfdata_map_mistake_words_add(out, "the symbol is not a C identifier of 1 to ");
    prfdata_map_mistake_words_number(out, PRFDATA_MAX_SYMBOL_CHARS);
    prfdata_map_mistake_words_add(
        out, " characters; define one with PRFDATA_DEFINE_OBJECT or PRFDATA_DEFINE_COUNTER "
             "and name it in the map");
}

static void describe_duplicate(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake,
                               const char *what)
{
    prfdata_map_mistake_words_add(out, what);
    prfdata_map_mistake_words_add(out, " is already that of ");
    describe_other(out, mistake);
}

static void describe_length(prfdata_map_mistake_words *out, const char *what, unsigned most)
{
    prfdata_map_mistake_words_add(out, what);
    prfdata_map_mistake_words_add(out, " must have 1 to ");
    prfdata_map_mistake_words_number(out, most);
    prfdata_map_mistake_words_add(out, " characters (UTF-16 code units)");
}

static void describe_name_characters(prfdata_map_mistake_words *out,
                                     const prfdata_map_mistake *mistake)
{
    prfdata_map_mistake_words_add(out, "the name must not contain ");
    prfdata_map_mistake_words_add(
        out, entry_of(mistake)->kind == PRFDATA_ENTRY_OBJECT ? "\\ ( ) / # *" : "\\ ( ) # *");
    prfdata_map_mistake_words_add(
        out, ", control characters or half a surrogate pair, nor begin or end with a blank or "
             "a quotation mark");
}

static void describe_wmi_name(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    if (has_other_line(mistake)) {
        prfdata_map_mistake_words_add(
            out, "for WMI, which keeps letters, digits and _ only and calls a base "
                 "<name>_Base, the name is in conflict with ");
        describe_other(out, mistake);
        prfdata_map_mistake_words_add(out, "; rename one of them");
        return;
    }
    prfdata_map_mistake_words_add(
        out, "for WMI, which keeps letters, digits and _ only, the name is empty or one that "
             "every performance class has already (Name, Caption, Description, Frequency_..., "
             "Timestamp_...); give it another");
}

static void describe_default_counter(prfdata_map_mistake_words *out,
                                     const prfdata_map_mistake *mistake)
{
    prfdata_map_mistake_words_add(out, "its default counter ");
    prfdata_map_mistake_words_number(out, entry_of(mistake)->default_counter);
    prfdata_map_mistake_words_add(
        out, " is not a counter of this object that readers show; name one of its counters "
             "that is neither a base nor PERF_COUNTER_NODATA");
}

static void describe_capacity(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    int32_t instances = entry_of(mistake)->max_instances;

    if (instances >= 1 && instances <= PRFDATA_MAX_INSTANCES) {
        prfdata_map_mistake_words_add(out, "with ");
        prfdata_map_mistake_words_number(out, instances);
        prfdata_map_mistake_words_add(out, " instances a reply would exceed ");
        prfdata_map_mistake_words_number(out, PRFDATA_MAX_OBJECT_BYTES / (1024 * 1024));
        prfdata_map_mistake_words_add(out, " MiB; lower max_instances or split the object");
        return;
    }
    prfdata_map_mistake_words_add(out, "max_instances is ");
    prfdata_map_mistake_words_number(out, instances);
    prfdata_map_mistake_words_add(out, "; it must be 1 to ");
    prfdata_map_mistake_words_number(out, PRFDATA_MAX_INSTANCES);
    prfdata_map_mistake_words_add(out, ", or PERF_NO_INSTANCES");
}

static void describe_instance_name(prfdata_map_mistake_words *out,
                                   const prfdata_map_mistake *mistake)
{
    (void)mistake;
    prfdata_map_mistake_words_add(out, "max_name_chars must be 1 to ");
    prfdata_map_mistake_words_number(out, PRFDATA_MAX_INSTANCE_NAME_CHARS);
    prfdata_map_mistake_words_add(out, " for an object with instances; 1 to ");
    prfdata_map_mistake_words_number(out, PRFDATA_MAX_INSTANCE_NAME_CHARS -
                                              PRFDATA_PROCESS_SUFFIX_CHARS);
    prfdata_map_mistake_words_add(out, " with PRFDATA_MAP_PER_PROCESS, which appends up to ");
    prfdata_map_mistake_words_number(out, PRFDATA_PROCESS_SUFFIX_CHARS);
    prfdata_map_mistake_words_add(out, " characters");
}

static void describe_unknown_type(prfdata_map_mistake_words *out,
                                  const prfdata_map_mistake *mistake)
{
    prfdata_map_mistake_words_add(out, "the type ");
    prfdata_map_mistake_words_type(out, entry_of(mistake)->type);
    prfdata_map_mistake_words_add(out, " is not one of winperf.h's predefined types; use one "
                                       "of them");
}

static void describe_type_not_yet(prfdata_map_mistake_words *out,
                                  const prfdata_map_mistake *mistake)
{
    prfdata_map_mistake_words_add(out, "the type ");
    prfdata_map_mistake_words_type(out, entry_of(mistake)->type);
    prfdata_map_mistake_words_add(out, " is not supported; no common reader shows it");
}

static void describe_base_missing(prfdata_map_mistake_words *out,
                                  const prfdata_map_mistake *mistake)
{
    const prfdata_counter_type *type = prfdata_counter_types_find(entry_of(mistake)->type);

    prfdata_map_mistake_words_type(out, type->type);
    prfdata_map_mistake_words_add(out, " needs a counter of the type ");
    prfdata_map_mistake_words_type(out, type->base_type);
    prfdata_map_mistake_words_add(out,
                                  " directly after it; PRFDATA_MAP_CTR_AND_BASE declares both");
}

/*
 * Finds the last earlier line that is not an option. Returns its type if it is a counter of a
 * predefined type, otherwise NULL.
 */
static const prfdata_counter_type *find_type_before(const prfdata_map_mistake *mistake)
{
    const prfdata_map_entry *target = find_target(mistake->map, mistake->entry_index);

    return target && target->kind == PRFDATA_ENTRY_COUNTER
               ? prfdata_counter_types_find(target->type)
               : NULL;
}

static void describe_base_alone(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    const prfdata_counter_type *before = find_type_before(mistake);

    prfdata_map_mistake_words_add(out, "a counter of the type ");
    prfdata_map_mistake_words_type(out, entry_of(mistake)->type);
    prfdata_map_mistake_words_add(out, " must directly follow the counter that it is the base of:");
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_at(i);

        if (type->base_type == entry_of(mistake)->type && type->base_type != 0) {
            prfdata_map_mistake_words_add(out, " ");
            prfdata_map_mistake_words_type(out, type->type);
        }
    }
    /* The author may have used PRFDATA_MAP_CTR_AND_BASE with a type that has no base. */
    if (before && before->base_type == 0) {
        prfdata_map_mistake_words_add(out, "; ");
        prfdata_map_mistake_words_type(out, before->type);
        prfdata_map_mistake_words_add(out, " has no base, so PRFDATA_MAP_CTR declares it");
    }
}

static void describe_single_inverse(prfdata_map_mistake_words *out,
                                    const prfdata_map_mistake *mistake)
{
    prfdata_map_mistake_words_type(out, entry_of(mistake)->type);
    prfdata_map_mistake_words_add(
        out, " of several processes cannot be merged; put it into an object with instances and "
             "PRFDATA_MAP_PER_PROCESS but without PRFDATA_MAP_TOTAL, or use the type without _INV");
}

static void describe_option(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    const char *advice = prfdata_map_advice(entry_of(mistake)->option);
    const prfdata_counter_type *before = find_type_before(mistake);

    prfdata_map_mistake_words_add(
        out, advice ? advice : "this option is unknown; use the PRFDATA_MAP_ macros");
    /* The author may not know that the last line of PRFDATA_MAP_CTR_AND_BASE is the base. */
    if (before && (before->flags & PRFDATA_TYPE_BASE))
        prfdata_map_mistake_words_add(out, "; an option of the counter stands before its base, as "
                                           "PRFDATA_MAP_CTR_AND_BASE_WITH writes it");
}

static void describe_metric_name(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    const wchar_t *name = entry_of(mistake)->name;

    prfdata_map_mistake_words_add(out, "the metric's name ");
    prfdata_map_mistake_words_name(out, name ? name : L"");
    prfdata_map_mistake_words_add(out, " is not allowed; use 1 to ");
    prfdata_map_mistake_words_number(out, PRFDATA_MAX_METRIC_CHARS);
    prfdata_map_mistake_words_add(
        out, " of a-z 0-9 _, begin with a letter but not with prfread_, put one _ between "
             "words, and leave out a last _total, _count, _sum, _bucket, _created, _info, "
             "_gcount or _gsum, which is appended where it belongs");
}

static void describe_metric_unit(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    const wchar_t *unit = entry_of(mistake)->help;
    const prfdata_map_entry *counter = find_target(mistake->map, mistake->entry_index);
    const prfdata_metric_part *part =
        counter ? prfdata_metric_part_first(counter->type, false) : NULL;

    prfdata_map_mistake_words_add(out, "the unit ");
    prfdata_map_mistake_words_name(out, unit ? unit : L"");
    if (part && prfdata_metric_part_unit(part)[0] != 0) {
        prfdata_map_mistake_words_add(out, " is not that of ");
        prfdata_map_mistake_words_type(out, counter->type);
        prfdata_map_mistake_words_add(out, ", which is in ");
        prfdata_map_mistake_words_add(out, prfdata_metric_part_unit(part));
        prfdata_map_mistake_words_add(out, "; say that, or \"\"");
        return;
    }
    prfdata_map_mistake_words_add(out, " is unknown; use \"\"");
    for (size_t i = 1; prfdata_metric_unit_at(i, NULL, NULL); i++) {
        prfdata_map_mistake_words_add(out,
                                      prfdata_metric_unit_at(i + 1, NULL, NULL) ? ", " : " or ");
        prfdata_map_mistake_words_add(out, prfdata_metric_unit_at(i, NULL, NULL));
    }
}

/* Describes the object or counter that has the option's id; if there is none, writes the id. */
static void describe_named(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    const uint32_t id = entry_of(mistake)->id;

    for (uint32_t i = 0; i < mistake->map->entry_count; i++) {
        const prfdata_map_entry *entry = &mistake->map->entries[i];

        if (entry->kind != PRFDATA_ENTRY_OPTION && entry->id == id) {
            prfdata_map_mistake_words_entry(out, entry->symbol ? entry->symbol : "", id,
                                            entry->name ? entry->name : L"");
            return;
        }
    }
    prfdata_map_mistake_words_number(out, id);
}

static void describe_parent(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    prfdata_map_mistake_words_add(out, "the parent ");
    describe_named(out, mistake);
    prfdata_map_mistake_words_add(
        out, " is not an object with instances that stands earlier in the map; name one");
}

static void describe_costly_parent(prfdata_map_mistake_words *out,
                                   const prfdata_map_mistake *mistake)
{
    prfdata_map_mistake_words_add(out, "the parent ");
    describe_named(out, mistake);
    prfdata_map_mistake_words_add(
        out, " is costly and this object is not, so that \"Global\" would return the parent for "
             "it; put PRFDATA_MAP_COSTLY after this object too");
}

static void describe_lanes(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    (void)mistake;
    prfdata_map_mistake_words_add(out, "with this object the map's hot counters take more than ");
    prfdata_map_mistake_words_number(out, PRFDATA_MAX_LANES_BYTES / 1024);
    prfdata_map_mistake_words_add(out, " KiB in a region, ");
    prfdata_map_mistake_words_number(out, (int64_t)PRFDATA_LANES * (int64_t)sizeof(uint64_t));
    prfdata_map_mistake_words_add(
        out, " bytes for each counter of each instance; lower max_instances, or leave out "
             "PRFDATA_MAP_HOT where few threads count at once");
}

static void describe_distribution(prfdata_map_mistake_words *out,
                                  const prfdata_map_mistake *mistake)
{
    (void)mistake;
    prfdata_map_mistake_words_add(
        out, "the unit must be PRFDATA_UNIT_NUMBER, _BYTES or _100NS; the lowest value must be at "
             "most the highest, and the highest at most ");
    prfdata_map_mistake_words_number(out, INT64_MAX);
    prfdata_map_mistake_words_add(
        out, "; the buckets per octave must be 4, 8, 16 or 32; the window must be 1 to ");
    prfdata_map_mistake_words_number(out, PRFDATA_DISTRIBUTION_MAX_WINDOW_S);
    prfdata_map_mistake_words_add(out, " seconds; and an object may have at most ");
    prfdata_map_mistake_words_number(out, PRFDATA_MAX_DISTRIBUTIONS);
    prfdata_map_mistake_words_add(out, " distributions");
}

/* The bytes that one instance needs for the distribution of this line; 0 if it is invalid. */
static uint64_t distribution_bytes(const prfdata_map_entry *entry)
{
    prfdata_distribution_shape shape;

    return prfdata_distribution_shape_make(entry->lowest, entry->highest, entry->buckets_per_octave,
                                           entry->window_s, &shape)
               ? prfdata_distribution_bytes(&shape)
               : 0;
}

static void describe_distribution_bytes(prfdata_map_mistake_words *out,
                                        const prfdata_map_mistake *mistake)
{
    prfdata_map_mistake_words_add(out,
                                  "with it the distributions of all instances take more than ");
    prfdata_map_mistake_words_number(out, PRFDATA_MAX_DISTRIBUTIONS_BYTES / 1024 / 1024);
    prfdata_map_mistake_words_add(out, " MiB in a region, this one ");
    prfdata_map_mistake_words_number(out, (int64_t)distribution_bytes(entry_of(mistake)));
    prfdata_map_mistake_words_add(
        out, " bytes for each instance; lower max_instances, or choose fewer buckets per "
             "octave or a smaller range");
}

static void describe_shown(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    prfdata_map_mistake_words_add(out, "the distribution ");
    prfdata_map_mistake_words_number(out, entry_of(mistake)->id);
    prfdata_map_mistake_words_add(
        out, " must be declared with PRFDATA_MAP_DISTRIBUTION after this counter's object, and "
             "the share of a percentile be 1 to 10,000: 9900 is p99");
}

static void describe_health(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    const prfdata_map_entry *entry = is_of_map(mistake) ? NULL : entry_of(mistake);

    if (entry && entry->option == PRFDATA_OPTION_HEALTH && entry->id > PRFDATA_HEALTH_LAST &&
        entry->id <= PRFDATA_HEALTH_RESERVED) {
        prfdata_map_mistake_words_add(out, "the number ");
        prfdata_map_mistake_words_number(out, entry->id);
        prfdata_map_mistake_words_add(out, " belongs to a later version of PrfData than this "
                                           "program");
        return;
    }
    prfdata_map_mistake_words_add(
        out, "a map may have one health object, with PERF_NO_INSTANCES, and all of its counters "
             "need PRFDATA_MAP_HEALTH_OF; PRFDATA_MAP_HEALTH declares it");
}

static void describe_duplicate_id(prfdata_map_mistake_words *out,
                                  const prfdata_map_mistake *mistake)
{
    describe_duplicate(out, mistake, "the id");
    prfdata_map_mistake_words_add(out, "; give every object and counter its own");
}

static void describe_name_length(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    (void)mistake;
    describe_length(out, "the name", PRFDATA_MAX_NAME_CHARS);
}

static void describe_duplicate_name(prfdata_map_mistake_words *out,
                                    const prfdata_map_mistake *mistake)
{
    describe_duplicate(out, mistake, "the name, ignoring case,");
    prfdata_map_mistake_words_add(out, "; rename one of them");
}

static void describe_help_length(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    (void)mistake;
    describe_length(out, "the help", PRFDATA_MAX_HELP_CHARS);
}

static void describe_metric_taken(prfdata_map_mistake_words *out,
                                  const prfdata_map_mistake *mistake)
{
    describe_duplicate(out, mistake, "the name of its metric, with unit,");
    prfdata_map_mistake_words_add(out, "; choose another one with PRFDATA_MAP_METRIC after one of "
                                       "them");
}

static void describe_too_large(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    (void)mistake;
    prfdata_map_mistake_words_add(out, "encoded it exceeds ");
    prfdata_map_mistake_words_number(out, PRFDATA_MAX_MAP_BYTES / 1024);
    prfdata_map_mistake_words_add(
        out, " KiB; shorten help texts or split it into several maps, each with its own service");
}

typedef struct rule_text {
    const char *text; /* NULL: `describe` writes the message */
    void (*describe)(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake);
} rule_text;

static const rule_text rule_texts[] = {
    [PRFDATA_MAP_RULE_NONE] = {"nothing is wrong", NULL},
    [PRFDATA_MAP_RULE_MAP] =
        {"the table is missing or of another version of <prfdata/map.h>, or this line has "
         "no symbol, name or help or is of an unknown kind; write it with the "
         "PRFDATA_MAP_ macros and rebuild everything that includes the header",
         NULL},
    [PRFDATA_MAP_RULE_SERVICE_NAME] = {NULL, describe_service_name},
    [PRFDATA_MAP_RULE_NO_OBJECT] = {"it has no object; begin it with PRFDATA_MAP_OBJ", NULL},
    [PRFDATA_MAP_RULE_TOO_MANY] = {NULL, describe_too_many},
    [PRFDATA_MAP_RULE_COUNTER_FIRST] =
        {"the counter belongs to no object; put PRFDATA_MAP_OBJ before it", NULL},
    [PRFDATA_MAP_RULE_NO_COUNTER] = {"the object has no counter; put PRFDATA_MAP_CTR after it",
                                     NULL},
    [PRFDATA_MAP_RULE_SYMBOL] = {NULL, describe_symbol},
    [PRFDATA_MAP_RULE_DUPLICATE_ID] = {NULL, describe_duplicate_id},
    [PRFDATA_MAP_RULE_NAME_LENGTH] = {NULL, describe_name_length},
    [PRFDATA_MAP_RULE_NAME_CHARACTERS] = {NULL, describe_name_characters},
    [PRFDATA_MAP_RULE_DUPLICATE_NAME] = {NULL, describe_duplicate_name},
    [PRFDATA_MAP_RULE_WMI_NAME] = {NULL, describe_wmi_name},
    [PRFDATA_MAP_RULE_HELP_LENGTH] = {NULL, describe_help_length},
    [PRFDATA_MAP_RULE_HELP_CHARACTERS] =
        {"the help must not contain control characters or half a surrogate pair, nor "
         "begin or end with a blank or a quotation mark",
         NULL},
    [PRFDATA_MAP_RULE_DETAIL_LEVEL] =
        {"the detail level must be PERF_DETAIL_NOVICE, _ADVANCED, _EXPERT or _WIZARD", NULL},
    [PRFDATA_MAP_RULE_SCALE] = {"the default scale is a power of ten and must be -7 to 7", NULL},
    [PRFDATA_MAP_RULE_DEFAULT_COUNTER] = {NULL, describe_default_counter},
    [PRFDATA_MAP_RULE_CAPACITY] = {NULL, describe_capacity},
    [PRFDATA_MAP_RULE_INSTANCE_NAME] = {NULL, describe_instance_name},
    [PRFDATA_MAP_RULE_UNKNOWN_TYPE] = {NULL, describe_unknown_type},
    [PRFDATA_MAP_RULE_TYPE_NOT_YET] = {NULL, describe_type_not_yet},
    [PRFDATA_MAP_RULE_BASE_MISSING] = {NULL, describe_base_missing},
    [PRFDATA_MAP_RULE_BASE_ALONE] = {NULL, describe_base_alone},
    [PRFDATA_MAP_RULE_SINGLE_INVERSE] = {NULL, describe_single_inverse},
    [PRFDATA_MAP_RULE_OPTION] = {NULL, describe_option},
    [PRFDATA_MAP_RULE_METRIC_NAME] = {NULL, describe_metric_name},
    [PRFDATA_MAP_RULE_METRIC_UNIT] = {NULL, describe_metric_unit},
    [PRFDATA_MAP_RULE_METRIC_TAKEN] = {NULL, describe_metric_taken},
    [PRFDATA_MAP_RULE_PARENT] = {NULL, describe_parent},
    [PRFDATA_MAP_RULE_COSTLY_PARENT] = {NULL, describe_costly_parent},
    [PRFDATA_MAP_RULE_LANES] = {NULL, describe_lanes},
    [PRFDATA_MAP_RULE_DISTRIBUTION] = {NULL, describe_distribution},
    [PRFDATA_MAP_RULE_DISTRIBUTION_BYTES] = {NULL, describe_distribution_bytes},
    [PRFDATA_MAP_RULE_HEALTH] = {NULL, describe_health},
    [PRFDATA_MAP_RULE_SHOWN] = {NULL, describe_shown},
    [PRFDATA_MAP_RULE_TOO_LARGE] = {NULL, describe_too_large},
    [PRFDATA_MAP_RULE_NO_MEMORY] = {"there is not enough memory to check it", NULL},
};

static void describe_rule(prfdata_map_mistake_words *out, const prfdata_map_mistake *mistake)
{
    static const rule_text unknown = {"", NULL};
    const size_t number = (size_t)mistake->rule;
    const rule_text *rule =
        number < sizeof rule_texts / sizeof rule_texts[0] ? &rule_texts[number] : &unknown;

    if (rule->text)
        prfdata_map_mistake_words_add(out, rule->text);
    else if (rule->describe)
        rule->describe(out, mistake);
}

size_t prfdata_map_mistake_text(const prfdata_map_mistake *mistake, char *text, size_t capacity)
{
    prfdata_map_mistake_words out = {text, capacity, 0};

    describe_subject(&out, mistake);
    prfdata_map_mistake_words_add(&out, ": ");
    describe_rule(&out, mistake);
    prfdata_map_mistake_words_add(&out, ".");
    prfdata_map_mistake_words_end(&out);
    return out.used;
}
