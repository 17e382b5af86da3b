/* SPDX-License-Identifier: MIT */
/* Lists the changes between two versions of a map, and describes each in a sentence. */
#include "map/map_change.h"

#include <stdio.h>

#include "map/map_hash.h"
#include "names/names.h"

typedef struct change_list {
    prfdata_map_change *changes;
    size_t capacity;
    size_t count;
} change_list;

static void add_change(change_list *list, const prfdata_map_entry *entry,
                       const prfdata_map_change *change)
{
    if (list->count < list->capacity) {
        list->changes[list->count] = *change;
        list->changes[list->count].entry = entry;
    }
    list->count++;
}

/* The kind (PRFDATA_ENTRY_...) of the line with this id; 0 if there is no such line. */
static uint32_t kind_of_id(const prfdata_model *model, uint32_t id)
{
    const prfdata_model_object *object;

    if (prfdata_model_find_object(model, id))
        return PRFDATA_ENTRY_OBJECT;
    if (prfdata_model_find_counter(model, id, NULL))
        return PRFDATA_ENTRY_COUNTER;
    return prfdata_model_find_distribution(model, id, &object) ? PRFDATA_ENTRY_OPTION : 0;
}

/* If the id had another kind in the earlier map, adds a change and returns true. */
static bool compare_kinds(change_list *list, const prfdata_model *earlier,
                          const prfdata_map_entry *entry)
{
    const uint32_t kind = kind_of_id(earlier, entry->id);
    const prfdata_map_change change = {PRFDATA_MAP_CHANGE_KIND, NULL, kind, entry->kind};

    if (kind == 0 || kind == entry->kind)
        return false;
    add_change(list, entry, &change);
    return true;
}

static void compare_objects(change_list *list, const prfdata_model *earlier,
                            const prfdata_model *later, const prfdata_model_object *to)
{
    const prfdata_model_object *from = prfdata_model_find_object(earlier, to->entry->id);
    prfdata_map_change change;

    if (!compare_kinds(list, earlier, to->entry) && from &&
        prfdata_map_change_of_object(earlier, from, later, to, &change))
        add_change(list, to->entry, &change);
}

static void compare_counters(change_list *list, const prfdata_model *earlier,
                             const prfdata_model_object *object, const prfdata_model_counter *to)
{
    const prfdata_model_object *from_object = NULL;
    const prfdata_model_counter *from =
        prfdata_model_find_counter(earlier, to->entry->id, &from_object);
    prfdata_map_change change;

    if (compare_kinds(list, earlier, to->entry) || !from)
        return;
    if (from_object->entry->id != object->entry->id) {
        change.kind = PRFDATA_MAP_CHANGE_MOVED;
        change.from = from_object->entry->id;
        change.to = object->entry->id;
        add_change(list, to->entry, &change);
    } else if (prfdata_map_change_of_counter(from, to, &change)) {
        add_change(list, to->entry, &change);
    }
}

size_t prfdata_map_change_find(const prfdata_model *earlier, const prfdata_model *later,
                               prfdata_map_change *changes, size_t capacity)
{
    change_list list = {changes, capacity, 0};

    for (uint32_t i = 0; i < later->object_count; i++) {
        const prfdata_model_object *object = &later->objects[i];

        compare_objects(&list, earlier, later, object);
        for (uint32_t j = 0; j < object->counter_count; j++)
            compare_counters(&list, earlier, object, &object->counters[j]);
        for (uint32_t j = 0; j < object->distribution_count; j++)
            (void)compare_kinds(&list, earlier, object->distributions[j].entry);
    }
    return list.count;
}

static const char *kind_text(uint64_t kind)
{
    return kind == PRFDATA_ENTRY_OBJECT    ? "an object"
           : kind == PRFDATA_ENTRY_COUNTER ? "a counter"
                                           : "a distribution";
}

static const char *class_text(uint64_t class_of_cell)
{
    switch ((prfdata_cell_class)class_of_cell) {
    case PRFDATA_CELL_ACCUMULATING:
        return "a count that only grows";
    case PRFDATA_CELL_GAUGE:
        return "a present value";
    case PRFDATA_CELL_NEWEST:
        return "a time stamp";
    case PRFDATA_CELL_OLDEST_START:
        return "a start time";
    case PRFDATA_CELL_NONE:
        break;
    }
    return "nothing";
}

static const char *clock_text(uint64_t ticks)
{
    return ticks == PRFDATA_TICKS_PERF    ? "ticks of QueryPerformanceCounter"
           : ticks == PRFDATA_TICKS_100NS ? "units of 100 ns"
                                          : "no clock";
}

