/* SPDX-License-Identifier: MIT */
/*
 * Finds the families of a sample, and ensures that no two shown families have the same name.
 * Families are ordered by titles for binary search. metric_family_name.c makes the names of new
 * families.
 */
#include "prometheus/metric_families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "prometheus/metric_family_name.h"

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
    free(families->by_name);
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

/* All parts are rows of one table, so their addresses can be compared. */
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
    if (order == 0)
        order = compare_metric_parts(family->part, item->part);
    return order != 0 ? order : family->is_overall - item->is_overall;
}

static int compare_items_by_position(const void *a, const void *b)
{
    const prfdata_metric_family_item *left = a;
    const prfdata_metric_family_item *right = b;
    int order = compare_item_numbers(left->object_position, right->object_position);

    if (order == 0)
        order = compare_item_numbers(left->counter_position, right->counter_position);
    if (order == 0)
        order = compare_metric_parts(left->part, right->part);
    return order != 0 ? order : left->is_overall - right->is_overall;
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
    if (order == 0)
        order = left->is_overall - right->is_overall;
    return order != 0 ? order : compare_items_by_position(a, b);
}

/* Order by name. If several families want the same name, the family that may keep it comes
 * first. */
static int compare_families_by_name(const void *a, const void *b)
{
    const prfdata_metric_family *left = *(prfdata_metric_family *const *)a;
    const prfdata_metric_family *right = *(prfdata_metric_family *const *)b;
    int order = strcmp(left->name, right->name);

    if (order == 0)
        order = right->is_settled - left->is_settled;
    if (order == 0)
        order = (int)right->origin - (int)left->origin;
    if (order == 0)
        order = compare_item_numbers(left->object_title, right->object_title);
    if (order == 0)
        order = compare_item_numbers(left->counter_title, right->counter_title);
    if (order == 0)
        order = compare_metric_parts(left->part, right->part);
    return order != 0 ? order : left->is_overall - right->is_overall;
}

/* ---- Families ---- */

static int compare_families_by_title(const void *a, const void *b)
{
    const prfdata_metric_family *left = *(prfdata_metric_family *const *)a;
    const prfdata_metric_family *right = *(prfdata_metric_family *const *)b;
    const prfdata_metric_family_item item = {.object_title = right->object_title,
                                             .counter_title = right->counter_title,
                                             .part = right->part,
                                             .is_overall = right->is_overall};

    return compare_family(left, &item);
}

