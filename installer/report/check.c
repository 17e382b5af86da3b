/* SPDX-License-Identifier: MIT */
/*
 * Checks the maps of an installer program. check/map_check.c has the rules of a map, and
 * check/map_mistake.c has the messages about mistakes.
 */
#include "report/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting/distribution.h"
#include "map/map_tree.h"
#include "names/ascii.h"
#include "names/names.h"

typedef struct map_check {
    const prfdata_map *map;
    char service[PRFDATA_MAX_SERVICE_CHARS + 1];
    prfdata_check_line *line;
    void *context;
} map_check;

static size_t check_without_memory(prfdata_check_line *line, void *context)
{
    line(context, true, "Map: there is not enough memory to check it.");
    return 1;
}

/*
 * A percentile is declared as a share of 10,000, so p99 is 9900. A share below 100 was probably
 * meant as a percentage, because nobody needs a percentile below p1.
 */
enum { SHARE_OF_ONE_PERCENT = 100 };

static void warn_of_percentiles(const prfdata_map *map, prfdata_check_line *line, void *context)
{
    const prfdata_map_entry *counter = NULL;
    char text[PRFDATA_CHECK_LINE_BYTES];

    for (uint32_t i = 0; i < map->entry_count; i++) {
        const prfdata_map_entry *entry = &map->entries[i];

        if (entry->kind == PRFDATA_ENTRY_COUNTER)
            counter = entry;
        if (!counter || entry->option != PRFDATA_OPTION_PERCENTILE ||
            entry->highest >= SHARE_OF_ONE_PERCENT)
            continue;
        (void)snprintf(text, sizeof text,
                       "Map: PRFDATA_MAP_PERCENTILE after %s (%u): the share is of 10,000, so %u "
                       "is the value that 0.%02u %% do not exceed; p%u is %u.",
                       counter->symbol, (unsigned)counter->id, (unsigned)entry->highest,
                       (unsigned)entry->highest, (unsigned)entry->highest,
                       (unsigned)entry->highest * SHARE_OF_ONE_PERCENT);
        line(context, false, text);
    }
}

/*
 * Warns if a bound is not the end of a bucket. The counter then counts all values of the bucket
 * that contains the bound, even those above the bound.
 */
static void warn_of_bound(const prfdata_map_entry *counter, uint64_t bound,
                          const prfdata_distribution_shape *shape, prfdata_check_line *line,
                          void *context)
{
    const uint32_t bucket = prfdata_distribution_bucket(shape, bound);
    const uint64_t high = prfdata_distribution_high(shape, bucket);
    char text[PRFDATA_CHECK_LINE_BYTES], other[64] = "";

    if (bound == UINT64_MAX || high == bound)
        return;
    if (bucket > 0)
        (void)snprintf(other, sizeof other, "; the next lower end is %llu",
                       (unsigned long long)prfdata_distribution_low(shape, bucket) - 1);
    (void)snprintf(text, sizeof text,
                   "Map: PRFDATA_MAP_AT_MOST after %s (%u): the bound %llu is not the end of a "
                   "bucket, so values up to %llu count%s%s.",
                   counter->symbol, (unsigned)counter->id, (unsigned long long)bound,
                   (unsigned long long)high,
                   bucket == shape->bucket_count - 1 ? ", and so do all higher ones" : "", other);
    line(context, false, text);
}

static bool find_shape(const prfdata_map *map, uint32_t object_line, uint32_t id,
                       prfdata_distribution_shape *shape)
{
    uint32_t line = object_line + 1;
    const prfdata_map_entry *entry = prfdata_map_tree_next_distribution(map, &line);

    while (entry && entry->id != id)
        entry = prfdata_map_tree_next_distribution(map, &line);
    return entry &&
           prfdata_distribution_shape_make(entry->lowest, entry->highest, entry->buckets_per_octave,
                                           entry->window_s, shape);
}

