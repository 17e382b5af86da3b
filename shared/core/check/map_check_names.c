/* SPDX-License-Identifier: MIT */
/*
 * Checks the texts of a map: symbols, names, help, the names of metrics, and the name of the
 * service. Also checks detail levels and the size of the encoded map. No reader's safety depends on
 * these rules.
 */
#include <string.h>

#include "map/map_bytes.h"
#include "map/map_check_parts.h"
#include "metric/metric.h"
#include "names/ascii.h"
#include "names/c_word.h"
#include "names/names.h"
#include "names/service_name.h"
#include "names/wmi_name.h"

/* The length in UTF-16 code units; if the text has lone surrogates, its number of wchar_t. */
static size_t text_chars(const wchar_t *text)
{
    size_t chars = prfdata_names_utf16_from_wide(text, NULL, 0);

    return chars == SIZE_MAX ? wcslen(text) : chars;
}

/* Whether a reader of the .ini file drops this character at the ends of a text. */
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

static bool is_identifier(const char *symbol)
{
    size_t length = 0;

    if (prfdata_ascii_is_digit((unsigned char)symbol[0]))
        return false;
    while (symbol[length] != 0) {
        unsigned char c = (unsigned char)symbol[length];

        if (++length > PRFDATA_MAX_SYMBOL_CHARS ||
            !(prfdata_ascii_is_letter(c) || prfdata_ascii_is_digit(c) || c == '_'))
            return false;
    }
    return length > 0;
}

static void check_texts_present(prfdata_map_findings *found, const prfdata_map_node *node)
{
    if (!node->entry->symbol || !node->entry->name || !node->entry->help)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_MAP, node);
}

static void check_symbol(prfdata_map_findings *found, const prfdata_map_node *node)
{
    const prfdata_map_entry *entry = node->entry;

    if (!entry->symbol)
        return;
    if (!is_identifier(entry->symbol) || prfdata_c_word_is_keyword(entry->symbol) ||
        prfdata_c_word_is_reserved(entry->symbol) || prfdata_c_word_is_prfdatas(entry->symbol)) {
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_SYMBOL, node);
        return;
    }
    for (uint32_t i = 0; i < node->index; i++) {
        const prfdata_map_entry *earlier = &found->map->entries[i];

        /*
         * If a line repeats both the symbol and the id of an earlier line, DUPLICATE_ID reports it,
         * and one message is enough.
         */
        if (prfdata_map_check_is_named(earlier) && earlier->symbol && earlier->id != entry->id &&
            prfdata_ascii_equal(earlier->symbol, entry->symbol)) {
            prfdata_map_check_report_conflict(found, PRFDATA_MAP_RULE_SYMBOL, node, i);
            return;
        }
    }
}

static void check_name(prfdata_map_findings *found, const prfdata_map_node *node)
{
    const prfdata_map_entry *entry = node->entry;
    size_t chars;

    if (!entry->name)
        return;
    chars = text_chars(entry->name);
    if (chars == 0 || chars > PRFDATA_MAX_NAME_CHARS)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_NAME_LENGTH, node);
    if (has_bad_characters(entry->name, entry->kind == PRFDATA_ENTRY_OBJECT ? "\\()/#*" : "\\()#*"))
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_NAME_CHARACTERS, node);
}

static void check_help(prfdata_map_findings *found, const prfdata_map_node *node)
{
    const wchar_t *help = node->entry->help;
    size_t chars;

    if (!help)
        return;
    chars = text_chars(help);
    if (chars == 0 || chars > PRFDATA_MAX_HELP_CHARS)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_HELP_LENGTH, node);
    if (has_bad_characters(help, ""))
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_HELP_CHARACTERS, node);
}

static void check_detail_level(prfdata_map_findings *found, const prfdata_map_node *node)
{
    switch (node->entry->detail_level) {
    case PERF_DETAIL_NOVICE:
    case PERF_DETAIL_ADVANCED:
    case PERF_DETAIL_EXPERT:
    case PERF_DETAIL_WIZARD:
        return;
    default:
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_DETAIL_LEVEL, node);
    }
}

/*
 * `first` is the first object of the map, or the first counter of the object of `node`. If an
 * earlier object or counter has an equal name, reports this and returns false.
 */