static prfdata_metric_family *find_family(const prfdata_metric_families *f,
                                          const prfdata_metric_family_item *wanted)
{
    size_t low = 0;
    size_t high = f->sorted_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_family(f->families[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->sorted_count && compare_family(f->families[low], wanted) == 0 ? f->families[low]
                                                                                  : NULL;
}

static bool reserve_family(prfdata_metric_families *f)
{
    const size_t needed = f->family_count + 1;
    prfdata_metric_family **families =
        prfdata_array_reserve(f->families, &f->family_capacity, needed, sizeof(*families));

    if (!families)
        return false;
    f->families = families;
    families = prfdata_array_reserve(f->by_name, &f->by_name_capacity, needed, sizeof(*families));
    if (!families)
        return false;
    f->by_name = families;
    return true;
}

static bool set_family_name(prfdata_metric_family *family, const prfdata_metric_name *name)
{
    const size_t bytes = strlen(name->text) + 1;
    char *copy = malloc(bytes);

    if (!copy)
        return false;
    memcpy(copy, name->text, bytes);
    free(family->name);
    family->name = copy;
    family->unit = name->unit;
    family->factor = name->factor;
    return true;
}

/* Make the family of an item. Its name is not yet compared with the names of other families. */
static prfdata_metric_family *make_family(const prfdata_titles *titles,
                                          const prfdata_metric_family_item *item,
                                          const prfdata_override *override)
{
    prfdata_metric_family *made = calloc(1, sizeof *made);
    prfdata_metric_name name;

    if (!made)
        return NULL;
    made->object_title = item->object_title;
    made->counter_title = item->counter_title;
    made->part = item->part;
    made->is_overall = item->is_overall;
    made->origin =
        prfdata_metric_family_name_make(titles, item, override, &name, &made->titles_tag);
    made->label = override && override->label[0] != 0 ? override->label : "name";
    if (!set_family_name(made, &name)) {
        free_family(made);
        return NULL;
    }
    return made;
}

static prfdata_metric_family *add_family(prfdata_metric_families *f, const prfdata_titles *titles,
                                         const prfdata_metric_family_item *item,
                                         const prfdata_override *override)
{
    prfdata_metric_family *made = reserve_family(f) ? make_family(titles, item, override) : NULL;

    if (!made)
        return NULL;
    f->families[f->family_count++] = made;
    f->has_new = true;
    return made;
}

/* ---- Names that several families want ---- */

static void sort_families_by_name(prfdata_metric_families *f)
{
    if (f->family_count == 0)
        return;
    memcpy(f->by_name, f->families, f->family_count * sizeof(*f->by_name));
    qsort(f->by_name, f->family_count, sizeof(*f->by_name), compare_families_by_name);
}

static bool have_one_name(const prfdata_metric_family *a, const prfdata_metric_family *b)
{
    return strcmp(a->name, b->name) == 0;
}

/* Add the hash of the family's titles to its name. */
static bool mark_family_name(prfdata_metric_family *family)
{
    prfdata_metric_name name;

    memset(&name, 0, sizeof name);
    snprintf(name.text, sizeof name.text, "%s", family->name);
    name.unit = family->unit;
    name.factor = family->factor;
    prfdata_metric_family_name_mark(&name, family->titles_tag);
    return set_family_name(family, &name);
}

/*
 * If several families have the same name, the first in the order of compare_families_by_name()
 * keeps the name. The names of the others get a hash, with two exceptions:
 * - A family that was in an earlier sample keeps its name.
 * - A family with the same hash as the first keeps its name, but is not shown (settle_names()).
 */
static bool mark_shared_names(prfdata_metric_families *f)
{
    const prfdata_metric_family *first = NULL;

    sort_families_by_name(f);
    for (size_t i = 0; i < f->family_count; i++) {
        prfdata_metric_family *family = f->by_name[i];

        /* Compare with the first family, because the names of later families may have changed. */
        if (!first || !have_one_name(first, family))
            first = family;
        else if (!family->is_settled && family->titles_tag != first->titles_tag &&
                 !mark_family_name(family))
            return false;
    }
    return true;
}

/* If families still share a name, only the first one is shown. */
static void settle_names(prfdata_metric_families *f)
{
    sort_families_by_name(f);
    for (size_t i = 0; i < f->family_count; i++) {
        prfdata_metric_family *family = f->by_name[i];

        family->is_taken = i > 0 && have_one_name(f->by_name[i - 1], family);
        family->is_settled = true;
    }
    f->has_new = false;
}

/* Forget the families that were not in the previous sample. */
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
}

/* Return the first line of the user's file that names the counter. NULL: none. */
static const prfdata_override *find_item_override(const prfdata_metric_families *f,
                                                  const prfdata_metric_family_choice *choice,
                                                  const prfdata_metric_family_item *item)
{
    size_t count;
    const prfdata_match *match = prfdata_matches_find(&f->override_matches, item->object_position,
                                                      item->counter_position, &count);

    return match ? &choice->overrides->items[match->path_index] : NULL;
}

/* Give an item its family, unless there are too many families. Returns false without memory. */
static bool join_family(prfdata_metric_families *f, const prfdata_titles *titles,
                        const prfdata_override *override, prfdata_metric_family_item *item)
{
    prfdata_metric_family *family = find_family(f, item);

    if (!family && f->family_count >= MAX_FAMILIES)
        return true;
    if (!family)
        family = add_family(f, titles, item, override);
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

static bool add_declared_items(prfdata_metric_families *f,
                               const prfdata_metric_family_choice *choice,
                               const prfdata_metric_table_entry *first, size_t count,
                               prfdata_metric_family_item *item)
{
    for (size_t i = 0; i < count; i++) {
        item->declared = &first[i].metric;
        item->part = item->declared->part;
        item->histogram = item->part->source == PRFDATA_METRIC_BUCKETS ? &first[i] : NULL;
        item->histogram_title = first[i].histogram_title;
        item->is_overall = item->declared->is_overall;
        if ((!item->part->on_request || choice->with_parts) && !add_family_item(f, item))
            return false;
    }
    return true;
}

static bool add_items_of_type(prfdata_metric_families *f,
                              const prfdata_metric_family_choice *choice, uint32_t type,
                              prfdata_metric_family_item *item)
{
    item->declared = NULL;
    item->histogram = NULL;
    item->histogram_title = 0;
    item->is_overall = false;
    for (item->part = prfdata_metric_part_first(type, false); item->part;
         item->part = prfdata_metric_part_next(item->part)) {
        if ((!item->part->on_request || choice->with_parts) && !add_family_item(f, item))
            return false;
    }
    return true;
}

static bool add_items_of_counter(prfdata_metric_families *f, const prfdata_titles *titles,
                                 const prfdata_metric_family_choice *choice, uint32_t type,
                                 prfdata_metric_family_item *item)
{
    const prfdata_text name = prfdata_name_table_name(&titles->english, item->counter_title);
    size_t count;
    const prfdata_metric_table_entry *declared = prfdata_metric_table_find(
        &titles->metrics, item->object_title, item->counter_title, type, name, &count);

    return declared ? add_declared_items(f, choice, declared, count, item)
                    : add_items_of_type(f, choice, type, item);
}

const prfdata_metric_family_item *
prfdata_metric_families_histogram(const prfdata_metric_family_item *items, size_t count,
                                  const prfdata_metric_family_item *item)
{
    for (size_t i = 0; i < count && item->histogram_title != 0; i++) {
        if (items[i].histogram && items[i].counter_title == item->histogram_title &&
            items[i].object_position == item->object_position &&
            items[i].is_overall == item->is_overall)
            return &items[i];
    }
    return NULL;
}

static bool has_match_of_path(const prfdata_metric_family_item *item, uint32_t path_index)
{
    for (size_t m = 0; m < item->match_count; m++) {
        if (item->matches[m].path_index == path_index)
            return true;
    }
    return false;
}

/* Returns whether a path names the counter without a wildcard, or an override gives it a name. */
static bool is_named_by_user(const prfdata_metric_families *f,
                             const prfdata_metric_family_choice *choice,
                             const prfdata_metric_family_item *item)
{
    const prfdata_override *override = find_item_override(f, choice, item);

    for (size_t m = 0; m < item->match_count; m++) {
        const prfdata_path *path = &choice->paths[item->matches[m].path_index].path;

        if (!prfdata_text_has_wildcard(path->counter))
            return true;
    }
    return override && override->metric[0] != 0;
}

/* Returns whether every path that asks for the item also asks for the histogram. */
static bool is_asked_for_with(const prfdata_metric_family_item *histogram,
                              const prfdata_metric_family_item *item)
{
    for (size_t m = 0; m < item->match_count; m++) {
        if (!has_match_of_path(histogram, item->matches[m].path_index))
            return false;
    }
    return true;
}

/*
 * From `first` on, leave out items whose values are also in a histogram. If the user asked for the
 * parts of distributions, nothing is left out. An item stays if the user names its counter, or if
 * one of its paths does not ask for the histogram. Items that are left out keep their families, so
 * that no name depends on the paths.
 */
static void leave_out_histogram_parts(prfdata_metric_families *f, size_t first,
                                      const prfdata_metric_family_choice *choice)
{
    for (size_t i = first; i < f->item_count && !choice->with_parts; i++) {
        prfdata_metric_family_item *item = &f->items[i];
        const prfdata_metric_family_item *histogram =
            item->is_wanted
                ? prfdata_metric_families_histogram(f->items + first, f->item_count - first, item)
                : NULL;

        if (histogram && is_asked_for_with(histogram, item) && !is_named_by_user(f, choice, item)) {
            item->is_wanted = false;
            item->is_in_histogram = true;
        }
    }
}

/* Returns whether the user gave no paths. If all paths are bad, nothing is shown. */
static bool shows_everything(const prfdata_metric_family_choice *choice)
{
    return choice->path_count == 0 && choice->bad_path_count == 0;
}

static bool collect_items_of_object(prfdata_metric_families *f, const prfdata_sample *sample,
                                    const prfdata_titles *titles, uint32_t position,
                                    const prfdata_metric_family_choice *choice)
{
    const prfdata_sample_object *object = &sample->objects[position];
    const size_t first = f->item_count;
    prfdata_metric_family_item item;

    memset(&item, 0, sizeof item);
    item.object_position = position;
    item.has_instances = object->has_instances;
    item.object_title = object->wire.header.object_name_title_index;
    for (uint32_t c = 0; c < object->counter_count; c++) {
        const prfdata_perf_counter_definition *counter = &object->counters[c].definition;

        item.counter_position = c;
        item.counter_title = counter->counter_name_title_index;
        if (!prfdata_metric_part_first(counter->counter_type, false) ||
            !prfdata_sample_shows(&object->counters[c]) ||
            prfdata_titles_is_unused(titles, item.counter_title))
            continue;
        item.matches = prfdata_matches_find(&f->matches, position, c, &item.match_count);
        item.is_wanted = shows_everything(choice) || item.match_count > 0;
        if (!add_items_of_counter(f, titles, choice, counter->counter_type, &item))
            return false;
    }
    leave_out_histogram_parts(f, first, choice);
    return true;
}

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
        prfdata_resolver_path path = choice->overrides->items[i].path;
        prfdata_resolver_path other;

        (void)prfdata_resolver_choose(&path, titles, sample, &other);
        if (!prfdata_matches_add(&f->override_matches, &path, (uint32_t)i, titles, sample))
            return false;
    }
    prfdata_matches_sort(&f->matches);
    prfdata_matches_sort(&f->override_matches);
    return true;
}

