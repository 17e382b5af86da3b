/* SPDX-License-Identifier: MIT */
/*
 * Keeps the list of columns: makes columns from matches of paths, and gets their values from pairs
 * of samples. resolver.c decides what a path means, compute.c computes values, and csv.c, json.c
 * and prfread's formats write columns.
 */
#include "paths/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "names/names.h"

void prfdata_columns_init(prfdata_columns *columns, const prfdata_titles *titles,
                          prfdata_text computer)
{
    memset(columns, 0, sizeof *columns);
    columns->titles = titles;
    columns->titles_version = columns->first_version = titles ? titles->version : 0;
    columns->computer = computer;
}

static void free_column(prfdata_column *column)
{
    free((void *)(uintptr_t)column->label.chars);
    free((void *)(uintptr_t)column->text.chars);
    free(column->heading);
}

static void free_places(prfdata_columns *columns)
{
    for (size_t i = 0; i < columns->object_count; i++) {
        prfdata_places_free(&columns->objects[i].places);
        prfdata_hash_table_free(&columns->objects[i].counter_table);
        free(columns->objects[i].counters);
        free(columns->objects[i].blocks);
    }
    for (size_t i = 0; i < columns->path_count; i++)
        free(columns->paths[i].titles.items);
    columns->object_count = columns->path_count = 0;
    prfdata_hash_table_clear(&columns->object_table);
    prfdata_hash_table_clear(&columns->path_table);
    prfdata_hash_table_clear(&columns->table);
}

void prfdata_columns_free(prfdata_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        free_column(&columns->items[i]);
    free_places(columns);
    free(columns->items);
    free(columns->objects);
    free(columns->paths);
    free(columns->named.items);
    free(columns->asked.items);
    free(columns->lost_order);
    free(columns->texts);
    prfdata_output_free(&columns->heading);
    prfdata_hash_table_free(&columns->object_table);
    prfdata_hash_table_free(&columns->path_table);
    prfdata_hash_table_free(&columns->table);
    prfdata_columns_init(columns, columns->titles, columns->computer);
}

/* ---- Titles ---- */

void prfdata_columns_put_title(prfdata_output *output, const prfdata_name_table *titles,
                               uint32_t index)
{
    prfdata_text name = prfdata_name_table_name(titles, index);

    if (name.count > 0 && !prfdata_text_is_star(name))
        prfdata_output_put_text(output, name);
    else
        prfdata_output_format(output, "%u", (unsigned)index);
}

/* ---- Columns ---- */

static uint32_t matched_object_title(const prfdata_resolver *match)
{
    return match->object->wire.header.object_name_title_index;
}

static uint32_t matched_counter_title(const prfdata_resolver *match)
{
    return match->object->counters[match->counter_position].definition.counter_name_title_index;
}

/* Put \\COMPUTER\Object, the beginning of a heading. */
static void put_heading_object(prfdata_output *output, const prfdata_columns *columns,
                               prfdata_titles_way way, uint32_t object_title)
{
    prfdata_output_put_string(output, "\\\\");
    prfdata_output_put_text(output, columns->computer);
    prfdata_output_put_string(output, "\\");
    prfdata_titles_put_name_in_way(output, columns->titles, way, object_title);
}

/* Make the heading of a match, for free(). NULL: no memory. There may be very many headings, so
 * each gets memory of its exact size. */
static char *make_column_heading(prfdata_columns *columns, const prfdata_resolver *match)
{
    prfdata_output *output = &columns->heading;
    char *heading;

    prfdata_output_clear(output);
    put_heading_object(output, columns, match->path->way, matched_object_title(match));
    if (match->object->has_instances) {
        prfdata_output_put_string(output, "(");
        prfdata_output_put_text(output, match->instance->label);
        prfdata_output_put_string(output, ")");
    }
    prfdata_output_put_string(output, "\\");
    prfdata_titles_put_name_in_way(output, columns->titles, match->way,
                                   matched_counter_title(match));
    prfdata_output_put(output, "", 1);
    heading = output->failed ? NULL : malloc(output->used);
    if (heading)
        memcpy(heading, output->bytes, output->used);
    return heading;
}

typedef struct column_key {
    uint32_t path_number;
    uint32_t object_title;
    uint32_t counter_title;
    prfdata_text label;
} column_key;

static uint64_t hash_column_key(const column_key *key)
{
    const uint64_t seed = ((uint64_t)key->object_title << 32 | key->counter_title) +
                          (uint64_t)key->path_number * 0x9E3779B1u;

    return prfdata_names_hash(key->label.chars, key->label.count, seed);
}

static bool has_column_key(const void *elements, uint32_t position, const void *key)
{
    const prfdata_column *column = (const prfdata_column *)elements + position;
    const column_key *wanted = key;

    return column->path_number == wanted->path_number &&
           column->object_title == wanted->object_title &&
           column->counter_title == wanted->counter_title &&
           prfdata_text_equal(column->label, wanted->label);
}