static void warn_of_bounds(const prfdata_map *map, prfdata_check_line *line, void *context)
{
    const prfdata_map_entry *counter = NULL;
    uint32_t object_line = 0;

    for (uint32_t i = 0; i < map->entry_count; i++) {
        const prfdata_map_entry *entry = &map->entries[i];
        prfdata_distribution_shape shape;

        if (entry->kind == PRFDATA_ENTRY_OBJECT)
            object_line = i;
        else if (entry->kind == PRFDATA_ENTRY_COUNTER)
            counter = entry;
        else if (counter && entry->option == PRFDATA_OPTION_AT_MOST &&
                 find_shape(map, object_line, entry->id, &shape))
            warn_of_bound(counter, entry->highest, &shape, line, context);
    }
}

/*
 * Returns whether a counter shows something of the distribution that the entry at `index` declares.
 */
static bool is_shown(const prfdata_map *map, uint32_t index)
{
    for (uint32_t i = index + 1; i < map->entry_count; i++) {
        const prfdata_map_entry *entry = &map->entries[i];

        if (entry->kind == PRFDATA_ENTRY_OPTION && entry->id == map->entries[index].id &&
            (entry->option == PRFDATA_OPTION_PERCENTILE || entry->option == PRFDATA_OPTION_MEAN ||
             entry->option == PRFDATA_OPTION_SUM || entry->option == PRFDATA_OPTION_AT_MOST))
            return true;
    }
    return false;
}

static void warn_of_hidden_distributions(const prfdata_map *map, prfdata_check_line *line,
                                         void *context)
{
    const prfdata_map_entry *object = NULL;
    char text[PRFDATA_CHECK_LINE_BYTES];

    for (uint32_t i = 0; i < map->entry_count; i++) {
        const prfdata_map_entry *entry = &map->entries[i];

        if (entry->kind == PRFDATA_ENTRY_OBJECT)
            object = entry;
        if (!object || entry->option != PRFDATA_OPTION_DISTRIBUTION || is_shown(map, i))
            continue;
        (void)snprintf(text, sizeof text,
                       "Map: PRFDATA_MAP_DISTRIBUTION after %s (%u): no counter shows the "
                       "distribution %u, so readers see nothing of it; "
                       "PRFDATA_MAP_DISTRIBUTION_CTRS declares the usual counters.",
                       object->symbol, (unsigned)object->id, (unsigned)entry->id);
        line(context, false, text);
    }
}

/*
 * Find the object that PRFDATA_MAP_HEALTH declared; NULL if there is none. The id of each of its
 * counters is the object's id plus the counter's number.
 */
static const prfdata_map_entry *find_health(const prfdata_map *map)
{
    const prfdata_map_entry *object = NULL, *counter = NULL;

    for (uint32_t i = 0; i < map->entry_count; i++) {
        const prfdata_map_entry *entry = &map->entries[i];

        if (entry->kind == PRFDATA_ENTRY_OBJECT)
            object = entry;
        else if (entry->kind == PRFDATA_ENTRY_COUNTER)
            counter = entry;
        else if (object && counter && entry->option == PRFDATA_OPTION_HEALTH &&
                 counter->id == object->id + entry->id)
            return object;
    }
    return NULL;
}

/*
 * Warns if the map uses an id that PRFDATA_MAP_HEALTH reserves. A later PrfData may use that id for
 * a new health counter, and would then refuse the map. The ids of a published map cannot change.
 */
static void warn_of_reserved_ids(const prfdata_map *map, prfdata_check_line *line, void *context)
{
    const prfdata_map_entry *health = find_health(map);
    const prfdata_map_entry *object = NULL;
    char text[PRFDATA_CHECK_LINE_BYTES];

    for (uint32_t i = 0; health && i < map->entry_count; i++) {
        const prfdata_map_entry *entry = &map->entries[i];

        if (entry->kind == PRFDATA_ENTRY_OBJECT)
            object = entry;
        if (object == health || entry->id - health->id > PRFDATA_HEALTH_RESERVED ||
            (entry->kind == PRFDATA_ENTRY_OPTION && entry->option != PRFDATA_OPTION_DISTRIBUTION))
            continue;
        (void)snprintf(text, sizeof text,
                       "Map: %s (%u): PRFDATA_MAP_HEALTH reserves the ids %u to %u for numbers of "
                       "later versions (%s); choose another id.",
                       entry->symbol, (unsigned)entry->id, (unsigned)health->id + 1,
                       (unsigned)health->id + PRFDATA_HEALTH_RESERVED, health->symbol);
        line(context, false, text);
    }
}

