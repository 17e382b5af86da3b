/* SPDX-License-Identifier: MIT */
/* Keeps the metrics that metric/metric.h makes from maps, sorted by titles. */
#include "block/metric_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "names/names.h"

void prfdata_metric_table_free(prfdata_metric_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->items[i].bounds);
    free(table->items);
    memset(table, 0, sizeof *table);
}

static bool is_same_metric(const prfdata_metric *a, const prfdata_metric *b)
{
    return a->part == b->part && a->kind == b->kind && strcmp(a->name, b->name) == 0 &&
           strcmp(a->unit, b->unit) == 0 && a->factor == b->factor &&
           a->is_declared == b->is_declared && a->is_overall == b->is_overall;
}

static bool are_same_bounds(const prfdata_metric_table_entry *a,
                            const prfdata_metric_table_entry *b)
{
    uint32_t same = 0;

    if (a->bound_count != b->bound_count)
        return false;
    while (same < a->bound_count &&
           a->bounds[same].counter_title == b->bounds[same].counter_title &&
           a->bounds[same].bound == b->bounds[same].bound)
        same++;
    return same == a->bound_count;
}

static bool is_same_metric_entry(const prfdata_metric_table_entry *a,
                                 const prfdata_metric_table_entry *b)
{
    return a->object_title == b->object_title && a->counter_title == b->counter_title &&
           a->type == b->type && a->name_hash == b->name_hash &&
           a->histogram_title == b->histogram_title && is_same_metric(&a->metric, &b->metric) &&
           are_same_bounds(a, b);
}

bool prfdata_metric_table_equal(const prfdata_metric_table *a, const prfdata_metric_table *b)
{
    size_t same = 0;

    if (a->count != b->count)
        return false;
    while (same < a->count && is_same_metric_entry(&a->items[same], &b->items[same]))
        same++;
    return same == a->count;
}

static bool is_before_titles(const prfdata_metric_table_entry *entry, uint32_t object_title,
                             uint32_t counter_title)
{
    return entry->object_title != object_title ? entry->object_title < object_title
                                               : entry->counter_title < counter_title;
}

static bool has_titles(const prfdata_metric_table *table, size_t position, uint32_t object_title,
                       uint32_t counter_title)
{
    return position < table->count && table->items[position].object_title == object_title &&
           table->items[position].counter_title == counter_title;
}

/* Return the position of the first entry that is not before these titles. */
static size_t titles_position(const prfdata_metric_table *table, uint32_t object_title,
                              uint32_t counter_title)
{
    size_t low = 0;
    size_t high = table->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (is_before_titles(&table->items[middle], object_title, counter_title))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t hash_entry_name(const wchar_t *name)
{
    uint16_t chars[PRFDATA_MAX_NAME_CHARS];
    const size_t count = prfdata_names_utf16_from_wide(name, chars, PRFDATA_MAX_NAME_CHARS);

    return count <= PRFDATA_MAX_NAME_CHARS ? prfdata_names_hash(chars, count, 0) : 0;
}

static uint32_t append_metric_entry(prfdata_metric_table *table,
                                    const prfdata_metric_table_entry *entry)
{
    prfdata_metric_table_entry *items =
        prfdata_array_reserve(table->items, &table->capacity, table->count + 1, sizeof *items);

    if (!items)
        return ERROR_NOT_ENOUGH_MEMORY;
    table->items = items;
    items[table->count] = *entry;
    items[table->count].order = table->count;
    table->count++;
    return ERROR_SUCCESS;
}

static int compare_metric_entries(const void *a, const void *b)
{
    const prfdata_metric_table_entry *left = a;
    const prfdata_metric_table_entry *right = b;

    if (left->object_title != right->object_title)
        return left->object_title < right->object_title ? -1 : 1;
    if (left->counter_title != right->counter_title)
        return left->counter_title < right->counter_title ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* If two maps have the same titles, the metrics of the first map stay. */
void prfdata_metric_table_settle(prfdata_metric_table *table)
{
    size_t count = 0;

    if (table->count > 0)
        qsort(table->items, table->count, sizeof *table->items, compare_metric_entries);
    for (size_t i = 0; i < table->count; i++) {
        prfdata_metric_table_entry *entry = &table->items[i];

        if (count > 0 && has_titles(table, count - 1, entry->object_title, entry->counter_title) &&
            table->items[count - 1].map != entry->map) {
            free(entry->bounds);
            continue;
        }
        table->items[count] = *entry;
        table->items[count].order = count;
        count++;
    }
    table->count = count;
}

static int compare_bounds(const void *a, const void *b)
{
    const double left = ((const prfdata_metric_table_bound *)a)->bound;
    const double right = ((const prfdata_metric_table_bound *)b)->bound;

    if (left < 0 || right < 0) /* a counter of all values has no bound */
        return (left < 0) - (right < 0);
    return (left > right) - (left < right);
}

/* Order equal bounds as in the map, because qsort() does not keep the order of equal elements. */
static int compare_bounds_in_order(const void *a, const void *b)
{
    const uint32_t left = ((const prfdata_metric_table_bound *)a)->counter_title;
    const uint32_t right = ((const prfdata_metric_table_bound *)b)->counter_title;
    const int order = compare_bounds(a, b);

    return order != 0 ? order : (left > right) - (left < right);
}

/* Find the counters of a histogram. If two have the same bound, or both count all values, only the
 * first one stays. */
static uint32_t collect_bounds(const prfdata_model_object *object, const prfdata_model_counter *sum,
                               uint32_t first_counter, prfdata_metric_table_entry *entry)
{
    prfdata_metric_table_bound *bounds = calloc(object->counter_count, sizeof *bounds);
    const prfdata_model_counter *counter;
    uint32_t position = 0;
    uint32_t count = 0;
    uint32_t kept = 0;

    if (!bounds)
        return ERROR_NOT_ENOUGH_MEMORY;
    while ((counter = prfdata_metric_histogram_next(object, sum, entry->metric.factor, &position,
                                                    &bounds[count].bound)) != NULL)
        bounds[count++].counter_title = first_counter + counter->title_offset;
    qsort(bounds, count, sizeof *bounds, compare_bounds_in_order);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || compare_bounds(&bounds[kept - 1], &bounds[i]) != 0)
            bounds[kept++] = bounds[i];
    }
    entry->bounds = bounds;
    entry->bound_count = kept;
    return ERROR_SUCCESS;
}