static bool is_same_metric(const prfdata_metric_family_item *a, const prfdata_metric_family_item *b)
{
    return a->object_title == b->object_title && a->counter_title == b->counter_title &&
           a->part == b->part && a->is_overall == b->is_overall;
}

static bool join_families(prfdata_metric_families *f, const prfdata_titles *titles,
                          const prfdata_metric_family_choice *choice)
{
    bool is_done = true;

    f->sorted_count = f->family_count;
    for (size_t i = 0; is_done && i < f->item_count; i++) {
        prfdata_metric_family_item *item = &f->items[i];

        is_done =
            item->is_duplicate || join_family(f, titles, find_item_override(f, choice, item), item);
    }
    if (f->family_count > f->sorted_count)
        qsort(f->families, f->family_count, sizeof(*f->families), compare_families_by_title);
    if (!is_done || !f->has_new)
        return is_done;
    if (!mark_shared_names(f))
        return false;
    settle_names(f);
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
        if (!collect_items_of_object(families, sample, titles, i, choice))
            return false;
    }
    if (families->item_count == 0)
        return true;
    if (families->family_count + families->item_count > MAX_FAMILIES)
        forget_families(families);

    /* Bring metrics with the same titles together. Only the first of them is shown. */
    qsort(families->items, families->item_count, sizeof *families->items, compare_items_by_title);
    for (size_t i = 1; i < families->item_count; i++)
        families->items[i].is_duplicate =
            is_same_metric(&families->items[i], &families->items[i - 1]);
    if (!join_families(families, titles, choice))
        return false;
    qsort(families->items, families->item_count, sizeof *families->items,
          compare_items_by_position);
    return true;
}
