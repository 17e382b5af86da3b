/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of regions, in two guarded passes: the first counts the slots that were ever used, the
 * second copies them into memory that was allocated in between. A slot that comes into use after
 * the first pass is seen next time. What a region without writer holds does not change: its summary
 * is made once. Reads no view itself.
 */
#include "snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "core/smaller.h"
#include "snapshot/cells.h"
#include "snapshot/recent.h"
#include "snapshot/snapshot_copy.h"

/* ---- The budget ---- */

/* As much as regions of the current map may take themselves. */
#define MOST_OTHER_BYTES ((SIZE_MAX > UINT32_MAX ? 1024ull : 256ull) * 1024 * 1024)

prfdata_snapshot_budget prfdata_snapshot_full_budget(void)
{
    const uint64_t ticks_per_second = prfdata_os_ticks_per_second();
    prfdata_snapshot_budget budget = {0};

    budget.region_ticks = ticks_per_second * PRFDATA_SNAPSHOT_REGION_WAIT_US / 1000000;
    budget.ticks = ticks_per_second * PRFDATA_SNAPSHOT_ALL_WAIT_US / 1000000;
    budget.time = prfdata_distribution_time();
    budget.other_bytes = MOST_OTHER_BYTES;
    return budget;
}

/* ---- Memory ---- */

prfdata_snapshot *prfdata_snapshot_make(uint32_t object_count)
{
    prfdata_snapshot *snapshot =
        calloc(1, sizeof *snapshot + object_count * sizeof snapshot->objects[0]);

    if (snapshot) {
        snapshot->references = 1;
        snapshot->object_count = object_count;
    }
    return snapshot;
}

/* Elements of a slot's cells: whole cache lines of the region, and what is made of them. */
static uint32_t cells_of_slot(const prfdata_model_object *model_object,
                              const prfdata_region_section *section)
{
    const uint32_t loaded = section->cell_stride / (uint32_t)sizeof(uint64_t);

    return loaded > model_object->cell_count ? loaded : model_object->cell_count;
}

/*
 * Bytes that one slot takes in an object's copy. In a summary it has no baselines: its cells are
 * what it adds to an instance.
 */
static uint64_t bytes_of_slot(const prfdata_model_object *model_object,
                              const prfdata_region_section *section, bool is_summary)
{
    const uint32_t parts = model_object->has_instances && !is_summary ? 2 : 1;

    static_assert(sizeof(prfdata_snapshot_slot) % sizeof(uint64_t) == 0, "names and cells follow");
    return sizeof(prfdata_snapshot_slot) + section->name_stride +
           (uint64_t)parts * cells_of_slot(model_object, section) * sizeof(uint64_t);
}

/* All parts of one object in one allocation, which `slots` owns: room for `count` slots. */
static bool allocate_object(prfdata_snapshot_object *object,
                            const prfdata_model_object *model_object,
                            const prfdata_region_section *section, uint32_t count, bool is_summary)
{
    const uint32_t cell_stride = cells_of_slot(model_object, section);
    const uint64_t size = bytes_of_slot(model_object, section, is_summary) * count +
                          (is_summary ? cell_stride * sizeof(uint64_t) : 0);

    if (size > SIZE_MAX - 1)
        return false;
    object->slots = malloc((size_t)size + 1);
    if (!object->slots)
        return false;
    object->is_taken = true;
    object->cell_stride = cell_stride;
    object->name_stride = section->name_stride / (uint32_t)sizeof(uint16_t);
    memset(object->slots, 0, count * sizeof *object->slots);
    object->names = (void *)(object->slots + count);
    object->cells = (void *)((uint8_t *)object->names + (size_t)section->name_stride * count);
    if (is_summary)
        object->sums = object->cells + (size_t)cell_stride * count;
    else
        object->baselines = object->cells + (size_t)cell_stride * count;
    return true;
}

static bool allocate_objects(const prfdata_snapshot_reading *reading)
{
    for (uint32_t i = 0; i < reading->layout->object_count; i++)
        if (reading->wanted[i] &&
            !allocate_object(&reading->snapshot->objects[i], &reading->model->objects[i],
                             &reading->layout->sections[i], reading->used_counts[i], false))
            return false;
    return true;
}

void prfdata_snapshot_free(prfdata_snapshot *snapshot)
{
    if (!snapshot)
        return;
    for (uint32_t i = 0; i < snapshot->object_count; i++) {
        free(snapshot->objects[i].slots);
        free(snapshot->objects[i].other_cells);
        prfdata_hash_table_free(&snapshot->objects[i].slots_by_key);
    }
    free(snapshot);
}