/* The name of a counter type; `other` if there is no such type. */
static const char *type_text(uint64_t type, const char *other)
{
    const prfdata_counter_type *known = type ? prfdata_counter_types_find((uint32_t)type) : NULL;

    return known ? known->name : other;
}

static int describe_parent(char *text, size_t capacity, const char *who,
                           const prfdata_map_change *change)
{
    const unsigned from = (unsigned)change->from;
    const unsigned to = (unsigned)change->to;

    if (change->from == PRFDATA_MAP_CHANGE_NO_PARENT)
        return snprintf(text, capacity, "%s had no parent object, and now has object %u", who, to);
    if (change->to == PRFDATA_MAP_CHANGE_NO_PARENT)
        return snprintf(text, capacity, "%s had the parent object %u, and now has none", who, from);
    return snprintf(text, capacity, "%s had the parent object %u, and now has object %u", who, from,
                    to);
}

static int describe_shown(char *text, size_t capacity, const char *who,
                          const prfdata_map_change *change)
{
    const unsigned from = (unsigned)change->from;
    const unsigned to = (unsigned)change->to;

    if (from == 0)
        return snprintf(text, capacity,
                        "%s was counted by itself, and now is by the distribution %u", who, to);
    if (to == 0)
        return snprintf(text, capacity,
                        "%s was counted by the distribution %u, and now is by itself", who, from);
    if (from != to)
        return snprintf(text, capacity,
                        "%s was counted by the distribution %u, and now is by the distribution %u",
                        who, from, to);
    return snprintf(text, capacity,
                    "%s now counts something else of the distribution %u, or in another unit", who,
                    to);
}

static int describe_health_change(char *text, size_t capacity, const char *who,
                                  const prfdata_map_change *change)
{
    if (change->from == 0)
        return snprintf(text, capacity,
                        "%s was counted by programs, and now shows the service's health", who);
    if (change->to == 0)
        return snprintf(text, capacity,
                        "%s showed the service's health, and now is counted by programs", who);
    return snprintf(text, capacity, "%s now shows something else of the service's health", who);
}

static int describe_change(char *text, size_t capacity, const char *who,
                           const prfdata_map_change *change)
{
    switch (change->kind) {
    case PRFDATA_MAP_CHANGE_KIND:
        return snprintf(text, capacity, "%s was the id of %s, and now is that of %s", who,
                        kind_text(change->from), kind_text(change->to));
    case PRFDATA_MAP_CHANGE_MOVED:
        return snprintf(text, capacity,
                        "%s was a counter of object %u, and now is one of object %u", who,
                        (unsigned)change->from, (unsigned)change->to);
    case PRFDATA_MAP_CHANGE_INSTANCES:
        return snprintf(text, capacity, "%s had %sinstances, and now has %s", who,
                        change->from ? "" : "no ", change->to ? "instances" : "none");
    case PRFDATA_MAP_CHANGE_PARENT:
        return describe_parent(text, capacity, who, change);
    case PRFDATA_MAP_CHANGE_CLASS:
        return snprintf(text, capacity, "%s was %s, and now is %s", who, class_text(change->from),
                        class_text(change->to));
    case PRFDATA_MAP_CHANGE_CLOCK:
        return snprintf(text, capacity, "%s was counted in %s, and now in %s", who,
                        clock_text(change->from), clock_text(change->to));
    case PRFDATA_MAP_CHANGE_HEALTH:
        return describe_health_change(text, capacity, who, change);
    case PRFDATA_MAP_CHANGE_SHOWN:
        return describe_shown(text, capacity, who, change);
    case PRFDATA_MAP_CHANGE_FRACTION:
        break;
    }
    return snprintf(text, capacity, "%s was %s%s, and now is %s%s", who,
                    change->from ? "the base of a PERF_" : "no base", type_text(change->from, ""),
                    change->to ? "the base of a PERF_" : "no base", type_text(change->to, ""));
}

size_t prfdata_map_change_text(const prfdata_map_change *change, char *text, size_t capacity)
{
    char name[3 * PRFDATA_MAX_NAME_CHARS + 1];
    char who[sizeof name + 128];
    /* A distribution has no name. */
    const wchar_t *named = change->entry->name ? change->entry->name : L"";
    size_t size = prfdata_names_utf8_from_wide(named, name, sizeof name - 1);
    int length;

    if (size >= sizeof name) /* never true, because the names of a checked map fit */
        size = 0;
    name[size] = 0;
    (void)snprintf(who, sizeof who, "%s (%u, \"%s\")", change->entry->symbol,
                   (unsigned)change->entry->id, name);
    length = describe_change(text, capacity, who, change);
    return length > 0 ? (size_t)length : 0;
}
