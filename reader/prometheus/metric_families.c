/* SPDX-License-Identifier: MIT */
/*
 * Names for the counters of a sample, each once: families ordered by titles, and their names in
 * order, so that both are found by halving. Knows no values and no text format.
 */
#include "prometheus/metric_families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define MAX_FAMILIES 65536u

static void free_family(prfdata_metric_family *family)
{
    free(family->name);
    free(family);
}

void prfdata_metric_families_free(prfdata_metric_families *families)
{
    for (size_t i = 0; i < families->family_count; i++)
        free_family(families->families[i]);
    free(families->families);
    free(families->names);
    free(families->items);
    prfdata_matches_free(&families->matches);
    prfdata_matches_free(&families->override_matches);
    memset(families, 0, sizeof *families);
}

/* ---- Orders ---- */

static int compare_item_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* All parts are rows of one table, so their addresses have an order. */
static int compare_metric_parts(const prfdata_metric_part *a, const prfdata_metric_part *b)
{
    return (a > b) - (a < b);
}

static int compare_family(const prfdata_metric_family *family,
                          const prfdata_metric_family_item *item)
{
    int order = compare_item_numbers(family->object_title, item->object_title);

    if (order == 0)
        order = compare_item_numbers(family->counter_title, item->counter_title);
    return order != 0 ? order : compare_metric_parts(family->part, item->part);
}

static int compare_items_by_position(const void *a, const void *b)
{
    const prfdata_metric_family_item *left = a;
    const prfdata_metric_family_item *right = b;
    int order = compare_item_numbers(left->object_position, right->object_position);

    if (order == 0)
        order = compare_item_numbers(left->counter_position, right->counter_position);
    return order != 0 ? order : compare_metric_parts(left->part, right->part);
}

static int compare_items_by_title(const void *a, const void *b)
{
    const prfdata_metric_family_item *left = a;
    const prfdata_metric_family_item *right = b;
    int order = compare_item_numbers(left->object_title, right->object_title);

    if (order == 0)
        order = compare_item_numbers(left->counter_title, right->counter_title);
    if (order == 0)
        order = compare_metric_parts(left->part, right->part);
    return order != 0 ? order : compare_items_by_position(a, b);
}

static int compare_family_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ---- Families and their names ---- */

