/* SPDX-License-Identifier: MIT */
/*
 * Checks the rules about an object of a map: its counters, its capacity, its largest reply, its
 * lanes, and its health counters.
 */
#include "base/perf_wire.h"
#include "map/map_check_parts.h"

static void check_counter_count(prfdata_map_findings *found, const prfdata_map_node *object)
{
    if (object->counter_count == 0)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_NO_COUNTER, object);
    if (object->counter_count > PRFDATA_MAX_COUNTERS)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_TOO_MANY, object);
}

/*
 * Whether a counter may be the default counter. True for a refused type or a base without a
 * fraction, because the author may have meant a type that readers show.
 */
static bool may_be_default(const prfdata_map_node *counter)
{
    if (prfdata_map_check_is_type_refused(counter) || prfdata_map_check_is_base_alone(counter))
        return true;
    return prfdata_map_check_is_shown(counter) && counter->entry->type != PERF_COUNTER_NODATA;
}

static void check_default_counter(prfdata_map_findings *found, const prfdata_map_node *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_map_node *counter = &object->counters[i];

        if (counter->entry->id == object->entry->default_counter && may_be_default(counter))
            return;
    }
    if (object->counter_count > 0) /* otherwise NO_COUNTER reports this */
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_DEFAULT_COUNTER, object);
}

static uint64_t round_up_to_8(uint64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/*
 * The bytes that the provider writes for this object if every instance exists and has the longest
 * name. The caller has checked the length of this name.
 */
static uint64_t most_reply_bytes(const prfdata_map_node *object)
{
    uint64_t instances = (uint64_t)object->entry->max_instances;
    uint32_t name_chars = (uint32_t)prfdata_map_tree_name_chars(object);
    uint64_t definitions = prfdata_perf_definitions_bytes(object->counter_count);
    uint32_t block_bytes = sizeof(prfdata_perf_counter_block);

    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (object->counters[i].type)
            prfdata_counter_types_place(object->counters[i].type, &block_bytes);
    }
    if (object->options & PRFDATA_OPTION_TOTAL)
        instances++;
    return definitions +
           instances * (prfdata_perf_instance_bytes(name_chars) + round_up_to_8(block_bytes));
}

static void check_capacity(prfdata_map_findings *found, const prfdata_map_node *object)
{
    const prfdata_map_entry *entry = object->entry;
    bool name_fits = entry->max_name_chars > 0 &&
                     prfdata_map_tree_name_chars(object) <= PRFDATA_MAX_INSTANCE_NAME_CHARS;

    if (!prfdata_map_check_has_instances(entry))
        return;
    if (entry->max_instances < 1 || entry->max_instances > PRFDATA_MAX_INSTANCES)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_CAPACITY, object);
    else if (name_fits && most_reply_bytes(object) > PRFDATA_MAX_OBJECT_BYTES)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_CAPACITY, object);
    if (!name_fits)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_INSTANCE_NAME, object);
}

/*
 * Checks the limit for all lanes of a map together. A map beyond the limit is reported once, at the
 * first object whose lanes no longer fit.
 */
static void check_lanes(prfdata_map_findings *found, const prfdata_map_tree *tree,
                        const prfdata_map_node *object)
{
    const uint64_t own_bytes = prfdata_map_tree_lanes_bytes(object);
    uint64_t bytes = 0;

    for (const prfdata_map_node *earlier = tree->objects; earlier < object; earlier++)
        bytes += prfdata_map_tree_lanes_bytes(earlier);
    if (bytes <= PRFDATA_MAX_LANES_BYTES && own_bytes > PRFDATA_MAX_LANES_BYTES - bytes)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_LANES, object);
}

static uint32_t count_health_counters(const prfdata_map_node *object)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < object->counter_count; i++)
        count += (object->counters[i].options & PRFDATA_OPTION_HEALTH) != 0;
    return count;
}

/*
 * Checks that an object with health counters has no other counters and no instances, and is the
 * only one with health counters in the map.
 */
static void check_health_object(prfdata_map_findings *found, const prfdata_map_tree *tree,
                                const prfdata_map_node *object)
{
    const uint32_t count = count_health_counters(object);
    bool is_right =
        count == object->counter_count && !prfdata_map_check_has_instances(object->entry);

    for (const prfdata_map_node *earlier = tree->objects; earlier < object; earlier++)
        is_right = is_right && count_health_counters(earlier) == 0;
    if (count > 0 && !is_right)
        prfdata_map_check_report(found, PRFDATA_MAP_RULE_HEALTH, object);
}

void prfdata_map_check_object(prfdata_map_findings *found, const prfdata_map_tree *tree,
                              const prfdata_map_node *object)
{
    prfdata_map_check_named(found, object, tree->objects);
    check_counter_count(found, object);
    check_default_counter(found, object);
    check_capacity(found, object);
    check_lanes(found, tree, object);
    check_health_object(found, tree, object);
}