/* ---- Changed titles ---- */

static int compare_lost_names(const prfdata_columns_lost *a, const prfdata_columns_lost *b)
{
    const int order = (a->path_number > b->path_number) - (a->path_number < b->path_number);

    return order != 0 ? order : strcmp(a->heading, b->heading);
}

static int compare_lost_columns(const void *a, const void *b)
{
    const prfdata_columns_lost *left = a;
    const prfdata_columns_lost *right = b;
    const int order = compare_lost_names(left, right);

    return order != 0 ? order : (left->column > right->column) - (left->column < right->column);
}

/* List all columns by path and heading. Returns false: no memory. */
static bool list_lost_columns(prfdata_columns *columns)
{
    prfdata_columns_lost *lost = prfdata_array_reserve(columns->lost_order, &columns->lost_capacity,
                                                       columns->count + 1, sizeof *lost);

    columns->lost_count = 0;
    if (!lost)
        return false;
    columns->lost_order = lost;
    for (; columns->lost_count < columns->count; columns->lost_count++) {
        const prfdata_column *column = &columns->items[columns->lost_count];

        lost[columns->lost_count] = (prfdata_columns_lost){column->heading, column->path_number,
                                                           (uint32_t)columns->lost_count};
    }
    qsort(lost, columns->lost_count, sizeof *lost, compare_lost_columns);
    return true;
}

/*
 * If titles have changed their meaning, make all columns lose their indexes. A column gets indexes
 * again when a sample has a counter with the column's heading. Returns false: no memory, so the
 * next call tries again.
 */
static bool follow_titles(prfdata_columns *columns)
{
    if (columns->titles_version == columns->titles->version)
        return true;
    free_places(columns);
    for (size_t i = 0; i < columns->count; i++) {
        if (columns->items[i].is_lost)
            columns->items[i].object_title = 0; /* this index belongs to older titles */
        columns->items[i].is_lost = true;
        columns->items[i].lost_status = PRFDATA_STATUS_NO_OBJECT;
        columns->items[i].raw_status = columns->items[i].older_status = PRFDATA_STATUS_NO_OBJECT;
    }
    columns->lost = columns->count;
    if (!list_lost_columns(columns))
        return false;
    columns->titles_version = columns->titles->version;
    return true;
}

/* Return the first position of this path and heading in the list of lost columns. If they are not
 * in the list, return where they would be. */
