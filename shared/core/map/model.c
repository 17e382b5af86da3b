/* SPDX-License-Identifier: MIT */
/*
 * Derives a model from a map that has been checked. One allocation holds the model and all its
 * parts.
 */
#include "map/model.h"

#include <stdlib.h>

#include "base/perf_wire.h"
#include "map/map_bytes.h"
#include "map/map_hash.h"
#include "map/map_limits.h"
#include "map/model_parts.h"
#include "names/names.h"

typedef struct storage {
    prfdata_model model;    /* first, so that its address is that of the allocation */
    prfdata_map *owned_map; /* the decoded map; NULL: the caller of prfdata_model_make() owns it */
} storage;

/*
 * Derives a counter from its node.
 *
 * before      The preceding counter of the object, or NULL. The map was checked, so it is not NULL
 *             for a base.
 * used_bytes  The bytes that are used in the counter block; the counter's bytes are added.
 */
static void derive_counter(const prfdata_map_node *node, const prfdata_map_node *before,
                           uint32_t *used_bytes, prfdata_model_counter *counter)
{
    const prfdata_map_node *fraction =
        before && (node->type->flags & PRFDATA_TYPE_BASE) ? before : NULL;

    counter->entry = node->entry;
    counter->metric = node->metric;
    counter->is_base = (node->type->flags & PRFDATA_TYPE_BASE) != 0;
    counter->has_base = node->has_base;
    counter->options = fraction ? fraction->options : node->options;
    counter->merging = prfdata_map_tree_merging(node, before);
    counter->ticks = fraction && counter->merging == PRFDATA_MERGING_NEWEST ? fraction->type->ticks
                                                                            : node->type->ticks;
    counter->is_hot = prfdata_map_tree_is_hot(node, before);
    counter->shows = fraction ? fraction->shows : node->shows;
    counter->health = node->health;
    counter->value_bytes = node->type->value_bytes;
    counter->block_offset = prfdata_counter_types_place(node->type, used_bytes);
    counter->title_offset = PRFDATA_NONE; /* count_in_counter() sets this and the next field */
    counter->cell_index = PRFDATA_NONE;
    counter->hot_index = PRFDATA_NONE; /* number_hot_counters() sets it */
}

/*
 * The position of the parent of the object `node`. A parent always precedes its child in the map.
 */
static uint32_t parent_index(const prfdata_map_tree *tree, const prfdata_map_node *node)
{
    if (!(node->options & PRFDATA_OPTION_PARENT))
        return PRFDATA_NONE;
    for (const prfdata_map_node *earlier = tree->objects; earlier < node; earlier++) {
        if (earlier->entry->id == node->parent_id)
            return (uint32_t)(earlier - tree->objects);
    }
    return PRFDATA_NONE;
}

static void derive_object(const prfdata_map_tree *tree, const prfdata_map_node *node,
                          prfdata_model_object *object)
{
    object->entry = node->entry;
    object->options = node->options;
    object->detail_level = PERF_DETAIL_WIZARD;
    object->parent_index = parent_index(tree, node);
    object->has_instances = node->entry->max_instances != PERF_NO_INSTANCES;
    object->max_instances = object->has_instances ? (uint32_t)node->entry->max_instances : 1;
    object->name_chars = (uint32_t)prfdata_map_tree_name_chars(node);
}

/* Adds one counter to the fields of its object. */
static void count_in_counter(prfdata_model_object *object, prfdata_model_counter *counter,
                             uint32_t *title_count)
{
    if (!counter->is_base) {
        counter->title_offset = 2 * (*title_count)++;
        if (counter->entry->detail_level < object->detail_level)
            object->detail_level = counter->entry->detail_level;
        if (counter->entry->id == object->entry->default_counter)
            object->default_position = object->counter_count;
    }
    if (counter->value_bytes > 0)
        counter->cell_index = object->cell_count++;
    object->counter_count++;
}

static bool has_pair_on_two_lines(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].has_base &&
            object->counters[i].cell_index % PRFDATA_MODEL_LINE_CELLS ==
                PRFDATA_MODEL_LINE_CELLS - 1)
            return true;
    return false;
}

/*
 * A pair is a counter and its base. If any pair lies in two cache lines, gives all pairs the first
 * cells, so that each pair begins at an even cell and lies in one cache line. Otherwise a reader
 * could see a change of the counter long before the change of its base.
 */
static void keep_pairs_on_one_line(prfdata_model_object *object, prfdata_model_counter *counters)
{
    uint32_t next = 0;

    if (!has_pair_on_two_lines(object))
        return;
    for (int are_pairs = 1; are_pairs >= 0; are_pairs--)
        for (uint32_t i = 0; i < object->counter_count; i++)
            if (counters[i].cell_index != PRFDATA_NONE &&
                (counters[i].is_base || counters[i].has_base) == (are_pairs == 1))
                counters[i].cell_index = next++;
}

/* Whether both a counter and its base have lanes. */
static bool is_in_hot_pair(const prfdata_model_counter *counter)
{
    return counter->is_hot && (counter->is_base || (counter->has_base && counter[1].is_hot));
}

