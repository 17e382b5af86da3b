/* SPDX-License-Identifier: MIT */
/*
 * Reduces the snapshot of a region without a writer to a summary: its sums, those slots that can
 * still add to a row, and the parents of these slots. Such a region does not change, so
 * regions/member.c keeps the summary. snapshot.c reads the view.
 */
#include "snapshot/summary.h"

#include <stdlib.h>
#include <string.h>

#include "snapshot/cells.h"
#include "snapshot/distribution_windows.h"

/* ---- Which slots are kept ---- */

static void mark_parent(prfdata_snapshot *whole, const prfdata_model_object *model_object,
                        const prfdata_snapshot_slot *slot)
{
    prfdata_snapshot_slot *parent;

    if (slot->parent_slot == PRFDATA_NONE || model_object->parent_index == PRFDATA_NONE)
        return;
    parent = prfdata_snapshot_find(&whole->objects[model_object->parent_index], slot->parent_slot);
    if (parent && parent->state >= PRFDATA_SLOT_LIVE)
        parent->is_in_summary = true;
}

/*
 * Marks which slots of one object are kept, and the parents of these slots. Returns how many slots
 * are kept. The slots of child objects were marked before.
 */
static uint32_t mark_kept_slots(prfdata_snapshot *whole, const prfdata_model *model,
                                uint32_t object_index)
{
    const prfdata_model_object *model_object = &model->objects[object_index];
    prfdata_snapshot_object *object = &whole->objects[object_index];
    uint32_t kept = 0;

    for (uint32_t i = 0; model_object->has_instances && i < object->count; i++) {
        prfdata_snapshot_slot *slot = &object->slots[i];

        if (slot->state < PRFDATA_SLOT_LIVE)
            continue;
        if (prfdata_cells_remain(model_object, prfdata_snapshot_cells(object, slot),
                                 prfdata_snapshot_baselines(object, slot)))
            slot->is_in_summary = true;
        if (!slot->is_in_summary)
            continue;
        mark_parent(whole, model_object, slot);
        kept++;
    }
    return kept;
}

static void keep_summary_slot(const prfdata_model_object *model_object,
                              const prfdata_snapshot_object *whole,
                              const prfdata_snapshot_slot *slot, prfdata_snapshot_object *object)
{
    const size_t position = object->count++;

    object->slots[position] = *slot;
    object->slots[position].has_baseline = false;
    prfdata_cells_clear(model_object, object->cells + position * object->cell_stride);
    prfdata_cells_add(model_object, prfdata_snapshot_cells(whole, slot),
                      prfdata_snapshot_baselines(whole, slot), false,
                      object->cells + position * object->cell_stride);
    memcpy(object->names + position * object->name_stride, prfdata_snapshot_name(whole, slot),
           object->name_stride * sizeof *object->names);
}

static bool has_region_key(const void *object, uint32_t position, const void *key)
{
    const prfdata_snapshot_object *copied = object;
    const prfdata_region_key other = prfdata_snapshot_key_of(copied, &copied->slots[position]);

    return prfdata_region_keys_equal(key, &other);
}

/*
 * Makes the hash table of keys. If several slots have the same key, as a hostile region may have,
 * only the first one is found. Returns false if memory is exhausted.
 */
static bool index_summary_object(uint64_t seed, prfdata_snapshot_object *object)
{
    if (!prfdata_hash_table_reserve(&object->slots_by_key, object->count))
        return false;
    for (uint32_t i = 0; i < object->count; i++) {
        const prfdata_region_key key = prfdata_snapshot_key_of(object, &object->slots[i]);

        (void)prfdata_hash_table_find_or_add(&object->slots_by_key,
                                             prfdata_region_key_hash(&key, seed), has_region_key,
                                             object, &key, i);
    }
    return true;
}