size_t prfdata_check_map(const prfdata_map *map, prfdata_check_line *line, void *context)
{
    size_t count = prfdata_map_check(map, NULL, 0);
    prfdata_map_mistake *mistakes;

    if (count == 0) {
        if (map) { /* always true here, because the check counts NULL as a mistake */
            warn_of_percentiles(map, line, context);
            warn_of_bounds(map, line, context);
            warn_of_hidden_distributions(map, line, context);
            warn_of_reserved_ids(map, line, context);
        }
        return 0;
    }
    mistakes = calloc(count, sizeof *mistakes);
    if (!mistakes)
        return check_without_memory(line, context);
    prfdata_map_check(map, mistakes, count);
    for (size_t i = 0; i < count; i++) {
        char text[PRFDATA_CHECK_LINE_BYTES] = "Map: ";
        size_t used = strlen(text);

        prfdata_map_mistake_text(&mistakes[i], text + used, sizeof text - used);
        line(context, true, text);
    }
    free(mistakes);
    return count;
}

static void print_map_line(void *context, bool is_mistake, const char *text)
{
    const map_check *check = context;
    char line[PRFDATA_CHECK_LINE_BYTES + PRFDATA_MAX_SERVICE_CHARS + 4];

    (void)snprintf(line, sizeof line, "%s: %s", check->service, text);
    line[PRFDATA_CHECK_LINE_BYTES - 1] = 0;
    check->line(check->context, is_mistake, line);
}

/*
 * Returns whether `service` is the item, ignoring case. The item consists of `item_length` chars,
 * without a NUL.
 */
static bool is_list_item(const char *service, const char *item, size_t item_length)
{
    for (size_t i = 0; i < item_length; i++) {
        if (prfdata_ascii_lower(service[i]) != prfdata_ascii_lower(item[i]) || service[i] == 0)
            return false;
    }
    return service[item_length] == 0;
}

static bool is_in_list(const char *service, const char *list)
{
    for (;;) {
        size_t length = strcspn(list, ",");

        if (is_list_item(service, list, length))
            return true;
        if (!list[length])
            return false;
        list += length + 1;
    }
}

static size_t check_provider(map_check *check, const char *providers)
{
    char text[PRFDATA_CHECK_LINE_BYTES];

    if (!providers || is_in_list(check->map->service, providers))
        return 0;
    (void)snprintf(
        text, sizeof text,
        "Service: no provider is built for the service of this map. Providers are built for: %s. "
        "prfdata_add_provider(... SERVICE ...) and PRFDATA_MAP_END must name the same service.",
        providers);
    print_map_line(check, true, text);
    return 1;
}

static size_t check_other_maps(map_check *check, const prfdata_map *const *earlier, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (earlier[i] && earlier[i]->service &&
            prfdata_ascii_equal(check->map->service, earlier[i]->service)) {
            print_map_line(check, true,
                           "Service: another map of this check has the same service name; give "
                           "each map its own.");
            return 1;
        }
    }
    return 0;
}

static void print_right_map(map_check *check)
{
    unsigned objects = 0, counters = 0;
    char text[128];

    for (uint32_t i = 0; i < check->map->entry_count; i++) {
        objects += check->map->entries[i].kind == PRFDATA_ENTRY_OBJECT;
        counters += check->map->entries[i].kind == PRFDATA_ENTRY_COUNTER;
    }
    (void)snprintf(text, sizeof text, "Map: valid (objects: %u, counters: %u)", objects, counters);
    print_map_line(check, false, text);
}

size_t prfdata_check_maps(const prfdata_map *const *maps, size_t map_count, const char *providers,
                          prfdata_check_line *line, void *context)
{
    size_t total = 0;

    for (size_t i = 0; i < map_count; i++) {
        map_check check = {maps[i], "", line, context};
        size_t count;

        (void)prfdata_names_copy_shown(
            maps[i] && maps[i]->service && maps[i]->service[0] ? maps[i]->service : "(no service)",
            check.service, sizeof check.service);
        count = prfdata_check_map(maps[i], print_map_line, &check);
        if (maps[i] && maps[i]->service) {
            count += check_other_maps(&check, maps, i);
            count += check_provider(&check, providers);
        }
        if (count == 0)
            print_right_map(&check);
        total += count;
    }
    return total;
}