/* ---- Taking a snapshot ---- */

/* Spend the budget on copying, guarded. */
static bool copy_within_budget(prfdata_snapshot_reading *reading)
{
    const uint64_t may_spend =
        prfdata_smaller_of(reading->budget->region_ticks, reading->budget->ticks);
    bool is_copied;

    reading->wait_ticks = may_spend;
    is_copied = prfdata_os_guarded(reading->region, prfdata_snapshot_copy_region, reading);
    reading->budget->ticks -= may_spend - reading->wait_ticks;
    return is_copied;
}

prfdata_result prfdata_snapshot_take(const prfdata_os_region *region, const prfdata_model *model,
                                     const prfdata_region_layout *layout, uint64_t boot,
                                     const bool *wanted, bool has_writer,
                                     prfdata_snapshot_budget *budget, prfdata_snapshot **snapshot)
{
    prfdata_snapshot_reading reading = {0};
    prfdata_result result = PRFDATA_NO_MEMORY;

    reading.region = region;
    reading.model = model;
    reading.layout = layout;
    reading.boot = boot;
    reading.wanted = wanted;
    reading.has_writer = has_writer;
    reading.budget = budget;
    reading.snapshot = prfdata_snapshot_make(model->object_count);
    reading.used_counts = calloc(model->object_count + 1u, sizeof *reading.used_counts);
    if (!reading.snapshot || !reading.used_counts)
        goto done;
    result = PRFDATA_FAULTED;
    if (!prfdata_os_guarded(region, prfdata_snapshot_copy_measure, &reading))
        goto done;
    result = PRFDATA_INVALID;
    if (!reading.is_valid)
        goto done;
    result = PRFDATA_NO_MEMORY;
    if (!allocate_objects(&reading))
        goto done;
    result = copy_within_budget(&reading) ? PRFDATA_DONE : PRFDATA_FAULTED;

done:
    free(reading.used_counts);
    if (result != PRFDATA_DONE)
        prfdata_snapshot_free(reading.snapshot);
    else
        *snapshot = reading.snapshot;
    return result;
}

/* ---- Summaries ---- */

static void mark_parent(prfdata_snapshot *whole, const prfdata_model_object *model_object,
                        const prfdata_snapshot_slot *slot)
{
    prfdata_snapshot_slot *parent;

    if (slot->parent_slot == PRFDATA_NONE || model_object->parent_index == PRFDATA_NONE)
        return;
    parent = prfdata_snapshot_find(&whole->objects[model_object->parent_index], slot->parent_slot);
    if (parent && parent->state >= PRFDATA_SLOT_LIVE)
        parent->is_kept = true;
}

/* Mark the slots of one object, and their parents; its own children were marked before. */
static uint32_t mark_kept_slots(prfdata_snapshot *whole, const prfdata_model *model,
                                uint32_t object_index)
{
    const prfdata_cells cells = prfdata_cells_of(&model->objects[object_index]);
    prfdata_snapshot_object *object = &whole->objects[object_index];
    uint32_t kept = 0;

    for (uint32_t i = 0; cells.object->has_instances && i < object->count; i++) {
        prfdata_snapshot_slot *slot = &object->slots[i];

        if (slot->state < PRFDATA_SLOT_LIVE)
            continue;
        if (prfdata_cells_remain(&cells, prfdata_snapshot_cells(object, slot),
                                 prfdata_snapshot_baselines(object, slot)))
            slot->is_kept = true;
        if (!slot->is_kept)
            continue;
        mark_parent(whole, cells.object, slot);
        kept++;
    }
    return kept;
}

static void keep_summary_slot(const prfdata_cells *cells, const prfdata_snapshot_object *whole,
                              const prfdata_snapshot_slot *slot, prfdata_snapshot_object *object)
{
    const size_t position = object->count++;

    object->slots[position] = *slot;
    object->slots[position].has_baseline = false;
    prfdata_cells_clear(cells, object->cells + position * object->cell_stride);
    prfdata_cells_add(cells, prfdata_snapshot_cells(whole, slot),
                      prfdata_snapshot_baselines(whole, slot), false,
                      object->cells + position * object->cell_stride);
    memcpy(object->names + position * object->name_stride, prfdata_snapshot_name(whole, slot),
           object->name_stride * sizeof *object->names);
}

/* Of a snapshot object's slots, for the hash table. */
static bool has_region_key(const void *object, uint32_t position, const void *key)
{
    const prfdata_snapshot_object *copied = object;
    const prfdata_region_key other = prfdata_snapshot_key_of(copied, &copied->slots[position]);

    return prfdata_region_keys_equal(key, &other);
}