/* The position of the family of an item, or the position where it belongs. */
static size_t family_position(const prfdata_metric_families *f,
                              const prfdata_metric_family_item *wanted)
{
    size_t low = 0;
    size_t high = f->family_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_family(f->families[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * The position where a name belongs. *is_free: no family has it, and it is not reserved for metrics
 * about the reader itself.
 */
static size_t name_position(const prfdata_metric_families *f, const char *name, bool *is_free)
{
    size_t low = 0;
    size_t high = f->family_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(f->names[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *is_free = (low == f->family_count || strcmp(f->names[low], name) != 0) &&
               strncmp(name, PRFDATA_METRIC_OWN_PREFIX, strlen(PRFDATA_METRIC_OWN_PREFIX)) != 0;
    return low;
}

/* The distance of the counter's title index from its object's: the same on every computer. */
static uint32_t distance_of_titles(const prfdata_metric_family_item *item)
{
    return item->counter_title > item->object_title ? item->counter_title - item->object_title
                                                    : item->counter_title;
}

/* Put an x in front of the name until it is free. Returns the position where it belongs. */
static size_t insist_on_name(const prfdata_metric_families *f, prfdata_metric_name *name)
{
    bool is_free;
    size_t position = name_position(f, name->text, &is_free);

    while (!is_free) {
        memmove(name->text + 1, name->text, sizeof name->text - 2);
        name->text[0] = 'x';
        position = name_position(f, name->text, &is_free);
    }
    return position;
}

/*
 * Find a free name, starting from the one that the titles give. Returns the position where it
 * belongs.
 */
static size_t find_free_name(const prfdata_metric_families *f,
                             const prfdata_metric_family_item *item, prfdata_metric_titles *wanted,
                             prfdata_metric_name *name)
{
    bool is_free;
    size_t position = name_position(f, name->text, &is_free);

    if (!is_free && wanted->kind == PRFDATA_METRIC_COUNTER && wanted->suffix[0] == 0) {
        /* "Bytes Received/sec" beside "Bytes Received": many objects have both. */
        wanted->suffix = "accumulated";
        prfdata_metric_name_make(wanted, name);
        position = name_position(f, name->text, &is_free);
        wanted->suffix = "";
    }
    if (is_free)
        return position;
    /* Even that may be taken: another title may end in this number. */
    wanted->number = distance_of_titles(item);
    prfdata_metric_name_make(wanted, name);
    return insist_on_name(f, name);
}

static prfdata_metric_unit unit_of_part(const prfdata_metric_part *part)
{
    if (part->source == PRFDATA_METRIC_FRACTION)
        return PRFDATA_METRIC_UNIT_RATIO;
    if (part->clock != PRFDATA_METRIC_CLOCK_NONE)
        return PRFDATA_METRIC_UNIT_SECONDS;
    /* Of several metrics of a counter, the title means only the one without a suffix. */
    return part->suffix[0] == 0 ? PRFDATA_METRIC_UNIT_OF_TITLE : PRFDATA_METRIC_UNIT_NONE;
}

static void make_family_name(const prfdata_titles *titles, const prfdata_metric_family_item *item,
                             prfdata_metric_titles *wanted, prfdata_metric_name *name)
{
    memset(wanted, 0, sizeof *wanted);
    wanted->object = prfdata_name_table_name(&titles->english, item->object_title);
    wanted->object_index = item->object_title;
    wanted->counter = prfdata_name_table_name(&titles->english, item->counter_title);
    wanted->counter_index = item->counter_title;
    wanted->kind = prfdata_metric_part_kind(item->part);
    wanted->unit = unit_of_part(item->part);
    wanted->suffix = item->part->suffix;
    prfdata_metric_name_make(wanted, name);
}

/* Whether the name's last word is `unit`; *begin is the position of the underline before it. */
static bool ends_with_unit(const char *name, const char *unit, size_t *begin)
{
    size_t size = strlen(name);
    size_t unit_size = strlen(unit);

    *begin = size - unit_size - 1;
    return size > unit_size + 1 && name[*begin] == '_' && strcmp(name + *begin + 1, unit) == 0;
}

/* Whether the unit follows from the type: times are in seconds and fractions are ratios. */
static bool part_has_own_unit(const prfdata_metric_part *part)
{
    return prfdata_metric_part_unit(part)[0] != 0;
}

/* Change the name to what the user wants. */
static void override_family_name(const prfdata_override *override,
                                 const prfdata_metric_family_item *item, prfdata_metric_name *name)
{
    const bool is_first = prfdata_metric_part_is_first(item->part);
    const bool has_unit = override->unit[0] != 0 && !part_has_own_unit(item->part);
    const char *unit = has_unit ? override->unit : name->unit;
    size_t begin;

    if (override->metric[0] != 0)
        snprintf(name->text, sizeof name->text, "%s%s%s", override->metric, is_first ? "" : "_",
                 is_first ? "" : item->part->suffix);
    else if (name->unit && unit != name->unit && ends_with_unit(name->text, name->unit, &begin))
        name->text[begin] = 0;
    if (has_unit) {
        name->factor = 1;
        if (!ends_with_unit(name->text, unit, &begin)) {
            begin = strlen(name->text);
            snprintf(name->text + begin, sizeof name->text - begin, "_%s", unit);
        }
    }
    name->unit = unit && ends_with_unit(name->text, unit, &begin) ? unit : NULL;
}

/* Make room for one more family and its name. */
static bool reserve_family(prfdata_metric_families *f)
{
    const size_t needed = f->family_count + 1;
    prfdata_metric_family **families =
        prfdata_array_reserve(f->families, &f->family_capacity, needed, sizeof *families);
    char **names;

    if (!families)
        return false;
    f->families = families;
    names = prfdata_array_reserve(f->names, &f->name_capacity, needed, sizeof *names);
    if (!names)
        return false;
    f->names = names;
    return true;
}

/* Add a family at `position`, where it belongs. Returns NULL without memory. */
static prfdata_metric_family *add_family(prfdata_metric_families *f, const prfdata_titles *titles,
                                         const prfdata_metric_family_item *item,
                                         const prfdata_override *override, size_t position)
{
    prfdata_metric_family *made = calloc(1, sizeof *made);
    prfdata_metric_titles wanted;
    prfdata_metric_name name;
    size_t in_names;
    size_t bytes;

    make_family_name(titles, item, &wanted, &name);
    if (override)
        override_family_name(override, item, &name);
    in_names = override ? insist_on_name(f, &name) : find_free_name(f, item, &wanted, &name);
    bytes = strlen(name.text) + 1;

    if (made)
        made->name = malloc(bytes);
    if (!made || !made->name || !reserve_family(f)) {
        if (made)
            free_family(made);
        return NULL;
    }
    memcpy(made->name, name.text, bytes);
    made->object_title = item->object_title;
    made->counter_title = item->counter_title;
    made->part = item->part;
    made->unit = name.unit;
    made->factor = name.factor;
    made->label = override && override->label[0] != 0 ? override->label : "name";

    memmove(f->families + position + 1, f->families + position,
            (f->family_count - position) * sizeof *f->families);
    f->families[position] = made;
    memmove(f->names + in_names + 1, f->names + in_names,
            (f->family_count - in_names) * sizeof *f->names);
    f->names[in_names] = made->name;
    f->family_count++;
    return made;
}

/* Forget the families that the previous sample did not have. */
static void forget_families(prfdata_metric_families *f)
{
    size_t kept = 0;

    for (size_t i = 0; i < f->family_count; i++) {
        if (f->families[i]->seen + 1 < f->sample_number)
            free_family(f->families[i]);
        else
            f->families[kept++] = f->families[i];
    }
    f->family_count = kept;
    for (size_t i = 0; i < kept; i++)
        f->names[i] = f->families[i]->name;
    if (kept > 0)
        qsort(f->names, kept, sizeof *f->names, compare_family_names);
}

/* What the user says of the counter: the first line that names it. NULL: nothing. */
static const prfdata_override *find_item_override(const prfdata_metric_families *f,
                                                  const prfdata_metric_family_choice *choice,
                                                  const prfdata_metric_family_item *item)
{
    size_t count;
    const prfdata_match *match = prfdata_matches_find(&f->override_matches, item->object_position,
                                                      item->counter_position, &count);

    return match ? &choice->overrides->items[match->path_index] : NULL;
}

/* Give an item its family, unless there are too many. Returns false without memory. */
static bool join_family(prfdata_metric_families *f, const prfdata_titles *titles,
                        const prfdata_override *override, prfdata_metric_family_item *item)
{
    size_t position = family_position(f, item);
    prfdata_metric_family *family;

    if (position < f->family_count && compare_family(f->families[position], item) == 0)
        family = f->families[position];
    else if (f->family_count >= MAX_FAMILIES)
        return true;
    else
        family = add_family(f, titles, item, override, position);
    if (!family)
        return false;
    family->seen = f->sample_number;
    item->family = family;
    return true;
}

/* ---- Items ---- */

static bool add_family_item(prfdata_metric_families *f, const prfdata_metric_family_item *item)
{
    prfdata_metric_family_item *items =
        prfdata_array_reserve(f->items, &f->item_capacity, f->item_count + 1, sizeof *items);

    if (!items)
        return false;
    f->items = items;
    f->items[f->item_count++] = *item;
    return true;
}

static bool add_items_of_counter(prfdata_metric_families *f,
                                 const prfdata_metric_family_choice *choice, uint32_t type,
                                 prfdata_metric_family_item *item)
{
    for (item->part = prfdata_metric_part_first(type, false); item->part;
         item->part = prfdata_metric_part_next(item->part)) {
        if ((!item->part->on_request || choice->with_requests) && !add_family_item(f, item))
            return false;
    }
    return true;
}

static bool collect_items_of_object(prfdata_metric_families *f, const prfdata_sample *sample,
                                    uint32_t position, const prfdata_metric_family_choice *choice)
{
    const prfdata_sample_object *object = &sample->objects[position];
    prfdata_metric_family_item item;

    memset(&item, 0, sizeof item);
    item.object_position = position;
    item.object_title = object->wire.header.object_name_title_index;
    for (uint32_t c = 0; c < object->counter_count; c++) {
        const prfdata_perf_counter_definition *counter = &object->counters[c].definition;

        item.counter_position = c;
        item.counter_title = counter->counter_name_title_index;
        if (!prfdata_metric_part_first(counter->counter_type, false) ||
            !prfdata_sample_shows(&object->counters[c]))
            continue;
        item.matches = prfdata_matches_find(&f->matches, position, c, &item.match_count);
        if (choice->path_count > 0 && item.match_count == 0)
            continue;
        if (!add_items_of_counter(f, choice, counter->counter_type, &item))
            return false;
    }
    return true;
}

/* Find which counters the paths ask for, and which the overrides name. */
static bool find_path_matches(prfdata_metric_families *f, const prfdata_sample *sample,
                              const prfdata_titles *titles,
                              const prfdata_metric_family_choice *choice)
{
    const size_t override_count = choice->overrides ? choice->overrides->count : 0;

    prfdata_matches_clear(&f->matches);
    prfdata_matches_clear(&f->override_matches);
    for (size_t i = 0; i < choice->path_count; i++) {
        if (!prfdata_matches_add(&f->matches, &choice->paths[i], (uint32_t)i, titles, sample))
            return false;
    }
    for (size_t i = 0; i < override_count; i++) {
        if (!prfdata_matches_add(&f->override_matches, &choice->overrides->items[i].path,
                                 (uint32_t)i, titles, sample))
            return false;
    }
    prfdata_matches_sort(&f->matches);
    prfdata_matches_sort(&f->override_matches);
    return true;
}

static bool is_same_metric(const prfdata_metric_family_item *a, const prfdata_metric_family_item *b)
{
    return a->object_title == b->object_title && a->counter_title == b->counter_title &&
           a->part == b->part;
}

/* Give families to all items, or only to those that the user has named. */
static bool join_families(prfdata_metric_families *f, const prfdata_titles *titles,
                          const prfdata_metric_family_choice *choice, bool overridden_only)
{
    for (size_t i = 0; i < f->item_count; i++) {
        prfdata_metric_family_item *item = &f->items[i];
        const prfdata_override *override = find_item_override(f, choice, item);

        if (item->is_duplicate || item->family || (overridden_only && !override))
            continue;
        if (!join_family(f, titles, override, item))
            return false;
    }
    return true;
}

bool prfdata_metric_families_collect(prfdata_metric_families *families,
                                     const prfdata_sample *sample, const prfdata_titles *titles,
                                     const prfdata_metric_family_choice *choice)
{
    families->sample_number++;
    families->item_count = 0;
    if (!find_path_matches(families, sample, titles, choice))
        return false;
    for (uint32_t i = 0; i < sample->object_count; i++) {
        if (!collect_items_of_object(families, sample, i, choice))
            return false;
    }
    if (families->item_count == 0)
        return true;
    if (families->family_count + families->item_count > MAX_FAMILIES)
        forget_families(families);

    /* Of two that want a name the first one gets it: do not depend on the provider's order. */
    qsort(families->items, families->item_count, sizeof *families->items, compare_items_by_title);
    for (size_t i = 1; i < families->item_count; i++)
        families->items[i].is_duplicate =
            is_same_metric(&families->items[i], &families->items[i - 1]);
    /* A name that the user wants goes to him, even if titles give it to another counter. */
    if (choice->overrides && !join_families(families, titles, choice, true))
        return false;
    if (!join_families(families, titles, choice, false))
        return false;
    qsort(families->items, families->item_count, sizeof *families->items,
          compare_items_by_position);
    return true;
}
