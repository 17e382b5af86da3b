/* SPDX-License-Identifier: MIT */
/*
 * Checks a map for programs and installers: the rules of map_limits.c, the rules about texts
 * (map_check_names.c), and whether the names of all metrics differ (metric.c).
 */
#include "check/map_check.h"

#include <stdlib.h>

#include "map/map_check_parts.h"
#include "metric/metric.h"

/*
 * Checks all rules and adds the mistakes to `found`. `tree` gets the tree of the map, or NULL; the
 * caller frees it even on failure. Returns ERROR_SUCCESS (also for an invalid map) or
 * ERROR_NOT_ENOUGH_MEMORY.
 */
static uint32_t check_map(prfdata_map_findings *found, prfdata_map_tree **tree)
{
    uint32_t *clashes;
    uint32_t status;

    *tree = NULL;
    if (!prfdata_map_check_table(found))
        return ERROR_SUCCESS;
    if (prfdata_map_tree_make(found->map, tree))
        return ERROR_NOT_ENOUGH_MEMORY;
    clashes = malloc(((size_t)(*tree)->counter_count + 1) * sizeof *clashes);
    status = clashes ? prfdata_metric_find_clashes(*tree, clashes) : ERROR_NOT_ENOUGH_MEMORY;
    if (status == ERROR_SUCCESS) {
        found->clashes = clashes;
        prfdata_map_check_tree(found, *tree);
    }
    found->clashes = NULL;
    free(clashes);
    return status;
}

static uint32_t nest_map(const prfdata_map *map, bool may_be_later, prfdata_map_tree **tree)
{
    prfdata_map_findings found = {map,  NULL,        0, 0, &prfdata_map_check_names_all,
                                  NULL, may_be_later};
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

uint32_t prfdata_map_check_nest(const prfdata_map *map, prfdata_map_tree **tree)
{
    return nest_map(map, false, tree);
}

uint32_t prfdata_map_check_nest_decoded(const prfdata_map *map, prfdata_map_tree **tree)
{
    return nest_map(map, true, tree);
}

size_t prfdata_map_check(const prfdata_map *map, prfdata_map_mistake *mistakes, size_t capacity)
{
    prfdata_map_findings found = {map,  mistakes, capacity, 0, &prfdata_map_check_names_all,
                                  NULL, false};
    prfdata_map_tree *tree;

    if (check_map(&found, &tree))
        prfdata_map_check_report_map(&found, PRFDATA_MAP_RULE_NO_MEMORY);
    free(tree);
    return found.count;
}