/* By key, of which a wrong region may have many slots. Returns false if memory is exhausted. */
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
    const prfdata_cells cells = prfdata_cells_of(model_object);

    if (!allocate_object(object, model_object, section, kept, true))
        return false;
    prfdata_cells_clear(&cells, object->sums);
    for (uint32_t i = 0; i < whole->count; i++) {
        const prfdata_snapshot_slot *slot = &whole->slots[i];

        prfdata_cells_add(&cells, prfdata_snapshot_cells(whole, slot), NULL, false, object->sums);
        if (slot->is_kept && !summary->lacks_slots)
            keep_summary_slot(&cells, whole, slot, object);
    }
    object->windows.sums = object->sums;
    object->is_ageing = prfdata_recent_any(model_object, object->sums);
    summary->is_ageing |= object->is_ageing;
    return index_summary_object(summary->seed, object);
}

/* Returns NULL if memory is exhausted. */
static prfdata_snapshot *make_summary(prfdata_snapshot *whole, const prfdata_model *model,
                                      const prfdata_region_layout *layout, uint64_t max_bytes,
                                      uint64_t *bytes)
{
    uint32_t kept[PRFDATA_MAX_OBJECTS];
    prfdata_snapshot *summary = prfdata_snapshot_make(model->object_count);

    if (!summary)
        return NULL;
    *bytes = 0;
    for (uint32_t i = model->object_count; i-- > 0;) {
        kept[i] = mark_kept_slots(whole, model, i);
        *bytes += kept[i] * bytes_of_slot(&model->objects[i], &layout->sections[i], true);
    }
    summary->seed = prfdata_os_random();
    summary->is_summary = true;
    memcpy(summary->head, whole->head, sizeof summary->head);
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
 * Whether nobody has counted since the structure word was `structure`. A new writer may have begun
 * to take the region over, which makes the word odd and changes no count.
 */
static bool is_of_the_dead(const prfdata_snapshot *whole, uint64_t structure)
{
    return (prfdata_snapshot_structure(whole) | 1) == (structure | 1) &&
           (whole->structure_after | 1) == (structure | 1);
}

prfdata_result prfdata_snapshot_summarise(const prfdata_os_region *region,
                                          const prfdata_model *model,
                                          const prfdata_region_layout *layout, uint64_t boot,
                                          uint64_t structure, uint32_t time, uint64_t max_bytes,
                                          uint64_t *bytes, prfdata_snapshot **summary)
{
    prfdata_snapshot_budget budget = {0};
    bool wanted[PRFDATA_MAX_OBJECTS];
    prfdata_snapshot *whole;
    prfdata_result result;

    for (uint32_t i = 0; i < model->object_count; i++)
        wanted[i] = true;
    budget.time = time;
    result = prfdata_snapshot_take(region, model, layout, boot, wanted, false, &budget, &whole);
    if (result != PRFDATA_DONE)
        return result;
    result = PRFDATA_ASK_AGAIN;
    if (is_of_the_dead(whole, structure)) {
        *summary = make_summary(whole, model, layout, max_bytes, bytes);
        result = *summary ? PRFDATA_DONE : PRFDATA_NO_MEMORY;
    }
    if (result == PRFDATA_DONE)
        (*summary)->time = time;
    prfdata_snapshot_free(whole);
    return result;
}

/* ---- Looking into snapshots ---- */

bool prfdata_snapshot_has_brackets(const prfdata_snapshot *snapshot)
{
    prfdata_region_header header;

    memcpy(&header, snapshot->head, sizeof snapshot->head);
    return (header.hints & PRFDATA_REGION_HINT_BRACKETS) != 0;
}

prfdata_snapshot_slot *prfdata_snapshot_find(const prfdata_snapshot_object *object,
                                             uint32_t slot_index)
{
    uint32_t low = 0;
    uint32_t high = object->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (object->slots[middle].slot_index < slot_index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < object->count && object->slots[low].slot_index == slot_index ? &object->slots[low]
                                                                              : NULL;
}

const prfdata_snapshot_slot *prfdata_snapshot_find_key(const prfdata_snapshot *summary,
                                                       uint32_t object_index,
                                                       const prfdata_region_key *key)
{
    const prfdata_snapshot_object *object = &summary->objects[object_index];
    const uint32_t position =
        prfdata_hash_table_find(&object->slots_by_key, prfdata_region_key_hash(key, summary->seed),
                                has_region_key, object, key);

    return position == PRFDATA_HASH_TABLE_NONE ? NULL : &object->slots[position];
}