static size_t lost_position(const prfdata_columns *columns, uint32_t path_number,
                            const char *heading)
{
    const prfdata_columns_lost wanted = {.path_number = path_number, .heading = heading};
    size_t low = 0;
    size_t high = columns->lost_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (compare_lost_names(&columns->lost_order[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Return the column of an entry of the list of lost columns. NULL: the list has ended, or the entry
 * is of another path. */
static prfdata_column *lost_column(const prfdata_columns *columns, size_t at, uint32_t path_number)
{
    return at < columns->lost_count && columns->lost_order[at].path_number == path_number
               ? &columns->items[columns->lost_order[at].column]
               : NULL;
}

/* Return the column with this path and heading that has lost its indexes; NULL: there is none. */
static prfdata_column *find_lost_column(const prfdata_columns *columns, uint32_t path_number,
                                        const char *heading)
{
    size_t at = lost_position(columns, path_number, heading);
    prfdata_column *column = lost_column(columns, at, path_number);

    while (column && strcmp(column->heading, heading) == 0) {
        if (column->is_lost)
            return column;
        column = lost_column(columns, ++at, path_number);
    }
    return NULL;
}

/* The key and the positions that a match gives to a column. */
typedef struct column_place {
    column_key key;
    uint32_t object;
    uint32_t instance;
    uint32_t counter;
} column_place;

static void place_column(prfdata_column *column, const column_place *place)
{
    column->object_title = place->key.object_title;
    column->counter_title = place->key.counter_title;
    column->object = place->object;
    column->instance = place->instance;
    column->counter = place->counter;
}

/*
 * Give the indexes of a match to the lost column that has the heading of the match.
 *
 * is_found  Set to whether there is such a column.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
static uint32_t find_column_again(prfdata_columns *columns, const prfdata_resolver *match,
                                  const column_place *place, uint64_t hash, bool *is_found)
{
    const column_key *key = &place->key;
    char *heading = make_column_heading(columns, match);
    prfdata_column *column = heading ? find_lost_column(columns, key->path_number, heading) : NULL;

    *is_found = column != NULL;
    free(heading);
    if (!heading || (column && !prfdata_hash_table_add(&columns->table, hash,
                                                       (uint32_t)(column - columns->items))))
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!column)
        return ERROR_SUCCESS;
    column->is_lost = false;
    column->is_new = true;
    column->is_moved =
        column->object_title != key->object_title || column->counter_title != key->counter_title;
    place_column(column, place);
    columns->lost--;
    return ERROR_SUCCESS;
}

/* Note, in each lost column of a path and an object, whether the object lacks the instance or the
 * counter. */
static void note_lost_of_object(prfdata_columns *columns, const prfdata_resolver_path *path,
                                const prfdata_sample_object *object)
{
    prfdata_output name = {0};
    prfdata_column *column;
    size_t at;

    put_heading_object(&name, columns, path->way, object->wire.header.object_name_title_index);
    prfdata_output_put(&name, object->has_instances ? "(" : "\\", sizeof "(");
    at = !name.failed && name.bytes ? lost_position(columns, path->number, name.bytes)
                                    : columns->lost_count;
    while ((column = lost_column(columns, at, path->number)) &&
           strncmp(column->heading, name.bytes, name.used - 1) == 0) {
        if (column->is_lost)
            column->lost_status = prfdata_sample_find_instance(object, column->label)
                                      ? PRFDATA_STATUS_NO_COUNTER
                                      : PRFDATA_STATUS_NO_INSTANCE;
        at++;
    }
    prfdata_output_free(&name);
}

static void note_lost_columns(prfdata_columns *columns, const prfdata_resolver_path *path,
                              const prfdata_sample *sample)
{
    prfdata_resolver next;
    prfdata_column *column;

    if (columns->lost == 0)
        return;
    for (size_t at = lost_position(columns, path->number, "");
         (column = lost_column(columns, at, path->number)); at++)
        column->lost_status = PRFDATA_STATUS_NO_OBJECT;
    prfdata_resolver_begin(&next, path, columns->titles, sample);
    while (prfdata_resolver_next_object(&next))
        note_lost_of_object(columns, path, next.object);
}

/* ---- New columns ---- */

static bool append_column(prfdata_columns *columns, uint64_t hash, const prfdata_column *column)
{
    prfdata_column *items = prfdata_array_reserve(columns->items, &columns->capacity,
                                                  columns->count + 1, sizeof *items);

    if (!items)
        return false;
    columns->items = items;
    if (columns->count >= PRFDATA_HASH_TABLE_NONE ||
        !prfdata_hash_table_add(&columns->table, hash, (uint32_t)columns->count))
        return false;
    columns->items[columns->count++] = *column;
    return true;
}

static bool fill_column(prfdata_columns *columns, const prfdata_resolver *match,
                        const column_place *place, prfdata_column *column)
{
    memset(column, 0, sizeof *column);
    column->path_number = place->key.path_number;
    place_column(column, place);
    column->is_new = true;
    /* If titles have changed since the first column was made, the previous sample may have other
     * titles. */
    column->is_moved = columns->first_version != columns->titles_version;
    column->status = PRFDATA_STATUS_NO_DATA;
    column->raw_status = PRFDATA_STATUS_NO_DATA;
    column->older_status = PRFDATA_STATUS_NO_DATA;
    column->heading = make_column_heading(columns, match);
    return column->heading &&
           (!match->object->has_instances || prfdata_text_copy(place->key.label, &column->label));
}

/* Add a column for the match, unless there already is one. */
static uint32_t add_column(prfdata_columns *columns, const prfdata_resolver *match,
                           const column_place *place)
{
    const uint64_t hash = hash_column_key(&place->key);
    prfdata_column column;

    if (prfdata_hash_table_find(&columns->table, hash, has_column_key, columns->items,
                                &place->key) != PRFDATA_HASH_TABLE_NONE)
        return ERROR_SUCCESS;
    if (columns->lost > 0) {
        bool is_found;
        const uint32_t status = find_column_again(columns, match, place, hash, &is_found);

        if (status != ERROR_SUCCESS || is_found)
            return status;
    }
    if (!fill_column(columns, match, place, &column) || !append_column(columns, hash, &column)) {
        free_column(&column);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    return ERROR_SUCCESS;
}

/* ---- Objects and their positions ---- */

/* Spread the titles, which are small numbers with gaps. */
static uint64_t hash_title(uint32_t title)
{
    return title * 0x9E3779B97F4A7C15u;
}

static bool has_object_title(const void *elements, uint32_t position, const void *key)
{
    return ((const prfdata_columns_object *)elements)[position].title == *(const uint32_t *)key;
}

static bool has_counter_title(const void *elements, uint32_t position, const void *key)
{
    return ((const prfdata_columns_counter *)elements)[position].title == *(const uint32_t *)key;
}

/* Find or add the object with this title. Returns false: no memory. */
static bool object_of_title(prfdata_columns *columns, uint32_t title, uint32_t *position)
{
    prfdata_columns_object *objects;

    *position = prfdata_hash_table_find(&columns->object_table, hash_title(title), has_object_title,
                                        columns->objects, &title);
    if (*position != PRFDATA_HASH_TABLE_NONE)
        return true;
    objects = prfdata_array_reserve(columns->objects, &columns->object_capacity,
                                    columns->object_count + 1, sizeof *objects);
    if (!objects)
        return false;
    columns->objects = objects;
    if (!prfdata_hash_table_add(&columns->object_table, hash_title(title),
                                (uint32_t)columns->object_count))
        return false;
    objects[columns->object_count] = (prfdata_columns_object){.title = title};
    *position = (uint32_t)columns->object_count++;
    return true;
}

static uint32_t followed_counter(const prfdata_columns_object *object, uint32_t title)
{
    return object->object ? prfdata_title_index_find(&object->object->by_title, title)
                          : PRFDATA_COLUMNS_NO_COUNTER;
}

/* Find or add the counter with this title. Returns false: no memory. */
static bool counter_of_title(prfdata_columns_object *object, uint32_t title, uint32_t *position)
{
    prfdata_columns_counter *counters;

    *position = prfdata_hash_table_find(&object->counter_table, hash_title(title),
                                        has_counter_title, object->counters, &title);
    if (*position != PRFDATA_HASH_TABLE_NONE)
        return true;
    counters = prfdata_array_reserve(object->counters, &object->counter_capacity,
                                     object->counter_count + 1, sizeof *counters);
    if (!counters)
        return false;
    object->counters = counters;
    if (!prfdata_hash_table_add(&object->counter_table, hash_title(title),
                                (uint32_t)object->counter_count))
        return false;
    counters[object->counter_count] =
        (prfdata_columns_counter){.title = title, .position = followed_counter(object, title)};
    *position = (uint32_t)object->counter_count++;
    return true;
}

/* Find the columns' counters and instances in a sample, unless that was done already. Returns
 * false: no memory. */
static bool follow_object(prfdata_columns_object *object, const prfdata_sample *sample)
{
    if (object->sample == sample->number)
        return true;
    object->object = prfdata_sample_find_object(sample, object->title);
    object->sample = sample->number;
    for (size_t i = 0; i < object->counter_count; i++)
        object->counters[i].position = followed_counter(object, object->counters[i].title);
    return prfdata_places_follow(&object->places, object->object);
}

/* ---- Matches of a path ---- */

static bool put_in_list(prfdata_columns_list *list, uint32_t item)
{
    uint32_t *items =
        prfdata_array_reserve(list->items, &list->capacity, list->count + 1, sizeof *items);

    if (!items)
        return false;
    list->items = items;
    items[list->count++] = item;
    return true;
}

typedef struct path_key {
    uint32_t number;
    uint32_t object;
} path_key;

static bool has_path_key(const void *elements, uint32_t position, const void *key)
{
    const prfdata_columns_path *path = (const prfdata_columns_path *)elements + position;
    const path_key *wanted = key;

    return path->number == wanted->number && path->object == wanted->object;
}

/* Find or add the state of a path and an object. Returns NULL: no memory. */
static prfdata_columns_path *path_of_key(prfdata_columns *columns, const path_key *key)
{
    const uint64_t hash = (((uint64_t)key->number << 32) + key->object) * 0x9E3779B97F4A7C15u;
    const uint32_t found =
        prfdata_hash_table_find(&columns->path_table, hash, has_path_key, columns->paths, key);
    prfdata_columns_path *paths;

    if (found != PRFDATA_HASH_TABLE_NONE)
        return &columns->paths[found];
    paths = prfdata_array_reserve(columns->paths, &columns->path_capacity, columns->path_count + 1,
                                  sizeof *paths);
    if (!paths)
        return NULL;
    columns->paths = paths;
    if (!prfdata_hash_table_add(&columns->path_table, hash, (uint32_t)columns->path_count))
        return NULL;
    paths[columns->path_count] = (prfdata_columns_path){
        .number = key->number, .object = key->object, .item = PRFDATA_PLACES_NONE};
    return &paths[columns->path_count++];
}

/* Set *is_same to whether the path names the same counters as before; if not, store the new ones.
 * Returns false: no memory. */
static bool follow_named_counters(prfdata_columns_path *path, const prfdata_sample_object *object,
                                  const prfdata_columns_list *named, bool *is_same)
{
    *is_same = path->titles.count == named->count;
    for (size_t i = 0; *is_same && i < named->count; i++)
        *is_same = path->titles.items[i] ==
                   object->counters[named->items[i]].definition.counter_name_title_index;
    if (*is_same)
        return true;
    path->titles.count = 0;
    for (size_t i = 0; i < named->count; i++) {
        if (!put_in_list(&path->titles,
                         object->counters[named->items[i]].definition.counter_name_title_index))
            return false;
    }
    return true;
}

/* List an instance that a path asks for. is_next: skip an instance of the previous sample, because
 * the instance already has columns. */
static bool ask_for_instance(prfdata_columns *columns, prfdata_columns_path *path,
                             const prfdata_sample_object *object, uint32_t position, bool is_next)
{
    prfdata_places *places = &columns->objects[path->object].places;
    uint32_t item = places->at[position];

    if (item != PRFDATA_PLACES_NONE && is_next && places->items[item].came != places->number)
        return true;
    if (item == PRFDATA_PLACES_NONE)
        item = prfdata_places_add_at(places, object, position);
    if (item == PRFDATA_PLACES_NONE || !put_in_list(&columns->asked, position))
        return false;
    path->item = item;
    return true;
}

/*
 * List the instances that may need columns. Usually these are only the instances that came since
 * the path was last added. All instances are listed if the path was last added before the previous
 * sample, or if it named other counters then.
 */
static bool list_asked_instances(prfdata_columns *columns, prfdata_columns_path *path,
                                 const prfdata_resolver *match, bool has_same_counters)
{
    prfdata_places *places = &columns->objects[path->object].places;
    const prfdata_sample_object *object = match->object;
    const bool is_next = has_same_counters && places->number - path->followed <= 1;
    uint32_t found;

    path->followed = places->number;
    if (is_next && places->came_count == 0 && places->new_count == 0)
        return true;
    if (prfdata_resolver_names_one(match->path, object, &found)) {
        return found == PRFDATA_RESOLVER_NO_POSITION ||
               ask_for_instance(columns, path, object, object->found[found], is_next);
    }
    for (uint32_t i = 0; i < object->instance_count; i++) {
        if (prfdata_resolver_wants_instance(match->path, object, &object->instances[i]) &&
            !ask_for_instance(columns, path, object, i, is_next))
            return false;
    }
    return true;
}

/* List the instances of a second object with the same title. Their columns have values only if the
 * first object has these instances too. */
static bool list_other_instances(prfdata_columns *columns, const prfdata_resolver *match)
{
    uint32_t found;

    if (prfdata_resolver_names_one(match->path, match->object, &found))
        return found == PRFDATA_RESOLVER_NO_POSITION ||
               put_in_list(&columns->asked, match->object->found[found]);
    for (uint32_t i = 0; i < match->object->instance_count; i++) {
        if (prfdata_resolver_wants_instance(match->path, match->object,
                                            &match->object->instances[i]) &&
            !put_in_list(&columns->asked, i))
            return false;
    }
    return true;
}

static bool is_any_asked(const prfdata_columns *columns, prfdata_columns_path *path,
                         const prfdata_resolver *match)
{
    const prfdata_places *places = &columns->objects[path->object].places;
    const prfdata_sample_object *object = match->object;
    uint32_t found;

    if (path->item != PRFDATA_PLACES_NONE && prfdata_places_has(places, path->item))
        return true;
    if (prfdata_resolver_names_one(match->path, object, &found)) {
        if (found != PRFDATA_RESOLVER_NO_POSITION)
            path->item = places->at[object->found[found]];
        return found != PRFDATA_RESOLVER_NO_POSITION;
    }
    for (uint32_t i = 0; i < object->instance_count; i++) {
        if (prfdata_resolver_wants_instance(match->path, object, &object->instances[i])) {
            path->item = places->at[i];
            return true;
        }
    }
    return false;
}

static uint32_t add_listed_columns(prfdata_columns *columns, prfdata_resolver match,
                                   uint32_t object, bool is_first)
{
    prfdata_places *places = &columns->objects[object].places;
    column_place place = {.object = object};

    place.key.path_number = match.path->number;
    place.key.object_title = matched_object_title(&match);
    for (size_t c = 0; c < columns->named.count && columns->asked.count > 0; c++) {
        match.counter_position = columns->named.items[c];
        place.key.counter_title = matched_counter_title(&match);
        if (!counter_of_title(&columns->objects[object], place.key.counter_title, &place.counter))
            return ERROR_NOT_ENOUGH_MEMORY;
        for (size_t i = 0; i < columns->asked.count; i++) {
            uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

            match.instance = &match.object->instances[columns->asked.items[i]];
            place.key.label = match.instance->label;
            place.instance = is_first ? places->at[columns->asked.items[i]]
                                      : prfdata_places_item(places, columns->objects[object].object,
                                                            place.key.label);
            if (place.instance != PRFDATA_PLACES_NONE)
                status = add_column(columns, &match, &place);
            if (status != ERROR_SUCCESS)
                return status;
        }
    }
    return ERROR_SUCCESS;
}

/*
 * Add columns for what a path asks for in one object. columns->named lists the counters.
 *
 * is_found  Set to true if the object has an instance for the path; otherwise unchanged.
 */
static uint32_t add_object_columns(prfdata_columns *columns, const prfdata_resolver *match,
                                   bool *is_found)
{
    const bool is_first =
        prfdata_sample_find_object(match->sample, matched_object_title(match)) == match->object;
    path_key key = {.number = match->path->number};
    prfdata_columns_path *path;
    bool is_same = false;

    columns->asked.count = 0;
    if (!object_of_title(columns, matched_object_title(match), &key.object) ||
        !follow_object(&columns->objects[key.object], match->sample))
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!is_first) {
        if (!list_other_instances(columns, match))
            return ERROR_NOT_ENOUGH_MEMORY;
        *is_found = *is_found || columns->asked.count > 0;
    } else {
        path = path_of_key(columns, &key);
        if (!path || !follow_named_counters(path, match->object, &columns->named, &is_same) ||
            !list_asked_instances(columns, path, match, is_same))
            return ERROR_NOT_ENOUGH_MEMORY;
        *is_found = *is_found || is_any_asked(columns, path, match);
    }
    return add_listed_columns(columns, *match, key.object, is_first);
}

uint32_t prfdata_columns_add(prfdata_columns *columns, const prfdata_resolver_path *path,
                             const prfdata_sample *sample, prfdata_resolver_result *result)
{
    prfdata_resolver next;
    bool is_found = false;
    bool is_more;

    if (!follow_titles(columns))
        return ERROR_NOT_ENOUGH_MEMORY;
    if (columns->count == 0)
        columns->first_version = columns->titles_version;
    prfdata_resolver_begin(&next, path, columns->titles, sample);
    is_more = prfdata_resolver_next_counter(&next);
    while (is_more) {
        const prfdata_resolver match = next;
        uint32_t status;

        columns->named.count = 0;
        do {
            if (!put_in_list(&columns->named, next.counter_position))
                return ERROR_NOT_ENOUGH_MEMORY;
            is_more = prfdata_resolver_next_counter(&next);
        } while (is_more && next.object == match.object);
        status = add_object_columns(columns, &match, &is_found);
        if (status != ERROR_SUCCESS)
            return status;
    }
    note_lost_columns(columns, path, sample);
    *result = is_found ? PRFDATA_RESOLVER_FOUND : next.result;
    return ERROR_SUCCESS;
}

/* ---- Values ---- */

typedef struct sample_pair {
    const prfdata_sample *older;
    const prfdata_sample *newer;
    bool is_next; /* the last computation ended with the older sample */
    bool capped;
} sample_pair;

/* The state while one counter is computed. Columns of the same counter mostly follow each other,
 * and then use the same run. */
typedef struct column_run {
    bool is_made;
    uint32_t object_position;
    uint32_t counter_position;
    const prfdata_columns_object *object;
    prfdata_columns_counter *counter;
    bool has_counter; /* the newer sample has the counter, so `reader` and `pair` are set */
    prfdata_sample_reader reader;
    prfdata_compute_pair pair;
} column_run;

/* Set counter->older, the older raw data that all columns of the counter share. */
static void set_older_of_counter(prfdata_columns_counter *counter, uint32_t object_title,
                                 const sample_pair *pair)
{
    const prfdata_sample_object *object;
    prfdata_sample_reader reader;
    uint32_t position;

    counter->has_older = pair->is_next && counter->sample != 0;
    if (counter->has_older)
        counter->older = counter->raw;
    if (!pair->older || (counter->has_older && counter->sample == pair->older->number))
        return;
    object = prfdata_sample_find_object(pair->older, object_title);
    position = object ? prfdata_title_index_find(&object->by_title, counter->title)
                      : PRFDATA_COLUMNS_NO_COUNTER;
    if (position == PRFDATA_COLUMNS_NO_COUNTER)
        return;
    prfdata_sample_reader_make(pair->older, object, position, &reader);
    counter->older = reader.raw;
    counter->has_older = true;
}

static void begin_run(prfdata_columns *columns, const prfdata_column *column,
                      const sample_pair *pair, column_run *run)
{
    const prfdata_columns_object *object = &columns->objects[column->object];
    prfdata_columns_counter *counter = &object->counters[column->counter];
    const bool is_followed = counter->followed == columns->computing;

    run->is_made = true;
    run->object_position = column->object;
    run->counter_position = column->counter;
    run->object = object;
    run->counter = counter;
    run->has_counter = object->object && counter->position != PRFDATA_COLUMNS_NO_COUNTER;
    counter->followed = columns->computing;
    if (!is_followed)
        set_older_of_counter(counter, object->title, pair);
    if (!run->has_counter)
        return;
    prfdata_sample_reader_make(pair->newer, object->object, counter->position, &run->reader);
    counter->raw = run->reader.raw;
    counter->sample = pair->newer->number;
    prfdata_compute_pair_make(&run->reader.formula, counter->has_older ? &counter->older : NULL,
                              &counter->raw, &run->pair);
}

/* Look up a column's value in the older sample. There, the instance mostly has the same position as
 * in the newer sample. The instance is looked up only once for all of its columns. */
static uint32_t look_up_older(const prfdata_columns *columns, const prfdata_column *column,
                              const prfdata_sample *older, prfdata_compute_count *count)
{
    const prfdata_columns_object *known = &columns->objects[column->object];
    const prfdata_place *place = &known->places.items[column->instance];
    prfdata_columns_block *block = &known->blocks[column->instance];
    const prfdata_sample_object *object = prfdata_sample_find_object(older, column->object_title);
    uint32_t position;
    prfdata_compute_raw raw;
    uint32_t status;

    if (!object)
        return PRFDATA_STATUS_NO_OBJECT;
    if (!block->is_looked_up)
        block->older = prfdata_sample_find_instance_near(object, place->label, place->position);
    block->is_looked_up = true;
    if (!block->older)
        return PRFDATA_STATUS_NO_INSTANCE;
    position = prfdata_title_index_find(&object->by_title, column->counter_title);
    if (position == PRFDATA_COLUMNS_NO_COUNTER)
        return PRFDATA_STATUS_NO_COUNTER;
    status = prfdata_sample_raw(older, object, block->older, position, &raw);
    *count = (prfdata_compute_count){raw.value, raw.base};
    return status;
}

static void set_older(const prfdata_columns *columns, prfdata_column *column,
                      const sample_pair *pair)
{
    if (!pair->older || column->is_moved) {
        column->older_status = PRFDATA_STATUS_NO_DATA;
    } else if (column->is_lost) {
        column->older_status = column->lost_status;
    } else if (pair->is_next && !column->is_new) {
        column->older_status = column->raw_status;
        column->older = column->raw;
    } else {
        column->older_status = look_up_older(columns, column, pair->older, &column->older);
    }
    column->is_moved = column->is_new = false;
}

/* Forget the value that the column had in the older sample, if that value belongs to another
 * process. */
static void forget_other_owner(prfdata_column *column, const prfdata_sample *older,
                               const prfdata_sample_object *object,
                               const prfdata_sample_instance *instance)
{
    const prfdata_sample_object *before;
    const prfdata_sample_instance *then;

    if (!older || column->older_status != PRFDATA_STATUS_OK)
        return;
    before = prfdata_sample_find_object(older, column->object_title);
    then = before ? prfdata_sample_find_instance(before, instance->label) : NULL;
    if (then && !prfdata_sample_has_same_owner(before, then, object, instance))
        column->older_status = PRFDATA_STATUS_NO_DATA;
}

/* Note why a column has no value in the newer sample. If the column's object is asked for
 * separately, the raw value is kept for the next sample that has this object. */
static void note_missing(prfdata_column *column, const column_run *run, const prfdata_sample *newer,
                         uint32_t status)
{
    column->status = status;
    if (run->object->object || prfdata_title_index_find(&newer->elsewhere, column->object_title) ==
                                   PRFDATA_TITLE_INDEX_NONE)
        column->raw_status = status;
}

/* Read the text of a text counter. forget_column_value() has released the previous text. */
static uint32_t read_column_text(prfdata_column *column, const prfdata_sample_object *object,
                                 const prfdata_sample_instance *instance, uint32_t position)
{
    size_t room = instance->wire.values_bytes;
    uint16_t *chars = malloc((room + 1) * sizeof *chars);

    if (!chars)
        return ERROR_NOT_ENOUGH_MEMORY;
    column->status = prfdata_sample_text(object, instance, position, chars, &column->text);
    if (column->status != PRFDATA_STATUS_OK) {
        free(chars);
        return ERROR_SUCCESS;
    }
    column->text.chars = chars;
    column->is_text = true;
    return ERROR_SUCCESS;
}

/* Set the text of a counter that is not a number, or the reason why there is no text. */
static uint32_t compute_other(prfdata_column *column, const column_run *run,
                              const prfdata_sample_instance *instance)
{
    prfdata_compute_raw raw;

    column->status = prfdata_sample_reader_get(&run->reader, instance, &raw);
    column->raw_status = column->status;
    return column->status == PRFDATA_STATUS_IS_TEXT
               ? read_column_text(column, run->object->object, instance, run->counter->position)
               : ERROR_SUCCESS;
}

/* Forget the current value. The value of the sample before stays. */
static void forget_column_value(prfdata_column *column)
{
    if (column->text.chars)
        prfdata_text_free(&column->text);
    column->is_text = false;
    column->status = PRFDATA_STATUS_NO_DATA;
}

static uint32_t compute_column(prfdata_columns *columns, prfdata_column *column,
                               const sample_pair *pair, column_run *run)
{
    const prfdata_columns_block *block;
    const prfdata_sample_object *object;

    forget_column_value(column);
    if (column->is_lost) {
        column->status = column->raw_status = column->lost_status;
        return ERROR_SUCCESS;
    }
    if (!run->is_made || run->object_position != column->object ||
        run->counter_position != column->counter)
        begin_run(columns, column, pair, run);
    object = run->object->object;
    if (!object) {
        note_missing(column, run, pair->newer, PRFDATA_STATUS_NO_OBJECT);
        return ERROR_SUCCESS;
    }
    block = &run->object->blocks[column->instance];
    if (!block->values || !run->has_counter) {
        note_missing(column, run, pair->newer,
                     block->values ? PRFDATA_STATUS_NO_COUNTER : PRFDATA_STATUS_NO_INSTANCE);
        return ERROR_SUCCESS;
    }
    if (object->owner_count > 0)
        forget_other_owner(column, pair->older, object, &object->instances[block->position]);
    if (!column->is_known || column->type != run->reader.raw.type)
        columns->type_changes++;
    column->is_known = true;
    column->type = run->reader.raw.type;
    column->default_scale = run->reader.value.definition.default_scale;
    if (run->reader.raw.status != PRFDATA_STATUS_OK)
        return compute_other(column, run, &object->instances[block->position]);
    column->status =
        prfdata_sample_reader_count(&run->reader, block->values, block->values_bytes, &column->raw);
    column->raw_status = column->status;
    if (column->status == PRFDATA_STATUS_OK)
        column->status = prfdata_compute_by(
            &run->pair, column->older_status == PRFDATA_STATUS_OK ? &column->older : NULL,
            &column->raw, &column->value);
    if (columns->has_idle_zeros &&
        prfdata_compute_idle(column->type, column->status, &column->value))
        column->status = PRFDATA_STATUS_OK;
    if (column->status == PRFDATA_STATUS_OK && pair->capped)
        prfdata_compute_cap_by(&run->reader.formula, &column->value);
    return ERROR_SUCCESS;
}

/* Note the counter block of each instance that columns use. Returns false: no memory. */
static bool note_blocks(prfdata_columns_object *object)
{
    const prfdata_places *places = &object->places;
    prfdata_columns_block *blocks = prfdata_array_reserve(object->blocks, &object->block_capacity,
                                                          places->count + 1, sizeof *blocks);

    if (!blocks)
        return false;
    object->blocks = blocks;
    for (uint32_t i = 0; i < places->count; i++) {
        const uint32_t position = places->items[i].position;

        blocks[i] = (prfdata_columns_block){0};
        if (object->object && prfdata_places_has(places, i)) {
            const prfdata_decode_instance *wire = &object->object->instances[position].wire;

            blocks[i] = (prfdata_columns_block){
                .values = wire->values, .values_bytes = wire->values_bytes, .position = position};
        }
    }
    return true;
}

uint32_t prfdata_columns_compute(prfdata_columns *columns, const prfdata_sample *older,
                                 const prfdata_sample *newer, bool capped)
{
    sample_pair pair = {.older = older, .newer = newer, .capped = capped};
    column_run run = {0};
    size_t missing_count = 0;
    uint32_t status = ERROR_SUCCESS;

    if (!follow_titles(columns))
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!columns->texts && columns->count >= PRFDATA_DECIMAL_TEXTS)
        columns->texts = calloc(1, sizeof *columns->texts);
    pair.is_next = older && older->number == columns->computed;
    columns->computed = 0;
    columns->computing++;
    for (size_t i = 0; i < columns->object_count; i++) {
        if (!follow_object(&columns->objects[i], newer) || !note_blocks(&columns->objects[i]))
            return ERROR_NOT_ENOUGH_MEMORY;
    }
    for (size_t i = 0; i < columns->count && status == ERROR_SUCCESS; i++) {
        prfdata_column *column = &columns->items[i];

        set_older(columns, column, &pair);
        status = compute_column(columns, column, &pair, &run);
        missing_count += column->status != PRFDATA_STATUS_OK;
    }
    columns->missing_count = missing_count;
    if (status == ERROR_SUCCESS)
        columns->computed = newer->number;
    return status;
}

static prfdata_compute_raw raw_of(uint32_t status, const prfdata_compute_raw *shared,
                                  const prfdata_compute_count *count)
{
    prfdata_compute_raw raw = {.status = status};

    if (status != PRFDATA_STATUS_OK)
        return raw;
    raw = *shared;
    raw.value = count->value;
    raw.base = count->base;
    return raw;
}

prfdata_compute_raw prfdata_columns_raw(const prfdata_columns *columns,
                                        const prfdata_column *column)
{
    return raw_of(column->raw_status,
                  column->raw_status == PRFDATA_STATUS_OK ? prfdata_columns_shared(columns, column)
                                                          : NULL,
                  &column->raw);
}

prfdata_compute_raw prfdata_columns_older(const prfdata_columns *columns,
                                          const prfdata_column *column)
{
    return raw_of(column->older_status,
                  column->older_status == PRFDATA_STATUS_OK
                      ? &columns->objects[column->object].counters[column->counter].older
                      : NULL,
                  &column->older);
}

void prfdata_columns_forget(prfdata_columns *columns)
{
    columns->computed = 0;
    columns->missing_count = columns->count;
    for (size_t i = 0; i < columns->count; i++) {
        prfdata_column *column = &columns->items[i];

        forget_column_value(column);
        column->raw_status = column->older_status = PRFDATA_STATUS_NO_DATA;
    }
}