/* Returns false if memory is exhausted. */
static bool make_summary_object(const prfdata_model_object *model_object,
                                const prfdata_region_section *section,
                                const prfdata_snapshot_object *whole, uint32_t kept,
                                prfdata_snapshot *summary, prfdata_snapshot_object *object)
{
    if (!prfdata_snapshot_allocate(object, model_object, section, kept, true))
        return false;
    prfdata_cells_clear(model_object, object->sums);
    for (uint32_t i = 0; i < whole->count; i++) {
        const prfdata_snapshot_slot *slot = &whole->slots[i];

        prfdata_cells_add(model_object, prfdata_snapshot_cells(whole, slot), NULL, false,
                          object->sums);
        if (slot->is_in_summary && !summary->lacks_slots)
            keep_summary_slot(model_object, whole, slot, object);
    }
    object->is_ageing = prfdata_distribution_windows_any(model_object, object->sums);
    summary->is_ageing |= object->is_ageing;
    return index_summary_object(summary->seed, object);
}

/* Returns NULL if memory is exhausted. */
static prfdata_snapshot *make_summary(const prfdata_snapshot_reading *reading, uint64_t max_bytes,
                                      uint64_t *bytes)
{
    const prfdata_model *model = reading->model;
    const prfdata_region_layout *layout = reading->layout;
    prfdata_snapshot *whole = reading->snapshot;
    uint32_t kept[PRFDATA_MAX_OBJECTS];
    prfdata_snapshot *summary = prfdata_snapshot_make(model->object_count);

    if (!summary)
        return NULL;
    *bytes = 0;
    for (uint32_t i = model->object_count; i-- > 0;) {
        kept[i] = mark_kept_slots(whole, model, i);
        *bytes +=
            kept[i] * prfdata_snapshot_slot_bytes(&model->objects[i], &layout->sections[i], true);
    }
    summary->seed = prfdata_os_random();
    summary->is_summary = true;
    summary->time = reading->time;
    memcpy(summary->head, whole->head, sizeof summary->head);
    summary->has_brackets = whole->has_brackets;
    summary->lacks_slots = *bytes > max_bytes;
    if (summary->lacks_slots)
        *bytes = 0;
    for (uint32_t i = 0; i < model->object_count; i++)
        if (!make_summary_object(&model->objects[i], &layout->sections[i], &whole->objects[i],
                                 summary->lacks_slots ? 0 : kept[i], summary,
                                 &summary->objects[i])) {
            prfdata_snapshot_free(summary);
            return NULL;
        }
    return summary;
}

/*
 * Whether no program has counted since the structure word was `structure`. True even if a new
 * writer has begun to take the region over, because the first step of a take-over makes the word
 * odd and changes no count.
 */
static bool is_of_the_dead(const prfdata_snapshot *whole, uint64_t structure)
{
    return (prfdata_snapshot_structure(whole) | 1) == (structure | 1) &&
           (whole->structure_after | 1) == (structure | 1);
}

prfdata_result prfdata_summary_make(prfdata_snapshot_reading *reading, uint64_t structure,
                                    uint64_t max_bytes, uint64_t *bytes, prfdata_snapshot **summary)
{
    prfdata_snapshot *whole;
    prfdata_result result = prfdata_snapshot_take(reading, NULL, &whole);

    if (result != PRFDATA_DONE)
        return result;
    result = PRFDATA_STALE;
    if (is_of_the_dead(whole, structure)) {
        *summary = make_summary(reading, max_bytes, bytes);
        result = *summary ? PRFDATA_DONE : PRFDATA_NO_MEMORY;
    }
    prfdata_snapshot_free(whole);
    return result;
}

const prfdata_snapshot_slot *prfdata_summary_find(const prfdata_snapshot *summary,
                                                  uint32_t object_index,
                                                  const prfdata_region_key *key)
{
    const prfdata_snapshot_object *object = &summary->objects[object_index];
    const uint32_t position =
        prfdata_hash_table_find(&object->slots_by_key, prfdata_region_key_hash(key, summary->seed),
                                has_region_key, object, key);

    return position == PRFDATA_HASH_TABLE_NONE ? NULL : &object->slots[position];
}
