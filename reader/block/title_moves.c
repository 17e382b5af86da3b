/* SPDX-License-Identifier: MIT */
/*
 * Finds the new index of each old title, first by ids, then by texts. The remaining titles no
 * longer exist. No new index is given to two old titles.
 */
#include "block/title_moves.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/merge_sort.h"
#include "block/decode.h"
#include "map/model.h"

/* Largest distance between the new indexes of two neighbouring titles that no longer exist. */
#define MOST_STEP 1000

typedef struct old_title {
    uint32_t index;
    uint32_t to; /* new index of the title; 0: not known yet */
    prfdata_text name;
} old_title;

typedef struct move_search {
    old_title *old; /* sorted by index */
    size_t old_count;
    bool *taken; /* for each new name: whether it was already assigned to an old title */
    const prfdata_name_table *names;
    int64_t distance; /* new index minus old index of the last title that was found */
} move_search;

static bool is_same_text(prfdata_text a, prfdata_text b)
{
    return a.count == b.count && memcmp(a.chars, b.chars, a.count * sizeof *a.chars) == 0;
}

static bool is_unused(prfdata_text name)
{
    return prfdata_text_equal_ascii(name, PRFDATA_TITLE_UNUSED);
}

static old_title *find_old(const move_search *s, uint32_t index)
{
    size_t low = 0;
    size_t high = s->old_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (s->old[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->old_count && s->old[low].index == index ? &s->old[low] : NULL;
}

/* Assign a new name to an old title, unless another old title has it. */
static bool take(const move_search *s, old_title *old, size_t at)
{
    if (s->taken[at])
        return false;
    s->taken[at] = true;
    old->to = s->names->items[at].index;
    return true;
}

/* ---- By ids ---- */

static int compare_keys(const void *left, const void *right, const void *context)
{
    const prfdata_title_id *a = left;
    const prfdata_title_id *b = right;

    (void)context;
    return (a->key > b->key) - (a->key < b->key);
}

/* Return a copy of the ids, sorted by key; NULL: no memory. */
static prfdata_title_id *sort_ids(const prfdata_title_ids *ids)
{
    prfdata_title_id *sorted = calloc(2 * ids->count + 1, sizeof *sorted);

    if (sorted && ids->count > 0) {
        memcpy(sorted, ids->items, ids->count * sizeof *sorted);
        prfdata_merge_sort(sorted, sorted + ids->count, ids->count, sizeof *sorted, compare_keys,
                           NULL);
    }
    return sorted;
}

static uint32_t find_by_ids(const move_search *s, const prfdata_title_ids *before,
                            const prfdata_title_ids *now)
{
    prfdata_title_id *olds = sort_ids(before);
    prfdata_title_id *news = sort_ids(now);
    const bool has_memory = olds && news;

    for (size_t i = 0, j = 0; has_memory && i < before->count && j < now->count;) {
        const int order = compare_keys(&olds[i], &news[j], NULL);

        if (order == 0) {
            old_title *old = find_old(s, olds[i].index);
            size_t at;

            if (old && old->to == 0 && prfdata_name_table_position(s->names, news[j].index, &at))
                (void)take(s, old, at);
        }
        i += order <= 0;
        j += order >= 0;
    }
    free(olds);
    free(news);
    return has_memory ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

/* ---- By texts ---- */

static bool has_name_at(const move_search *s, int64_t index, prfdata_text name, size_t *at)
{
    return index > 0 && index <= UINT32_MAX &&
           prfdata_name_table_position(s->names, (uint32_t)index, at) &&
           is_same_text(s->names->items[*at].name, name);
}

/*
 * Assign the new title at this distance to an old title. Returns false if there is no new title, if
 * the texts differ, or if the new title is already assigned.
 */
static bool take_at(move_search *s, old_title *old, int64_t distance)
{
    size_t at;

    if (!has_name_at(s, old->index + distance, old->name, &at) || !take(s, old, at))
        return false;
    s->distance = distance;
    return true;
}

/* Returns whether the old title after number `i` is found at this distance now. */
static bool has_next_at(const move_search *s, size_t i, int64_t distance)
{
    const old_title *next = i + 1 < s->old_count ? &s->old[i + 1] : NULL;
    size_t at;

    if (next && next->to != 0)
        return (int64_t)next->to == next->index + distance;
    return next && has_name_at(s, next->index + distance, next->name, &at);
}

/*
 * Return the distance at which both this title and the next one are found now; 0 if there is no
 * such distance, or several. Leave out an index that already had this name before the change,
 * because it belongs to another product.
 */
static int64_t find_distance(const move_search *s, size_t i)
{
    const old_title *old = &s->old[i];
    int64_t found = 0;
    unsigned places = 0;

    for (size_t at = 0; at < s->names->count; at++) {
        const prfdata_name_table_entry *name = &s->names->items[at];
        const int64_t distance = (int64_t)name->index - old->index;
        const old_title *there;

        if (s->taken[at] || !is_same_text(name->name, old->name) || !has_next_at(s, i, distance))
            continue;
        there = find_old(s, name->index);
        if (there && is_same_text(there->name, old->name))
            continue;
        found = distance;
        places++;
    }
    return places == 1 ? found : 0;
}

/*
 * Find the remaining titles by their texts. Many products have counters of the same name, but the
 * titles of a product follow each other. So the distance by which the previous title moved is tried
 * first.
 */
static void find_by_texts(move_search *s)
{
    for (size_t i = 0; i < s->old_count; i++) {
        old_title *old = &s->old[i];
        int64_t distance;

        if (old->to != 0)
            s->distance = (int64_t)old->to - old->index;
        if (old->to != 0 || is_unused(old->name) || take_at(s, old, s->distance) ||
            (has_next_at(s, i, 0) && take_at(s, old, 0)))
            continue;
        distance = find_distance(s, i);
        if (distance == 0 || !take_at(s, old, distance))
            (void)take_at(s, old, 0);
    }
}

/* ---- Titles that no longer exist ---- */

static uint64_t key_of(const prfdata_title_ids *ids, uint32_t index)
{
    for (size_t i = 0; i < ids->count; i++) {
        if (ids->items[i].index == index)
            return ids->items[i].key;
    }
    return 0;
}

/*
 * Give a new index to each title that has just disappeared. Titles that disappeared earlier keep
 * their indexes. Distances up to MOST_STEP between two titles stay. So find_by_texts() can find the
 * titles of a product together if the product is installed again.
 */
static uint32_t keep_what_is_gone(const move_search *s, const prfdata_titles *before,
                                  prfdata_titles *now)
{
    uint32_t last = 0;
    uint32_t status = ERROR_SUCCESS;

    for (size_t i = 0; status == ERROR_SUCCESS && i < s->old_count; i++) {
        old_title *old = &s->old[i];
        const uint32_t step = old->index - last;
        uint64_t key;

        if (old->to != 0)
            continue;
        old->to = old->index;
        if (!prfdata_title_is_gone(old->index)) {
            now->gone_end += step < MOST_STEP ? step : MOST_STEP;
            old->to = now->gone_end;
            last = old->index;
        }
        key = key_of(&before->ids, old->index);
        status = prfdata_name_table_append(&now->former, old->to, old->name);
        if (status == ERROR_SUCCESS && key != 0)
            status = prfdata_title_ids_add(&now->ids, old->to, key);
    }
    if (status == ERROR_SUCCESS)
        return prfdata_name_table_settle(&now->former);
    prfdata_name_table_free(&now->former); /* these names are not sorted, so they cannot be used */
    return status;
}

/* ---- All titles ---- */

static bool add_move(prfdata_title_moves *moves, uint32_t from, uint32_t to)
{
    prfdata_title_move *items;

    if (from == to)
        return true;
    items = prfdata_array_reserve(moves->items, &moves->capacity, moves->count + 1, sizeof *items);
    if (!items)
        return false;
    moves->items = items;
    items[moves->count++] = (prfdata_title_move){from, to};
    return true;
}

static int compare_moves(const void *left, const void *right, const void *context)
{
    const prfdata_title_move *a = left;
    const prfdata_title_move *b = right;

    (void)context;
    return (a->from > b->from) - (a->from < b->from);
}

/* Add the moves of all titles. If an index has a title now but had none before, an unused index
 * replaces it in older samples. So older samples do not show the new title. */
static uint32_t add_all_moves(prfdata_title_moves *moves, const move_search *s, uint32_t *gone_end)
{
    prfdata_title_move *room;
    bool has_memory = true;

    for (size_t i = 0; has_memory && i < s->old_count; i++)
        has_memory = add_move(moves, s->old[i].index, s->old[i].to);
    for (size_t at = 0; has_memory && at < s->names->count; at++) {
        const uint32_t index = s->names->items[at].index;

        if (!find_old(s, index))
            has_memory = add_move(moves, index, *gone_end += 2);
    }
    room = malloc((moves->count + 1) * sizeof *room);
    if (room)
        prfdata_merge_sort(moves->items, room, moves->count, sizeof *room, compare_moves, NULL);
    free(room);
    return has_memory && room ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

static size_t list_old(old_title *old, size_t count, const prfdata_name_table *names, bool are_gone)
{
    for (size_t i = 0; i < names->count; i++) {
        if (prfdata_title_is_gone(names->items[i].index) == are_gone)
            old[count++] = (old_title){names->items[i].index, 0, names->items[i].name};
    }
    return count;
}

uint32_t prfdata_title_moves_find(prfdata_title_moves *moves, const prfdata_titles *before,
                                  prfdata_titles *now)
{
    const prfdata_name_table *former = &before->former;
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;
    move_search s = {.old = calloc(before->english.count + former->count + 1, sizeof *s.old),
                     .taken = calloc(now->english.count + 1, sizeof *s.taken),
                     .names = &now->english};

    memset(moves, 0, sizeof *moves);
    if (!s.old || !s.taken)
        goto free_search;
    now->gone_end = before->gone_end > 0 ? before->gone_end : PRFDATA_TITLE_GONE;
    s.old_count = list_old(s.old, 0, &before->english, false);
    s.old_count = list_old(s.old, s.old_count, former, true);
    status = find_by_ids(&s, &before->ids, &now->ids);
    if (status != ERROR_SUCCESS)
        goto free_search;
    find_by_texts(&s);
    status = keep_what_is_gone(&s, before, now);
    if (status == ERROR_SUCCESS)
        status = add_all_moves(moves, &s, &now->gone_end);
    if (status != ERROR_SUCCESS)
        prfdata_title_moves_free(moves);
free_search:
    free(s.old);
    free(s.taken);
    return status;
}

void prfdata_title_moves_free(prfdata_title_moves *moves)
{
    free(moves->items);
    memset(moves, 0, sizeof *moves);
}

uint32_t prfdata_title_moves_to(const prfdata_title_moves *moves, uint32_t index)
{
    size_t low = 0;
    size_t high = moves->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (moves->items[middle].from < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < moves->count && moves->items[low].from == index ? moves->items[low].to : index;
}

/* ---- Moving a block ---- */

/* Replace the index of a name, and move the index of its help text by the same distance. */
static void move_titles(const prfdata_title_moves *moves, unsigned char *bytes, uint64_t name_at,
                        uint32_t name, uint64_t help_at, uint32_t help)
{
    const uint32_t to = prfdata_title_moves_to(moves, name);

    if (to == name)
        return;
    prfdata_bytes_put(bytes + name_at, to, 4);
    if (help != 0)
        prfdata_bytes_put(bytes + help_at, help + (to - name), 4);
}

static void move_parents(const prfdata_title_moves *moves, unsigned char *bytes,
                         const prfdata_decode_object *object)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_instance instance;
    prfdata_decode_error error;
    uint32_t status;

    while ((status = prfdata_decode_instance_next(object, &cursor, &instance, &error)) ==
               ERROR_SUCCESS ||
           status == ERROR_MORE_DATA) {
        const uint32_t parent = instance.definition.parent_object_title_index;
        const uint32_t to = prfdata_title_moves_to(moves, parent);

        if (instance.has_definition && to != parent)
            prfdata_bytes_put(
                bytes + instance.offset +
                    offsetof(prfdata_perf_instance_definition, parent_object_title_index),
                to, 4);
    }
}

static void move_object(const prfdata_title_moves *moves, unsigned char *bytes,
                        const prfdata_decode_object *object)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_counter counter;

    while (prfdata_decode_counter_next(object, &cursor, &counter) == ERROR_SUCCESS)
        move_titles(
            moves, bytes,
            counter.offset + offsetof(prfdata_perf_counter_definition, counter_name_title_index),
            counter.definition.counter_name_title_index,
            counter.offset + offsetof(prfdata_perf_counter_definition, counter_help_title_index),
            counter.definition.counter_help_title_index);
    move_parents(moves, bytes, object);
    move_titles(moves, bytes,
                object->offset + offsetof(prfdata_perf_object_type, object_name_title_index),
                object->header.object_name_title_index,
                object->offset + offsetof(prfdata_perf_object_type, object_help_title_index),
                object->header.object_help_title_index);
}

void prfdata_title_moves_apply(const prfdata_title_moves *moves, void *bytes, size_t size)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_object object;
    prfdata_decode_block block;
    prfdata_decode_error error;
    uint32_t status;

    if (moves->count == 0 || prfdata_decode_open(bytes, size, &block, &error) == ERROR_INVALID_DATA)
        return;
    while ((status = prfdata_decode_object_next(&block, &cursor, &object, &error)) !=
           ERROR_NO_MORE_ITEMS) {
        if (status == ERROR_SUCCESS || status == ERROR_MORE_DATA)
            move_object(moves, bytes, &object);
    }
}