/*
 * Numbers the pairs first, so that each pair begins at an even number and lies in one cache line.
 */
static void number_hot_counters(prfdata_model_object *object, prfdata_model_counter *counters,
                                uint32_t *hot_cells)
{
    for (int are_pairs = 1; are_pairs >= 0; are_pairs--)
        for (uint32_t i = 0; i < object->counter_count; i++) {
            if (!counters[i].is_hot || is_in_hot_pair(&counters[i]) != (are_pairs == 1))
                continue;
            hot_cells[object->hot_count] = counters[i].cell_index;
            counters[i].hot_index = object->hot_count++;
        }
    object->hot_cells = hot_cells;
}

/* Derives the counters of an object. `hot_cells` has room for one element per counter. */
static void derive_counters(const prfdata_map_node *node, prfdata_model_object *object,
                            prfdata_model_counter *counters, uint32_t *hot_cells,
                            uint32_t *title_count)
{
    uint32_t used_bytes = sizeof(prfdata_perf_counter_block);

    object->counters = counters;
    for (uint32_t i = 0; i < node->counter_count; i++) {
        derive_counter(&node->counters[i], i > 0 ? &node->counters[i - 1] : NULL, &used_bytes,
                       &counters[i]);
        count_in_counter(object, &counters[i], title_count);
    }
    object->block_bytes = (used_bytes + 7) / 8 * 8;
    keep_pairs_on_one_line(object, counters);
    number_hot_counters(object, counters, hot_cells);
}

/* Finds the distribution that each counter shows. The map was checked, so the object has it. */
static void find_shown_distributions(const prfdata_model_object *object,
                                     prfdata_model_counter *counters)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        for (uint32_t d = 0; counters[i].shows && d < object->distribution_count; d++)
            if (object->distributions[d].entry->id == counters[i].shows->id) {
                counters[i].distribution_index = d;
                counters[i].shown_unit = object->distributions[d].entry->unit;
            }
}

/*
 * Derives the distributions of an object. The cells of their windows follow those of the counters.
 * Returns the next free element of the array that `made` points into.
 */
static prfdata_model_distribution *derive_distributions(const prfdata_map *map,
                                                        const prfdata_map_node *node,
                                                        prfdata_model_object *object,
                                                        prfdata_model_distribution *made)
{
    uint32_t line = node->index + 1;
    const prfdata_map_entry *entry = prfdata_map_tree_next_distribution(map, &line);

    object->stored_count = object->cell_count;
    object->distributions = made;
    for (; entry; entry = prfdata_map_tree_next_distribution(map, &line)) {
        made->entry = entry;
        (void)prfdata_distribution_shape_make(entry->lowest, entry->highest,
                                              entry->buckets_per_octave, entry->window_s,
                                              &made->shape); /* the map was checked */
        made->bytes_offset = object->distributions_bytes;
        made->first_cell = object->cell_count;
        object->distributions_bytes += (uint32_t)prfdata_distribution_bytes(&made->shape);
        object->cell_count += (uint32_t)prfdata_distribution_window_words(&made->shape);
        object->distribution_count++;
        made++;
    }
    return made;
}

/* Whether all cells of an object accumulate. The cells of a distribution's window do not. */
static bool only_accumulates(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].cell_index != PRFDATA_NONE &&
            object->counters[i].merging != PRFDATA_MERGING_ACCUMULATE)
            return false;
    return object->distribution_count == 0;
}

static void derive_objects(const prfdata_map_tree *tree, prfdata_model *model,
                           prfdata_model_object *objects, prfdata_model_counter *counters,
                           uint32_t *hot_cells, prfdata_model_distribution *distributions)
{
    model->health_index = PRFDATA_NONE;
    for (uint32_t i = 0; i < tree->object_count; i++) {
        derive_object(tree, &tree->objects[i], &objects[i]);
        objects[i].title_offset = 2 * model->title_count++;
        derive_counters(&tree->objects[i], &objects[i], counters, hot_cells, &model->title_count);
        distributions =
            derive_distributions(tree->map, &tree->objects[i], &objects[i], distributions);
        find_shown_distributions(&objects[i], counters);
        objects[i].only_accumulates = only_accumulates(&objects[i]);
        /* The map was checked, so either all counters of the object show health, or none. */
        if (counters[0].health != 0)
            model->health_index = i;
        counters += objects[i].counter_count;
        hot_cells += objects[i].counter_count;
    }
    model->objects = objects;
    model->object_count = tree->object_count;
    model->number_count = model->title_count;
}

static size_t count_distributions(const prfdata_map *map)
{
    size_t count = 0;

    for (uint32_t i = 0; i < map->entry_count; i++)
        count += map->entries[i].kind == PRFDATA_ENTRY_OPTION &&
                 map->entries[i].option == PRFDATA_OPTION_DISTRIBUTION;
    return count;
}

