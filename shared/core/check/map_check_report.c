/* SPDX-License-Identifier: MIT */
/* Reports lines that break the rules of a map, and checks the rule about ids. */
#include "map/map_check_parts.h"

static void add_mistake(prfdata_map_findings *found, const prfdata_map_mistake *mistake)
{
    if (found->count < found->capacity)
        found->mistakes[found->count] = *mistake;
    found->count++;
}

void prfdata_map_check_report_map(prfdata_map_findings *found, prfdata_map_rule rule)
{
    prfdata_map_mistake mistake = {rule, 0, 0, 0, "", L"", found->map};

    if (found->map) {
        mistake.entry_index = found->map->entry_count;
        mistake.other_index = found->map->entry_count;
    }
    add_mistake(found, &mistake);
}

void prfdata_map_check_report_line(prfdata_map_findings *found, prfdata_map_rule rule,
                                   uint32_t index, const prfdata_map_entry *about, uint32_t other)
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

void prfdata_map_check_report_conflict(prfdata_map_findings *found, prfdata_map_rule rule,
                                       const prfdata_map_node *node, uint32_t other)
{
    prfdata_map_check_report_line(found, rule, node->index, node->entry, other);
}

void prfdata_map_check_report(prfdata_map_findings *found, prfdata_map_rule rule,
                              const prfdata_map_node *node)
{
    prfdata_map_check_report_conflict(found, rule, node, found->map->entry_count);
}

void prfdata_map_check_report_option(prfdata_map_findings *found, prfdata_map_rule rule,
                                     uint32_t index, const prfdata_map_node *target)
{
    prfdata_map_check_report_line(found, rule, index, target ? target->entry : NULL,
                                  found->map->entry_count);
}

static bool is_distribution(const prfdata_map_entry *entry)
{
    return entry->kind == PRFDATA_ENTRY_OPTION && entry->option == PRFDATA_OPTION_DISTRIBUTION;
}

uint32_t prfdata_map_check_find_earlier_id(const prfdata_map *map, uint32_t index, uint32_t id)
{
    for (uint32_t i = 0; i < index; i++) {
        const prfdata_map_entry *earlier = &map->entries[i];

        if ((prfdata_map_check_is_named(earlier) || is_distribution(earlier)) && earlier->id == id)
            return i;
    }
    return index;
}

void prfdata_map_check_named(prfdata_map_findings *found, const prfdata_map_node *node,
                             const prfdata_map_node *first_sibling)
{
    const uint32_t earlier =
        prfdata_map_check_find_earlier_id(found->map, node->index, node->entry->id);

    if (earlier < node->index)
        prfdata_map_check_report_conflict(found, PRFDATA_MAP_RULE_DUPLICATE_ID, node, earlier);
    if (found->names)
        found->names->node(found, node, first_sibling);
}
