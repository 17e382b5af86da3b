/* SPDX-License-Identifier: MIT */
/* Checks the rules about a counter of a map: its scale, type and base, and its metric's name. */
#include "map/map_check_parts.h"
#include "map/model.h"

static void check_base_missing(prfdata_map_findings *found, const prfdata_map_node *counter)
{
    const bool may_be_meant = counter->after && prfdata_map_check_is_type_refused(counter->after);

    if (prfdata_map_check_has_flag(counter, PRFDATA_TYPE_NEEDS_BASE) && !counter->has_base &&
        !may_be_meant)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_BASE_MISSING, counter);
}

/*
 * If the counter before the base has a refused type or needs another base, returns false, because
 * check_type() or check_base_missing() reports that counter.
 */
bool prfdata_map_check_is_base_alone(const prfdata_map_node *counter)
{
    const prfdata_map_node *before = counter->before;

    if (!prfdata_map_check_has_flag(counter, PRFDATA_TYPE_BASE))
        return false;
    return !before || !(before->has_base || prfdata_map_check_is_type_refused(before) ||
                        prfdata_map_check_has_flag(before, PRFDATA_TYPE_NEEDS_BASE));
}

static void check_single_inverse(prfdata_map_findings *found, const prfdata_map_node *counter,
                                 const prfdata_map_node *object)
{
    if (!prfdata_map_check_has_flag(counter, PRFDATA_TYPE_SINGLE_INVERSE))
        return;
    if (!(object->options & PRFDATA_OPTION_PER_PROCESS) || (object->options & PRFDATA_OPTION_TOTAL))
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_SINGLE_INVERSE, counter);
}

static void check_type(prfdata_map_findings *found, const prfdata_map_node *counter)
{
    if (prfdata_map_check_is_type_refused(counter))
        prfdata_map_check_report(
            found, counter->type ? PRFDATA_MAP_RULE_TYPE_NOT_YET : PRFDATA_MAP_RULE_UNKNOWN_TYPE,
            counter);
    if (prfdata_map_check_is_base_alone(counter))
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_BASE_ALONE, counter);
}

static void check_metric_taken(prfdata_map_findings *found, const prfdata_map_tree *tree,
                               const prfdata_map_node *counter)
{
    const uint32_t clash = found->clashes ? found->clashes[counter - tree->counters] : PRFDATA_NONE;

    if (clash != PRFDATA_NONE)
        prfdata_map_check_report_conflict(found, PRFDATA_MAP_RULE_METRIC_TAKEN, counter,
                                          tree->counters[clash].index);
}

void prfdata_map_check_counter(prfdata_map_findings *found, const prfdata_map_tree *tree,
                               const prfdata_map_node *counter, const prfdata_map_node *object)
{
    if (!object)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_COUNTER_FIRST, counter);
    prfdata_map_check_named(found, counter, object ? object->counters : tree->counters);
    if (counter->entry->default_scale < -7 || counter->entry->default_scale > 7)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_SCALE, counter);
    check_type(found, counter);
    check_base_missing(found, counter);
    check_metric_taken(found, tree, counter);
    if (object)
        check_single_inverse(found, counter, object);
}