static uint32_t make_from_tree(const prfdata_map_tree *tree, prfdata_model **model)
{
    size_t object_bytes = tree->object_count * sizeof(prfdata_model_object);
    size_t counter_bytes = tree->counter_count * sizeof(prfdata_model_counter);
    size_t distribution_bytes = count_distributions(tree->map) * sizeof(prfdata_model_distribution);
    size_t hot_bytes = tree->counter_count * sizeof(uint32_t);
    storage *made =
        calloc(1, sizeof *made + object_bytes + counter_bytes + distribution_bytes + hot_bytes);
    prfdata_model_object *objects;
    unsigned char *counters;
    unsigned char *distributions;

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    objects = (prfdata_model_object *)(made + 1);
    made->model.map = tree->map;
    counters = (unsigned char *)objects + object_bytes;
    distributions = counters + counter_bytes;
    derive_objects(tree, &made->model, objects, (prfdata_model_counter *)(void *)counters,
                   (uint32_t *)(void *)(distributions + distribution_bytes),
                   (prfdata_model_distribution *)(void *)distributions);
    made->model.hash = prfdata_map_hash(&made->model);
    *model = &made->model;
    return ERROR_SUCCESS;
}

uint32_t prfdata_model_make_by(const prfdata_map *map, prfdata_model_check check,
                               prfdata_model **model)
{
    prfdata_map_tree *tree;
    uint32_t status = check(map, &tree);

    if (status != ERROR_SUCCESS)
        return status;
    status = make_from_tree(tree, model);
    free(tree);
    return status;
}

/*
 * Makes the model of a decoded map. Returns ERROR_INVALID_DATA if the map has a mistake, or if its
 * hash is not `hash`.
 */
static uint32_t make_from_decoded(prfdata_map *map, uint64_t hash, prfdata_model_check check,
                                  prfdata_model **model)
{
    prfdata_model *made;
    uint32_t status = prfdata_model_make_by(map, check, &made);

    if (status != ERROR_SUCCESS)
        return status == ERROR_INVALID_PARAMETER ? ERROR_INVALID_DATA : status; /* M11 */
    if (made->hash != hash) {                                                   /* M12 */
        prfdata_model_free(made);
        return ERROR_INVALID_DATA;
    }
    ((storage *)made)->owned_map = map;
    *model = made;
    return ERROR_SUCCESS;
}

uint32_t prfdata_model_decode_by(const void *bytes, size_t size, prfdata_model_check check,
                                 prfdata_model **model)
{
    prfdata_map *map;
    uint64_t hash;
    uint32_t status = prfdata_map_bytes_decode(bytes, size, &map, &hash);

    if (status != ERROR_SUCCESS)
        return status;
    status = make_from_decoded(map, hash, check, model);
    if (status != ERROR_SUCCESS)
        free(map);
    return status;
}

uint32_t prfdata_model_read(const void *bytes, size_t size, prfdata_model **model)
{
    return prfdata_model_decode_by(bytes, size, prfdata_map_limits_nest, model);
}

void prfdata_model_free(prfdata_model *model)
{
    storage *made = (storage *)model;

    if (!made)
        return;
    free(made->owned_map);
    free(made);
}

size_t prfdata_model_row_bytes(const prfdata_model_object *object, uint32_t name_chars)
{
    return prfdata_perf_instance_bytes(name_chars) + object->block_bytes;
}

size_t prfdata_model_rows_room(const prfdata_model_object *object)
{
    return PRFDATA_MAX_OBJECT_BYTES - prfdata_perf_definitions_bytes(object->counter_count) -
           prfdata_model_row_bytes(object, PRFDATA_NAMES_TOTAL_CHARS);
}

void prfdata_model_set_numbers(prfdata_model *model, const uint32_t *numbers, uint32_t number_count)
{
    /*
     * make_from_tree() allocated the objects and counters, so writing to them is safe. They are
     * const only for the users of the model.
     */
    prfdata_model_object *objects = (prfdata_model_object *)(uintptr_t)model->objects;

    for (uint32_t i = 0; i < model->object_count; i++) {
        prfdata_model_counter *counters = (prfdata_model_counter *)(uintptr_t)objects[i].counters;

        objects[i].title_offset = 2 * *numbers++;
        for (uint32_t c = 0; c < objects[i].counter_count; c++)
            if (!counters[c].is_base)
                counters[c].title_offset = 2 * *numbers++;
    }
    model->number_count = number_count;
}

bool prfdata_model_titles_fit(const prfdata_model *model, uint32_t first_counter,
                              uint32_t first_help)
{
    /* A checked map has a title, so number_count is not 0. */
    const uint32_t span = 2 * (model->number_count - 1);

    return first_counter != 0 && first_counter % 2 == 0 && first_help % 2 == 1 &&
           first_counter <= UINT32_MAX - span && first_help <= UINT32_MAX - span;
}

const prfdata_model_object *prfdata_model_find_object(const prfdata_model *model, uint32_t id)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        if (model->objects[i].entry->id == id)
            return &model->objects[i];
    }
    return NULL;
}
