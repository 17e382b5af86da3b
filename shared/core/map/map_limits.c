/* SPDX-License-Identifier: MIT */
/*
 * Checks the rules on which the safety of a map's readers depends. Also visits the lines of the
 * table for all other checks.
 *
 * A map may come from hostile bytes, so the code trusts no kind and no number, and any text may be
 * missing.
 */
#include "map/map_limits.h"

#include <stdlib.h>

#include "map/map_bytes.h"
#include "map/map_check_parts.h"

static void check_counts(prfdata_map_findings *found, const prfdata_map_tree *tree)
{
    if (tree->object_count == 0)
        prfdata_map_check_report_map(found, PRFDATA_MAP_RULE_NO_OBJECT);
    if (tree->object_count > PRFDATA_MAX_OBJECTS)
        prfdata_map_check_report_map(found, PRFDATA_MAP_RULE_TOO_MANY);
}

/*
 * Visits the lines of the table. The tree has the objects and counters in the order of these lines.
 * So the node of an object or counter line is the next node of that kind.
 */
static void check_lines(prfdata_map_findings *found, const prfdata_map_tree *tree)
{
    const prfdata_map_node *next_object = tree->objects;
    const prfdata_map_node *next_counter = tree->counters;
    const prfdata_map_node *object = NULL;
    const prfdata_map_node *target = NULL; /* target of the options that follow */
    bool is_target_unknown = false;

    for (uint32_t i = 0; i < tree->map->entry_count; i++) {
        switch (tree->map->entries[i].kind) {
        case PRFDATA_ENTRY_OBJECT:
            target = object = next_object++;
            prfdata_map_check_object(found, tree, object);
            break;
        case PRFDATA_ENTRY_COUNTER:
            target = next_counter++;
            prfdata_map_check_counter(found, tree, target, object);
            break;
        case PRFDATA_ENTRY_OPTION:
            if (target)
                prfdata_map_check_option(found, tree, i, target, object);
            else if (!is_target_unknown) /* an unknown kind has been reported at its own line */
                prfdata_map_check_report_option(found, PRFDATA_MAP_RULE_OPTION, i, NULL);
            break;
        default:
            target = NULL;
            is_target_unknown = true;
            prfdata_map_check_report_line(found, PRFDATA_MAP_RULE_MAP, i, &tree->map->entries[i],
                                          tree->map->entry_count);
        }
    }
}

bool prfdata_map_check_table(prfdata_map_findings *found)
{
    const prfdata_map *map = found->map;

    if (!map || map->entry_bytes != sizeof(prfdata_map_entry) ||
        (!map->entries && map->entry_count > 0)) {
        prfdata_map_check_report_map(found, PRFDATA_MAP_RULE_MAP);
        return false;
    }
    /* A larger table cannot be encoded, and the check of unique ids would take too long. */
    if (map->entry_count > PRFDATA_MAX_MAP_BYTES / PRFDATA_MAP_BYTES_LEAST_ENTRY) {
        prfdata_map_check_report_map(found, PRFDATA_MAP_RULE_TOO_LARGE);
        return false;
    }
    return true;
}

void prfdata_map_check_tree(prfdata_map_findings *found, const prfdata_map_tree *tree)
{
    check_lines(found, tree);
    if (found->names)
        found->names->map(found);
    check_counts(found, tree);
}

uint32_t prfdata_map_limits_nest(const prfdata_map *map, prfdata_map_tree **tree)
{
    prfdata_map_findings found = {map, NULL, 0, 0, NULL, NULL, true};
    prfdata_map_tree *made;

    if (!prfdata_map_check_table(&found))
        return ERROR_INVALID_PARAMETER;
    if (prfdata_map_tree_make(map, &made))
        return ERROR_NOT_ENOUGH_MEMORY;
    prfdata_map_check_tree(&found, made);
    if (found.count > 0) {
        free(made);
        return ERROR_INVALID_PARAMETER;
    }
    *tree = made;
    return ERROR_SUCCESS;
}
