/* SPDX-License-Identifier: MIT */
/*
 * Checks the rules about an option of a map: its values, the line that it follows, and the options
 * next to it.
 */
#include "counting/distribution.h"
#include "map/map_check_parts.h"
#include "map/map_options.h"

/* Whether `option` repeats or excludes an option between `target` and `index`. */
static bool option_conflicts(const prfdata_map *map, const prfdata_map_node *target, uint32_t index,
                             const prfdata_map_option *option)
{
    for (uint32_t i = target->index + 1; i < index; i++) {
        if (map->entries[i].option & ((option->may_repeat ? 0 : option->bit) | option->excludes))
            return true;
    }
    return false;
}

/* The object before `child` that has this id and has instances; or NULL. */
static const prfdata_map_node *find_parent(const prfdata_map_tree *tree, uint32_t id,
                                           const prfdata_map_node *child)
{
    for (uint32_t i = 0; i < tree->object_count && tree->objects[i].index < child->index; i++) {
        if (tree->objects[i].entry->id == id)
            return prfdata_map_check_has_instances(tree->objects[i].entry) ? &tree->objects[i]
                                                                           : NULL;
    }
    return NULL;
}

/* Checks the option at `index`, which names the parent of the object `target`. */
static void check_parent(prfdata_map_findings *found, const prfdata_map_tree *tree, uint32_t index,
                         const prfdata_map_node *target)
{
    const prfdata_map_node *parent = find_parent(tree, tree->map->entries[index].id, target);

    if (!parent)
        prfdata_map_check_report_option(found, PRFDATA_MAP_RULE_PARENT, index, target);
    else if ((parent->options & PRFDATA_OPTION_COSTLY) &&
             !(target->options & PRFDATA_OPTION_COSTLY))
        prfdata_map_check_report_line(found, PRFDATA_MAP_RULE_COSTLY_PARENT, index, target->entry,
                                      parent->index);
}

/* Whether the declaration of a distribution is valid. `shape` gets the resulting shape. */
static bool is_right_distribution(const prfdata_map_entry *entry, prfdata_distribution_shape *shape)
{
    return entry->unit >= PRFDATA_UNIT_NUMBER && entry->unit <= PRFDATA_UNIT_100NS &&
           prfdata_distribution_shape_make(entry->lowest, entry->highest, entry->buckets_per_octave,
                                           entry->window_s, shape);
}

/* The line at `index` declares a distribution of `object`. */
static void check_distribution(prfdata_map_findings *found, uint32_t index,
                               const prfdata_map_node *object)
{
    const prfdata_map *map = found->map;
    const int32_t instances = object->entry->max_instances;
    const uint64_t slots = instances > 0 ? (uint64_t)instances : 1;
    const uint32_t same_id = prfdata_map_check_find_earlier_id(map, index, map->entries[index].id);
    uint32_t line = object->index + 1;
    prfdata_distribution_shape shape;
    uint32_t count = 0;
    uint64_t before = 0;
    uint64_t bytes = 0;

    if (same_id < index)
        prfdata_map_check_report_line(found, PRFDATA_MAP_RULE_DUPLICATE_ID, index, object->entry,
                                      same_id);
    while (line <= index) {
        const prfdata_map_entry *entry = prfdata_map_tree_next_distribution(map, &line);

        count++;
        before += bytes;
        bytes = is_right_distribution(entry, &shape) ? prfdata_distribution_bytes(&shape) : 0;
    }
    if (bytes == 0 || count > PRFDATA_MAX_DISTRIBUTIONS)
        prfdata_map_check_report_option(found, PRFDATA_MAP_RULE_DISTRIBUTION, index, object);
    if (before * slots <= PRFDATA_MAX_DISTRIBUTIONS_BYTES &&
        (before + bytes) * slots > PRFDATA_MAX_DISTRIBUTIONS_BYTES)
        prfdata_map_check_report_option(found, PRFDATA_MAP_RULE_DISTRIBUTION_BYTES, index, object);
}

/* The line at `index` says which statistic a counter of `object` shows. */
static void check_shown(prfdata_map_findings *found, uint32_t index,
                        const prfdata_map_node *counter, const prfdata_map_node *object)
{
    const prfdata_map_entry *shows = &found->map->entries[index];
    uint32_t line = object ? object->index + 1 : found->map->entry_count;
    const prfdata_map_entry *entry = prfdata_map_tree_next_distribution(found->map, &line);

    while (entry && entry->id != shows->id)
        entry = prfdata_map_tree_next_distribution(found->map, &line);
    if (!entry || (shows->option == PRFDATA_OPTION_PERCENTILE &&
                   (shows->highest < 1 || shows->highest > 10000)))
        prfdata_map_check_report_option(found, PRFDATA_MAP_RULE_SHOWN, index, counter);
}

/* Whether a counter accumulates and is not a base. */
static bool accumulates(const prfdata_map_node *counter)
{
    return !prfdata_map_check_has_flag(counter, PRFDATA_TYPE_BASE) &&
           prfdata_map_tree_merging(counter, NULL) == PRFDATA_MERGING_ACCUMULATE;
}

/* Whether an option may follow `target`, an entry of the kind that the option needs. */
static bool option_suits_type(const prfdata_map_findings *found, const prfdata_map_option *option,
                              const prfdata_map_node *target)
{
    if (prfdata_map_check_is_type_refused(target))
        return true;
    return prfdata_map_options_suits(option, target->entry) &&
           (!option->needs_metric || !found->names ||
            found->names->may_have_metric(target->entry->type)) &&
           (!option->needs_accumulating || accumulates(target));
}

void prfdata_map_check_option(prfdata_map_findings *found, const prfdata_map_tree *tree,
                              uint32_t index, const prfdata_map_node *target,
                              const prfdata_map_node *object)
{
    const prfdata_map_entry *entry = &tree->map->entries[index];
    const prfdata_map_option *option = prfdata_map_options_find(entry->option);

    if (!option || target->entry->kind != option->kind ||
        !option_suits_type(found, option, target) ||
        (option->needs_total && !(object && (object->options & PRFDATA_OPTION_TOTAL))) ||
        option_conflicts(tree->map, target, index, option))
        prfdata_map_check_report_option(found, PRFDATA_MAP_RULE_OPTION, index, target);
    else if (option->has_texts && found->names)
        found->names->metric(found, index, target);
    if (option && option->names_parent)
        check_parent(found, tree, index, target);
    if (option && option->bit == PRFDATA_OPTION_DISTRIBUTION &&
        target->entry->kind == PRFDATA_ENTRY_OBJECT)
        check_distribution(found, index, target);
    if (option && option->shows)
        check_shown(found, index, target, object);
    /*
     * Only the check for authors refuses unknown health numbers. A decoded map may come from a
     * program that was built with a later version.
     */
    if (option && option->names_health &&
        (entry->id < 1 || (!found->may_be_later && entry->id > PRFDATA_HEALTH_LAST)))
        prfdata_map_check_report_option(found, PRFDATA_MAP_RULE_HEALTH, index, target);
}