static bool check_duplicate_name(prfdata_map_findings *found, const prfdata_map_node *node,
                                 const prfdata_map_node *first)
{
    for (const prfdata_map_node *earlier = first; earlier < node; earlier++) {
        if (prfdata_map_check_is_shown(earlier) && earlier->entry->name &&
            prfdata_names_wide_equal(earlier->entry->name, node->entry->name)) {
            prfdata_map_check_report_conflict(found, PRFDATA_MAP_RULE_DUPLICATE_NAME, node,
                                              earlier->index);
            return false;
        }
    }
    return true;
}

static bool wmi_conflict(const prfdata_map_node *a, const prfdata_map_node *b)
{
    const wchar_t *a_name = a->entry->name;
    const wchar_t *b_name = b->entry->name;

    return prfdata_wmi_name_equal(a_name, "", b_name, "") ||
           (a->has_base && prfdata_wmi_name_equal(a_name, "_Base", b_name, "")) ||
           (b->has_base && prfdata_wmi_name_equal(a_name, "", b_name, "_Base"));
}

static void check_wmi_name(prfdata_map_findings *found, const prfdata_map_node *node,
                           const prfdata_map_node *first)
{
    const wchar_t *name = node->entry->name;

    if (prfdata_wmi_name_is_empty(name) ||
        (node->entry->kind == PRFDATA_ENTRY_COUNTER && prfdata_wmi_name_is_inherited(name))) {
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_WMI_NAME, node);
        return;
    }
    for (const prfdata_map_node *earlier = first; earlier < node; earlier++) {
        if (prfdata_map_check_is_shown(earlier) && earlier->entry->name &&
            wmi_conflict(node, earlier)) {
            prfdata_map_check_report_conflict(found, PRFDATA_MAP_RULE_WMI_NAME, node,
                                              earlier->index);
            return;
        }
    }
}

static void check_unique_name(prfdata_map_findings *found, const prfdata_map_node *node,
                              const prfdata_map_node *first)
{
    const wchar_t *name = node->entry->name;

    /*
     * Empty names and too many counters have messages of their own, and comparing too many counters
     * with one another could take minutes. Equal names are also equal for WMI, so one message is
     * enough.
     */
    if (!name || name[0] == 0 || !prfdata_map_check_is_shown(node) ||
        node - first > PRFDATA_MAX_COUNTERS)
        return;
    if (check_duplicate_name(found, node, first))
        check_wmi_name(found, node, first);
}

static void check_node_names(prfdata_map_findings *found, const prfdata_map_node *node,
                             const prfdata_map_node *first)
{
    check_texts_present(found, node);
    check_symbol(found, node);
    check_name(found, node);
    check_unique_name(found, node, first);
    check_help(found, node);
    check_detail_level(found, node);
}

static bool may_have_metric(uint32_t type)
{
    return prfdata_metric_part_first(type, false) != NULL;
}

/* The option at `index` names the metric of the counter `target`. */
static void check_metric(prfdata_map_findings *found, uint32_t index,
                         const prfdata_map_node *target)
{
    const prfdata_map_entry *entry = &found->map->entries[index];

    if (!entry->name || !prfdata_metric_is_name(entry->name))
        prfdata_map_check_report_option(found, PRFDATA_MAP_RULE_METRIC_NAME, index, target);
    if (!entry->help || !prfdata_metric_is_unit(entry->help, target->entry->type))
        prfdata_map_check_report_option(found, PRFDATA_MAP_RULE_METRIC_UNIT, index, target);
}

static void check_map_texts(prfdata_map_findings *found)
{
    if (!found->map->service || !prfdata_service_name_is_right(found->map->service))
        prfdata_map_check_report_map(found, PRFDATA_MAP_RULE_SERVICE_NAME);
    if (prfdata_map_bytes_size(found->map) > PRFDATA_MAX_MAP_BYTES)
        prfdata_map_check_report_map(found, PRFDATA_MAP_RULE_TOO_LARGE);
}

const prfdata_map_check_names prfdata_map_check_names_all = {check_node_names, may_have_metric,
                                                             check_metric, check_map_texts};