static uint32_t append_histogram(prfdata_metric_table *table, const prfdata_model_object *object,
                                 const prfdata_model_counter *sum, uint32_t first_counter,
                                 const prfdata_metric_table_entry *entry)
{
    prfdata_metric_table_entry histogram = *entry;
    uint32_t status = collect_bounds(object, sum, first_counter, &histogram);

    if (status == ERROR_SUCCESS)
        status = append_metric_entry(table, &histogram);
    if (status != ERROR_SUCCESS)
        free(histogram.bounds);
    return status;
}

static uint32_t add_histograms(prfdata_metric_table *table, const prfdata_model *model,
                               const prfdata_model_object *object,
                               const prfdata_model_counter *counter,
                               prfdata_metric_table_entry *entry)
{
    const prfdata_metric_part *part = prfdata_metric_part_histogram();
    const uint32_t first_counter = entry->counter_title - counter->title_offset;
    uint32_t status;

    if (!prfdata_metric_has_histogram(object, counter))
        return ERROR_SUCCESS;
    entry->histogram_title = 0;
    prfdata_metric_make(model, counter, part, false, &entry->metric);
    status = append_histogram(table, object, counter, first_counter, entry);
    if (status != ERROR_SUCCESS || !prfdata_metric_has_overall(object, counter, part))
        return status;
    prfdata_metric_make(model, counter, part, true, &entry->metric);
    return append_histogram(table, object, counter, first_counter, entry);
}

/* For each part of a counter (metric_part.h), add its metric, and after it the metric of `_Total`
 * if there is one. Then add the histograms of the counter. */
static uint32_t add_counter_metrics(prfdata_metric_table *table, const prfdata_model *model,
                                    const prfdata_model_object *object,
                                    const prfdata_model_counter *counter,
                                    prfdata_metric_table_entry *entry)
{
    uint32_t status = ERROR_SUCCESS;

    for (const prfdata_metric_part *part = prfdata_metric_part_of(counter);
         part && status == ERROR_SUCCESS; part = prfdata_metric_part_next(part)) {
        prfdata_metric_make(model, counter, part, false, &entry->metric);
        status = append_metric_entry(table, entry);
        if (status != ERROR_SUCCESS || !prfdata_metric_has_overall(object, counter, part))
            continue;
        prfdata_metric_make(model, counter, part, true, &entry->metric);
        status = append_metric_entry(table, entry);
    }
    return status != ERROR_SUCCESS ? status : add_histograms(table, model, object, counter, entry);
}

uint32_t prfdata_metric_table_append_model(prfdata_metric_table *table, const prfdata_model *model,
                                           uint32_t first_counter)
{
    uint32_t status = ERROR_SUCCESS;

    table->map_count++;

    for (uint32_t o = 0; o < model->object_count; o++) {
        const prfdata_model_object *object = &model->objects[o];

        for (uint32_t c = 0; c < object->counter_count && status == ERROR_SUCCESS; c++) {
            const prfdata_model_counter *counter = &object->counters[c];
            const prfdata_model_counter *sum;
            prfdata_metric_table_entry entry;

            if (counter->title_offset == PRFDATA_NONE)
                continue;
            memset(&entry, 0, sizeof entry);
            entry.map = table->map_count;
            entry.object_title = first_counter + object->title_offset;
            entry.counter_title = first_counter + counter->title_offset;
            entry.type = counter->entry->type;
            entry.name_hash = hash_entry_name(counter->entry->name);
            sum = prfdata_metric_histogram_sum(object, counter);
            entry.histogram_title = sum ? first_counter + sum->title_offset : 0;
            status = add_counter_metrics(table, model, object, counter, &entry);
        }
    }
    return status;
}

const prfdata_metric_table_entry *prfdata_metric_table_find(const prfdata_metric_table *table,
                                                            uint32_t object_title,
                                                            uint32_t counter_title, uint32_t type,
                                                            prfdata_text name, size_t *count)
{
    const size_t position = titles_position(table, object_title, counter_title);
    const prfdata_metric_table_entry *first;

    *count = 0;
    if (!has_titles(table, position, object_title, counter_title))
        return NULL;
    first = &table->items[position];
    if (first->type != type ||
        (name.count > 0 && first->name_hash != prfdata_names_hash(name.chars, name.count, 0)))
        return NULL;
    while (has_titles(table, position + *count, object_title, counter_title))
        ++*count;
    return first;
}
